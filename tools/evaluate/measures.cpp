// Entry point: measure_all. Definitions stand beside the numbers, and are told with them.
//
// Sources: C. Browne, Automatic generation and evaluation of recombination games (PhD thesis, Queensland
// University of Technology, 2008), of which C. Browne and F. Maire, Evolutionary game design (IEEE
// Transactions on Computational Intelligence and AI in Games 2(1), 2010) is the short form; J. M. Thompson,
// Defining the abstract (The Games Journal, 2000); F. Lantz, A. Isaksen, A. Jaffe, A. Nealen and J. Togelius,
// Depth in strategic games (AAAI-17 workshop, 2017); E. H. Simpson, Measurement of diversity (Nature 163,
// 1949).
#include "tools/evaluate/measures.hpp"

#include "runtime/model/shares.hpp"
#include "runtime/search/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace boardwright::tools {
namespace {

constexpr const char* kBrowne =
    "C. Browne, Automatic generation and evaluation of recombination games (2008)";
constexpr const char* kWilson = "Wilson, 95 %";
constexpr const char* kWilsonOfPoints = "Wilson, 95 %, for as many games won or lost as have this variance";
constexpr const char* kBootstrap = "percentile bootstrap over games, 95 %";
constexpr const char* kAtLeast = "none: more games can only find more";
// Expectations beyond these make somebody the leader, and a game decided.
constexpr double kLeads = 0.55, kDecided = 0.9;
// A step of strength: who is stronger by it gets three points of four (191 points in Elo's scale).
constexpr double kStep = 0.75;

double points_of(const GameNote& game, std::size_t player, std::size_t players) {
  const runtime::Result result = game.outcome ? runtime::result_of(*game.outcome) : 0;
  return static_cast<double>(runtime::share(result, static_cast<int>(player), static_cast<int>(players)));
}

Points points_of_all(const std::vector<GameNote>& games, std::size_t player, std::size_t players) {
  Points points;
  for (const GameNote& game : games) points.push_back(points_of(game, player, players));
  return points;
}

template <class Holds>
std::optional<Estimate> share_of(const std::vector<GameNote>& games, const Holds& holds) {
  return share_estimate(static_cast<std::uint64_t>(std::count_if(games.begin(), games.end(), holds)),
                        games.size());
}

bool is_draw(const GameNote& game) { return game.outcome && game.outcome->winners == 0; }
bool is_unfinished(const GameNote& game) { return !game.outcome; }

// Σ above / Σ below over the games, with an interval; games where nothing is below add nothing.
template <class Pair>
std::optional<Estimate> ratio_of(const std::vector<GameNote>& games, const Pair& pair) {
  Ratios ratios;
  for (const GameNote& game : games)
    if (const std::pair<double, double> one = pair(game); one.second > 0) ratios.push_back(one);
  return bootstrap_ratio(ratios);
}

using Two = std::pair<double, double>;
double real(std::uint64_t number) { return static_cast<double>(number); }

// ------------------------------------------------------------ who leads, as the players themselves saw it

double chance(const GameNote& game, std::size_t ply) { return game.chances[ply] / 1000.0; }

// The leader stays so until the other one leads: -1 nobody yet, 0 or 1.
std::vector<int> leaders_of(const GameNote& game) {
  std::vector<int> leaders;
  int leader = -1;
  for (std::size_t ply = 0; ply < game.chances.size(); ++ply) {
    if (chance(game, ply) > kLeads) leader = 0;
    if (chance(game, ply) < 1 - kLeads) leader = 1;
    leaders.push_back(leader);
  }
  return leaders;
}

Two lead_changes(const GameNote& game) {
  const std::vector<int> leaders = leaders_of(game);
  double changes = 0;
  for (std::size_t ply = 1; ply < leaders.size(); ++ply)
    if (leaders[ply - 1] >= 0 && leaders[ply] != leaders[ply - 1]) ++changes;
  return {changes, game.chances.empty() ? 0.0 : 1.0};
}

int winner_of(const GameNote& game) {
  if (!game.outcome || (game.outcome->winners != 1 && game.outcome->winners != 2)) return -1;
  return game.outcome->winners == 1 ? 0 : 1;
}

// Browne's drama: the root of how much the winner was behind, averaged over the moves at which he was.
Two drama(const GameNote& game) {
  const int winner = winner_of(game);
  if (winner < 0 || game.chances.empty()) return {0, 0};
  double sum = 0, behind = 0;
  for (std::size_t ply = 0; ply < game.chances.size(); ++ply) {
    const double his = winner == 0 ? chance(game, ply) : 1 - chance(game, ply);
    if (his >= 0.5) continue;
    sum += std::sqrt(1 - 2 * his);
    ++behind;
  }
  return {behind == 0 ? 0.0 : sum / behind, 1};
}

// The part of a won game that is played after the winner's chances have passed kDecided for good.
Two decided_part(const GameNote& game) {
  const int winner = winner_of(game);
  if (winner < 0 || game.chances.empty()) return {0, 0};
  std::size_t since = game.chances.size();
  while (since > 0) {
    const double his = winner == 0 ? chance(game, since - 1) : 1 - chance(game, since - 1);
    if (his < kDecided) break;
    --since;
  }
  return {real(game.chances.size() - since) / real(game.chances.size()), 1};
}

// ------------------------------------------------------------ tables

StrengthRow row_of(const Played& played, const Evaluation& e) {
  StrengthRow row;
  row.strength = played.strong;
  row.games = played.games.size();
  row.played = played.all;
  for (std::size_t p = 0; p < e.players.size(); ++p)
    row.players.push_back(points_estimate(points_of_all(played.games, p, e.players.size())));
  row.first = row.players[e.first];
  row.draws = share_of(played.games, is_draw);
  row.unfinished = share_of(played.games, is_unfinished);
  row.length = ratio_of(played.games, [](const GameNote& g) { return Two{real(g.turns), 1}; });
  row.branching = ratio_of(played.games, [](const GameNote& g) { return Two{real(g.moves), real(g.plies)}; });
  for (const GameNote& game : played.games) {
    const std::uint32_t winners = game.outcome ? game.outcome->winners : 0;
    ++row.results[winners == 0 ? 1 : (winners >> e.first & 1U) != 0 ? 0 : 2];
  }
  return row;
}

Points points_of_stronger(const Played& played, std::size_t players) {
  Points points;
  for (const GameNote& game : played.games)
    points.push_back(points_of(game, static_cast<std::size_t>(game.seat), players));
  return points;
}

// Steps of strength that such shares of points come to, all together. Shares of nothing and of everything are
// taken for half a game less.
double steps_of(const std::vector<Points>& lists, std::size_t players) {
  double elo = 0;
  for (const Points& list : lists) {
    double won = 0;
    for (const double point : list) won += point;
    const double n = real(list.size());
    const double share = std::clamp(won / n, 0.5 / n, 1 - 0.5 / n);
    // With several players the odds are compared with those of equal ones.
    elo += elo_of_score(share) - elo_of_score(1 / real(players));
  }
  return elo / elo_of_score(kStep);
}

// ------------------------------------------------------------ measures of the strongest player's games

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

Measure advantage(const Evaluation& e, const StrengthRow& row) {
  Measure m{
      "advantage",
      "first player's points",
      true,
      row.first,
      kWilsonOfPoints,
      "the share of the points for whoever begins, a draw being shared, where the strongest player plays "
      "against himself",
      fmt::format("advantage in {}", kBrowne),
      ""};
  if (m.value)
    m.sentence =
        fmt::format("{}, who begins, gets {} of the points among equals; {} would be fair.",
                    e.players[e.first], percent(m.value->value), percent(1 / real(e.players.size())));
  return m;
}

Measure draws(const StrengthRow& row) {
  Measure m{"draws",
            "draws",
            true,
            row.draws,
            kWilson,
            "the share of the games that end drawn",
            fmt::format("drawishness in {}", kBrowne),
            ""};
  if (m.value)
    m.sentence = m.value->value == 0 ? "No game is drawn."
                                     : fmt::format("{} of the games are drawn.", percent(m.value->value));
  return m;
}

Measure unfinished(const StrengthRow& row, int max_plies) {
  Measure m{
      "unfinished",
      "unfinished",
      true,
      row.unfinished,
      kWilson,
      fmt::format("the share of the games that aren't over after {} moves; they count as draws where points "
                  "are counted",
                  max_plies),
      fmt::format("what is missing to completion in {}", kBrowne),
      ""};
  if (m.value)
    m.sentence = m.value->value == 0 ? "Every game comes to an end."
                                     : fmt::format("{} of the games don't end within {} moves.",
                                                   percent(m.value->value), max_plies);
  return m;
}

Measure length(const StrengthRow& row) {
  Measure m{"length",
            "length",
            false,
            row.length,
            kBootstrap,
            "turns of a game, all players' together; what a player does until another one moves is one turn",
            fmt::format("duration in {}, who compares it with a length that is wanted", kBrowne),
            ""};
  if (m.value) m.sentence = fmt::format("A game lasts {:.0f} turns.", m.value->value);
  return m;
}

Measure branching(const StrengthRow& row) {
  Measure m{
      "branching",
      "branching",
      false,
      row.branching,
      kBootstrap,
      "legal moves, averaged over all positions of the games",
      "branching factor, as in V. Allis, Searching for solutions in games and artificial intelligence (1994)",
      ""};
  if (m.value) m.sentence = fmt::format("There are {:.0f} moves to choose from.", m.value->value);
  return m;
}

Measure choice(const std::vector<GameNote>& games) {
  Measure m{"choice",
            "choice",
            false,
            ratio_of(games,
                     [](const GameNote& g) {
                       return Two{real(g.near_best), real(g.choices)};
                     }),
            kBootstrap,
            "moves whose chances are at most 5 % less than the best one's, among those that were looked at a "
            "quarter "
            "as often as the one looked at most; averaged over positions with two legal moves or more",
            "our own",
            ""};
  if (m.value)
    m.sentence = m.value->value < 1.3
                     ? fmt::format("Mostly one move is better than all others ({:.1f} are about as good).",
                                   m.value->value)
                     : fmt::format("{:.1f} moves are about as good as the best one.", m.value->value);
  return m;
}

Measure decisiveness(const std::vector<GameNote>& games) {
  Measure m{"decisiveness",
            "played after it is decided",
            true,
            ratio_of(games, decided_part),
            kBootstrap,
            "the part of a won game that is played after the winner's chances, as the player to move sees "
            "them, have "
            "passed 90 % for good; of games of two",
            fmt::format("decisiveness in {}, and in J. M. Thompson, Defining the abstract (2000)", kBrowne),
            ""};
  if (m.value)
    m.sentence =
        fmt::format("The last {} of a game are played after it is decided.", percent(m.value->value));
  return m;
}

Measure changes(const std::vector<GameNote>& games) {
  Measure m{
      "lead_changes",
      "changes of the lead",
      false,
      ratio_of(games, lead_changes),
      kBootstrap,
      "how often in a game the lead goes over to the other player; who has chances of more than 55 % leads, "
      "until the other has; of games of two",
      fmt::format("lead change in {}, there by move", kBrowne),
      ""};
  if (m.value) m.sentence = fmt::format("The lead changes {:.1f} times a game.", m.value->value);
  return m;
}

Measure drama_of(const std::vector<GameNote>& games) {
  Measure m{"drama",
            "drama",
            true,
            ratio_of(games, drama),
            kBootstrap,
            "the square root of how much the winner was behind, averaged over the moves at which he was; 0 "
            "where he "
            "never was; of games of two that were won",
            fmt::format("drama in {}", kBrowne),
            ""};
  if (m.value)
    m.sentence = m.value->value < 0.2 ? "Who falls behind hardly comes back."
                                      : "Who wins has often been behind before.";
  return m;
}

// Two games that are independent of one another: how often do they go different ways?
Measure openings(const std::vector<GameNote>& games) {
  std::uint64_t pairs = 0, differ = 0;
  for (std::size_t k = 0; k + 1 < games.size(); k += 2, ++pairs)
    if (games[k].opening != games[k + 1].opening) ++differ;
  Measure m{"openings",
            "different openings",
            true,
            share_estimate(differ, pairs),
            kWilson,
            fmt::format("how often two games that differ have come to different positions after {} turns",
                        kOpeningTurns),
            "E. H. Simpson, Measurement of diversity (1949)",
            ""};
  if (m.value)
    m.sentence = fmt::format("Two games differ after {} turns in {} of the cases.", kOpeningTurns,
                             percent(m.value->value));
  return m;
}

// ------------------------------------------------------------ measures of all games

Measure depth(const Evaluation& e, const std::vector<Points>& lists) {
  const std::size_t players = e.players.size();
  Measure m{"depth",
            "steps of strength",
            false,
            bootstrap_points(lists, [players](const std::vector<Points>& l) { return steps_of(l, players); }),
            "percentile bootstrap over games of each step, 95 %",
            "how many times the strongest player is better than somebody who is better than … than the "
            "weakest, each "
            "by three points of four (191 in Elo's scale); summed over the steps that were played",
            "complexity numbers, after B. Robertie (Inside Backgammon, 1992); F. Lantz and others, Depth in "
            "strategic "
            "games (2017)",
            ""};
  if (m.value)
    m.sentence = fmt::format("From {} to {} there are {:.1f} steps of strength.",
                             strength_name(e.plan.strengths.front()), strength_name(e.plan.strengths.back()),
                             m.value->value);
  return m;
}

// Lines of `end` that random games missed may have ended games of those who think.
void note_reached_lines(const std::vector<EndingCount>& endings, std::vector<UsedPart>& parts) {
  for (const EndingCount& ending : endings)
    for (UsedPart& part : parts)
      if (ending.games > 0 && part.end_line && part.text == ending.rule &&
          ending.at.find(fmt::format(":{}:", part.line)) != std::string::npos)
        part.used = true;
}

Measure rules_use(const std::vector<UsedPart>& parts, Evaluation& e) {
  std::uint64_t used = 0;
  for (const UsedPart& part : parts) {
    if (part.used)
      ++used;
    else
      e.unused.push_back(part);
  }
  Measure m{"rules",
            "rules that are used",
            true,
            std::nullopt,
            kAtLeast,
            "alternatives of `or` and `otherwise`, and lines of `end`, of the file itself: the share that "
            "gave a move "
            "or ended a game, in random games (see `check --coverage`) or in these",
            "our own",
            ""};
  if (parts.empty()) return m;
  const double share = real(used) / real(parts.size());
  m.value = Estimate{share, share, 1};
  m.sentence =
      used == parts.size()
          ? "Every alternative and every line of `end` comes into play."
          : fmt::format("With these options {} of {} alternatives and lines of `end` never come into play.",
                        parts.size() - used, parts.size());
  return m;
}

Measure board_use(const Played& strongest, const runtime::Board& board, Evaluation& e) {
  const double cells = std::max(board.cells, 1);
  Measure m{"board",
            "board that is used",
            true,
            ratio_of(strongest.games,
                     [&](const GameNote& g) {
                       return Two{real(g.cells), cells};
                     }),
            kBootstrap,
            "the share of the cells that change in a game",
            "board coverage in Ludii's concepts (Digital Ludeme Project)",
            ""};
  for (std::size_t cell = 0; cell < strongest.cells.size(); ++cell)
    if (strongest.cells[cell] == 0) e.unused_cells.push_back(board.name[cell]);
  if (!m.value) return m;
  m.sentence = fmt::format("A game uses {} of the cells", percent(m.value->value));
  m.sentence += e.unused_cells.empty()
                    ? "; every cell comes into play."
                    : fmt::format("; {} of {} are never used.", e.unused_cells.size(), board.cells);
  return m;
}

std::vector<EndingCount> endings_of_games(const Variant& variant, const std::vector<GameNote>& games) {
  const std::size_t players = variant.loaded.rules->program().players.size();
  runtime::PlayoutResult result;
  for (const GameNote& game : games) {
    if (!game.outcome) continue;
    runtime::Ending one{*game.outcome, 1, std::vector<std::uint64_t>(players), is_draw(game) ? 1U : 0U};
    for (std::size_t p = 0; p < players; ++p) one.wins[p] = game.outcome->winners >> p & 1U;
    result.endings.push_back(std::move(one));
  }
  return endings_of(variant.loaded, result);
}

void fill_curves(const std::vector<GameNote>& games, Evaluation& e) {
  std::array<double, 10> seen{};
  for (const GameNote& game : games) {
    e.lengths.push_back(game.turns);
    for (std::size_t ply = 0; ply < game.chances.size(); ++ply) {
      const std::size_t tenth = 10 * ply / game.chances.size();
      e.lead[tenth] += std::abs(2 * chance(game, ply) - 1);
      ++seen[tenth];
    }
  }
  for (std::size_t k = 0; k < seen.size(); ++k)
    if (seen[k] > 0) e.lead[k] /= seen[k];
}

} // namespace

