#include "runtime/examine/walked.hpp"

#include "runtime/reference/walker.hpp"

#include <algorithm>

namespace boardwright::runtime {
namespace {

// A position that takes the walker more steps than this is left out: the others tell more.
constexpr std::uint64_t kMostStepsOfOne = 300'000;

// Counts the nodes that are met, as a measure of the walker's work.
struct Counted final : Observer {
  explicit Counted(Trace& inner) : trace(inner) {}
  Trace& trace;
  std::uint64_t nodes = 0;
  void began(NodeId /*id*/) override {}
  void found(const Draft& /*move*/) override {}
  void acted(NodeId id, const Draft& from, bool went_on, bool moved) override {
    ++nodes;
    trace.acted(id, from, went_on, moved);
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
  const std::uint64_t most = std::min(kMostStepsOfOne, budget_.steps - steps_);
  Trace trace(program_);
  Counted counted(trace);
  const Walker walker(program_, most, &counted);
  const auto outcome = walker.outcome(position, past, false);
  const bool complete = outcome && (*outcome || walker.derive(position, past));
  steps_ += std::max(counted.nodes, walker.steps()) + 1;
  if (!complete) {
    ++left_out_;
    return;
  }
  trace_.add(trace);
  ++positions_;
}

} // namespace boardwright::runtime
