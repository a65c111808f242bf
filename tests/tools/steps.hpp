// A small game for tests of what happens around a game.
#pragma once

#include "tests/tools/running.hpp"

#include <string>

namespace boardwright::tests {

inline const std::string kStepsRules =
    "game: Steps\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 4 }\n"
    "pieces: { man: b w }\nsetup: { b: a1 | c1, w: a4 | c4 }\n"
    "turn: from own, step(ahead, empty)\nend:\n  - lose when no move\n";

inline std::string steps() {
  static const std::string path = scratch().file("steps.yaml", kStepsRules);
  return path;
}

} // namespace boardwright::tests
