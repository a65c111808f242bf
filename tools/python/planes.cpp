#include "tools/python/planes.hpp"

#include "runtime/model/piece_values.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace boardwright::python {

namespace {

using runtime::Position;
using runtime::Type;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

} // namespace

Planes::Planes(std::shared_ptr<const runtime::Rules> rules)
    : rules_(std::move(rules)), program_(rules_->program()), pieces_(program_),
      players_(program_.player_count()), ranks_(at(program_.board.ranks)), files_(at(program_.board.files)) {
  for (int cell = 0; cell < program_.board.cells; ++cell)
    place_.push_back(at(program_.board.y[at(cell)] - 1) * files_ + at(program_.board.x[at(cell)] - 1));
  add_pieces();
  add_hands();
  add_values();
  add_state();
  mover_ = names_.size();
  for (const auto& player : program_.players) add("player/" + player.name);
  last_ = add("last");
  repetitions_ = add("repetitions");
  board_ = add("board");
  if (program_.sight) add_unseen();
}

// Pieces whose kind isn't seen, by owner; cells of which nothing is seen.
void Planes::add_unseen() {
  for (int seat = 0; seat <= players_; ++seat) covered_.push_back(add("covered/" + seat_name(seat)));
  dark_ = add("dark");
}

std::size_t Planes::add(std::string name) {
  names_.push_back(std::move(name));
  return names_.size() - 1;
}

std::string Planes::seat_name(int seat) const {
  if (seat == players_) return "neutral";
  if (seat == 0) return "own";
  if (players_ == 2) return "other";
  return seat == 1 ? "next" : "next" + std::to_string(seat);
}

void Planes::add_pieces() {
  const auto exists = [&](int seat, int kind) {
    if (seat == players_) return pieces_.code_of(-1, kind) != 0;
    for (int player = 0; player < players_; ++player)
      if (pieces_.code_of(player, kind) != 0) return true;
    return false;
  };
  const auto add_all = [&](const std::string& prefix, std::vector<std::size_t>& planes) {
    for (int seat = 0; seat <= players_; ++seat)
      for (int kind = 0; kind < pieces_.kinds; ++kind)
        planes.push_back(
            exists(seat, kind) ? add(prefix + seat_name(seat) + '/' + program_.kinds[at(kind)].name) : kNone);
  };
  add_all("", top_);
  if (!program_.board.stacks) return;
  add_all("under/", under_);
  height_ = add("height");
}

void Planes::add_hands() {
  for (int seat = 0; seat < players_; ++seat)
    for (int kind = 0; kind < pieces_.kinds; ++kind) {
      Counted hand;
      for (int player = 0; player < players_; ++player)
        hand.index.push_back(
            program_.hand_slot.empty() ? -1 : program_.hand_slot[at(this->seat(player, seat))][at(kind)]);
      if (std::all_of(hand.index.begin(), hand.index.end(), [](int slot) { return slot < 0; })) continue;
      hand.plane = add("hand/" + seat_name(seat) + '/' + program_.kinds[at(kind)].name);
      hands_.push_back(std::move(hand));
    }
}

void Planes::add_values() {
  for (const auto& value : program_.piece_values) {
    needs_position_ = true;
    values_.push_back(names_.size());
    if (value.type != Type::directions) {
      add("value/" + value.name);
      continue;
    }
    for (const std::int16_t step : value.steps)
      add("value/" + value.name + '/' +
          runtime::points_of(program_.board.steps[static_cast<std::size_t>(step)]));
  }
}

// Variables of the same name are one for each player, in their order.
void Planes::add_state() {
  const auto& variables = program_.variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].plane >= 0) continue;
    needs_position_ = true;
    const int seat = std::max(variables[i].player, 0);
    Counted state;
    state.type = variables[i].type;
    if (variables[i].player < 0) {
      state.index.push_back(static_cast<int>(i));
      state.plane = add("state/" + variables[i].name);
    } else {
      for (int player = 0; player < players_; ++player)
        for (std::size_t k = 0; k < variables.size(); ++k)
          if (variables[k].name == variables[i].name && variables[k].player == this->seat(player, seat))
            state.index.push_back(static_cast<int>(k));
      state.plane = add("state/" + seat_name(seat) + '/' + variables[i].name);
    }
    state_.push_back(std::move(state));
  }
  for (int seat = 0; seat < players_ && players_ > 2; ++seat) {
    needs_position_ = true;
    Counted out;
    for (int player = 0; player < players_; ++player) out.index.push_back(this->seat(player, seat));
    out.plane = add("out/" + seat_name(seat));
    out_.push_back(std::move(out));
  }
}

void Planes::fill(std::size_t plane, float value, float* to) const {
  if (value == 0) return;
  float* const begin = to + plane * ranks_ * files_;
  for (const std::size_t place : place_) begin[place] = value;
}

