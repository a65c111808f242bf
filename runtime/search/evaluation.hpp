// Judges positions, one after the other: features are followed from one to the next by the cells that change.
//
// Following and counting are one piece of code (Follower), so what is learnt is what is played with.
#pragma once

#include "runtime/model/board_view.hpp"
#include "runtime/search/features.hpp"
#include "runtime/search/network.hpp"
#include "runtime/search/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::runtime::search {

// What a follower keeps of a position. `Sink` has add(player, feature, times), and what lies where, whoever
// looks: on_top(code, cell, times), below(code, cell, times) and in_hand(slot, times).
template <class Sink>
class Follower {
public:
  Follower(const Features& features, Sink& sink) : f_(features), sink_(sink) {
    top_.assign(f_.cells(), 0);
    hands_.assign(f_.hands(), 0);
    in_row_.resize(f_.rows().size());
    ahead_.assign(static_cast<std::size_t>(f_.players() * (f_.most_progress() + 1)), 0);
    leader_.assign(static_cast<std::size_t>(f_.players()), 0);
    for (int p = 0; p < f_.players(); ++p) sink_.add(p, f_.of(p).leader, 1), sink_.add(p, f_.of(p).side, 1);
    of_code_ = f_.pieces().of_code.data();
    for (std::size_t code = 0; code < f_.pieces().of_code.size(); ++code)
      owner_index_.push_back(static_cast<std::uint8_t>(index_of(owner_of(static_cast<std::uint8_t>(code)))));
  }

  void follow(const Game& game) {
    game.look(view_);
    const bool stacks = view_.levels > 1;
    if (stacks && before_.codes.empty()) {
      before_.levels = view_.levels;
      before_.codes.assign(view_.codes.size(), 0);
      before_.height.assign(view_.height.size(), 0);
    }
    for (const std::int16_t cell : view_.changed) {
      const auto c = static_cast<std::size_t>(cell);
      const std::uint8_t now = view_.top(c);
      if (stacks) {
        count_stack(before_, c, -1);
        count_stack(view_, c, 1);
        before_.height[c] = view_.height[c];
        std::copy_n(view_.codes.begin() + static_cast<std::ptrdiff_t>(c * view_.levels), view_.height[c],
                    before_.codes.begin() + static_cast<std::ptrdiff_t>(c * view_.levels));
      }
      if (!f_.values().empty()) count_values(c, top_[c], -1); // by what it carried when it was looked at last
      if (now != top_[c]) put(c, now);
      if (!f_.values().empty()) keep_values(c), count_values(c, now, 1);
    }
    for (std::size_t slot = 0; slot < hands_.size(); ++slot)
      if (const int more = view_.hands[slot] - hands_[slot]; more != 0) {
        hands_[slot] = view_.hands[slot];
        if (f_.hand(slot) >= 0) sink_.add(f_.hand_owner(slot), f_.hand(slot), more);
        sink_.in_hand(slot, more);
      }
    for (int p = 0; p < f_.players(); ++p) follow_leader(p);
  }

  [[nodiscard]] int owner(std::size_t cell) const { return owner_of(top_[cell]); }

private:
  [[nodiscard]] int owner_of(std::uint8_t code) const { return code == 0 ? kNone : of_code_[code].owner; }
  static constexpr int kNone = -2; // -1 is neutral

  void put(std::size_t c, std::uint8_t now) {
    const std::uint8_t was = top_[c];
    if (was != 0) sink_.on_top(was, c, -1);
    if (now != 0) sink_.on_top(now, c, 1);
    const int old_owner = owner_of(was), owner = owner_of(now);
    if (old_owner >= 0) count(c, was, old_owner, -1);
    if (owner != old_owner) {
      count_neighbours(c, old_owner, owner);
      for (const std::int32_t row : f_.rows_through(c))
        count_row(static_cast<std::size_t>(row), old_owner, owner);
    }
    top_[c] = now;
    if (owner >= 0) count(c, now, owner, 1);
  }

  void count(std::size_t c, std::uint8_t code, int owner, int times) {
    sink_.add(owner, f_.piece(code), times);
    sink_.add(owner, f_.place(code, c), times);
    ahead_[static_cast<std::size_t>(owner * (f_.most_progress() + 1) + f_.progress(owner, c))] += times;
  }

