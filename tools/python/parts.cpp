#include "tools/python/parts.hpp"

#include "runtime/game/inspect.hpp"
#include "tools/python/actions.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace boardwright::python {

namespace {

constexpr Symbol kCellsOfWord = 64;

// A choice that is no symbol: all digits of 32 bits, the highest first, so that no choice begins as another
// does.
void append_digits(std::uint32_t choice, Symbol base, Symbols& to) {
  const auto step = static_cast<std::uint64_t>(base);
  std::uint64_t unit = 1;
  while (unit * step <= 0xffffffffU) unit *= step;
  to.push_back(base);
  for (std::uint64_t rest = choice; unit > 0; rest %= unit, unit /= step)
    to.push_back(static_cast<Symbol>(rest / unit));
}

Symbols symbols_of(const std::vector<std::int32_t>& choices, Symbol base) {
  Symbols symbols;
  for (const std::int32_t choice : choices)
    if (choice >= 0 && choice < base)
      symbols.push_back(choice);
    else
      append_digits(static_cast<std::uint32_t>(choice), base, symbols);
  return symbols;
}

} // namespace

Symbol part_base(const runtime::Rules& rules) { return kCellsOfWord * std::max(inspect(rules).words, 1); }

tl::expected<PartChoice, runtime::Fault> PartChoice::begin(runtime::Game& game, Symbol base) {
  if (const auto moves = all_moves(game); !moves) return tl::unexpected(moves.error());
  const auto choices = runtime::choices_of_moves(game);
  if (!choices) return tl::unexpected(choices.error());
  PartChoice choice(base);
  auto symbols = std::make_shared<std::vector<Symbols>>();
  for (const auto& of_move : *choices) symbols->push_back(symbols_of(of_move, base));
  choice.left_.resize(symbols->size());
  choice.moves_ = std::move(symbols);
  std::iota(choice.left_.begin(), choice.left_.end(), 0U);
  choice.choose_what_must_be();
  return choice;
}

Symbol PartChoice::next_of(std::uint32_t move) const {
  const Symbols& symbols = (*moves_)[move];
  return chosen_.size() < symbols.size() ? symbols[chosen_.size()] : end();
}

Symbols PartChoice::legal() const {
  if (left_.size() == 1) return {end()}; // one move: of a position that has no other
  Symbols symbols;
  for (const std::uint32_t move : left_) symbols.push_back(next_of(move));
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

// What all moves that are left have in common.
void PartChoice::choose_what_must_be() {
  while (left_.size() > 1) {
    const Symbol first = next_of(left_.front());
    const auto agrees = [&](std::uint32_t move) { return next_of(move) == first; };
    if (first == end() || !std::all_of(left_.begin(), left_.end(), agrees)) return;
    chosen_.push_back(first);
  }
}

std::optional<bool> PartChoice::choose(Symbol symbol) {
  if (left_.size() == 1) {
    if (symbol != end()) return std::nullopt;
  } else {
    std::vector<std::uint32_t> kept;
    std::copy_if(left_.begin(), left_.end(), std::back_inserter(kept),
                 [&](std::uint32_t move) { return next_of(move) == symbol; });
    if (kept.empty()) return std::nullopt;
    left_ = std::move(kept);
    if (symbol != end()) chosen_.push_back(symbol);
    choose_what_must_be();
  }
  if (left_.size() > 1) return false;
  chosen_ = (*moves_)[left_.front()];
  return true;
}

} // namespace boardwright::python
