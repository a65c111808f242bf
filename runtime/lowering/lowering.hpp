// Program → code. Read ir.hpp first.
//
// # How actions are compiled
// The code of an action is followed by that of all that comes after it (Todo), and so every test that comes
// later knows what has been done before. Where an action has several outcomes, what comes after is compiled
// for each of them, or, where that would take too much code, once for all (shared.cpp).
//
// # Two ways through
// A turn is compiled several times: to search all its outcomes, and to play one of them, whose choices are
// given (ir::Choice). Playing takes the same path: at every choice it takes the given one, and tests need not
// be asked.
//
// The page of the folder says what is in which file.
#pragma once

#include "runtime/lowering/draft.hpp"
#include "runtime/lowering/emitter.hpp"
#include "runtime/lowering/facts/facts.hpp"
#include "runtime/lowering/facts/sizes.hpp"
#include "runtime/lowering/facts/trends.hpp"
#include "runtime/lowering/uniqueness/uniqueness.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boardwright::runtime::lowering {

// What comes after several ways to it, compiled once.
struct Shared {
  Continuation closure;
  Todo todo;
  const Todo* after = nullptr;
  Label label = 0;
  Draft general;
  bool used = false;
  Emitter::Registers registers; // the callers use these
};

class Lowering : private Facts {
public:
  Lowering(Program& program, bool mailbox);
  // False: it needs a mailbox.
  bool run();
  ir::Code take() { return std::move(code_); }
  // Where a walk could be taken as a set (or a choice left open) in one place and not in another, playing a
  // move couldn't know what was chosen: then all is compiled anew without it.
  [[nodiscard]] bool again() const { return again_; }
  void learn_from(const Lowering& other) {
    never_walks_ = other.never_walks_;
    never_open_ = other.never_open_;
    never_straight_ = other.never_straight_;
    never_counted_ = other.never_counted_;
    assumed_ = other.assumed_;
    never_at_once_ = other.never_at_once_;
    never_keyed_ = other.never_keyed_;
    wide_ = other.wide_;
  }

private:
  void need_mailbox() {
    if (!layout_.mailbox) missing_mailbox_ = true;
  }
  void fail(const char* message);
  [[nodiscard]] bool stopped() const { return missing_mailbox_ || e_.too_large(); }

  // ---------------------------------------------------------------- values/values.cpp
  Val value(NodeId id, Draft& d);
  Val bound(NodeId id, Draft& d); // a value that stays as it is when the state changes
  Reg set(NodeId id, Draft& d) { return set_of(value(id, d)); }
  Reg set_of(const Val& v);
  Reg number(NodeId id, Draft& d);
  Reg cell(NodeId id, Draft& d);
  Reg cell_of(const Val& v);
  Reg box(NodeId id, Draft& d) { return box_of(value(id, d)); }
  Reg box_of(const Val& v);
  Reg ways_of(const Val& v);
  void need_room_for_steps();
  Val any_value(NodeId id, Draft& d);
  Val combined_cells(NodeId id, Draft& d);
  Val cells_value(NodeId id, Draft& d);
  Val number_value(NodeId id, Draft& d);
  Val branches_of_value(NodeId id, Draft& d);
  void assign(Type type, Reg to, NodeId id, Draft& d);
  Val of_type(Type type, Reg reg);
  Reg new_of_type(Type type);
  Val before(NodeId id, Draft& d);
  Val any_set(Reg r) const { return make_set(r, all_contents()); }
  Val constant_number(std::int32_t n) { return make_number(e_.number_constant(n)); }
  Reg unite(Reg a, Reg b);
  Reg meet(Reg a, Reg b);
  Reg minus(Reg a, Reg b);
  Reg occupied() { return minus(board_, as_seen(layout_.empty)); }
  Reg owned(const Node& n);
  Reg kind_cells(int kind);
  Val selected(NodeId id, Draft& d);
  Val local(NodeId id, Draft& d);
  Contents contents_of(NodeId id, const Draft& d);
  Val somewhere_in(NodeId id, const Draft& d);

