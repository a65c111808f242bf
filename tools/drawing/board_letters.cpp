// Boards drawn with letters, for a terminal that shows nothing else.
// Entry points: draw_board_letters, named_cells_text.
#include "tools/drawing/board_letters.hpp"

#include "tools/console/console.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/drawing/board_labels.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_scene.hpp"
#include "tools/drawing/board_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>
#include <optional>

namespace boardwright::tools {
namespace {

using runtime::Board;
using runtime::Position;
using runtime::Program;

constexpr std::array<const char*, 8> kPlayerColors = {"36", "33", "35", "32", "31", "34", "96", "93"};

std::string painted(const std::string& text, int player, bool color) {
  if (!color || player < 0) return text;
  return fmt::format("\x1b[1;{}m{}\x1b[0m",
                     kPlayerColors[static_cast<std::size_t>(player) % kPlayerColors.size()], text);
}

// Text at places of a grid; rows are written from the highest down.
class Canvas {
public:
  void put(int row, int column, std::string text, int player = -1) {
    rows_[row].push_back({column, std::move(text), player});
  }
  void label(int row, std::string text) { labels_[row] = std::move(text); }

  [[nodiscard]] std::string render(bool color) const {
    int left = std::numeric_limits<int>::max();
    std::size_t margin = 0;
    for (const auto& [row, marks] : rows_)
      for (const Mark& mark : marks) left = std::min(left, mark.column);
    for (const auto& [row, text] : labels_) margin = std::max(margin, text.size());
    std::string result;
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {
      const auto label = labels_.find(row->first);
      std::string line =
          margin == 0 ? "" : fmt::format("{:>{}}  ", label == labels_.end() ? "" : label->second, margin);
      result += finish(std::move(line), row->second, left, color);
    }
    return result;
  }

private:
  struct Mark {
    int column = 0;
    std::string text;
    int player = -1;
  };

  static std::string finish(std::string line, std::vector<Mark> marks, int left, bool color) {
    std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.column < b.column; });
    int column = left;
    for (const Mark& mark : marks) {
      if (mark.column > column) line.append(static_cast<std::size_t>(mark.column - column), ' ');
      column = std::max(column, mark.column) + static_cast<int>(mark.text.size());
      line += painted(mark.text, mark.player, color);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  }

  std::map<int, std::vector<Mark>> rows_;
  std::map<int, std::string> labels_;
};

std::string cell_text(const Program& program, const runtime::Stack& stack) {
  if (stack.empty()) return ".";
  const std::string letter(1, program.letter_of(stack.back()));
  return stack.size() == 1 ? letter : letter + std::to_string(stack.size());
}

// Where cells stand on the canvas.
struct Grid {
  const Board& board;
  int pitch = 2;          // columns from a cell to the next of its rank; even on hexes
  bool flipped = false;   // seen from the other side
  std::vector<int> seams; // columns that are left free before a file, by x as it is seen; may be empty
  bool upright = false;   // of hexes: each file is a column, half a cell above or below the next one

  [[nodiscard]] int x_of(std::size_t cell) const { return seen_x(board.x[cell]); }
  [[nodiscard]] int y_of(std::size_t cell) const { return seen_y(board.y[cell]); }
  // Where a file or rank is seen, and which one is seen there.
  [[nodiscard]] int seen_x(int x) const { return flipped ? board.files + 1 - x : x; }
  [[nodiscard]] int seen_y(int y) const { return flipped ? board.ranks + 1 - y : y; }

