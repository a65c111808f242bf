#include "runtime/normalize/normalize.hpp"

#include "runtime/model/check_program.hpp"
#include "runtime/normalize/rewriter.hpp"
#include "runtime/normalize/tracks.hpp"

#include <algorithm>
#include <cassert>

namespace boardwright::runtime {

namespace {

// Nodes of all rules together, written out as trees. The largest known game has some ten thousand; the work
// is in proportion to it.
constexpr std::uint64_t kMostNodes = 200'000;
// A rewriting may make room for one further up or further in front. Four passes are the most that was seen.
constexpr int kMostPasses = 12;

// Trees of rule files are at most some 800 high. Each level takes a few frames of the C++ stack.
constexpr std::uint32_t kMostHeight = 2'000;

// How large the tree below a node is, each child counted for each of its parents.
class Sizes {
public:
  struct Size {
    std::uint64_t nodes = 0; // 0: not known yet
    std::uint32_t height = 0;
  };

  explicit Sizes(const Program& program) : program_(program), known_(program.nodes.size()) {}

  // Whatever is beyond a bound is told as just beyond it.
  Size of(NodeId id, std::uint32_t depth = 1) {
    if (id == kNoNode || depth > kMostHeight) return {kMostNodes + 1, kMostHeight + 1};
    if (known_[id].nodes != 0) return known_[id];
    Size size{1, 1};
    for (const NodeId kid : program_.kids_of(program_.nodes[id])) {
      const Size part = of(kid, depth + 1);
      size.nodes = std::min(size.nodes + part.nodes, kMostNodes + 1);
      size.height = std::max(size.height, part.height + 1);
    }
    return known_[id] = size;
  }

private:
  const Program& program_;
  std::vector<Size> known_;
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
    for (const NodeId* root : *kind) {
      const Sizes::Size size = sizes.of(*root);
      if (size.height > kMostHeight) return result;
      nodes += size.nodes;
    }
  if (nodes > kMostNodes) return result;

  normal::TermStore store(program);
  std::vector<normal::TermId> conditions, turns;
  for (const NodeId* root : roots.conditions) conditions.push_back(store.take(*root));
  for (const NodeId* root : roots.turns) turns.push_back(store.take(*root));
  normal::Rewriter rewriter(program, store);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const auto before = std::pair(conditions, turns);
    for (auto& c : conditions) c = normal::condition(rewriter, c);
    for (auto& t : turns) t = normal::turn(rewriter, t);
    if (before == std::pair(conditions, turns)) break;
  }
  store.forget_given();
  result.nodes.clear();
  result.kids.clear();
  for (std::size_t i = 0; i < turns.size(); ++i) *roots.turns[i] = store.give(turns[i], result);
  for (std::size_t i = 0; i < conditions.size(); ++i)
    *roots.conditions[i] = store.give(conditions[i], result);
  store.give_pools(result);
  normal::join_tracks(result);
  assert(!misfit(result));
  return result;
}

} // namespace boardwright::runtime
