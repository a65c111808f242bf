// One game, asked by action numbers.
#pragma once

#include "runtime/game/game.hpp"
#include "tools/python/actions.hpp"
#include "tools/python/planes.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::python {

// What its rules have for all their games.
struct Shared {
  std::shared_ptr<const runtime::Rules> rules;
  std::shared_ptr<ActionNumbers> numbers;
  std::shared_ptr<const Planes> planes;
};

class State {
public:
  template <class T>
  using Answer = tl::expected<T, runtime::Fault>;
  State(Shared shared, runtime::Game game);

  [[nodiscard]] const Shared& shared() const { return shared_; }
  [[nodiscard]] const runtime::Game& game() const { return game_; }
  [[nodiscard]] const Seen& seen() const { return seen_; }
  [[nodiscard]] int players() const { return shared_.rules->program().player_count(); }
  // The actions played since the beginning, and how they were written.
  [[nodiscard]] const std::vector<std::int64_t>& history() const { return history_; }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

  Answer<std::optional<runtime::Outcome>> outcome() { return game_.outcome(); }
  Answer<Numbers> legal();
  Answer<void> apply(std::int64_t action);
  bool undo();
  Answer<std::string> text(std::int64_t action);
  Answer<std::optional<std::int64_t>> find(std::string_view text);
  Answer<Parts> parts(std::int64_t action);
  Answer<runtime::FromTo> cells(std::int64_t action);

private:
  Answer<runtime::Move> move_of(std::int64_t action);

  Shared shared_;
  runtime::Game game_;
  Seen seen_;
  std::vector<std::int64_t> history_;
  std::vector<std::string> texts_;
};

} // namespace boardwright::python
