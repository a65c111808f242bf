#include "runtime/search/goals.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace boardwright::runtime::search {

namespace {

// Calls f with every node below one, and that one too, each once.
template <class F>
void each_below(const Program& program, NodeId root, F&& f) {
  std::vector<bool> seen(program.nodes.size(), false);
  std::vector<NodeId> todo;
  if (root != kNoNode) todo.push_back(root);
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    f(program.nodes[id]);
    for (const NodeId kid : program.kids_of(program.nodes[id])) todo.push_back(kid);
  }
}

bool has(const Program& program, NodeId root, Op op, std::int32_t a = -1) {
  bool found = false;
  each_below(program, root, [&](const Node& n) { found = found || (n.op == op && (a < 0 || n.a == a)); });
  return found;
}

// The cells that a condition names; all of the board is no place.
CellSet named_cells(const Program& program, NodeId condition) {
  CellSet cells;
  each_below(program, condition, [&](const Node& n) {
    if (n.op != Op::cells) return;
    const CellSet& set = program.cell_sets[static_cast<std::size_t>(n.a)];
    if (2 * set.count() < program.board.cells) cells |= set;
  });
  return cells;
}

// Calls f with the root of every rule.
template <class F>
void each_rule(const Program& program, F&& f) {
  for (const runtime::Player& player : program.players) {
    f(player.turn);
    for (const EndLine& line : player.end) {
      f(line.condition);
      for (const NodeId score : line.score) f(score);
    }
  }
}

bool asks(const Program& program, std::initializer_list<Op> ops) {
  bool found = false;
  each_rule(program, [&](NodeId rule) {
    each_below(program, rule,
               [&](const Node& n) { found = found || std::find(ops.begin(), ops.end(), n.op) != ops.end(); });
  });
  return found;
}

} // namespace

CellSet goal_cells(const Program& program, int player) {
  CellSet goals;
  for (int p = 0; p < program.player_count(); ++p) {
    const runtime::Player& rules = program.players[static_cast<std::size_t>(p)];
    for (const EndLine& line : rules.end) {
      const int winner = line.verdict == Verdict::win    ? (line.winner >= 0 ? line.winner : p)
                         : line.verdict == Verdict::lose ? 1 - p
                                                         : -1;
      if (winner == player) goals |= named_cells(program, line.condition);
    }
    // `if … then win`, and `at …, win`.
    each_below(program, rules.turn, [&](const Node& n) {
      if (n.op == Op::if_action && n.count >= 2 && has(program, program.kid(n, 1), Op::win, player))
        goals |= named_cells(program, program.kid(n, 0));
      if (n.op != Op::sequence) return;
      for (std::uint32_t k = 1; k < n.count; ++k) {
        const Node& before = program.nodes[program.kid(n, k - 1)];
        const Node& action = program.nodes[program.kid(n, k)];
        if (action.op == Op::win && action.a == player && (before.op == Op::at || before.op == Op::require))
          goals |= named_cells(program, program.kid(n, k - 1));
      }
    });
  }
  return goals;
}

namespace {

// Does an action that is repeated go in more than one direction? What its conditions look at doesn't count.
bool goes_anywhere(const Program& program, NodeId action) {
  const Node& n = program.nodes[action];
  if (n.op == Op::choose) return true;
  if (n.op == Op::go) {
    const Node& steps = program.nodes[program.kid(n, 0)];
    return steps.op == Op::directions && program.step_sets[static_cast<std::size_t>(steps.a)].count() > 1;
  }
  if (n.op != Op::sequence && n.op != Op::alternatives && n.op != Op::otherwise) return false;
  const auto parts = program.kids_of(n);
  return std::any_of(parts.begin(), parts.end(), [&](NodeId part) { return goes_anywhere(program, part); });
}

} // namespace

// Groups are found by going on in any direction, again and again, from what was reached. A ride goes on in
// the direction that it has taken, and connects nothing.
bool asks_for_connection(const Program& program) {
  bool found = false;
  each_rule(program, [&](NodeId rule) {
    each_below(program, rule, [&](const Node& n) {
      if (n.op != Op::reach) return;
      each_below(program, program.kid(n, 1), [&](const Node& inner) {
        found = found || (inner.op == Op::repeat && (inner.a & kUnbounded) != 0 &&
                          goes_anywhere(program, program.kid(inner, 0)));
      });
    });
  });
  return found;
}

bool asks_for_time(const Program& program) { return asks(program, {Op::ply, Op::turns}); }

Repetition repetition_of(const Program& program) {
  constexpr std::array kAsk{Op::repeats, Op::repeats_of, Op::board_repeats};
  const auto asks_in = [&](NodeId rule) {
    return std::any_of(kAsk.begin(), kAsk.end(), [&](Op op) { return has(program, rule, op); });
  };
  if (!asks(program, {Op::repeats, Op::repeats_of, Op::board_repeats})) return Repetition::unsaid;
  for (const runtime::Player& player : program.players) {
    if (asks_in(player.turn)) return Repetition::other;
    for (const EndLine& line : player.end)
      if (line.verdict != Verdict::draw && asks_in(line.condition) &&
          !has(program, line.condition, Op::earlier)) // who forces it loses; all others draw
        return Repetition::other;
  }
  return Repetition::draws;
}

} // namespace boardwright::runtime::search
