#include "runtime/examine/ending.hpp"

#include "runtime/examine/values_seen.hpp"
#include "runtime/reference/observer.hpp"

namespace boardwright::runtime {
namespace {

// Keeps what conditions were.
class AskingEnd final : public Observer {
public:
  explicit AskingEnd(const Program& program) : seen_(program) {}
  void began(NodeId /*id*/) override {}
  void found(const Draft& /*move*/) override {}
  void acted(NodeId /*id*/, const Draft& /*from*/, bool /*went_on*/, bool /*moved*/) override {}
  void asked(NodeId id, const Draft& /*in*/, const Value& value) override { seen_.note(id, value); }
  void ended_carrying(const Draft& /*draft*/) override {}

  [[nodiscard]] const ValuesSeen& seen() const { return seen_; }

private:
  ValuesSeen seen_;
};

// Of a condition that should have held; of `or` nothing does.
void why_not(const Program& program, const ValuesSeen& seen, NodeId condition, std::vector<Stop>& stops) {
  const NodeId cause = seen.deciding(condition, true);
  if (program.nodes[cause].op == Op::any_of) {
    for (const NodeId part : program.kids_of(program.nodes[cause])) why_not(program, seen, part, stops);
    return;
  }
  Stop stop;
  stop.action = condition;
  stop.cause = cause;
  seen.explain(stop);
  stops.push_back(std::move(stop));
}

} // namespace

tl::expected<std::vector<LineAsked>, Fault> why_end(const Program& program, const Position& position,
                                                    std::span<const Position> past,
                                                    std::uint64_t most_steps) {
  AskingEnd asking(program);
  Position standing = position; // who loses of three or more is put out
  const auto outcome = Walker(program, most_steps, &asking).outcome(standing, past, false);
  if (!outcome) return tl::unexpected(outcome.error());
  const ValuesSeen& seen = asking.seen();
  std::vector<LineAsked> answer;
  for (const EndLine& line : program.players[static_cast<std::size_t>(position.to_move)].end) {
    LineAsked one;
    one.origin = line.origin;
    const Node& n = program.nodes[line.condition];
    one.holds = n.op == Op::truth ? n.a != 0 : seen.value_of(line.condition).number != 0;
    if (!one.holds) why_not(program, seen, line.condition, one.stops);
    answer.push_back(std::move(one));
    if (answer.back().holds) break;
  }
  return answer;
}

} // namespace boardwright::runtime
