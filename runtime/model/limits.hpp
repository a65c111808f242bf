// The limits of deriving moves. Each is far above what any known game needs and low enough that a mistaken or
// hostile rule stops within a second or so and within some hundred megabytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boardwright::runtime {

// Steps of one answer: in deriving the moves of one position with its lines of `end`, and in writing them; in
// playing one move. A step is what takes about two nanoseconds, so an answer takes some two seconds at the
// most; they are counted by the round of a loop, and where it depends on the data how long an operation
// takes.
inline constexpr std::uint64_t kMaxWork = 1'000'000'000;
// Bytes of all that grows while an answer is found: moves and their choices, changes that are to be taken
// back, what moves and drafts are compared by, lists. The most moves that there may be need three quarters of
// it on the largest board.
inline constexpr std::size_t kMaxBytes = std::size_t{448} << 20;
// Bytes of the notations of all moves of one position: the most moves that there may be take 64 MB where each
// is short.
inline constexpr std::size_t kMaxTextBytes = std::size_t{128} << 20;
// Moves of one position. Full-turn sowing of tall stacks passes a million; nothing known comes near this. A
// list of them takes at most 100 bytes each beside their choices.
inline constexpr std::size_t kMaxMoves = 1 << 21;
// Choices of all these moves together, of four bytes each: turns of many steps, such as chains of captures.
inline constexpr std::size_t kMaxChoices = 1 << 25;
// Rounds of one repetition, and nested actions: what the C++ stack must hold.
inline constexpr int kMaxDepth = 4'000;
// Calls within calls of compiled code, and the registers kept for them: what a repetition of so many rounds
// needs several times over. They are not on the C++ stack.
inline constexpr std::size_t kMaxCalls = 1 << 18;
// Members of one list.
inline constexpr std::size_t kMaxList = 1 << 16;
// Characters of one move's notation.
inline constexpr std::size_t kMaxNotation = 4'096;
// What a position that comes from outside may say of moves played before it, by all or by one player; and
// moves of one random game. Together they stay below 2^31, so that no counter overflows.
inline constexpr std::int32_t kMaxPly = 1'000'000'000;

} // namespace boardwright::runtime
