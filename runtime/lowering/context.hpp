// What is known while a program is compiled. Every function of lowering that writes code, or asks what has
// been written, takes it first.
//
// # How actions are compiled
// The code of an action is followed by that of all that comes after it (Todo), and so every test that comes
// later knows what has been done before. Where an action has several outcomes, what comes after is compiled
// for each of them, or, where that would take too much code, once for all (actions/join_points.cpp).
//
// # Two ways through
// A turn is compiled several times: to search all its outcomes, and to play one of them, whose choices are
// given (ir::Choice). Playing takes the same path: at every choice it takes the given one, and tests need not
// be asked.
#pragma once

#include "runtime/lowering/context_parts.hpp"
#include "runtime/lowering/facts/by_cell.hpp"
#include "runtime/lowering/facts/facts.hpp"
#include "runtime/lowering/facts/sizes.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace boardwright::runtime::lowering {

struct Context {
  Context(Program& rules, normal::TermStore& terms, bool mailbox, ByCell& values_by_cell);

  [[nodiscard]] const Node& node(NodeId id) const { return program.nodes[id]; }
  [[nodiscard]] NodeId kid(NodeId id, std::uint32_t i) const { return program.kid(program.nodes[id], i); }
  [[nodiscard]] const Board& board() const { return program.board; }
  [[nodiscard]] int players() const { return facts.players(); }
  [[nodiscard]] bool stacks() const { return program.board.stacks; }

  void need_mailbox() { missing_mailbox = missing_mailbox || !layout.mailbox; }
  // Nothing more needs to be written: this code will not be used.
  [[nodiscard]] bool stopped() const { return missing_mailbox || e.too_large(); }
  // What can't be said is a fault when it is carried out.
  void fail(const char* message);

  // Are the choices of a draft given?
  [[nodiscard]] bool plays(const AbstractDraft& d) const { return mode != Mode::search && d.recorded; }
  [[nodiscard]] bool compares(const AbstractDraft& d) const { return comparison.once || d.compared; }
  // Is what a draft does written, for a person or to be compared?
  [[nodiscard]] bool writes(const AbstractDraft& d) const;
  // The flag of operations that write: does only the key of what they write go on? (`distinct` looks at texts
  // while moves are searched; where a secret begins, what comes next is written as if nothing stood before
  // it.)
  [[nodiscard]] int said(const AbstractDraft& d) const {
    if (!comparison.by_key || !compares(d)) return 0;
    return program.secret || facts.uses(Op::distinct) ? 2 : 1;
  }

  Program& program;
  const Facts facts;
  const Sizes sizes;
  ByCell& by_cell;
  ir::Code code;
  ir::Layout& layout;
  Emitter e;
  Mode mode = Mode::search;
  bool text = false;      // notation is written
  bool recompile = false; // a speculation has failed: all must be recompiled
  bool missing_mailbox = false;
  int depth = 0; // of what is compiled within what

  Reg all_cells = 0, no_cells = 0; // constant sets: the whole board, none
  NodeId here_node = kNoNode;      // a node that says `here`
  std::int32_t pass_text = 0;      // "pass" among the texts of the program
  bool reads_heading = false;      // somebody asks which way the walker came, or compares drafts
  bool heights_bounded = true;     // no stack can become too high
  std::map<std::int32_t, AbstractValue> changed_locals; // by slot: where a local stands that actions change
  std::set<Reg> maybe_none;                             // cells that needn't be there
  std::set<NodeId> passing;                             // conditions of `require` that are known to hold

  Speculation speculation;
  Taken taken;
  Comparison comparison;
  TurnContext turn;
  Within within;
  EndLines end_lines;
  SetAtATime set_at_a_time;
  Caches caches;
  TableNumbers tables;
  Looks looks;
  std::optional<Moving> moving;
  std::deque<JoinPoint> shared;
};

} // namespace boardwright::runtime::lowering
