// Entry point: compile_sprint.
#include "runtime/sprint.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace boardwright::runtime {

namespace {

using What = SprintOp::What;
using Reg = std::uint16_t;
using Label = std::int32_t;
using Memo = std::map<std::array<std::int32_t, 5>, Reg>;

[[nodiscard]] constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// More than this a register file shouldn't hold: it is to stay in the nearest cache.
constexpr int kMaxSprintRegs = 2000;
// Code grows with every leaf; beyond this, loading takes longer than it should.
constexpr std::size_t kMaxSprintOps = 20000;
// A skip costs as much as an operation or two.
constexpr std::size_t kWorthSkipping = 6;

struct Value { // what is known of a value while compiling
  enum class Kind : std::uint8_t { unknown, cells, cell, runs, row, directions, number } kind = Kind::unknown;
  Reg reg = 0;     // of cells; of the cell, also where runs and rows begin; of a number
  Reg through = 0; // of runs and rows
  StepSet steps;   // directions, also of runs and rows
};

struct Env {                 // where the walker is
  int here = -1, start = -1; // cell registers
  int heading = -1;
  std::map<std::int32_t, Value> slots;
  std::map<NodeId, Value> before; // values of the beginning of the turn
};

class Sprinter {
public:
  explicit Sprinter(const Program& program) : program_(program) {}

  std::optional<SprintCode> compile();

private:
  // ---------------------------------------------------------------- the program
  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] NodeId kid(NodeId id, std::uint32_t i) const { return program_.kid(program_.nodes[id], i); }
  [[nodiscard]] const Board& board() const { return program_.board; }
  [[nodiscard]] int players() const { return program_.player_count(); }

  Reg fail() {
    failed_ = true;
    return 0;
  }

  // ---------------------------------------------------------------- code
  std::size_t emit(SprintOp op) {
    if (code_.ops.size() >= kMaxSprintOps) fail();
    if (!failed_) code_.ops.push_back(op);
    return code_.ops.empty() ? 0 : code_.ops.size() - 1;
  }
  std::size_t emit(What what, int d = 0, int a = 0, int b = 0, int c = 0, std::int32_t x = 0) {
    return emit(SprintOp{what, 0, static_cast<Reg>(d), static_cast<Reg>(a), static_cast<Reg>(b),
                         static_cast<Reg>(c), x});
  }
  Label label() {
    labels_.push_back(0);
    return static_cast<Label>(labels_.size() - 1);
  }
  void place_label(Label l) { labels_[at(l)] = static_cast<std::uint32_t>(code_.ops.size()); }
  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(code_.ops.size()); }
  void resolve_labels();
  void remove_dead();
  void straighten(std::vector<bool>& dead);
  void find_unreachable(std::vector<bool>& dead) const;
  [[nodiscard]] static bool jumps(What what) { return what >= What::go && what <= What::if_free; }

  Reg new_set() { return new_register(next_set_, code_.sets); }
  Reg new_number() { return new_register(next_number_, code_.numbers); }
  Reg new_register(int& next, Reg& used) {
    if (next >= kMaxSprintRegs) return fail();
    used = std::max<Reg>(used, static_cast<Reg>(next + 1));
    return static_cast<Reg>(next++);
  }

  Reg value(What what, int a, int b = 0, int c = 0, std::int32_t x = 0);
  Reg number_value(What what, int a, int b = 0);
  Reg constant(const CellSet& set);
  Reg number_constant(std::int32_t n);
  [[nodiscard]] const CellSet* known_set(Reg reg) const {
    return reg >= code_.state_sets && reg < first_value_ ? &code_.constants[at(reg - code_.state_sets)]
                                                         : nullptr;
  }
  [[nodiscard]] const std::int32_t* known_number(Reg reg) const {
    return reg >= code_.state_numbers && reg < first_number_
               ? &code_.number_constants[at(reg - code_.state_numbers)]
               : nullptr;
  }

  // ---------------------------------------------------------------- sets
  Reg unite(Reg a, Reg b);
  Reg meet(Reg a, Reg b);
  Reg minus(Reg a, Reg b);
  Reg occupied() { return minus(board_, code_.empty); }
  Reg stepped(Reg from, int step, bool back);
  Reg stepped(Reg from, const StepSet& steps, bool back);
  Reg ran(Reg from, int step, Reg through);
  [[nodiscard]] int longest_run(int step) const;
  Reg flooded(Reg from, const StepSet& steps, Reg through);
  Reg owned(const Node& n);
  Reg kind_cells(int kind);
  Reg set(NodeId id, Env& env) { return materialised(cells(id, env)); }
  Reg materialised(const Value& v);
  Value cells(NodeId id, Env& env);
  Value reach(NodeId id, Env& env);
  Value if_cells(NodeId id, Env& env);
  std::optional<StepSet> directions(NodeId id, Env& env);
  [[nodiscard]] std::optional<StepSet> opposite(const StepSet& steps) const;
  bool bind(std::int32_t slot, NodeId value, Env& env);
  void let(NodeId id, Env& env);

  // walks over sets: from where, or back from where they end
  Reg walked(NodeId id, Reg from, Env& env);
  Reg walked_sequence(const Node& n, std::uint32_t i, Reg from, Env& env);
  Reg walked_loop(NodeId id, Reg from, Env& env);
  Reg walked_back(NodeId id, Reg ends, Env& env);
  Reg back_sequence(const Node& n, std::uint32_t i, Reg ends, Env& env);
  Reg back_loop(NodeId id, Reg ends, Env& env);
  struct Round {
    StepSet steps;
    NodeId through = kNoNode;
  };
  std::optional<Round> round(NodeId body, Env& env);
  std::optional<Value> runs(NodeId walk, Reg cell, Env& env);

  // ---------------------------------------------------------------- numbers and truths
  Reg number(NodeId id, Env& env);
  Reg folded(const Node& n, Reg first, NodeId second, What what, Env& env);
  Reg if_number(NodeId id, Env& env);
  Reg truth_number(NodeId id, Env& env);
  // Goes to the label if the truth is `when`, else on.
  void jump(NodeId id, bool when, Label to, Env& env);
  void jump_any(const Node& n, bool any, bool when, Label to, Env& env);
  void jump_some(NodeId id, bool when, Label to, Env& env);
  void jump_some_where(const Node& n, bool when, Label to, Env& env);
  void jump_compare(const Node& n, bool when, Label to, Env& env);
  bool jump_row(const Node& n, bool when, Label to, Env& env);
  void jump_within(const Node& n, bool when, Label to, Env& env);
  void jump_equal(const Node& n, bool when, Label to, Env& env);
  void jump_can(NodeId action, bool when, Label to, Env& env);
  void jump_numbers(What what, What otherwise, Reg a, Reg b, bool when, Label to) {
    emit(when ? what : otherwise, 0, a, b, 0, to);
  }

  // ---------------------------------------------------------------- counting
  void count_ops(const SlotPlan& plan, std::uint32_t begin, std::uint32_t end, Reg from, bool probe,
                 Label found);
  Reg after_op(const SlotOp& op, Reg from, Label skip, bool& guarded);

  // ---------------------------------------------------------------- moves
  void leaf(const SlotPlan& plan, std::size_t index, SprintLeaf& into);
  void item(const SlotItem& item, Env& env);
  int cell_at(std::uint32_t place);
  void lift(int cell, const Contents& there);
  void put(int cell, const Contents& there);
  bool carry(Reg s, int cell);
  void drop(const Node& n, int cell, const Contents& there);
  void clear(int cell, const Contents& there);
  void fill(int cell, const Contents& there, const Contents& with);
  void find_before(NodeId id, Env& env);
  enum class Share : std::uint8_t { none, all, some };
  [[nodiscard]] Share share(Reg set, const Contents& codes) const;
  void act(NodeId id, Env& env);
  void act_if(NodeId id, Env& env);
  void remove(NodeId id, Env& env);
  void change(NodeId id, Env& env);
  void decide(std::uint32_t winners, std::uint32_t origin, Outcome::By by);
  void changed() {
    memo_.clear();
    run_through_.clear(); // the sets may be others now
  }
  [[nodiscard]] bool has_letters(int owner, int kind) const;

  // ---------------------------------------------------------------- players
  void lay_out();
  void player(int p);
  void end_lines(int p);
  void end_line(const EndLine& line, int p, Env& env);
  void find_pool();
  void fuse_drops();

  Program program_; // planning adds to it
  std::vector<std::optional<SlotPlan>> plans_;
  SprintCode code_;
  bool failed_ = false;
  int player_ = 0;
  std::vector<std::uint32_t> labels_;
  Memo memo_;
  std::map<Reg, Reg> run_through_; // by the register of a run: what it runs through
  std::vector<Memo> leaf_memos_;
  int next_set_ = 0, next_number_ = 0;
  int first_value_ = 0, first_number_ = 0; // constants end here
  Reg board_ = 0, none_ = 0;
  int depth_ = 0;
  // of the leaf being compiled
  std::uint32_t place_base_ = 0;
  std::map<std::uint32_t, int> cell_of_place_;
  struct Carried {
    Share share = Share::none;
    Reg flag = 0;
    int from = -1; // the cell where it was lifted, while that can still be made one operation
    std::size_t op = 0;
  };
  std::vector<Carried> carried_; // by set of the state
};