  // ---------------------------------------------------------------- values/truths.cpp
  // Goes to the label if the truth is `when`, else on.
  void jump_any(NodeId id, bool when, Label to, Draft& d);
  void jump(NodeId id, bool when, Label to, Draft& d);
  void jump_several(const Node& n, bool any, bool when, Label to, Draft& d);
  void jump_equal(const Node& n, bool when, Label to, Draft& d);
  void jump_within(const Node& n, bool when, Label to, Draft& d);
  void jump_part(NodeId a, NodeId b, bool when, Label to, Draft& d);
  void jump_some(NodeId of, bool when, Label to, Draft& d);
  void jump_some_where(const Node& n, bool when, Label to, Draft& d);
  void jump_can(NodeId action, bool when, Label to, Draft& d, bool laid_down = false);
  void jump_no_move(const Node& n, bool when, Label to, Draft& d);
  void test(Ir op, int a, int b, bool when, Label to, int c = 0);
  void jump_step(NodeId id, int step, bool when, Label to, Draft& d);
  bool jump_from_back(NodeId action, Reg many, const Val& target, Label found, Draft& d);
  std::optional<Reg> walked_back_from_cell(const Steps& walk, const Val& target, Draft& d);
  bool jump_attacked(NodeId of, bool when, Label to, Draft& d);
  // Code for every member of a value: `body` gets it, and may go to the label behind it.
  void each_member(NodeId of, Draft& d, const std::function<void(Val member, Label next)>& body);
  void each_candidate(NodeId of, std::int32_t slot, NodeId condition, Draft& d,
                      const std::function<void(Val member, Label next)>& body);
  void each_member(const Val& v, Type type, const std::function<void(Val member, Label next)>& body);

  // ---------------------------------------------------------------- values/directions.cpp, values/lists.cpp
  Val directions(NodeId id, Draft& d);
  Val combined_directions(NodeId id, Draft& d);
  Val mapped_steps(const Val& v, const std::function<StepSet(const StepSet&)>& map);
  void combine_lists(NodeId id, Reg into, Draft& d);
  Val list(NodeId id, Draft& d);
  [[nodiscard]] bool gathers(NodeId id) const;
  void gather(NodeId id, Reg into, Draft& d);
  void each_binding(NodeId id, std::uint32_t generator, Draft& d, const std::function<void(Draft&)>& bound);
  Val sum_for(NodeId id, Draft& d);
  Val extreme_for(NodeId id, Draft& d);
  Val end_of_list(NodeId id, Draft& d);
  [[nodiscard]] Val givers(NodeId list, std::uint32_t generator, Val from, Draft& d);
  std::optional<Reg> box_begins(NodeId condition, std::int32_t slot, NodeId of, Draft& d);
  Val map(NodeId id, Draft& d);

  // ---------------------------------------------------------------- walks/walks.cpp
  Val reach(NodeId id, Draft& d);
  Reg reached(NodeId id, Draft& d);
  std::optional<Reg> walked(const Steps& walk, std::size_t i, Val from, Draft& d);
  std::optional<Reg> walked_loop(NodeId loop, const Val& from, Draft& d);
  std::optional<Reg> walked_kinds(const Steps& walk, std::size_t i, const Val& from, Draft& d);
  std::optional<Reg> walked_kind_of_cell(const Steps& walk, std::size_t i, const Val& from, Draft& d);
  std::optional<Reg> straight(const Steps& walk, std::size_t i, const Val& from, Draft& d);
  std::optional<Reg> enclosed(const Steps& walk, std::size_t i, const StepSet& steps, const Val& from,
                              Draft& d);
  std::optional<std::pair<Reg, Reg>> run_back(Reg over, int step);
  std::optional<Reg> walked_back(const Steps& walk, std::size_t n, Reg ends, Draft& d);
  Reg through(const Round& r, Draft& d);
  Reg stepped(Reg from, const StepSet& steps, bool back);
  Reg stepped(Reg from, int step, bool back);
  Reg ran(Reg from, int step, Reg through);
  std::optional<Reg> stepped_back_from_cell(const Steps& walk, Reg cell, const Draft& d);
  std::optional<Reg> known_rays(Ir op, Reg cell, const StepSet& steps, Reg through);
  Reg rays(Ir op, Reg cell, const StepSet& steps, Reg through);
  Reg flooded(Reg from, const StepSet& steps, Reg through);
  [[nodiscard]] std::int32_t steps_table(const StepSet& steps);
  Reg in_line(NodeId id, Draft& d);
  [[nodiscard]] std::int32_t ray_table(const StepSet& steps);

