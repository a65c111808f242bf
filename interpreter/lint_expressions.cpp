// Lints about single expressions: what is easily written and means something else.
#include "interpreter/lints.hpp"
#include "interpreter/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

const Ast& bare(const Ast& n) { return n.form == Form::paren && n.kids.size() == 1 ? bare(n.kids[0]) : n; }

bool same_rule(const Ast& left, const Ast& right) {
  const Ast &a = bare(left), &b = bare(right);
  return a.form == b.form && a.flags == b.flags && a.number == b.number && a.word == b.word &&
         a.names == b.names && a.kids.size() == b.kids.size() &&
         std::equal(a.kids.begin(), a.kids.end(), b.kids.begin(), same_rule);
}

namespace {

bool is_sign(const Ast& n, std::string_view sign) { return n.form == Form::binary && n.word == sign; }
bool is_name(const Ast& n, std::string_view word) { return n.form == Form::name && n.word == word; }

// Words that say themselves that they are always the same.
bool is_plain(const Ast& n) {
  const Ast& e = bare(n);
  if (e.form != Form::name) return false;
  return e.word == "true" || e.word == "false" || e.word == "none" || e.word == "nowhere" ||
         e.word == "inherited" || e.word == "hexes";
}

class Expressions {
public:
  Expressions(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {
    for (const auto* definitions : definition_lists())
      for (const dsl::Definition& d : *definitions) defined_.insert(d.name.text);
  }

  // A definition that the holes of the board are made of: afterwards these are no cells any more.
  [[nodiscard]] bool makes_holes(const dsl::Definition& d) const {
    return in_.file.board.holes && names(*in_.file.board.holes, d.name.text, 0);
  }

  // A rule; `parameters` are those of the definition whose body it is.
  void rule(const Ast& n, const std::vector<dsl::Name>& parameters) {
    parameters_.clear();
    for (const dsl::Name& p : parameters) parameters_.insert(p.text);
    visit(n);
  }

private:
  [[nodiscard]] std::vector<const std::vector<dsl::Definition>*> definition_lists() const {
    std::vector<const std::vector<dsl::Definition>*> lists{&in_.file.define};
    for (const auto& layer : in_.file.vocabularies) lists.push_back(&layer);
    return lists;
  }
  [[nodiscard]] const Reading* reading(const Ast& n) const {
    const auto found = in_.readings.find(&n);
    return found == in_.readings.end() ? nullptr : &found->second;
  }

  // Does a rule name something, by way of definitions too? A chain that is too long is taken for one that
  // does.
  [[nodiscard]] bool names(const Ast& rule, const std::string& name, int depth) const {
    constexpr int kMaxChain = 8;
    if (depth > kMaxChain) return true;
    bool found = false;
    each_node(rule, [&](const Ast& n) {
      if (found || (n.form != Form::name && n.form != Form::call)) return;
      found = n.word == name;
      if (!found && defined_.contains(n.word))
        for (const dsl::Definition& d : in_.file.define)
          if (d.name.text == n.word)
            each_body(d, [&](const Ast& body) { found = found || names(body, name, depth + 1); });
    });
    return found;
  }

  void visit(const Ast& n) {
    mixed(n);
    difference(n);
    comparison(n);
    repeated(n);
    assignment(n);
    chained(n);
    contradiction(n);
    bounds(n);
    settled(n);
    for (const Ast& kid : n.kids) visit(kid);
  }

  // ---- spelling

  // a | b & c
  void mixed(const Ast& n) {
    if (!is_sign(n, "|")) return;
    const Ast& left = n.kids[0];
    const Ast& right = n.kids[1];
    if (!is_sign(left, "&") && !is_sign(right, "&")) return;
    const bool is_new =
        mixed_.empty() || mixed_.back().end <= n.span.begin || mixed_.back().begin >= n.span.end;
    if (!is_new) return; // a | b & c | d & e is one mistake
    mixed_.push_back(n.span);
    out_.warning("mixed-signs", n.span, "`&` joins before `|` does").help =
        is_sign(right, "&") ? "`a | b & c` is `a | (b & c)`: write the parentheses that you mean"
                            : "`a & b | c` is `(a & b) | c`: write the parentheses that you mean";
  }

  // a1-h2
  void difference(const Ast& n) {
    if (!is_sign(n, "-") || !is_cell(n.kids[0]) || !is_cell(n.kids[1])) return;
    out_.warning("cell-difference", n.span, "this is one cell without another, not a rectangle").help =
        fmt::format("the rectangle is `{} .. {}`", n.kids[0].word, n.kids[1].word);
  }
  [[nodiscard]] bool is_cell(const Ast& n) const {
    if (n.form != Form::name || defined_.contains(n.word) || parameters_.contains(n.word)) return false;
    return in_.program.board.cell_named(n.word) >= 0;
  }

  void comparison(const Ast& n) {
    if (n.form != Form::compare) return;
    if (n.word == "=" || n.word == "!=") return equality(n);
    if (n.word != "in") return;
    const Reading* left = reading(n.kids[0]);
    const Reading* right = reading(n.kids[1]);
    if (left == nullptr || right == nullptr || right->type != Ty::cells) return;
    const bool several = left->type == Ty::cells && left->many && left->live;
    if (!several && !is_kind(n.kids[0])) return;
    out_.warning("all-of-them", n.span,
                 "this asks whether all of them are there, and holds where there are none")
        .help = "write `some … in …` for one of them, `every … in …` for all of them";
  }

  // The cells of a kind.
  [[nodiscard]] bool is_kind(const Ast& n) const {
    const Ast& e = bare(n);
    return e.form == Form::name && !defined_.contains(e.word) && !parameters_.contains(e.word) &&
           std::any_of(in_.file.pieces.begin(), in_.file.pieces.end(),
                       [&](const auto& kind) { return kind.name.text == e.word; });
  }

  void equality(const Ast& n) {
    const bool first = is_one_cell(n.kids[0]);
    if (!first && !is_one_cell(n.kids[1])) return;
    const Ast& cell = n.kids[first ? 0 : 1];
    const Reading* set = reading(n.kids[first ? 1 : 0]);
    if (set == nullptr || set->type != Ty::cells || !set->many) return;
    out_.warning("cell-equals-set", n.span, "a single cell equals a set only where the set is that cell")
        .help = fmt::format("to ask whether it is one of them write `{} in …`", bare(cell).word);
  }
  [[nodiscard]] bool is_one_cell(const Ast& n) const {
    const Ast& e = bare(n);
    return is_name(e, "here") || is_name(e, "start") || is_cell(e);
  }

  // The same alternative, condition or set twice.
  void repeated(const Ast& n) {
    const bool joins = n.form == Form::either || n.form == Form::all_of || n.form == Form::otherwise;
    if (!joins && !is_sign(n, "|") && !is_sign(n, "&") && !is_sign(n, "-")) return;
    const auto parts = is_sign(n, "|") || is_sign(n, "&") ? joined(n, n.word) : kids_of(n);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t k = i + 1; k < parts.size(); ++k)
        if (same_rule(*parts[i], *parts[k]) && told_twice_.insert(parts[k]).second) {
          auto& warning = out_.warning("said-twice", parts[k]->span, "the same is said before");
          warning.help = "remove it, or say what it should be";
          warning.related.push_back({parts[i]->span, "here"});
        }
  }
  static std::vector<const Ast*> kids_of(const Ast& n) {
    std::vector<const Ast*> parts;
    for (const Ast& kid : n.kids) parts.push_back(&kid);
    return parts;
  }
  // The parts of a | b | c.
  static std::vector<const Ast*> joined(const Ast& n, const std::string& sign) {
    if (!is_sign(n, sign)) return {&n};
    auto parts = joined(n.kids[0], sign);
    parts.push_back(&n.kids[1]);
    return parts;
  }

