// Lints about the sections of a file: bodies by kind, lines of `end`, the set-up, texts for people.
#include "dsl/about.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
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

// Does a definition by kind have bodies for some kinds only, in place of a vocabulary's body for all?
bool replaces_body(const RuleFile& file, const Definition& d) {
  const auto of_kind = [&](const auto& c) { return has_entry(file.pieces, c.first.text); };
  if (d.cases.empty() || d.others || !std::all_of(d.cases.begin(), d.cases.end(), of_kind)) return false;
  const bool is_word =
      std::any_of(file.vocabularies.begin(), file.vocabularies.end(), [&](const auto& layer) {
        return std::any_of(layer.begin(), layer.end(), [&](const Definition& word) {
          return word.name.text == d.name.text && word.parameters.size() == d.parameters.size() && word.body;
        });
      });
  if (!is_word || d.cases.size() >= file.pieces.size()) return false;
  // Who asks for it himself knows what it is.
  bool asked = false;
  each_rule(file, [&](const Ast& rule) {
    each_node(rule, [&](const Ast& n) { asked = asked || (n.form == Form::call && n.word == d.name.text); });
  });
  return !asked;
}

// A definition by kind or player that replaces another and has no body for some that the older one had.
void lost_bodies(const RuleFile& file, const Definition& d, dsl::Diagnostics& out) {
  if (d.replaced == nullptr && replaces_body(file, d)) {
    out.warning("lost-bodies", d.name.span,
                fmt::format("`{}` has no body any more for the other kinds", d.name.text))
        .help = "write `others: inherited` to keep what the vocabulary says of them";
    return;
  }
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
    if (n.form == Form::name) return n.word == kind || n.word == kind.substr(0, kind.find('(')); // a family
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

// Are numbers of kinds compared with one another, as `strength(c) <= strength(here)`? Then 0 is one of them.
bool ranks_kinds(const RuleFile& file, const Definition& d) {
  constexpr std::size_t kFewestRanked = 4;
  bool compares = false;
  const auto asks = [&](const Ast& n) { return bare(n).form == Form::call && bare(n).word == d.name.text; };
  if (d.cases.size() >= kFewestRanked)
    each_rule(file, [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        compares = compares || (n.form == Form::compare && asks(n.kids[0]) && asks(n.kids[1]));
      });
    });
  return compares;
}

// Definitions by kind, of an action or of where it leads, that have no body for a kind that all others have
// one for. Where there is no other one, the kind can't do anything unless rules speak of it.
void odd_body(const Linted& in, const Definition& d, dsl::Diagnostics& out) {
  const RuleFile& file = in.file;
  if (!is_by_kind(file, d) || d.replaced != nullptr) return;
  const auto body = in.readings.find(&d.cases.front().second); // a number may well be 0 for some
  if (body == in.readings.end()) return;
  const bool number = !body->second.is_action && body->second.type == Ty::number;
  if (number
          ? !ranks_kinds(file, d)
          : !body->second.is_action && body->second.type != Ty::directions && body->second.type != Ty::cells)
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
    const bool alone = number || (others == 0 && d.cases.size() > 1 && !is_spoken_of(file, name));
    if (!alone && (alike == 0 || with < alike)) continue;
    out.warning("missing-body", d.name.span, fmt::format("`{}` has no body for `{}`", d.name.text, name))
        .help =
        body->second.is_action
            ? fmt::format("without one an action has no outcome; `{}: never` says that this is meant", name)
        : number ? fmt::format("without one it is 0; `{}: 0` says that this is meant", name)
                 : fmt::format("without one it is empty; `{}: none` says that this is meant", name);
    return;
  }
}