  // ---------------------------------------------------------------- forms/rows.cpp
  struct RowSum;
  struct RowTest;
  [[nodiscard]] bool names_cell(NodeId id, const Draft& d) const;
  bool row_from(NodeId id, const Draft& d, RowSum& sum) const;
  [[nodiscard]] bool surely_in(NodeId cell, NodeId set, const Draft& d) const;
  bool row_begin(NodeId id, Draft& d, RowSum& sum, bool& guarded);
  [[nodiscard]] bool stands_still(NodeId id, const RowSum& sum) const;
  static bool row_through(Reg set, RowSum& sum);
  bool row_walk(NodeId action, Draft& d, RowSum& sum, StepSet& ways, bool& begins, bool& guarded);
  bool row_cells(NodeId id, Draft& d, RowSum& sum, StepSet& ways, bool& begins, int& guards);
  bool row_sum(NodeId id, Draft& d, RowSum& sum);
  std::optional<RowTest> row_test(NodeId id, Draft& d);
  bool row_tests(NodeId id, Draft& d, std::vector<RowTest>& tests);
  std::optional<RowTest> row_compared(Op op, NodeId number, bool number_first, NodeId runs, Draft& d);
  bool row_steps(NodeId action, Draft& d, RowTest& test);
  bool rows_anywhere(NodeId id, Draft& d, std::vector<RowTest>& tests);
  std::int32_t row_table(const std::vector<std::int16_t>& steps, std::int32_t length, bool one_way);
  [[nodiscard]] std::optional<std::vector<std::int16_t>> alike(const std::vector<RowTest>& tests,
                                                               bool anywhere) const;
  [[nodiscard]] bool lies_in(Reg cell, Reg set, const Draft& d) const;
  void jump_row(const RowTest& test, Reg place, const std::vector<std::int16_t>& axes, bool when, Label to,
                const Draft& d);
  void jump_kept_rows(const RowTest& test, const std::vector<std::int16_t>& axes, bool when, Label to,
                      const Draft& d);
  bool jump_rows(NodeId id, bool when, Label to, Draft& d);
  Reg stepped_far(Reg from, int step, int times, bool back);
  Reg row_begins(Reg through, int step, std::int32_t length);
  Reg long_rows(Reg through, int step, std::int32_t length);
  Reg rows_at(const RowTest& test, std::int32_t length);
  std::optional<Reg> where_rows(NodeId id, std::int32_t slot, Reg members, Draft& d);
  std::optional<Reg> selected_rows(NodeId of, std::int32_t slot, NodeId condition, Draft& d);

  // ---------------------------------------------------------------- forms/groups.cpp
  [[nodiscard]] bool names_bound(NodeId id, const Draft& d) const;
  std::optional<Group> group(NodeId id, Draft& d);
  std::optional<Group> all_groups(NodeId list, Draft& d);
  void each_group(const Group& all, const std::function<void(Val part, Label next)>& body);
  Reg group_within(NodeId id, Draft& d);
  [[nodiscard]] bool apart(Reg a, Reg b) const;
  std::optional<Reg> kept_group(NodeId id, Draft& d);
  Reg grown(Reg seeds, const StepSet& steps, Reg through);
  [[nodiscard]] bool is_told_by(NodeId id, std::vector<std::int32_t> names, const Draft& d,
                                const std::function<bool(NodeId)>& known,
                                std::uint16_t of_walk = kNoPart) const;
  bool jump_some_group(const Node& n, bool when, Label to, Draft& d);

  // ---------------------------------------------------------------- actions/actions.cpp
  void join(const Todo* todo, Draft d);
  void walk(const Todo* todo, Draft d);
  void act(const Todo* todo, Draft d);
  void act_all(const Node& n, const Todo* after, const Draft& d);
  void act_then(NodeId action, Draft d, Continuation then);
  void at_cell(const Todo* todo, Draft d);
  void go(const Todo* todo, Draft d);
  void hop(int step, const Todo* after, Draft d);
  void hop_by(Reg step, const Todo* after, Draft d);
  std::optional<Reg> curve_from(Reg cell, const Val& way);
  void follow_curve(Reg curve, Reg to, Draft& d);
  void bend(const Todo* todo, Draft d);
  void if_action(const Todo* todo, const Draft& d);
  void by_kind(const Todo* todo, const Draft& d);
  void by_player(const Todo* todo, const Draft& d);
  bool walk_as_set(const Todo* todo, const Draft& d);
  void note_walk(NodeId id, const WalkAsSet& as);
  [[nodiscard]] WalkAsSet walk_up_to(const Todo* todo, const Todo* rest, bool bent) const;
  Contents contents_at_end(const Steps& walk, const std::vector<std::int32_t>& slots, const Draft& d);
  [[nodiscard]] Steps bent_walk_ahead(const Todo* todo, const Draft& d, const Todo*& rest,
                                      std::vector<std::int32_t>& slots) const;
  Reg searched(const Steps& actions, const Val& from, Draft& d);
  [[nodiscard]] Steps walk_ahead(const Todo* todo, const Draft& d, const Todo*& rest,
                                 std::vector<std::int32_t>& slots, bool asks) const;
  bool need_here(const Draft& d, const char* what);

