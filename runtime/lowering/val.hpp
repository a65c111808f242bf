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
struct Val {
  enum class Kind : std::uint8_t { none, set, cell, number, steps, step, ways, box } kind = Kind::none;
  Reg reg = 0; // of a set; of a cell or a step (numbers, -1 for none); of a number; of ways: a set of steps;
               // of a box
  StepSet steps;     // of steps: they are known
  Contents contents; // of sets and cells: what may be there

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
};

// A value of which so much is known.
[[nodiscard]] inline Val make_val(Val::Kind kind, Reg reg, const Contents& contents = {}) {
  Val v;
  v.kind = kind;
  v.reg = reg;
  v.contents = contents;
  return v;
}
[[nodiscard]] inline Val make_set(Reg r, const Contents& c) { return make_val(Val::Kind::set, r, c); }
[[nodiscard]] inline Val make_cell(Reg r, const Contents& c) { return make_val(Val::Kind::cell, r, c); }
[[nodiscard]] inline Val make_number(Reg r) { return make_val(Val::Kind::number, r); }
[[nodiscard]] inline Val make_step(Reg r) { return make_val(Val::Kind::step, r); }
[[nodiscard]] inline Val make_ways(Reg r) { return make_val(Val::Kind::ways, r); }
[[nodiscard]] inline Val make_box(Reg r) { return make_val(Val::Kind::box, r); }
[[nodiscard]] inline Val make_steps(const StepSet& s) {
  Val v = make_val(Val::Kind::steps, 0);
  v.steps = s;
  return v;
}

} // namespace boardwright::runtime::lowering