// Do two kinds have the same bodies in all definitions by kind, and does no rule speak of one of them, nor
// compare kinds, as of colours?
bool are_twins(const Linted& in, const std::string& a, const std::string& b) {
  const auto body = [](const Definition& d, const std::string& kind) -> const Ast* {
    for (const auto& [who, tree] : d.cases)
      if (who.text == kind) return &tree;
    return nullptr;
  };
  for (const Definition& d : in.file.define) {
    const Ast *of_a = body(d, a), *of_b = body(d, b);
    if ((of_a == nullptr) != (of_b == nullptr) || (of_a != nullptr && !same_rule(*of_a, *of_b))) return false;
  }
  bool spoken_of = false;
  each_rule(in.file, [&](const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      spoken_of = spoken_of || (n.form == Form::name && (n.word == a || n.word == b)) ||
                  (n.form == Form::compare && std::any_of(n.kids.begin(), n.kids.end(), [](const Ast& kid) {
                     return bare(kid).form == Form::call && bare(kid).word == "kind";
                   }));
    });
  });
  return !spoken_of;
}

// Two kinds for which the same is written twice: `"rook queen": …` would say it of both.
void same_bodies(const Linted& in, const Definition& d, dsl::Diagnostics& out) {
  const auto is_plain = [&](const Ast& n) {
    const Form form = bare(n).form;
    const Reading* r = in.reading(n);
    const bool number = r != nullptr && !r->is_action && r->type != Ty::directions && r->type != Ty::cells;
    // `go all` and `~own` are short enough to be said of several kinds.
    constexpr int kFewestParts = 4;
    int parts = 0;
    each_node(n, [&](const Ast&) { ++parts; });
    return number || form == Form::never || form == Form::name || parts < kFewestParts;
  };
  // Short ones are told where they leave no difference at all between two kinds, while others have one.
  const auto leaves_none = [&](const auto& one, const auto& other) {
    const Reading* r = in.reading(other.second);
    const bool of_place = r != nullptr && !r->is_action && r->type == Ty::cells;
    const bool all_same = std::all_of(d.cases.begin(), d.cases.end(),
                                      [&](const auto& c) { return same_rule(c.second, one.second); });
    return of_place && bare(other.second).form == Form::call && !all_same &&
           are_twins(in, one.first.text, other.first.text);
  };
  for (std::size_t i = 0; i < d.cases.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const auto &one = d.cases[k], &other = d.cases[i];
      if (!has_entry(in.file.pieces, one.first.text) || !has_entry(in.file.pieces, other.first.text))
        continue;
      if (one.second.span == other.second.span || !same_rule(one.second, other.second)) continue;
      if (is_plain(other.second) && !leaves_none(one, other)) continue;
      auto& warning =
          out.warning("said-twice", other.second.span,
                      fmt::format("`{}` does the same as `{}`", other.first.text, one.first.text));
      warning.help = fmt::format("say what it should do; if this is meant, `\"{} {}\": …` says it of both",
                                 one.first.text, other.first.text);
      warning.related.push_back({one.second.span, "here"});
      return;
    }
}

// But for numbers.
bool much_the_same(const Ast& left, const Ast& right) {
  const Ast &a = bare(left), &b = bare(right);
  return a.form == b.form && a.word == b.word && a.kids.size() == b.kids.size() &&
         std::equal(a.kids.begin(), a.kids.end(), b.kids.begin(), much_the_same);
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
  // Draws in place of other draws. A bound may well be another one.
  const auto is_new = [&](const EndRule& line) {
    return std::any_of(added.begin(), added.end(),
                       [&](const EndRule& other) { return much_the_same(line.condition, other.condition); });
  };
  const auto dropped = std::find_if_not(lost.begin(), lost.end(), is_new);
  if (!some_kept && all_draw(file.end_before) && all_draw(file.end) && dropped != lost.end())
    return {"the extended file's lines of `end` are gone", dropped->span};
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
  return about_the_same(a, b) && b.low <= a.low && a.high <= b.high;
}

// set v = v + 1
bool counts(const Ast& n, const std::string& name) {
  if (n.form != Form::set || n.word != name || n.kids.size() != 1) return false;
  const Ast& value = bare(n.kids[0]);
  return is_sign(value, "+") && is_name(bare(value.kids[0]), name) &&
         bare(value.kids[1]).form == Form::number && bare(value.kids[1]).number > 0;
}

