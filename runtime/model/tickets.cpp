#include "runtime/model/tickets.hpp"

#include "runtime/model/index.hpp"

#include <vector>

namespace boardwright::runtime {

namespace {

// Adds nodes with the origin and the children of what they stand for.
class Nodes {
public:
  Nodes(Program& program, std::uint32_t origin) : program_(program), origin_(origin) {}

  NodeId add(Op op, Type type, const std::vector<NodeId>& kids, std::int32_t a = 0) {
    program_.nodes.push_back(made(op, type, kids, a));
    return static_cast<NodeId>(program_.nodes.size() - 1);
  }
  Node made(Op op, Type type, const std::vector<NodeId>& kids, std::int32_t a = 0) {
    Node n;
    n.op = op;
    n.type = type;
    n.a = a;
    n.kids = static_cast<std::uint32_t>(program_.kids.size());
    n.count = static_cast<std::uint32_t>(kids.size());
    n.origin = origin_;
    program_.kids.insert(program_.kids.end(), kids.begin(), kids.end());
    return n;
  }

private:
  Program& program_;
  std::uint32_t origin_;
};

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
    Nodes nodes(*made, program.nodes[i].origin);
    const NodeId weight = program.kid(program.nodes[*product], 1);
    const auto slot = static_cast<std::int32_t>(made->slots++);
    const NodeId one = nodes.add(Op::number, Type::number, {}, 1);
    const NodeId all = nodes.add(Op::range, Type::numbers, {one, weight});
    const NodeId ticket = nodes.add(Op::choose, Type::number, {all}, slot);
    const NodeId number = nodes.add(Op::local, Type::number, {}, slot);
    const NodeId sum = nodes.add(Op::add, Type::number, {*product, number});
    const NodeId set = nodes.add(Op::set_variable, Type::number, {sum}, odds);
    made->nodes[i] = nodes.made(Op::sequence, Type::action, {ticket, set});
  }
  return made;
}

} // namespace boardwright::runtime
