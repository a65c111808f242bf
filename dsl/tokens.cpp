// Entry points: tokenize, keyword.
#include "dsl/tokens.hpp"

#include "dsl/grammar.hpp"
#include "dsl/shape.hpp"
#include "dsl/text.hpp"
#include "dsl/yaml_errors.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace boardwright::dsl {
namespace {

using std::string_view;

// Goes along with Tok.
// clang-format off
constexpr std::array<string_view, kTokCount> kSpellings{
    "a step", "a value", "a kind", "an owner", "a player who wins or loses",
    "a name", "a number", "a string",
    ")", "}", "(", "{", ",", ".", "..", "=", "!=", "<=", ">=", "<", ">",
    "+", "-", "*", "/", "%", "|", "&", "~", "?", "?!", "*!", "+!", "!",
    "or", "otherwise", "and", "not", "then", "else", "if", "in", "where", "for", "until", "on", "by", "do", "of", "when",
#define X(word, behind) #word,
    BOARDWRIGHT_STEP_WORDS(X)
#undef X
    "some", "no", "every", "can", "own", "enemy", "neutral",
    "reach", "before", "pieces", "score", "share", "roll",
    "an operator",
    "the end of the rule"};
// clang-format on
static_assert(kSpellings.back() == "the end of the rule");

// The longest first, so that a sign is not read as the beginning of itself.
constexpr std::array kSigns{
    Tok::dots,          Tok::not_equal, Tok::less_equal,  Tok::greater_equal, Tok::star_bang,  Tok::plus_bang,
    Tok::question_bang, Tok::close,     Tok::close_brace, Tok::open,          Tok::open_brace, Tok::comma,
    Tok::dot,           Tok::equal,     Tok::less,        Tok::greater,       Tok::plus,       Tok::minus,
    Tok::star,          Tok::slash,     Tok::percent,     Tok::bar,           Tok::ampersand,  Tok::tilde,
    Tok::question,      Tok::bang};

// What people write out of habit from elsewhere, and what it is here; the longest first.
struct Slip {
  string_view written;
  string_view help;
};
constexpr string_view kNoPowers = "there are no powers; the square of V is `(let v = V, v * v)`";
constexpr std::array kSlips{
    Slip{"!==", "write `!=`"},
    Slip{"===", "write `=`"},
    Slip{"...", "write `..`"},
    Slip{"==", "write `=`"},
    Slip{":=", "write `=`"},
    Slip{"<>", "write `!=`"},
    Slip{"=<", "write `<=`"},
    Slip{"=>", "write `>=`"},
    Slip{"&&", "write `,` between steps, `and` between conditions, `&` between sets"},
    Slip{"||", "write `or` between conditions or actions, `|` between sets"},
    Slip{"**", kNoPowers},
    Slip{"->", "a rule says step by step what a move does: `from own, lift, go north, at empty, put`"},
    Slip{"++", "write `set v = v + 1`"},
    Slip{"\\", "`S - T` is S without T"},
    Slip{"//", "a comment begins with `#`, a division is `/`"},
    Slip{";", "write `,` between steps"},
    Slip{":", "a space after `:` ends a key in YAML; a rule has no `:`"},
    Slip{"'", "a string is written `\"like this\"`"},
    Slip{"`", "a string is written `\"like this\"`"},
    Slip{"[", "write `(`"},
    Slip{"]", "write `)`"},
    Slip{"^", kNoPowers},
    Slip{"\u2260", "write `!=`"},
    Slip{"\u2264", "write `<=`"},
    Slip{"\u2265", "write `>=`"},
    Slip{"\u00d7", "write `*`"},
    Slip{"\u2026", "write `..`"},
    Slip{"\u2013", "write `-`"},
    Slip{"\u2014", "write `-`"},
    Slip{"\u2212", "write `-`"},
    Slip{"\u201c", "write a straight `\"`"},
    Slip{"\u201d", "write a straight `\"`"},
    Slip{"\u201e", "write a straight `\"`"},
    Slip{"\u2018", "write a straight `\"`"},
    Slip{"\u2019", "write a straight `\"`"},
    Slip{"\u00ab", "write a straight `\"`"},
    Slip{"\u00bb", "write a straight `\"`"},
    Slip{"\u00a0", "write a plain space"},
    Slip{"\u222a", "write `|`"},
    Slip{"\u2229", "write `&`"},
    Slip{"\u00ac", "write `not`, or `~` for a set"}};

bool separates_tokens(char c) { return is_white(c) || c == '\f' || c == '\v'; }

class Lexer {
public:
  Lexer(const Text& text, Diagnostics& diagnostics)
      : text_(text), diagnostics_(diagnostics), rest_(text.text) {}