// Constants get registers while compiling; there is room for so many between the state and the values.
constexpr int kMaxConstants = 400;
// Definitions in definitions: what the C++ stack must hold.
constexpr int kMaxSprintDepth = 400;

struct Deeper {
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  int& depth_;
};

// ---------------------------------------------------------------------------------------------------- code

Reg Sprinter::value(What what, int a, int b, int c, std::int32_t x) {
  const std::array<std::int32_t, 5> key{static_cast<std::int32_t>(what), a, b, c, x};
  if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
  const Reg d = new_set();
  emit(what, d, a, b, c, x);
  memo_[key] = d;
  return d;
}

Reg Sprinter::number_value(What what, int a, int b) {
  const std::array<std::int32_t, 5> key{static_cast<std::int32_t>(what), a, b, 0, 0};
  if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
  const Reg d = new_number();
  emit(what, d, a, b);
  memo_[key] = d;
  return d;
}

Reg Sprinter::constant(const CellSet& set) {
  const auto known = std::find(code_.constants.begin(), code_.constants.end(), set);
  if (known != code_.constants.end())
    return static_cast<Reg>(code_.state_sets + (known - code_.constants.begin()));
  if (code_.constants.size() >= kMaxConstants) return fail();
  code_.constants.push_back(set);
  return static_cast<Reg>(code_.state_sets + at(static_cast<std::int64_t>(code_.constants.size())) - 1);
}

Reg Sprinter::number_constant(std::int32_t n) {
  auto& all = code_.number_constants;
  const auto known = std::find(all.begin(), all.end(), n);
  if (known != all.end()) return static_cast<Reg>(code_.state_numbers + (known - all.begin()));
  if (all.size() >= kMaxConstants) return fail();
  all.push_back(n);
  return static_cast<Reg>(code_.state_numbers + all.size() - 1);
}

void Sprinter::resolve_labels() {
  for (SprintOp& op : code_.ops) {
    if (jumps(op.what)) op.x = static_cast<std::int32_t>(labels_[at(op.x)]);
  }
}

// A jump over a `go` is the opposite jump to where that goes; a `go` to the next operation is none, and so is
// what nothing leads to.
void Sprinter::straighten(std::vector<bool>& dead) {
  std::vector<bool> target(code_.ops.size() + 1, false);
  for (const std::uint32_t l : labels_) target[l] = true;
  for (std::size_t i = 0; i + 1 < code_.ops.size(); ++i) {
    SprintOp &op = code_.ops[i], &after = code_.ops[i + 1];
    const bool over = jumps(op.what) && op.what != What::go && after.what == What::go && !target[i + 1] &&
                      labels_[at(op.x)] == i + 2;
    if (!over) continue;
    const bool odd = (static_cast<int>(op.what) - static_cast<int>(What::if_none)) % 2 != 0;
    op.what = static_cast<What>(static_cast<int>(op.what) + (odd ? -1 : 1));
    op.x = after.x;
    dead[i + 1] = true;
  }
  for (std::uint32_t& l : labels_) // a jump to a `go` goes there at once
    for (int i = 0; i < 8 && l < code_.ops.size() && code_.ops[l].what == What::go; ++i)
      l = labels_[at(code_.ops[l].x)];
  find_unreachable(dead);
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    if (dead[i] || code_.ops[i].what != What::go) continue;
    std::size_t next = i + 1;
    while (next < dead.size() && dead[next]) ++next;
    if (labels_[at(code_.ops[i].x)] > i && labels_[at(code_.ops[i].x)] <= next) dead[i] = true;
  }
}

void Sprinter::find_unreachable(std::vector<bool>& dead) const {
  std::vector<bool> met(code_.ops.size(), false);
  std::vector<std::size_t> open;
  for (const SprintPlayer& p : code_.players) {
    open.push_back(p.entry);
    for (const SprintLeaf& l : p.leaves) open.push_back(l.entry);
  }
  while (!open.empty()) {
    std::size_t i = open.back();
    open.pop_back();
    for (; i < met.size() && !met[i]; ++i) {
      met[i] = true;
      const SprintOp& op = code_.ops[i];
      if (dead[i]) continue;
      if (jumps(op.what)) open.push_back(labels_[at(op.x)]);
      if (op.what == What::go || op.what == What::pick || op.what == What::decide || op.what == What::next)
        break;
    }
  }
  for (std::size_t i = 0; i < met.size(); ++i) dead[i] = dead[i] || !met[i];
}

// Which registers an operation looks at.
struct Reads {
  bool set_d = false, set_a = false, set_b = false, set_c = false, number_a = false, number_b = false;
};

[[nodiscard]] Reads reads_of(What what) {
  using enum SprintOp::What;
  switch (what) {
  case unite:
  case meet:
  case minus:
  case up:
  case down:
  case run:
  case flood:
  case if_apart:
  case if_meet:
  case if_part:
  case if_not_part: return {.set_a = true, .set_b = true};
  case up_meet:
  case down_meet:
  case run_up:
  case run_down: return {.set_a = true, .set_b = true, .set_c = true};
  case copy:
  case SprintOp::What::jump:
  case jump_back:
  case count:
  case if_none:
  case if_some:
  case grab:
  case leaf: return {.set_a = true};
  case if_in:
  case if_out:
  case if_row:
  case if_no_row: return {.set_b = true};
  case number: return {.number_a = true};
  case add:
  case subtract:
  case multiply:
  case divide:
  case modulo:
  case least:
  case greatest:
  case if_less:
  case if_not_less:
  case if_equal:
  case if_not_equal: return {.number_a = true, .number_b = true};
  case give: return {.number_a = true};
  default: return {};
  }
}

