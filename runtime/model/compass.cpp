#include "runtime/model/compass.hpp"
#include "runtime/model/index.hpp"

#include <algorithm>
#include <cstdlib>

namespace boardwright::runtime {

namespace {

[[nodiscard]] std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; }
[[nodiscard]] std::int64_t floor_div(std::int64_t a, std::int64_t b) { return (a - floor_mod(a, b)) / b; }

} // namespace

Compass::Compass(const Board& board) : board_(board) {
  const int steps = static_cast<int>(board.steps.size());
  make_turns();
  for (int s = 0; s < steps; ++s) {
    opposite.push_back(static_cast<std::int16_t>(back(s)));
    std::vector<std::int16_t>& all = spins.emplace_back();
    if (is_track(s)) continue;
    const Vector v = vector_of(s);
    for (const Vector start : {v, Vector{v.y, v.x}})
      for (int degrees = 0; degrees < 360; degrees += board.hexes ? 60 : 90)
        if (const int spun_to = step_of(turned(start, degrees)); spun_to >= 0)
          all.push_back(static_cast<std::int16_t>(spun_to));
  }
}

void Compass::make_turns() {
  if (board_.hexes) {
    unit_ = 60;
    turns_ = 6;
  }
  for (int turn = 0; turn < turns_; ++turn)
    for (int step = 0; step < static_cast<int>(board_.steps.size()); ++step)
      turned_.push_back(
          static_cast<std::int16_t>(is_track(step) ? -1 : step_of(turned(vector_of(step), turn * unit_))));
}

int Compass::turned_step(int step, std::int32_t degrees) const {
  const std::int64_t turn = floor_mod(floor_div(degrees, unit_), turns_);
  return turned_[at(turn) * board_.steps.size() + at(step)];
}

int Compass::back(int step) const {
  const Step& s = board_.steps[at(step)];
  if (s.track < 0) return step_of({-s.dx, -s.dy});
  for (std::size_t i = 0; i < board_.steps.size(); ++i)
    if (board_.steps[i].track == s.track && board_.steps[i].reversed != s.reversed)
      return static_cast<int>(i);
  return -1;
}

Compass::Vector Compass::vector_of(int step) const {
  return {board_.steps[at(step)].dx, board_.steps[at(step)].dy};
}

Compass::Vector Compass::sixth(Vector v) const {
  return board_.slant_right ? Vector{v.y, v.y - v.x} : Vector{v.x + v.y, -v.x};
}

// An eighth turn keeps the larger coordinate; what is neither straight nor diagonal has none.
Compass::Vector Compass::turned(Vector v, std::int64_t degrees) const {
  if (board_.hexes) {
    for (std::int64_t i = floor_mod(floor_div(degrees, 60), 6); i > 0; --i) v = sixth(v);
    return v;
  }
  for (std::int64_t i = floor_mod(floor_div(degrees, 90), 4); i > 0; --i) v = {v.y, -v.x};
  if (floor_mod(floor_div(degrees, 45), 2) == 0) return v;
  if (v.x != 0 && v.y != 0 && std::abs(v.x) != std::abs(v.y)) return {};
  const std::int64_t length = std::max(std::abs(v.x), std::abs(v.y));
  return {std::clamp(v.x + v.y, -length, length), std::clamp(v.y - v.x, -length, length)};
}

int Compass::step_of(Vector v) const {
  if (std::abs(v.x) > kMaxCells || std::abs(v.y) > kMaxCells || (v.x == 0 && v.y == 0)) return -1;
  return board_.step_by(static_cast<int>(v.x), static_cast<int>(v.y));
}

int Compass::sum(int a, int b) const {
  if (is_track(a) || is_track(b)) return -1;
  const Vector v = vector_of(a), w = vector_of(b);
  return step_of({v.x + w.x, v.y + w.y});
}

int Compass::multiple(std::int64_t factor, int step) const {
  if (is_track(step)) return -1;
  const Vector v = vector_of(step);
  return step_of({factor * v.x, factor * v.y});
}

StepSet Compass::opposites(const StepSet& steps) const {
  StepSet found;
  steps.each([&](int s) {
    if (opposite[at(s)] >= 0) found.set(opposite[at(s)]);
  });
  return found;
}

StepSet Compass::turned(const StepSet& steps, std::int32_t degrees) const {
  StepSet found;
  steps.each([&](int s) {
    if (const int t = turned_step(s, degrees); t >= 0) found.set(t);
  });
  return found;
}

StepSet Compass::spun(const StepSet& steps) const {
  StepSet found;
  steps.each([&](int s) {
    for (const int t : spins[at(s)]) found.set(t);
  });
  return found;
}

StepSet Compass::sums(const StepSet& a, const StepSet& b) const {
  StepSet found;
  a.each([&](int s) {
    b.each([&](int t) {
      if (const int both = sum(s, t); both >= 0) found.set(both);
    });
  });
  return found;
}

StepSet Compass::multiples(std::int64_t factor, const StepSet& steps) const {
  StepSet found;
  steps.each([&](int s) {
    if (const int m = multiple(factor, s); m >= 0) found.set(m);
  });
  return found;
}

std::vector<Compass::Multiple> Compass::multiples_of(int step) const {
  std::vector<Multiple> found;
  const Vector v = vector_of(step);
  if (is_track(step) || (v.x == 0 && v.y == 0)) return found;
  for (int m = 0; m < static_cast<int>(board_.steps.size()); ++m) {
    if (is_track(m)) continue;
    const Vector w = vector_of(m);
    const std::int64_t factor = v.x != 0 ? w.x / v.x : w.y / v.y;
    if (w.x == factor * v.x && w.y == factor * v.y) found.push_back({static_cast<int>(factor), m});
  }
  return found;
}

int Compass::beyond_all_multiples() const {
  int most = 1;
  for (const Step& s : board_.steps) most = std::max({most, std::abs(s.dx) + 1, std::abs(s.dy) + 1});
  return most;
}

StepSet Compass::multiples(const StepSet& steps, bool never_negative) const {
  StepSet found;
  steps.each([&](int s) {
    for (const Multiple& m : multiples_of(s))
      if (!never_negative || m.factor > 0) found.set(m.step);
  });
  return found;
}

} // namespace boardwright::runtime
