#include "runtime/codegen/flow.hpp"

#include <algorithm>
#include <string_view>

namespace boardwright::runtime::codegen {

namespace {

using ir::Op;

constexpr std::string_view kRoles[] = {
#define X(name, roles, what) roles,
    BOARDWRIGHT_IR(X)
#undef X
};

class Graph {
public:
  explicit Graph(const ir::Code& code) : code_(code) {
    for (const ir::PlayerCode& p : code.players)
      for (const std::uint32_t begin : {p.position, p.play, p.notate}) parts_.push_back(begin);
    for (const ir::Leaf& leaf : code.leaves) parts_.push_back(leaf.entry);
    std::sort(parts_.begin(), parts_.end());
    parts_.erase(std::unique(parts_.begin(), parts_.end()), parts_.end());
    for (std::uint32_t k = 0; k < code.instructions.size(); ++k)
      if (code.instructions[k].op == Op::call) calls_.push_back(k);
    calls_stay_ = std::all_of(calls_.begin(), calls_.end(), [this](std::uint32_t k) {
      return part_of(k) == part_of(static_cast<std::uint32_t>(code_.instructions[k].x));
    });
  }

  // Calls `to` with every instruction that may come next.
  template <class F>
  void after(std::uint32_t k, F&& to) const {
    const ir::Instruction& i = code_.instructions[k];
    switch (i.op) {
    case Op::halt:
    case Op::fault: return;
    case Op::pick:
      for (const ir::Leaf& leaf : code_.leaves) to(leaf.entry);
      return;
    case Op::end_turn:
    case Op::put_out:
      for (const ir::PlayerCode& p : code_.players) to(p.position);
      return;
    case Op::jump_table:
      for (const std::uint32_t label : code_.labels[static_cast<std::size_t>(i.x)]) to(label);
      return;
    case Op::ret:
      for (const std::uint32_t call : calls_)
        if (!calls_stay_ || part_of(call) == part_of(k)) to(call + 1);
      return;
    case Op::drop:
    case Op::change: to(k + 2); break;
    default: break;
    }
    if (kRoles[static_cast<std::size_t>(i.op)][4] == 'j') to(static_cast<std::uint32_t>(i.x));
    if (i.op != Op::go && i.op != Op::cut) to(k + 1);
  }

private:
  // The search of a player, the code that plays any of his moves, that writes them, that plays those of a
  // leaf: calls stay within each.
  [[nodiscard]] std::ptrdiff_t part_of(std::uint32_t k) const {
    return std::upper_bound(parts_.begin(), parts_.end(), k) - parts_.begin();
  }

  const ir::Code& code_;
  std::vector<std::uint32_t> parts_, calls_;
  bool calls_stay_ = true;
};

} // namespace

Flow flow_of(const ir::Code& code, bool random_games) {
  const std::size_t size = code.instructions.size();
  Flow flow{std::vector<bool>(size, true), std::vector<bool>(size, true)};
  if (!random_games) return flow;
  const Graph graph(code);
  std::vector<std::vector<std::uint32_t>> before(size);
  std::vector<std::uint32_t> todo;
  flow.reached.assign(size, false);
  const auto reach = [&](std::uint32_t k) {
    if (k >= size || flow.reached[k]) return;
    flow.reached[k] = true;
    todo.push_back(k);
  };
  for (const ir::PlayerCode& p : code.players) reach(p.position);
  while (!todo.empty()) {
    const std::uint32_t k = todo.back();
    todo.pop_back();
    graph.after(k, [&](std::uint32_t next) {
      if (next < size) before[next].push_back(k);
      reach(next);
    });
  }
  // Back from what takes changes back, as far as the beginning of the turn.
  flow.taken_back.assign(size, false);
  const auto goes_back = [&](std::uint32_t k) {
    if (flow.taken_back[k]) return;
    flow.taken_back[k] = true;
    todo.push_back(k);
  };
  for (std::uint32_t k = 0; k < size; ++k)
    if (flow.reached[k] && (code.instructions[k].op == Op::undo || code.instructions[k].op == Op::put_out))
      goes_back(k);
  while (!todo.empty()) {
    const std::uint32_t k = todo.back();
    todo.pop_back();
    if (code.instructions[k].op == Op::begin_turn) continue;
    for (const std::uint32_t earlier : before[k]) goes_back(earlier);
  }
  return flow;
}

} // namespace boardwright::runtime::codegen
