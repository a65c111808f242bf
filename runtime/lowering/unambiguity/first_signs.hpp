// Follows a turn from one written sign to the next: README.md has the argument.
#pragma once

#include "runtime/lowering/unambiguity/signs.hpp"
#include "runtime/lowering/unambiguity/unambiguity.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::lowering::unambiguity {

// What a name stands for that has been chosen from a list of constants: a number or kind, or a set of cells.
struct Known {
  Type type = Type::number;
  std::int32_t number = 0;
  CellSet cells;
};

// Stands for the name of the walker's cell.
inline constexpr std::int32_t kOfWalker = -2;

// Where the walker is, seen from the cell that was written last.
struct Written {
  CellRelation here;              // by that cell; empty: there is no walker yet
  bool anchored = false;          // something has been written
  bool begun = false;             // something may have been written
  bool free = false;              // a choice hasn't been written yet
  std::int32_t slot = -1;         // of which name it is: then it isn't the walker's cell
  std::vector<std::int32_t> owed; // names of cells that were chosen before, and haven't been written either
  bool gone = false;              // something may have left that is to be written
  bool kind = false;              // the choice is of a kind
  bool several = false;           // the choice is of a set of cells
  bool perhaps_none = false;      // the choice is of a set of cells that may be empty
  bool laid = false;              // nothing is carried: what was carried has been laid down
  bool partly = false;            // some of it has, perhaps all
  bool stood_on = false;          // what was carried lies where the walker is: there is a piece
  bool wrote = false;             // something, since the round of a repetition began
  Contents there;                 // what is on the walker's cell, since the last sign; all bits: unknown
  bool touched = false, touched_start = false; // pieces have changed since then; only where it was written
  // Of names that were bound when nothing had changed: their values.
  std::map<std::int32_t, NodeId> bound;
  std::map<std::int32_t, Known> chosen; // of names that were chosen since
  Contents start;                       // what was on the cell where the walker began
  std::int32_t last = -1;               // of the cell that was written last: which name's it is
  std::set<std::int32_t> members;       // names of sets that have some
  std::map<std::int32_t, NodeId> means; // of names of cells: the values that they were given
  std::set<std::int32_t> single;        // names that are never more cells than one
  std::map<std::int32_t, Contents> lay; // of chosen cells: what lay there when the turn began
  // Names of chosen cells on which nothing lies, each with the chosen cells that are surely others.
  std::map<std::int32_t, std::set<std::int32_t>> vacant;

  Written() {
    there.set();
    start.set();
  }
  [[nodiscard]] bool untouched() const { return !touched && !touched_start; }
  // Is a name that of a chosen cell or set of cells that hasn't been written yet?
  [[nodiscard]] bool owes(std::int32_t name) const;
  // Once what is named, or a cell without a name (-1), has been written: what is known from before it.
  void take_over_from(const Written& before, std::int32_t written);
  // The walker goes somewhere else: of values that were seen from him nobody knows from where.
  void walker_goes(const Facts& facts);
  // A name is bound anew.
  void forget(std::int32_t name);
  // Pieces may have come on any cell; or only on that of a name.
  void pieces_come();
  void piece_comes_on(std::int32_t name);
};

// What is written by one of several alternatives.
struct Alternative {
  bool from = false;    // its first action that matters is `from`; the signs are those behind it
  bool unknown = false; // nobody knows what it writes
  Contents start;       // of such a one: what may lie on the cell that it begins with, as the turn begins
  Signs signs;          // what is written next
  NodeId action = kNoNode;
  const Todo* next = nullptr; // what comes then

  Alternative() { start.set(); }
};

class FirstSigns {
public:
  FirstSigns(int player, const Facts& facts, const TakesWalk& takes_walk);
  Ambiguities read(NodeId turn);

private:
  // What a part of the argument notes counts only where that part holds.
  template <typename Part>
  bool attempt(const Part& part) {
    Ambiguities before = ambiguities_;
    if (part()) return true;
    ambiguities_ = std::move(before);
    return false;
  }

