#include "interpreter/findings/findings_parts.hpp"

#include "interpreter/findings/findings_clauses.hpp"
#include "interpreter/lints/lints.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Node;
using runtime::NodeCount;
using runtime::NodeId;
using runtime::Op;

// Answers that are enough to tell something of a condition, and of one that stands within another.
constexpr std::uint64_t kEnoughAsked = 500, kEnoughWithin = 1'000;
// Times that a part was come to, of which none led to one of its alternatives or bodies.
constexpr std::uint64_t kEnoughMet = 200;
// Conditions that held of nothing, and nothing else.
constexpr std::uint64_t kEnoughVacuous = 50;

class Parts {
public:
  Parts(const Surveyed& in, dsl::Diagnostics& out)
      : in_(in), out_(out), clauses_(in.program, in.survey.trace, in.places) {
    for (NodeId id = 0; id < in.program.nodes.size(); ++id) add_up(id);
    for (const auto& player : in.program.players) mark(player.turn);
  }

  void report() {
    for (NodeId id = 0; id < in_.program.nodes.size(); ++id)
      vacuous(id); // says more than that it always held
    each_rule(in_.file, [&](const dsl::Ast& rule) {
      each_node(rule, [&](const dsl::Ast& n) {
        condition(n);
        untried(n);
        nothing_there(n);
        never_stops(n);
      });
    });
    for (NodeId id = 0; id < in_.program.nodes.size(); ++id) bodies(id);
    words();
    for (const auto& [body, met] : bodies_) unreached(*body, met);
    tell();
  }

private:
  struct Found {
    dsl::Code code;
    std::string message, help;
    std::optional<Clauses::Clause> part = {}; // of a condition, that never held
  };
  // What the nodes of one place have in common: the same text is met in several, one for each player, one for
  // each call.
  struct Sum {
    NodeCount count;
    std::vector<NodeCount> kids;
    NodeId one = runtime::kNoNode;
  };
  struct Met {
    std::uint64_t body = 0, all = 0;
    std::string kind;
  };