// Calls `look` with the bodies of all definitions and of the turn.
template <class F>
void each_action(const RuleFile& file, F&& look) {
  for (const Definition& d : file.define) each_body(d, look);
  if (!file.turn) return;
  look(file.turn->body);
  for (const auto& [who, body] : file.turn->cases) look(body);
  if (file.turn->others) look(*file.turn->others);
}

// Is a variable set to more by every turn, and never to anything else?
bool always_grows(const RuleFile& file, const std::string& name) {
  if (!file.turn || !file.turn->cases.empty() || bare(file.turn->body).form != Form::sequence) return false;
  const auto& steps = bare(file.turn->body).kids;
  const bool every_turn =
      std::any_of(steps.begin(), steps.end(), [&](const Ast& step) { return counts(bare(step), name); });
  bool only = every_turn;
  each_action(file, [&](const Ast& rule) {
    each_node(rule, [&](const Ast& n) {
      if (n.form == Form::set && n.word == name) only = only && counts(n, name);
      if (n.form == Form::call) // a definition may set its parameter
        only = only &&
               std::none_of(n.kids.begin(), n.kids.end(), [&](const Ast& k) { return is_name(k, name); });
    });
  });
  return only;
}

bool asks_for(const std::vector<EndRule>& lines, const std::string& name) {
  bool found = false;
  for (const EndRule& line : lines)
    each_node(line.condition, [&](const Ast& n) { found = found || is_name(n, name); });
  return found;
}

// `repeats` beside a variable that makes every position another one.
void dead_repeats(const RuleFile& file, dsl::Diagnostics& out) {
  const auto growing = std::find_if(file.state.begin(), file.state.end(), [&](const auto& variable) {
    const std::string& name = variable.name.text;
    return !variable.clock && !variable.each_piece && asks_for(file.end, name) && always_grows(file, name);
  });
  if (growing == file.state.end()) return;
  for (const EndRule& line : file.end) {
    if (line.span.file != file.file) continue;
    const Ast* asks = nullptr;
    each_node(line.condition, [&](const Ast& n) {
      if (asks == nullptr && (is_name(n, "repeats") || is_name(n, "repeated"))) asks = &n;
    });
    if (asks == nullptr) continue;
    auto& warning = out.warning("constant-condition", asks->span, "no position is ever like an earlier one");
    warning.help =
        fmt::format("`{0}` grows with every turn: `state: {{ {0}: {{ clock: 0 }} }}` is not compared",
                    growing->name.text);
    warning.related.push_back({growing->name.span, "that is this variable"});
  }
}

// `pass, set passes = passes + 1`, and no move sets it back: passes that aren't in a row count together.
void passes_of_a_game(const RuleFile& file, dsl::Diagnostics& out) {
  for (const auto& variable : file.state) {
    const std::string& name = variable.name.text;
    if (variable.name.span.file != file.file || variable.each_piece || !asks_for(file.end, name)) continue;
    std::size_t sets = 0, with_pass = 0;
    each_action(file, [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        sets += n.form == Form::set && n.word == name ? 1 : 0;
        if (n.form != Form::sequence) return;
        const bool passes = std::any_of(n.kids.begin(), n.kids.end(),
                                        [](const Ast& kid) { return bare(kid).form == Form::pass; });
        for (const Ast& kid : n.kids) with_pass += passes && counts(bare(kid), name) ? 1 : 0;
      });
    });
    if (sets == 0 || with_pass < sets) continue;
    out.warning("unset-state", variable.name.span,
                fmt::format("nothing sets `{}` back: passes count that are not in a row", name))
        .help = fmt::format("`set {} = 0` with every other move", name);
  }
}

bool counts_within(const Ast& n, const std::string& name) {
  return counts(n, name) ||
         std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return counts_within(kid, name); });
}

// Is there a step within a branch that counts a variable, and none outside that does?
bool counts_in_branch(const Ast& n, const std::string& name, bool within) {
  if (counts(n, name)) return within;
  // Alternatives of which one counts and another doesn't.
  const bool alternatives = n.form == Form::either || n.form == Form::otherwise;
  const bool some = alternatives && !std::all_of(n.kids.begin(), n.kids.end(),
                                                 [&](const Ast& kid) { return counts_within(kid, name); });
  return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) {
    return counts_in_branch(kid, name, within || some || n.form == Form::conditional);
  });
}

