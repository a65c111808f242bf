// What an action may come to: does it choose, can it go wrong, what does it need?
#include "runtime/lowering/facts/facts.hpp"
#include "runtime/model/drops.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

Facts::Facts(const Program& program, normal::TermStore& store)
    : Terms(program, store), pieces_(program), compass_(program.board) {
  for (const Node& n : program.nodes)
    if (n.op == Op::choose && node(program.kid(n, 0)).type == Type::directions && !is_changed(n.a))
      chosen_steps_.insert(n.a);
}

// May an action have several outcomes, as far as can be seen? Values may ask what they like.
bool Facts::chooses(NodeId id) const {
  return finds(id, [this](const Node& n) -> std::optional<bool> {
    if (!is_action(n.op)) return false;
    switch (n.op) {
    case Op::to: {
      const Op of = node(rules_.kid(n, 0)).op;
      return of != Op::here && of != Op::start;
    }
    case Op::go: {
      const Node& way = node(rules_.kid(n, 0));
      if (way.op == Op::heading || (way.op == Op::local && chosen_steps_.count(way.a) != 0)) return false;
      return possible_steps(rules_.kid(n, 0), any_draft()).count() > 1;
    }
    case Op::repeat: {
      const bool fixed = (n.a & kUnbounded) == 0 && same(rules_.kid(n, 1), rules_.kid(n, 2));
      return found(!fixed && (n.a & kMaximal) == 0);
    }
    default:
      return found(one_of(n.op, Op::alternatives, Op::most, Op::distinct) ||
                   about(n.op).outcomes == Outcomes::many);
    }
  });
}

std::size_t Facts::most_members(NodeId id) const {
  const Node& n = node(id);
  if (n.type == Type::cells) return at(board().cells);
  if (n.type == Type::directions) return board().steps.size();
  if (n.op == Op::list) return n.count;
  if (n.op == Op::range) {
    const auto from = least_of(id), to = greatest_possible(kid(id, 1));
    const std::int64_t many = from && to ? std::int64_t{*to} - *from + 1 : std::int64_t{kMaxList} + 1;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(many, 0, kMaxList + 1));
  }
  if (n.op != Op::list_for) return kMaxList + 1;
  std::size_t most = 1;
  for (std::int32_t g = 0; g < n.b && most <= kMaxList; ++g)
    most *= most_members(rules_.kid(n, 2 + static_cast<std::uint32_t>(g)));
  return most;
}

// Where nobody stands nothing asks for the walker: such rules don't load.
bool Facts::harmless(NodeId id) const {
  if (id == kNoNode) return true;
  const normal::Term& t = term(id);
  return !t.faults && !t.faults_carrying && !may_meet_limit(id);
}

// Can a list become too long, or a search? Walks are sets of cells, which are known soon enough.
bool Facts::may_meet_limit(NodeId id) const {
  if (!contains(id, OperationSet(Op::range, Op::list_for, Op::can, Op::reach))) return false;
  const Node& n = node(id);
  switch (n.op) {
  case Op::range:
  case Op::list_for:
    if (most_members(id) > kMaxList) return true;
    break;
  case Op::can:
    if (!is_walk(kid(id, 0))) return true;
    break;
  case Op::reach: {
    const Path* walk = path(kid(id, 1));
    const auto goes = [](const Path& p) { return p.condition || is_plain_part(p); };
    if (walk == nullptr || !all_of_path(*walk, goes)) return true;
    break;
  }
  default: break;
  }
  const auto kids = rules_.kids_of(n);
  return std::any_of(kids.begin(), kids.end(), [this](NodeId k) { return may_meet_limit(k); });
}

// What is written before the cells of a drop: nothing for the first kind that its owner has.
std::string Facts::letter_of_drop(const Node& drop, int kind) const {
  const int owner =
      owner_of_drop(rules_, drop.a, drop.b, kind).value_or(drop.a == kNatural ? drop.b : drop.a);
  int first = 0;
  while (first < kind && pieces_.code_of(owner, first) == 0) ++first;
  return first == kind ? std::string() : std::string(1, rules_.letter_of_kind(kind));
}

