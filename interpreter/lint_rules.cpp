// Lints about the sections of a file: bodies by kind, lines of `end`, the set-up, tests.
#include "interpreter/lints.hpp"
#include "interpreter/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::EndRule;
using dsl::Form;
using dsl::RuleFile;

bool has_case(const Definition& d, const std::string& who) {
  return std::any_of(d.cases.begin(), d.cases.end(), [&](const auto& c) { return c.first.text == who; });
}

template <class Entries>
bool has_entry(const Entries& entries, const std::string& name) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& e) { return e.name.text == name; });
}

// A definition by kind or player that replaces another and has no body for some that the older one had.
void lost_bodies(const RuleFile& file, const Definition& d, dsl::Diagnostics& out) {
  if (d.replaced == nullptr || d.cases.empty() || d.others || d.replaced->cases.empty()) return;
  std::vector<std::string> lost;
  for (const auto& [who, body] : d.replaced->cases) {
    const bool there = has_entry(file.pieces, who.text) || has_entry(file.players, who.text);
    if (there && !has_case(d, who.text)) lost.push_back(who.text);
  }
  if (lost.empty()) return;
  out.warning("lost-bodies", d.name.span,
              fmt::format("`{}` has no body for {} any more", d.name.text, fmt::join(lost, ", ")))
      .help = "write `others: inherited` to keep what this doesn't change";
}

bool is_by_kind(const RuleFile& file, const Definition& d) {
  return !d.cases.empty() && !d.others && std::any_of(d.cases.begin(), d.cases.end(), [&](const auto& c) {
    return has_entry(file.pieces, c.first.text);
  });
}

// A kind that this file adds, and a definition of the extended file that has a body for every other kind.
void missing_body(const RuleFile& file, const dsl::KindEntry& kind, dsl::Diagnostics& out) {
  for (const Definition& d : file.define) {
    if (!is_by_kind(file, d) || has_case(d, kind.name.text)) continue;
    const bool inherits = d.name.span.file != file.file;
    const bool all_others = std::all_of(file.pieces.begin(), file.pieces.end(), [&](const auto& other) {
      return other.name.span.file == file.file || has_case(d, other.name.text);
    });
    if (!inherits || !all_others) continue;
    auto& warning = out.warning("missing-body", kind.name.span,
                                fmt::format("`{}` has no body for `{}`", d.name.text, kind.name.text));
    warning.help =
        fmt::format("define: {{ {}: {{ {}: …, others: inherited }} }}", d.name.text, kind.name.text);
    warning.related.push_back({d.name.span, "every other kind has one here"});
    return;
  }
}

// Do rules of the file speak of the cells of a kind, other than to make pieces of it?
bool is_spoken_of(const RuleFile& file, const std::string& kind) {
  const auto speaks = [&](const Ast& n, const auto& self) -> bool {
    if (n.form == Form::name) return n.word == kind;
    const bool makes =
        n.form == Form::drop || n.form == Form::change ||
        (n.form == Form::call && (n.word == "kinds" || n.word == "place" || n.word == "crown"));
    return !makes && std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& k) { return self(k, self); });
  };
  bool found = false;
  each_rule(file, [&](const Ast& rule) {
    const bool is_setup = std::any_of(file.setup.entries.begin(), file.setup.entries.end(),
                                      [&](const auto& entry) { return &entry.cells == &rule; });
    found = found || (!is_setup && speaks(rule, speaks));
  });
  return found;
}

// Does a player have pieces of this kind?
bool is_owned(const dsl::KindEntry& kind) {
  return std::any_of(kind.letters.begin(), kind.letters.end(),
                     [](const dsl::LetterEntry& l) { return l.owner.text != "neutral"; });
}

