// Players: the code of a position (lines of `end`, moves), of each kind of move, and of moves by their
// choices.
#include "runtime/lowering/actions/ambiguities.hpp"
#include "runtime/lowering/actions/changes.hpp"
#include "runtime/lowering/actions/keys.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/lower.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/truths.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/numbering.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/model/spread.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// ---------------------------------------------------------------- the registers of the state

namespace {

// To make an instruction, and for the passes to go over it.
constexpr std::uint64_t kStepsOfInstruction = 1'000;

void keep_before(Context& cx, int p);

// Sets have as many words as the board's cells need, of some widths that the executor is made for.
int words_for(int members) {
  for (const int words : {1, 2, 3, 4, 6})
    if (members <= words * 64) return words;
  return kMaxCells / 64;
}

// Which parts of the state the registers hold: what is worked out from them is known until these change.
void note_parts(Context& cx) {
  const ir::Layout& l = cx.layout;
  for (int s = 0; s <= l.empty; ++s) cx.e.depend(static_cast<Reg>(s), kPieces);
  for (std::size_t v = 0; v < cx.program.variables.size(); ++v)
    if (l.set_of_variable[v] >= 0)
      cx.e.depend(static_cast<Reg>(l.set_of_variable[v]), part_of_variable(v));
    else
      cx.e.number_depends(static_cast<Reg>(v), part_of_variable(v));
  for (int h = 0; h < cx.program.hands; ++h) cx.e.number_depends(static_cast<Reg>(l.hands + h), kInHand);
  for (const auto& [slot, v] : cx.changed_locals) {
    const Parts part = part_of_variable(at(slot) + cx.program.variables.size());
    if (v.is(Kind::set) || v.is(Kind::ways)) cx.e.depend(v.reg, part);
    if (v.is(Kind::number)) cx.e.number_depends(v.reg, part);
  }
  cx.e.number_depends(l.carried, kAir);
  cx.e.number_depends(l.out, kWhoIsOut);
}

void lay_out(Context& cx) {
  const Board& b = cx.board();
  ir::Layout& l = cx.layout;
  l.words = words_for(cx.speculation.wide ? std::max(b.cells, static_cast<int>(b.steps.size())) : b.cells);
  l.cells = b.cells;
  l.players = cx.players();
  l.stacks = b.stacks;
  bool neutral = false;
  for (int k = 0; k < cx.facts.pieces().kinds; ++k)
    neutral = neutral || cx.facts.pieces().code_of(kNeutral, k) != 0;
  l.owners = static_cast<Reg>(cx.players() + (neutral ? 1 : 0));
  l.kinds = cx.facts.pieces().kinds > 1 ? static_cast<Reg>(cx.facts.pieces().kinds) : Reg{0};
  int set = l.owners + l.kinds;
  l.empty = static_cast<Reg>(set++);
  for (const Variable& v : cx.program.variables)
    l.set_of_variable.push_back(v.type == Type::cells ? set++ : -1);
  for (std::size_t v = 0; v < cx.program.variables.size(); ++v)
    if (cx.program.variables[v].clock) l.clocks.push_back(static_cast<Reg>(v));
  l.state_sets = static_cast<Reg>(set);
  l.gone = static_cast<Reg>(set++);
  l.written = static_cast<Reg>(set++);
  int number = static_cast<int>(cx.program.variables.size());
  l.hands = static_cast<Reg>(number);
  number += cx.program.hands;
  l.ply = static_cast<Reg>(number++);
  l.turns = static_cast<Reg>(number);
  number += cx.players();
  l.to_move = static_cast<Reg>(number++);
  l.out = static_cast<Reg>(number++);
  l.state_numbers = static_cast<Reg>(number);
  l.again = static_cast<Reg>(number++);
  l.decision = static_cast<Reg>(number++);
  l.winners = static_cast<Reg>(number++);
  l.carried = static_cast<Reg>(number++);
  l.full = static_cast<Reg>(number++);
  int box = 0;
  for (auto& [slot, v] : cx.changed_locals) {
    if (v.is(Kind::set) || v.is(Kind::ways))
      v.reg = static_cast<Reg>(set++);
    else if (v.is(Kind::number))
      v.reg = static_cast<Reg>(number++);
    else
      v.reg = static_cast<Reg>(box++);
  }
  l.draft_sets = static_cast<Reg>(set);
  l.draft_numbers = static_cast<Reg>(number);
  cx.e.begin_registers(set, number);
  for (int k = 0; k < box; ++k) (void)cx.e.new_box();
  note_parts(cx);
  // A stack can't be higher than there are pieces, if none come but from hands.
  std::int64_t most = 0;
  for (const Stack& s : cx.program.initial.cells) most += static_cast<std::int64_t>(s.size());
  for (const std::int32_t hand : cx.program.initial.hands) most += std::max(hand, 0);
  cx.heights_bounded = most <= b.levels && (!cx.facts.uses(Op::drop) ||
                                            (cx.facts.all_from_hands() && !cx.facts.uses(Op::set_hand)));
  l.levels = b.stacks ? b.levels : 1;
  cx.all_cells = cx.e.set_constant(b.all);
  cx.no_cells = cx.e.set_constant(CellSet());
  (void)cx.e.number_constant(0);
}

// Names that are set again stand in registers of their own, and changes of them are taken back.
void find_changed_locals(Context& cx) {
  for (const Node& n : cx.program.nodes) {
    if (n.op != Op::set_local) continue;
    AbstractValue v;
    switch (cx.node(cx.program.kid(n, 0)).type) {
    case Type::cells: v = make_set(0, cx.facts.all_contents()); break;
    case Type::number:
    case Type::truth:
    case Type::kind:
    case Type::player: v = make_number(0); break;
    case Type::directions: v = make_ways(0); break;
    default: v = make_box(0); break;
    }
    cx.changed_locals[n.a] = v;
  }
}

// ---------------------------------------------------------------- lines of `end`

void end_line(Context& cx, const EndLine& line, int p, AbstractDraft& d) {
  const Label past = cx.e.label();
  const Emitter::Scope scope(cx.e);
  cx.e.at_origin(line.origin);
  jump(cx, line.condition, false, past, d);
  const Outcome::By by =
      cx.node(line.condition).op == Op::no_move ? Outcome::By::no_move : Outcome::By::end_line;
  const std::uint32_t winner = std::uint32_t{1} << (line.winner < 0 ? p : line.winner);
  switch (line.verdict) {
  case Verdict::win: cx.e.emit(Ir::decide, 0, 0, 0, 0, verdict(cx, winner, line.origin, by)); break;
  case Verdict::draw: cx.e.emit(Ir::decide, 0, 0, 0, 0, verdict(cx, 0, line.origin, by)); break;
  case Verdict::share: {
    const Outcome outcome = outcome_of(line.result, line.origin, by);
    const std::int32_t decided = verdict(cx, outcome.winners, line.origin, by);
    cx.code.verdicts[at(decided)].shares = outcome.shares;
    cx.e.emit(Ir::decide, 0, 0, 0, 0, decided);
    break;
  }
  case Verdict::lose:
    if (cx.players() <= 2)
      cx.e.emit(Ir::decide, 0, 0, 0, 0,
                verdict(cx, cx.players() == 2 ? std::uint32_t{1} << (1 - p) : 0, line.origin, by));
    else
      cx.e.emit(Ir::put_out, 0, 0, 0, 0, verdict(cx, 0, line.origin, Outcome::By::last_left, p));
    break;
  case Verdict::score:
    for (std::size_t k = 0; k < line.score.size(); ++k) {
      const Label out = cx.e.label();
      const Emitter::Scope alone(cx.e);
      AbstractDraft e = d;
      // A player who is out has no share: what it would be isn't asked.
      if (cx.players() > 2 && !cx.facts.harmless(line.score[k])) jump_if_out(cx, static_cast<int>(k), out);
      const Reg share = number(cx, line.score[k], e);
      cx.e.emit(Ir::score, 0, share, 0, 0, static_cast<std::int32_t>(k));
      cx.e.place(out);
    }
    cx.e.emit(Ir::decide_score, 0, 0, 0, 0, verdict(cx, 0, line.origin, by));
    break;
  }
  cx.e.emit(Ir::halt);
  cx.e.place(past);
}

void ask_line(Context& cx, const EndLine& line, int p) {
  cx.end_lines.asking = true;
  AbstractDraft d;
  d.quiet = true;
  cx.e.begin_straight();
  end_line(cx, line, p, d);
  cx.end_lines.asking = false;
}

// What stands on a board without edges must not meet itself from the other side.
void check_reach(Context& cx, int p) {
  if (!cx.board().endless()) return;
  const Label fits = cx.e.label();
  const Emitter::Scope scope(cx.e);
  cx.e.at_origin(cx.node(cx.program.players[at(p)].turn).origin);
  const Reg spread = cx.e.number_value(Ir::spread, minus(cx, cx.all_cells, cx.layout.empty));
  cx.e.emit(Ir::if_not_less, 0, cx.e.number_constant(cx.board().reach), spread, 0, fits);
  cx.fail(too_far(cx.board()).c_str());
  cx.e.place(fits);
}

// Is it asked whether the player to move has a move?
bool asks_moves(const Context& cx, NodeId id) {
  return cx.facts.contains(id, Op::no_move) && cx.facts.finds(id, [&cx](const Node& n) {
    return Terms::found(n.op == Op::no_move && n.a == cx.turn.player);
  });
}

bool asks_moves(const Context& cx, const std::vector<NodeId>& shares) {
  return std::any_of(shares.begin(), shares.end(), [&cx](NodeId share) { return asks_moves(cx, share); });
}

// Could a condition be found to hold (or not to) without asking whether there is a move? Perhaps so, where it
// isn't seen that it can't.
bool settles_unasked(const Context& cx, NodeId condition, bool holds) {
  const Node& n = cx.node(condition);
  const auto kids = cx.program.kids_of(n);
  switch (n.op) {
  case Op::no_move: return n.a != cx.turn.player;
  case Op::negation: return settles_unasked(cx, kids[0], !holds);
  case Op::all_of:
  case Op::any_of: {
    const bool deciding = n.op == Op::any_of; // one such answer is enough; those before it are the others
    for (const NodeId k : kids) {
      if (settles_unasked(cx, k, holds) == (holds == deciding)) return holds == deciding;
      if (holds == deciding && !settles_unasked(cx, k, !holds)) return false;
    }
    return holds != deciding;
  }
  default: return true;
  }
}

// The lines of `end` that may decide the game before one of them asks whether there is a move. What comes to
// that question leads to the search; if a line decides first, it makes no difference what the search would
// have met.
void end_lines_unasked(Context& cx, int p, std::size_t line) {
  const auto& all = cx.program.players[at(p)].end;
  std::size_t last = line;
  for (std::size_t i = line; i < all.size(); ++i) {
    if (!asks_moves(cx, all[i].score) && settles_unasked(cx, all[i].condition, true)) last = i + 1;
    if (!settles_unasked(cx, all[i].condition, false)) break;
  }
  if (last == line) return;
  const Reg mark = cx.e.new_number(2), stack = cx.e.new_number(4);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  cx.e.emit(Ir::stack_mark, stack);
  const std::size_t begin = cx.e.here();
  cx.end_lines.search_first = EndLines::Search{cx.e.label(), stack};
  for (; line < last && !cx.stopped(); ++line) ask_line(cx, all[line], p);
  cx.e.place(cx.end_lines.search_first->label);
  cx.end_lines.search_first.reset();
  cx.e.forget_values();
  cx.e.undo_since(begin, mark, marked);
}

// ---------------------------------------------------------------- moves

// The code that plays moves: one leaf's, or any by its choices.
void play_code(Context& cx, int p, bool text) {
  cx.text = text;
  cx.comparison.once = false;
  const Emitter::Scope scope(cx.e);
  cx.e.forget_values();
  cx.turn.before.clear();
  const std::size_t snapshot = cx.e.emit(Ir::snapshot);
  const bool read = std::exchange(cx.code.reads_beginning, false);
  const std::size_t begin = cx.e.here();
  keep_before(cx, p);
  const Todo turn{cx.program.players[at(p)].turn, nullptr, nullptr};
  act(cx, &turn, AbstractDraft());
  cx.e.emit(Ir::halt);
  if (!cx.code.reads_beginning) cx.e.forget(snapshot);
  cx.code.reads_beginning = cx.code.reads_beginning || read;
  if (cx.mode == Mode::play_one && !cx.stopped()) cx.e.remove_unread(begin);
  cx.text = false;
}

void leaf_codes(Context& cx, int p) {
  cx.mode = Mode::play_one;
  for (std::size_t i = cx.turn.first_leaf; i < cx.code.leaves.size() && !cx.stopped(); ++i) {
    if (cx.code.leaves[i].dynamic) {
      cx.code.leaves[i].entry = cx.code.players[at(p)].play;
      continue;
    }
    const ir::Leaf given = cx.code.leaves[i];
    cx.turn.given = &given;
    cx.turn.given_next = 0;
    cx.code.leaves[i].entry = static_cast<std::uint32_t>(cx.e.here());
    play_code(cx, p, false);
  }
  cx.turn.given = nullptr;
}

// Values of the turn's beginning are worked out there, if they don't depend on the walker.
void keep_before(Context& cx, int p) {
  std::vector<NodeId> todo{cx.program.players[at(p)].turn};
  AbstractDraft d;
  d.quiet = true;
  while (!todo.empty() && !cx.stopped()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (!cx.facts.contains(id, Op::before)) continue;
    const Node n = cx.node(id);
    if (n.op == Op::before && !cx.facts.reads_draft(cx.kid(id, 0)) && cx.facts.harmless(id)) {
      AbstractValue v = value(cx, cx.kid(id, 0), d);
      if ((v.is(Kind::set) && v.reg < cx.layout.draft_sets)) {
        const Reg kept = cx.e.new_set();
        cx.e.emit(Ir::set_copy, kept, v.reg);
        v.reg = kept;
      } else if (v.is(Kind::number) && v.reg < cx.layout.draft_numbers) {
        const Reg kept = cx.e.new_number();
        cx.e.emit(Ir::copy, kept, v.reg);
        v.reg = kept;
      }
      v.contents = cx.facts.all_contents(); // it may not be there any more
      cx.turn.before[id] = v;
      continue;
    }
    for (std::uint32_t i = 0; i < n.count; ++i) todo.push_back(cx.program.kid(n, i));
  }
}

// Conditions that a board hasn't come too often: they hold for every move as long as none has come oftener
// than `most`.
struct OnBoards {
  std::set<NodeId> conditions; // of `require`
  std::int32_t most = 0;
};

OnBoards on_boards(const Context& cx, NodeId turn) {
  OnBoards found;
  std::vector<NodeId> todo{turn};
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (!cx.facts.contains(id, Op::board_repeats)) continue;
    const Node& n = cx.node(id);
    for (std::uint32_t i = 0; i < n.count; ++i) todo.push_back(cx.program.kid(n, i));
    if (n.op != Op::require || cx.node(cx.kid(id, 0)).op != Op::at_most) continue;
    const Node &often = cx.node(cx.kid(cx.kid(id, 0), 0)), &bound = cx.node(cx.kid(cx.kid(id, 0), 1));
    if (often.op != Op::board_repeats || bound.op != Op::number || bound.a < 1) continue;
    found.most = found.conditions.empty() ? bound.a : std::min(found.most, bound.a);
    found.conditions.insert(id);
  }
  return found;
}

