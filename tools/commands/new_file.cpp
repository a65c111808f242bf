// new: writes a rule file to begin with.
#include "dsl/diagnostic.hpp"
#include "dsl/finder.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace boardwright::tools {
namespace {

struct NewOptions {
  std::string name;           // of the file, with or without `.yaml`, and with a folder before it
  std::string like = "races"; // a beginning, a game whose family has one, or "list"
  bool json = false;
};

namespace fs = std::filesystem;
using dsl::BundledFile;

constexpr std::string_view kEnding = ".yaml";
constexpr std::string_view kTitle = "NAME"; // what stands in a template for the title of the game

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// What is written after `extends:` and `use:`, and needs no quotes there.
bool is_name(std::string_view stem) {
  return !stem.empty() && is_alphanumeric(stem.front()) && std::all_of(stem.begin(), stem.end(), [](char c) {
    return is_alphanumeric(c) || c == '_' || c == '-';
  });
}

// "river_crossing" as "River Crossing".
std::string title_of(const std::string& stem) {
  std::string title;
  bool begins = true;
  for (const char c : stem) {
    const bool is_gap = c == '_' || c == '-';
    title += is_gap ? ' ' : begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = is_gap;
  }
  return title;
}

const BundledFile* template_named(std::string_view name) {
  for (const BundledFile& file : dsl::bundled_templates())
    if (file.name == name) return &file;
  return nullptr;
}

// By its own name, or by that of a game of its family; null if there is none.
const BundledFile* template_like(const std::string& like) {
  if (const BundledFile* found = template_named(like)) return found;
  for (const BundledFile& game : dsl::bundled_files())
    if (game.name == like) return template_named(game.family);
  return nullptr;
}

// The comment in its first line.
std::string_view about(const BundledFile& file) {
  constexpr std::string_view kComment = "# ";
  const std::string_view line = file.text.substr(0, file.text.find('\n'));
  return line.substr(std::min(kComment.size(), line.size()));
}

std::string choices_text() {
  std::string text;
  for (const BundledFile& file : dsl::bundled_templates())
    text += fmt::format("  {:<12}{}\n", file.name, about(file));
  return text;
}

// What it can be like.
std::vector<std::string> beginnings() {
  std::vector<std::string> names;
  for (const BundledFile& file : dsl::bundled_templates()) names.emplace_back(file.name);
  return names;
}

Exit list_choices(const NewOptions& options, Console& console) {
  Json choices = Json::array();
  for (const BundledFile& file : dsl::bundled_templates())
    choices.push_back({{"like", file.name}, {"about", about(file)}});
  console.out(options.json ? to_document({{"choices", choices}}) : choices_text());
  return Exit::good;
}

Exit no_such_choice(const std::string& like, Console& console) {
  const std::string near = dsl::nearest(like, beginnings());
  console.error(fmt::format("--like: there is no beginning like `{}`; {}the choices are", quotable(like),
                            near.empty() ? "" : fmt::format("did you mean `{}`? ", near)));
  console.note(choices_text());
  return Exit::usage;
}

std::string filled_in(std::string_view text, const std::string& title) {
  std::string filled(text);
  const std::size_t at = filled.find(kTitle);
  return at == std::string::npos ? filled : filled.replace(at, kTitle.size(), title);
}

// Never over a file that is there. "" or why it wasn't written; what was begun is taken away again.
std::string write_new(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno == EEXIST ? "it is there already" : std::strerror(errno);
  int failure = 0;
  while (!text.empty() && failure == 0) {
    const ssize_t wrote = ::write(file, text.data(), text.size());
    if (wrote < 0 && errno != EINTR) failure = errno;
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  if (::close(file) != 0 && failure == 0) failure = errno;
  if (failure == 0) return "";
  ::unlink(path.c_str());
  return std::strerror(failure);
}

Exit write_new_file(const NewOptions& options, Console& console) {
  if (options.like == "list") return list_choices(options, console);
  const BundledFile* beginning = template_like(options.like);
  if (beginning == nullptr) return no_such_choice(options.like, console);

  std::string path = options.name;
  if (path.ends_with(kEnding)) path.resize(path.size() - kEnding.size());
  const std::string stem = fs::path(path).filename().string();
  if (!is_name(stem)) {
    console.error(fmt::format("`{}` can't be a rule file's name: letters, digits, `_` and `-` can",
                              quotable(options.name)));
    return Exit::usage;
  }
  path += kEnding;
  if (const std::string why = write_new(path, filled_in(beginning->text, title_of(stem))); !why.empty()) {
    console.error(fmt::format("can't write `{}`: {}", printable(path), why));
    return Exit::files;
  }
  console.out(
      options.json
          ? to_document({{"file", path}, {"like", beginning->name}})
          : fmt::format("{0} is written. Try\n  boardwright play {0}\n  boardwright check {0} --watch\n",
                        printable(path)));
  return Exit::good;
}

} // namespace

void declare_new(CommandLine& line) {
  auto& options = line.options<NewOptions>();
  CLI::App& command = line.add("new", "Writes a rule file to begin with, which plays and tests itself",
                               "  boardwright new mygame\n  boardwright new mygame --like rows\n"
                               "  boardwright new --like list");
  CLI::Option* name = command.add_option("NAME", options.name, "What the file is to be called: NAME.yaml");
  name->type_name("");
  command
      .add_option(
          "--like", options.like,
          fmt::format("What it is to be like: {}; or a game that is like one of these (races); `list` "
                      "says more of them",
                      fmt::join(beginnings(), ", ")))
      ->type_name("WHAT");
  add_json(command, options.json);
  line.choices["new --like"].words = beginnings();
  line.choices["new --like"].words.emplace_back("list");
  command.callback([&options, name, &line] {
    if (name->count() == 0 && options.like != "list") throw CLI::RequiredError("NAME");
    line.run([&options](Console& console) { return write_new_file(options, console); });
  });
}

} // namespace boardwright::tools
