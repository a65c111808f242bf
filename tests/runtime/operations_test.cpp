// The table of operations is true: whatever an operation is made of, it reads, writes, binds and does what
// its row says, and nothing else; and each thing that the row says does happen. The walker is asked, node by
// node, with nodes and drafts made at random.
#include "runtime/model/operations.hpp"

#include "interpreter/load.hpp"
#include "runtime/model/check_program.hpp"
#include "runtime/model/random.hpp"
#include "runtime/normalize/normalize.hpp"
#include "runtime/reference/walker_walk.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/program_builder.hpp"
#include "tests/runtime/random_program.hpp"
#include "tests/written/writer.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace operations_test {

using namespace boardwright;
using namespace boardwright::runtime;

namespace {

constexpr std::int32_t kFirstOwnSlot = 12;              // below it slot i is bound to a value of type i
constexpr int kSamples = tests::kSanitized ? 100 : 600; // of each operation, on each board

constexpr Type kTypes[] = {Type::number, Type::truth,  Type::cells,  Type::directions,
                           Type::kind,   Type::player, Type::map,    Type::numbers,
                           Type::sets,   Type::kinds,  Type::players};
constexpr std::string_view kLetters = "ntcdkpmNSKPa";

char letter_of(Type type) { return kLetters[static_cast<std::size_t>(type)]; }
Type type_of(char letter) { return static_cast<Type>(kLetters.find(letter)); }
std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

bool is_list(Type type) { return type >= Type::numbers && type <= Type::players; }
Type member_of(Type list) {
  switch (list) {
  case Type::numbers: return Type::number;
  case Type::sets: return Type::cells;
  case Type::kinds: return Type::kind;
  case Type::players: return Type::player;
  default: return list;
  }
}

Type list_of(Type member) {
  for (const Type list : {Type::numbers, Type::sets, Type::kinds})
    if (member_of(list) == member) return list;
  return Type::players;
}

// Nodes of one operation, made at random by its row, on constants. (An action below it may do something.)
class Maker {
public:
  Maker(std::uint64_t seed, bool stacks) : b(board(), 3), random_(seed) {
    b.kind("king", "WB o"); // Red has none, and of the first kind there is no neutral one
    if (stacks) b.stacks();
    b.hand(0, 0, 2);
    b.hand(1, 0, 1);
    b.hand(1, 1, 1);
    for (const Type type : {Type::number, Type::truth, Type::cells, Type::kind}) b.variable(type);
    b.program.slots = kFirstOwnSlot + 8;
    b.frame({static_cast<std::uint32_t>(Type::cells)});
    for (const char* text : {"x", "on "}) b.program.texts.emplace_back(text);
    // Turns for `no_move`: whether there is a move goes by all of the position, and by the clock.
    for (std::int32_t p = 0; p < 3; ++p) {
      const NodeId few =
          b.add(Op::less, Type::truth, {b.add(Op::height, Type::number, {b.own(p)}), b.number(2)});
      const NodeId poor =
          b.add(Op::less, Type::truth, {b.add(Op::hand_total, Type::number, {}, p), b.number(2)});
      const NodeId set = b.add(Op::variable, Type::truth, {}, 1);
      const NodeId early = b.add(Op::less, Type::truth, {b.add(Op::ply, Type::number), b.number(2)});
      // Of Red it is a fault, if all the others hold: he has no such entry.
      const NodeId own = b.add(Op::hand, Type::number, {b.kind_node(0)}, p);
      const NodeId any = b.add(Op::at_most, Type::truth, {b.number(0), own});
      b.program.players[at(p)].turn = b.require(b.add(Op::all_of, Type::truth, {few, poor, set, early, any}));
    }
  }

  // The children's types are in `program`; a node that the row doesn't allow is never made.
  NodeId node(Op op) {
    const Operation& row = about(op);
    Node n;
    n.op = op;
    n.type = type_of(row.types[at(below(static_cast<int>(row.types.size())))]);
    if (row.a == Operand::variable && !is_action(op)) n.type = b.program.variables[at(below(4))].type;
    std::vector<NodeId> kids = children(op, n);
    n.a = operand(row.a, n, kids, n.a);
    n.b = operand(row.b, n, kids, n.b);
    const NodeId made = b.add(op, n.type, kids, n.a, n.b);
    INFO(name_of(op));
    REQUIRE(misfit(b.program, made) == std::nullopt);
    return made;
  }

