// import: rule files from the variants that another program has.
#include "tools/commands/commands.hpp"

#include "dsl/other_languages.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"
#include "tools/import/rbg/rbg_import.hpp"
#include "tools/import/variants/importing.hpp"
#include "tools/import/variants/ini.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace boardwright::tools {
namespace {

struct ImportOptions {
  std::string file;                  // of variants; "-": standard input
  std::vector<std::string> variants; // none: all of it
  std::string to;                    // a folder; "": standard output
  bool replace = false;              // writes over files that are there
  bool json = false;
};

namespace fs = std::filesystem;

std::string fault_place(const std::string& file, const ImportFault& fault) {
  return fault.line == 0 ? printable(file) : fmt::format("{}:{}", printable(file), fault.line);
}

// "variants.ini:12: `key`: message"
std::string fault_text(const std::string& file, const ImportFault& fault) {
  return fmt::format("{}: {}{}", fault_place(file, fault),
                     fault.key.empty() ? "" : fmt::format("`{}`: ", fault.key), printable(fault.message));
}

Json fault_json(const std::vector<ImportFault>& faults) {
  Json list = Json::array();
  for (const ImportFault& fault : faults)
    list.push_back({{"line", fault.line}, {"key", fault.key}, {"message", fault.message}});
  return list;
}

// Files of other programs, which are told what they are once they have been read.
bool is_of_others(const std::string& file) {
  constexpr std::array<std::string_view, 7> kEndings{".pgn", ".pdn", ".sgf", ".lud", ".zrf", ".kif", ".gdl"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](auto ending) { return file.ends_with(ending); });
}

class Importing {
public:
  Importing(const ImportOptions& options, Console& console) : options_(options), console_(console) {}

  Exit all() {
    const auto text = read_text_file(options_.file, kMostIniBytes);
    if (!text) {
      console_.error(text.error());
      return Exit::files;
    }
    const std::string_view format = dsl::format_of(*text);
    if (!format.empty() && is_of_others(options_.file)) {
      console_.error(fmt::format("{}: this is {}; `import` reads `variants.ini` and `.rbg`",
                                 printable(options_.file), format));
      return Exit::at_fault;
    }
    const auto imported = import_all(*text);
    if (!imported) {
      console_.error(fault_text(options_.file, imported.error()));
      return Exit::at_fault;
    }
    if (imported->empty()) {
      console_.error(fmt::format("there is no variant in `{}`: no `[name]`", printable(options_.file)));
      return Exit::at_fault;
    }
    for (const ImportedVariant& variant : *imported) {
      if (console_.failed() || interrupted()) break;
      worst_ = std::max(worst_, one(variant));
    }
    if (options_.json)
      console_.out(to_document({{"ok", worst_ == Exit::good}, {"variants", variants_}}));
    else if (imported->size() > 1)
      console_.note(fmt::format("{} of {} variants are written\n", written_, imported->size()));
    return interrupted() ? Exit::interrupted : worst_;
  }

private:
  tl::expected<std::vector<ImportedVariant>, ImportFault> import_all(const std::string& text) const {
    const fs::path path(options_.file);
    const std::string from = path.filename().string();
    const bool rbg = path.extension() == ".rbg" || (options_.file == "-" && is_rbg(text));
    if (!rbg) return import_variants(text, options_.variants, from);
    if (!options_.variants.empty())
      return tl::unexpected(
          ImportFault{0, "", "a file of Regular Boardgames holds one game, which has no name"});
    return std::vector{import_rbg(text, options_.file == "-" ? "game" : path.stem().string(), from)};
  }

  Exit one(const ImportedVariant& variant) {
    std::string path;
    Exit exit = variant.faults.empty() ? Exit::good : Exit::at_fault;
    if (exit == Exit::good && !options_.to.empty()) {
      path = (fs::path(options_.to) / (variant.name + ".yaml")).string();
      exit = write(path, variant.text);
      if (exit != Exit::good) path.clear();
    }
    written_ += exit == Exit::good ? 1 : 0;
    tell(variant, path, exit);
    return exit;
  }

  Exit write(const std::string& path, const std::string& text) {
    std::error_code error;
    fs::create_directories(options_.to, error); // what goes wrong here goes wrong when the file is written
    if (!options_.replace && fs::exists(fs::symlink_status(path, error))) {
      console_.error(
          fmt::format("can't write `{}`: it is there already (`--replace` writes over it)", printable(path)));
      return Exit::files;
    }
    const auto written = write_text_file(path, text);
    if (written) return Exit::good;
    console_.error(written.error());
    return Exit::files;
  }

  void tell(const ImportedVariant& variant, const std::string& path, Exit exit) {
    if (options_.json) {
      Json entry{{"name", variant.name}, {"ok", exit == Exit::good}};
      if (!path.empty()) entry["file"] = path;
      if (options_.to.empty() && exit == Exit::good) entry["text"] = variant.text;
      entry["faults"] = fault_json(variant.faults);
      entry["left_out"] = fault_json(variant.left_out);
      variants_.push_back(std::move(entry));
      return;
    }
    for (const ImportFault& fault : variant.faults)
      console_.error(
          fmt::format("{} isn't carried over: {}", variant.name, fault_text(options_.file, fault)));
    if (exit == Exit::good) console_.out(path.empty() ? variant.text : printable(path) + "\n");
  }

  const ImportOptions& options_;
  Console& console_;
  Json variants_ = Json::array();
  Exit worst_ = Exit::good;
  int written_ = 0;
};

Exit import_rules(const ImportOptions& options, Console& console) {
  return Importing(options, console).all();
}

} // namespace

void declare_import(CommandLine& line) {
  auto& options = line.options<ImportOptions>();
  CLI::App& command =
      line.add("import", "Writes rule files from Fairy-Stockfish's variants or a game of Regular Boardgames",
               "  boardwright import variants.ini myvariant > myvariant.yaml\n"
               "  boardwright import variants.ini --to games\n"
               "  boardwright import variants.ini --json\n"
               "  boardwright import game.rbg > game.yaml");
  command.add_option("FILE", options.file, "The file of variants, or NAME.rbg; `-`: standard input")
      ->required()
      ->type_name("");
  CLI::Option* variants =
      command.add_option("VARIANT", options.variants, "Only these, by the names of their sections");
  variants->type_name("");
  CLI::Option* folder =
      command.add_option("--to", options.to,
                         "Writes NAME.yaml into this folder; without it one variant goes to standard output");
  folder->type_name("FOLDER");
  command.add_flag("--replace", options.replace, "Writes over files that are there");
  add_json(command, options.json);
  command.callback([&options, variants, folder, &line] {
    const bool one = variants->count() == 1 || options.file.ends_with(".rbg") || is_of_others(options.file);
    if (!one && folder->count() == 0 && !options.json)
      throw CLI::ValidationError("--to", "a folder is needed for more than one variant");
    line.run([&options](Console& console) { return import_rules(options, console); });
  });
}

} // namespace boardwright::tools
