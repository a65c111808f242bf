// The tree of a rule: what the grammar makes of a body, before names and types are known.
//
// Values and actions share one grammar and one tree. A name, a call, `if`, `or` and parentheses are
// *neutral*: only typing decides whether `a or b` is a choice of two actions or a condition.
#pragma once

#include "dsl/source.hpp"
#include "dsl/step_words.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::dsl {

// clang-format off
enum class Form : std::uint8_t {
  // --- neutral
  name,        // word; own, enemy and neutral are names here
  call,        // word(kids...)
  either,      // kids joined by `or`, two or more
  conditional, // kids: condition, then [, else]
  paren,       // kids: what stands in the parentheses
  cases,       // kids: a body for each of `names`, kinds or players; kHasOthers: the last one is for the others
  // --- values
  number,     // number
  string,     // word: the text without its quotes
  negate,     // - kid
  complement, // ~ kid
  binary,     // word: one of + - * / % .. & | ; kids: left, right
  compare,    // word: one of = != < > <= >= in ; kids: left, right
  all_of,     // kids joined by `and`, two or more
  negation,   // not kid
  perspective, // left.right; kids: who, value
  owned,       // own man, enemy (a | b): kids: owner (a name: own, enemy, neutral), what
  some,        // some kid
  no,          // no kid
  some_in,     // some word in kids[0] where kids[1]
  no_in,       // no word in kids[0] where kids[1]
  some_inside, // some kids[0] in kids[1]
  no_inside,   // no kids[0] in kids[1]
  every_inside, // every kids[0] in kids[1]
  no_move,     // no move
  can,         // can kid (an action)
  part,        // (word in kids[0] where kids[1])
  list_for,    // (kids[0] for words in kids[1..n] [where kids[n+1]]): `names` holds the n words
  fold_for,    // word(kids[0] for …), like list_for; kHasWhere: the last kid is the condition
  reach,       // reach(kids[0], kids[1]: an action)
  before,      // before(kid)
  pieces,      // pieces(kids[0], [owner] [kind]): word is the owner or "", kids[1] the kind where there is one
  // --- actions
  sequence,  // kids joined by `,`
  otherwise, // kids joined by `otherwise`
  repeat,    // kids: body, then the bounds and the condition of `until` that `flags` tells of
  // Keywords that begin a step. The kid is its operand, count or step. Those with rules of their own:
  //   drop     word: own, enemy, neutral or ""; kids: cells, kind [, player] [, count]
  //   change   word: own, enemy, neutral or ""; kids: cells [, player] [, kind]
  //   move     kids: cells, map
  //   let      word = kid
  //   set      word = kids[0]; kHasOwner: kids[1] is whose; kHasKind: the last kid is the kind (word is "hand")
  //   choose   word in kids[0]; with a count, kids[1]
  //   each     word in kids[0] do kids[1]
  //   most     most kids[0] of kids[1]
  //   say      kids
  //   require  kid
#define X(word, behind) word,
  BOARDWRIGHT_STEP_WORDS(X)
#undef X
  roll, // roll names in kids[0] by kids[1], a weight that may be left out
};
// clang-format on

// What `repeat`, `set`, `fold_for` and `cases` carry in `flags`.
inline constexpr std::uint8_t kRepeatLow = 1;  // {a .. b}: kids[1] is the lower bound
inline constexpr std::uint8_t kRepeatHigh = 2; // {a .. b}, always with kRepeatLow: kids[2] is the upper bound
inline constexpr std::uint8_t kRepeatExact = 4;     // {n}: kids[1] is both bounds
inline constexpr std::uint8_t kRepeatUnbounded = 8; // * and +: `number` is the lower bound, 0 or 1
inline constexpr std::uint8_t kRepeatMaximal = 16;  // with !
inline constexpr std::uint8_t kRepeatUntil = 32;    // the last kid is the condition
inline constexpr std::uint8_t kHasOwner = 1;
inline constexpr std::uint8_t kHasKind = 2;
inline constexpr std::uint8_t kHasWhere = 4;  // of fold_for
inline constexpr std::uint8_t kHasOthers = 8; // of cases
inline constexpr std::uint8_t kShares = 1;    // of a line of `end`, until that is taken apart

// `?` is number = 0 with no flag but, perhaps, until: at most once. `?!` is that with kRepeatMaximal.
struct Ast {
  Form form = Form::name;
  Span span;
  std::uint8_t flags = 0;
  std::int64_t number = 0;
  std::string word;
  Span word_span;                 // of `word`, where it stands in the text as a word or sign of its own
  std::vector<std::string> names; // of list_for, fold_for and cases
  std::vector<Span> name_spans;
  std::vector<Ast> kids;
};

[[nodiscard]] inline bool is_name(const Ast& n, std::string_view word) {
  return n.form == Form::name && n.word == word;
}

// The degrees of `rotate(180)`, where that is a whole body for a player or says how a set-up is mirrored.
[[nodiscard]] std::optional<std::int64_t> degrees_of(const Ast& n);

// A compact form for tests: (from own), (sequence (from own) (call step forward empty)), ...
[[nodiscard]] std::string dump(const Ast& tree);

} // namespace boardwright::dsl