void measure_all(const Variant& variant, const std::vector<Played>& all,
                 const std::optional<std::vector<UsedPart>>& parts, Evaluation& e) {
  static const Played kNone;
  const Played* strongest = &kNone;
  std::vector<Points> steps;
  std::vector<GameNote> every;
  for (const Played& played : all) {
    every.insert(every.end(), played.games.begin(), played.games.end());
    if (played.strong == played.weak) {
      e.strengths.push_back(row_of(played, e));
      if (!played.games.empty()) strongest = &played;
      continue;
    }
    const Points points = points_of_stronger(played, e.players.size());
    e.steps.push_back({played.strong, played.weak, points.size(), played.all, points_estimate(points)});
    if (!points.empty()) steps.push_back(points);
  }
  const StrengthRow row = row_of(*strongest, e);
  const std::vector<GameNote>& games = strongest->games;
  e.endings = endings_of_games(variant, games);
  e.measures = {
      advantage(e, row),   draws(row),      unfinished(row, e.plan.max_plies),
      length(row),         branching(row),  choice(games),
      decisiveness(games), changes(games),  drama_of(games),
      depth(e, steps),     openings(games), board_use(*strongest, variant.loaded.rules->program().board, e)};
  if (parts) {
    std::vector<UsedPart> told = *parts;
    note_reached_lines(endings_of_games(variant, every), told);
    e.measures.push_back(rules_use(told, e));
  }
  for (Measure& measure : e.measures)
    if (!measure.value) measure.sentence = "Not known: too few games show it.";
  fill_curves(games, e);
}

