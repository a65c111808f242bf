// What a round of a loop is counted as (kMaxWork), by the instructions it consists of.
#include "runtime/ir/operations.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

using Ir = ir::Op;

// About how many nanoseconds native code or its helpers take. Lists that may be long, and moves that are
// written and compared, are counted when that is done (Machine::work): most rounds leave much out.
std::uint64_t steps_of(const ir::Instruction& i, const ir::Code& code) {
  const auto words = static_cast<std::uint64_t>(code.layout.words);
  constexpr std::uint64_t kHelper = 8, kWriting = 16, kComparing = 64;
  switch (i.op) {
  case Ir::set_flood: return 16 * words;
  case Ir::set_rays:
  case Ir::set_slides:
  case Ir::set_between:
    return 2 * words * std::max<std::size_t>(1, code.steps[static_cast<std::size_t>(i.x)].size());
  case Ir::set_run:
  case Ir::set_mapped: return kHelper * words;
  case Ir::set_run_shift: return words * std::max<std::uint64_t>(1, i.y);
  case Ir::set_steps_by:
  case Ir::set_image:
  case Ir::set_displaced:
  case Ir::set_scaled:
  case Ir::set_fitting: return kHelper * kHelper;
  case Ir::repeats:
  case Ir::repeats_of:
  case Ir::earlier:
  case Ir::board_repeats:
  case Ir::visit:
  case Ir::path_enter:
  case Ir::memo_enter:
  case Ir::memo_leave:
  case Ir::outcomes_note:
  case Ir::outcomes_test: return kComparing;
  case Ir::drop:
  case Ir::change:
  case Ir::remove:
  case Ir::move_by:
  case Ir::lift_some:
  case Ir::put_some:
  case Ir::discard:
  case Ir::keep:
  case Ir::restore: return kWriting;
  default: break;
  }
  if (i.op >= Ir::say_text && i.op <= Ir::gone_back) return 2;
  const std::string_view roles = ir::about(i.op).roles;
  if (roles.find_first_of("Bb") != std::string_view::npos) return kHelper;
  return roles.find_first_of("SsW") != std::string_view::npos ? words : 1;
}

constexpr std::uint64_t kSharePerCall = 8;
constexpr std::uint64_t kNanosecondsPerStep = 2;

// A round of a loop: the instructions from where it begins up to one that leads back there.
struct Round {
  std::size_t begin = 0;
  std::uint64_t inner = 0; // what the loops within it take, each of whose rounds is counted by itself
  std::uint64_t all = 0;   // with those
};

// What a round of the loop takes that `back` leads back to the beginning of, without the loops within it.
// `open` are the loops before it that are in no other; those within it go from there.
std::uint64_t cost_of_round(std::size_t begin, std::size_t back, const std::vector<std::uint64_t>& before,
                            std::vector<Round>& open) {
  Round loop{begin, 0, before[back + 1] - before[begin]};
  for (; !open.empty() && open.back().begin > begin; open.pop_back()) loop.inner += open.back().all;
  if (!open.empty() && open.back().begin == begin) { // the same loop, which has another way back
    loop.inner += open.back().inner;
    open.pop_back();
  }
  open.push_back(loop);
  return loop.all - loop.inner;
}

} // namespace

void set_loop_costs(ir::Code& code) {
  auto& all = code.instructions;
  std::vector<std::uint64_t> before(all.size() + 1, 0); // of all before an instruction
  for (std::size_t k = 0; k < all.size(); ++k) before[k + 1] = before[k] + steps_of(all[k], code);
  // A called part ends at its first `ret`.
  std::vector<std::size_t> end(all.size() + 1, all.size());
  for (std::size_t k = all.size(); k-- > 0;) end[k] = all[k].op == Ir::ret ? k + 1 : end[k + 1];
  std::vector<Round> open;
  for (std::size_t k = 0; k < all.size(); ++k) {
    ir::Instruction& i = all[k];
    const auto to = static_cast<std::size_t>(i.x);
    std::uint64_t cost = 0;
    if (i.op == Ir::call) // most calls end soon: what they would do has been done
      cost = (before[end[to]] - before[to]) / kSharePerCall;
    else if (ir::jumps(i.op) && to <= k)
      cost = cost_of_round(to, k, before, open);
    cost = (cost + kNanosecondsPerStep - 1) / kNanosecondsPerStep;
    i.cost =
        static_cast<std::uint16_t>(std::min<std::uint64_t>(cost, std::numeric_limits<std::uint16_t>::max()));
  }
}

} // namespace boardwright::runtime::passes
