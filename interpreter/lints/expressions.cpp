// Lints about single expressions: what is easily written and means something else.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/numbers.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "interpreter/meaning/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

const Reading* Linted::reading(const Ast& n) const {
  const auto found = readings.find(&n);
  return found == readings.end() ? nullptr : &found->second;
}

const dsl::Definition* Linted::definition(const Ast& n) const {
  if (n.form != Form::name && n.form != Form::call) return nullptr;
  const auto in = [&](const std::vector<dsl::Definition>& list) -> const dsl::Definition* {
    for (const dsl::Definition& d : list)
      if (d.name.text == n.word && d.parameters.size() == n.kids.size()) return &d;
    return nullptr;
  };
  if (const dsl::Definition* own = in(file.define)) return own;
  for (auto layer = file.vocabularies.rbegin(); layer != file.vocabularies.rend(); ++layer)
    if (const dsl::Definition* word = in(*layer)) return word;
  return nullptr;
}

bool Linted::is_of_vocabulary(std::string_view name) const {
  return std::none_of(file.define.begin(), file.define.end(),
                      [&](const dsl::Definition& d) { return d.name.text == name; });
}

const Ast& bare(const Ast& n) { return n.form == Form::paren && n.kids.size() == 1 ? bare(n.kids[0]) : n; }

bool same_rule(const Ast& left, const Ast& right) {
  const Ast &a = bare(left), &b = bare(right);
  return a.form == b.form && a.flags == b.flags && a.number == b.number && a.word == b.word &&
         a.names == b.names && a.kids.size() == b.kids.size() &&
         std::equal(a.kids.begin(), a.kids.end(), b.kids.begin(), same_rule);
}

namespace {

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
    lets_.clear();
    kept_.clear();
    ways_.clear();
    counted_.clear();
    names_of_ways(n);
    for (const dsl::Name& p : parameters) parameters_.insert(p.text);
    visit(n);
  }

