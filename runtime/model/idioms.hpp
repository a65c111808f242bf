// Idioms: what normalize and lowering recognise in order to make code that is faster than what each operation
// gives by itself. Each can be switched off, for measuring what it is worth and for telling which one is at
// fault; every game is played the same with any of them off, but for its speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace boardwright::runtime {

// X(idiom, what it does)
#define BOARDWRIGHT_IDIOMS(X)                                                                                \
  X(rows, "how many cells are in line, compared with a number, by shifts of sets")                           \
  X(cached_rows, "sets that have been seen to have no row are kept from position to position")               \
  X(groups, "connected parts of a set one after the other, not once from each cell")                         \
  X(cached_groups, "what is connected with a set is kept from position to position")                         \
  X(fitting, "pivots of maps that fit are found all at once")                                                \
  X(could_stand, "of cells that are chosen only those from which the next step can begin")                   \
  X(as_if_moved, "conditions behind `move` are asked of the sets that would be")                             \
  X(constants_set_at_a_time, "choices among constants for all walkers")                                      \
  X(carried, "pieces that are lifted and laid down along a line are only counted")                           \
  X(sure_legality, "conditions behind a choice of a cell are asked once for many cells")                     \
  X(counted_rounds, "moves of repetitions are counted by few numbers, not enumerated")                       \
  X(set_at_a_time, "all walkers as sets of cells")                                                           \
  X(loops_set_at_a_time, "repetitions for all walkers")                                                      \
  X(preimages, "who gets to a set, by going back from it")                                                   \
  X(counts_set_at_a_time, "counts for all walkers")                                                          \
  X(members_set_at_a_time, "conditions on members of a set are asked of all of them")                        \
  X(who_could_begin, "who cannot get through what comes next does not begin")                                \
  X(memos, "what depends on nothing but cells is looked up")                                                 \
  X(cell_tables, "what depends on nothing but one cell is worked out for each")                              \
  X(lines_by_number, "straight walks whose length is a number are tables")                                   \
  X(implied_members, "members that cannot pass a condition are not asked")                                   \
  X(keys, "moves that are compared are told by keys first")                                                  \
  X(ambiguities, "alternatives are compared only in positions where both can begin")                         \
  X(apart, "alternatives are tried apart, so that fewer are compared")                                       \
  X(heights, "spread stacks give every choice back")                                                         \
  X(deferred, "what cannot fail is left to the move that is played")                                         \
  X(most_at_once, "`most` takes moves back when a better one is found")                                      \
  X(enclosed, "runs between two of a set by shifts")                                                         \
  X(attacked, "is a cell attacked: from the cell back")                                                      \
  X(either_name, "a name with two values by two ways")                                                       \
  X(straight_rounds, "repetitions of single steps are loops without calls")                                  \
  X(sifted_loops, "loops over members that only sift them are sets")                                         \
  X(one_way, "rounds that lead nowhere back are not compared")                                               \
  X(unseen_changes, "changes that are taken back before anything reads them are left out")                   \
  X(idle_undos, "taking back nothing is left out")                                                           \
  X(asked_moves, "stacks that are moved last are only asked whether they can be")                            \
  X(dead_values, "values that nobody reads are left out")                                                    \
  X(changed_copies, "changes that are taken back soon are made to copies")                                   \
  X(either_text, "texts of conditions are keys")                                                             \
  X(curves, "walks along tracks by tables")                                                                  \
  X(start_first, "who may start is asked before the start")                                                  \
  X(choose_steps, "directions with nothing behind them are not chosen")                                      \
  X(start_sooner, "a later condition on the start is asked at the start")                                    \
  X(lift_first, "pieces are lifted before conditions that do not look there")                                \
  X(test_there, "what is asked behind a step is asked before it")                                            \
  X(choose_later, "choices as late as possible")                                                             \
  X(choose_and_go, "a chosen direction that is gone is a step")                                              \
  X(name_heading, "headings are names")                                                                      \
  X(choose_place, "a chosen cell that is gone to is a place")                                                \
  X(choose_only, "a choice of one is none")                                                                  \
  X(narrow_choice, "conditions on a choice narrow its set")                                                  \
  X(split_choice, "choices with a condition in two")                                                         \
  X(split_ways, "directions that go on differently apart")                                                   \
  X(as_place, "conditions on one cell are sets")                                                             \
  X(slide_to_end, "slides are ends of lines")                                                                \
  X(choose_end_of_line, "choices along lines are their ends")                                                \
  X(run_to_goal, "runs up to a goal are tables")                                                             \
  X(few_rounds, "what is connected is counted only as far as is asked")                                      \
  X(join_loops, "loops in a row are one")                                                                    \
  X(put_in_lets, "values in the place of their names")                                                       \
  X(put_in_displaced, "values of another place in the place of their names")                                 \
  X(branch_to_test, "branches that never come are tests")                                                    \
  X(join_tests, "tests in a row are one")                                                                    \
  X(ask_here, "tests of a place are sets")                                                                   \
  X(merged, "equal alternatives are one")                                                                    \
  X(factored, "what alternatives begin with comes once")                                                     \
  X(walk_to, "`to` a set that is a walk is the walk")                                                        \
  X(split_to, "`to` in parts")                                                                               \
  X(one_track, "tracks that are always named together are one")

enum class Idiom : std::uint8_t {
#define X(idiom, does) idiom,
  BOARDWRIGHT_IDIOMS(X)
#undef X
};

struct IdiomRow {
  std::string_view name, does;
};

inline constexpr auto kIdioms = std::to_array<IdiomRow>({
#define X(idiom, does) {#idiom, does},
    BOARDWRIGHT_IDIOMS(X)
#undef X
});

// Whether rules that are compiled from now on use it. They all do, unless a developer says otherwise.
[[nodiscard]] bool is_on(Idiom idiom);

// For the whole process, before any rules are compiled: not while another thread compiles some.
void set_idiom(Idiom idiom, bool on);

[[nodiscard]] std::optional<Idiom> idiom_named(std::string_view name);

// Names with commas between them (or `all`) are switched off. The first that isn't an idiom is given back,
// and then nothing is changed.
[[nodiscard]] std::optional<std::string_view> switch_idioms_off(std::string_view names);

} // namespace boardwright::runtime
