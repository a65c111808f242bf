#include "runtime/model/looking.hpp"

#include "runtime/model/program_nodes.hpp"

#include <cstddef>
#include <vector>

namespace boardwright::runtime {

namespace {

class Looks {
public:
  explicit Looks(Program& program) : program_(program), slot_(static_cast<std::int32_t>(program.slots++)) {
    which_ = static_cast<std::int32_t>(program.variables.size());
    program.variables.push_back({"which", -1, Type::number, false});
    program.initial.variables.push_back({});
  }

  // `if which = 0 then (choose c in cells, say c) else (choose c in kinds, say c)`
  NodeId turn(const Sight& sight, std::size_t player) {
    const NodeId which = add(Op::variable, Type::number, {}, which_);
    const NodeId meant = add(Op::equal, Type::truth, {which, add(Op::number, Type::number, {}, kSeesCells)});
    return add(Op::if_action, Type::action,
               {meant, each_of(sight.cells, player), each_of(sight.kinds, player)});
  }

private:
  NodeId add(Op op, Type type, const std::vector<NodeId>& kids, std::int32_t a = 0) {
    return add_node(program_, op, type, kids, a);
  }
  NodeId each_of(const std::vector<NodeId>& sets, std::size_t player) {
    if (sets.empty()) return add(Op::never, Type::action, {});
    const NodeId chosen = add(Op::choose, Type::cells, {sets[player]}, slot_);
    const NodeId said = add(Op::say, Type::action, {add(Op::local, Type::cells, {}, slot_)});
    return add(Op::sequence, Type::action, {chosen, said});
  }

  Program& program_;
  std::int32_t slot_, which_ = 0;
};

} // namespace

std::shared_ptr<const Program> looking(const Program& program) {
  if (!program.sight || (program.sight->cells.empty() && program.sight->kinds.empty())) return nullptr;
  auto made = std::make_shared<Program>(program);
  const Sight sight = *program.sight;
  made->sight.reset();
  made->chance.reset();
  made->secret = false;
  Looks looks(*made);
  for (std::size_t p = 0; p < made->players.size(); ++p) {
    made->players[p].end.clear();
    made->players[p].turn = looks.turn(sight, p);
  }
  return made;
}

} // namespace boardwright::runtime
