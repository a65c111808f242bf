// What can be read off a program about how it is won.
#pragma once

#include "runtime/model/program.hpp"

namespace boardwright::runtime::search {

// Cells that the conditions name under which a player wins: the far rank, the castle, the goal of a race.
// Empty where they name none. Whether it is his own pieces that have to come there isn't asked.
[[nodiscard]] CellSet goal_cells(const Program& program, int player);

// Do the rules ask what is connected?
[[nodiscard]] bool asks_for_connection(const Program& program);

// Do positions that are the same but for how long the game has gone on have different futures?
[[nodiscard]] bool asks_for_time(const Program& program);

// What the rules say of positions that come again.
enum class Repetition : std::uint8_t {
  unsaid, // nothing: a game may go on for ever
  draws,  // a line of `end` calls it a draw
  other,  // it is forbidden, lost, or something else
};
[[nodiscard]] Repetition repetition_of(const Program& program);

} // namespace boardwright::runtime::search