  // first_signs.cpp: what is written next, by each operation. False: nobody knows.
  bool signs(const Todo* todo, Written w, AbstractDraft env, Signs& found);
  bool signs_behind(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  bool of_joining(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  bool of_choice(const Todo* todo, Written w, AbstractDraft env, Signs& found);
  bool of_kinds(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  bool of_walk(const Todo* todo, const Todo* rest, Written w, const AbstractDraft& env, Signs& found);
  bool of_walker(const Todo* todo, Written w, AbstractDraft env, Signs& found);
  bool of_pieces(const Todo* todo, Written w, const AbstractDraft& env, Signs& found);
  bool of_put(const Todo* todo, Written w, const AbstractDraft& env, Signs& found);
  bool of_drop(const Todo* todo, Written w, const AbstractDraft& env, Signs& found);
  bool of_change(const Todo* todo, Written w, const AbstractDraft& env, Signs& found);
  [[nodiscard]] bool becomes_another(NodeId kind) const;
  bool of_text(const Todo* todo, Written w, const AbstractDraft& env, Signs& found);
  bool of_said(const Todo* todo, std::uint32_t part, Written w, const AbstractDraft& env, Signs& found);
  bool of_said_value(const Todo* todo, std::uint32_t part, const Written& w, const AbstractDraft& env,
                     Signs& found);
  bool of_said_cell(const Todo* todo, std::uint32_t part, const Written& w, const AbstractDraft& env,
                    Signs& found);
  bool of_said_number(const Todo* todo, std::uint32_t part, const Written& w, const AbstractDraft& env,
                      Signs& found);
  bool of_rest_of_said(const Todo* todo, std::uint32_t part, const Written& w, const AbstractDraft& env,
                       Signs& found);
  bool of_constants(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  bool of_taken(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  [[nodiscard]] bool ends_unwritten(const Todo* todo, bool changes) const;
  [[nodiscard]] bool is_certain(NodeId id, const AbstractDraft& env) const;
  bool of_certain(const Todo* todo, Written w, const AbstractDraft& env, Signs& found);
  bool of_quietly(const Todo* todo, const Written& w, AbstractDraft env, Signs& found);
  [[nodiscard]] bool tells_cell_first(NodeId id, const Written& w, const AbstractDraft& env) const;
  bool of_branches(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  bool of_anything(const Todo* next, Written w, const AbstractDraft& env, Signs& found, bool digits = true);
  void begin_secret(const std::string& text, Signs& behind) const;
  [[nodiscard]] bool ends_before(const Sign& sign, const Signs& behind) const;

  // rounds.cpp
  bool of_loop(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  bool of_line(const Todo* todo, const Actions& body, Written w, const AbstractDraft& env, Signs& found);
  bool of_rounds(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);

  // alternatives.cpp
  bool of_alternatives(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  [[nodiscard]] bool begins_turn(const Todo* next, const Written& w, const AbstractDraft& env) const;
  bool of_starts(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found);
  bool of_outermost(const std::vector<NodeId>& branches, const Todo* next, const Written& w,
                    const AbstractDraft& env, Signs& found);
  bool behind_from(const Actions& parts, std::size_t from, const Todo* next, const Written& w,
                   const AbstractDraft& env, Signs& found);
  bool compare_alike(NodeId alternatives, const std::vector<Alternative>& all, bool outermost);
  [[nodiscard]] bool are_alike(const Alternative& a, const Alternative& b) const;

  // cells.cpp: where the walker may be, and what may lie there
  class CellsSeen;
  [[nodiscard]] Written just_written(bool gone) const;
  [[nodiscard]] CellRelation anywhere(bool anchored) const;
  bool step_on(int step, CellRelation& here) const;
  void put_on(NodeId id, Written& w, const AbstractDraft& env) const;
  void look_at(NodeId tested, Written& w, const AbstractDraft& env) const;
  void bind_name(NodeId let, Written& w) const;
  [[nodiscard]] Contents codes_of(NodeId id, const Written& w) const;
  [[nodiscard]] bool is_one_cell(NodeId id, const Written& w, const AbstractDraft& env) const;
  void leave_walker(Written& after) const;
  [[nodiscard]] std::optional<CellRelation> from_written(NodeId id, const Written& w,
                                                         const AbstractDraft& env) const;
  void note_members(NodeId condition, Written& w) const;
  [[nodiscard]] bool leaves_out(NodeId set, std::int32_t name) const;

  // names.cpp: what can be taken for what
  [[nodiscard]] bool is_plain_sign(const std::string& text, bool anchored) const;
  [[nodiscard]] bool is_plain_letter(char letter) const;
  [[nodiscard]] bool names_stand_alone() const;
  [[nodiscard]] bool names_end_by_themselves() const;
  [[nodiscard]] bool ends_a_name(const std::string& text) const;
  [[nodiscard]] std::optional<int> kind_of(NodeId id, const AbstractDraft& env) const;
  [[nodiscard]] std::optional<Known> known(NodeId id, const Written& w) const;
  [[nodiscard]] std::optional<std::string> known_text(NodeId id, const Written& w) const;

  [[nodiscard]] const Node& node(NodeId id) const { return f_.node(id); }
  [[nodiscard]] NodeId kid(NodeId id, std::uint32_t i) const { return f_.kid(id, i); }
  [[nodiscard]] const Board& board() const { return f_.board(); }

  const int player_; // whose turn it is
  const Facts& f_;
  const Program& rules_;
  const TakesWalk& takes_walk_;
  Ambiguities ambiguities_;
  // Alternatives, and branches of `otherwise`, that also come behind something: there they can't be compared
  // with each other alone.
  std::set<NodeId> inner_;
  int groups_ = 0, ways_ = 0;
  const bool names_end_by_themselves_; // whatever stands behind a cell's name, it is known where that ends
  bool only_first_ = false;            // signs: none behind them
  CellRelation itself_, everywhere_;   // each cell itself; the whole board from each
  // One step on from a relation that lives as long as this, and all that came of such steps.
  std::map<std::pair<const void*, int>, CellRelation> mutable steps_on_;
  std::set<const void*> mutable stepped_on_;
};

// Is the walker on the cell that was written last?
[[nodiscard]] bool stands(const Written& w);
// Of names that are sets of cells is known what was there since the last sign, not longer.
[[nodiscard]] AbstractDraft without_sets(AbstractDraft env);

// Does one of two actions, before the same that comes next, always write what the other never does?
// (texts.cpp)
[[nodiscard]] bool never_written_alike(const Terms& terms, NodeId a, NodeId b, const Todo* next);

// Do the heights of stacks tell all moves of what comes behind an action that puts the walker on a cell? Then
// what is written first. (heights.cpp)
[[nodiscard]] std::optional<Sign> told_by_heights(const Todo* todo, const Facts& facts,
                                                  const AbstractDraft& env);

} // namespace boardwright::runtime::lowering::unambiguity
