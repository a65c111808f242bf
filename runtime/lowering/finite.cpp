// Values that depend on nothing but one direction and one kind: what they are is worked out for each of them
// while code is made, and looked up. So mirrors, facings and what a piece becomes cost a look into a table,
// however they are written.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <cassert>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// What a value is, for one direction and one kind that are supposed.
struct Lowering::Finite {
  const Lowering& l;
  const Draft& d;
  std::optional<Reg> step, name; // the direction, the name of the kind: numbers
  NodeId cell = kNoNode;         // or where the piece of that kind is
  bool asks = false;             // it is one thing or another
  int step_is = -1, kind_is = -1;

  [[nodiscard]] NodeId kid(NodeId id, std::uint32_t i) const { return l.kid(id, i); }
  [[nodiscard]] bool reads_kind() const { return name.has_value() || cell != kNoNode; }
  bool read(NodeId id);
  bool read_kids(NodeId id, std::uint32_t from = 0, std::uint32_t but = 0);
  bool read_step(const Val& v);
  bool read_name(const Val& v);
  bool read_cell(NodeId of);
  [[nodiscard]] StepSet steps(NodeId id) const;
  [[nodiscard]] StepSet steps_of(const Val& v) const;
  [[nodiscard]] std::int32_t kind(NodeId id) const;
  [[nodiscard]] bool truth(NodeId id) const;
  [[nodiscard]] NodeId body(NodeId by_kind) const;
  template <class F>
  void each_case(F&& one);
};

bool Lowering::Finite::read_kids(NodeId id, std::uint32_t from, std::uint32_t but) {
  for (std::uint32_t i = from; i + but < l.node(id).count; ++i)
    if (!read(kid(id, i))) return false;
  return true;
}

bool Lowering::Finite::read_step(const Val& v) {
  if (v.is(Kind::steps) || v.is(Kind::none)) return true;
  if (!v.is(Kind::step) || (step && *step != v.reg)) return false;
  step = v.reg;
  return true;
}

bool Lowering::Finite::read_name(const Val& v) {
  if (!v.is(Kind::number) || cell != kNoNode || (name && *name != v.reg)) return false;
  name = v.reg;
  return true;
}

bool Lowering::Finite::read_cell(NodeId of) {
  if (name || (cell != kNoNode && !l.same(cell, of))) return false;
  cell = of;
  return true;
}

// Does it read nothing else? Notes what it reads.
bool Lowering::Finite::read(NodeId id) {
  const Node& n = l.node(id);
  const auto is_of = [&](NodeId of, std::initializer_list<Type> types) {
    return std::find(types.begin(), types.end(), l.node(of).type) != types.end();
  };
  switch (n.op) {
  case Op::directions:
  case Op::kind:
  case Op::truth: return true;
  case Op::heading: return read_step(d.heading);
  case Op::local: {
    const auto known = d.locals.find(n.a);
    if (l.changed_.count(n.a) != 0 || known == d.locals.end()) return false;
    if (n.type == Type::directions) return read_step(known->second);
    return n.type == Type::kind && read_name(known->second);
  }
  case Op::unite:
  case Op::meet:
  case Op::minus:
  case Op::sum: return n.type == Type::directions && read_kids(id);
  case Op::opposite: return read_kids(id);
  case Op::turned: return l.node(kid(id, 1)).op == Op::number && read_kids(id, 0, 1);
  case Op::times: return l.node(kid(id, 0)).op == Op::number && read_kids(id, 1);
  case Op::kind_at: return read_cell(kid(id, 0));
  case Op::if_value: asks = true; return is_of(id, {Type::directions, Type::kind}) && read_kids(id);
  case Op::by_kind:
    asks = true;
    return is_of(id, {Type::directions, Type::kind}) && read_cell(kid(id, 0)) && read_kids(id, 1);
  case Op::negation:
  case Op::all_of:
  case Op::any_of: return read_kids(id);
  case Op::equal: return is_of(kid(id, 0), {Type::directions, Type::kind}) && read_kids(id);
  case Op::within:
  case Op::some: return is_of(kid(id, 0), {Type::directions}) && read_kids(id);
  default: return false;
  }
}

