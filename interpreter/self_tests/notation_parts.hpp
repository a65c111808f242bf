// Whether a text could be a move's notation at all: a test that excludes a move which no position can have
// would never fail.
#pragma once

#include "runtime/model/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

class NotationParts {
public:
  explicit NotationParts(const runtime::Program& program);

  // The first run of letters and digits that no move of the game can have; "" if there is none. Notations are
  // made of places of the board (holes too), texts, letters of pieces, players' names, numbers, `pass` and
  // the signs between them.
  [[nodiscard]] std::string impossible_part(std::string_view notation) const;

private:
  [[nodiscard]] bool can_be_made(std::string_view run) const;

  std::vector<std::string> parts_;
  bool numbers_ = false; // some rule writes numbers
};

} // namespace boardwright::interpreter
