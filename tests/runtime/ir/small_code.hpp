// Code of few instructions for tests, written as text, on a board of three by three squares.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/compiled.hpp"
#include "runtime/ir/print.hpp"
#include "runtime/ir/read.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace boardwright::tests {

// White's and Black's men, the empty cells and `gone` are sets 0 to 3; the constants a1 b1 (s4) and =0, =1
// (n10, n11) follow the draft, so s0 is set 5, and n0 number 12.
inline const char* const kSmallHeading =
    "layout words=1 cells=9 players=2 owners=2 kinds=0 empty=2 state_sets=3 gone=3 draft_sets=4 hands=0 "
    "ply=0 "
    "turns=1 to_move=3 out=4 state_numbers=5 again=5 decision=6 winners=7 carried=8 full=9 draft_numbers=10\n"
    "code sets=12 numbers=24 boxes=3 number_constants=[0 1]\n"
    "set is={0 1}\n";

inline const runtime::Program& small_program() {
  static const auto loaded = interpreter::load_text("small.yaml", R"(game: Small
players: { White: north, Black: south }
board: { squares: 3 by 3 }
pieces: { man: w b }
setup: { w: rank(1), b: rank(3) }
turn: from own, step(orthogonal, empty)
)");
  REQUIRE(loaded);
  return loaded.rules->compiled().lowered;
}

// Of the heading, more lines of it, and instructions.
inline runtime::ir::Code small_code(const std::string& text) {
  auto code = runtime::ir::read(small_program(), kSmallHeading + text);
  if (!code) FAIL("line " << code.error().line << ": " << code.error().message << "\n" << text);
  return std::move(*code);
}

inline std::string text_of(const runtime::ir::Code& code, bool costs = false) {
  return runtime::ir::print(small_program(), code, {.heading = false, .costs = costs, .places = false});
}

} // namespace boardwright::tests
