// merge: folders with units of several machines become one, and what is missing is told.
#include "tools/commands/merge.hpp"

#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/evaluate/unit_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {
namespace {

constexpr std::size_t kMostTold = 10;

std::string merged_text(const MergedUnits& merged) {
  std::string text =
      fmt::format("{} units, {} of them more than once\n", grouped(merged.units), grouped(merged.duplicates));
  for (const PlanState& plan : merged.plans) {
    text += plan.missing.empty()
                ? fmt::format("complete: {}\n", printable(plan.command))
                : fmt::format("{} of {} units are missing: {}\n", grouped(plan.missing.size()),
                              grouped(plan.units), printable(plan.command));
    for (std::size_t k = 0; k < std::min(kMostTold, plan.missing.size()); ++k)
      text += "  " + plan.missing[k] + "\n";
    if (plan.missing.size() > kMostTold)
      text += fmt::format("  and {} more\n", plan.missing.size() - kMostTold);
  }
  return text;
}

Json merged_json(const MergedUnits& merged) {
  Json plans = Json::array();
  for (const PlanState& plan : merged.plans)
    plans.push_back({{"command", plan.command}, {"units", plan.units}, {"missing", plan.missing}});
  return {{"units", merged.units}, {"duplicates", merged.duplicates}, {"plans", plans}};
}

} // namespace

Exit merge_folders(const MergeOptions& options, Console& console) {
  const auto merged = merge_units(options.folders, options.into);
  if (!merged) {
    console.error(merged.error());
    return Exit::at_fault;
  }
  console.out(options.json ? to_document(merged_json(*merged)) : merged_text(*merged));
  const bool complete = std::all_of(merged->plans.begin(), merged->plans.end(),
                                    [](const PlanState& plan) { return plan.missing.empty(); });
  return complete ? Exit::good : Exit::at_fault;
}

void declare_merge(CommandLine& line) {
  auto& options = line.options<MergeOptions>();
  CLI::App& command =
      line.add("merge", "Puts folders of work together that was done in parts",
               "  boardwright evaluate GAME --units one --shard 1/2      # on one machine\n"
               "  boardwright evaluate GAME --units two --shard 2/2      # on another one\n"
               "  boardwright evaluate --merge one two --into all && boardwright evaluate GAME --units all");
  command.add_option("FOLDER", options.folders, "Folders of --units")->required()->type_name("");
  command
      .add_option("--into", options.into,
                  "Writes all units into this folder; else it only says what there is")
      ->type_name("FOLDER");
  add_json(command, options.json);
  command.footer(
      command.get_footer() +
      "\n\nUnits that are there several times are kept once; those of several versions are refused. What is\n"
      "missing is told (status 1).");
  line.runs(command, [&options](Console& console) { return merge_folders(options, console); });
}

} // namespace boardwright::tools
