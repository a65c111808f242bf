// The engine against the walker, its judge: on positions of random games both derive the same moves with the
// same results, and see the same outcomes; and taking moves back restores every position.
#include "rule_files.hpp"

#include "runtime/playout.hpp"
#include "runtime/walker.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace boardwright;
using runtime::Game;
using runtime::Outcome;
using runtime::Position;
using runtime::Program;
using runtime::WalkedMove;
using tests::load_rules;
using tests::required;
using tests::test_rules;

namespace {

struct Subject {
  std::string file;
  interpreter::Settings settings;
  int positions; // to compare; fewer where the walker is slow
};

// Games are broken off here, so that most positions come from the beginning and the middle of games.
constexpr int kMaxPlies = 150;
// One position in so many is compared, so that few comparisons still see much of a game.
constexpr std::uint64_t kStride = 5;

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = {
      {"antigrid", {}, 100},
      {"antigrid", {{"gems", "15"}, {"blockade", "any"}, {"loses_with", "one_left"}}, 25},
      {"antigrid", {{"multi_turn", "true"}}, 60},
      {"antigrid", {{"run_capture", "false"}}, 60},
      {"eximo", {}, 1000},
      {"eximo", {{"full_zone", "forbid"}, {"supply", "16"}, {"repetition", "2"}}, 400},
      {"intermedium", {}, 25},
      {"intermedium", {{"opening", "all_forward"}, {"single_before_move", "true"}}, 12},
      {"intermedium", {{"part_of_stack", "true"}, {"city_needs_single_landing", "false"}}, 8},
      {"scalus", {}, 25},
      {"scalus", {{"diag_long", "true"}, {"gap", "path"}, {"hq", "both"}}, 10},
      {"scalus", {{"rescale", "true"}}, 15},
      {"tempo", {}, 1500},
      {"tempo", {{"long_capture", "true"}, {"repetition", "2"}}, 400},
      {test_rules("amazons"), {}, 8},
      {test_rules("breakthrough"), {}, 1000},
      {test_rules("chess"), {}, 300},
      {test_rules("draughts"), {}, 1500},
      {test_rules("epaminondas"), {}, 8},
      {test_rules("go"), {}, 300},
      {test_rules("go"), {{"size", "3"}, {"suicide", "true"}}, 1000},
      {test_rules("hex"), {{"size", "6"}, {"swap", "true"}}, 1000},
      {test_rules("konane"), {}, 1000},
      {test_rules("lasca"), {}, 2000},
      {test_rules("loa"), {}, 600},
      {test_rules("oware"), {}, 2000},
      {test_rules("reversi"), {}, 400},
      {test_rules("tablut"), {}, 60},
  };
  return all;
}

std::string title(const Subject& subject) {
  std::string text = subject.file.substr(subject.file.rfind('/') + 1);
  for (const auto& [option, value] : subject.settings) text += " " + option + "=" + value;
  return text;
}

// --- positions and moves as text: what differs can be read

void write_numbers(std::string& text, const char* what, const std::vector<std::int32_t>& numbers) {
  text += what;
  for (const auto number : numbers) text += " " + std::to_string(number);
}

std::string describe(const Program& program, const Position& position) {
  std::string text;
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell)
    if (!position.cells[cell].empty())
      text += program.board.name[cell] + "=" + tests::letters_of(program, position.cells[cell]) + " ";
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

std::string describe(const std::optional<Outcome>& outcome) {
  return outcome ? "won by " + std::to_string(outcome->winners) : "goes on";
}

struct Listed { // a move with all that follows from it
  std::string notation, after, outcome;
  friend auto operator<=>(const Listed&, const Listed&) = default;
};

std::ostream& operator<<(std::ostream& out, const Listed& move) {
  return out << move.notation << ": " << move.after << ", " << move.outcome;
}

