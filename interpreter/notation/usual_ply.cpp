// Entry points: usual_ply, turns_after.
#include "interpreter/notation/usual_ply.hpp"

#include "runtime/reference/walker.hpp"

#include <algorithm>

namespace boardwright::interpreter {
namespace {

using runtime::NodeId;
using runtime::Op;
using runtime::Position;
using runtime::Program;

// Steps for one line: what takes more is left to the game.
constexpr std::uint64_t kMostSteps = 100'000;

bool counts_moves(const Program& program, NodeId id) {
  const runtime::Node& node = program.nodes[id];
  if (node.op == Op::ply || node.op == Op::turns) return true;
  const auto kids = program.kids_of(node);
  return std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return counts_moves(program, kid); });
}

std::vector<NodeId> lines_that_count(const Program& program, int player) {
  std::vector<NodeId> conditions;
  for (const runtime::EndLine& line : program.players[static_cast<std::size_t>(player)].end)
    if (counts_moves(program, line.condition)) conditions.push_back(line.condition);
  return conditions;
}

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
  const std::vector<NodeId> conditions = lines_that_count(program, position.to_move);
  if (conditions.empty() || !is_over_after(program, position, conditions, kDefaultPly)) return kDefaultPly;
  std::int32_t pieces = 0;
  for (const runtime::Stack& stack : position.cells) pieces += static_cast<std::int32_t>(stack.size());
  const std::int32_t few = std::min(pieces, kDefaultPly);
  return is_over_after(program, position, conditions, few) ? kDefaultPly : few;
}

} // namespace boardwright::interpreter
