// A draft: the position being changed while a turn is carried out, and what the walker knows besides.
//
// Drafts are values: every action works on a copy of its own. Large parts are shared between copies until one
// of them changes (CopyOnWrite), which nobody can see except by the clock.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "runtime/reference/walker.hpp"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::runtime {

// A value that its copies share until one of them is edited.
template <class T>
class CopyOnWrite {
public:
  CopyOnWrite() : value_(std::make_shared<T>()) {}
  explicit CopyOnWrite(T value) : value_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  // The value for changing, from now on this copy's own.
  T& edit() {
    if (value_.use_count() != 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

  friend bool operator==(const CopyOnWrite& a, const CopyOnWrite& b) {
    return a.value_ == b.value_ || *a == *b;
  }
  friend std::strong_ordering operator<=>(const CopyOnWrite& a, const CopyOnWrite& b) {
    return a.value_ == b.value_ ? std::strong_ordering::equal : *a <=> *b;
  }

private:
  std::shared_ptr<T> value_;
};

// What the locals are bound to. A slot stays bound after its name has ended: nothing reads it then.
class Locals {
public:
  [[nodiscard]] const Value* find(std::uint32_t slot) const; // null: not bound
  void bind(std::uint32_t slot, Value value);

private:
  using Binding = std::pair<std::uint32_t, std::shared_ptr<const Value>>;
  CopyOnWrite<std::vector<Binding>> bindings_; // by slot
};

// What a turn began with: the same for all its drafts, and for the questions of an end line.
struct Turn {
  std::int32_t mover = 0;
  bool moving = false; // an end line is asked before the turn begins
  CopyOnWrite<std::vector<Stack>> cells;
  CopyOnWrite<std::vector<std::int32_t>> hands;
  CopyOnWrite<std::vector<VariableValue>> variables;
};

inline constexpr int kNoCell = -1;
inline constexpr int kNoStep = -1;

struct Draft {
  const Turn* turn = nullptr;

  CopyOnWrite<std::vector<Stack>> cells;
  CopyOnWrite<std::vector<std::int32_t>> hands;
  CopyOnWrite<std::vector<VariableValue>> variables;
  std::uint32_t out = 0;

  int here = kNoCell, start = kNoCell;
  int heading = kNoStep;
  Stack carried; // from bottom to top
  Locals locals;
  std::optional<Outcome> decision;
  bool again = false;

  std::string notation;
  CellSet gone; // cells that another's pieces have left for good and that aren't written yet
  bool quiet = false;

  // Won, lost, drawn, or the mover put out: it passes every action unchanged.
  [[nodiscard]] bool decided() const { return decision || (out >> turn->mover & 1) != 0; }
  // What a value is asked of: walks within it take their steps, whatever the draft has decided.
  [[nodiscard]] Draft undecided() const {
    Draft d = *this;
    d.decision.reset();
    d.out &= ~(std::uint32_t{1} << turn->mover);
    return d;
  }
  [[nodiscard]] const Stack& stack(int cell) const { return (*cells)[static_cast<std::size_t>(cell)]; }
};

// Orders drafts by all but the notation; of the locals those in `frame` count. Equal drafts compare equal.
[[nodiscard]] std::strong_ordering order(const Draft& a, const Draft& b,
                                         const std::vector<std::uint32_t>& frame);

// Some total order of values of one type.
[[nodiscard]] std::strong_ordering order(const Value& a, const Value& b);

// The members without repeats, in order of first appearance.
[[nodiscard]] std::vector<Value> without_repeats(std::vector<Value> members);

} // namespace boardwright::runtime
