// The intermediate representation: what every rule file is compiled to, whole.
//
// # What it is
// A row of plain operations on registers. The lowering (runtime/lowering/) writes it, the executor
// (runtime/executor/) carries it out. It derives the moves of a position (and counts, lists or picks them:
// the sink), plays one, and judges how the game stands.
//
// # Registers
//   sets    of cells: bitboards. The first ones are the state: a set for each owner, for each kind (if
//           there are several), the empty cells, the state variables that are sets. Constants and values
//           follow.
//   numbers 32 bits: numbers, truths, kinds, players, single cells and single steps (-1: none). The first
//           ones are the state too: variables, hands, counters.
//   boxes   what is rarer: lists, maps.
// Directions are sets, too: of numbers of steps instead of cells.
// Which registers are the state is in Layout.
//
// # Choices
// Where a rule can go on in several ways the code tries one after the other, from the same draft: it changes
// the state in place, and what it changes is noted on a trail, from which `undo` takes it back. A test that
// fails goes on behind what it guards. So choices nest like loops, and a repetition calls itself.
//
// # Moves
// A move is the list of the choices that lead to it (Choice): the code that plays a move takes these instead
// of trying them all. Choices that are the same for all moves of a leaf are in the leaf; the others stand in
// registers when the leaf is reached, and the last one may be left open: a set of cells, each of which is a
// move.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::runtime::ir {

using Reg = std::uint16_t;
// Flag of move_by: nothing looks at the board before all is taken back, unless moves are compared in full.
inline constexpr std::uint8_t kOnlyAsked = 2;

inline constexpr int kMaxRegisters = 60'000; // of a sort

