// Stacks that are spread: the heights of the position that results tell every choice, whatever is written.
//
// Pieces are lifted from one cell and laid down, at least one to a cell, along one line that starts there.
// Lines of different directions have no cell in common, and none comes back. So of two moves with the same
// result the cell that has become lower is the same, and by how much; the cells that have become higher are
// those of one line, which tells the direction, how many rounds there were, and what was laid down in each.
// Two parts of the rule may lay pieces on the same cell of the line only if they ask for different contents.
#include "runtime/lowering/unambiguity/first_signs.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::runtime::lowering::unambiguity {

namespace {

// Cells of the line on which pieces are laid: one, one or none, so many as one likes.
enum class Times : std::uint8_t { once, perhaps, any };

class Spread {
public:
  Spread(const Facts& facts, const AbstractDraft& env) : f_(facts), env_(env), unknown_(env.quiet) {}

  // Is what comes such a spreading, and nothing else?
  bool follow(const Actions& parts) {
    for (std::size_t i = 0; i < parts.size();) {
      const Op op = f_.node(parts[i]).op;
      const bool good = op == Op::go       ? lays_one(parts, i, Times::once)
                        : op == Op::repeat ? lays_in_rounds(parts[i++])
                                           : begins(parts[i++]);
      if (!good) return false;
    }
    return lifted_ && laid_;
  }
  // What is written first.
  [[nodiscard]] Sign first() const { return first_ ? *first_ : Sign(Sign::What::any); }

private:
  bool begins(NodeId id);
  bool lays_one(const Actions& parts, std::size_t& i, Times times);
  bool lays_in_rounds(NodeId loop);
  [[nodiscard]] bool names_carried(NodeId condition) const;
  bool takes(NodeId id, std::set<std::int32_t>& chosen) const;
  void note_first(NodeId id);

