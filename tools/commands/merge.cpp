// merge: folders with units of several machines become one, and what is missing is told.
#include "tools/commands/evaluate.hpp"
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

} // namespace boardwright::tools
