// Every operation of a program, a row each: its name, its operands, what it has to do with the rest of a
// draft, how rules write it, and what it is. Whoever adds an operation adds a row, and then follows the
// compiler: README.md here says how.
//
// # The columns
// a, b: what the two immediate operands are (Operand).
//
// children: what they are, in order, a letter each. `?` behind it: may be left out; `*`: any number.
// n number, t truth, c cells, d directions, k kind, p player, m map, a action; s a set: cells or directions;
// l a list; v what has members: a set or a list; x a value of any type; ~ the type of the child before;
// = the type of the node itself; e a member of that; E a list of that; w what can be written: text, or n, t,
// c, k, p.
//
// types: which types the node may have. Letters as above, and N S K P for lists of numbers, sets of cells,
// kinds and players. An action has type `a`; one that names a value may have that value's, as the row says.
//
// reads: the parts of the draft (Part) that its value, or what it does to other parts, depends on, but for
// what its children read.
//
// writes (actions): the parts that may differ afterwards, but for what its children write.
//
// binds: which slots it binds, and for which children (Binds).
//
// outcomes (actions): how often it goes on (Outcomes).
//
// faults: when it goes wrong by itself, other than by a limit (Faults).
//
// cost: how long it takes by itself (Cost).
//
// written (values): how rules write it, `changed` or `box(a, z, k?)`; "" where no word of the language means
// it alone. The parameters go along with the children. One in lower case is a single cell or direction (of
// several cells the first), one in capitals a set or list, `degrees` a number of them. A player in operand a
// is the one who is asked, the mover if nobody else. From this follow its name, the types that it takes and
// gives, what editors offer, colour and tell of it, and the cases of the generators of tests.
//
// traits (values): what else is true of it (Trait).
//
// what it is: a sentence for authors, in the letters of `written`; else one about c0, c1, …: the children.
//
// # The groups
// Each group is dispatched by a switch over an enumeration of its own (operations.hpp), without `default`: so
// the compiler names every place that doesn't know a new operation.
#pragma once

// clang-format off
// X(operation, a, b, children, types, reads, binds, faults, cost, written, traits, what it is)

// Values of any type.
#define BOARDWRIGHT_ANY_OPERATIONS(X) \
  X(local,     slot,     none, "",    "ntcdkpmNSKP", kNoPart,    nothing, kSafe, free,  "",          kPlain,               "the value in slot a") \
  X(let_value, slot,     none, "x=",  "ntcdkpmNSKP", kNoPart,    once,    kSafe, small, "",          kPlain,               "c1, with slot a bound to c0") \
  X(if_value,  none,     none, "t==", "ntcdkpmNSKP", kNoPart,    nothing, kSafe, small, "",          kPlain,               "c1 if c0 holds, else c2") \
  X(before,    none,     none, "=",   "ntcdkpmNSKP", kNoPart,    nothing, kSafe, small, "before(E)", kOwnCase | kReserved, "E as it was when the turn began; `here` and local names stay") \
  X(first_of,  fallback, none, "E",   "nckp",        kNoPart,    nothing, kSafe, small, "",          kPlain,               "the first member of the list c0; if it has none: no cell, no kind, else a") \
  X(last_of,   fallback, none, "E",   "nckp",        kNoPart,    nothing, kSafe, small, "",          kPlain,               "the last member of the list c0; likewise") \
  X(by_kind,   none,     none, "c=*", "ntcdkpmNSKP", kBoard,     nothing, kSafe, small, "",          kPlain,               "c0 is cells: by the kind on top of its first cell, child 1 + kind; the last child if that is empty") \
  X(by_player, none,     none, "p=*", "ntcdkpmNSKP", kNoPart,    nothing, kSafe, small, "",          kPlain,               "c0 is a player: child 1 + player") \
  X(variable,  variable, none, "",    "ntckp",       kVariables, nothing, kSafe, small, "",          kPlain,               "state variable a (operand b: unused); numbers, truths, cells, kinds, players")