// Definitions by kind, of an action or of where it leads, that have no body for a kind that all others have
// one for. Where there is no other one, the kind can't do anything unless rules speak of it.
void odd_body(const Linted& in, const Definition& d, dsl::Diagnostics& out) {
  const RuleFile& file = in.file;
  if (!is_by_kind(file, d) || d.replaced != nullptr) return;
  const auto body = in.readings.find(&d.cases.front().second); // a number may well be 0 for some
  if (body == in.readings.end()) return;
  if (!body->second.is_action && body->second.type != Ty::directions && body->second.type != Ty::cells)
    return;
  const auto lacking = std::count_if(file.pieces.begin(), file.pieces.end(), [&](const auto& kind) {
    return is_owned(kind) && !has_case(d, kind.name.text);
  });
  if (lacking > 1) return; // what only some can do
  for (const auto& kind : file.pieces) {
    const std::string& name = kind.name.text;
    if (has_case(d, name) || !is_owned(kind)) continue;
    std::size_t others = 0, alike = 0, with = 0;
    for (const Definition& other : file.define) {
      if (&other == &d || other.cases.empty() || (!is_by_kind(file, other) && !other.others)) continue;
      ++others;
      if (!other.parameters.empty() || !d.parameters.empty()) continue;
      ++alike;
      with += has_case(other, name) || other.others ? 1 : 0;
    }
    const bool alone = others == 0 && d.cases.size() > 1 && !is_spoken_of(file, name);
    if (!alone && (alike == 0 || with < alike)) continue;
    out.warning("missing-body", d.name.span, fmt::format("`{}` has no body for `{}`", d.name.text, name))
        .help =
        body->second.is_action
            ? fmt::format("without one an action has no outcome; `{}: never` says that this is meant", name)
            : fmt::format("without one it is empty; `{}: none` says that this is meant", name);
    return;
  }
}

bool asks_no_move(const EndRule& line) {
  bool found = false;
  each_node(line.condition, [&](const Ast& n) { found = found || n.form == Form::no_move; });
  return found;
}

// How the `end` of a variant leaves out what decided the extended game; "" if it doesn't.
struct LeftOut {
  std::string how;
  dsl::Span line; // the first one that is gone
};

LeftOut left_out(const RuleFile& file) {
  const auto lines_without = [](const std::vector<EndRule>& lines, const std::vector<EndRule>& others) {
    std::vector<EndRule> result;
    for (const EndRule& line : lines)
      if (std::none_of(others.begin(), others.end(),
                       [&](const EndRule& other) { return same_rule(line.condition, other.condition); }))
        result.push_back(line);
    return result;
  };
  const auto any_asks = [](const std::vector<EndRule>& lines) {
    return std::any_of(lines.begin(), lines.end(), asks_no_move);
  };
  const auto all_draw = [](const std::vector<EndRule>& lines) {
    return std::all_of(lines.begin(), lines.end(),
                       [](const EndRule& line) { return line.verdict == dsl::EndVerdict::draw; });
  };
  // Who may always pass is never without a move.
  bool passes = false;
  if (file.turn && file.turn->replaced != nullptr)
    each_node(file.turn->body, [&](const Ast& n) { passes = passes || n.form == Form::pass; });
  const bool asks = any_asks(file.end) || passes;
  const dsl::Span begin = file.end_before.front().span;
  if (any_asks(file.end_before) && !asks)
    return {"the extended file's lines of `end` are gone, and nothing says who wins when there is no move",
            begin};
  if (!all_draw(file.end_before) && all_draw(file.end))
    return {"the extended file's lines of `end` are gone, and no line says who wins", begin};
  const auto lost = lines_without(file.end_before, file.end),
             added = lines_without(file.end, file.end_before);
  const bool some_kept = lost.size() < file.end_before.size();
  if (!some_kept && file.end.size() < file.end_before.size() && !asks)
    return {"the extended file's lines of `end` are gone", begin};
  // Some are said again, one that decides isn't, and none comes in its place.
  const auto decides = [](const EndRule& line) { return line.verdict != dsl::EndVerdict::draw; };
  const auto gone = std::find_if(lost.begin(), lost.end(), decides);
  if (some_kept && gone != lost.end() && all_draw(added))
    return {"a line of the extended file's `end` is gone", gone->span};
  return {};
}

void end_replaced(const RuleFile& file, dsl::Diagnostics& out) {
  if (file.end_before.empty() || file.end.empty()) return;
  const LeftOut left = left_out(file);
  if (left.how.empty()) return;
  auto& warning = out.warning("end-replaced", file.end.front().span, left.how);
  warning.help = "a line `- inherited` keeps what there was";
  warning.related.push_back({left.line, "this is gone"});
}

bool same_line(const EndRule& a, const EndRule& b) {
  return a.player == b.player && same_rule(a.condition, b.condition);
}