  // if C then … else if C then …
  void chained(const Ast& n) {
    if (n.form != Form::conditional || chained_.contains(&n)) return;
    std::vector<const Ast*> conditions;
    for (const Ast* branch = &n; branch->form == Form::conditional;) {
      chained_.insert(branch);
      const Ast& condition = branch->kids[0];
      for (const Ast* earlier : conditions)
        if (same_rule(*earlier, condition)) {
          auto& warning =
              out_.warning("said-twice", condition.span, "this has been asked before, and didn't hold");
          warning.help = "what follows is never reached";
          warning.related.push_back({earlier->span, "here"});
        }
      conditions.push_back(&condition);
      if (branch->kids.size() < 3) break;
      branch = &bare(branch->kids[2]);
    }
  }

  // C and not C, some S and no S; likewise with `or`
  void contradiction(const Ast& n) {
    if (n.form != Form::all_of && n.form != Form::either) return;
    for (const Ast& a : n.kids)
      for (const Ast& b : n.kids)
        if (opposite(bare(a), bare(b))) {
          const bool both = n.form == Form::all_of;
          auto& warning =
              out_.warning("constant-condition", b.span, both ? "this never holds" : "this always holds");
          warning.help =
              both ? "the opposite is asked beside it" : "or else the opposite does, which stands beside it";
          warning.related.push_back({a.span, "that is this one"});
          return;
        }
  }
  static bool opposite(const Ast& a, const Ast& b) {
    if (b.form == Form::negation) return same_rule(a, b.kids[0]);
    const bool some = a.form == Form::some && b.form == Form::no;
    const bool equal = a.form == Form::compare && b.form == Form::compare && a.word == "=" && b.word == "!=";
    return (some || equal) &&
           std::equal(a.kids.begin(), a.kids.end(), b.kids.begin(), b.kids.end(), same_rule);
  }