// `(require steps < 2, …, set steps = steps + 1, again) or …`: the steps of a turn are counted, and nothing
// begins anew, so that there are no more than two in the whole game.
void steps_of_a_turn(const RuleFile& file, dsl::Diagnostics& out) {
  for (const auto& variable : file.state) {
    const std::string& name = variable.name.text;
    if (variable.name.span.file != file.file || variable.each_piece || variable.clock) continue;
    std::size_t sets = 0, with_again = 0;
    const Ast* bound = nullptr;
    each_action(file, [&](const Ast& rule) {
      each_node(rule, [&](const Ast& n) {
        sets += n.form == Form::set && n.word == name ? 1 : 0;
        const bool below = n.form == Form::compare && (n.word == "<" || n.word == "<=" || n.word == "!=");
        if (below && is_name(bare(n.kids[0]), name)) bound = &n;
        if (n.form != Form::sequence) return;
        const bool goes_on = std::any_of(n.kids.begin(), n.kids.end(),
                                         [](const Ast& kid) { return bare(kid).form == Form::again; });
        for (const Ast& kid : n.kids) with_again += goes_on && counts(bare(kid), name) ? 1 : 0;
      });
    });
    if (sets == 0 || with_again < sets || bound == nullptr || asks_for(file.end, name)) continue;
    auto& warning = out.warning("unset-state", variable.name.span,
                                fmt::format("nothing sets `{}` back: it counts on from turn to turn", name));
    warning.help = fmt::format("`set {} = 0` where a turn ends", name);
    warning.related.push_back({bound->span, "once this is reached, it is so for the rest of the game"});
  }
}

// Is a variable set by an action, or by a definition that it uses?
bool sets_variable(const Linted& in, const Ast& action, const std::string& name, int depth = 0) {
  constexpr int kMostDefinitions = 8;
  bool found = false;
  each_node(action, [&](const Ast& n) {
    found = found || (n.form == Form::set && n.word == name);
    const Definition* d = found || depth > kMostDefinitions ? nullptr : in.definition(n);
    if (d != nullptr)
      each_body(*d, [&](const Ast& body) { found = found || sets_variable(in, body, name, depth + 1); });
  });
  return found;
}

// Of the alternatives of a turn all but one set a variable, to a constant at least once: that one leaves it
// as it was.
void left_by_one(const Linted& in, const Ast& rule, dsl::Diagnostics& out) {
  constexpr std::size_t kFewest = 3;
  each_node(rule, [&](const Ast& n) {
    if (n.form != Form::either || n.kids.size() < kFewest) return;
    for (const auto& variable : in.file.state) {
      const std::string& name = variable.name.text;
      if (variable.each_piece || variable.name.span.file != in.file.file || asks_for(in.file.end, name))
        continue;
      const Ast* left = nullptr;
      std::size_t without = 0, resets = 0;
      for (const Ast& kid : n.kids) {
        if (!sets_variable(in, kid, name)) left = &kid, ++without;
        each_node(kid, [&](const Ast& set) {
          const bool plain = set.form == Form::set && set.word == name && set.kids.size() == 1;
          resets +=
              plain && (is_name(bare(set.kids[0]), "none") || bare(set.kids[0]).form == Form::number) ? 1 : 0;
        });
      }
      // One that goes on with the turn, or ends the game, has no need to.
      bool other = false;
      if (left != nullptr)
        each_node(*left, [&](const Ast& kid) {
          other = other || kid.form == Form::again || kid.form == Form::win || kid.form == Form::lose ||
                  kid.form == Form::pass || kid.form == Form::draw;
        });
      if (without != 1 || resets == 0 || other) continue;
      out.warning("unset-state", left->span,
                  fmt::format("this leaves `{}` as it was, and all other alternatives set it", name))
          .help = fmt::format("as it is in the next turn; perhaps `set {} = …` is missing", name);
      return;
    }
  });
}

