// A folder of units: which were planned, which are there, and several folders made into one.
#pragma once

#include "tools/evaluate/run_units.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace boardwright::tools {

// Writes down, in the folder, which units a piece of work has, and the command that gives its answer. Makes
// the folder. "" or what is wrong.
[[nodiscard]] std::string write_plan(const std::string& folder, const std::vector<Job>& jobs,
                                     const std::string& command);

struct PlanState {
  std::string command;
  std::size_t units = 0;
  std::vector<std::string> missing; // what they are, in words
};
struct MergedUnits {
  std::size_t units = 0, duplicates = 0;
  std::vector<PlanState> plans; // by command
};
// Reads the folders, and puts what is in them into `into` (""; or one of them): an error says what can't be
// merged. Units of several versions are refused, and so are two results of one unit.
[[nodiscard]] tl::expected<MergedUnits, std::string> merge_units(const std::vector<std::string>& folders,
                                                                 const std::string& into);

} // namespace boardwright::tools
