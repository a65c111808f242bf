#include "runtime/search/tree.hpp"

#include "runtime/model/random.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/score.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

namespace boardwright::runtime::search {

// ---------------------------------------------------------------- memory

namespace {

// Most positions of a tree are visited a few times only: rows begin short.
constexpr std::size_t kFirstRow = 4;

constexpr std::size_t row_length(std::uint8_t size_class) { return kFirstRow << (size_class - 1); }

} // namespace

std::byte* TreeMemory::new_slab(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (this->bytes() + bytes > most_bytes_) return nullptr;
  slabs_.emplace_back(new (std::nothrow) std::byte[bytes]);
  if (!slabs_.back()) {
    slabs_.pop_back();
    return nullptr;
  }
  bytes_ += bytes;
  return slabs_.back().get();
}

void* TreeMemory::take(Part& part, std::size_t bytes) {
  bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
  if (static_cast<std::size_t>(part.end - part.next) < bytes) {
    const std::size_t size = std::max(bytes, kSlabBytes);
    std::byte* const slab = new_slab(size);
    if (slab == nullptr) return nullptr;
    part.next = slab;
    part.end = slab + size;
  }
  return std::exchange(part.next, part.next + bytes);
}

Node* TreeMemory::new_node(std::size_t thread) {
  void* const memory = take(parts_[thread], sizeof(Node));
  return memory == nullptr ? nullptr : new (memory) Node();
}

bool TreeMemory::make_room(Node& node, std::size_t thread) {
  if (node.size_class > 0 && node.edges < row_length(node.size_class)) return true;
  const auto size_class = static_cast<std::uint8_t>(node.size_class + 1);
  Part& part = parts_[thread];
  Edge* row = nullptr;
  if (auto& free = part.free[size_class]; !free.empty()) {
    row = free.back();
    free.pop_back();
  } else {
    void* const memory = take(part, row_length(size_class) * sizeof(Edge));
    if (memory == nullptr) return false;
    row = static_cast<Edge*>(memory);
  }
  std::uninitialized_copy_n(node.edge, node.edges, row);
  if (node.size_class > 0) part.free[node.size_class].push_back(node.edge);
  node.edge = row;
  node.size_class = size_class;
  return true;
}

Untried* TreeMemory::new_untried(std::size_t moves, std::size_t thread) {
  if (moves * sizeof(Untried) > kSlabBytes) return nullptr;
  void* const memory = take(parts_[thread], moves * sizeof(Untried));
  return memory == nullptr ? nullptr : new (memory) Untried[moves];
}

void TreeMemory::clear() {
  slabs_.clear();
  parts_.assign(parts_.size(), Part());
  bytes_ = 0;
}

void TreeMemory::swap(TreeMemory& other) {
  slabs_.swap(other.slabs_);
  parts_.swap(other.parts_);
  bytes_ = other.bytes_.exchange(bytes_);
  std::swap(most_bytes_, other.most_bytes_);
}

// ---------------------------------------------------------------- nodes

// Moves are tried with a fixed stride near the golden section of their number: whatever belongs together in
// the list (the moves of one piece, of one direction) is sampled evenly from the beginning.
void begin_node(Node& node, int mover, std::size_t moves, std::uint64_t order) {
  constexpr double kGoldenSection = 0.6180339887498949;
  node.mover = static_cast<std::uint8_t>(mover);
  node.moves = static_cast<std::uint32_t>(moves);
  if (moves < 2) return;
  node.first = static_cast<std::uint32_t>(order % moves);
  auto stride =
      std::max<std::uint32_t>(1, static_cast<std::uint32_t>(kGoldenSection * static_cast<double>(moves)));
  while (std::gcd(stride, node.moves) != 1) ++stride;
  // Backwards as often as forwards: which neighbours come first differs between positions.
  node.stride = (order >> 32 & 1) != 0 ? stride : node.moves - stride;
}

namespace {

// The mover can have the best of these ends. Of several that are the best for him, and not the same for the
// others, nobody knows which he takes: with three players or more nothing is certain then.
struct Best {
  float score = -1;
  Certain certain = kUncertain;
  std::uint16_t distance = 0;
  bool same = true;
};

void consider(const Edge& e, float score, Best& best) {
  if (score > best.score) best = {score, e.certain, e.distance, true};
  if (score < best.score) return;
  best.same = best.same && e.certain == best.certain;
  // Who wins wants it soon; who doesn't, late.
  best.distance = score >= 1 ? std::min(best.distance, e.distance) : std::max(best.distance, e.distance);
}

} // namespace

void conclude(Node& node, int players) {
  if (node.certain != kUncertain) return;
  Best best;
  std::uint32_t certain = 0;
  for (std::uint32_t k = 0; k < node.edges; ++k) {
    const Edge& e = node.edge[k];
    if (e.certain == kUncertain) continue;
    ++certain;
    consider(e, share(e.certain, node.mover, players), best);
  }
  // Nobody chooses an outcome of a roll: all of them must be the same.
  const auto differs = [&](const Edge& e) { return e.certain != node.edge->certain; };
  if (node.nature && std::any_of(node.edge, node.edge + node.edges, differs)) return;
  const bool wins = best.score >= 1 && !node.nature;
  const bool all = certain == node.moves && certain > 0 && best.same;
  if (!wins && !all) return;
  node.certain = best.certain;
  node.distance =
      static_cast<std::uint16_t>(std::min<int>(best.distance + 1, std::numeric_limits<std::uint16_t>::max()));
}

namespace {

// Null: there is no memory left. The edges of the copy have no children yet.
Node* copy_node(const Node& from, TreeMemory& to) {
  Untried* const untried = from.untried == nullptr ? nullptr : to.new_untried(from.moves);
  if (from.untried != nullptr && untried == nullptr) return nullptr;
  Node* const copy = to.new_node();
  if (copy == nullptr) return nullptr;
  if (untried != nullptr) std::copy_n(from.untried, from.moves, untried);
  copy->untried = untried;
  copy->mover = from.mover;
  copy->nature = from.nature;
  copy->distance = from.distance;
  copy->certain = from.certain;
  copy->moves = from.moves;
  copy->visits = from.visits;
  copy->first = from.first;
  copy->stride = from.stride;
  copy->sum = from.sum;
  for (; copy->edges < from.edges; ++copy->edges) {
    if (!to.make_room(*copy)) break;
    Edge* const edge = new (copy->edge + copy->edges) Edge(from.edge[copy->edges]);
    edge->child = nullptr;
    edge->on_way = 0;
  }
  return copy;
}

} // namespace

Node* copy_tree(const Node& from, std::uint32_t least_visits, TreeMemory& to) {
  Node* const root = copy_node(from, to);
  if (root == nullptr) return nullptr;
  std::vector<std::pair<const Node*, Node*>> open{{&from, root}};
  while (!open.empty()) {
    const auto [old, copy] = open.back();
    open.pop_back();
    for (std::uint32_t k = 0; k < copy->edges; ++k) {
      const Node* const child = old->edge[k].child;
      if (child == nullptr || child->visits < least_visits) continue;
      copy->edge[k].child = copy_node(*child, to);
      if (copy->edge[k].child == nullptr) return root;
      open.emplace_back(child, copy->edge[k].child);
    }
  }
  return root;
}

bool is_better(const Edge& a, const Edge& b, int mover, int players) {
  // 2: wins for certain; 1: may be played; 0: loses for certain.
  const auto rank = [&](const Edge& e) {
    if (e.certain == kUncertain) return 1;
    const float score = share(e.certain, mover, players);
    return score >= 1 ? 2 : score > 0 ? 1 : 0;
  };
  const int ra = rank(a), rb = rank(b);
  if (ra != rb) return ra > rb;
  if (ra == 2 && a.distance != b.distance) return a.distance < b.distance;
  if (ra == 0 && a.distance != b.distance) return a.distance > b.distance;
  // What is certain can be had, what isn't must look better than that.
  const auto is_certain = [](const Edge& e) { return e.certain != kUncertain; };
  if (is_certain(a) && !is_certain(b)) return share(a.certain, mover, players) >= b.mean();
  if (!is_certain(a) && is_certain(b)) return a.mean() > share(b.certain, mover, players);
  if (a.visits != b.visits) return a.visits > b.visits;
  return a.mean() > b.mean();
}

int best_edge(const Node& node, int players) {
  int best = -1;
  for (std::uint32_t k = 0; k < node.edges; ++k)
    if (best < 0 || is_better(node.edge[k], node.edge[best], node.mover, players)) best = static_cast<int>(k);
  return best;
}

Proof proof_of(Certain certain, int player, int players) {
  // Of shares there is no word for what is proven but what they are worth.
  if (certain == kUncertain || is_shared(certain)) return Proof::unknown;
  const float score = share(certain, player, players);
  return score >= 1 ? Proof::win : score > 0 ? Proof::draw : Proof::loss;
}

} // namespace boardwright::runtime::search