// `if C then set idle = idle + 1`, and nothing sets the clock back: what isn't in a row counts together.
void clocks_of_a_game(const RuleFile& file, dsl::Diagnostics& out) {
  for (const auto& variable : file.state) {
    const std::string& name = variable.name.text;
    if (variable.name.span.file != file.file || !variable.clock || !asks_for(file.end, name)) continue;
    bool in_branch = false, only = true;
    each_action(file, [&](const Ast& rule) {
      in_branch = in_branch || counts_in_branch(rule, name, false);
      each_node(rule, [&](const Ast& n) {
        only = only && (n.form != Form::set || n.word != name || counts(n, name));
      });
    });
    if (!in_branch || !only) continue;
    out.warning("unset-state", variable.name.span,
                fmt::format("nothing sets the clock `{}` back: what it counts need not be in a row", name))
        .help = fmt::format("`set {} = 0` in all other moves; a count for the whole game is no clock", name);
  }
}

bool mentions(const Ast& rule, const std::string& name) {
  bool found = false;
  each_node(rule, [&](const Ast& n) {
    found = found || ((n.form == Form::name || n.form == Form::set) && n.word == name);
  });
  return found;
}

// Whether anything but the turn asks for a variable: lines of `end`, definitions, those of vocabularies too.
bool asked_elsewhere(const RuleFile& file, const std::string& name) {
  bool asked = asks_for(file.end, name);
  const auto look = [&](const Ast& rule) { asked = asked || mentions(rule, name); };
  for (const EndRule& line : file.end)
    if (line.score) look(*line.score);
  for (const Definition& d : file.define) each_body(d, look);
  for (const auto& layer : file.vocabularies)
    for (const Definition& d : layer) each_body(d, look);
  return asked;
}

// `set taken = count(dead), if taken > 9 then win`: every turn sets it before it reads it, so that nothing of
// earlier turns is left. Other players' are another matter, as is what counts as part of the position.
void keeps_nothing(const RuleFile& file, dsl::Diagnostics& out) {
  if (!file.turn || !file.turn->cases.empty() || bare(file.turn->body).form != Form::sequence) return;
  const auto& steps = bare(file.turn->body).kids;
  bool of_others = false; // `p.v`, `before(…)`
  each_node(file.turn->body, [&](const Ast& n) {
    of_others = of_others || n.form == Form::perspective || n.form == Form::before;
  });
  for (const auto& variable : file.state) {
    const std::string& name = variable.name.text;
    if (of_others || variable.name.span.file != file.file || variable.each_piece ||
        asked_elsewhere(file, name))
      continue;
    const auto first =
        std::find_if(steps.begin(), steps.end(), [&](const Ast& step) { return mentions(step, name); });
    if (first == steps.end() || first + 1 == steps.end()) continue;
    const Ast& set = bare(*first);
    const bool read =
        std::any_of(first + 1, steps.end(), [&](const Ast& step) { return mentions(step, name); });
    if (set.form != Form::set || set.word != name || set.kids.size() != 1 || mentions(set.kids[0], name) ||
        !read)
      continue;
    auto& warning =
        out.warning("unused-state", set.span,
                    fmt::format("every turn sets `{}` anew before it reads it: nothing is kept", name));
    warning.help =
        fmt::format("`set {0} = {0} + …` adds to what it was; what one turn alone needs is a `let`", name);
    warning.related.push_back({variable.name.span, "the variable"});
  }
}

bool same_verdict(const EndRule& a, const EndRule& b) {
  return a.verdict == b.verdict && a.player == b.player && !a.score && a.shares.empty();
}

// `win when all and no move`, and then `win when no move`: the first of them does nothing, unless a line that
// stands between decides otherwise.
void needless_ends(const RuleFile& file, dsl::Diagnostics& out) {
  for (std::size_t i = 1; i < file.end.size(); ++i) {
    if (file.end[i].span.file != file.file) continue;
    for (std::size_t k = i; k-- > 0 && same_verdict(file.end[k], file.end[i]);) {
      if (file.end[k].span.file != file.file || same_rule(file.end[k].condition, file.end[i].condition) ||
          !implies(file.end[k].condition, file.end[i].condition))
        continue;
      auto& warning =
          out.warning("said-twice", file.end[k].span, "a later line decides the same wherever this one does");
      warning.help = "one of them should say something else";
      warning.related.push_back({file.end[i].span, "that is this line"});
      return;
    }
  }
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

} // namespace

