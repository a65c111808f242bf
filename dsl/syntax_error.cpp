// Entry point: report.
#include "dsl/syntax_error.hpp"

#include "dsl/other_languages.hpp"
#include "dsl/shape.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace boardwright::dsl {
namespace {

using std::string;
using std::string_view;

// Lists longer than this don't help.
constexpr std::size_t kMaxListed = 6;

string in_small_letters(string_view word) {
  string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

// The tokens around the failure.
class Place {
public:
  Place(const Misread& misread, const Text& text, const Tokens& tokens)
      : misread_(misread), text_(text), tokens_(tokens) {}

  void report(Diagnostics& diagnostics) const {
    auto& error = diagnostics.error("syntax", span(misread_.at), message());
    if (const string list = expected(); !list.empty()) error.expected = "expected " + list;
    error.help = help();
    const auto open = unclosed();
    const bool closes = misread_.expected.has(Tok::close) || misread_.expected.has(Tok::close_brace);
    if (closes && open < misread_.at && Toks{Tok::end, Tok::close, Tok::close_brace}.has(kind()))
      error.related.push_back({span(open), in_backticks(word(open)) + " was opened here"});
    if (begins_step_of_line())
      error.related.push_back({span(misread_.at - 1), "is a `,` missing after this?"});
  }

private:
  // Of the token `offset` places from the failure; `end` outside the rule.
  [[nodiscard]] Tok kind(int offset = 0) const {
    const auto i = static_cast<std::ptrdiff_t>(misread_.at) + offset;
    return i < 0 || i >= std::ssize(tokens_) ? Tok::end : tokens_[static_cast<std::size_t>(i)].kind;
  }
  [[nodiscard]] Span span(std::size_t i) const { return text_.span(tokens_[i].begin, tokens_[i].end); }
  [[nodiscard]] string_view word(std::size_t i) const {
    return string_view(text_.text).substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }

  // The innermost parenthesis or brace that is open before the failure; where none is, the failure.
  [[nodiscard]] std::size_t unclosed() const {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < misread_.at; ++i) {
      const Tok tok = tokens_[i].kind;
      if (tok == Tok::open || tok == Tok::open_brace) open.push_back(i);
      if ((tok == Tok::close || tok == Tok::close_brace) && !open.empty()) open.pop_back();
    }
    return open.empty() ? misread_.at : open.back();
  }

  [[nodiscard]] bool is_keyword_as_name() const {
    const bool only_a_name = !misread_.expected.has(Tok::a_value) || kind(1) == Tok::in;
    return misread_.expected.has(Tok::name) && only_a_name && keyword(word(misread_.at)).has_value();
  }
  // A step at the beginning of a line, where the line before could have ended with a comma.
  [[nodiscard]] bool begins_step_of_line() const {
    if (misread_.at == 0 || is_end(misread_.at) || !misread_.expected.has(Tok::comma)) return false;
    const bool begins = kind() == Tok::name || kind() == Tok::open || kind() == Tok::if_ ||
                        (keyword(word(misread_.at)) && !operators().has(kind()));
    const std::size_t from = tokens_[misread_.at - 1].end;
    const string_view between = string_view(text_.text).substr(from, tokens_[misread_.at].begin - from);
    return begins && between.find('\n') != string_view::npos;
  }

  // Words that can't begin a step.
  static const Toks& operators() {
    static const Toks words{Tok::and_,  Tok::or_, Tok::otherwise, Tok::in, Tok::then, Tok::else_,
                            Tok::where, Tok::of,  Tok::until,     Tok::on, Tok::by,   Tok::do_};
    return words;
  }

  [[nodiscard]] bool is_stray_close() const { return kind() == Tok::close && unclosed() == misread_.at; }

  // The end of a part of a rule is a parenthesis, which its token covers.
  [[nodiscard]] bool is_end(std::size_t i) const { return tokens_[i].kind == Tok::end && word(i).empty(); }

  [[nodiscard]] string written(Tok tok) const {
    if (tok == Tok::end && !is_end(tokens_.size() - 1)) return in_backticks(word(tokens_.size() - 1));
    const bool described = tok <= Tok::string || tok == Tok::an_operator || tok == Tok::end;
    return described ? string(spelling(tok)) : in_backticks(spelling(tok));
  }

  [[nodiscard]] string expected() const {
    std::vector<string> names;
    for (std::size_t i = 0; i < kTokCount && names.size() < kMaxListed; ++i)
      if (const auto tok = static_cast<Tok>(i); misread_.expected.has(tok)) names.push_back(written(tok));
    string list;
    for (std::size_t i = 0; i < names.size(); ++i)
      list += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    return list;
  }

  [[nodiscard]] string message() const {
    if (is_end(misread_.at)) return tokens_.size() == 1 ? "an empty rule" : "unexpected end of the rule";
    if (is_stray_close()) return "unmatched `)`";
    if (is_keyword_as_name()) return in_backticks(word(misread_.at)) + " is a reserved word";
    return "unexpected " +
           (kind() == Tok::string ? string(word(misread_.at)) : in_backticks(word(misread_.at)));
  }

  [[nodiscard]] string help() const {
    for (const auto hint :
         {&Place::small_letters, &Place::rolled_elsewhere, &Place::all_or_any, &Place::idiom,
          &Place::shorthand, &Place::slip, &Place::repetition, &Place::elsewhere, &Place::keyword_meant,
          &Place::step_meant, &Place::owner_meant, &Place::missing_call, &Place::nothing_to_remove,
          &Place::nowhere_to_drop, &Place::verb_meant, &Place::missing_operator})
      if (string text = (this->*hint)(); !text.empty()) return text;
    return "";
  }

  // `NOT`, `Or`
  [[nodiscard]] string small_letters() const {
    for (const auto i : {misread_.at, misread_.at - 1}) { // wraps round at the first token
      if (i >= tokens_.size() || tokens_[i].kind != Tok::name) continue;
      if (const string small = in_small_letters(word(i)); small != word(i) && keyword(small))
        return "write " + in_backticks(small) + " in lower case";
    }
    return "";
  }

  // ---- as other languages write it

  // The text of some tokens, without the blanks around it.
  [[nodiscard]] string between(std::size_t from, std::size_t end) const {
    return from >= end ? ""
                       : text_.text.substr(tokens_[from].begin, tokens_[end - 1].end - tokens_[from].begin);
  }
  // Where the operand begins that ends before a token: behind a word that joins, or a parenthesis.
  [[nodiscard]] std::size_t operand_before(std::size_t at) const {
    int depth = 0;
    for (; at > 0; --at) {
      const Tok tok = tokens_[at - 1].kind;
      if (tok == Tok::close || tok == Tok::close_brace) ++depth;
      const bool opens = tok == Tok::open || tok == Tok::open_brace;
      if (depth == 0 && (opens || joins(tok))) return at;
      if (opens) --depth;
    }
    return at;
  }
  // Where the operand ends that begins at a token.
  [[nodiscard]] std::size_t operand_behind(std::size_t at) const {
    int depth = 0;
    for (; at + 1 < tokens_.size(); ++at) {
      const Tok tok = tokens_[at].kind;
      const bool closes = tok == Tok::close || tok == Tok::close_brace;
      if (depth == 0 && (closes || joins(tok))) return at;
      depth += closes ? -1 : tok == Tok::open || tok == Tok::open_brace ? 1 : 0;
    }
    return at;
  }
  static bool joins(Tok tok) {
    static const Toks words{Tok::comma,   Tok::equal, Tok::or_,   Tok::and_,  Tok::otherwise,
                            Tok::if_,     Tok::then,  Tok::else_, Tok::where, Tok::when,
                            Tok::require, Tok::to,    Tok::from,  Tok::at,    Tok::on,
                            Tok::do_,     Tok::until, Tok::not_,  Tok::go,    Tok::by};
    return words.has(tok);
  }

  [[nodiscard]] string idiom() const {
    for (const auto hint :
         {&Place::condition_behind, &Place::not_in, &Place::bounds_by_word, &Place::several_names,
          &Place::part_without_parentheses, &Place::part_without_name, &Place::block_in_braces, &Place::loop,
          &Place::cells_with_commas, &Place::verdict_missing})
      if (string text = (this->*hint)(); !text.empty()) return text;
    return "";
  }

  // `A if C else B`
  [[nodiscard]] string condition_behind() const {
    if (kind() != Tok::if_ || misread_.at == 0 || !misread_.expected.has(Tok::an_operator)) return "";
    const std::size_t then = operand_before(misread_.at), condition = misread_.at + 1;
    std::size_t other = condition;
    while (other + 1 < tokens_.size() && tokens_[other].kind != Tok::else_ &&
           tokens_[other].kind != Tok::comma)
      ++other;
    if (tokens_[other].kind != Tok::else_ || then >= misread_.at) return "";
    return "write " + in_backticks("if " + between(condition, other) + " then " + between(then, misread_.at) +
                                   " else " + between(other + 1, operand_behind(other + 1)));
  }

  // `c not in S`
  [[nodiscard]] string not_in() const {
    if (kind() != Tok::not_ || kind(1) != Tok::in || misread_.at == 0) return "";
    return "write " + in_backticks("not " + between(operand_before(misread_.at), misread_.at) + " in " +
                                   between(misread_.at + 2, operand_behind(misread_.at + 2)));
  }

  // `{1 to far}`
  [[nodiscard]] string bounds_by_word() const {
    const std::size_t open = unclosed();
    const bool in_braces = open < misread_.at && tokens_[open].kind == Tok::open_brace;
    if (kind() != Tok::to || !in_braces) return "";
    return "write " + in_backticks("{" + between(open + 1, misread_.at) + " .. " +
                                   between(misread_.at + 1, operand_behind(misread_.at + 1)) + "}");
  }

  // `some c in own, d in axes where C`
  [[nodiscard]] string several_names() const {
    const std::size_t at = misread_.at;
    const bool named = kind() == Tok::comma && misread_.expected.has(Tok::where) && at >= 4 &&
                       kind(1) == Tok::name && kind(2) == Tok::in;
    if (!named) return "";
    std::size_t first = at; // `some` or `no`
    while (first > 0 && tokens_[first].kind != Tok::some && tokens_[first].kind != Tok::no) --first;
    std::size_t where = at;
    while (where + 1 < tokens_.size() && tokens_[where].kind != Tok::where) ++where;
    return "one name at a time: " +
           in_backticks(between(first, at) + " where some " + between(at + 1, where) + " where C");
  }

  // `count(d in D where C)`
  [[nodiscard]] string part_without_parentheses() const {
    const std::size_t open = unclosed();
    if (kind() != Tok::where || open == 0 || open >= misread_.at || tokens_[open - 1].kind != Tok::name)
      return "";
    return "what is a part of S stands in parentheses of its own: " +
           in_backticks(string(word(open - 1)) + "((" + between(open + 1, misread_.at) + " where C))");
  }

  // `from S where C`, `some S where C`
  [[nodiscard]] string part_without_name() const {
    if (kind() != Tok::where || misread_.at == 0 || !misread_.expected.has(Tok::an_operator)) return "";
    if (kind(-2) == Tok::in && kind(-4) == Tok::choose) return ""; // told with its name
    std::size_t begin = operand_before(misread_.at);
    static const Toks verbs{Tok::remove, Tok::some, Tok::no, Tok::every, Tok::in, Tok::when};
    for (std::size_t i = begin; i < misread_.at; ++i)
      if (verbs.has(tokens_[i].kind)) begin = i + 1;
    const Tok before = begin == 0 ? Tok::end : tokens_[begin - 1].kind;
    const string set = between(begin, misread_.at);
    if (set.empty()) return "";
    if (before == Tok::some || before == Tok::no)
      return "write " + in_backticks(string(word(begin - 1)) + " c in " + set + " where C") +
             ", with `c` for the cell in C";
    return "the cells of a set for which C holds are " + in_backticks("(c in " + set + " where C)") +
           ", with `c` for the cell in C";
  }

  // `if C { A }`
  [[nodiscard]] string block_in_braces() const {
    return kind() == Tok::open_brace && misread_.expected.has(Tok::then)
               ? "write `if C then A`; several steps stand in parentheses, `if C then (A, B)`"
               : "";
  }

  // `for d in D …`
  [[nodiscard]] string loop() const {
    const bool begins = kind() == Tok::for_ && misread_.expected.has(Tok::a_step);
    return begins ? "`choose x in S, A`: the player chooses one; `each x in S do A` does A for every one"
                  : "";
  }

  // `d4, d3, d1` where a set is needed
  [[nodiscard]] string cells_with_commas() const {
    if (kind() != Tok::comma || misread_.expected.has(Tok::comma) || unclosed() != misread_.at) return "";
    string set;
    for (const auto& token : tokens_) {
      if (token.kind != Tok::name && token.kind != Tok::comma && token.kind != Tok::end) return "";
      if (token.kind == Tok::name)
        set += (set.empty() ? "" : " | ") + text_.text.substr(token.begin, token.end - token.begin);
    }
    return "several cells are " + in_backticks(set);
  }

  // A line of `end` that begins with its condition.
  [[nodiscard]] string verdict_missing() const {
    if (misread_.at != 0 || !misread_.expected.has(Tok::win)) return "";
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (word(i) == "Line")
        return "in `turn`, behind the move: `if in_row(3) then win`; " + said_elsewhere("Line");
    if (kind() == Tok::if_) return "";
    if (string text = said_elsewhere(word(0)); !text.empty() && word(0) != "all" && word(0) != "any")
      return text;
    const bool asks = Toks{Tok::some, Tok::no, Tok::every, Tok::own, Tok::enemy, Tok::not_}.has(kind());
    if (asks || word(0) == "all" || word(0) == "any")
      return "a line of `end` begins with what happens, as in `win when every own man in last_row`";
    return "";
  }

  // `verify not own`, `late from own`, `sites Empty`: a word that means nothing here, before or at the
  // failure.
  [[nodiscard]] string elsewhere() const {
    static const Toks names{Tok::name, Tok::not_, Tok::own,  Tok::enemy,  Tok::neutral, Tok::from,
                            Tok::open, Tok::no,   Tok::some, Tok::number, Tok::minus,   Tok::in};
    if (misread_.at == 0 || kind(-1) != Tok::name || !names.has(kind())) return "";
    const string_view before = word(misread_.at - 1);
    if (before == "is" && kind() == Tok::not_)
      return "that two values differ is `a != b`, that a cell is not in S `not a in S`";
    if (before == "is" || word(misread_.at) == "is") {
      const string_view next = kind() == Tok::name && before == "is" ? word(misread_.at) : "";
      if (next == "Line") return said_elsewhere(next);
      if (next == "Empty" || next == "Enemy" || next == "Friend" || next == "Own")
        return "cells are told by sets: `empty`, `enemy`, `own`, both of two by `A & B`, either by `A | B`";
      return "";
    }
    if (before == "sites" && kind() == Tok::name) {
      const string set = in_small_letters(word(misread_.at));
      return "write " + in_backticks(set == "empty" || set == "occupied" ? set : "board");
    }
    const bool called = kind() == Tok::open;
    return said_elsewhere(before, called);
  }

  // `hand(k) += 1`, `change to K`, `(k of kinds where C)`
  [[nodiscard]] string shorthand() const {
    static const Toks signs{Tok::plus, Tok::minus, Tok::star};
    if (kind() == Tok::equal && signs.has(kind(-1))) return assignment(misread_.at);
    if (kind(1) == Tok::equal && signs.has(kind())) return assignment(misread_.at + 1);
    if (kind() == Tok::where && kind(-2) == Tok::in && kind(-4) == Tok::choose)
      return chosen_where(word(misread_.at - 3), word(misread_.at - 1));
    if (kind() == Tok::when && Toks{Tok::win, Tok::lose, Tok::draw}.has(kind(-1)))
      return "in a turn write " + in_backticks("if C then " + string(word(misread_.at - 1))) +
             "; `when` stands in lines of `end`";
    if (kind() == Tok::to && kind(-1) == Tok::change)
      return "write " +
             in_backticks("change S to " + (is_end(misread_.at + 1) ? "K" : string(word(misread_.at + 1)))) +
             ", where S are the cells, such as `here`";
    if (kind() == Tok::of && kind(-1) == Tok::name && kind(-2) == Tok::open)
      return "write " + in_backticks("(" + string(word(misread_.at - 1)) + " in S where C)");
    return "";
  }

  // `choose c in S where C`
  [[nodiscard]] static string chosen_where(string_view name, string_view set) {
    const string c(name), s(set);
    return "write " + in_backticks("choose " + c + " in (" + c + " in " + s + " where C)");
  }

  // Of `v += n`, with the `=` at `equal`: a variable is set to what it is worked out from.
  [[nodiscard]] string assignment(std::size_t equal) const {
    std::size_t begin = equal - 2; // the variable's last token, if there is one
    if (equal < 2 || is_end(equal + 1)) return "write `set v = v + 1`";
    if (tokens_[begin].kind == Tok::close) {
      int open = 0;
      do {
        open += tokens_[begin].kind == Tok::close ? 1 : tokens_[begin].kind == Tok::open ? -1 : 0;
        if (open > 0 && begin == 0) return "write `set v = v + 1`";
        if (open > 0) --begin;
      } while (open > 0);
      if (begin > 0) --begin; // its name
    }
    const std::size_t from = tokens_[begin].begin;
    const string variable = text_.text.substr(from, tokens_[equal - 2].end - from);
    return "write " + in_backticks("set " + variable + " = " + variable + " " + string(word(equal - 1)) +
                                   " " + string(word(equal + 1)));
  }

  [[nodiscard]] string slip() const {
    const bool expects_operator = misread_.expected.has(Tok::an_operator);
    const bool in_share = tokens_.front().kind == Tok::share &&
                          (misread_.expected.has(Tok::when) || misread_.expected.has(Tok::to));
    if (is_keyword_as_name()) return "choose another name";
    switch (kind()) {
    case Tok::bang: return expects_operator ? "`!` comes after `?`, `*`, `+` or `}`" : negation();
    case Tok::if_:
      if (kind(-1) == Tok::and_) return "steps are joined by commas: `A, if C then B`";
      return misread_.expected.has(Tok::when) || (misread_.expected.has(Tok::win) && misread_.at == 0)
                 ? "a line of `end` reads `lose when C`"
                 : "";
    case Tok::dot: return in_share ? "a share is a fraction, such as `3/4`" : "";
    case Tok::and_:
      if (in_share) return "a comma stands between shares";
      return expects_operator ? "sets are joined by `&`, conditions by `and`" : "";
    case Tok::or_: return expects_operator ? "sets are joined by `|`" : "";
    case Tok::equal: return comparison();
    case Tok::not_equal:
    case Tok::less:
    case Tok::greater:
    case Tok::less_equal:
    case Tok::greater_equal:
    case Tok::in: return comparison();
    case Tok::close:
      return kind(-1) == Tok::open && kind(-2) == Tok::name ? "a call without arguments takes no parentheses"
                                                            : "";
    case Tok::open: return opened();
    case Tok::else_:
      return "`else` belongs to an `if C then A` right before it; put longer branches in parentheses";
    case Tok::otherwise: return expects_operator ? "put `A otherwise B` in parentheses" : "";
    case Tok::name: return is_else_if(word(misread_.at)) ? said_elsewhere(word(misread_.at)) : quantifier();
    default: return quantifier();
    }
  }

  // `!own`, `!(here = start)`
  [[nodiscard]] string negation() const {
    const bool set = Toks{Tok::name, Tok::own, Tok::enemy, Tok::neutral}.has(kind(1));
    return set ? "`~" + string(word(misread_.at + 1)) +
                     "` is every cell but those; before a condition write `not`"
               : "write `not` before a condition, `~` before a set of cells";
  }

  // `rank 8`
  [[nodiscard]] string missing_call() const {
    if (kind(-1) != Tok::name || kind() != Tok::number || !misread_.expected.has(Tok::an_operator)) return "";
    return "write " + in_backticks(string(word(misread_.at - 1)) + "(" + string(word(misread_.at)) + ")");
  }

  // `place man on empty`, `repeat step(north)`, `z is empty`: words as they are said.
  [[nodiscard]] string verb_meant() const {
    if (misread_.at == 0 || kind(-1) != Tok::name || is_end(misread_.at)) return "";
    const string verb(word(misread_.at - 1));
    if (word(misread_.at) == "is" && kind(1) == Tok::not_)
      return "write " + in_backticks(between(operand_before(misread_.at), misread_.at) +
                                     " != " + between(misread_.at + 2, operand_behind(misread_.at + 2)));
    if (word(misread_.at) == "is" || verb == "is")
      return "`A in S` asks whether a cell is among others, `a = b` whether two values are the same";
    static const Toks before_steps{Tok::end,  Tok::comma, Tok::or_, Tok::otherwise,
                                   Tok::then, Tok::else_, Tok::do_};
    if (!misread_.expected.has(Tok::comma) || !(misread_.at == 1 || before_steps.has(kind(-2)))) return "";
    if (verb == "repeat" || verb == "while" || verb == "loop")
      return "`(A)*` and `(A)+` do A again and again, `(A)* until C` up to where C holds";
    return Toks{Tok::name, Tok::own, Tok::enemy, Tok::neutral}.has(kind())
               ? "a definition takes what it works on in parentheses, with commas: " +
                     in_backticks(verb + "(" + string(word(misread_.at)) + ")")
               : "";
  }

  // `chance n in 1 .. 6`, `throw dice`
  [[nodiscard]] string rolled_elsewhere() const {
    static const std::set<string_view> words{"chance", "random", "throw", "toss", "shuffle", "dice", "die"};
    const bool named = misread_.at > 0 && kind(-1) == Tok::name && kind() == Tok::name;
    return named && words.contains(word(misread_.at - 1))
               ? "nature moves by `roll n in 1 .. 6`: a number, a cell of a set, a kind"
               : "";
  }

  // `diagonal forward`, `own man enemy`
  [[nodiscard]] string missing_operator() const {
    const bool apart = kind(-1) == Tok::name && kind() == Tok::name;
    if (!apart || !misread_.expected.has(Tok::an_operator)) return "";
    const string a(word(misread_.at - 1)), b(word(misread_.at));
    const bool of_player = a.front() >= 'A' && a.front() <= 'Z';
    if (of_player) return "a player's pieces of a kind are " + in_backticks(a + ".own & " + b);
    return in_backticks(a + " & " + b) + " is what is in both, " + in_backticks(a + " | " + b) +
           " what is in either";
  }

  // `own f(…)`, `from S (…)`
  [[nodiscard]] string opened() const {
    if (!misread_.expected.has(Tok::comma)) return "";
    const bool apart = misread_.at > 0 && tokens_[misread_.at - 1].end < tokens_[misread_.at].begin;
    if (apart) return "put a `,` between two steps";
    return kind(-1) == Tok::name && is_owner(kind(-2)) ? "write `own & f(…)`" : "";
  }

  static bool is_owner(Tok tok) { return Toks{Tok::own, Tok::enemy, Tok::neutral}.has(tok); }

  // `a < b < c`, `x = 3` as a step
  [[nodiscard]] string comparison() const {
    return misread_.expected.has(Tok::an_operator)
               ? "only two values can be compared at a time; `and` joins comparisons"
               : "";
  }

  // `some x in S` without its condition
  [[nodiscard]] string quantifier() const {
    return misread_.expected.has(Tok::where) ? "write `some x in S where C`, or `some S` without a name" : "";
  }

  // `all own in T`, `any own in T`, `each own in T`
  [[nodiscard]] string all_or_any() const {
    const bool named = misread_.at > 0 && kind(-1) == Tok::name && operand_starts().has(kind());
    const string_view before = named ? word(misread_.at - 1) : "";
    if (before == "any") return "write `some S in T`, or `some S`";
    const bool each = kind() == Tok::each && misread_.expected.has(Tok::a_value);
    return before == "all" || each ? "write `every S in T`" : "";
  }

  // `go d*`, `go d{2}`
  [[nodiscard]] string repetition() const {
    static const Toks suffixes{Tok::open_brace, Tok::question, Tok::question_bang, Tok::star_bang,
                               Tok::plus_bang,  Tok::star,     Tok::plus};
    static const Toks bodies{Tok::name, Tok::close};
    const bool behind = Toks{Tok::star, Tok::plus}.has(kind(-1)) && bodies.has(kind(-2));
    const bool before = suffixes.has(kind()) && bodies.has(kind(-1));
    if (string text = left_out(); !text.empty()) return text;
    return before || (behind && !operand_starts().has(kind()))
               ? "put what is repeated in parentheses, as in `(go north)*`"
               : "";
  }

  // `lift?`, `(lift?)`: behind a name or a call the sign may stand by itself
  [[nodiscard]] string left_out() const {
    if (misread_.at == 0 || !Toks{Tok::question, Tok::question_bang}.has(kind())) return "";
    std::size_t begin = operand_before(misread_.at);
    // A verb joins operands where more comes behind it; here it is the step, or begins it.
    while (begin > 0 && tokens_[begin - 1].kind != Tok::comma && keyword(word(begin - 1)) &&
           !operators().has(tokens_[begin - 1].kind))
      --begin;
    const string step = between(begin, misread_.at);
    return step.empty() ? ""
                        : "what may be left out stands in parentheses before the sign: " +
                              in_backticks("(" + step + ")" + string(word(misread_.at)));
  }

  // `if c thne a`
  [[nodiscard]] string keyword_meant() const {
    if (kind() != Tok::name) return "";
    std::vector<string> candidates;
    for (std::size_t i = 0; i < kTokCount; ++i)
      if (const auto tok = static_cast<Tok>(i);
          misread_.expected.has(tok) && tok > Tok::bang && tok < Tok::an_operator)
        candidates.emplace_back(spelling(tok));
    return did_you_mean(word(misread_.at), candidates);
  }

  // `form own`
  [[nodiscard]] string step_meant() const {
    static const Toks truths{Tok::not_, Tok::some, Tok::no, Tok::every, Tok::can};
    if (kind(-1) != Tok::name || !(operand_starts().has(kind()) || truths.has(kind()))) return "";
    static const std::vector<string> steps{
        "from",     "to",      "at",       "go",  "bend",    "lift",   "put",  "discard", "remove",
        "drop",     "change",  "move",     "let", "set",     "choose", "roll", "each",    "most",
        "distinct", "quietly", "secretly", "say", "require", "not",    "some", "can",     "if"};
    return did_you_mean(word(misread_.at - 1), steps);
  }

  // `eneym king`
  [[nodiscard]] string owner_meant() const {
    if (kind(-1) != Tok::name || kind() != Tok::name) return "";
    return did_you_mean(word(misread_.at - 1), {"own", "enemy", "neutral"});
  }

  // `remove,`
  [[nodiscard]] string nothing_to_remove() const {
    return kind(-1) == Tok::remove && misread_.expected.has(Tok::a_value)
               ? "what stands on `here` goes by `remove here`"
               : "";
  }

  // `drop man)`, `drop 2 man`: a kind may be missing as far as the reader knows, but it's the cells that are.
  [[nodiscard]] string nowhere_to_drop() const {
    const bool dropped = kind(-2) == Tok::drop || kind(-3) == Tok::drop;
    if (!dropped || kind(-1) != Tok::name || kind() == Tok::name || kind() == Tok::on) return "";
    return "`drop` needs the cell that the piece comes to: " +
           in_backticks("drop " + string(word(misread_.at - 1)) + " on S") +
           "; on any one of the empty cells " +
           in_backticks("place(" + string(word(misread_.at - 1)) + ", empty)");
  }

  const Misread& misread_;
  const Text& text_;
  const Tokens& tokens_;
};

} // namespace

void report(const Misread& misread, const Text& text, const Tokens& tokens, Diagnostics& diagnostics) {
  Place(misread, text, tokens).report(diagnostics);
}

} // namespace boardwright::dsl
