#include "tools/import/rbg/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace boardwright::tools {
namespace {

using Offset = std::pair<int, int>; // files to the east, ranks to the north
using Steps = std::vector<std::optional<Offset>>;
using Spots = std::vector<Offset>; // of each vertex

// A board that is wider is begun anew above.
constexpr int kWidth = 24;
// So many different steps a game may have (dsl/README.md, limits); other directions need some, too.
constexpr std::size_t kMostTracks = 400;

std::string plain(const std::string& label) {
  std::string text;
  for (const char c : label)
    if (c != '_') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const std::map<std::string, Offset>& square_steps() {
  static const std::map<std::string, Offset> kSteps{
      {"up", {0, 1}},         {"north", {0, 1}},      {"n", {0, 1}},           {"down", {0, -1}},
      {"south", {0, -1}},     {"s", {0, -1}},         {"left", {-1, 0}},       {"west", {-1, 0}},
      {"w", {-1, 0}},         {"right", {1, 0}},      {"east", {1, 0}},        {"e", {1, 0}},
      {"upleft", {-1, 1}},    {"leftup", {-1, 1}},    {"northwest", {-1, 1}},  {"nw", {-1, 1}},
      {"upright", {1, 1}},    {"rightup", {1, 1}},    {"northeast", {1, 1}},   {"ne", {1, 1}},
      {"downleft", {-1, -1}}, {"leftdown", {-1, -1}}, {"southwest", {-1, -1}}, {"sw", {-1, -1}},
      {"downright", {1, -1}}, {"rightdown", {1, -1}}, {"southeast", {1, -1}},  {"se", {1, -1}}};
  return kSteps;
}

// On hexes north-east is north, and north-west between north and west.
const std::map<std::string, Offset>& hex_steps() {
  static const std::map<std::string, Offset> kSteps{
      {"e", {1, 0}},   {"east", {1, 0}},       {"w", {-1, 0}},  {"west", {-1, 0}},
      {"ne", {0, 1}},  {"northeast", {0, 1}},  {"sw", {0, -1}}, {"southwest", {0, -1}},
      {"nw", {-1, 1}}, {"northwest", {-1, 1}}, {"se", {1, -1}}, {"southeast", {1, -1}}};
  return kSteps;
}

Steps steps_by_name(const RbgBoard& board, const std::map<std::string, Offset>& known) {
  Steps steps(board.labels.size());
  for (std::size_t l = 0; l < steps.size(); ++l)
    if (const auto found = known.find(plain(board.labels[l])); found != known.end()) steps[l] = found->second;
  return steps;
}

bool named_like_hexes(const RbgBoard& board) {
  const auto has = [&](std::initializer_list<const char*> names) {
    return std::any_of(board.labels.begin(), board.labels.end(), [&](const std::string& label) {
      return std::find(names.begin(), names.end(), plain(label)) != names.end();
    });
  };
  return has({"nw", "northwest"}) && has({"e", "east"}) && !has({"n", "north", "up"});
}

// A part of the graph that hangs together by labels whose steps are known.
bool place_part(const RbgBoard& board, const Steps& steps, int first, Spots& spots, std::vector<int>& part,
                std::vector<bool>& placed) {
  std::map<Offset, int> taken{{{0, 0}, first}};
  std::vector<int> waiting{first};
  placed[static_cast<std::size_t>(first)] = true;
  spots[static_cast<std::size_t>(first)] = {0, 0};
  part.push_back(first);
  const auto visit = [&](int vertex, Offset spot) {
    const auto v = static_cast<std::size_t>(vertex);
    if (placed[v]) return spots[v] == spot;
    if (!taken.emplace(spot, vertex).second) return false;
    placed[v] = true;
    spots[v] = spot;
    waiting.push_back(vertex);
    part.push_back(vertex);
    return true;
  };
  while (!waiting.empty()) {
    const int vertex = waiting.back();
    waiting.pop_back();
    const Offset spot = spots[static_cast<std::size_t>(vertex)];
    for (std::size_t l = 0; l < steps.size(); ++l) {
      if (!steps[l]) continue;
      const auto& targets = board.targets[l];
      if (const int to = targets[static_cast<std::size_t>(vertex)];
          to >= 0 && !visit(to, {spot.first + steps[l]->first, spot.second + steps[l]->second}))
        return false;
      for (std::size_t from = 0; from < targets.size(); ++from)
        if (targets[from] == vertex &&
            !visit(static_cast<int>(from), {spot.first - steps[l]->first, spot.second - steps[l]->second}))
          return false;
    }
  }
  return true;
}

void move_to(Spots& spots, const std::vector<int>& part, Offset by) {
  for (const int vertex : part) {
    auto& spot = spots[static_cast<std::size_t>(vertex)];
    spot = {spot.first + by.first, spot.second + by.second};
  }
}

std::pair<Offset, Offset> corners_of(const Spots& spots, const std::vector<int>& part) {
  Offset low = spots[static_cast<std::size_t>(part.front())], high = low;
  for (const int vertex : part) {
    const auto& [x, y] = spots[static_cast<std::size_t>(vertex)];
    low = {std::min(low.first, x), std::min(low.second, y)};
    high = {std::max(high.first, x), std::max(high.second, y)};
  }
  return {low, high};
}

// Parts lie side by side with a free file or rank between them, so that no step leads from one to the other.
std::optional<Spots> place(const RbgBoard& board, const Steps& steps) {
  Spots spots(board.vertices.size());
  std::vector<bool> placed(board.vertices.size(), false);
  int x = 0, y = 0, top = 0;
  for (std::size_t v = 0; v < placed.size(); ++v) {
    if (placed[v]) continue;
    std::vector<int> part;
    if (!place_part(board, steps, static_cast<int>(v), spots, part, placed)) return std::nullopt;
    const auto [low, high] = corners_of(spots, part);
    const int width = high.first - low.first + 1, height = high.second - low.second + 1;
    if (x > 0 && x + width > kWidth) x = 0, y = top + 1;
    move_to(spots, part, {x - low.first, y - low.second});
    x += width + 1;
    top = std::max(top, y + height);
  }
  return spots;
}

// "rx3y0": such names say where cells lie.
std::optional<Spots> place_by_names(const RbgBoard& board) {
  Spots spots;
  std::set<Offset> taken;
  for (const RbgVertex& vertex : board.vertices) {
    const auto y = vertex.name.rfind('y'), x = y == std::string::npos ? y : vertex.name.rfind('x', y);
    if (x == std::string::npos) return std::nullopt;
    const std::string file = vertex.name.substr(x + 1, y - x - 1), rank = vertex.name.substr(y + 1);
    if (!is_rbg_number(file) || !is_rbg_number(rank) || file.size() > 2 || rank.size() > 2)
      return std::nullopt;
    spots.emplace_back(std::stoi(file), -std::stoi(rank));
    if (!taken.insert(spots.back()).second) return std::nullopt;
  }
  return spots;
}

// In rows, as the file has them.
Spots place_anyhow(const RbgBoard& board) {
  const auto count = static_cast<int>(board.vertices.size());
  const int width = static_cast<int>(std::ceil(std::sqrt(count)));
  Spots spots;
  for (int v = 0; v < count; ++v) spots.emplace_back(v % width, -(v / width));
  return spots;
}

bool fits(const Spots& spots) {
  std::vector<int> all(spots.size());
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
  const auto [low, high] = corners_of(spots, all);
  const int files = high.first - low.first + 1, ranks = high.second - low.second + 1;
  return files <= kMostFiles && ranks <= kMostRanks && files * ranks <= static_cast<int>(kMostRbgCells);
}

std::string step_text(Offset step) {
  const auto part = [](int n, const char* plus, const char* minus) -> std::string {
    const char* name = n > 0 ? plus : minus;
    return n == 0 ? "" : std::abs(n) == 1 ? name : fmt::format("{} * {}", std::abs(n), name);
  };
  const std::string north = part(step.second, "north", "south"), east = part(step.first, "east", "west");
  return north.empty() ? east : east.empty() ? north : north + " + " + east;
}

class RbgLayouter {
public:
  RbgLayouter(const RbgBoard& board, RbgNames& names) : board_(board), names_(names) {}

  tl::expected<RbgLayout, ImportFault> lay() {
    const Spots spots = choose();
    std::vector<int> all(spots.size());
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
    const auto [low, high] = corners_of(spots, all);
    layout_.size = {high.first - low.first + 1, high.second - low.second + 1};
    for (const auto& [x, y] : spots) layout_.cells.emplace_back(y - low.second + 1, x - low.first + 1);
    for (std::size_t v = 0; v < layout_.cells.size(); ++v) vertices_[layout_.cells[v]] = static_cast<int>(v);
    for (std::size_t l = 0; l < board_.labels.size(); ++l)
      if (!unused(l) && !direction(l) && !tracks(l))
        return tl::unexpected(ImportFault{
            0, board_.labels[l],
            "edges from cells to themselves, or too many that are no direction, can't be carried over"});
    return layout_;
  }

private:
  Spots choose() {
    layout_.hexes = true;
    if (board_.shape == RbgShape::hexagon && board_.labels.size() == 6) {
      const Steps roles{Offset{-1, 1}, Offset{0, 1},  Offset{1, 0},
                        Offset{1, -1}, Offset{0, -1}, Offset{-1, 0}};
      if (auto spots = place(board_, roles); spots && fits(*spots)) return *spots;
    }
    if (named_like_hexes(board_))
      if (auto spots = place(board_, steps_by_name(board_, hex_steps())); spots && fits(*spots))
        return *spots;
    layout_.hexes = false;
    if (auto spots = place(board_, steps_by_name(board_, square_steps())); spots && fits(*spots))
      return *spots;
    if (board_.shape == RbgShape::rectangle && board_.labels.size() == 4) {
      const Steps roles{Offset{0, 1}, Offset{0, -1}, Offset{-1, 0}, Offset{1, 0}};
      if (auto spots = place(board_, roles); spots && fits(*spots)) return *spots;
    }
    if (auto spots = place_by_names(board_); spots && fits(*spots)) return *spots;
    return place_anyhow(board_);
  }

  // On a board of one row nothing leads up.
  bool unused(std::size_t label) {
    const auto& targets = board_.targets[label];
    if (std::any_of(targets.begin(), targets.end(), [](int target) { return target >= 0; })) return false;
    layout_.directions.emplace_back("nowhere");
    return true;
  }

  // A label is a direction if it leads equally far from everywhere, wherever there is a cell.
  bool direction(std::size_t label) {
    const auto& targets = board_.targets[label];
    std::optional<Offset> step;
    for (std::size_t v = 0; v < targets.size(); ++v) {
      if (targets[v] < 0) continue;
      const auto &from = layout_.cells[v], &to = layout_.cells[static_cast<std::size_t>(targets[v])];
      const Offset found{to.second - from.second, to.first - from.first};
      if (step && *step != found) return false;
      step = found;
    }
    if (!step || *step == Offset{0, 0}) return false;
    for (std::size_t v = 0; v < targets.size(); ++v) {
      const auto& [rank, file] = layout_.cells[v];
      const auto found = vertices_.find({rank + step->second, file + step->first});
      if ((found == vertices_.end() ? -1 : found->second) != targets[v]) return false;
    }
    layout_.directions.push_back(step_text(*step));
    return true;
  }

  // Its edges as chains, none of which has a cell twice but for the first one of a ring.
  bool tracks(std::size_t label) {
    const auto& targets = board_.targets[label];
    std::vector<bool> entered(targets.size(), false), used(targets.size(), false);
    for (std::size_t v = 0; v < targets.size(); ++v) {
      if (targets[v] == static_cast<int>(v)) return false;
      if (targets[v] >= 0) entered[static_cast<std::size_t>(targets[v])] = true;
    }
    std::vector<std::vector<int>> chains;
    for (const bool inside : {false, true})
      for (std::size_t v = 0; v < targets.size(); ++v)
        if (entered[v] == inside && targets[v] >= 0 && !used[v])
          chains.push_back(chain(static_cast<int>(v), targets, used));
    if (chains.empty() || layout_.tracks.size() + chains.size() > kMostTracks) return false;
    const std::string name = names_.take(board_.labels[label]);
    layout_.directions.push_back(name);
    if (chains.size() == 1) return layout_.tracks.push_back({name, chains.front()}), true;
    std::vector<std::string> parts;
    for (auto& vertices : chains) {
      parts.push_back(names_.take(fmt::format("{}_{}", name, parts.size() + 1)));
      layout_.tracks.push_back({parts.back(), std::move(vertices)});
    }
    layout_.definitions.emplace_back(name, fmt::format("{}", fmt::join(parts, " | ")));
    return true;
  }

  static std::vector<int> chain(int first, const std::vector<int>& targets, std::vector<bool>& used) {
    std::vector<int> vertices{first};
    for (int at = first; targets[static_cast<std::size_t>(at)] >= 0 && !used[static_cast<std::size_t>(at)];) {
      const int next = targets[static_cast<std::size_t>(at)];
      const bool again = std::find(vertices.begin(), vertices.end(), next) != vertices.end();
      if (again && next != first) break;
      used[static_cast<std::size_t>(at)] = true;
      vertices.push_back(next);
      if (again) break;
      at = next;
    }
    return vertices;
  }

  const RbgBoard& board_;
  RbgNames& names_;
  RbgLayout layout_;
  std::map<std::pair<int, int>, int> vertices_;
};

} // namespace

CellSet RbgLayout::holes() const {
  CellSet free;
  for (int rank = 1; rank <= size.ranks; ++rank)
    for (int file = 1; file <= size.files; ++file) free.insert({rank, file});
  for (const auto& cell : cells) free.erase(cell);
  return free;
}

std::string RbgLayout::cells_text(const CellSet& set) const {
  if (set.size() == cells.size()) return "board";
  return tools::cells_text(set, size);
}

tl::expected<RbgLayout, ImportFault> lay_out(const RbgBoard& board, RbgNames& names) {
  return RbgLayouter(board, names).lay();
}

} // namespace boardwright::tools