// The turn without such conditions, where they hold for every move anyway; else with them. False: there are
// none, or it would be too much code.
bool search_on_boards(Context& cx, const Todo& turn) {
  constexpr std::size_t kWorthCopying = 3'000; // nodes
  const bool compares = cx.comparison.once || !cx.comparison.ambiguities.branches.empty() ||
                        !cx.comparison.ambiguities.alike.empty();
  const OnBoards boards = on_boards(cx, turn.action);
  if (!is_on(Idiom::deferred) || compares || boards.conditions.empty() ||
      cx.sizes.weight(&turn) > kWorthCopying)
    return false;
  const Label ask = cx.e.label(), done = cx.e.label();
  const Reg most = cx.e.new_number();
  cx.code.uses_history = true;
  cx.e.emit(Ir::board_repeats, most, 0, 0, 0, 2);
  cx.e.emit(Ir::if_less, 0, cx.e.number_constant(boards.most), most, 0, ask);
  {
    const Emitter::Scope scope(cx.e);
    const std::set<NodeId> before = cx.passing;
    cx.passing.insert(boards.conditions.begin(), boards.conditions.end());
    act(cx, &turn, AbstractDraft());
    cx.passing = before;
  }
  cx.e.go(done);
  cx.e.place(ask);
  {
    const Emitter::Scope scope(cx.e);
    cx.comparison.asks_all = true;
    act(cx, &turn, AbstractDraft());
    cx.comparison.asks_all = false;
  }
  cx.e.place(done);
  return true;
}

