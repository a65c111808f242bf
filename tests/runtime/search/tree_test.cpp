#include "runtime/search/tree.hpp"

#include "runtime/search/move_history.hpp"
#include "runtime/search/score.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <vector>

namespace boardwright::runtime::search::tree_test {

namespace {

constexpr std::size_t kPlenty = std::size_t{16} << 20;
constexpr Certain kFirstWins = 1, kSecondWins = 2, kThirdWins = 4, kDraw = 0;

// A node of the player with an edge for each of these ends.
struct Sample {
  TreeMemory memory{kPlenty};
  Node node;

  Sample(int mover, std::size_t moves, const std::vector<Certain>& ends) {
    begin_node(node, mover, moves, 0);
    std::uint16_t distance = 0;
    for (const Certain end : ends) {
      REQUIRE(memory.make_room(node));
      Edge* const edge = new (node.edge + node.edges) Edge();
      edge->move = node.next_move();
      edge->certain = end;
      edge->distance = distance++;
      ++node.edges;
    }
  }
  Certain concluded(int players) {
    conclude(node, players);
    return node.certain;
  }
};

} // namespace

TEST_CASE("every move of a position is tried once, whatever their number and the order") {
  for (const std::size_t moves : std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 30, 64, 1000, 30030})
    for (const std::uint64_t order :
         {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef}}) {
      Node node;
      begin_node(node, 0, moves, order);
      std::set<std::uint32_t> tried;
      for (; node.edges < node.moves; ++node.edges) tried.insert(node.next_move());
      INFO(moves << " moves, order " << order);
      REQUIRE(tried.size() == moves);
      CHECK(*tried.rbegin() == moves - 1);
    }
}

TEST_CASE("outcomes are shared by those who win together, draws by all") {
  CHECK(share(kFirstWins, 0, 2) == 1);
  CHECK(share(kFirstWins, 1, 2) == 0);
  CHECK(share(kDraw, 1, 2) == 0.5F);
  CHECK(share(kDraw, 1, 4) == 0.25F);
  CHECK(share(kFirstWins | kThirdWins, 2, 3) == 0.5F);
  CHECK(share(kFirstWins | kThirdWins, 1, 3) == 0);
  CHECK(share(kDraw, 0, 1) == 0); // a puzzle that isn't solved
}

TEST_CASE("one winning move makes a position certain, whatever else there is") {
  CHECK(Sample(0, 9, {kSecondWins, kUncertain, kFirstWins}).concluded(2) == kFirstWins);
  CHECK(Sample(1, 9, {kFirstWins, kUncertain}).concluded(2) == kUncertain);
}

TEST_CASE("without a winning move all moves must be tried and be certain") {
  CHECK(Sample(0, 2, {kSecondWins, kSecondWins}).concluded(2) == kSecondWins);
  CHECK(Sample(0, 3, {kSecondWins, kSecondWins}).concluded(2) == kUncertain);
  CHECK(Sample(0, 3, {kSecondWins, kUncertain, kSecondWins}).concluded(2) == kUncertain);
  CHECK(Sample(0, 3, {kSecondWins, kDraw, kSecondWins}).concluded(2) == kDraw);
}

TEST_CASE("among three nothing is certain if the mover doesn't care which of the others wins") {
  CHECK(Sample(0, 2, {kSecondWins, kThirdWins}).concluded(3) == kUncertain);
  CHECK(Sample(0, 2, {kSecondWins, kSecondWins}).concluded(3) == kSecondWins);
  CHECK(Sample(0, 3, {kSecondWins, kDraw, kThirdWins}).concluded(3) == kDraw);
}

TEST_CASE("who wins takes the shortest way, who loses the longest") {
  Sample wins(0, 3, {kSecondWins, kFirstWins, kFirstWins});
  CHECK(wins.concluded(2) == kFirstWins);
  CHECK(wins.node.distance == 2);
  CHECK(best_edge(wins.node, 2) == 1);
  Sample loses(0, 3, {kSecondWins, kSecondWins, kSecondWins});
  CHECK(loses.concluded(2) == kSecondWins);
  CHECK(loses.node.distance == 3);
  CHECK(best_edge(loses.node, 2) == 2);
}

