#include "interpreter/load.hpp"

#include "dsl/finder.hpp"
#include "interpreter/compile.hpp"
#include "interpreter/load_with_readings.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "runtime/game/large_stack.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace boardwright::interpreter {

namespace {

// The definition that most of the program comes from, and its share in per cent. `turn` and `end` are none.
struct Largest {
  std::string rule;
  std::size_t share = 0;
};
Largest largest_rule(const runtime::Program& program) {
  std::vector<std::size_t> nodes(program.rules.size(), 0);
  for (const runtime::Node& node : program.nodes)
    if (node.origin < program.origins.size()) ++nodes[program.origins[node.origin].rule];
  Largest largest;
  std::size_t most = 0;
  for (std::size_t rule = 0; rule < nodes.size(); ++rule) {
    const std::string& name = program.rules[rule];
    if (nodes[rule] <= most || name == "turn" || name == "end") continue;
    most = nodes[rule];
    largest = {name, 100 * most / program.nodes.size()};
  }
  return largest;
}

void tell_too_large(Loaded& loaded, const runtime::Program& program) {
  const Largest largest = largest_rule(program);
  dsl::Span place = loaded.file->game.span;
  for (const dsl::Definition& d : loaded.file->define)
    if (d.name.text == largest.rule) place = d.name.span;
  std::string problem = loaded.rules->problem();
  if (!largest.rule.empty()) problem += fmt::format("; {} % of it is `{}`", largest.share, largest.rule);
  loaded.diagnostics.error("limit", place, problem).help = kSayItOnce;
}

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
  // Names that a section would have given are unknown where it can't be read: that has been told.
  if (loaded.file->unread)
    loaded.diagnostics.forget("unknown-name", [](const dsl::Diagnostic&) { return true; });
  if (program != nullptr && !loaded.diagnostics.has_errors()) loaded.rules = runtime::Rules::make(program);
  if (loaded.rules == nullptr || loaded.rules->problem().empty()) return;
  tell_too_large(loaded, *program);
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
