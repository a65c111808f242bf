// How commands do work that is cut into units: here in threads, a part of it, or by GNU parallel.
#pragma once

#include "tools/commands/evaluate.hpp"
#include "tools/evaluate/run_units.hpp"

#include <map>
#include <vector>

namespace boardwright::tools {

// The file with its options, fit for games of programs; an error has been told.
[[nodiscard]] tl::expected<Variant, Exit> open_variant(const GameChoice& choice, Console& console);

// A variant with the units that are wanted of it.
struct Work {
  const Variant* variant = nullptr;
  EvaluationPlan plan;
};
struct WorkDone {
  std::vector<std::vector<std::optional<UnitResult>>> results; // by work, and unit of its plan
  std::size_t missing = 0;
  UnitsRun run; // how it went; its results have been handed on
};
// `kept`: results of earlier calls, by file name of the unit; null: not kept. `command` gives the whole
// answer. An error has been told.
[[nodiscard]] tl::expected<WorkDone, Exit> do_work(const std::vector<Work>& works, const WorkOptions& options,
                                                   const std::string& command, UnitStore* kept,
                                                   Console& console);
// The status to end with.
[[nodiscard]] Exit report_work(const WorkDone& done, Console& console);
// Of a shard: what there is now, instead of an answer.
[[nodiscard]] std::string shard_text(const WorkDone& done, const WorkOptions& options);

// The command that evaluates a variant by a plan, with the units of a folder.
[[nodiscard]] std::string evaluate_command(const GameChoice& game, const EvaluationPlan& plan,
                                           const std::string& folder);
// A word as the shell takes it.
[[nodiscard]] std::string shell_word(const std::string& word);
[[nodiscard]] std::string plan_words(const EvaluationPlan& plan);

} // namespace boardwright::tools
