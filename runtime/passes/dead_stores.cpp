// Changes that nobody sees: what is taken back before anything reads the set needn't be done. While moves are
// searched a piece is put down, a test asks for one of the sets that tell so, and all of them are taken back.
#include "runtime/ir/flow_graph.hpp"
#include "runtime/model/index.hpp"
#include "runtime/passes/edits.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

using Ir = ir::Op;
using ir::Reg;

// Walks of more instructions are given up.
constexpr std::size_t kLongestLook = 250;
// Of code that is called so much is looked through.
constexpr std::size_t kLongestBody = 1'000;

[[nodiscard]] bool reads_set(const ir::Instruction& i, Reg set) {
  const ir::Operation& o = ir::about(i.op);
  const Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t k = 0; k < ir::kRegisterOperands; ++k)
    if (operands[k] == set && (o.roles[k] == 's' || (o.roles[k] == 'S' && (k > 0 || o.reads_d)))) return true;
  return false;
}

// Is what an instruction changes taken back on every way from there, and is its set read on none of them? Of
// a piece of code that is called on the way nothing may read it; where one comes back to whoever has called,
// marks are again those that were made before (frame 1).
[[nodiscard]] bool is_unseen(std::size_t change, const ir::Code& code, const ir::FlowGraph& flow) {
  const Reg set = code.instructions[change].d;
  struct Place {
    std::size_t k;
    int frame;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> seen, todo{{change + 1, 0}};
  std::array<std::vector<Reg>, 2> marks, back;
  const auto has = [](const std::vector<Reg>& all, Reg r) {
    return std::find(all.begin(), all.end(), r) != all.end();
  };
  const auto may_read = [&](const ir::Instruction& i) {
    return !ir::about(i.op).names_all || reads_set(i, set);
  };
  while (!todo.empty()) {
    const auto [k, frame] = todo.back();
    todo.pop_back();
    if (std::find(seen.begin(), seen.end(), Place{k, frame}) != seen.end()) continue;
    if (k >= code.instructions.size() || seen.size() >= kLongestLook) return false;
    seen.push_back({k, frame});
    const ir::Instruction& i = code.instructions[k];
    if (may_read(i)) return false;
    if (i.op == Ir::mark) marks[at(frame)].push_back(i.d);
    if (i.op == Ir::undo && !has(marks[at(frame)], i.a)) {
      back[at(frame)].push_back(i.a);
      continue;
    }
    if (i.op == Ir::ret) {
      if (flow.after(k).empty()) return false;
      for (const std::size_t behind : flow.after(k)) todo.push_back({behind, 1});
    } else if (i.op == Ir::call) {
      const auto body = flow.body(at(i.x));
      if (body.empty() || body.size() > kLongestBody) return false;
      for (const std::size_t in : body) {
        const ir::Instruction& j = code.instructions[in];
        if (may_read(j) || (j.op == Ir::call && j.x != i.x)) return false;
      }
      todo.push_back({k + 1, frame});
    } else {
      ir::each_next(code, k, [&, in = frame](std::size_t next) { todo.push_back({next, in}); });
    }
  }
  // A mark that was made after the change doesn't take it back.
  for (const std::size_t frame : {0U, 1U})
    for (const Reg m : back[frame])
      if (has(marks[frame], m)) return false;
  return true;
}

} // namespace

void remove_dead_stores(ir::Code& code) {
  const ir::FlowGraph flow(code);
  Edits edits(code.instructions.size());
  for (std::size_t k = 0; k < code.instructions.size(); ++k)
    if (ir::changes_one_set(code.instructions[k].op) && is_unseen(k, code, flow)) edits.remove(k);
  edits.apply(code);
}

} // namespace boardwright::runtime::passes
