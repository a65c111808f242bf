// Entry point: compile_sprint.
#include "runtime/model/numbering.hpp"
#include "runtime/sprint/sprint_compiler.hpp"
#include "runtime/sprint/sprint_sets.hpp"

namespace boardwright::runtime::sprint {

// ----------------------------------------------------------------------------------------------------
// players

void Sprinter::lay_out() {
  bool neutral = false;
  for (const Kind& kind : program_.kinds) neutral = neutral || kind.letter[at(players())] != 0;
  code_.owners = static_cast<Reg>(players() + (neutral ? 1 : 0));
  code_.kinds = program_.kinds.size() > 1 ? static_cast<Reg>(program_.kinds.size()) : Reg{0};
  int next = code_.owners + code_.kinds;
  code_.empty = static_cast<Reg>(next++);
  for (const Variable& v : program_.variables) {
    code_.set_of.push_back(v.type == Type::cells ? next++ : -1);
    if (v.type != Type::cells && v.type != Type::number && v.type != Type::truth) fail();
  }
  if (program_.hands > 0) fail();
  code_.state_sets = static_cast<Reg>(next);
  for (const Node& n : program_.nodes) {
    if (n.op != Op::set_local || local_.count(n.a) != 0) continue;
    if (node(program_.kid(n, 0)).type != Type::cells) continue; // fails where it is carried out
    local_[n.a] = static_cast<Reg>(next++);
  }
  next += 2; // `gone_` and `written_`
  written_ = static_cast<Reg>(next - 1);
  gone_ = static_cast<Reg>(next - 2);
  code_.draft_sets = static_cast<Reg>(next);
  code_.ply = static_cast<Reg>(program_.variables.size());
  code_.turns = static_cast<Reg>(code_.ply + 1);
  code_.state_numbers = static_cast<Reg>(code_.turns + players());
  first_value_ = code_.draft_sets + kMaxConstants;
  first_number_ = code_.state_numbers + kMaxConstants;
  next_set_ = first_value_;
  next_number_ = first_number_;
  unread_ = new_set();
  none_ = constant(CellSet());
  board_ = constant(board().all);
}

void Sprinter::end_line(const EndLine& line, int p, Env& env) {
  const Label past = label();
  const Memo before = memo_;
  jump(line.condition, false, past, env);
  switch (line.verdict) {
  case Verdict::win: decide(std::uint32_t{1} << p, line.origin, Outcome::By::end_line); break;
  case Verdict::draw: decide(0, line.origin, Outcome::By::end_line); break;
  case Verdict::lose:
    if (players() != 2) fail();
    decide(std::uint32_t{1} << (1 - p), line.origin, Outcome::By::end_line);
    break;
  case Verdict::score: {
    if (line.score.size() != at(players())) fail();
    SprintVerdict v;
    v.by_score = true;
    v.origin = line.origin;
    v.by = Outcome::By::end_line;
    for (const NodeId score : line.score) v.score.push_back(number(score, env));
    emit(What::decide, 0, 0, 0, 0, static_cast<std::int32_t>(code_.verdicts.size()));
    code_.verdicts.push_back(std::move(v));
    break;
  }
  }
  place_label(past);
  memo_ = before;
}

// A turn of slots, but for groups that only slots can tell whether there are moves.
void Sprinter::count_slots(const SlotPlan& plan) {
  const Label counted = label();
  Memo first;
  for (const SlotGroup& group : plan.groups) {
    const Label none = label();
    if (group.probe) {
      const Reg origins = new_set();
      emit(What::copy, origins, none_);
      count_ops(plan, group.begin, group.end, none_, true, 0, origins);
      emit(What::if_none, 0, origins, 0, 0, none);
      if (!draft_group(group.actions, origins, counted)) fail();
      memo_.clear();
    } else {
      count_ops(plan, group.begin, group.end, none_, false, 0);
    }
    if (&group == &plan.groups.front()) first = memo_;
    if (&group != &plan.groups.back()) emit(What::if_free, 0, 0, 0, 0, counted);
    place_label(none);
  }
  place_label(counted);
  // What the later groups worked out isn't there if the first had a move.
  if (plan.groups.size() > 1) memo_ = first;
}

void Sprinter::count_drafts(int p) {
  const Label counted = label();
  if (!draft_group({program_.players[at(p)].turn}, std::nullopt, counted)) fail();
  place_label(counted);
  memo_.clear();
}

void Sprinter::player(int p) {
  const std::optional<SlotPlan>& plan = plans_[at(p)];
  player_ = p;
  memo_.clear();
  leaf_memos_.clear();
  first_draft_leaf_ = draft_leaves_.size();
  leaf_base_ = plan ? static_cast<std::int32_t>(plan->leaves.size()) : 0;
  SprintPlayer& into = code_.players.emplace_back();
  into.entry = here();
  emit(What::look);
  emit(What::count_none);
  plan ? count_slots(*plan) : count_drafts(p);
  // Drafts leave the state as it was only if they say so.
  Env env;
  for (const EndLine& line : program_.players[at(p)].end)
    if (!failed_) end_line(line, p, env);
  emit(What::pick);
  const std::size_t slots = plan ? plan->leaves.size() : 0;
  into.leaves.resize(slots + draft_leaves_.size() - first_draft_leaf_);
  place_base_ = static_cast<std::uint32_t>(code_.places.size());
  if (plan) code_.places.insert(code_.places.end(), plan->places.begin(), plan->places.end());
  for (std::size_t i = 0; i < slots && !failed_; ++i) leaf(plan->leaves[i], i, into.leaves[i]);
  for (std::size_t i = slots; i < into.leaves.size() && !failed_; ++i)
    if (const DraftLeaf& l = draft_leaves_[first_draft_leaf_ + i - slots]; l.slot) {
      place_base_ = l.places;
      leaf(*l.slot, i, into.leaves[i]);
    } else {
      draft_leaf(first_draft_leaf_ + i - slots, into.leaves[i]);
    }
}

// Before anything is left out.
void Sprinter::find_pool() {
  code_.pool = true;
  for (const SprintPlayer& p : code_.players) {
    const std::size_t leaf = p.entry + 2; // after `look` and `count_none`
    code_.pool = code_.pool && p.leaves.size() == 1 && code_.ops[leaf].what == What::leaf &&
                 code_.ops[leaf].a == code_.empty;
  }
  for (const SprintOp& op : code_.ops) {
    const bool writes = op.what <= What::bit || op.what == What::set_bit || op.what == What::clear_bit ||
                        op.what == What::give || op.what == What::carry;
    const bool takes = op.what == What::clear_bit && op.a == 0;
    if (writes && op.d == code_.empty && !takes) code_.pool = false;
    if (op.what == What::grab && op.a == code_.empty) code_.pool = false;
  }
}

// A piece that comes to an empty cell.
void Sprinter::fuse_drops() {
  std::vector<bool> target(code_.ops.size() + 1, false);
  for (const std::uint32_t l : labels_) target[l] = true;
  for (std::size_t i = 0; i + 1 < code_.ops.size(); ++i) {
    SprintOp &first = code_.ops[i], &second = code_.ops[i + 1];
    if (first.what != What::set_bit || second.what != What::clear_bit || first.a != second.a) continue;
    if (first.d == second.d || target[i + 1]) continue;
    first.what = What::drop;
    first.b = second.d;
    forget(i + 1);
  }
}

// Is every cell that the set gets looked at for the row at once, and nothing ever taken from it?
bool Sprinter::only_gains(Reg set, Reg row) const {
  const auto& ops = code_.ops;
  std::vector<bool> entered(ops.size() + 1, false);
  for (const SprintOp& op : ops)
    if (jumps(op.what)) entered[at(op.x)] = true;
  for (const SprintPlayer& p : code_.players)
    for (const SprintLeaf& l : p.leaves) entered[l.entry] = true;
  const auto looks = [&](std::size_t i) {
    return i < ops.size() && (ops[i].what == What::if_row || ops[i].what == What::if_no_row) &&
           ops[i].b == set && ops[i].c == row;
  };
  const auto brings = [this](const SprintOp& op, Reg back) {
    const bool x = op.what == What::restore || op.what == What::recall;
    if (!x && op.what != What::call) return false;
    const auto& sets = code_.kept[x ? at(op.x) : op.b].sets;
    return std::find(sets.begin(), sets.end(), back) != sets.end();
  };
  const auto gains = [&](std::size_t i) {
    return (ops[i].what == What::drop || ops[i].what == What::set_bit) && ops[i].d == set;
  };
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const SprintOp& op = ops[i];
    if (gains(i) && (!looks(i + 1) || ops[i + 1].a != op.a || entered[i + 1])) return false;
    if (looks(i) && (i == 0 || !gains(i - 1))) return false;
    const bool writes =
        op.what <= What::bit || op.what == What::clear_bit || op.what == What::carry || op.what == What::give;
    const bool takes = (op.what == What::drop && op.b == set) ||
                       ((op.what == What::grab || op.what == What::take) && op.a == set);
    if ((writes && op.d == set) || takes || brings(op, set)) return false;
  }
  return true;
}