// Moves that are compared are compared by keys first. If that won't do the turn begins again, in full.
void search_turn(Context& cx, int p) {
  const Todo turn{cx.program.players[at(p)].turn, nullptr, nullptr};
  if (search_on_boards(cx, turn)) return;
  if (!may_key(cx)) {
    cx.comparison.by_key = true;
    act(cx, &turn, AbstractDraft());
    cx.comparison.by_key = false;
    return;
  }
  const Label full = cx.e.label(), done = cx.e.label();
  cx.e.emit(Ir::if_not_equal, 0, cx.layout.full, cx.e.number_constant(0), 0, full);
  cx.comparison.shapes.clear();
  cx.comparison.keyed = true;
  cx.text = false;
  {
    const Emitter::Scope scope(cx.e);
    act(cx, &turn, AbstractDraft());
  }
  compare_shapes(cx);
  cx.comparison.keyed = false;
  cx.comparison.in_full = cx.comparison.by_key = true;
  cx.text = cx.comparison.once;
  cx.e.go(done);
  cx.e.place(full);
  {
    const Emitter::Scope scope(cx.e);
    act(cx, &turn, AbstractDraft());
  }
  cx.comparison.in_full = cx.comparison.by_key = false;
  cx.e.place(done);
}

// The search, behind which the position is what it was.
void search_and_undo(Context& cx, int p) {
  const Emitter::Scope scope(cx.e);
  keep_before(cx, p);
  const Reg mark = cx.e.new_number(2);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  const std::size_t begin = cx.e.here();
  search_turn(cx, p);
  cx.e.undo_since(begin, mark, marked);
}

