#include "runtime/sight/knowledge.hpp"

#include <fmt/format.h>

#include <utility>

namespace boardwright::runtime::sight {

tl::expected<std::string, Fault> observation(const Game& game, int player) {
  const Program& program = game.rules().program();
  const auto seen = seen_by(game.rules(), game.position(), player);
  if (!seen) return tl::unexpected(seen.error());
  return text_of(program, *seen);
}

tl::expected<Knowledge, Fault> knowledge_of(const Game& game, int player) {
  const std::vector<std::uint32_t> played = game.played();
  Game again = game;
  while (again.undo()) {
  }
  auto begin = seen_by(game.rules(), again.position(), player);
  if (!begin) return tl::unexpected(std::move(begin).error());
  Knowledge knowledge{std::move(*begin), {}};
  for (const std::uint32_t move : played) {
    const auto moves = again.moves();
    if (!moves) return tl::unexpected(moves.error());
    auto next = witnessed(again, (*moves)[move], player);
    if (!next) return tl::unexpected(std::move(next).error());
    knowledge.moves.push_back(std::move(*next));
  }
  return knowledge;
}

tl::expected<Witnessed, Fault> witnessed(Game& game, const Move& move, int player) {
  const Program& program = game.rules().program();
  const int mover = game.to_move();
  const bool chance = game.is_chance();
  const auto notation = game.notation(move);
  if (!notation) return tl::unexpected(notation.error());
  if (auto played = game.play(move); !played) return tl::unexpected(std::move(played).error());
  auto seen = seen_by(game.rules(), game.position(), player);
  if (!seen) return tl::unexpected(std::move(seen).error());
  return Witnessed{mover, chance, read_by(program, *notation, mover, player), std::move(*seen)};
}

std::string text_of(const Knowledge& knowledge, const Program& program) {
  std::string last = text_of(program, knowledge.begin);
  std::string text = last;
  for (const Witnessed& move : knowledge.moves) {
    text += fmt::format("\n{}: {}", program.players[static_cast<std::size_t>(move.mover)].name, move.read);
    std::string seen = text_of(program, move.seen);
    if (seen != last) text += " | " + seen;
    last = std::move(seen);
  }
  return text;
}

} // namespace boardwright::runtime::sight
