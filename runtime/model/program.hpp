// The compiled game: plain data, written by the interpreter, read by every engine of the runtime.
//
// # What it is
// A Program is the core of the language with nothing left to look up. Definitions are unfolded, options and
// constant expressions are folded, names are slots, and every rule exists once for each player, so that no
// node asks who is to move: `own` of the first player is a node about player 0.
//
// # Trees
// Rules are trees of nodes. A node has an operation, a type, up to two immediate operands (a, b) and
// children, which stand in a row in Program::kids. The table below defines every operation; the walker
// (walker.hpp) carries it out to the letter and is the judge of every faster engine.
//
// # Actions
// An action takes a draft (a position being changed, `here`, `start`, `heading`, what is carried, locals,
// decision, notation) to none, one or many drafts. A decided draft (won, lost, drawn, or its mover put out)
// passes every action unchanged. Outcomes are a set: two orders of the same outcomes are the same.
//
// # Locals
// A local is a slot; each binding place has a slot of its own. `frame` of a loop or of `distinct` lists the
// slots that are visible there: drafts are compared by those and by everything else but the notation.
#pragma once

#include "runtime/model/board.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/value.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

// Who owns the pieces that a node speaks of (operand a), relative to the player in operand b.
enum class Owners : std::int32_t { any, exactly, others, neutral }; // others: a player, but not b

// Operand values.
inline constexpr std::int32_t kNeutral = -1;   // an owner: nobody
inline constexpr std::int32_t kNatural = -2;   // drop: operand b if he has the kind, else nobody
inline constexpr std::int32_t kKeepOwner = -3; // change: the owner it has

// Flags of a loop (operand a).
inline constexpr std::int32_t kUnbounded =
    1; // no upper bound: an outcome equal to a draft on its path is dropped
inline constexpr std::int32_t kMaximal =
    2; // stops only where the body has no further outcome (a dropped one counts)
inline constexpr std::int32_t kUntil =
    4; // the last child is a condition: where it holds after a round, stop there

