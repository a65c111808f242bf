// Program → SprintCode. Read sprint.hpp first. Its parts: sprint_code.cpp (operations and registers),
// sprint_values.cpp (sets, numbers, truths), sprint_moves.cpp (counting by slots, carrying out a move),
// sprint_drafts.cpp (turns that no slots fit), sprint_signs.cpp (whether drafts
// can be the same move), sprint_keep.cpp (what of drafts is kept), sprint_compile.cpp
// (players, the whole).
#pragma once

#include "runtime/model/numbering.hpp"
#include "runtime/sprint/sprint.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <utility>

namespace boardwright::runtime::sprint {

using What = SprintOp::What;
using Reg = std::uint16_t;
using Label = std::int32_t;
using Memo = std::map<std::array<std::int32_t, 5>, Reg>;
using DraftMask = std::bitset<256>; // some of the sets that drafts change

[[nodiscard]] constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// More than this a register file shouldn't hold: it is to stay in the nearest cache.
inline constexpr int kMaxSprintRegs = 6000;
// Code grows with every leaf; beyond this, loading takes longer than it should.
inline constexpr std::size_t kMaxSprintOps = 20000;
// A skip costs as much as an operation or two.
inline constexpr std::size_t kWorthSkipping = 6;

struct Value { // what is known of a value while compiling
  enum class Kind : std::uint8_t { unknown, cells, cell, runs, row, directions, number } kind = Kind::unknown;
  Reg reg = 0;     // of cells; of the cell, also where runs and rows begin; of a number
  Reg through = 0; // of runs and rows
  StepSet steps;   // directions, also of runs and rows
};

[[nodiscard]] inline Value one_way(int step) {
  Value v;
  v.kind = Value::Kind::directions;
  v.steps = StepSet::of(step);
  return v;
}

struct Env {                 // where the walker is
  int here = -1, start = -1; // cell registers
  int heading = -1;
  std::map<std::int32_t, Value> slots;
  std::map<NodeId, Value> before; // values of the beginning of the turn
};

// Constants get registers while compiling; there is room for so many between the state and the values.
inline constexpr int kMaxConstants = 400;
// Definitions in definitions: what the C++ stack must hold.
inline constexpr int kMaxSprintDepth = 400;

struct Chain;

// What of a turn is still to come while a draft is followed, innermost first.
struct Todo {
  enum class Kind : std::uint8_t { act, round_end, scored } kind = Kind::act;
  NodeId action = kNoNode; // of scored: the score
  const Todo* next = nullptr;
  Chain* chain = nullptr; // of round_end
};

struct Deeper {
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  int& depth_;
};

class Sprinter {
public:
  explicit Sprinter(const Program& program) : program_(program) {}

  std::optional<SprintCode> compile();

  [[nodiscard]] static bool jumps(What what) {
    return (what >= What::go && what <= What::if_free) || what == What::hop || what == What::take ||
           what == What::take_on || what == What::call || what == What::best;
  }

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
  void forget(std::size_t op);
  void resolve_labels();
  void remove_dead();
  void straighten(std::vector<bool>& dead);
  void find_unreachable(std::vector<bool>& dead) const;

  Reg new_set() {
    const Reg d = new_register(next_set_, code_.sets);
    contents_.erase(d); // it may have been another's before an attempt was given up
    run_through_.erase(d);
    return d;
  }
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
    return reg >= code_.draft_sets && reg < first_value_ ? &code_.constants[at(reg - code_.draft_sets)]
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
  Value by_kind(NodeId id, Env& env);
  Value selected(NodeId id, Env& env);
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
  Reg walked_from_cell(NodeId walk, Reg cell, Env& env);
  std::optional<Reg> slid(NodeId walk, Reg cell, Env& env);
  std::optional<Reg> along_rays(What what, Reg cell, const StepSet& steps, Reg through);
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
  void jump_some_cell(const Node& n, bool when, Label to, Env& env);
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
  // In a probe: jumps to `found`, or gathers in `origins` where a walker can begin.
  void count_ops(const SlotPlan& plan, std::uint32_t begin, std::uint32_t end, Reg from, bool probe,
                 Label found, std::optional<Reg> origins = std::nullopt);
  Reg after_op(const SlotOp& op, Reg from, Label skip, bool& guarded);

