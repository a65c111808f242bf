// Native code for compiled rules: the instructions of ir.hpp as those of the processor. See README.md.
#pragma once

#include "runtime/ir/ir.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace boardwright::runtime::codegen {

// A table of keys with numbers (executor/key_set.hpp): bytes from its beginning to the pointer to its slots,
// to how many these are less one and how many are used (64 bits), to the mark of slots that are and to
// what no number is greater than (32); and within a slot, behind the key, to its number and its mark (32).
struct KeyTable {
  static constexpr std::int32_t kSlots = 0, kMask = 24, kUsed = 32, kEra = 40, kMost = 44;
  static constexpr std::int32_t kSlotBytes = 16, kCount = 8, kEraOfSlot = 12;
};

// The key of a position is the sum of a part for each of some registers: a product of the register's value,
// which is disturbed first by a number of its own, with both halves laid over each other.
struct KeyParts {
  struct Part {
    bool is_number = false;
    std::uint32_t index = 0; // of a word of the sets, or of a number
    std::uint64_t disturbed_by = 0;
  };
  std::vector<Part> parts;
  std::uint64_t factor = 0;
  std::vector<std::uint64_t> of_mover; // by player: what it is more if he is to move
  std::size_t board_parts = 0;         // the first ones are those of the board, first of all its owners' sets
};

// The key of a move goes on from that of a position (its clocks count, whose turn it is doesn't change) by
// what has been written, how the game ends, and whether the same player goes on: what each is disturbed by.
struct MoveKeyParts {
  std::uint64_t written = 0, ending = 0;
  std::array<std::uint64_t, 2> again{}; // the part itself: no; yes
  std::vector<KeyParts::Part> clocks;
  // With stacks a position has no key here; so all is told that a result has besides the stacks.
  std::vector<KeyParts::Part> state;
  std::vector<std::uint64_t> of_mover; // by player: the part of who is to move
  // The part of eight codes from level k of a cell on is that of the word they are, disturbed by
  // (first + cell * levels + k) * times ^ with.
  struct Stacks {
    std::uint64_t first = 0, times = 0, with = 0;
    std::int32_t levels = 0;
    std::vector<std::uint64_t> board; // the words of the set of all cells
  } stacks;
};

// What native code works on, beside the registers: the executor, of which it knows where its parts are; and
// what the executor looks up.
struct Surroundings {
  // Bytes from the beginning of the executor.
  struct Places {
    // Buffers (executor/buffer.hpp).
    std::int32_t trail = 0, stack = 0, spilled_sets = 0, spilled_numbers = 0, choices = 0, played = 0,
                 text = 0, path = 0;
    std::int32_t places_begun = 0, outcomes_begun = 0; // numbers: how many sets of places, of outcomes
    std::int32_t list = 0;                             // a pointer to the list of found moves
    // Numbers, of 64 bits or of as many as are said.
    std::int32_t left = 0, begun = 0, total = 0, script_next = 0; // of steps: see executor/stock.hpp
    std::int32_t native_stack = 0;    // a pointer: where the stack of native code is
    std::int32_t stock_at = 0;        // 32: the instruction at which stock is taken
    std::int32_t open = 0, mover = 0; // 32
    // Of a random game: what random numbers come from, where the values of the move that is played are (or
    // the next one of them, where they are taken one by one; pointers), how many moves have been found; how
    // many turns may still be played (32).
    std::int32_t random = 0, given = 0, moves = 0, plies_left = 0;
    std::int32_t before = 0;    // numbers of 64 bits: moves found before each of the leaves in order
    std::int32_t turn_mark = 0; // 32: of the trail, where the turn begins
    std::int32_t purpose = 0;   // 8; see Purpose
    std::int32_t memos = 0;     // a Buffer
    std::int32_t heights = 0, carried = 0; // pointers: of stacks, to their heights and to what is carried
    // Where positions are compared with earlier ones: the key at the turn's beginning (64), how often each
    // has come (a KeyTable); likewise of boards; all keys in order (a Buffer); by player what the others have
    // there, and how many pieces (64 each), and how often that has come. Where moves are: those that were
    // found (a KeyTable), for how many turns results are compared too (32).
    std::int32_t key = 0, positions = 0, board = 0, boards = 0, line = 0;
    std::int32_t once = 0, full_turns = 0;
    std::int32_t seeking_best = 0; // 8: of the moves that are found only the best count
    std::int32_t best_keys = 0;    // a Buffer: the keys of these
    std::int32_t limits = 0;       // a pointer: null if the list of moves has none
  };
  // Of a list of found moves.
  struct List {
    std::int32_t records = 0, values = 0; // Buffers
  };
  struct Line {
    bool grows = false, shrinks = false;
    const std::uint64_t* rays = nullptr; // by cell
  };
  struct SetTable {
    std::int32_t numbers = 1;
    const std::uint64_t* sets = nullptr;
  };
  struct Flood {
    struct Shift {
      int by = 0;
      const std::uint64_t* from = nullptr;
    };
    std::vector<Shift> shifts;
    bool only_shifts = false;
  };

