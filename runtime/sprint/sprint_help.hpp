// Sprints in native code (sprint_native.hpp): the operations that native code leaves to C++, and the call.
#pragma once

#include "runtime/sprint/sprint_run.hpp"

#include <new>
#include <type_traits>

namespace boardwright::runtime::machine {

// One function for each operation that has no instructions of its own, at least not at this width.
template <int W>
struct SprintHelp {
  using What = SprintOp::What;
  using Set = Bits<W>;
  using Leaf = typename Sprint<W>::Leaf;

  // Makes a helper of a function of the sprint and the operation, with a number or a truth as its result or
  // none.
  template <auto kDo>
  static std::uint64_t helper(void* sprint, const SprintOp* op) {
    Sprint<W>& s = *static_cast<Sprint<W>*>(sprint);
    if constexpr (std::is_void_v<decltype(kDo(s, *op))>) {
      kDo(s, *op);
      return 0;
    } else {
      return static_cast<std::uint64_t>(kDo(s, *op));
    }
  }

  static void run_up(Sprint<W>& s, const SprintOp& op) { s.sets_[op.d] = s.template ran_straight<true>(op); }
  static void run_down(Sprint<W>& s, const SprintOp& op) {
    s.sets_[op.d] = s.template ran_straight<false>(op);
  }
  static void jump(Sprint<W>& s, const SprintOp& op) { s.sets_[op.d] = s.jumped(op); }
  static void jump_back(Sprint<W>& s, const SprintOp& op) { s.sets_[op.d] = s.jumped_back(op); }
  static void run(Sprint<W>& s, const SprintOp& op) { s.sets_[op.d] = s.ran(op); }
  static void flood(Sprint<W>& s, const SprintOp& op) {
    s.sets_[op.d] = s.flood(at(op.x), s.sets_[op.a], s.sets_[op.b]);
  }
  static void rays(Sprint<W>& s, const SprintOp& op) {
    s.sets_[op.d] =
        Sprint<W>::template seen_along<false>(s.tables_.rays[at(op.x)], s.cells_[op.a], s.sets_[op.b]);
  }
  static void slides(Sprint<W>& s, const SprintOp& op) {
    s.sets_[op.d] =
        Sprint<W>::template seen_along<true>(s.tables_.rays[at(op.x)], s.cells_[op.a], s.sets_[op.b]);
  }
  static void first(Sprint<W>& s, const SprintOp& op) { s.sets_[op.d] = s.sets_[op.a].only_first(); }
  static void last(Sprint<W>& s, const SprintOp& op) { s.sets_[op.d] = s.sets_[op.a].only_last(); }
  static void multiply(Sprint<W>& s, const SprintOp& op) {
    s.numbers_[op.d] = saturated(std::int64_t{s.numbers_[op.a]} * s.numbers_[op.b]);
  }
  static void divide(Sprint<W>& s, const SprintOp& op) {
    s.numbers_[op.d] = saturated(divided(s.numbers_[op.a], s.numbers_[op.b]));
  }
  static void modulo(Sprint<W>& s, const SprintOp& op) {
    s.numbers_[op.d] = saturated(remainder(s.numbers_[op.a], s.numbers_[op.b]));
  }
  static void repeats(Sprint<W>& s, const SprintOp& op) { s.numbers_[op.d] = s.repeats(); }
  static void look(Sprint<W>& s, const SprintOp&) {
    s.to_move_ = s.frame_.to_move;
    s.look();
  }
  // True: there is no memory for it. Nothing may be thrown through native code.
  static bool enter_history(Sprint<W>& s, const SprintOp&) {
    try {
      s.enter_history();
      return false;
    } catch (const std::bad_alloc&) {
      return true;
    }
  }
  static bool if_row(Sprint<W>& s, const SprintOp& op) {
    return s.in_row(s.tables_.rows[op.c], s.cells_[op.a], s.sets_[op.b]);
  }
  // The lowest cell, or -1.
  static int take(Sprint<W>& s, const SprintOp& op) {
    const int cell = s.sets_[op.a].first();
    if (cell >= 0) s.sets_[op.a].clear(cell);
    return cell;
  }
  static void write(Sprint<W>& s, const SprintOp& op) { s.write(op); }
  static void write_put(Sprint<W>& s, const SprintOp& op) { s.write_put(op); }
  static void write_set(Sprint<W>& s, const SprintOp& op) { s.write_set(op); }

