#include "interpreter/findings/changes.hpp"

#include "dsl/text.hpp"
#include "interpreter/lints/lints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Form;

// Changes of the verdict of a line of `end`, which is no node.
constexpr std::size_t kVerdict = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kLongestQuoted = 40;

// Words that stand for one another by a slip. Each is tried for each other of its row.
using Row = std::array<std::string_view, 4>;
constexpr std::array kRows = {
    Row{"own", "enemy"},           Row{"forward", "backward"},
    Row{"ahead", "behind"},        Row{"first_row", "last_row"},
    Row{"orthogonal", "diagonal"}, Row{"all", "orthogonal", "diagonal"},
    Row{"here", "start"},          Row{"true", "false"},
    Row{"left", "right"},          Row{"north", "south"},
    Row{"east", "west"},           Row{"northeast", "southwest"},
    Row{"northwest", "southeast"}, Row{"min", "max"},
    Row{"rank", "file"},           Row{"row", "column"},
    Row{"first_row", "home"},      Row{"empty", "board"},
};

struct Variant {
  Change::Sort sort = Change::Sort::word;
  dsl::Span span;
  std::string what;
  Ast now;
};

// The source of a place, shortened.
std::string quoted(const dsl::Sources* sources, dsl::Span span) {
  if (sources == nullptr) return "";
  std::string text = sources->text(span.file).substr(span.begin, span.end - span.begin);
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() > kLongestQuoted) text = std::string(dsl::beginning_of(text, kLongestQuoted)) + "…";
  return fmt::format("`{}`", text);
}

class Variants {
public:
  // Without sources the texts are left empty.
  Variants(const Ast& n, const dsl::RuleFile& file, const dsl::Sources* sources)
      : n_(n), file_(file), sources_(sources) {}

  std::vector<Variant> all() {
    words();
    numbers();
    signs();
    conditions();
    parts();
    return std::move(found_);
  }

private:
  void add(Change::Sort sort, dsl::Span span, std::string what, Ast now) {
    found_.push_back({sort, span, sources_ == nullptr ? "" : std::move(what), std::move(now)});
  }

  void words() {
    const bool named = n_.form == Form::name || n_.form == Form::call;
    if (!named) return verbs();
    const dsl::Span span = n_.form == Form::call && n_.word_span.end > 0 ? n_.word_span : n_.span;
    const auto put = [&](std::string_view word) {
      Ast now = n_;
      now.word = word;
      add(Change::Sort::word, span, fmt::format("`{}` instead of `{}`", word, n_.word), std::move(now));
    };
    for (const Row& row : kRows)
      if (std::find(row.begin(), row.end(), n_.word) != row.end())
        for (const std::string_view word : row)
          if (!word.empty() && word != n_.word) put(word);
    const auto is_player = [&](const dsl::PlayerEntry& player) { return player.name.text == n_.word; };
    if (std::any_of(file_.players.begin(), file_.players.end(), is_player))
      for (const dsl::PlayerEntry& player : file_.players)
        if (player.name.text != n_.word) put(player.name.text);
    whose();
  }
  // `v` and `enemy.v`
  void whose() {
    const bool of_each = std::any_of(file_.state.begin(), file_.state.end(), [&](const auto& entry) {
      return entry.each_player && entry.name.text == n_.word;
    });
    if (!of_each || n_.form != Form::name) return;
    Ast enemy;
    enemy.form = Form::name, enemy.span = n_.span, enemy.word = "enemy";
    Ast now;
    now.form = Form::perspective, now.span = n_.span, now.kids = {enemy, n_};
    add(Change::Sort::word, n_.span, fmt::format("`enemy.{0}` instead of `{0}`", n_.word), std::move(now));
  }
  void verbs() {
    const auto put = [&](Form form, std::string_view was, std::string_view now) {
      Ast other = n_;
      other.form = form;
      add(Change::Sort::word, n_.span, fmt::format("`{}` instead of `{}`", now, was), std::move(other));
    };
    switch (n_.form) {
    case Form::win: return put(Form::lose, "win", "lose");
    case Form::lose: return put(Form::win, "lose", "win");
    case Form::some: return put(Form::no, "some", "no");
    case Form::no: return put(Form::some, "no", "some");
    case Form::some_in: return put(Form::no_in, "some", "no");
    case Form::no_in: return put(Form::some_in, "no", "some");
    case Form::some_inside:
      put(Form::every_inside, "some", "every");
      return put(Form::no_inside, "some", "no");
    case Form::no_inside: return put(Form::some_inside, "no", "some");
    case Form::every_inside: return put(Form::some_inside, "every", "some");
    case Form::perspective:
      if (dsl::is_name(n_.kids[0], "enemy")) add(Change::Sort::word, n_.span, "without `enemy.`", n_.kids[1]);
      return;
    default: return;
    }
  }