// The table of operations: name, operands, what else is to be known of them, what it does. Whoever asks what
// an operation reads, writes, or where it goes on asks operations.hpp, which reads this table.
//
// Operands d, a, b, c, x and the flag y have a letter each, in this order.
//   S s  a set, written or read        N n  a number        B b  a box
//   W M  a set or number of the state, changed: the old value is noted on the trail
//   j    where to go on                i    a constant      -    nothing
//   P    a player (-1: nobody)         e    a step of the board
//   u    a text of the program         o    a mask of owners
// Indices of tables of Code:
//   t tables   p places   q set_tables   l steps   J labels   z scales     r rows
//   k keys     w spill areas  m memos        D drops   v verdicts    f leaves   y key_texts  c choice_lists
//   g messages
// The flag:
//   a    b isn't asked: all there are  g    notes what leaves, or writes
//   w    of the whole turn; of visit 1: nothing but the walker has changed, 2: what has been written counts
//        too, and only the latest drafts are known, 3: both
//   s    how the turn begins       b    the state is the same all along the path
//   h    1: notes what leaves; 2 (kOnlyAsked): unless moves are compared in full it only asks; 3: both
//   k    1: only the key of what is written goes on (Layout::written); 2: both do
// Where a letter isn't all:
//   d2   operand d is that many registers in a row (likewise a, b)
//   d+   d is read too                 a capital letter behind d is changed, so it is read and written
//   d>   d is written only where it goes on behind; d^ only where it jumps
//   .    never goes on behind itself   ~    may also go on behind the next operation
//   L    goes on at the code of a move P    at the code of a position
//   !    may be a fault, besides those of work and memory that everything may be
//   *    may go by parts of the state that no operand names, or leave them to others
// clang-format off
#define BOARDWRIGHT_IR(X) \
  /* --- sets */ \
  X(set_copy,      "Ss----", "",     "d = a") \
  X(set_unite,     "Sss---", "",     "d = a | b") \
  X(set_meet,      "Sss---", "",     "d = a & b") \
  X(set_minus,     "Sss---", "",     "d = a - b") \
  X(set_shift,     "Sss-i-", "",     "d = the members of a that are in b, moved by x numbers") \
  X(set_step,      "Ss--e-", "",     "d = where step x leads the members of a") \
  X(set_step_back, "Ss--e-", "",     "d = from where step x leads to members of a") \
  X(set_steps_by,  "Sss---", "",     "d = where the steps of b lead the members of a") \
  X(set_run,       "Sss-e-", "",     "d = the cells of b straight on from members of a by step x, as far as they are in b") \
  X(set_run_shift, "Ssssii", "",     "likewise, where step x is a shift: to cells of c") \
  X(set_flood,     "Sss-l-", "",     "d = a and what is reached from it over cells of b by the steps x") \
  X(set_rays,      "Sns-l-", "",     "d = the cells of b straight on from cell a along each of the steps x") \
  X(set_slides,    "Sns-l-", "",     "likewise, and on each line the first cell that isn't in b") \
  X(set_between,   "Snssl-", "",     "d = along each of the steps x the cells of b straight on from cell a that lie before a cell of c") \
  X(set_around,    "Sn--l-", "",     "d = where the steps x lead cell a; none for -1") \
  X(set_table,     "Snn-q-", "",     "d = what set table x has for cell a and number b (where it ends, its last); none for -1") \
  X(set_first,     "Ss----", "",     "d = the lowest member of a") \
  X(set_cell,      "Sn----", "",     "d = the cell a; none for -1") \
  X(set_of_kind,   "Sn----", "*",    "d = the cells with a piece of kind a on top; none for -1") \
  X(set_corners,   "Snn---", "",     "d = the rectangle with corners a, b, each y * 1024 + x; none if one is -1") \
  X(set_box,       "Snnn--", "",     "d = every c-th cell of the rectangle with corners a, b (cells)") \
  X(set_file,      "Sn----", "",     "d = the cells with x = a") \
  X(set_rank,      "Sn----", "",     "d = the cells with y = a") \
  X(set_numbered,  "Sn----", "",     "d = the cells whose name is the number a") \
  X(set_image,     "Ssb---", "",     "d = where map b takes the members of a") \
  X(set_mapped,    "Ss--p-", "",     "d = what place table x has for the members of a; none for -1") \
  X(set_displaced, "Ssnn--", "",     "d = where the way from cell b to cell c takes the members of a; none if one is -1") \
  X(set_scaled,    "Sss-z-", "",     "d = where scale x about the middle of b takes the members of a") \
  X(set_fitting,   "Ssssz-", "",     "d = the members of b about which scale x takes every member of a to a cell of c") \
  X(set_union,     "Sb----", "",     "d = the union of the list of sets a") \
  X(set_of_kinds,  "Sb----", "*",    "d = the cells with a kind of list a on top") \
  X(set_add,       "Sn----", "d+",   "d has cell a too, if that isn't -1") \
  X(set_join,      "Ss----", "d+",   "d has the members of a too") \
  /* --- numbers */ \
  X(copy,          "Nn----", "",     "d = a") \
  X(constant,      "N---i-", "",     "d = x") \
  X(add,           "Nnn---", "",     "d = a + b, saturating like all that follow") \
  X(subtract,      "Nnn---", "",     "d = a - b") \
  X(multiply,      "Nnn---", "",     "d = a * b") \
  X(divide,        "Nnn---", "",     "d = a / b, rounded down; by zero 0") \
  X(modulo,        "Nnn---", "",     "d = a % b, with the sign of b; by zero 0") \
  X(shift_down,    "Nn--i-", "",     "d = a / 2^x, rounded down") \
  X(low_bits,      "Nn--i-", "",     "d = a % 2^x") \
  X(least,         "Nnn---", "",     "d = the lesser of a and b") \
  X(greatest,      "Nnn---", "",     "d = the greater of a and b") \
  X(absolute,      "Nn----", "",     "d = |a|") \
  X(count,         "Ns----", "",     "d = members of a") \
  X(first,         "Ns----", "",     "d = the lowest member of a, or -1") \
  X(last,          "Ns----", "",     "d = the highest member of a, or -1") \
  X(table,         "Nn--t-", "",     "d = what table x has for cell a; 0 for -1") \
  X(place,         "Nn--p-", "",     "d = what place table x has for cell a; -1 for -1") \
  X(height,        "Ns----", "*",    "d = pieces in the stacks of a") \
  X(spread,        "Ns----", "",     "d = the longer side of the smallest rectangle around a") \
  X(height_at,     "Nn----", "*",    "d = pieces on cell a; 0 for -1 (with stacks)") \
  X(pieces,        "Nsn-o-", "*",    "d = pieces on a whose owner is in mask x, of kind b unless that is -2") \
  X(kind_at,       "Nn----", "*",    "d = the kind on top of cell a, or -1") \
  X(hand,          "Nn--P-", "!*",   "d = pieces of kind a in the hand of player x; a fault without an entry") \
  X(carried,       "N-----", "*",    "d = how many pieces are carried") \
  X(repeats,       "N----s", "*",    "d = earlier positions equal to this one; y: this is how the turn begins") \
  X(repeats_of,    "N---P-", "*",    "d = positions of the past, this turn's beginning among them, equal to this one with player x to move") \
  X(earlier,       "Nn---s", "*",    "d = plies before the a-th last earlier position equal to this one, or -1; y: this is how the turn begins") \
  X(board_repeats, "N---i-", "*",    "d = positions of the past with this board; x: 1 if the turn's beginning is one of them, 2: no fewer than of any board") \
  X(step_to,       "Nnn---", "",     "d = where step b leads cell a, or -1") \
  /* --- directions: sets of numbers of steps */ \
  X(steps_turned,  "Ssn---", "",     "d = the directions a turned by b degrees") \
  X(steps_spins,   "Ss----", "",     "d = all rotations and reflections of the directions a") \
  X(steps_sum,     "Sss---", "",     "d = the sums of the directions a and b") \
  X(steps_times,   "Sns---", "",     "d = a times the directions b") \
  /* --- boxes: lists, maps */ \
  X(box_copy,      "Bb----", "",     "d = a") \
  X(box_unite,     "Bbb---", "!",    "d = a | b") \
  X(box_meet,      "Bbb---", "",     "d = a & b") \
  X(box_minus,     "Bbb---", "",     "d = a - b") \
  X(box_count,     "Nb----", "",     "d = members of a") \
  X(box_clear,     "B-----", "",     "d = no directions, the empty list") \
  X(box_add,       "Bn----", "d+!",  "list d goes on with number a, if it isn't there yet") \
  X(box_add_set,   "Bs----", "d+!",  "list d goes on with set a, if it isn't there yet") \
  X(box_range,     "Bnn---", "!",    "d = the numbers from a to b") \
  X(box_players,   "B---i-", "!",    "d = the players still in, from x % 256 on in turn order; x >= 256: without him") \
  X(box_get,       "Nbn---", "",     "d = member b of the list a") \
  X(box_get_set,   "Sbn---", "",     "d = member b of the list a of sets") \
  X(map_shift,     "Bnn---", "",     "d = the displacement from cell a to cell b") \
  X(map_scale,     "Bnns--", "",     "d = by a / b about the middle of c") \
  X(map_rotate,    "Bns---", "",     "d = by a degrees about the middle of b") \
  X(map_reflect,   "Bss---", "",     "d = across the line along a (a direction) through the middle of b") \
  /* --- where to go on; a condition is followed by its opposite */ \
  X(go,            "----j-", ".",    "at x") \
  X(if_none,       "-s--j-", "",     "if set a is empty") \
  X(if_some,       "-s--j-", "",     "if it isn't") \
  X(if_apart,      "-ss-j-", "",     "if sets a and b have no member in common") \
  X(if_meet,       "-ss-j-", "",     "if they have") \
  X(if_in,         "-ns-j-", "",     "if cell a is in set b; -1 is in every set") \
  X(if_out,        "-ns-j-", "",     "if it isn't") \
  X(if_part,       "-ss-j-", "",     "if set a is part of set b") \
  X(if_not_part,   "-ss-j-", "",     "if it isn't") \
  X(if_same,       "-ss-j-", "",     "if sets a and b are equal") \
  X(if_not_same,   "-ss-j-", "",     "if they aren't") \
  X(if_less,       "-nn-j-", "",     "if a < b") \
  X(if_not_less,   "-nn-j-", "",     "if not") \
  X(if_equal,      "-nn-j-", "",     "if a = b") \
  X(if_not_equal,  "-nn-j-", "",     "if not") \
  X(if_box_none,   "-b--j-", "",     "if box a has no member") \
  X(if_box_some,   "-b--j-", "",     "if it has one") \
  X(if_box_same,   "-bb-j-", "",     "if boxes a and b are equal") \
  X(if_box_differ, "-bb-j-", "",     "if they aren't") \
  X(if_member,     "-nb-j-", "",     "if number a is in list b") \
  X(if_no_member,  "-nb-j-", "",     "if it isn't") \
  X(if_member_set, "-sb-j-", "",     "if set a is in list b") \
  X(if_no_member_set, "-sb-j-", "",     "if it isn't") \
  X(if_changed,    "----j-", "*",    "if board or hands differ from the turn's beginning") \
  X(if_unchanged,  "----j-", "*",    "if they don't") \
  X(if_row,        "-nsrj-", "",     "if cell a with the cells of b in line makes row c (a table)") \
  X(if_no_row,     "-nsrj-", "",     "if it doesn't") \
  X(if_no_move,    "----j-", "",     "if no move has been found") \
  X(if_move,       "----j-", "",     "if one has") \
  X(jump_table,    "-n--J-", ".",    "to the label of table x for a") \
  /* --- loops and calls */ \
  X(take,          "NS--j-", "d>",   "d = the lowest member of a, which loses it; to x if there is none") \
  X(next_member,   "NbN-j-", "d>",   "d = member b of list a, then b goes on by one; to x behind the last one") \
  X(next_set,      "SbN-j-", "d>",   "likewise, of a list of sets") \
  X(bend,          "NnsNj-", "d2>",  "d, d + 1 = where the next curve (from number c on) leaves cell a in a direction of b, and its heading; to x behind the last one") \
  X(hop,           "Nnsej-", "",     "d = where step c leads cell a; to x if that is nowhere or not in b") \
  X(hop_by,        "NnsNj-", "",     "likewise, by the step in number c") \
  X(mark,          "N-----", "d2",   "d = how long the trail is") \
  X(undo,          "-n----", "a2",   "takes back what has changed since mark a") \
  X(keep,          "----w-", "",     "puts the registers of spill area x on the stack") \
  X(restore,       "------", "",     "and takes them from there") \
  X(call,          "----j-", "!",    "on at x until `ret`") \
  X(ret,           "------", ".",    "behind the last call") \
  X(stack_mark,    "N-----", "d4*",  "d = how high the stack is") \
  X(cut,           "-n--j-", "a4.*", "the stack is as high as a again, and the registers as they were; on at x") \
  X(path_mark,     "N-----", "",     "d = where a path begins") \
  X(path_enter,    "-n-kjb", "*",    "to x if the path since a has come by this draft, as key c tells it; else it has now") \
  X(path_leave,    "-n----", "",     "the path is as long as a again") \
  X(visit_begin,   "N-----", "",     "d = a new place for drafts that have been visited") \
  X(visit,         "-n-kjw", "*",    "to x if this draft (key c) has been visited at place a; it has now") \
  X(visit_end,     "-n----", "",     "forgets the place") \
  X(memo_enter,    "---kj-", "!*",   "to x if it is known how many moves come from here, by the numbers of key c: they are counted") \
  X(memo_leave,    "------", "!*",   "all moves from there have been found") \
  X(recall,        "Snnmj-", "d^",   "d = what memo c has kept for cells a and b, and to x; else on") \
  X(remember,      "-snnm-", "",     "memo x keeps set a for cells b and c") \
  /* --- changes of the state: all are noted on the trail */ \
  X(put_in,        "Wn----", "",     "set d has cell a") \
  X(take_out,      "Wn----", "",     "set d loses cell a") \
  X(write_set,     "Ws----", "*",    "set d = a") \
  X(join_set,      "Ws----", "",     "set d has the members of a") \
  X(leave_set,     "Ws----", "",     "set d loses the members of a") \
  X(write,         "Mn----", "",     "number d = a") \
  X(write_box,     "Bb----", "*",    "box d = a") \
  X(write_hand,    "-nnP--", "!*",   "the hand of the player in c: kind a has b pieces") \
  X(lift,          "-n--j-", "!*",   "the piece on cell a is carried from now on; to x if there is none") \
  X(put,           "-n---g", "*",    "the piece that is carried, if any, lies on cell a") \
  X(set_piece,     "-n--ig", "*",    "cell a has a piece of code x, or none (0)") \
  X(lift_some,     "-nn-ja", "!*",   "the top b pieces of cell a (-1: all) go into the air; to x if there are fewer or none") \
  X(put_some,      "-nn-ja", "!*",   "the lowest b carried (-1: all) are laid on cell a; to x if fewer are carried") \
  X(discard,       "-nn-ja", "*",    "the lowest b carried (-1: all) leave the game; to x if fewer are carried") \
  X(remove,        "-s---g", "*",    "the stacks of a leave the board") \
  X(drop,          "-snnDg", "~!*",  "c pieces of kind b come on every cell of a, as drop table x says; then behind the next operation, or at it if that fails") \
  X(change,        "-sn-D-", "~!*",  "the top pieces of a change as change table x says, to kind b; likewise") \
  X(move_by,       "-sb-jh", "!*",   "the stacks of a go where map b takes them; to x if they can't") \
  X(decide,        "----v-", "*",    "the game ends by verdict x") \
  X(lose,          "----v-", "*",    "the mover loses, as verdict x says") \
  /* --- notation */ \
  X(say_text,      "----uk", "!*",   "writes text x") \
  X(say_from,      "-n---k", "!*",   "writes what has left and cell a, after a blank where something stands") \
  X(say_put,       "-n---k", "!*",   "writes `-` or `x` and cell a") \
  X(say_gone,      "-----k", "!*",   "writes what has left") \
  X(say_drop,      "-sn-Dk", "!*",   "writes a drop of kind b on a, by drop table x") \
  X(say_change,    "-nn--k", "!*",   "writes `=` and the letter of kind b, if the piece on cell a is of another") \
  X(say_number,    "-n---k", "!*",   "writes number a") \
  X(say_truth,     "-n---k", "!*",   "writes truth a") \
  X(say_set,       "-s---k", "!*",   "writes the cells a") \
  X(say_kind,      "-n---k", "!*",   "writes the letter of kind a") \
  X(say_player,    "-n---k", "!*",   "writes the name of player a") \
  X(gone_cell,     "-n----", "*",    "what is on cell a leaves: if another's piece is there that is to be written") \
  X(gone_cells,    "-s----", "*",    "likewise, of cells a") \
  X(gone_cell_of_carried, "-n----", "*",    "the piece that is carried, another's, leaves from cell a") \
  X(gone_carried,      "-nn--a", "*",    "likewise, of the lowest b carried (-1: all), that leave from cell a") \
  X(gone_copy,     "S-----", "*",    "d = the cells whose leaving is to be written") \
  X(gone_back,     "-s----", "*",    "and as they were") \
  /* --- moves */ \
  X(leaf,          "-s--f-", "!",    "every cell of a is a move of leaf x") \
  X(leaf_one,      "----f-", "!",    "the draft is a move of leaf x") \
  X(key_text,      "Ss--y-", "",     "d = the key a (a word) goes on with key text x") \
  X(key_set,       "Sss---", "",     "d = the key a goes on with the cells b; itself if there are none") \
  X(leaf_key,      "-s--f-", "!*",   "the draft is a move of leaf x, the only one with key a so far: else the turn begins again, in full") \
  X(leaf_keys,     "-ss-f-", "!*",   "likewise, but every cell of b is a move") \
  X(leaf_once,     "----f-", "!*",   "the draft is a move of leaf x, if no move before has the same notation and result, by their keys (register `full`: compares notations first)") \
  X(choices,       "Nn--c-", "",     "the choices x are written from place a on; d = the place behind them") \
  X(best_begin,    "N-----", "",     "d = no score yet") \
  X(best_moves,    "N-----", "d3",   "d and two more = how many moves have been found, before those of which only the best count") \
  X(best_test,     "Nnn-j-", "d+b3", "to x if score a is less than d; if it is greater, d = a, and moves found since b don't count") \
  X(best_end,      "-n----", "a3!*", "of the moves found since a only the best are left") \
  X(outcomes_begin, "N-----", "",     "d = a new place for outcomes of `distinct`") \
  X(outcomes_note, "-n-k--", "*",    "notes the draft (key c) and its notation at place a") \
  X(outcomes_test, "-n-kj-", "*",    "to x unless place a has kept this draft and notation, which it forgets") \
  X(outcomes_end,  "-n----", "",     "forgets the place") \
  /* --- playing a move */ \
  X(next_choice,   "N-----", "!*",   "d = the next choice of the move that is played") \
  X(choice,        "N---i-", "",     "d = value x of the record of the move") \
  /* --- the course of a turn */ \
  X(begin_turn,    "----P-", "!*",   "player x is to move") \
  X(compare,       "Nn----", "*",    "from here on moves are compared; d = 1 if their results are too, from a = -1; else d = a") \
  X(snapshot,      "------", "*",    "keeps the state as it is: the beginning of the turn") \
  X(view_beginning, "------", "*",    "the state is as at the beginning of the turn") \
  X(view_now,      "------", "*",    "and again as it was") \
  X(end_turn,      "----P-", ".P*",  "the turn of player x is over: the next player is to move, or the same again") \
  X(again,         "------", "*",    "the same player will move again") \
  X(score,         "-n--P-", "*",    "player x has share a") \
  X(decide_score,  "----v-", "*",    "the game ends by the shares, as verdict x says") \
  X(put_out,       "----v-", ".P!*", "an `end` line puts the player to move out, as verdict x says; the next one is asked") \
  X(moves_done,    "------", "*",    "all moves are known") \
  X(pick,          "------", ".L!*", "goes on with the code that plays one of the moves") \
  X(fault,         "----g-", ".!*",  "goes wrong with message x") \
  X(halt,          "------", ".*",   "done")