  void mark(NodeId id) {
    if (of_the_turn_.insert(id).second)
      for (const NodeId kid : in_.program.kids_of(in_.program.nodes[id])) mark(kid);
  }
  static void add(NodeCount& sum, const NodeCount& count) {
    sum.met += count.met;
    sum.held += count.held;
    sum.moved += count.moved;
    sum.vacuous += count.vacuous;
  }
  void add_up(NodeId id) {
    if (!in_.places.own_span(id)) return;
    const Node& n = in_.program.nodes[id];
    Sum& sum = sums_[in_.places.place_in_text(id)][n.op];
    sum.one = id;
    add(sum.count, in_.survey.trace.of(id));
    sum.kids.resize(std::max<std::size_t>(sum.kids.size(), n.count));
    for (std::uint32_t i = 0; i < n.count; ++i) add(sum.kids[i], in_.survey.trace.of(in_.program.kid(n, i)));
  }
  [[nodiscard]] const Sum* sum_of(const dsl::Ast& n, Op op) const {
    const auto place = in_.places.place_of(n.span);
    const auto at = place ? sums_.find(*place) : sums_.end();
    if (at == sums_.end()) return nullptr;
    const auto found = at->second.find(op);
    return found == at->second.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const NodeCount& sum(NodeId id) const {
    return sums_.at(in_.places.place_in_text(id)).at(in_.program.nodes[id].op).count;
  }
  [[nodiscard]] std::string where() const {
    return in_.file.tests.empty() ? "in random games" : "in random games and in the tests";
  }
  void note(dsl::Span span, Found found) {
    found_.try_emplace({span.file, span.begin, span.end}, std::pair(span, std::move(found)));
  }

  // ---- conditions

  // Told of the whole condition, or else of the parts that are joined by `and`, `or` and `not`.
  void condition(const dsl::Ast& n) {
    for (const auto& [op, child] : conditions_of(n)) {
      const Sum* sum = sum_of(n, op);
      if (sum == nullptr || is_rare(sum->one)) continue;
      // What `end` asks about members is mostly for the last positions.
      const bool of_end = !of_the_turn_.contains(sum->one);
      if (of_end && op == Op::some_where) continue;
      const bool stops =
          op == Op::require; // if it never holds, a dead end; if always, it goes without saying
      const dsl::Span shown =
          n.kids[n.form == dsl::Form::require || n.form == dsl::Form::conditional ? 0 : 1].span;
      const NodeId asked = in_.program.kid(in_.program.nodes[sum->one], child);
      if (!stops && settled(sum->kids[child], shown, kEnoughAsked, true, true, asked)) continue;
      if (!of_end) within(asked, true);
    }
  }
  // The operations that may stand for a condition of the text, and which of their children it is.
  static std::vector<std::pair<Op, std::uint32_t>> conditions_of(const dsl::Ast& n) {
    switch (n.form) {
    case dsl::Form::conditional: return {{Op::if_action, 0U}, {Op::if_value, 0U}};
    case dsl::Form::require: return {{Op::require, 0U}};
    case dsl::Form::part: return {{Op::select, 1U}};
    case dsl::Form::some_in: return {{Op::some_where, 1U}};
    default: return {};
    }
  }
  // `wanted`: it helps to hold. Then that it always does goes without saying, and likewise the other way
  // round.
  void within(NodeId id, bool wanted) {
    const Node& n = in_.program.nodes[id];
    if (n.op == Op::negation) return within(in_.program.kid(n, 0), !wanted);
    if (n.op != Op::all_of && n.op != Op::any_of) return;
    for (const NodeId kid : in_.program.kids_of(n)) {
      const auto span = in_.places.own_span(kid);
      if (in_.program.nodes[kid].op == Op::truth || is_for_rare_games(kid)) continue;
      if (!span || !settled(sum(kid), *span, kEnoughWithin, wanted, !wanted)) within(kid, wanted);
    }
  }
  // Notes it if it is.
  bool settled(const NodeCount& count, dsl::Span span, std::uint64_t enough, bool tell_never,
               bool tell_always, NodeId condition = runtime::kNoNode) {
    const bool never = tell_never && count.held == 0, always = tell_always && count.held == count.met;
    if (count.met < enough || (!never && !always)) return false;
    note(span, {"settled-condition", count.held > 0 ? "this always held" : "this never held",
                fmt::format("{} times, {}", count.met, where()),
                never && condition != runtime::kNoNode ? clauses_.unheld(condition) : std::nullopt});
    return true;
  }

  // `require stock > 0`, where the number was never too small: mostly because nothing makes it smaller. Of
  // other conditions that always hold it goes without saying, upper bounds too: they are for what seldom
  // comes about.
  void never_stops(const dsl::Ast& n) {
    const Sum* sum = n.form == dsl::Form::require ? sum_of(n, Op::require) : nullptr;
    if (sum == nullptr || is_rare(sum->one)) return;
    const Node& asked = in_.program.nodes[in_.program.kid(in_.program.nodes[sum->one], 0)];
    if (asked.op != Op::less && asked.op != Op::at_most) return;
    if (in_.program.nodes[in_.program.kid(asked, 0)].op != Op::number) return;
    settled(sum->kids.front(), n.kids.front().span, kEnoughMet, false, true);
  }

  // Cells of the file's own that a vocabulary asks for, `here in footman & promotion_rows`, and where nothing
  // ever was when it asked.
  void words() {
    std::map<TextPlaces::Place, std::pair<NodeId, NodeCount>> asked;
    for (NodeId id = 0; id < in_.program.nodes.size(); ++id) {
      const Node& n = in_.program.nodes[id];
      if (n.op != Op::within || !is_of_vocabulary(n.origin)) continue;
      const NodeId cells = own_cells(in_.program.kid(n, 1));
      if (cells == runtime::kNoNode) continue;
      auto& [one, count] = asked[in_.places.place_in_text(cells)];
      one = cells;
      add(count, in_.survey.trace.of(id));
    }
    for (const auto& [place, found] : asked)
      if (const auto& [one, count] = found; count.met >= kEnoughAsked && count.held == 0)
        note(*in_.places.own_span(one),
             {"settled-condition", "nothing ever came to these cells, where a vocabulary asks for them",
              fmt::format("asked {} times, {}", count.met, where())});
  }
  [[nodiscard]] bool is_of_vocabulary(std::uint32_t origin) const {
    const auto span = in_.places.span_of(origin);
    return span &&
           std::any_of(in_.file.vocabularies.begin(), in_.file.vocabularies.end(), [&](const auto& layer) {
             return !layer.empty() && layer.front().name.span.file == span->file;
           });
  }
  // The fixed cells of the file's own that a set is cut down to.
  [[nodiscard]] NodeId own_cells(NodeId id) const {
    const Node& n = in_.program.nodes[id];
    if (n.op == Op::cells) return in_.places.own_span(id) ? id : runtime::kNoNode;
    if (n.op != Op::meet) return runtime::kNoNode;
    const NodeId first = own_cells(in_.program.kid(n, 0));
    return first != runtime::kNoNode ? first : own_cells(in_.program.kid(n, 1));
  }

  // `remove S`, `change S to …`, `each x in S do …`, where S never had a cell.
  void nothing_there(const dsl::Ast& n) {
    const auto op = n.form == dsl::Form::remove   ? std::optional(Op::remove)
                    : n.form == dsl::Form::change ? std::optional(Op::change)
                    : n.form == dsl::Form::each   ? std::optional(Op::each)
                                                  : std::nullopt;
    const Sum* sum = op ? sum_of(n, *op) : nullptr;
    if (sum == nullptr || is_for_rare_games(sum->one)) return;
    const NodeCount& set = sum->kids.front();
    if (set.met >= kEnoughAsked && set.held == 0)
      note(n.kids.front().span, {"settled-condition", "there was never such a cell",
                                 fmt::format("{} times, {}", set.met, where())});
  }

  // Of an `if`, what its branches do counts only as far as they decide or pass; they may well fill a hand.
  [[nodiscard]] bool is_rare(NodeId id) {
    const Node& n = in_.program.nodes[id];
    if (n.op != Op::if_action) return is_for_rare_games(id);
    const auto& kids = in_.program.kids_of(n);
    return is_for_rare_games(kids.front()) ||
           std::any_of(kids.begin() + 1, kids.end(), [&](NodeId kid) { return is_decision(kid); });
  }
  [[nodiscard]] bool is_decision(NodeId id) {
    static const std::set<Op> kDecisions{Op::win, Op::lose, Op::draw};
    if (const auto found = decisions_.find(id); found != decisions_.end()) return found->second;
    const auto& kids = in_.program.kids_of(in_.program.nodes[id]);
    const bool decides = kDecisions.contains(in_.program.nodes[id].op) ||
                         std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return is_decision(kid); });
    return decisions_[id] = decides;
  }

  // Does an `if` decide the game, or does a condition ask for what comes about late or seldom? Definitions
  // are unfolded there, so that it doesn't matter in which words it does.
  [[nodiscard]] bool is_for_rare_games(NodeId id) {
    const Op op = in_.program.nodes[id].op;
    if (const auto found = rare_.find(id); found != rare_.end()) return found->second;
    const auto& kids = in_.program.kids_of(in_.program.nodes[id]);
    const bool rare =
        runtime::one_of(op, Op::win, Op::lose, Op::draw, Op::again, Op::pass, Op::hand, Op::hand_total) ||
        runtime::asks_the_past(op) ||
        std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return is_for_rare_games(kid); });
    return rare_[id] = rare;
  }

  // ---- S in T, where S was empty

  void vacuous(NodeId id) {
    if (in_.program.nodes[id].op != Op::within) return;
    const auto span = in_.places.own_span(id);
    if (!span || in_.places.text_of(*span).starts_with("every")) return;
    const NodeCount& count = sum(id);
    if (count.vacuous < kEnoughVacuous || count.held > count.vacuous) return;
    const auto asked = in_.places.own_span(in_.program.kid(in_.program.nodes[id], 0));
    const std::string set = asked ? in_.places.text_of(*asked) : "the set";
    note(*span, {"held-of-nothing", fmt::format("this held only where `{}` was empty", set),
                 fmt::format("{} times, {}; `some {} in …` asks whether there is one", count.vacuous, where(),
                             set)});
  }

  // ---- what is never come to

  // Bodies by kind. The choice among them stands where the definition is called, the bodies stand in it.
  void bodies(NodeId id) {
    const Node& n = in_.program.nodes[id];
    if (n.op != Op::by_kind && n.op != Op::by_kind_action) return;
    for (const dsl::Definition& d : in_.file.define)
      for (const auto& [who, body] : d.cases) note_body(n, who.text, body);
  }
  void note_body(const Node& n, const std::string& who, const dsl::Ast& body) {
    for (std::size_t kind = 0; kind < in_.program.kinds.size() && kind + 2 < n.count; ++kind) {
      if (in_.program.kinds[kind].name != who || body.span.file != in_.file.file) continue;
      if (!in_.survey.standing.has_seen(static_cast<int>(kind))) continue;
      const NodeId node = in_.program.kid(n, static_cast<std::uint32_t>(kind + 1));
      const auto& kids = in_.program.kids_of(n);
      if (std::count(kids.begin(), kids.end(), node) > 1 || in_.program.nodes[node].op == Op::never) continue;
      const auto span = in_.places.own_span(node);
      if (!span || span->begin < body.span.begin || span->end > body.span.end) continue;
      Met& met = bodies_[&body];
      met.body += in_.survey.trace.of(node).met;
      met.kind = who;
      for (std::size_t i = 1; i < kids.size(); ++i) met.all += in_.survey.trace.of(kids[i]).met;
    }
  }
  void unreached(const dsl::Ast& body, const Met& met) {
    if (met.body > 0 || met.all < kEnoughMet) return;
    note(body.span, {"never-reached", fmt::format("nothing came to this body, of `{}`", met.kind),
                     fmt::format("the others were come to {} times, {}", met.all, where())});
  }

  // What stands behind `otherwise`, unless it is to pass or to do nothing, or decides the game.
  void untried(const dsl::Ast& n) {
    const Sum* sum = n.form == dsl::Form::otherwise ? sum_of(n, Op::otherwise) : nullptr;
    if (sum == nullptr || sum->count.met < kEnoughMet || sum->kids.size() != n.kids.size()) return;
    for (std::size_t i = 1; i < n.kids.size(); ++i) {
      const NodeId kid = in_.program.kid(in_.program.nodes[sum->one], static_cast<std::uint32_t>(i));
      if (sum->kids[i].met > 0 || in_.program.nodes[kid].op == Op::never || does_nothing(kid) ||
          is_for_rare_games(kid))
        continue;
      return note(n.kids[i].span, {"never-reached", "nothing came to what stands behind this `otherwise`",
                                   fmt::format("what stands before it had an outcome each of {} times, {}",
                                               sum->count.met, where())});
    }
  }

  [[nodiscard]] bool does_nothing(NodeId id) const {
    const runtime::Node& n = in_.program.nodes[id];
    return n.op == Op::sequence && in_.program.kids_of(n).empty();
  }

  // What never held first: that something always did may well come of it.
  void tell() {
    const auto always = [](const Found& found) { return found.message == "this always held"; };
    const bool only_always =
        std::all_of(found_.begin(), found_.end(), [&](const auto& one) { return always(one.second.second); });
    for (const auto& [place, one] : found_)
      if ((only_always || !always(one.second)) && !is_within_another(one.first)) {
        out_.note(one.second.code, one.first, one.second.message).help = one.second.help;
        Clauses::show(one.second.part, out_);
      }
  }
  // Then it is part of the same mistake.
  [[nodiscard]] bool is_within_another(const dsl::Span& span) const {
    return std::any_of(found_.begin(), found_.end(), [&](const auto& other) {
      const dsl::Span& outer = other.second.first;
      return !(outer == span) && outer.file == span.file && outer.begin <= span.begin &&
             span.end <= outer.end;
    });
  }

  const Surveyed& in_;
  dsl::Diagnostics& out_;
  Clauses clauses_;
  std::map<TextPlaces::Place, std::map<Op, Sum>> sums_; // of the file itself
  std::map<const dsl::Ast*, Met> bodies_;
  std::set<NodeId> of_the_turn_;     // what the turns ask and do, by way of definitions too
  std::map<NodeId, bool> rare_;      // whether a node asks for what comes about late or seldom
  std::map<NodeId, bool> decisions_; // whether a node decides the game, passes or goes on
  std::map<TextPlaces::Place, std::pair<dsl::Span, Found>> found_;
};

} // namespace

void report_parts(const Surveyed& in, dsl::Diagnostics& out) { Parts(in, out).report(); }

} // namespace boardwright::interpreter
