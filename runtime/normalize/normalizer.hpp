// The rewriting of terms. Every rewriting is a small function with its algebra and its proof above it; they
// stand in files by subject: conditions, numbers, sets, sequences, choices, walks, steps ahead, lines, loops.
//
// Rules are rewritten from the leaves up; a rewriting makes a term whose parts are normal already by the
// functions named after what they make (`all_of`, `meet`, …). What a rewriting may rely on about the draft
// is in the Context, which is carried along a sequence.
#pragma once

#include "runtime/normalize/term.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

namespace boardwright::runtime::normal {

// What is known of every draft that comes to a term, and what is done with it afterwards.
struct Context {
  bool placed = false;      // `here` is a cell
  bool started = false;     // `start` is a cell
  bool at_start = false;    // `here` and `start` are the same
  bool no_heading = true;   // `heading` is none
  bool empty_handed = true; // nothing is carried
  bool counted = false;     // within `each`: how many outcomes there are matters
  bool reaching = false;    // within `reach`: only where walks end matters
  std::uint16_t live = 0;   // of kHere, kStart, kHeading: what may be read or compared afterwards
  Slots later;              // names that may be read or compared afterwards, outside of this sequence
};

// Steps of the walker to work out values that depend on nothing, all of them together: a second or so. What
// isn't worked out by then is left to the engine.
inline constexpr std::uint64_t kMaxFolding = 1'000'000;

class Normalizer {
public:
  Normalizer(const Program& program, TermStore& store);

  TermId condition(TermId id); // of an end line
  TermId turn(TermId id);

private:
  // ---- normalizer.cpp: from the leaves up
  TermId value(TermId id, const Context& c);
  TermId action(TermId id, Context& c); // c: before it, then after it
  TermId action_in(TermId id, Context c) { return action(id, c); }
  TermId with_normal_kids(TermId id, const Context& c);
  TermId with_normal_kids_of_action(TermId id, const Context& c);
  TermId rewritten_by_group(TermId id, const Context& c);
  TermId rewritten_value(TermId id, const Context& c);
  TermId rewritten_action(TermId id, const Context& c);
  static void pass_walking(const Term& t, Context& c);
  void pass(TermId id, Context& c) const;
  [[nodiscard]] Context in_loop(TermId body, Context c) const;
  [[nodiscard]] bool is_exhausted() const { return s_.count() > most_terms_; }

  // ---- questions
  [[nodiscard]] const Term& at(TermId id) const { return s_[id]; }
  [[nodiscard]] TermId kid(TermId id, std::size_t i) const { return s_[id].kids[i]; }
  [[nodiscard]] bool is(TermId id, Op op) const { return s_[id].op == op; }
  [[nodiscard]] bool is_truth(TermId id, bool which) const;
  [[nodiscard]] std::optional<std::int32_t> number_of(TermId id) const;
  [[nodiscard]] bool is_none(TermId id) const;
  [[nodiscard]] bool is_board(TermId id) const;
  [[nodiscard]] bool is_nothing(TermId id) const { return is(id, Op::sequence) && at(id).kids.empty(); }
  [[nodiscard]] bool may_fault(TermId id, const Context& c) const;
  [[nodiscard]] bool any_may_fault(const Terms& terms, const Context& c) const;
  [[nodiscard]] bool is_single(TermId id, const Context& c) const;
  void note_single(std::int32_t name, TermId value, const Context& c);
  [[nodiscard]] bool reads(TermId id, std::uint32_t slot) const { return contains(at(id).slots_read, slot); }
  [[nodiscard]] bool never_negative(TermId id) const;
  [[nodiscard]] bool writes_what_is_read(TermId writer, TermId reader) const;

  // ---- terms with normal parts
  TermId make(Op op, Type type, Terms kids, const Context& c, std::uint32_t origin, std::int32_t a = 0,
              std::int32_t b = 0);
  TermId negation(TermId id, const Context& c);
  TermId all_of(Terms kids, const Context& c, std::uint32_t origin);
  TermId any_of(Terms kids, const Context& c, std::uint32_t origin);
  TermId some(TermId id, const Context& c);
  TermId within(TermId part, TermId whole, const Context& c, std::uint32_t origin);
  TermId complement(TermId id, const Context& c);
  TermId unite(Terms kids, const Context& c, Type type, std::uint32_t origin);
  TermId meet(Terms kids, const Context& c, Type type, std::uint32_t origin);
  TermId minus(TermId from, TermId what, const Context& c);
  TermId none(Type type, std::uint32_t origin);
  void sort(Terms& terms) const;
  void drop_repeats(Terms& terms) const;

