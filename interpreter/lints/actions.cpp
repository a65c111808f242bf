// Lints about what becomes of a turn as a whole: pieces that stay in the air, hands that are never filled.
#include "interpreter/lints/lints.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Program;

// The place of a node in the file itself, if it is there.
std::optional<dsl::Span> own_span(const Linted& in, NodeId id) {
  const auto& origin = in.program.origins[in.program.nodes[id].origin];
  if (in.program.files[origin.file] != in.sources.name(in.file.file) || origin.end == 0) return std::nullopt;
  return dsl::Span{in.file.file, origin.begin, origin.end};
}

// Follows what is carried through a turn, of which only counts whether it is nothing or something. A move
// must end with nothing.
class Carrying {
public:
  using States = unsigned; // a set of these two
  static constexpr States kNothing = 1, kSomething = 2;

  explicit Carrying(const Program& program) : program_(program) {}

  // What may be carried after an action, from any of `before`.
  States after(NodeId id, States before) {
    if (before == 0) return 0;
    const auto [memo, is_new] = after_.try_emplace({id, before}, 0u);
    if (is_new) {
      const States result = work_out(id, before);
      return after_[{id, before}] = result;
    }
    return memo->second;
  }

  // From which of the two can an action lead to one of `wanted`?
  States leading(NodeId id, States wanted) {
    States result = 0;
    for (const States state : {kNothing, kSomething})
      if ((after(id, state) & wanted) != 0) result |= state;
    return result;
  }

private:
  States work_out(NodeId id, States before) {
    const Node& n = program_.nodes[id];
    const auto kids = program_.kids_of(n);
    switch (n.op) {
    case Op::lift: return kSomething;
    case Op::put:
    case Op::discard: return kids.empty() ? kNothing : before | kNothing;
    case Op::sequence: {
      States now = before;
      for (const NodeId kid : kids) now = after(kid, now);
      return now;
    }
    case Op::repeat: return repeated(n, before);
    case Op::never: return 0;
    default: break;
    }
    States all = 0;
    bool any = false;
    for (const NodeId kid : kids) {
      if (!runtime::is_action(program_.nodes[kid].op)) continue;
      any = true;
      all |= after(kid, before);
    }
    if (!any) return before;
    const bool may_do_nothing = (n.op == Op::if_action && kids.size() < 3) || n.op == Op::each;
    return may_do_nothing ? all | before : all;
  }
  States repeated(const Node& n, States before) {
    States now = before; // no round at all may be ruled out by bounds; that it isn't is good for the file
    for (int round = 0; round < 2; ++round) now |= after(program_.kid(n, 0), now);
    return now;
  }

  const Program& program_;
  std::map<std::pair<NodeId, States>, States> after_;
};

// Is how many there are in hand written as numbers, not by an option?
bool is_written(const dsl::PerPlayer& count) {
  const auto is_number = [](const dsl::Ast& n) { return n.form == dsl::Form::number; };
  return (!count.all || is_number(*count.all)) &&
         std::all_of(count.each.begin(), count.each.end(),
                     [&](const auto& c) { return is_number(c.second); });
}

class Turns {
public:
  Turns(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out), carrying_(in.program) {}

  void report() {
    for (const auto& player : in_.program.players) visit(player.turn, Carrying::kNothing, Carrying::kNothing);
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    for (const auto& [place, stuck] : never_put_)
      if (stuck.always && told.insert({stuck.lift.begin, stuck.lift.end}).second) tell_never_put(stuck.lift);
    hands();
  }

private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, bytes
  struct Stuck {
    bool always = true;
    dsl::Span lift; // where it is told
  };

  // Looks for the outermost actions from which every way ends with something carried. `before`: what may be
  // carried when it begins; `wanted`: what may be carried when it ends, so that a move can come of it.
  void visit(NodeId id, Carrying::States before, Carrying::States wanted) {
    const Node& n = in_.program.nodes[id];
    if (!runtime::is_action(n.op) || before == 0 || wanted == 0) return;
    const bool stuck = carrying_.after(id, before) != 0 && (carrying_.leading(id, wanted) & before) == 0;
    if (is_branch_) note(id, stuck);
    if (stuck) return is_branch_ ? void() : note(id, true);
    const auto kids = in_.program.kids_of(n);
    if (n.op == Op::sequence) return visit_sequence(n, before, wanted);
    const bool branches = n.op == Op::alternatives || n.op == Op::otherwise || n.op == Op::if_action ||
                          n.op == Op::by_kind_action || n.op == Op::by_player_action;
    if (n.op == Op::repeat) wanted = before = Carrying::kNothing | Carrying::kSomething;
    for (const NodeId kid : kids) {
      is_branch_ = branches;
      visit(kid, before, wanted);
      is_branch_ = false;
    }
  }

  void visit_sequence(const Node& n, Carrying::States before, Carrying::States wanted) {
    const auto kids = in_.program.kids_of(n);
    std::vector<Carrying::States> wanted_after(kids.size() + 1, wanted);
    for (std::size_t i = kids.size(); i-- > 0;)
      wanted_after[i] = carrying_.leading(kids[i], wanted_after[i + 1]);
    for (std::size_t i = 0; i < kids.size(); ++i) {
      is_branch_ = false;
      visit(kids[i], before, wanted_after[i + 1]);
      before = carrying_.after(kids[i], before) & wanted_after[i + 1];
    }
  }

