#include "tools/python/state.hpp"

#include "runtime/game/inspect.hpp"

#include <algorithm>

namespace boardwright::python {

using runtime::Fault;

State::State(Shared shared, runtime::Game game) : shared_(std::move(shared)), game_(std::move(game)) {
  look_anew(game_, seen_);
}

State::Answer<Numbers> State::legal() {
  Numbers numbers;
  if (auto found = shared_.numbers->find(game_, numbers); !found)
    return tl::unexpected(std::move(found.error()));
  return numbers;
}

State::Answer<runtime::Move> State::move_of(std::int64_t action) {
  const auto numbers = legal();
  if (!numbers) return tl::unexpected(numbers.error());
  const auto place = std::find(numbers->begin(), numbers->end(), action);
  if (place == numbers->end())
    return tl::unexpected(Fault{"action " + std::to_string(action) + " isn't legal", 0});
  const auto moves = game_.moves();
  if (!moves) return tl::unexpected(moves.error());
  return (*moves)[static_cast<std::size_t>(place - numbers->begin())];
}

State::Answer<void> State::apply(std::int64_t action) {
  const auto move = move_of(action);
  if (!move) return tl::unexpected(move.error());
  auto text = game_.notation(*move);
  if (!text) return tl::unexpected(std::move(text.error()));
  if (auto played = game_.play(*move); !played) return played;
  history_.push_back(action);
  texts_.push_back(std::move(*text));
  look_after_move(game_, seen_);
  return {};
}

bool State::undo() {
  if (history_.empty() || !game_.undo()) return false;
  history_.pop_back();
  texts_.pop_back();
  runtime::Game before(game_);
  if (before.undo()) {
    look_anew(before, seen_);
    look_after_move(game_, seen_);
  } else {
    look_anew(game_, seen_);
  }
  return true;
}

State::Answer<std::string> State::text(std::int64_t action) {
  const auto move = move_of(action);
  if (!move) return tl::unexpected(move.error());
  return game_.notation(*move);
}

State::Answer<std::optional<std::int64_t>> State::find(std::string_view text) {
  const auto move = game_.find(text);
  if (!move) return tl::unexpected(move.error());
  if (!*move) return std::optional<std::int64_t>();
  const auto numbers = legal();
  if (!numbers) return tl::unexpected(numbers.error());
  return std::optional((*numbers)[(*move)->index()]);
}

State::Answer<Parts> State::parts(std::int64_t action) {
  const auto move = move_of(action);
  if (!move) return tl::unexpected(move.error());
  auto all = runtime::choices_of_moves(game_);
  if (!all) return tl::unexpected(std::move(all.error()));
  return std::move((*all)[move->index()]);
}

State::Answer<runtime::FromTo> State::cells(std::int64_t action) {
  const auto move = move_of(action);
  if (!move) return tl::unexpected(move.error());
  return game_.from_to(*move);
}

} // namespace boardwright::python
