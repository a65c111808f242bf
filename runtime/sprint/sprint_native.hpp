// Native code for sprints: the operations of sprint.hpp as instructions of the processor.
//
// The interpreter of sprint_run.hpp and native code do the same step by step, so that one seed gives one game
// with either. Native code saves the reading of operations, and what one operation leaves in a register of
// the processor the next ones find there. It is made for x86-64 with BMI2 (2013 and later) where asmjit
// (https://asmjit.com, Petr Kobalicek) was there at build time; elsewhere sprints are interpreted.
#pragma once

#include "runtime/sprint/sprint.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace boardwright::runtime::machine {

// What native code works on, besides the registers of the sprint.
struct SprintFrame {
  void* sprint = nullptr;             // for helpers
  std::uint64_t* registers = nullptr; // sets, then numbers, then cells: see NativeLayout
  std::byte *leaves = nullptr, *leaf_limit = nullptr, *leaf_end = nullptr, *chosen = nullptr;
  std::uint64_t* drafts = nullptr; // by leaf
  std::uint64_t* keys = nullptr;   // of drafts, by leaf
  std::uint16_t* pool = nullptr;
  std::uint64_t *stack = nullptr, *stack_limit = nullptr; // of rounds within rounds
  std::uint64_t random = 0;                               // state of the generator
  std::uint64_t moves = 0;                                // legal ones, of all plies
  void* processor_stack = nullptr;                        // as it was at the beginning
  std::uint32_t total = 0;                                // moves counted
  std::uint32_t plies = 0, max_plies = 0, pool_size = 0;
  std::uint32_t rounds = 0, again = 0;
  std::int32_t to_move = 0;
  // Of the drafts of a position: a bit for the keys that begin alike; the best score, if there is one.
  std::array<std::uint64_t, 4> seen{};
  std::uint32_t scored = 0;
  std::int32_t best_score = 0;
};

// How native code comes back; from `decided` on, a verdict's index is added.
enum NativeEnd : std::uint32_t { kNoMove, kUnfinished, kGaveUp, kDecided };

// What one operation does, for those that aren't worth instructions of their own. A result that isn't 0: a
// condition holds, or the game is given up.
using NativeHelper = std::uint64_t (*)(void* sprint, const SprintOp* op);

// Cells that every sprint has: those of the chosen move.
inline constexpr std::size_t kLeastCells = 3;

struct NativeLayout {
  int words = 0;                               // of a set
  std::size_t numbers = 0, cells = 0;          // bytes from the first set to the first number, the first cell
  std::uint32_t most_rounds = 0;               // of repetitions in one position
  std::array<NativeHelper, kSprintOps> help{}; // by operation; may be null
  NativeHelper enter_history = nullptr;
  [[nodiscard]] NativeHelper helper(SprintOp::What what) const {
    return help[static_cast<std::size_t>(what)];
  }
  struct Row {                                // on a board of one word: as SprintTables<1>::Row::Axis
    std::vector<std::array<int, 3>> shifts;   // by axis
    std::vector<const std::uint64_t*> begins; // by axis: by cell
  };
  struct Lines {                           // that are kept
    std::size_t at = 0;                    // bytes from the first set
    const std::uint16_t* places = nullptr; // as SprintTables::Row::places
    int axes = 0;
    std::vector<int> shifts;
    const std::uint32_t* with = nullptr;
  };
  std::vector<Lines> lines;
  std::vector<Row> rows; // none: the helper of `if_row` knows
};

class NativeCode {
public:
  // Does this build make any, for this processor?
  [[nodiscard]] static bool possible();
  // Null where the processor, the system or the build allows none. Keeps references to the code. Takes some
  // microseconds for each operation.
  static std::unique_ptr<const NativeCode> make(const SprintCode& code, const NativeLayout& layout);
  NativeCode() = default;
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;
  virtual ~NativeCode() = default;

  // A game from the position in the registers; `frame` says how far it went.
  [[nodiscard]] std::uint32_t run(SprintFrame& frame) const { return run_(&frame); }

protected:
  using Run = std::uint32_t (*)(SprintFrame*);
  Run run_ = nullptr;
};

} // namespace boardwright::runtime::machine
