// Entry point: split_turns.
//
// What is left of a turn behind a roll is a list of actions, one after the other. A ply carries such a list
// out as far as it goes: that of nature to the player's next choice, that of the player to the next roll.
// There it notes, in variables, which list is left and what that needs to know, and the same player moves
// again. Lists are made of parts of the turn, of which there are finitely many; so a repetition comes back to
// lists that are known, and plies form a loop.
#include "interpreter/meaning/rolls.hpp"

#include "interpreter/meaning/builder.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/operations.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace boardwright::interpreter {

using runtime::at;
using runtime::Outcomes;

namespace {

// Plies that a turn may have, and rounds of a repetition with bounds that rolls: what is more is refused,
// since each is code of its own.
constexpr std::size_t kMaxPlies = 200;
constexpr std::int64_t kMaxRollingRounds = 32;
// Steps that plies may have, all of a turn's together: repetitions within repetitions unfold into their
// product.
constexpr std::size_t kMaxStepsOfPlies = 50'000;

struct Part {
  NodeId node = 0;
  // No action: whoever comes here has not rolled, and has no outcome. Nothing where it stands behind a roll.
  bool must_have_rolled = false;
  friend auto operator<=>(const Part&, const Part&) = default;
};
using Parts = std::vector<Part>;

// What the actions so far have made known.
struct Known {
  std::vector<std::int32_t> slots;
  bool placed = false, started = false, again = false;
  bool carries = false; // may a piece be in the air?
};

// What a ply begins with.
struct Beginning {
  Parts rest;
  std::vector<std::int32_t> slots; // that are kept for it
  bool here = false, start = false;
  bool nature = false;
  bool secret = false; // it begins in the midst of what is written secretly
  friend auto operator<=>(const Beginning&, const Beginning&) = default;
};

// Of all players.
struct Variables {
  int stage = -1, here = -1, start = -1;
  std::map<std::pair<std::string, Type>, int> kept;
};

const char* word_of(Op op) {
  switch (op) {
  case Op::each: return "`each`";
  case Op::most: return "`most`";
  case Op::distinct: return "`distinct`";
  case Op::quietly: return "`quietly`";
  default: return "a question";
  }
}

class Turn {
public:
  Turn(Builder& builder, const Rolls& rolls, Variables& variables, dsl::Diagnostics& diagnostics)
      : builder_(builder), rolls_(rolls), variables_(variables), diagnostics_(diagnostics) {}

  [[nodiscard]] bool rolls(NodeId id) {
    const auto known = rolls_memo_.find(id);
    if (known != rolls_memo_.end()) return known->second;
    bool found = is_roll(id);
    for (const NodeId kid : kids(id)) found = rolls(kid) || found;
    return rolls_memo_[id] = found;
  }

  // The whole turn, by stages; which of these are nature's. `begins` is when the first one is, where that
  // depends on the position.
  NodeId split(NodeId turn, std::vector<bool>& natures, NodeId& begins) {
    find_types();
    builder_.set_origin(
        builder_.beginning_of(node(turn).origin)); // of what is added, which no place of the file says
    const Parts whole{{turn}};
    std::vector<NodeId> codes;
    beginnings_.push_back({whole, {}, false, false, begins_with_roll(whole)});
    begins = beginnings_[0].nature ? runtime::kNoNode : when_nature_begins(whole);
    for (std::size_t k = 0; k < beginnings_.size() && is_fine(turn); ++k) {
      const Beginning b = beginnings_[k];
      codes.push_back(ply(b, k > 0));
      natures.push_back(b.nature);
    }
    if (codes.empty()) return turn;
    NodeId code = codes.back();
    for (std::size_t k = codes.size() - 1; k-- > 0;)
      code = add(Op::if_action,
                 {is_at_stage(builder_, variables_.stage, static_cast<std::int32_t>(k)), codes[k], code});
    return code;
  }

  static NodeId is_at_stage(Builder& builder, int variable, std::int32_t stage) {
    return builder.add(Op::equal, Type::truth,
                       {builder.add(Op::variable, Type::number, {}, variable), builder.number(stage)});
  }

private:
  [[nodiscard]] const runtime::Node& node(NodeId id) const { return builder_.node(id); }
  [[nodiscard]] std::vector<NodeId> kids(NodeId id) const {
    const auto all = builder_.program().kids_of(node(id));
    return {all.begin(), all.end()};
  }
  NodeId add(Op op, std::vector<NodeId> kids = {}, std::int32_t a = 0) {
    return builder_.add(op, Type::action, std::move(kids), a);
  }
  [[nodiscard]] bool is_roll(NodeId id) const {
    return node(id).op == Op::choose && rolls_.places.contains(node(id).a);
  }

  void find_types() {
    for (const runtime::Node& n : builder_.program().nodes)
      if (n.op == Op::let || n.op == Op::choose || n.op == Op::choose_some) types_[n.a] = n.type;
  }

