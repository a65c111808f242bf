// What goes through lists and bindings of names. And lists that are asked for in several places of a turn,
// always of the position at its beginning: they are worked out once, before anything is tried.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace boardwright::runtime::lowering {

namespace {

// Of values that only pieces on the board tell, with the walks and names within them.
bool is_told_by_board(Op op) {
  switch (op) {
  case Op::cells:
  case Op::empty:
  case Op::owned:
  case Op::kind_cells:
  case Op::kind:
  case Op::local:
  case Op::let_value:
  case Op::unite:
  case Op::meet:
  case Op::minus:
  case Op::complement:
  case Op::first:
  case Op::last:
  case Op::box:
  case Op::reach:
  case Op::select:
  case Op::list_for:
  case Op::directions:
  case Op::opposite:
  case Op::number:
  case Op::truth:
  case Op::count:
  case Op::add:
  case Op::subtract:
  case Op::multiply:
  case Op::x_of:
  case Op::y_of:
  case Op::file_of:
  case Op::rank_of:
  case Op::equal:
  case Op::less:
  case Op::at_most:
  case Op::within:
  case Op::some:
  case Op::all_of:
  case Op::any_of:
  case Op::negation:
  case Op::go:
  case Op::at:
  case Op::choose:
  case Op::sequence:
  case Op::alternatives:
  case Op::repeat: return true;
  default: return false;
  }
}

// Names that a node binds within itself: the first, and how many.
std::pair<std::int32_t, std::int32_t> names_bound_by(const Node& n) {
  switch (n.op) {
  case Op::choose:
  case Op::let_value:
  case Op::select: return {n.a, 1};
  case Op::list_for: return {n.a, n.b};
  default: return {0, 0};
  }
}

} // namespace

// Code for every way to bind the names from `generator` on for which the condition holds.
void Lowering::each_binding(NodeId id, std::uint32_t generator, Draft& d,
                            const std::function<void(Draft&)>& bound) {
  const Node n = node(id);
  if (generator < static_cast<std::uint32_t>(n.b)) {
    const NodeId source = kid(id, 2 + generator);
    const auto slot = n.a + static_cast<std::int32_t>(generator);
    const auto bind = [&](const Val& member, Label) {
      Draft inside = d;
      inside.locals[slot] = member;
      each_binding(id, generator + 1, inside, bound);
    };
    if (node(source).type != Type::cells) return each_candidate(source, slot, kid(id, 1), d, bind);
    const Val among = givers(id, generator, members(source, slot, kid(id, 1), d), d);
    return each_member(among, Type::cells, bind);
  }
  const Label past = e_.label();
  const Emitter::Scope scope(e_);
  if (passing_.count(kid(id, 1)) == 0) jump(kid(id, 1), false, past, d);
  bound(d);
  e_.place(past);
}

Val Lowering::sum_for(NodeId id, Draft& d) {
  const Reg sum = e_.new_number();
  e_.emit(Ir::constant, sum, 0, 0, 0, 0);
  each_binding(id, 0, d, [&](Draft& inside) { e_.emit(Ir::add, sum, sum, number(kid(id, 0), inside)); });
  return make_number(sum);
}

// The best so far, and whether there was any.
Val Lowering::extreme_for(NodeId id, Draft& d) {
  using Limits = std::numeric_limits<std::int32_t>;
  const bool greatest = node(id).op == Op::greatest_for;
  const Reg best = e_.new_number(), any = e_.new_number();
  e_.emit(Ir::constant, best, 0, 0, 0, greatest ? Limits::min() : Limits::max());
  e_.emit(Ir::constant, any, 0, 0, 0, 0);
  each_binding(id, 0, d, [&](Draft& inside) {
    e_.emit(greatest ? Ir::greatest : Ir::least, best, best, number(kid(id, 0), inside));
    e_.emit(Ir::constant, any, 0, 0, 0, 1);
  });
  const Label past = e_.label();
  e_.emit(Ir::if_less, 0, e_.number_constant(0), any, 0, past);
  e_.emit(Ir::constant, best, 0, 0, 0, 0);
  e_.place(past);
  return make_number(best);
}

