// Moves that show how a game is played, found in random games.
#pragma once

#include "runtime/game/game.hpp"

#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct ExampleMove {
  enum class Sort : std::uint8_t { goes, takes, changes, enters };
  Sort sort = Sort::goes;
  std::string move;        // as it is found again
  int cell = -1;           // where the piece stands before it, or enters
  std::string turned_into; // of one that changes: the kind
  runtime::Game before;    // the move is legal there
};

struct ExampleMoves {
  std::vector<std::vector<ExampleMove>> of_kind; // by kind, one of a sort
  std::string first;                             // a legal move at the beginning; "" if there is none
  std::vector<std::string> others;               // some that are written in other ways
  bool must_take = false;                        // whenever something could be taken, nothing else was legal
  bool need_not_take = false;                    // something could be taken, and something else was legal
  bool may_pass = false, must_pass = false;      // with other moves, and without
};

// The same for the same rules and the same beginning. A rule that goes wrong ends the search.
[[nodiscard]] ExampleMoves example_moves(const runtime::Game& beginning);

// The first of some moves that names a cell, else the first one: passing is no example of a move.
[[nodiscard]] const std::string& first_with_cell(const runtime::Board& board,
                                                 const std::vector<std::string>& moves);

} // namespace boardwright::tools
