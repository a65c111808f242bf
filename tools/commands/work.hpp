// How commands do work that is cut into units: here in threads, a part of it, or by a
// scheduler: GNU parallel, Slurm, or any that takes a list of commands.
#pragma once

#include "tools/commands/work_options.hpp"
#include "tools/console/console.hpp"
#include "tools/evaluate/evaluation.hpp"
#include "tools/evaluate/run_units.hpp"
#include "tools/games/game_choice.hpp"

#include <vector>

namespace boardwright::tools {

// The file with its options, fit for games of programs; an error has been told.
[[nodiscard]] tl::expected<Variant, Exit> open_variant(const GameChoice& choice, Console& console);

// A variant with the units that are wanted of it.
struct Work {
  const Variant* variant = nullptr;
  std::vector<Unit> units;
  std::string command; // that does these units, those that have no file yet
};
[[nodiscard]] Work evaluation_work(const Variant& variant, const EvaluationPlan& plan,
                                   const WorkOptions& options);
struct WorkDone {
  std::vector<std::vector<std::optional<UnitResult>>> results; // by work, and unit of it
  std::size_t missing = 0;
  bool out_of_time = false; // WorkOptions::seconds were over
  UnitsRun run;             // how it went; its results have been handed on
};
// Where another scheduler gets a list of what is to be done there is nothing to answer: Exit::good.
// `kept`: results of earlier calls, by file name of the unit; null: not kept. `command` gives the whole
// answer. An error has been told.
[[nodiscard]] tl::expected<WorkDone, Exit> do_work(const std::vector<Work>& works, const WorkOptions& options,
                                                   const std::string& command, UnitStore* kept,
                                                   Console& console);
// The status to end with.
[[nodiscard]] Exit report_work(const WorkDone& done, Console& console);
// Games in pieces of so many: an error has been told where these would be too many.
[[nodiscard]] bool can_be_cut(std::uint64_t games, std::uint64_t of_unit, Console& console);
// Whether there is no answer yet, since this was a part of the work.
[[nodiscard]] bool answers_in_parts(const WorkDone& done, const WorkOptions& options);
// Of a shard: what there is now, instead of an answer.
[[nodiscard]] std::string shard_text(const WorkDone& done, const WorkOptions& options);

// "boardwright playouts GAME --set size=7"
[[nodiscard]] std::string command_of_game(const char* command, const GameChoice& game);
// The command that evaluates a variant by a plan, with the units of a folder.
[[nodiscard]] std::string evaluate_command(const GameChoice& game, const EvaluationPlan& plan,
                                           const std::string& folder);
// A word as the shell takes it.
[[nodiscard]] std::string shell_word(const std::string& word);
[[nodiscard]] std::string plan_words(const EvaluationPlan& plan);

} // namespace boardwright::tools
