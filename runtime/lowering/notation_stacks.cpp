// Stacks that are spread: the heights of the position that results tell every choice, whatever is written.
//
// # The proof
// Pieces are lifted from one cell and laid down, at least one to a cell, along one line that starts there.
// Lines of different directions have no cell in common, and none comes back. So of two moves with the same
// result the cell that has become lower is the same, and by how much; the cells that have become higher are
// those of one line, which tells the direction, how many rounds there were, and what was laid down in each.
// Two parts of the rule may lay pieces on the same cell of the line only if they ask for different contents.
#include "runtime/lowering/notation_proof.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::runtime::lowering {

// Cells of the line on which pieces are laid: one, one or none, so many as one likes.
enum class Lowering::Times : std::uint8_t { once, perhaps, any };

struct Lowering::Spread {
  std::set<std::int32_t> chosen, numbers; // of chosen numbers those that nothing has told yet
  std::int32_t way = -1;                  // the name of the direction that is chosen
  bool lifted = false, laid = false;
  bool decides = false;      // the game may have been decided: what comes then isn't done
  bool loops = false;        // a part that goes any number of rounds has come
  Contents looped;           // what its cells may have
  bool perhaps = false;      // a part that may be left out has come
  std::optional<Sign> first; // what is written first
  bool unknown = false;      // or it isn't known
};

// What an action writes first, if anything.
void Lowering::note_first(NodeId id, Spread& s) const {
  if (s.first || s.unknown) return;
  const Node& n = node(id);
  if (n.op == Op::say && n.count > 0) {
    const Node& what = node(kid(id, 0));
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    Sign sign;
    if (what.op == Op::local && s.chosen.count(what.a) != 0) {
      sign.what = Sign::What::number;
      for (const std::string& name : board().name) sign.plain = sign.plain && !digit(name[0]);
      for (std::size_t code = 1; code < at(pieces_.count()); ++code)
        sign.plain = sign.plain && !digit(program_.letter_of(pieces_.of_code[code]));
      s.first = sign;
      return;
    }
  }
  for (const Op op : {Op::say, Op::pass, Op::change, Op::from, Op::put})
    s.unknown = s.unknown || contains_action(id, op);
}

// One cell of the line: a step, what is asked there, what is laid down. `quiet` and the rest don't matter.
bool Lowering::lays_one(const Steps& parts, std::size_t& i, Times times, Spread& s) const {
  const auto names_way = [&](NodeId value) {
    const Node& n = node(value);
    return n.op == Op::local && n.a == s.way;
  };
  if (!s.lifted || s.decides || s.way < 0 || i >= parts.size()) return false;
  if (node(parts[i]).op != Op::go || !names_way(kid(parts[i], 0))) return false;
  Contents there = all_contents();
  bool carries = !s.laid, laid = false, changed = false;
  std::set<std::int32_t> amounts; // chosen for this cell
  for (++i; i < parts.size() && !laid; ++i) {
    const NodeId id = parts[i];
    const Node& n = node(id);
    switch (n.op) {
    case Op::at:
      if (!changed) there &= codes_of(kid(id, 0), Written());
      break;
    case Op::require: {
      const Node& c = node(kid(id, 0));
      if (c.op == Op::equal || c.op == Op::at_most) {
        const NodeId number = kid(kid(id, 0), 0), other = kid(kid(id, 0), 1);
        for (const auto& [a, b] : {std::pair(number, other), std::pair(other, number)}) {
          if (c.op == Op::at_most && a != number) continue; // a <= b
          carries = carries || (node(a).op == Op::number && node(a).a >= 1 && node(b).op == Op::carried);
        }
      }
      break;
    }
    case Op::choose: {
      const auto least = least_of(kid(id, 0));
      if (!least || *least < 1 || is_changed(n.a)) return false;
      amounts.insert(n.a);
      break;
    }
    case Op::put: {
      if (n.count == 0) {
        if (!carries) return false;
      } else {
        const Node& amount = node(kid(id, 0));
        const bool chosen = amount.op == Op::local && amounts.erase(amount.a) != 0;
        if (!chosen && (amount.op != Op::number || amount.a < 1)) return false;
      }
      laid = true;
      break;
    }
    default:
      if (!only_notes(id) || decides(id)) return false;
      changed = changed || contains_action(id, Op::change);
    }
    note_first(id, s);
  }
  if (!laid || !amounts.empty()) return false;
  s.laid = true;
  if (times == Times::any) {
    if (s.loops || s.perhaps || there.none()) return false;
    s.loops = true;
    s.looped = there;
  } else if (times == Times::perhaps) {
    if (s.perhaps || (s.loops && (s.looped & there).any())) return false;
    s.perhaps = true;
  }
  return true;
}

