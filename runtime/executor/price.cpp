#include "runtime/executor/price.hpp"

#include "runtime/ir/operations.hpp"

#include <string_view>

namespace boardwright::runtime::executor {

namespace {

using Ir = ir::Op;

// Of sets of more words native code has not all at hand, and leaves some operations to others.
constexpr std::size_t kWordsAtHand = 4;

std::size_t tenths_of_sets(const ir::Instruction& i, const ir::Code& code) {
  const auto words = at(code.layout.words);
  switch (i.op) {
  case Ir::set_flood: return 40 * words; // and each round by itself
  case Ir::set_rays:
  case Ir::set_slides:
  case Ir::set_between: return 30 + 5 * words * std::max<std::size_t>(1, code.steps[at(i.x)].size());
  case Ir::set_run:
  case Ir::set_mapped: return 100 * words;
  case Ir::set_run_shift: return (words > kWordsAtHand ? 20 : 7) * words * std::max<std::size_t>(1, i.y);
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
constexpr std::size_t kLookingUp = 500;
// Changes of pieces with all that is noted of them.
constexpr std::size_t kChanging = 80;

std::size_t tenths_of(const ir::Instruction& i, const ir::Code& code) {
  const auto words = at(code.layout.words);
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
  if (i.op <= Ir::set_join) return tenths_of_sets(i, code);
  if (i.op >= Ir::say_text && i.op <= Ir::gone_back) return 12;
  const std::string_view roles = ir::about(i.op).roles;
  if (roles.find_first_of("Bb") != std::string_view::npos) return kChanging;
  return roles.find_first_of("SsW") != std::string_view::npos ? 6 + 4 * words : 4;
}

} // namespace

std::vector<std::uint32_t> tenths_of_nanoseconds(const ir::Code& code) {
  std::vector<std::uint32_t> all;
  for (const ir::Instruction& i : code.instructions)
    all.push_back(static_cast<std::uint32_t>(tenths_of(i, code)));
  return all;
}

std::uint32_t price_of(std::uint64_t steps_done, std::uint64_t steps_counted) {
  constexpr std::uint64_t kLeast = kWholePrice / 32, kMost = std::uint64_t{4} * kWholePrice;
  if (steps_counted == 0) return kWholePrice;
  return static_cast<std::uint32_t>(std::clamp(steps_done * kWholePrice / steps_counted, kLeast, kMost));
}

} // namespace boardwright::runtime::executor