void player(Context& cx, int p) {
  cx.turn.player = p;
  ir::PlayerCode& code = cx.code.players[at(p)];
  const Emitter::Registers registers = cx.e.registers();
  cx.e.forget_values();
  cx.turn.first_leaf = cx.code.leaves.size();
  cx.mode = Mode::search;
  cx.comparison.once = cx.text = false;
  find_ambiguities(cx, p);
  cx.comparison.once = cx.comparison.ambiguities.all;
  for (const auto& [id, as] : cx.comparison.ambiguities.walks) note_walk(cx, id, as);
  cx.code.compares.push_back(cx.comparison.once);
  cx.text = cx.comparison.once;
  cx.turn.before.clear();
  code.position = static_cast<std::uint32_t>(cx.e.here());
  cx.e.emit(Ir::begin_turn, 0, 0, 0, 0, p);
  const bool always = cx.comparison.once || !cx.comparison.ambiguities.branches.empty();
  if (always || !cx.comparison.ambiguities.alike.empty())
    cx.e.emit(Ir::constant, cx.layout.full, 0, 0, 0, -1);
  if (always || may_key(cx)) begin_comparing(cx);
  const std::size_t snapshot = cx.e.emit(Ir::snapshot);
  const bool read = std::exchange(cx.code.reads_beginning, false);
  check_reach(cx, p);
  const auto& lines = cx.program.players[at(p)].end;
  std::size_t line = 0;
  cx.text = false;
  for (; line < lines.size() && !cx.stopped(); ++line) {
    if (asks_moves(cx, lines[line].condition) || asks_moves(cx, lines[line].score)) break;
    ask_line(cx, lines[line], p);
  }
  end_lines_unasked(cx, p, line);
  cx.text = cx.comparison.once;
  search_and_undo(cx, p);
  for (const NodeId id : cx.taken.deferred)
    if (cx.taken.followed.count(id) != 0 && cx.speculation.never_deferred.insert(id).second)
      cx.recompile = true;
  cx.text = false;
  cx.code.players[at(p)].moves_done = static_cast<std::uint32_t>(cx.e.here());
  cx.e.emit(Ir::moves_done);
  cx.e.forget_values();
  for (; line < lines.size() && !cx.stopped(); ++line) ask_line(cx, lines[line], p); // the moves are known
  if (!cx.code.reads_beginning) cx.e.forget(snapshot); // lines that ask for another's moves may read it, too
  cx.code.reads_beginning = cx.code.reads_beginning || read;
  const Label moves = cx.e.label();
  cx.e.emit(Ir::if_move, 0, 0, 0, 0, moves);
  cx.e.emit(Ir::decide, 0, 0, 0, 0,
            verdict(cx, 0, cx.node(cx.program.players[at(p)].turn).origin, Outcome::By::no_move));
  cx.e.emit(Ir::halt);
  cx.e.place(moves);
  cx.e.emit(Ir::pick);
  cx.e.begin_apart();
  cx.mode = Mode::play_any;
  cx.code.players[at(p)].play = static_cast<std::uint32_t>(cx.e.here());
  play_code(cx, p, false);
  cx.code.players[at(p)].notate = static_cast<std::uint32_t>(cx.e.here());
  play_code(cx, p, true);
  leaf_codes(cx, p);
  cx.e.set_registers(registers);
}

