#include "interpreter/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace boardwright::interpreter {
namespace {

using runtime::Node;
using runtime::NodeCount;
using runtime::NodeId;
using runtime::Op;
using runtime::Program;
using runtime::Survey;

// An action that is met less often may well be one for a rare position.
constexpr std::uint64_t kEnough = 20;

std::string times(std::uint64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

class Findings {
public:
  Findings(const Program& program, const Survey& survey, const dsl::Sources& sources, dsl::Diagnostics& out)
      : program_(program), survey_(survey), sources_(sources), out_(out) {}

  void report() {
    if (survey_.fault) return fault();
    if (survey_.games == 0) return;
    add_up();
    if (survey_.plies == 0) no_opening();
    for (const auto& player : program_.players) visit(player.turn, kNothingAbove);
    if (survey_.plies == 0) return;
    ends();
    players();
    unchanging();
  }

private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, bytes
  static constexpr NodeId kNothingAbove = runtime::kNoNode;

  // The place of an origin in the sources of this load.
  [[nodiscard]] std::optional<dsl::Span> span_of(std::uint32_t origin) const {
    const auto& place = program_.origins[origin];
    const std::string& name = program_.files[place.file];
    for (dsl::FileId file = 0; file < sources_.size(); ++file)
      if (!name.empty() && sources_.name(file) == name) return dsl::Span{file, place.begin, place.end};
    return std::nullopt;
  }
  [[nodiscard]] dsl::Span span_or_start(std::uint32_t origin) const {
    return span_of(origin).value_or(dsl::Span{});
  }
  [[nodiscard]] Place place_of(const Node& n) const {
    const auto& origin = program_.origins[n.origin];
    return {origin.file, origin.begin, origin.end};
  }

  // The same text is met in several nodes: one for each player, one for each call.
  void add_up() {
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (n.type != runtime::Type::action) continue;
      NodeCount& sum = sums_[{place_of(n), n.op}];
      const NodeCount& count = survey_.trace.of(id);
      sum.met += count.met;
      sum.held += count.held;
      sum.moved += count.moved;
    }
  }
  [[nodiscard]] const NodeCount& sum(NodeId id) const {
    const Node& n = program_.nodes[id];
    return sums_.at({place_of(n), n.op});
  }

  void fault() {
    const auto& seen = *survey_.fault;
    auto& warning = out_.warning("fault", span_or_start(seen.fault.origin), seen.fault.message);
    warning.help = reached_by(seen.where);
  }

  static std::string reached_by(const runtime::Witness& where) {
    if (where.line.empty()) return "in the very first position";
    constexpr std::size_t kShown = 8;
    std::string text = "after";
    const std::size_t first = where.line.size() > kShown ? where.line.size() - kShown : 0;
    if (first > 0) text += " …";
    for (std::size_t i = first; i < where.line.size(); ++i) text += " " + where.line[i];
    return text;
  }

  void no_opening() {
    const auto& end = survey_.ends.begin()->first;
    if (end.by == runtime::Outcome::By::no_move)
      out_.warning("no-opening-move", span_or_start(end.origin), "there is no move in the first position");
    else
      out_.warning("over-at-start", span_or_start(end.origin), "the game is over before the first move");
  }

  // Tells the outermost actions from which no move ever came.
  void visit(NodeId id, NodeId above) {
    const Node& n = program_.nodes[id];
    if (n.type != runtime::Type::action) return;
    const NodeCount& count = sum(id);
    const bool dead = count.met >= kEnough && count.moved == 0 && n.op != Op::never;
    if (dead && (above == kNothingAbove || sum(above).moved > 0)) return dead_end(id);
    for (const NodeId kid : program_.kids_of(n)) visit(kid, id);
  }

  void dead_end(NodeId id) {
    const auto span = nearest_span(id);
    if (!span || !told_.insert({span->file, span->begin, span->end}).second) return;
    const NodeId blocked = blocking(id);
    auto& warning = out_.warning("dead-end", *span, "this never gives a move");
    warning.help = reason(blocked) + fmt::format(", {} of {} times", sum(blocked).met, sum(blocked).met);
    if (const auto place = span_of(program_.nodes[blocked].origin); place && !(*place == *span))
      warning.related.push_back({*place, "here"});
  }

  [[nodiscard]] std::optional<dsl::Span> nearest_span(NodeId id) const {
    return span_of(program_.nodes[id].origin);
  }

  // The innermost action that stops every draft.
  [[nodiscard]] NodeId blocking(NodeId id) const {
    const Node& n = program_.nodes[id];
    for (const NodeId kid : program_.kids_of(n)) {
      if (program_.nodes[kid].type != runtime::Type::action) continue;
      const NodeCount& count = sum(kid);
      if (count.met > 0 && count.held == 0) return blocking(kid);
    }
    return id;
  }

  [[nodiscard]] std::string reason(NodeId id) const {
    const Node& n = program_.nodes[id];
    const NodeCount& count = sum(id);
    if (count.held > 0)
      return survey_.trace.carrying() > 0 ? "pieces are still in the air when the turn ends"
                                          : "what follows never goes on";
    switch (n.op) {
    case Op::at: return "`here` is never one of these cells";
    case Op::require: return "the condition never holds";
    case Op::from:
    case Op::to: return "there is never such a cell";
    case Op::choose:
    case Op::choose_some: return "there is never anything to choose from";
    case Op::go:
    case Op::bend: return "there is never a cell in that direction";
    case Op::lift: return "there is never a piece to lift";
    case Op::put:
    case Op::discard: return "there are never so many pieces in the air";
    case Op::drop: return "there is never such a piece in hand";
    case Op::change: return "there is never such a kind";
    default: return "it never has an outcome";
    }
  }

  void ends() {
    if (survey_.games > 0 && survey_.unfinished == survey_.games && survey_.games >= 3)
      out_.warning("never-ends", dsl::Span{},
                   fmt::format("none of {} ended", times(survey_.games, "random game", "random games")));
    const bool all_stuck = std::all_of(survey_.ends.begin(), survey_.ends.end(), [](const auto& end) {
      return end.first.by == runtime::Outcome::By::no_move;
    });
    if (all_stuck && survey_.draws == survey_.games)
      out_.warning("never-decided", dsl::Span{},
                   fmt::format("{} all ended without a move and without a winner",
                               times(survey_.games, "random game", "random games")));
  }

  void players() {
    for (std::size_t i = 0; i < survey_.moved.size(); ++i) {
      const std::string& name = program_.players[i].name;
      if (survey_.moved[i] == 0)
        out_.warning("never-moves", dsl::Span{},
                     fmt::format("{} never has a move in {}", name,
                                 times(survey_.games, "random game", "random games")));
    }
  }

  void unchanging() {
    if (!survey_.unchanging) return;
    auto& warning = out_.warning("unchanging-move", dsl::Span{},
                                 fmt::format("the move `{}` changes nothing", survey_.unchanging->notation));
    warning.help = reached_by(survey_.unchanging->where);
  }

  const Program& program_;
  const Survey& survey_;
  const dsl::Sources& sources_;
  dsl::Diagnostics& out_;
  std::map<std::pair<Place, Op>, NodeCount> sums_;
  std::set<Place> told_;
};

} // namespace

void report_findings(const Program& program, const Survey& survey, const dsl::Sources& sources,
                     dsl::Diagnostics& diagnostics) {
  Findings(program, survey, sources, diagnostics).report();
}

} // namespace boardwright::interpreter