  [[nodiscard]] int lean(int by) const { return !board.hexes ? 0 : board.slant_right ? -by : by; }
  [[nodiscard]] int row(int x, int y) const { return upright ? 2 * y + lean(x) : y; }
  [[nodiscard]] int column(int x, int y) const {
    const int lean = upright ? 0 : this->lean(y); // in half cells
    const auto i = static_cast<std::size_t>(x);
    return x * pitch + lean * (pitch / 2) + (i < seams.size() ? seams[i] : 0);
  }
};

std::vector<int> seams_before(const Scene& scene, bool flipped) {
  const int files = scene.board().files;
  std::vector<int> seams(static_cast<std::size_t>(files) + 1, 0);
  for (int x = 1; x < files; ++x)
    seams[static_cast<std::size_t>(x) + 1] =
        seams[static_cast<std::size_t>(x)] + (scene.seam_behind_file(flipped ? files - x : x) ? 1 : 0);
  return seams;
}

int pitch_for(const Board& board, const Labels& labels, std::size_t widest, bool upright = false) {
  for (const auto& [x, label] : labels.file) widest = std::max(widest, label.size());
  const int pitch = static_cast<int>(widest) + 1;
  return board.hexes && !upright && pitch % 2 != 0 ? pitch + 1 : pitch;
}

// Below the lowest cell of each file; on squares all in one row.
void put_file_labels(Canvas& canvas, const Grid& grid, const Labels& labels) {
  const bool above = grid.upright && are_letters_above(labels, grid.flipped);
  std::map<int, int> ends;
  int bottom = grid.board.ranks;
  for (std::size_t i = 0; i < grid.board.name.size(); ++i) {
    const int y = grid.y_of(i);
    const auto place = ends.emplace(grid.x_of(i), y).first;
    place->second = above ? std::max(place->second, y) : std::min(place->second, y);
    bottom = std::min(bottom, y);
  }
  for (const auto& [x, y] : ends) {
    const int beyond = above ? y + 1 : (grid.board.hexes ? y : bottom) - 1;
    if (const auto label = labels.file.find(grid.seen_x(x)); label != labels.file.end())
      canvas.put(grid.row(x, beyond), grid.column(x, beyond), label->second);
  }
}

// In a margin beside the first cell of each rank; behind the last one where others stand before the first.
void put_rank_labels(Canvas& canvas, const Grid& grid, const Labels& labels) {
  const bool level = grid.board.hexes && !grid.upright;
  const bool right = level && labels.by_file() && are_labels_at_right(grid.board, grid.flipped);
  for (const RankEnd& end : rank_ends(labels, grid.board, right != grid.flipped)) {
    const auto cell = static_cast<std::size_t>(end.cell);
    const int x = grid.x_of(cell), y = grid.y_of(cell);
    if (right)
      canvas.put(y, grid.column(x + 1, y), end.text);
    else
      canvas.label(grid.row(x, y), end.text);
  }
}

std::string mixed_stacks(const Program& program, const Position& position) {
  const std::string stacks = mixed_stacks_text(program, position);
  return stacks.empty() ? "" : fmt::format("stacks, bottom to top: {}\n", stacks);
}

// Cells whose names the labels don't tell: with their file and rank, or, where there are no labels, as a
// picture.
std::string named_cells(const Board& board, const Labels& labels, bool flipped) {
  if (labels.others.empty()) return "";
  if (labels.file.empty()) {
    std::size_t widest = 1;
    for (const std::string& name : board.name) widest = std::max(widest, name.size());
    const Grid grid{board, pitch_for(board, labels, widest), flipped, {}, false};
    Canvas canvas;
    for (std::size_t i = 0; i < board.name.size(); ++i)
      canvas.put(grid.y_of(i), grid.column(grid.x_of(i), grid.y_of(i)), printable(board.name[i]));
    return "cells:\n" + canvas.render(false);
  }
  std::vector<std::string> items;
  for (const std::size_t i : labels.others) {
    const std::string place = labels.name(board.x[i], board.y[i]);
    items.push_back(fmt::format("{} at {}", printable(board.name[i]),
                                place.empty() ? fmt::format("{}, {}", board.x[i], board.y[i]) : place));
  }
  return fmt::format("named: {}\n", fmt::join(items, ", "));
}

std::string draw_letters(const Program& program, const Position& position, const DrawOptions& options,
                         const Labels& labels) {
  const Board& board = program.board;
  std::size_t widest = 1;
  for (const runtime::Stack& stack : position.cells)
    widest = std::max(widest, cell_text(program, stack).size());
  const Scene scene(program, options.look);
  const bool upright = scene.upright();
  const Grid grid{board, pitch_for(board, labels, widest, upright), options.flipped,
                  seams_before(scene, options.flipped), upright};
  Canvas canvas;
  for (std::size_t i = 0; i < position.cells.size(); ++i) {
    const runtime::Stack& stack = position.cells[i];
    const int x = grid.x_of(i), y = grid.y_of(i);
    canvas.put(grid.row(x, y), grid.column(x, y), cell_text(program, stack),
               stack.empty() ? -1 : stack.back().owner);
  }
  put_rank_labels(canvas, grid, labels);
  put_file_labels(canvas, grid, labels);
  return canvas.render(options.color);
}

// As much of the board as `rows` and the width have room for; nothing where all of it is drawn.
std::optional<std::string> part_in_letters(const BoardWindow& whole, const DrawOptions& options, int rows) {
  const BoardFrame frame = frame_of(Scene(whole.program(), whole.look()));
  const auto drawn = [&](const Rectangle& part, bool color) {
    const BoardWindow window(whole, part);
    DrawOptions seen = options;
    seen.look = window.look();
    seen.color = color;
    return lines_of(
        draw_letters(window.program(), window.position(), seen, frame_of_part(frame, window).labels));
  };
  const auto takes = [&](const Rectangle& part) {
    const auto lines = drawn(part, false);
    std::size_t widest = 0;
    for (const std::string& line : lines) widest = std::max(widest, line.size());
    return Room{static_cast<int>(widest), static_cast<int>(lines.size())};
  };
  const auto part = part_to_draw(whole, {options.width, rows}, *options.part, takes);
  if (!part) return std::nullopt;
  const auto lines = drawn(*part, options.color);
  const int below = frame.labels.file.empty() || whole.program().board.hexes ? 0 : 1; // letters of the files
  std::string text;
  for (const std::string& line :
       with_signs(lines, static_cast<int>(lines.size()) - below, whole, *part, options))
    text += line + "\n";
  return text;
}

} // namespace

std::string draw_board_letters(const Program& program, const Position& position, const DrawOptions& options) {
  const BoardWindow window(program, position, options.look, cells_of(options.marks));
  DrawOptions seen = options;
  seen.look = window.look();
  const std::string rest = options.rest ? describe_rest(program, position, options.look, options.over) : "";
  if (options.part != nullptr) {
    const int below = static_cast<int>(lines_of(rest).size()), rows = options.part->rows;
    if (auto part = part_in_letters(window, options, std::max(rows - below, rows / 2)))
      return *part + mixed_stacks(program, position) + rest;
  }
  const Labels labels = labels_of(window.program().board);
  return draw_letters(window.program(), window.position(), seen, labels) +
         mixed_stacks(window.program(), window.position()) +
         named_cells(window.program().board, labels, options.flipped) + rest;
}

std::string named_cells_text(const Board& board, bool flipped) {
  return named_cells(board, labels_of(board), flipped);
}

} // namespace boardwright::tools