// The first-order index of Sobol', estimated by pick-freeze: the covariance of two games that share the dice
// and nothing else, divided by the variance of all.
Measure luck_measure(const std::vector<Twins>& twins, const Evaluation& e) {
  const std::size_t players = e.players.size();
  double mean = 0;
  for (const Twins& pair : twins)
    mean += points_of(pair.one, e.first, players) + points_of(pair.other, e.first, players);
  mean /= std::max(2 * real(twins.size()), 1.0);
  Ratios ratios;
  for (const Twins& pair : twins) {
    const double one = points_of(pair.one, e.first, players) - mean;
    const double other = points_of(pair.other, e.first, players) - mean;
    ratios.push_back({one * other, (one * one + other * other) / 2});
  }
  Measure m{
      "luck",
      "luck",
      true,
      bootstrap_ratio(ratios),
      "percentile bootstrap over pairs of games, 95 %",
      "the share of the variance of the first player's points that what is rolled explains by itself: how "
      "alike two games of the strongest player against himself end in which the same is rolled and his own "
      "choices "
      "are drawn anew. What dice and choices do together isn't in it",
      "first-order sensitivity index, I. M. Sobol', Sensitivity estimates for nonlinear mathematical "
      "models (1993); estimated as by A. Janon and others, Asymptotic normality and efficiency of two Sobol "
      "index "
      "estimators (2014)",
      "Not known: too few games show it."};
  if (!m.value) return m;
  for (double* const number : {&m.value->value, &m.value->low, &m.value->high})
    *number = std::clamp(*number, 0.0, 1.0);
  m.sentence = fmt::format("Among equals {} of what makes results differ is what was rolled alone.",
                           percent(m.value->value));
  return m;
}

Measure secrets_measure(const std::vector<GameNote>& games, const Evaluation& e) {
  const std::size_t players = e.players.size();
  Points points;
  for (const GameNote& game : games)
    points.push_back(points_of(game, static_cast<std::size_t>(game.seat), players));
  Measure m{
      "secrets",
      "points of who sees all",
      true,
      points_estimate(points),
      kWilsonOfPoints,
      "the share of the points of a player from whom nothing is hidden, against others of the strongest "
      "sort who know what is theirs to know; both look at as many positions, the seats change",
      "our own; the value of perfect information, R. A. Howard, Information value theory (1966), told in "
      "points",
      "Not known: too few games show it."};
  if (m.value)
    m.sentence = fmt::format("Who sees all gets {} of the points; {} would mean that it is worth nothing.",
                             percent(m.value->value), percent(1 / real(players)));
  return m;
}

} // namespace boardwright::tools