// A condition about a number: that it lies within bounds. `some S` and `no S` are about the count of S.
struct Bounded {
  const Ast* what = nullptr; // the number, or the set that is counted; null: it is no such condition
  bool counted = false;
  std::int64_t low = INT64_MIN, high = INT64_MAX;
};

Bounded bounded(const Ast& condition) {
  const Ast& n = bare(condition);
  if (n.form == Form::no && n.kids.size() == 1) return {&bare(n.kids[0]), true, 0, 0};
  if (n.form == Form::some && n.kids.size() == 1) return {&bare(n.kids[0]), true, 1, INT64_MAX};
  if (n.form != Form::compare || bare(n.kids[1]).form != Form::number) return {};
  const Ast& left = bare(n.kids[0]);
  Bounded result{&left, false, INT64_MIN, INT64_MAX};
  if (left.form == Form::call && left.word == "count" && left.kids.size() == 1)
    result = {&bare(left.kids[0]), true, 0, INT64_MAX};
  const std::int64_t number = bare(n.kids[1]).number;
  if (n.word == "<") result.high = number - 1;
  if (n.word == "<=") result.high = number;
  if (n.word == ">") result.low = number + 1;
  if (n.word == ">=") result.low = number;
  if (n.word == "=") result.low = result.high = number;
  return n.word == "!=" || n.word == "in" ? Bounded{} : result;
}

// Does a condition hold only where another one holds? False where that isn't seen.
bool implies(const Ast& narrow, const Ast& wide) {
  const Ast &one = bare(narrow), &other = bare(wide);
  const auto some_kid = [](const Ast& n, const auto& is) {
    return std::any_of(n.kids.begin(), n.kids.end(), is);
  };
  const auto every_kid = [](const Ast& n, const auto& is) {
    return std::all_of(n.kids.begin(), n.kids.end(), is);
  };
  if (same_rule(one, other)) return true;
  if (one.form == Form::either) return every_kid(one, [&](const Ast& kid) { return implies(kid, other); });
  if (other.form == Form::all_of) return every_kid(other, [&](const Ast& kid) { return implies(one, kid); });
  if (one.form == Form::all_of && some_kid(one, [&](const Ast& kid) { return implies(kid, other); }))
    return true;
  if (other.form == Form::either) return some_kid(other, [&](const Ast& kid) { return implies(one, kid); });
  const Bounded a = bounded(one), b = bounded(other);
  return a.what != nullptr && b.what != nullptr && a.counted == b.counted && same_rule(*a.what, *b.what) &&
         b.low <= a.low && a.high <= b.high;
}

void shadowed_ends(const RuleFile& file, dsl::Diagnostics& out) {
  for (std::size_t i = 0; i < file.end.size(); ++i) {
    if (file.end[i].span.file != file.file) continue;
    for (std::size_t k = 0; k < i; ++k) {
      const Ast& earlier = bare(file.end[k].condition);
      const bool always = earlier.form == Form::name && earlier.word == "true";
      const bool covers = file.end[k].player == file.end[i].player && implies(file.end[i].condition, earlier);
      if (!always && !covers && !same_line(file.end[k], file.end[i])) continue;
      auto& warning =
          out.warning("end-never-asked", file.end[i].span, "an earlier line decides wherever this one would");
      warning.help = "the first line that holds decides: put the special case first";
      warning.related.push_back({file.end[k].span, "that is this line"});
      break;
    }
  }
}

// Entries of the set-up that name the same cells. A few exceptions after a larger set are meant; what hides
// an earlier entry, or half of it, is not.
void setup_overlap(const Linted& in, std::size_t later, dsl::Diagnostics& out) {
  const auto& entries = in.file.setup.entries;
  const auto cells_of = [&](std::size_t i) {
    const auto found = in.readings.find(&entries[i].cells);
    return found == in.readings.end() ? runtime::CellSet() : found->second.cells;
  };
  const runtime::CellSet here = cells_of(later);
  for (std::size_t i = 0; i < later; ++i) {
    if (entries[i].cells.span.file != in.file.file) continue;
    const runtime::CellSet before = cells_of(i), both = before & here;
    const bool exceptions = both == here && 2 * here.count() < before.count();
    if (!both.any() || exceptions) continue;
    auto& warning =
        out.warning("setup-overlap", entries[later].cells.span,
                    fmt::format("{} cells of this entry are in an earlier one, too", both.count()));
    warning.help = fmt::format("the later one counts: `{}` stands there, not `{}`",
                               entries[later].letters.text, entries[i].letters.text);
    warning.related.push_back({entries[i].cells.span, "the earlier one"});
    return;
  }
}