  void numbers() {
    if (n_.form != Form::number) return;
    for (const std::int64_t by : {-1, 1}) {
      if (n_.number + by < 0) continue;
      Ast now = n_;
      now.number += by;
      add(Change::Sort::number, n_.span, fmt::format("`{}` instead of `{}`", now.number, n_.number), now);
    }
  }

  void signs() {
    static constexpr std::array<std::array<std::string_view, 3>, 10> kSigns = {{{"=", "!=", ""},
                                                                                {"!=", "=", ""},
                                                                                {"<", "<=", ">"},
                                                                                {"<=", "<", ">="},
                                                                                {">", ">=", "<"},
                                                                                {">=", ">", "<="},
                                                                                {"|", "&", ""},
                                                                                {"&", "|", ""},
                                                                                {"+", "-", ""},
                                                                                {"-", "+", ""}}};
    if (n_.form == Form::binary || n_.form == Form::compare)
      for (const auto& [was, one, other] : kSigns)
        for (const std::string_view sign : {one, other})
          if (n_.word == was && !sign.empty()) {
            Ast now = n_;
            now.word = sign;
            add(Change::Sort::sign, n_.span, fmt::format("`{}` instead of `{}`", sign, was), now);
          }
    if (n_.form == Form::negation) add(Change::Sort::negated, n_.span, "without `not`", n_.kids[0]);
    if (n_.form == Form::complement) add(Change::Sort::sign, n_.span, "without `~`", n_.kids[0]);
    if (n_.form != Form::all_of && n_.form != Form::either) return;
    Ast now = n_;
    now.form = n_.form == Form::all_of ? Form::either : Form::all_of;
    add(Change::Sort::joined, n_.span,
        n_.form == Form::all_of ? "`or` instead of `and`" : "`and` instead of `or`", std::move(now));
  }

  // Conditions of steps and of lists.
  void conditions() {
    const bool asks = n_.form == Form::require || n_.form == Form::conditional;
    const bool chooses = n_.form == Form::part || n_.form == Form::some_in || n_.form == Form::no_in;
    if (!asks && !chooses) return;
    const std::size_t which = asks ? 0 : 1;
    if (which >= n_.kids.size()) return;
    const Ast& condition = n_.kids[which];
    Ast negated;
    negated.form = Form::negation, negated.span = condition.span, negated.kids = {condition};
    Ast now = n_;
    now.kids[which] = std::move(negated);
    add(Change::Sort::negated, condition.span, "`not` before " + quoted(sources_, condition.span), now);
    now.kids[which] = holds(condition.span);
    add(Change::Sort::left_out, condition.span, "without " + quoted(sources_, condition.span), now);
  }

  // What steps, conditions and sets are made of.
  void parts() {
    const bool has_parts = n_.form == Form::sequence || n_.form == Form::all_of || n_.form == Form::either;
    for (std::size_t k = 0; has_parts && n_.kids.size() > 1 && k < n_.kids.size(); ++k) {
      Ast now = n_;
      now.kids.erase(now.kids.begin() + static_cast<std::ptrdiff_t>(k));
      if (now.kids.size() == 1) now = Ast(now.kids.front());
      add(Change::Sort::left_out, n_.kids[k].span, "without " + quoted(sources_, n_.kids[k].span), now);
    }
    if (n_.form == Form::otherwise) {
      Ast now = n_;
      now.form = Form::either;
      add(Change::Sort::joined, n_.span, "`or` instead of `otherwise`", std::move(now));
    }
  }

