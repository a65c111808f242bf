// What instructions are counted as (Instruction::cost), so that what is counted on any way through the code
// is what is done on it: parts that are passed over cost nothing.
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

// Parts of a step (kMaxWork), of about a tenth of a nanosecond.
constexpr std::uint64_t kPartsPerStep = 20;

// Of sets of more words native code has not all at hand, and leaves some operations to others.
constexpr std::uint64_t kWordsAtHand = 4;

// Operations on whole sets.
std::uint64_t parts_of_sets(const ir::Instruction& i, const ir::Code& code) {
  const auto words = static_cast<std::uint64_t>(code.layout.words);
  switch (i.op) {
  case Ir::set_flood: return 40 * words; // and each round by itself
  case Ir::set_rays:
  case Ir::set_slides:
  case Ir::set_between:
    return 30 + 5 * words * std::max<std::size_t>(1, code.steps[static_cast<std::size_t>(i.x)].size());
  case Ir::set_run:
  case Ir::set_mapped: return 100 * words;
  case Ir::set_run_shift: return (words > kWordsAtHand ? 20 : 7) * words * std::max<std::uint64_t>(1, i.y);
  case Ir::set_around:
  case Ir::set_table: return 10;
  case Ir::set_steps_by:
  case Ir::set_image:
  case Ir::set_displaced:
  case Ir::set_scaled:
  case Ir::set_fitting: return 200;
  default: return 3 * words;
  }
}

// What looks for a key in a table, or makes one of the state.
constexpr std::uint64_t kLookingUp = 500;
// Changes of pieces with all that is noted of them.
constexpr std::uint64_t kChanging = 80;

std::uint64_t parts_of(const ir::Instruction& i, const ir::Code& code) {
  const auto words = static_cast<std::uint64_t>(code.layout.words);
  switch (i.op) {
  case Ir::repeats:
  case Ir::repeats_of:
  case Ir::earlier:
  case Ir::board_repeats:
  case Ir::visit:
  case Ir::path_enter:
  case Ir::memo_enter:
  case Ir::memo_leave:
  case Ir::outcomes_note:
  case Ir::outcomes_test:
  case Ir::snapshot: return kLookingUp;
  case Ir::drop:
  case Ir::change:
  case Ir::move_by: return 300;
  case Ir::remove:
  case Ir::lift:
  case Ir::lift_some:
  case Ir::put_some:
  case Ir::discard:
  case Ir::set_piece:
  case Ir::leaf_once:
  case Ir::keep:
  case Ir::restore: return kChanging;
  case Ir::put:
  case Ir::leaf_one:
  case Ir::leaf_key:
  case Ir::call:
  case Ir::ret:
  case Ir::if_row:
  case Ir::if_no_row: return 30;
  case Ir::take: return 10 + 2 * words;
  default: break;
  }
  if (i.op <= Ir::set_join) return parts_of_sets(i, code);
  if (i.op >= Ir::say_text && i.op <= Ir::gone_back) return 12;
  const std::string_view roles = ir::about(i.op).roles;
  if (roles.find_first_of("Bb") != std::string_view::npos) return kChanging;
  return roles.find_first_of("SsW") != std::string_view::npos ? 6 + 4 * words : 4;
}

// Where so much has come together it is counted: seldom enough that counting takes little, and soon enough
// that what is passed over isn't paid for.
constexpr std::uint64_t kDebt = 8 * kPartsPerStep;

// What ways through the code owe when they come to an instruction, of which nothing is counted yet.
struct Arrivals {
  std::uint64_t owed = 0, ways = 0;
  [[nodiscard]] std::uint64_t debt() const { return ways == 0 ? 0 : owed / ways; }
};

// Does a run end here, or come to an instruction before this one, or to a part that is called?
bool must_pay(const ir::Code& code, std::size_t k) {
  bool back = code.instructions[k].op == Ir::call, on = false;
  ir::each_next(code, k, [&](std::size_t to) { to <= k ? back = true : on = true; });
  return back || !on;
}

} // namespace

void set_costs(ir::Code& code) {
  auto& all = code.instructions;
  std::vector<Arrivals> arrivals(all.size() + 2); // the last instruction may seem to go on
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::uint64_t debt = arrivals[k].debt() + parts_of(all[k], code);
    const bool must = must_pay(code, k);
    all[k].cost = 0;
    if (must || debt >= kDebt) {
      const std::uint64_t steps = std::max<std::uint64_t>((debt + kPartsPerStep / 2) / kPartsPerStep, 1);
      all[k].cost = static_cast<std::uint16_t>(
          std::min<std::uint64_t>(steps, std::numeric_limits<std::uint16_t>::max()));
      debt = 0;
    }
    ir::each_next(code, k, [&](std::size_t to) {
      if (to <= k) return;
      arrivals[to].owed += debt;
      ++arrivals[to].ways;
    });
  }
}

} // namespace boardwright::runtime::passes
