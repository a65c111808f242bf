// Players: the code of a position (lines of `end`, moves), of each kind of move, and of moves by their
// choices.
#include "runtime/lowering/forms/legality.hpp"
#include "runtime/lowering/lower.hpp"
#include "runtime/model/forms.hpp"
#include "runtime/model/numbering.hpp"
#include "runtime/model/spread.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

Lowering::Lowering(Program& program, bool mailbox)
    : Facts(program), program_(program), sizes_(*this, program), layout_(code_.layout), e_(code_) {
  layout_.mailbox = mailbox || program.board.stacks;
}

// ---------------------------------------------------------------- the registers of the state

namespace {

// Sets have as many words as the board's cells need, of some widths that the executor is made for.
int words_for(int members) {
  for (const int words : {1, 2, 3, 4, 6})
    if (members <= words * 64) return words;
  return kMaxCells / 64;
}

} // namespace

void Lowering::lay_out() {
  const Board& b = board();
  ir::Layout& l = layout_;
  l.words = words_for(wide_ ? std::max(b.cells, static_cast<int>(b.steps.size())) : b.cells);
  l.cells = b.cells;
  l.players = players();
  l.stacks = b.stacks;
  bool neutral = false;
  for (int k = 0; k < pieces_.kinds; ++k) neutral = neutral || pieces_.code_of(kNeutral, k) != 0;
  l.owners = static_cast<Reg>(players() + (neutral ? 1 : 0));
  l.kinds = pieces_.kinds > 1 ? static_cast<Reg>(pieces_.kinds) : Reg{0};
  int set = l.owners + l.kinds;
  l.empty = static_cast<Reg>(set++);
  for (const Variable& v : program_.variables)
    l.set_of_variable.push_back(v.type == Type::cells ? set++ : -1);
  for (std::size_t v = 0; v < program_.variables.size(); ++v)
    if (program_.variables[v].clock) l.clocks.push_back(static_cast<Reg>(v));
  l.state_sets = static_cast<Reg>(set);
  l.gone = static_cast<Reg>(set++);
  int number = static_cast<int>(program_.variables.size());
  l.hands = static_cast<Reg>(number);
  number += program_.hands;
  l.ply = static_cast<Reg>(number++);
  l.turns = static_cast<Reg>(number);
  number += players();
  l.to_move = static_cast<Reg>(number++);
  l.out = static_cast<Reg>(number++);
  l.state_numbers = static_cast<Reg>(number);
  l.again = static_cast<Reg>(number++);
  l.decision = static_cast<Reg>(number++);
  l.winners = static_cast<Reg>(number++);
  l.air = static_cast<Reg>(number++);
  l.full = static_cast<Reg>(number++);
  int box = 0;
  for (auto& [slot, v] : changed_) {
    if (v.is(Kind::set) || v.is(Kind::ways))
      v.reg = static_cast<Reg>(set++);
    else if (v.is(Kind::number))
      v.reg = static_cast<Reg>(number++);
    else
      v.reg = static_cast<Reg>(box++);
  }
  l.draft_sets = static_cast<Reg>(set);
  l.draft_numbers = static_cast<Reg>(number);
  e_.begin_registers(set, number);
  for (int k = 0; k < box; ++k) (void)e_.new_box();
  for (int s = 0; s <= l.empty; ++s) e_.depend(static_cast<Reg>(s), kPieces);
  for (std::size_t v = 0; v < program_.variables.size(); ++v)
    if (l.set_of_variable[v] >= 0)
      e_.depend(static_cast<Reg>(l.set_of_variable[v]), part_of_variable(v));
    else
      e_.number_depends(static_cast<Reg>(v), part_of_variable(v));
  for (int h = 0; h < program_.hands; ++h) e_.number_depends(static_cast<Reg>(l.hands + h), kHands);
  for (const auto& [slot, v] : changed_) {
    const Parts part = part_of_variable(at(slot) + program_.variables.size());
    if (v.is(Kind::set) || v.is(Kind::ways)) e_.depend(v.reg, part);
    if (v.is(Kind::number)) e_.number_depends(v.reg, part);
  }
  e_.number_depends(l.air, kAir);
  e_.number_depends(l.out, kOut);
  // A stack can't be higher than there are pieces, if none come but from hands.
  std::int64_t most = 0;
  for (const Stack& s : program_.initial.cells) most += static_cast<std::int64_t>(s.size());
  for (const std::int32_t hand : program_.initial.hands) most += std::max(hand, 0);
  heights_bounded_ = most <= b.levels && (!uses(Op::drop) || (all_from_hands() && !uses(Op::set_hand)));
  l.levels = b.stacks ? b.levels : 1;
  board_ = e_.set_constant(b.all);
  none_ = e_.set_constant(CellSet());
  (void)e_.number_constant(0);
}

