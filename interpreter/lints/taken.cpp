// Lints that follow the walker through a turn, as it is when it is loaded: what is carried, and what the cell
// can hold on which it stands. They find a `put` where nothing has been lifted, and captures of one's own
// pieces. And one about hands that are filled and that nothing is dropped from.
#include "interpreter/lints/effects.hpp"
#include "interpreter/lints/lints.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::kNoNode;
using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Owners;
using runtime::Program;

// What may be carried.
constexpr unsigned kNothing = 1, kSomething = 2;
// Steps and sets that are looked at, for all players together. Of a game that has more nothing is told: names
// for sets that are made of other such names can be made to need any number of them.
constexpr int kMostFollowed = 200'000;
// Names and sets within one another that are gone into.
constexpr int kMostNested = 12;

struct Walker {
  unsigned carried = 0; // none: it gets no farther
  unsigned here = kHoldsAnything;
  bool away = false;   // it has gone since the piece was lifted
  NodeId at = kNoNode; // the set that says what is here
};

Walker either(const Walker& a, const Walker& b) {
  if (a.carried == 0) return b;
  if (b.carried == 0) return a;
  return {a.carried | b.carried, a.here | b.here, a.away && b.away, a.at == b.at ? a.at : kNoNode};
}

class Taken {
public:
  Taken(const Linted& in, dsl::Diagnostics& out) : in_(in), program_(in.program), out_(out) {
    for (const Node& n : program_.nodes) {
      if (n.op == Op::let || n.op == Op::let_value || n.op == Op::choose) value_[n.a] = program_.kid(n, 0);
      if (n.op == Op::set_local) set_.insert(n.a);
    }
  }

  // What the turn of one player can change.
  Effects effects(int player) {
    me_ = player;
    after(program_.players[static_cast<std::size_t>(player)].turn,
          {kNothing, kHoldsAnything, false, kNoNode});
    effects_.known = left_ >= 0;
    if (program_.board.stacks)
      effects_.changed = effects_.taken = kHoldsAnything; // what lies below is unknown
    return effects_;
  }

  void report() {
    for (std::size_t player = 0; player < program_.players.size(); ++player) {
      me_ = static_cast<int>(player);
      after_.clear();
      after(program_.players[player].turn, {kNothing, kHoldsAnything, false, kNoNode});
    }
    if (left_ < 0) return;
    tell(puts_, "never-lifted", "nothing is carried here: there is no `lift` before this `put`",
         "`lift` takes up the piece that `from` stands on");
    tell(nothing_, "takes-empty", "this cell is empty, as has just been asked: nothing is removed",
         "`remove here` stands behind `at enemy`, before the next step");
    tell(drops_, "drops-on-pieces", "this replaces the piece that has just been put here",
         "`start` is where it has come from");
    tell(same_, "self-assignment", "these pieces have this owner already",
         "`own` makes them the player's own");
    tell(own_, "takes-own", "what is taken here is the player's own",
         "`enemy` are the cells with an enemy's piece");
  }

private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, bytes
  struct Gathered {                                                    // under a name
    unsigned holds = 0;
    NodeId at = kNoNode;
  };
  struct Seen {
    NodeId where;
    bool always;
  };

  [[nodiscard]] std::span<const NodeId> kids(NodeId id) const { return program_.kids_of(program_.nodes[id]); }

  // What a name stands for that nothing sets anew: what is given to a definition is kept under a name.
  [[nodiscard]] NodeId meant(NodeId id) const {
    for (int steps = 0; steps < kMostNested; ++steps) {
      const Node& n = program_.nodes[id];
      if (n.op == Op::let_value) {
        id = program_.kid(n, 1);
        continue;
      }
      const auto value = n.op == Op::local && !set_.contains(n.a) ? value_.find(n.a) : value_.end();
      if (value == value_.end()) return id;
      id = value->second;
    }
    return id;
  }

  // ---- what the cells of a set may hold

