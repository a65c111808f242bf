// What is known of a rule whatever the position: which directions a value may have, what can be on cells,
// where walks may end, whether an action chooses, whether a repetition can come back to where it was.
#pragma once

#include "runtime/lowering/facts/terms.hpp"
#include "runtime/model/compass.hpp"
#include "runtime/model/pieces.hpp"
#include "runtime/paths/path.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::lowering {

class Facts : public Terms {
public:
  Facts(const Program& program, normal::TermStore& store);

  [[nodiscard]] const Pieces& pieces() const { return pieces_; }
  [[nodiscard]] const Compass& compass() const { return compass_; }

  // ---- what lies on cells
  [[nodiscard]] Contents all_contents() const;
  [[nodiscard]] Contents contents_of_owner(const Node& n) const;
  [[nodiscard]] Contents contents_of_kind(int kind) const;
  [[nodiscard]] Contents contents_where(NodeId condition, bool holds) const;
  [[nodiscard]] Contents possible_contents(NodeId id, const AbstractDraft& env) const;
  // Of a set that goes by what lies on a cell: codes that are in it on every cell, and those that may be.
  [[nodiscard]] std::optional<std::pair<Contents, Contents>> codes_in(NodeId id) const;
  // For which cells does a condition on `here` hold, if one of the codes lies there: surely, and perhaps?
  [[nodiscard]] std::optional<std::pair<CellSet, CellSet>> cells_where(NodeId id,
                                                                       const Contents& there) const;

  // ---- directions
  [[nodiscard]] std::optional<StepSet> constant_steps(NodeId id, const AbstractDraft& d) const;
  [[nodiscard]] StepSet possible_steps(NodeId id, const AbstractDraft& env) const;
  [[nodiscard]] std::optional<StepSet> steps_at(NodeId way, int cell, const AbstractDraft& d) const;
  [[nodiscard]] std::optional<std::map<int, CellSet>> steps_by_cell(NodeId way, const AbstractDraft& d) const;
  [[nodiscard]] std::optional<bool> truth_at(NodeId id, int cell) const;
  [[nodiscard]] bool is_one_step(NodeId way) const;

  // ---- walks
  // An action, or some of them in a row, as a walk; null where they do more than to go from cell to cell.
  [[nodiscard]] const Path* path(const Actions& actions) const;
  [[nodiscard]] const Path* path(NodeId action) const { return path(Actions{action}); }
  // Steps along the board and tests of cells alone: so only where it ends matters. Or along curves, too.
  [[nodiscard]] bool is_walk(NodeId action) const;
  [[nodiscard]] bool bends(NodeId action) const;
  // Does a walk ask for a name, or for the heading?
  [[nodiscard]] bool reads_name(const Path& path, std::int32_t slot) const;
  // Does a step go in the direction that a choice has given a name?
  [[nodiscard]] bool goes_by_name(NodeId way, const Path& choice) const {
    return node(way).op == Op::local && node(way).a == choice.slot;
  }
  // Where a walk may end, whatever stands on the way but where it begins, which may be one of `there`.
  [[nodiscard]] CellSet possible_ends(const Path& path, const CellSet& from, const AbstractDraft& env,
                                      const Contents& there = Contents().set()) const;
  [[nodiscard]] std::optional<Round> round(const Path& star, const AbstractDraft& d) const;
  // Any number of such rounds, straight on: in the direction that `choice` has chosen, if there is one, whose
  // name stands in `d` for all that may be then.
  [[nodiscard]] std::optional<Round> line(const Path& star, const Path* choice, AbstractDraft& d) const;

  // ---- steps on the board
  [[nodiscard]] bool injective(const StepSet& steps) const;
  [[nodiscard]] bool goes_both_ways(const StepSet& steps) const;
  [[nodiscard]] bool leads_back(int step) const;
  [[nodiscard]] bool is_line(int step) const;
  [[nodiscard]] bool is_axis(const StepSet& ways) const;
  [[nodiscard]] bool lines_part(const StepSet& steps) const;

  // ---- what can happen
  [[nodiscard]] bool chooses(NodeId id) const;
  // Of a value, or of an action besides where it stands: it can't go wrong.
  [[nodiscard]] bool harmless(NodeId id) const;
  // No set or list that this can be has more members; kMaxList + 1: that isn't known.
  [[nodiscard]] std::size_t most_members(NodeId id) const;
  [[nodiscard]] bool is_fixed_in_turn(NodeId id) const;
  [[nodiscard]] bool is_fixed(NodeId id) const;
  [[nodiscard]] std::optional<std::pair<NodeId, NodeId>> counts_image(NodeId condition) const;
  [[nodiscard]] bool only_says(NodeId id) const;
  [[nodiscard]] bool lifts_some(NodeId lift) const;
  [[nodiscard]] std::string letter_of_drop(const Node& drop, int kind) const;
  [[nodiscard]] bool all_from_hands() const;
  [[nodiscard]] bool has_plain_names() const;
  // Can a repetition come back to a draft? (rounds.cpp)
  [[nodiscard]] bool comes_back(NodeId loop, const AbstractDraft& d) const;

private:
  [[nodiscard]] bool may_meet_limit(NodeId id) const;
  [[nodiscard]] int count_direction(const Node& n) const;
  [[nodiscard]] bool always_sets(NodeId id, std::int32_t slot) const;
  [[nodiscard]] bool counts_on(NodeId id, NodeId body) const;
  [[nodiscard]] bool grows(NodeId body, const Node& set, NodeId tested) const;
  [[nodiscard]] std::optional<NodeId> added_to_itself(const Node& change) const;
  [[nodiscard]] bool keeps_out_of(NodeId tested, const Node& change) const;
  [[nodiscard]] bool always_grows(NodeId id, NodeId round) const;
  [[nodiscard]] bool always_carries(NodeId body, const Actions& parts) const;
  [[nodiscard]] int times_set(NodeId id, std::int32_t slot) const;

  [[nodiscard]] CellSet ends_of_rounds(const Path& star, const CellSet& from, const AbstractDraft& env) const;

  Pieces pieces_;
  Compass compass_;
  mutable std::map<Actions, std::optional<Path>> paths_;
  std::set<std::int32_t> chosen_steps_; // names that stand for one direction at most, whatever happens
};

} // namespace boardwright::runtime::lowering
