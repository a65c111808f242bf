#include "runtime/model/position.hpp"

namespace boardwright::runtime {

bool Position::same_as(const Position& other) const {
  return to_move == other.to_move && out == other.out && hands == other.hands &&
         variables == other.variables && cells == other.cells;
}

} // namespace boardwright::runtime