// The body of the kind; the last one is that of none.
NodeId Lowering::Finite::body(NodeId by_kind) const {
  return kid(by_kind, kind_is < 0 ? l.node(by_kind).count - 1 : static_cast<std::uint32_t>(kind_is) + 1);
}

StepSet Lowering::Finite::steps_of(const Val& v) const {
  if (v.is(Kind::steps)) return v.steps;
  return v.is(Kind::step) && step_is >= 0 ? StepSet::of(step_is) : StepSet();
}

StepSet Lowering::Finite::steps(NodeId id) const {
  const Node& n = l.node(id);
  const auto operand = [&](std::uint32_t i) { return steps(kid(id, i)); };
  switch (n.op) {
  case Op::directions: return l.program_.step_sets[at(n.a)];
  case Op::heading: return steps_of(d.heading);
  case Op::local: return steps_of(d.locals.at(n.a));
  case Op::unite: return operand(0) | operand(1);
  case Op::meet: return operand(0) & operand(1);
  case Op::minus: return operand(0) - operand(1);
  case Op::sum: return l.compass_.sums(operand(0), operand(1));
  case Op::opposite: return l.compass_.opposites(operand(0));
  case Op::turned: return l.compass_.turned(operand(0), l.node(kid(id, 1)).a);
  case Op::times: return l.compass_.multiples(l.node(kid(id, 0)).a, operand(1));
  case Op::if_value: return operand(truth(kid(id, 0)) ? 1 : 2);
  case Op::by_kind: return steps(body(id));
  default: assert(false && "read() has let pass what are no directions"); return {};
  }
}

std::int32_t Lowering::Finite::kind(NodeId id) const {
  const Node& n = l.node(id);
  switch (n.op) {
  case Op::kind: return n.a;
  case Op::if_value: return kind(kid(id, truth(kid(id, 0)) ? 1 : 2));
  case Op::by_kind: return kind(body(id));
  case Op::local:
  case Op::kind_at: return kind_is; // its name, or where it is
  default: assert(false && "read() has let pass what is no kind"); return -1;
  }
}

bool Lowering::Finite::truth(NodeId id) const {
  const Node& n = l.node(id);
  const auto kids = l.program_.kids_of(n);
  const auto holds = [&](NodeId k) { return truth(k); };
  switch (n.op) {
  case Op::truth: return n.a != 0;
  case Op::negation: return !truth(kids[0]);
  case Op::all_of: return std::all_of(kids.begin(), kids.end(), holds);
  case Op::any_of: return std::any_of(kids.begin(), kids.end(), holds);
  case Op::within: return steps(kids[0]).within(steps(kids[1]));
  case Op::some: return steps(kids[0]).any();
  case Op::equal:
    return l.node(kids[0]).type == Type::kind ? kind(kids[0]) == kind(kids[1])
                                              : steps(kids[0]) == steps(kids[1]);
  default: assert(false && "read() has let pass what is no truth"); return false;
  }
}

// Row by row: none comes before the first direction, and before the first kind.
template <class F>
void Lowering::Finite::each_case(F&& one) {
  const int most_steps = step ? static_cast<int>(l.board().steps.size()) : 0;
  const int most_kinds = reads_kind() ? l.pieces_.kinds : 0;
  for (step_is = -1; step_is < most_steps; ++step_is)
    for (kind_is = -1; kind_is < most_kinds; ++kind_is) one();
}

