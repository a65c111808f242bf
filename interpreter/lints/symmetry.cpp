#include "interpreter/lints/symmetry.hpp"

#include "runtime/model/piece_values.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace boardwright::interpreter {
namespace {

using runtime::Board;

// What becomes of (x, y), where a file or rank n is as far from the other edge as this.
enum class Turn : std::uint8_t { half, over, across, diagonal, counter_diagonal };

// Of hexes: what becomes of a displacement from the middle. Each turns the board over along one of its six
// axes.
struct Over {
  int xx, xy, yx, yy; // x' = xx * x + xy * y, y' = yx * x + yy * y
};

// With slant right, where the third axis is north + east; with slant left y is counted the other way.
constexpr std::array<Over, 6> kOver{
    {{0, 1, 1, 0}, {0, -1, -1, 0}, {1, 0, 1, -1}, {-1, 0, -1, 1}, {1, -1, 0, -1}, {-1, 1, 0, 1}}};

std::optional<Image> image_over(const Board& board, const Over& over) {
  Image image;
  const int slant = board.slant_right ? 1 : -1;
  for (int cell = 0; cell < board.cells; ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    const int x = 2 * board.x[c] - board.files - 1, y = slant * (2 * board.y[c] - board.ranks - 1); // doubled
    const int to_x = over.xx * x + over.xy * y, to_y = slant * (over.yx * x + over.yy * y);
    const int twice_x = to_x + board.files + 1, twice_y = to_y + board.ranks + 1;
    if (twice_x % 2 != 0 || twice_y % 2 != 0) return std::nullopt;
    const int to = board.cell_at(twice_x / 2, twice_y / 2);
    if (to == runtime::kNowhere) return std::nullopt;
    image.push_back(to);
  }
  return image;
}

// Does a displacement of one to the north (or, not upright, to the east) lead back?
bool reverses(const Over& over, bool upright) {
  return upright ? over.yy == -1 && over.xy == 0 : over.xx == -1 && over.yx == 0;
}

std::optional<Image> image_by(const Board& board, Turn turn) {
  Image image;
  for (int cell = 0; cell < board.cells; ++cell) {
    const int x = board.x[static_cast<std::size_t>(cell)], y = board.y[static_cast<std::size_t>(cell)];
    const int across = board.files + 1 - x, over = board.ranks + 1 - y;
    int to = runtime::kNowhere;
    switch (turn) {
    case Turn::half: to = board.cell_at(across, over); break;
    case Turn::over: to = board.cell_at(x, over); break;
    case Turn::across: to = board.cell_at(across, y); break;
    case Turn::diagonal: to = board.cell_at(y, x); break;
    case Turn::counter_diagonal: to = board.cell_at(over, across); break;
    }
    if (to == runtime::kNowhere) return std::nullopt;
    image.push_back(to);
  }
  return image;
}

} // namespace

std::vector<Image> images_of(const Board& board, bool upright, bool any) {
  std::vector<Image> images;
  const auto add = [&](Turn turn) {
    if (auto image = image_by(board, turn)) images.push_back(std::move(*image));
  };
  add(Turn::half);
  if (!board.hexes && (upright || any)) add(Turn::over);
  if (!board.hexes && (!upright || any)) add(Turn::across);
  if (board.hexes)
    for (const Over& over : kOver)
      if (any || reverses(over, upright))
        if (auto image = image_over(board, over)) images.push_back(std::move(*image));
  if (!any || board.hexes || board.files != board.ranks) return images;
  add(Turn::diagonal);
  add(Turn::counter_diagonal);
  return images;
}

runtime::CellSet image_of(const Image& image, const runtime::CellSet& cells) {
  runtime::CellSet result;
  cells.each([&](int cell) { result.set(image[static_cast<std::size_t>(cell)]); });
  return result;
}

std::vector<Lacking> lacking(const Image& image, const runtime::Position& position, bool swapped) {
  std::vector<Lacking> result;
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell) {
    runtime::Stack there = position.cells[static_cast<std::size_t>(image[cell])];
    for (runtime::Piece& piece : there)
      if (swapped && (piece.owner == 0 || piece.owner == 1))
        piece.owner = static_cast<std::int8_t>(1 - piece.owner);
    const runtime::Stack& here = position.cells[cell];
    if (!here.empty() && here != there) result.push_back({static_cast<int>(cell), there.empty()});
  }
  return result;
}

namespace {

// By direction of a value: which one it becomes in the image.
std::optional<std::vector<unsigned>> directions_in(const Board& board, const runtime::PieceValue& value,
                                                   const Image& image) {
  std::vector<unsigned> turned;
  for (const std::int16_t s : value.steps) {
    const runtime::Step& step = board.steps[static_cast<std::size_t>(s)];
    int dx = 0, dy = 0;
    for (std::size_t c = 0; c < image.size() && dx == 0 && dy == 0; ++c) {
      const int next = board.cell_at(board.x[c] + step.dx, board.y[c] + step.dy);
      if (next < 0) continue;
      const auto from = static_cast<std::size_t>(image[c]);
      const auto to = static_cast<std::size_t>(image[static_cast<std::size_t>(next)]);
      dx = board.x[to] - board.x[from], dy = board.y[to] - board.y[from];
    }
    unsigned found = 0;
    for (const std::int16_t one : value.steps) {
      const runtime::Step& candidate = board.steps[static_cast<std::size_t>(one)];
      if (candidate.dx == dx && candidate.dy == dy) break;
      ++found;
    }
    if (found == value.steps.size()) return std::nullopt;
    turned.push_back(found);
  }
  return turned;
}

} // namespace

runtime::CellSet unlike_values(const runtime::Program& program, const runtime::PieceValue& value,
                               const Image& image, const runtime::Position& position) {
  const auto turned = directions_in(program.board, value, image);
  runtime::CellSet unlike;
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell) {
    if (position.cells[cell].empty()) continue;
    const std::uint32_t code = runtime::code_on(value, position, static_cast<int>(cell));
    std::uint32_t wanted = code;
    if (value.type == runtime::Type::player && code < 2) wanted = 1 - code;
    if (value.type == runtime::Type::directions) {
      wanted = 0;
      for (std::size_t bit = 0; turned && bit < turned->size(); ++bit)
        if ((code >> bit & 1U) != 0) wanted |= 1U << (*turned)[bit];
    }
    if (!turned || runtime::code_on(value, position, image[cell]) != wanted)
      unlike.set(static_cast<int>(cell));
  }
  return unlike;
}

} // namespace boardwright::interpreter
