#include "runtime/search/judge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace boardwright::runtime::search {

namespace {

// All pieces of a side are worth this much together before anything is learnt: 98 % against none.
constexpr float kWorthOfSide = 4;
// A side that begins with few pieces gets more, if the board is to be filled: then one for so many cells.
constexpr int kCellsForPiece = 4;
// How far a position's result moves what is known; later ones move it less.
constexpr float kFirstRate = 0.02F, kLastRate = 0.002F;
constexpr float kPositionsOfFirstRate = 200;
// Averages are of about so many positions.
constexpr double kMemory = 200;
constexpr float kWorthLimit = 8; // of one piece: more is certain

} // namespace

Judge::Judge(const Program& program)
    : players_(static_cast<int>(program.players.size())), kinds_(static_cast<int>(program.kinds.size())) {
  const std::size_t all = static_cast<std::size_t>((players_ + 1) * kinds_);
  begin_.assign(all, 0);
  for (const Stack& stack : program.initial.cells)
    for (const Piece piece : stack)
      ++begin_[begin_of(piece.owner < 0 ? players_ : piece.owner) + static_cast<std::size_t>(piece.kind)];
  for (int p = 0; p < players_; ++p)
    for (std::size_t k = 0; k < static_cast<std::size_t>(kinds_); ++k)
      if (const int slot = program.hand_slot[static_cast<std::size_t>(p)][k]; slot >= 0)
        begin_[begin_of(p) + k] += static_cast<float>(program.initial.hands[static_cast<std::size_t>(slot)]);
  const float pieces = std::accumulate(begin_.begin(), begin_.end(), 0.0F) / static_cast<float>(players_);
  const auto cells = static_cast<float>(program.board.cells) / kCellsForPiece;
  weight_.assign(all, kWorthOfSide / std::max({pieces, cells, 1.0F}));
  head_start_.assign(static_cast<std::size_t>(players_), 0);
  average_.fill(1.0F / static_cast<float>(players_));
}

// The more of them, the more: of whom it is one in e times as likely to win (a softmax).
Scores Judge::chances(const Pieces& pieces) const {
  Scores worth{};
  float most = 0;
  for (int p = 0; p < players_; ++p) {
    float& sum = worth[static_cast<std::size_t>(p)];
    sum = head_start_[static_cast<std::size_t>(p)];
    for (std::size_t k = begin_of(p); k < begin_of(p + 1); ++k)
      sum += weight_[k] * (static_cast<float>(pieces[k]) - begin_[k]);
    most = p == 0 ? sum : std::max(most, sum);
  }
  float all = 0;
  for (int p = 0; p < players_; ++p) {
    float& w = worth[static_cast<std::size_t>(p)];
    w = std::exp(w - most);
    all += w;
  }
  for (int p = 0; p < players_; ++p) worth[static_cast<std::size_t>(p)] /= all;
  return worth;
}

void Judge::note_skill(const Scores& told, const Scores& result) {
  const double keep = 1 - 1 / std::min(kMemory, static_cast<double>(positions_));
  double error = 0, of_average = 0;
  for (std::size_t p = 0; p < static_cast<std::size_t>(players_); ++p) {
    error += static_cast<double>((told[p] - result[p]) * (told[p] - result[p]));
    of_average += static_cast<double>((average_[p] - result[p]) * (average_[p] - result[p]));
    average_[p] += (result[p] - average_[p]) * static_cast<float>(1 - keep);
  }
  error_ = keep * error_ + (1 - keep) * error;
  error_of_average_ = keep * error_of_average_ + (1 - keep) * of_average;
}

void Judge::learn(const Pieces& pieces, const Scores& result) {
  ++positions_;
  const Scores told = chances(pieces);
  note_skill(told, result);
  const float rate =
      std::max(kLastRate, kFirstRate / (1 + static_cast<float>(positions_) / kPositionsOfFirstRate));
  for (int p = 0; p < players_; ++p) {
    const auto at = static_cast<std::size_t>(p);
    const float wrong = rate * (result[at] - told[at]);
    head_start_[at] = std::clamp(head_start_[at] + wrong, -kWorthLimit, kWorthLimit);
    for (std::size_t k = begin_of(p); k < begin_of(p + 1); ++k)
      weight_[k] = std::clamp(weight_[k] + wrong * (static_cast<float>(pieces[k]) - begin_[k]), -kWorthLimit,
                              kWorthLimit);
  }
}

double Judge::skill() const { return error_of_average_ <= 0 ? 0 : 1 - error_ / error_of_average_; }

} // namespace boardwright::runtime::search