  // An action of the file is to blame if it is stuck wherever it is met.
  void note(NodeId id, bool stuck) {
    const auto span = lift_in(id);
    if (!span) return;
    const auto& origin = in_.program.origins[in_.program.nodes[id].origin];
    Stuck& known =
        never_put_.try_emplace({origin.file, origin.begin, origin.end}, Stuck{true, *span}).first->second;
    known.always = known.always && stuck;
  }
  // The first `lift` of the file's own in an action; else the action itself.
  [[nodiscard]] std::optional<dsl::Span> lift_in(NodeId id) const {
    const auto found = first_lift(id);
    return found ? found : own_span(in_, id);
  }
  [[nodiscard]] std::optional<dsl::Span> first_lift(NodeId id) const {
    const Node& n = in_.program.nodes[id];
    if (n.op == Op::lift) return own_span(in_, id);
    for (const NodeId kid : in_.program.kids_of(n))
      if (runtime::is_action(in_.program.nodes[kid].op))
        if (const auto found = first_lift(kid)) return found;
    return std::nullopt;
  }

  void tell_never_put(dsl::Span span) {
    out_.warning("never-put", span, "what is lifted here is never put down, so there is no move").help =
        "`put` lays it on `here`; `discard` takes it out of the game";
  }

  // ---- hands

  void hands() {
    const Program& program = in_.program;
    std::set<std::pair<int, int>> filled; // player, kind: by `set hand(K) = …`
    bool any_kind = false;
    for (const Node& n : program.nodes) {
      if (n.op != Op::set_hand) continue;
      const Node& kind = program.nodes[program.kid(n, 0)];
      if (kind.op == Op::kind)
        filled.insert({n.a, kind.a});
      else
        any_kind = true;
    }
    if (any_kind) return;
    // By place and kind, since a definition may drop many: all in vain?
    std::map<std::tuple<std::uint32_t, std::uint32_t, int>, std::pair<bool, NodeId>> drops;
    for (NodeId id = 0; id < program.nodes.size(); ++id) {
      const Node& n = program.nodes[id];
      if (n.op != Op::drop) continue;
      const auto& origin = program.origins[n.origin];
      const Node& kind = program.nodes[program.kid(n, 1)];
      const int which = kind.op == Op::kind ? kind.a : -1;
      const auto [entry, is_new] = drops.try_emplace({origin.file, origin.begin, which}, true, id);
      entry->second.first = entry->second.first && in_vain(n, filled);
    }
    std::set<int> told;
    for (const auto& [place, drop] : drops)
      if (drop.first && told.insert(std::get<2>(place)).second) tell_empty_hand(drop.second);
  }

  [[nodiscard]] bool in_vain(const Node& drop, const std::set<std::pair<int, int>>& filled) const {
    const Program& program = in_.program;
    const Node& kind = program.nodes[program.kid(drop, 1)];
    const int player = drop.a >= 0 ? drop.a : drop.b;
    if (kind.op != Op::kind || kind.a < 0 || player < 0 || player >= program.player_count()) return false;
    const int slot = program.hand_slot[static_cast<std::size_t>(player)][static_cast<std::size_t>(kind.a)];
    return slot >= 0 && program.initial.hands[static_cast<std::size_t>(slot)] == 0 &&
           !filled.contains({player, kind.a});
  }

  void tell_empty_hand(NodeId id) {
    const Node& n = in_.program.nodes[id];
    const Node& kind = in_.program.nodes[in_.program.kid(n, 1)];
    const std::string& name = in_.program.kinds[static_cast<std::size_t>(kind.a)].name;
    for (const auto& entry : in_.file.hands)
      if (entry.kind.text == name && entry.kind.span.file == in_.file.file && is_written(entry.count)) {
        auto& warning =
            out_.warning("empty-hand", entry.kind.span, fmt::format("no hand ever has a `{}` to drop", name));
        warning.help = "give the players some, or fill the hand by `set hand(K) = …`";
        if (const auto span = own_span(in_, id)) warning.related.push_back({*span, "it is dropped here"});
        return;
      }
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  Carrying carrying_;
  bool is_branch_ = false;
  std::map<Key, Stuck> never_put_;
};

} // namespace

bool is_never_in_hand(const Linted& in, const dsl::HandEntry& entry) {
  const Program& program = in.program;
  if (!is_written(entry.count)) return false;
  for (const Node& n : program.nodes) {
    if (n.op != Op::set_hand) continue;
    const Node& kind = program.nodes[program.kid(n, 0)];
    const bool other = kind.op == Op::kind && kind.a >= 0 &&
                       program.kinds[static_cast<std::size_t>(kind.a)].name != entry.kind.text;
    if (!other) return false;
  }
  for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
    for (const auto& slots : program.hand_slot)
      if (program.kinds[kind].name == entry.kind.text && slots[kind] >= 0 &&
          program.initial.hands[static_cast<std::size_t>(slots[kind])] > 0)
        return false;
  return true;
}

void lint_actions(const Linted& in, dsl::Diagnostics& out) { Turns(in, out).report(); }

void lint(const Linted& in, dsl::Diagnostics& out) {
  for (const auto part :
       {lint_names,    lint_bodies,        lint_expressions, lint_rows,     lint_implied, lint_covered,
        lint_branches, lint_sides,         lint_headings,    lint_lines,    lint_tables,  lint_players,
        lint_taken,    lint_foreign_hands, lint_ends,        lint_verdicts, lint_belated, lint_draws,
        lint_actions,  lint_tests,         lint_fewer,       lint_siblings, lint_chance})
    part(in, out);
}

} // namespace boardwright::interpreter
