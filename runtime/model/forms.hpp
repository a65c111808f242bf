// Forms: what normalize and lowering recognise in order to make code that is faster than what each operation
// gives by itself. Each can be switched off, for measuring what it is worth and for telling which one is at
// fault; every game is played the same with any of them off, but for its speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace boardwright::runtime {

// X(enumerator, name, what it does)
#define BOARDWRIGHT_FORMS(X)                                                                                 \
  X(rows, "rows", "how many cells are in line, compared with a number, by shifts of sets")                   \
  X(kept_rows, "kept-rows", "sets that have been seen to have no row are kept from position to position")    \
  X(groups, "groups", "connected parts of a set one after the other, not once from each cell")               \
  X(kept_groups, "kept-groups", "what is connected with a set is kept from position to position")            \
  X(fitting, "fitting", "pivots of maps that fit are found all at once")                                     \
  X(could_stand, "could-stand", "of cells that are chosen only those from which the next step can begin")    \
  X(as_if_moved, "as-if-moved", "conditions behind `move` are asked of the sets that would be")              \
  X(constants_in_bulk, "constants-at-once", "choices among constants for all walkers")                       \
  X(carried, "carried", "pieces that are lifted and laid down along a line are only counted")                \
  X(sure, "sure-legality", "conditions behind a choice of a cell are asked once for many cells")             \
  X(counted_by_numbers, "counted-rounds", "moves of repetitions are counted by few numbers, not enumerated") \
  X(bulk, "walkers-at-once", "all walkers as sets of cells")                                                 \
  X(loops_in_bulk, "loops-at-once", "repetitions for all walkers")                                           \
  X(leads_to, "preimages", "who gets to a set, by going back from it")                                       \
  X(where_count, "counts-at-once", "counts for all walkers")                                                 \
  X(members_where, "members-at-once", "conditions on members of a set are asked of all of them")             \
  X(begin, "who-could-begin", "who cannot get through what comes next does not begin")                       \
  X(memos, "memos", "what depends on nothing but cells is looked up")                                        \
  X(cell_tables, "cell-tables", "what depends on nothing but one cell is worked out for each")               \
  X(numbered_lines, "lines-by-number", "straight walks whose length is a number are tables")                 \
  X(implied, "implied-members", "members that cannot pass a condition are not asked")                        \
  X(keys, "keys", "moves that are compared are told by keys first")                                          \
  X(doubts, "doubts", "alternatives are compared only in positions where both can begin")                    \
  X(apart, "apart", "alternatives are tried apart, so that fewer are compared")                              \
  X(heights, "heights", "spread stacks give every choice back")                                              \
  X(left_open, "left-to-play", "what cannot fail is left to the move that is played")                        \
  X(most_at_once, "most-at-once", "`most` takes moves back when a better one is found")                      \
  X(enclosed, "enclosed", "runs between two of a set by shifts")                                             \
  X(attacked, "attacked", "is a cell attacked: from the cell back")                                          \
  X(let_either, "either-name", "a name with two values by two ways")                                         \
  X(straight, "straight-rounds", "repetitions of single steps are loops without calls")                      \
  X(sifted, "sifted-loops", "loops over members that only sift them are sets")                               \
  X(one_way, "one-way", "rounds that lead nowhere back are not compared")                                    \
  X(remove_unseen, "unseen-changes", "changes that are taken back before anything reads them are left out")  \
  X(idle_undos, "idle-undos", "taking back nothing is left out")                                             \
  X(asked_moves, "asked-moves", "stacks that are moved last are only asked whether they can be")             \
  X(dead, "dead-values", "values that nobody reads are left out")                                            \
  X(copies, "changed-copies", "changes that are taken back soon are made to copies")                         \
  X(say_either, "either-text", "texts of conditions are keys")                                               \
  X(curves, "curves", "walks along tracks by tables")                                                        \
  X(start_first, "start-first", "who may start is asked before the start")                                   \
  X(choose_steps, "choose-steps", "directions with nothing behind them are not chosen")                      \
  X(start_sooner, "start-sooner", "a later condition on the start is asked at the start")                    \
  X(lift_first, "lift-first", "pieces are lifted before conditions that do not look there")                  \
  X(test_there, "test-there", "what is asked behind a step is asked before it")                              \
  X(choose_later, "choose-later", "choices as late as possible")                                             \
  X(choose_and_go, "choose-and-go", "a chosen direction that is gone is a step")                             \
  X(name_heading, "name-heading", "headings are names")                                                      \
  X(choose_place, "choose-place", "a chosen cell that is gone to is a place")                                \
  X(choose_only, "choose-only", "a choice of one is none")                                                   \
  X(narrow_choice, "narrow-choice", "conditions on a choice narrow its set")                                 \
  X(split_choice, "split-choice", "choices with a condition in two")                                         \
  X(split_ways, "split-ways", "directions that go on differently apart")                                     \
  X(as_place, "as-place", "conditions on one cell are sets")                                                 \
  X(slide_to_end, "slide-to-end", "slides are ends of lines")                                                \
  X(choose_end_of_line, "choose-end-of-line", "choices along lines are their ends")                          \
  X(run_to_goal, "run-to-goal", "runs up to a goal are tables")                                              \
  X(join_loops, "join-loops", "loops in a row are one")                                                      \
  X(put_in_lets, "put-in-lets", "values in the place of their names")                                        \
  X(put_in_displaced, "put-in-displaced", "values of another place in the place of their names")             \
  X(branch_to_test, "branch-to-test", "branches that never come are tests")                                  \
  X(join_tests, "join-tests", "tests in a row are one")                                                      \
  X(ask_here, "ask-here", "tests of a place are sets")                                                       \
  X(merged, "merged", "equal alternatives are one")                                                          \
  X(factored, "factored", "what alternatives begin with comes once")                                         \
  X(walk_to, "walk-to", "`to` a set that is a walk is the walk")                                             \
  X(split_to, "split-to", "`to` in parts")                                                                   \
  X(one_track, "one-track", "tracks that are always named together are one")

enum class Form : std::uint8_t {
#define X(form, name, does) form,
  BOARDWRIGHT_FORMS(X)
#undef X
};

struct FormRow {
  std::string_view name, does;
};

inline constexpr auto kForms = std::to_array<FormRow>({
#define X(form, name, does) {name, does},
    BOARDWRIGHT_FORMS(X)
#undef X
});

// Whether rules that are compiled from now on use it. They all do, unless a developer says otherwise.
[[nodiscard]] bool is_on(Form form);

// For the whole process, before any rules are compiled: not while another thread compiles some.
void set_form(Form form, bool on);

[[nodiscard]] std::optional<Form> form_named(std::string_view name);

// Names with commas between them (or `all`) are switched off. The first that isn't a form is given back, and
// then nothing is changed.
[[nodiscard]] std::optional<std::string_view> switch_forms_off(std::string_view names);

} // namespace boardwright::runtime