// False: it needs a mailbox. A speculation that failed may ask for another run.
bool compile(Context& cx) {
  cx.code.weighs = cx.program.chance && cx.program.chance->draws && cx.program.chance->odds >= 0;
  find_changed_locals(cx);
  cx.here_node = static_cast<NodeId>(cx.program.nodes.size());
  Node here;
  here.op = Op::here;
  here.type = Type::cells;
  cx.program.nodes.push_back(here);
  // Repetitions without a bound compare drafts, unless these are ever new ones; within `reach` always.
  bool compares = false;
  for (NodeId id = 0; id < cx.program.nodes.size(); ++id) {
    const Node& n = cx.node(id);
    if (n.op == Op::reach) compares = compares || !cx.facts.is_walk(cx.program.kid(n, 1));
    if (n.op != Op::repeat || (n.a & kUnbounded) == 0 || cx.facts.is_walk(cx.program.kid(n, 0))) continue;
    compares = compares || cx.facts.comes_back(id, any_draft());
  }
  cx.reads_heading = compares || cx.facts.uses(Op::heading) || cx.facts.uses(Op::distinct);
  lay_out(cx);
  for (const auto* of : {&cx.board().x, &cx.board().y}) cx.code.tables.emplace_back(of->begin(), of->end());
  std::vector<std::int16_t>& z = cx.code.tables.emplace_back();
  for (int c = 0; c < cx.board().cells; ++c) z.push_back(static_cast<std::int16_t>(cx.board().z_of(c)));
  cx.pass_text = static_cast<std::int32_t>(cx.program.texts.size());
  for (std::size_t i = 0; i < cx.program.texts.size(); ++i)
    if (cx.program.texts[i] == "pass") cx.pass_text = static_cast<std::int32_t>(i);
  if (cx.pass_text == static_cast<std::int32_t>(cx.program.texts.size()))
    cx.program.texts.emplace_back("pass");
  cx.code.players.resize(at(cx.players()));
  for (int p = 0; p < cx.players() && !cx.stopped(); ++p) player(cx, p);
  Meter::charge(cx.e.spent() + cx.facts.looked_at() + kStepsOfInstruction * cx.code.instructions.size());
  if (cx.e.too_large()) {
    cx.code.too_large = true;
    return true;
  }
  if (cx.missing_mailbox) return false;
  if (cx.recompile) return true;
  cx.e.finish();
  passes::run_all(cx.code, &cx.board());
  return true;
}

} // namespace