// The text of a test without its name, comments, blanks and the signs of YAML. It ends where the next one
// begins.
std::string text_of(const Linted& in, const dsl::TestEntry& test, std::size_t end) {
  const std::string all(in.sources.text(test.span.file).substr(0, end));
  std::string text;
  for (std::size_t i = test.span.begin; i < all.size(); ++i) {
    if (i == test.name.span.begin) i = test.name.span.end;
    const bool comment = i < all.size() && all[i] == '#' && all[i - 1] == ' ';
    if (comment) i = std::min(all.find('\n', i), all.size());
    if (i + 1 >= all.size()) break;
    const bool ends = all[i] == '\n' && std::string_view(" #-\n").find(all[i + 1]) == std::string_view::npos;
    if (ends) break; // another section
    if (std::string_view(" \n-{},").find(all[i]) == std::string_view::npos) text += all[i];
  }
  return text;
}

// Moves are a set: their order doesn't matter.
std::string sorted(const std::optional<std::vector<dsl::Name>>& moves) {
  if (!moves) return "-";
  std::set<std::string> texts;
  for (const dsl::Name& move : *moves) texts.insert(move.text);
  return fmt::format("[{}]", fmt::join(texts, " "));
}

// What a test asks: two with the same question are the same test.
std::string question(const Linted& in, const dsl::TestEntry& test, std::size_t end) {
  const bool of_positions = test.position || test.games || !test.settings.empty() ||
                            std::any_of(test.expect.begin(), test.expect.end(),
                                        [](const auto& e) { return e.position || e.count; });
  if (of_positions) return text_of(in, test, end);
  std::string text;
  for (const auto& perft : test.perft) text += fmt::format("{}:{} ", perft.depth, perft.leaves);
  for (const auto& e : test.expect)
    text += fmt::format("{} {} {} {} {} ", e.move.text, e.winner ? e.winner->text : "-", sorted(e.moves),
                        sorted(e.include), sorted(e.exclude));
  return text;
}

// What is expected of random games that all of them keep to.
void idle_test(const dsl::TestEntry& test, dsl::Diagnostics& out) {
  constexpr std::uint64_t kAll = 10'000; // hundredths of a percent
  if (!test.games) return;
  for (const dsl::GamesClaim& claim : test.games->claims) {
    const std::uint64_t most = claim.of == dsl::GamesClaim::Of::plies ? dsl::kNoBound : kAll;
    if (claim.low > 0 || claim.high < most || claim.some) continue;
    out.warning("empty-test", claim.written.span, "this always holds, so that the test can't fail").help =
        "give it a bound that wrong rules would not keep to";
  }
}

} // namespace

void lint_setup(const Linted& in, dsl::Diagnostics& out) {
  const auto& entries = in.file.setup.entries;
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].cells.span.file == in.file.file) setup_overlap(in, i, out);
}

void lint_tests(const Linted& in, dsl::Diagnostics& out) {
  std::map<std::string, const dsl::TestEntry*> seen;
  const auto& tests = in.file.tests;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const dsl::TestEntry& test = tests[i];
    const std::size_t end = i + 1 < tests.size() ? tests[i + 1].span.begin : std::string::npos;
    idle_test(test, out);
    const auto [earlier, is_new] = seen.try_emplace(question(in, test, end), &test);
    if (is_new) continue;
    auto& warning = out.warning("test-repeats", test.name.span, "this test asks what an earlier one asks");
    warning.help = "remove it, or ask something else";
    warning.related.push_back({earlier->second->name.span, "that is this one"});
  }
}

void lint_bodies(const Linted& in, dsl::Diagnostics& out) {
  for (const Definition& d : in.file.define)
    if (d.name.span.file == in.file.file) {
      lost_bodies(in.file, d, out);
      odd_body(in, d, out);
    }
  for (const auto& kind : in.file.pieces)
    if (kind.name.span.file == in.file.file) missing_body(in.file, kind, out);
}

void lint_ends(const Linted& in, dsl::Diagnostics& out) {
  end_replaced(in.file, out);
  shadowed_ends(in.file, out);
}

} // namespace boardwright::interpreter
