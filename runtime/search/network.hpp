// A small neural network that adds to what features weigh (evaluation.hpp): what lies where, seen by each of
// two players, goes through one layer of units to one number. The first layer is kept up to date by what
// changes from one position to the next, and all of it is whole numbers (Y. Nasu, Efficiently Updatable
// Neural-Network-based Evaluation Functions, 2018).
//
//   inputs       a piece of this kind and owner on top of this cell; below the top, as often as it is there;
//                in the hand, likewise. "Owner" is whoever looks or the other one: where symmetry makes the
//                players the same, both look with the same weights, else each has inputs of his own
//   a unit       the sum of its bias and the weights of the inputs, not below 0 and not above kFull, squared
//   the value    for the player to move: what the units weigh as he sees it and as the other one does
#pragma once

#include "runtime/search/features.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace boardwright::runtime::search {

// Which inputs there are. A "thing" is what lies somewhere, whoever looks; an input is that thing as one of
// the players sees it.
class NetworkInputs {
public:
  // Games of more inputs have no network: a file of it would be too large to ship, and to learn.
  static constexpr std::size_t kMostInputs = 5000;
  // About so many weights are learnt well in half an hour; the more inputs, the fewer units.
  static constexpr std::size_t kMostWeights = 40'000;

  // For two players.
  explicit NetworkInputs(const Features& features);

  // Units that a network of these inputs has; 0: there are too many inputs, or not two players.
  [[nodiscard]] int units() const { return units_; }
  [[nodiscard]] std::size_t size() const { return inputs_; }
  [[nodiscard]] std::size_t things() const { return input_[0].size(); }
  [[nodiscard]] std::size_t input(int viewer, std::size_t thing) const {
    return input_[static_cast<std::size_t>(viewer)][thing];
  }

  [[nodiscard]] std::size_t on_top(std::uint8_t code, std::size_t cell) const { return code * cells_ + cell; }
  [[nodiscard]] std::size_t below(std::uint8_t code, std::size_t cell) const {
    return (codes_ + code) * cells_ + cell;
  }
  [[nodiscard]] std::size_t in_hand(std::size_t slot) const { return hands_from_ + slot; }

  // What lies where, each as often as it is there.
  [[nodiscard]] std::vector<std::uint16_t> things_of(const Game& game) const;
  // The same thing on a board that is turned or mirrored; the players stay.
  [[nodiscard]] std::vector<std::uint16_t> mirrored(const Symmetry& symmetry) const; // by thing

private:
  [[nodiscard]] std::vector<std::uint16_t> moved(const Features& features, const Symmetry& symmetry) const;

  Pieces pieces_;
  std::size_t cells_ = 0, codes_ = 0, hands_from_ = 0, inputs_ = 0;
  int units_ = 0;
  std::array<std::vector<std::uint16_t>, 2> input_; // by player and thing
};

// What is learnt; plain data.
struct Network {
  static constexpr int kOne = 64;   // a weight of the first layer, or a sum of them, that means 1
  static constexpr int kFull = 127; // where a unit's sum ends
  static constexpr int kMostUnits = 64;
  // What weighs 1 in the natural logarithm of the odds, of a unit's square (kOne * kOne / kSquare).
  static constexpr int kSquare = 128, kWeight = 256, kShrink = 8;

  int units = 0;
  std::size_t inputs = 0;
  std::vector<std::int8_t> first;       // by input * units + unit
  std::vector<std::int16_t> bias;       // by unit
  std::vector<std::int16_t> own, other; // by unit: as the player to move sees it, and as the other one does
  std::int32_t constant = 0;            // of Evaluation::kUnit

  [[nodiscard]] bool fits(const NetworkInputs& wanted) const {
    return units == wanted.units() && inputs == wanted.size();
  }
};

// What was learnt of a game: what files have.
struct Learnt {
  NamedWeights features;
  std::shared_ptr<const Network> network; // null: none
};

// The same for those who judge positions.
struct Judgement {
  std::vector<double> weights;            // by feature; nothing: Features::first_weights()
  std::shared_ptr<const Network> network; // on top of them; it fits the features' NetworkInputs
};

// The sums of the first layer, followed from position to position.
class NetworkState {
public:
  // The network fits the inputs. At the start there is nothing on the board.
  NetworkState(std::shared_ptr<const NetworkInputs> inputs, std::shared_ptr<const Network> network);

  [[nodiscard]] const NetworkInputs& inputs() const { return *inputs_; }
  void add(std::size_t thing, int times);
  // For the player to move, of Evaluation::kUnit.
  [[nodiscard]] int value(int to_move) const;

private:
  std::shared_ptr<const NetworkInputs> inputs_;
  std::shared_ptr<const Network> network_;
  std::vector<std::int16_t> first_; // as Network::first, in the sums' own width
  std::array<std::array<std::int16_t, Network::kMostUnits>, 2> sums_{};
};

} // namespace boardwright::runtime::search
