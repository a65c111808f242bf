// From the text of a position to a game in it.
//
// The text is what stands under `position:` in a test: a map of `to_move`, `cells`, `hands`, `state`, `ply`,
// `turns`, `out` and `play` as YAML or JSON, a picture of the board, or a FEN.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/game/game.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

struct PositionText {
  std::optional<runtime::Game> game; // nothing where there are errors; what `play` played is its past
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;

  // What went wrong, written for people.
  [[nodiscard]] std::string errors(bool color = false) const {
    return dsl::render(diagnostics, sources, color);
  }
};

// `name` is what messages call the text. What it leaves out is as in the set-up; a board that is given is the
// whole board.
[[nodiscard]] PositionText read_position(std::shared_ptr<const runtime::Rules> rules, std::string name,
                                         std::string text);

// The game that a position describes, what it plays included. Without one, a game from the set-up. Nothing
// where there are errors; those of moves have the code `code`.
[[nodiscard]] std::optional<runtime::Game> game_at(const std::shared_ptr<const runtime::Rules>& rules,
                                                   const std::optional<dsl::PositionEntry>& entry,
                                                   dsl::Code code, dsl::Diagnostics& diagnostics);

// Plays the move that is written so, or says why not.
[[nodiscard]] bool play_written(const dsl::Name& move, runtime::Game& game, dsl::Code code,
                                dsl::Diagnostics& diagnostics);

// `play: a1-a2 c3-c2`: a position as text, by the moves that lead to it.
[[nodiscard]] std::string play_text(const std::vector<std::string>& moves);

// How a move that contains a space is written among others.
[[nodiscard]] std::string move_in_list(const std::string& move);

// What may have been meant by a move that isn't legal: `a2-a3` by `a2a3`, else what its first cell can do.
[[nodiscard]] std::string move_meant(const std::string& text, const std::vector<std::string>& legal);

// "the game is over here: White wins", with the place that decided it; "" while it goes on.
struct Ending {
  std::string what, where;
};
[[nodiscard]] std::optional<Ending> ending_of(runtime::Game& game);

} // namespace boardwright::interpreter