// Operations whose result nobody reads go; what is written to the state stays.
void Sprinter::remove_dead() {
  std::vector<bool> dead(code_.ops.size(), false);
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    const What what = code_.ops[i].what;
    dead[i] = (what == What::look && !code_.uses_history) || (what == What::leaf && code_.pool);
    if (what == What::count_none && code_.pool) code_.ops[i].what = What::count_pool;
  }
  straighten(dead);
  for (bool more = true; more;) {
    more = false;
    std::vector<bool> set_read(kMaxSprintRegs, false), number_read(kMaxSprintRegs, false);
    for (std::size_t i = 0; i < code_.ops.size(); ++i) {
      if (dead[i]) continue;
      const SprintOp& op = code_.ops[i];
      const Reads r = reads_of(op.what);
      if (r.set_a) set_read[op.a] = true;
      if (r.set_b) set_read[op.b] = true;
      if (r.set_c) set_read[op.c] = true;
      if (r.number_a) number_read[op.a] = true;
      if (r.number_b) number_read[op.b] = true;
    }
    for (const SprintVerdict& v : code_.verdicts)
      for (const Reg score : v.score) number_read[score] = true;
    for (std::size_t i = 0; i < code_.ops.size(); ++i) {
      const SprintOp& op = code_.ops[i];
      const bool set = op.what <= What::bit, num = op.what >= What::count && op.what <= What::set_truth;
      const bool unread = (set && op.d >= code_.state_sets && !set_read[op.d]) ||
                          (num && op.d >= code_.state_numbers && !number_read[op.d]);
      if (!dead[i] && unread) dead[i] = more = true;
    }
  }
  std::vector<std::uint32_t> place(code_.ops.size() + 1);
  std::vector<SprintOp> kept;
  for (std::size_t i = 0; i < code_.ops.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(kept.size());
    if (!dead[i]) kept.push_back(code_.ops[i]);
  }
  place.back() = static_cast<std::uint32_t>(kept.size());
  for (std::uint32_t& l : labels_) l = place[std::min<std::size_t>(l, place.size() - 1)];
  for (SprintPlayer& p : code_.players) {
    p.entry = place[p.entry];
    for (SprintLeaf& l : p.leaves) l.entry = place[l.entry];
  }
  code_.ops = std::move(kept);
}

// ---------------------------------------------------------------------------------------------------- sets

Reg Sprinter::unite(Reg a, Reg b) {
  if (a == b || b == none_) return a;
  if (a == none_) return b;
  const CellSet *ka = known_set(a), *kb = known_set(b);
  if (ka != nullptr && kb != nullptr) return constant(*ka | *kb);
  return value(What::unite, std::min(a, b), std::max(a, b));
}

Reg Sprinter::meet(Reg a, Reg b) {
  if (a == b || b == board_) return a;
  if (a == board_) return b;
  if (a == none_ || b == none_) return none_;
  const CellSet *ka = known_set(a), *kb = known_set(b);
  if (ka != nullptr && kb != nullptr) return constant(*ka & *kb);
  // What runs through a set is part of it.
  for (const auto& [run, other] : {std::pair(a, b), std::pair(b, a)})
    if (const auto through = run_through_.find(run);
        through != run_through_.end() && through->second == other)
      return run;
  // A step that is met with something is one operation.
  if (!code_.ops.empty() && code_.ops.back().d == a &&
      memo_.count({static_cast<std::int32_t>(What::meet), std::min(a, b), std::max(a, b), 0, 0}) == 0) {
    const SprintOp last = code_.ops.back();
    if (last.what == What::up || last.what == What::down)
      return value(last.what == What::up ? What::up_meet : What::down_meet, last.a, last.b, b, last.x);
  }
  return value(What::meet, std::min(a, b), std::max(a, b));
}

Reg Sprinter::minus(Reg a, Reg b) {
  if (b == none_) return a;
  if (a == b || a == none_ || b == board_) return none_;
  const CellSet *ka = known_set(a), *kb = known_set(b);
  if (ka != nullptr && kb != nullptr) return constant(*ka - *kb);
  return value(What::minus, a, b);
}

// Cells that are numbered equally far apart go together: on a regular board that is one shift, or few.
Reg Sprinter::stepped(Reg from, int step, bool back) {
  if (from == none_) return none_;
  const auto& to = board().steps[at(step)].to;
  std::map<int, CellSet> groups; // by distance: the cells that go
  for (int cell = 0; cell < board().cells; ++cell) {
    const int other = to[at(cell)];
    if (other != kNowhere) groups[back ? cell - other : other - cell].set(back ? other : cell);
  }
  constexpr std::size_t kMostShifts = 3;
  if (groups.size() > kMostShifts) return value(back ? What::jump_back : What::jump, from, 0, 0, step);
  Reg result = none_;
  for (const auto& [by, cells] : groups)
    result =
        unite(result, value(by < 0 ? What::down : What::up, from, constant(cells), 0, by < 0 ? -by : by));
  return result;
}

Reg Sprinter::stepped(Reg from, const StepSet& steps, bool back) {
  Reg result = none_;
  steps.each([&](int s) { result = unite(result, stepped(from, s, back)); });
  return result;
}

// Straight on from every cell, as long as the cells are in the set.
Reg Sprinter::ran(Reg from, int step, Reg through) {
  if (from == none_ || through == none_) return none_;
  const auto& to = board().steps[at(step)].to;
  CellSet arrivals;
  int by = 0;
  bool even = true;
  for (int cell = 0; cell < board().cells; ++cell) {
    if (to[at(cell)] == kNowhere) continue;
    const int distance = to[at(cell)] - cell;
    even = even && (by == 0 || by == distance);
    by = distance;
    arrivals.set(to[at(cell)]);
  }
  if (by == 0) return none_;
  if (!even) return value(What::run, from, through, 0, step);
  const Reg d =
      value(by < 0 ? What::run_down : What::run_up, from, through, constant(arrivals), by < 0 ? -by : by);
  const int longest = longest_run(step);
  std::uint8_t rounds = 0;
  while (1 << rounds < longest) ++rounds;
  if (!failed_ && code_.ops.back().d == d) code_.ops.back().rounds = rounds;
  run_through_[d] = through;
  return d;
}

