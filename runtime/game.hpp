// The interface for programs that embed Boardwright: rules, games, moves, outcomes.
//
//   auto loaded = boardwright::interpreter::load("my-game.yaml");
//   boardwright::runtime::Game game(loaded.rules);
//   for (const auto& move : *game.moves()) std::cout << *game.notation(move) << '\n';
//
// Rules are made once and shared, also between threads. A Game is one game in progress with the memory its
// engine needs; each thread uses its own. Nothing here throws.
#pragma once

#include "runtime/position.hpp"
#include "runtime/program.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace boardwright::runtime {

// A program and what the engine worked out from it. Immutable.
class Rules {
public:
  [[nodiscard]] static std::shared_ptr<const Rules> make(std::shared_ptr<const Program> program);
  ~Rules();
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  [[nodiscard]] const Program& program() const { return *program_; }
  // Bytes of the state that a game copies or changes with every move.
  [[nodiscard]] std::size_t state_bytes() const;

  struct Compiled; // the engine's own form
  [[nodiscard]] const Compiled& compiled() const { return *compiled_; }

private:
  explicit Rules(std::shared_ptr<const Program> program);
  std::shared_ptr<const Program> program_;
  std::unique_ptr<const Compiled> compiled_;
};

// A legal move of the position it was listed for. Valid until that game moves on.
struct Move {
  std::uint64_t text_hash = 0;   // of its notation
  std::uint64_t result_hash = 0; // of the position it leads to, with decision and player to move
  std::uint32_t effect = 0;      // where its changes are kept
  std::uint32_t flags = 0;
};

class Game {
public:
  // A game from the set-up.
  explicit Game(std::shared_ptr<const Rules> rules);
  // A game from a position, which must fit the program (see check_position). It has no past.
  Game(std::shared_ptr<const Rules> rules, const Position& position);
  ~Game();
  Game(Game&&) noexcept;
  Game& operator=(Game&&) noexcept;

  [[nodiscard]] const Rules& rules() const;
  [[nodiscard]] Position position() const;
  [[nodiscard]] int to_move() const;
  // Moves played since the beginning (or since the loaded position).
  [[nodiscard]] int length() const;

  // How the game stands. Nothing while it goes on.
  [[nodiscard]] tl::expected<std::optional<Outcome>, Fault> outcome();
  // The legal moves, each once, in an order that depends on the position alone. Empty when the game is over.
  // The span is valid until the game changes.
  [[nodiscard]] tl::expected<std::span<const Move>, Fault> moves();

  // Plays a move that moves() listed.
  void play(const Move& move);
  // Takes the last move back; false if there is none.
  bool undo();

  // Written notation: derives the move again with its text.
  [[nodiscard]] tl::expected<std::string, Fault> notation(const Move& move);
  // All notations, in the order of moves(): one derivation for all.
  [[nodiscard]] tl::expected<std::vector<std::string>, Fault> notations();
  // The legal move with this notation; case and blanks are forgiven where nothing is lost. Nothing if there
  // is none.
  [[nodiscard]] tl::expected<std::optional<Move>, Fault> find(std::string_view text);

  struct Engine;
  [[nodiscard]] Engine& engine() { return *engine_; }

private:
  std::unique_ptr<Engine> engine_;
};

// What is wrong with a position for this program ("2 pieces on a1, and the board has no stacks"), or "".
[[nodiscard]] std::string check_position(const Program& program, const Position& position);

// An empty position of the program: nothing on the board, hands and variables as in the set-up.
[[nodiscard]] Position blank_position(const Program& program);

} // namespace boardwright::runtime
