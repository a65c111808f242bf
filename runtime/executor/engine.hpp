// What a game asks of its executor, whatever the width of its sets.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/model/board_view.hpp"
#include "runtime/model/capture.hpp"
#include "runtime/model/patience.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "runtime/model/random.hpp"
#include "runtime/model/random_game.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::runtime::executor {

// What becomes of the moves that are found.
enum class Purpose : std::uint8_t {
  any,        // is there one?
  count,      // how many
  list,       // all of them
  pick,       // one of them at random, which is played, and so on to the end of the game
  find = 255, // the one that has been picked, by its number
};

// How a position stands, and how many moves it has.
struct Judgement {
  std::optional<Outcome> outcome;
  std::uint64_t moves = 0; // for Purpose::any 0 or 1
  bool complete = true;    // false: a limit stopped it; there may be more moves, and the outcome isn't known
};

// What stops a list of moves while it is made.
struct Limits {
  const std::atomic<bool>* stop = nullptr;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::uint64_t most_moves = std::numeric_limits<std::uint64_t>::max();
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();

  // Asking the clock takes longer than most moves: ask now and then.
  [[nodiscard]] bool over() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return true;
    return deadline && std::chrono::steady_clock::now() >= *deadline;
  }
};

// What a move looks like on the board; -1: there is no such cell.
struct MoveCells {
  int from = -1; // the first one that a piece leaves, as the notation shows it
  int to = -1;   // the last one that a piece is put or dropped on
};

// The choices that make a move.
using Script = std::vector<std::int32_t>;

class Engine {
public:
  virtual ~Engine() = default;

  virtual void load(const Position& position) = 0;
  // The position of another engine of the same tables, without its past: as cheap as to copy its state.
  virtual void load_from(const Engine& other) = 0;
  [[nodiscard]] virtual Position position() const = 0;
  [[nodiscard]] virtual int to_move() const = 0;
  // What a variable of the state holds that isn't a set of cells.
  [[nodiscard]] virtual std::int32_t number_in(int variable) const = 0;
  // What has changed since the last look with this view, which must be of a game of the same rules.
  virtual void look(BoardView& view) const = 0;
  // By owner (neutral ones are the last) and kind: how many pieces there are, on the board, wherever in their
  // stacks, and in hand.
  virtual void count_pieces(std::vector<std::int32_t>& counts) const = 0;
  // The cells with a piece of the player on top, as the tables number them.
  [[nodiscard]] virtual CellSet cells_of(int player) const = 0;
  [[nodiscard]] virtual int length() const = 0;
  [[nodiscard]] virtual std::size_t state_bytes() const = 0;
  // The same position with the same past; its lists are empty.
  [[nodiscard]] virtual std::unique_ptr<Engine> clone() const = 0;
  // From now on the positions that moves leave are counted, whether the rules ask for them or not.
  virtual void keep_history() = 0;
  // How often this position has come about before.
  [[nodiscard]] virtual int repetitions() const = 0;

  // Judges the position and derives its moves as far as the purpose asks (not for pick). A player may be put
  // out by it, which is part of the position from then on.
  virtual tl::expected<Judgement, Fault> judge(Purpose purpose, const Limits* limits = nullptr) = 0;
  // The moves of the last judge(Purpose::list).
  [[nodiscard]] virtual Script script(std::size_t move) const = 0;
  // The cells that they choose, where a cell is all that each chooses.
  [[nodiscard]] virtual CellSet chosen_cells() const = 0;
  // For each of them a number that depends on the way through the rule and on what was chosen on it: the same
  // in all positions.
  virtual void append_labels(std::vector<std::uint64_t>& labels) const = 0;
  // Of one of them.
  [[nodiscard]] virtual std::uint64_t label(std::size_t move) const = 0;
  // The memory of that list, which goes (`forget`) when it isn't needed any more.
  [[nodiscard]] virtual std::size_t list_bytes(std::size_t ply) const = 0;
  virtual void forget_list(std::size_t ply) = 0;
  [[nodiscard]] virtual std::uint64_t key() const = 0;

  // Plays a move by its choices; the outcome, if the move itself decides. The position judged must have it.
  virtual tl::expected<std::optional<Outcome>, Fault> play(const Script& script) = 0;
  virtual tl::expected<std::optional<Outcome>, Fault> play_listed(std::size_t move) = 0;
  // Ends the turn of the player to move, who does nothing: the next one is to move. Taken back like a move.
  virtual void skip_turn() = 0;
  virtual bool undo() = 0;
  virtual tl::expected<std::string, Fault> notation(const Script& script) = 0;
  // Of the first so many moves of the list, in their order, as one answer: with the steps that have been
  // spent on it before they take no more than the limits allow.
  virtual tl::expected<std::vector<std::string>, Fault> notations(std::size_t moves, std::uint64_t spent) = 0;
  // The cells of the move that was written last.
  [[nodiscard]] virtual MoveCells written_cells() const = 0;
  // Does the move of the list leave another player fewer cells with his piece on top? It is played and taken
  // back where its code doesn't tell that it can't.
  virtual tl::expected<bool, Fault> captures(std::size_t move) = 0;
  // The moves that capture, from a move on. What comes out is the first move that hasn't been looked at, if a
  // limit came first, or else a number that no move has. `worth` is by the piece's code; null: nobody asks
  // for the gain.
  virtual tl::expected<std::size_t, Fault> find_captures(std::size_t from, const std::int32_t* worth,
                                                         std::vector<Capture>& into,
                                                         const Limits* limits) = 0;

  // From now on all that is asked for, random games too, ends with a fault when this is over: also in the
  // middle of a turn.
  virtual void give_up_when(const Patience& patience) = 0;
  // Steps of the last answer (limits.hpp).
  [[nodiscard]] virtual std::uint64_t steps() const = 0;
  // Of all answers so far, random games left out, with something for each.
  [[nodiscard]] virtual std::uint64_t all_steps() const = 0;

  // Whether rules may be carried out as native code, where there is any: they are, unless this says no. And
  // are they? That is known from the first run on.
  virtual void allow_native(bool allowed) = 0;
  [[nodiscard]] virtual bool is_native() const = 0;
  // By instruction: native code leaves it to C++. Null: all are interpreted. Makes native code if need be.
  [[nodiscard]] virtual const std::vector<bool>* falls_back() = 0;
  // From now on counts there how often each instruction is carried out, by the interpreter: for measurements.
  virtual void count_instructions(std::vector<std::uint64_t>* counts) = 0;

  // Plays at random from the loaded position, which is left for another one.
  virtual tl::expected<Playout, Fault> playout(Random& random, std::uint32_t max_plies) = 0;
  // The same game, which was cut off, for so many plies more; what it tells is of these.
  virtual tl::expected<Playout, Fault> play_on(Random& random, std::uint32_t max_plies) = 0;
  // How many plies fewer than it might have the last game was; where it met a fault, not counting that ply.
  [[nodiscard]] virtual std::uint32_t plies_left() const = 0;
};

class AnyTables {
public:
  virtual ~AnyTables() = default;
  [[nodiscard]] virtual std::unique_ptr<Engine> engine() const = 0;
};

// The tables must not outlive program and code.
[[nodiscard]] std::unique_ptr<AnyTables> make_tables(const Program& program, const ir::Code& code);

} // namespace boardwright::runtime::executor