// Cells that one can go on by a step at the most.
int Sprinter::longest_run(int step) const {
  const auto& to = board().steps[at(step)].to;
  int longest = 0;
  for (int cell = 0; cell < board().cells; ++cell) {
    int length = 0;
    for (int c = to[at(cell)]; c != kNowhere && length < board().cells; c = to[at(c)]) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

Reg Sprinter::flooded(Reg from, const StepSet& steps, Reg through) {
  std::vector<int> all;
  steps.each([&](int s) { all.push_back(s); });
  const Reg d = new_set();
  emit(What::flood, d, from, through, 0, static_cast<std::int32_t>(code_.floods.size()));
  code_.floods.push_back(std::move(all));
  return d;
}

Reg Sprinter::kind_cells(int kind) {
  if (kind < 0 || kind >= static_cast<int>(program_.kinds.size())) return none_;
  return code_.kinds == 0 ? occupied() : static_cast<Reg>(code_.owners + kind);
}

Reg Sprinter::owned(const Node& n) {
  switch (static_cast<Owners>(n.a)) {
  case Owners::any: return occupied();
  case Owners::exactly: return static_cast<Reg>(n.b);
  case Owners::neutral: return code_.owners > players() ? static_cast<Reg>(players()) : none_;
  case Owners::others: {
    Reg all = none_;
    for (int p = 0; p < players(); ++p)
      if (p != n.b) all = unite(all, static_cast<Reg>(p));
    return all;
  }
  }
  return fail();
}

Reg Sprinter::materialised(const Value& v) {
  switch (v.kind) {
  case Value::Kind::cells: return v.reg;
  case Value::Kind::cell: return value(What::bit, v.reg);
  case Value::Kind::runs:
  case Value::Kind::row: {
    const Reg first = value(What::bit, v.reg);
    Reg all = v.kind == Value::Kind::row ? first : none_;
    v.steps.each([&](int s) { all = unite(all, ran(first, s, v.through)); });
    return all;
  }
  default: return fail();
  }
}

bool Sprinter::bind(std::int32_t slot, NodeId id, Env& env) {
  Value v;
  switch (node(id).type) {
  case Type::cells: v = cells(id, env); break;
  case Type::directions:
    v.kind = Value::Kind::directions;
    if (const auto steps = directions(id, env))
      v.steps = *steps;
    else
      v.kind = Value::Kind::unknown;
    break;
  case Type::number:
    v.kind = Value::Kind::number;
    v.reg = number(id, env);
    break;
  case Type::truth:
    v.kind = Value::Kind::number;
    v.reg = truth_number(id, env);
    break;
  default: break;
  }
  env.slots[slot] = v;
  return !failed_;
}

// A `let` of an action: its value must outlast changes of the state.
void Sprinter::let(NodeId id, Env& env) {
  const std::int32_t slot = node(id).a;
  if (!bind(slot, kid(id, 0), env)) return;
  Value& v = env.slots[slot];
  using enum Value::Kind;
  if (v.kind == runs || v.kind == row || v.kind == Value::Kind::cells) {
    v.reg = materialised(v);
    v.kind = Value::Kind::cells;
    if (v.reg >= code_.state_sets) return;
    const Reg kept = new_set();
    emit(What::copy, kept, v.reg);
    v.reg = kept;
  } else if (v.kind == Value::Kind::number && v.reg < code_.state_numbers) {
    const Reg kept = new_number();
    emit(What::number, kept, v.reg);
    v.reg = kept;
  }
}

Value Sprinter::cells(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  Value v;
  v.kind = Value::Kind::cells;
  if (failed_) return v;
  const Node n = node(id);
  const auto cell = [&](int reg) {
    v.kind = reg < 0 ? Value::Kind::unknown : Value::Kind::cell;
    v.reg = static_cast<Reg>(std::max(reg, 0));
    return v;
  };
  switch (n.op) {
  case Op::cells: v.reg = constant(program_.cell_sets[at(n.a)]); return v;
  case Op::empty: v.reg = code_.empty; return v;
  case Op::owned: v.reg = owned(n); return v;
  case Op::kind_cells:
    v.reg = node(kid(id, 0)).op == Op::kind ? kind_cells(node(kid(id, 0)).a) : fail();
    return v;
  case Op::here: return cell(env.here);
  case Op::start: return cell(env.start);
  case Op::variable:
    v.reg = code_.set_of[at(n.a)] < 0 ? fail() : static_cast<Reg>(code_.set_of[at(n.a)]);
    return v;
  case Op::complement: v.reg = minus(board_, set(kid(id, 0), env)); return v;
  case Op::meet: {
    const Reg a = set(kid(id, 0), env);
    v.reg = meet(a, set(kid(id, 1), env));
    return v;
  }
  case Op::minus: {
    const Reg a = set(kid(id, 0), env);
    v.reg = minus(a, set(kid(id, 1), env));
    return v;
  }
  case Op::unite: {
    const Value a = cells(kid(id, 0), env), b = cells(kid(id, 1), env);
    if (a.kind == Value::Kind::cell && b.kind == Value::Kind::runs && a.reg == b.reg) {
      v = b;
      v.kind = Value::Kind::row;
      return v;
    }
    const Reg first = materialised(a);
    v.reg = unite(first, materialised(b));
    return v;
  }
  case Op::local: {
    const auto known = env.slots.find(n.a);
    if (known != env.slots.end()) return known->second;
    fail();
    return v;
  }
  case Op::let_value:
    if (!bind(n.a, kid(id, 0), env)) return v;
    return cells(kid(id, 1), env);
  case Op::before: {
    const auto known = env.before.find(id);
    if (known != env.before.end()) return known->second;
    fail();
    return v;
  }
  case Op::if_value: return if_cells(id, env);
  case Op::reach: return reach(id, env);
  default: fail(); return v;
  }
}

Value Sprinter::if_cells(NodeId id, Env& env) {
  const Reg d = new_set();
  const Label other = label(), done = label();
  const Memo before = memo_;
  jump(kid(id, 0), false, other, env);
  emit(What::copy, d, set(kid(id, 1), env));
  emit(What::go, 0, 0, 0, 0, done);
  memo_ = before;
  place_label(other);
  emit(What::copy, d, set(kid(id, 2), env));
  place_label(done);
  memo_ = before;
  Value v;
  v.kind = Value::Kind::cells;
  v.reg = d;
  return v;
}

std::optional<StepSet> Sprinter::opposite(const StepSet& steps) const {
  StepSet result;
  bool good = true;
  steps.each([&](int s) {
    const Step& step = board().steps[at(s)];
    const int back = step.track >= 0 ? -1 : board().step_by(-step.dx, -step.dy);
    good = good && back >= 0;
    if (back >= 0) result.set(back);
  });
  if (!good) return std::nullopt;
  return result;
}

std::optional<StepSet> Sprinter::directions(NodeId id, Env& env) {
  const Node n = node(id);
  const auto two = [&](auto&& join) -> std::optional<StepSet> {
    const auto a = directions(kid(id, 0), env), b = directions(kid(id, 1), env);
    if (!a || !b) return std::nullopt;
    return join(*a, *b);
  };
  switch (n.op) {
  case Op::directions: return program_.step_sets[at(n.a)];
  case Op::unite: return two([](StepSet a, const StepSet& b) { return a |= b; });
  case Op::meet: return two([](StepSet a, const StepSet& b) { return a &= b; });
  case Op::minus: return two([](StepSet a, const StepSet& b) { return a -= b; });
  case Op::heading: return env.heading < 0 ? std::nullopt : std::optional(StepSet::of(env.heading));
  case Op::opposite: {
    const auto steps = directions(kid(id, 0), env);
    return steps ? opposite(*steps) : std::nullopt;
  }
  case Op::local: {
    const auto known = env.slots.find(n.a);
    if (known == env.slots.end() || known->second.kind != Value::Kind::directions) return std::nullopt;
    return known->second.steps;
  }
  case Op::let_value:
    if (!bind(n.a, kid(id, 0), env)) return std::nullopt;
    return directions(kid(id, 1), env);
  default: return std::nullopt;
  }
}

// ---------------------------------------------------------------------------------------------------- walks

Value Sprinter::reach(NodeId id, Env& env) {
  const Value from = cells(kid(id, 0), env);
  Env inside = env;
  inside.here = inside.start = inside.heading = -1;
  if (from.kind == Value::Kind::cell)
    if (const auto straight = runs(kid(id, 1), from.reg, inside)) return *straight;
  Value v;
  v.kind = Value::Kind::cells;
  v.reg = walked(kid(id, 1), materialised(from), inside);
  return v;
}

// `go d` and tests, as (go D, at S): what a repetition over sets can be made of.
std::optional<Sprinter::Round> Sprinter::round(NodeId body, Env& env) {
  const Node n = node(body);
  Round r;
  NodeId go = body;
  if (n.op == Op::sequence) {
    if (n.count != 2 || node(kid(body, 1)).op != Op::at) return std::nullopt;
    go = kid(body, 0);
    r.through = kid(kid(body, 1), 0);
  }
  if (node(go).op != Op::go) return std::nullopt;
  const auto steps = directions(kid(go, 0), env);
  if (!steps) return std::nullopt;
  r.steps = *steps;
  return r;
}

// choose d in D, (go d, at S)+ with the same S for all d, from one cell.
std::optional<Value> Sprinter::runs(NodeId walk, Reg cell, Env& env) {
  NodeId loop = walk;
  std::optional<StepSet> steps;
  std::int32_t slot = -1;
  if (node(walk).op == Op::sequence && node(walk).count == 2 && node(kid(walk, 0)).op == Op::choose) {
    const NodeId choose = kid(walk, 0);
    steps = directions(kid(choose, 0), env);
    slot = node(choose).a;
    loop = kid(walk, 1);
    if (!steps) return std::nullopt;
    Value any;
    any.kind = Value::Kind::directions;
    any.steps = *steps;
    env.slots[slot] = any;
  }
  const Node n = node(loop);
  if (n.op != Op::repeat || n.a != kUnbounded) return std::nullopt;
  const Node low = node(kid(loop, 1));
  if (low.op != Op::number || low.a != 1) return std::nullopt;
  const auto body = round(kid(loop, 0), env);
  if (!body || body->through == kNoNode || (!steps && body->steps.count() != 1)) return std::nullopt;
  const NodeId through = body->through;
  const Op op = node(through).op; // it mustn't depend on the direction
  if (op != Op::local && op != Op::owned && op != Op::empty && op != Op::cells) return std::nullopt;
  Value v;
  v.kind = Value::Kind::runs;
  v.reg = cell;
  v.steps = body->steps;
  v.through = set(through, env);
  return v;
}

Reg Sprinter::walked(NodeId id, Reg from, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return 0;
  const Node n = node(id);
  switch (n.op) {
  case Op::go: {
    const auto steps = directions(kid(id, 0), env);
    return steps ? stepped(from, *steps, false) : fail();
  }
  case Op::at: return meet(from, set(kid(id, 0), env));
  case Op::never: return none_;
  case Op::sequence: return walked_sequence(n, 0, from, env);
  case Op::alternatives: {
    Reg all = none_;
    for (std::uint32_t i = 0; i < n.count; ++i) all = unite(all, walked(program_.kid(n, i), from, env));
    return all;
  }
  case Op::repeat: return walked_loop(id, from, env);
  default: return fail();
  }
}

Reg Sprinter::walked_sequence(const Node& n, std::uint32_t i, Reg from, Env& env) {
  for (; i < n.count; ++i) {
    const NodeId part = program_.kid(n, i);
    if (node(part).op == Op::let) {
      if (!bind(node(part).a, kid(part, 0), env)) return fail();
    } else if (node(part).op == Op::choose) {
      const auto steps = directions(kid(part, 0), env);
      if (!steps) return fail();
      Reg all = none_;
      steps->each([&](int s) {
        Value one;
        one.kind = Value::Kind::directions;
        one.steps = StepSet::of(s);
        env.slots[node(part).a] = one;
        all = unite(all, walked_sequence(n, i + 1, from, env));
      });
      return all;
    } else {
      from = walked(part, from, env);
    }
  }
  return from;
}

Reg Sprinter::walked_loop(NodeId id, Reg from, Env& env) {
  const Node n = node(id);
  const Node low = node(kid(id, 1));
  if (low.op != Op::number || (n.a & (kMaximal | kUntil)) != 0) return fail();
  if ((n.a & kUnbounded) == 0) {
    constexpr std::int32_t kMostRounds = 16; // these are written out
    const Node high = node(kid(id, 2));
    if (high.op != Op::number || high.a > kMostRounds) return fail();
    Reg all = low.a <= 0 ? from : none_;
    for (std::int32_t i = 1; i <= high.a; ++i) {
      from = walked(kid(id, 0), from, env);
      if (i >= low.a) all = unite(all, from);
    }
    return all;
  }
  const auto body = round(kid(id, 0), env);
  if (!body || low.a > 1) return fail();
  const Reg through = body->through == kNoNode ? board_ : set(body->through, env);
  if (body->steps.count() == 1) {
    const Reg onward = ran(from, body->steps.first(), through);
    return low.a <= 0 ? unite(from, onward) : onward;
  }
  if (low.a <= 0) return flooded(from, body->steps, through);
  return flooded(meet(stepped(from, body->steps, false), through), body->steps, through);
}

Reg Sprinter::walked_back(NodeId id, Reg ends, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return 0;
  const Node n = node(id);
  switch (n.op) {
  case Op::go: {
    const auto steps = directions(kid(id, 0), env);
    return steps ? stepped(ends, *steps, true) : fail();
  }
  case Op::at: return meet(ends, set(kid(id, 0), env));
  case Op::never: return none_;
  case Op::sequence: return back_sequence(n, 0, ends, env);
  case Op::alternatives: {
    Reg all = none_;
    for (std::uint32_t i = 0; i < n.count; ++i) all = unite(all, walked_back(program_.kid(n, i), ends, env));
    return all;
  }
  case Op::repeat: return back_loop(id, ends, env);
  default: return fail();
  }
}

Reg Sprinter::back_sequence(const Node& n, std::uint32_t i, Reg ends, Env& env) {
  if (i == n.count) return ends;
  const NodeId part = program_.kid(n, i);
  if (node(part).op == Op::let) {
    if (!bind(node(part).a, kid(part, 0), env)) return fail();
    return back_sequence(n, i + 1, ends, env);
  }
  if (node(part).op == Op::choose) {
    const auto steps = directions(kid(part, 0), env);
    if (!steps) return fail();
    Reg all = none_;
    steps->each([&](int s) {
      Value one;
      one.kind = Value::Kind::directions;
      one.steps = StepSet::of(s);
      env.slots[node(part).a] = one;
      all = unite(all, back_sequence(n, i + 1, ends, env));
    });
    return all;
  }
  return walked_back(part, back_sequence(n, i + 1, ends, env), env);
}

// One round more often: that a first round ends in the set, or where further rounds do.
Reg Sprinter::back_loop(NodeId id, Reg ends, Env& env) {
  const Node n = node(id);
  const Node low = node(kid(id, 1));
  if (low.op != Op::number || low.a > 1 || n.a != kUnbounded) return fail();
  const auto body = round(kid(id, 0), env);
  if (!body) return fail();
  const Reg through = body->through == kNoNode ? board_ : set(body->through, env);
  // From anywhere is anywhere: the rounds after the first add nothing.
  if (ends != board_) return fail();
  const Reg back = stepped(through, body->steps, true);
  return low.a <= 0 ? board_ : back;
}

// ----------------------------------------------------------------------------------------------------
// numbers

Reg Sprinter::number(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return 0;
  const Node n = node(id);
  const auto fold = [&](What what) {
    Reg all = number(kid(id, 0), env);
    for (std::uint32_t i = 1; i < n.count; ++i) all = number_value(what, all, number(kid(id, i), env));
    return all;
  };
  switch (n.op) {
  case Op::number:
  case Op::truth: return number_constant(n.a);
  case Op::variable:
    return program_.variables[at(n.a)].type == Type::number || program_.variables[at(n.a)].type == Type::truth
               ? static_cast<Reg>(n.a)
               : fail();
  case Op::ply: return code_.ply;
  case Op::turns: return static_cast<Reg>(code_.turns + n.a);
  case Op::repeats: code_.uses_history = true; return number_value(What::repeats, 0);
  case Op::count: {
    if (node(kid(id, 0)).type != Type::cells) return fail();
    return number_value(What::count, set(kid(id, 0), env));
  }
  case Op::add: return fold(What::add);
  case Op::subtract: return fold(What::subtract);
  case Op::multiply: return fold(What::multiply);
  case Op::divide: return fold(What::divide);
  case Op::modulo: return fold(What::modulo);
  case Op::least: return fold(What::least);
  case Op::greatest: return fold(What::greatest);
  case Op::negate: return number_value(What::subtract, number_constant(0), number(kid(id, 0), env));
  case Op::local: {
    const auto known = env.slots.find(n.a);
    return known != env.slots.end() && known->second.kind == Value::Kind::number ? known->second.reg : fail();
  }
  case Op::let_value:
    if (!bind(n.a, kid(id, 0), env)) return 0;
    return number(kid(id, 1), env);
  case Op::before: {
    const auto known = env.before.find(id);
    return known != env.before.end() && known->second.kind == Value::Kind::number ? known->second.reg
                                                                                  : fail();
  }
  case Op::if_value: return if_number(id, env);
  default: return fail();
  }
}

Reg Sprinter::if_number(NodeId id, Env& env) {
  const Reg d = new_number();
  const Label other = label(), done = label();
  const Memo before = memo_;
  jump(kid(id, 0), false, other, env);
  emit(What::number, d, number(kid(id, 1), env));
  emit(What::go, 0, 0, 0, 0, done);
  memo_ = before;
  place_label(other);
  emit(What::number, d, number(kid(id, 2), env));
  place_label(done);
  memo_ = before;
  return d;
}

Reg Sprinter::truth_number(NodeId id, Env& env) {
  const Reg d = new_number();
  const Label done = label();
  const Memo before = memo_;
  emit(What::set_truth, d, 0, 0, 0, 0);
  jump(id, false, done, env);
  emit(What::set_truth, d, 0, 0, 0, 1);
  place_label(done);
  memo_ = before;
  return d;
}

// ---------------------------------------------------------------------------------------------------- truths

void Sprinter::jump(NodeId id, bool when, Label to, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return;
  const Node n = node(id);
  switch (n.op) {
  case Op::truth:
    if ((n.a != 0) == when) emit(What::go, 0, 0, 0, 0, to);
    return;
  case Op::negation: return jump(kid(id, 0), !when, to, env);
  case Op::all_of: return jump_any(n, false, when, to, env);
  case Op::any_of: return jump_any(n, true, when, to, env);
  case Op::less:
  case Op::at_most: return jump_compare(n, when, to, env);
  case Op::equal: return jump_equal(n, when, to, env);
  case Op::within: return jump_within(n, when, to, env);
  case Op::some: return jump_some(kid(id, 0), when, to, env);
  case Op::some_where: return jump_some_where(n, when, to, env);
  case Op::no_move:
    if (n.a != player_) {
      fail();
      return;
    }
    emit(when ? What::if_stuck : What::if_free, 0, 0, 0, 0, to);
    return;
  case Op::can: return jump_can(kid(id, 0), when, to, env);
  case Op::variable:
  case Op::local:
    return jump_numbers(What::if_not_equal, What::if_equal, number(id, env), number_constant(0), when, to);
  case Op::let_value:
    if (bind(n.a, kid(id, 0), env)) jump(kid(id, 1), when, to, env);
    return;
  case Op::if_value: {
    const Label other = label(), done = label();
    const Memo before = memo_;
    jump(kid(id, 0), false, other, env);
    jump(kid(id, 1), when, to, env);
    emit(What::go, 0, 0, 0, 0, done);
    memo_ = before;
    place_label(other);
    jump(kid(id, 2), when, to, env);
    place_label(done);
    memo_ = before;
    return;
  }
  default: fail();
  }
}

// What comes after the first is only reached if that didn't settle it.
void Sprinter::jump_any(const Node& n, bool any, bool when, Label to, Env& env) {
  const Label past = label();
  std::optional<Memo> before;
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const bool last = i + 1 == n.count;
    if (last)
      jump(program_.kid(n, i), when, to, env);
    else if (any == when)
      jump(program_.kid(n, i), when, to, env);
    else
      jump(program_.kid(n, i), any, past, env);
    if (i == 0) before = memo_;
  }
  if (n.count == 0 && any != when) emit(What::go, 0, 0, 0, 0, to);
  if (before) memo_ = *before;
  place_label(past);
}

void Sprinter::jump_some(NodeId id, bool when, Label to, Env& env) {
  if (node(id).type == Type::directions) {
    const auto steps = directions(id, env);
    if (!steps) fail();
    if (steps && steps->any() == when) emit(What::go, 0, 0, 0, 0, to);
    return;
  }
  if (node(id).type != Type::cells) {
    fail();
    return;
  }
  if (node(id).op == Op::meet) {
    const Reg a = set(kid(id, 0), env), b = set(kid(id, 1), env);
    emit(when ? What::if_meet : What::if_apart, 0, a, b, 0, to);
    return;
  }
  emit(when ? What::if_some : What::if_none, 0, set(id, env), 0, 0, to);
}

// Over directions that are known, once for each of them.
void Sprinter::jump_some_where(const Node& n, bool when, Label to, Env& env) {
  if (node(program_.kid(n, 0)).type != Type::directions) {
    fail();
    return;
  }
  const auto steps = directions(program_.kid(n, 0), env);
  if (!steps) {
    fail();
    return;
  }
  const Label past = label();
  const Memo before = memo_;
  steps->each([&](int s) {
    Value one;
    one.kind = Value::Kind::directions;
    one.steps = StepSet::of(s);
    env.slots[n.a] = one;
    jump(program_.kid(n, 1), true, when ? to : past, env);
  });
  memo_ = before;
  if (!when) emit(What::go, 0, 0, 0, 0, to);
  place_label(past);
}

// n <= count(c with the cells of S in line along d): several of them at once, if they follow each other.
bool Sprinter::jump_row(const Node& n, bool when, Label to, Env& env) {
  const Node wanted = node(program_.kid(n, 0)), counted = node(program_.kid(n, 1));
  if (wanted.op != Op::number || counted.op != Op::count || !when) return false;
  if (node(program_.kid(counted, 0)).type != Type::cells) return false;
  const Value v = cells(program_.kid(counted, 0), env);
  const auto back = opposite(v.steps);
  if (v.kind != Value::Kind::row || v.steps.count() != 2 || !back || !(*back == v.steps)) return false;
  const int length = wanted.a + (n.op == Op::less ? 1 : 0);
  if (length < 2) return false;
  if (!code_.ops.empty()) {
    SprintOp& last = code_.ops.back();
    const bool same = last.what == What::if_row && last.a == v.reg && last.b == v.through && last.x == to &&
                      code_.rows[last.c].length == length;
    if (same) {
      code_.rows[last.c].steps.push_back(v.steps.first());
      return true;
    }
  }
  emit(What::if_row, 0, v.reg, v.through, static_cast<int>(code_.rows.size()), to);
  code_.rows.push_back({{v.steps.first()}, length});
  return true;
}

void Sprinter::jump_compare(const Node& n, bool when, Label to, Env& env) {
  if (jump_row(n, when, to, env)) return;
  const Reg a = number(program_.kid(n, 0), env), b = number(program_.kid(n, 1), env);
  if (n.op == Op::less) return jump_numbers(What::if_less, What::if_not_less, a, b, when, to);
  jump_numbers(What::if_not_less, What::if_less, b, a, when, to); // a <= b: not b < a
}

void Sprinter::jump_within(const Node& n, bool when, Label to, Env& env) {
  if (node(program_.kid(n, 0)).type != Type::cells) {
    fail();
    return;
  }
  const Value a = cells(program_.kid(n, 0), env);
  const Reg b = set(program_.kid(n, 1), env);
  if (a.kind == Value::Kind::cell)
    emit(when ? What::if_in : What::if_out, 0, a.reg, b, 0, to);
  else
    emit(when ? What::if_part : What::if_not_part, 0, materialised(a), b, 0, to);
}

void Sprinter::jump_equal(const Node& n, bool when, Label to, Env& env) {
  const NodeId first = program_.kid(n, 0), second = program_.kid(n, 1);
  switch (node(first).type) {
  case Type::number: {
    const Reg a = number(first, env), b = number(second, env);
    return jump_numbers(What::if_equal, What::if_not_equal, a, b, when, to);
  }
  case Type::cells: { // equal: neither has a member of its own
    const Reg a = set(first, env), b = set(second, env);
    const Reg differ = unite(minus(a, b), minus(b, a));
    emit(when ? What::if_none : What::if_some, 0, differ, 0, 0, to);
    return;
  }
  default: fail();
  }
}

void Sprinter::jump_can(NodeId action, bool when, Label to, Env& env) {
  if (!env.before.empty() || env.here >= 0) {
    fail();
    return;
  }
  const auto plan = plan_probe(program_, action);
  if (!plan) {
    fail();
    return;
  }
  const Label found = label(), past = label();
  const Memo before = memo_;
  count_ops(*plan, 0, static_cast<std::uint32_t>(plan->ops.size()), none_, true, when ? to : found);
  if (!when) emit(What::go, 0, 0, 0, 0, to);
  place_label(found);
  place_label(past);
  memo_ = before;
}

// ----------------------------------------------------------------------------------------------------
// counting

Reg Sprinter::after_op(const SlotOp& op, Reg from, Label skip, bool& guarded) {
  Env env;
  switch (op.what) {
  case SlotOp::What::begin: return set(op.node, env);
  case SlotOp::What::step: return stepped(from, op.step, false);
  case SlotOp::What::keep: return meet(from, set(op.node, env));
  case SlotOp::What::able: return meet(from, walked_back(kid(op.node, 1), board_, env));
  case SlotOp::What::guard:
    jump(op.node, false, skip, env);
    guarded = true;
    return from;
  case SlotOp::What::leaf: break;
  }
  return from;
}

void Sprinter::count_ops(const SlotPlan& plan, std::uint32_t begin, std::uint32_t end, Reg from, bool probe,
                         Label found) {
  for (std::uint32_t i = begin; i < end && !failed_; i = std::max(plan.ops[i].skip, i + 1)) {
    const SlotOp& op = plan.ops[i];
    if (op.what == SlotOp::What::leaf) {
      if (probe) {
        emit(What::if_some, 0, from, 0, 0, found);
      } else {
        emit(What::leaf, 0, from, 0, 0, static_cast<std::int32_t>(op.leaf));
        if (leaf_memos_.size() <= op.leaf) leaf_memos_.resize(op.leaf + 1);
        leaf_memos_[op.leaf] = memo_;
      }
      continue;
    }
    const Label skip = label();
    bool guarded = false;
    const Memo before = memo_;
    const Reg now = after_op(op, from, skip, guarded);
    const Memo inside = memo_;
    const bool skips = op.skip - i > kWorthSkipping && known_set(now) == nullptr;
    if (skips) emit(What::if_none, 0, now, 0, 0, skip);
    count_ops(plan, i + 1, op.skip, now, probe, found);
    place_label(skip);
    if (guarded)
      memo_ = before;
    else if (skips)
      memo_ = inside;
  }
}

// ---------------------------------------------------------------------------------------------------- moves

int Sprinter::cell_at(std::uint32_t place) {
  const auto known = cell_of_place_.find(place);
  if (known != cell_of_place_.end()) return known->second;
  const int reg = static_cast<int>(cell_of_place_.size());
  cell_of_place_[place] = reg;
  code_.cells = std::max<Reg>(code_.cells, static_cast<Reg>(reg + 1));
  emit(What::place, reg, 0, 0, 0, static_cast<std::int32_t>(place_base_ + place));
  return reg;
}

void Sprinter::leaf(const SlotPlan& plan, std::size_t index, SprintLeaf& into) {
  const SlotLeaf& l = plan.leaves[index];
  into.origin = l.origin;
  into.entry = here();
  memo_ = index < leaf_memos_.size() ? leaf_memos_[index] : Memo();
  // Numbers that were counted lie ready too, cells don't.
  std::erase_if(memo_,
                [](const auto& entry) { return entry.first[0] == static_cast<std::int32_t>(What::bit); });
  cell_of_place_ = {{0, 0}};
  code_.cells = std::max<Reg>(code_.cells, 1);
  carried_.assign(code_.state_sets, {});
  Env env;
  for (const SlotItem& i : l.items)
    if (!failed_) find_before(i.action, env);
  for (const SlotItem& i : l.items)
    if (!failed_) item(i, env);
  emit(What::next);
}

void Sprinter::find_before(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_ || id == kNoNode) return;
  const Node n = node(id);
  if (n.op == Op::before) {
    Env fresh;
    Value v;
    if (n.type == Type::cells) {
      v.kind = Value::Kind::cells;
      v.reg = set(kid(id, 0), fresh);
      if (v.reg < code_.state_sets) { // it will change
        const Reg kept = new_set();
        emit(What::copy, kept, v.reg);
        v.reg = kept;
      }
    } else if (n.type == Type::number) {
      v.kind = Value::Kind::number;
      v.reg = new_number();
      emit(What::number, v.reg, number(kid(id, 0), fresh)); // it may change
    } else {
      fail();
    }
    env.before[id] = v;
    return;
  }
  for (std::uint32_t i = 0; i < n.count; ++i) find_before(program_.kid(n, i), env);
}

