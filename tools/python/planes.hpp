// What a position looks like to a network: planes of numbers, one for each thing that the rules speak of.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/pieces.hpp"
#include "runtime/sight/seen.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::python {

// A game as it was last looked at, and what its last move changed.
struct Seen {
  runtime::BoardView view;
  std::vector<std::int16_t> last; // cells
};

// Read off the rules, named, in a fixed order. Players are told relative to one of them: `own` is himself.
class Planes {
public:
  explicit Planes(std::shared_ptr<const runtime::Rules> rules);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t ranks() const { return ranks_; }
  [[nodiscard]] std::size_t files() const { return files_; }
  [[nodiscard]] std::size_t size() const { return names_.size() * ranks_ * files_; }
  // Fills size() numbers: plane by plane, rank by rank from the first, cell by cell.
  void write(const runtime::Game& game, const Seen& seen, int player, float* to) const;
  // The same of a position as the player sees it, where something is hidden.
  void write(const runtime::sight::Seen& seen, int player, float* to) const;

private:
  struct Counted { // a hand, a variable or being out: one number of each player's, or of all
    std::size_t plane = 0;
    std::vector<int> index; // by player; -1: he has none. One entry: everybody's
    runtime::Type type = runtime::Type::number;
  };
  std::size_t add(std::string name);
  void add_pieces();
  void add_hands();
  void add_values();
  void add_state();
  void add_unseen();
  void write_board(const Seen& seen, int player, float* to) const;
  void write_values(const runtime::Position& position, float* to) const;
  void write_state(const runtime::Position& position, int player, float* to) const;
  void write_variable(const Counted& of, const runtime::Position& position, int player, int index,
                      float* to) const;
  void fill(std::size_t plane, float value, float* to) const;
  [[nodiscard]] int seat(int player, int seat) const { return (player + seat) % players_; }
  [[nodiscard]] std::string seat_name(int seat) const;

  std::shared_ptr<const runtime::Rules> rules_;
  const runtime::Program& program_;
  runtime::Pieces pieces_;
  int players_ = 0;
  std::size_t ranks_ = 0, files_ = 0;
  std::vector<std::size_t> place_; // by cell: where it is in a plane
  std::vector<std::string> names_;
  std::vector<std::size_t> top_,
      under_; // by seat (neutral is the last) and kind; kNone: there is no such piece
  std::size_t height_ = 0;
  std::vector<Counted> hands_, state_;
  std::vector<std::size_t> values_; // by value: its first plane
  std::vector<Counted> out_;
  std::size_t mover_ = 0, last_ = 0, repetitions_ = 0, board_ = 0;
  std::vector<std::size_t> covered_; // by seat, where something is hidden
  std::size_t dark_ = 0;
  bool needs_position_ = false;
};

// Brings `seen` up to date after a move, or after any other change: then nothing is a last move.
void look_after_move(const runtime::Game& game, Seen& seen);
void look_anew(const runtime::Game& game, Seen& seen);
// A game that wasn't looked at before its last move: that is taken back to see what it changed.
void look_with_last_move(const runtime::Game& game, Seen& seen);

} // namespace boardwright::python
