// Adds nodes to a program, folding what can be worked out at load.
//
// A node that reads nothing but constants is evaluated by the walker, once, and replaced by the constant it
// yields. For that the builder keeps beside every node which parts of the draft it reads, and which slots it
// reads that are bound outside of it.
#pragma once

#include "dsl/source.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "runtime/reference/walker.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace boardwright::interpreter {

using runtime::NodeId;
using runtime::Op;
using runtime::Type;

// A program with more nodes than this is refused: definitions that call one another twice each unfold without
// end.
inline constexpr std::size_t kMaxNodes = 1 << 20;
// And one with nodes nested deeper than this: later stages, and the engines, go through them by recursion.
inline constexpr std::uint32_t kMaxHeight = 900;
// Steps of the walker that folding constants may take, of all constants together: a second or so. What is not
// folded is worked out when the rule is carried out.
inline constexpr std::uint64_t kMaxFolding = 1'000'000;

class Builder {
public:
  // Node 0 is a dummy: what stands in where an error was found. With `keep_expressions` the program has, in
  // the end, the expressions as they were before they were folded or simplified.
  Builder(runtime::Program& program, const dsl::Sources& sources, bool keep_expressions = false);

  runtime::Program& program() { return program_; }
  [[nodiscard]] const runtime::Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] bool full() const { return program_.nodes.size() >= kMaxNodes; }
  // Was a node asked for that is nested too deeply? Then nothing is added any more.
  [[nodiscard]] bool too_high() const { return too_high_; }

  // Where the nodes added from now on come from. `caller` is the origin of the call that is being unfolded;
  // 0: none. It counts only where callers are kept.
  void at(dsl::Span span, const std::string& rule, std::uint32_t caller = 0);
  // A place without text where that of another origin begins: of nodes that no author has written, which must
  // not be taken for those that he has.
  [[nodiscard]] std::uint32_t beginning_of(std::uint32_t origin);
  void keep_callers() { keeps_callers_ = true; }
  [[nodiscard]] const std::vector<std::uint32_t>& callers() const { return callers_; } // by origin
  [[nodiscard]] std::uint32_t origin() const { return origin_; }
  void set_origin(std::uint32_t origin) { origin_ = origin; }

  // The position that constants are evaluated in: nothing on the board.
  void set_blank(runtime::Position blank) { blank_ = std::move(blank); }

  NodeId add(Op op, Type type, std::vector<NodeId> kids = {}, std::int32_t a = 0, std::int32_t b = 0);
  NodeId number(std::int64_t value);
  NodeId truth(bool value);
  NodeId cells(const runtime::CellSet& set);
  NodeId steps(const runtime::StepSet& set);
  NodeId kind(int kind) { return add(Op::kind, Type::kind, {}, kind); }
  NodeId player(int player) { return add(Op::player, Type::player, {}, player); }
  NodeId text(const std::string& text);
  NodeId constant(const runtime::Value& value, Type type);
  NodeId nothing() { return add(Op::sequence, Type::action); } // an action that does nothing

  std::uint32_t new_slots(std::uint32_t count = 1);

  [[nodiscard]] bool is_constant(NodeId id) const;
  // Has it the same value wherever it is asked, folded or not?
  [[nodiscard]] bool is_fixed(NodeId id) const { return is_constant(id) || reads_[id].nothing(); }
  // Likewise, but for what stands in a slot.
  [[nodiscard]] bool is_fixed(NodeId id, std::int32_t but_for) const {
    const Reads& r = reads_[id];
    const bool of_slot = r.slots.size() == 1 && r.slots.front() == static_cast<std::uint32_t>(but_for);
    return is_fixed(id) || (!r.open && r.parts == 0 && of_slot);
  }
  [[nodiscard]] bool is_truth(NodeId id, bool value) const;
  [[nodiscard]] const runtime::CellSet& cells_of(NodeId id) const; // of a constant
  [[nodiscard]] const runtime::StepSet& steps_of(NodeId id) const;

  // Slots that `set_local` below the node assigns and that are bound outside of it.
  [[nodiscard]] std::vector<std::uint32_t> changed_slots(NodeId id) const;

  // Leaves only the nodes that turns and ends reach, in the order they are met.
  void compact();

private:
  struct Reads {
    std::uint16_t parts = 0;          // of the draft (runtime::Part)
    bool open = false;                // may read anything: too much to be looked through, or a fault
    std::vector<std::uint32_t> slots; // read and bound outside, sorted
    // No constant, wherever it stands? (A `reach` around it has a `here` and a `heading` of its own.)
    [[nodiscard]] bool varies() const { return open || (parts & ~(runtime::kHere | runtime::kHeading)) != 0; }
    [[nodiscard]] bool nothing() const { return !open && parts == 0 && slots.empty(); }
  };

  [[nodiscard]] bool simplified(Op op, Type type, const std::vector<NodeId>& kids, NodeId& result);
  // Notes that a node of the program came about from another, unless it is to be forgotten.
  NodeId kept(NodeId result, NodeId expression);
  NodeId push(Op op, Type type, const std::vector<NodeId>& kids, std::int32_t a, std::int32_t b);
  [[nodiscard]] Reads reads_of(Op op, const std::vector<NodeId>& kids, std::int32_t a, std::int32_t b) const;
  NodeId fold(NodeId id);
  void bound_slots(NodeId id, std::vector<std::uint32_t>& bound, std::vector<std::uint32_t>& assigned) const;

  runtime::Program& program_;
  const dsl::Sources& sources_;
  bool keep_expressions_;
  std::map<NodeId, NodeId> expressions_; // what a node was before it was folded or simplified
  runtime::Position blank_;
  std::vector<Reads> reads_;           // by node
  std::vector<std::uint32_t> heights_; // by node
  bool too_high_ = false;
  std::uint64_t folding_ = kMaxFolding; // steps left
  mutable std::size_t looked_at_ = 0;   // nodes, by bound_slots
  std::uint32_t origin_ = 0;
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string, std::uint32_t>;
  std::map<Place, std::uint32_t> origins_; // file, begin, end, rule, caller
  bool keeps_callers_ = false;
  std::vector<std::uint32_t> callers_;
};

} // namespace boardwright::interpreter
