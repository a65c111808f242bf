// `shuffle` in a set-up: what stands on some cells is dealt anew, by lot. One lot, one set-up.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "runtime/model/program.hpp"

namespace boardwright::interpreter {

// As many deals are tried until one is such as is asked: with bishops on both colours and the king between
// the rooks every 21st is. A condition that holds less often than once in some thousands is a set-up to be
// written, not drawn.
inline constexpr int kMostDeals = 10'000;

// Deals the stacks on the cells of each set among these cells, evenly, by the option `lot`; with 0 all stays
// as it is written. Said where no deal is such as `such that` asks.
void deal(const dsl::ShuffleEntry& shuffle, const Symbols& symbols, Elaborator& elaborator,
          runtime::Program& program, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