void Sprinter::item(const SlotItem& i, Env& env) {
  const Node n = node(i.action);
  switch (n.op) {
  case Op::from: env.here = env.start = cell_at(i.place); return;
  case Op::to: env.here = cell_at(i.place); return;
  case Op::go: {
    env.here = cell_at(i.place);
    env.heading = program_.step_sets[at(node(kid(i.action, 0)).a)].first();
    return;
  }
  case Op::lift: return lift(cell_at(i.place), i.before);
  case Op::put: return put(cell_at(i.place), i.before);
  case Op::drop: return drop(n, cell_at(i.place), i.before);
  case Op::remove:
    if (i.before.any()) return clear(cell_at(i.place), i.before);
    return act(i.action, env);
  case Op::pass: return;
  default: return act(i.action, env);
  }
}

// Are pieces of these codes members of a set of the state: all, some or none of them?
Sprinter::Share Sprinter::share(Reg set, const Contents& codes) const {
  const int kinds = static_cast<int>(program_.kinds.size());
  bool any = false, all = true;
  for (std::size_t code = 0; code < codes.size(); ++code) {
    if (!codes.test(code)) continue;
    const int owner = (static_cast<int>(code) - 1) / kinds - 1, kind = (static_cast<int>(code) - 1) % kinds;
    bool in = false;
    if (set == code_.empty)
      in = code == 0;
    else if (code != 0 && set < code_.owners)
      in = owner == (set == players() ? -1 : static_cast<int>(set));
    else if (code != 0)
      in = kind == set - code_.owners;
    any = any || in;
    all = all && in;
  }
  return !any ? Share::none : all ? Share::all : Share::some;
}

