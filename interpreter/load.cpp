#include "interpreter/load.hpp"

#include "dsl/finder.hpp"
#include "interpreter/compile.hpp"
#include "interpreter/load_with_readings.hpp"
#include "runtime/game/large_stack.hpp"

namespace boardwright::interpreter {

namespace {

void load_here(Loaded& loaded, Readings* readings, const std::string& reference, const Settings& settings,
               const dsl::FileFinder& find) {
  loaded.file = dsl::read_rule_file(reference, find, loaded.sources, loaded.diagnostics);
  if (!loaded.file) {
    loaded.not_found = !find(reference, "").has_value();
    return;
  }
  CompileOptions options;
  options.readings = readings;
  const auto program =
      compile(*loaded.file, settings, loaded.sources, loaded.diagnostics, loaded.bad_setting, options);
  if (program != nullptr && !loaded.diagnostics.has_errors()) loaded.rules = runtime::Rules::make(program);
  if (loaded.rules == nullptr || loaded.rules->problem().empty()) return;
  loaded.diagnostics.error("limit", loaded.file->game.span, loaded.rules->problem());
  loaded.rules = nullptr;
}

} // namespace

// What is nested deeply is read by recursion: the caller may have a small stack.
Loaded load(const std::string& reference, const Settings& settings, const dsl::FileFinder& find) {
  Loaded loaded;
  runtime::on_large_stack([&] { load_here(loaded, nullptr, reference, settings, find); });
  return loaded;
}

void load_with_readings(Loaded& loaded, Readings& readings, const std::string& reference,
                        const Settings& settings, const dsl::FileFinder& find) {
  runtime::on_large_stack([&] { load_here(loaded, &readings, reference, settings, find); });
}

Loaded load(const std::string& reference, const Settings& settings) {
  return load(reference, settings, dsl::standard_finder());
}

Loaded load_text(const std::string& name, const std::string& text, const Settings& settings) {
  return load(name, settings, dsl::finder_with(name, text));
}

} // namespace boardwright::interpreter