  std::int32_t below(int n) {
    return static_cast<std::int32_t>(random_.below(static_cast<std::uint64_t>(n)));
  }
  bool one_in(int n) { return below(n) == 0; }

  // A constant: lists of constants too.
  NodeId constant(Type type) {
    switch (type) {
    case Type::number: return b.number(one_in(8) ? 90 : below(5) - 1);
    case Type::truth: return b.truth(one_in(2));
    case Type::cells: return some_cells();
    case Type::directions: return some_steps();
    case Type::kind: return b.kind_node(one_in(6) ? -1 : below(2));
    case Type::player: return b.add(Op::player, type, {}, below(3));
    case Type::map: return b.add(Op::shift, type, {some_cells(), some_cells()});
    default: break;
    }
    std::vector<NodeId> members;
    for (int i = below(4); i > 0; --i) members.push_back(constant(member_of(type)));
    return b.add(Op::list, type, members);
  }
  CellSet some_of_board() {
    CellSet set;
    b.program.board.all.each([&](int cell) {
      if (one_in(3)) set.set(cell);
    });
    return set;
  }
  StepSet some_of_steps() {
    StepSet set;
    for (int i = 0; i < static_cast<int>(b.program.board.steps.size()); ++i)
      if (one_in(3)) set.set(i);
    return set;
  }

  ProgramBuilder b;

private:
  static BoardBuilder board() {
    BoardBuilder board(3, 3, {"b3"});
    board.track({"a1", "b2", "c3"});
    for (const auto& [dx, dy] : {std::pair(0, 1), {1, 0}, {0, -1}, {-1, 0}, {1, 1}}) board.step(dx, dy);
    const int first = static_cast<int>(board.board.steps.size()) - 5;
    board.board.curves.push_back(
        {0, static_cast<std::int16_t>(first + 1), 5, static_cast<std::int16_t>(first)});
    board.board.curves.push_back(
        {0, static_cast<std::int16_t>(first), 4, static_cast<std::int16_t>(first + 1)});
    board.board.curves.push_back(
        {3, static_cast<std::int16_t>(first), 1, static_cast<std::int16_t>(first + 2)});
    board.board.numbered = {{1, 0}, {2, 3}};
    return board;
  }
  NodeId some_cells() {
    b.program.cell_sets.push_back(some_of_board());
    return b.add(Op::cells, Type::cells, {}, static_cast<std::int32_t>(b.program.cell_sets.size()) - 1);
  }
  NodeId some_steps() {
    b.program.step_sets.push_back(some_of_steps());
    return b.add(Op::directions, Type::directions, {},
                 static_cast<std::int32_t>(b.program.step_sets.size()) - 1);
  }