  // ---------------------------------------------------------------- moves
  void leaf(const SlotLeaf& l, std::size_t index, SprintLeaf& into);
  void item(const SlotItem& item, Env& env);
  int cell_at(std::uint32_t place);
  void lift(int cell, const Contents& there);
  void put(int cell, const Contents& there);
  bool carry(Reg s, int cell);
  void drop(const Node& n, int cell, const Contents& there);
  void clear(int cell, const Contents& there);
  void fill(int cell, const Contents& there, const Contents& with);
  void find_before(NodeId id, Env& env);
  [[nodiscard]] std::optional<Contents> begin_contents(const SlotLeaf& l) const;
  [[nodiscard]] bool changes(std::size_t begin, Reg set) const;
  enum class Share : std::uint8_t { none, all, some };
  struct Carried {
    Share share = Share::none;
    Reg flag = 0;
    int from = -1; // the cell where it was lifted, while that can still be made one operation
    std::size_t op = 0;
  };
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
  void count_slots(const SlotPlan& plan);
  void count_drafts(int p);
  void end_line(const EndLine& line, int p, Env& env);
  void find_pool();
  void fuse_drops();
  void fuse_leaves();
  void simplify_leaves();
  void find_kept();
  void keep_lines();
  [[nodiscard]] bool has_lines(const SprintRow& row) const;
  [[nodiscard]] bool only_gains(Reg set, Reg row) const;
  void fuse_loops();

