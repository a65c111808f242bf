// The grammar of rules: from the text of a scalar to a tree.
#pragma once

#include "dsl/ast.hpp"
#include "dsl/diagnostic.hpp"
#include "dsl/yaml.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::dsl {

// Parentheses, prefixes (`not`, `if`, `can`, …) and other forms nested deeper than this are refused: the
// parser is recursive, and so are the stages after it.
inline constexpr int kMaxRuleDepth = 100;
// No tree is higher than this. Operators that associate to the left make high trees without any nesting, `a |
// b | c` one level each; a board has at most some hundred cells to list.
inline constexpr int kMaxTreeHeight = 500;
// A single rule longer than this is refused.
inline constexpr std::size_t kMaxRuleBytes = 1 << 16;
// After this many syntax errors in one rule the rest is not looked at.
inline constexpr std::size_t kMaxSyntaxErrors = 5;

enum class EndVerdict : std::uint8_t { win, lose, draw, score, share };

struct SharePart { // `3/4 to White`
  std::int64_t above = 0, below = 1;
  Span span; // of the number
  std::string player;
  Span player_span;
};

struct EndRule { // one line of `end`
  EndVerdict verdict = EndVerdict::draw;
  std::string player; // of `White wins when C`; empty: the player to move
  Span player_span;
  std::optional<Ast> score;      // of `score E when C`
  std::vector<SharePart> shares; // of `share 3/4 to White, 1/4 to Black when C`
  Ast condition;
  Span span;
};

// Each reads the whole text. On failure there is at least one error in `diagnostics`, at the furthest place
// the text could be read to, with what could have stood there; then nothing is returned.
[[nodiscard]] std::optional<Ast> parse_body(const Text& text,
                                            Diagnostics& diagnostics); // an action or a value
[[nodiscard]] std::optional<Ast> parse_value(const Text& text, Diagnostics& diagnostics);
[[nodiscard]] std::optional<EndRule> parse_end(const Text& text, Diagnostics& diagnostics);
// `8 by 8`
[[nodiscard]] std::optional<std::pair<Ast, Ast>> parse_size(const Text& text, Diagnostics& diagnostics);

// The words an author can't give to anything of his own: the keywords of the grammar.
[[nodiscard]] bool is_keyword(std::string_view word);

} // namespace boardwright::dsl