// clang-format off
// X(operation, what it is). Children are c0, c1, …
#define BOARDWRIGHT_OPERATIONS(X) \
  /* --- any type */ \
  X(local, "the value in slot a") \
  X(let_value, "c1, with slot a bound to c0") \
  X(if_value, "c1 if c0 holds, else c2") \
  X(before, "c0 in the position at the beginning of the turn; here and locals stay") \
  X(first_of, "the first member of the list c0; if it has none: no cell, no kind, else a") \
  X(last_of, "the last member of the list c0; likewise") \
  X(by_kind, "c0 is cells: by the kind on top of its first cell, child 1 + kind; the last child if that is empty") \
  X(by_player, "c0 is a player: child 1 + player") \
  X(variable, "state variable a (operand b: unused); numbers, truths, cells, kinds") \
  /* --- numbers */ \
  X(number, "the constant a") \
  X(hand, "pieces of kind c0 in the hand of player a; 0 for no kind; a kind without an entry is a fault") \
  X(hand_total, "pieces of all kinds in the hand of player a") \
  X(ply, "moves played before this turn") \
  X(turns, "moves played by player a before this turn") \
  X(carried, "how many pieces are carried") \
  X(repeats, "earlier positions of the game equal to this one") \
  X(board_repeats, "positions of the game, up to this turn's beginning, with the same board") \
  X(add, "c0 + c1, saturating") \
  X(subtract, "c0 - c1, saturating") \
  X(multiply, "c0 * c1, saturating") \
  X(divide, "c0 / c1 rounded down; by zero 0") \
  X(modulo, "c0 % c1 with the sign of c1 (rounded down); by zero 0") \
  X(negate, "-c0, saturating") \
  X(least, "the least of the children") \
  X(greatest, "the greatest of the children") \
  X(absolute, "|c0|") \
  X(sum_for, "the saturating sum of c0 over all bindings, in their order, as list_for binds: of equal values each counts") \
  X(least_for, "the least c0 of all bindings, as list_for binds; 0 if there are none") \
  X(greatest_for, "the greatest c0; likewise") \
  X(count, "members of c0: cells, directions or a list") \
  X(height, "pieces in all the stacks of the cells c0") \
  X(pieces, "pieces on the cells c0 at any level, of owner a (Owners) relative to b and, with c1, of kind c1") \
  X(x_of, "file of the first cell of c0, from 1; 0 for none") \
  X(y_of, "rank of the first cell of c0, from 1; 0 for none") \
  X(z_of, "third coordinate of the first cell of c0; 0 for none") \
  /* --- truths */ \
  X(truth, "the constant a: 0 or 1") \
  X(negation, "not c0") \
  X(all_of, "every child holds, tried in order") \
  X(any_of, "some child holds, tried in order") \
  X(equal, "c0 = c1: two values of one type, lists by order and content") \
  X(less, "c0 < c1") \
  X(at_most, "c0 <= c1") \
  X(within, "the set c0 is part of the set c1: cells or directions") \
  X(member, "c0 is a member of the list c1") \
  X(some, "c0 is not empty: cells, directions or a list") \
  X(some_where, "c1 holds for some member of c0, in slot a: cells (each a set of one), directions (likewise) or a list") \
  X(can, "the action c0 has an outcome from here") \
  X(no_move, "the turn of player a has no outcome in this position") \
  X(changed, "board or hands differ from the beginning of the turn") \
  /* --- sets: cells and directions */ \
  X(cells, "the constant Program::cell_sets[a]") \
  X(directions, "the constant Program::step_sets[a]") \
  X(unite, "c0 | c1: cells, directions or lists (order of first appearance)") \
  X(meet, "c0 & c1: likewise") \
  X(minus, "c0 - c1: likewise") \
  X(select, "the members of c0, in slot a, for which c1 holds: cells, directions or a list") \
  /* --- cells */ \
  X(owned, "cells whose top piece is of owner a (Owners; never any) relative to player b") \
  X(empty, "cells without a piece") \
  X(kind_cells, "cells with a piece of kind c0 on top") \
  X(here, "the cell of the walker, or none") \
  X(start, "the cell of the last `from`, or none") \
  X(complement, "the board without c0") \
  X(rectangle, "cells of the rectangle with corners c0, c1 (first cells); a >= 0 stands for c0 as y * 1024 + x, b for c1; none where a corner is none") \
  X(box, "every c2-th (1) cell of the rectangle with corners c0, c1; none where they don't fit or are none, or c2 < 1") \
  X(first, "the first cell of c0") \
  X(last, "the last cell of c0") \
  X(union_of, "the union of the list of sets c0") \
  X(image, "where map c1 takes the cells c0; what falls off is left out") \
  X(reach, "all cells where the action c1 can end, started from each cell of c0; heading is none at first; changes are forgotten") \
  X(file_of, "the cells with x = c0") \
  X(rank_of, "the cells with y = c0") \
  X(cell_numbered, "the cell whose name is the number c0, or none") \
  /* --- directions */ \
  X(heading, "the last step, or none") \
  X(sum, "pairwise sums of the displacements of c0 and c1; what is no step of the board is left out, and so is the zero step") \
  X(times, "c0 times the displacements of c1; likewise") \
  X(opposite, "the opposite steps; of a track the way back") \
  X(turned, "c0 turned clockwise by c1 degrees: on squares by 45s (a diagonal keeps its larger coordinate), on hexes by 60s") \
  X(spins, "all rotations and reflections of c0") \
  /* --- kinds and players */ \
  X(kind, "the constant a; -1 is none") \
  X(kind_at, "the kind on top of the first cell of c0; none if that is empty") \
  X(player, "the constant a") \
  /* --- lists */ \
  X(range, "the numbers from c0 to c1, none if c1 < c0") \
  X(list, "the children in order, without repeats") \
  X(list_for, "c0 for every binding of b slots from slot a on: slot a + i takes the members of child 2 + i; only where c1 holds") \
  X(still_in, "the players from a on in turn order, without those put out; operand b = 1: without a too") \
  /* --- maps */ \
  X(shift, "the displacement from the first cell of c0 to the first of c1") \
  X(scale, "by c0 / c1 about the middle of the bounding box of c2") \
  X(rotate, "by c0 degrees clockwise (90s; on hexes 60s, about the middle) about the middle of the bounding box of c1") \
  X(reflect, "across the line along the first direction of c0 through the middle of the bounding box of c1") \
  /* --- actions: joining */ \
  X(sequence, "c0, then c1 from each of its outcomes, …") \
  X(alternatives, "the outcomes of every child") \
  X(otherwise, "the outcomes of the first child that has any") \
  X(repeat, "c0 from c1 to c2 times (no c2 if kUnbounded); flags a; frame b; a low bound below 0 is 0") \
  X(if_action, "c1 where c0 holds, else c2, or nothing at all where there is none") \
  X(choose, "slot a takes each member of c0 in turn: one outcome for each") \
  X(choose_some, "slot a takes each unordered choice of c0 members of c1 (cells: their set; a list: a list)") \
  X(each, "c1 for every member of c0, in slot a, one after the other; c1 must have exactly one outcome, else a fault") \
  X(most, "the outcomes of c0 with the greatest c1, which is asked after each") \
  X(distinct, "of the outcomes of c0 that are equal but for the notation (frame b), the one with the shortest notation, then the first in order of text") \
  X(quietly, "c0, writing nothing: the notation and what waits to be written are as they were before") \
  X(by_kind_action, "as by_kind; the last child is for a kind without a body, or no piece") \
  X(by_player_action, "as by_player") \
  /* --- actions: the walker */ \
  X(from, "here and start are each cell of c0; heading none; writes the cell") \
  X(to, "here is each cell of c0; heading none") \
  X(at, "goes on if here is in c0") \
  X(go, "here is the cell that each step of c0 leads to; heading is that step") \
  X(bend, "here is where each curve that leaves here by a step of c0 arrives; heading as the curve says") \
  X(let, "slot a is c0") \
  X(require, "goes on if c0 holds") \
  X(never, "has no outcome") \
  /* --- actions: pieces */ \
  X(lift, "the top c0 (all) pieces of here go into the air under those there; fails if there are fewer, or none at all") \
  X(put, "the lowest c0 (all) carried are laid on here; fails if fewer are carried; of 0 does nothing") \
  X(discard, "the lowest c0 (all) carried leave the game") \
  X(remove, "the stacks of c0 leave the board") \
  X(drop, "c2 (1) pieces of kind c1 and owner a (kNeutral, kNatural, or a player) on every cell of c0, from the hand of that owner, or of player b for neutral ones; fails if the hand is short; no kind is a fault; writes") \
  X(change, "the top pieces of c0 get owner a (kNeutral, kKeepOwner, or a player) and, with c1, kind c1 (none is a fault); b = 1: c0 is `here`, a change of kind is written") \
  X(move_by, "the stacks of c0 go where map c1 takes them, all at once; fails if one would leave the board or two would meet") \
  /* --- actions: the position */ \
  X(set_local, "slot a is now c0") \
  X(set_variable, "state variable a is now c0") \
  X(set_hand, "the hand of player a holds c1 pieces of kind c0; no kind is a fault, and so is one without an entry") \
  X(pass, "writes `pass`") \
  X(again, "the same player moves again") \
  X(win, "player a wins") \
  X(lose, "player a loses: of two the other wins; of more he is out, and the last one left wins") \
  X(draw, "nobody wins") \
  /* --- actions: notation */ \
  X(say, "writes each child's value in turn: text, numbers, cells by name with commas, a kind's letter, a player's name") \
  X(text, "the constant Program::texts[a]; only below say")
