#include "runtime/examine/walked.hpp"

#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace boardwright::runtime {
namespace {

// A position that takes the walker more steps than this is broken off, and so is one that takes more than its
// share of those that are left, if they are more than so many: the others tell more.
constexpr std::uint64_t kMostStepsOfOne = 300'000;
constexpr std::uint64_t kLeastStepsOfOne = 60'000;
constexpr std::uint64_t kShareOfOne = 10;

// Counts the nodes that are met, as a measure of the walker's work; knows which actions have begun and not
// ended.
struct Counted final : Observer {
  explicit Counted(Trace& inner) : trace(inner) {}
  Trace& trace;
  std::uint64_t nodes = 0;
  std::vector<std::pair<NodeId, bool>> begun; // has a move come from it?
  void began(NodeId id) override { begun.emplace_back(id, false); }
  void found(const Draft& /*move*/) override {
    for (auto outer = begun.rbegin(); outer != begun.rend() && !outer->second; ++outer) outer->second = true;
  }
  void acted(NodeId id, const Draft& from, bool went_on, bool moved) override {
    ++nodes;
    begun.pop_back();
    trace.acted(id, from, went_on, moved);
  }
  void break_off() const {
    for (const auto& [id, moved] : begun)
      if (moved) trace.moved(id);
  }
  void asked(NodeId id, const Draft& in, const Value& value) override {
    ++nodes;
    trace.asked(id, in, value);
  }
  void ended_carrying(const Draft& draft) override { trace.ended_carrying(draft); }
};

} // namespace

void Walked::add(Position position, std::span<const Position> past) {
  if (is_spent()) {
    ++left_out_;
    return;
  }
  const std::uint64_t left = budget_.steps - steps_;
  const std::uint64_t most =
      std::min(left, std::clamp(left / kShareOfOne, kLeastStepsOfOne, kMostStepsOfOne));
  Trace trace(program_);
  Counted counted(trace);
  const Walker walker(program_, most, &counted);
  const auto outcome = walker.outcome(position, past, false);
  const bool complete = outcome && (*outcome || walker.derive(position, past));
  steps_ += std::max(counted.nodes, walker.steps()) + 1;
  if (!complete) counted.break_off();
  trace_.add(trace);
  ++(complete ? positions_ : parts_);
}

} // namespace boardwright::runtime
