#include "interpreter/board/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace boardwright::interpreter {

namespace {

// Clockwise from the north.
constexpr std::array<Vector, 8> kWheel{
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

int wheel_position(Vector v) {
  const auto* found = std::find(kWheel.begin(), kWheel.end(), v);
  return static_cast<int>(found - kWheel.begin());
}

// Board files beyond z go on like a spreadsheet's: aa, ab, …
std::string file_letters(int x, const std::string& left_out) {
  std::string alphabet;
  for (char letter = 'a'; letter <= 'z'; ++letter)
    if (left_out.find(letter) == std::string::npos) alphabet += letter;
  const int count = static_cast<int>(alphabet.size());
  std::string letters;
  for (int n = x; n > 0; n = (n - 1) / count)
    letters.insert(letters.begin(), alphabet[static_cast<std::size_t>((n - 1) % count)]);
  return letters;
}

Vector hex_turned_once(Vector v, bool slant_right) {
  return slant_right ? Vector{v.dy, v.dy - v.dx} : Vector{v.dx + v.dy, -v.dx};
}

} // namespace

std::string place_name(int x, int y, int files, int ranks, bool row_column, const std::string& left_out) {
  if (!row_column) return file_letters(x, left_out) + std::to_string(y);
  // Up to ten by ten, row and column side by side can't be misread.
  const bool digits = files <= 10 && ranks <= 10;
  return std::to_string(ranks + 1 - y) + (digits ? "" : "_") + std::to_string(x);
}

void Geometry::name_places() {
  names_.assign(shape.size(), "");
  by_name_.clear();
  std::vector<int> below(static_cast<std::size_t>(files) + 1,
                         0); // cells of a file so far, from the lowest on
  for (int y = 1; y <= ranks; ++y) {
    for (int x = 1; x <= files; ++x) {
      const Place p{x, y};
      if (!in_shape(p)) continue;
      const int number = names_by_file ? ++below[static_cast<std::size_t>(x)] : y;
      std::string name = place_name(x, number, files, ranks, row_column_names, letters_left_out);
      names_[index(p)] = name;
      by_name_.emplace(std::move(name), p);
    }
  }
  if (endless()) by_name_.emplace("origin", origin());
}

std::optional<Place> Geometry::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

std::string Geometry::cells_instead_of(const std::string& name) const {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number = std::find_if_not(name.begin(), name.end(), is_letter);
  const std::string file(name.begin(), number);
  const bool like_a_cell = !file.empty() && number != name.end() && std::all_of(number, name.end(), is_digit);
  if (row_column_names || !like_a_cell) return "";
  std::optional<Place> lowest, highest, first, last;
  for (int x = 1; x <= files; ++x)
    for (int y = 1; y <= ranks; ++y) {
      const Place p{x, y};
      if (!in_shape(p)) continue;
      if (!first) first = p;
      last = p;
      if (file_letters(x, letters_left_out) != file) continue;
      if (!lowest) lowest = p;
      highest = p;
    }
  if (!first) return "";
  if (!lowest) return fmt::format("the cells go from `{}` to `{}`", this->name(*first), this->name(*last));
  return fmt::format("the cells of file `{}` go from `{}` to `{}`", file, this->name(*lowest),
                     this->name(*highest));
}

void Geometry::forget_name(Place p) {
  by_name_.erase(names_[index(p)]);
  names_[index(p)].clear();
}

void Geometry::rename(Place p, const std::string& name) {
  names_[index(p)] = name;
  by_name_[name] = p;
}

std::optional<Place> Geometry::leads_along_lines(Place from, Vector by) const {
  const int length = std::max(std::abs(by.dx), std::abs(by.dy));
  if (length == 0 || by.dx % length != 0 || by.dy % length != 0) return std::nullopt;
  const Vector unit{by.dx / length, by.dy / length};
  Place p = from;
  for (int i = 0; i < length; ++i) {
    const auto next = lines->find({p, unit});
    if (next == lines->end()) return std::nullopt;
    p = next->second;
  }
  return is_cell(p) ? std::optional(p) : std::nullopt;
}

std::optional<Place> Geometry::leads(Place from, Vector by) const {
  if (lines) return leads_along_lines(from, by);
  Place p{from.x + by.dx, from.y + by.dy};
  if (endless()) {
    const auto wrapped = [](int n, int count) { return ((n - 1) % count + count) % count + 1; };
    return Place{wrapped(p.x, files), wrapped(p.y, ranks)};
  }
  while (in_shape(p)) {
    if (is_cell(p)) return p;
    if (!over_holes) return std::nullopt;
    p = {p.x + by.dx, p.y + by.dy};
  }
  return std::nullopt;
}

std::vector<std::vector<Place>> Geometry::sides() const {
  const int middle = (files + 1) / 2;
  const auto third = [&](Place p) {
    const int slant = slant_right ? -1 : 1;
    return p.x + slant * p.y - (1 + slant) * middle;
  };
  std::vector<std::vector<Place>> result(hexagon ? 6 : 4);
  const auto add = [&](std::size_t side, Place p, bool belongs) {
    if (belongs && is_cell(p)) result[side].push_back(p);
  };
  for (int y = 1; y <= ranks; ++y) {
    for (int x = 1; x <= files; ++x) {
      const Place p{x, y};
      if (!in_shape(p)) continue;
      add(0, p, y == ranks);
      add(1, p, x == files);
      add(2, p, y == 1);
      add(3, p, x == 1);
      if (!hexagon) continue;
      add(4, p, third(p) == middle - 1);
      add(5, p, third(p) == 1 - middle);
    }
  }
  return result;
}

std::vector<Vector> Geometry::adjacent() const {
  std::vector<Vector> result{kWheel[0], kWheel[2], kWheel[4], kWheel[6]};
  if (hexes) {
    const int slant = slant_right ? -1 : 1;
    result.push_back({-slant, 1});
    result.push_back({slant, -1});
  }
  return result;
}

std::vector<Vector> Geometry::diagonal() const {
  if (!hexes) return {kWheel[1], kWheel[3], kWheel[5], kWheel[7]};
  // Between two neighbouring directions of the six: their sum.
  const auto six = adjacent();
  const std::set<Vector> near(six.begin(), six.end());
  std::set<Vector> result;
  for (const Vector a : six) {
    for (const Vector b : six) {
      const Vector v{a.dx + b.dx, a.dy + b.dy};
      if (v != Vector{} && a != b && !near.contains(v)) result.insert(v);
    }
  }
  return {result.begin(), result.end()};
}

std::vector<Vector> Geometry::axes() const {
  if (hexes) return {{0, 1}, {1, 0}, {slant_right ? 1 : -1, 1}};
  return {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};
}

Vector Geometry::turned(Vector v, std::int64_t degrees) const {
  const auto steps = [degrees](std::int64_t unit, std::int64_t full) {
    const std::int64_t whole = degrees / unit - (degrees % unit < 0 ? 1 : 0);
    return (whole % full + full) % full;
  };
  if (hexes) {
    for (std::int64_t i = steps(60, 6); i > 0; --i) v = hex_turned_once(v, slant_right);
    return v;
  }
  for (std::int64_t i = steps(90, 4); i > 0; --i) v = {v.dy, -v.dx};
  if (steps(45, 8) % 2 == 0) return v;
  // Half a quarter turn keeps the larger coordinate: only straight and diagonal steps have one.
  const int length = std::max(std::abs(v.dx), std::abs(v.dy));
  if (length == 0 || v.dx % length != 0 || v.dy % length != 0) return {};
  const Vector unit =
      kWheel[static_cast<std::size_t>((wheel_position({v.dx / length, v.dy / length}) + 1) % 8)];
  return {unit.dx * length, unit.dy * length};
}

std::vector<Vector> Geometry::spins(Vector v) const {
  std::set<Vector> result;
  for (const Vector w : {v, Vector{v.dy, v.dx}}) {
    if (!hexes) {
      for (const int a : {1, -1})
        for (const int b : {1, -1}) result.insert({w.dx * a, w.dy * b});
      continue;
    }
    Vector t = w;
    for (int i = 0; i < 6; ++i) {
      result.insert(t);
      t = hex_turned_once(t, slant_right);
    }
  }
  return {result.begin(), result.end()};
}

Place Geometry::mirrored(Place p, Vector first, Vector other) const {
  if (first == other) return p;
  if (other == Vector{-first.dx, -first.dy}) {
    if (hexes) return {files + 1 - p.x, ranks + 1 - p.y};
    return first.dy != 0 ? Place{p.x, ranks + 1 - p.y} : Place{files + 1 - p.x, p.y};
  }
  return first.dx + first.dy == other.dx + other.dy ? Place{p.y, p.x}
                                                    : Place{files + 1 - p.y, ranks + 1 - p.x};
}

runtime::Board Geometry::make_board(bool stacks) const {
  runtime::Board board;
  board.hexes = hexes;
  board.stacks = stacks;
  board.slant_right = slant_right;
  board.files = files;
  board.ranks = ranks;
  board.reach = reach;
  board.at.assign(shape.size(), runtime::kNowhere);
  for (int y = 1; y <= ranks; ++y) {
    for (int x = 1; x <= files; ++x) {
      const Place p{x, y};
      if (!is_cell(p)) continue;
      board.at[index(p)] = static_cast<std::int16_t>(board.cells);
      board.all.set(board.cells);
      const std::string& cell = name(p);
      if (!cell.empty() && cell.size() < 9 &&
          std::all_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; }))
        board.numbered.emplace_back(std::atoi(cell.c_str()), static_cast<std::int16_t>(board.cells));
      board.name.push_back(cell);
      board.x.push_back(x);
      board.y.push_back(y);
      ++board.cells;
    }
  }
  if (endless()) board.origin = board.at[index(origin())];
  for (const auto& track : tracks) board.tracks.push_back(track.first);
  return board;
}