  // ---------------------------------------------------------------- actions/choices.cpp
  // Code for each of so many ways on; the number of the way is a choice of the move.
  void ways(const std::vector<std::int32_t>& values, const Draft& d,
            const std::function<void(std::size_t way, Draft)>& way);
  bool is_left_open(const Todo* todo, const Draft& d);
  enum class LeftToPlay : std::uint8_t { no, if_nothing_carried, yes };
  LeftToPlay left_to_play(const Todo* todo, const Draft& d);
  LeftToPlay leaves_open(const Todo* todo, const Draft& d);
  void leave_to_play(const Todo* todo, LeftToPlay how, const Draft& d);
  bool compares_notations(const Todo* todo, const Draft& d);
  void choose_cell(const Val& from, const Todo* after, Draft d,
                   const std::function<void(Draft&, const Val& cell)>& take, std::int32_t slot = -1);
  void choose(const Todo* todo, Draft d);
  void choose_number(const Todo* todo, Draft d);
  void choose_set(const Todo* todo, Draft d);
  void choose_step(const Todo* todo, Draft d);
  void choose_some(const Todo* todo, Draft d);
  void choose_members(const Todo* todo, Reg wanted, Type type, Reg chosen, Reg left, Reg list, Draft d);
  void choose_up_to(const Todo* todo, Reg wanted, std::int32_t most, Reg chosen, Reg left, Draft d);
  void choose_few_cells(const Todo* todo, std::int32_t wanted, Reg chosen, Reg left, Draft d);
  void play_members(const Todo* todo, Reg wanted, Type type, Reg chosen, Reg list, Draft d);
  void otherwise(const Todo* todo, const Draft& d);
  [[nodiscard]] bool surely_ends(const Todo* todo, const Draft& d) const;
  void most_at_once(const Todo* todo, const Draft& d);
  void most(const Todo* todo, const Draft& d);
  void distinct(const Todo* todo, const Draft& d);
  void quietly(const Todo* todo, const Draft& d);
  void each(const Todo* todo, Draft d);
  void only_outcome(NodeId body, const Draft& d, const Draft& general);
  void jump_if_decided(Label to);
  void act_if_undecided(const Todo* todo, const Draft& d);
  void bind_local(std::int32_t slot, Type type, const Val& v, Draft& d);
  [[nodiscard]] Val given_choice(Type type);
  [[nodiscard]] std::int32_t given_constant();
  void record(Draft& d, std::int32_t constant) const;
  void record(Draft& d, Reg number) const;
  [[nodiscard]] bool plays(const Draft& d) const { return mode_ != Mode::search && d.recorded; }

  // ---------------------------------------------------------------- actions/keys.cpp
  [[nodiscard]] bool keys(const Draft& d) const;
  [[nodiscard]] bool may_key() const;
  [[nodiscard]] bool compares(const Draft& d) const { return once_ || d.compared; }
  void no_keys();
  [[nodiscard]] Reg key_of(const Draft& d) const { return d.told.key == 0 ? none_ : d.told.key; }
  void key_text(const std::string& text, Draft& d);
  void key_cells(const Val& cells, Draft& d);
  static void key_sign(char sign, Draft& d);
  static void key_gone(Draft& d);
  void say_either(NodeId id, Draft& d);
  void key_either(NodeId id, Draft& d);
  void key_from(const Val& cell, Draft& d);
  void key_put(Draft& d);
  void key_pass(Draft& d);
  void key_say(NodeId id, Draft& d);
  void key_action(NodeId id, Draft& d);
  bool key_open(const Val& from, std::int32_t slot, const Todo* after, const Draft& d, const Draft& e);
  [[nodiscard]] bool tells_nothing(const Todo* todo) const;
  void compare_shapes();

  // ---------------------------------------------------------------- forms/images.cpp
  [[nodiscard]] std::optional<std::int32_t> scale_table(NodeId map);
  Reg image(Reg of, NodeId map, Draft& d);
  void note_fits(NodeId condition, Draft& d) const;
  [[nodiscard]] bool surely_fits(NodeId move, const Draft& d) const;
  std::optional<Reg> fitting(const std::vector<NodeId>& asks, std::int32_t slot, Reg from, Draft& d);
  Val narrowed(const Todo* todo, Val from, Label fail, Draft& d);
  [[nodiscard]] Reg could_stand(const Todo* todo, std::int32_t slot, const Draft& d);
  [[nodiscard]] bool told_by_sets(NodeId id) const;
  Reg as_seen(Reg state);
  bool ask_as_if_moved(const Todo* todo, const Draft& d);