// clang-format on

enum class Op : std::uint8_t {
#define X(name, roles, more, what) name,
  BOARDWRIGHT_IR(X)
#undef X
};

struct Instruction {
  Op op = Op::halt;
  std::uint8_t y = 0; // of set_run_shift: how often the distance doubles; of others: see there
  Reg d = 0, a = 0, b = 0, c = 0;
  std::uint16_t cost = 0; // of one that may lead back: what a round of that loop is counted as, see kMaxWork
  std::int32_t x = 0;
  std::uint32_t origin = 0; // Program::origins
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// Where the state stands in the registers. Sets: owners (players, then neutral if there is such a piece),
// kinds (if there are several), empty, set variables. Numbers: variables, hands, then the counters below.
struct Layout {
  int words = 1; // of a set
  int cells = 0;
  int players = 0;
  Reg owners = 0, kinds = 0; // how many sets there are of each
  Reg empty = 0;
  std::vector<int> set_of_variable; // its set, or -1
  Reg state_sets = 0;               // all of these
  std::vector<Reg> clocks;          // numbers among the variables that repetition doesn't see
  Reg hands = 0;                    // the first number that is a hand; before it the variables
  Reg ply = 0, turns = 0, to_move = 0, out = 0;
  Reg state_numbers = 0; // all up to here are the position
  // Of the draft of a turn:
  Reg again = 0, decision = 0, winners = 0;
  Reg carried = 0; // the code of the piece that is carried, 0 for none; on boards with stacks how many are
  Reg full = 0;    // 1: results are compared too, not only notations; -1: nothing is yet
  Reg gone = 0;    // a set: cells that another's pieces have left, which isn't written yet
  Reg written = 0; // a set whose first word is the key of what has been written, where only that is kept
  Reg draft_sets = 0, draft_numbers = 0; // state and draft, with the locals that are changed
  bool mailbox = false; // the code of the piece on each cell is kept too (always, with stacks)
  bool stacks = false;
  int levels = 1; // of a stack
  friend bool operator==(const Layout&, const Layout&) = default;
};

// Where the value of a choice stands.
struct Choice {
  enum class From : std::uint8_t { constant, number, open } from = From::constant;
  std::int32_t value = 0;  // the constant, or the register
  std::int32_t place = -1; // of an open one: what place table gives for the cell that is chosen; -1: itself
  friend bool operator==(const Choice&, const Choice&) = default;
};

// What moves of one way through the rule have in common.
struct Leaf {
  std::vector<Choice> choices; // behind those that code before has written (`choices`)
  int base = -1;               // the number register that says how many these are; -1: none
  std::uint32_t entry = 0;     // the code that plays such a move
  bool dynamic = false;        // that takes all choices one by one (next_choice)
  std::vector<Reg> values;     // what a record keeps: value i of `choice`; an open choice is value -1
  std::uint32_t origin = 0;
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

struct Verdict {
  std::uint32_t winners = 0;
  std::uint32_t origin = 0;
  std::int32_t player = 0;
  Outcome::By by = Outcome::By::move;
  std::uint64_t shares = 0; // as of an Outcome
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

struct DropTable {                    // drop, say_drop
  std::int32_t owner = 0, player = 0; // as in Op::drop of the core
  friend bool operator==(const DropTable&, const DropTable&) = default;
};

// Registers that a draft is compared by, besides the state.
struct DraftKey {
  std::vector<Reg> sets, numbers, boxes;
  friend bool operator==(const DraftKey&, const DraftKey&) = default;
};

// Registers that a call keeps for its caller: those that are read before they are written again. Of boxes all
// from one on.
struct SpillArea {
  std::vector<Reg> sets, numbers;
  Reg box_begin = 0, box_end = 0;
  friend bool operator==(const SpillArea&, const SpillArea&) = default;
};

// A set for each cell and each number from 0 on; greater numbers stand for the last one, negative ones for 0.
struct SetTable {
  std::int32_t numbers = 1;
  std::vector<CellSet> sets; // by cell * numbers + number
  friend bool operator==(const SetTable&, const SetTable&) = default;
};

// A memo keeps sets that depend on nothing but two cells: the latest of those that fall into the same slot.
inline constexpr int kMemoSlots = 4'096; // a power of two
inline constexpr int kMostMemos = 24;    // each takes some 100 kB

struct Row { // so many cells in line, along any of the steps and, unless it is one_way, their opposites
  std::vector<std::int16_t> steps;
  std::int32_t length = 0;
  bool one_way = false;
  friend bool operator==(const Row&, const Row&) = default;
};

// The code of a player's turns.
struct PlayerCode {
  std::uint32_t position = 0;   // judges, derives the moves, picks one
  std::uint32_t play = 0;       // plays a move choice by choice
  std::uint32_t notate = 0;     // likewise, and writes it
  std::uint32_t moves_done = 0; // where the position goes on when its moves are known
  friend bool operator==(const PlayerCode&, const PlayerCode&) = default;
};

// How a key of a move goes on with the words of a set: plus the word, times the factor, and the upper bits
// laid over the lower ones.
inline constexpr std::uint64_t kKeyFactor = 0x9e3779b97f4a7c15U;
inline constexpr int kKeyShift = 29;

// What a text does to a key: times, then plus. One text behind another is both.
struct KeyText {
  std::uint64_t times = 1, plus = 0;
  friend bool operator==(const KeyText&, const KeyText&) = default;
};
// Character by character: plus the character, times the factor. So of a text there is one key, however it was
// put together, and none but the empty one leaves a key as it is.
[[nodiscard]] constexpr KeyText key_of_text(std::string_view text) {
  KeyText all;
  for (const char c : text) {
    all.times *= kKeyFactor;
    all.plus = (all.plus + static_cast<unsigned char>(c)) * kKeyFactor;
  }
  return all;
}

struct Scale { // by / over
  std::int32_t by = 1, over = 1;
  friend bool operator==(const Scale&, const Scale&) = default;
};

struct Code {
  Layout layout;
  std::vector<Instruction> instructions;
  std::vector<PlayerCode> players;
  std::vector<Leaf> leaves;
  std::vector<CellSet> set_constants; // in sets from Layout::draft_sets on
  std::vector<Reg> cached_sets;       // of these: they begin as such and change, and are never put back
  std::vector<Reg> directions;        // of these: they are of steps, not of cells
  std::vector<std::int32_t> number_constants; // in numbers from Layout::draft_numbers on
  std::vector<std::vector<std::int16_t>> tables, places;
  std::vector<std::vector<std::int16_t>> steps;   // lists of steps
  std::vector<std::vector<std::uint32_t>> labels; // of jump_table
  std::vector<Verdict> verdicts;
  std::vector<DropTable> drops;
  std::vector<DraftKey> keys;
  std::vector<SpillArea> spill_areas;
  std::vector<Row> rows;
  std::vector<SetTable> set_tables;
  std::vector<KeyText> key_texts;
  std::vector<Scale> scales;
  std::int32_t memos = 0;
  std::vector<std::vector<Choice>> choice_lists;
  std::vector<std::string> messages;
  std::uint32_t sets = 0, numbers = 0, boxes = 0; // how many registers
  std::vector<std::int16_t> of_cell;              // by the program's cell: its number here; empty: the same
  std::vector<bool> compares;                     // by player: moves are compared when they are found
  bool too_large = false;                         // the rules would make more code than there may be
  bool uses_history = false;
  bool weighs = false; // random games draw by weight: the last choice of each leaf is the weight of its moves
  bool reads_beginning = false; // if_changed
  friend bool operator==(const Code&, const Code&) = default;
};

} // namespace boardwright::runtime::ir
