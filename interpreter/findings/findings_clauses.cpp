#include "interpreter/findings/findings_clauses.hpp"

#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::interpreter {
namespace {

using runtime::NodeId;
using runtime::Op;

// What was asked less often may well hold in the next position.
constexpr std::uint64_t kEnoughOfClause = 20;

} // namespace

Clauses::Clauses(const runtime::Program& program, const runtime::Trace& trace, const TextPlaces& places)
    : program_(program), places_(places) {
  for (NodeId id = 0; id < program.nodes.size(); ++id) {
    if (!places.own_span(id)) continue;
    auto& sum = sums_[{places.place_in_text(id), program.nodes[id].op}];
    sum.met += trace.of(id).met;
    sum.held += trace.of(id).held;
  }
}

const runtime::NodeCount* Clauses::count_of(NodeId id) const {
  const auto found = sums_.find({places_.place_in_text(id), program_.nodes[id].op});
  return found == sums_.end() ? nullptr : &found->second;
}

bool Clauses::never_held(NodeId id) const {
  const runtime::NodeCount* count = count_of(id);
  return count != nullptr && count->met >= kEnoughOfClause && count->held == 0;
}

// Parts are asked in their order, and only while those before them held: so at most one of what `and` joins
// was asked and never held. Of members there were none, or what is asked of them never held.
NodeId Clauses::innermost(NodeId id) const {
  const runtime::Node& n = program_.nodes[id];
  const bool has_parts = n.op == Op::all_of || n.op == Op::some || n.op == Op::some_where ||
                         n.op == Op::select || n.op == Op::meet;
  if (!has_parts) return id;
  const auto& kids = program_.kids_of(n);
  const auto part = std::find_if(kids.begin(), kids.end(), [&](NodeId kid) { return never_held(kid); });
  return part == kids.end() ? id : innermost(*part);
}

std::optional<Clauses::Clause> Clauses::unheld(NodeId condition) const {
  if (!never_held(condition)) return std::nullopt;
  const NodeId part = innermost(condition);
  const auto span = places_.own_span(part);
  if (!span) return std::nullopt;
  return Clause{*span, count_of(part)->met, program_.nodes[part].type != runtime::Type::truth};
}

bool Clauses::way_to(NodeId inner, std::vector<NodeId>& way) const {
  if (way.back() == inner) return true;
  for (const NodeId kid : program_.kids_of(program_.nodes[way.back()])) {
    if (!runtime::is_action(program_.nodes[kid].op)) continue;
    way.push_back(kid);
    if (way_to(inner, way)) return true;
    way.pop_back();
  }
  return false;
}

// What keeps the walker from an action within another: the condition of an `if`, or a step before it.
std::optional<Clauses::Clause> Clauses::stop_of(NodeId above, NodeId below) const {
  const runtime::Node& n = program_.nodes[above];
  const auto& kids = program_.kids_of(n);
  if (n.op == Op::if_action) return kids[1] == below ? unheld(kids[0]) : std::nullopt;
  if (n.op != Op::sequence) return std::nullopt;
  for (const NodeId step : kids) {
    if (step == below) break;
    if (!never_held(step)) continue;
    if (program_.nodes[step].op == Op::require) return unheld(program_.kid(program_.nodes[step], 0));
    const auto span = places_.own_span(step);
    return span ? std::optional(Clause{*span, count_of(step)->met, false}) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Clauses::Clause> Clauses::unpassed(NodeId action, NodeId inner) const {
  std::vector<NodeId> way{action};
  if (!way_to(inner, way)) return std::nullopt;
  for (std::size_t i = 0; i + 1 < way.size(); ++i)
    if (auto stop = stop_of(way[i], way[i + 1])) return stop;
  return std::nullopt;
}

void Clauses::show(const std::optional<Clause>& clause, dsl::Diagnostics& out) {
  dsl::Diagnostic& told = out.last();
  if (!clause || told.span == clause->span) return;
  const char* what = clause->is_set ? "there was never one of these" : "this never held";
  told.related.push_back({clause->span, fmt::format("{}: asked {} times", what, clause->asked)});
}

} // namespace boardwright::interpreter
