// What reading and writing a FEN share: why a game has none, its letters, the state that other programs have
// signs for.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/yaml.hpp"
#include "runtime/model/program.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace boardwright::interpreter {

inline constexpr std::string_view kPassant = "passant";   // cells that may be taken in passing: `e3`
inline constexpr std::string_view kPromoted = "promoted"; // a truth that pieces carry: `Q~`
inline constexpr std::string_view kChecks = "checks";     // that each player has given: `2+3`, `+1+0`
inline constexpr std::string_view kNeeded = "needed";     // the option that says how many win
inline constexpr std::string_view kIdle = "idle";         // a clock: moves without progress
inline constexpr std::string_view kLimit = "limit";       // a clock: moves that a count goes to
inline constexpr std::string_view kCounted = "counted";   // a clock: moves that are counted already
inline constexpr int kUsuallyNeeded = 3;                  // where there is no such option

// The clock named `idle`: moves without progress, the first of the two counters.
[[nodiscard]] std::optional<std::size_t> idle_clock(const runtime::Program& program);

// Why positions of the game can't be written so; "" where they can.
[[nodiscard]] std::string why_no_fen(const runtime::Program& program);

// "P p (pawn), K k (king)"
[[nodiscard]] std::string letters_text(const runtime::Program& program);

// In a game with one kind of piece, whatever its letters are, other programs write `P` for the pieces of `w`
// and `p` for those of `b`. The letter that the rule file has for that; others stay as they are.
[[nodiscard]] char letter_meant(const runtime::Program& program, char letter);
// And back.
[[nodiscard]] char common_letter(const runtime::Program& program, char letter);

// The value named `promoted`, if pieces carry one that is a truth.
[[nodiscard]] const runtime::PieceValue* promoted_value(const runtime::Program& program);

// The first of the variables of each player that hold the checks they have given.
[[nodiscard]] std::optional<std::size_t> checks_variable(const runtime::Program& program);
// How many checks win.
[[nodiscard]] int checks_needed(const runtime::Program& program);

// Says what is wrong with a part of a FEN, and what is expected.
void fen_error(const dsl::Text& where, std::string what, std::string help, dsl::Diagnostics& diagnostics);

// A text of our own that stands for a part of another one: what is wrong with it is told there.
[[nodiscard]] dsl::Text text_at(const dsl::Text& where, std::string text);

} // namespace boardwright::interpreter
