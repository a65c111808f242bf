// migrate: rewrites spellings in rule files that the language gave up.
#include "tools/commands/migrate.hpp"

#include "dsl/finder.hpp"
#include "dsl/migrate.hpp"
#include "runtime/game/large_stack.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

// The whole lines that an edit touches, as they are and as they will be.
struct Change {
  dsl::Location place;
  std::string before, after;
};

std::string old_text(const std::string& text, const dsl::Span& span) {
  return text.substr(span.begin, span.end - span.begin);
}

// Edits of one line are shown together.
std::vector<Change> changes_of(const std::string& text, const dsl::Migration& migration) {
  std::vector<Change> changes;
  const auto& edits = migration.edits;
  for (std::size_t i = 0; i < edits.size();) {
    const std::size_t begin = text.rfind('\n', edits[i].span.begin) + 1; // npos + 1 is 0
    std::size_t end = std::min(text.find('\n', edits[i].span.end), text.size());
    std::size_t next = i + 1;
    for (; next < edits.size() && edits[next].span.begin < end; ++next)
      end = std::min(text.find('\n', edits[next].span.end), text.size());
    std::vector<dsl::Edit> here;
    for (std::size_t k = i; k < next; ++k) {
      here.push_back(edits[k]);
      here.back().span.begin -= static_cast<std::uint32_t>(begin);
      here.back().span.end -= static_cast<std::uint32_t>(begin);
    }
    const std::string lines = text.substr(begin, end - begin);
    changes.push_back({migration.sources.locate(0, edits[i].span.begin), lines, dsl::edited(lines, here)});
    i = next;
  }
  return changes;
}

std::string marked(const std::string& lines, char mark) {
  std::string result;
  for (std::size_t at = 0; at <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    result += mark + std::string(" ") + printable(lines.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return result;
}

class Migrating {
public:
  Migrating(const MigrateOptions& options, Console& console) : options_(options), console_(console) {}

  Exit file(const std::string& path) {
    const auto text = read(path);
    if (!text) {
      console_.error(text.error());
      return Exit::files;
    }
    dsl::Migration migration; // rules that nest deeply are read by recursion
    runtime::on_large_stack([&] { migration = dsl::migration_of(path, *text, dsl::standard_finder()); });
    if (migration.diagnostics.has_errors()) {
      console_.note(dsl::render(migration.diagnostics, migration.sources, console_.color_err()));
      return Exit::at_fault;
    }
    tell(path, *text, migration);
    if (migration.edits.empty() || options_.check)
      return migration.edits.empty() ? Exit::good : Exit::at_fault;
    const auto written = write_text_file(path, dsl::edited(*text, migration.edits));
    if (written) return Exit::good;
    console_.error(written.error());
    return Exit::files;
  }

  [[nodiscard]] const Json& files() const { return files_; }

private:
  static tl::expected<std::string, std::string> read(const std::string& path) {
    if (const std::string what = what_stands_at(path); !what.empty())
      return tl::unexpected(fmt::format("can't read `{}`: it is {}", printable(path), what));
    return read_text_file(path, dsl::kMaxFileBytes);
  }

  void tell(const std::string& path, const std::string& text, const dsl::Migration& migration) {
    if (options_.json) return tell_json(path, text, migration);
    for (const auto& [place, before, after] : changes_of(text, migration))
      console_.out(fmt::format("{}:{}:{}\n", printable(path), place.line, place.column) +
                   marked(before, '-') + marked(after, '+'));
  }

  void tell_json(const std::string& path, const std::string& text, const dsl::Migration& migration) {
    Json edits = Json::array();
    for (const auto& edit : migration.edits) {
      const auto place = migration.sources.locate(0, edit.span.begin);
      edits.push_back({{"line", place.line},
                       {"column", place.column},
                       {"old", old_text(text, edit.span)},
                       {"new", edit.text}});
    }
    files_.push_back({{"file", path}, {"edits", edits}});
  }

  const MigrateOptions& options_;
  Console& console_;
  Json files_ = Json::array();
};

} // namespace

Exit migrate(const MigrateOptions& options, Console& console) {
  Migrating migrating(options, console);
  Exit worst = Exit::good;
  for (const std::string& path : options.files) {
    if (console.failed() || interrupted()) break;
    worst = std::max(worst, migrating.file(path));
  }
  if (options.json) console.out(to_document({{"ok", worst == Exit::good}, {"files", migrating.files()}}));
  return interrupted() ? Exit::interrupted : worst;
}

void declare_migrate(CommandLine& line) {
  auto& options = line.options<MigrateOptions>();
  CLI::App& command =
      line.add("migrate", "Rewrites spellings in rule files that the language gave up",
               "  boardwright migrate mygame.yaml\n  boardwright migrate --check games/*.yaml");
  command.add_option("FILE", options.files, "Rule files, which are written in place")
      ->required()
      ->type_name("");
  command.add_flag("--check", options.check,
                   "Writes nothing: shows the lines that would change, and ends with 1 if there are any");
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return migrate(options, console); });
}

} // namespace boardwright::tools
