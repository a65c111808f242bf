#include "runtime/codegen/native_code.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

std::int32_t NativeCode::instruction_at(const void* place) const {
  if (!holds(place)) return kShared;
  const auto offset = static_cast<std::uint32_t>(static_cast<const std::byte*>(place) - begin_);
  const auto next = std::upper_bound(parts_.begin(), parts_.end(), offset,
                                     [](std::uint32_t at, const CodePart& part) { return at < part.begin; });
  return next == parts_.begin() ? kShared : std::prev(next)->instruction;
}

} // namespace boardwright::runtime::codegen

#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/changes.hpp"
#include "runtime/codegen/control.hpp"
#include "runtime/codegen/games.hpp"
#include "runtime/codegen/generator.hpp"
#include "runtime/codegen/history.hpp"
#include "runtime/codegen/lines.hpp"
#include "runtime/codegen/moves.hpp"
#include "runtime/codegen/numbers.hpp"
#include "runtime/codegen/rows.hpp"
#include "runtime/codegen/sets.hpp"
#include "runtime/codegen/stacks.hpp"
#include "runtime/codegen/vectors.hpp"

namespace boardwright::runtime::codegen {

namespace {

void operation(Generator& g, const I& i);

} // namespace

// ---------------------------------------------------------------- the whole

namespace {

void find_targets(Generator& g) {
  g.targets.resize(g.code.instructions.size() + 2);
  const auto target = [&g](std::size_t index, bool entry, bool wild) {
    Target& t = g.targets[index];
    t.is_target = true;
    t.entry = t.entry || entry;
    t.wild = t.wild || wild;
  };
  for (std::size_t k = 0; k < g.code.instructions.size(); ++k) {
    const I& i = g.code.instructions[k];
    if (!g.flow.reached[k]) continue;
    if (ir::jumps(i.op)) target(at(i.x), true, at(i.x) <= k);
    if (i.op == Op::call) target(k + 1, true, true);
    if (ir::about(i.op).leaves_out) target(k + 2, true, true);
  }
  for (const auto& labels : g.code.labels)
    for (const std::uint32_t label : labels) target(label, true, true);
  for (const ir::PlayerCode& p : g.code.players)
    for (const std::uint32_t entry : {p.position, p.play, p.notate, p.moves_done}) target(entry, true, true);
  for (const ir::Leaf& leaf : g.code.leaves) {
    // What leaves in order lead to is come to from nowhere else.
    const auto p = std::find_if(g.code.players.rbegin(), g.code.players.rend(),
                                [&](const ir::PlayerCode& q) { return q.position <= leaf.entry; });
    const bool in_order =
        p != g.code.players.rend() && !g.flow.in_order[at(g.code.players.rend() - p - 1)].empty();
    target(leaf.entry, !in_order, !in_order);
  }
  for (Target& t : g.targets)
    if (t.is_target) t.label = g.a.newLabel();
}

void come_to(Generator& g, std::size_t index) {
  Target& t = g.targets[index];
  if (!t.is_target) return;
  g.cells.clear();
  if (t.wild) {
    g.forget_all();
  } else if (index > 0 &&
             (!g.flow.reached[index - 1] || !ir::about(g.code.instructions[index - 1].op).goes_on)) {
    if (t.met) g.held = t.held;
    if (!t.met) g.forget_all();
  } else {
    g.arrive(t);
    g.held = t.held;
  }
  g.a.bind(t.label);
}

} // namespace

std::vector<std::pair<std::uint32_t, Label>> entries(const Generator& g) {
  std::vector<std::pair<std::uint32_t, Label>> all;
  for (std::size_t k = 0; k < g.targets.size(); ++k)
    if (g.targets[k].entry && (k >= g.flow.reached.size() || g.flow.reached[k]))
      all.emplace_back(static_cast<std::uint32_t>(k), g.targets[k].label);
  return all;
}

namespace {

// In: rdi executor, rsi sets, rdx numbers, rcx codes, r8 where to begin.
void begin(Generator& g) {
  for (const Gp& reg : Generator::kKept) g.a.push(reg);
  g.a.sub(x86::rsp, g.scratch_bytes()); // it is aligned in helpers' calls
  g.a.mov(g.executor, x86::rdi);
  g.a.mov(g.field(g.around.at.native_stack), x86::rsp);
  g.a.mov(g.sets, x86::rsi);
  g.a.mov(g.numbers, x86::rdx);
  g.a.mov(g.codes, x86::rcx);
  g.a.mov(g.trail, g.field(g.around.at.trail + kEnd));
  g.mov_address(g.table, g.addresses);
  g.a.jmp(x86::r8);
  g.a.bind(g.give_up); // out of any routine
  g.a.mov(x86::rsp, g.field(g.around.at.native_stack));
  g.a.bind(g.exit);
  g.a.mov(g.field(g.around.at.trail + kEnd), g.trail);
  g.a.add(x86::rsp, g.scratch_bytes());
  for (std::size_t k = Generator::kKept.size(); k-- > 0;) g.a.pop(Generator::kKept[k]);
  g.a.ret();
}

} // namespace

bool generate(Generator& g) {
  for (Label* label : {&g.exit, &g.give_up, &g.step, &g.jump, &g.room, &g.stock, &g.undo, &g.leave[0],
                       &g.leave[1], &g.come[0], &g.come[1], &g.spill_areas, &g.lift_stack, &g.put_stack,
                       &g.stack_changed, &g.top_changed})
    *label = g.a.newLabel();
  survey(g);
  find_targets(g);
  g.falls_back.assign(g.code.instructions.size(), false);
  begin(g);
  step_routine(g);
  keeping_routine(g, g.room, g.around.make_room);
  keeping_routine(g, g.stock, g.around.take_stock);
  undo_routine(g);
  if (g.around.bytes_of_codes != 0 && !g.code.layout.stacks) {
    for (const bool comes : {false, true})
      for (const bool notes : {false, true}) piece_routine(g, comes, notes);
  }
  if (g.code.layout.stacks) stack_routines(g);
  for (std::size_t k = 0; k < g.code.spill_areas.size(); ++k) restore_routine(g, k);
  for (std::size_t k = 0; k < g.around.floods.size(); ++k) flood_routine(g, k);
  g.forget_all();
  for (g.index = 0; g.index < g.code.instructions.size() && !g.failed; ++g.index) {
    if (!g.flow.reached[g.index]) continue;
    g.begin_part(static_cast<std::int32_t>(g.index));
    come_to(g, g.index);
    count_work(g, g.code.instructions[g.index]);
    operation(g, g.code.instructions[g.index]);
    g.release();
  }
  g.begin_part(kShared);
  // Behind the last instruction nothing comes, but something may seem to lead there.
  for (std::size_t k = g.code.instructions.size(); k < g.targets.size(); ++k)
    if (g.targets[k].is_target) g.a.bind(g.targets[k].label);
  g.a.jmp(g.exit);
  for (std::size_t k = 0; k < g.cold_code.size(); ++k) {
    const Cold part = g.cold_code[k];
    g.begin_part(part.index);
    g.a.bind(part.here);
    part.write();
  }
  g.begin_part(kShared);
  leaf_table(g);
  embed_ray_tables(g);
  g.a.align(asmjit::AlignMode::kData, 8);
  g.a.bind(g.spill_areas);
  for (const Label& area : g.spill_area_labels) g.a.embedLabel(area, 8);
  for (const auto& [table, windows] : g.row_windows) {
    g.a.bind(windows.label);
    g.a.embed(windows.words.data(), 8 * windows.words.size());
  }
  for (const JumpTable& jumps : g.jump_tables) {
    g.a.bind(jumps.label);
    for (const std::uint32_t index : *jumps.to) g.a.embedLabel(g.targets[index].label, 8);
  }
  return !g.failed;
}

namespace {

// What has no code of its own is carried out by the helper.
void operation(Generator& g, const I& i) {
  if (set_operation(g, i) || line_operation(g, i) || number_operation(g, i) || condition(g, i) || row(g, i) ||
      control(g, i) || sign(g, i) || change(g, i) || move(g, i) || turn(g, i))
    return;
  g.falls_back[g.index] = true;
  help(g);
}

} // namespace

// ---------------------------------------------------------------- memory

namespace {

// No page is both written and executed.
[[nodiscard]] asmjit::JitAllocator::CreateParams dual_mapping() {
  asmjit::JitAllocator::CreateParams parameters;
  parameters.options = asmjit::JitAllocatorOptions::kUseDualMapping;
  return parameters;
}

class ExecutableCode final : public NativeCode {
public:
  explicit ExecutableCode(const asmjit::JitAllocator::CreateParams& parameters) : runtime_(&parameters) {}
  ExecutableCode(const ExecutableCode&) = delete;
  ExecutableCode& operator=(const ExecutableCode&) = delete;
  ~ExecutableCode() override {
    if (run_ != nullptr) runtime_.release(run_);
  }
  bool make_of(const Surroundings& around);

private:
  asmjit::JitRuntime runtime_;
};

bool ExecutableCode::make_of(const Surroundings& around) {
  addresses_.resize(around.code->instructions.size() + 2);
  asmjit::CodeHolder holder;
  if (holder.init(runtime_.environment()) != asmjit::kErrorOk) return false;
  Generator generator(around, holder, addresses_.data());
  if (!generate(generator)) return false;
  if (runtime_.add(&run_, &holder) != asmjit::kErrorOk) return false;
  const auto* const base = reinterpret_cast<const std::byte*>(run_);
  const auto address = [&](const Label& label) { return base + holder.labelOffsetFromBase(label); };
  for (const auto& [index, label] : entries(generator)) addresses_[index] = address(label);
  exit_ = address(generator.exit);
  bytes_ = holder.codeSize();
  falls_back_ = generator.falls_back;
  parts_ = generator.parts;
  begin_ = base;
  of_ = around.code;
  return true;
}

} // namespace

bool NativeCode::possible() {
  const asmjit::CpuFeatures::X86& has = asmjit::CpuInfo::host().features().x86();
  return has.hasBMI() && has.hasBMI2() && has.hasPOPCNT() && has.hasLZCNT();
}

std::unique_ptr<const NativeCode> NativeCode::make(const Surroundings& around) {
  if (!possible()) return nullptr;
  auto made = std::make_unique<ExecutableCode>(dual_mapping());
  return made->make_of(around) ? std::move(made) : nullptr;
}

} // namespace boardwright::runtime::codegen

#else

namespace boardwright::runtime::codegen {

bool NativeCode::possible() { return false; }

std::unique_ptr<const NativeCode> NativeCode::make(const Surroundings&) { return nullptr; }

} // namespace boardwright::runtime::codegen

#endif