  // What the row leaves to choose is chosen first: flags and corners decide how many children there are.
  std::vector<NodeId> children(Op op, Node& n) {
    const Operation& row = about(op);
    if (row.a == Operand::corner) return corners(n);
    if (row.a == Operand::variable) n.a = variable_of(n.type, is_action(op));
    if (row.a == Operand::flags) n.a = below(8);
    if (row.b == Operand::slots) n.b = 1 + below(2);
    int most = below(4);
    if (row.b == Operand::slots) most = n.b;
    if (one_of(op, Op::by_kind, Op::by_kind_action, Op::by_player, Op::by_player_action)) most = 3;
    if (row.a == Operand::flags) return loop(n);
    std::vector<NodeId> kids;
    for (std::size_t i = 0; i < row.children.size(); ++i) {
      const char how = i + 1 < row.children.size() ? row.children[i + 1] : ' ';
      const bool special = how == '*' || how == '?';
      const int times = how == '*' ? most : how == '?' ? below(2) : 1;
      for (int k = 0; k < times; ++k) kids.push_back(child(row.children[i], n, kids));
      i += special ? 1 : 0;
    }
    return kids;
  }
  NodeId child(char letter, const Node& n, const std::vector<NodeId>& kids) {
    static constexpr Type lists[] = {Type::numbers, Type::sets, Type::kinds, Type::players};
    static constexpr Type sets[] = {Type::cells, Type::directions};
    static constexpr Type written[] = {Type::number, Type::truth, Type::cells, Type::kind, Type::player};
    switch (letter) {
    case 'a': return action();
    case 'x':
      return constant(n.op == Op::set_variable ? b.program.variables[at(n.a)].type : kTypes[below(11)]);
    case '=': return constant(n.type);
    case 'e': return constant(member_of(n.type));
    case 'E': return constant(list_of(n.type));
    case '~': return constant(b.program.nodes[kids.back()].type);
    case 's': return constant(sets[below(2)]);
    case 'l': return constant(lists[below(4)]);
    case 'v': return constant(one_in(2) ? sets[below(2)] : lists[below(4)]);
    case 'w': return one_in(4) ? b.text("on ") : constant(written[below(5)]);
    default: return constant(type_of(letter));
    }
  }
  std::vector<NodeId> corners(Node& n) {
    std::vector<NodeId> kids;
    for (std::int32_t* corner : {&n.a, &n.b}) {
      *corner = one_in(2) ? -1 : 1024 * (1 + below(3)) + 1 + below(3);
      if (*corner < 0) kids.push_back(some_cells());
    }
    return kids;
  }
  std::vector<NodeId> loop(const Node& n) {
    std::vector<NodeId> kids{action(), b.number(below(3))};
    if ((n.a & kUnbounded) == 0) kids.push_back(b.number(below(3)));
    if ((n.a & kUntil) != 0) kids.push_back(constant(Type::truth));
    return kids;
  }
  std::int32_t variable_of(Type type, bool action) {
    if (action) return below(4);
    for (std::size_t i = 0; i < b.program.variables.size(); ++i)
      if (b.program.variables[i].type == type) return static_cast<std::int32_t>(i);
    return 0;
  }
  // An action that always has one outcome, or none, or several.
  NodeId action() {
    switch (below(8)) {
    case 0: return b.act(Op::never);
    case 1: return b.alt({b.seq({}), b.act(Op::to, {some_cells()})});
    case 2: return b.act(Op::say, {b.text("on ")});
    case 3: return b.act(Op::set_variable, {b.number(below(4))}, 0);
    case 4: return b.act(Op::let, {some_cells()}, kFirstOwnSlot + 7);
    default: return b.seq({});
    }
  }
  std::int32_t operand(Operand operand, const Node& n, const std::vector<NodeId>&, std::int32_t chosen) {
    switch (operand) {
    case Operand::none: return 0;
    case Operand::slot:
      return about(n.op).binds == Binds::nothing && !is_action(n.op) ? static_cast<std::int32_t>(n.type)
                                                                     : kFirstOwnSlot + below(2);
    case Operand::number: return below(7) - 2;
    case Operand::truth:
    case Operand::flag: return below(2);
    case Operand::cell_set: some_cells(); return static_cast<std::int32_t>(b.program.cell_sets.size()) - 1;
    case Operand::step_set: some_steps(); return static_cast<std::int32_t>(b.program.step_sets.size()) - 1;
    case Operand::text: return below(2);
    case Operand::frame: return below(2);
    case Operand::kind: return below(3) - 1;
    case Operand::player:
    case Operand::giver: return below(3);
    case Operand::owners: return 1 + below(3);
    case Operand::owner: return std::array{kNeutral, kNatural, 0, 1, 2}[at(below(5))];
    case Operand::new_owner: return std::array{kNeutral, kKeepOwner, 0, 1, 2}[at(below(5))];
    case Operand::fallback: return below(3) - 1;
    case Operand::slots:
    case Operand::variable:
    case Operand::flags:
    case Operand::corner: return chosen;
    }
    return 0;
  }

