// Lints about single expressions: what is easily written and means something else.
#include "interpreter/lints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;

bool is_sign(const Ast& n, std::string_view sign) { return n.form == Form::binary && n.word == sign; }

bool is_name(const Ast& n, std::string_view word) { return n.form == Form::name && n.word == word; }

const Ast& bare(const Ast& n) { return n.form == Form::paren && n.kids.size() == 1 ? bare(n.kids[0]) : n; }

// `a1`, `c12`, `aa3`: what cells are called, unless a board has other names.
bool looks_like_cell(const Ast& n) {
  if (n.form != Form::name || n.word.empty()) return false;
  std::size_t i = 0;
  while (i < n.word.size() && n.word[i] >= 'a' && n.word[i] <= 'z') ++i;
  const bool letters = i > 0 && i <= 2, digits = i < n.word.size() && n.word.size() - i <= 2;
  return letters && digits &&
         std::all_of(n.word.begin() + static_cast<std::ptrdiff_t>(i), n.word.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

// Sets that may well have several members, as their words say.
bool is_many(const Ast& n) {
  const Ast& e = bare(n);
  if (e.form == Form::name)
    return e.word == "own" || e.word == "enemy" || e.word == "neutral" || e.word == "occupied";
  if (e.form == Form::owned) return true;
  return is_sign(e, "&") && (is_many(e.kids[0]) || is_many(e.kids[1]));
}

// Sets of the walker's place, which are one cell.
bool is_one_cell(const Ast& n) {
  const Ast& e = bare(n);
  return is_name(e, "here") || is_name(e, "start") || looks_like_cell(e);
}

bool is_place_set(const Ast& n) {
  const Ast& e = bare(n);
  if (e.form == Form::name)
    return e.word == "last_row" || e.word == "edge" || e.word == "corners" || e.word == "board" ||
           e.word == "dark" || e.word == "light" || e.word == "own" || e.word == "enemy" ||
           e.word == "empty" || e.word == "occupied";
  if (e.form == Form::call)
    return e.word == "row" || e.word == "rank" || e.word == "file" || e.word == "around";
  return is_sign(e, "|") || is_sign(e, "..");
}

bool same(const Ast& a, const Ast& b) {
  if (a.form == Form::paren && a.kids.size() == 1) return same(a.kids[0], b);
  if (b.form == Form::paren && b.kids.size() == 1) return same(a, b.kids[0]);
  return a.form == b.form && a.flags == b.flags && a.number == b.number && a.word == b.word &&
         a.names == b.names && a.kids.size() == b.kids.size() &&
         std::equal(a.kids.begin(), a.kids.end(), b.kids.begin(), same);
}

class Expressions {
public:
  explicit Expressions(dsl::Diagnostics& out) : out_(out) {}

  void visit(const Ast& n) {
    mixed(n);
    difference(n);
    comparison(n);
    repeated(n);
    for (const Ast& kid : n.kids) visit(kid);
  }

private:
  // a | b & c
  void mixed(const Ast& n) {
    if (!is_sign(n, "|")) return;
    const Ast& right = n.kids[1];
    const Ast& left = n.kids[0];
    for (const Ast* side : {&left, &right}) {
      if (!is_sign(*side, "&")) continue;
      auto& warning = out_.warning("mixed-signs", n.span, "`&` joins before `|` does");
      warning.help = side == &right ? "`a | b & c` is `a | (b & c)`: write the parentheses that you mean"
                                    : "`a & b | c` is `(a & b) | c`: write the parentheses that you mean";
      return;
    }
  }

  // a1-h2
  void difference(const Ast& n) {
    if (!is_sign(n, "-") || !looks_like_cell(n.kids[0]) || !looks_like_cell(n.kids[1])) return;
    out_.warning("cell-difference", n.span, "this is one cell without another, not a rectangle").help =
        fmt::format("the rectangle is `{} .. {}`", n.kids[0].word, n.kids[1].word);
  }

  void comparison(const Ast& n) {
    if (n.form != Form::compare) return;
    if ((n.word == "=" || n.word == "!=") && ((is_one_cell(n.kids[0]) && is_place_set(n.kids[1])) ||
                                              (is_one_cell(n.kids[1]) && is_place_set(n.kids[0])))) {
      const Ast& set = is_one_cell(n.kids[0]) ? n.kids[1] : n.kids[0];
      const Ast& cell = is_one_cell(n.kids[0]) ? n.kids[0] : n.kids[1];
      (void)set;
      out_.warning("cell-equals-set", n.span, "a single cell equals a set only where the set is that cell")
          .help = fmt::format("to ask whether it is one of them write `{} in …`", bare(cell).word);
    }
    if (n.word == "in" && is_many(n.kids[0]))
      out_.warning("all-of-them", n.span,
                   "this asks whether all of them are there, and holds where there are none")
          .help = "write `some … in …` for one of them, `every … in …` for all of them";
  }

  // The same alternative, or the same condition, twice.
  void repeated(const Ast& n) {
    const bool joins = n.form == Form::either || n.form == Form::all_of || n.form == Form::otherwise;
    if (!joins && !is_sign(n, "|") && !is_sign(n, "&")) return;
    for (std::size_t i = 0; i < n.kids.size(); ++i)
      for (std::size_t k = i + 1; k < n.kids.size(); ++k)
        if (same(n.kids[i], n.kids[k]))
          return void(out_.warning("said-twice", n.kids[k].span, "the same is said just before")
                          .related.push_back({n.kids[i].span, "here"}));
  }

  dsl::Diagnostics& out_;
};

void shadowed_ends(const dsl::RuleFile& file, dsl::Diagnostics& out) {
  for (std::size_t i = 0; i < file.end.size(); ++i) {
    if (file.end[i].span.file != file.file) continue;
    for (std::size_t k = 0; k < i; ++k) {
      const Ast& earlier = bare(file.end[k].condition);
      const bool always = is_name(earlier, "true");
      if (!always && !same(earlier, file.end[i].condition)) continue;
      auto& warning =
          out.warning("end-never-asked", file.end[i].span, "an earlier line decides wherever this one would");
      warning.related.push_back({file.end[k].span, "that is this line"});
      break;
    }
  }
}

} // namespace

void lint_expressions(const dsl::RuleFile& file, dsl::Diagnostics& diagnostics) {
  Expressions expressions(diagnostics);
  each_rule(file, [&](const Ast& rule) { expressions.visit(rule); });
  shadowed_ends(file, diagnostics);
}

} // namespace boardwright::interpreter
