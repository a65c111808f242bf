// The engine against the walker, its judge: on positions of random games both derive the same moves with the
// same results, and see the same outcomes; and taking moves back restores every position.
#pragma once

#include "rule_files.hpp"
#include "tests/tickets.hpp"

#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/reference/walker.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tests {

// Games are broken off here, so that most positions come from the beginning and the middle of games.
inline constexpr int kMaxPlies = 150;

// --- positions and moves as text: what differs can be read

inline void write_numbers(std::string& text, const char* what, const std::vector<std::int32_t>& numbers) {
  text += what;
  for (const auto number : numbers) text += " " + std::to_string(number);
}

inline std::string describe(const runtime::Program& program, const runtime::Position& position) {
  std::string text;
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell)
    if (!position.cells[cell].empty())
      text += program.board.name[cell] + "=" + letters_of(program, position.cells[cell]) + " ";
  write_numbers(text, "| to move, out, ply",
                {position.to_move, static_cast<std::int32_t>(position.out), position.ply});
  write_numbers(text, " | turns", position.turns);
  write_numbers(text, " | hands", position.hands);
  text += " | state";
  for (const auto& variable : position.variables) {
    text += " " + std::to_string(variable.number);
    variable.cells.each([&](int cell) { text += "," + program.board.name[static_cast<std::size_t>(cell)]; });
  }
  return text;
}

inline std::string describe(const std::optional<runtime::Outcome>& outcome) {
  return outcome ? "won by " + std::to_string(outcome->winners) : "goes on";
}

struct Listed { // a move with all that follows from it
  std::string notation, after, outcome;
  friend auto operator<=>(const Listed&, const Listed&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Listed& move) {
  return out << move.notation << ": " << move.after << ", " << move.outcome;
}

// The first move that only one of two sorted lists has; "" if they are equal.
inline std::string first_difference(const std::vector<Listed>& walker, const std::vector<Listed>& engine) {
  const auto [w, e] = std::mismatch(walker.begin(), walker.end(), engine.begin(), engine.end());
  std::ostringstream text;
  if (w != walker.end()) text << "\nwalker: " << *w;
  if (e != engine.end()) text << "\nengine: " << *e;
  return text.str();
}

// --- one game in both engines

class Comparison {
public:
  // Of every `stride` positions of a game one is compared.
  Comparison(std::shared_ptr<const runtime::Rules> rules, std::uint64_t seed, std::uint64_t stride = 1)
      : rules_(std::move(rules)), program_(rules_->program()), walker_(program_), game_(rules_),
        random_(seed), stride_(stride) {}

  // Plays random games until so many positions have been compared.
  void run(int positions) {
    while (positions > 0) {
      begin();
      bool goes_on = true;
      while (goes_on && positions > 0 && game_.length() < kMaxPlies)
        if (random_.below(stride_) != 0)
          goes_on = play_on();
        else
          goes_on = compare_position(), --positions;
      take_back_all();
    }
  }

private:
  void begin() {
    game_ = runtime::Game(rules_);
    past_.clear();
    decided_.reset();
  }

  // Plays a random move without comparing anything. False when the game is over.
  bool play_on() {
    const runtime::Position before = game_.position();
    const auto moves = required(game_.moves(), *rules_);
    if (moves.empty()) return false;
    play(static_cast<std::size_t>(random_.below(moves.size())));
    const auto outcome = required(game_.outcome(), *rules_);
    decided_ = outcome && is_final(*outcome) ? outcome : std::nullopt;
    past_.push_back(before);
    return true;
  }

  // Compares the position on the board and plays a random move. False when the game is over.
  bool compare_position() {
    const runtime::Position position = game_.position();
    INFO("after " << game_.length() << " plies: " << describe(program_, position));
    const auto outcome = compare_outcome(position);
    if (outcome) {
      CHECK(required(game_.moves(), *rules_).empty());
      CHECK(required(runtime::perft(game_, {}), *rules_).leaves == 0);
      compare_counting(position);
      return false;
    }
    auto walked = required(walker_.derive(position, past_), *rules_);
    put_players_out(position, walked);
    compare_moves(walked);
    compare_counting(position);
    play_random(position, walked);
    return true;
  }

  // An outcome that can't be told from the position alone: by the move itself, or when all others were put
  // out.
  static bool is_final(const runtime::Outcome& outcome) {
    return outcome.by == runtime::Outcome::By::move || outcome.by == runtime::Outcome::By::last_left;
  }

  std::optional<runtime::Outcome> compare_outcome(const runtime::Position& position) {
    runtime::Position seen = position; // the walker puts players out in it
    const auto walked = decided_ ? decided_ : required(walker_.outcome(seen, past_), *rules_);
    const auto outcome = required(game_.outcome(), *rules_);
    REQUIRE(describe(outcome) == describe(walked));
    REQUIRE(describe(program_, game_.position()) == describe(program_, seen));
    return outcome;
  }

