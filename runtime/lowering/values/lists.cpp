// What goes through lists and bindings of names.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace boardwright::runtime::lowering {

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
  return is_set ? any_set(result) : make_number(result);
}

} // namespace boardwright::runtime::lowering
