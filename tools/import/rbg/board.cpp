#include "tools/import/rbg/game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace boardwright::tools {
namespace {

struct BoardRow {
  std::vector<int> cells; // piece, -1: no cell
  int line = 0;
};

class RbgBoardReader {
public:
  RbgBoardReader(const std::vector<RbgToken>& tokens, const std::vector<std::string>& pieces)
      : tokens_(tokens), pieces_(pieces) {}

  tl::expected<RbgBoard, ImportFault> read() {
    if (tokens_.empty()) return tl::unexpected(ImportFault{0, "", "`#board` is empty"});
    if (peek() == "rectangle" && peek(1) == "(")
      rectangle();
    else if (peek() == "hexagon" && peek(1) == "(")
      hexagon();
    else if (peek() == "cuboid" && peek(1) == "(")
      cuboid();
    else
      graph();
    if (!fault_ && at_ < tokens_.size()) fail(fmt::format("`{}` isn't expected here", peek()));
    if (!fault_) link();
    if (fault_) return tl::unexpected(*fault_);
    return board_;
  }

private:
  void fail(std::string message) {
    const int line = tokens_[std::min(at_, tokens_.size() - 1)].line;
    if (!fault_) fault_ = ImportFault{line, "", std::move(message)};
  }
  [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? std::string_view(tokens_[at_ + ahead].text) : "";
  }
  bool take(std::string_view sign) {
    if (peek() == sign) return ++at_, true;
    fail(fmt::format("`{}` is needed here", sign));
    return false;
  }
  std::string take_name(const char* what) {
    if (is_rbg_name(peek()) || is_rbg_number(peek())) return tokens_[at_++].text;
    fail(fmt::format("{} is needed here", what));
    return "";
  }

  int label(const std::string& name) {
    const auto found = std::find(board_.labels.begin(), board_.labels.end(), name);
    if (found != board_.labels.end()) return static_cast<int>(found - board_.labels.begin());
    if (board_.labels.size() >= kMostRbgLabels)
      fail(fmt::format("it has more than {} labels", kMostRbgLabels));
    board_.labels.push_back(name);
    return static_cast<int>(board_.labels.size()) - 1;
  }

  int piece() {
    const auto found = std::find(pieces_.begin(), pieces_.end(), peek());
    if (found == pieces_.end()) fail(fmt::format("`{}` is no piece", peek()));
    ++at_;
    return static_cast<int>(found - pieces_.begin());
  }

  void add(RbgVertex vertex) {
    if (board_.vertices.size() >= kMostRbgCells)
      return fail(fmt::format("it has more than {} cells", kMostRbgCells));
    board_.vertices.push_back(std::move(vertex));
  }

  // v[piece]{label: v, …}
  void graph() {
    while (at_ < tokens_.size() && !fault_) {
      RbgVertex vertex{"", 0, tokens_[at_].line, {}};
      vertex.name = take_name("the name of a cell");
      if (!take("[")) return;
      vertex.piece = piece();
      if (!take("]") || !take("{")) return;
      while (peek() != "}" && !fault_) {
        if (peek() == ",") {
          ++at_;
          continue;
        }
        const std::string name = take_name("the label of an edge");
        if (!take(":")) return;
        vertex.edges.emplace_back(label(name), take_name("the name of a cell"));
      }
      if (!take("}")) return;
      add(std::move(vertex));
    }
  }

  std::vector<int> directions(std::size_t count) {
    std::vector<int> labels;
    at_ += 2;
    for (std::size_t i = 0; i < count && !fault_; ++i) {
      labels.push_back(label(take_name("a direction")));
      take(",");
    }
    return labels;
  }

  BoardRow row() {
    BoardRow row{{}, at_ < tokens_.size() ? tokens_[at_].line : 0};
    if (!take("[")) return row;
    int cell = -1;
    for (;; ++at_) {
      if (fault_ || row.cells.size() > kMostRbgCells) return fail("this row is too long"), row;
      if (peek() == "]" || peek() == ",") {
        row.cells.push_back(cell);
        cell = -1;
        if (peek() == "]") break;
      } else {
        cell = piece();
        --at_;
      }
    }
    ++at_;
    return row;
  }
  std::vector<BoardRow> rows(std::string_view end) {
    std::vector<BoardRow> read;
    while (peek() == "[" && !fault_) {
      read.push_back(row());
      if (read.size() > kMostRbgCells) fail("it has too many rows");
      if (peek() == ",") ++at_;
    }
    take(end);
    return read;
  }

  // Cells by a place that has three numbers; edges lead from each to those at fixed distances.
  using Place = std::array<int, 3>;
  void lay(const std::map<Place, std::pair<std::string, std::pair<int, int>>>& cells,
           const std::vector<std::pair<int, Place>>& steps) {
    for (const auto& [place, cell] : cells) {
      RbgVertex vertex{cell.first, cell.second.first, cell.second.second, {}};
      for (const auto& [name, step] : steps) {
        const auto next = cells.find({place[0] + step[0], place[1] + step[1], place[2] + step[2]});
        if (next != cells.end()) vertex.edges.emplace_back(name, next->second.first);
      }
      add(std::move(vertex));
    }
  }

