// Lints about places that are alike but for one: rows of calls that go through the same names, of which one
// row leaves one out; a variable of one player that is counted on from the other's; lines of `end` that say
// the same of both players but for one word.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;

// `follow(pn), follow(pne), …`: calls of one definition side by side, each with another name before all else.
struct CallRow {
  std::string call;
  std::set<std::string> names;
  dsl::Span span;
};

// Two conditions of which one asks of a player what the other one asks of his enemy.
class Counterparts {
public:
  Counterparts(const Ast& mine, const Ast& others) { compare(mine, others); }
  // The only words in which they differ otherwise; null: there are none, or more.
  [[nodiscard]] const Ast* mine() const { return exchanged_ && differences_ == 1 ? mine_ : nullptr; }
  [[nodiscard]] const Ast* others() const { return mine() == nullptr ? nullptr : others_; }

private:
  static bool is_owner(const Ast& n) { return dsl::is_name(n, "own") || dsl::is_name(n, "enemy"); }
  static const Ast* of_enemy(const Ast& n) {
    const bool is = n.form == Form::perspective && dsl::is_name(bare(n.kids[0]), "enemy");
    return is ? &bare(n.kids[1]) : nullptr;
  }
  void compare(const Ast& first, const Ast& second) {
    const Ast &a = bare(first), &b = bare(second);
    if (is_owner(a) && is_owner(b)) {
      if (a.word == b.word) return differ(a, b, 2); // which line is the wrong one nobody knows
      exchanged_ = true;
      return;
    }
    const Ast *of_a = of_enemy(a), *of_b = of_enemy(b);
    if ((of_a == nullptr) != (of_b == nullptr)) {
      exchanged_ = true;
      return compare(of_a != nullptr ? *of_a : a, of_b != nullptr ? *of_b : b);
    }
    const bool leaves = a.kids.empty() && b.kids.empty();
    if (a.form != b.form || a.kids.size() != b.kids.size() || a.flags != b.flags ||
        (!leaves && a.word != b.word))
      return differ(a, b, 2);
    if (leaves && (a.word != b.word || a.number != b.number)) return differ(a, b, 1);
    for (std::size_t k = 0; k < a.kids.size(); ++k) compare(a.kids[k], b.kids[k]);
  }
  void differ(const Ast& a, const Ast& b, int by) {
    differences_ += by;
    mine_ = &a, others_ = &b;
  }

  bool exchanged_ = false;
  int differences_ = 0;
  const Ast *mine_ = nullptr, *others_ = nullptr;
};

// Of fewer nobody knows whether they are meant to be all.
constexpr std::size_t kFewestCalls = 4;

class Siblings {
public:
  Siblings(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {
    for (const auto& variable : in.file.state) known_.insert(variable.name.text);
    for (const auto& kind : in.file.pieces) known_.insert(kind.name.text);
    for (const auto& d : in.file.define)
      if (d.parameters.empty()) known_.insert(d.name.text);
  }

  void report() {
    each_rule(in_.file, [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        counted_from_other(n);
        rows_of(n);
      });
    });
    for (const CallRow& row : rows_) left_out(row);
    for (const dsl::EndRule& line : in_.file.end)
      if (line.verdict == dsl::EndVerdict::win && line.span.file == in_.file.file) unlike_counterpart(line);
  }

