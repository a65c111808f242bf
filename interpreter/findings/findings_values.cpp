#include "interpreter/findings/findings_values.hpp"

#include "interpreter/lints/lints.hpp"
#include "interpreter/notation/fen.hpp"
#include "runtime/reference/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Node;
using runtime::NodeCount;
using runtime::NodeId;
using runtime::Op;

// Times that a variable was set, or a number compared, that are enough to tell something of it.
constexpr std::uint64_t kEnoughSet = 500, kEnoughCompared = 200;
// A variable that has its greatest value in one of so many positions has stopped there.
constexpr std::uint64_t kStayedOneOf = 8;
// Moves that were made after a piece was lost.
constexpr std::uint64_t kEnoughWithout = 50;

class ValueFindings {
public:
  ValueFindings(const Surveyed& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  void report() {
    variables();
    if (out_.all().empty()) numbers();
    if (out_.all().empty()) one_short();
    if (out_.all().empty()) lost_pieces();
  }

private:
  struct Set { // of one place in the text
    std::uint64_t met = 0, held = 0;
    NodeId one = runtime::kNoNode;
  };

  // ---- variables

  void variables() {
    std::map<std::string, std::map<TextPlaces::Place, Set>> sets; // by the variable's name
    for (NodeId id = 0; id < in_.program.nodes.size(); ++id) {
      const Node& n = in_.program.nodes[id];
      if (n.op != Op::set_variable) continue;
      const auto& variable = in_.program.variables[static_cast<std::size_t>(n.a)];
      if (variable.plane >= 0) continue;
      Set& set = sets[variable.name][in_.places.place_in_text(id)];
      const NodeCount& value = in_.survey.trace.of(in_.program.kid(n, 0));
      set.one = id;
      set.met += value.met;
      set.held += value.held;
    }
    for (const auto& [name, places] : sets) variable(name, places);
  }
  void variable(const std::string& name, const std::map<TextPlaces::Place, Set>& places) {
    if (!begins_with_nothing(name)) return;
    std::uint64_t met = 0;
    const Set* best = nullptr;
    for (const auto& [place, set] : places) {
      if (set.met == 0 || set.held > 0 || goes_one_way(set.one)) return;
      met += set.met;
      const bool better = best == nullptr || set.met > best->met;
      if (!is_written_out(set.one) && better) best = &set;
    }
    const auto span = best == nullptr ? std::nullopt : in_.places.own_span(best->one);
    if (met < kEnoughSet || !span) return;
    out_.note("never-changes", *span, fmt::format("`{}` was never anything but what it begins with", name))
        .help = fmt::format("set {} times, in random games, and never to anything else", met);
  }
  // `if C then V else W` where C always had the same answer: that is told.
  [[nodiscard]] bool goes_one_way(NodeId set) const {
    const Node& value = in_.program.nodes[in_.program.kid(in_.program.nodes[set], 0)];
    if (value.op != Op::if_value) return false;
    const NodeCount& asked = in_.survey.trace.of(in_.program.kid(value, 0));
    return asked.held == 0 || asked.held == asked.met;
  }
  [[nodiscard]] bool is_written_out(NodeId set) const {
    const Op op = in_.program.nodes[in_.program.kid(in_.program.nodes[set], 0)].op;
    return op == Op::number || op == Op::truth || op == Op::cells || op == Op::kind;
  }
  // 0, `false`, no cells, no kind: for every player.
  [[nodiscard]] bool begins_with_nothing(const std::string& name) const {
    const auto holds = [&](std::size_t i) {
      const auto& value = in_.program.initial.variables[i];
      switch (in_.program.variables[i].type) {
      case runtime::Type::cells: return value.cells.any();
      case runtime::Type::kind: return value.number >= 0;
      case runtime::Type::number:
      case runtime::Type::truth: return value.number != 0;
      default: return true; // there is always a player
      }
    };
    for (std::size_t i = 0; i < in_.program.variables.size(); ++i)
      if (in_.program.variables[i].name == name && holds(i)) return false;
    return true;
  }

  // ---- numbers of pieces

  struct Compared {
    std::uint64_t met = 0, held = 0;
    std::int64_t most = 0;
    std::uint64_t had_most = 0;
    NodeId number = runtime::kNoNode;
    std::int64_t bound = 0;
  };

  void numbers() {
    std::map<TextPlaces::Place, Compared> compared;
    for (NodeId id = 0; id < in_.program.nodes.size(); ++id) {
      const auto found = asks_for_many(in_.program.nodes[id]);
      if (!found || !in_.places.own_span(id)) continue;
      Compared& sum = compared[in_.places.place_in_text(id)];
      const NodeCount& count = in_.survey.trace.of(id);
      sum.met += count.met;
      sum.held += count.held;
      sum.number = found->number;
      sum.bound = found->bound;
      sum.most = std::max(sum.most, in_.survey.trace.of(found->number).most);
    }
    for (const auto& [place, one] : compared) {
      if (one.met < kEnoughCompared || one.held > 0 || 2 * one.most >= one.bound) continue;
      const dsl::Span span{in_.file.file, std::get<1>(place), std::get<2>(place)};
      out_.note("never-so-many", span,
                fmt::format("this never held: there were {} at the most, where {} are asked for", one.most,
                            one.bound))
          .help = fmt::format("{} times, in random games; can there be so many?", one.met);
    }
  }
  // `height(here) >= 15`, `count(own) > 5`: a number of pieces that must be large.
  [[nodiscard]] std::optional<Compared> asks_for_many(const Node& n) const {
    if (n.op != Op::at_most && n.op != Op::less && n.op != Op::equal) return std::nullopt;
    NodeId less = in_.program.kid(n, 0), more = in_.program.kid(n, 1);
    if (n.op == Op::equal && in_.program.nodes[more].op == Op::number) std::swap(less, more);
    const Node& bound = in_.program.nodes[less];
    if (bound.op != Op::number || !is_number_of_pieces(more)) return std::nullopt;
    Compared found;
    found.number = more;
    found.bound = bound.a + (n.op == Op::less ? 1 : 0);
    return found;
  }

  // A variable that came up to one below what a condition asks for, and stayed there in position after
  // position: there are no more to be counted, or counting ends too early.
  void one_short() {
    std::map<TextPlaces::Place, Compared> compared;
    for (NodeId id = 0; id < in_.program.nodes.size(); ++id) {
      const auto found = asks_of_variable(in_.program.nodes[id]);
      if (!found || !in_.places.own_span(id)) continue;
      Compared& sum = compared[in_.places.place_in_text(id)];
      const NodeCount &count = in_.survey.trace.of(id), &number = in_.survey.trace.of(found->number);
      sum.met += count.met;
      sum.held += count.held;
      sum.bound = found->bound;
      if (number.most > sum.most) sum.had_most = 0;
      sum.most = std::max(sum.most, number.most);
      if (number.most == sum.most) sum.had_most += number.had_most;
    }
    for (const auto& [place, one] : compared) {
      if (one.met < kEnoughCompared || one.held > 0 || one.most < 1 || one.most + 1 != one.bound ||
          one.had_most * kStayedOneOf < one.met)
        continue;
      const dsl::Span span{in_.file.file, std::get<1>(place), std::get<2>(place)};
      out_.note("never-so-many", span,
                fmt::format("this never held: there were {} at the most, where {} are asked for", one.most,
                            one.bound))
          .help = fmt::format("{} of {} times it was {}, in random games, and never more", one.had_most,
                              one.met, one.most);
      return;
    }
  }
  [[nodiscard]] std::optional<Compared> asks_of_variable(const Node& n) const {
    if (n.op != Op::at_most && n.op != Op::less && n.op != Op::equal) return std::nullopt;
    NodeId less = in_.program.kid(n, 0), more = in_.program.kid(n, 1);
    if (n.op == Op::equal && in_.program.nodes[more].op == Op::number) std::swap(less, more);
    const Node& bound = in_.program.nodes[less];
    if (bound.op != Op::number || in_.program.nodes[more].op != Op::variable) return std::nullopt;
    Compared found;
    found.number = more;
    found.bound = bound.a + (n.op == Op::less ? 1 : 0);
    return found;
  }

  // A count, or what is reckoned from counts alone.
  [[nodiscard]] bool is_number_of_pieces(NodeId id) const {
    const Node& n = in_.program.nodes[id];
    if (n.op == Op::height || n.op == Op::pieces || n.op == Op::count) return true;
    if (n.op != Op::add && n.op != Op::subtract) return false;
    const auto is_part = [&](NodeId kid) {
      const Op op = in_.program.nodes[kid].op;
      return op == Op::number || op == Op::hand || op == Op::hand_total || is_number_of_pieces(kid);
    };
    const auto& kids = in_.program.kids_of(n);
    return std::all_of(kids.begin(), kids.end(), is_part);
  }

  // ---- pieces that were lost

  void lost_pieces() {
    if (in_.program.player_count() != 2) return; // of more, who is out leaves his pieces
    std::set<int> named;
    std::set<const dsl::Definition*> followed;
    for (const dsl::EndRule& line : in_.file.end) kinds_asked_for(line.condition, named, followed);
    each_rule(in_.file, [&](const dsl::Ast& rule) {
      each_node(rule, [&](const dsl::Ast& n) {
        if (n.form == dsl::Form::require) kinds_asked_for(n.kids[0], named, followed);
      });
    });
    for (const runtime::LostPiece& lost : in_.survey.standing.lost()) {
      if (lost.moves < kEnoughWithout || !named.contains(lost.kind)) continue;
      const std::string& kind = in_.program.kinds[static_cast<std::size_t>(lost.kind)].name;
      const std::string& player = in_.program.players[static_cast<std::size_t>(lost.player)].name;
      out_.note("goes-on-without", place_of_kind(kind),
                fmt::format("{} lost the only `{}`, and the game went on", player, kind))
          .help =
          fmt::format("{} moves were made without it, in random games; what conditions ask of it then "
                      "holds of nothing: may it be taken? who loses it?",
                      lost.moves);
      if (auto fen = write_fen(in_.program, lost.first)) out_.last().position = std::move(*fen);
      return;
    }
  }
  // Kinds of which a condition asks where a player's piece stands, `some own king in S`, in its own words or
  // by definitions.
  void kinds_asked_for(const dsl::Ast& condition, std::set<int>& named,
                       std::set<const dsl::Definition*>& followed) const {
    each_node(condition, [&](const dsl::Ast& n) {
      if (asks_where(n)) {
        const dsl::Ast& asked = bare(n.kids[0]);
        for (std::size_t kind = 0; kind < in_.program.kinds.size(); ++kind)
          if (asked.form == dsl::Form::owned && is_kind(asked.kids[1], in_.program.kinds[kind].name))
            named.insert(static_cast<int>(kind));
      }
      if (n.form != dsl::Form::name && n.form != dsl::Form::call) return;
      const dsl::Definition* d = definition(n.word);
      if (d == nullptr || !followed.insert(d).second) return;
      each_body(*d, [&](const dsl::Ast& body) { kinds_asked_for(body, named, followed); });
    });
  }
  [[nodiscard]] static bool asks_where(const dsl::Ast& n) {
    return n.form == dsl::Form::some_inside || n.form == dsl::Form::no_inside ||
           n.form == dsl::Form::every_inside || (n.form == dsl::Form::compare && n.word == "in");
  }
  [[nodiscard]] bool is_kind(const dsl::Ast& n, const std::string& kind, int depth = 0) const {
    constexpr int kMostNamesOfKinds = 8;
    const dsl::Ast& what = bare(n);
    if (what.form != dsl::Form::name || depth > kMostNamesOfKinds) return false;
    if (what.word == kind) return true;
    const dsl::Definition* d = definition(what.word);
    return d != nullptr && d->body && is_kind(*d->body, kind, depth + 1);
  }
  // The one of this name that counts: the last.
  [[nodiscard]] const dsl::Definition* definition(const std::string& name) const {
    for (const dsl::Definition& d : in_.file.define)
      if (d.name.text == name) return &d;
    for (auto of = in_.file.vocabularies.rbegin(); of != in_.file.vocabularies.rend(); ++of)
      for (const dsl::Definition& d : *of)
        if (d.name.text == name) return &d;
    return nullptr;
  }
  [[nodiscard]] dsl::Span place_of_kind(const std::string& kind) const {
    for (const dsl::KindEntry& entry : in_.file.pieces)
      if (entry.name.text == kind && entry.name.span.file == in_.file.file) return entry.name.span;
    return in_.file.game.span;
  }

  const Surveyed& in_;
  dsl::Diagnostics& out_;
};

} // namespace

void report_values(const Surveyed& in, dsl::Diagnostics& out) { ValueFindings(in, out).report(); }

} // namespace boardwright::interpreter
