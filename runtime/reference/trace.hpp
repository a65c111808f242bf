// How often each node of a program was carried out or asked, and with what result.
#pragma once

#include "runtime/reference/observer.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace boardwright::runtime {

struct NodeCount {
  std::uint64_t met = 0;   // drafts that came to an action; times that a value was asked
  std::uint64_t held = 0;  // of those, drafts with an outcome; values that are true, or hold anything at all
  std::uint64_t moved = 0; // of those, drafts from which a move came in the end (see Observer::acted)
  std::uint64_t vacuous = 0;  // of `S in T`: times that it held because S was empty
  std::int64_t most = 0;      // of numbers: the greatest
  std::uint64_t had_most = 0; // and how often it was that

  void add_most(std::int64_t number, std::uint64_t times) {
    if (number > most) had_most = 0;
    most = std::max(most, number);
    if (number == most) had_most += times;
  }
};

// Adds up what a walker does.
class Trace final : public Observer {
public:
  explicit Trace(const Program& program)
      : program_(program), nodes_(program.nodes.size()), held_last_(program.nodes.size()) {}

  [[nodiscard]] const NodeCount& of(NodeId id) const { return nodes_[id]; }
  // An action that was broken off after moves had come from it.
  void moved(NodeId id);
  // Turns that were carried out to their end with pieces that are carried.
  [[nodiscard]] std::uint64_t carrying() const { return carrying_; }

  // Adds what another one of the same program has counted.
  void add(const Trace& other);

  void began(NodeId /*id*/) override {}
  void found(const Draft& /*move*/) override {}
  void acted(NodeId id, const Draft& from, bool went_on, bool moved) override;
  void asked(NodeId id, const Draft& in, const Value& value) override;
  void ended_carrying(const Draft& draft) override;

private:
  const Program& program_;
  std::vector<NodeCount> nodes_;
  std::vector<char> held_last_; // whether the value that was worked out last held anything
  std::uint64_t carrying_ = 0;
};

// A value that is true or holds anything: a number other than 0, a set or list with a member, a kind.
[[nodiscard]] bool holds_anything(Type type, const Value& value);

} // namespace boardwright::runtime