// The first or last member of a list. One that has none leaves the register as it is.
Val Lowering::end_of_list(NodeId id, Draft& d) {
  const Node n = node(id);
  const bool is_set = n.type == Type::cells;
  const Reg from = box_of(value(kid(id, 0), d));
  const Reg result = is_set ? e_.new_set() : e_.new_number(), at_end = e_.new_number();
  if (is_set)
    e_.emit(Ir::set_copy, result, none_);
  else
    e_.emit(Ir::constant, result, 0, 0, 0, n.a);
  e_.emit(Ir::box_count, at_end, from);
  const Label past = e_.label();
  e_.emit(Ir::if_less, 0, at_end, e_.number_constant(1), 0, past);
  if (n.op == Op::last_of)
    e_.emit(Ir::subtract, at_end, at_end, e_.number_constant(1));
  else
    e_.emit(Ir::constant, at_end, 0, 0, 0, 0);
  e_.emit(is_set ? Ir::box_get_set : Ir::box_get, result, from, at_end);
  e_.place(past);
  return is_set ? make_set(result) : make_number(result);
}

// Does it depend on nothing but the board? `bound`: names that are bound around it.
bool Lowering::told_by_board(NodeId id, std::set<std::int32_t>& bound) const {
  const Node& n = node(id);
  if (!is_told_by_board(n.op)) return false;
  if (n.op == Op::local) return bound.count(n.a) != 0 && changed_.count(n.a) == 0;
  const auto [first, count] = names_bound_by(n);
  for (std::int32_t k = 0; k < count; ++k) bound.insert(first + k);
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!told_by_board(program_.kid(n, i), bound)) return false;
  return true;
}

// Is it the same, but for the names that it binds itself? `names`: those of b by those of a.
bool Lowering::same_but_names(NodeId a, NodeId b, std::map<std::int32_t, std::int32_t>& names) const {
  const Node &x = node(a), &y = node(b);
  if (x.op != y.op || x.count != y.count || x.type != y.type) return false;
  const auto [first, count] = names_bound_by(x);
  const auto [other, others] = names_bound_by(y);
  if (count != others) return false;
  for (std::int32_t k = 0; k < count; ++k) names[first + k] = other + k;
  if (x.op == Op::local) {
    const auto known = names.find(x.a);
    return known != names.end() && known->second == y.a;
  }
  if ((count == 0 && x.a != y.a) || x.b != y.b) return false;
  for (std::uint32_t i = 0; i < x.count; ++i)
    if (!same_but_names(program_.kid(x, i), program_.kid(y, i), names)) return false;
  return true;
}

std::optional<Reg> Lowering::kept_list(NodeId id, const Draft& d) const {
  if (mode_ != Mode::search || d.changes != 0 || moving_) return std::nullopt;
  for (const auto& [kept, reg] : kept_lists_) {
    std::map<std::int32_t, std::int32_t> names;
    if (same_but_names(kept, id, names)) return reg;
  }
  return std::nullopt;
}

// Those that a turn asks for twice or more.
void Lowering::keep_lists(NodeId turn) {
  if (!is_on(Form::kept_lists)) return;
  constexpr std::size_t kMost = 16;
  std::vector<NodeId> todo{turn}, lists;
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (id == kNoNode) continue;
    const Node& n = node(id);
    std::set<std::int32_t> bound;
    if (n.op == Op::list_for && n.type == Type::sets && harmless(id) && told_by_board(id, bound)) {
      lists.push_back(id);
      continue;
    }
    for (std::uint32_t i = 0; i < n.count; ++i) todo.push_back(program_.kid(n, i));
  }
  for (std::size_t i = 0; i < lists.size() && kept_lists_.size() < kMost; ++i) {
    const bool again =
        std::any_of(lists.begin(), lists.begin() + static_cast<std::ptrdiff_t>(i), [&](NodeId k) {
          std::map<std::int32_t, std::int32_t> names;
          return same_but_names(k, lists[i], names);
        });
    if (!again || kept_list(lists[i], Draft())) continue;
    Draft d;
    d.quiet = true;
    kept_lists_[lists[i]] = list(lists[i], d).reg;
  }
}

} // namespace boardwright::runtime::lowering
