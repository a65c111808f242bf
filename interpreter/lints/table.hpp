// The lints of `boardwright check`, all of them: the one place for their names, levels and meanings.
//
// A lint tells of a file that loads and may well be mistaken. Its name is the code of its diagnostics, is
// what `--allow`, `--warn`, `--deny` and the section `check` of a file go by, and never changes.
#pragma once

#include <array>
#include <string_view>

namespace boardwright::interpreter {

enum class LintLevel {
  allow, // not told
  note,  // told, and no more: what random games show, which may be chance
  warn,  // told
  deny,  // told as an error: the check fails
};

enum class LintSource {
  text,  // found in the text and in what it becomes when it is loaded
  games, // found by random games
};

struct Lint {
  std::string_view name;
  LintLevel level;
  LintSource source;
  std::string_view meaning; // one sentence, with neither capital nor full stop
};

// clang-format off
inline constexpr std::array kLints = {
  // --- names
  Lint{"unused-definition", LintLevel::warn, LintSource::text, "a definition that no rule uses, perhaps because its name is not quite that of the one it should replace"},
  Lint{"unused-option", LintLevel::warn, LintSource::text, "an option that no rule asks for"},
  Lint{"unused-state", LintLevel::warn, LintSource::text, "a state variable that no rule reads but to set it anew, or that every turn sets before it reads it"},
  Lint{"unset-state", LintLevel::warn, LintSource::text, "a state variable that rules read and none ever sets, or a clock or count of passes or steps that none sets back, or that one alternative leaves as it was"},
  Lint{"unused-kind", LintLevel::warn, LintSource::text, "a kind of piece that stands nowhere and that no rule names, or that no rule moves"},
  Lint{"unused-hand", LintLevel::warn, LintSource::text, "an entry of `hands` from which no rule drops anything, and that none asks for but to add to it"},
  Lint{"unused-name", LintLevel::warn, LintSource::text, "a name bound by `let`, `choose` or `each`, or a parameter, that is never used"},
  Lint{"replaces-word", LintLevel::warn, LintSource::text, "a definition that gives a word of the standard vocabulary another meaning, for all rules"},
  Lint{"lost-bodies", LintLevel::warn, LintSource::text, "a definition by kind or player that replaces another one and leaves out some that the other had a body for"},
  Lint{"missing-body", LintLevel::warn, LintSource::text, "a kind of piece that one definition by kind has no body for, and all others have, or all other kinds a number"},
  Lint{"end-replaced", LintLevel::warn, LintSource::text, "the `end` of a variant that drops the lines of the game it extends"},
  Lint{"board-changed", LintLevel::warn, LintSource::text, "what a variant inherits and what means other cells on its own board: none, or no longer those at the edge or in the middle"},
  // --- expressions
  Lint{"mixed-signs", LintLevel::warn, LintSource::text, "`|` and `&` side by side without parentheses, likewise `or` and `and` where two conditions are alike, or kinds of which one has an owner"},
  Lint{"cell-difference", LintLevel::warn, LintSource::text, "`a1-h2`, which is one cell without another and no rectangle"},
  Lint{"cell-equals-set", LintLevel::warn, LintSource::text, "a single cell compared by `=` with a set that has several"},
  Lint{"all-of-them", LintLevel::warn, LintSource::text, "`S in T` where S may have several cells or none: it asks for all of them, and holds of none, as beyond the edge"},
  Lint{"empty-set", LintLevel::warn, LintSource::text, "cells or directions of which there are none, whatever the position"},
  Lint{"constant-condition", LintLevel::warn, LintSource::text, "a condition that always holds or never does, whatever the position and the options, or after the step or in the branch that it stands in"},
  Lint{"said-twice", LintLevel::warn, LintSource::text, "the same alternative, condition, set or body by kind twice, or one that an earlier one covers"},
  Lint{"out-of-reach", LintLevel::warn, LintSource::text, "a number of pieces that there can't be: no more are set up and no rule makes any, there aren't so many cells, or no rule takes any away"},
  Lint{"end-for-both", LintLevel::warn, LintSource::text, "two lines of `end` that say the same of a player and of his enemy, and let the one who moves win or lose by both"},
  Lint{"loses-by-taking", LintLevel::warn, LintSource::text, "a line of `end` by which a player loses when his enemy has few pieces or none, or wins when his own are taken and nobody has to take"},
  Lint{"loses-by-leaving", LintLevel::warn, LintSource::text, "a line of `end` by which a player loses when all his pieces have left, though only his own moves take them from the board"},
  Lint{"late-decision", LintLevel::warn, LintSource::text, "a `win` or `lose` of the turn that asks for nothing that the move can change"},
  Lint{"end-never-asked", LintLevel::warn, LintSource::text, "a line of `end` that an earlier one decides wherever it would"},
  Lint{"self-assignment", LintLevel::warn, LintSource::text, "`set v = v` or, of the enemy's pieces, `change S to enemy`, or to a kind that the piece has already, which changes nothing"},
  Lint{"whose-cells", LintLevel::warn, LintSource::text, "`enemy X` for cells X of which each player has his own: the enemy's pieces on those of the one who moves"},
  Lint{"one-sided", LintLevel::warn, LintSource::text, "players who face one another and share a rule that goes one way, as `step(north, …)`, or cells of one side alone, as `rank(8)`"},
  Lint{"odd-directions", LintLevel::warn, LintSource::text, "directions that are hardly meant: `orthogonal` or, to connect, `all` on hexes; sums of which some lead to a neighbour and others past it; one side alone of what elsewhere has both, or of three ways; two players who go the same way"},
  Lint{"counted-twice", LintLevel::warn, LintSource::text, "lines that are counted by both of their directions, each of which goes along them both ways"},
  Lint{"mispaired", LintLevel::warn, LintSource::text, "a kind that two definitions by kind, one of which takes back what the other does, don't lead back to itself, as they do all others"},
  Lint{"one-winner", LintLevel::warn, LintSource::text, "lines of `end` that all let the same one of two players win, while nothing lets the other one"},
  Lint{"copied-body", LintLevel::warn, LintSource::text, "bodies of two players that are the same, cells or scores that are, or in part, though they are said for each; or those that one player alone is set up on"},
  Lint{"unlike-siblings", LintLevel::warn, LintSource::text, "one of several places that are alike otherwise: a row of calls that leaves out a name which another row has, a variable of one player that is counted on from the other's, or lines of `end` that say the same of a player and of his enemy but for one word"},
  // --- actions
  Lint{"may-turn", LintLevel::warn, LintSource::text, "a walk in several directions that goes on in the same words, and so may turn on its way"},
  Lint{"anyones-piece", LintLevel::warn, LintSource::text, "`from K` for kinds that several players have, or `from S` for cells of the board, whatever stands there: a move of anybody's piece"},
  Lint{"takes-last", LintLevel::warn, LintSource::text, "`A otherwise B` where B takes pieces and A doesn't, so that nothing is taken while there is another move"},
  Lint{"takes-own", LintLevel::warn, LintSource::text, "pieces leapt over or enclosed and taken, which are the player's own"},
  Lint{"takes-empty", LintLevel::warn, LintSource::text, "cells enclosed and taken that may be empty, so that the pieces among them need not be in a row"},
  Lint{"never-lifted", LintLevel::warn, LintSource::text, "a `put` where nothing has been lifted"},
  Lint{"never-put", LintLevel::warn, LintSource::text, "pieces that are lifted and never put down, so that there is no move"},
  Lint{"lands-on-own", LintLevel::warn, LintSource::text, "a piece that is put, or may be put, on one of the player's own, which is lost"},
  Lint{"drops-everywhere", LintLevel::warn, LintSource::text, "`drop K on empty`, which lays a piece on every empty cell of the board"},
  Lint{"drops-on-pieces", LintLevel::warn, LintSource::text, "a `drop` or `place` on any cell of a set in which there are pieces, which are lost"},
  Lint{"empty-hand", LintLevel::warn, LintSource::text, "a kind that is dropped, or asked for in a hand, of which that hand never has any"},
  Lint{"missing-hand", LintLevel::warn, LintSource::text, "a list of kinds to drop, or to count in hand, of which some have an entry in `hands` and others none"},
  Lint{"draw-first", LintLevel::warn, LintSource::text, "a draw on a full board, asked before the line of who wins by the last move"},
  Lint{"same-weights", LintLevel::warn, LintSource::text, "a weight of a `roll` that is the same for all that may come of it"},
  Lint{"after-a-roll", LintLevel::warn, LintSource::text, "what stands behind `otherwise`, where a roll comes before it that always gives something"},
  Lint{"told-secret", LintLevel::warn, LintSource::text, "what was chosen by `secretly`, and is written for all behind it"},
  // --- set-up and tests
  Lint{"track-gap", LintLevel::warn, LintSource::text, "a track that leaves out a few of the cells that are set up, or is not closed though it ends where it began"},
  Lint{"setup-overlap", LintLevel::warn, LintSource::text, "a cell of the set-up that two entries name: the later one counts"},
  Lint{"setup-not-mirrored", LintLevel::warn, LintSource::text, "a set-up that is the mirror image of itself, or the same for all, but for a few pieces or a rank"},
  Lint{"not-mirrored", LintLevel::warn, LintSource::text, "cells of two players, or a variable, that are not mirrored though the set-up is; a board or listed cells that are even but for one"},
  Lint{"option-fails", LintLevel::warn, LintSource::text, "a value of an option with which the file doesn't load"},
  Lint{"test-repeats", LintLevel::warn, LintSource::text, "a test that asks what an earlier one asks"},
  Lint{"empty-test", LintLevel::warn, LintSource::text, "an expectation of a test that holds whatever the rules are"},
  Lint{"missing-about", LintLevel::note, LintSource::text, "a file with tests whose `about` lacks what `play` and `rules` tell people: `summary`, `aim`, how each kind moves; told where nothing else is found"},
  Lint{"unused-allowance", LintLevel::warn, LintSource::text, "an entry of `check` that matches no finding"},
  // --- what games show
  Lint{"fault", LintLevel::deny, LintSource::games, "a rule that goes wrong in a position that can be reached"},
  Lint{"no-opening-move", LintLevel::warn, LintSource::games, "there is no move in the first position"},
  Lint{"over-at-start", LintLevel::warn, LintSource::games, "a line of `end` holds in the first position"},
  Lint{"unchanging-move", LintLevel::warn, LintSource::games, "a move that changes nothing and is not written `pass`"},
  Lint{"same-notation", LintLevel::warn, LintSource::games, "two moves of one position that differ and are written alike"},
  Lint{"own-overwritten", LintLevel::warn, LintSource::games, "a move onto a piece of the mover's own, which is gone"},
  Lint{"leak", LintLevel::warn, LintSource::games, "a list of moves that tells a player what he doesn't see: in a game that looks the same to him it is another one"},
  Lint{"nothing-hidden", LintLevel::warn, LintSource::games, "`sees` or secret state by which nothing is ever hidden from anybody"},
  Lint{"late-end", LintLevel::warn, LintSource::games, "a line of `end` that held a turn before it was asked, nearly whenever it decided a game"},
  Lint{"games-broken-off", LintLevel::note, LintSource::games, "random games of which too little could be looked at, since to find moves takes too long"},
  Lint{"same-result", LintLevel::note, LintSource::games, "moves that are written differently and lead to the same position, again and again"},
  Lint{"loses-by-moving", LintLevel::note, LintSource::games, "`win when` with a goal of the enemy's, by which whoever made the last move lost, whenever it decided a game"},
  Lint{"over-at-once", LintLevel::note, LintSource::games, "a game of some length that a player won by his first move, or nearly all games; a win that one of two can force within three plies"},
  Lint{"unlike-sides", LintLevel::note, LintSource::games, "players who begin alike and have other moves, or another outcome, in the mirror image of a position"},
  Lint{"unlike-words", LintLevel::warn, LintSource::games, "rules that do something else than `about` tells people: how a kind moves, or what becomes of who can't move"},
  Lint{"never-stood-on", LintLevel::note, LintSource::games, "the one rank or file at the edge of the board on which no piece ever stood"},
  Lint{"may-repeat", LintLevel::note, LintSource::games, "positions that came for the third time, where no rule asks how often they did"},
  Lint{"settled-condition", LintLevel::note, LintSource::games, "a condition that had the same answer every time it was asked"},
  Lint{"nothing-depends", LintLevel::note, LintSource::games, "a condition that often failed, and without which the same games were played, move by move (`--effort 2`)"},
  Lint{"held-of-nothing", LintLevel::note, LintSource::games, "`S in T` that held only where S was empty"},
  Lint{"never-reached", LintLevel::note, LintSource::games, "a body by kind or player, or what stands behind `otherwise`, that no rule came to in random games"},
  Lint{"never-changes", LintLevel::note, LintSource::games, "a variable that rules set again and again, and never to anything but what it begins with"},
  Lint{"never-so-many", LintLevel::note, LintSource::games, "a number of pieces that a rule asks for, and of which there was never half as many, or one that a variable stops just short of"},
  Lint{"goes-on-without", LintLevel::note, LintSource::games, "the only piece of a kind that the end or a condition asks for, which is lost, and the game goes on"},
  Lint{"never-seen", LintLevel::note, LintSource::games, "a kind of piece of which there was none in random games"},
  Lint{"dead-cell", LintLevel::note, LintSource::games, "cells that pieces of a kind come to and never leave"},
  Lint{"pieces-grow", LintLevel::note, LintSource::games, "stacks of nobody's pieces of which moves make more and more"},
  Lint{"many-moves", LintLevel::note, LintSource::games, "a position with thousands of moves"},
  Lint{"dead-end", LintLevel::note, LintSource::games, "an alternative or a choice that gave no move in any position of random games"},
  Lint{"never-ends", LintLevel::note, LintSource::games, "no random game ended"},
  Lint{"lopsided", LintLevel::note, LintSource::games, "a player who won nearly all random games though both begin alike"},
  Lint{"often-stuck", LintLevel::note, LintSource::games, "random games of which many were drawn because there was no move, though no line of `end` says so"},
  Lint{"rarely-ends", LintLevel::note, LintSource::games, "random games of which few ended"},
  Lint{"never-decided", LintLevel::note, LintSource::games, "all random games ended without a winner"},
  Lint{"never-moves", LintLevel::note, LintSource::games, "a player who never had a move in random games"},
  Lint{"never-wins", LintLevel::note, LintSource::games, "a player who won no random game while others did"},
  Lint{"end-never-held", LintLevel::note, LintSource::games, "a line of `end` that held in no position of random games"},
};
// clang-format on

// The lint of a name, or null.
[[nodiscard]] constexpr const Lint* find_lint(std::string_view name) {
  for (const Lint& lint : kLints)
    if (lint.name == name) return &lint;
  return nullptr;
}

} // namespace boardwright::interpreter
