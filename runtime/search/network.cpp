#include "runtime/search/network.hpp"

#include "runtime/model/board_view.hpp"
#include "runtime/model/index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace boardwright::runtime::search {

namespace {

constexpr std::array<int, 3> kUnits = {32, 16, 8};

// The slot of the same kind in the other player's hand; -1: there is none.
int partner_slot(const Program& program, std::size_t slot) {
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t k = 0; k < program.kinds.size(); ++k)
      if (program.hand_slot[p][k] == static_cast<int>(slot)) return program.hand_slot[1 - p][k];
  return -1;
}

} // namespace

NetworkInputs::NetworkInputs(const Features& features)
    : pieces_(features.pieces()), cells_(features.cells()), codes_(at(pieces_.count())) {
  const Program& program = features.rules().program();
  hands_from_ = (program.board.stacks ? 2 : 1) * codes_ * cells_;
  const std::size_t things = hands_from_ + features.hands();
  const auto swapping = std::find_if(features.symmetries().begin(), features.symmetries().end(),
                                     [](const Symmetry& symmetry) { return symmetry.swaps; });
  const bool shared = swapping != features.symmetries().end();
  inputs_ = shared ? things : 2 * things;
  if (features.players() != 2 || inputs_ > kMostInputs) return;
  input_[0].resize(things);
  std::iota(input_[0].begin(), input_[0].end(), std::uint16_t{0});
  input_[1] = input_[0];
  if (shared)
    input_[1] = moved(features, *swapping);
  else
    for (std::uint16_t& input : input_[1]) input = static_cast<std::uint16_t>(input + things);
  const auto units =
      std::find_if(kUnits.begin(), kUnits.end(), [&](int n) { return inputs_ * at(n) <= kMostWeights; });
  units_ = units == kUnits.end() ? 0 : *units;
}

// By thing; what has no counterpart stays what it is.
std::vector<std::uint16_t> NetworkInputs::moved(const Features& features, const Symmetry& symmetry) const {
  const Program& program = features.rules().program();
  std::vector<std::uint16_t> to(input_[0]);
  for (std::size_t k = 0; k < hands_from_; ++k) {
    const std::size_t level = k / (codes_ * cells_), code = k / cells_ % codes_;
    std::size_t image = code;
    if (const int owner = pieces_.of_code[code].owner; code > 0 && owner >= 0)
      if (const auto other = pieces_.code_of(1 - owner, pieces_.of_code[code].kind); other != 0)
        image = other;
    to[k] = static_cast<std::uint16_t>((level * codes_ + image) * cells_ + at(symmetry.to[k % cells_]));
  }
  for (std::size_t slot = 0; slot < features.hands(); ++slot)
    if (const int other = partner_slot(program, slot); other >= 0)
      to[hands_from_ + slot] = static_cast<std::uint16_t>(hands_from_ + at(other));
  return to;
}

std::vector<std::uint16_t> NetworkInputs::mirrored(const Symmetry& symmetry) const {
  std::vector<std::uint16_t> to(things());
  std::iota(to.begin(), to.end(), std::uint16_t{0});
  for (std::size_t k = 0; k < hands_from_; ++k)
    to[k] = static_cast<std::uint16_t>(k - k % cells_ + at(symmetry.to[k % cells_]));
  return to;
}

std::vector<std::uint16_t> NetworkInputs::things_of(const Game& game) const {
  BoardView view;
  game.look(view);
  std::vector<std::uint16_t> all;
  for (std::size_t c = 0; c < cells_; ++c)
    for (std::size_t level = 0; level < view.height[c]; ++level) {
      const std::uint8_t code = view.codes[c * view.levels + level];
      all.push_back(
          static_cast<std::uint16_t>(level + 1 == view.height[c] ? on_top(code, c) : below(code, c)));
    }
  for (std::size_t slot = 0; slot < view.hands.size(); ++slot)
    all.insert(all.end(), static_cast<std::size_t>(std::max(view.hands[slot], 0)),
               static_cast<std::uint16_t>(in_hand(slot)));
  return all;
}

NetworkState::NetworkState(std::shared_ptr<const NetworkInputs> inputs,
                           std::shared_ptr<const Network> network)
    : inputs_(std::move(inputs)), network_(std::move(network)),
      first_(network_->first.begin(), network_->first.end()) {
  for (auto& sums : sums_) std::copy(network_->bias.begin(), network_->bias.end(), sums.begin());
}

// Sums of weights that were learnt are far from the end of 16 bits; those of a file that was made up may
// wrap, and mean nothing.
void NetworkState::add(std::size_t thing, int times) {
  const std::size_t units = at(network_->units);
  for (int viewer = 0; viewer < 2; ++viewer) {
    const std::int16_t* const weights = first_.data() + inputs_->input(viewer, thing) * units;
    std::int16_t* const sums = sums_[at(viewer)].data();
    for (int k = 0; k < times; ++k)
      for (std::size_t u = 0; u < units; ++u) sums[u] = static_cast<std::int16_t>(sums[u] + weights[u]);
    for (int k = 0; k > times; --k)
      for (std::size_t u = 0; u < units; ++u) sums[u] = static_cast<std::int16_t>(sums[u] - weights[u]);
  }
}

namespace {

std::int32_t weighed(const std::int16_t* sums, const std::int16_t* weights, std::size_t units) {
  std::int32_t value = 0;
  for (std::size_t u = 0; u < units; ++u) {
    const auto sum = std::clamp<std::int16_t>(sums[u], 0, Network::kFull);
    value += static_cast<std::int16_t>(sum * sum / Network::kSquare) * weights[u];
  }
  return value;
}

} // namespace

int NetworkState::value(int to_move) const {
  const std::size_t units = at(network_->units);
  const std::int32_t own = weighed(sums_[at(to_move)].data(), network_->own.data(), units);
  const std::int32_t other = weighed(sums_[at(1 - to_move)].data(), network_->other.data(), units);
  return (own + other) / Network::kShrink + network_->constant;
}

} // namespace boardwright::runtime::search