// A repetition lays one cell each round, a sequence of actions as many as it says.
bool Lowering::lays(const Steps& parts, std::size_t& i, Spread& s) const {
  const NodeId id = parts[i];
  const Node& n = node(id);
  if (n.op == Op::go) return lays_one(parts, i, Times::once, s);
  if (n.op != Op::repeat || (n.a & (kMaximal | kUntil)) != 0) return false;
  const auto number_is = [&](std::uint32_t k, std::int32_t a) {
    return k < n.count && node(kid(id, k)).op == Op::number && node(kid(id, k)).a == a;
  };
  const bool perhaps = (n.a & kUnbounded) == 0 && number_is(1, 0) && number_is(2, 1);
  Steps body;
  flatten_quiet(kid(id, 0), body);
  // What comes behind the piece that is laid writes, at most.
  std::size_t size = body.size();
  while (size > 0 && only_notes(body[size - 1]) && !decides(body[size - 1]) &&
         !contains_action(body[size - 1], Op::change))
    --size;
  const Steps behind(body.begin() + static_cast<std::ptrdiff_t>(size), body.end());
  body.resize(size);
  std::size_t k = 0;
  // What was laid in an earlier round isn't in the air any more.
  if (!perhaps) s.laid = true;
  if (!lays_one(body, k, perhaps ? Times::perhaps : Times::any, s) || k != body.size()) return false;
  for (const NodeId part : behind) note_first(part, s);
  ++i;
  return true;
}

// `todo` puts the walker on a cell; everything that comes then is such a spreading.
bool Lowering::told_by_heights(const Todo* todo, const Written& w, const Draft& env,
                               std::vector<Sign>& found) {
  if (!is_on(Form::heights)) return false;
  if (!stacks() || w.free || w.gone) return false;
  Steps parts;
  for (const Todo* part = todo->next; part != nullptr; part = part->next) {
    if (part->then != nullptr) return false;
    flatten_quiet(part->action, parts);
  }
  Spread s;
  s.unknown = env.quiet;
  std::size_t i = 0;
  while (i < parts.size()) {
    const NodeId id = parts[i];
    const Node& n = node(id);
    const bool is_choice = n.op == Op::choose && !s.laid && !is_changed(n.a);
    if (is_choice && node(kid(id, 0)).type == Type::directions) {
      const auto steps = constant_steps(kid(id, 0), env);
      if (s.way >= 0 || !steps || !lines_part(*steps)) return false;
      s.way = n.a;
    } else if (is_choice) {
      const auto least = least_of(kid(id, 0));
      if (s.lifted || !least || *least < 1) return false;
      s.numbers.insert(n.a);
      s.chosen.insert(n.a);
    } else if (n.op == Op::lift) {
      if (s.lifted) return false;
      s.lifted = true;
      if (n.count > 0) {
        const Node& amount = node(kid(id, 0));
        const bool chosen = amount.op == Op::local && s.numbers.erase(amount.a) != 0;
        if (!chosen && (amount.op != Op::number || amount.a < 1)) return false;
      }
      if (!s.numbers.empty()) return false;
    } else if (n.op == Op::go || n.op == Op::repeat) {
      if (!lays(parts, i, s)) return false;
      continue;
    } else {
      if (!only_notes(id)) return false;
      note_first(id, s);
      s.decides = s.decides || decides(id);
      if (contains_action(id, Op::change)) s.looped.set(); // what is there may be another thing
    }
    ++i;
  }
  if (!s.lifted || !s.laid) return false;
  Sign any;
  any.what = Sign::What::any;
  found.push_back(s.first ? *s.first : any);
  return true;
}

} // namespace boardwright::runtime::lowering