std::optional<Val> Lowering::looked_up(NodeId id, Draft& d) {
  if (!is_on(Form::looked_up)) return std::nullopt;
  constexpr std::size_t kMostEntries = 1 << 13;
  const Node n = node(id);
  if (n.type != Type::directions && n.type != Type::kind) return std::nullopt;
  Finite f{*this, d, {}, {}, kNoNode, false, -1, -1};
  if (!f.read(id) || !f.asks) return std::nullopt;
  const std::size_t kinds = f.reads_kind() ? at(pieces_.kinds) + 1 : 1;
  if ((f.step ? board().steps.size() + 1 : 1) * kinds > kMostEntries) return std::nullopt;
  const auto behind = [&](Reg number) { return e_.number_value(Ir::add, number, e_.number_constant(1)); };
  const auto column = [&] {
    if (f.name) return behind(*f.name);
    if (f.cell == kNoNode) return e_.number_constant(0);
    need_mailbox();
    return behind(e_.number_value(Ir::kind_at, cell(f.cell, d), 0, 0, 0, kPieces));
  };
  if (n.type == Type::kind) {
    if (f.step || !f.reads_kind()) return std::nullopt;
    if (const auto known = f.name ? e_.known_number(*f.name) : std::nullopt) {
      f.kind_is = *known;
      return constant_number(f.kind(id));
    }
    std::vector<std::int16_t> to;
    f.each_case([&] { to.push_back(static_cast<std::int16_t>(f.kind(id))); });
    return make_number(e_.number_value(Ir::place, column(), 0, 0, place_table(to)));
  }
  need_room_for_steps();
  ir::SetTable table;
  table.directions = true;
  table.numbers = static_cast<std::int32_t>(kinds);
  f.each_case([&] {
    CellSet& members = table.sets.emplace_back();
    f.steps(id).each([&](int s) { members.set(s); });
  });
  const Reg row = f.step ? behind(*f.step) : e_.number_constant(0);
  const Reg which = column();
  return make_ways(e_.set_value(Ir::set_table, row, which, 0, direction_table(std::move(table))));
}

std::int32_t Lowering::direction_table(ir::SetTable table) {
  const auto is_it = [&](const ir::SetTable& t) { return t == table; };
  const auto known = std::find_if(code_.set_tables.begin(), code_.set_tables.end(), is_it);
  const auto index = static_cast<std::int32_t>(known - code_.set_tables.begin());
  if (known == code_.set_tables.end()) code_.set_tables.push_back(std::move(table));
  return index;
}

// ---------------------------------------------------------------- names that stand for one direction at most

// Is it one direction at most, whatever the position? `stepped`: the walker has just come by a step.
bool Lowering::is_single(NodeId id, bool stepped) const {
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return is_single(kid(id, i), stepped); };
  const Draft any = any_draft();
  Finite f{*this, any, {}, {}, kNoNode, false, -1, -1};
  if (f.read(id)) {
    bool single = true;
    f.each_case([&] {
      const bool counts = !stepped || !f.step || f.step_is >= 0;
      single = single && (!counts || f.steps(id).count() <= 1);
    });
    return single;
  }
  switch (n.op) {
  case Op::local: return chosen_steps_.count(n.a) != 0;
  case Op::if_value: return operand(1) && operand(2);
  case Op::minus:
  case Op::meet:
  case Op::opposite: return operand(0);
  case Op::by_kind:
  case Op::by_player: {
    for (std::uint32_t k = 1; k < n.count; ++k)
      if (!operand(k)) return false;
    return true;
  }
  default: return false;
  }
}

// Which names that are set again stand for one direction at most, and nothing else? First all of them; then
// those go that are set to something else, until none goes.
void Lowering::find_single_names() {
  if (!is_on(Form::single_names)) return;
  std::set<NodeId> stepped; // bindings behind a step, in one sequence
  for (const Node& n : program_.nodes) {
    if (n.op != Op::sequence) continue;
    bool here = false;
    for (const NodeId part : program_.kids_of(n)) {
      const Op op = node(part).op;
      const bool stays = op == Op::at || op == Op::require || op == Op::let || op == Op::set_local;
      here = op == Op::go || op == Op::bend || (here && stays);
      if (here) stepped.insert(part);
    }
  }
  for (const auto& [slot, v] : changed_)
    if (v.is(Kind::ways)) chosen_steps_.insert(slot);
  for (bool again = true; again;) {
    again = false;
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = node(id);
      if ((n.op != Op::let && n.op != Op::set_local) || chosen_steps_.count(n.a) == 0) continue;
      if (is_single(kid(id, 0), stepped.count(id) != 0)) continue;
      chosen_steps_.erase(n.a);
      again = true;
    }
  }
}

} // namespace boardwright::runtime::lowering
