// Signs of a mistake in a rule file that loads: each a warning with a name (table.hpp), a place, a
// reason and a remedy.
//
// These lints look at the text and at what it becomes when it is loaded. What only shows in play is found by
// random games (findings.hpp). Only what the file itself says is told, not what it extends or uses.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "interpreter/meaning/readings.hpp"
#include "runtime/model/program.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

struct Loaded; // load.hpp

struct Linted {
  const dsl::RuleFile& file; // has loaded without errors
  const dsl::Sources& sources;
  const Readings& readings; // over the values that options take
  const runtime::Program& program;
  // The positions that tests show; worked out where a lint asks.
  std::function<const std::vector<runtime::Position>&()> shown = {};

  // What an expression meant in all places that it was read in; null where it was never read.
  [[nodiscard]] const Reading* reading(const dsl::Ast& n) const;
  // The definition that a name or a call stands for; null where it is local, or none.
  [[nodiscard]] const dsl::Definition* definition(const dsl::Ast& n) const;
  // Does the name mean what a vocabulary says, if it is defined at all? The file may have its own `step`.
  [[nodiscard]] bool is_of_vocabulary(std::string_view name) const;
};

[[nodiscard]] inline bool is_sign(const dsl::Ast& n, std::string_view sign) {
  return n.form == dsl::Form::binary && n.word == sign;
}

// All of them but for those of `lint_setup`.
void lint(const Linted& in, dsl::Diagnostics& out);

// Its parts: names that nothing uses or that replace others; kinds of piece and the bodies they have; single
// expressions; branches of an `if`; what the step before has settled; alternatives that others cover; rules
// that go one way, or all ways but one; lines that are counted twice, kinds that don't come back; whose
// pieces and cells they are of; places that are alike but for one; what is taken; lines of `end`, and what
// decides in the turn; what is left to chance, and what is secret; actions as a whole; tests.
void lint_names(const Linted& in, dsl::Diagnostics& out);
void lint_bodies(const Linted& in, dsl::Diagnostics& out);
void lint_expressions(const Linted& in, dsl::Diagnostics& out);
void lint_rows(const Linted& in, dsl::Diagnostics& out);
void lint_fewer(const Linted& in, dsl::Diagnostics& out);
void lint_branches(const Linted& in, dsl::Diagnostics& out);
void lint_implied(const Linted& in, dsl::Diagnostics& out);
void lint_covered(const Linted& in, dsl::Diagnostics& out);
void lint_sides(const Linted& in, dsl::Diagnostics& out);
void lint_headings(const Linted& in, dsl::Diagnostics& out);
void lint_lines(const Linted& in, dsl::Diagnostics& out);
void lint_tables(const Linted& in, dsl::Diagnostics& out);
void lint_players(const Linted& in, dsl::Diagnostics& out);
void lint_siblings(const Linted& in, dsl::Diagnostics& out);
void lint_taken(const Linted& in, dsl::Diagnostics& out);
void lint_foreign_hands(const Linted& in, dsl::Diagnostics& out);
void lint_ends(const Linted& in, dsl::Diagnostics& out);
void lint_verdicts(const Linted& in, dsl::Diagnostics& out);
void lint_belated(const Linted& in, dsl::Diagnostics& out);
void lint_draws(const Linted& in, dsl::Diagnostics& out);
void lint_chance(const Linted& in, dsl::Diagnostics& out);
void lint_actions(const Linted& in, dsl::Diagnostics& out);
void lint_tests(const Linted& in, dsl::Diagnostics& out);

// The set-up, and what goes by the cells and directions of one board: with other values of options they are
// others, so the readings must be of this load alone. Its parts: what is not the same for all players in the
// set-up, in rules, in bodies by player; what pieces land on; ways that are walked; shapes that are nearly
// even.
void lint_setup(const Linted& in, dsl::Diagnostics& out);
void lint_mirror(const Linted& in, dsl::Diagnostics& out);
void lint_facing(const Linted& in, dsl::Diagnostics& out);
void lint_paired(const Linted& in, dsl::Diagnostics& out);
void lint_copied(const Linted& in, dsl::Diagnostics& out);
void lint_landing(const Linted& in, dsl::Diagnostics& out);
void lint_walks(const Linted& in, dsl::Diagnostics& out);
void lint_shapes(const Linted& in, dsl::Diagnostics& out);

// What a variant inherits and what means something else on its board. It reads what is extended once more.
void lint_board(const Linted& in, dsl::Diagnostics& out);
// Moves that a test excludes and that no rules could allow there.
void lint_exclusions(const Loaded& loaded, dsl::Diagnostics& out);

// What people are told of the game, and what of it is missing. For last: it is no mistake.
void lint_about(const Linted& in, dsl::Diagnostics& out);

// Calls `visit` with every rule of the file itself: bodies of definitions, the turn, end lines, set-up, …
void each_rule(const dsl::RuleFile& file, const std::function<void(const dsl::Ast&)>& visit);

// Do two rules say the same? Places, and parentheses around the whole, don't count.
[[nodiscard]] bool same_rule(const dsl::Ast& a, const dsl::Ast& b);
// Has no player ever a piece of this kind in hand: none to begin with, and no rule that gives some?
[[nodiscard]] bool is_never_in_hand(const Linted& in, const dsl::HandEntry& entry);
// Does a player have pieces of this kind?
[[nodiscard]] bool is_owned(const dsl::KindEntry& kind);
// Without parentheses around it.
[[nodiscard]] const dsl::Ast& bare(const dsl::Ast& n);

template <class F>
void each_node(const dsl::Ast& n, F&& visit) {
  visit(n);
  for (const dsl::Ast& kid : n.kids) each_node(kid, visit);
}

template <class F>
void each_body(const dsl::Definition& d, F&& visit) {
  if (d.body) visit(*d.body);
  for (const auto& [who, body] : d.cases) visit(body);
  if (d.others) visit(*d.others);
}

} // namespace boardwright::interpreter