// The first move that only one of two sorted lists has; "" if they are equal.
std::string first_difference(const std::vector<Listed>& walker, const std::vector<Listed>& engine) {
  const auto [w, e] = std::mismatch(walker.begin(), walker.end(), engine.begin(), engine.end());
  std::ostringstream text;
  if (w != walker.end()) text << "\nwalker: " << *w;
  if (e != engine.end()) text << "\nengine: " << *e;
  return text.str();
}

// --- one game in both engines

class Comparison {
public:
  Comparison(const Subject& subject, std::uint64_t seed)
      : rules_(load_rules(subject.file, subject.settings)), program_(rules_->program()), walker_(program_),
        game_(rules_), random_(seed) {}

  // Plays random games until so many positions have been compared.
  void run(int positions) {
    while (positions > 0) {
      begin();
      bool goes_on = true;
      while (goes_on && positions > 0 && game_.length() < kMaxPlies)
        if (random_.below(kStride) != 0)
          goes_on = play_on();
        else
          goes_on = compare_position(), --positions;
      take_back_all();
    }
  }

private:
  void begin() {
    game_ = Game(rules_);
    past_.clear();
    decided_.reset();
  }

  // Plays a random move without comparing anything. False when the game is over.
  bool play_on() {
    const Position before = game_.position();
    const auto moves = required(game_.moves(), *rules_);
    if (moves.empty()) return false;
    play(static_cast<std::size_t>(random_.below(moves.size())));
    const auto outcome = required(game_.outcome(), *rules_);
    decided_ = outcome && outcome->by == Outcome::By::move ? outcome : std::nullopt;
    past_.push_back(before);
    return true;
  }

  // Compares the position on the board and plays a random move. False when the game is over.
  bool compare_position() {
    const Position position = game_.position();
    INFO("after " << game_.length() << " plies: " << describe(program_, position));
    const auto outcome = compare_outcome(position);
    if (outcome) {
      CHECK(required(game_.moves(), *rules_).empty());
      return false;
    }
    auto walked = required(walker_.derive(position, past_), *rules_);
    compare_moves(walked);
    play_random(position, walked);
    return true;
  }

  std::optional<Outcome> compare_outcome(const Position& position) {
    Position seen = position; // the walker puts players out in it
    const auto walked = decided_ ? decided_ : required(walker_.outcome(seen, past_), *rules_);
    const auto outcome = required(game_.outcome(), *rules_);
    REQUIRE(describe(outcome) == describe(walked));
    REQUIRE(describe(program_, game_.position()) == describe(program_, seen));
    return outcome;
  }

  // The outcome of a move in the engine includes what the end lines say, so here only the moves' results are
  // compared; outcomes are when the next position is.
  void compare_moves(const std::vector<WalkedMove>& walked) {
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

  static std::string decision(const std::optional<Outcome>& outcome) {
    return outcome && outcome->by == Outcome::By::move ? describe(outcome) : "";
  }

  void play(std::size_t i) {
    const auto moves = required(game_.moves(), *rules_);
    REQUIRE(i < moves.size());
    game_.play(moves[i]);
  }

  void play_random(const Position& before, const std::vector<WalkedMove>& walked) {
    const auto notations = required(game_.notations(), *rules_);
    const auto i = static_cast<std::size_t>(random_.below(notations.size()));
    play(i);
    const auto after = game_.position();
    const auto same = std::find_if(walked.begin(), walked.end(), [&](const WalkedMove& move) {
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
  const Program& program_;
  runtime::Walker walker_;
  Game game_;
  runtime::Random random_;
  std::vector<Position> past_;
  std::optional<Outcome> decided_; // by the last move itself
};

} // namespace

TEST_CASE("the engine agrees with the walker on random positions") {
  constexpr int kFewer = tests::kSanitized ? 20 : 1;
  std::uint64_t seed = 20'240;
  for (const auto& subject : subjects()) {
    ++seed;
    DYNAMIC_SECTION(title(subject)) {
      Comparison(subject, seed).run(std::max(5, subject.positions / kFewer));
    }
  }
}
