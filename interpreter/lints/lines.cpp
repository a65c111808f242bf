// Lints about lines through a cell: one that is gone along both ways for each of its two directions is
// counted twice; one that is gone along from the piece here and one way only lacks what lies behind.
#include "interpreter/lints/lints.hpp"
#include "interpreter/meaning/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Definition;
using dsl::Form;

// Definitions within one another that are gone into.
constexpr int kMostLineDefinitions = 8;
// Parts of rules that are looked at, in definitions again at each call. Games that people write have a few
// hundred.
constexpr int kMostLineParts = 200'000;

bool is_opposite_of(const Ast& n, const std::string& d) {
  const Ast& call = bare(n);
  return call.form == Form::call && call.word == "opposite" && call.kids.size() == 1 &&
         is_name(bare(call.kids[0]), d);
}

class LineLint {
public:
  LineLint(const Linted& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  // `parameters` are those of the definition whose body it is.
  void rule(const Ast& n, const std::vector<dsl::Name>& parameters) {
    const bool counts_members = n.form == Form::call && n.word == "count" && n.kids.size() == 1;
    if (counts_members && bare(n.kids[0]).form == Form::part) counted(bare(n.kids[0]), parameters);
    if (n.form == Form::fold_for && n.word == "sum") summed(n, parameters);
    if (n.form == Form::some_in || n.form == Form::no_in || n.form == Form::part) one_way(n);
    for (const Ast& kid : n.kids) rule(kid, parameters);
  }

private:
  // ---- count((d in all where count(row_of(here, d, own)) >= 3))

  void counted(const Ast& part, const std::vector<dsl::Name>& parameters) {
    if (has_both_ways(part.kids[0], parameters) && goes_both_ways({&part.kids[1]}, part.word))
      tell(part.kids[0], part.word);
  }
  // sum(E for c in own, d in all where C)
  void summed(const Ast& fold, const std::vector<dsl::Name>& parameters) {
    for (std::size_t i = 0; i < fold.names.size(); ++i) {
      std::vector<const Ast*> others;
      for (std::size_t k = 0; k < fold.kids.size(); ++k)
        if (k != i + 1) others.push_back(&fold.kids[k]);
      if (has_both_ways(fold.kids[i + 1], parameters) && goes_both_ways(others, fold.names[i]))
        return tell(fold.kids[i + 1], fold.names[i]);
    }
  }
  void tell(const Ast& directions, const std::string& name) {
    out_.warning("counted-twice", directions.span,
                 fmt::format("`{0}` and `opposite({0})` make one line, and both of them are counted here: "
                             "every line is counted twice",
                             name))
        .help = "`axes` has one direction for each line";
  }

  // Is a direction always among them together with its opposite, whatever the position?
  [[nodiscard]] bool has_both_ways(const Ast& set, const std::vector<dsl::Name>& parameters) const {
    const Reading* r = in_.reading(set);
    bool passed = false;
    each_node(set, [&](const Ast& n) {
      passed = passed || std::any_of(parameters.begin(), parameters.end(),
                                     [&](const dsl::Name& p) { return is_name(n, p.text); });
    });
    if (passed || r == nullptr || r->type != Ty::directions || r->varies) return false;
    const auto& steps = in_.program.board.steps;
    bool found = false;
    r->steps.each([&](int one) {
      const auto& a = steps[static_cast<std::size_t>(one)];
      r->steps.each([&](int other) {
        const auto& b = steps[static_cast<std::size_t>(other)];
        found = found || (a.track < 0 && b.track < 0 && a.dx == -b.dx && a.dy == -b.dy);
      });
    });
    return found;
  }

  // Is a name asked for, and everywhere as `d | opposite(d)`, in definitions that it is passed to, too?
  [[nodiscard]] bool goes_both_ways(const std::vector<const Ast*>& rules, const std::string& d) const {
    int uses = 0;
    return std::all_of(rules.begin(), rules.end(),
                       [&](const Ast* rule) { return is_even(*rule, d, 0, uses); }) &&
           uses > 0;
  }
  bool is_even(const Ast& n, const std::string& d, int depth, int& uses) const {
    if (--left_ < 0 || is_name(n, d) || depth > kMostLineDefinitions) return false;
    const bool binds = n.word == d && n.form != Form::name && n.form != Form::call;
    if (binds || std::find(n.names.begin(), n.names.end(), d) != n.names.end()) return false;
    const auto both = [&](const Ast& a, const Ast& b) { return is_name(bare(a), d) && is_opposite_of(b, d); };
    if (is_sign(n, "|") && (both(n.kids[0], n.kids[1]) || both(n.kids[1], n.kids[0]))) {
      ++uses;
      return true;
    }
    const Definition* called = n.form == Form::call ? in_.definition(n) : nullptr;
    for (std::size_t i = 0; i < n.kids.size(); ++i) {
      const bool passed = called != nullptr && is_name(bare(n.kids[i]), d);
      if (!(passed ? is_even_parameter(*called, i, depth, uses) : is_even(n.kids[i], d, depth, uses)))
        return false;
    }
    return true;
  }
  bool is_even_parameter(const Definition& called, std::size_t i, int depth, int& uses) const {
    bool all = true;
    int inside = 0;
    each_body(called, [&](const Ast& body) {
      all = all && is_even(body, called.parameters[i].text, depth + 1, inside);
    });
    uses += inside;
    return all && inside > 0;
  }

  // ---- some d in axes where count(run(here, d, own)) >= 3

  void one_way(const Ast& n) {
    if (!is_name(bare(n.kids[0]), "axes")) return;
    const Ast* first = nullptr;
    if (!only_runs_on(n.kids[1], n.word, first) || first == nullptr) return;
    out_.warning("odd-directions", first->span,
                 "from here this goes one way along each line, and what lies behind is left out")
        .help = fmt::format(
        "`{0} | opposite({0})` is both ways; `row_of(here, {0}, S)` is the cell here, too", n.word);
  }
  // Is a name asked for as the direction of a `run` from here alone? The first of them, too.
  bool only_runs_on(const Ast& n, const std::string& d, const Ast*& first) const {
    if (is_name(n, d) || std::find(n.names.begin(), n.names.end(), d) != n.names.end()) return false;
    const bool runs = n.form == Form::call && n.word == "run" && n.kids.size() == 3 &&
                      in_.is_of_vocabulary("run") && is_name(bare(n.kids[0]), "here") &&
                      is_name(bare(n.kids[1]), d);
    if (runs && first == nullptr) first = &n;
    if (runs) return only_runs_on(n.kids[2], d, first);
    return std::all_of(n.kids.begin(), n.kids.end(),
                       [&](const Ast& kid) { return only_runs_on(kid, d, first); });
  }

  const Linted& in_;
  dsl::Diagnostics& out_;
  mutable int left_ = kMostLineParts;
};

} // namespace

void lint_lines(const Linted& in, dsl::Diagnostics& out) {
  LineLint lint(in, out);
  std::vector<const Ast*> bodies;
  for (const Definition& d : in.file.define)
    each_body(d, [&](const Ast& body) {
      bodies.push_back(&body);
      if (body.span.file == in.file.file) lint.rule(body, d.parameters);
    });
  each_rule(in.file, [&](const Ast& rule) {
    if (std::find(bodies.begin(), bodies.end(), &rule) == bodies.end()) lint.rule(rule, {});
  });
}

} // namespace boardwright::interpreter