// Its sets lose the cell and remember that it was theirs.
void Sprinter::lift(int cell, const Contents& there) {
  for (Reg s = 0; s <= code_.empty; ++s) {
    Carried& c = carried_[s];
    c = {};
    if (s == code_.empty) {
      c.from = cell;
      c.op = emit(What::set_bit, s, cell);
      continue;
    }
    c.share = share(s, there);
    if (c.share == Share::some) {
      c.flag = new_number();
      emit(What::grab, c.flag, s, cell);
    } else if (c.share == Share::all) {
      c.from = cell;
      c.op = emit(What::clear_bit, s, cell);
    }
  }
  changed();
}

void Sprinter::put(int cell, const Contents& there) {
  for (Reg s = 0; s <= code_.empty; ++s) {
    const Carried& c = carried_[s];
    const Share had = share(s, there);
    if (s == code_.empty) {
      if (had == Share::all && carry(s, cell)) continue;
      if (had != Share::none) emit(What::clear_bit, s, cell);
    } else if (c.share == Share::some) {
      emit(What::give, s, c.flag, cell);
    } else if (c.share == Share::all) {
      if (had == Share::none && carry(s, cell)) continue;
      if (had != Share::all) emit(What::set_bit, s, cell);
    } else if (had != Share::none) {
      emit(What::clear_bit, s, cell);
    }
  }
  changed();
}