  // ---- what goes wrong
  [[nodiscard]] bool is_fine(NodeId turn) {
    if (builder_.full() || builder_.too_high() || failed_) return false; // whoever drives the builder says so
    if (beginnings_.size() > kMaxPlies)
      refuse(turn, fmt::format("a turn of more than {} plies", kMaxPlies),
             "a ply of nature ends where the player chooses: roll at fewer places");
    else if (++steps_ > kMaxStepsOfPlies)
      refuse(turn, "a turn that rolls unfolds into too many steps",
             "repetitions within repetitions, each of which rolls, are as many rounds as their product");
    return !failed_;
  }

  std::optional<dsl::Span> place_of_roll(NodeId id) {
    if (is_roll(id)) return rolls_.places.at(node(id).a);
    for (const NodeId kid : kids(id))
      if (rolls(kid)) return place_of_roll(kid);
    return std::nullopt;
  }

  NodeId refuse(NodeId id, const std::string& message, const std::string& help) {
    failed_ = true;
    const dsl::Span place = place_of_roll(id).value_or(rolls_.places.begin()->second);
    if (said_.insert(place.begin).second) diagnostics_.error("roll", place, message).help = help;
    return builder_.nothing();
  }

  // ---- what is known
  void note(NodeId id, Known& known) {
    const runtime::Node n = node(id);
    if (n.op == Op::let || n.op == Op::choose || n.op == Op::choose_some) known.slots.push_back(n.a);
    if (n.op == Op::sequence)
      for (const NodeId kid : kids(id)) note(kid, known);
    known.placed = known.placed || finds(id, [](Op op) {
                     return op == Op::from || op == Op::to || op == Op::go || op == Op::bend;
                   });
    known.started = known.started || finds(id, [](Op op) { return op == Op::from; });
    known.again = known.again || finds(id, [](Op op) { return op == Op::again; });
    note_air(id, known);
  }

  // What is lifted is laid down by the last `put` or `discard` of all.
  void note_air(NodeId id, Known& known) const {
    const Op op = node(id).op;
    if (op == Op::each || !runtime::is_action(op)) return; // it ends as it began
    if (op == Op::lift) known.carries = true;
    if ((op == Op::put || op == Op::discard) && kids(id).empty()) known.carries = false;
    bool carries = false;
    for (const NodeId kid : kids(id)) {
      Known way = known;
      note_air(kid, way);
      if (op == Op::sequence)
        known = way;
      else
        carries = carries || way.carries;
    }
    if (op != Op::sequence && !kids(id).empty() && runtime::is_action(op) && has_actions(id))
      known.carries = carries;
  }
  [[nodiscard]] bool has_actions(NodeId id) const {
    const auto all = kids(id);
    return std::any_of(all.begin(), all.end(), [&](NodeId kid) { return runtime::is_action(node(kid).op); });
  }

  template <class Is>
  [[nodiscard]] bool finds(NodeId id, const Is& is) const {
    if (is(node(id).op)) return true;
    const auto all = kids(id);
    return std::any_of(all.begin(), all.end(), [&](NodeId kid) { return finds(kid, is); });
  }

  void slots_in(NodeId id, std::set<std::int32_t>& slots) const {
    const runtime::Node& n = node(id);
    if (runtime::names_slot(n.op)) slots.insert(n.a);
    if (runtime::about(n.op).b == runtime::Operand::frame)
      for (const std::uint32_t slot : builder_.program().frames[at(n.b)])
        slots.insert(static_cast<std::int32_t>(slot));
    for (const NodeId kid : kids(id)) slots_in(kid, slots);
  }

  // Goes on with one draft at the most, whatever the position?
  [[nodiscard]] bool is_single(NodeId id) const {
    const runtime::Node& n = node(id);
    const auto all = kids(id);
    const auto each_single = [&](std::size_t from) {
      return std::all_of(all.begin() + static_cast<std::ptrdiff_t>(std::min(from, all.size())), all.end(),
                         [&](NodeId kid) { return !runtime::is_action(node(kid).op) || is_single(kid); });
    };
    if (n.op == Op::alternatives) return all.size() <= 1 && each_single(0);
    if (n.op == Op::repeat)
      return each_single(0) && ((n.a & runtime::kMaximal) != 0 || exact_rounds(id).has_value());
    if (n.op == Op::from || n.op == Op::to) return is_one_cell(all[0]);
    if (n.op == Op::go || n.op == Op::bend)
      return node(all[0]).op == Op::directions && builder_.steps_of(all[0]).count() == 1;
    const Outcomes outcomes = runtime::about(n.op).outcomes;
    return outcomes == Outcomes::as_children ? each_single(0) : outcomes != Outcomes::many;
  }

  [[nodiscard]] bool is_one_cell(NodeId cells) const {
    const runtime::Node& n = node(cells);
    return n.op == Op::here || n.op == Op::start || n.op == Op::first || n.op == Op::last ||
           (n.op == Op::cells && builder_.cells_of(cells).count() == 1) ||
           (n.op == Op::local && members_.contains(n.a));
  }

