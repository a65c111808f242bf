// Numbers for moves that stay the same from one position to the next, and from one run to the next.
#pragma once

#include "runtime/game/game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace boardwright::python {

using Labels = std::vector<std::uint64_t>; // of moves(): see Game::append_labels

struct Action {
  std::uint64_t label = 0;
  std::string text; // how it was written where it was first seen; elsewhere it may be written otherwise
  std::vector<std::int32_t> parts;
};

struct ExploreOptions {
  std::uint64_t seed = 1;
  std::size_t most_actions = 16384;
};

// Moves that are made in the same way have the same number. Where the rules have some thousands of them the
// numbers are dense: 0, 1, … as random games come to them. Elsewhere a number is the label itself, without
// its sign, and the parts of a move tell more.
class ActionNumbers {
public:
  // The same for the same rules on every machine.
  static tl::expected<std::shared_ptr<ActionNumbers>, runtime::Fault>
  explore(const std::shared_ptr<const runtime::Rules>& rules, const ExploreOptions& options);
  // As they were told before.
  ActionNumbers(std::vector<Action> actions, bool dense, bool closed);

  [[nodiscard]] bool dense() const { return dense_; }
  // Whether many games in a row showed nothing new.
  [[nodiscard]] bool closed() const { return closed_; }
  // Numbers are below this. There is room for moves that nobody has seen yet, at the end.
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::vector<Action> actions() const;
  [[nodiscard]] std::optional<Action> action(std::int64_t number) const;

  // The numbers of the moves with these labels. A move that is seen for the first time takes the next one.
  tl::expected<void, runtime::Fault> find(runtime::Game& game, std::span<const std::uint64_t> labels,
                                          std::int64_t* numbers);
  // The label that a number stands for.
  [[nodiscard]] std::optional<std::uint64_t> label_of(std::int64_t number) const;
  // The place of the number among the labels, or nothing.
  [[nodiscard]] std::optional<std::size_t> place_of(std::int64_t number,
                                                    std::span<const std::uint64_t> labels) const;

private:
  [[nodiscard]] std::int64_t known(std::uint64_t label) const;
  tl::expected<void, runtime::Fault> learn(runtime::Game& game);
  void keep(std::uint64_t label, std::int32_t number);
  void make_room();

  bool dense_ = true, closed_ = false;
  std::int64_t size_ = 0;
  mutable std::shared_mutex mutex_; // of what follows: games of several threads see new moves
  std::vector<Action> actions_;
  struct Entry {
    std::uint64_t label = 0;
    std::int32_t number = -1;
  };
  std::vector<Entry> table_; // by the label's lowest bits, then the next free place; half of it is free
};

} // namespace boardwright::python
