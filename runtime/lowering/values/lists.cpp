// What goes through lists and bindings of names.
#include "runtime/lowering/values/lists.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/members.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/truths.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace boardwright::runtime::lowering {

void each_binding(Context& cx, NodeId id, std::uint32_t generator, AbstractDraft& d,
                  const std::function<void(AbstractDraft&)>& bound) {
  const Node n = cx.node(id);
  if (generator < static_cast<std::uint32_t>(n.b)) {
    const NodeId source = cx.kid(id, 2 + generator);
    const auto slot = n.a + static_cast<std::int32_t>(generator);
    const auto bind = [&](const AbstractValue& member, Label) {
      AbstractDraft inside = d;
      inside.locals[slot] = member;
      each_binding(cx, id, generator + 1, inside, bound);
    };
    return each_candidate(cx, source, slot, cx.kid(id, 1), d, bind);
  }
  const Label past = cx.e.label();
  const Emitter::Scope scope(cx.e);
  jump(cx, cx.kid(id, 1), false, past, d);
  bound(d);
  cx.e.place(past);
}

AbstractValue total_for(Context& cx, NodeId id, AbstractDraft& d) {
  const bool product = cx.node(id).op == Op::product_for;
  const Reg total = cx.e.new_number();
  cx.e.emit(Ir::constant, total, 0, 0, 0, product ? 1 : 0);
  each_binding(cx, id, 0, d, [&](AbstractDraft& inside) {
    cx.e.emit(product ? Ir::multiply : Ir::add, total, total, number(cx, cx.kid(id, 0), inside));
  });
  return make_number(total);
}

AbstractValue union_for(Context& cx, NodeId list, AbstractDraft& d) {
  const Reg all = cx.e.new_set();
  cx.e.emit(Ir::set_copy, all, cx.no_cells);
  each_binding(cx, list, 0, d, [&](AbstractDraft& inside) {
    cx.e.emit(Ir::set_join, all, set(cx, cx.kid(list, 0), inside));
  });
  return any_set(cx, all);
}

AbstractValue extreme_for(Context& cx, NodeId id, AbstractDraft& d) {
  using Limits = std::numeric_limits<std::int32_t>;
  const bool greatest = cx.node(id).op == Op::greatest_for;
  const Reg best = cx.e.new_number(), any = cx.e.new_number();
  cx.e.emit(Ir::constant, best, 0, 0, 0, greatest ? Limits::min() : Limits::max());
  cx.e.emit(Ir::constant, any, 0, 0, 0, 0);
  each_binding(cx, id, 0, d, [&](AbstractDraft& inside) {
    cx.e.emit(greatest ? Ir::greatest : Ir::least, best, best, number(cx, cx.kid(id, 0), inside));
    cx.e.emit(Ir::constant, any, 0, 0, 0, 1);
  });
  const Label past = cx.e.label();
  cx.e.emit(Ir::if_less, 0, cx.e.number_constant(0), any, 0, past);
  cx.e.emit(Ir::constant, best, 0, 0, 0, 0);
  cx.e.place(past);
  return make_number(best);
}

namespace {

// The first or last of `owners(S)`, without the list: who has a piece there, asked one after the other.
AbstractValue end_of_owners(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id), list = cx.node(cx.kid(id, 0));
  const Reg where = set(cx, cx.kid(cx.kid(id, 0), 0), d), result = cx.e.new_number();
  const Label found = cx.e.label();
  {
    const Emitter::Scope not_always(cx.e); // what is asked behind the first one isn't known afterwards
    for (int i = 0; i < cx.players(); ++i) {
      const int turns = n.op == Op::last_of ? cx.players() - 1 - i : i;
      Node his;
      his.a = static_cast<std::int32_t>(Owners::exactly);
      his.b = (list.a + turns) % cx.players();
      cx.e.emit(Ir::constant, result, 0, 0, 0, his.b);
      cx.e.emit(Ir::if_some, 0, meet(cx, where, owned(cx, his)), 0, 0, found);
    }
  }
  cx.e.emit(Ir::constant, result, 0, 0, 0, n.a);
  cx.e.place(found);
  return make_number(result);
}

} // namespace

AbstractValue end_of_list(Context& cx, NodeId id, AbstractDraft& d) {
  if (cx.node(cx.kid(id, 0)).op == Op::owners) return end_of_owners(cx, id, d);
  const Node n = cx.node(id);
  const bool is_set = n.type == Type::cells;
  const Reg from = box_of(cx, value(cx, cx.kid(id, 0), d));
  const Reg result = is_set ? cx.e.new_set() : cx.e.new_number(), at_end = cx.e.new_number();
  if (is_set)
    cx.e.emit(Ir::set_copy, result, cx.no_cells);
  else
    cx.e.emit(Ir::constant, result, 0, 0, 0, n.a);
  cx.e.emit(Ir::box_count, at_end, from);
  const Label past = cx.e.label();
  cx.e.emit(Ir::if_less, 0, at_end, cx.e.number_constant(1), 0, past);
  if (n.op == Op::last_of)
    cx.e.emit(Ir::subtract, at_end, at_end, cx.e.number_constant(1));
  else
    cx.e.emit(Ir::constant, at_end, 0, 0, 0, 0);
  cx.e.emit(is_set ? Ir::box_get_set : Ir::box_get, result, from, at_end);
  cx.e.place(past);
  return is_set ? any_set(cx, result) : make_number(result);
}

} // namespace boardwright::runtime::lowering