TEST_CASE("a draw that is certain is taken unless something looks better") {
  Sample draws(0, 3, {kUncertain, kDraw, kSecondWins});
  draws.node.edge[0].visits = 100;
  draws.node.edge[0].sum = 40;
  CHECK(best_edge(draws.node, 2) == 1);
  draws.node.edge[0].sum = 60;
  CHECK(best_edge(draws.node, 2) == 0);
}

TEST_CASE("moves are as good as such moves were elsewhere, the more often the surer") {
  MoveHistory history;
  const std::uint32_t good = MoveHistory::slot(17, 0), bad = MoveHistory::slot(18, 0);
  CHECK(good != 0);
  CHECK(good != MoveHistory::slot(17, 1)); // the same move of the other player
  CHECK(history.better_than(0.3, good) == 0);
  history.add(good, 1);
  history.add(bad, 0);
  const double once = history.better_than(0.5, good);
  CHECK(once > 0);
  CHECK(once < 0.5);
  CHECK(history.better_than(0.5, bad) == Approx(-once));
  for (int k = 0; k < 100'000; ++k) history.add(good, 1), history.add(bad, static_cast<float>(k % 2));
  CHECK(history.better_than(0.5, good) == Approx(0.5).margin(0.01));
  CHECK(history.better_than(0.5, bad) == Approx(0).margin(0.01));
}

TEST_CASE("memory ends at its limit, and not before") {
  TreeMemory memory(std::size_t{1} << 20);
  std::size_t nodes = 0;
  while (memory.new_node() != nullptr) ++nodes;
  CHECK(memory.bytes() <= memory.most_bytes());
  CHECK(nodes * sizeof(Node) > memory.most_bytes() / 2);
  Node node;
  begin_node(node, 0, 100'000, 0);
  memory.clear();
  while (memory.make_room(node)) new (node.edge + node.edges++) Edge();
  CHECK(memory.bytes() <= memory.most_bytes());
  CHECK(node.edges > 1000);
}

TEST_CASE("rows of untried moves are as long as a slab, and end with the memory") {
  TreeMemory memory(std::size_t{1} << 20);
  CHECK(memory.new_untried(std::size_t{1} << 15) != nullptr);
  CHECK(memory.new_untried((std::size_t{1} << 15) + 1) == nullptr);
  int rows = 1;
  while (memory.new_untried(std::size_t{1} << 15) != nullptr) ++rows;
  CHECK(rows == 4);
}

TEST_CASE("a copy has what was visited often enough, and all its edges") {
  TreeMemory memory(kPlenty), other(kPlenty);
  Node* const root = memory.new_node();
  begin_node(*root, 0, 10, 5);
  for (std::uint32_t k = 0; k < 3; ++k) {
    REQUIRE(memory.make_room(*root));
    Edge* const edge = new (root->edge + root->edges) Edge();
    edge->move = root->next_move();
    edge->visits = k + 1;
    edge->on_way = 1;
    edge->child = memory.new_node();
    begin_node(*edge->child, 1, 4, 0);
    edge->child->visits = k + 1;
    ++root->edges;
  }
  const Node* const copy = copy_tree(*root, 2, other);
  REQUIRE(copy != nullptr);
  REQUIRE(copy->edges == 3);
  CHECK(copy->next_move() == root->next_move());
  CHECK(copy->edge[0].child == nullptr);
  for (std::uint32_t k = 0; k < 3; ++k) {
    CHECK(copy->edge[k].move == root->edge[k].move);
    CHECK(copy->edge[k].visits == k + 1);
    CHECK(copy->edge[k].on_way == 0);
    if (k == 0) continue;
    REQUIRE(copy->edge[k].child != nullptr);
    CHECK(copy->edge[k].child != root->edge[k].child);
    CHECK(copy->edge[k].child->visits == k + 1);
  }
}

} // namespace boardwright::runtime::search::tree_test
