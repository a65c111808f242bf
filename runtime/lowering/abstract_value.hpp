// What is known of a value: in which register it stands, or what it is.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/model/program.hpp"

#include <bitset>
#include <cstdint>

namespace boardwright::runtime::lowering {

using ir::Reg;

// What may be on a cell: codes of pieces, 0 for nothing.
using Contents = std::bitset<256>;

// What is known of a value.
struct AbstractValue {
  enum class Kind : std::uint8_t { none, set, cell, number, steps, step, ways, box } kind = Kind::none;
  Reg reg = 0; // of a set; of a cell or a step (numbers, -1 for none); of a number; of ways: a set of steps;
               // of a box
  StepSet steps;     // of steps: they are known
  Contents contents; // of sets and cells: what may be there

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
};

// A value of which so much is known.
[[nodiscard]] inline AbstractValue make_value(AbstractValue::Kind kind, Reg reg,
                                              const Contents& contents = {}) {
  AbstractValue v;
  v.kind = kind;
  v.reg = reg;
  v.contents = contents;
  return v;
}
[[nodiscard]] inline AbstractValue make_set(Reg r, const Contents& c) {
  return make_value(AbstractValue::Kind::set, r, c);
}
[[nodiscard]] inline AbstractValue make_cell(Reg r, const Contents& c) {
  return make_value(AbstractValue::Kind::cell, r, c);
}
[[nodiscard]] inline AbstractValue make_number(Reg r) { return make_value(AbstractValue::Kind::number, r); }
[[nodiscard]] inline AbstractValue make_step(Reg r) { return make_value(AbstractValue::Kind::step, r); }
[[nodiscard]] inline AbstractValue make_ways(Reg r) { return make_value(AbstractValue::Kind::ways, r); }
[[nodiscard]] inline AbstractValue make_box(Reg r) { return make_value(AbstractValue::Kind::box, r); }
[[nodiscard]] inline AbstractValue make_steps(const StepSet& s) {
  AbstractValue v = make_value(AbstractValue::Kind::steps, 0);
  v.steps = s;
  return v;
}

} // namespace boardwright::runtime::lowering