void lint_setup(const Linted& in, dsl::Diagnostics& out) {
  const auto& entries = in.file.setup.entries;
  const std::size_t told = out.all().size();
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].cells.span.file == in.file.file) setup_overlap(in, i, out);
  // Pieces that a later entry hides are missing from the mirror image, too: that has been told then.
  if (out.all().size() == told) lint_mirror(in, out);
  for (const auto part : {lint_facing, lint_copied, lint_paired, lint_landing, lint_walks, lint_shapes})
    part(in, out);
}

void lint_bodies(const Linted& in, dsl::Diagnostics& out) {
  for (const Definition& d : in.file.define)
    if (d.name.span.file == in.file.file) {
      lost_bodies(in.file, d, out);
      odd_body(in, d, out);
      same_bodies(in, d, out);
    }
  for (const auto& kind : in.file.pieces)
    if (kind.name.span.file == in.file.file) missing_body(in.file, kind, out);
}

void lint_ends(const Linted& in, dsl::Diagnostics& out) {
  end_replaced(in.file, out);
  shadowed_ends(in.file, out);
  needless_ends(in.file, out);
  keeps_nothing(in.file, out);
  dead_repeats(in.file, out);
  passes_of_a_game(in.file, out);
  clocks_of_a_game(in.file, out);
  steps_of_a_turn(in.file, out);
  if (!in.file.turn || in.file.turn->span.file != in.file.file) return;
  left_by_one(in, in.file.turn->body, out);
  for (const auto& [who, body] : in.file.turn->cases) left_by_one(in, body, out);
}

namespace {

bool is_told(const dsl::RuleFile& file, std::string_view key) {
  return std::any_of(file.about.begin(), file.about.end(),
                     [&](const auto& entry) { return entry.first.text == key && !entry.second.empty(); });
}

// Where nothing is ever lifted, pieces don't move: the summary says all of a stone that is placed.
bool moves_pieces(const runtime::Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(),
                     [](const runtime::Node& n) { return n.op == runtime::Op::lift; });
}

// Kinds of which nothing is said: of a member of a family, neither of it nor of the family, which is named.
std::vector<std::string> untold_kinds(const dsl::RuleFile& file) {
  std::vector<std::string> untold;
  for (const dsl::KindEntry& kind : file.pieces) {
    const std::string& name = kind.name.text;
    const std::string family = name.substr(0, name.find('('));
    const std::string prefix(dsl::kOfKind);
    if (!is_owned(kind) || is_told(file, prefix + name) || is_told(file, prefix + family)) continue;
    if (untold.empty() || untold.back() != family) untold.push_back(family);
  }
  return untold;
}

} // namespace

bool is_owned(const dsl::KindEntry& kind) {
  return std::any_of(kind.letters.begin(), kind.letters.end(),
                     [](const dsl::LetterEntry& l) { return l.owner.text != "neutral"; });
}

void lint_about(const Linted& in, dsl::Diagnostics& out) {
  const dsl::RuleFile& file = in.file;
  const bool has_tests = std::any_of(file.tests.begin(), file.tests.end(),
                                     [&](const auto& test) { return test.span.file == file.file; });
  if (!has_tests) return;
  std::vector<std::string> missing;
  if (!is_told(file, "summary") && !is_told(file, "")) missing.emplace_back("summary: …");
  if (!is_told(file, dsl::kAim)) missing.push_back(fmt::format("{}: …", dsl::kAim));
  if (moves_pieces(in.program))
    if (const auto kinds = untold_kinds(file); !kinds.empty())
      missing.push_back(fmt::format("{}: {{ {}: … }}", dsl::kKinds, fmt::join(kinds, ": …, ")));
  if (missing.empty()) return;
  out.note("missing-about", file.game.span, "players aren't told all of this game: texts are missing").help =
      fmt::format("about: {{ {} }}", fmt::join(missing, ", "));
}

} // namespace boardwright::interpreter
