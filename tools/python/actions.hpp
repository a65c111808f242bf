// Numbers for moves that stay the same from one position to the next, and from one run to the next.
#pragma once

#include "runtime/game/game.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace boardwright::python {

using Numbers = std::vector<std::int64_t>; // of moves(), in their order
using Parts = std::vector<std::int32_t>;   // the choices that make a move: see runtime::choices_of_moves

struct Action {
  Parts parts;
  std::string text; // how it was written where it was first seen; elsewhere it may be written otherwise
};

struct ExploreOptions {
  std::uint64_t seed = 1;
  std::size_t most_actions = 16384;
  const std::atomic<bool>* stop = nullptr; // set: the answer is a fault, soon
};

// The whole list of moves, and not, where the game's patience ended (Game::give_up_when), its beginning: then
// the answer is a fault.
[[nodiscard]] tl::expected<runtime::MoveList, runtime::Fault> all_moves(runtime::Game& game);

// Moves that are made of the same choices have the same number, and only those. Where the rules have some
// thousands of them the numbers are dense: 0, 1, … as random games come to them. Elsewhere a number is a hash
// of the choices.
class ActionNumbers {
public:
  using Answer = tl::expected<void, runtime::Fault>;
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
  // How many letters the longest of those has that were explored, or told. Where they aren't dense: enough
  // for most games.
  [[nodiscard]] std::size_t longest_text() const { return longest_text_; }

  // The numbers of the legal moves, instead of what `into` has. A move that is seen for the first time takes
  // the next one.
  Answer find(runtime::Game& game, Numbers& into);
  // The number of one of moves(), which must be there: the others are not looked up.
  [[nodiscard]] tl::expected<std::int64_t, runtime::Fault> find_one(runtime::Game& game, std::size_t place);

private:
  [[nodiscard]] bool known(const std::vector<std::uint64_t>& labels, Numbers& into) const;
  // -1: it isn't remembered. The caller holds the lock.
  [[nodiscard]] std::int64_t remembered(std::uint64_t label) const;
  Answer learn(runtime::Game& game, const std::vector<std::uint64_t>& labels, Numbers& into);
  void remember(std::uint64_t label, std::int64_t number);

  bool dense_ = true, closed_ = false;
  std::int64_t size_ = 0;
  std::size_t longest_text_ = 0;
  mutable std::shared_mutex mutex_; // of what follows: games of several threads see new moves
  std::vector<Action> actions_;
  std::map<Parts, std::int64_t> number_of_;
  // By label (Game::append_labels), which is quick to have: moves of the same label have the same choices. By
  // its lowest bits, then the next free place; half of it is free.
  struct Entry {
    std::uint64_t label = 0;
    std::int64_t number = -1;
  };
  std::vector<Entry> remembered_;
  std::size_t remembered_count_ = 0;
};

} // namespace boardwright::python
