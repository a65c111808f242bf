#include "tools/evaluate/unit.hpp"

#include "dsl/finder.hpp"
#include "interpreter/findings/coverage.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/make_player.hpp"
#include "tools/evaluate/game_units.hpp"
#include "tools/games/game_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace boardwright::tools {
namespace {

using runtime::Game;
namespace search = runtime::search;
using Sitting = std::vector<std::unique_ptr<search::Player>>; // by player

// A move counts as nearly as good as the best where its chances are so little worse, and it was looked at
// often enough for that to be known: so often, compared with the move that was looked at most.
constexpr double kNearlyAsGood = 0.05, kLookedAt = 0.25;
// A game in which nature alone moves is over after so many of its plies for each that a player might have
// made.
constexpr std::uint64_t kMostRollsOfPly = 8;

// Follows the cells that change during a game.
class TouchedCells {
public:
  TouchedCells(const Game& game, std::size_t cells) : touched_(cells) { game.look(view_); }
  void look(const Game& game) {
    game.look(view_);
    for (const std::int16_t cell : view_.changed) touched_[static_cast<std::size_t>(cell)] = true;
  }
  // Adds one for each of them, and says how many these are.
  std::uint64_t count(std::vector<std::uint64_t>& games) const {
    std::uint64_t cells = 0;
    for (std::size_t cell = 0; cell < touched_.size(); ++cell)
      if (touched_[cell]) ++games[cell], ++cells;
    return cells;
  }

private:
  runtime::BoardView view_;
  std::vector<bool> touched_;
};

Sitting sitting_of(const Variant& variant, const Unit& unit, std::uint64_t game, int seat) {
  Sitting sitting;
  const std::size_t players = variant.loaded.rules->program().players.size();
  std::uint64_t seed = runtime::mix(unit.seed);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(unit.strong), static_cast<std::uint64_t>(unit.weak), game})
    seed = runtime::chain(seed, part);
  if (unit.twist != Unit::Twist::none) seed = runtime::chain(seed, static_cast<std::uint64_t>(unit.twist));
  for (std::size_t player = 0; player < players; ++player) {
    search::PlayerChoice choice;
    choice.seed = runtime::chain(seed, player);
    const bool sits = static_cast<int>(player) == seat;
    std::string name = strength_name(sits ? unit.strong : unit.weak);
    if (sits && unit.twist == Unit::Twist::sees_all) name = "open:" + name;
    auto made = search::make_player(name, variant.loaded.rules, choice);
    sitting.push_back(made ? std::move(*made) : search::make_random_player(choice.seed));
  }
  return sitting;
}

// What nature does in a game: each player has a row of random numbers for what is rolled on his turns. Two
// games with the same rows are as alike as two deals of the same cards, whatever is played in them.
class Dice {
public:
  Dice(const Unit& unit, std::uint64_t game, std::size_t players) {
    std::uint64_t seed = runtime::mix(unit.seed);
    for (const std::uint64_t part :
         {kDice, static_cast<std::uint64_t>(unit.strong), static_cast<std::uint64_t>(unit.weak), game})
      seed = runtime::chain(seed, part);
    for (std::size_t player = 0; player < players; ++player)
      rows_.emplace_back(runtime::mix(runtime::chain(seed, player)));
  }

  // A fault: a rule went wrong.
  tl::expected<void, runtime::Fault> roll(Game& game) {
    const auto weights = game.weights();
    if (!weights) return tl::unexpected(weights.error());
    std::uint64_t sum = 0;
    for (const std::int64_t weight : *weights) sum += static_cast<std::uint64_t>(weight);
    if (sum == 0) return tl::unexpected(runtime::Fault{"nothing can be rolled", 0});
    // The same share of all weights, where the lists differ: cards of which others are out.
    constexpr std::uint64_t kParts = std::uint64_t{1} << 53;
    auto& row = rows_[static_cast<std::size_t>(game.to_move())];
    const double share = static_cast<double>(row.below(kParts)) / static_cast<double>(kParts);
    auto left = std::min(static_cast<std::uint64_t>(share * static_cast<double>(sum)), sum - 1);
    std::size_t drawn = 0;
    for (; left >= static_cast<std::uint64_t>((*weights)[drawn]); ++drawn)
      left -= static_cast<std::uint64_t>((*weights)[drawn]);
    const auto moves = game.moves(); // anew: weights have played them all
    if (!moves) return tl::unexpected(moves.error());
    return game.play((*moves)[drawn]);
  }

private:
  static constexpr std::uint64_t kDice = 0x64696365; // apart from the numbers of who plays
  std::vector<runtime::Random> rows_;                // by player
};

void note_choice(const search::Thought& thought, std::size_t moves, GameNote& note) {
  if (moves < 2) return;
  std::uint64_t most = 0;
  for (const search::Candidate& c : thought.candidates) most = std::max(most, c.visits);
  if (most == 0) return;
  const auto known = [&](const search::Candidate& c) {
    return static_cast<double>(c.visits) >= kLookedAt * static_cast<double>(most);
  };
  double best = 0;
  for (const search::Candidate& c : thought.candidates)
    if (known(c)) best = std::max(best, c.value);
  ++note.choices;
  note.near_best += static_cast<std::uint64_t>(
      std::count_if(thought.candidates.begin(), thought.candidates.end(),
                    [&](const search::Candidate& c) { return known(c) && c.value >= best - kNearlyAsGood; }));
}