// Names that are set again stand in registers of their own, and changes of them are taken back.
void Lowering::find_changed_locals() {
  for (const Node& n : program_.nodes) {
    if (n.op != Op::set_local) continue;
    Val v;
    switch (node(program_.kid(n, 0)).type) {
    case Type::cells: v = make_set(0, all_contents()); break;
    case Type::number:
    case Type::truth:
    case Type::kind:
    case Type::player: v = make_number(0); break;
    case Type::directions: v = make_ways(0); break;
    default: v = make_box(0); break;
    }
    changed_[n.a] = v;
  }
}

// ---------------------------------------------------------------- lines of `end`

// (Asked anew each time: the player may have been put out just now.)
void Lowering::jump_if_out(int player, Label to) {
  const Emitter::Scope scope(e_);
  const Reg bit = e_.new_number();
  e_.emit(Ir::divide, bit, layout_.out, e_.number_constant(std::int32_t{1} << player));
  e_.emit(Ir::modulo, bit, bit, e_.number_constant(2));
  e_.emit(Ir::if_not_equal, 0, bit, e_.number_constant(0), 0, to);
}

void Lowering::end_line(const EndLine& line, int p, Draft& d) {
  const Label past = e_.label();
  const Emitter::Scope scope(e_);
  e_.at_origin(line.origin);
  jump(line.condition, false, past, d);
  const Outcome::By by =
      node(line.condition).op == Op::no_move ? Outcome::By::no_move : Outcome::By::end_line;
  const std::uint32_t winner = std::uint32_t{1} << (line.winner < 0 ? p : line.winner);
  switch (line.verdict) {
  case Verdict::win: e_.emit(Ir::decide, 0, 0, 0, 0, verdict(winner, line.origin, by)); break;
  case Verdict::draw: e_.emit(Ir::decide, 0, 0, 0, 0, verdict(0, line.origin, by)); break;
  case Verdict::lose:
    if (players() <= 2)
      e_.emit(Ir::decide, 0, 0, 0, 0,
              verdict(players() == 2 ? std::uint32_t{1} << (1 - p) : 0, line.origin, by));
    else
      e_.emit(Ir::put_out, 0, 0, 0, 0, verdict(0, line.origin, Outcome::By::last_left, p));
    break;
  case Verdict::score:
    for (std::size_t k = 0; k < line.score.size(); ++k) {
      const Label out = e_.label();
      const Emitter::Scope alone(e_);
      Draft e = d;
      // A player who is out has no share: what it would be isn't asked.
      if (players() > 2 && !harmless(line.score[k])) jump_if_out(static_cast<int>(k), out);
      const Reg share = number(line.score[k], e);
      e_.emit(Ir::score, 0, share, 0, 0, static_cast<std::int32_t>(k));
      e_.place(out);
    }
    e_.emit(Ir::decide_score, 0, 0, 0, 0, verdict(0, line.origin, by));
    break;
  }
  e_.emit(Ir::halt);
  e_.place(past);
}

void Lowering::ask_line(const EndLine& line, int p) {
  asking_ = true;
  Draft d;
  d.quiet = true;
  e_.begin_straight();
  end_line(line, p, d);
  asking_ = false;
}

// What stands on a board without edges must not meet itself from the other side.
void Lowering::check_reach(int p) {
  if (!board().endless()) return;
  const Label fits = e_.label();
  const Emitter::Scope scope(e_);
  e_.at_origin(node(program_.players[at(p)].turn).origin);
  const Reg spread = e_.number_value(Ir::spread, minus(board_, layout_.empty));
  e_.emit(Ir::if_not_less, 0, e_.number_constant(board().reach), spread, 0, fits);
  fail(too_far(board()).c_str());
  e_.place(fits);
}