// ---------------------------------------------------------------- the whole

ir::Code lower(Program& program) {
  // The node of an `each` says of what type its members are; here it is an action, in which others may be
  // looked for.
  for (Node& n : program.nodes)
    if (n.op == Op::each) n.type = Type::action;
  std::vector<std::int16_t> of_cell;
  // Steps that are shifts are worth a word more.
  auto numbering = find_numbering(program.board, words_for(program.board.cells));
  constexpr int kMostWords = kMaxCells / 64;
  if (!numbering)
    numbering = find_numbering(program.board, std::min(words_for(program.board.cells) + 1, kMostWords));
  if (numbering) {
    of_cell = numbering->of_cell;
    renumber(program, *numbering);
  }
  normal::TermStore terms(program, normal::Origins::left_out);
  for (NodeId id = 0; id < program.nodes.size(); ++id) (void)terms.take(id);
  ByCell by_cell(program, terms);
  for (const bool mailbox : {false, true}) {
    Speculation speculation;
    for (bool recompile = true; recompile;) {
      const auto cx = std::make_unique<Context>(program, terms, mailbox, by_cell);
      cx->speculation = std::move(speculation);
      if (!compile(*cx)) break;
      recompile = cx->recompile;
      speculation = std::move(cx->speculation);
      if (recompile) continue;
      cx->code.of_cell = of_cell;
      return std::move(cx->code);
    }
  }
  return {};
}

} // namespace boardwright::runtime::lowering
