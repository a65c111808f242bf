// What a position is judged by: features that are read off the rules, whatever the game. Each is a number
// that a player has in a position, and a position is worth what his features weigh, less what those of the
// others do (C. Shannon, in the Philosophical Magazine 41, 1950).
//
//   piece/KIND             pieces that can be seen: on top of their stack
//   below/own/KIND         pieces under one's own top piece, and under that of another (below/other/KIND)
//   height/N               stacks of so many pieces that are one's own
//   hand/KIND              pieces in the hand
//   value/NAME/KIND/V      pieces that carry this value, of values with few possibilities; of directions each
//                          for itself
//   place/KIND/CELL        a piece on this cell, or on one that symmetry makes the same
//   inside/KIND/CELL       pieces under the top of the stack on this cell, likewise
//   leader/N               whose foremost piece has come so far
//   beside/own, beside/free, corner/own, corner/free
//                          neighbours along lines or diagonals: own pieces, empty cells
//   groups, largest        connected groups, and the share of one's pieces that is in the largest
//   row/LENGTH/N           places for a row of the length that the rules ask for, with N pieces and none of
//   the
//                          other's
//   moves                  the logarithm of the moves there are to choose from, where nothing is rolled
//   turn                   to be the one who moves
//   side                   to be this player
//
// Where the players have different pieces or goals the names have the player's in front: White/piece/man.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/pieces.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/sample.hpp"
#include "runtime/search/symmetry.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::search {

// Weights by the names of their features: what files have.
using NamedWeights = std::vector<std::pair<std::string, double>>;

// How many moves the players had when they were last to move; -1: not known.
using MoveCounts = std::array<int, 8>;

// Classes of features, numbered; -1: there is none.
class Features {
public:
  // Plays some random games to learn what the rules are like: some milliseconds for most.
  explicit Features(std::shared_ptr<const Rules> rules);

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const Sample& sample() const { return sample_; }
  [[nodiscard]] const std::vector<Symmetry>& symmetries() const { return symmetries_; }
  [[nodiscard]] const Rules& rules() const { return *rules_; }
  [[nodiscard]] const std::shared_ptr<const Rules>& shared_rules() const { return rules_; }
  [[nodiscard]] int players() const { return players_; }
  // Before anything is learnt: pieces are worth their moves, and are drawn to where the rules want them. In
  // natural logarithms of the odds to win.
  [[nodiscard]] std::vector<double> first_weights() const;
  // There is one such piece all the time, such as a king: who takes it, if that can be, has probably won.
  [[nodiscard]] bool stays_single(std::uint8_t code) const { return single_[code]; }
  // By feature; those without a weight have 0. `unknown`: names that no feature has.
  [[nodiscard]] std::vector<double> in_order(const NamedWeights& weights,
                                             std::vector<std::string>* unknown = nullptr) const;

  // --- tables for whoever follows a position; all by player or by the piece's code
  static constexpr int kTallest = 8; // stacks that are higher count as this high
  static constexpr int kMostLength = 8;
  struct Row { // cells that may become one
    std::array<std::int16_t, kMostLength> cells{};
    int length = 0;
    int of_length = 0; // which of the lengths that the rules ask for
  };
  struct OfPlayer {
    int below_own = -1, below_other = -1; // the first kind's; the others follow
    int height = -1;                      // of one piece
    int leader = -1;                      // who hasn't come forward
    int beside_own = -1, beside_free = -1, corner_own = -1, corner_free = -1;
    int groups = -1, largest = -1;
    int row = -1; // of one piece in the shortest row
    int moves = -1, turn = -1, side = -1;
  };
  [[nodiscard]] int piece(std::uint8_t code) const { return piece_[code]; }
  [[nodiscard]] int place(std::uint8_t code, std::size_t cell) const { return place_[code * cells_ + cell]; }
  // Of games with stacks alone.
  [[nodiscard]] int inside(std::uint8_t code, std::size_t cell) const {
    return inside_[code * cells_ + cell];
  }
  [[nodiscard]] int hand(std::size_t slot) const { return hand_[slot]; }
  [[nodiscard]] int hand_owner(std::size_t slot) const { return hand_owner_[slot]; }
  // Of each value that pieces carry and that has features: the first of its possibilities for a piece. One of
  // directions has one for each direction, the others for each code.
  struct Value {
    std::size_t number = 0; // in Program::piece_values
    std::size_t options = 0;
    bool directions = false;
    std::vector<int> features; // by the piece's code * options + option
  };
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  [[nodiscard]] const OfPlayer& of(int player) const { return of_[static_cast<std::size_t>(player)]; }
  [[nodiscard]] int progress(int player, std::size_t cell) const {
    return progress_[static_cast<std::size_t>(player) * cells_ + cell];
  }
  [[nodiscard]] int most_progress() const { return most_progress_; }
  [[nodiscard]] const Pieces& pieces() const { return pieces_; }
  [[nodiscard]] std::size_t cells() const { return cells_; }
  [[nodiscard]] std::size_t hands() const { return hand_.size(); }
  // Neighbours of a cell: along lines first, then along diagonals.
  struct Around {
    std::vector<std::int16_t> beside, corner;
  };
  [[nodiscard]] const Around& around(std::size_t cell) const { return around_[cell]; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<std::int32_t>& rows_through(std::size_t cell) const {
    return through_[cell];
  }

private:
  void find_places();
  void find_values();
  void find_value(std::size_t number);
  void find_neighbours();
  void find_progress();
  void find_rows();
  void name_players();
  void find_mobility();
  [[nodiscard]] std::vector<bool> kinds_that_stay_single() const;
  [[nodiscard]] Position thinned(Position position, Random& random) const;
  void count_moves(const Position& position, std::vector<double>& pieces);
  [[nodiscard]] std::vector<double> worth_of_pieces() const;
  [[nodiscard]] std::vector<double> pull(int player) const;
  int name(int player, const std::string& what);
  [[nodiscard]] int partner(std::uint8_t code) const;

  std::shared_ptr<const Rules> rules_;
  const Program& program_;
  Sample sample_;
  std::vector<Symmetry> symmetries_;
  bool shared_ = false; // the players are alike, but for a symmetry
  Pieces pieces_;
  std::size_t cells_ = 0;
  int players_ = 0;
  std::vector<std::string> names_;
  std::vector<int> piece_, place_, inside_, hand_, hand_owner_, progress_;
  std::vector<OfPlayer> of_;
  std::vector<Value> values_;
  int most_progress_ = 0;
  std::vector<Around> around_;
  std::vector<Row> rows_;
  std::vector<int> lengths_; // of rows
  std::vector<std::vector<std::int32_t>> through_;
  std::vector<bool> single_;      // by code: there is one such piece all the time
  std::vector<double> mobility_;  // by code: moves of such a piece, on average
  std::vector<double> frequency_; // by code: how many there are in the sample
};

} // namespace boardwright::runtime::search