  // Where lines of `end` can put players out, the engine's position after a move is the one after they have.
  void put_players_out(const runtime::Position& position, std::vector<runtime::WalkedMove>& walked) {
    if (program_.player_count() < 3) return;
    past_.push_back(position);
    for (auto& move : walked) {
      if (move.outcome) continue;
      const auto outcome = required(walker_.outcome(move.after, past_, false), *rules_);
      if (outcome && is_final(*outcome)) move.outcome = outcome;
    }
    past_.pop_back();
  }

  // The outcome of a move in the engine includes what the end lines say, so here only the moves' results are
  // compared; outcomes are when the next position is.
  void compare_moves(const std::vector<runtime::WalkedMove>& walked) {
    std::vector<Listed> expected, got;
    for (const auto& move : walked)
      expected.push_back({move.notation, describe(program_, move.after), decision(move.outcome)});
    const auto notations = required(game_.notations(), *rules_);
    for (std::size_t i = 0; i < notations.size(); ++i) {
      play(i);
      const auto outcome = required(game_.outcome(), *rules_);
      got.push_back({notations[i], describe(program_, game_.position()), decision(outcome)});
      REQUIRE(game_.undo());
    }
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    const auto difference = first_difference(expected, got);
    INFO(expected.size() << " moves by the walker, " << got.size() << " by the engine" << difference);
    REQUIRE(difference.empty());
  }

  // Counting and random play may find moves without listing them: they must be the moves of the list.
  void compare_counting(const runtime::Position& position) {
    runtime::Game listing(rules_, position), counting(rules_, position);
    runtime::RandomPlayer native(rules_, position), interpreted(rules_, position, false);
    std::vector<std::string> results;
    for (const auto& move : required_moves(listing)) {
      REQUIRE(listing.play(move));
      results.push_back(describe(program_, without_odds(program_, listing.position())) +
                        describe(required(listing.outcome(), *rules_)));
      REQUIRE(listing.undo());
    }
    CHECK(required(runtime::perft(counting, {}), *rules_).leaves == results.size());
    if (results.empty()) return compare_end(listing, native, interpreted);
    for (int i = 0; i < 4; ++i) {
      runtime::RandomPlayer& playing = i % 2 == 0 ? native : interpreted;
      const auto played = required(playing.play(random_, 1), *rules_);
      const auto result =
          describe(program_, without_odds(program_, playing.position())) + describe(played.outcome);
      INFO("a random move led to " << result);
      if (!draws_tickets(program_)) CHECK(played.moves == results.size());
      CHECK(std::find(results.begin(), results.end(), result) != results.end());
    }
  }

  // Where there is no move, a random game ends at once, and as the rules say.
  void compare_end(runtime::Game& listing, runtime::RandomPlayer& native,
                   runtime::RandomPlayer& interpreted) {
    const auto outcome = required(listing.outcome(), *rules_);
    for (runtime::RandomPlayer* playing : {&native, &interpreted}) {
      const auto played = required(playing->play(random_, 1), *rules_);
      CHECK(played.plies == 0);
      CHECK(played.moves == 0);
      CHECK(describe(played.outcome) == describe(outcome));
      CHECK(describe(program_, playing->position()) == describe(program_, listing.position()));
    }
  }

  std::vector<runtime::Move> required_moves(runtime::Game& game) {
    const auto moves = required(game.moves(), *rules_);
    return {moves.begin(), moves.end()};
  }

  static std::string decision(const std::optional<runtime::Outcome>& outcome) {
    return outcome && outcome->by == runtime::Outcome::By::move ? describe(outcome) : "";
  }

  void play(std::size_t i) {
    const auto moves = required(game_.moves(), *rules_);
    REQUIRE(i < moves.size());
    REQUIRE(game_.play(moves[i]));
  }

  void play_random(const runtime::Position& before, const std::vector<runtime::WalkedMove>& walked) {
    const auto notations = required(game_.notations(), *rules_);
    const auto i = static_cast<std::size_t>(random_.below(notations.size()));
    play(i);
    const auto after = game_.position();
    const auto same = std::find_if(walked.begin(), walked.end(), [&](const runtime::WalkedMove& move) {
      return move.notation == notations[i] && move.after.same_as(after);
    });
    REQUIRE(same != walked.end());
    decided_ = same->outcome;
    past_.push_back(before);
  }

  void take_back_all() {
    for (; !past_.empty(); past_.pop_back()) {
      REQUIRE(game_.undo());
      REQUIRE(describe(program_, game_.position()) == describe(program_, past_.back()));
    }
    REQUIRE_FALSE(game_.undo());
  }

  std::shared_ptr<const runtime::Rules> rules_;
  const runtime::Program& program_;
  runtime::Walker walker_;
  runtime::Game game_;
  runtime::Random random_;
  std::uint64_t stride_;
  std::vector<runtime::Position> past_;
  std::optional<runtime::Outcome> decided_; // by the last move itself
};

} // namespace boardwright::tests