  std::optional<Tokens> run() {
    while (skip_blanks(), !rest_.empty() && errors_ < kMaxSyntaxErrors) read();
    if (errors_ > 0) return std::nullopt;
    const auto end = tokens_.empty() ? 0 : tokens_.back().end;
    tokens_.push_back({Tok::end, end, end, 0});
    return std::move(tokens_);
  }

private:
  [[nodiscard]] std::size_t at() const { return text_.text.size() - rest_.size(); }

  void skip_blanks() {
    while (!rest_.empty() && (separates_tokens(rest_.front()) || rest_.front() == '#')) {
      const bool comment = rest_.front() == '#';
      rest_.remove_prefix(comment ? std::min(rest_.find('\n'), rest_.size()) : 1);
    }
  }

  void read() {
    const char c = rest_.front();
    if (begins_name(c)) return word();
    if (is_digit(c)) return number();
    if (c == '"') return string();
    if (!slip()) sign();
  }

  [[nodiscard]] std::size_t count(bool (*belongs)(char)) const {
    return static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), belongs) - rest_.begin());
  }

  void token(Tok kind, std::size_t size, std::int64_t value = 0) {
    tokens_.push_back(
        {kind, static_cast<std::uint32_t>(at()), static_cast<std::uint32_t>(at() + size), value});
    rest_.remove_prefix(size);
  }

  void error(std::size_t size, std::string message, string_view help) {
    size = std::min(size, rest_.size());
    diagnostics_.error("syntax", text_.span(at(), at() + size), std::move(message)).help = help;
    rest_.remove_prefix(size);
    ++errors_;
  }

  void word() {
    const std::size_t size = count(continues_name);
    token(keyword(rest_.substr(0, size)).value_or(Tok::name), size);
  }

  void number() {
    const std::size_t size = count(is_digit);
    if (const std::size_t all = count(continues_name); all > size)
      return error(all, in_backticks(rest_.substr(0, all)) + " is neither a number nor a name",
                   rest_[size] == 'x'
                       ? "a product is `2 * x`, the size of a board `8 by 8`"
                       : "a name begins with a letter; after a number there must be an operator");
    std::int64_t value = 0;
    for (const char digit : rest_.substr(0, size))
      value = std::min(value * 10 + (digit - '0'), kMaxNumber + 2);
    // Behind a minus there may be one more: the least number is -2147483648.
    const bool negative = !tokens_.empty() && tokens_.back().kind == Tok::minus;
    if (value > kMaxNumber + (negative ? 1 : 0))
      return error(size, "this number is too large", "the largest is 2147483647");
    token(Tok::number, size, value);
  }

  void string() {
    const std::size_t close = rest_.find_first_of("\"\n", 1);
    if (close == string_view::npos && text_.comment != 0) return string_with_comment();
    if (close == string_view::npos || rest_[close] == '\n')
      return error(std::min(close, rest_.size()), "a string is not closed",
                   "it must end with `\"` on the same line");
    token(Tok::string, close + 1);
  }

  void string_with_comment() {
    const auto begin = text_.span(at(), at()).begin;
    diagnostics_.error("syntax", {text_.file, begin, text_.comment + 1}, kCutString).help = kCutStringHelp;
    rest_ = {};
    ++errors_;
  }

  bool slip() {
    const auto found = std::find_if(kSlips.begin(), kSlips.end(),
                                    [&](const Slip& slip) { return rest_.starts_with(slip.written); });
    if (found == kSlips.end()) return false;
    if (found->written == "[") return bracket(), true;
    error(found->written.size(), "there is no " + in_backticks(found->written) + " in this language",
          found->help);
    return true;
  }

  // `[c for c in own if C]`, `[a1, b1]`, `[ > Player | Crate ] -> …`: told once, as a whole.
  void bracket() {
    const string_view inside =
        rest_.substr(0, rest_.find(']') == string_view::npos ? 1 : rest_.find(']') + 1);
    const string_view behind = rest_.substr(inside.size());
    const bool rewrites =
        behind.substr(std::min(behind.find_first_not_of(" \n"), behind.size())).starts_with("->");
    const bool calls = !tokens_.empty() && tokens_.back().kind == Tok::name && tokens_.back().end == at();
    const bool owner = !tokens_.empty() && tokens_.back().end == at() &&
                       Toks{Tok::own, Tok::enemy, Tok::neutral}.has(tokens_.back().kind);
    const bool numbered =
        inside.size() > 2 && inside.find_first_not_of("0123456789 ]", 1) == string_view::npos;
    string_view help = "write `(`";
    if (rewrites)
      help = "a rule says step by step what a move does: `from own, lift, go north, at empty, put`";
    else if (inside.find(" for ") != string_view::npos)
      help = "a list of all E is `(E for x in S where C)`, the members of S with C are `(x in S where C)`";
    else if (numbered && (calls || owner))
      help = "members have no numbers: the ends of a set or list are `first(S)` and `last(S)`; an argument "
             "stands in parentheses: `f(x)`";
    else if (calls)
      help = "an argument stands in parentheses: `f(x)`";
    else if (inside.find(',') != string_view::npos)
      help = "several cells or directions are `a | b`, a list is `list(a, b)`";
    error(rewrites ? rest_.size() : inside.size(), "there is no `[` in this language", help);
  }

  void sign() {
    const auto found =
        std::find_if(kSigns.begin(), kSigns.end(), [&](Tok tok) { return rest_.starts_with(spelling(tok)); });
    if (found != kSigns.end()) return token(*found, spelling(*found).size());
    const Character first = first_character(rest_);
    const auto character = rest_.substr(0, first.bytes);
    if (!first.valid) return error(1, "a byte that is not a character", "the text of a rule is UTF-8");
    if (character.front() == '\x7f' || static_cast<unsigned char>(character.front()) < ' ')
      return error(1, "a control character", "");
    error(character.size(), "there is no " + in_backticks(character) + " in this language",
          character.size() > 1 ? "names are made of the letters a to z, digits and `_`" : "");
  }

  static constexpr std::int64_t kMaxNumber = 0x7fffffff; // numbers have 32 bits

  const Text& text_;
  Diagnostics& diagnostics_;
  string_view rest_;
  Tokens tokens_;
  std::size_t errors_ = 0;
};

