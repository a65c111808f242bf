// A position as plain data: what is read from files and written for people, and what the walker works on.
// Engines that need speed pack it into a State of their own.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "runtime/model/board.hpp"
#include "runtime/model/value.hpp"

namespace boardwright::runtime {

struct Piece {
  std::int8_t owner = -1; // a player, or -1: neutral
  std::int8_t kind = 0;
  friend auto operator<=>(const Piece&, const Piece&) = default;
};

using Stack = std::vector<Piece>; // from bottom to top

// The value of a state variable: a number, truth, kind or player in `number`, or a set of cells.
struct VariableValue {
  std::int32_t number = 0;
  CellSet cells;
  friend auto operator<=>(const VariableValue&, const VariableValue&) = default;
};

struct Position {
  std::vector<Stack> cells; // by cell; at most one piece each on a board without stacks
  std::vector<std::int32_t> hands;
  std::vector<VariableValue> variables;
  std::int32_t to_move = 0;
  std::uint32_t out = 0; // bit for each player who has been put out
  // Counters; like variables that are clocks they are not part of what repetition compares.
  std::int32_t ply = 0;
  std::vector<std::int32_t> turns; // by player

  // The same but for counters: board, hands, state (clocks too), player to move, players out.
  [[nodiscard]] bool same_as(const Position& other) const;
  [[nodiscard]] bool same_board(const Position& other) const { return cells == other.cells; }
};

// How a game ended.
struct Outcome {
  std::uint32_t winners = 0; // bit for each player; none: a draw. Of shares: who have the most
  std::uint32_t origin = 0;  // Program::origins: the line of `end`, or the `win`, `lose`, `draw` that decided
  enum class By : std::uint8_t { move, end_line, no_move, last_left } by = By::move;
  std::uint64_t shares = 0; // a byte for each player (shares.hpp); 0: those who win have the same
  friend bool operator==(const Outcome& a, const Outcome& b) {
    return a.winners == b.winners && a.shares == b.shares;
  }
};

// A rule went wrong while it was carried out: a limit was passed, or an action met what it can't do.
struct Fault {
  std::string message;
  std::uint32_t origin = 0; // Program::origins
};

} // namespace boardwright::runtime