  // `whole`: of sets that hold all such cells, or nothing.
  [[nodiscard]] unsigned holds(NodeId named, const Walker& now, bool whole = false) {
    if (--left_ < 0) return whole ? 0 : kHoldsAnything;
    const NodeId id = meant(named);
    Walker w = now;
    if (id != named) w.here = kHoldsAnything; // it was worked out before, and elsewhere
    const Node& n = program_.nodes[id];
    const auto kid = [&](std::uint32_t i, bool all) { return holds(program_.kid(n, i), w, all); };
    const unsigned unknown = whole ? 0 : kHoldsAnything;
    switch (n.op) {
    case Op::owned: return holdings_of(program_, n.a, n.b, me_);
    case Op::empty: return kHoldsNothing;
    case Op::complement: return whole ? 0 : kHoldsAnything & ~kid(0, true);
    case Op::unite: return kid(0, whole) | kid(1, whole);
    case Op::meet: return whole ? 0 : kid(0, false) & kid(1, false);
    case Op::minus: return whole ? 0 : kid(0, false) & ~kid(1, true);
    case Op::select: return whole ? 0 : kid(0, false);
    case Op::kind_cells:
      return whole ? 0 : holdings_of_kind(program_, program_.nodes[program_.kid(n, 0)], me_);
    case Op::here: return whole ? 0 : w.here;
    case Op::reach: {
      if (whole) return 0;
      Walker start{kNothing, kid(0, false), false, kNoNode};
      const Walker end = after(program_.kid(n, 1), start);
      return end.carried == 0 ? kHoldsAnything : end.here;
    }
    default: return unknown;
    }
  }
  // ---- the way

  Walker after(NodeId id, const Walker& w) {
    if (w.carried == 0 || --left_ < 0) return {};
    const auto key = std::tuple(id, w.carried, w.here, w.away, w.at);
    const auto found = after_.find(key);
    if (found != after_.end()) return found->second;
    after_[key] = {};
    return after_[key] = work_out(id, w);
  }