  // set v = v
  void assignment(const Ast& n) {
    if (n.form != Form::set || n.kids.size() != 1 || !is_name(bare(n.kids[0]), n.word)) return;
    out_.warning("self-assignment", n.span, fmt::format("`{}` is set to what it is already", n.word)).help =
        "set it to something else, or leave this out";
  }

  // ---- what is always the same

  void settled(const Ast& n) {
    const Reading* r = reading(n);
    if (r == nullptr || goes_by_parameter(n)) return;
    if (r->is_action || r->varies || n.form == Form::paren || is_plain(n)) return;
    if (r->type == Ty::truth) return condition(n, *r);
    const bool set = r->type == Ty::cells || r->type == Ty::directions || is_list(r->type);
    if (set && r->fails && !r->holds) empty(n, *r);
  }

  [[nodiscard]] bool goes_by_parameter(const Ast& n) const {
    bool found = false;
    if (!parameters_.empty())
      each_node(
          n, [&](const Ast& k) { found = found || (k.form == Form::name && parameters_.contains(k.word)); });
    return found;
  }

  template <class Is>
  [[nodiscard]] bool some_kid(const Ast& n, Is is) const {
    return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) {
      if (kid.form == Form::paren) return some_kid(kid, is);
      const Reading* r = reading(kid);
      return (r != nullptr && is(*r)) || is_plain(kid);
    });
  }
  static bool always_empty(const Reading& r) {
    return (r.type == Ty::cells || r.type == Ty::directions || is_list(r.type)) && r.fails && !r.holds &&
           !r.varies;
  }
  static bool always_same(const Reading& r) { return r.type == Ty::truth && !r.varies && r.holds != r.fails; }

  void condition(const Ast& n, const Reading& r) {
    if (r.holds == r.fails) return;
    if (n.form == Form::name) return; // told where it is defined; or an option, a word
    if (some_kid(n, always_same) || some_kid(n, always_empty)) return; // told there
    auto& warning =
        out_.warning("constant-condition", n.span, r.holds ? "this always holds" : "this never holds");
    warning.help = "whatever stands on the board, and whatever the options are";
  }

  // A variable that begins with no less than 0 and is never set to less.
  [[nodiscard]] bool counts_up(const std::string& name) {
    const auto [known, is_new] =
        counts_up_.try_emplace(name, true); // while it is worked out: what is to be shown
    if (!is_new) return known->second;
    bool up = false;
    for (const auto& variable : in_.file.state)
      if (variable.name.text == name && variable.value) up = interval(*variable.value).low >= 0;
    const auto look = [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        if (n.form == Form::set && n.word == name) up = up && interval(n.kids[0]).low >= 0;
        if (n.form != Form::call) return; // a definition may set its parameter
        for (const Ast& argument : n.kids) up = up && !is_name(argument, name);
      });
    };
    if (up) every_rule(look);
    return counts_up_[name] = up;
  }
  // Those of extended files, too.
  template <class F>
  void every_rule(F&& look) const {
    for (const dsl::Definition& d : in_.file.define)
      for (const dsl::Definition* older = &d; older != nullptr; older = older->replaced.get())
        each_body(*older, look);
    for (const auto& layer : in_.file.vocabularies)
      for (const dsl::Definition& d : layer) each_body(d, look);
    for (const dsl::TurnSection* turn = in_.file.turn ? &*in_.file.turn : nullptr; turn != nullptr;
         turn = turn->replaced.get()) {
      look(turn->body);
      for (const auto& [who, body] : turn->cases) look(body);
      if (turn->others) look(*turn->others);
    }
  }

  // What a number can be: as far as is known from what it counts.
  struct Interval {
    std::int64_t low = INT32_MIN, high = INT32_MAX;
  };
  [[nodiscard]] Interval interval(const Ast& number) {
    const Ast& n = bare(number);
    const auto& board = in_.program.board;
    if (n.form == Form::number) return {n.number, n.number};
    const bool own_name = defined_.contains(n.word) || parameters_.contains(n.word);
    if (n.form == Form::name && !own_name) {
      if (n.word == "ply" || n.word == "turns" || n.word == "carried" || n.word == "repeats") return {0};
      if (n.word == "board_repeats" || counts_up(n.word)) return {0};
    }
    if (n.form == Form::binary && (n.word == "+" || n.word == "*")) {
      const Interval a = interval(n.kids[0]), b = interval(n.kids[1]);
      if (a.low >= 0 && b.low >= 0) return {0};
    }
    if (n.form == Form::call && !own_name) {
      const Reading* r = n.kids.empty() ? nullptr : reading(n.kids[0]);
      if (n.word == "count" && n.kids.size() == 1 && r != nullptr && r->type == Ty::cells)
        return {0, board.cells};
      if (n.word == "count" || n.word == "height" || n.word == "hand") return {0};
    }
    return {};
  }

  // count(S) < 0
  void bounds(const Ast& n) {
    if (n.form != Form::compare || n.word == "in") return;
    const Reading* r = reading(n);
    if (r == nullptr || !r->varies) return;
    const Interval a = interval(n.kids[0]), b = interval(n.kids[1]);
    const bool less = a.high<b.low, at_most = a.high <= b.low, more = a.low> b.high,
               at_least = a.low >= b.high;
    bool always = false, never = false;
    if (n.word == "<") always = less, never = at_least;
    if (n.word == "<=") always = at_most, never = more;
    if (n.word == ">") always = more, never = at_most;
    if (n.word == ">=") always = at_least, never = less;
    if (n.word == "=") never = less || more;
    if (n.word == "!=") always = less || more;
    if (always || never)
      out_.warning("constant-condition", n.span, always ? "this always holds" : "this never holds").help =
          "there can't be fewer than none, nor more than the board has cells";
  }

  void empty(const Ast& n, const Reading& r) {
    if (some_kid(n, always_empty)) return;                                                    // told there
    if (n.form == Form::name && defined_.contains(n.word) && !is_word_of_std(n.word)) return; // told there
    if (n.form == Form::name && (n.word == "neutral" || n.word == "enemy")) return no_such_owner(n);
    out_.warning("empty-set", n.span,
                 r.type == Ty::cells        ? "there is no such cell"
                 : r.type == Ty::directions ? "there is no such direction"
                                            : "there is nothing in this list")
        .help = help_for_empty(n);
  }
  void no_such_owner(const Ast& n) {
    out_.warning("empty-set", n.span, fmt::format("nobody's pieces are `{}` in this game", n.word)).help =
        "`pieces` has no such kind";
  }
  [[nodiscard]] bool is_word_of_std(const std::string& name) const {
    const auto is = [&](const dsl::Definition& d) { return d.name.text == name; };
    return std::none_of(in_.file.define.begin(), in_.file.define.end(), is);
  }
  static std::string help_for_empty(const Ast& n) {
    if (is_sign(n, "&")) return "`S & T` has what is in both; `S | T` what is in either";
    if (is_sign(n, "-")) return "`S - T` is S without T";
    if (n.form == Form::name) return "it is a hole, or the board has none";
    return "";
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::set<std::string> defined_, parameters_;
  std::map<std::string, bool> counts_up_;
  std::set<const Ast*> told_twice_, chained_;
  std::vector<dsl::Span> mixed_; // where `|` and `&` have been told of
};

} // namespace

