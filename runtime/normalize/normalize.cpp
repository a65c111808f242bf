#include "runtime/normalize/normalize.hpp"

#include "runtime/normalize/normalizer.hpp"

#include <algorithm>

namespace boardwright::runtime {

namespace {

// Nodes of all rules together, written out as trees. The largest known game has some ten thousand; the work
// is in proportion to it.
constexpr std::uint64_t kMostNodes = 200'000;
// A rewriting may make room for one further up or further in front. Four passes are the most that was seen.
constexpr int kMostPasses = 12;

// Children may come after their parents in programs that were not written by the interpreter.
class Sizes {
public:
  explicit Sizes(const Program& program) : program_(program), known_(program.nodes.size(), 0) {}
  std::uint64_t of(NodeId id) {
    if (known_[id] != 0) return known_[id];
    std::uint64_t sum = 1;
    for (const NodeId kid : program_.kids_of(program_.nodes[id]))
      sum += kid == kNoNode ? kMostNodes : of(kid);
    return known_[id] = std::min(sum, kMostNodes + 1);
  }

private:
  const Program& program_;
  std::vector<std::uint64_t> known_;
};

struct Roots { // of a program, in one order
  std::vector<NodeId*> conditions, turns;
  explicit Roots(Program& program) {
    for (Player& p : program.players) {
      if (p.turn != kNoNode) turns.push_back(&p.turn);
      for (EndLine& line : p.end) {
        if (line.condition != kNoNode) conditions.push_back(&line.condition);
        for (NodeId& score : line.score)
          if (score != kNoNode) conditions.push_back(&score);
      }
    }
  }
};

} // namespace

Program normalize(const Program& program) {
  Program result = program;
  Roots roots(result);
  Sizes sizes(program);
  std::uint64_t nodes = 0;
  for (const auto* kind : {&roots.conditions, &roots.turns})
    for (const NodeId* root : *kind) nodes += sizes.of(*root);
  if (nodes > kMostNodes) return result;

  normal::TermStore store(program);
  std::vector<normal::TermId> conditions, turns;
  for (const NodeId* root : roots.conditions) conditions.push_back(store.take(*root));
  for (const NodeId* root : roots.turns) turns.push_back(store.take(*root));
  normal::Normalizer normalizer(program, store);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const auto before = std::pair(conditions, turns);
    for (auto& c : conditions) c = normalizer.condition(c);
    for (auto& t : turns) t = normalizer.turn(t);
    if (before == std::pair(conditions, turns)) break;
  }
  store.forget_given();
  result.nodes.clear();
  result.kids.clear();
  for (std::size_t i = 0; i < turns.size(); ++i) *roots.turns[i] = store.give(turns[i], result);
  for (std::size_t i = 0; i < conditions.size(); ++i)
    *roots.conditions[i] = store.give(conditions[i], result);
  store.give_pools(result);
  return result;
}

} // namespace boardwright::runtime