// Is it asked whether the player to move has a move?
bool Lowering::asks_moves(NodeId id) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  if (n.op == Op::no_move) return n.a == player_;
  const auto kids = program_.kids_of(n);
  return std::any_of(kids.begin(), kids.end(), [this](NodeId k) { return asks_moves(k); });
}

bool Lowering::asks_moves(const std::vector<NodeId>& shares) const {
  return std::any_of(shares.begin(), shares.end(), [this](NodeId share) { return asks_moves(share); });
}

// Could a condition be found to hold (or not to) without asking whether there is a move? Perhaps so, where it
// isn't seen that it can't.
bool Lowering::settles_unasked(NodeId condition, bool holds) const {
  const Node& n = node(condition);
  const auto kids = program_.kids_of(n);
  switch (n.op) {
  case Op::no_move: return n.a != player_;
  case Op::negation: return settles_unasked(kids[0], !holds);
  case Op::all_of:
  case Op::any_of: {
    const bool deciding = n.op == Op::any_of; // one such answer is enough; those before it are the others
    for (const NodeId k : kids) {
      if (settles_unasked(k, holds) == (holds == deciding)) return holds == deciding;
      if (holds == deciding && !settles_unasked(k, !holds)) return false;
    }
    return holds != deciding;
  }
  default: return true;
  }
}

// Those of the lines that may decide the game before one of them asks whether there is a move. What comes to
// that question leads to the search; if a line decides first, it makes no difference what the search would
// have met.
void Lowering::end_lines_unasked(int p, std::size_t line) {
  const auto& all = program_.players[at(p)].end;
  std::size_t last = line;
  for (std::size_t i = line; i < all.size(); ++i) {
    if (!asks_moves(all[i].score) && settles_unasked(all[i].condition, true)) last = i + 1;
    if (!settles_unasked(all[i].condition, false)) break;
  }
  if (last == line) return;
  const Reg mark = e_.new_number(2), stack = e_.new_number(4);
  const std::size_t marked = e_.emit(Ir::mark, mark);
  e_.emit(Ir::stack_mark, stack);
  const std::size_t begin = e_.here();
  search_first_ = Search{e_.label(), stack};
  for (; line < last && !stopped(); ++line) ask_line(all[line], p);
  e_.place(search_first_->label);
  search_first_.reset();
  e_.forget_values();
  if (e_.changes_since(begin))
    e_.emit(Ir::undo, 0, mark);
  else
    e_.forget(marked);
}

// ---------------------------------------------------------------- moves

void Lowering::leaf(const Val* open, const Draft& d) {
  ir::Leaf l;
  l.choices = d.choices;
  l.base = d.base;
  l.dynamic = d.base >= 0;
  for (const ir::Choice& c : l.choices)
    if (c.from == ir::Choice::From::number &&
        std::find(l.values.begin(), l.values.end(), static_cast<Reg>(c.value)) == l.values.end())
      l.values.push_back(static_cast<Reg>(c.value));
  const auto index = static_cast<std::int32_t>(code_.leaves.size());
  code_.leaves.push_back(std::move(l));
  if (keyed_ && compares(d) && mode_ == Mode::search) {
    for (const std::string& shape : d.told.shapes) shapes_.insert(shape + (d.told.leaves ? "g" : ""));
    e_.emit(open != nullptr ? Ir::leaf_keys : Ir::leaf_key, 0, key_of(d), open != nullptr ? open->reg : 0, 0,
            index);
  } else if (open != nullptr)
    e_.emit(Ir::leaf, 0, open->reg, 0, 0, index);
  else
    e_.emit(compares(d) ? Ir::leaf_once : Ir::leaf_one, 0, 0, 0, 0, index);
}

// The code that plays moves: one leaf's, or any by its choices.
void Lowering::play_code(int p, bool text) {
  text_ = text;
  once_ = false;
  const Emitter::Scope scope(e_);
  e_.forget_values();
  before_.clear();
  const std::size_t snapshot = e_.emit(Ir::snapshot);
  const bool read = std::exchange(code_.reads_beginning, false);
  const std::size_t begin = e_.here();
  keep_before(p);
  const Todo turn{program_.players[at(p)].turn, nullptr, nullptr};
  act(&turn, Draft());
  e_.emit(Ir::halt);
  if (!code_.reads_beginning) e_.forget(snapshot);
  code_.reads_beginning = code_.reads_beginning || read;
  if (mode_ == Mode::play_one && !stopped()) e_.remove_unread(begin);
  text_ = false;
}