  Walker work_out(NodeId id, Walker w) {
    const Node& n = program_.nodes[id];
    note_effect(n, w);
    if (n.op == Op::if_action) effects_.choices.insert(id);
    switch (n.op) {
    case Op::sequence: return in_turn(kids(id), w);
    case Op::from:
    case Op::to:
      return {w.carried, holds(program_.kid(n, 0), w), w.away || n.op == Op::to, program_.kid(n, 0)};
    case Op::go:
    case Op::bend: return {w.carried, kHoldsAnything, true, kNoNode};
    case Op::at: {
      const unsigned set = holds(program_.kid(n, 0), w);
      if ((w.here & set) != w.here) w.at = program_.kid(n, 0);
      w.here &= set;
      return w.here == 0 ? Walker{} : w;
    }
    case Op::lift:
      return {kSomething, program_.board.stacks ? kHoldsAnything : kHoldsNothing, false, kNoNode};
    case Op::put: {
      if (n.count == 0) note(puts_, id, id, w.carried == kNothing);
      const bool known = !program_.board.stacks && w.carried == kSomething;
      return {n.count == 0 ? kNothing : w.carried | kNothing, known ? kHoldsOwn : kHoldsAnything, w.away,
              kNoNode};
    }
    case Op::discard:
      return {n.count == 0 ? kNothing : w.carried | kNothing, kHoldsAnything, w.away, kNoNode};
    case Op::remove: return removed(id, w);
    case Op::drop: {
      const NodeId cells = program_.kid(n, 0);
      if (program_.nodes[cells].op == Op::here) note(drops_, id, cells, w.here == kHoldsOwn && is_nobodys(n));
      return {w.carried, kHoldsAnything, w.away, kNoNode};
    }
    case Op::change: changed(id, w); return {w.carried, kHoldsAnything, w.away, kNoNode};
    case Op::move_by: return {w.carried, kHoldsAnything, w.away, kNoNode};
    case Op::never: return {};
    case Op::repeat: return repeated(n, w);
    case Op::choose:
    case Op::choose_some:
    case Op::let:
    case Op::require:
    case Op::set_variable:
    case Op::set_hand:
    case Op::say: return w;
    case Op::set_local: gather(n, w); return w;
    default: return branches(n, w);
    }
  }
  // set hit = hit | here: cells that are put together on the way, to be taken at its end.
  void gather(const Node& n, const Walker& w) {
    const NodeId value = program_.kid(n, 0);
    const Node& sum = program_.nodes[value];
    Gathered& all = gathered_[n.a];
    const auto is_itself = [&](NodeId id) {
      return program_.nodes[id].op == Op::local && program_.nodes[id].a == n.a;
    };
    const bool adds = sum.op == Op::unite && is_itself(program_.kid(sum, 0));
    all.holds |= adds ? holds(program_.kid(sum, 1), w) : kHoldsAnything;
    all.at = w.at;
  }
  // What an action changes, from where the walker is.
  void note_effect(const Node& n, const Walker& w) {
    const auto holds_first = [&] { return holds(program_.kid(n, 0), w); };
    switch (n.op) {
    case Op::lift: effects_.changed |= w.here | kHoldsNothing; return;
    case Op::put: // what was lifted has changed already, and its cell is empty
      effects_.changed |= w.here | kHoldsOwn;
      effects_.taken |= w.here;
      return;
    case Op::discard: effects_.taken |= effects_.changed; return;
    case Op::remove:
      effects_.changed |= holds_first() | kHoldsNothing;
      effects_.taken |= holds_first();
      return;
    case Op::drop:
      effects_.changed |= holds_first() | dropped(n);
      effects_.taken |= holds_first();
      return;
    case Op::change:
      effects_.changed |= holds_first() | (n.a == runtime::kKeepOwner ? 0 : kHoldsAnything);
      effects_.taken |= n.a == runtime::kKeepOwner ? 0 : holds_first();
      return;
    case Op::move_by: effects_.changed = effects_.taken = kHoldsAnything; return;
    case Op::set_variable: effects_.variables.insert(n.a); return;
    default: return;
    }
  }
  [[nodiscard]] unsigned dropped(const Node& drop) const {
    if (drop.a == runtime::kNatural) return is_nobodys(drop) ? kHoldsNeutral : kHoldsOwn;
    return drop.a < 0 ? kHoldsNeutral : drop.a == me_ ? kHoldsOwn : kHoldsEnemy;
  }
  Walker in_turn(std::span<const NodeId> steps, Walker w) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool merges = i + 1 < steps.size() && program_.nodes[steps[i]].op == Op::remove &&
                          program_.nodes[steps[i + 1]].op == Op::put;
      if (merges)
        w.at = kNoNode, w.away = false; // what is carried takes the place of its own, and is meant to
      w = after(steps[i], w);
    }
    return w;
  }
  // Any of its actions.
  Walker branches(const Node& n, const Walker& w) {
    Walker all;
    bool any = false;
    for (const NodeId kid : program_.kids_of(n)) {
      if (!runtime::is_action(program_.nodes[kid].op)) continue;
      any = true;
      all = either(all, after(kid, w));
    }
    const bool may_do_nothing = (n.op == Op::if_action && n.count < 3) || n.op == Op::each;
    return !any || may_do_nothing ? either(all, w) : all;
  }
  Walker repeated(const Node& n, const Walker& w) {
    const Node& low = program_.nodes[program_.kid(n, 1)];
    const bool some_round = low.op == Op::number && low.a > 0;
    const Walker once = after(program_.kid(n, 0), w);
    Walker more = either(once, after(program_.kid(n, 0), once));
    more = either(more, after(program_.kid(n, 0), more));
    return some_round ? more : either(w, more);
  }

  // ---- captures

  Walker removed(NodeId id, Walker w) {
    const NodeId named = program_.kid(program_.nodes[id], 0), set = meant(named);
    if (program_.nodes[named].op == Op::here) {
      const NodeId blamed = w.at == kNoNode ? id : w.at;
      if (w.away) note(own_, id, blamed, w.carried == kSomething && w.here == kHoldsOwn);
      note(nothing_, id, id, w.here == kHoldsNothing);
      w.here = kHoldsNothing;
      return w;
    }
    const Node& local = program_.nodes[set];
    const auto gathered = local.op == Op::local ? gathered_.find(local.a) : gathered_.end();
    if (gathered != gathered_.end() && gathered->second.at != kNoNode)
      note(own_, id, gathered->second.at, gathered->second.holds == kHoldsOwn);
    if (program_.nodes[set].op == Op::reach && goes_on(set)) note(own_, id, set, holds(set, w) == kHoldsOwn);
    w.here |= kHoldsNothing;
    return w;
  }
  // Pieces that become their owner's.
  void changed(NodeId id, const Walker& w) {
    const Node& n = program_.nodes[id];
    if (n.a < 0) return;
    const unsigned becomes = n.a == me_ ? kHoldsOwn : program_.players.size() == 2 ? kHoldsEnemy : 0;
    const bool only_owner = program_.kids_of(n).size() == 1;
    note(same_, id, id, only_owner && holds(program_.kid(n, 0), w) == becomes);
  }
  [[nodiscard]] bool is_nobodys(const Node& drop) const {
    const Node& kind = program_.nodes[program_.kid(drop, 1)];
    const bool known = drop.a == runtime::kNatural && kind.op == Op::kind && kind.a >= 0;
    return drop.a == runtime::kNeutral ||
           (known &&
            program_.kinds[static_cast<std::size_t>(kind.a)].letter[static_cast<std::size_t>(me_)] == 0);
  }
  // Does a walk take at least one step, from where the walker is? Else the group of a piece is taken.
  [[nodiscard]] bool goes_on(NodeId reach) const {
    const NodeId from = meant(program_.kid(program_.nodes[reach], 0));
    const Node& walk = program_.nodes[program_.kid(program_.nodes[reach], 1)];
    if (program_.nodes[from].op != Op::here) return false;
    if (walk.op != Op::repeat) return walk.op == Op::sequence;
    const Node& low = program_.nodes[program_.kid(walk, 1)];
    return low.op == Op::number && low.a > 0;
  }

  // ---- what is told

  void note(std::map<Key, Seen>& list, NodeId id, NodeId where, bool so) {
    const auto& origin = program_.origins[program_.nodes[id].origin];
    const auto& shown = program_.origins[program_.nodes[own_part(where)].origin];
    Seen& seen =
        list.try_emplace({origin.file, origin.begin, shown.begin}, Seen{own_part(where), true}).first->second;
    seen.always = seen.always && so;
  }
  // The first part of a set that the file itself has written and that holds nothing but own pieces.
  [[nodiscard]] NodeId own_part(NodeId id) {
    if (is_own_text(id)) return id;
    const NodeId found = own_part_below(meant(id), 0);
    return found == kNoNode ? id : found;
  }
  [[nodiscard]] NodeId own_part_below(NodeId id, int depth) {
    if (depth > kMostNested || --left_ < 0) return kNoNode;
    const Op op = program_.nodes[id].op;
    if (is_own_text(id) && (op == Op::owned || op == Op::kind_cells) && holds(id, {}) == kHoldsOwn) return id;
    if (op == Op::kind_cells && is_own_text(kids(id)[0]) && holds(id, {}) == kHoldsOwn) return kids(id)[0];
    for (const NodeId kid : kids(id))
      if (const NodeId found = own_part_below(meant(kid), depth + 1); found != kNoNode) return found;
    return kNoNode;
  }
  [[nodiscard]] bool is_own_text(NodeId id) const {
    const auto& origin = program_.origins[program_.nodes[id].origin];
    return origin.end > 0 && program_.files[origin.file] == in_.sources.name(in_.file.file);
  }
  void tell(const std::map<Key, Seen>& list, dsl::Code code, const char* message, const char* help) {
    for (const auto& [key, seen] : list) {
      if (!seen.always || !is_own_text(seen.where)) continue;
      const auto& origin = program_.origins[program_.nodes[seen.where].origin];
      out_.warning(code, {in_.file.file, origin.begin, origin.end}, message).help = help;
    }
  }

  const Linted& in_;
  const Program& program_;
  dsl::Diagnostics& out_;
  Effects effects_;
  int me_ = 0;
  int left_ = kMostFollowed;
  std::map<std::tuple<NodeId, unsigned, unsigned, bool, NodeId>, Walker> after_;
  std::map<std::int32_t, Gathered> gathered_;
  std::map<Key, Seen> puts_, own_, nothing_, drops_, same_;
  std::map<std::int32_t, NodeId> value_; // by slot: what it is bound to
  std::set<std::int32_t> set_;           // slots that something sets anew
};

