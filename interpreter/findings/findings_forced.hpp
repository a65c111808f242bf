// A game that is won by force before it has begun: a goal on the wrong rank, a winner for a loser.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/source.hpp"
#include "runtime/game/game.hpp"

#include <memory>

namespace boardwright::interpreter {

// Looks from the set-up for a win that one of two players forces within kForcedPlies, whatever the other
// answers, and tells it at the line that ends the game. Games of chance, and those that hide something, have
// no such wins. Where the set-up is known to be uneven only that every first move loses is told. Bounded by
// positions (kMostForced) and by moves of one list.
void report_forced(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                   const dsl::Sources& sources, bool uneven, dsl::Diagnostics& out);

// No right game of the library, nor of those that strangers wrote, is won in fewer than five plies.
inline constexpr int kForcedPlies = 3;
inline constexpr int kMostForced = 20'000;

} // namespace boardwright::interpreter