  // ---------------------------------------------------------------- actions/loops.cpp
  void repeat(const Todo* todo, const Draft& d);
  [[nodiscard]] bool goes_straight(NodeId id, const Draft& d) const;
  [[nodiscard]] bool goes_one_way(NodeId body, const Draft& d) const;
  void search_straight(const Todo* todo, const Draft& d);
  void leave_at_once(const Todo* after, Draft d, Reg rounds);
  void play_straight(const Todo* todo, const Draft& d);
  struct Loop;
  // Of all drafts that come to a repetition's rounds, or to code that is shared: what may be on the walker's
  // cell, and that nothing is carried. Where one comes with something else all is compiled again.
  struct Assumed {
    Contents here;
    bool nothing_carried = false;
  };
  void search_rounds(const Todo* todo, const Draft& d);
  void rounds(const Todo* todo, const Draft& d, const std::vector<Reg>* memo);
  std::int32_t memo_key(const Loop& loop, const std::vector<Reg>& more);
  void round_code(Loop& loop);
  void end_of_round(Loop& loop, Draft d);
  void call_round(Loop& loop, Draft d);
  void search_perhaps(const Todo* todo, const Draft& d);
  void play_perhaps(const Todo* todo, const Draft& d);
  void play_rounds(const Todo* todo, const Draft& d);
  void begin_choices(Draft& d, Reg base);
  [[nodiscard]] Draft generalised(const Draft& d, const std::vector<NodeId>& within, NodeId of = kNoNode);
  void write_place(const Draft& d, const Draft& general);
  void assume(NodeId of, const Draft& d, Draft& general);
  [[nodiscard]] bool assumes_in(NodeId body, const Draft& d) const;
  [[nodiscard]] Contents own_codes() const;
  void check_assumed(const Draft& d, const Draft& general);
  std::int32_t draft_key(Draft d, std::int32_t frame, int more = -1);
  std::int32_t window_since(const Emitter::Registers& begin);

  // ---------------------------------------------------------------- actions/counting.cpp
  [[nodiscard]] std::optional<Memo> memo_of(const Todo* todo, const Draft& d);
  bool counts_alone(NodeId action, const Draft& d, std::set<std::int32_t>& bound, Memo& memo) const;
  bool key_has(NodeId value, const Draft& d, const std::set<std::int32_t>& bound, Memo& memo) const;
  [[nodiscard]] bool passes_by(NodeId condition, Memo& memo) const;

  // ---------------------------------------------------------------- actions/shared.cpp
  // What comes after, for so many ways there: itself, or a stand-in that is compiled once.
  const Todo* share(const Todo* after, const Draft& d, std::size_t ways, const std::vector<NodeId>& within,
                    std::optional<std::size_t>& shared);
  void compile_shared(std::optional<std::size_t> shared);

  // ---------------------------------------------------------------- actions/changes.cpp
  void handle(const Todo* todo, Draft d);
  void change_position(const Todo* todo, Draft d);
  void need_empty_hand(const Draft& d);
  void lift(const Todo* todo, Draft d);
  void put(const Todo* todo, Draft d);
  void discard(const Todo* todo, Draft d);
  void remove(NodeId id, Draft& d);
  void drop(const Todo* todo, Draft d);
  void change_top(const Todo* todo, Draft d);
  void move_by(const Todo* todo, Draft d);
  void let(NodeId id, Draft& d);
  bool let_either(const Todo* todo, const Draft& d);
  void set_local(NodeId id, Draft& d);
  void set_variable(NodeId id, Draft& d);
  void set_hand(const Todo* todo, Draft d);
  void decide(const Todo* todo, Draft d);
  void say(NodeId id, Draft& d);
  void fill(Reg cell, const Contents& there, int code, Draft& d);
  void fill_set(Reg cells, int code);
  void clear_set(Reg cells);
  void pieces_changed(Draft& d);
  void pieces_changed_to(int code, Draft& d);
  void forget_contents(Draft& d) const;
  [[nodiscard]] Contents on(const Draft& d, Reg cell) const;
  void finish(const Draft& d);
  void unless_carried(const Draft& d, const std::function<void()>& code);
  [[nodiscard]] bool writes(const Draft& d) const {
    return (text_ || (d.compared && !keyed_ && mode_ == Mode::search && (d.recorded || d.certain))) &&
           !d.quiet;
  }
  std::int32_t verdict(std::uint32_t winners, std::uint32_t origin, Outcome::By by, int player = 0);

