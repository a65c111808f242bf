// Walkers that are taken together: see walks/set_at_a_time.cpp.
#pragma once

#include "runtime/lowering/abstract_draft.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::lowering {

// Walkers on their way: the set of the cells where they are.
struct Walkers {
  struct Change {
    NodeId action = kNoNode;
    std::vector<std::int16_t> place; // where: by the cell where the walker is now
    bool names = false;              // a `let`: the state is as it was
    std::int32_t slot = -1;          // which name
    Contents after{};                // of a change of pieces: what may lie there then
  };
  Reg set = 0;
  Contents contents;               // what is on these cells
  bool starts = false;             // they began with `from`
  std::vector<std::int16_t> start; // where: by the cell where they are now
  std::vector<Change> changes;
  bool has_heading = false;
  int heading = -1;
  std::vector<int> path;           // the steps since they began
  std::vector<std::size_t> chosen; // choices that are the cell where they began
  std::vector<std::size_t> ends;   // choices of cells where walks ended; `end` says which
  std::vector<std::vector<std::int16_t>> end;
  std::vector<Contents> known; // by change: what was there before

  // Is the state as it was when they began?
  [[nodiscard]] bool changed() const {
    for (const Change& c : changes)
      if (!c.names) return true;
    return false;
  }
};

// A place table when the walkers take a step.
[[nodiscard]] inline std::vector<std::int16_t> moved(const std::vector<std::int16_t>& place,
                                                     const std::vector<std::int16_t>& to) {
  std::vector<std::int16_t> result(place.size(), kNowhere);
  for (std::size_t c = 0; c < place.size(); ++c)
    if (to[c] != kNowhere) result[at(to[c])] = place[c];
  return result;
}

} // namespace boardwright::runtime::lowering
