#include "runtime/codegen/native_code.hpp"

#ifdef BOARDWRIGHT_ASMJIT

#include "runtime/codegen/generator.hpp"

#include <algorithm>

namespace boardwright::runtime::codegen {

// ---------------------------------------------------------------- the whole

void Generator::find_targets() {
  targets_.resize(code_.instructions.size() + 2);
  const auto target = [this](std::size_t index, bool entry, bool wild) {
    Target& t = targets_[index];
    t.is_target = true;
    t.entry = t.entry || entry;
    t.wild = t.wild || wild;
  };
  for (std::size_t k = 0; k < code_.instructions.size(); ++k) {
    const I& i = code_.instructions[k];
    if (!flow_.reached[k]) continue;
    if (ir::jumps(i.op)) target(at(i.x), true, at(i.x) <= k);
    if (i.op == Op::call) target(k + 1, true, true);
    if (ir::about(i.op).leaves_out) target(k + 2, true, true);
  }
  for (const auto& labels : code_.labels)
    for (const std::uint32_t label : labels) target(label, true, true);
  for (const ir::PlayerCode& p : code_.players)
    for (const std::uint32_t entry : {p.position, p.play, p.notate, p.moves_done}) target(entry, true, true);
  for (const ir::Leaf& leaf : code_.leaves) {
    // What leaves in order lead to is come to from nowhere else.
    const auto p = std::find_if(code_.players.rbegin(), code_.players.rend(),
                                [&](const ir::PlayerCode& q) { return q.position <= leaf.entry; });
    const bool in_order =
        p != code_.players.rend() && !flow_.in_order[at(code_.players.rend() - p - 1)].empty();
    target(leaf.entry, !in_order, !in_order);
  }
  for (Target& t : targets_)
    if (t.is_target) t.label = a_.newLabel();
}

void Generator::come_to(std::size_t index) {
  Target& t = targets_[index];
  if (!t.is_target) return;
  cells_.clear();
  if (t.wild) {
    forget_all();
  } else if (index > 0 &&
             (!flow_.reached[index - 1] || !ir::about(code_.instructions[index - 1].op).goes_on)) {
    if (t.met) held_ = t.held;
    if (!t.met) forget_all();
  } else {
    arrive(t);
    held_ = t.held;
  }
  a_.bind(t.label);
}

std::vector<std::pair<std::uint32_t, Label>> Generator::entries() const {
  std::vector<std::pair<std::uint32_t, Label>> all;
  for (std::size_t k = 0; k < targets_.size(); ++k)
    if (targets_[k].entry && (k >= flow_.reached.size() || flow_.reached[k]))
      all.emplace_back(static_cast<std::uint32_t>(k), targets_[k].label);
  return all;
}

// In: rdi executor, rsi sets, rdx numbers, rcx codes, r8 where to begin.
void Generator::begin() {
  for (const Gp& reg : kKept) a_.push(reg);
  a_.sub(x86::rsp, scratch_bytes()); // it is aligned in helpers' calls
  a_.mov(executor_, x86::rdi);
  a_.mov(field(around_.at.native_stack), x86::rsp);
  a_.mov(sets_, x86::rsi);
  a_.mov(numbers_, x86::rdx);
  a_.mov(codes_, x86::rcx);
  a_.mov(trail_, field(around_.at.trail + kEnd));
  mov_address(table_, addresses_);
  a_.jmp(x86::r8);
  a_.bind(give_up_); // out of any routine
  a_.mov(x86::rsp, field(around_.at.native_stack));
  a_.bind(exit_);
  a_.mov(field(around_.at.trail + kEnd), trail_);
  a_.add(x86::rsp, scratch_bytes());
  for (std::size_t k = kKept.size(); k-- > 0;) a_.pop(kKept[k]);
  a_.ret();
}

bool Generator::generate() {
  for (Label* label :
       {&exit_, &give_up_, &step_, &jump_, &room_, &stock_, &undo_, &leave_[0], &leave_[1], &come_[0],
        &come_[1], &windows_, &lift_stack_, &put_stack_, &stack_changed_, &top_changed_})
    *label = a_.newLabel();
  survey();
  find_targets();
  falls_back_.assign(code_.instructions.size(), false);
  begin();
  step_routine();
  keeping_routine(room_, around_.make_room);
  keeping_routine(stock_, around_.take_stock);
  undo_routine();
  if (around_.bytes_of_codes != 0 && !code_.layout.stacks) {
    for (const bool comes : {false, true})
      for (const bool notes : {false, true}) piece_routine(comes, notes);
  }
  if (code_.layout.stacks) stack_routines();
  for (std::size_t k = 0; k < code_.windows.size(); ++k) restore_routine(k);
  for (std::size_t k = 0; k < around_.floods.size(); ++k) flood_routine(k);
  forget_all();
  for (index_ = 0; index_ < code_.instructions.size() && !failed_; ++index_) {
    if (!flow_.reached[index_]) continue;
    come_to(index_);
    count_work(code_.instructions[index_]);
    operation(code_.instructions[index_]);
    release();
  }
  // Behind the last instruction nothing comes, but something may seem to lead there.
  for (std::size_t k = code_.instructions.size(); k < targets_.size(); ++k)
    if (targets_[k].is_target) a_.bind(targets_[k].label);
  a_.jmp(exit_);
  for (std::size_t k = 0; k < cold_.size(); ++k) {
    const Cold part = cold_[k];
    a_.bind(part.here);
    part.write();
  }
  leaf_table();
  embed_ray_tables();
  a_.align(asmjit::AlignMode::kData, 8);
  a_.bind(windows_);
  for (const Label& window : window_labels_) a_.embedLabel(window, 8);
  for (const auto& [table, windows] : row_windows_) {
    a_.bind(windows.label);
    a_.embed(windows.words.data(), 8 * windows.words.size());
  }
  for (const Jumps& jumps : jump_tables_) {
    a_.bind(jumps.label);
    for (const std::uint32_t index : *jumps.to) a_.embedLabel(targets_[index].label, 8);
  }
  return !failed_;
}

// What has no code of its own is carried out by the helper.
void Generator::operation(const I& i) {
  if (set_operation(i) || line_operation(i) || number_operation(i) || condition(i) || row(i) || control(i) ||
      change(i) || move(i) || turn(i))
    return;
  falls_back_[index_] = true;
  help();
}

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
  if (!generator.generate()) return false;
  if (runtime_.add(&run_, &holder) != asmjit::kErrorOk) return false;
  const auto* const base = reinterpret_cast<const std::byte*>(run_);
  const auto address = [&](const Label& label) { return base + holder.labelOffsetFromBase(label); };
  for (const auto& [index, label] : generator.entries()) addresses_[index] = address(label);
  exit_ = address(generator.exit());
  bytes_ = holder.codeSize();
  falls_back_ = generator.falls_back();
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