  // ---- values.cpp
  TermId rewritten_any(TermId id, const Context& c);
  TermId rewritten_by_kind(TermId id);
  TermId rewritten_before(TermId id);
  TermId unchanged(TermId id);
  TermId rewritten_let_value(TermId id, const Context& c);
  TermId rewritten_if_value(TermId id, const Context& c);
  TermId rewritten_number(TermId id, const Context& c);
  TermId rewritten_extreme(TermId id, const Context& c);
  TermId folded(TermId id);
  [[nodiscard]] bool is_closed(TermId id) const;

  // ---- conditions.cpp
  TermId rewritten_truth(TermId id, const Context& c);
  TermId rewritten_negation(TermId id, const Context& c);
  TermId rewritten_join(TermId id, const Context& c);
  TermId rewritten_less(TermId id, const Context& c);
  TermId rewritten_at_most(TermId id, const Context& c);
  TermId rewritten_equal(TermId id, const Context& c);
  using Places = std::vector<std::pair<TermId, int>>; // values of one cell, and which cells they may be
  [[nodiscard]] bool goes_by_coordinates(TermId id, Places& of) const;
  [[nodiscard]] std::optional<std::int64_t> number_on(TermId id, const Places& places) const;
  [[nodiscard]] std::optional<bool> compared(TermId id, const Places& places) const;
  std::optional<TermId> as_place(TermId id, const Context& c);
  TermId rewritten_within(TermId id, const Context& c);
  TermId rewritten_some(TermId id, const Context& c);
  TermId rewritten_some_where(TermId id, const Context& c);
  TermId rewritten_can(TermId id, const Context& c);
  [[nodiscard]] bool asks_heading_before(const Terms& walk) const;
  TermId some_binding(TermId list, TermId condition, const Context& c);
  [[nodiscard]] bool only_walks(TermId id) const;
  TermId joined(Op op, Terms kids, const Context& c, std::uint32_t origin);
  void join_places(Op op, Terms& kids, const Context& c, std::uint32_t origin);

  // ---- sets.cpp
  TermId rewritten_set(TermId id, const Context& c);
  TermId rewritten_select(TermId id, const Context& c);
  TermId rewritten_reach(TermId id, const Context& c);
  TermId rewritten_union_of(TermId id, const Context& c);
  [[nodiscard]] bool has_neutral() const;
  [[nodiscard]] bool never_meet(TermId x, TermId y) const;
  void join_owners(Terms& kids, std::uint32_t origin);
  TermId chained(Op op, const Terms& kids, Type type, std::uint32_t origin);
  void operands(TermId id, Op op, Terms& into) const;
  std::optional<TermId> fixed_part(Op op, Terms& kids, Type type, std::uint32_t origin);
  void split_condition(TermId& set, Terms& conditions, std::uint32_t slot, const Context& c);

  // ---- sequences.cpp
  TermId sequence(TermId id, const Context& c);
  TermId merged(const Terms& kids, const Context& c, std::uint32_t origin);
  [[nodiscard]] Terms items_of(TermId id) const;
  TermId sequence_of(Terms items, std::uint32_t origin);
  TermId alternatives_of(Terms kids, std::uint32_t origin);
  TermId rewritten_alternatives(TermId id, const Context& c);
  TermId rewritten_otherwise(TermId id, const Context& c);
  TermId rewritten_if_action(TermId id, const Context& c);
  TermId factored(TermId id, const Context& c);
  bool rewrite_items(Terms& items, const Context& c);
  void flatten(Terms& items) const;
  bool drop_after_never(Terms& items, const std::vector<Context>& before);
  bool branch_to_test(Terms& items);
  bool join_tests(Terms& items, const std::vector<Context>& before);
  bool ask_here(Terms& items, const std::vector<Context>& before);
  [[nodiscard]] Terms as_tests(TermId condition, const Context& c);
  [[nodiscard]] std::vector<Context> contexts(const Terms& items, const Context& c) const;
  [[nodiscard]] std::vector<std::uint16_t> live_after(const Terms& items, const Context& c) const;
  [[nodiscard]] Slots later_than(const Terms& items, std::size_t i, const Context& c) const;
  [[nodiscard]] bool is_read_after(const Terms& items, std::size_t i, std::uint32_t slot,
                                   const Context& c) const;
  [[nodiscard]] bool is_set_after(const Terms& items, std::size_t i, std::uint32_t slot) const;

