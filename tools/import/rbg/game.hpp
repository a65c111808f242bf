// A game of Regular Boardgames as plain data: a board that is a graph, and rules that are a regular
// expression.
#pragma once

#include "tools/import/rbg/tokens.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

struct RbgBound {
  std::string name;
  int most = 0; // a value is 0 … most
};

struct RbgVertex {
  std::string name;
  int piece = 0;
  int line = 0;
  std::vector<std::pair<int, std::string>> edges; // label, name of the vertex that it leads to
};

// Where the board was said by a generator: how far each label leads, so far as the generator knows.
enum class RbgShape { graph, rectangle, hexagon, cuboid };

struct RbgBoard {
  RbgShape shape = RbgShape::graph;
  std::vector<std::string> labels;
  std::vector<RbgVertex> vertices;
  std::vector<std::vector<int>> targets; // [label][vertex], -1 where no edge of that label leaves it
};

enum class RbgWhat {
  shift,    // index: label
  on,       // pieces
  off,      // index: piece
  assign,   // index: variable; first: expression
  compare,  // text: sign; first, second: expressions
  turn_to,  // index: player, -1: the keeper
  check,    // negated; children[0]
  sum,      // children
  sequence, // children
  star,     // children[0]
};

struct RbgNode {
  RbgWhat what = RbgWhat::sequence;
  int line = 0;
  int index = 0;
  bool negated = false;
  bool has_turns = false; // is there a turn_to in it?
  int first = -1, second = -1;
  std::string text;
  std::vector<int> pieces, children;
};

// A number, a variable (players and pieces are numbers, too), or two expressions with a sign between them.
struct RbgExpression {
  char sign = 0; // 'n' number, 'v' variable, 'p' a player's score, 'c' how many of a piece; + - * /
  int value = 0;
  int left = -1, right = -1;
};

struct RbgGame {
  std::vector<RbgBound> players, variables;
  std::vector<std::string> pieces;
  RbgBoard board;
  std::vector<RbgNode> nodes;
  std::vector<RbgExpression> expressions;
  int rules = -1; // a node
};

// What a rule file can hold (dsl/README.md, limits), and nodes with powers written out.
inline constexpr std::size_t kMostRbgPlayers = 8;
inline constexpr std::size_t kMostRbgPieces = 80;
inline constexpr std::size_t kMostRbgCells = 576;
inline constexpr std::size_t kMostRbgLabels = 100;
inline constexpr std::size_t kMostRbgNodes = 200'000;
// Brackets within one another; known files have 20.
inline constexpr int kMostRbgDepth = 60;

[[nodiscard]] tl::expected<RbgGame, ImportFault> read_rbg_game(std::string_view text);
[[nodiscard]] tl::expected<RbgBoard, ImportFault> read_rbg_board(const std::vector<RbgToken>& tokens,
                                                                 const std::vector<std::string>& pieces);
// Of each node the first one that is written alike.
[[nodiscard]] std::vector<int> rbg_alike(const RbgGame& game);

} // namespace boardwright::tools
