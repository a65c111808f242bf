// An engine against the walker, on one program: moves, notations, results, outcomes, counts, random games,
// and taking back. Nothing is asserted here: what differs is told, so that it can be sorted.
#pragma once

#include "runtime/game/game.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace boardwright::tests {

enum class Differs : std::uint8_t {
  outcome,  // how the game stands
  moves,    // notations or results of the moves listed
  twice,    // a move that the walker, or the engine, lists twice
  find,     // a move found by its notation, or written alone
  undo,     // the position after taking back
  perft,    // the count at depth 1
  seen,     // how many moves a random game saw
  chosen,   // what a random game played
  streams,  // random games that should be the same
  no_fault, // the walker meets a fault, the engine doesn't
  fault,    // the engine meets a fault, the walker doesn't
  throws,   // an exception, where there should be none
  values,   // no position that could be read back: values without a piece, a hand below nothing
  code,     // what the verifier of code refuses
};
[[nodiscard]] const char* name_of(Differs kind);

struct Difference {
  Differs kind = Differs::moves;
  std::string detail;
};

struct Judgement {
  std::optional<Difference> difference; // the first
  int positions = 0;                    // compared
  int without_move = 0;                 // of them
  int faults = 0;                       // met by both
  bool too_long = false;                // broken off where the walker's limit was met
  bool too_large = false;               // refused: more code than there may be
};

struct JudgeOptions {
  int plies = 4;
  // Steps of the walker for each answer, on a board of up to 32 cells, and fewer on larger ones, whose drafts
  // take longer to copy: what takes more is left out.
  std::uint64_t walk_steps = 30'000;
};

[[nodiscard]] Judgement judge(const std::shared_ptr<const runtime::Program>& program, std::uint64_t seed,
                              const JudgeOptions& options = {});

} // namespace boardwright::tests
