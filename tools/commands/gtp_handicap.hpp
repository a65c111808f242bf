// Where handicap stones of GTP stand.
#pragma once

#include "runtime/model/program.hpp"

#include <vector>

namespace boardwright::tools {

// The cells of so many stones, by the customary points of a square board, as the protocol's reference
// implementation has them: corners first, on the fourth line from the edge, or the third one of boards with
// less than twelve; then the centre and the middles of the sides. Empty where there are none for that number.
[[nodiscard]] std::vector<int> handicap_cells(const runtime::Board& board, int stones);

// The largest number that there are points for; 0 where there are none at all.
[[nodiscard]] int most_handicap(const runtime::Board& board);

} // namespace boardwright::tools
