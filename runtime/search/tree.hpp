// The tree that a Monte-Carlo search grows, and its memory.
//
// A node is a position that has been reached more than once; an edge is a move of it that has been tried.
// Positions may have thousands of moves, most of which are never tried: edges are made one by one, as the
// search asks for another move, and kept in a row that doubles. So the tree takes memory for what was played;
// of what could have been, eight bytes a move say what kind of move it is.
//
// Several threads work on one tree. Each node has a lock, which is held for as long as it takes to look
// through its edges; the playouts between take a hundred times as long.
#pragma once

#include "runtime/model/shares.hpp"
#include "runtime/search/player.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace boardwright::runtime::search {

// How the game ends for certain; or that nothing is certain.
using Certain = Result;
inline constexpr Certain kUncertain = ~Certain{0};

// What two threads write lies so far apart: each would wait for the other's writes else.
inline constexpr std::size_t kCacheLine = 64;

struct Node;

struct Edge {
  std::uint32_t move = 0;       // its place in the list of its position
  std::uint32_t visits = 0;     // results that have come back
  double sum = 0;               // of these, for the player who moves
  Node* child = nullptr;        // the position behind it, from the second visit on
  Certain certain = kUncertain; // how the game ends after it, if nobody errs
  std::uint16_t distance = 0;   // moves from here to that end
  std::uint16_t on_way = 0;     // visits whose results aren't back yet: they count as lost (virtual loss)
  std::uint32_t slot = 0;       // of its kind in a MoveHistory; 0: not known

  [[nodiscard]] double mean() const { return visits == 0 ? 0.5 : sum / visits; }
};

class SpinLock {
public:
  void lock() {
    for (int tries = 1; flag_.test_and_set(std::memory_order_acquire); ++tries)
      if (tries % 64 == 0) std::this_thread::yield(); // who has it may have lost the processor
  }
  void unlock() { flag_.clear(std::memory_order_release); }

private:
  std::atomic_flag flag_;
};

// A move that has not been tried, or the same place once it has been.
struct Untried {
  std::uint32_t move = 0; // its place in the list of its position
  std::uint32_t slot = 0; // of its kind in a MoveHistory
};

struct Node {
  SpinLock lock; // of all that follows, but for what never changes
  std::uint8_t mover = 0;
  std::uint8_t size_class = 0; // of the row of edges
  bool nature = false;         // its moves are outcomes of a roll, by the mover's dice: never changes
  std::uint16_t distance = 0;
  Certain certain = kUncertain;
  std::uint32_t moves = 0; // legal ones: never changes
  std::uint32_t edges = 0; // moves that have been tried
  std::uint32_t visits = 0;
  std::uint32_t first = 0, stride = 1; // the order in which moves are tried: never changes
  double sum = 0;                      // of results, for the mover
  Edge* edge = nullptr;
  // All moves, those with edges first; null: they are tried in scattered order. Of a roll: its outcomes in
  // their order, each with the sum of the weights so far as its slot; null: all weigh the same.
  Untried* untried = nullptr;

  [[nodiscard]] double mean() const { return visits == 0 ? 0.5 : sum / visits; }
  // The move that is tried next where nothing speaks for another one; all of them come, each once.
  [[nodiscard]] std::uint32_t next_move() const { return scattered(edges); }
  [[nodiscard]] std::uint32_t scattered(std::uint32_t k) const {
    return static_cast<std::uint32_t>((first + std::uint64_t{stride} * k) % moves);
  }
};

// Memory for nodes and rows of edges, up to a limit. What isn't needed any more is used again, or all of it
// at once is thrown away.
//
// Each thread has a part of its own, from which it takes without waiting for others: taking from one part
// for all, two threads looked at 1.25 to 1.5 times the positions of one, and now at up to 1.75 times.
class TreeMemory {
public:
  static constexpr std::size_t kSlabBytes = std::size_t{1} << 18;
  static constexpr std::size_t kMostUntried = kSlabBytes / sizeof(Untried); // in a row

  explicit TreeMemory(std::size_t most_bytes, std::size_t threads = 1)
      : parts_(threads), most_bytes_(most_bytes) {}
  TreeMemory(const TreeMemory&) = delete;
  TreeMemory& operator=(const TreeMemory&) = delete;

  // Null: the limit is reached. `thread` is the caller's, below the number of threads.
  [[nodiscard]] Node* new_node(std::size_t thread = 0);
  // Room for one more edge. False: the limit is reached. The caller has the node's lock.
  [[nodiscard]] bool make_room(Node& node, std::size_t thread = 0);
  // Room for so many moves. Null: the limit is reached, or they are more than a slab holds.
  [[nodiscard]] Untried* new_untried(std::size_t moves, std::size_t thread = 0);
  void clear();
  [[nodiscard]] std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::size_t most_bytes() const { return most_bytes_; }
  void swap(TreeMemory& other);

private:
  struct alignas(kCacheLine) Part {
    std::byte *next = nullptr, *end = nullptr; // room in the last slab that it took
    std::array<std::vector<Edge*>, 32> free;   // rows by size class
  };

  [[nodiscard]] void* take(Part& part, std::size_t bytes);
  [[nodiscard]] std::byte* new_slab(std::size_t bytes);

  std::vector<Part> parts_; // by thread
  std::mutex mutex_;        // of the slabs
  std::vector<std::unique_ptr<std::byte[]>> slabs_;
  std::atomic<std::size_t> bytes_ = 0;
  std::size_t most_bytes_;
};

// A node for a position with so many moves. `order` decides in which order they are tried.
void begin_node(Node& node, int mover, std::size_t moves, std::uint64_t order);

// What the edges make certain of the position, if anything. The caller has the node's lock.
void conclude(Node& node, int players);

// The subtree below `from` in other memory, but for positions that were visited fewer times than that.
[[nodiscard]] Node* copy_tree(const Node& from, std::uint32_t least_visits, TreeMemory& to);

// The edge whose move a player chooses who has thought enough: one that wins for certain, the sooner the
// better; else the one that was visited most among those that don't lose for certain; else the longest way.
// -1: there is none.
[[nodiscard]] int best_edge(const Node& node, int players);
// Is `a` chosen rather than `b`?
[[nodiscard]] bool is_better(const Edge& a, const Edge& b, int mover, int players);

[[nodiscard]] Proof proof_of(Certain certain, int player, int players);

} // namespace boardwright::runtime::search
