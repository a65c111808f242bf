// What takes nothing back, since nothing has been changed since its mark.
#include "runtime/ir/operations.hpp"
#include "runtime/passes/edits.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

using Ir = ir::Op;
using ir::Reg;
using Clean = std::vector<Reg>; // the marks since which nothing has been changed

[[nodiscard]] bool changes_anything(Ir op) {
  return op == Ir::call || op == Ir::ret || ir::changes_state(op);
}

// What a jump leads to is known from where it is, if it leads on.
[[nodiscard]] bool leads_on(const ir::Instruction& i) {
  return ir::jumps(i.op) && i.op != Ir::call && i.op != Ir::cut;
}

// What holds on all ways that have been seen to come to an instruction.
class Ways {
public:
  explicit Ways(const ir::Code& code)
      : coming_(code.instructions.size() + 1), unknown_(coming_.size(), false) {
    for (std::size_t k = 0; k < code.instructions.size(); ++k) {
      const ir::Instruction& i = code.instructions[k];
      if (!ir::jumps(i.op)) continue;
      const auto to = static_cast<std::size_t>(i.x);
      if (to <= k || !leads_on(i)) unknown_[to] = true;
    }
    for (const auto& table : code.labels)
      for (const std::uint32_t to : table) unknown_[to] = true;
  }
  static void meet(std::optional<Clean>& all, const Clean& other) {
    if (!all)
      all = other;
    else
      std::erase_if(*all, [&](Reg m) { return std::find(other.begin(), other.end(), m) == other.end(); });
  }
  void jump(std::size_t to, const Clean& clean) { meet(coming_[to], clean); }
  // `now` is what holds on the way from above; none: nothing comes from there.
  void come(std::size_t k, std::optional<Clean>& now) const {
    if (coming_[k]) meet(now, *coming_[k]);
    if (unknown_[k] || !now) now = Clean();
  }

private:
  std::vector<std::optional<Clean>> coming_;
  std::vector<bool> unknown_; // come to from elsewhere too
};

void carry_on(const ir::Instruction& i, const ir::Code& code, Clean& now) {
  if (i.op == Ir::undo)
    now.push_back(i.a);
  else if (changes_anything(i.op) || i.op == Ir::restore || i.op == Ir::moves_done)
    now.clear();
  else
    ir::each_use(code, i, [&](const ir::Use& use) {
      if (use.file == ir::File::numbers && use.written) std::erase(now, use.reg);
    });
  if (i.op == Ir::mark) now.push_back(i.d);
}

} // namespace

void remove_idle_undos(ir::Code& code) {
  const std::size_t size = code.instructions.size();
  Edits edits(size);
  Ways ways(code);
  std::optional<Clean> now;
  for (std::size_t k = 0; k < size; ++k) {
    ways.come(k, now);
    ir::Instruction& i = code.instructions[k];
    const auto idle = [&](std::size_t at) {
      const ir::Instruction& undo = code.instructions[at];
      return undo.op == Ir::undo && std::find(now->begin(), now->end(), undo.a) != now->end();
    };
    if (idle(k)) edits.remove(k);
    carry_on(i, code, *now);
    if (leads_on(i)) {
      auto to = static_cast<std::size_t>(i.x);
      while (to > k && to < size && idle(to)) ++to;
      if (to > k) ways.jump(to, *now);
      i.x = static_cast<std::int32_t>(to);
    }
    if (!ir::about(i.op).goes_on) now.reset();
  }
  edits.apply(code);
}

} // namespace boardwright::runtime::passes