  // ---------------------------------------------------------------- actions/rest.cpp
  // Has what comes after exactly one outcome, whatever the position, and can't it go wrong?
  [[nodiscard]] bool certain(const Todo* todo, const Draft& d) const;
  [[nodiscard]] bool certain(NodeId id, const Draft& d, Air::Kind& air, bool& has_cell) const;
  [[nodiscard]] bool single(NodeId id, Draft& d) const;

  // ---------------------------------------------------------------- forms/memos.cpp
  struct Inputs;
  [[nodiscard]] bool reads_only_cells(NodeId id, const Draft& d, Inputs& in) const;
  void know_ends(NodeId id, const Draft& d);
  [[nodiscard]] int cost_since(std::size_t begin) const;
  Reg remembered(NodeId id, const Draft& d, const std::function<Reg()>& make);
  std::optional<Reg> kept_whole(NodeId id, Draft& d);
  std::optional<std::int32_t> table_of_steps(int step, bool exactly);
  std::optional<Reg> straight_by_number(NodeId loop, const Val& from, Draft& d);

  // ---------------------------------------------------------------- forms/members.cpp
  Val members(NodeId of, std::int32_t slot, NodeId condition, Draft& d);
  std::optional<Reg> implied(NodeId condition, std::int32_t slot, NodeId of, Draft& d);
  std::optional<Reg> box_ends(NodeId condition, std::int32_t slot, NodeId of, Draft& d);
  [[nodiscard]] std::int32_t quarters_of(NodeId members, std::int32_t from) const;
  [[nodiscard]] bool has_cell(NodeId set, std::int32_t slot, NodeId of) const;
  [[nodiscard]] bool steps_fit(NodeId members, std::int32_t from, std::int32_t apart) const;

  // ---------------------------------------------------------------- walks/beginnings.cpp
  struct Way;
  // The cells from where walkers may get through what comes next: no other one does.
  Reg could_begin(const Todo* todo, const Draft& d, bool changed, bool laden = false);
  [[nodiscard]] bool lays_down(const Steps& parts, std::size_t i) const;
  Reg could_pass(const Steps& parts, std::size_t i, Way way, Draft d);
  Reg could_repeat(const Steps& parts, std::size_t i, const Way& way, const Draft& d);
  Reg could_step(const Steps& parts, std::size_t i, int step, Way way, const Draft& d);
  std::optional<Reg> at_most_in(NodeId id, const Way& way, Draft& d);
  [[nodiscard]] bool known_everywhere(NodeId id, const Draft& d) const;
  [[nodiscard]] bool asks_only_where(NodeId id) const;

  // ---------------------------------------------------------------- forms/legality.cpp
  struct Sure;
  bool follow_sure(const Todo* todo, bool laid, Sure& s) const;
  bool hold_sure(NodeId id, Sure& s) const;
  bool condition_stays(NodeId id, Sure& s) const;
  bool not_attacked(NodeId id, Sure& s) const;
  [[nodiscard]] std::optional<Sure> sure_behind(const Todo* after, const Val& from, const Draft& d,
                                                const Contents* few) const;
  void take_sure(const Sure& s, const std::optional<Sure>& few, Reg left, Draft d);
  void take_all(const Sure& s, Reg except, Reg left, Draft d);
  void ask_conditions(const Sure& s, Draft& d, Label fail);
  void join_reached(NodeId walk, Reg into, Draft& d);
  void watch(NodeId question, Reg seen, const CellChange& change, Draft& d);
  void look(Reg cells);

