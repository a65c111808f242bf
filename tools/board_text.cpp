#include "tools/board_text.hpp"

#include "tools/console.hpp"
#include "tools/position_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// The labels of files and ranks, where the names of most cells are made of them.
struct Labels {
  std::map<int, std::string> file, rank; // by x, by y
  bool rank_first = false;
  std::string between;
  std::vector<std::size_t> others; // cells with names of their own

  [[nodiscard]] std::string name(int x, int y) const {
    const auto f = file.find(x), r = rank.find(y);
    if (f == file.end() || r == rank.end()) return {};
    return rank_first ? r->second + between + f->second : f->second + between + r->second;
  }
};

// `c7`: letters for the file, the rank's number behind them.
Labels lettered(const Board& board) {
  Labels labels;
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    const std::string rank = std::to_string(board.y[i]);
    const std::string& name = board.name[i];
    labels.rank[board.y[i]] = rank;
    const std::size_t letters = name.find_first_of("0123456789");
    if (letters == 0 || letters == std::string::npos || name.substr(letters) != rank) continue;
    labels.file.emplace(board.x[i], name.substr(0, letters));
  }
  return labels;
}

// `23` or `2_3`: the row from the top, then the column.
Labels numbered(const Board& board, const std::string& between) {
  Labels labels;
  labels.rank_first = true;
  labels.between = between;
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    labels.rank[board.y[i]] = std::to_string(board.ranks + 1 - board.y[i]);
    labels.file[board.x[i]] = std::to_string(board.x[i]);
  }
  return labels;
}

Labels labels_of(const Board& board) {
  std::array<Labels, 3> ways = {lettered(board), numbered(board, ""), numbered(board, "_")};
  for (Labels& way : ways)
    for (std::size_t i = 0; i < board.name.size(); ++i)
      if (way.name(board.x[i], board.y[i]) != board.name[i]) way.others.push_back(i);
  Labels& best = *std::min_element(ways.begin(), ways.end(), [](const Labels& a, const Labels& b) {
    return a.others.size() < b.others.size();
  });
  if (best.others.size() * 2 > board.name.size()) { // labels would mislead
    best.file.clear();
    best.rank.clear();
  }
  return std::move(best);
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
  int pitch = 2; // columns from a cell to the next of its rank; even on hexes

  [[nodiscard]] int column(int x, int y) const {
    const int lean = !board.hexes ? 0 : board.slant_right ? -y : y; // in half cells
    return x * pitch + lean * (pitch / 2);
  }
};

int pitch_for(const Board& board, const Labels& labels, std::size_t widest) {
  for (const auto& [x, label] : labels.file) widest = std::max(widest, label.size());
  const int pitch = static_cast<int>(widest) + 1;
  return board.hexes && pitch % 2 != 0 ? pitch + 1 : pitch;
}

// Below the lowest cell of each file; on squares all in one row.
void put_file_labels(Canvas& canvas, const Grid& grid, const Labels& labels) {
  std::map<int, int> lowest;
  int bottom = grid.board.ranks;
  for (std::size_t i = 0; i < grid.board.name.size(); ++i) {
    const int y = grid.board.y[i];
    const auto place = lowest.emplace(grid.board.x[i], y).first;
    place->second = std::min(place->second, y);
    bottom = std::min(bottom, y);
  }
  for (const auto& [x, y] : lowest) {
    const int row = (grid.board.hexes ? y : bottom) - 1;
    if (const auto label = labels.file.find(x); label != labels.file.end())
      canvas.put(row, grid.column(x, row), label->second);
  }
}

bool is_mixed(const runtime::Stack& stack) {
  return std::any_of(stack.begin(), stack.end(), [&](runtime::Piece piece) { return piece != stack.back(); });
}

std::string mixed_stacks(const Program& program, const Position& position) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < position.cells.size(); ++i)
    if (is_mixed(position.cells[i]))
      items.push_back(printable(program.board.name[i]) + " " + letters_of(program, position.cells[i]));
  return items.empty() ? "" : fmt::format("stacks, bottom to top: {}\n", fmt::join(items, ", "));
}