  Random random_;
};

// A draft and all that it lives in. A copy is one in its own right.
struct Scene {
  Position position; // the clock, and who has been put out
  std::vector<Position> past;
  Turn turn;
  Draft draft;
};

// Everything that was seen of one node in one scene.
struct Seen {
  std::string fault;
  Value value;                 // of a value
  std::vector<Draft> outcomes; // of an action
};

bool is_limit(const std::string& fault) { return fault.starts_with("more than"); }

Seen carried_out(const Program& program, NodeId id, const Scene& scene, Observer* observer = nullptr) {
  Seen seen;
  Draft d = scene.draft;
  d.turn = &scene.turn;
  try {
    Walk walk(program, scene.position, scene.past, 100'000, observer);
    if (is_action(program.nodes[id].op))
      walk.run(id, d, [&](Draft&& e) {
        seen.outcomes.push_back(std::move(e));
        return true;
      });
    else
      seen.value = walk.value(id, d);
  } catch (const Failure& failure) {
    seen.fault = failure.fault.message;
    seen.outcomes.clear();
  }
  return seen;
}

constexpr std::uint16_t kParts[] = {kBoard, kHands,    kVariables, kHere,     kStart, kHeading,  kCarried,
                                    kOut,   kDecision, kAgain,     kNotation, kGame,  kBeginning};

// Is a part of two drafts of one scene the same?
bool same_part(std::uint16_t part, const Draft& x, const Draft& y) {
  switch (part) {
  case kBoard: return x.cells == y.cells;
  case kHands: return x.hands == y.hands;
  case kVariables: return x.variables == y.variables;
  case kHere: return x.here == y.here;
  case kStart: return x.start == y.start;
  case kHeading: return x.heading == y.heading;
  case kCarried: return x.carried == y.carried;
  case kOut: return x.out == y.out;
  case kDecision: return x.decision == y.decision;
  case kAgain: return x.again == y.again;
  case kNotation: return x.notation == y.notation && x.gone == y.gone;
  default: return true; // the same for all drafts of a turn
  }
}

class Stage {
public:
  Stage(Maker& maker, bool stacks) : m_(maker), stacks_(stacks) {}

  Scene scene() {
    Scene s;
    s.position = m_.b.program.initial;
    s.position.ply = m_.below(4);
    s.position.turns = {m_.below(3), m_.below(3), m_.below(3)};
    s.turn.mover = 0;
    s.turn.moving = !m_.one_in(4);
    s.turn.cells = CopyOnWrite(board());
    s.turn.hands = CopyOnWrite(hands());
    s.turn.variables = CopyOnWrite(variables());
    s.draft.cells = m_.one_in(2) ? s.turn.cells : CopyOnWrite(board());
    s.draft.hands = m_.one_in(2) ? s.turn.hands : CopyOnWrite(hands());
    s.draft.variables = m_.one_in(2) ? s.turn.variables : CopyOnWrite(variables());
    for (const std::uint16_t part : kParts)
      if (part > kVariables && part < kGame && part != kDecision && m_.one_in(2)) change(part, s);
    if (m_.one_in(2)) change(kHere, s);
    change(kGame, s);
    for (const Type type : kTypes)
      s.draft.locals.bind(static_cast<std::uint32_t>(type), constant_value(m_.constant(type)));
    return s;
  }

  // Makes a part another, or leaves it by chance as it was.
  void change(std::uint16_t part, Scene& s) {
    switch (part) {
    case kBoard: s.draft.cells = CopyOnWrite(board()); return;
    case kHands: s.draft.hands = CopyOnWrite(hands()); return;
    case kVariables: s.draft.variables = CopyOnWrite(variables()); return;
    case kHere: s.draft.here = m_.below(9) - 1; return;
    case kStart: s.draft.start = m_.below(9) - 1; return;
    case kHeading: s.draft.heading = m_.below(8) - 1; return;
    case kCarried: s.draft.carried = stack(stacks_ ? m_.below(3) : m_.below(2)); return;
    case kOut: s.draft.out = static_cast<std::uint32_t>(2 * m_.below(4)); return; // never the mover
    case kAgain: s.draft.again = m_.one_in(2); return;
    case kNotation:
      s.draft.notation = m_.one_in(2) ? "" : "a1";
      s.draft.gone = m_.one_in(2) ? CellSet() : m_.some_of_board();
      return;
    case kGame: change_game(s); return;
    case kBeginning:
      if (m_.one_in(2)) s.turn.cells = m_.one_in(2) ? s.draft.cells : CopyOnWrite(board());
      if (m_.one_in(2)) s.turn.hands = m_.one_in(2) ? s.draft.hands : CopyOnWrite(hands());
      if (m_.one_in(2)) s.turn.variables = m_.one_in(2) ? s.draft.variables : CopyOnWrite(variables());
      return;
    default: return;
    }
  }

private:
  // The past has positions like this one, but for one thing or another.
  void change_game(Scene& s) {
    s.position.ply = m_.below(4);
    s.position.turns = {m_.below(3), m_.below(3), m_.below(3)};
    s.past.clear();
    for (int i = m_.below(3); i > 0; --i) {
      Position p = s.position;
      p.cells = m_.one_in(4) ? board() : *s.draft.cells;
      p.hands = m_.one_in(4) ? hands() : *s.draft.hands;
      p.variables = m_.one_in(4) ? variables() : *s.draft.variables;
      p.to_move = m_.one_in(4) ? 1 : 0;
      p.out = s.draft.out;
      s.past.push_back(std::move(p));
    }
  }
  Piece piece() { return *m_.b.program.piece_of("wbrWBo"[m_.below(6)]); }
  Stack stack(int height) {
    Stack s;
    for (; height > 0; --height) s.push_back(piece());
    return s;
  }
  std::vector<Stack> board() {
    std::vector<Stack> cells(m_.b.program.initial.cells.size());
    for (Stack& s : cells) s = stack(stacks_ ? m_.below(3) : m_.below(2));
    return cells;
  }
  std::vector<std::int32_t> hands() { return {m_.below(3), m_.below(3), m_.below(3)}; }
  std::vector<VariableValue> variables() {
    return {{m_.below(3), {}}, {m_.below(2), {}}, {0, m_.some_of_board()}, {m_.below(3) - 1, {}}};
  }
  Value constant_value(NodeId id) { return m_.b.value(id); }

  Maker& m_;
  bool stacks_;
};

// What a tree reads and writes, put together from its rows.
struct Parts {
  std::uint16_t reads = kNoPart, writes = kNoPart;
};

Parts parts_of(const Program& program, NodeId id) {
  const Node& n = program.nodes[id];
  Parts all{n.count == 0 ? own_reads(n.op) : own_reads(n.op, program.nodes[program.kid(n, 0)].type),
            own_writes(n.op)};
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const NodeId kid = program.kid(n, i);
    const Parts below = parts_of(program, kid);
    all.reads |= read_through(n.op, i, below.reads);
    if (is_action(n.op)) all.writes |= below.writes;
  }
  return all;
}

// The values that slots have where the children of a node are worked out.
class SlotsOfChildren final : public Observer {
public:
  SlotsOfChildren(const Program& program, NodeId parent) : program_(program), parent_(parent) {}
  void began(NodeId) override {}
  void found(const Draft&) override {}
  void acted(NodeId id, const Draft& from, bool, bool) override { note(id, from); }
  void asked(NodeId id, const Draft& in, const Value&) override { note(id, in); }
  void ended_carrying(const Draft&) override {}