  static bool leaf_once(Sprint<W>& s, const SprintOp& op) {
    s.to_move_ = s.frame_.to_move;
    auto* end = static_cast<Leaf*>(static_cast<void*>(s.frame_.leaf_end));
    const bool good = s.leaf_once(op, s.frame_.total, end);
    s.frame_.leaf_end = static_cast<std::byte*>(static_cast<void*>(end));
    return !good;
  }

  static NativeLayout layout(const SprintTables<W>& tables) {
    NativeLayout l;
    l.words = W;
    l.numbers = SprintRegisters<W>::numbers_at(tables.code);
    l.cells = SprintRegisters<W>::cells_at(tables.code, tables.line_count());
    for (std::size_t k = 0; k < tables.code.lines.size(); ++k) {
      const auto& row = tables.rows[tables.code.lines[k].row];
      l.lines.push_back({SprintRegisters<W>::lines_at(tables.code) + 4 * tables.lines_before(k),
                         row.places.data(), static_cast<int>(row.forth.size()), row.shifts, row.with.data()});
    }
    l.most_rounds = static_cast<std::uint32_t>(Sprint<W>::kMostRounds);
    l.enter_history = helper<enter_history>;
    const auto help = [&l](What what, NativeHelper h) { l.help[static_cast<std::size_t>(what)] = h; };
#define HELP(name) help(What::name, helper<SprintHelp::name>)
    HELP(run_up), HELP(run_down), HELP(jump), HELP(jump_back), HELP(run), HELP(flood), HELP(rays),
        HELP(slides);
    HELP(first), HELP(last), HELP(multiply), HELP(divide), HELP(modulo), HELP(repeats), HELP(look),
        HELP(if_row);
    HELP(take), HELP(write), HELP(write_put), HELP(write_set), HELP(leaf_once);
#undef HELP
    if constexpr (W == 1) {
      for (const auto& row : tables.rows) {
        NativeLayout::Row& into = l.rows.emplace_back();
        for (const auto& axis : row.axes) {
          into.shifts.push_back(axis.shifts);
          into.begins.push_back(axis.begins.data());
        }
      }
    }
    return l;
  }
};

template <int W>
const NativeCode* SprintTables<W>::native() const {
  std::call_once(native_once_, [this] { native_ = NativeCode::make(code, SprintHelp<W>::layout(*this)); });
  return native_.get();
}

template <int W>
void Sprint<W>::exec_native(const NativeCode& code, Random& random, std::uint32_t max_plies,
                            Playout& result) {
  const auto bytes = [](auto* p) { return static_cast<std::byte*>(static_cast<void*>(p)); };
  static_assert(sizeof(Leaf) == W * 8 + 16, "native code knows where the parts of a leaf are");
  frame_.sprint = this;
  frame_.registers = static_cast<std::uint64_t*>(static_cast<void*>(registers_.block()));
  frame_.leaves = bytes(leaves_.data());
  frame_.leaf_limit = bytes(leaves_.data() + most_drafts());
  frame_.drafts = static_cast<std::uint64_t*>(static_cast<void*>(drafts_.data()));
  frame_.keys = keys_.data();
  frame_.pool = pool_.data();
  frame_.stack = native_stack_.get();
  frame_.stack_limit = frame_.stack + kNativeStack;
  frame_.random = random.state();
  frame_.moves = 0;
  frame_.plies = 0;
  frame_.max_plies = max_plies;
  frame_.pool_size = static_cast<std::uint32_t>(pool_size_);
  frame_.again = 0;
  frame_.to_move = to_move_;
  const std::uint32_t end = code.run(frame_);
  random = Random(frame_.random);
  result.moves = frame_.moves;
  plies_ = frame_.plies;
  to_move_ = frame_.to_move;
  gave_up_ = end == kGaveUp;
  if (end == kNoMove) result.outcome = Outcome{0, 0, Outcome::By::no_move};
  if (end >= kDecided) verdict_ = &code_.verdicts[end - kDecided];
}

} // namespace boardwright::runtime::machine