  // ---- names.cpp: `let`
  bool put_in_lets(Terms& items, const std::vector<Context>& before);
  bool put_in_let(Terms& items, std::size_t i, const Context& c);
  bool put_in_displaced(Terms& items, std::size_t i, const Context& c);
  [[nodiscard]] bool is_pointwise(TermId id) const;
  // Is the value the same at every read of the slot? `changed`: what it reads was written before. Nothing
  // where it isn't; else whether it is written afterwards.
  [[nodiscard]] std::optional<bool> holds_at_reads(TermId id, std::uint32_t slot, TermId value,
                                                   bool changed) const;
  [[nodiscard]] std::optional<bool> holds_in_action(TermId id, std::uint32_t slot, TermId value,
                                                    bool changed) const;
  [[nodiscard]] bool holds_in_rest(const Terms& items, std::size_t from, std::uint32_t slot,
                                   TermId value) const;
  [[nodiscard]] bool is_read_in_loop(TermId id, std::uint32_t slot, bool inside) const;
  [[nodiscard]] bool is_cheap(TermId id) const;
  void substitute_in_rest(Terms& items, std::size_t from, std::uint32_t slot, TermId by);

  // ---- choices.cpp
  bool choose_later(Terms& items, const std::vector<Context>& before);
  bool choose_and_go(Terms& items, const std::vector<Context>& before);
  [[nodiscard]] bool keeps_heading(TermId id) const;
  std::optional<TermId> without_heading(TermId id, TermId by);
  bool name_heading(Terms& items);
  [[nodiscard]] bool has(TermId id, Op op) const;
  bool choose_place(Terms& items, const std::vector<Context>& before, const std::vector<std::uint16_t>& live);
  bool split_ways(Terms& items, const std::vector<Context>& before);
  bool choose_only(Terms& items, const std::vector<Context>& before);
  bool narrow_choice(Terms& items, const std::vector<Context>& before);
  std::optional<TermId> for_each_number(const Terms& items, std::size_t i, const Context& c);
  bool split_choice(Terms& items, const std::vector<Context>& before);
  [[nodiscard]] std::optional<TermId> test_of_choice(TermId id, std::uint32_t slot) const;
  TermId copy_of(TermId id);
  TermId with_test(TermId id, std::uint32_t slot, TermId within, bool holds);

  // ---- walks.cpp
  bool walk_to(Terms& items, const std::vector<Context>& before, const std::vector<std::uint16_t>& live);
  bool split_to(Terms& items, const std::vector<Context>& before, const std::vector<std::uint16_t>& live);
  bool remove_early(Terms& items, const std::vector<Context>& before);
  [[nodiscard]] bool steps_lead_away() const;
  std::optional<Terms> as_walk(TermId set, const Context& c);

  // ---- ahead.cpp
  bool split_by_name(TermId set, std::uint32_t slot, const Context& c, Terms& free, Terms& tests);
  bool start_first(Terms& items, const std::vector<Context>& before);
  std::optional<TermId> steps_where(TermId set, std::int32_t name, TermId holds);
  bool choose_steps(Terms& items, const std::vector<Context>& before);
  bool start_sooner(Terms& items, const std::vector<Context>& before);
  [[nodiscard]] bool lies_ahead(TermId id, const Context& c) const;
  bool lift_first(Terms& items, const std::vector<Context>& before);
  std::optional<TermId> where_ahead(TermId condition, TermId ahead, const Context& c);
  bool test_there(Terms& items, const std::vector<Context>& before);

  // ---- lines.cpp
  bool slide_to_end(Terms& items, const std::vector<Context>& before, const std::vector<std::uint16_t>& live);
  TermId union_of_walks(TermId id, const Context& c);
  [[nodiscard]] std::optional<TermId> straight_way(TermId walk) const;
  [[nodiscard]] bool go_apart(TermId x, TermId y, const Context& c) const;
  std::optional<TermId> ends_of_lines(TermId of_line, std::int32_t name, TermId numbers, const Context& c);
  bool choose_end_of_line(Terms& items, const std::vector<Context>& before);
  [[nodiscard]] bool lines_part(const StepSet& ways) const;
  [[nodiscard]] bool runs_straight(TermId round, const Context& c) const;
  TermId runs_up_to(TermId goals, TermId round, const Context& c);
  bool run_to_goal(Terms& items, const std::vector<Context>& before);
  TermId union_of_lines(TermId id, const Context& c);

  // ---- loops.cpp
  TermId rewritten_repeat(TermId id, const Context& c);
  bool join_loops(Terms& items, const std::vector<Context>& before);

  const Program& program_;
  TermStore& s_;
  Slots single_;                                    // names of one cell or one direction
  Slots set_;                                       // names that are set
  std::unordered_map<std::uint64_t, TermId> known_; // what a term becomes, by the term and what is known
  std::optional<Program> scratch_;                  // for folding
  std::uint64_t folding_ = kMaxFolding;             // steps left
  std::size_t most_terms_ = 0;                      // when so many were made, nothing more is rewritten
};

} // namespace boardwright::runtime::normal