private:
  [[nodiscard]] std::vector<const std::vector<dsl::Definition>*> definition_lists() const {
    std::vector<const std::vector<dsl::Definition>*> lists{&in_.file.define};
    for (const auto& layer : in_.file.vocabularies) lists.push_back(&layer);
    return lists;
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
    if (n.form == Form::let) lets_[n.word] = &n.kids[0];
    if (n.form == Form::set) lets_.erase(n.word);
    mixed(n);
    mixed_owner(n);
    mixed_conditions(n);
    difference(n);
    comparison(n);
    repeated(n);
    assignment(n);
    contradiction(n);
    bounds(n);
    downwards(n);
    settled(n);
    keep(n);
    fills(n);
    visit_kids(n);
  }
  void visit_kids(const Ast& n) {
    const bool branches = n.form == Form::either || n.form == Form::otherwise ||
                          n.form == Form::conditional || n.form == Form::cases;
    const auto before = kept_;
    for (const Ast& kid : n.kids) {
      if (branches) kept_ = before; // another way
      visit(kid);
    }
    if (branches) kept_.clear();
  }

  // ---- set light = n, where `let n = light` stands before and nothing has set it since

  void keep(const Ast& n) {
    switch (n.form) {
    case Form::let: {
      kept_.erase(n.word);
      const Ast& value = bare(n.kids[0]);
      const dsl::StateEntry* of = value.form == Form::name ? state(value.word) : nullptr;
      if (of != nullptr) kept_[n.word] = {of, false};
      return;
    }
    case Form::lift:
      for (auto& [name, one] : kept_) one.lifted = true;
      return;
    case Form::go:
    case Form::bend: return forget([](const Kept& one) { return !one.lifted; });
    case Form::from:
    case Form::to:
    case Form::each:
    case Form::discard:
    case Form::drop:
    case Form::move: return forget([](const Kept&) { return true; });
    case Form::call: {
      const Reading* r = in_.reading(n);
      const bool goes_along = n.word == "step" || n.word == "ride" || n.word == "fly";
      if (r != nullptr && r->is_action && !(goes_along && in_.is_of_vocabulary(n.word))) kept_.clear();
      return;
    }
    case Form::name:
      if (const Reading* r = in_.reading(n); r != nullptr && r->is_action) kept_.clear();
      return;
    case Form::set: return set_back(n);
    default: return;
    }
  }
  void set_back(const Ast& n) {
    const Ast& value = bare(n.kids[0]);
    const auto found = value.form == Form::name ? kept_.find(value.word) : kept_.end();
    if (n.kids.size() == 1 && found != kept_.end() && found->second.of->name.text == n.word)
      out_.warning("self-assignment", n.span, fmt::format("`{}` is set to what it is already", n.word)).help =
          fmt::format("`{}` is what it was before, and nothing has set it since", value.word);
    std::erase_if(kept_,
                  [&](const auto& one) { return one.first == n.word || one.second.of->name.text == n.word; });
  }
  struct Kept { // under a name
    const dsl::StateEntry* of = nullptr;
    bool lifted = false; // the piece whose value it is, since then
  };
  // Of what pieces carry: another piece may stand here now.
  template <class Is>
  void forget(Is is) {
    std::erase_if(kept_, [&](const auto& one) { return one.second.of->each_piece && is(one.second); });
  }
  [[nodiscard]] const dsl::StateEntry* state(const std::string& name) const {
    for (const dsl::StateEntry& entry : in_.file.state)
      if (entry.name.text == name && !entry.each_player) return &entry;
    return nullptr;
  }

  // `drop man on empty`
  void fills(const Ast& n) {
    if (n.form != Form::drop) return;
    const auto all = std::find_if(n.kids.begin(), n.kids.end(),
                                  [](const Ast& kid) { return dsl::is_name(bare(kid), "empty"); });
    if (all != n.kids.end())
      out_.warning("drops-everywhere", all->span, "a piece comes on every empty cell of the board").help =
          "`place(K, S)` lays one on a cell of S that is chosen";
  }

  // ---- spelling

  // a | b & c
  void mixed(const Ast& n) {
    if (!is_sign(n, "|")) return;
    const Ast& left = n.kids[0];
    const Ast& right = n.kids[1];
    if (!is_sign(left, "&") && !is_sign(right, "&")) return;
    if (is_told(n)) return; // a | b & c | d & e is one mistake
    told_of_.push_back(n.span);
    out_.warning("mixed-signs", n.span, "`&` joins before `|` does").help =
        is_sign(right, "&") ? "`a | b & c` is `a | (b & c)`: write the parentheses that you mean"
                            : "`a & b | c` is `(a & b) | c`: write the parentheses that you mean";
  }

  // `here in a or here in b and C`: conditions that are alike look as if they belonged together. Of others
  // it can't be known, and `and` joins first in every language.
  void mixed_conditions(const Ast& n) {
    if (n.form != Form::either) return;
    for (std::size_t i = 0; i + 1 < n.kids.size(); ++i) {
      const Ast &left = n.kids[i], &right = n.kids[i + 1];
      const bool before = left.form == Form::all_of, after = right.form == Form::all_of;
      if (before == after) continue;
      const Ast& one = before ? left.kids.back() : left;
      const Ast& other = after ? right.kids.front() : right;
      if (!are_alike(one, other)) continue;
      out_.warning("mixed-signs", n.span, "`and` joins before `or` does").help =
          after ? "`A or B and C` is `A or (B and C)`: write the parentheses that you mean"
                : "`A and B or C` is `(A and B) or C`: write the parentheses that you mean";
      return;
    }
  }
  static bool are_alike(const Ast& a, const Ast& b) {
    const bool asks = a.form == Form::some || a.form == Form::no || a.form == Form::some_inside ||
                      a.form == Form::no_inside || a.form == Form::every_inside;
    if (a.form != b.form) return false;
    // `x = 1 or x = 2 and C` is as often meant as it is written.
    return asks ||
           (a.form == Form::compare && a.word == b.word && a.word != "=" && same_rule(a.kids[0], b.kids[0]));
  }

  // own king | queen
  void mixed_owner(const Ast& n) {
    if (!is_sign(n, "|") || !has_several_owners(n.kids[1]) || is_told(n)) return;
    const auto parts = joined(n.kids[0], "|");
    const auto owned = [&](const Ast* part) { return part->form == Form::owned && is_kind(part->kids[1]); };
    if (!std::all_of(parts.begin(), parts.end(), owned)) return;
    told_of_.push_back(n.span);
    const Ast& first = *parts.back();
    out_.warning("mixed-signs", n.span,
                 fmt::format("`{}` belongs to `{}` alone: here is everybody's `{}`", first.kids[0].word,
                             text_of(first.kids[1]), text_of(n.kids[1])))
        .help = fmt::format("`{0} ({1} | {2})`, or `{0} {1} | {0} {2}`; `{2} | {0} {1}` if this is meant",
                            first.kids[0].word, text_of(first.kids[1]), text_of(n.kids[1]));
  }
  [[nodiscard]] bool has_several_owners(const Ast& n) const {
    if (n.form != Form::name || !is_kind(n)) return false;
    for (const auto& kind : in_.program.kinds)
      if (kind.name == n.word)
        return std::count_if(kind.letter.begin(), kind.letter.end() - 1, [](char c) { return c != 0; }) > 1;
    return false;
  }
  // Is a rule part of what something has been told of?
  [[nodiscard]] bool is_told(const Ast& n) const {
    return std::any_of(told_of_.begin(), told_of_.end(), [&](const dsl::Span& told) {
      return told.file == n.span.file && told.begin <= n.span.begin && n.span.end <= told.end;
    });
  }

  // a1-h2
  void difference(const Ast& n) {
    const auto cell = [this](const Ast& e) { return is_cell(e) || (e.form == Form::call && is_numbered(e)); };
    if (!is_sign(n, "-") || !cell(n.kids[0]) || !cell(n.kids[1])) return;
    out_.warning("cell-difference", n.span, "this is one cell without another, not a rectangle").help =
        fmt::format("the rectangle is `{} .. {}`", text_of(n.kids[0]), text_of(n.kids[1]));
  }
  [[nodiscard]] std::string text_of(const Ast& n) const {
    return in_.sources.text(n.span.file).substr(n.span.begin, n.span.end - n.span.begin);
  }
  [[nodiscard]] bool is_numbered(const Ast& n) const {
    return n.word == "cell" && !defined_.contains("cell");
  }
  [[nodiscard]] bool is_cell(const Ast& n) const {
    if (n.form != Form::name || defined_.contains(n.word) || parameters_.contains(n.word)) return false;
    return in_.program.board.cell_named(n.word) >= 0;
  }

  void comparison(const Ast& n) {
    if (n.form != Form::compare) return;
    if (n.word == "=" || n.word == "!=") return equality(n);
    if (n.word != "in") return;
    const Reading* left = in_.reading(n.kids[0]);
    const Reading* right = in_.reading(n.kids[1]);
    if (left == nullptr || right == nullptr || right->type != Ty::cells) return;
    // A parameter is meant for several if it is given several at every call.
    const bool is_parameter =
        bare(n.kids[0]).form == Form::name && parameters_.contains(bare(n.kids[0]).word);
    const bool several = left->type == Ty::cells && left->many && left->live && !(is_parameter && left->few);
    if (!several && !is_kind(n.kids[0])) return beyond_edge(n, *right);
    out_.warning("all-of-them", n.span,
                 "this asks whether all of them are there, and holds where there are none")
        .help = "write `some … in …` for one of them, `every … in …` for all of them";
  }

  // `next(c, 2 * d) in own`, where d is one of some directions: at the edge there is no such cell.
  void beyond_edge(const Ast& n, const Reading& right) {
    const Ast& cell = bare(n.kids[0]);
    const bool is_next = cell.form == Form::call && cell.word == "next" && cell.kids.size() == 2 &&
                         in_.is_of_vocabulary("next");
    if (!is_next || !right.live || in_.program.board.endless() || !in_.file.board.tracks.empty()) return;
    bool chosen = false;
    each_node(cell.kids[1],
              [&](const Ast& d) { chosen = chosen || (d.form == Form::name && ways_.contains(d.word)); });
    if (!chosen || counted_.contains(text_of(cell))) return;
    out_.warning("all-of-them", n.span,
                 "this holds where there is no such cell, too: at the edge of the board")
        .help = "write `some … in …`, which asks for a cell";
  }
  // The directions that a rule gives names one by one, and the neighbours of which it asks how many there
  // are, or whether there is one.
  void names_of_ways(const Ast& rule) {
    const auto is_way = [&](const Ast& set) {
      const Reading* r = in_.reading(set);
      return r != nullptr && r->type == Ty::directions;
    };
    each_node(rule, [&](const Ast& n) {
      const bool one = n.form == Form::some_in || n.form == Form::no_in || n.form == Form::part ||
                       n.form == Form::choose || n.form == Form::each;
      if (one && !n.kids.empty() && is_way(n.kids[0])) ways_.insert(n.word);
      if (n.form == Form::list_for || n.form == Form::fold_for)
        for (std::size_t i = 0; i < n.names.size() && i + 1 < n.kids.size(); ++i)
          if (is_way(n.kids[i + 1])) ways_.insert(n.names[i]);
      const bool asks = (n.form == Form::call && n.word == "count") || n.form == Form::some ||
                        n.form == Form::no || n.form == Form::some_inside;
      if (asks && !n.kids.empty()) counted_.insert(text_of(bare(n.kids[0])));
    });
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
    const Reading* set = in_.reading(n.kids[first ? 1 : 0]);
    const Ast& other = bare(n.kids[first ? 1 : 0]);
    // Of a kind its cells are compared, wherever there is one.
    const bool of_kind = set != nullptr && set->type == Ty::kind && is_kind(other);
    if (set == nullptr || (!of_kind && (set->type != Ty::cells || !set->many))) return;
    if (is_single_kind(other)) return;
    const std::string word = bare(cell).form == Form::name ? bare(cell).word : "c";
    out_.warning("cell-equals-set", n.span, "a single cell equals a set only where the set is that cell")
        .help = of_kind ? fmt::format("whether a `{1}` stands there is `{0} in {1}`, or `kind({0}) = {1}`",
                                      word, other.word)
                        : fmt::format("to ask whether it is one of them write `{} in …`", word);
  }
  // `own king`, `king`, where a player has one king to begin with.
  [[nodiscard]] bool is_single_kind(const Ast& set) const {
    const bool owned = set.form == Form::owned && is_kind(set.kids[1]);
    if (!owned && !is_kind(set)) return false;
    const std::string& name = owned ? bare(set.kids[1]).word : set.word;
    std::map<int, int> pieces; // by owner
    for (const auto& stack : in_.program.initial.cells)
      for (const auto& piece : stack)
        if (in_.program.kinds[static_cast<std::size_t>(piece.kind)].name == name) ++pieces[piece.owner];
    return !pieces.empty() && (owned || pieces.size() == 1) &&
           std::all_of(pieces.begin(), pieces.end(), [](const auto& of) { return of.second == 1; });
  }
  // The walker's cell, a cell's name, a member that is gone through, …
  [[nodiscard]] bool is_one_cell(const Ast& n) const {
    const Reading* r = in_.reading(n);
    return is_cell(bare(n)) || (r != nullptr && r->type == Ty::cells && r->varies && !r->loose);
  }

  // The same alternative, condition or set twice.
  void repeated(const Ast& n) {
    const bool joins = n.form == Form::either || n.form == Form::all_of || n.form == Form::otherwise;
    if (!joins && !is_sign(n, "|") && !is_sign(n, "&") && !is_sign(n, "-")) return;
    const Reading* whole = in_.reading(n);
    if (is_sign(n, "-") && whole != nullptr && always_empty(*whole)) return; // told as that
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

  // C and not C, some S and no S; likewise with `or`
  void contradiction(const Ast& n) {
    if (n.form != Form::all_of && n.form != Form::either) return;
    for (const Ast& a : n.kids)
      for (const Ast& b : n.kids)
        if (n.form == Form::all_of && &a < &b && in_both(bare(a), bare(b))) {
          auto& warning = out_.warning("constant-condition", n.span, "this never holds");
          warning.help = fmt::format("no cell is in `{}` and in `{}`", text_of(bare(a).kids[1]),
                                     text_of(bare(b).kids[1]));
          told_of_.push_back(n.span);
          return;
        }
    for (const Ast& a : n.kids)
      for (const Ast& b : n.kids)
        if (are_opposite(bare(a), bare(b))) {
          const bool both = n.form == Form::all_of;
          auto& warning =
              out_.warning("constant-condition", b.span, both ? "this never holds" : "this always holds");
          warning.help =
              both ? "the opposite is asked beside it" : "or else the opposite does, which stands beside it";
          warning.related.push_back({a.span, "that is this one"});
          return;
        }
    for (const Ast& a : n.kids)
      for (const Ast& b : n.kids)
        if (&a < &b && within_nothing(n.form, bounded(a), bounded(b))) {
          const bool both = n.form == Form::all_of;
          auto& warning =
              out_.warning("constant-condition", n.span, both ? "this never holds" : "this always holds");
          warning.help =
              both ? fmt::format("no number is both: `{}` and `{}`", text_of(a), text_of(b))
                   : fmt::format("every number is one of them: `{}` or `{}`", text_of(a), text_of(b));
          told_of_.push_back(n.span);
          return;
        }
  }
  // here in A and here in B, which have nothing in common
  [[nodiscard]] bool in_both(const Ast& a, const Ast& b) const {
    const auto is_in = [](const Ast& n) { return n.form == Form::compare && n.word == "in"; };
    if (!is_in(a) || !is_in(b) || !same_rule(a.kids[0], b.kids[0]) || !is_one_cell(a.kids[0])) return false;
    const Reading *one = in_.reading(a.kids[1]), *other = in_.reading(b.kids[1]);
    const auto known = [](const Reading* r) {
      return r != nullptr && r->type == Ty::cells && !r->varies && r->holds && !r->fails;
    };
    return known(one) && known(other) && (one->cells & other->cells).none();
  }
  // n > 3 and n < 2; n < 5 or n > 2
  static bool within_nothing(Form form, const Bounded& a, const Bounded& b) {
    if (!about_the_same(a, b)) return false;
    if (form == Form::all_of) return a.high < b.low || b.high < a.low;
    const auto all = [](const Bounded& low, const Bounded& high) {
      const std::int64_t least = low.counted ? 0 : INT64_MIN;
      return low.low <= least && high.high == INT64_MAX && low.high != INT64_MAX && high.low <= low.high + 1;
    };
    return all(a, b) || all(b, a);
  }
  // set v = v, set v = v + 0
  void assignment(const Ast& n) {
    if (n.form != Form::set || n.kids.size() != 1) return;
    const Ast& value = bare(n.kids[0]);
    const bool adds_nothing = (is_sign(value, "+") || is_sign(value, "-")) &&
                              is_name(bare(value.kids[0]), n.word) &&
                              bare(value.kids[1]).form == Form::number && bare(value.kids[1]).number == 0;
    if (!adds_nothing && !is_name(value, n.word)) return;
    out_.warning("self-assignment", n.span, fmt::format("`{}` is set to what it is already", n.word)).help =
        "set it to something else, or leave this out";
  }

  // ---- what is always the same

  // 3 .. 2
  void downwards(const Ast& n) {
    if (!is_sign(n, "..")) return;
    const Ast &low = bare(n.kids[0]), &high = bare(n.kids[1]);
    if (low.form != Form::number || high.form != Form::number || low.number <= high.number) return;
    out_.warning("empty-set", n.span, "there is no number from the greater one to the less").help =
        fmt::format("`{} .. {}`", high.number, low.number);
    told_of_.push_back(n.span);
  }

  void settled(const Ast& n) {
    const Reading* r = in_.reading(n);
    if (r == nullptr || goes_by_parameter(n) || is_told(n)) return;
    if (r->is_action || r->varies || n.form == Form::paren || is_plain(n)) return;
    if (r->type == Ty::truth) return condition(n, *r);
    const bool set = r->type == Ty::cells || r->type == Ty::directions || is_list(r->type);
    if (set && r->fails && !r->holds && !is_beginning(n, *r)) empty(n, *r);
  }
  // `let last = north & south`: no direction yet, which is how a name for one begins.
  [[nodiscard]] bool is_beginning(const Ast& n, const Reading& r) const {
    return r.type == Ty::directions &&
           std::any_of(lets_.begin(), lets_.end(), [&](const auto& let) { return &bare(*let.second) == &n; });
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
      const Reading* r = in_.reading(kid);
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

  // What a number can be: as far as is known from what it counts.
  struct Interval {
    std::int64_t low = INT32_MIN, high = INT32_MAX;
  };

  // A variable that begins with no less than 0 and is never set to less.
  [[nodiscard]] bool counts_up(const std::string& name) {
    const auto [known, is_new] =
        counts_up_.try_emplace(name, true); // while it is worked out: what is to be shown
    if (!is_new) return known->second;
    bool up = false;
    for (const auto& variable : in_.file.state)
      if (variable.name.text == name && variable.value && !variable.each_piece)
        up = interval(*variable.value).low >= 0;
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
  // The numbers that a variable is ever set to, where all of them are written out.
  [[nodiscard]] std::optional<Interval> written_out(const std::string& name) {
    const auto [known, is_new] = written_out_.try_emplace(name, std::nullopt);
    if (!is_new) return known->second;
    std::optional<Interval> all;
    for (const auto& variable : in_.file.state)
      if (variable.name.text == name && variable.value && !variable.each_piece)
        all = written_number(*variable.value);
    if (!all) return std::nullopt;
    bool any = false;
    every_rule([&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        const bool passed =
            n.form == Form::call && std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) {
              return is_name(kid, name); // a definition may set its parameter
            });
        any = any || (n.form == Form::set && n.word == name);
        const auto value = n.form == Form::set && n.word == name ? written_number(n.kids[0]) : std::nullopt;
        if (passed || (n.form == Form::set && n.word == name && !value)) all.reset();
        if (all && value) all = Interval{std::min(all->low, value->low), std::max(all->high, value->high)};
      });
    });
    if (!any) all.reset(); // that nothing sets it is told of the variable
    return written_out_[name] = all;
  }
  [[nodiscard]] static std::optional<Interval> written_number(const Ast& value) {
    const Ast& n = bare(value);
    if (n.form == Form::number) return Interval{n.number, n.number};
    if (n.form != Form::conditional || n.kids.size() < 3) return std::nullopt;
    const auto a = written_number(n.kids[1]), b = written_number(n.kids[2]);
    return a && b ? std::optional<Interval>({std::min(a->low, b->low), std::max(a->high, b->high)})
                  : std::nullopt;
  }
  // What a number can be that an option allows.
  [[nodiscard]] std::optional<Interval> allowed(const std::string& name) const {
    for (const auto& option : in_.file.options)
      if (option.name.text == name && option.low && option.high && option.low->form == Form::number &&
          option.high->form == Form::number)
        return Interval{option.low->number, option.high->number};
    return std::nullopt;
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

  // The numbers that a value of pieces may be: `moves`, `moves(c)`. What is set beyond becomes the nearest
  // one.
  [[nodiscard]] std::optional<Interval> carried(const Ast& number) {
    const Ast& n = bare(number);
    const bool asked = n.form == Form::name || (n.form == Form::call && n.kids.size() == 1);
    if (!asked || defined_.contains(n.word) || parameters_.contains(n.word) || lets_.contains(n.word))
      return std::nullopt;
    for (const dsl::StateEntry& entry : in_.file.state)
      if (entry.name.text == n.word && entry.each_piece && entry.each_piece->low && entry.each_piece->high)
        return Interval{interval(*entry.each_piece->low).low, interval(*entry.each_piece->high).high};
    return std::nullopt;
  }

  [[nodiscard]] static bool never_negative(const LanguageWord* word) {
    return word != nullptr && word->op && runtime::is_never_negative(*word->op);
  }

  [[nodiscard]] Interval interval(const Ast& number) {
    const Ast& n = bare(number);
    const auto& board = in_.program.board;
    if (n.form == Form::number) return {n.number, n.number};
    const bool own_name = defined_.contains(n.word) || parameters_.contains(n.word);
    if (const auto numbers = own_name ? std::nullopt : carried(n)) return *numbers;
    if (n.form == Form::name && !own_name) {
      if (never_negative(word_named(n.word))) return {0};
      if (const auto numbers = written_out(n.word)) return *numbers;
      if (const auto numbers = allowed(n.word)) return *numbers;
      if (counts_up(n.word)) return {0};
    }
    if (n.form == Form::binary && (n.word == "+" || n.word == "*")) {
      const Interval a = interval(n.kids[0]), b = interval(n.kids[1]);
      if (a.low >= 0 && b.low >= 0) return {0};
    }
    if (n.form == Form::call && !own_name) {
      const Reading* r = n.kids.empty() ? nullptr : in_.reading(n.kids[0]);
      if (n.word == "count" && n.kids.size() == 1 && r != nullptr && r->type == Ty::cells)
        return {0, std::min({std::int64_t{board.cells}, most_of(n.kids[0]), most_beside(n.kids[0])})};
      if (n.word == "height") return {0, most_high(n)};
      if (never_negative(function_named(n.word))) return {0};
    }
    return {};
  }

  static constexpr std::int64_t kAny = INT32_MAX;

  // next(c, D), for a single cell: as many as D has directions.
  [[nodiscard]] std::int64_t most_beside(const Ast& set) const {
    const Ast& n = bare(set);
    if (is_sign(n, "&")) return std::min(most_beside(n.kids[0]), most_beside(n.kids[1]));
    if (is_sign(n, "-") || n.form == Form::part) return most_beside(n.kids[0]);
    if (n.form != Form::call || n.word != "next" || n.kids.size() != 2 || !in_.is_of_vocabulary(n.word))
      return kAny;
    const Reading* d = in_.reading(n.kids[1]);
    const bool known = d != nullptr && d->type == Ty::directions && !d->varies && d->steps.any();
    return known && is_one_cell(n.kids[0]) ? d->ways : kAny;
  }

  static bool has_next(const Ast& n) {
    bool found = false;
    each_node(n, [&](const Ast& k) { found = found || (k.form == Form::call && k.word == "next"); });
    return found;
  }

  // ---- how many pieces there can be

  // Bounds that go by the pieces are looked at in a second reading, where the first one has found nothing.
  [[nodiscard]] std::int64_t most_of(const Ast& set) const {
    if (most_ == nullptr) return kAny;
    const Ast& n = bare(set);
    static const Ast kOwn{Form::name, {}, 0, 0, "own", {}, {}, {}, {}};
    static const Ast kEnemy{Form::name, {}, 0, 0, "enemy", {}, {}, {}, {}};
    std::int64_t most = kAny;
    const bool of_one = is_part(in_, n, kOwn) || (is_part(in_, n, kEnemy) && in_.program.players.size() == 2);
    if (of_one && most_->keep_owner()) most = most_->of_one();
    const Ast& kind = n.form == Form::owned ? bare(n.kids[1]) : n;
    for (std::size_t i = 0;
         of_one && most_->keep_kind() && most_->keep_owner() && i < in_.program.kinds.size(); ++i)
      if (is_name(kind, in_.program.kinds[i].name) && is_kind(kind))
        most = most_->of_kind(static_cast<int>(i));
    return std::min(most, of_one ? most_->of_all() : kAny);
  }
  [[nodiscard]] std::int64_t most_high(const Ast& n) const {
    if (most_ == nullptr || n.kids.size() != 1 || !in_.program.board.stacks) return kAny;
    return most_->of_all();
  }
  // Do options decide how many pieces are set up? Then there may be more than with their defaults.
  [[nodiscard]] bool set_up_by_options() const {
    std::vector<const Ast*> rules;
    for (const auto& entry : in_.file.setup.entries) rules.push_back(&entry.cells);
    for (const auto* size :
         {&in_.file.board.files, &in_.file.board.ranks, &in_.file.board.side, &in_.file.board.holes})
      if (*size) rules.push_back(&**size);
    const bool hands = !in_.file.hands.empty() && !in_.file.options.empty();
    return hands || std::any_of(in_.file.options.begin(), in_.file.options.end(), [&](const auto& option) {
             return std::any_of(rules.begin(), rules.end(),
                                [&](const Ast* rule) { return names(*rule, option.name.text, 0); });
           });
  }
  // count(own) > 5, of five men
  void out_of_reach(const Ast& n) {
    bool counts = false;
    each_node(n, [&](const Ast& k) { counts = counts || k.word == "count" || k.word == "height"; });
    if (!counts) return;
    if (!set_up_) set_up_.emplace(in_.program, std::vector<runtime::Position>{});
    if (!set_up_->is_bounded() || is_undecided(n, *set_up_) || set_up_by_options()) return;
    // What tests set up is asked only where something would be told.
    const MostPieces with_tests(in_.program, in_.shown ? in_.shown() : std::vector<runtime::Position>{});
    if (is_undecided(n, with_tests)) return;
    most_ = &with_tests;
    const bool always = decided(n).first;
    most_ = nullptr;
    tell_out_of_reach(n, always);
  }
  [[nodiscard]] bool is_undecided(const Ast& n, const MostPieces& most) {
    most_ = &most;
    const auto [always, never] = decided(n);
    most_ = nullptr;
    return !always && !never;
  }
  void tell_out_of_reach(const Ast& n, bool always) {
    out_.warning("out-of-reach", n.span,
                 always ? "this always holds: there are never so many pieces"
                        : "this never holds: there are never so many pieces")
        .help = "no more are set up, and no rule makes any";
  }

  // Does a comparison always hold, or never, by what its numbers can be?
  [[nodiscard]] std::pair<bool, bool> decided(const Ast& n) {
    const Interval a = interval(n.kids[0]), b = interval(n.kids[1]);
    const bool less = a.high < b.low, at_most = a.high <= b.low;
    const bool more = a.low > b.high, at_least = a.low >= b.high;
    if (n.word == "<") return {less, at_least};
    if (n.word == "<=") return {at_most, more};
    if (n.word == ">") return {more, at_most};
    if (n.word == ">=") return {at_least, less};
    if (n.word == "=") return {false, less || more};
    return {n.word == "!=" && (less || more), false};
  }

  // count(S) < 0
  void bounds(const Ast& n) {
    if (n.form != Form::compare || n.word == "in") return;
    const Reading* r = in_.reading(n);
    if (r == nullptr || !r->varies) return;
    const auto [always, never] = decided(n);
    if (!always && !never) return out_of_reach(n);
    const Ast& left = bare(n.kids[0]);
    for (const Ast& side : n.kids)
      if (const auto range = carried(side)) return tell_beyond(n, bare(side), *range, always);
    const auto numbers = left.form == Form::name ? written_out(left.word) : std::nullopt;
    out_.warning("constant-condition", n.span, always ? "this always holds" : "this never holds").help =
        numbers       ? fmt::format("`{}` is never set to anything but {} to {}", left.word, numbers->low,
                                    numbers->high)
        : has_next(n) ? "a cell has one neighbour in each direction, and there are no fewer than none"
                      : "there can't be fewer than none, nor more than the board has cells";
  }

  void tell_beyond(const Ast& n, const Ast& value, const Interval& range, bool always) {
    out_.warning("constant-condition", n.span, always ? "this always holds" : "this never holds").help =
        fmt::format("`{}` is {} to {}, as `state` says: what is set beyond becomes the nearest of them",
                    value.word, range.low, range.high);
  }

  void empty(const Ast& n, const Reading& r) {
    if (is_sign(n, "|")) {
      if (is_plain(n.kids[0]) || is_plain(n.kids[1])) return;
      told_of_.push_back(n.span); // once for all that is joined
    } else if (some_kid(n, always_empty)) {
      return; // told there
    }
    if (n.form == Form::name && defined_.contains(n.word) && !in_.is_of_vocabulary(n.word))
      return; // told there
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
  // 2 .. -2
  static bool counts_down(const Ast& n) {
    if (!is_sign(n, "..")) return false;
    const Ast &low = bare(n.kids[0]), &high = bare(n.kids[1]);
    return low.form == Form::number &&
           (high.form == Form::negate || (high.form == Form::number && high.number < low.number));
  }
  static std::string help_for_empty(const Ast& n) {
    if (is_sign(n, "&")) return "`S & T` has what is in both; `S | T` what is in either";
    if (is_sign(n, "-")) return "`S - T` is S without T";
    if (is_sign(n, "|")) return help_for_empty(bare(n.kids[0]));
    if (n.form == Form::name) return "it is a hole, or the board has none";
    if (n.form == Form::call && n.kids.size() == 1 && counts_down(bare(n.kids[0])))
      return "`a .. b` counts upwards: from 2 to -2 there is no number; `2 .. ranks - 1` ends before the "
             "last";
    return "not in any position, with any values of the options";
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  std::set<std::string> defined_, parameters_;
  std::optional<MostPieces> set_up_;
  const MostPieces* most_ = nullptr; // while a comparison is looked at for how many pieces there can be
  std::map<std::string, bool> counts_up_;
  std::map<std::string, std::optional<Interval>> written_out_;
  std::map<std::string, Kept> kept_;       // names for what a variable was
  std::set<std::string> ways_;             // names of single directions, in this rule
  std::set<std::string> counted_;          // sets that it counts, or asks to have members
  std::map<std::string, const Ast*> lets_; // names of this rule that nothing has set since
  std::set<const Ast*> told_twice_;
  std::vector<dsl::Span> told_of_; // what stands within is the same mistake
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