  // ---------------------------------------------------------------- drafts (sprint_drafts.cpp)
  struct Draft { // a walker on its way through the turn
    Env env;
    bool lifted = false;
    std::vector<Carried> carried; // by set of the state
    Contents carried_codes;
    std::map<int, Contents> there;    // by cell register: what may be there
    bool shown = true;                // the walker's cell has been written
    std::optional<Label> clean;       // where to go if nothing has changed since the last choice
    std::optional<Reg> not_in;        // its cell isn't in this local
    std::uint32_t epoch = 0;          // another one after each change of the board
    bool fewer = false, gone = false; // this round of the innermost chain took something away, or a step
  };
  friend struct Chain;
  void come_to(const Draft& d) {
    epoch_ = d.epoch;
    air_ = d.lifted ? d.carried_codes : Contents();
  }
  void board_changes(Draft& d) {
    d.epoch = ++last_epoch_;
    come_to(d);
  }
  void chains_may_return();
  void need_once() { needs_once_ = needs_once_ || !apart_; }
  struct Sign { // what is written next
    enum class What : std::uint8_t { cell, set, end } what = What::end;
    std::vector<std::int16_t> place; // of cell: by the cell that was written last, or where the walker began
    int of = 0;                      // signs of one branch that doesn't choose are never of one position
  };
  struct Coming { // actions still to come, and the ends of rounds
    NodeId action = kNoNode;
    NodeId repeat = kNoNode; // its round ends here
    const Coming* next = nullptr;
  };
  [[nodiscard]] bool told_apart(const std::vector<NodeId>& actions);
  bool signs(const Coming* coming, const std::vector<std::int16_t>* place, Env env, std::vector<Sign>& found);
  [[nodiscard]] bool ends_with_put(NodeId action) const;
  bool signs_of_branches(const std::vector<NodeId>& branches, const Coming* next,
                         const std::vector<std::int16_t>* place, const Env& env, std::vector<Sign>& found);
  bool signs_after(const Coming* coming, const Env& env);
  [[nodiscard]] static bool differ(const std::vector<Sign>& signs);
  bool draft_group(const std::vector<NodeId>& actions, std::optional<Reg> origins, Label done);
  void follow(const Todo* todo, Draft d);
  using Actions = std::vector<NodeId>;
  NodeId add_node(Op op, Type type, const Actions& kids, std::int32_t a = 0);
  void flatten(NodeId action, Actions& into) const;
  void split_alternatives(const Actions& actions, std::vector<Actions>& into);
  bool split_branch(const Actions& actions, std::vector<Actions>& into);
  bool follow_split(const Todo* todo, const Draft& d);
  void count_part(const SlotPlan& plan);
  void follow_all(const Node& n, std::uint32_t i, const Todo* after, const Draft& d);
  void follow_next(const Todo* todo, Draft d);
  void follow_place(const Todo* todo, Draft d);
  void follow_set(Reg set, bool starts, const Todo* after, Draft d);
  void follow_go(const Todo* todo, Draft d);
  void follow_hop(int step, const Todo* after, Draft d);
  void follow_choose(const Todo* todo, Draft d);
  bool follow_walk(const Todo* todo, const Draft& d);
  void follow_members(const Todo* todo, int count, Reg set, Reg chosen, Draft d);
  void follow_choose_some(const Todo* todo, const Draft& d);
  void follow_counted(const Todo* todo, Draft d);
  [[nodiscard]] bool same(NodeId a, NodeId b) const;
  void drop_all(Reg cells, int owner, int kind);
  void follow_if(const Todo* todo, const Draft& d);
  void follow_kinds(const Todo* todo, const Draft& d);
  void follow_otherwise(const Todo* todo, const Draft& d);
  [[nodiscard]] bool always_one(NodeId id) const;
  [[nodiscard]] bool always_one(const Todo* todo) const;
  void find_origins(NodeId action, Label none);
  [[nodiscard]] bool begins_from(NodeId action) const;
  void follow_change(const Todo* todo, Draft d);
  void follow_repeat(const Todo* todo, Draft d);
  void follow_straight(const Todo* todo, Draft d);
  void follow_chain(const Todo* todo, Draft d);
  void follow_round_end(const Todo* todo, const Draft& d);
  void follow_score(const Todo* todo, const Draft& d);
  void finish(const Todo* todo, const Draft& d);
  void emit_leaf(Reg set, const Todo* todo, const Draft& d);
  std::int32_t leaf_of(const std::vector<NodeId>& actions, const Draft& d, bool picked);
  void draft_leaf(std::size_t index, SprintLeaf& into);
  Reg room_for_draft();
  void restore(Reg kept, std::size_t saved, std::size_t begin);
  template <class F>
  void branches(int count, F&& branch);
  void write(int cell, int tag);
  void leave(int cell, const Contents& there);
  [[nodiscard]] bool reads_locals(NodeId id) const;
  [[nodiscard]] bool tail_only(NodeId id) const;
  [[nodiscard]] bool tail_only(const Todo* todo) const;
  [[nodiscard]] bool ends_with(const Todo* todo, const Draft& d) const;
  [[nodiscard]] bool walks(NodeId id) const;
  [[nodiscard]] bool reads_walker(NodeId id) const;
  [[nodiscard]] bool reads_after(const Todo* todo, std::int32_t slot) const;
  [[nodiscard]] bool reads(NodeId id, std::int32_t slot) const;
  [[nodiscard]] bool changes_since(std::size_t begin) const;
  [[nodiscard]] Contents contents_of(Reg set) const;
  [[nodiscard]] bool exact(Reg set) const;
  Reg with_contents(Reg set, const Contents& contents);
  [[nodiscard]] Contents codes(int owner, int kind) const; // -2: any
  void join(Reg all, Reg more);
  Reg displaced_back(Reg set, const std::vector<std::int16_t>& place);
  int new_cell() {
    code_.cells = std::max<Reg>(code_.cells, static_cast<Reg>(next_cell_ + 1));
    return next_cell_++;
  }

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
  Reg unread_ = 0; // what is forgotten writes here
  int depth_ = 0;
  // of the leaf being compiled
  std::uint32_t place_base_ = 0;
  std::map<std::uint32_t, int> cell_of_place_;
  std::vector<Carried> carried_;        // by set of the state
  std::bitset<kMaxSprintRegs> lasting_; // sets that the leaf doesn't change
  std::optional<Contents> started_;     // what may be where its walker begins
  std::map<Reg, Reg> set_before_;       // by the register where it is kept: a set of the state
  // of drafts
  struct DraftLeaf {
    std::vector<NodeId> actions;
    std::map<std::int32_t, Value> slots;
    int heading = -1;
    bool picked = false; // its cell is one of several that no action has come to yet
    bool starts = false;
    std::vector<Carried> carried;
    Contents there;
    std::optional<SlotLeaf> slot; // it is one of slots, with its places from here on
    std::uint32_t places = 0;
  };
  std::vector<DraftLeaf> draft_leaves_;
  std::size_t first_draft_leaf_ = 0;
  bool once_ = false;       // each move is compared with the others
  bool needs_once_ = false; // it must be
  bool apart_ = false;      // it needn't be, see told_apart
  bool first_ = false;      // nothing of the turn has been followed yet
  bool must_land_ = false;  // a draft that ends in the air is no move, but hinders others
  std::optional<Reg> origins_;
  Label group_done_ = 0;
  int next_cell_ = 3;          // 0, 1 and 2 are the chosen move's
  std::int32_t leaf_base_ = 0; // the draft leaves come after those of slots
  bool scored_ = false;
  std::size_t leaf_offset_ = 0;       // of the plan being counted: leaves that come before its own
  bool split_ = false;                // what slots can do has been left to them
  int branch_signs_ = 0;              // so many ways through actions, and their branches, have been looked at
  std::vector<Chain*> chains_;        // that the code stands within
  std::map<std::int32_t, Reg> local_; // by slot that actions change: its set
  Reg written_ = 0, gone_ = 0;
  struct Known { // what was on the cells of a set when it was worked out
    Contents contents;
    std::uint32_t epoch = 0;
    bool in_air = false; // something had been lifted
  };
  std::map<Reg, Known> contents_;
  std::uint32_t epoch_ = 0, last_epoch_ = 0; // of the draft that is being followed
  Contents air_;                             // what it carries
};

} // namespace boardwright::runtime::sprint
