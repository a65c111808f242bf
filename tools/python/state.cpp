#include "tools/python/state.hpp"

#include "runtime/game/inspect.hpp"
#include "runtime/model/random.hpp"

#include <algorithm>

namespace boardwright::python {

using runtime::Fault;
using runtime::Game;
using runtime::Move;

namespace {

// Keys of the positions that a game has behind it.
std::vector<std::uint64_t> past_of(const Game& game) {
  std::vector<std::uint64_t> keys;
  if (game.length() == 0) return keys;
  Game before(game);
  while (before.undo()) keys.push_back(before.key());
  std::reverse(keys.begin(), keys.end());
  return keys;
}

} // namespace

bool Identity::same_as(const Identity& other) const {
  const runtime::Position &a = position, &b = other.position;
  return past == other.past && moves == other.moves && outcome == other.outcome && a.same_as(b) &&
         a.ply == b.ply && a.turns == b.turns;
}

std::uint64_t Identity::hash() const {
  std::uint64_t hash = runtime::mix(key);
  for (const std::uint64_t of : past) hash = runtime::chain(hash, of);
  return runtime::chain(hash, moves.size());
}

State::State(Shared shared, Game game)
    : shared_(std::move(shared)), game_(std::move(game)), past_(past_of(game_)) {
  look_anew(game_, seen_);
}

State::Answer<Numbers> State::legal() {
  Numbers numbers;
  if (auto found = shared_.numbers->find(game_, numbers); !found)
    return tl::unexpected(std::move(found.error()));
  return numbers;
}

State::Answer<Move> State::move_of(std::int64_t action) {
  const auto numbers = legal();
  if (!numbers) return tl::unexpected(numbers.error());
  const auto place = std::find(numbers->begin(), numbers->end(), action);
  if (place == numbers->end())
    return tl::unexpected(Fault{"action " + std::to_string(action) + " isn't legal", 0});
  const auto moves = all_moves(game_);
  if (!moves) return tl::unexpected(moves.error());
  return (*moves)[static_cast<std::size_t>(place - numbers->begin())];
}

State::Answer<std::optional<Move>> State::move_of(const KeptMove& kept) {
  const auto moves = all_moves(game_);
  if (!moves) return tl::unexpected(moves.error());
  if (kept.place < moves->size()) {
    const Move there = (*moves)[kept.place];
    auto text = game_.notation(there);
    if (!text) return tl::unexpected(std::move(text.error()));
    if (*text == kept.text) return std::optional(there);
  }
  const auto texts = game_.notations();
  if (!texts) return tl::unexpected(texts.error());
  const auto found = std::find(texts->begin(), texts->end(), kept.text);
  const bool only = found != texts->end() && std::find(found + 1, texts->end(), kept.text) == texts->end();
  if (!only) return std::optional<Move>();
  return std::optional((*moves)[static_cast<std::size_t>(found - texts->begin())]);
}

// What has been listed before has the same key whether or not its outcome is known: the game goes on there.
State::Answer<void> State::play(const Move& move, std::int64_t action) {
  auto text = game_.notation(move);
  if (!text) return tl::unexpected(std::move(text.error()));
  const std::uint64_t before = game_.key();
  if (auto played = game_.play(move); !played) return played;
  choice_.reset();
  past_.push_back(before);
  history_.push_back(action);
  kept_.push_back({std::move(*text), move.index()});
  look_after_move(game_, seen_);
  return {};
}

State::Answer<void> State::apply(std::int64_t action) {
  const auto move = move_of(action);
  if (!move) return tl::unexpected(move.error());
  return play(*move, action);
}

State::Answer<void> State::replay(const KeptMove& kept) {
  const auto move = move_of(kept);
  if (!move) return tl::unexpected(move.error());
  if (!*move) return tl::unexpected(Fault{"there is no legal move `" + kept.text + "`", 0});
  const auto number = shared_.numbers->find_one(game_, (*move)->index());
  if (!number) return tl::unexpected(number.error());
  return play(**move, *number);
}

State::Answer<std::int64_t> State::number_at(std::uint32_t place) {
  const auto moves = all_moves(game_);
  if (!moves) return tl::unexpected(moves.error());
  if (place >= moves->size()) return tl::unexpected(Fault{"there is no such move", 0});
  return shared_.numbers->find_one(game_, place);
}

State::Answer<void> State::play_at(std::uint32_t place) {
  const auto number = number_at(place);
  if (!number) return tl::unexpected(number.error());
  return play((*all_moves(game_))[place], *number);
}

State::Answer<void> State::begin_parts() {
  if (choice_) return {};
  auto begun = PartChoice::begin(game_, shared_.part_base);
  if (!begun) return tl::unexpected(std::move(begun.error()));
  choice_ = std::move(*begun);
  return {};
}

State::Answer<Symbols> State::legal_parts() {
  if (auto begun = begin_parts(); !begun) return tl::unexpected(std::move(begun.error()));
  return choice_->legal();
}

State::Answer<bool> State::choose_part(Symbol symbol) {
  if (auto begun = begin_parts(); !begun) return tl::unexpected(std::move(begun.error()));
  PartChoice next = *choice_;
  const auto whole = next.choose(symbol);
  if (!whole) return tl::unexpected(Fault{"part " + std::to_string(symbol) + " isn't legal", 0});
  if (*whole) {
    if (auto played = play_at(next.place()); !played) return tl::unexpected(std::move(played.error()));
  } else {
    choice_ = std::move(next);
  }
  return *whole;
}

bool State::undo() {
  if (history_.empty() || !game_.undo()) return false;
  choice_.reset();
  history_.pop_back();
  kept_.pop_back();
  past_.pop_back();
  look_with_last_move(game_, seen_);
  return true;
}

State::Answer<std::string> State::text(std::int64_t action) {
  const auto move = move_of(action);
  if (!move) return tl::unexpected(move.error());
  return game_.notation(*move);
}

State::Answer<std::optional<std::int64_t>> State::find(std::string_view text) {
  if (const auto moves = all_moves(game_); !moves) return tl::unexpected(moves.error());
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

// Also says whether the game is over: a move that decides it is a part of the key once that is known.
State::Answer<Identity> State::identity() {
  auto how = outcome();
  if (!how) return tl::unexpected(std::move(how.error()));
  Identity identity{game_.position(), *how, past_, {}, game_.key()};
  for (const KeptMove& kept : kept_) identity.moves.push_back(kept.text);
  return identity;
}

} // namespace boardwright::python
