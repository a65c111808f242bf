#include "runtime/model/tickets.hpp"

#include "runtime/model/program_nodes.hpp"

#include <optional>
#include <vector>

namespace boardwright::runtime {

namespace {

// `set odds = odds * W`: the product.
std::optional<NodeId> product_of(const Program& program, const Node& n, int odds) {
  if (n.op != Op::set_variable || n.a != odds) return std::nullopt;
  const NodeId value = program.kid(n, 0);
  if (program.nodes[value].op != Op::multiply) return std::nullopt;
  return value;
}

} // namespace

std::shared_ptr<const Program> with_tickets(const Program& program) {
  if (!program.chance || program.chance->odds < 0) return nullptr;
  const int odds = program.chance->odds;
  auto made = std::make_shared<Program>(program);
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const auto product = product_of(program, program.nodes[i], odds);
    if (!product) continue;
    const auto add = [&](Op op, Type type, const std::vector<NodeId>& kids, std::int32_t a = 0) {
      return add_node(*made, op, type, kids, a, program.nodes[i].origin);
    };
    const NodeId weight = program.kid(program.nodes[*product], 1);
    const auto slot = static_cast<std::int32_t>(made->slots++);
    const NodeId one = add(Op::number, Type::number, {}, 1);
    const NodeId all = add(Op::range, Type::numbers, {one, weight});
    const NodeId ticket = add(Op::choose, Type::number, {all}, slot);
    const NodeId number = add(Op::local, Type::number, {}, slot);
    const NodeId sum = add(Op::add, Type::number, {*product, number});
    const NodeId set = add(Op::set_variable, Type::number, {sum}, odds);
    made->nodes[i] = Node(made->nodes[add(Op::sequence, Type::action, {ticket, set})]);
  }
  return made;
}

} // namespace boardwright::runtime