  [[nodiscard]] std::optional<std::int64_t> constant(NodeId number) const {
    if (node(number).op != Op::number) return std::nullopt;
    return std::max<std::int64_t>(node(number).a, 0);
  }
  // The rounds of `{n}`.
  [[nodiscard]] std::optional<std::int64_t> exact_rounds(NodeId id) const {
    const runtime::Node& n = node(id);
    const auto all = kids(id);
    if ((n.a & (runtime::kUnbounded | runtime::kUntil)) != 0) return std::nullopt;
    const auto low = constant(all[1]), high = constant(all[2]);
    if (!low || !high || *low != *high) return std::nullopt;
    return low;
  }

  // Does every way through it roll?
  [[nodiscard]] bool always_rolls(NodeId id) {
    if (!rolls(id)) return false;
    const auto all = kids(id);
    const auto does = [&](NodeId kid) { return always_rolls(kid); };
    switch (node(id).op) {
    case Op::choose: return is_roll(id);
    case Op::sequence: return std::any_of(all.begin(), all.end(), does);
    case Op::alternatives:
    case Op::otherwise: return std::all_of(all.begin(), all.end(), does);
    case Op::if_action: return all.size() == 3 && does(all[1]) && does(all[2]);
    case Op::by_kind_action:
    case Op::by_player_action: return std::all_of(all.begin() + 1, all.end(), does);
    case Op::repeat: return constant(all[1]).value_or(0) > 0 && does(all[0]);
    default: return false;
    }
  }

  // Nature moves at once: every way comes to a roll before it comes to a choice.
  [[nodiscard]] bool begins_with_roll(Parts list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const NodeId id = list[i].node;
      if (is_roll(id)) return true;
      if (node(id).op == Op::sequence || (rolls(id) && is_exact(id))) {
        list = spliced(list, i);
        i = static_cast<std::size_t>(-1);
      } else if (const auto forced = forced_rounds(id); forced && forced->low > 0) {
        list = behind(list, i, one_round(*forced));
        i = static_cast<std::size_t>(-1);
      } else if (is_branch(id) && rolls(id)) {
        const auto bodies = bodies_of(id);
        return std::all_of(bodies.begin(), bodies.end(),
                           [&](NodeId body) { return begins_with_roll(behind(list, i, body)); });
      } else if (rolls(id) || !is_single(id) || lifts(id)) {
        return false;
      }
    }
    return false;
  }

