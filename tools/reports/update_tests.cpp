#include "tools/reports/update_tests.hpp"

#include "dsl/finder.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "interpreter/self_tests/test_update.hpp"
#include "tools/console/text_file.hpp"
#include "tools/games/game_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace boardwright::tools {
namespace {

using interpreter::Loaded;
using interpreter::TestUpdate;
using interpreter::TestUpdates;

// Whether the file would be the same one but for what is written: it loads, and what was written holds. If an
// edit went wrong, for a layout that nobody thought of, nothing is written.
bool is_sound(const std::string& path, const std::string& text, std::size_t tests,
              const TestUpdates& updates) {
  const auto find = dsl::finder_with(path, text);
  const Loaded loaded = interpreter::load(path, {}, find);
  if (!loaded || loaded.file->tests.size() != tests) return false;
  const auto run = interpreter::run_tests(loaded, path, {}, find);
  const auto holds = [&](const TestUpdate& update) {
    const auto found = std::find_if(run.results.begin(), run.results.end(), [&](const auto& result) {
      return result.name == update.test.text && result.passed;
    });
    return found != run.results.end();
  };
  const auto still_empty = [](const dsl::Diagnostic& d) { return d.code == "empty-test"; };
  const auto left = static_cast<std::size_t>(
      std::count_if(loaded.diagnostics.all().begin(), loaded.diagnostics.all().end(), still_empty));
  return left == updates.diagnostics.all().size() &&
         std::all_of(updates.updates.begin(), updates.updates.end(), holds);
}

Exit cannot(const std::string& path, const std::string& why, Exit status, Console& console) {
  console.error(fmt::format("can't update `{}`: {}", printable(path), why));
  return status;
}

} // namespace

Exit update_tests(const std::string& path, Console& console) {
  std::error_code error;
  if (const std::string what = what_stands_at(path); !what.empty())
    return cannot(path, "it is " + what, Exit::files, console);
  if (!std::filesystem::exists(path, error))
    return cannot(path, "there is no such file", Exit::files, console);
  const Loaded loaded = interpreter::load(path);
  if (loaded.not_found) return report_failed_load(path, loaded, console);
  if (!loaded) {
    console.note(loaded.errors(console.color_err()));
    return cannot(path, "it has errors", Exit::at_fault, console);
  }
  const TestUpdates updates = interpreter::updates_of(loaded, path, dsl::standard_finder(), &interrupted());
  if (updates.stopped || interrupted()) return Exit::interrupted;
  if (!updates.diagnostics.all().empty())
    console.note(dsl::render(updates.diagnostics, loaded.sources, console.color_err()));
  if (updates.updates.empty()) return Exit::good;
  std::vector<dsl::Edit> edits;
  for (const TestUpdate& update : updates.updates) edits.push_back(update.edit);
  const std::string text = dsl::edited(loaded.sources.text(loaded.file->file), edits);
  if (!is_sound(path, text, loaded.file->tests.size(), updates))
    return cannot(path, "its tests are laid out in a way that leaves no room; nothing is written",
                  Exit::at_fault, console);
  if (const auto written = write_text_file(path, text); !written)
    return cannot(path, written.error(), Exit::files, console);
  for (const TestUpdate& update : updates.updates) {
    const dsl::Location at = loaded.sources.locate(update.test.span.file, update.test.span.begin);
    console.note(fmt::format("{}:{}: wrote into `{}`: {}\n", printable(path), at.line,
                             quotable(update.test.text), printable(update.written)));
  }
  return Exit::good;
}

} // namespace boardwright::tools
