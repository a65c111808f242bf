#include "tests/fuzz/common.hpp"

namespace boardwright::fuzz {

const std::vector<std::string_view>& frames() {
  static const std::vector<std::string_view> all{
      R"(game: Squares
players: { White: north, Black: south }
board: { squares: 5 by 5 }
pieces: { man: w b, king: W B, post: neutral o }
hands: { man: 3, king: { White: 1, Black: 0 } }
setup: { w: rank(1), b: rank(5), W: c2, B: c4, o: a3 | e3 }
options: { long: false, size: { default: 2, range: 1 .. 4 } }
state: { number: 3, truth: false, marked: a1 | c3, best: king, leader: Black, home: { each: row(1) }, score: { each: 0 } }
define:
  jump: over(enemy), land(empty)
  near(c): next(c, all)
  ways: { man: forward | left | right, king: all }
  bands: list(rank(2), rank(3), rank(4))
  tally: sum(advance(c) for c in own)
  held: some king & corners
)",
      R"(game: Hexes
players: [Red, Blue]
board: { hexes: 5 by 5 }
pieces: { stone: r b, tower: R B }
hands: { stone: 6 }
setup: { r: a1 | b1 | c3, b: e5 | d5 }
state: { last: none, passes: 0, spots: { each: none } }
define:
  group_at(c): group(c, own, all)
  border: edge
  ring: next(here, all)
  lines: list(north, northeast)
)",
      R"(game: Stacks
players: { White: north, Black: south }
board: { squares: 4 by 4, stacks: true }
pieces: { man: w b, cap: W B }
hands: { man: 5, cap: 1 }
setup: { wbW: a1, bw: b2, bbb: d4, w: c1 }
state: { taken: { each: 0 }, where: a1 }
define:
  tall: cell_of_height
  cell_of_height: c for c in own where height(c) > 1
  top(c): height(c)
)",
      R"(game: Tracks
players: [South, North]
board: { squares: 4 by 2, stacks: true, tracks: { sow: a1 b1 c1 d1 d2 c2 b2 a2 a1, exit: d1 d2 c2 } }
pieces: { seed: neutral o }
hands: { seed: { South: 0, North: 0 } }
setup: { ooo: rank(1), oo: rank(2) }
state: { store: { each: 0 }, quiet: 0 }
define:
  houses: { South: rank(1), North: rank(2) }
  seeds: sum(height(c) for c in houses)
)",
      R"(game: Three
players: [Red, Green, Blue]
first: Green
board: { squares: 4 by 4, holes: a4 | d1 }
pieces: { man: r g b, king: R G B }
setup: { r: a1 | a2, g: c1, b: b4 | c4, R: b2 }
state: { votes: { each: 0 }, mark: none, who: Red }
define:
  rivals: count(others)
  free: next(own, all) & empty
)",
      R"(game: Chess Words
extends: chess
)",
      R"(game: Draughts Words
extends: internationaldraughts
)",
      R"(game: Puzzle
players: [Solver]
board:
  picture: |
    oo.
    o.o
    ooo
pieces: { block: neutral x }
setup: { x: a1 | b1 }
state: { steps: 0 }
define: { target: c3 }
)",
      R"(game: Carried
players: { White: north, Black: south }
board: { squares: 4 by 4 }
pieces: { man: w b, king: W B }
hands: { man: 2, king: 0 }
setup: { w: rank(1), b: rank(4), W: b2 }
state:
  faces: { each piece: north, some of: all, setup: { forward: man, north | south: king } }
  size: { each piece: 2, range: 0..9, setup: { 7: corners & own } }
  fresh: { each piece: true }
  was: { each piece: kind(none), setup: { king: own man } }
  host: { each piece: White }
define:
  before_it: next(here, faces)
  stronger: (c in enemy where size(c) > size(here))
  spin(n): set faces = turn(faces, 45 * n)
)"};
  return all;
}

} // namespace boardwright::fuzz