  static Ast holds(dsl::Span span) {
    Ast truth;
    truth.form = Form::name, truth.span = span, truth.word = "true";
    return truth;
  }

  const Ast& n_;
  const dsl::RuleFile& file_;
  const dsl::Sources* sources_;
  std::vector<Variant> found_;
};

// The rules that the file itself has, in an order that doesn't depend on what they say.
template <class File, class F>
void each_own_rule(File& file, F&& visit) {
  std::size_t number = 0;
  const auto rule = [&](auto& tree, auto* line) {
    const std::size_t here = number++;
    if (tree.span.file == file.file) visit(here, tree, line);
  };
  dsl::EndRule* const no_line = nullptr;
  for (auto& d : file.define) {
    if (d.body) rule(*d.body, no_line);
    for (auto& [who, body] : d.cases) rule(body, no_line);
    if (d.others) rule(*d.others, no_line);
  }
  if (file.turn) {
    if (file.turn->cases.empty()) rule(file.turn->body, no_line);
    for (auto& [who, body] : file.turn->cases) rule(body, no_line);
    if (file.turn->others) rule(*file.turn->others, no_line);
  }
  for (auto& line : file.end) rule(line.condition, &line);
  for (auto& entry : file.state)
    if (entry.value) rule(*entry.value, no_line);
}

// A node by its number in the order of each_node; null: there are fewer.
Ast* node_at(Ast& tree, std::size_t& number) {
  if (number-- == 0) return &tree;
  for (Ast& kid : tree.kids)
    if (Ast* const found = node_at(kid, number)) return found;
  return nullptr;
}

[[nodiscard]] bool turns_round(const dsl::EndRule& line) {
  return line.verdict == dsl::EndVerdict::win || line.verdict == dsl::EndVerdict::lose;
}

} // namespace

std::vector<Change> changes_of(const dsl::RuleFile& file, const dsl::Sources& sources) {
  std::vector<Change> all;
  each_own_rule(file, [&](std::size_t rule, const Ast& tree, const dsl::EndRule* line) {
    if (line != nullptr && turns_round(*line)) {
      const bool wins = line->verdict == dsl::EndVerdict::win;
      all.push_back({Change::Sort::verdict, line->span,
                     fmt::format("`{}` instead of `{}`", wins ? "lose" : "win", wins ? "win" : "lose"), rule,
                     kVerdict, 0, false});
    }
    std::size_t node = 0;
    each_node(tree, [&](const Ast& n) {
      std::size_t variant = 0;
      for (Variant& v : Variants(n, file, &sources).all())
        all.push_back({v.sort, v.span, std::move(v.what), rule, node, variant++,
                       n.form == Form::require && v.sort == Change::Sort::left_out});
      ++node;
    });
  });
  std::stable_sort(all.begin(), all.end(), [](const Change& a, const Change& b) { return a.sort < b.sort; });
  return all;
}

dsl::RuleFile changed(const dsl::RuleFile& file, const Change& change) {
  dsl::RuleFile copy = file;
  each_own_rule(copy, [&](std::size_t rule, Ast& tree, dsl::EndRule* line) {
    if (rule != change.rule) return;
    if (change.node == kVerdict) {
      const bool wins = line->verdict == dsl::EndVerdict::win;
      line->verdict = wins ? dsl::EndVerdict::lose : dsl::EndVerdict::win;
      return;
    }
    std::size_t left = change.node;
    Ast* const n = node_at(tree, left);
    if (n == nullptr) return;
    auto variants = Variants(*n, copy, nullptr).all();
    if (change.variant < variants.size()) *n = std::move(variants[change.variant].now);
  });
  return copy;
}

} // namespace boardwright::interpreter