  // By child and slot. A slot that isn't bound isn't there.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Value>> bound;

private:
  void note(NodeId id, const Draft& d) {
    const Node& n = program_.nodes[parent_];
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (program_.kid(n, i) == id)
        for (std::uint32_t slot = kFirstOwnSlot; slot < kFirstOwnSlot + 7; ++slot)
          if (const Value* v = d.locals.find(slot)) bound[{i, slot}].push_back(*v);
  }
  const Program& program_;
  NodeId parent_;
};

// What was seen of an operation, in all its samples.
struct Witnesses {
  std::uint16_t read = kNoPart, written = kNoPart;
  bool went_on = false, failed = false, went_on_often = false;
  std::uint8_t faults = kSafe;
  bool safe = false; // carried out without a fault
};

class Trial {
public:
  Trial(Op op, bool stacks, std::uint64_t seed, Witnesses& seen)
      : op_(op), row_(about(op)), stacks_(stacks), maker_(seed, stacks), stage_(maker_, stacks), seen_(seen) {
  }

  void run() {
    for (int i = 0; i < 10; ++i) {
      const NodeId id = maker_.node(op_);
      const Scene scene = stage_.scene();
      INFO(row_.name << (stacks_ ? " with" : " without") << " stacks");
      const Seen seen = carried_out(program(), id, scene);
      if (is_limit(seen.fault)) continue;
      check_fault(id, scene, seen);
      check_reads(id, scene, seen);
      if (!seen.fault.empty()) continue;
      if (is_action(op_))
        check_outcomes(id, scene, seen);
      else
        check_type(id, seen);
      check_slots(id, scene, seen);
    }
  }

private:
  [[nodiscard]] const Program& program() const { return maker_.b.program; }
  [[nodiscard]] const Node& node(NodeId id) const { return program().nodes[id]; }

