// What each operation reads, writes and may do next: the table of ir.hpp, as functions. All passes, the
// verifier, native code and the text form ask here, so that an operation is described in one place.
#pragma once

#include "runtime/ir/ir.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace boardwright::runtime::ir {

enum class Operand : std::uint8_t { d, a, b, c, x, y };
inline constexpr std::size_t kRegisterOperands = 4; // d, a, b, c: the others are none

// A line of the table.
struct Operation {
  enum class Written : std::uint8_t { always, behind, where_it_jumps };

  std::string_view name, roles; // a letter for each Operand
  std::string_view what;        // as it stands there; description_of says what "likewise" is
  std::array<std::uint8_t, kRegisterOperands> span{1, 1, 1, 1}; // registers in a row
  bool reads_d = false;
  Written written = Written::always; // operand d
  bool goes_on = true;               // behind itself
  bool leaves_out = false;           // may go on behind the next one
  bool to_moves = false, to_positions = false;
  bool may_fail = false;
  bool names_all = true; // its operands d to c are all the sets of the state that it goes by

  constexpr Operation(std::string_view name_, std::string_view roles_, std::string_view more,
                      std::string_view what_)
      : name(name_), roles(roles_), what(what_) {
    std::size_t operand = 0;
    for (const char m : more) {
      if (m >= 'a' && m <= 'd') operand = m == 'd' ? 0 : static_cast<std::size_t>(m - 'a') + 1;
      if (m >= '2' && m <= '9') span[operand] = static_cast<std::uint8_t>(m - '0');
      if (m == '+') reads_d = true;
      if (m == '>') written = Written::behind;
      if (m == '^') written = Written::where_it_jumps;
      if (m == '.') goes_on = false;
      if (m == '~') leaves_out = true;
      if (m == 'L') to_moves = true;
      if (m == 'P') to_positions = true;
      if (m == '!') may_fail = true;
      if (m == '*') names_all = false;
    }
  }
  [[nodiscard]] constexpr char role(Operand o) const { return roles[static_cast<std::size_t>(o)]; }
  [[nodiscard]] constexpr bool jumps() const { return role(Operand::x) == 'j'; }
};

inline constexpr Operation kOperations[] = {
#define X(name, roles, more, what) Operation(#name, roles, more, what),
    BOARDWRIGHT_IR(X)
#undef X
};
inline constexpr std::size_t kOperationCount = sizeof(kOperations) / sizeof(kOperations[0]);

[[nodiscard]] constexpr const Operation& about(Op op) { return kOperations[static_cast<std::size_t>(op)]; }
// Does operand x say where to go on?
[[nodiscard]] constexpr bool jumps(Op op) { return about(op).jumps(); }
// What it does, in words. What the table says "likewise" of is told with what comes before it there.
[[nodiscard]] std::string description_of(Op op);

// The leaves that an operation finds moves of.
[[nodiscard]] constexpr bool is_leaf(Op op) { return about(op).role(Operand::x) == 'f'; }
// Does it change the state, the notation included, in a way that `undo` takes back?
[[nodiscard]] constexpr bool changes_state(Op op) {
  return (op >= Op::put_in && op <= Op::gone_back) || op == Op::again;
}

// Does it change one set of the state, the one that it names, by members that it names?
[[nodiscard]] constexpr bool changes_one_set(Op op) {
  return op == Op::put_in || op == Op::take_out || op == Op::join_set || op == Op::leave_set;
}

// ---------------------------------------------------------------- registers

enum class File : std::uint8_t { sets, numbers, boxes };

struct Use {
  File file = File::sets;
  Reg reg = 0;
  bool read = false;
  bool written = false; // on the way that Operation::written says
};

namespace detail {

struct Role {
  File file = File::sets;
  bool is_register = false, capital = false;
};

[[nodiscard]] constexpr Role role_of(char letter) {
  switch (letter) {
  case 's': return {File::sets, true, false};
  case 'S':
  case 'W': return {File::sets, true, true};
  case 'n': return {File::numbers, true, false};
  case 'N':
  case 'M': return {File::numbers, true, true};
  case 'b': return {File::boxes, true, false};
  case 'B': return {File::boxes, true, true};
  default: return {};
  }
}

template <class F>
void each_in_tables(const Code& code, const Instruction& i, F&& use) {
  const auto read = [&](File file, Reg r) { use(Use{file, r, true, false}); };
  const auto choice = [&](const Choice& c) {
    if (c.from == Choice::From::number) read(File::numbers, static_cast<Reg>(c.value));
  };
  const Operation& o = about(i.op);
  const auto x = static_cast<std::size_t>(i.x);
  if (o.role(Operand::c) == 'k') {
    const DraftKey& key = code.keys[i.c];
    for (const Reg r : key.sets) read(File::sets, r);
    for (const Reg r : key.numbers) read(File::numbers, r);
    for (const Reg r : key.boxes) read(File::boxes, r);
  }
  if (o.role(Operand::x) == 'c')
    for (const Choice& c : code.choice_lists[x]) choice(c);
  if (o.role(Operand::x) == 'f') {
    const Leaf& leaf = code.leaves[x];
    for (const Reg r : leaf.values) read(File::numbers, r);
    for (const Choice& c : leaf.choices) choice(c);
    if (leaf.base >= 0) read(File::numbers, static_cast<Reg>(leaf.base));
  }
}

} // namespace detail

// Calls `use` with every register that an instruction names, also by its tables. Not with what belongs to the
// state or the draft and isn't named, nor with a spill area's registers: `keep` keeps them for the `restore`
// that follows, and only what is read behind that is read (see passes/dead_values.cpp). Indices are in their
// tables.
template <class F>
void each_use(const Code& code, const Instruction& i, F&& use) {
  const Operation& o = about(i.op);
  const Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t k = 0; k < kRegisterOperands; ++k) {
    const detail::Role role = detail::role_of(o.roles[k]);
    if (!role.is_register) continue;
    if (k == 2 && i.y != 0 && o.role(Operand::y) == 'a') continue;
    const bool state = o.roles[k] == 'W' || o.roles[k] == 'M';
    const bool read = !role.capital || k > 0 || o.reads_d || state;
    for (int n = 0; n < o.span[k]; ++n)
      use(Use{role.file, static_cast<Reg>(operands[k] + n), read, role.capital});
  }
  detail::each_in_tables(code, i, use);
}

// ---------------------------------------------------------------- where it goes on

// Calls `next` with the places where a run may go on behind instruction k, once or several times with the
// same. Behind a call that is where the called code comes back to; what is called stands in its operand x.
// `ret` goes back to whoever has called, and nowhere here. Nor does anything that ends a turn or takes up a
// move: those go on at the places of Code::players and Code::leaves (Operation::to_positions, to_moves), and
// so does whoever is interrupted since enough moves are known. (FlowGraph knows calls and turns.)
template <class F>
void each_next(const Code& code, std::size_t k, F&& next) {
  const Instruction& i = code.instructions[k];
  const Operation& o = about(i.op);
  if (o.role(Operand::x) == 'J')
    for (const std::uint32_t to : code.labels[static_cast<std::size_t>(i.x)])
      next(static_cast<std::size_t>(to));
  if (o.leaves_out) next(k + 2);
  if (o.jumps() && i.op != Op::call) next(static_cast<std::size_t>(i.x));
  if (o.goes_on) next(k + 1);
}

} // namespace boardwright::runtime::ir
