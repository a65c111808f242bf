#include "runtime/turn_parts.hpp"

#include "runtime/program_nodes.hpp"

#include <algorithm>
#include <bitset>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::runtime {

namespace {

// Rules that are nested deeper have no parts.
constexpr int kDeepest = 200;

using Characters = std::bitset<256>;

void add(Characters& to, std::string_view text) {
  for (const char c : text) to.set(static_cast<unsigned char>(c));
}

// Characters of what an action writes.
struct Writes {
  Characters may;  // in some of its outcomes
  Characters must; // in all of them
  bool decides = false, too_deep = false;
};

class Writing {
public:
  explicit Writing(const Program& program) : program_(program) {
    for (const std::string& name : program.board.name) add(cells_, name);
    for (int kind = 0; kind < static_cast<int>(program.kinds.size()); ++kind)
      kinds_.set(static_cast<unsigned char>(program.letter_of_kind(kind)));
    for (const Player& player : program.players) add(players_, player.name);
    // What is taken may be written before anything else is.
    add(cells_, "x,");
  }
  [[nodiscard]] Writes of(NodeId id, int depth = 0) const;

private:
  [[nodiscard]] Writes of_say(const Node& n) const;
  [[nodiscard]] Writes of_kids(const Node& n, int depth, bool each) const;

  const Program& program_;
  Characters cells_, kinds_, players_;
};

Writes Writing::of_say(const Node& n) const {
  Writes w;
  w.may = cells_;
  for (const NodeId id : program_.kids_of(n)) {
    const Node& item = program_.nodes[id];
    if (item.op == Op::text) {
      add(w.must, program_.texts[static_cast<std::size_t>(item.a)]);
      w.may |= w.must;
      continue;
    }
    switch (item.type) {
    case Type::cells: break;
    case Type::truth: add(w.may, "truefalse"); break;
    case Type::number: add(w.may, "-0123456789"); break;
    case Type::kind: w.may |= kinds_; break;
    case Type::player: w.may |= players_; break;
    default: w.may.set();
    }
  }
  return w;
}

// Of all children one after the other, or of one of them.
Writes Writing::of_kids(const Node& n, int depth, bool each) const {
  Writes all;
  bool first = true;
  for (const NodeId id : program_.kids_of(n)) {
    if (id != kNoNode && program_.nodes[id].type != Type::action && program_.nodes[id].op != Op::let &&
        program_.nodes[id].op != Op::choose && program_.nodes[id].op != Op::choose_some)
      continue; // a value writes nothing
    const Writes w = id == kNoNode ? Writes() : of(id, depth + 1);
    all.may |= w.may;
    all.must = each || first ? all.must | w.must : all.must & w.must;
    all.decides |= w.decides;
    all.too_deep |= w.too_deep;
    first = false;
  }
  return all;
}

Writes Writing::of(NodeId id, int depth) const {
  Writes w;
  if (depth > kDeepest) {
    w.too_deep = true;
    return w;
  }
  const Node& n = program_.nodes[id];
  switch (n.op) {
  case Op::sequence:
  case Op::most:
  case Op::distinct: return of_kids(n, depth, true);
  case Op::alternatives:
  case Op::otherwise: return of_kids(n, depth, false);
  case Op::if_action:
  case Op::by_kind_action:
  case Op::by_player_action:
  case Op::repeat:
  case Op::each:
  case Op::quietly:
    w = of_kids(n, depth, true);
    w.must.reset();
    return w;
  case Op::say: return of_say(n);
  case Op::win:
  case Op::lose:
  case Op::draw: w.decides = true; return w;
  case Op::to:
  case Op::at:
  case Op::go:
  case Op::bend:
  case Op::let:
  case Op::choose:
  case Op::choose_some:
  case Op::require:
  case Op::never:
  case Op::lift:
  case Op::set_local:
  case Op::set_variable:
  case Op::set_hand:
  case Op::again: return w;
  case Op::pass: add(w.may, "pass"); return w;
  default: // pieces, and `from`
    w.may = cells_ | kinds_;
    add(w.may, " -/=");
    return w;
  }
}

class Splitting {
public:
  Splitting(Program& program, int player)
      : program_(program), turn_(program.players[static_cast<std::size_t>(player)].turn), player_(player) {}
  std::optional<TurnParts> split();

private:
  [[nodiscard]] bool find_alternatives();
  NodeId add_node(Op op, const std::vector<NodeId>& kids);
  NodeId joined(const std::vector<NodeId>& alternatives);
  std::optional<SlotPlan> plan(const std::vector<NodeId>& alternatives);
  [[nodiscard]] bool told_apart() const;

  Program& program_;
  NodeId turn_;
  int player_;
  std::vector<NodeId> all_, tail_, counted_, listed_;
};

// The alternatives that the turn begins with, and what follows each of them.
bool Splitting::find_alternatives() {
  const Node* first = &program_.nodes[turn_];
  if (first->op == Op::sequence && first->count > 0) {
    const auto kids = program_.kids_of(*first);
    tail_.assign(kids.begin() + 1, kids.end());
    first = &program_.nodes[kids[0]];
  }
  if (first->op != Op::alternatives || first->count < 2) return false;
  const auto kids = program_.kids_of(*first);
  all_.assign(kids.begin(), kids.end());
  return true;
}

NodeId Splitting::add_node(Op op, const std::vector<NodeId>& kids) {
  return runtime::add_node(program_, op, Type::action, kids, 0, program_.nodes[turn_].origin);
}

NodeId Splitting::joined(const std::vector<NodeId>& alternatives) {
  std::vector<NodeId> kids{alternatives.size() == 1 ? alternatives[0]
                                                    : add_node(Op::alternatives, alternatives)};
  kids.insert(kids.end(), tail_.begin(), tail_.end());
  return add_node(Op::sequence, kids);
}

std::optional<SlotPlan> Splitting::plan(const std::vector<NodeId>& alternatives) {
  NodeId& turn = program_.players[static_cast<std::size_t>(player_)].turn;
  const NodeId part = joined(alternatives);
  turn = part;
  auto found = plan_slots(program_, player_);
  program_.players[static_cast<std::size_t>(player_)].turn = turn_;
  return found;
}

bool Splitting::told_apart() const {
  const Writing writing(program_);
  Characters may;
  for (const std::vector<NodeId>* part : {&counted_, &tail_})
    for (const NodeId id : *part) {
      const Writes w = writing.of(id);
      if (w.too_deep) return false;
      may |= w.may;
    }
  return std::all_of(listed_.begin(), listed_.end(), [&](NodeId id) {
    const Writes w = writing.of(id);
    // What is decided passes over what would be written.
    return !w.too_deep && !w.decides && (w.must & ~may).any();
  });
}

std::optional<TurnParts> Splitting::split() {
  if (turn_ == kNoNode || !find_alternatives()) return std::nullopt;
  for (const NodeId id : all_) (plan({id}) ? counted_ : listed_).push_back(id);
  if (counted_.empty() || listed_.empty() || !told_apart()) return std::nullopt;
  auto counted = plan(counted_);
  if (!counted) return std::nullopt;
  return TurnParts{std::move(*counted), joined(listed_)};
}

} // namespace

std::optional<TurnParts> plan_parts(Program& program, int player) {
  return Splitting(program, player).split();
}

} // namespace boardwright::runtime