  void keep_values(std::size_t c) {
    if (carried_.empty()) carried_.assign(view_.values.size(), 0);
    for (std::size_t k = c; k < carried_.size(); k += f_.cells()) carried_[k] = view_.values[k];
  }
  void count_values(std::size_t c, std::uint8_t code, int times) {
    const int owner = owner_of(code);
    for (const Features::Value& value : f_.values()) {
      if (owner < 0) return;
      const std::uint32_t carried = carried_[value.number * f_.cells() + c];
      const int* const features = value.features.data() + code * value.options;
      if (!value.directions) {
        if (carried < value.options) sink_.add(owner, features[carried], times);
        continue;
      }
      for (std::size_t k = 0; k < value.options; ++k)
        if ((carried >> k & 1U) != 0) sink_.add(owner, features[k], times);
    }
  }

  // What the neighbours of a cell count for whose owner changes: they stay as they are.
  void count_neighbours(std::size_t c, int old_owner, int owner) {
    const auto count_them = [&](const std::vector<std::int16_t>& cells, bool beside) {
      std::array<int, kMostOwners> of{}; // neighbours by owner
      for (const std::int16_t other : cells) ++of[owner_index_[top_[static_cast<std::size_t>(other)]]];
      tell_neighbours(of, old_owner, -1, beside);
      tell_neighbours(of, owner, 1, beside);
    };
    count_them(f_.around(c).beside, true);
    count_them(f_.around(c).corner, false);
  }

  static constexpr std::size_t kMostOwners = kMostPlayers + 2; // kNone, neutral, players
  [[nodiscard]] static std::size_t index_of(int owner) { return static_cast<std::size_t>(owner - kNone); }

  void tell_neighbours(const std::array<int, kMostOwners>& of, int owner, int times, bool beside) {
    const auto free = [&](int player) {
      return beside ? f_.of(player).beside_free : f_.of(player).corner_free;
    };
    if (owner >= 0) {
      sink_.add(owner, beside ? f_.of(owner).beside_own : f_.of(owner).corner_own,
                times * of[index_of(owner)]);
      sink_.add(owner, free(owner), times * of[index_of(kNone)]);
    }
    for (int p = 0; owner == kNone && p < f_.players(); ++p) sink_.add(p, free(p), times * of[index_of(p)]);
  }

  // A row is worth something to the one player who has pieces in it.
  void count_row(std::size_t row, int from, int to) {
    auto& n = in_row_[row];
    const auto tell = [&](int times) {
      for (std::size_t p = 0; p < 2; ++p)
        if (n[p] > 0 && n[1 - p] == 0 && n[2] == 0)
          sink_.add(static_cast<int>(p), row_feature(row, static_cast<int>(p), n[p]), times);
    };
    tell(-1);
    if (from != kNone) --n[static_cast<std::size_t>(from < 0 ? 2 : from)];
    if (to != kNone) ++n[static_cast<std::size_t>(to < 0 ? 2 : to)];
    tell(1);
  }
  [[nodiscard]] int row_feature(std::size_t row, int player, int pieces) const {
    return f_.of(player).row + f_.rows()[row].of_length * Features::kMostLength + pieces - 1;
  }

  void count_stack(const BoardView& view, std::size_t c, int times) {
    const int height = view.height[c];
    if (height == 0) return;
    const int owner = owner_of(view.top(c));
    if (owner >= 0) sink_.add(owner, f_.of(owner).height + std::min(height, Features::kTallest) - 1, times);
    for (int level = 0; level + 1 < height; ++level) {
      const std::uint8_t code = view.codes[c * view.levels + static_cast<std::size_t>(level)];
      sink_.below(code, c, times);
      const Piece piece = of_code_[code];
      if (piece.owner < 0) continue;
      const auto& of = f_.of(piece.owner);
      sink_.add(piece.owner, f_.inside(code, c), times);
      sink_.add(piece.owner, (piece.owner == owner ? of.below_own : of.below_other) + piece.kind, times);
    }
  }

  void follow_leader(int p) {
    if (f_.of(p).leader < 0) return;
    const std::int32_t* const ahead = ahead_.data() + p * (f_.most_progress() + 1);
    int first = f_.most_progress();
    while (first > 0 && ahead[first] == 0) --first;
    int& leader = leader_[static_cast<std::size_t>(p)];
    if (first == leader) return;
    sink_.add(p, f_.of(p).leader + leader, -1);
    sink_.add(p, f_.of(p).leader + first, 1);
    leader = first;
  }

  const Features& f_;
  Sink& sink_;
  const Piece* of_code_ = nullptr;
  std::vector<std::uint8_t> owner_index_; // by code
  BoardView view_, before_;               // and the stacks as they were counted last
  std::vector<std::uint8_t> top_;
  std::vector<std::int32_t> hands_;
  std::vector<std::uint32_t> carried_;             // as BoardView::values
  std::vector<std::array<std::int8_t, 3>> in_row_; // pieces of the players, and neutral ones
  std::vector<std::int32_t> ahead_;                // by player and how far they have come
  std::vector<int> leader_;
};