// Do the lines of a row have places for all their cells, and its length for the shifts of a line?
bool Sprinter::has_lines(const SprintRow& row) const {
  constexpr std::size_t kMostLines = (std::size_t{1} << 16) / kLongestLine; // places have 16 bits
  if (row.length > kLongestLine) return false;
  std::size_t lines = 0; // as many as cells that no other comes before
  for (const int step : row.steps) {
    const Step& s = board().steps[at(step)];
    const auto& back = board().steps[at(board().step_by(-s.dx, -s.dy))].to;
    lines += static_cast<std::size_t>(std::count(back.begin(), back.end(), kNowhere));
  }
  return lines <= kMostLines;
}

// On small boards rows are found by shifts.
void Sprinter::keep_lines() {
  if (board().cells <= 64 || std::max(board().files, board().ranks) > kLongestLine) return;
  for (SprintOp& op : code_.ops) {
    if ((op.what != What::if_row && op.what != What::if_no_row) || !only_gains(op.b, op.c)) continue;
    if (!has_lines(code_.rows[op.c])) continue;
    auto& all = code_.lines;
    auto known = std::find_if(all.begin(), all.end(),
                              [&op](const SprintLines& l) { return l.row == op.c && l.set == op.b; });
    if (known == all.end()) known = all.insert(all.end(), SprintLines{op.c, op.b});
    op.d = static_cast<Reg>(1 + (known - all.begin()));
  }
}

