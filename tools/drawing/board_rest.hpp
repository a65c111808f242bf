// What stands beside a board in a terminal: players, hands, state, regions.
#pragma once

#include "tools/drawing/board_scene.hpp"
#include "tools/drawing/draw_options.hpp"
#include "tools/drawing/terminal_canvas.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// Each player with his hand and his part of the state, who is to move marked; then what belongs to nobody.
[[nodiscard]] std::vector<std::string> rest_lines(const Scene& scene, const runtime::Position& position,
                                                  const DrawOptions& options);
// Whether a variable tells a player something: no clock, not hidden; of sets, truths and kinds what isn't
// empty.
[[nodiscard]] bool is_told(const Scene& scene, const runtime::Position& position, std::size_t variable);
// The regions that are marked on the board, with their cells where there are few.
[[nodiscard]] std::vector<std::string> region_lines(const Scene& scene, const DrawOptions& options);
[[nodiscard]] Depth depth_of(const DrawOptions& options);
// What a player has in hand: "2 men, 1 king", "nothing". Where all kinds that he may have are hidden, as
// they are too many to be read, how many pieces there are. "" where there is nothing to tell.
[[nodiscard]] std::string hand_text(const Scene& scene, const runtime::Position& position,
                                    std::size_t player);
// What the rules count, such as a score: "name: value", by player and for all. What is hidden is left out.
struct Counted {
  std::vector<std::vector<std::string>> of_player;
  std::vector<std::string> shared;
};
[[nodiscard]] Counted counted(const Scene& scene, const runtime::Position& position);
// Stacks of several sorts of pieces: "b2 xo, c1 ox"; "" where there are none. `blank` stands behind a cell.
[[nodiscard]] std::string mixed_stacks_text(const runtime::Program& program,
                                            const runtime::Position& position, std::string_view blank = " ");
[[nodiscard]] bool is_mixed(const runtime::Stack& stack);
// The value of a variable, in words.
[[nodiscard]] std::string value_text(const runtime::Program& program, runtime::Type type,
                                     const runtime::VariableValue& value);
// What the board doesn't show, a line each: hands, state, what the rules count, players who are out; then who
// is to move. Without a look nothing is counted.
[[nodiscard]] std::string describe_rest(const runtime::Program& program, const runtime::Position& position,
                                        const interpreter::Look* look = nullptr, bool over = false);

// A player's name; bold where `color` is set, since his own colour may be that of the terminal.
[[nodiscard]] std::string player_text(const runtime::Program& program, int player, bool color);

} // namespace boardwright::tools
