// Sprint: a whole random game in one call.
//
// # What it is
// The turns of all players, what the chosen move does and the lines of `end` are compiled to one row of plain
// operations on registers: sets of cells, numbers and single cells. What of a turn is planned as slots
// (slots.hpp) is counted as sets; the rest is followed draft by draft in place, and only what a draft changes
// is kept. No text or move is made, and no move is taken back. What it can't say in such operations it
// doesn't do at all: then there is no sprint, and the machine plays its own way.
//
// The operations are carried out by sprint_run.hpp, or by native code that is made of them
// (sprint_native.hpp).
//
// # Registers
// The first sets are the state: one for each owner, for each kind if there are several, the empty cells, and
// the state variables that are sets. Constants follow, then values on the way. The first numbers are the
// state variables, then the ply and the turns of each player. Cells are where the walker of the chosen move
// began (0) and where else it came.
//
// # What counts as the same value
// Within what is run one after the other a value is worked out once, as long as nothing changes the state
// between: so the move's own values often lie ready from counting.
#pragma once

#include "runtime/sprint/frozen.hpp"
#include "runtime/sprint/slots.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::runtime {

// clang-format off
// X(operation): d is written; a, b, c are read; x is a number, a table's index or where to go on.
#define BOARDWRIGHT_SPRINT_OPS(X) \
  /* --- sets */ \
  X(copy)       /* d = a */ \
  X(unite) X(meet) X(minus) /* d = a op b */ \
  X(up) X(down) /* d = the members of a that are in b, moved by x cells */ \
  X(up_meet) X(down_meet) /* likewise, and met with c */ \
  X(join_up) X(join_down)  /* likewise, and d keeps what it has */ \
  X(jump)       /* d = where step x leads the members of a */ \
  X(jump_back)  /* d = from where step x leads to members of a */ \
  X(run_up) X(run_down) /* d = the cells of b straight on from a by x cells; c are those where the step arrives */ \
  X(run)        /* likewise, by step x */ \
  X(flood)      /* d = a and what is reached from it over cells of b by the steps of flood x */ \
  X(rays)       /* d = the cells of b straight on from cell a in the directions of rays x */ \
  X(slides)     /* likewise, with the first cell that isn't in b */ \
  X(first) X(last) /* d = the lowest, the highest of a */ \
  X(bit)        /* d = the cell a */ \
  /* --- numbers */ \
  X(count)      /* d = members of set a */ \
  X(number)     /* d = number a */ \
  X(add) X(subtract) X(multiply) X(divide) X(modulo) X(least) X(greatest) /* d = a op b */ \
  X(repeats)    /* d = earlier positions equal to this one */ \
  X(set_truth)  /* d = x */ \
  /* --- where to go on */ \
  X(go)         /* at x; the others there only if so, each followed by its opposite */ \
  X(if_none) X(if_some)    /* if set a is empty */ \
  X(if_apart) X(if_meet)   /* if sets a and b have no member in common */ \
  X(if_in) X(if_out)       /* if cell a is in set b */ \
  X(if_part) X(if_not_part) /* if set a is part of set b */ \
  X(if_less) X(if_not_less) X(if_equal) X(if_not_equal) /* numbers a, b */ \
  X(if_row) X(if_no_row)   /* if cell a with the cells of set b in line makes row c; d: 1 + its lines, if kept */ \
  X(if_stuck) X(if_free)   /* if no move has been counted */ \
  /* --- changes */ \
  X(place)      /* cell d = where place x takes cell 0 */ \
  X(set_bit) X(clear_bit)  /* of set d, cell a */ \
  X(carry)      /* of set d, from cell a to cell b, neither of which changes otherwise */ \
  X(grab)       /* number d = whether cell b is in set a, which loses it */ \
  X(give)       /* set d has cell b if number a */ \
  X(hop)        /* cell d = where step c takes cell a; at x if that is nowhere or not in set b */ \
  X(take)       /* cell d = the first of set a, which loses it; at x if there is none */ \
  X(take_on)    /* likewise, but at x if there is one */ \
  X(copy_cell)  /* cell d = cell a */ \
  X(again)      /* the same player moves again */ \
  X(drop)       /* set d has cell a, which set b loses */ \
  /* --- the course of a game */ \
  X(look)       /* a position has come about: for the rules of repetition */ \
  X(count_none) /* no move has been counted */ \
  X(count_pool) /* every cell of the pool is a move */ \
  X(leaf)       /* the set a are moves of leaf x */ \
  X(leaf_only)  /* they are all moves there are */ \
  X(leaf_up) X(leaf_down) /* what up_meet, down_meet give are moves of leaf d */ \
  /* --- drafts: the position is changed while moves are counted */ \
  X(save) X(restore) /* each set s of the kept ones x to set d + s, from set a + s */ \
  X(call)       /* a round of loop d, from cell a; c: not the first one; keeps b; at x */ \
  X(ret)        /* back behind the last call, with what it keeps as it was */ \
  X(write)      /* the notation so far, in set d, goes on with cell a and tag b */ \
  X(write_put)  /* likewise with cell a, and whether set b is empty, which it is then */ \
  X(write_set)  /* likewise with the cells of set a */ \
  X(leaf_draft) /* likewise `leaf`, from the draft as it is, of which it keeps d, begun at cell b; c: another */ \
  X(leaf_once)  /* likewise, if the same draft hasn't been a move yet */ \
  X(best_none)  /* no score is known */ \
  X(best)       /* if number a is a new best score, moves so far don't count; at x if it is worse */ \
  X(recall)     /* the draft of the chosen move, which kept x, to cells 1 and 2 what it had as b, c */ \
  X(pick)       /* goes on with a random one of them; ends the game if there is none */ \
  X(decide)     /* ends the game by verdict x */ \
  X(next)       /* the turn is over */