// Is there something carried behind it?
bool Facts::lifts_some(NodeId lift) const {
  const Node& n = node(lift);
  if (n.count == 0) return true;
  const Node& many = node(kid(lift, 0));
  if (many.op == Op::number) return many.a >= 1;
  if (many.op != Op::local || is_changed(many.a)) return false;
  return std::all_of(rules_.nodes.begin(), rules_.nodes.end(), [&](const Node& binds) {
    const bool names = (binds.op == Op::let || binds.op == Op::choose || binds.op == Op::choose_some ||
                        binds.op == Op::each || binds.op == Op::let_value) &&
                       binds.a == many.a;
    if (!names) return true;
    return binds.op == Op::choose && least_of(rules_.kid(binds, 0)).value_or(0) >= 1;
  });
}

// Has every piece that could be dropped an entry in `hands`?
bool Facts::all_from_hands() const {
  for (int kind = 0; kind < pieces_.kinds; ++kind)
    for (int owner = kNeutral; owner < players(); ++owner) {
      if (pieces_.code_of(owner, kind) == 0) continue;
      for (int p = 0; p < players(); ++p)
        if ((owner < 0 || owner == p) && rules_.hand_slot[at(p)][at(kind)] < 0) return false;
    }
  return true;
}

// A condition that no move changes.
bool Facts::is_fixed_in_turn(NodeId id) const {
  return (reads(id) & ~(kGame | kBeginning)) == 0 && !contains(id, Op::local) && harmless(id);
}

// Does an action only write, this or that? Then what it writes is no choice.
bool Facts::only_says(NodeId id) const {
  if (id == kNoNode) return true;
  const Node& n = node(id);
  const auto kids = rules_.kids_of(n);
  switch (n.op) {
  case Op::say: return harmless(id);
  case Op::sequence: return std::all_of(kids.begin(), kids.end(), [this](NodeId k) { return only_says(k); });
  case Op::if_action: return harmless(kids[0]) && only_says(kids[1]) && (n.count < 3 || only_says(kids[2]));
  default: return false;
  }
}

namespace {

// A letter or two, then digits, and not `x` before another letter: that is how what has left begins.
bool is_plain_name(const std::string& name) {
  std::size_t letters = 0;
  while (letters < name.size() && name[letters] >= 'a' && name[letters] <= 'z') ++letters;
  if (letters == 0 || letters > 2 || letters == name.size() || (letters == 2 && name[0] == 'x')) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(letters), name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

bool Facts::has_plain_names() const {
  const auto& names = board().name;
  return std::all_of(names.begin(), names.end(), is_plain_name);
}

// Is a value the same as long as its names stand?
bool Facts::is_fixed(NodeId id) const {
  return !finds(id, [this](const Node& n) {
    const bool fixed = n.op == Op::local ? !is_changed(n.a)
                                         : one_of(n.op, Op::number, Op::cells, Op::directions, Op::scale,
                                                  Op::shift, Op::rotate, Op::reflect);
    return found(!fixed);
  });
}

// count(image(S, m)) = count(S): every cell of S has a place on the board, and no two the same.
std::optional<std::pair<NodeId, NodeId>> Facts::counts_image(NodeId condition) const {
  const Node& n = node(condition);
  if (n.op != Op::equal) return std::nullopt;
  for (const std::uint32_t k : {0u, 1u}) {
    const Node &a = node(rules_.kid(n, k)), &b = node(rules_.kid(n, 1 - k));
    if (a.op != Op::count || b.op != Op::count) continue;
    const Node& of = node(rules_.kid(a, 0));
    if (of.op != Op::image || !same(rules_.kid(of, 0), rules_.kid(b, 0))) continue;
    if (is_fixed(rules_.kid(of, 0)) && is_fixed(rules_.kid(of, 1)))
      return std::pair(rules_.kid(of, 0), rules_.kid(of, 1));
  }
  return std::nullopt;
}

} // namespace boardwright::runtime::lowering
