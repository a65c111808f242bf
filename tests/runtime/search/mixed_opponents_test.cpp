// Every opponent against every other, over the whole library: each move that is chosen is one of the
// position's, and of some positions the walker says so, too.
//
//   BOARDWRIGHT_MIXED_GAMES=N   so many games of each rule file, with other opponents each; else one of some
//   files
#include "runtime/reference/walker.hpp"
#include "runtime/search/make_player.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>

namespace boardwright::runtime::search::mixed_opponents_test {

namespace {

constexpr std::array kOpponents = {"auto", "random", "mcts", "level:2", "alphabeta", "level:6"};
constexpr std::uint64_t kNodes = 20;           // to think about: the games are to be many, not good
constexpr std::chrono::milliseconds kTime{20}; // at the most, where a random game takes long
constexpr int kMostPlies = tests::kSanitized ? 20 : 60;
constexpr int kStride = 9;                      // of so many positions one is asked of the walker
constexpr std::uint64_t kWalkSteps = 1'000'000; // some positions have more moves than the walker can list

constexpr std::size_t kFilesApart =
    tests::kSanitized ? 2 : 4; // without the variable: to try them all takes two minutes

struct Sums {
  int games = 0, moves = 0, walked = 0;
  std::vector<std::string> too_long; // the rule files of games that were broken off
};

// Some games have positions that take more work than any may; their games end there.
bool is_too_long(const Fault& fault) { return fault.message.find("this takes too long") == 0; }

class MixedGame {
public:
  MixedGame(const std::shared_ptr<const Rules>& rules, std::string file, std::size_t number)
      : game_(rules), file_(std::move(file)), walker_(rules->program(), kWalkSteps) {
    const auto players = static_cast<std::size_t>(rules->program().player_count());
    for (std::size_t seat = 0; seat < players; ++seat) {
      // Of six opponents each meets each other one after a while.
      const std::size_t which = (number + seat * (1 + number / kOpponents.size())) % kOpponents.size();
      PlayerChoice choice;
      choice.seed = number + 1;
      const bool refused =
          rules->program().hides() && std::string_view(kOpponents[which]).starts_with("alphabeta");
      auto player = make_player(refused ? "auto" : kOpponents[which], rules, choice);
      if (!player) FAIL(player.error());
      players_.push_back(std::move(*player));
      names_ += std::string(" ") + kOpponents[which];
    }
  }

  void play(Sums& sums) {
    ++sums.games;
    ThinkLimits limits = nodes(kNodes);
    limits.cpu_time = kTime;
    while (game_.length() < kMostPlies) {
      INFO("between" << names_ << ", after " << game_.length() << " moves");
      const auto outcome = game_.outcome();
      if (!outcome) return stop(outcome.error(), sums);
      if (*outcome) return;
      const auto thought = players_[static_cast<std::size_t>(game_.to_move())]->think(game_, limits);
      if (!thought) return stop(thought.error(), sums);
      if (!thought->move) { // no line of `end` says what it is to have no move
        const auto moves = game_.moves();
        if (!moves) return stop(moves.error(), sums);
        REQUIRE(moves->empty());
        return;
      }
      const auto text = game_.notation(*thought->move);
      if (!text) return stop(text.error(), sums);
      INFO("the move " << *text);
      check_with_walker(*text, sums);
      past_.push_back(game_.position());
      const auto played = game_.play(*thought->move);
      if (!played) return stop(played.error(), sums);
      ++sums.moves;
    }
  }

private:
  void stop(const Fault& fault, Sums& sums) const {
    if (!is_too_long(fault)) FAIL(fault.message);
    sums.too_long.push_back(file_);
  }

  void check_with_walker(const std::string& text, Sums& sums) {
    if (game_.length() % kStride != kStride / 2) return;
    const auto walked = walker_.derive(game_.position(), past_);
    if (!walked) return; // too many steps
    const bool legal = std::any_of(walked->begin(), walked->end(),
                                   [&](const WalkedMove& move) { return move.notation == text; });
    CHECK(legal);
    ++sums.walked;
  }

  Game game_;
  std::string file_;
  Walker walker_;
  std::vector<std::unique_ptr<Player>> players_;
  std::vector<Position> past_;
  std::string names_;
};

} // namespace

TEST_CASE("opponents of all kinds play legal moves in every game of the library") {
  const char* wanted = std::getenv("BOARDWRIGHT_MIXED_GAMES");
  const std::size_t games = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 1;
  const std::size_t apart = wanted != nullptr ? 1 : kFilesApart;
  Sums sums;
  const std::vector<std::string> files = tests::bundled_games();
  for (std::size_t i = 0; i < files.size(); i += apart) {
    INFO(files[i]);
    const auto rules = tests::load_rules(files[i]);
    for (std::size_t k = 0; k < games; ++k) MixedGame(rules, files[i], i / apart + k).play(sums);
  }
  if (wanted != nullptr)
    std::cout << sums.games << " games, " << sums.moves << " moves, " << sums.walked
              << " of them found by the walker, " << sums.too_long.size() << " games broken off\n";
  CHECK(sums.walked * kStride > sums.moves / 2);
  std::string broken_off;
  for (const std::string& file : sums.too_long) broken_off += file + "\n";
  INFO("broken off:\n" << broken_off);
  CHECK(sums.too_long.size() <= 1 + static_cast<std::size_t>(sums.games) / 50);
}

} // namespace boardwright::runtime::search::mixed_opponents_test