// clang-format on

struct SprintOp {
  enum class What : std::uint8_t {
#define X(name) name,
    BOARDWRIGHT_SPRINT_OPS(X)
#undef X
  } what = What::next;
  std::uint8_t rounds = 0; // of a run: so often the distance doubles
  std::uint16_t d = 0, a = 0, b = 0, c = 0;
  std::int32_t x = 0;
};

inline constexpr std::size_t kSprintOps = 0
#define X(name) +1
    BOARDWRIGHT_SPRINT_OPS(X)
#undef X
    ;

struct SprintRow { // so many cells in line, along any of the axes
  std::vector<int> steps;
  int length = 0;
};

// The lines of a board along the axes of a row, and which of their cells a set has: kept while that only
// gains cells, each of which is then looked at for a row.
struct SprintLines {
  std::uint16_t row = 0, set = 0;
};
inline constexpr int kLongestLine = 32; // cells: a word

// Registers that can change before they are looked at again.
struct SprintKept {
  std::vector<std::uint16_t> sets, numbers, cells;
  friend bool operator==(const SprintKept&, const SprintKept&) = default;
};

struct SprintLoop {                // a repetition
  std::uint16_t cell = 0;          // where a round begins
  std::uint16_t any = 0, deep = 0; // numbers: there was a further round; it isn't the first one
};

struct SprintVerdict {
  bool by_score = false;
  std::vector<std::uint16_t> score; // by player: numbers
  std::uint32_t winners = 0;
  std::uint32_t origin = 0;
  Outcome::By by = Outcome::By::move;
};

struct SprintLeaf {
  std::vector<std::int16_t> origin; // by the cell of a bit: where the walker began
  std::uint32_t entry = 0;
};

struct SprintPlayer {
  std::uint32_t entry = 0;
  std::vector<SprintLeaf> leaves;
};

struct SprintCode {
  std::vector<SprintOp> ops;
  std::vector<SprintPlayer> players;
  std::vector<CellSet> constants;
  std::vector<std::int32_t> number_constants;
  std::vector<std::vector<int>> floods; // steps
  std::vector<std::vector<int>> rays;   // steps
  std::vector<SprintRow> rows;
  std::vector<SprintLines> lines;
  std::vector<SprintLoop> loops;
  std::vector<SprintKept> kept;
  std::vector<SprintVerdict> verdicts;
  std::vector<std::vector<std::int16_t>> places; // of all players
  // The board of the sprint: its cells may be numbered otherwise than the program's.
  Board board;
  std::vector<std::int16_t> of_cell; // by the program's cell; empty: it is the same
  // The registers of the state.
  std::uint16_t owners = 0, kinds = 0; // how many sets of each come first
  std::uint16_t empty = 0;
  std::vector<int> set_of;      // by variable: its register, or -1
  std::uint16_t state_sets = 0; // how many in all
  // And with the locals that actions change, the cells that pieces have left the game from since something
  // was put (the last but one), and a hash of what has been written (the last).
  std::uint16_t draft_sets = 0;
  std::uint16_t ply = 0, turns = 0; // numbers; before them the variables
  std::uint16_t state_numbers = 0;
  // All of them: state, constants, values.
  std::uint16_t sets = 0, numbers = 0, cells = 0;
  bool uses_history = false;
  // Is this set of the state known where the others are? The empty cells and the last kind are.
  [[nodiscard]] bool follows(std::size_t set) const {
    return set == empty || (kinds > 0 && set + 1 == empty);
  }
  Frozen frozen; // right for positions where the variables have these values
  // All moves of all players are single cells out of `empty`, which loses nothing else: a list of the empty
  // cells does.
  bool pool = false;
};

// Nothing if the rules say what a sprint can't.
[[nodiscard]] std::optional<SprintCode> compile_sprint(const Program& program);

} // namespace boardwright::runtime