  void check_fault(NodeId id, const Scene& scene, const Seen& seen) {
    const bool placed = scene.draft.here >= 0, holding = !scene.draft.carried.empty();
    if (seen.fault.empty()) {
      seen_.safe = true;
      if ((row_.faults & kUnplaced) != 0) REQUIRE(placed);
      return;
    }
    INFO(seen.fault);
    std::uint8_t why = kSafe;
    if (!placed && (row_.faults & kUnplaced) != 0) why = kUnplaced;
    if (!placed && holding && (row_.faults & kUnplacedHolding) != 0) why = kUnplacedHolding;
    if (why == kSafe && holding && !stacks_ && (row_.faults & kHolding) != 0) why = kHolding;
    if (why == kSafe) why = row_.faults & kByOperands;
    CAPTURE(node(id).a, node(id).b);
    REQUIRE(why != kSafe);
    seen_.faults |= why;
  }

  // Every part is changed by itself: what the row doesn't name makes no difference to anything else.
  void check_reads(NodeId id, const Scene& scene, const Seen& seen) {
    const Parts parts = parts_of(program(), id);
    for (const std::uint16_t part : kParts) {
      Scene other = scene;
      stage_.change(part, other);
      const Seen again = carried_out(program(), id, other);
      if (is_limit(again.fault)) continue;
      const bool same = is_same(part, seen, again);
      CAPTURE(part);
      if ((parts.reads & part) == 0) REQUIRE(same);
      if (!same) seen_.read |= part;
    }
  }
  // Outcomes are a set: where two are one but for the part that was changed, it doesn't matter which there
  // is.
  [[nodiscard]] static bool is_same(std::uint16_t varied, const Seen& x, const Seen& y) {
    if (x.fault.empty() != y.fault.empty() || x.value != y.value) return false;
    return all_among(varied, x.outcomes, y.outcomes) && all_among(varied, y.outcomes, x.outcomes);
  }
  [[nodiscard]] static bool all_among(std::uint16_t varied, const std::vector<Draft>& some,
                                      const std::vector<Draft>& all) {
    return std::all_of(some.begin(), some.end(), [&](const Draft& d) {
      return std::any_of(all.begin(), all.end(), [&](const Draft& e) {
        return std::all_of(std::begin(kParts), std::end(kParts),
                           [&](std::uint16_t part) { return part == varied || same_part(part, d, e); });
      });
    });
  }

  void check_outcomes(NodeId id, const Scene& scene, const Seen& seen) {
    const std::size_t count = seen.outcomes.size();
    if (count == 0) seen_.failed = true;
    if (count > 0) seen_.went_on = true;
    if (count > 1 && all_children_go_on_once(id, scene)) seen_.went_on_often = true;
    switch (row_.outcomes) {
    case Outcomes::never: REQUIRE(count == 0); break;
    case Outcomes::maybe: REQUIRE(count <= 1); break;
    case Outcomes::once: REQUIRE(count == 1); break;
    case Outcomes::many: break;
    case Outcomes::as_children:
      if (node(id).count > 0 && all_children_go_on_once(id, scene)) {
        REQUIRE(count >= 1);
        REQUIRE(count <= node(id).count);
      }
      break;
    }
    const Parts parts = parts_of(program(), id);
    for (const Draft& e : seen.outcomes)
      for (const std::uint16_t part : kParts) {
        CAPTURE(part);
        const bool same = same_part(part, scene.draft, e);
        if ((parts.writes & part) == 0) REQUIRE(same);
        if (!same && (row_.writes & part) != 0) seen_.written |= part;
      }
  }
  bool all_children_go_on_once(NodeId id, const Scene& scene) {
    for (const NodeId kid : program().kids_of(node(id)))
      if (is_action(node(kid).op) && carried_out(program(), kid, scene).outcomes.size() != 1) return false;
    return true;
  }

