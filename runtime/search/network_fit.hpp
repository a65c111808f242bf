// Fits a network (network.hpp) to positions whose worth is known: gradient descent in batches with a step for
// each weight (D. Kingma, J. Ba, Adam: a method for stochastic optimization, 2015), on positions and their
// mirror images. Some positions are kept apart, to see when it begins to learn by heart.
#pragma once

#include "runtime/search/network.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace boardwright::runtime::search {

// Positions that a network learns from, one after the other.
struct NetworkExamples {
  struct One {
    std::size_t first = 0; // in `things`
    std::uint16_t count = 0;
    std::uint8_t to_move = 0;
    bool kept_apart = false;
    float known = 0;  // what the features weigh, for the player to move: the logarithm of the odds
    float result = 0; // 0, a half or 1, for him
    float value = 0;  // what a search thought: the logarithm of the odds
  };
  std::vector<One> all;
  std::vector<std::uint16_t> things; // see NetworkInputs::things_of
};

struct NetworkFitOptions {
  std::uint64_t seed = 1;
  int passes = 8;
  double certainty = 1;      // how much of what the features promise comes true
  double share_of_value = 0; // how much the search's opinion counts beside the result
  const std::atomic<bool>* stop = nullptr;
};

struct NetworkFit {
  std::shared_ptr<const Network> network; // null: it was stopped
  // The logarithmic loss on what was kept apart: without a network, and with it.
  double error_before = 0, error = 0;
};

// As many steps as examples times passes, each as long as the things of an example times the units.
[[nodiscard]] NetworkFit fit_network(const NetworkInputs& inputs, const std::vector<Symmetry>& symmetries,
                                     const NetworkExamples& examples, const NetworkFitOptions& options);

} // namespace boardwright::runtime::search