// Cells whose names the labels don't tell: with their file and rank, or, where there are no labels, as a
// picture.
std::string named_cells(const Board& board, const Labels& labels) {
  if (labels.others.empty()) return "";
  if (labels.file.empty()) {
    std::size_t widest = 1;
    for (const std::string& name : board.name) widest = std::max(widest, name.size());
    const Grid grid{board, pitch_for(board, labels, widest)};
    Canvas canvas;
    for (std::size_t i = 0; i < board.name.size(); ++i)
      canvas.put(board.y[i], grid.column(board.x[i], board.y[i]), printable(board.name[i]));
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

std::string value_text(const Program& program, runtime::Type type, const runtime::VariableValue& value) {
  switch (type) {
  case runtime::Type::truth: return value.number != 0 ? "true" : "false";
  case runtime::Type::kind:
    return value.number < 0 ? "none" : program.kinds[static_cast<std::size_t>(value.number)].name;
  case runtime::Type::player: return program.players[static_cast<std::size_t>(value.number)].name;
  case runtime::Type::cells: {
    std::vector<std::string> names;
    value.cells.each([&](int cell) { names.push_back(program.board.name[static_cast<std::size_t>(cell)]); });
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, " "));
  }
  default: return std::to_string(value.number);
  }
}

std::string hands_text(const Program& program, const Position& position) {
  std::vector<std::string> hands;
  for (std::size_t player = 0; player < program.players.size(); ++player) {
    std::vector<std::string> pieces;
    for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
      if (const int slot = program.hand_slot[player][kind]; slot >= 0)
        pieces.push_back(
            fmt::format("{} {}", position.hands[static_cast<std::size_t>(slot)], program.kinds[kind].name));
    if (!pieces.empty())
      hands.push_back(fmt::format("{}: {}", program.players[player].name, fmt::join(pieces, ", ")));
  }
  return hands.empty() ? "" : fmt::format("in hand: {}\n", fmt::join(hands, "; "));
}

std::string state_text(const Program& program, const Position& position) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    const std::string owner =
        variable.player < 0 ? "" : program.players[static_cast<std::size_t>(variable.player)].name + ".";
    items.push_back(fmt::format("{}{} = {}", owner, variable.name,
                                value_text(program, variable.type, position.variables[i])));
  }
  return items.empty() ? "" : fmt::format("state: {}\n", fmt::join(items, ", "));
}

std::string out_text(const Program& program, const Position& position) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((position.out >> i & 1U) != 0) names.push_back(program.players[i].name);
  return names.empty() ? "" : fmt::format("out: {}\n", fmt::join(names, ", "));
}

} // namespace

std::string draw_board(const Program& program, const Position& position, bool color) {
  const Board& board = program.board;
  const Labels labels = labels_of(board);
  std::size_t widest = 1;
  for (const runtime::Stack& stack : position.cells)
    widest = std::max(widest, cell_text(program, stack).size());
  const Grid grid{board, pitch_for(board, labels, widest)};
  Canvas canvas;
  for (std::size_t i = 0; i < position.cells.size(); ++i) {
    const runtime::Stack& stack = position.cells[i];
    canvas.put(board.y[i], grid.column(board.x[i], board.y[i]), cell_text(program, stack),
               stack.empty() ? -1 : stack.back().owner);
  }
  for (const auto& [y, label] : labels.rank) canvas.label(y, label);
  put_file_labels(canvas, grid, labels);
  return canvas.render(color) + mixed_stacks(program, position) + named_cells(board, labels);
}

std::string describe_rest(const Program& program, const Position& position) {
  return hands_text(program, position) + state_text(program, position) + out_text(program, position) +
         program.players[static_cast<std::size_t>(position.to_move)].name + " to move\n";
}

std::string player_text(const Program& program, int player, bool color) {
  return painted(program.players[static_cast<std::size_t>(player)].name, player, color);
}

} // namespace boardwright::tools