  const Facts& f_;
  const AbstractDraft& env_;
  std::set<std::int32_t> chosen_, untold_; // numbers; those that nothing has told yet
  std::int32_t way_ = -1;                  // the name of the direction that is chosen
  bool lifted_ = false, laid_ = false;
  bool decides_ = false; // the game may have been decided: what comes then isn't done
  bool loops_ = false;   // a part that goes any number of rounds has come
  Contents looped_;      // what its cells may have
  bool perhaps_ = false; // a part that may be left out has come
  std::optional<Sign> first_;
  bool unknown_; // what is written first isn't known
};

// What an action writes first, if anything.
void Spread::note_first(NodeId id) {
  if (first_ || unknown_) return;
  const Node& n = f_.node(id);
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  if (n.op == Op::say && n.count > 0) {
    const Node& what = f_.node(f_.kid(id, 0));
    if (what.op == Op::local && chosen_.count(what.a) != 0) {
      first_ = Sign(Sign::What::number);
      for (const std::string& name : f_.board().name) first_->plain = first_->plain && !digit(name[0]);
      for (std::size_t code = 1; code < at(f_.pieces().count()); ++code)
        first_->plain = first_->plain && !digit(f_.rules().letter_of(f_.pieces().of_code[code]));
      return;
    }
  }
  unknown_ = f_.does(id, OperationSet(Op::say, Op::pass, Op::change, Op::from, Op::put));
}

// Does `lift` or `put` take all, at least one, or as many as a name says that nothing else has told?
bool Spread::takes(NodeId id, std::set<std::int32_t>& chosen) const {
  const Node& n = f_.node(id);
  if (n.count == 0) return true;
  const Node& many = f_.node(f_.kid(id, 0));
  return (many.op == Op::local && chosen.erase(many.a) != 0) || (many.op == Op::number && many.a >= 1);
}

// `1 <= carried`, or so many.
bool Spread::names_carried(NodeId condition) const {
  const Node& c = f_.node(condition);
  if (c.op != Op::equal && c.op != Op::at_most) return false;
  const Node &a = f_.node(f_.kid(condition, 0)), &b = f_.node(f_.kid(condition, 1));
  const auto at_least_one = [](const Node& n) { return n.op == Op::number && n.a >= 1; };
  return (at_least_one(a) && b.op == Op::carried) ||
         (c.op == Op::equal && at_least_one(b) && a.op == Op::carried);
}

// Before the line: choices, the pieces that are lifted, notes.
bool Spread::begins(NodeId id) {
  const Node& n = f_.node(id);
  const bool is_choice = n.op == Op::choose && !laid_ && !f_.is_changed(n.a);
  if (is_choice && f_.node(f_.kid(id, 0)).type == Type::directions) {
    const auto steps = f_.constant_steps(f_.kid(id, 0), env_);
    if (way_ >= 0 || !steps || !f_.lines_part(*steps)) return false;
    way_ = n.a;
    return true;
  }
  if (is_choice) {
    untold_.insert(n.a);
    chosen_.insert(n.a);
    return !lifted_ && f_.least_of(f_.kid(id, 0)).value_or(0) >= 1;
  }
  if (n.op == Op::lift) {
    if (lifted_ || !takes(id, untold_)) return false;
    lifted_ = true;
    return untold_.empty();
  }
  note_first(id);
  decides_ = decides_ || f_.decides(id);
  if (f_.does(id, Op::change)) looped_.set(); // what is there may be another thing
  return f_.only_notes(id);
}

// One cell of the line: a step, what is asked there, what is laid down.
bool Spread::lays_one(const Actions& parts, std::size_t& i, Times times) {
  if (!lifted_ || decides_ || way_ < 0 || i >= parts.size() || f_.node(parts[i]).op != Op::go) return false;
  const Node& way = f_.node(f_.kid(parts[i], 0));
  if (way.op != Op::local || way.a != way_) return false;
  Contents there = f_.all_contents();
  bool carries = !laid_, laid = false, changed = false;
  std::set<std::int32_t> amounts; // chosen for this cell
  for (++i; i < parts.size() && !laid; ++i) {
    const NodeId id = parts[i];
    const Node& n = f_.node(id);
    if (n.op == Op::at) {
      if (!changed) there &= f_.possible_contents(f_.kid(id, 0), AbstractDraft());
    } else if (n.op == Op::require) {
      carries = carries || names_carried(f_.kid(id, 0));
    } else if (n.op == Op::choose) {
      if (f_.least_of(f_.kid(id, 0)).value_or(0) < 1 || f_.is_changed(n.a)) return false;
      amounts.insert(n.a);
    } else if (n.op == Op::put) {
      if (n.count == 0 ? !carries : !takes(id, amounts)) return false;
      laid = true;
    } else {
      if (!f_.only_notes(id) || f_.decides(id)) return false;
      changed = changed || f_.does(id, Op::change);
    }
    note_first(id);
  }
  if (!laid || !amounts.empty()) return false;
  laid_ = true;
  if (times == Times::any) {
    if (loops_ || perhaps_ || there.none()) return false;
    loops_ = true;
    looped_ = there;
  } else if (times == Times::perhaps) {
    if (perhaps_ || (loops_ && (looped_ & there).any())) return false;
    perhaps_ = true;
  }
  return true;
}

// A repetition lays one cell each round.
bool Spread::lays_in_rounds(NodeId loop) {
  if ((f_.node(loop).a & (kMaximal | kUntil)) != 0) return false;
  const bool perhaps = f_.is_perhaps(f_.node(loop));
  Actions body;
  f_.flatten_quiet(f_.kid(loop, 0), body);
  // What comes behind the piece that is laid writes, at most.
  std::size_t size = body.size();
  while (size > 0 && f_.only_notes(body[size - 1]) && !f_.decides(body[size - 1]) &&
         !f_.does(body[size - 1], Op::change))
    --size;
  const Actions behind(body.begin() + static_cast<std::ptrdiff_t>(size), body.end());
  body.resize(size);
  // What was laid in an earlier round isn't carried any more.
  if (!perhaps) laid_ = true;
  std::size_t k = 0;
  if (!lays_one(body, k, perhaps ? Times::perhaps : Times::any) || k != body.size()) return false;
  for (const NodeId part : behind) note_first(part);
  return true;
}

} // namespace

std::optional<Sign> told_by_heights(const Todo* todo, const Facts& facts, const AbstractDraft& env) {
  if (!is_on(Idiom::heights) || !facts.stacks()) return std::nullopt;
  Actions parts;
  for (const Todo* part = todo->next; part != nullptr; part = part->next) {
    if (part->then != nullptr) return std::nullopt;
    facts.flatten_quiet(part->action, parts);
  }
  Spread spread(facts, env);
  return spread.follow(parts) ? std::optional(spread.first()) : std::nullopt;
}

} // namespace boardwright::runtime::lowering::unambiguity
