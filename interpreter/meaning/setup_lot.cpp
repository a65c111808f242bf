#include "interpreter/meaning/setup_lot.hpp"

#include "runtime/model/random.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace boardwright::interpreter {
namespace {

using Cells = std::vector<std::size_t>;

// The file may declare the option itself. Nothing where it is no number (said).
std::optional<std::int64_t> lot_of(const dsl::ShuffleEntry& shuffle, const Symbols& symbols,
                                   dsl::Diagnostics& diagnostics) {
  for (const OptionValue& option : symbols.options)
    if (option.name == dsl::kLotOption && option.type == OptionType::number) return option.number;
  diagnostics.error("option", shuffle.span, "the option `lot` says which set-up is dealt, so it is a number")
      .help = "lot: { default: 0, range: 0..999999 }";
  return std::nullopt;
}

// The sets, each as the list of its cells. Nothing where one is no constant (said).
std::optional<std::vector<Cells>> sets_of(const dsl::ShuffleEntry& shuffle, Elaborator& elaborator) {
  std::vector<Cells> sets;
  for (const auto& tree : shuffle.among) {
    const auto cells = elaborator.constant_cells(tree, 0, "setup");
    if (!cells) return std::nullopt;
    sets.emplace_back();
    cells->each([&](int c) { sets.back().push_back(static_cast<std::size_t>(c)); });
  }
  return sets;
}

// Every order is as likely as any other (Fisher and Yates).
void shuffle_stacks(const std::vector<Cells>& sets, runtime::Random& random, runtime::Position& position) {
  for (const Cells& cells : sets)
    for (std::size_t left = cells.size(); left > 1; --left) {
      const auto drawn = static_cast<std::size_t>(random.below(left));
      std::swap(position.cells[cells[left - 1]], position.cells[cells[drawn]]);
    }
}

} // namespace

void deal(const dsl::ShuffleEntry& shuffle, const Symbols& symbols, Elaborator& elaborator,
          runtime::Program& program, dsl::Diagnostics& diagnostics) {
  const auto sets = sets_of(shuffle, elaborator);
  std::optional<runtime::NodeId> condition;
  if (shuffle.such_that) {
    condition = elaborator.condition_of_set_up(*shuffle.such_that, 0);
    if (!condition) return;
  }
  const auto lot = lot_of(shuffle, symbols, diagnostics);
  if (!sets || !lot || *lot == 0) return;
  runtime::Random random(runtime::mix(static_cast<std::uint64_t>(*lot)));
  std::uint64_t steps = runtime::kMaxWalkSteps;
  for (int deals = 0; deals < kMostDeals; ++deals) {
    shuffle_stacks(*sets, random, program.initial);
    if (!condition) return;
    const auto holds =
        runtime::Walker(elaborator.builder().program()).evaluate(*condition, program.initial, steps);
    if (!holds) {
      diagnostics.error("setup", shuffle.such_that->span,
                        "in the set-up this goes wrong: " + holds.error().message);
      return;
    }
    if (holds->number != 0) return;
  }
  diagnostics
      .error("setup", shuffle.such_that->span,
             fmt::format("none of {} deals is such that this holds", kMostDeals))
      .help = "ask for less, or write the set-up by hand";
}

} // namespace boardwright::interpreter
