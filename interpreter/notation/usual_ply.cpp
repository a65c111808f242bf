// Entry points: usual_ply, turns_after.
#include "interpreter/notation/usual_ply.hpp"

#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <optional>

namespace boardwright::interpreter {
namespace {

using runtime::NodeId;
using runtime::Op;
using runtime::Position;
using runtime::Program;

// Steps for one line: what takes more is left to the game.
constexpr std::uint64_t kMostSteps = 100'000;

// Which conditions ask for moves that were played. Nodes may be parts of several others: each is looked at
// once.
class CountingLines {
public:
  explicit CountingLines(const Program& program) : program_(program), known_(program.nodes.size()) {}

  std::vector<NodeId> of(int player) {
    std::vector<NodeId> conditions;
    for (const runtime::EndLine& line : program_.players[static_cast<std::size_t>(player)].end)
      if (counts(line.condition)) conditions.push_back(line.condition);
    return conditions;
  }

private:
  bool counts(NodeId id) {
    if (known_[id]) return *known_[id];
    const runtime::Node& node = program_.nodes[id];
    bool found = node.op == Op::ply || node.op == Op::turns;
    for (const NodeId kid : program_.kids_of(node)) found = counts(kid) || found;
    known_[id] = found;
    return found;
  }

  const Program& program_;
  std::vector<std::optional<bool>> known_; // by node
};

bool is_over_after(const Program& program, Position position, const std::vector<NodeId>& conditions,
                   std::int32_t ply) {
  position.ply = ply;
  position.turns = turns_after(program, ply);
  return std::any_of(conditions.begin(), conditions.end(), [&](NodeId condition) {
    std::uint64_t steps = kMostSteps;
    const auto holds = runtime::Walker(program).evaluate(condition, position, steps);
    return holds && holds->number != 0;
  });
}

} // namespace

std::vector<std::int32_t> turns_after(const Program& program, std::int32_t ply) {
  const int count = program.player_count();
  std::vector<std::int32_t> turns(static_cast<std::size_t>(count), ply / count);
  for (int i = 0; i < ply % count; ++i)
    ++turns[static_cast<std::size_t>((program.initial.to_move + i) % count)];
  return turns;
}

std::int32_t usual_ply(const Program& program, const Position& position) {
  const std::vector<NodeId> conditions = CountingLines(program).of(position.to_move);
  if (conditions.empty() || !is_over_after(program, position, conditions, kDefaultPly)) return kDefaultPly;
  std::int32_t pieces = 0;
  for (const runtime::Stack& stack : position.cells) pieces += static_cast<std::int32_t>(stack.size());
  const std::int32_t few = std::min(pieces, kDefaultPly);
  return is_over_after(program, position, conditions, few) ? kDefaultPly : few;
}

} // namespace boardwright::interpreter