int intern_step(runtime::Board& board, const Geometry& geometry, Vector by) {
  if (by == Vector{}) return -1;
  const int known = board.step_by(by.dx, by.dy);
  if (known >= 0) return known;
  if (board.steps.size() >= static_cast<std::size_t>(runtime::kMaxSteps)) return -1;
  runtime::Step step;
  step.dx = by.dx;
  step.dy = by.dy;
  step.round = geometry.endless();
  step.to.reserve(static_cast<std::size_t>(board.cells));
  for (int c = 0; c < board.cells; ++c) {
    const auto cell = static_cast<std::size_t>(c);
    const auto to = geometry.leads({board.x[cell], board.y[cell]}, by);
    step.to.push_back(to ? board.at[geometry.index(*to)] : runtime::kNowhere);
  }
  board.steps.push_back(std::move(step));
  return static_cast<int>(board.steps.size()) - 1;
}

int intern_track(runtime::Board& board, const Geometry& geometry, int track, bool reversed) {
  for (std::size_t i = 0; i < board.steps.size(); ++i)
    if (board.steps[i].track == track && board.steps[i].reversed == reversed) return static_cast<int>(i);
  if (board.steps.size() >= static_cast<std::size_t>(runtime::kMaxSteps)) return -1;
  runtime::Step step;
  step.track = track;
  step.reversed = reversed;
  step.to.assign(static_cast<std::size_t>(board.cells), runtime::kNowhere);
  const auto& places = geometry.tracks[static_cast<std::size_t>(track)].second;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const auto a = board.at[geometry.index(places[i])], b = board.at[geometry.index(places[i + 1])];
    if (a == runtime::kNowhere || b == runtime::kNowhere) continue;
    step.to[static_cast<std::size_t>(reversed ? b : a)] = reversed ? a : b;
  }
  board.steps.push_back(std::move(step));
  return static_cast<int>(board.steps.size()) - 1;
}

} // namespace boardwright::interpreter