void Lowering::leaf_codes(int p) {
  mode_ = Mode::play_one;
  for (std::size_t i = first_leaf_; i < code_.leaves.size() && !stopped(); ++i) {
    if (code_.leaves[i].dynamic) {
      code_.leaves[i].entry = code_.players[at(p)].play;
      continue;
    }
    const ir::Leaf given = code_.leaves[i];
    given_ = &given;
    given_next_ = 0;
    code_.leaves[i].entry = static_cast<std::uint32_t>(e_.here());
    play_code(p, false);
  }
  given_ = nullptr;
}

// From here on moves are compared, if they haven't been in this turn so far.
void Lowering::begin_comparing() { e_.emit(Ir::compare, layout_.full, layout_.full); }

// Values of the turn's beginning are worked out there, if they don't depend on the walker.
void Lowering::keep_before(int p) {
  std::vector<NodeId> todo{program_.players[at(p)].turn};
  Draft d;
  d.quiet = true;
  while (!todo.empty() && !stopped()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (id == kNoNode) continue;
    const Node n = node(id);
    if (n.op == Op::before && !reads_draft(kid(id, 0)) && harmless(id)) {
      Val v = value(kid(id, 0), d);
      if ((v.is(Kind::set) && v.reg < layout_.draft_sets)) {
        const Reg kept = e_.new_set();
        e_.emit(Ir::set_copy, kept, v.reg);
        v.reg = kept;
      } else if (v.is(Kind::number) && v.reg < layout_.draft_numbers) {
        const Reg kept = e_.new_number();
        e_.emit(Ir::copy, kept, v.reg);
        v.reg = kept;
      }
      v.contents = all_contents(); // it may not be there any more
      before_[id] = v;
      continue;
    }
    for (std::uint32_t i = 0; i < n.count; ++i) todo.push_back(program_.kid(n, i));
  }
}

// Moves that are compared are told by keys first. If that won't do the turn begins again, in full.
void Lowering::search_turn(int p) {
  const Todo turn{program_.players[at(p)].turn, nullptr, nullptr};
  if (!may_key()) return act(&turn, Draft());
  const Label full = e_.label(), done = e_.label();
  e_.emit(Ir::if_not_equal, 0, layout_.full, e_.number_constant(0), 0, full);
  shapes_.clear();
  keyed_ = true;
  text_ = false;
  {
    const Emitter::Scope scope(e_);
    act(&turn, Draft());
  }
  compare_shapes();
  keyed_ = false;
  in_full_ = true;
  text_ = once_;
  e_.go(done);
  e_.place(full);
  {
    const Emitter::Scope scope(e_);
    act(&turn, Draft());
  }
  in_full_ = false;
  e_.place(done);
}

