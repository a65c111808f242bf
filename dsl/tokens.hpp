// The words and signs of a rule.
//
// The grammar reads tokens, not characters: a keyword then ends where its word ends, blanks and comments are
// skipped once, every token knows its bytes, and what may follow can be looked up one token ahead.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/step_words.hpp"
#include "dsl/yaml.hpp"

#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

// In the order in which an error lists what it expected. Those that begin with `a_` stand for any of many
// tokens; only errors use them.
// clang-format off
enum class Tok : std::uint8_t {
  a_step, a_value, a_kind, an_owner, a_player,
  name, number, string,
  // signs
  close, close_brace, open, open_brace, comma, dot, dots, equal, not_equal, less_equal, greater_equal, less, greater,
  plus, minus, star, slash, percent, bar, ampersand, tilde, question, question_bang, star_bang, plus_bang, bang,
  // keywords
  or_, otherwise, and_, not_, then, else_, if_, in, where, for_, until, on, by, do_, of, when,
#define X(word, behind) word,
  BOARDWRIGHT_STEP_WORDS(X)
#undef X
  some, no, every, can, own, enemy, neutral,
  // words that are keywords in one place only: before `(`, at the start of a line of `end`, before a name
  reach, before, pieces, score, share, roll,
  an_operator,
  end, // of the rule
};
// clang-format on
inline constexpr std::size_t kTokCount = static_cast<std::size_t>(Tok::end) + 1;

// A set of tokens.
class Toks {
public:
  Toks() = default;
  Toks(std::initializer_list<Tok> members) {
    for (const Tok tok : members) bits_.set(static_cast<std::size_t>(tok));
  }
  [[nodiscard]] bool has(Tok tok) const { return bits_[static_cast<std::size_t>(tok)]; }
  [[nodiscard]] bool empty() const { return bits_.none(); }
  void clear() { bits_.reset(); }
  Toks& operator|=(const Toks& other) { return bits_ |= other.bits_, *this; }
  friend Toks operator~(Toks toks) { return toks.bits_.flip(), toks; }

private:
  std::bitset<kTokCount> bits_;
};

struct Token {
  Tok kind = Tok::end;
  std::uint32_t begin = 0; // bytes of the text; strings with their quotes
  std::uint32_t end = 0;
  std::int64_t number = 0;
};

using Tokens = std::vector<Token>;

// As an author writes it; what has no spelling of its own is described: "a name", "the end of the rule".
[[nodiscard]] std::string_view spelling(Tok tok);
// The keyword that `word` is, if it is one.
[[nodiscard]] std::optional<Tok> keyword(std::string_view word);
// What an operand can begin with.
[[nodiscard]] Toks operand_starts();

// All tokens and, behind them, one `end`, which lies right after the last of them. What is no token (a wrong
// sign, an open string, a number that is too large) is an error each, with what was probably meant. O(size of
// the text).
[[nodiscard]] std::optional<Tokens> tokenize(const Text& text, Diagnostics& diagnostics);

} // namespace boardwright::dsl