// ---- hands

class Hands {
public:
  explicit Hands(const Linted& in) : program_(in.program) {
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (n.op == Op::set_hand) {
        mark_added(program_.kid(n, 1));
        const Node& kind = program_.nodes[program_.kid(n, 0)];
        filled_.insert(kind.op == Op::kind ? kind.a : kAnyKind);
      }
      if (n.op == Op::choose || n.op == Op::each) member_[n.a] = program_.kid(n, 0);
      if (n.op == Op::let || n.op == Op::let_value) value_[n.a] = program_.kid(n, 0);
      if (n.op == Op::set_local) set_.insert(n.a);
    }
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (n.op == Op::drop) use(program_.kid(n, 1));
      if (n.op == Op::hand && !added_.contains(id)) use(program_.kid(n, 0));
      if (n.op == Op::hand_total) all_ = true;
      drops_ = drops_ || n.op == Op::drop;
    }
  }
  // Is there a use of pieces of this kind in hand, as far as can be known, or do none come into a hand?
  [[nodiscard]] bool uses(const std::string& kind) const {
    const auto is_filled = [&](int k) {
      return k == kAnyKind || program_.kinds[static_cast<std::size_t>(k)].name == kind;
    };
    if (std::none_of(filled_.begin(), filled_.end(), is_filled)) return true; // none come in
    return all_ || !drops_ || std::any_of(used_.begin(), used_.end(), [&](int k) {
             return program_.kinds[static_cast<std::size_t>(k)].name == kind;
           });
  }

