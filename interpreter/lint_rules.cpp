// Lints about the sections of a file: bodies by kind, lines of `end`, the set-up, tests.
#include "interpreter/lints.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// Of several definitions by kind, one that has no body for a kind that all the others have one for.
void odd_body(const Linted& in, const Definition& d, dsl::Diagnostics& out) {
  const RuleFile& file = in.file;
  if (!is_by_kind(file, d) || d.replaced != nullptr) return;
  const auto body = in.readings.find(&d.cases.front().second); // a value may well be none for some
  if (body == in.readings.end() || !body->second.is_action) return;
  const auto lacking = std::count_if(file.pieces.begin(), file.pieces.end(),
                                     [&](const auto& kind) { return !has_case(d, kind.name.text); });
  if (lacking > 1) return; // what only some can do
  for (const auto& kind : file.pieces) {
    const std::string& name = kind.name.text;
    if (has_case(d, name)) continue;
    std::size_t others = 0, with = 0;
    for (const Definition& other : file.define) {
      if (&other == &d || other.cases.empty() || !other.parameters.empty() || !d.parameters.empty()) continue;
      if (!is_by_kind(file, other) && !other.others) continue;
      ++others;
      with += has_case(other, name) || other.others ? 1 : 0;
    }
    if (others == 0 || with < others) continue;
    out.warning("missing-body", d.name.span, fmt::format("`{}` has no body for `{}`", d.name.text, name))
        .help =
        fmt::format("without one an action has no outcome; `{}: never` says that this is meant", name);
    return;
  }
}

bool asks_no_move(const EndRule& line) {
  bool found = false;
  each_node(line.condition, [&](const Ast& n) { found = found || n.form == Form::no_move; });
  return found;
}

void end_replaced(const RuleFile& file, dsl::Diagnostics& out) {
  if (file.end_before.empty() || file.end.empty()) return;
  const auto kept = [&](const EndRule& old) {
    return std::any_of(file.end.begin(), file.end.end(),
                       [&](const EndRule& line) { return same_rule(line.condition, old.condition); });
  };
  const auto any_asks = [](const std::vector<EndRule>& lines) {
    return std::any_of(lines.begin(), lines.end(), asks_no_move);
  };
  // Who may always pass is never without a move.
  bool passes = false;
  if (file.turn && file.turn->replaced != nullptr)
    each_node(file.turn->body, [&](const Ast& n) { passes = passes || n.form == Form::pass; });
  const bool stuck = any_asks(file.end_before) && !any_asks(file.end) && !passes;
  const bool fewer = file.end.size() < file.end_before.size() && !any_asks(file.end) && !passes &&
                     std::none_of(file.end_before.begin(), file.end_before.end(), kept);
  if (!stuck && !fewer) return;
  auto& warning =
      out.warning("end-replaced", file.end.front().span,
                  stuck ? "the extended file's lines of `end` are gone, and nothing says who wins "
                          "when there is no move"
                        : "the extended file's lines of `end` are gone");
  warning.help = "a line `- inherited` keeps them";
  warning.related.push_back({file.end_before.front().span, "they begin here"});
}

bool same_line(const EndRule& a, const EndRule& b) {
  return a.player == b.player && same_rule(a.condition, b.condition);
}

// Is a condition one of those that another one joins by `and`?
bool part_of(const Ast& part, const Ast& whole) {
  const Ast& joined = bare(whole);
  if (same_rule(part, joined)) return true;
  return joined.form == Form::all_of &&
         std::any_of(joined.kids.begin(), joined.kids.end(), [&](const Ast& k) { return part_of(part, k); });
}

void shadowed_ends(const RuleFile& file, dsl::Diagnostics& out) {
  for (std::size_t i = 0; i < file.end.size(); ++i) {
    if (file.end[i].span.file != file.file) continue;
    for (std::size_t k = 0; k < i; ++k) {
      const Ast& earlier = bare(file.end[k].condition);
      const bool always = earlier.form == Form::name && earlier.word == "true";
      const bool covers = file.end[k].player == file.end[i].player && part_of(earlier, file.end[i].condition);
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
    const auto [earlier, is_new] = seen.try_emplace(text_of(in, test, end), &test);
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
