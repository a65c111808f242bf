#include "runtime/examine/relaxed.hpp"

#include "runtime/examine/notation.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/observer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace boardwright::runtime {
namespace {

// Rules that are tried; the likeliest come first.
constexpr std::size_t kMostTried = 12;

// Is the move that was asked for among those that are found?
class Finding final : public Observer {
public:
  explicit Finding(const Question& question) : question_(question), wanted_(bare_notation(question.move)) {}
  void began(NodeId /*id*/) override {}
  void found(const Draft& move) override {
    found_ = found_ || (question_.move.empty() ? move.start == question_.from
                                               : bare_notation(move.notation) == wanted_);
  }
  void acted(NodeId /*id*/, const Draft& /*from*/, bool /*went_on*/, bool /*moved*/) override {}
  void asked(NodeId /*id*/, const Draft& /*in*/, const Value& /*value*/) override {}
  void ended_carrying(const Draft& /*draft*/) override {}
  [[nodiscard]] bool has_found() const { return found_; }

private:
  const Question& question_;
  const std::string wanted_;
  bool found_ = false;
};

// A rule, and how it is left out.
struct Attempt {
  Decisive::By by;
  NodeId action;
  const Stop* stop = nullptr;
};

// All alternatives of an `otherwise` as if they were joined by `or`, all outcomes of `most`, repetitions that
// may end before they must, conditions that hold.
void leave_out(Program& program, const Attempt& attempt) {
  Node& n = program.nodes[attempt.action];
  switch (attempt.by) {
  case Decisive::By::first: n.op = Op::alternatives; break;
  case Decisive::By::most:
    n.op = Op::sequence;
    n.count = 1;
    break;
  case Decisive::By::goes_on: n.a &= ~kMaximal; break;
  case Decisive::By::condition:
    n.op = Op::sequence;
    n.count = 0;
    break;
  }
}

std::vector<Attempt> attempts(const Program& program, const std::vector<bool>& of_the_turn,
                              const Question& question, const Why& found) {
  std::vector<Attempt> all;
  const auto on_way = [&](const Stop& stop) {
    return stop.here != kNowhere && question.from != kNowhere && question.to != kNowhere &&
           is_on_way(program.board, {question.from, question.to}, stop.here);
  };
  for (NodeId id = 0; id < program.nodes.size(); ++id) {
    if (!of_the_turn[id]) continue;
    const Node& n = program.nodes[id];
    if (n.op == Op::otherwise) all.push_back({Decisive::By::first, id});
    if (n.op == Op::most) all.push_back({Decisive::By::most, id});
    if (n.op == Op::repeat && (n.a & kMaximal) != 0) all.push_back({Decisive::By::goes_on, id});
  }
  for (const Stop& stop : found.stops) {
    const Op op = program.nodes[stop.action].op;
    if (op != Op::require && op != Op::at) continue;
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Attempt& other) { return other.action == stop.action; });
    if (same == all.end())
      all.push_back({Decisive::By::condition, stop.action, &stop});
    else if (same->stop != nullptr && !on_way(*same->stop) && on_way(stop))
      same->stop = &stop; // what the move itself came to, not what others did
  }
  if (all.size() > kMostTried) all.resize(kMostTried);
  return all;
}

Decisive told(const Program& program, const Attempt& attempt, const Why& found) {
  Decisive rule{attempt.by, attempt.action, attempt.stop == nullptr ? Stop{} : *attempt.stop, {}};
  if (attempt.by != Decisive::By::first) return rule;
  for (const NodeId kid : program.kids_of(program.nodes[attempt.action]))
    if (const auto moves = found.of_before.find(kid); moves != found.of_before.end()) {
      rule.action = kid; // what goes first, not all of them
      rule.instead = moves->second;
      break;
    }
  return rule;
}

void mark(const Program& program, NodeId id, std::vector<bool>& of_the_turn) {
  if (of_the_turn[id] || !is_action(program.nodes[id].op)) return;
  of_the_turn[id] = true;
  for (const NodeId kid : program.kids_of(program.nodes[id])) mark(program, kid, of_the_turn);
}

} // namespace

std::optional<Decisive> decisive(const Program& program, const Position& position,
                                 std::span<const Position> past, const Question& question, const Why& found,
                                 std::uint64_t& steps) {
  std::vector<bool> of_the_turn(program.nodes.size(), false);
  mark(program, program.players[static_cast<std::size_t>(position.to_move)].turn, of_the_turn);
  for (const Attempt& attempt : attempts(program, of_the_turn, question, found)) {
    Program relaxed = program;
    leave_out(relaxed, attempt);
    Finding finding(question);
    const Walker walker(relaxed, steps, &finding);
    (void)walker.derive(position, past); // without this rule another one may go wrong
    steps -= std::min(steps, walker.steps());
    if (finding.has_found()) return told(program, attempt, found);
    if (steps == 0) break;
  }
  return std::nullopt;
}

} // namespace boardwright::runtime