  // Only what belongs to the type is in the value.
  void check_type(NodeId id, const Seen& seen) {
    const Type type = node(id).type;
    const Value& v = seen.value;
    CAPTURE(letter_of(type));
    if (is_list(type) || type == Type::cells || type == Type::directions || type == Type::map)
      REQUIRE(v.number == (row_.a == Operand::fallback ? v.number : 0));
    if (type == Type::truth) REQUIRE((v.number == 0 || v.number == 1));
    if (is_never_negative(op_)) REQUIRE(v.number >= 0);
    if (type != Type::cells) REQUIRE(v.cells.none());
    if (type != Type::directions) REQUIRE(v.steps.none());
    if (type != Type::map) REQUIRE(v.map == CellMap());
    if (!is_list(type)) REQUIRE(v.list.empty());
  }

  [[nodiscard]] std::vector<Value> members(NodeId of, const Scene& scene) {
    const Value v = carried_out(program(), of, scene).value;
    std::vector<Value> result = v.list;
    v.cells.each([&](int cell) {
      result.emplace_back();
      result.back().cells = CellSet::of(cell);
    });
    v.steps.each([&](int step) {
      result.emplace_back();
      result.back().steps = StepSet::of(step);
    });
    return result;
  }

  // Which slots are bound where its children are worked out, and behind it, and to what.
  void check_slots(NodeId id, const Scene& scene, const Seen& seen) {
    SlotsOfChildren observer(program(), id);
    carried_out(program(), id, scene, &observer);
    const Node n = node(id);
    std::set<std::uint32_t> own;
    for (std::int32_t i = 0; i < slots_bound_by(op_, n.b); ++i)
      own.insert(static_cast<std::uint32_t>(n.a + i));
    const bool sets = names_slot(op_) && is_action(op_) && row_.binds == Binds::nothing;
    for (const auto& [where, values] : observer.bound) {
      const auto [child, slot] = where;
      CAPTURE(child, slot);
      REQUIRE(own.contains(slot));
      const auto i = static_cast<std::uint32_t>(static_cast<std::int32_t>(slot) - n.a);
      // `each` goes on from the outcome of the member before, whose slot is still bound: only the body's is
      // asked of.
      if (row_.binds == Binds::once) REQUIRE(child == 1);
      if (row_.binds == Binds::members) REQUIRE(child == 1);
      if (row_.binds == Binds::bindings) REQUIRE((child < 2 || child > 2 + i));
      REQUIRE(row_.binds != Binds::onwards);
      const NodeId source = program().kid(n, row_.binds == Binds::bindings ? 2 + i : 0);
      const std::vector<Value> allowed = row_.binds == Binds::once
                                             ? std::vector{carried_out(program(), source, scene).value}
                                             : members(source, scene);
      for (const Value& v : values) REQUIRE(std::count(allowed.begin(), allowed.end(), v) > 0);
    }
    check_all_bound(n, scene, observer);
    for (const Draft& e : seen.outcomes)
      for (std::uint32_t slot = 0; slot < kFirstOwnSlot + 7; ++slot) {
        const Value *was = scene.draft.locals.find(slot), *is = e.locals.find(slot);
        const bool bound_here = own.contains(slot) || (sets && static_cast<std::int32_t>(slot) == n.a);
        CAPTURE(slot);
        if (!bound_here) REQUIRE((was == nullptr ? is == nullptr : is != nullptr && *was == *is));
        if (bound_here && row_.binds != Binds::members) REQUIRE(is != nullptr);
      }
  }
  // Where the row says that a slot is bound it is: to c0, or to every one of its members in turn.
  void check_all_bound(const Node& n, const Scene& scene, const SlotsOfChildren& observer) {
    if (row_.binds == Binds::nothing || row_.binds == Binds::onwards) return;
    const NodeId source = program().kid(n, row_.binds == Binds::bindings ? 2 : 0);
    const bool any = row_.binds == Binds::once || !members(source, scene).empty();
    const bool alone = row_.binds != Binds::bindings || n.b == 1;
    if (any && alone) REQUIRE(observer.bound.contains({1, static_cast<std::uint32_t>(n.a)}));
  }

  Op op_;
  const Operation& row_;
  bool stacks_;
  Maker maker_;
  Stage stage_;
  Witnesses& seen_;
};

} // namespace