// clang-format on

enum class Op : std::uint8_t {
#define X(name, what) name,
  BOARDWRIGHT_OPERATIONS(X)
#undef X
};

[[nodiscard]] const char* name_of(Op op);

struct Node {
  Op op = Op::never;
  Type type = Type::action;
  std::int32_t a = 0;
  std::int32_t b = 0;
  std::uint32_t kids = 0;   // where its children begin in Program::kids
  std::uint32_t count = 0;  // how many
  std::uint32_t origin = 0; // Program::origins
};

// The way back from a node to the text it came from.
struct Origin {
  std::uint32_t file = 0; // Program::files
  std::uint32_t line = 0, column = 0;
  std::uint32_t begin = 0, end = 0; // bytes of the file
  std::uint32_t rule = 0;           // Program::rules: the definition, `turn`, `end`
};

enum class Verdict : std::uint8_t { win, lose, draw, score };

struct EndLine {
  Verdict verdict = Verdict::draw;
  NodeId condition = kNoNode;
  std::vector<NodeId> score; // for every player, where the verdict is `score`
  std::uint32_t origin = 0;
  int winner = -1; // of `win`, if that is not the player to move
};

struct Player {
  std::string name;
  int dx = 0, dy = 0; // forward; 0, 0 if players have no directions
  NodeId turn = kNoNode;
  std::vector<EndLine> end;
};

struct Variable {
  std::string name; // for each player of `{ each: … }` there is one, of the same name
  int player = -1;  // whose, or -1
  Type type = Type::number;
  bool clock = false; // positions that differ in it alone are the same for the rules of repetition
};

struct Kind {
  std::string name;
  // The letter of this kind for each player, then for neutral; 0 where there is none.
  std::vector<char> letter;
};

struct Option { // for `show`, and to say which settings a program was made with
  std::string name, value, initial, help;
  std::vector<std::string> values; // of `one of`
  std::optional<std::pair<std::int32_t, std::int32_t>> range;
};

struct Program {
  std::string game;
  std::vector<std::pair<std::string, std::string>> about;
  Board board;
  std::vector<Player> players;
  std::vector<Kind> kinds;
  std::vector<Variable> variables;
  std::vector<std::vector<int>> hand_slot; // [player][kind]: index into Position::hands, or -1
  int hands = 0;
  std::vector<Option> options;

  std::vector<Node> nodes;
  std::vector<NodeId> kids;
  std::vector<CellSet> cell_sets;
  std::vector<StepSet> step_sets;
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint32_t>> frames;
  std::uint32_t slots = 0;

  std::vector<Origin> origins;
  std::vector<std::string> files, rules;

  Position initial;

  [[nodiscard]] std::span<const NodeId> kids_of(const Node& n) const {
    return {kids.data() + n.kids, n.count};
  }
  [[nodiscard]] NodeId kid(const Node& n, std::uint32_t i) const { return kids[n.kids + i]; }
  [[nodiscard]] int player_count() const { return static_cast<int>(players.size()); }
  // The letter of a piece; '?' if it has none (no such piece can come about).
  [[nodiscard]] char letter_of(Piece piece) const;
  [[nodiscard]] std::optional<Piece> piece_of(char letter) const;
  // The letter that notation writes for a kind: the first player's who has the kind.
  [[nodiscard]] char letter_of_kind(int kind) const;
};

// "White wins", "Goats win": a name that ends like a plural has the verb of one.
[[nodiscard]] std::string with_verb(const std::string& player, const std::string& verb);

// "game.yaml:12:7 (in `arrive`)"
[[nodiscard]] std::string place_of(const Program& program, std::uint32_t origin);

} // namespace boardwright::runtime