// `reach`, `before` and `pieces` are names like any other unless a parenthesis follows.
void mark_functions(const Text& text, Tokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    Token& token = tokens[i];
    if (token.kind != Tok::name || tokens[i + 1].kind != Tok::open) continue;
    const auto word = string_view(text.text).substr(token.begin, token.end - token.begin);
    for (const Tok function : {Tok::reach, Tok::before, Tok::pieces})
      if (word == spelling(function)) token.kind = function;
  }
}

// `roll` is a name like any other unless the name of what is rolled follows. Elsewhere two names follow one
// another only behind these two.
void mark_rolls(const Text& text, Tokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    Token& token = tokens[i];
    const bool follows_number =
        i > 0 && (tokens[i - 1].kind == Tok::choose || tokens[i - 1].kind == Tok::drop);
    if (token.kind != Tok::name || tokens[i + 1].kind != Tok::name || follows_number) continue;
    const auto word = string_view(text.text).substr(token.begin, token.end - token.begin);
    if (word == spelling(Tok::roll)) token.kind = Tok::roll;
  }
}

} // namespace

string_view spelling(Tok tok) { return kSpellings[static_cast<std::size_t>(tok)]; }

std::optional<Tok> keyword(string_view word) {
  for (auto i = static_cast<std::size_t>(Tok::or_); i <= static_cast<std::size_t>(Tok::neutral); ++i)
    if (kSpellings[i] == word) return static_cast<Tok>(i);
  return std::nullopt;
}

Toks operand_starts() {
  return {Tok::name,    Tok::number, Tok::string, Tok::open,  Tok::minus, Tok::tilde,
          Tok::some,    Tok::no,     Tok::every,  Tok::can,   Tok::own,   Tok::enemy,
          Tok::neutral, Tok::reach,  Tok::before, Tok::pieces};
}

std::optional<Tokens> tokenize(const Text& text, Diagnostics& diagnostics) {
  auto tokens = Lexer(text, diagnostics).run();
  if (tokens) mark_functions(text, *tokens), mark_rolls(text, *tokens);
  return tokens;
}

} // namespace boardwright::dsl