// Connected parts of what a player has on the board.
struct Groups {
  int count = 0, largest = 0, pieces = 0;
};
class GroupFinder {
public:
  explicit GroupFinder(const Features& features) : f_(features), seen_(features.cells(), 0) {}
  template <class OwnerOf>
  Groups of(int player, OwnerOf&& owner_of) {
    ++round_;
    Groups groups;
    for (std::size_t c = 0; c < f_.cells(); ++c) {
      if (seen_[c] == round_ || owner_of(c) != player) continue;
      const int size = fill(c, player, owner_of);
      ++groups.count;
      groups.largest = std::max(groups.largest, size);
      groups.pieces += size;
    }
    return groups;
  }

private:
  template <class OwnerOf>
  int fill(std::size_t from, int player, OwnerOf&& owner_of) {
    todo_.assign(1, static_cast<std::int16_t>(from));
    seen_[from] = round_;
    int size = 0;
    while (!todo_.empty()) {
      const auto c = static_cast<std::size_t>(todo_.back());
      todo_.pop_back();
      ++size;
      for (const auto* cells : {&f_.around(c).beside, &f_.around(c).corner})
        for (const std::int16_t next : *cells)
          if (const auto n = static_cast<std::size_t>(next); seen_[n] != round_ && owner_of(n) == player) {
            seen_[n] = round_;
            todo_.push_back(next);
          }
    }
    return size;
  }

  const Features& f_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t round_ = 0;
  std::vector<std::int16_t> todo_;
};

[[nodiscard]] inline double logarithm_of_moves(int moves) { return std::log1p(std::max(moves, 0)); }

// The features of positions as a row of numbers, for those who learn.
class FeatureCounter {
public:
  explicit FeatureCounter(const Features& features);
  // By feature: what `player` has, less what the others have on average.
  [[nodiscard]] std::vector<float> features(const Game& game, int player, const MoveCounts& moves);

  void add(int player, int feature, int times) { // the follower's
    if (feature >= 0) counts_[static_cast<std::size_t>(player)][static_cast<std::size_t>(feature)] += times;
  }
  void on_top(std::uint8_t, std::size_t, int) {} // a network's inputs are read off positions
  void below(std::uint8_t, std::size_t, int) {}
  void in_hand(std::size_t, int) {}

private:
  const Features& f_;
  std::vector<std::vector<std::int32_t>> counts_; // by player and feature
  Follower<FeatureCounter> follower_;
  GroupFinder groups_;
};

// A weighted sum, and what a network adds, in whole numbers: kUnit of them are one in the natural logarithm
// of the odds to win.
class Evaluation {
public:
  static constexpr int kUnit = 1024;
  static constexpr int kMost = 1 << 20; // what is surer than that is a proof

  Evaluation(std::shared_ptr<const Features> features, const Judgement& judgement);

  // For a player.
  [[nodiscard]] int of(const Game& game, int player, const MoveCounts& moves);
  [[nodiscard]] const Features& features() const { return *f_; }
  // By the piece's code: what it is worth for whoever has it, wherever it stands.
  [[nodiscard]] std::vector<std::int32_t> worth_of_pieces() const;

  void add(int player, int feature, int times) {
    if (feature >= 0)
      sums_[static_cast<std::size_t>(player)] += weights_[static_cast<std::size_t>(feature)] * times;
  }
  void on_top(std::uint8_t code, std::size_t cell, int times) {
    if (network_) network_->add(network_->inputs().on_top(code, cell), times);
  }
  void below(std::uint8_t code, std::size_t cell, int times) {
    if (network_) network_->add(network_->inputs().below(code, cell), times);
  }
  void in_hand(std::size_t slot, int times) {
    if (network_) network_->add(network_->inputs().in_hand(slot), times);
  }

private:
  std::shared_ptr<const Features> f_;
  std::vector<std::int32_t> weights_;
  std::vector<std::int32_t> sums_; // by player
  std::optional<NetworkState> network_;
  Follower<Evaluation> follower_;
  GroupFinder groups_;
  bool finds_groups_ = false;
  std::vector<std::int32_t> of_moves_; // by their number: the logarithm, of a unit
};

// The share of games to be expected from a value, and the other way round.
[[nodiscard]] double chance_of(int value);

} // namespace boardwright::runtime::search