void note_chances(const search::Thought& thought, int to_move, GameNote& note) {
  const double first = to_move == 0 ? thought.value : 1 - thought.value;
  note.chances.push_back(static_cast<int>(std::lround(1000 * first)));
}

struct Table {
  const Unit& unit;
  const Sitting& sitting;
  const std::atomic<bool>* stop;
  bool follows_chances;
};

// A move of the game; false: it was stopped.
tl::expected<bool, runtime::Fault> play_ply(Game& game, const Table& table, GameNote& note) {
  const auto moves = game.moves();
  if (!moves) return tl::unexpected(moves.error());
  const int to_move = game.to_move();
  search::ThinkLimits limits;
  limits.stop = table.stop;
  const auto thought = table.sitting[static_cast<std::size_t>(to_move)]->think(game, limits);
  if (table.stop != nullptr && table.stop->load()) return false;
  if (!thought) return tl::unexpected(thought.error());
  if (!thought->move) return tl::unexpected(runtime::Fault{"no move was found", 0});
  note.moves += moves->size();
  if (table.unit.strong > 0 && table.unit.weak > 0) {
    note_choice(*thought, moves->size(), note);
    if (table.follows_chances) note_chances(*thought, to_move, note);
  }
  if (const auto played = game.play(*thought->move); !played) return tl::unexpected(played.error());
  ++note.plies;
  note.line = runtime::chain(note.line, game.key());
  return true;
}

// Nothing: it was stopped.
tl::expected<std::optional<GameNote>, runtime::Fault> note_game(const Variant& variant, const Unit& unit,
                                                                std::uint64_t number,
                                                                const std::atomic<bool>* stop,
                                                                std::vector<std::uint64_t>& cells) {
  const auto& program = variant.loaded.rules->program();
  Game game(variant.loaded.rules);
  GameNote note;
  note.seat = static_cast<int>(number % program.players.size());
  const Sitting sitting = sitting_of(variant, unit, number, note.seat);
  const Table table{unit, sitting, stop, program.players.size() == 2};
  Dice dice(unit, number, program.players.size());
  std::uint64_t rolls = 0;
  TouchedCells touched(game, static_cast<std::size_t>(program.board.cells));
  int moved = -1; // who did so last
  for (;;) {
    const auto outcome = game.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome || game.to_move() != moved) { // a turn ends here, another begins
      ++note.turns;
      if (note.turns <= kOpeningTurns + 1) note.opening = game.key();
    }
    moved = game.to_move();
    note.outcome = *outcome;
    const auto most = static_cast<std::uint64_t>(unit.max_plies);
    if (*outcome || note.plies >= most || rolls >= kMostRollsOfPly * most) break;
    if (game.is_chance()) {
      if (const auto rolled = dice.roll(game); !rolled) return tl::unexpected(rolled.error());
      ++rolls;
      note.line = runtime::chain(note.line, game.key());
      touched.look(game);
      continue;
    }
    const auto played = play_ply(game, table, note);
    if (!played) return tl::unexpected(played.error());
    if (!*played) return std::nullopt;
    touched.look(game);
  }
  --note.turns; // the last one isn't played
  note.cells = touched.count(cells);
  return note;
}

UnitDone note_coverage(const Variant& variant, const Unit& unit, const std::atomic<bool>* stop) {
  const auto coverage = interpreter::coverage_of(variant.loaded, variant.reference, variant.settings,
                                                 dsl::standard_finder(), {false, true, unit.seed, stop});
  if (coverage.stopped || runtime::Meter::gave_up() || (stop != nullptr && stop->load())) return std::nullopt;
  UnitResult result;
  for (const interpreter::CoveredPart& part : coverage.parts) {
    const bool end_line = part.kind == interpreter::PartKind::end_line;
    if (!end_line && part.kind != interpreter::PartKind::alternative) continue;
    const auto at = variant.loaded.sources.locate(part.span.file, part.span.begin);
    result.parts.push_back({end_line, at.line, part.text, part.random.held > 0});
  }
  return result;
}

} // namespace

std::string strength_name(int strength) {
  return strength == 0 ? "random" : fmt::format("varied:{}", strength);
}

UnitDone carry_out(const Variant& variant, const Unit& unit, const std::atomic<bool>* stop) {
  switch (unit.kind) {
  case Unit::Kind::coverage: return note_coverage(variant, unit, stop);
  case Unit::Kind::playouts: return carry_out_playouts(variant, unit, stop);
  case Unit::Kind::match: return carry_out_match(variant, unit, stop);
  case Unit::Kind::games: break;
  }
  UnitResult result;
  result.cells.resize(static_cast<std::size_t>(variant.loaded.rules->program().board.cells));
  for (std::uint64_t k = 0; k < unit.count; ++k) {
    auto game = note_game(variant, unit, unit.first + k, stop, result.cells);
    const bool gave_up = !game && runtime::Meter::gave_up();
    if (!game && !gave_up) return tl::unexpected(std::move(game.error()));
    if (gave_up || !*game) {
      if (result.games.empty()) return std::nullopt;
      result.partial = true;
      return result;
    }
    result.games.push_back(std::move(**game));
  }
  return result;
}

} // namespace boardwright::tools