void Lowering::player(int p) {
  player_ = p;
  ir::PlayerCode& code = code_.players[at(p)];
  const Emitter::Registers registers = e_.registers();
  e_.forget_values();
  first_leaf_ = code_.leaves.size();
  mode_ = Mode::search;
  once_ = text_ = false;
  find_doubts(p);
  once_ = doubts_.all;
  for (const auto& [id, as] : doubts_.walks) note_walk(id, as);
  code_.compares.push_back(once_);
  text_ = once_;
  before_.clear();
  code.position = static_cast<std::uint32_t>(e_.here());
  e_.emit(Ir::begin_turn, 0, 0, 0, 0, p);
  const bool always = once_ || !doubts_.branches.empty();
  if (always || !doubts_.alike.empty()) e_.emit(Ir::constant, layout_.full, 0, 0, 0, -1);
  if (always || may_key()) begin_comparing();
  const std::size_t snapshot = e_.emit(Ir::snapshot);
  const bool read = std::exchange(code_.reads_beginning, false);
  check_reach(p);
  const auto& lines = program_.players[at(p)].end;
  std::size_t line = 0;
  text_ = false;
  for (; line < lines.size() && !stopped(); ++line) {
    if (asks_moves(lines[line].condition) || asks_moves(lines[line].score)) break;
    ask_line(lines[line], p);
  }
  end_lines_unasked(p, line);
  text_ = once_;
  {
    const Emitter::Scope scope(e_);
    keep_before(p);
    const Reg mark = e_.new_number(2);
    const std::size_t marked = e_.emit(Ir::mark, mark);
    const std::size_t begin = e_.here();
    search_turn(p);
    if (e_.changes_since(begin))
      e_.emit(Ir::undo, 0, mark);
    else
      e_.forget(marked);
  }
  for (const NodeId id : left_open_)
    if (followed_.count(id) != 0 && never_open_.insert(id).second) again_ = true;
  text_ = false;
  code_.players[at(p)].moves_done = static_cast<std::uint32_t>(e_.here());
  e_.emit(Ir::moves_done);
  e_.forget_values();
  for (; line < lines.size() && !stopped(); ++line) ask_line(lines[line], p); // the moves are known
  if (!code_.reads_beginning) e_.forget(snapshot); // lines that ask for another's moves may read it, too
  code_.reads_beginning = code_.reads_beginning || read;
  const Label moves = e_.label();
  e_.emit(Ir::if_move, 0, 0, 0, 0, moves);
  e_.emit(Ir::decide, 0, 0, 0, 0,
          verdict(0, node(program_.players[at(p)].turn).origin, Outcome::By::no_move));
  e_.emit(Ir::halt);
  e_.place(moves);
  e_.emit(Ir::pick);
  e_.begin_apart();
  mode_ = Mode::play_any;
  code_.players[at(p)].play = static_cast<std::uint32_t>(e_.here());
  play_code(p, false);
  code_.players[at(p)].notate = static_cast<std::uint32_t>(e_.here());
  play_code(p, true);
  leaf_codes(p);
  e_.set_registers(registers);
}

bool Lowering::run() {
  find_changed_locals();
  here_ = static_cast<NodeId>(program_.nodes.size());
  Node here;
  here.op = Op::here;
  here.type = Type::cells;
  program_.nodes.push_back(here);
  // Repetitions without a bound compare drafts, unless these are ever new ones; within `reach` always.
  bool compares = false;
  for (NodeId id = 0; id < program_.nodes.size(); ++id) {
    const Node& n = node(id);
    if (n.op == Op::reach) compares = compares || !is_walk(program_.kid(n, 1));
    if (n.op != Op::repeat || (n.a & kUnbounded) == 0 || is_walk(program_.kid(n, 0))) continue;
    compares = compares || comes_back(id, any_draft());
  }
  reads_heading_ = compares || uses(Op::heading) || uses(Op::distinct);
  lay_out();
  for (const auto* of : {&board().x, &board().y}) code_.tables.emplace_back(of->begin(), of->end());
  std::vector<std::int16_t>& z = code_.tables.emplace_back();
  for (int c = 0; c < board().cells; ++c) z.push_back(static_cast<std::int16_t>(board().z_of(c)));
  pass_text_ = static_cast<std::int32_t>(program_.texts.size());
  for (std::size_t i = 0; i < program_.texts.size(); ++i)
    if (program_.texts[i] == "pass") pass_text_ = static_cast<std::int32_t>(i);
  if (pass_text_ == static_cast<std::int32_t>(program_.texts.size())) program_.texts.emplace_back("pass");
  code_.players.resize(at(players()));
  for (int p = 0; p < players() && !stopped(); ++p) player(p);
  if (e_.too_large()) {
    code_.too_large = true;
    return true;
  }
  if (missing_mailbox_) return false;
  if (again_) return true; // this code will not be used
  e_.finish();
  passes::run_all(code_);
  return true;
}

// ---------------------------------------------------------------- the whole

namespace {

ir::Code lower_here(Program& program) {
  // Its node says of what type its members are; here it is an action, in which others may be looked for.
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
  for (const bool mailbox : {false, true}) {
    auto lowering = std::make_unique<Lowering>(program, mailbox);
    while (lowering->run()) {
      if (!lowering->again()) {
        ir::Code code = lowering->take();
        code.of_cell = of_cell;
        return code;
      }
      auto next = std::make_unique<Lowering>(program, mailbox);
      next->learn_from(*lowering);
      lowering = std::move(next);
    }
  }
  return {};
}

} // namespace

ir::Code lower(Program& program) { return lower_here(program); }

} // namespace boardwright::runtime::lowering