  void rectangle() {
    board_.shape = RbgShape::rectangle;
    const auto d = directions(4);
    const auto read = rows(")");
    if (fault_) return;
    std::map<Place, std::pair<std::string, std::pair<int, int>>> cells;
    for (int y = 0; y < static_cast<int>(read.size()); ++y)
      for (int x = 0; x < static_cast<int>(read[static_cast<std::size_t>(y)].cells.size()); ++x) {
        const BoardRow& line = read[static_cast<std::size_t>(y)];
        if (const int piece = line.cells[static_cast<std::size_t>(x)]; piece >= 0)
          cells[{0, y, x}] = {fmt::format("rx{}y{}", x, y), {piece, line.line}};
      }
    lay(cells, {{d[0], {0, -1, 0}}, {d[1], {0, 1, 0}}, {d[2], {0, 0, -1}}, {d[3], {0, 0, 1}}});
  }

  // Rows are centred: a cell is two halves wide, and each row half a cell beside the next.
  void hexagon() {
    board_.shape = RbgShape::hexagon;
    const auto d = directions(6);
    const auto read = rows(")");
    if (fault_) return;
    std::map<Place, std::pair<std::string, std::pair<int, int>>> cells;
    int left = 0;
    for (std::size_t y = 0; y < read.size(); ++y) {
      const auto& line = read[y];
      if (y > 0) {
        const auto before = static_cast<int>(read[y - 1].cells.size()),
                   now = static_cast<int>(line.cells.size());
        if (std::abs(now - before) != 1) {
          fault_ =
              ImportFault{line.line, "", "a row of a hexagon has one cell more or less than the one before"};
          return;
        }
        left += now > before ? -1 : 1;
      }
      for (std::size_t x = 0; x < line.cells.size(); ++x)
        if (line.cells[x] >= 0)
          cells[{0, static_cast<int>(y), left + 2 * static_cast<int>(x)}] = {fmt::format("hx{}y{}", x, y),
                                                                             {line.cells[x], line.line}};
    }
    lay(cells, {{d[0], {0, -1, -1}},
                {d[1], {0, -1, 1}},
                {d[2], {0, 0, 2}},
                {d[3], {0, 1, 1}},
                {d[4], {0, 1, -1}},
                {d[5], {0, 0, -2}}});
  }

  void cuboid() {
    board_.shape = RbgShape::cuboid;
    const auto d = directions(6);
    std::map<Place, std::pair<std::string, std::pair<int, int>>> cells;
    for (int z = 0; peek() == "[" && !fault_; ++z) {
      ++at_;
      const auto read = rows("]");
      if (peek() == ",") ++at_;
      for (std::size_t y = 0; y < read.size(); ++y)
        for (std::size_t x = 0; x < read[y].cells.size(); ++x)
          if (read[y].cells[x] >= 0)
            cells[{z, static_cast<int>(y), static_cast<int>(x)}] = {fmt::format("cx{}y{}z{}", x, y, z),
                                                                    {read[y].cells[x], read[y].line}};
      if (z > static_cast<int>(kMostRbgCells)) fail("it has too many layers");
    }
    if (!take(")")) return;
    lay(cells, {{d[0], {0, -1, 0}},
                {d[1], {0, 1, 0}},
                {d[2], {0, 0, -1}},
                {d[3], {0, 0, 1}},
                {d[4], {-1, 0, 0}},
                {d[5], {1, 0, 0}}});
  }

  void link() {
    std::map<std::string, int> known;
    for (const RbgVertex& vertex : board_.vertices)
      if (!known.emplace(vertex.name, static_cast<int>(known.size())).second)
        return fault(vertex.line, fmt::format("the cell `{}` is there twice", vertex.name));
    if (known.empty()) return fault(tokens_.front().line, "the board has no cells");
    board_.targets.assign(board_.labels.size(), std::vector<int>(board_.vertices.size(), -1));
    for (std::size_t v = 0; v < board_.vertices.size(); ++v)
      for (const auto& [name, target] : board_.vertices[v].edges) {
        const auto found = known.find(target);
        if (found == known.end())
          return fault(board_.vertices[v].line, fmt::format("there is no cell `{}`", target));
        int& leads = board_.targets[static_cast<std::size_t>(name)][v];
        if (leads >= 0)
          return fault(board_.vertices[v].line,
                       fmt::format("two edges of `{}` have the label `{}`", board_.vertices[v].name,
                                   board_.labels[static_cast<std::size_t>(name)]));
        leads = found->second;
      }
  }
  void fault(int line, std::string message) {
    if (!fault_) fault_ = ImportFault{line, "", std::move(message)};
  }

  const std::vector<RbgToken>& tokens_;
  const std::vector<std::string>& pieces_;
  std::size_t at_ = 0;
  RbgBoard board_;
  std::optional<ImportFault> fault_;
};

} // namespace

tl::expected<RbgBoard, ImportFault> read_rbg_board(const std::vector<RbgToken>& tokens,
                                                   const std::vector<std::string>& pieces) {
  return RbgBoardReader(tokens, pieces).read();
}

} // namespace boardwright::tools