  // ---- lists
  [[nodiscard]] bool is_branch(NodeId id) const {
    const Op op = node(id).op;
    return op == Op::if_action || op == Op::by_kind_action || op == Op::by_player_action;
  }
  std::vector<NodeId> bodies_of(NodeId branch) {
    auto all = kids(branch);
    all.erase(all.begin());
    if (node(branch).op == Op::if_action && all.size() == 1) all.push_back(builder_.nothing());
    return all;
  }
  [[nodiscard]] bool is_exact(NodeId id) const {
    return node(id).op == Op::repeat && exact_rounds(id).value_or(kMaxRollingRounds + 1) <= kMaxRollingRounds;
  }
  // What a list is from place i on, with this in the place's stead.
  static Parts behind(const Parts& list, std::size_t i, NodeId instead) {
    Parts rest{{instead}};
    rest.insert(rest.end(), list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    return rest;
  }
  static Parts from(const Parts& list, std::size_t i) {
    return {list.begin() + static_cast<std::ptrdiff_t>(i), list.end()};
  }
  // A sequence, or rounds of which there are so many, as parts of the list.
  Parts spliced(const Parts& list, std::size_t i) {
    Parts rest;
    const NodeId id = list[i].node;
    if (node(id).op == Op::repeat)
      rest.assign(static_cast<std::size_t>(*exact_rounds(id)), {kids(id)[0]});
    else
      for (const NodeId kid : kids(id)) rest.push_back({kid});
    rest.insert(rest.end(), list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    return rest;
  }

  // ---- plies
  NodeId ply(const Beginning& b, bool goes_on) {
    std::vector<NodeId> steps;
    Known known;
    known.slots = b.slots;
    known.placed = b.here, known.started = b.start;
    if (goes_on) begin(b, steps);
    steps.push_back(b.nature ? natures_ply(b.rest, known) : goes_on ? player(b.rest, known) : first(b.rest));
    return add(Op::sequence, steps);
  }

  NodeId natures_ply(const Parts& list, const Known& known) {
    const NodeId ply = nature(list, known);
    if (rolls_.odds < 0) return ply;
    return add(Op::sequence, {set_number(rolls_.odds, builder_.number(1)), ply});
  }

  // ---- a turn that begins with `if`, of which nature has one branch and the player the other; so does
  // `A otherwise B` where A begins with a roll
  // A list whose head is a branch but for names that are bound before it, which its condition doesn't ask
  // for.
  struct Branched {
    Parts names, list;
  };
  // Nothing where it begins otherwise.
  std::optional<Branched> with_branch_first(Parts list) {
    Branched found;
    std::set<std::int32_t> bound, asked;
    while (!list.empty() && (node(list[0].node).op == Op::sequence || node(list[0].node).op == Op::let)) {
      const NodeId id = list[0].node;
      if (node(id).op == Op::sequence) {
        list = spliced(list, 0);
        continue;
      }
      if (rolls(id)) return std::nullopt;
      bound.insert(node(id).a);
      found.names.push_back(list[0]);
      list.erase(list.begin());
    }
    if (list.empty()) return std::nullopt;
    if (node(list[0].node).op == Op::otherwise && begins_with_roll(behind(list, 0, kids(list[0].node)[0])))
      list[0].node = as_branch(list[0].node);
    if (node(list[0].node).op != Op::if_action) return std::nullopt;
    const NodeId condition = kids(list[0].node)[0];
    slots_in(condition, asked);
    const auto is_asked = [&](std::int32_t slot) { return asked.contains(slot); };
    if (rolls(condition) || std::any_of(bound.begin(), bound.end(), is_asked)) return std::nullopt;
    found.list = std::move(list);
    return found;
  }
  // `A otherwise B` where A begins with a roll: if there is something to roll A, else B.
  NodeId as_branch(NodeId otherwise) {
    const auto [made, is_new] = branch_memo_.try_emplace(otherwise, 0);
    if (!is_new) return made->second;
    std::vector<NodeId> ways = kids(otherwise);
    const NodeId first = ways.front();
    ways.erase(ways.begin());
    const NodeId others = ways.size() == 1 ? ways.front() : add(Op::otherwise, ways);
    return made->second = add(Op::if_action, {can(first, {}), first, others});
  }

  // What is done where the branch goes into this body.
  static Parts into(const Branched& branched, NodeId body) {
    Parts all = branched.names;
    const Parts rest = behind(branched.list, 0, body);
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  // The condition under which every way comes to a roll before it comes to a choice; kNoNode: under none.
  NodeId when_nature_begins(const Parts& list) {
    if (begins_with_roll(list)) return builder_.truth(true);
    const auto branched = with_branch_first(list);
    if (!branched) return runtime::kNoNode;
    const NodeId branch = branched->list[0].node;
    const auto bodies = bodies_of(branch);
    NodeId found = runtime::kNoNode;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const NodeId within = when_nature_begins(into(*branched, bodies[i]));
      if (within == runtime::kNoNode) continue;
      NodeId holds = kids(branch)[0];
      if (i > 0) holds = builder_.add(Op::negation, Type::truth, {holds});
      const NodeId both = builder_.add(Op::all_of, Type::truth, {holds, within});
      found = found == runtime::kNoNode ? both : builder_.add(Op::any_of, Type::truth, {found, both});
    }
    return found;
  }

  // The first ply of a turn that isn't nature's in every position.
  NodeId first(const Parts& list) {
    if (begins_with_roll(list)) return natures_ply(list, {});
    const auto branched = with_branch_first(list);
    if (!branched || when_nature_begins(list) == runtime::kNoNode) return player(list, {});
    const NodeId branch = branched->list[0].node;
    std::vector<NodeId> made{kids(branch)[0]};
    for (const NodeId body : bodies_of(branch)) made.push_back(first(into(*branched, body)));
    return add(Op::if_action, made);
  }

  NodeId set_number(int variable, NodeId number) {
    return builder_.add(Op::set_variable, Type::number, {number}, variable);
  }
  NodeId kept(int variable) {
    return builder_.add(Op::variable, builder_.program().variables[at(variable)].type, {}, variable);
  }
  NodeId first_value(Type type) {
    switch (type) {
    case Type::truth: return builder_.truth(false);
    case Type::cells: return builder_.cells({});
    case Type::kind: return builder_.kind(-1);
    case Type::player: return builder_.player(0);
    default: return builder_.number(0);
    }
  }
  NodeId forget(int variable) {
    const Type type = builder_.program().variables[at(variable)].type;
    return builder_.add(Op::set_variable, type, {first_value(type)}, variable);
  }

  // What was kept is known again, and kept no longer.
  void begin(const Beginning& b, std::vector<NodeId>& steps) {
    steps.push_back(set_number(variables_.stage, builder_.number(0)));
    for (const std::int32_t slot : b.slots) {
      const int variable = variable_for(slot);
      steps.push_back(builder_.add(Op::let, types_.at(slot), {kept(variable)}, slot));
      steps.push_back(forget(variable));
    }
    const auto go_to = [&](int variable, Op op) {
      const NodeId is_there = builder_.add(Op::some, Type::truth, {kept(variable)});
      const NodeId go = add(Op::quietly, {add(op, {kept(variable)})});
      steps.push_back(add(Op::if_action, {is_there, go}));
      steps.push_back(forget(variable));
    };
    if (b.start) go_to(variables_.start, Op::from);
    if (b.here) go_to(variables_.here, Op::to);
    if (b.secret) steps.push_back(rolls_.secret_begins);
  }

  int new_variable(const std::string& wanted, Type type, std::int32_t first) {
    auto& program = builder_.program();
    const auto is_taken = [&](const std::string& name) {
      return std::any_of(program.variables.begin(), program.variables.end(),
                         [&](const runtime::Variable& v) { return v.name == name; });
    };
    std::string name = wanted;
    for (int n = 2; is_taken(name); ++n) name = fmt::format("{}_{}", wanted, n);
    program.variables.push_back({name, -1, type, false});
    program.initial.variables.push_back({first, {}});
    return static_cast<int>(program.variables.size()) - 1;
  }

  int variable_for(std::int32_t slot) {
    const auto name = rolls_.names.find(slot);
    const Type type = types_.at(slot);
    const auto key = std::make_pair(name == rolls_.names.end() ? "kept" : name->second, type);
    const auto found = taken_.find(slot);
    if (found != taken_.end()) return found->second;
    // Two names that are spelled alike, both of which are visible to definitions, need a variable each.
    auto numbered = key;
    for (int n = 2; in_use_.contains(numbered); ++n) numbered.first = fmt::format("{}_{}", key.first, n);
    in_use_.insert(numbered);
    auto& variable = variables_.kept.try_emplace(numbered, -1).first->second;
    if (variable < 0) variable = new_variable(numbered.first, type, type == Type::kind ? -1 : 0);
    return taken_[slot] = variable;
  }

  // The ply ends; the same player goes on with the rest.
  NodeId stop(const Parts& list, const Known& known, bool nature) {
    const NodeId any = nature ? can_be_rolled(list[0].node) : builder_.nothing();
    if (probing_) return any;
    Beginning next;
    next.nature = nature;
    for (const Part& part : list)
      if (!part.must_have_rolled) next.rest.push_back(part);
    if (known.carries)
      return refuse(list[0].node, "a roll while a piece is in the air",
                    "put it down first, and lift it behind the roll");
    if (known.again)
      return refuse(list[0].node,
                    nature ? "`again` before a roll"
                           : "`again` before something that is chosen behind a roll",
                    "say `again` behind it: the turn isn't over here");
    std::set<std::int32_t> asked;
    for (const Part& part : next.rest) slots_in(part.node, asked);
    for (const std::int32_t slot : known.slots)
      if (asked.contains(slot) && std::find(next.slots.begin(), next.slots.end(), slot) == next.slots.end())
        next.slots.push_back(slot);
    const auto reads = [&](std::uint16_t part) {
      return std::any_of(next.rest.begin(), next.rest.end(), [&](const Part& p) {
        return finds(p.node, [&](Op op) { return (runtime::about(op).reads & part) != 0; });
      });
    };
    next.secret = is_secret(next.rest);
    next.here = known.placed && reads(runtime::kHere);
    next.start = known.started && reads(runtime::kStart);
    if (next.secret)
      return add(Op::sequence, {any, rolls_.secret_ends, go_on_with(std::move(next), list[0].node)});
    return add(Op::sequence, {any, go_on_with(std::move(next), list[0].node)});
  }

  // The actions of a ply, one after the other. Where it stops right behind the beginning of what is written
  // secretly, that begins with the next ply: here it would be written as nothing in brackets.
  NodeId whole_ply(std::vector<NodeId> done) {
    if (done.empty() || node(done.back()).op != Op::sequence) return add(Op::sequence, std::move(done));
    auto last = kids(done.back());
    const auto ends = std::find(last.begin(), last.end(), rolls_.secret_ends);
    const auto writes = [&](NodeId id) { return node(id).op != Op::require; };
    if (ends == last.end() || std::any_of(last.begin(), ends, writes))
      return add(Op::sequence, std::move(done));
    std::size_t i = done.size() - 1;
    while (i > 0 && (node(done[i - 1]).op == Op::let || node(done[i - 1]).op == Op::set_variable)) --i;
    if (i == 0 || done[i - 1] != rolls_.secret_begins) return add(Op::sequence, std::move(done));
    last.erase(ends);
    done.back() = add(Op::sequence, std::move(last));
    done.erase(done.begin() + static_cast<std::ptrdiff_t>(i - 1));
    return add(Op::sequence, std::move(done));
  }

  // Is what comes next written for the mover alone? Then the end of that is ahead, and its beginning isn't.
  [[nodiscard]] bool is_secret(const Parts& list) const {
    for (const Part& part : list) {
      if (part.node == rolls_.secret_begins) return false;
      if (part.node == rolls_.secret_ends) return true;
    }
    return false;
  }

  NodeId can_be_rolled(NodeId roll) {
    return add(Op::require, {builder_.add(Op::some, Type::truth, {kids(roll)[0]})});
  }

  NodeId go_on_with(Beginning next, NodeId culprit) {
    std::vector<NodeId> steps;
    for (const std::int32_t slot : next.slots) {
      const Type type = types_.at(slot);
      const bool storable = type == Type::number || type == Type::truth || type == Type::cells ||
                            type == Type::kind || type == Type::player;
      if (!storable) {
        const auto name = rolls_.names.find(slot);
        return refuse(culprit,
                      fmt::format("{} can't be kept while nature moves", name == rolls_.names.end()
                                                                             ? "what is known here"
                                                                             : "`" + name->second + "`"),
                      "numbers, conditions, cells, kinds and players can; work the rest out behind the roll");
      }
      steps.push_back(builder_.add(Op::set_variable, type, {builder_.add(Op::local, type, {}, slot)},
                                   variable_for(slot)));
    }
    keep_place(next.here, variables_.here, "here", Op::here, steps);
    keep_place(next.start, variables_.start, "start", Op::start, steps);
    const auto found = std::find(beginnings_.begin(), beginnings_.end(), next);
    const auto stage = static_cast<std::int64_t>(found - beginnings_.begin());
    if (found == beginnings_.end()) beginnings_.push_back(std::move(next));
    steps.push_back(set_number(variables_.stage, builder_.number(stage)));
    steps.push_back(add(Op::again));
    return add(Op::sequence, steps);
  }

  void keep_place(bool wanted, int& variable, const char* name, Op op, std::vector<NodeId>& steps) {
    if (!wanted) return;
    if (variable < 0) variable = new_variable(fmt::format("{}_kept", name), Type::cells, 0);
    steps.push_back(builder_.add(Op::set_variable, Type::cells, {builder_.add(op, Type::cells)}, variable));
  }

  // of_rolled: nature's, behind what has been rolled.
  enum class Branches : std::uint8_t { of_player, of_nature, of_rolled };

  NodeId branches(NodeId id, const Parts& list, std::size_t i, const Known& known, Branches whose) {
    if (rolls(kids(id)[0])) return misplaced(id);
    std::vector<NodeId> made{kids(id)[0]};
    for (const NodeId body : bodies_of(id)) {
      const Parts rest = behind(list, i, body);
      const bool rolled = whose == Branches::of_rolled;
      made.push_back(whose == Branches::of_player ? player(rest, known)
                                                  : nature(rest, known, rolled, rolled));
    }
    return add(node(id).op, made);
  }

  // What lifts is left to the player: a ply can't end with a piece in the air.
  [[nodiscard]] bool lifts(NodeId id) const {
    if (node(id).op == Op::each) return false;
    const auto all = kids(id);
    return node(id).op == Op::lift ||
           std::any_of(all.begin(), all.end(), [&](NodeId kid) { return lifts(kid); });
  }

  // A further roll is of the same ply where each outcome of those before leads to as many of it, which weigh
  // the same: then all of them together are as likely as their weights say.
  [[nodiscard]] bool joins(NodeId roll, bool branched) {
    const std::int32_t slot = node(roll).a;
    if (rolls_.further.contains(slot)) return true;
    const auto weight = rolls_.weights.find(slot);
    const bool fixed = weight == rolls_.weights.end() || builder_.is_fixed(weight->second, slot);
    return !branched && fixed && builder_.is_fixed(kids(roll)[0]);
  }

  // As far as the player's next choice.
  NodeId nature(Parts list, Known known, bool rolled = false, bool branched = false) {
    std::vector<NodeId> done;
    for (std::size_t i = 0; i < list.size() && is_fine(list[i].node); ++i) {
      const NodeId id = list[i].node;
      if (is_roll(id)) {
        if (rolled && !joins(id, branched)) {
          done.push_back(stop(from(list, i), known, true));
          return whole_ply(std::move(done));
        }
        rolled = true;
        if (node(id).type == Type::cells) members_.insert(node(id).a);
        done.push_back(id);
        note(id, known);
      } else if (node(id).op == Op::sequence || (rolls(id) && is_exact(id))) {
        list = spliced(list, i);
        i = static_cast<std::size_t>(-1);
      } else if (!rolls(id) && is_single(id) && !lifts(id)) {
        done.push_back(id);
        note(id, known);
      } else if (const auto forced = forced_rounds(id); forced && forced->low > 0) {
        list = behind(list, i, one_round(*forced));
        i = static_cast<std::size_t>(-1);
      } else if (forced) {
        const NodeId with = nature(behind(list, i, one_round(*forced)), known, rolled, rolled);
        const NodeId without = nature(behind(list, i, builder_.nothing()), known, rolled, rolled);
        done.push_back(add(Op::if_action, {can(forced->body, known), with, without}));
        return whole_ply(std::move(done));
      } else if (is_branch(id) && (!rolled || !lifts(id))) {
        done.push_back(branches(id, list, i, known, rolled ? Branches::of_rolled : Branches::of_nature));
        return whole_ply(std::move(done));
      } else {
        done.push_back(stop(from(list, i), known, false));
        return whole_ply(std::move(done));
      }
    }
    return whole_ply(std::move(done));
  }

  // As far as the next roll.
  NodeId player(Parts list, Known known) {
    std::vector<NodeId> done;
    for (std::size_t i = 0; i < list.size() && is_fine(list[i].node); ++i) {
      const NodeId id = list[i].node;
      if (list[i].must_have_rolled) {
        done.push_back(add(Op::never));
        return whole_ply(std::move(done));
      }
      if (!rolls(id)) {
        done.push_back(id);
        note(id, known);
        continue;
      }
      if (node(id).op == Op::sequence || is_exact(id)) {
        list = spliced(list, i);
        i = static_cast<std::size_t>(-1);
        continue;
      }
      done.push_back(rolling(list, i, known));
      return whole_ply(std::move(done));
    }
    return whole_ply(std::move(done));
  }

  // What the player does from a part on that rolls.
  NodeId rolling(const Parts& list, std::size_t i, const Known& known) {
    const NodeId id = list[i].node;
    if (is_roll(id)) return stop(from(list, i), known, true);
    if (is_branch(id)) return branches(id, list, i, known, Branches::of_player);
    switch (node(id).op) {
    case Op::alternatives: return alternatives(list, i, known);
    case Op::otherwise: return otherwise(kids(id), list, i, known);
    case Op::repeat: return repeat(list, i, known);
    default: return misplaced(id);
    }
  }

  NodeId misplaced(NodeId id) {
    return refuse(id, fmt::format("a roll within {}", word_of(node(id).op)),
                  "a roll is a step of the turn: give what is rolled a name before");
  }

  NodeId alternatives(const Parts& list, std::size_t i, const Known& known) {
    std::vector<NodeId> made, plain;
    for (const NodeId kid : kids(list[i].node))
      if (!rolls(kid)) plain.push_back(kid);
    if (!plain.empty()) made.push_back(player(behind(list, i, add(Op::alternatives, plain)), known));
    for (const NodeId kid : kids(list[i].node))
      if (rolls(kid)) made.push_back(player(behind(list, i, kid), known));
    return add(Op::alternatives, made);
  }

  // The first of these that can be done counts, whatever comes behind it.
  NodeId otherwise(const std::vector<NodeId>& kids, const Parts& list, std::size_t i, const Known& known) {
    std::vector<NodeId> made;
    for (const NodeId kid : kids) made.push_back(player(behind(list, i, kid), known));
    if (i + 1 == list.size()) return add(Op::otherwise, made);
    NodeId chain = made.back();
    for (std::size_t k = made.size() - 1; k-- > 0;)
      chain = add(Op::if_action, {can(kids[k], known), made[k], chain});
    return chain;
  }

  NodeId can(NodeId id, const Known& known) {
    const bool before = std::exchange(probing_, true);
    const NodeId way = player({{id}}, known);
    probing_ = before;
    return builder_.add(Op::can, Type::truth, {way});
  }

  // ---- repetitions
  struct Rounds {
    NodeId body = 0;
    std::int32_t flags = 0, frame = 0;
    std::int64_t low = 0;
    std::optional<std::int64_t> high; // nothing: no bound
    std::optional<NodeId> until;
  };

  // Nothing: its bounds aren't known, or too high.
  [[nodiscard]] std::optional<Rounds> rounds_of(NodeId id) const {
    const auto all = kids(id);
    Rounds r{all[0], node(id).a, node(id).b, 0, std::nullopt, std::nullopt};
    if ((r.flags & runtime::kUntil) != 0) r.until = all.back();
    const bool bounded = (r.flags & runtime::kUnbounded) == 0;
    const auto low = constant(all[1]), high = bounded ? constant(all[2]) : std::nullopt;
    if (!low || (bounded && !high) || *low > kMaxRollingRounds || high.value_or(0) > kMaxRollingRounds)
      return std::nullopt;
    r.low = *low, r.high = high;
    return r;
  }

  // Rounds each of which rolls, of which there is one more wherever there can be: nothing is to choose.
  [[nodiscard]] std::optional<Rounds> forced_rounds(NodeId id) {
    if (node(id).op != Op::repeat || !rolls(id)) return std::nullopt;
    auto r = rounds_of(id);
    if (!r || !always_rolls(r->body)) return std::nullopt;
    const bool has_rounds = !r->high || *r->high > 0;
    if (r->low == 0 && !(has_rounds && (r->flags & runtime::kMaximal) != 0)) return std::nullopt;
    return r;
  }

  // A round, and what is left behind it.
  NodeId one_round(Rounds r) {
    if (r.low > 0) --r.low;
    if (r.high) --*r.high;
    return add_round(r.body, after_round(r));
  }

  NodeId repeat(const Parts& list, std::size_t i, const Known& known) {
    const NodeId id = list[i].node;
    const auto all = kids(id);
    const bool misplaced_roll =
        std::any_of(all.begin() + 1, all.end(), [&](NodeId kid) { return rolls(kid); });
    if (misplaced_roll) return misplaced(id);
    const auto r = rounds_of(id);
    if (!r)
      return refuse(
          id, fmt::format("a roll in a repetition whose bounds aren't known, or above {}", kMaxRollingRounds),
          "write the numbers of rounds, or repeat by `*` or `+`");
    const bool maximal = (r->flags & runtime::kMaximal) != 0;
    if ((maximal || r->until) && !always_rolls(r->body))
      return refuse(id, "a repetition by `!` or `until` that rolls in some of its rounds only",
                    "roll in each round, or repeat by `*`");
    return rounds(list, i, known, *r);
  }

  // One round after the other, as far as the next roll.
  NodeId rounds(const Parts& list, std::size_t i, const Known& known, const Rounds& r) {
    if (r.low > 0) return player(behind(list, i, one_round(r)), known); // one, and then the others
    if (r.high && *r.high == 0) return player(behind(list, i, builder_.nothing()), known);
    const bool maximal = (r.flags & runtime::kMaximal) != 0;
    const NodeId round = one_round(r);
    const NodeId without = player(behind(list, i, builder_.nothing()), known);
    if (maximal) {
      const NodeId with = player(behind(list, i, round), known);
      return add(Op::if_action, {can(r.body, known), with, without});
    }
    if (always_rolls(r.body) || r.high)
      return add(Op::alternatives, {without, player(behind(list, i, round), known)});
    return rolling_now_and_then(list, i, known, r);
  }

  // `(A)*` where some ways through A roll: rounds that don't, and then either what follows or one that does.
  NodeId rolling_now_and_then(const Parts& list, std::size_t i, const Known& known, const Rounds& r) {
    const NodeId plain = add_repeat(without_rolls(r.body), r);
    Known later = known;
    note(plain, later);
    const NodeId ends = player(behind(list, i, builder_.nothing()), later);
    Parts round{{r.body}, {0, true}, {list[i].node}};
    round.insert(round.end(), list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    return add(Op::sequence, {plain, add(Op::alternatives, {ends, player(round, later)})});
  }

  NodeId add_repeat(NodeId body, const Rounds& r) {
    return builder_.add(Op::repeat, Type::action, {body, builder_.number(0)}, runtime::kUnbounded, r.frame);
  }

  NodeId add_round(NodeId body, NodeId rest) {
    const auto key = std::make_pair(body, rest);
    const auto [made, is_new] = rounds_memo_.try_emplace(key, 0);
    if (is_new) made->second = add(Op::sequence, {body, rest});
    return made->second;
  }

  // The rest of a repetition behind a round, made once for each of its numbers.
  NodeId after_round(const Rounds& r) {
    const auto key = std::make_tuple(r.body, r.flags, r.low, r.high.value_or(-1));
    const auto [made, is_new] = rest_memo_.try_emplace(key, 0);
    if (!is_new) return made->second;
    if (r.high && *r.high <= 0) return made->second = builder_.nothing();
    std::vector<NodeId> kids{r.body, builder_.number(r.low)};
    if (r.high) kids.push_back(builder_.number(*r.high));
    if (r.until) kids.push_back(*r.until);
    const NodeId rest = builder_.add(Op::repeat, Type::action, kids, r.flags, r.frame);
    return made->second = r.until ? add(Op::if_action, {*r.until, builder_.nothing(), rest}) : rest;
  }

  // The ways through an action that don't roll.
  NodeId without_rolls(NodeId id) {
    if (!rolls(id)) return id;
    if (is_roll(id)) return add(Op::never);
    const runtime::Node n = node(id);
    std::vector<NodeId> made;
    for (const NodeId kid : kids(id)) made.push_back(without_rolls(kid));
    return builder_.add(n.op, n.type, made, n.a, n.b);
  }

  Builder& builder_;
  const Rolls& rolls_;
  Variables& variables_;
  dsl::Diagnostics& diagnostics_;
  std::map<NodeId, bool> rolls_memo_;
  std::map<std::int32_t, Type> types_; // by slot
  std::set<std::int32_t> members_;     // slots with a single cell each
  std::map<std::int32_t, int> taken_;  // by slot: the variable it is kept in
  std::set<std::pair<std::string, Type>> in_use_;
  std::map<std::pair<NodeId, NodeId>, NodeId> rounds_memo_;
  std::map<std::tuple<NodeId, std::int32_t, std::int64_t, std::int64_t>, NodeId> rest_memo_;
  std::map<NodeId, NodeId> branch_memo_;
  std::vector<Beginning> beginnings_; // by stage
  std::set<std::uint32_t> said_;      // the bytes where
  std::size_t steps_ = 0;
  bool probing_ = false; // is it only asked whether there is a way?
  bool failed_ = false;
};

} // namespace

void split_turns(Builder& builder, const Rolls& rolls, dsl::Diagnostics& diagnostics) {
  if (rolls.places.empty() || builder.full() || builder.too_high()) return;
  runtime::Program& program = builder.program();
  runtime::Chance chance;
  chance.odds = rolls.odds;
  chance.first = rolls.odds < 0 ? static_cast<int>(program.variables.size()) : rolls.odds;
  Variables variables;
  for (runtime::Player& p : program.players) {
    auto& natures = chance.rolls.emplace_back();
    NodeId& begins = chance.begins.emplace_back(runtime::kNoNode);
    Turn turn(builder, rolls, variables, diagnostics);
    if (!turn.rolls(p.turn)) {
      natures.push_back(false);
      continue;
    }
    if (variables.stage < 0) {
      variables.stage = static_cast<int>(program.variables.size());
      program.variables.push_back({"stage", -1, Type::number, false});
      program.initial.variables.push_back({});
    }
    p.turn = turn.split(p.turn, natures, begins);
  }
  if (variables.stage < 0) return;
  chance.stage = variables.stage;
  for (runtime::Player& p : program.players)
    for (runtime::EndLine& line : p.end)
      line.condition = builder.add(Op::all_of, Type::truth,
                                   {Turn::is_at_stage(builder, variables.stage, 0), line.condition});
  program.chance = std::move(chance);
}

} // namespace boardwright::interpreter