  // ---------------------------------------------------------------- walks/lanes.cpp
  struct Walkers;
  // Moves of all walkers that begin on a set of cells; false where it isn't tried.
  bool begin_bulk(const Todo* todo, const Val& from, const Draft& d);
  void bulk(const Todo* todo, Walkers w, Draft d);
  void step_in_bulk(int step, Walkers& w);
  void bulk_step(const Todo* next, int step, Walkers w, Draft d);
  void walk_in_bulk(const Todo* todo, const Todo* rest, Walkers w, Draft d);
  bool walk_paths(const Steps& walk, std::size_t i, Walkers w, const Draft& d, std::vector<Walkers>& ends);
  void end_bulk(const Walkers& w, Draft d);
  void one_by_one(const Todo* todo, Walkers w, Draft d);
  void take_one_by_one(const Todo* todo, Walkers w, Draft d);
  [[nodiscard]] Reg who_could_go_on(const Todo* todo, const Walkers& w, const Draft& d);
  bool is_left_open_past_notes(const Todo* todo, const Draft& d);
  void note_any_in_bulk(const void* walkers, Reg any, const Todo* after, Draft d);
  void change_in_bulk(NodeId action, Walkers& w, int code);
  void drop_in_bulk(const Todo* todo, Walkers w, Draft d);
  void let_in_bulk(const Todo* todo, Walkers w, const Draft& d);
  void set_in_bulk(const Todo* todo, Walkers w, Draft d);
  bool choose_constant_in_bulk(const Todo* todo, const Walkers& w, const Draft& d);
  struct Breathing; // a condition that a group touches an empty cell
  bool round_in_bulk(const Steps& body, Walkers& w, Draft& d);
  bool repeat_in_bulk(const Todo* todo, const Walkers& w, const Draft& d, const Draft& seen);
  void choose_in_bulk(const Todo* todo, const Walkers& w, const Draft& d);
  void ask_in_bulk(const void* walkers, Reg stack, Label found, std::vector<std::size_t>& cuts);
  [[nodiscard]] static const Continuation* asks_in_bulk(const Todo* todo);
  [[nodiscard]] std::vector<std::int16_t> everywhere() const;
  std::int32_t place_table(const std::vector<std::int16_t>& place);
  [[nodiscard]] bool reads_walker(NodeId id) const;
  [[nodiscard]] bool reads_outer_walker(NodeId id) const;
  [[nodiscard]] bool is_walker_cell(NodeId id) const;
  [[nodiscard]] bool disturbed(NodeId id, const Walkers& w) const;
  [[nodiscard]] bool disturbed_elsewhere(NodeId id, const Walkers& w) const;
  [[nodiscard]] bool looks_elsewhere(NodeId found, const Draft& d) const;
  [[nodiscard]] bool walk_looks_elsewhere(NodeId walk, const Draft& d) const;
  [[nodiscard]] bool spared(NodeId id, NodeId found, const Walkers& w, const Draft& d) const;
  [[nodiscard]] bool goes_by(NodeId id, const Contents& touched) const;
  [[nodiscard]] bool names_at_hand(NodeId id, const Walkers& w) const;
  [[nodiscard]] bool untouched(const Walkers& w) const;
  [[nodiscard]] bool can_ask(NodeId tested, const Walkers& w) const;
  std::optional<Reg> where_holds(NodeId id, const Walkers& w, Draft& d);
  std::optional<Reg> leads_to(NodeId id, Reg goals, Draft& d);
  std::optional<Reg> where_count(const Node& n, Draft& d);
  std::optional<Reg> where_step(NodeId id, int step, const Walkers& w, Draft& d);
  std::optional<Reg> where_can(NodeId action, const Walkers& w, const Draft& d);
  std::optional<Reg> members_where(const Node& n, const Val& from, const Draft& d);

  // ---------------------------------------------------------------- actions/doubts.cpp
  // Which moves of the turn of a player could be the same?
  void find_doubts(int p);
  std::optional<uniqueness::TakenWalk> taken_walk(const Todo* todo, Draft d);
  struct Comparing { // alternatives whose moves are compared
    std::set<NodeId> always, sometimes;
    Reg doubt = 0; // the number that says whether those of `sometimes` are
  };
  Comparing comparing(const Todo* alternatives, const Draft& d);
  bool jump_if_begins(NodeId alternative, const Todo* next, Label begins, Draft d);
  [[nodiscard]] int rarity(NodeId alternative) const;
  void begin_comparing();
  // Is what comes next a walk that is taken as a set of cells? Then `rest` is behind it.
  bool taken_as_set(const Todo* todo, const Draft& d, const Todo*& rest);
  [[nodiscard]] std::optional<int> kind_of(NodeId id, const Draft& d) const;

  // ---------------------------------------------------------------- actions/carried.cpp
  [[nodiscard]] bool only_counts(NodeId id) const;
  [[nodiscard]] bool may_only_count(const Todo* todo, const Draft& d) const;
  void lift_counted(const Todo* todo, Draft d, Label past);
  void put_counted(const Todo* todo, Draft d);
  bool goes_on_counting(const Todo* todo, const Draft& d);
  void give_up_counting();
  static void step_counted(int step, Draft& d);
  bool can_test_counted(NodeId tested, const Draft& d);
  void find_line(NodeId body, Draft& d) const;
  void ask_carried(NodeId action, const Draft& d, Label none);

