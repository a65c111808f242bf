#include "runtime/model/operations.hpp"

namespace boardwright::runtime {

std::uint16_t own_reads(Op op) {
  switch (op) {
  case Op::by_kind:
  case Op::kind_at:
  case Op::owned:
  case Op::empty:
  case Op::kind_cells:
  case Op::union_of: // of kinds
  case Op::height:
  case Op::pieces:
  case Op::by_kind_action:
  case Op::remove:
  case Op::change:
  case Op::move_by: return kBoard;
  case Op::variable: return kVariables;
  case Op::hand:
  case Op::hand_total: return kHands;
  case Op::carried: return kCarried;
  case Op::ply:
  case Op::turns: return kGame;
  case Op::board_repeats: return kBoard | kGame;
  case Op::repeats:
  case Op::no_move: return kPosition | kOut | kGame;
  case Op::changed: return kBoard | kHands | kBeginning;
  case Op::still_in: return kOut;
  case Op::here:
  case Op::at:
  case Op::go:
  case Op::bend: return kHere;
  case Op::start: return kStart;
  case Op::heading: return kHeading;
  case Op::lift:
  case Op::put:
  case Op::discard: return kHere | kBoard | kCarried;
  case Op::drop: return kBoard | kHands;
  case Op::set_hand: return kHands;
  case Op::lose: return kOut;
  default: return kNoPart;
  }
}

std::uint16_t own_writes(Op op) {
  switch (op) {
  case Op::from: return kHere | kStart | kHeading | kNotation;
  case Op::to: return kHere | kHeading;
  case Op::go:
  case Op::bend: return kHere | kHeading;
  case Op::lift: return kBoard | kCarried;
  case Op::put:
  case Op::discard: return kBoard | kCarried | kNotation;
  case Op::remove:
  case Op::change:
  case Op::move_by: return kBoard | kNotation;
  case Op::drop: return kBoard | kHands | kNotation;
  case Op::set_variable: return kVariables;
  case Op::set_hand: return kHands;
  case Op::again: return kAgain;
  case Op::win:
  case Op::draw: return kDecision;
  case Op::lose: return kDecision | kOut;
  case Op::pass:
  case Op::say: return kNotation;
  default: return kNoPart;
  }
}

} // namespace boardwright::runtime