// Where a turn is one leaf, that needn't be added to anything.
void Sprinter::simplify_leaves() {
  for (const SprintPlayer& p : code_.players) {
    if (p.leaves.size() != 1) continue;
    std::size_t i = p.entry;
    while (code_.ops[i].what != What::count_none && code_.ops[i].what != What::pick) ++i;
    if (code_.ops[i].what == What::pick) continue;
    const std::size_t none = i++;
    while (code_.ops[i].what < What::go && i + 1 < code_.ops.size()) ++i; // no jumps before it
    if (code_.ops[i].what != What::leaf) continue;
    code_.ops[i].what = What::leaf_only;
    forget(none);
  }
}

// The last step to the moves of a leaf, and the leaf.
void Sprinter::fuse_leaves() {
  std::vector<int> read(kMaxSprintRegs, 0);
  for (const SprintOp& op : code_.ops)
    ++read[op.a], ++read[op.b], ++read[op.c]; // of any kind: rather too often
  std::vector<bool> target(code_.ops.size() + 1, false);
  for (const std::uint32_t l : labels_) target[l] = true;
  for (std::size_t i = 0; i + 1 < code_.ops.size(); ++i) {
    SprintOp &step = code_.ops[i], &leaf = code_.ops[i + 1];
    const bool steps = step.what == What::up_meet || step.what == What::down_meet;
    if (!steps || leaf.what != What::leaf || leaf.a != step.d || read[step.d] != 1 || target[i + 1]) continue;
    const auto index = static_cast<Reg>(leaf.x);
    leaf = step;
    leaf.what = step.what == What::up_meet ? What::leaf_up : What::leaf_down;
    leaf.d = index;
    forget(i);
  }
  remove_dead();
}

// Loops over the members of a set take the next one at their end.
void Sprinter::fuse_loops() {
  for (std::size_t i = 0; i + 1 < code_.ops.size(); ++i) {
    if (code_.ops[i].what != What::go) continue;
    const std::size_t begin = labels_[at(code_.ops[i].x)];
    const SprintOp take = code_.ops[begin];
    if (take.what != What::take || begin >= i || labels_[at(take.x)] != i + 1) continue;
    code_.ops[i] = take;
    code_.ops[i].what = What::take_on;
    code_.ops[i].x = label();
    labels_.back() = static_cast<std::uint32_t>(begin + 1);
  }
}

std::optional<SprintCode> Sprinter::compile() {
  if (board().stacks) return std::nullopt;
  if (const auto numbering = find_numbering(board(), machine::words_for(board()))) {
    renumber(program_, *numbering);
    code_.of_cell = numbering->of_cell;
  }
  code_.board = board();
  code_.frozen = find_frozen(program_);
  if (!code_.frozen.empty()) put_in(code_.frozen, program_);
  for (int p = 0; p < players(); ++p) {
    plans_.push_back(plan_slots(program_, p));
  }
  lay_out();
  for (int p = 0; p < players() && !failed_; ++p) player(p);
  if (failed_) return std::nullopt;
  find_pool();
  fuse_drops();
  if (!code_.pool) simplify_leaves();
  remove_dead();
  fuse_leaves();
  code_.sets = std::max<Reg>(code_.sets, static_cast<Reg>(first_value_));
  code_.numbers = std::max<Reg>(code_.numbers, static_cast<Reg>(first_number_));
  find_kept();
  fuse_loops();
  if (failed_) return std::nullopt;
  resolve_labels();
  keep_lines();
  return std::move(code_);
}

} // namespace boardwright::runtime::sprint

namespace boardwright::runtime {

std::optional<SprintCode> compile_sprint(const Program& program) {
  return sprint::Sprinter(program).compile();
}

} // namespace boardwright::runtime
