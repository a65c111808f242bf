// What the author has told people in `about`, beside what games show: told where the two can't both be true.
//
// Only sentences of a few forms are understood, and only where nothing else in them could make them right:
// how a kind moves where it takes nothing ("one step diagonally forward"), and what becomes of who can't
// move.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/game/game.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

// Ways of a piece on a board of squares, as its player sees them.
enum class PieceWay : std::uint8_t { ahead, ahead_aslant, aside, back, back_aslant, other };
using PieceWays = unsigned; // a set of them, by 1 << way

// What a text about a kind says of moves that take nothing; nothing where it can't be known.
[[nodiscard]] std::optional<PieceWays> ways_told(std::string_view text);

enum class Stuck : std::uint8_t { loses, wins, draws };
// What a text says becomes of a player who can't move; nothing where it doesn't, or not for sure. A sentence
// in which one of the names comes is about that one alone.
[[nodiscard]] std::optional<Stuck> stuck_told(std::string_view text, const std::vector<std::string>& names);

// Adds `unlike-words`. `shown`: positions that the tests of the file show, from where games are played, too.
void report_claims(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                   const std::vector<runtime::Position>& shown, std::uint64_t seed, dsl::Diagnostics& out);

} // namespace boardwright::interpreter