void Planes::write_board(const Seen& seen, int player, float* to) const {
  const std::size_t plane = ranks_ * files_;
  const auto plane_of = [&](const std::vector<std::size_t>& planes, std::uint8_t code) {
    const int owner = pieces_.owner_of(code);
    const int seat = owner < 0 ? players_ : (owner - player + players_) % players_;
    return planes[at(seat * pieces_.kinds) + pieces_.kind[code]];
  };
  const bool stacks = program_.board.stacks;
  for (std::size_t cell = 0; cell < place_.size() && cell < seen.view.height.size(); ++cell) {
    const std::size_t height = seen.view.height[cell];
    if (height == 0) continue;
    to[plane_of(top_, seen.view.top(cell)) * plane + place_[cell]] = 1;
    if (!stacks) continue;
    to[height_ * plane + place_[cell]] = static_cast<float>(height);
    for (std::size_t level = 0; level + 1 < height; ++level)
      to[plane_of(under_, seen.view.codes[cell * seen.view.levels + level]) * plane + place_[cell]] += 1;
  }
  for (const std::int16_t cell : seen.last) to[last_ * plane + place_[static_cast<std::size_t>(cell)]] = 1;
  for (const Counted& hand : hands_)
    if (const int slot = hand.index[at(player)]; slot >= 0)
      fill(hand.plane, static_cast<float>(seen.view.hands[at(slot)]), to);
}

void Planes::write_values(const Position& position, float* to) const {
  const std::size_t plane = ranks_ * files_;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto& value = program_.piece_values[i];
    for (std::size_t cell = 0; cell < place_.size(); ++cell) {
      if (position.cells[cell].empty()) continue;
      const std::uint32_t code = runtime::code_on(value, position, static_cast<int>(cell));
      if (value.type != Type::directions) {
        to[values_[i] * plane + place_[cell]] =
            static_cast<float>(value.low + static_cast<std::int32_t>(code));
        continue;
      }
      for (std::size_t step = 0; step < value.steps.size(); ++step)
        to[(values_[i] + step) * plane + place_[cell]] = static_cast<float>(code >> step & 1);
    }
  }
}

void Planes::write_variable(const Counted& of, const Position& position, int player, int index,
                            float* to) const {
  const auto& value = position.variables[at(index)];
  if (of.type == Type::cells) {
    float* const begin = to + of.plane * ranks_ * files_;
    value.cells.each([&](int cell) {
      if (at(cell) < place_.size()) begin[place_[at(cell)]] = 1;
    });
    return;
  }
  const bool is_player = of.type == Type::player && value.number >= 0;
  fill(of.plane, static_cast<float>(is_player ? (value.number - player + players_) % players_ : value.number),
       to);
}

void Planes::write_state(const Position& position, int player, float* to) const {
  for (const Counted& state : state_) {
    const int index = state.index.size() == 1 ? state.index[0] : state.index[at(player)];
    write_variable(state, position, player, index, to);
  }
  for (const Counted& out : out_)
    fill(out.plane, static_cast<float>(position.out >> static_cast<unsigned>(out.index[at(player)]) & 1U),
         to);
}

void Planes::write(const runtime::Game& game, const Seen& seen, int player, float* to) const {
  if (program_.hides()) {
    const auto as_seen = runtime::sight::seen_by(*rules_, game.position(), player);
    if (as_seen) return write(*as_seen, player, to);
    return std::fill(to, to + size(), 0.0F);
  }
  std::fill(to, to + size(), 0.0F);
  fill(board_, 1, to);
  fill(mover_ + at(game.to_move()), 1, to);
  write_board(seen, player, to);
  if (needs_position_) {
    const Position position = game.position();
    write_values(position, to);
    write_state(position, player, to);
  }
  fill(repetitions_, static_cast<float>(game.repetitions()), to);
}

void Planes::write(const runtime::sight::Seen& seen, int player, float* to) const {
  std::fill(to, to + size(), 0.0F);
  fill(board_, 1, to);
  fill(mover_ + at(seen.position.to_move), 1, to);
  Position shown = seen.position;
  // How far a turn is, and what its plies keep for one another, isn't told to players.
  for (std::size_t v = 0; v < shown.variables.size(); ++v)
    if (!program_.is_told(seen.position, v)) shown.variables[v] = {};
  const std::size_t plane = ranks_ * files_;
  seen.dark.each([&](int cell) { to[dark_ * plane + place_[at(cell)]] = 1; });
  seen.covered.each([&](int cell) {
    for (const runtime::Piece& piece : shown.cells[at(cell)]) {
      const int seat = piece.owner < 0 ? players_ : (piece.owner - player + players_) % players_;
      to[covered_[at(seat)] * plane + place_[at(cell)]] += 1;
    }
    shown.cells[at(cell)].clear();
  });
  Seen as_seen;
  look_anew(runtime::Game(rules_, shown), as_seen);
  write_board(as_seen, player, to);
  write_values(shown, to);
  write_state(shown, player, to);
}

void look_after_move(const runtime::Game& game, Seen& seen) {
  seen.view.changed.clear();
  game.look(seen.view);
  seen.last = seen.view.changed;
}

void look_anew(const runtime::Game& game, Seen& seen) {
  game.look(seen.view);
  seen.last.clear();
}

void look_with_last_move(const runtime::Game& game, Seen& seen) {
  runtime::Game before(game);
  if (!before.undo()) return look_anew(game, seen);
  look_anew(before, seen);
  look_after_move(game, seen);
}

} // namespace boardwright::python