  const ir::Code* code = nullptr;
  // The code is for random games only: the purpose is to pick moves, which are never taken back.
  bool random_games = false;
  int words = 1; // of a set
  Places at;
  List list;
  std::size_t bytes_of_codes = 0, bytes_of_heights = 0;
  KeyParts key;          // of a position; no parts with stacks
  MoveKeyParts move_key; // of a move, beside that
  // What the names of cells and the letters of kinds do to the key of a text; likewise the program's texts.
  const ir::KeyText *cells_told = nullptr, *kinds_told = nullptr;
  std::vector<ir::KeyText> texts_told;
  // By player and kind: which number of the hands tells how many he has; -1: none does.
  std::vector<const std::int32_t*> hand_slots;
  // Of a drop, by its table and kind: does a letter stand before the cells?
  std::vector<std::vector<bool>> drops_named;
  const std::int16_t* to = nullptr;     // by step * cells + cell
  std::vector<std::vector<Line>> lines; // by list of steps
  std::vector<SetTable> set_tables;
  std::vector<Flood> floods;                                            // likewise
  std::vector<const std::uint64_t*> around;                             // likewise: where they lead, by cell
  const std::uint8_t *owner_of_code = nullptr, *kind_of_code = nullptr; // of pieces

  // Carries out one instruction. Null: go on behind it; otherwise an address to go on at.
  using Step = const void* (*)(void* executor, std::uint32_t index);
  Step step = nullptr;
  Step (*step_of)(ir::Op) = nullptr; // the same for one operation alone, where there is one; or null
  Step found = nullptr;              // of a leaf, where it is known that it is a move
  // For some more entries of the trail; and where a stretch of steps is over. False: it must not go on.
  bool (*make_room)(void* executor) = nullptr;
  bool (*take_stock)(void* executor) = nullptr;
  void (*undo)(void* executor, std::int32_t mark) = nullptr;
  std::uint64_t (*draw)(void* executor) = nullptr; // one of the moves that have been found
};

// What a turn of a random game is counted as, beside its loops.
inline constexpr std::uint32_t kStepsOfTurn = 16;
// What it is counted as to look for the like of a move.
inline constexpr std::uint32_t kStepsOfComparing = 32;
// Codes of a stack that are one word of a key.
inline constexpr int kCodesInWord = 8;

// How many entries of the trail are noted without asking again for room.
inline constexpr std::size_t kEntriesAtOnce = 8;

// Leaves in order (flow.hpp) are no more: beyond that it takes longer to compare with each of them.
inline constexpr std::size_t kMostInOrder = 4;

// Where values of Purpose are compared with.
enum PurposeNumber : std::uint8_t { kAny = 0, kCount = 1, kList = 2 };

class NativeCode;

// A stretch of native code, up to where the next one begins: it carries out an instruction, or several share
// it.
inline constexpr std::int32_t kShared = -1;
struct CodePart {
  std::uint32_t begin = 0; // bytes from the beginning of the code
  std::int32_t instruction = kShared;
};

// For those who sample what a thread is at (examine/profile.hpp): which code runs there now, null for none,
// and where its stack begins, which native code itself notes.
struct Watch {
  std::thread::id thread;
  const NativeCode* volatile code = nullptr;
  void* const* volatile stack = nullptr;
};
inline std::atomic<Watch*> watching{nullptr};

class NativeCode {
public:
  // Does this build make any, for this processor?
  [[nodiscard]] static bool possible();
  // Null where the processor, the system or the build allows none. It keeps references to tables and code.
  static std::unique_ptr<const NativeCode> make(const Surroundings& around);
  NativeCode() = default;
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;
  virtual ~NativeCode() = default;

  void run(void* executor, std::uint64_t* sets, std::int32_t* numbers, std::uint8_t* codes,
           std::uint32_t from) const {
    run_(executor, sets, numbers, codes, addresses_[from]);
  }
  // Where an instruction that others lead to has its code.
  [[nodiscard]] const void* address(std::uint32_t index) const { return addresses_[index]; }
  [[nodiscard]] const void* exit() const { return exit_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] const ir::Code& of() const { return *of_; }
  // Safe within a handler of signals.
  [[nodiscard]] bool holds(const void* place) const {
    const auto* const at = static_cast<const std::byte*>(place);
    return begin_ != nullptr && at >= begin_ && at < begin_ + bytes_;
  }
  // The instruction that the code at a place carries out; kShared where several use it, or where it is none
  // of this code. Costs a binary search.
  [[nodiscard]] std::int32_t instruction_at(const void* place) const;
  // By instruction: it has no code of its own, and is always carried out by a call of C++. (Those that have
  // call it too in rare cases, as where a buffer is full.)
  [[nodiscard]] const std::vector<bool>& falls_back() const { return falls_back_; }

protected:
  using Run = void (*)(void*, std::uint64_t*, std::int32_t*, std::uint8_t*, const void*);
  Run run_ = nullptr;
  const void* exit_ = nullptr;
  std::vector<const void*> addresses_; // by instruction; null where nothing leads to
  const ir::Code* of_ = nullptr;
  const std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<bool> falls_back_;
  std::vector<CodePart> parts_;
};

} // namespace boardwright::runtime::codegen