private:
  // ---- rows of calls

  // What a list or a chain of one sign joins.
  static void add_joined(const Ast& n, std::string_view sign, std::vector<const Ast*>& parts) {
    if (!is_sign(n, sign)) return parts.push_back(&bare(n));
    add_joined(n.kids[0], sign, parts);
    parts.push_back(&bare(n.kids[1]));
  }
  void rows_of(const Ast& n) {
    std::vector<const Ast*> parts;
    if (n.form == Form::sequence || n.form == Form::either || n.form == Form::all_of)
      for (const Ast& kid : n.kids) parts.push_back(&bare(kid));
    else if (is_sign(n, "|") || is_sign(n, "+"))
      add_joined(n, n.word, parts);
    for (std::size_t begin = 0; begin < parts.size();) {
      std::size_t end = begin + 1;
      while (end < parts.size() && is_call(*parts[begin]) && is_call(*parts[end]) &&
             parts[end]->word == parts[begin]->word)
        ++end;
      if (end - begin >= kFewestCalls) add_row(parts, begin, end);
      begin = end;
    }
  }
  [[nodiscard]] bool is_call(const Ast& n) const {
    return n.form == Form::call && !n.kids.empty() && bare(n.kids[0]).form == Form::name &&
           known_.contains(bare(n.kids[0]).word);
  }
  void add_row(const std::vector<const Ast*>& parts, std::size_t begin, std::size_t end) {
    CallRow row{parts[begin]->word, {}, parts[begin]->span};
    row.span.end = parts[end - 1]->span.end;
    for (std::size_t i = begin; i < end; ++i) row.names.insert(bare(parts[i]->kids[0]).word);
    // A part of a chain is a chain as well: the longest is meant.
    for (CallRow& known : rows_)
      if (known.call == row.call && known.span.begin == row.span.begin) {
        if (known.span.end < row.span.end) known = row;
        return;
      }
    if (row.names.size() == end - begin) rows_.push_back(std::move(row));
  }

  // Another row has all of its names and one more, and no other one leaves out the same.
  void left_out(const CallRow& row) {
    const CallRow* whole = nullptr;
    for (const CallRow& other : rows_) {
      if (&other != &row && other.names == row.names) return;
      const bool more =
          other.names.size() == row.names.size() + 1 &&
          std::includes(other.names.begin(), other.names.end(), row.names.begin(), row.names.end());
      if (more) whole = &other;
    }
    if (whole == nullptr) return;
    std::string missing;
    for (const std::string& name : whole->names)
      if (!row.names.contains(name)) missing = name;
    auto& warning = out_.warning("unlike-siblings", row.span, fmt::format("`{}` is left out here", missing));
    warning.help = fmt::format("perhaps `{}({}…)` is missing", row.call, missing);
    warning.related.push_back({whole->span, "it is among these, which else have the same names"});
  }

  // ---- lines of `end`

  // `win when united(own, all)`, `lose when united(enemy, orthogonal)`
  void unlike_counterpart(const dsl::EndRule& wins) {
    const Ast *mine = nullptr, *others = nullptr;
    for (const dsl::EndRule& loses : in_.file.end) {
      if (loses.verdict != dsl::EndVerdict::lose || loses.span.file != in_.file.file ||
          loses.player != wins.player)
        continue;
      const Counterparts both(wins.condition, loses.condition);
      if (both.mine() == nullptr) continue;
      if (mine != nullptr) return; // nobody knows which one is its counterpart
      mine = both.mine(), others = both.others();
    }
    if (mine == nullptr) return;
    const auto text = [this](const Ast& n) {
      return std::string(in_.sources.text(n.span.file).substr(n.span.begin, n.span.end - n.span.begin));
    };
    auto& warning = out_.warning(
        "unlike-siblings", mine->span,
        fmt::format("a player wins by `{}` here, and loses by his enemy's `{}`", text(*mine), text(*others)));
    warning.help = "else the two lines say the same of a player and of his enemy";
    warning.related.push_back({others->span, "this is its counterpart"});
  }

  // ---- set enemy.v = v + 1

  // A variable, or a hand, as it is asked for: of the mover, or of his enemy.
  struct Asked {
    bool known = false, of_enemy = false;
    const Ast* kind = nullptr;
  };
  [[nodiscard]] static Asked asked(const Ast& n, const std::string& name) {
    const bool of_enemy = n.form == Form::perspective && is_name(bare(n.kids[0]), "enemy");
    if (n.form == Form::perspective && !of_enemy) return {};
    const Ast& what = of_enemy ? bare(n.kids[1]) : n;
    if (is_name(what, name)) return {true, of_enemy, nullptr};
    if (what.form != Form::call || what.word != name || what.kids.size() != 1) return {};
    return {true, of_enemy, &what.kids[0]};
  }
  void counted_from_other(const Ast& n) {
    if (n.form != Form::set || n.kids.empty() || !is_of_each(n.word)) return;
    const bool has_owner = (n.flags & dsl::kHasOwner) != 0;
    if (has_owner && !is_name(bare(n.kids[1]), "enemy")) return;
    const Ast& value = bare(n.kids[0]);
    if (!is_sign(value, "+") && !is_sign(value, "-")) return;
    const Asked from = asked(bare(value.kids[0]), n.word);
    const bool has_kind = (n.flags & dsl::kHasKind) != 0;
    if (!from.known || from.of_enemy == has_owner || (from.kind != nullptr) != has_kind) return;
    if (has_kind && !same_rule(*from.kind, n.kids.back())) return;
    if (bare(value.kids[1]).form != Form::number) return;
    out_.warning("unlike-siblings", n.span,
                 has_owner ? "the enemy's is set to what the mover has, and so much more or less"
                           : "the mover's is set to what the enemy has, and so much more or less")
        .help = fmt::format("it goes on from its own number by `set {0}{1} = {0}{1} …`",
                            has_owner ? "enemy." : "", n.word);
  }
  [[nodiscard]] bool is_of_each(const std::string& name) const {
    return name == "hand" ||
           std::any_of(in_.file.state.begin(), in_.file.state.end(), [&](const auto& variable) {
             return variable.name.text == name && variable.each_player;
           });
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::set<std::string> known_; // names of the file that a row may go through
  std::vector<CallRow> rows_;
};

} // namespace

void lint_siblings(const Linted& in, dsl::Diagnostics& out) { Siblings(in, out).report(); }

} // namespace boardwright::interpreter