private:
  // hand(k) in `set hand(k) = hand(k) + 1`
  void mark_added(NodeId id) {
    const Node& n = program_.nodes[id];
    if (n.op == Op::hand) added_.insert(id);
    if (n.op == Op::add || n.op == Op::subtract)
      for (const NodeId kid : program_.kids_of(n)) mark_added(kid);
  }
  void use(NodeId kind, int depth = 0) {
    const Node& n = program_.nodes[kind];
    if (n.op == Op::kind && n.a >= 0) used_.insert(n.a);
    if (n.op == Op::kind) return;
    const auto value = n.op == Op::local ? value_.find(n.a) : value_.end();
    const auto list = n.op == Op::local ? member_.find(n.a) : member_.end();
    if (value != value_.end() && !set_.contains(n.a) && depth < kMostNested)
      return use(value->second, depth + 1);
    if (list == member_.end() || set_.contains(n.a) || program_.nodes[list->second].op != Op::list) {
      all_ = true;
      return;
    }
    for (const NodeId member : program_.kids_of(program_.nodes[list->second])) use(member, kMostNested);
  }

  const Program& program_;
  std::map<std::int32_t, NodeId> member_, value_; // by slot: the list it goes through, what it is
  std::set<std::int32_t> set_;                    // slots that something sets anew
  std::set<NodeId> added_;
  static constexpr int kAnyKind = -1;
  std::set<int> used_, filled_;
  bool all_ = false, drops_ = false;
};

// Does any rule go by an option that is on or off? It may drop more with another value.
bool may_drop_more(const dsl::RuleFile& file) {
  bool found = false;
  const auto look = [&](const dsl::Ast& rule) {
    each_node(rule, [&](const dsl::Ast& n) {
      found = found || std::any_of(file.options.begin(), file.options.end(), [&](const auto& option) {
                return n.form == dsl::Form::name && n.word == option.name.text && option.initial &&
                       (option.initial->text == "true" || option.initial->text == "false");
              });
    });
  };
  for (const dsl::Definition& d : file.define) each_body(d, look);
  if (file.turn) look(file.turn->body);
  return found;
}

// Does a rule of the file list a kind among those that are dropped? If nothing uses it, that is told.
bool is_listed(const dsl::RuleFile& file, const std::string& kind) {
  bool found = false;
  each_rule(file, [&](const dsl::Ast& rule) {
    each_node(rule, [&](const dsl::Ast& n) {
      const bool lists = n.form == dsl::Form::drop ||
                         (n.form == dsl::Form::call && (n.word == "kinds" || n.word == "place"));
      found = found || (lists && std::any_of(n.kids.begin(), n.kids.end(),
                                             [&](const dsl::Ast& kid) { return is_name(kid, kind); }));
    });
  });
  return found;
}

void hands_in_vain(const Linted& in, dsl::Diagnostics& out) {
  if (in.file.hands.empty() || may_drop_more(in.file)) return;
  const Hands hands(in);
  for (const auto& entry : in.file.hands)
    if (entry.kind.span.file == in.file.file && !hands.uses(entry.kind.text) &&
        !is_listed(in.file, entry.kind.text))
      out.warning("unused-hand", entry.kind.span, fmt::format("no rule drops a `{}`", entry.kind.text)).help =
          "add it to the kinds that are dropped";
}

} // namespace

unsigned holdings_of(const Program& program, std::int32_t owners, int of, int me) {
  switch (static_cast<Owners>(owners)) {
  case Owners::exactly: return of == me ? kHoldsOwn : kHoldsEnemy;
  case Owners::others:
    return of == me ? kHoldsEnemy : program.players.size() == 2 ? kHoldsOwn : kHoldsOwn | kHoldsEnemy;
  case Owners::neutral: return kHoldsNeutral;
  default: return kHoldsAnything;
  }
}

unsigned holdings_of_kind(const Program& program, const Node& kind, int me) {
  if (kind.op != Op::kind || kind.a < 0) return kHoldsAnything;
  const auto& letter = program.kinds[static_cast<std::size_t>(kind.a)].letter;
  unsigned all = letter.back() != 0 ? kHoldsNeutral : 0;
  for (std::size_t player = 0; player + 1 < letter.size(); ++player)
    if (letter[player] != 0) all |= static_cast<int>(player) == me ? kHoldsOwn : kHoldsEnemy;
  return all;
}

Effects effects_of_turn(const Linted& in, int player) {
  dsl::Diagnostics ignored; // told by lint_taken
  return Taken(in, ignored).effects(player);
}

void lint_taken(const Linted& in, dsl::Diagnostics& out) {
  if (in.program.players.size() > 1) Taken(in, out).report(); // whoever plays alone takes his own
  hands_in_vain(in, out);
}

} // namespace boardwright::interpreter