void each_rule(const dsl::RuleFile& file, const std::function<void(const Ast&)>& visit) {
  const auto own = [&](const Ast& rule) {
    if (rule.span.file == file.file) visit(rule);
  };
  for (const dsl::Definition& d : file.define) each_body(d, own);
  if (file.turn) {
    own(file.turn->body);
    for (const auto& [who, body] : file.turn->cases) own(body);
    if (file.turn->others) own(*file.turn->others);
  }
  for (const dsl::EndRule& line : file.end) {
    own(line.condition);
    if (line.score) own(*line.score);
  }
  for (const auto& entry : file.setup.entries) own(entry.cells);
  for (const auto& entry : file.state)
    if (entry.value) own(*entry.value);
  if (file.board.holes) own(*file.board.holes);
}

void lint_expressions(const Linted& in, dsl::Diagnostics& out) {
  Expressions expressions(in, out);
  std::set<const Ast*> bodies;
  if (in.file.board.holes) bodies.insert(&*in.file.board.holes);
  for (const dsl::Definition& d : in.file.define) {
    const bool skipped = expressions.makes_holes(d);
    each_body(d, [&](const Ast& body) {
      bodies.insert(&body);
      if (body.span.file == in.file.file && !skipped) expressions.rule(body, d.parameters);
    });
  }
  each_rule(in.file, [&](const Ast& rule) {
    if (!bodies.contains(&rule)) expressions.rule(rule, {});
  });
}

} // namespace boardwright::interpreter
