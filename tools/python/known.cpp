#include "tools/python/known.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::python {

namespace {

using runtime::Fault;

constexpr std::size_t kBits = 8;

} // namespace

KnownRows::KnownRows(const Shared& shared, std::size_t most_moves)
    : shared_(shared), most_moves_(most_moves),
      players_(static_cast<std::size_t>(shared.rules->program().player_count())),
      letters_(shared.numbers->longest_text()),
      columns_(1 + players_ + 1 + kBits * letters_ + shared.planes->size()) {}

tl::expected<void, Fault> KnownRows::write_move(const runtime::sight::Witnessed& move, int player,
                                                float* to) const {
  if (move.read.size() > letters_)
    return tl::unexpected(Fault{
        fmt::format("the move `{}` is read by more than {} letters: explore with more of them, or take the "
                    "text",
                    move.read, letters_),
        0});
  const auto players = static_cast<int>(players_);
  const std::size_t mover =
      move.chance ? players_ : static_cast<std::size_t>((move.mover - player + players) % players);
  to[1 + mover] = 1;
  float* const letters = to + 1 + players_ + 1;
  for (std::size_t i = 0; i < move.read.size(); ++i)
    for (std::size_t bit = 0; bit < kBits; ++bit)
      letters[i * kBits + bit] = static_cast<float>(static_cast<unsigned char>(move.read[i]) >> bit & 1U);
  return {};
}

tl::expected<void, Fault> KnownRows::write(const runtime::Game& game, int player, float* to) const {
  std::fill(to, to + rows() * columns_, 0.0F);
  if (game.played().size() > most_moves_)
    return tl::unexpected(Fault{fmt::format("the game has more than {} moves", most_moves_), 0});
  const auto known = runtime::sight::knowledge_of(game, player);
  if (!known) return tl::unexpected(known.error());
  const auto write_seen = [&](const runtime::sight::Seen& seen, float* row) {
    row[0] = 1;
    shared_.planes->write(seen, player, row + columns_ - shared_.planes->size());
  };
  write_seen(known->begin, to);
  for (const runtime::sight::Witnessed& move : known->moves) {
    to += columns_;
    if (auto written = write_move(move, player, to); !written) return written;
    write_seen(move.seen, to);
  }
  return {};
}

} // namespace boardwright::python