TEST_CASE("operations: the table is true of every operation, and tells no more than there is") {
  for (std::size_t i = 0; i < operations::kCount; ++i) {
    const Op op = static_cast<Op>(i);
    const Operation& row = about(op);
    if (row.group == Group::text) continue; // only below `say`
    Witnesses seen;
    for (int k = 0; k < kSamples / 10; ++k)
      for (const bool stacks : {false, true}) Trial(op, stacks, static_cast<std::uint64_t>(k), seen).run();
    INFO(row.name);
    CHECK(seen.safe);
    if (tests::kSanitized) continue; // too few samples for all that may happen
    CHECK(seen.faults == row.faults);
    CHECK((seen.read & row.reads) == row.reads);
    if (!is_action(op)) continue;
    CHECK((seen.written & row.writes) == row.writes);
    CHECK(seen.went_on == (row.outcomes != Outcomes::never));
    if (row.outcomes == Outcomes::maybe || row.outcomes == Outcomes::many) CHECK(seen.failed);
    if (row.outcomes == Outcomes::many) CHECK(seen.went_on_often);
    if (row.outcomes == Outcomes::as_children) CHECK(row.children.find('a') != std::string_view::npos);
  }
}

TEST_CASE("operations: what is written out costs nothing, and what is asked of each member is a loop") {
  for (const Operation& row : operations::kTable) {
    const auto op = static_cast<Op>(&row - operations::kTable.data());
    INFO(row.name);
    if (is_constant(op)) CHECK(row.cost == Cost::free);
    if (row.binds == Binds::members || row.binds == Binds::bindings) CHECK(row.cost == Cost::loop);
  }
}

TEST_CASE("operations: every node of every bundled game fits its row, as written and in normal form") {
  for (const std::string& name : tests::bundled_games()) {
    const auto rules = tests::load_rules(name);
    INFO(name);
    CHECK(misfit(rules->program()) == std::nullopt);
    CHECK(misfit(normalize(rules->program())) == std::nullopt);
  }
}

TEST_CASE("operations: rule files written at random fit the table, as written and in normal form") {
  for (std::uint64_t seed = 1; seed <= (tests::kSanitized ? 100u : 1'500u); ++seed) {
    const auto loaded = interpreter::load_text("written.yaml", tests::write_rule_file(seed));
    if (!loaded) continue;
    INFO(seed);
    CHECK(misfit(loaded.rules->program()) == std::nullopt);
    CHECK(misfit(normalize(loaded.rules->program())) == std::nullopt);
  }
}

TEST_CASE("operations: programs made at random fit the table, as written and in normal form") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomProgram random(seed, seed % 2 == 0, seed % 3 == 0);
    INFO(seed);
    CHECK(misfit(random.b.program) == std::nullopt);
    CHECK(misfit(normalize(random.b.program)) == std::nullopt);
  }
}

TEST_CASE("operations: a node that doesn't fit its row is found") {
  ProgramBuilder b(3, 3);
  const auto wrong = [&](NodeId id) { return misfit(b.program, id).has_value(); };
  CHECK_FALSE(wrong(b.add(Op::add, Type::number, {b.number(1), b.number(2)})));
  CHECK(wrong(b.add(Op::add, Type::truth, {b.number(1), b.number(2)})));
  CHECK(wrong(b.add(Op::add, Type::number, {b.number(1)})));
  CHECK(wrong(b.add(Op::add, Type::number, {b.number(1), b.number(2), b.number(3)})));
  CHECK(wrong(b.add(Op::add, Type::number, {b.number(1), b.truth(true)})));
  CHECK(wrong(b.add(Op::add, Type::number, {b.number(1), b.seq({})})));
  CHECK(wrong(b.add(Op::add, Type::number, {b.number(1), b.number(2)}, 1)));
  CHECK(wrong(b.add(Op::cells, Type::cells, {}, 1)));
  CHECK(wrong(b.add(Op::player, Type::player, {}, 2)));
  CHECK(wrong(b.add(Op::list, Type::numbers, {b.truth(true)})));
  CHECK(wrong(b.add(Op::equal, Type::truth, {b.number(1), b.truth(true)})));
  CHECK(wrong(b.act(Op::sequence, {b.number(1)})));
  CHECK(wrong(b.act(Op::repeat, {b.seq({}), b.number(0)})));
  CHECK_FALSE(wrong(b.act(Op::repeat, {b.seq({}), b.number(0)}, kUnbounded)));
  CHECK(wrong(b.add(Op::local, Type::number, {}, 0)));
  b.turn(b.act(Op::require, {b.number(1)}));
  CHECK(misfit(b.program).has_value());
}

} // namespace operations_test
