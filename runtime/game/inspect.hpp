// What rules have become, as text and figures: for tools that show it. Nothing here is needed to play.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/game/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::runtime {

// Instructions of one operation that native code leaves to C++ functions ("fall back").
struct FallBack {
  std::string operation, what;     // its name, and what it does
  std::size_t instructions = 0;    // how many of the game's
  std::vector<std::string> places; // the lines of the rules that they come from, each once
};

struct Inspection {
  std::string problem;      // Rules::problem: without code there are no figures either
  int cells = 0, words = 0; // of the board; 64-bit words of a set
  bool mailbox = false;     // which piece is on each cell is kept, beside the sets
  bool stacks = false;
  std::size_t instructions = 0, leaves = 0;
  std::size_t sets = 0, numbers = 0, boxes = 0; // registers that instructions name
  // By player: moves are compared when they are found, since nothing proves that two ways of choosing make
  // two moves. Each is then followed to its end, written out and looked up among those found before.
  std::vector<bool> compares;
  std::vector<std::string> compared_at; // the lines of the rules where moves are found so
  bool native = false;                  // false: all instructions are interpreted, and none falls back
  std::vector<FallBack> fall_back;
  std::size_t falling_back = 0; // instructions, in all
};

[[nodiscard]] Inspection inspect(const Rules& rules);

// The rules of a player in normal form (runtime/normalize/), as the code is made of them: one action a line.
[[nodiscard]] std::string normal_form(const Rules& rules, int player);
// The code of a player's turns (runtime/ir/): one instruction a line, under the lines of the rules.
[[nodiscard]] std::string compiled_form(const Rules& rules, int player);

// The share of the instructions that fall back among those carried out in a few random games. The same for
// each call. Nothing where there is no native code, or where a rule goes wrong.
[[nodiscard]] std::optional<double> measured_fall_back(const Rules& rules);

// The number that Game::append_labels has for one of moves(), by its place there.
[[nodiscard]] tl::expected<std::uint64_t, Fault> label_of_move(Game& game, std::uint32_t move);

// The choices that make each of moves(), in their order: the parts of a move, as numbers of the rules' own.
// Moves of one position differ in them.
[[nodiscard]] tl::expected<std::vector<std::vector<std::int32_t>>, Fault> choices_of_moves(Game& game);

} // namespace boardwright::runtime
