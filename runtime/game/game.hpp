// The interface for programs that embed Boardwright: games, moves, outcomes.
//
//   auto loaded = boardwright::interpreter::load("my-game.yaml");
//   boardwright::runtime::Game game(loaded.rules);
//   if (const auto moves = game.moves())
//     for (const auto move : *moves) std::cout << *game.notation(move) << '\n';
//
// Rules are made once and shared, also between threads. A Game is one game in progress with the memory its
// engine needs; each thread uses its own. What can go wrong answers with a Fault; nothing here throws, unless
// there is no memory (then std::bad_alloc is thrown, and the game is as before). A game of no rules (a null
// pointer), or one that has been moved away, answers with a Fault, too.
#pragma once

#include "runtime/game/move.hpp"
#include "runtime/game/rules.hpp"
#include "runtime/model/board_view.hpp"
#include "runtime/model/patience.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "runtime/model/random.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::runtime {

struct PerftOptions;
struct PerftCount;

// What stops a list of moves while it is made. It is looked at now and then, at moves that are found.
struct ListLimits {
  const std::atomic<bool>* stop = nullptr;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::uint64_t most_moves = std::numeric_limits<std::uint64_t>::max();
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max(); // of the list
};

enum class Stage : std::uint8_t {
  captures, // moves that take something of another player
  rest,
};

// What a move looks like on the board; -1: there is no such cell.
struct FromTo {
  int from = -1; // the first one that a piece leaves, as the notation shows it
  int to = -1;   // the last one that a piece is put or dropped on
};

class Game {
public:
  // A game from the set-up.
  explicit Game(std::shared_ptr<const Rules> rules);
  // A game from a position, which must fit the program (see check_position). It has no past.
  Game(std::shared_ptr<const Rules> rules, const Position& position);
  ~Game();
  // A copy has the same past, so that moves can be taken back in it; moves that were listed before are good
  // in both.
  Game(const Game& other);
  Game& operator=(const Game& other);
  Game(Game&&) noexcept;
  Game& operator=(Game&&) noexcept;

  [[nodiscard]] const Rules& rules() const;
  [[nodiscard]] Position position() const;
  // Brings a view up to date that has seen only games of these rules, or none: cheap where little has
  // changed.
  void look(BoardView& view) const;
  [[nodiscard]] int to_move() const;
  // Moves played since the beginning (or since the loaded position).
  [[nodiscard]] int length() const;

  // From now on whatever is asked of this game, or of a copy of it, ends with a fault when this is over, also
  // in the middle of a turn; lists end as they do by their own limits.
  void give_up_when(const Patience& patience);

  // Steps (model/limits.hpp) that have been taken for what was asked of this game and of those it is a copy
  // of.
  [[nodiscard]] std::uint64_t steps() const;

  // How the game stands. Nothing while it goes on. Costs about as much as to find one move; nothing after
  // moves().
  [[nodiscard]] tl::expected<std::optional<Outcome>, Fault> outcome();
  // The legal moves, each once, in an order that depends on the position alone. Empty when the game is over.
  [[nodiscard]] tl::expected<MoveList, Fault> moves();
  // Likewise, unless a limit comes first: then some of the moves.
  [[nodiscard]] tl::expected<MoveList, Fault> moves(const ListLimits& limits);
  // Puts the moves of one stage behind those that `into` has. Which moves capture is found out by playing
  // every move and taking it back, when a stage of the position is asked for the first time. False: a limit
  // came first.
  [[nodiscard]] tl::expected<bool, Fault> append_moves(Stage stage, std::vector<Move>& into,
                                                       const ListLimits& limits = {});

  // Puts a number for each of moves() behind those that `into` has. Moves of other positions that are made in
  // the same way have the same ones: what was learnt of a move may be told by it.
  [[nodiscard]] tl::expected<void, Fault> append_labels(std::vector<std::uint64_t>& into);

  // Is it nature's move, by the dice of the player to move? What moves() lists are then its outcomes.
  // Positions in which the game is over may say so, too.
  [[nodiscard]] bool is_chance() const;
  // How likely each of moves() is, in their order, as a share of the sum of all: each above 0; where all are
  // alike, each is 1. Costs as much as to play them all, where they aren't. A fault where it isn't nature's
  // move.
  [[nodiscard]] tl::expected<std::vector<std::int64_t>, Fault> weights();
  // One of moves(), drawn by its weight where it is nature's move, else each as likely as another; nothing
  // where there is none.
  [[nodiscard]] tl::expected<std::optional<Move>, Fault> draw(Random& random);

  // Plays a move of this position. A fault, and nothing happens, if it is of another one, or a rule goes
  // wrong.
  tl::expected<void, Fault> play(const Move& move);
  // Takes the last move back; false if there is none.
  bool undo();
  // The moves since the beginning, by their places in the lists of their positions.
  [[nodiscard]] std::vector<std::uint32_t> played() const;

  // Does the move leave another player fewer cells with his piece on top? Where the code
  // of the move alone doesn't tell, it costs as much as to play it.
  [[nodiscard]] tl::expected<bool, Fault> captures(const Move& move);
  // Costs as much as to write it.
  [[nodiscard]] tl::expected<FromTo, Fault> from_to(const Move& move);

  // Board, hands, state, player to move and players out as a number; a move that decides the game counts too.
  [[nodiscard]] std::uint64_t key() const;
  // How often this position has come about before in this game.
  [[nodiscard]] int repetitions() const;

  [[nodiscard]] tl::expected<std::string, Fault> notation(const Move& move);
  // All notations, in the order of moves().
  [[nodiscard]] tl::expected<std::vector<std::string>, Fault> notations();
  // The legal move with this notation; case and blanks are forgiven where nothing is lost. Nothing if there
  // is none.
  [[nodiscard]] tl::expected<std::optional<Move>, Fault> find(std::string_view text);

private:
  friend tl::expected<PerftCount, Fault> perft(Game& game, const PerftOptions& options);
  class Line; // the positions since the beginning, and the engine
  [[nodiscard]] Line& line() const;
  mutable std::unique_ptr<Line> line_; // null after a move, until it is asked for
};

// What is wrong with a position for this program ("2 pieces on a1, and the board has no stacks"), or "".
[[nodiscard]] std::string check_position(const Program& program, const Position& position);

// An empty position of the program: nothing on the board, hands and variables as in the set-up.
[[nodiscard]] Position blank_position(const Program& program);

} // namespace boardwright::runtime