// Makes one operation of two, if nothing that has come between looks at the set.
bool Sprinter::carry(Reg s, int cell) {
  Carried& c = carried_[s];
  if (c.from < 0 || c.from == cell) return false;
  for (std::size_t i = c.op + 1; i < code_.ops.size(); ++i) {
    const SprintOp& op = code_.ops[i];
    const bool bits = op.what == What::set_bit || op.what == What::clear_bit || op.what == What::carry;
    if (op.what != What::place && !(bits && op.d != s)) return false;
  }
  code_.ops[c.op] = SprintOp{What::copy, 0, new_set(), none_, 0, 0, 0}; // nobody reads it
  emit(What::carry, s, c.from, cell);
  c.from = -1;
  return true;
}

// A piece that is known comes to a cell.
void Sprinter::fill(int cell, const Contents& there, const Contents& with) {
  for (Reg s = 0; s <= code_.empty; ++s) {
    const Share had = share(s, there), has = share(s, with);
    if (has == Share::all) {
      if (had != Share::all) emit(What::set_bit, s, cell);
    } else if (had != Share::none) {
      emit(What::clear_bit, s, cell);
    }
  }
  changed();
}

void Sprinter::drop(const Node& n, int cell, const Contents& there) {
  const int kind = node(program_.kid(n, 1)).a;
  if (!has_letters(n.a, kind)) {
    fail();
    return;
  }
  Contents with;
  with.set(at(1 + (n.a + 1) * static_cast<std::int64_t>(program_.kinds.size()) + kind));
  fill(cell, there, with);
}