  // ---------------------------------------------------------------- turns.cpp
  void lay_out();
  void find_changed_locals();
  void search_turn(int p);
  void player(int p);
  void jump_if_out(int player, Label to);
  void check_reach(int p);
  void ask_line(const EndLine& line, int p);
  [[nodiscard]] bool asks_moves(NodeId id) const;
  [[nodiscard]] bool asks_moves(const std::vector<NodeId>& shares) const;
  [[nodiscard]] bool settles_unasked(NodeId condition, bool holds) const;
  void end_lines_unasked(int p, std::size_t line);
  void end_line(const EndLine& line, int p, Draft& d);
  void leaf(const Val* open, const Draft& d);
  void leaf_codes(int p);
  void keep_before(int p);
  void play_code(int p, bool text);

  Program& program_;
  Sizes sizes_;
  ir::Code code_;
  ir::Layout& layout_;
  Emitter e_;
  Reg board_ = 0, none_ = 0;
  bool reads_heading_ = false;
  bool heights_bounded_ = true;
  std::set<Reg> maybe_none_; // cells that needn't be there
  bool missing_mailbox_ = false;
  Mode mode_ = Mode::search;
  bool text_ = false;        // notation is written
  bool once_ = false;        // moves are compared
  bool keyed_ = false;       // by keys, as long as none comes twice
  bool never_keyed_ = false; // something is written that isn't in keys
  bool in_full_ = false;     // once one has
  std::set<std::string> shapes_;
  std::map<std::string, std::int32_t> key_texts_;
  struct Moving {
    Reg moved = 0;
    NodeId map = kNoNode;
    Draft* d = nullptr;
  };
  std::optional<Moving> moving_; // sets of the state are seen as after this (images.cpp)
  uniqueness::Doubts doubts_;    // of the turn
  bool asking_ = false;          // in a line of `end`: no turn has begun
  struct Search {                // where the moves are searched, and how many calls there are then
    Label label = 0;
    Reg stack = 0;
  };
  std::optional<Search> search_first_; // in a line of `end` that is asked before they are known
  int reaching_ = 0;                   // within `reach`: only where one gets matters
  int exact_ = 0;                      // within `each`: outcomes are counted
  std::set<NodeId> passing_;           // conditions of `require` that are known to hold
  int player_ = 0;
  std::size_t first_leaf_ = 0;      // of the player
  const ir::Leaf* given_ = nullptr; // of Mode::play_one
  std::size_t given_next_ = 0;
  std::map<std::int32_t, Val> changed_; // by slot: where a local stands that actions change
  std::map<NodeId, Val> before_;
  std::map<std::int32_t, NodeId> walker_names_;    // in bulk: names of what goes by where the walker is
  NodeId here_ = kNoNode;                          // a node that says `here`
  bool stays_in_bulk_ = false, left_bulk_ = false; // a question that is given up where walkers part
  std::map<NodeId, WalkAsSet> walks_;              // how a search has taken a walk that begins here
  std::set<NodeId> never_walks_;                   // where it can't everywhere
  std::set<NodeId> left_open_;                     // actions that are left to the move that is played
  std::set<NodeId> followed_;                      // those that aren't, but searched
  std::set<NodeId> never_open_;                    // those that are both, so must be searched
  bool seeking_best_ = false;       // within `most`, whose moves only count if they are the best
  std::set<NodeId> never_at_once_;  // of `most`: where what comes after may fail
  std::map<NodeId, bool> straight_; // repetitions whose rounds have no choice
  std::set<NodeId> never_straight_; // those that haven't been everywhere
  bool never_counted_ = false;      // pieces that are lifted are lifted
  std::map<std::pair<NodeId, int>, Assumed> assumed_; // by action and player
  bool again_ = false;                                // all must be compiled again
  bool wide_ = false;                                 // sets have room for all steps
  std::deque<Shared> shared_;
  std::int32_t pass_text_ = 0;
  std::map<std::vector<std::int32_t>, std::int32_t> memos_; // by what they keep
  bool keeping_ = false;                                    // what a memo will keep is being compiled
  std::map<std::pair<int, bool>, std::int32_t> step_tables_;
  std::map<std::vector<std::int16_t>, std::int32_t> ray_tables_; // by steps: all that is straight on
  std::map<Op, std::int32_t> line_tables_;                       // of files, of ranks: by cell
  std::map<std::vector<std::int16_t>, std::int32_t> steps_tables_, place_tables_;
  std::set<Reg> looked_;  // by the walk that is compiled
  std::vector<Reg> seen_; // where the cells are collected that a walk backwards looks at
  int depth_ = 0;
  std::map<std::int32_t, std::pair<Group, Reg>> known_groups_; // by slot: of the cell that it stands for
};

} // namespace boardwright::runtime::lowering
