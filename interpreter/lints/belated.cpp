// A lint about `if C then win` in a turn that can't change what C asks: whatever it asks of held before the
// move, or doesn't hold now. Mostly it asks of the wrong player.
#include "interpreter/lints/effects.hpp"
#include "interpreter/lints/lints.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace boardwright::interpreter {
namespace {

using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Program;

// Parts of a condition that are looked at.
constexpr int kMostAsked = 5'000;

// What a condition asks for, in the end.
struct Asked {
  unsigned cells = 0;
  std::set<std::int32_t> variables;
};

class Belated {
public:
  Belated(const Linted& in, dsl::Diagnostics& out) : in_(in), program_(in.program), out_(out) {
    for (const Node& n : program_.nodes) {
      if (n.op == Op::let || n.op == Op::let_value) value_[n.a] = program_.kid(n, 0);
      if (n.op == Op::set_local) set_.insert(n.a);
      if (n.op == Op::set_variable) variables_set_.insert(n.a);
    }
  }

  void report() {
    for (std::size_t player = 0; player < program_.players.size(); ++player) {
      me_ = static_cast<int>(player);
      effects_ = effects_of_turn(in_, me_);
      if (!effects_.known) return;
      seen_.clear();
      visit(program_.players[player].turn);
    }
    for (const auto& [place, one] : found_)
      if (one.always) return tell(one.where);
  }

private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, bytes
  struct Found {
    NodeId where;
    bool always; // for all players, and wherever the text is used
  };

  void visit(NodeId id) {
    if (!seen_.insert(id).second) return;
    const Node& n = program_.nodes[id];
    if (effects_.choices.contains(id) && decides(program_.kid(n, 1))) condition(program_.kid(n, 0), id);
    for (const NodeId kid : program_.kids_of(n)) visit(kid);
  }
  [[nodiscard]] bool decides(NodeId id) const {
    const Node& n = program_.nodes[id];
    const auto& kids = program_.kids_of(n);
    return n.op == Op::win || n.op == Op::lose ||
           (n.op == Op::sequence && std::any_of(kids.begin(), kids.end(), [&](NodeId kid) {
              return program_.nodes[kid].op == Op::win || program_.nodes[kid].op == Op::lose;
            }));
  }
  // Of what is joined by `or` each part decides by itself. It is told at the part, or else, of words of a
  // vocabulary, at the `if`.
  void condition(NodeId id, NodeId within) {
    const Node& n = program_.nodes[id];
    if (n.op == Op::any_of) {
      for (const NodeId kid : program_.kids_of(n)) condition(kid, within);
      return;
    }
    const NodeId shown = is_own(id) ? id : within;
    if (!is_own(shown)) return;
    const auto& origin = program_.origins[program_.nodes[shown].origin];
    Found& found =
        found_.try_emplace({origin.file, origin.begin, origin.end}, Found{shown, true}).first->second;
    found.always = found.always && is_settled(id);
  }
  [[nodiscard]] bool is_own(NodeId id) const {
    const auto& origin = program_.origins[program_.nodes[id].origin];
    return origin.end > 0 && program_.files[origin.file] == in_.sources.name(in_.file.file);
  }
  // Does it ask of anything, and of nothing that the turn can change?
  [[nodiscard]] bool is_settled(NodeId id) {
    Asked asked;
    left_ = kMostAsked;
    bound_.clear();
    bind(id);
    // A variable that no rule sets is told as that.
    const auto in_common = [&](std::int32_t v) {
      return effects_.variables.contains(v) || !variables_set_.contains(v);
    };
    return left_ > 0 && asks(id, asked, false) && (asked.cells != 0 || !asked.variables.empty()) &&
           (asked.cells & effects_.changed) == 0 &&
           std::none_of(asked.variables.begin(), asked.variables.end(), in_common);
  }
  // Names that the condition itself gives to members.
  void bind(NodeId id) {
    if (--left_ < 0) return;
    const Node& n = program_.nodes[id];
    for (std::int32_t i = 0; i < runtime::slots_bound_by(n.op, n.b); ++i) bound_.insert(n.a + i);
    for (const NodeId kid : program_.kids_of(n)) bind(kid);
  }

  // Adds up what it asks; false where that isn't known. `walking`: `here` is where a walk of its own is.
  bool asks(NodeId id, Asked& asked, bool walking) {
    if (--left_ < 0) return false;
    const Node& n = program_.nodes[id];
    switch (n.op) {
    case Op::owned: asked.cells |= holdings_of(program_, n.a, n.b, me_); break;
    case Op::empty: asked.cells |= kHoldsNothing; break;
    case Op::kind_cells:
      asked.cells |= holdings_of_kind(program_, program_.nodes[program_.kid(n, 0)], me_);
      break;
    case Op::variable:
      if (program_.variables[static_cast<std::size_t>(n.a)].plane >= 0) return false; // goes with pieces
      asked.variables.insert(n.a);
      break;
    case Op::local: return bound_.contains(n.a) || asks_by_name(n.a, asked);
    case Op::before: return false;
    case Op::reach: return asks(program_.kid(n, 0), asked, walking) && asks(program_.kid(n, 1), asked, true);
    default:
      if (!adds(n, asked, walking)) return false;
    }
    const auto& kids = program_.kids_of(n);
    return std::all_of(kids.begin(), kids.end(), [&](NodeId kid) { return asks(kid, asked, walking); });
  }
  bool asks_by_name(std::int32_t slot, Asked& asked) {
    const auto value = value_.find(slot);
    return value != value_.end() && !set_.contains(slot) && asks(value->second, asked, false);
  }
  // What an operation reads by itself.
  [[nodiscard]] bool adds(const Node& n, Asked& asked, bool walking) const {
    const auto& kids = program_.kids_of(n);
    const auto reads =
        kids.empty() ? runtime::own_reads(n.op) : runtime::own_reads(n.op, program_.nodes[kids.front()].type);
    const std::uint16_t known = runtime::kBoard | (walking ? runtime::kHere | runtime::kHeading : 0);
    if ((reads & runtime::kBoard) != 0) asked.cells |= kHoldsAnything;
    return (reads & ~known) == 0;
  }

  void tell(NodeId id) {
    const auto& origin = program_.origins[program_.nodes[id].origin];
    const dsl::Span span{in_.file.file, origin.begin, origin.end};
    auto& warning = out_.warning("late-decision", span, "this move changes nothing of what is asked here");
    const std::string text =
        std::string(in_.sources.text(span.file).substr(span.begin, span.end - span.begin));
    warning.help =
        text.find("enemy") == std::string::npos
            ? "it held before this move already, or it doesn't hold now: does it ask of the right "
              "cells, and of the right player?"
            : "it asks of the enemy, and held before this move already, or doesn't hold now: `own`, "
              "and names without `enemy.`, are about who has moved";
  }

  const Linted& in_;
  const Program& program_;
  dsl::Diagnostics& out_;
  int me_ = 0, left_ = 0;
  Effects effects_;
  std::set<NodeId> seen_;
  std::map<std::int32_t, NodeId> value_; // by slot: what it is bound to
  std::set<std::int32_t> set_, bound_;   // slots that something sets anew; that the condition binds
  std::set<std::int32_t> variables_set_; // by any rule
  std::map<Place, Found> found_;
};

} // namespace

void lint_belated(const Linted& in, dsl::Diagnostics& out) {
  if (in.program.players.size() > 1) Belated(in, out).report();
}

} // namespace boardwright::interpreter