void Sprinter::clear(int cell, const Contents& there) { fill(cell, there, Contents(1)); }

bool Sprinter::has_letters(int owner, int kind) const {
  const auto& letters = program_.kinds[at(kind)].letter;
  return letters[at(owner < 0 ? players() : owner)] != 0;
}

void Sprinter::decide(std::uint32_t winners, std::uint32_t origin, Outcome::By by) {
  SprintVerdict v;
  v.winners = winners;
  v.origin = origin;
  v.by = by;
  emit(What::decide, 0, 0, 0, 0, static_cast<std::int32_t>(code_.verdicts.size()));
  code_.verdicts.push_back(std::move(v));
}

void Sprinter::act(NodeId id, Env& env) {
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth) fail();
  if (failed_) return;
  const Node n = node(id);
  switch (n.op) {
  case Op::sequence:
    for (std::uint32_t i = 0; i < n.count; ++i) act(program_.kid(n, i), env);
    return;
  case Op::quietly: return act(kid(id, 0), env);
  case Op::say: return;
  case Op::if_action: return act_if(id, env);
  case Op::let: return let(id, env);
  case Op::remove: return remove(id, env);
  case Op::change: return change(id, env);
  case Op::set_variable: {
    const Type type = program_.variables[at(n.a)].type;
    if (type == Type::number)
      emit(What::number, n.a, number(kid(id, 0), env));
    else if (type == Type::truth)
      emit(What::number, n.a, truth_number(kid(id, 0), env));
    else if (code_.set_of[at(n.a)] >= 0)
      emit(What::copy, code_.set_of[at(n.a)], set(kid(id, 0), env));
    else
      fail();
    return changed();
  }
  case Op::win: return decide(std::uint32_t{1} << n.a, n.origin, Outcome::By::move);
  case Op::draw: return decide(0, n.origin, Outcome::By::move);
  case Op::lose:
    if (players() != 2) {
      fail();
      return;
    }
    return decide(std::uint32_t{1} << (1 - n.a), n.origin, Outcome::By::move);
  case Op::again: emit(What::again); return;
  default: fail();
  }
}

void Sprinter::act_if(NodeId id, Env& env) {
  const Label other = label(), done = label();
  const bool has_else = node(id).count > 2 && kid(id, 2) != kNoNode;
  jump(kid(id, 0), false, other, env);
  const Memo before = memo_;
  Env inside = env;
  act(kid(id, 1), inside);
  if (has_else) emit(What::go, 0, 0, 0, 0, done);
  place_label(other);
  if (has_else) {
    memo_ = before;
    Env outside = env;
    act(kid(id, 2), outside);
  }
  place_label(done);
  changed(); // perhaps
}

void Sprinter::remove(NodeId id, Env& env) {
  const Reg gone = set(kid(id, 0), env);
  for (Reg s = 0; s < code_.empty; ++s) emit(What::minus, s, s, gone);
  emit(What::unite, code_.empty, code_.empty, gone);
  changed();
}

// The top pieces of cells get another owner or kind, or both.
void Sprinter::change(NodeId id, Env& env) {
  const Node n = node(id);
  const int kind = n.count > 1 && kid(id, 1) != kNoNode ? node(kid(id, 1)).a : -1;
  if (n.count > 1 && kid(id, 1) != kNoNode && (node(kid(id, 1)).op != Op::kind || kind < 0)) {
    fail();
    return;
  }
  if (n.a == kNatural) {
    fail();
    return;
  }
  const int kinds = static_cast<int>(program_.kinds.size());
  for (int k = 0; k < kinds; ++k) // no piece may come about that there isn't
    for (int owner = -1; owner < players(); ++owner) {
      if (!has_letters(owner, k)) continue;
      if (!has_letters(n.a == kKeepOwner ? owner : n.a, kind < 0 ? k : kind)) fail();
    }
  if (failed_) return;
  const Reg all = minus(set(kid(id, 0), env), code_.empty);
  if (n.a != kKeepOwner) {
    const int index = n.a < 0 ? players() : n.a;
    for (int s = 0; s < code_.owners; ++s) emit(s == index ? What::unite : What::minus, s, s, all);
  }
  if (kind >= 0)
    for (int k = 0; k < code_.kinds; ++k)
      emit(k == kind ? What::unite : What::minus, code_.owners + k, code_.owners + k, all);
  changed();
}

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
  code_.ply = static_cast<Reg>(program_.variables.size());
  code_.turns = static_cast<Reg>(code_.ply + 1);
  code_.state_numbers = static_cast<Reg>(code_.turns + players());
  first_value_ = code_.state_sets + kMaxConstants;
  first_number_ = code_.state_numbers + kMaxConstants;
  next_set_ = first_value_;
  next_number_ = first_number_;
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

void Sprinter::player(int p) {
  const SlotPlan& plan = *plans_[at(p)];
  player_ = p;
  memo_.clear();
  leaf_memos_.clear();
  SprintPlayer& into = code_.players.emplace_back();
  into.entry = here();
  emit(What::look);
  emit(What::count_none);
  const Label counted = label();
  Memo first;
  for (const SlotGroup& group : plan.groups) {
    if (group.probe) fail();
    count_ops(plan, group.begin, group.end, none_, false, 0);
    if (&group == &plan.groups.front()) first = memo_;
    if (&group != &plan.groups.back()) emit(What::if_free, 0, 0, 0, 0, counted);
  }
  place_label(counted);
  // What the later groups worked out isn't there if the first had a move.
  if (plan.groups.size() > 1) memo_ = first;
  Env env;
  for (const EndLine& line : program_.players[at(p)].end)
    if (!failed_) end_line(line, p, env);
  emit(What::pick);
  into.leaves.resize(plan.leaves.size());
  place_base_ = static_cast<std::uint32_t>(code_.places.size());
  code_.places.insert(code_.places.end(), plan.places.begin(), plan.places.end());
  for (std::size_t i = 0; i < plan.leaves.size() && !failed_; ++i) leaf(plan, i, into.leaves[i]);
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
  for (std::size_t i = 0; i + 1 < code_.ops.size(); ++i) {
    SprintOp &first = code_.ops[i], &second = code_.ops[i + 1];
    if (first.what != What::set_bit || second.what != What::clear_bit || first.a != second.a) continue;
    if (first.d == second.d) continue;
    first.what = What::drop;
    first.b = second.d;
    second = SprintOp{What::copy, 0, new_set(), none_, 0, 0, 0}; // nobody reads it
  }
}

std::optional<SprintCode> Sprinter::compile() {
  if (board().stacks) return std::nullopt;
  code_.frozen = find_frozen(program_);
  if (!code_.frozen.empty()) put_in(code_.frozen, program_);
  for (int p = 0; p < players(); ++p) {
    plans_.push_back(plan_slots(program_, p));
    if (!plans_.back()) return std::nullopt;
  }
  lay_out();
  for (int p = 0; p < players() && !failed_; ++p) player(p);
  if (failed_) return std::nullopt;
  find_pool();
  fuse_drops();
  remove_dead();
  resolve_labels();
  code_.sets = std::max<Reg>(code_.sets, static_cast<Reg>(first_value_));
  code_.numbers = std::max<Reg>(code_.numbers, static_cast<Reg>(first_number_));
  return std::move(code_);
}

} // namespace

std::optional<SprintCode> compile_sprint(const Program& program) { return Sprinter(program).compile(); }

} // namespace boardwright::runtime
