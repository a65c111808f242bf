#include "tools/drawing/move_drawing.hpp"

#include <cctype>
#include <utility>

namespace boardwright::tools {

std::vector<int> cells_named(const runtime::Program& program, const std::string& notation) {
  std::vector<int> cells;
  std::string word;
  const auto finish = [&] {
    const int cell = word.empty() ? -1 : program.board.cell_named(word);
    if (cell >= 0) cells.push_back(cell);
    word.clear();
  };
  for (const char c : notation) {
    const bool in_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    // `d4xe5`: the sign of a capture is a letter, too.
    if (!in_word || (c == 'x' && program.board.cell_named(word) >= 0))
      finish();
    else
      word += c;
  }
  finish();
  return cells;
}

tl::expected<std::vector<int>, runtime::Fault> path_of(runtime::Game& game, const runtime::Move& move) {
  const auto ends = game.from_to(move);
  if (!ends) return tl::unexpected(ends.error());
  const auto notation = game.notation(move);
  if (!notation) return tl::unexpected(notation.error());
  std::vector<int> path = cells_named(game.rules().program(), *notation);
  if (path.size() >= 2 && path.front() == ends->from && path.back() == ends->to) return path;
  path.clear();
  if (ends->from >= 0) path.push_back(ends->from);
  if (ends->to >= 0) path.push_back(ends->to);
  return path;
}

tl::expected<MoveDrawing, runtime::Fault> drawing_of(runtime::Game& game, const runtime::Move& move) {
  auto path = path_of(game, move);
  if (!path) return tl::unexpected(path.error());
  MoveDrawing drawing;
  drawing.path = std::move(*path);
  const runtime::Position before = game.position();
  if (const auto played = game.play(move); !played) return tl::unexpected(played.error());
  drawing.taken = marks_between(before, game.position()).taken;
  static_cast<void>(game.undo());
  return drawing;
}

} // namespace boardwright::tools
