// Whoever wants to see what the walker does, node by node: coverage, and questions such as why a move isn't
// legal.
#pragma once

#include "runtime/model/program.hpp"
#include "runtime/reference/walker_draft.hpp"

namespace boardwright::runtime {

class Observer {
public:
  virtual ~Observer() = default;

  // An action begins. The walker carries out what follows an action before it comes back to it: so when a
  // move is found, the actions that have begun and not ended are the way to it, but for those inside `most`,
  // `distinct` and repetitions, which have ended.
  virtual void began(NodeId id) = 0;
  virtual void found(const Draft& move) = 0;
  // An action was carried out from a draft. `went_on`: it had an outcome. `moved`: one of its outcomes became
  // a move in the end; for actions inside `most`, `distinct`, `can` and the like, whose outcomes are kept
  // until all are known, only that they had one.
  virtual void acted(NodeId id, const Draft& from, bool went_on, bool moved) = 0;
  // A value was worked out.
  virtual void asked(NodeId id, const Draft& in, const Value& value) = 0;
  // A turn was carried out to its end with pieces that are carried, which is no move.
  virtual void ended_carrying(const Draft& draft) = 0;

protected: // copied by those who are more than an observer
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
};

} // namespace boardwright::runtime