// Numbers.
#define BOARDWRIGHT_NUMBER_OPERATIONS(X) \
  X(number,        number, none,   "",     "n", kNoPart,                               nothing,  kSafe,       free,   "",                   kPlain,                              "the constant a") \
  X(hand,          player, none,   "k",    "n", kHands,                                nothing,  kByOperands, small,  "hand(K)",            kOwnCase | kReserved | kNotNegative, "pieces of kind K in the mover's hand; 0 for `none`; a kind without an entry in `hands` is a fault") \
  X(hand_total,    player, none,   "",     "n", kHands,                                nothing,  kSafe,       small,  "hand",               kNotNegative,                        "pieces of all kinds in the mover's hand") \
  X(ply,           none,   none,   "",     "n", kGame,                                 nothing,  kSafe,       small,  "ply",                kNotNegative,                        "moves played before this turn") \
  X(turns,         player, none,   "",     "n", kGame,                                 nothing,  kSafe,       small,  "turns",              kNotNegative,                        "moves played by the mover before this turn") \
  X(carried,       none,   none,   "",     "n", kCarried,                              nothing,  kSafe,       small,  "carried",            kNotNegative,                        "how many pieces are in the air") \
  X(repeats,       none,   none,   "",     "n", kPosition | kOut | kGame,              nothing,  kSafe,       search, "repeats",            kOwnCase | kNotNegative,             "earlier positions of this game equal to this one") \
  X(repeats_of,    player, none,   "",     "n", kPosition | kOut | kGame | kBeginning, nothing,  kSafe,       search, "",                   kNotNegative,                        "positions of the game, up to this turn's beginning, equal to what this one is with player a to move") \
  X(earlier,       none,   none,   "n",    "n", kPosition | kOut | kGame,              nothing,  kSafe,       search, "earlier(n)",         kAtTurnsEnd,                         "`ply` as it was when this position came up the n-th last time; -1 if there was no such time") \
  X(board_repeats, none,   none,   "",     "n", kBoard | kGame | kBeginning,           nothing,  kSafe,       search, "board_repeats",      kNotNegative,                        "positions of this game, up to this turn's beginning, with the same board as now") \
  X(add,           none,   none,   "nn",   "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "c0 + c1, saturating") \
  X(subtract,      none,   none,   "nn",   "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "c0 - c1, saturating") \
  X(multiply,      none,   none,   "nn",   "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "c0 * c1, saturating") \
  X(divide,        none,   none,   "nn",   "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "c0 / c1 rounded down; by zero 0") \
  X(modulo,        none,   none,   "nn",   "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "c0 % c1 with the sign of c1 (rounded down); by zero 0") \
  X(negate,        none,   none,   "n",    "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "-c0, saturating") \
  X(least,         none,   none,   "nn*",  "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "the least of the children") \
  X(greatest,      none,   none,   "nn*",  "n", kNoPart,                               nothing,  kSafe,       small,  "",                   kPlain,                              "the greatest of the children") \
  X(absolute,      none,   none,   "n",    "n", kNoPart,                               nothing,  kSafe,       small,  "abs(n)",             kReserved | kNotNegative,            "n without its sign") \
  X(sum_for,       slot,   slots,  "ntv*", "n", kNoPart,                               bindings, kSafe,       loop,   "",                   kPlain,                              "the saturating sum of c0 over all bindings, in their order, as list_for binds: of equal values each counts") \
  X(product_for,   slot,   slots,  "ntv*", "n", kNoPart,                               bindings, kSafe,       loop,   "",                   kPlain,                              "the saturating product of c0 over all bindings, in their order, as list_for binds: of equal values each counts; 1 if there are none") \
  X(least_for,     slot,   slots,  "ntv*", "n", kNoPart,                               bindings, kSafe,       loop,   "",                   kPlain,                              "the least c0 of all bindings, as list_for binds; 0 if there are none") \
  X(greatest_for,  slot,   slots,  "ntv*", "n", kNoPart,                               bindings, kSafe,       loop,   "",                   kPlain,                              "the greatest c0; likewise") \
  X(count,         none,   none,   "v",    "n", kNoPart,                               nothing,  kSafe,       small,  "count(S)",           kReserved | kNotNegative,            "members of a set or list") \
  X(height,        none,   none,   "c",    "n", kBoard,                                nothing,  kSafe,       loop,   "height(S)",          kReserved | kNotNegative,            "pieces in the stacks of S") \
  X(pieces,        owners, player, "ck?",  "n", kBoard,                                nothing,  kSafe,       loop,   "pieces(S, own man)", kOwnCase | kReserved | kNotNegative, "pieces on S at any level, by owner, kind, or both") \
  X(spread,        none,   none,   "c",    "n", kNoPart,                               nothing,  kSafe,       loop,   "spread(S)",          kNotNegative,                        "the files, or if they are more the ranks, of the smallest rectangle around S, without edges perhaps over the seam; 0 for `none`") \
  X(x_of,          none,   none,   "c",    "n", kNoPart,                               nothing,  kSafe,       small,  "x(c)",               kReserved | kByEdges | kNotNegative, "the file of c, from 1; 0 for `none`") \
  X(y_of,          none,   none,   "c",    "n", kNoPart,                               nothing,  kSafe,       small,  "y(c)",               kReserved | kByEdges | kNotNegative, "the rank of c, from 1; 0 for `none`") \
  X(z_of,          none,   none,   "c",    "n", kNoPart,                               nothing,  kSafe,       small,  "z(c)",               kReserved | kByEdges,                "the third axis of hexes; 0 for `none`")

// Truths.
#define BOARDWRIGHT_TRUTH_OPERATIONS(X) \
  X(truth,      truth,  none, "",   "t", kNoPart,                      nothing, kSafe,       free,   "",        kPlain, "the constant a: 0 or 1") \
  X(negation,   none,   none, "t",  "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "not c0") \
  X(all_of,     none,   none, "t*", "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "every child holds, tried in order") \
  X(any_of,     none,   none, "t*", "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "some child holds, tried in order") \
  X(equal,      none,   none, "x~", "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "c0 = c1: two values of one type, lists by order and content") \
  X(less,       none,   none, "nn", "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "c0 < c1") \
  X(at_most,    none,   none, "nn", "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "c0 <= c1") \
  X(within,     none,   none, "s~", "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "the set c0 is part of the set c1: cells or directions") \
  X(member,     none,   none, "xl", "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "c0 is a member of the list c1") \
  X(some,       none,   none, "v",  "t", kNoPart,                      nothing, kSafe,       small,  "",        kPlain, "c0 is not empty: cells, directions or a list") \
  X(some_where, slot,   none, "vt", "t", kNoPart,                      members, kSafe,       loop,   "",        kPlain, "c1 holds for some member of c0, in slot a: cells (each a set of one), directions (likewise) or a list") \
  X(can,        none,   none, "a",  "t", kNoPart,                      nothing, kSafe,       search, "",        kPlain, "the action c0 has an outcome from here") \
  X(no_move,    player, none, "",   "t", kPosition | kOut | kGame,     nothing, kByOperands, search, "",        kPlain, "the turn of player a has no outcome in this position") \
  X(changed,    none,   none, "",   "t", kBoard | kHands | kBeginning, nothing, kSafe,       small,  "changed", kPlain, "board or hands differ from the turn's beginning")

// Cells and directions, and lists alike.
#define BOARDWRIGHT_SET_OPERATIONS(X) \
  X(cells,      cell_set, none, "",   "c",      kNoPart, nothing, kSafe, free,  "", kPlain, "the constant Program::cell_sets[a]") \
  X(directions, step_set, none, "",   "d",      kNoPart, nothing, kSafe, free,  "", kPlain, "the constant Program::step_sets[a]") \
  X(unite,      none,     none, "==", "cdNSKP", kNoPart, nothing, kSafe, small, "", kPlain, "c0 | c1: cells, directions or lists (order of first appearance)") \
  X(meet,       none,     none, "==", "cdNSKP", kNoPart, nothing, kSafe, small, "", kPlain, "c0 & c1: likewise") \
  X(minus,      none,     none, "==", "cdNSKP", kNoPart, nothing, kSafe, small, "", kPlain, "c0 - c1: likewise") \
  X(select,     slot,     none, "=t", "cdNSKP", kNoPart, members, kSafe, loop,  "", kPlain, "the members of c0, in slot a, for which c1 holds: cells, directions or a list")

// Cells.
#define BOARDWRIGHT_CELLS_OPERATIONS(X) \
  X(owned,         owners, player, "",     "c", kBoard,  nothing, kSafe, small,  "",              kPlain,                          "cells whose top piece is of owner a (Owners; never any) relative to player b") \
  X(empty,         none,   none,   "",     "c", kBoard,  nothing, kSafe, small,  "empty",         kPlain,                          "cells without a piece") \
  X(kind_cells,    none,   none,   "k",    "c", kBoard,  nothing, kSafe, small,  "",              kPlain,                          "cells with a piece of kind c0 on top") \
  X(here,          none,   none,   "",     "c", kHere,   nothing, kSafe, free,   "here",          kPlaced,                         "the walker's cell") \
  X(start,         none,   none,   "",     "c", kStart,  nothing, kSafe, small,  "start",         kPlaced,                         "the cell of the last `from`") \
  X(complement,    none,   none,   "c",    "c", kNoPart, nothing, kSafe, small,  "",              kPlain,                          "the board without c0") \
  X(rectangle,     corner, corner, "c?c?", "c", kNoPart, nothing, kSafe, large,  "",              kPlain,                          "cells of the rectangle with corners c0, c1 (first cells); a >= 0 stands for c0 as y * 1024 + x, b for c1; none where a corner is none") \
  X(box,           none,   none,   "ccn?", "c", kNoPart, nothing, kSafe, large,  "box(a, z, k?)", kReserved | kByEdges,            "every k-th cell of the rectangle with corners a and z, all of them without k; `none` where they don't fit") \
  X(first,         none,   none,   "c",    "c", kNoPart, nothing, kSafe, small,  "first(S)",      kOwnCase | kReserved,            "the first cell in board order; the first member of a list") \
  X(last,          none,   none,   "c",    "c", kNoPart, nothing, kSafe, small,  "last(S)",       kOwnCase | kReserved,            "the last cell in board order; the last member of a list") \
  X(union_of,      none,   none,   "l",    "c", kBoard,  nothing, kSafe, large,  "union(L)",      kOwnCase | kReserved,            "all cells of a list of sets") \
  X(image,         none,   none,   "cm",   "c", kNoPart, nothing, kSafe, loop,   "image(S, m)",   kReserved | kByEdges,            "where the map m takes S; what falls off is left out") \
  X(reach,         none,   none,   "ca",   "c", kNoPart, nothing, kSafe, search, "reach(S, A)",   kOwnCase | kReserved,            "all cells where the action A can end, started from each cell of S; what it changes is forgotten") \
  X(file_of,       none,   none,   "n",    "c", kNoPart, nothing, kSafe, small,  "file(n)",       kOwnCase | kReserved | kByEdges, "the cells of a file, or of all in a list") \
  X(rank_of,       none,   none,   "n",    "c", kNoPart, nothing, kSafe, small,  "rank(n)",       kOwnCase | kReserved | kByEdges, "the cells of a rank, or of all in a list") \
  X(cell_numbered, none,   none,   "n",    "c", kNoPart, nothing, kSafe, small,  "cell(n)",       kOwnCase | kReserved | kByEdges, "the cell whose name is the number n, or `none`")

// Directions.
#define BOARDWRIGHT_DIRECTIONS_OPERATIONS(X) \
  X(heading,  none, none, "",   "d", kHeading, nothing, kSafe, small, "heading",          kPlain,               "the direction of the last step, or `none`") \
  X(sum,      none, none, "dd", "d", kNoPart,  nothing, kSafe, small, "",                 kPlain,               "pairwise sums of the displacements of c0 and c1; what is no step of the board is left out, and so is the zero step") \
  X(times,    none, none, "nd", "d", kNoPart,  nothing, kSafe, small, "",                 kPlain,               "c0 times the displacements of c1; likewise") \
  X(opposite, none, none, "d",  "d", kNoPart,  nothing, kSafe, small, "opposite(D)",      kOwnCase | kReserved, "the other way; of a track, back along it") \
  X(turned,   none, none, "dn", "d", kNoPart,  nothing, kSafe, small, "turn(D, degrees)", kOwnCase | kReserved, "D turned clockwise: on squares by 45s, where a diagonal keeps its larger coordinate, on hexes by 60s") \
  X(spins,    none, none, "d",  "d", kNoPart,  nothing, kSafe, small, "spins(D)",         kOwnCase | kReserved, "all rotations and reflections of D")

// Kinds and players.
#define BOARDWRIGHT_NAME_OPERATIONS(X) \
  X(kind,    kind,   none, "",  "k", kNoPart, nothing, kSafe, free,  "",        kPlain,               "the constant a; -1 is none") \
  X(kind_at, none,   none, "c", "k", kBoard,  nothing, kSafe, small, "kind(c)", kOwnCase | kReserved, "the kind on top of c, or `none`") \
  X(player,  player, none, "",  "p", kNoPart, nothing, kSafe, free,  "",        kPlain,               "the constant a")

// Lists.
#define BOARDWRIGHT_LIST_OPERATIONS(X) \
  X(range,    none,   none,  "nn",   "N",    kNoPart, nothing,  kSafe, small, "",          kPlain, "the numbers from c0 to c1, none if c1 < c0") \
  X(list,     none,   none,  "e*",   "NSKP", kNoPart, nothing,  kSafe, small, "",          kPlain, "the children in order, without repeats") \
  X(list_for, slot,   slots, "etv*", "NSKP", kNoPart, bindings, kSafe, loop,  "",          kPlain, "c0 for every binding of b slots from slot a on: slot a + i takes the members of child 2 + i; only where c1 holds") \
  X(still_in, player, flag,  "",     "P",    kOut,    nothing,  kSafe, small, "",          kPlain, "the players from a on in turn order, without those put out; operand b = 1: without a too") \
  X(owners,   player, none,  "c",    "P",    kBoard,  nothing,  kSafe, large, "owners(S)", kPlain, "the players with a piece on top of a cell of S, from the mover on in turn order: none of empty cells, nor of neutral pieces")

// Maps.
#define BOARDWRIGHT_MAP_OPERATIONS(X) \
  X(shift,   none, none, "cc",  "m", kNoPart, nothing, kSafe, small, "shift(a, b)",        kReserved | kByEdges, "map: as far as from a to b") \
  X(scale,   none, none, "nnc", "m", kNoPart, nothing, kSafe, small, "scale(n, d, S)",     kReserved | kByEdges, "map: by n/d about the middle of S") \
  X(rotate,  none, none, "nc",  "m", kNoPart, nothing, kSafe, small, "rotate(degrees, S)", kReserved | kByEdges, "map: clockwise about the middle of S, on squares by 90s, on hexes by 60s") \
  X(reflect, none, none, "dc",  "m", kNoPart, nothing, kSafe, small, "reflect(d, S)",      kReserved | kByEdges, "map: across the line along d through the middle of S")

// X(operation, a, b, children, types, reads, writes, binds, outcomes, faults, cost, what it is).

// Actions: joining.
#define BOARDWRIGHT_JOINING_OPERATIONS(X) \
  X(sequence,         none,  none,  "a*",     "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       free,  "c0, then c1 from each of its outcomes, …") \
  X(alternatives,     none,  none,  "a*",     "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       small, "the outcomes of every child") \
  X(otherwise,        none,  none,  "a*",     "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       small, "the outcomes of the first child that has any") \
  X(repeat,           flags, frame, "ann?t?", "a",      kNoPart, kNoPart, nothing, many,        kSafe,       loop,  "c0 from c1 to c2 times (no c2 if kUnbounded); flags a; frame b; a low bound below 0 is 0") \
  X(if_action,        none,  none,  "taa?",   "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       small, "c1 where c0 holds, else c2, or nothing at all where there is none") \
  X(choose,           slot,  none,  "v",      "ncdkp",  kNoPart, kNoPart, onwards, many,        kSafe,       small, "slot a takes each member of c0 in turn: one outcome for each") \
  X(choose_some,      slot,  none,  "nv",     "cdNSKP", kNoPart, kNoPart, onwards, many,        kSafe,       small, "slot a takes each unordered choice of c0 members of c1 (cells: their set; a list: a list)") \
  X(each,             slot,  none,  "va",     "ncdkp",  kNoPart, kNoPart, members, once,        kByOperands, loop,  "c1 for every member of c0, in slot a, one after the other; c1 must have exactly one outcome, else a fault") \
  X(most,             none,  none,  "an",     "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       small, "the outcomes of c0 with the greatest c1, which is asked after each") \
  X(distinct,         none,  frame, "a",      "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       small, "of the outcomes of c0 that are equal but for the notation (frame b), the one with the shortest notation, then the first in order of text") \
  X(quietly,          none,  none,  "a",      "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       small, "c0, writing nothing: the notation and what waits to be written are as they were before") \
  X(by_kind_action,   none,  none,  "ca*",    "a",      kBoard,  kNoPart, nothing, as_children, kSafe,       small, "as by_kind; the last child is for a kind without a body, or no piece") \
  X(by_player_action, none,  none,  "pa*",    "a",      kNoPart, kNoPart, nothing, as_children, kSafe,       small, "as by_player")

// Actions: the walker.
#define BOARDWRIGHT_WALKING_OPERATIONS(X) \
  X(from,    none, none, "c", "a",           kNoPart, kWalker | kNotation, nothing, many,  kSafe,     small, "here and start are each cell of c0; heading none; writes the cell") \
  X(to,      none, none, "c", "a",           kNoPart, kHere | kHeading,    nothing, many,  kSafe,     small, "here is each cell of c0; heading none") \
  X(at,      none, none, "c", "a",           kHere,   kNoPart,             nothing, maybe, kUnplaced, small, "goes on if here is in c0") \
  X(go,      none, none, "d", "a",           kHere,   kHere | kHeading,    nothing, many,  kUnplaced, small, "here is the cell that each step of c0 leads to; heading is that step") \
  X(bend,    none, none, "d", "a",           kHere,   kHere | kHeading,    nothing, many,  kUnplaced, small, "here is where each curve that leaves here by a step of c0 arrives; heading as the curve says") \
  X(let,     slot, none, "=", "ntcdkpmNSKP", kNoPart, kNoPart,             onwards, once,  kSafe,     small, "slot a is c0") \
  X(require, none, none, "t", "a",           kNoPart, kNoPart,             nothing, maybe, kSafe,     small, "goes on if c0 holds") \
  X(never,   none, none, "",  "a",           kNoPart, kNoPart,             nothing, never, kSafe,     small, "has no outcome")

// Actions: pieces.
#define BOARDWRIGHT_PIECES_OPERATIONS(X) \
  X(lift,    none,      none,  "n?",   "a", kHere | kBoard | kCarried, kBoard | kCarried,             nothing, maybe, kUnplaced | kHolding, small, "the top c0 (all) pieces of here go into the air under those there; fails if there are fewer, or none at all") \
  X(put,     none,      none,  "n?",   "a", kHere | kBoard | kCarried, kBoard | kCarried | kNotation, nothing, maybe, kUnplacedHolding,     small, "the lowest c0 (all) carried are laid on here; fails if fewer are carried; of 0 does nothing") \
  X(discard, none,      none,  "n?",   "a", kHere | kCarried,          kCarried | kNotation,          nothing, maybe, kUnplacedHolding,     small, "the lowest c0 (all) carried leave the game") \
  X(remove,  none,      none,  "c",    "a", kBoard,                    kBoard | kNotation,            nothing, once,  kSafe,                small, "the stacks of c0 leave the board") \
  X(drop,    owner,     giver, "ckn?", "a", kBoard | kHands,           kBoard | kHands | kNotation,   nothing, maybe, kByOperands,          small, "c2 (1) pieces of kind c1 and owner a (kNeutral, kNatural, or a player) on every cell of c0, from the hand of that owner, or of player b for neutral ones; fails if the hand is short; no kind is a fault; writes") \
  X(change,  new_owner, flag,  "ck?",  "a", kBoard,                    kBoard | kNotation,            nothing, once,  kByOperands,          small, "the top pieces of c0 get owner a (kNeutral, kKeepOwner, or a player) and, with c1, kind c1 (none is a fault); b = 1: c0 is `here`, a change of kind is written") \
  X(move_by, none,      none,  "cm",   "a", kBoard,                    kBoard | kNotation,            nothing, maybe, kSafe,                small, "the stacks of c0 go where map c1 takes them, all at once; fails if one would leave the board or two would meet")

// Actions: the position, and what is written.
#define BOARDWRIGHT_POSITION_OPERATIONS(X) \
  X(set_local,    slot,     none, "=",  "ntcdkpmNSKP", kNoPart, kNoPart,          nothing, once, kSafe,       small, "slot a is now c0") \
  X(set_variable, variable, none, "x",  "ntckp",       kNoPart, kVariables,       nothing, once, kSafe,       small, "state variable a is now c0") \
  X(set_hand,     player,   none, "kn", "a",           kNoPart, kHands,           nothing, once, kByOperands, small, "the hand of player a holds c1 pieces of kind c0; no kind is a fault, and so is one without an entry") \
  X(pass,         none,     none, "",   "a",           kNoPart, kNotation,        nothing, once, kSafe,       small, "writes `pass`") \
  X(again,        none,     none, "",   "a",           kNoPart, kAgain,           nothing, once, kSafe,       small, "the same player moves again") \
  X(win,          player,   none, "",   "a",           kNoPart, kDecision,        nothing, once, kSafe,       small, "player a wins") \
  X(lose,         player,   none, "",   "a",           kOut,    kDecision | kOut, nothing, once, kSafe,       small, "player a loses: of two the other wins; of more he is out, and the last one left wins") \
  X(draw,         none,     none, "",   "a",           kNoPart, kDecision,        nothing, once, kSafe,       small, "nobody wins") \
  X(say,          none,     none, "w*", "a",           kNoPart, kNotation,        nothing, once, kSafe,       small, "writes each child's value in turn: text, numbers, cells by name with commas, a kind's letter, a player's name")

// Text: neither a value nor an action; the columns are those of values.
#define BOARDWRIGHT_TEXT_OPERATIONS(X) \
  X(text, text, none, "", "a", kNoPart, nothing, kSafe, free, "", kPlain, "the constant Program::texts[a]; only below say")

// G(group, its enumeration, its operations)
#define BOARDWRIGHT_VALUE_GROUPS(G) \
  G(any,        AnyOp,        BOARDWRIGHT_ANY_OPERATIONS) \
  G(number,     NumberOp,     BOARDWRIGHT_NUMBER_OPERATIONS) \
  G(truth,      TruthOp,      BOARDWRIGHT_TRUTH_OPERATIONS) \
  G(set,        SetOp,        BOARDWRIGHT_SET_OPERATIONS) \
  G(cells,      CellsOp,      BOARDWRIGHT_CELLS_OPERATIONS) \
  G(directions, DirectionsOp, BOARDWRIGHT_DIRECTIONS_OPERATIONS) \
  G(name,       NameOp,       BOARDWRIGHT_NAME_OPERATIONS) \
  G(list,       ListOp,       BOARDWRIGHT_LIST_OPERATIONS) \
  G(map,        MapOp,        BOARDWRIGHT_MAP_OPERATIONS)
#define BOARDWRIGHT_ACTION_GROUPS(G) \
  G(joining,    JoiningOp,    BOARDWRIGHT_JOINING_OPERATIONS) \
  G(walking,    WalkingOp,    BOARDWRIGHT_WALKING_OPERATIONS) \
  G(pieces,     PiecesOp,     BOARDWRIGHT_PIECES_OPERATIONS) \
  G(position,   PositionOp,   BOARDWRIGHT_POSITION_OPERATIONS)
#define BOARDWRIGHT_TEXT_GROUPS(G) \
  G(text,       TextOp,       BOARDWRIGHT_TEXT_OPERATIONS)
#define BOARDWRIGHT_GROUPS(G) \
  BOARDWRIGHT_VALUE_GROUPS(G) \
  BOARDWRIGHT_ACTION_GROUPS(G) \
  BOARDWRIGHT_TEXT_GROUPS(G)
// clang-format on
