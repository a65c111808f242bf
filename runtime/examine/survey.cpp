#include "runtime/examine/survey.hpp"

#include "runtime/examine/walked.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/random.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace boardwright::runtime {
namespace {

// The walker goes through every position of so many plies of the first game, then through one of so many.
constexpr int kAllOfFirst = 12;
constexpr std::uint64_t kOneOf = 7;
// Positions that tests show were chosen by the author, and are few.
constexpr WalkBudget kAnyNumber{std::numeric_limits<std::uint64_t>::max(), 6'000'000};
// Of a position with more moves than this only so many are listed, and their notations are not compared.
constexpr std::uint64_t kMostMoves = 2000;
// After so many positions with as many, which cost most of the time, only the first few moves of a position
// are listed: more positions show more than more moves.
constexpr std::uint64_t kEnoughWithMany = 40, kFewMoves = 250;
// Of games of which only the results are seen so many plies may have any number of moves.
constexpr std::uint64_t kAnyMoves = 200;
// A game takes no more than one of so many of the budget of all: of those that are looked at, and of those of
// which only the results are seen. One that is broken off then tells that it goes on long, if it has come so
// far; else nothing.
constexpr std::uint64_t kShares = 8, kMoreShares = 20;
constexpr std::uint64_t kLong = 1'000; // plies
constexpr int kEnoughOfOne = 100; // plies that are looked at of any game, where the whole budget allows it
// How the fault of an answer that takes too many steps begins (executor/stock.hpp).
constexpr std::string_view kTooLong = "this takes too long";
// Positions whose moves are compared by what they lead to, with so many moves at the most, and the steps that
// this may take of all.
constexpr std::uint64_t kCompared = 150, kMostCompared = 80, kShareOfCompared = 10;
// Positions that are kept from all over the games: one of so many, none before so many plies of each player,
// where rules of the opening may still count.
constexpr std::size_t kMostSample = 40;
constexpr std::uint64_t kSampleOneOf = 37;
constexpr int kOpening = 3;
// A position that comes this often goes round.
constexpr int kCircle = 3;
// Moves that are kept of those that change nothing, which some may do by chance, and of those that cost a
// piece of one's own.
constexpr std::size_t kMostKept = 8;

// On the board and in the hands.
std::int64_t pieces_of(const Program& program, const Position& position, int player) {
  std::int64_t pieces = 0;
  for (const Stack& stack : position.cells)
    pieces += std::count_if(stack.begin(), stack.end(), [&](const Piece& p) { return p.owner == player; });
  for (const int slot : program.hand_slot[static_cast<std::size_t>(player)])
    if (slot >= 0) pieces += position.hands[static_cast<std::size_t>(slot)];
  return pieces;
}

// Does only one piece lie there, of this player?
bool is_single(const Stack& stack, int player) { return stack.size() == 1 && stack.front().owner == player; }

void keep(std::vector<MoveSeen>& kept, const std::string& notation, const Position& position,
          const std::vector<std::string>& line) {
  const auto same = [&](const MoveSeen& seen) { return seen.notation == notation; };
  if (kept.size() < kMostKept && std::none_of(kept.begin(), kept.end(), same))
    kept.push_back({notation, {position, line}});
}

class Surveying {
public:
  Surveying(std::shared_ptr<const Rules> rules, const SurveyOptions& options)
      : rules_(std::move(rules)), options_(options), found_(walked_program(), program()),
        walked_(walked_program(), {static_cast<std::uint64_t>(options.positions), options.walk_steps}) {
    found_.wins.resize(program().players.size());
    found_.moved.resize(program().players.size());
  }

  Survey run() {
    Walked shown(walked_program(), kAnyNumber);
    for (const Position& position : options_.shown) {
      shown.add(position, {});
      found_.standing.seen(position);
    }
    found_.trace.add(shown.trace());
    for (int game = 0; game < options_.games && goes_on(); ++game) {
      random_ = Random(chain(options_.seed, static_cast<std::uint64_t>(game)));
      play(game);
      if (found_.plies == 0) break; // no other game is another
    }
    if (found_.games == 0 && found_.plies > 0) ++found_.games, ++found_.unfinished; // something was seen
    results();
    dead_cells();
    found_.trace.add(walked_.trace());
    found_.positions = walked_.positions();
    found_.parts = walked_.parts();
    found_.left_out = walked_.left_out();
    return std::move(found_);
  }

private:
  // Adds what a game takes to the steps of all, from time to time and at its end.
  class Spending {
  public:
    Spending(const Surveying& all, const Game& game) : all_(all), game_(game) {}
    ~Spending() { note(); }
    Spending(const Spending&) = delete;
    Spending& operator=(const Spending&) = delete;
    void note() const {
      const std::uint64_t now = game_.steps();
      all_.steps_ += now - known_;
      known_ = now;
    }

  private:
    const Surveying& all_;
    const Game& game_;
    mutable std::uint64_t known_ = 0;
  };

  [[nodiscard]] const Program& program() const { return rules_->program(); }
  [[nodiscard]] const Program& walked_program() const {
    return options_.walked == nullptr ? program() : *options_.walked;
  }
  [[nodiscard]] bool goes_on() {
    found_.stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    found_.broken_off = found_.broken_off || steps_ >= options_.steps || Meter::gave_up();
    return !found_.stopped && !found_.broken_off && !found_.fault && found_.plies < options_.plies &&
           listed_ < options_.listed;
  }

  // Has the game that is played taken its share of the budget?
  [[nodiscard]] bool has_had_its_share(std::uint64_t plies, std::uint64_t listed, std::uint64_t steps) const {
    return (found_.plies - plies) * kShares >= options_.plies ||
           (listed_ - listed) * kShares >= options_.listed || (steps_ - steps) * kShares >= options_.steps;
  }

  // Games of which only the results are seen.
  void results() {
    found_.all = {found_.games, found_.unfinished, found_.draws, found_.wins, found_.ends};
    if (found_.fault || found_.plies == 0) return;
    RandomPlayer player(rules_);
    player.give_up_when({options_.stop, nullptr, {}});
    random_ = Random(chain(options_.seed, static_cast<std::uint64_t>(options_.games)));
    for (std::uint64_t game = 0; game < options_.more_games && affords(player); ++game)
      if (!play_out(player)) return;
  }
  [[nodiscard]] bool affords(const RandomPlayer& player) {
    found_.stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    found_.broken_off = found_.broken_off || Meter::gave_up();
    return !found_.stopped && !found_.broken_off && found_.more_plies < options_.more_plies &&
           (more_moves_ < options_.more_moves || found_.more_plies < kAnyMoves) &&
           player.steps() < options_.more_steps;
  }

  // False: there is nothing more to see. A game for which the budget doesn't suffice doesn't count, but for
  // its positions: it would seem not to end.
  bool play_out(RandomPlayer& player) {
    constexpr std::uint32_t kStretch = 4; // plies between looks at the budget
    std::uint32_t plies = 0;
    const std::uint64_t moves = more_moves_, steps = player.steps();
    const auto most = static_cast<std::uint32_t>(options_.max_plies);
    while (plies < most) {
      const auto stretch = std::min(kStretch, most - plies);
      const auto played = plies == 0 ? player.play(random_, stretch) : player.play_on(random_, stretch);
      if (!played) {
        if (!played.error().message.starts_with(kTooLong)) look_at_fault(player.position());
        return false;
      }
      plies += played->plies;
      found_.more_plies += played->plies;
      more_moves_ += played->moves;
      if (played->outcome) {
        if (played->outcome->winners != 0 && plies <= program().players.size())
          ++found_.at_once[{played->outcome->origin, played->outcome->by}];
        return note_result(*played->outcome), true;
      }
      if (!affords(player)) return false;
      const bool share = (more_moves_ - moves) * kMoreShares >= options_.more_moves ||
                         (player.steps() - steps) * kMoreShares >= options_.more_steps;
      if (share && plies < kLong) return true; // doesn't count
      if (share) break;
    }
    ++found_.all.games;
    ++found_.all.unfinished;
    return true;
  }

  void note_result(const Outcome& outcome) {
    ++found_.all.games;
    ++found_.all.ends[{outcome.origin, outcome.by}];
    found_.all.draws += outcome.winners == 0 ? 1 : 0;
    for (std::size_t player = 0; player < found_.all.wins.size(); ++player)
      found_.all.wins[player] += outcome.winners >> player & 1;
  }

  // A fault is told where it can be shown: in the position before the move that met it.
  void look_at_fault(const Position& position) {
    if (found_.stopped) return;
    Game game(rules_, position);
    ListLimits limits;
    limits.most_moves = kMostMoves;
    line_.clear();
    if (const auto moves = game.moves(limits); !moves) fault(moves.error(), position);
  }

  void play(int number) {
    Game game(rules_);
    const Spending spending(*this, game);
    line_.clear();
    past_.clear();
    came_.clear();
    circled_ = false;
    ListLimits limits;
    const std::uint64_t plies = found_.plies, listed = listed_, steps = steps_;
    for (int ply = 0; spending.note(), goes_on(); ++ply) {
      if (ply >= kEnoughOfOne && has_had_its_share(plies, listed, steps)) {
        if (static_cast<std::uint64_t>(ply) < kLong) return; // doesn't count
        break;
      }
      const Position position = game.position();
      const bool looked = looked_at(number, ply);
      limits.most_moves = with_many_ < kEnoughWithMany ? kMostMoves : kFewMoves;
      const auto moves = game.moves(limits);
      if (!moves) return fault(moves.error(), position);
      with_many_ += moves->size() >= kMostMoves ? 1 : 0;
      listed_ += std::min<std::uint64_t>(moves->size(), limits.most_moves);
      ++found_.looked_at;
      if (moves->size() >= kMostMoves && found_.most_moves == 0) {
        const auto all = game.moves(); // are there more than can be listed at all?
        if (!all) return fault(all.error(), position);
        note_many(all->size(), position);
      }
      // Only what the engine can answer: two answers that are given up for want of memory would take it
      // twice.
      if (looked) walk(position);
      if (looked && !found_.ambiguous && moves->size() < limits.most_moves) note_ambiguous(game, position);
      if (looked) note_twins(game, *moves, position);
      keep_some(position);
      if (number == 0 && ply == 0) found_.opening_moves = moves->size();
      if (moves->empty()) { // over, or else there is no move and the game is drawn
        const auto outcome = game.outcome();
        if (!outcome) return fault(outcome.error(), position);
        if (*outcome) return end(**outcome, position);
        break;
      }
      if (ply == options_.max_plies) break;
      if (!step(game, position)) return;
    }
    ++found_.games;
    ++found_.unfinished;
  }

  void note_many(std::uint64_t moves, const Position& position) {
    found_.most_moves = moves;
    found_.with_most = Witness{position, line_};
  }

  // Dead cells: pieces never left them, and no move begins there where a piece stood on them, either.
  void dead_cells() {
    for (DeadCell& dead : found_.standing.dead()) {
      Game game(rules_, dead.last);
      const Spending spending(*this, game);
      ListLimits limits;
      limits.most_moves = kMostMoves;
      const auto moves = game.moves(limits);
      if (!moves || moves->empty() || moves->size() >= kMostMoves) continue;
      const std::vector<Move> all(moves->begin(), moves->end());
      const bool leaves = std::any_of(all.begin(), all.end(), [&](const Move move) {
        const auto cells = game.from_to(move);
        return !cells || cells->from == dead.cell;
      });
      if (!leaves) found_.dead.push_back(std::move(dead));
    }
  }

  bool step(Game& game, const Position& before) {
    const auto drawn = game.draw(random_);
    if (!drawn || !*drawn) return fault(drawn ? Fault{"no move was found", 0} : drawn.error(), before), false;
    const Move move = **drawn;
    auto notation = game.notation(move);
    if (!notation) return fault(notation.error(), before), false;
    const auto cells = game.from_to(move);
    if (const auto played = game.play(move); !played) return fault(played.error(), before), false;
    ++found_.plies;
    ++found_.moved[static_cast<std::size_t>(before.to_move)];
    const Position after = game.position();
    found_.standing.moved(before, after);
    note_unchanging(game, before, after, *notation);
    if (cells && cells->to >= 0) note_overwriting(before, after, *cells, *notation);
    line_.push_back(std::move(*notation));
    past_.push_back(before);
    note_circle(game, after);
    return true;
  }

  // A move that decides the game changes that.
  void note_unchanging(Game& game, const Position& before, const Position& after,
                       const std::string& notation) {
    if (before.cells != after.cells || before.hands != after.hands || before.variables != after.variables ||
        before.out != after.out)
      return;
    const auto outcome = game.outcome();
    if (outcome && *outcome && (*outcome)->by == Outcome::By::move) return;
    ++found_.unchanged;
    keep(found_.unchanging, notation, before, line_);
  }

  // The piece that lay where the move ends was the mover's, and he has one less in all, or no more for a new
  // one; nothing else on the board has changed that could be the reason.
  void note_overwriting(const Position& before, const Position& after, const FromTo& cells,
                        const std::string& notation) {
    const int mover = before.to_move;
    const auto to = static_cast<std::size_t>(cells.to);
    const std::int64_t added = cells.from < 0 ? 1 : 0;
    if (!is_single(before.cells[to], mover) || !is_single(after.cells[to], mover)) return;
    if (pieces_of(program(), after, mover) >= pieces_of(program(), before, mover) + added) return;
    // What becomes another piece is a merger.
    if (cells.from >= 0 && before.cells[static_cast<std::size_t>(cells.from)] != after.cells[to]) return;
    for (std::size_t cell = 0; cell < before.cells.size(); ++cell)
      if (cell != to && static_cast<int>(cell) != cells.from && before.cells[cell] != after.cells[cell])
        return;
    keep(found_.overwriting, notation, before, line_);
  }

  // The line of `end` that would decide the game, were a player asked who has just moved instead of the next
  // one.
  [[nodiscard]] std::optional<Survey::End> line_for(Position position, int player) const {
    position.to_move = player;
    Game game(rules_, position);
    const Spending spending(*this, game);
    const auto outcome = game.outcome();
    if (!outcome || !*outcome || (*outcome)->by != Outcome::By::end_line || (*outcome)->winners == 0)
      return {};
    return Survey::End{(*outcome)->origin, (*outcome)->by};
  }

  // Could the answer to the last move of `player` have undone what would have ended the game? Then the line
  // may well be meant to come late: who reaches his goal must stay there.
  [[nodiscard]] bool can_be_undone(const Position& answered, const Survey::End& end, int player) const {
    Game game(rules_, answered);
    const Spending spending(*this, game);
    ListLimits limits;
    limits.most_moves = kMostMoves;
    const auto moves = game.moves(limits);
    if (!moves) return true;
    for (const Move move : std::vector<Move>(moves->begin(), moves->end())) {
      spending.note();
      if (steps_ >= options_.steps || !game.play(move)) return true; // who knows
      if (line_for(game.position(), player) != end) return true;
      game.undo();
    }
    return false;
  }

  void note_late(const Survey::End& end, int player) {
    std::size_t next = past_.size(); // the position after his last move
    while (next > 0 && past_[next - 1].to_move != player) --next;
    if (next == 0 || next == past_.size() || line_for(past_[next], player) != end) return;
    ++found_.late[end];
    if (!found_.undoable.contains(end) && can_be_undone(past_[next], end, player))
      found_.undoable.insert(end);
  }

  // Different moves that lead to the same position, in positions with few moves. Clocks count: they may
  // decide the game later on.
  void note_twins(Game& game, const MoveList& moves, const Position& position) {
    if (found_.twins.positions >= kCompared || moves.size() < 2 || moves.size() > kMostCompared) return;
    if (comparing_ * kShareOfCompared >= options_.steps) return;
    const std::uint64_t steps = game.steps();
    std::map<std::uint64_t, Move> led; // by the key of the position
    bool any = false;
    for (const Move move : std::vector<Move>(moves.begin(), moves.end())) {
      if (!game.play(move)) return;
      const std::uint64_t key = game.key();
      const auto [same, fresh] = led.try_emplace(key, move);
      const Position after = fresh || any ? Position{} : game.position();
      game.undo();
      if (fresh || any) continue;
      any = note_twin(game, {same->second, move}, after, position);
    }
    comparing_ += game.steps() - steps;
    ++found_.twins.positions;
    found_.twins.with += any ? 1 : 0;
  }
  // Two moves are twins if they begin and end on the same cells: others are two ways to one position, which
  // many games have.
  bool note_twin(Game& game, const std::pair<Move, Move>& pair, const Position& second,
                 const Position& position) {
    const auto one = game.from_to(pair.first), other = game.from_to(pair.second);
    if (!one || !other || one->from != other->from || one->to != other->to) return false;
    if (!game.play(pair.first)) return false;
    const bool same = game.position().same_as(second);
    game.undo();
    if (!same || !found_.twins.notations.empty()) return same;
    for (const Move move : {pair.first, pair.second})
      if (const auto notation = game.notation(move)) found_.twins.notations.push_back(*notation);
    found_.twins.where = {position, line_};
    return true;
  }

  void note_circle(const Game& game, const Position& after) {
    if (++came_[game.key()] != kCircle || circled_) return;
    circled_ = true;
    if (!found_.third) found_.third = Witness{after, line_};
    ++found_.circling;
  }

  void keep_some(const Position& position) {
    const bool opening =
        std::any_of(position.turns.begin(), position.turns.end(), [](int n) { return n < kOpening; });
    if (opening || found_.some_of_all.size() >= kMostSample) return;
    if (found_.looked_at % kSampleOneOf == 0) found_.some_of_all.push_back(position);
  }

  // Two moves that are written alike can't be told apart by who has to type one.
  void note_ambiguous(Game& game, const Position& position) {
    const auto moves = game.moves();
    const auto notations = game.notations();
    if (!moves || !notations) return;
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < notations->size(); ++i) {
      const auto [same, fresh] = seen.try_emplace((*notations)[i], i);
      if (fresh) continue;
      found_.ambiguous = MoveSeen{same->first, {position, line_}};
      for (const Move move : std::vector<Move>{(*moves)[same->second], (*moves)[i]}) {
        if (!game.play(move)) return;
        found_.alike.push_back(game.position());
        game.undo();
      }
      return;
    }
  }

  void end(const Outcome& outcome, const Position& position) {
    walk(position); // so that every end line that decided a game has been asked
    ++found_.games;
    ++found_.ends[{outcome.origin, outcome.by}];
    if (outcome.by == Outcome::By::end_line && outcome.winners != 0)
      note_late({outcome.origin, outcome.by}, position.to_move);
    if (outcome.winners != 0 && past_.size() <= program().players.size())
      ++found_.at_once[{outcome.origin, outcome.by}];
    const int last = past_.empty() ? -1 : past_.back().to_move;
    if (outcome.by == Outcome::By::end_line && outcome.winners != 0 && last >= 0 &&
        (outcome.winners >> static_cast<unsigned>(last) & 1U) == 0)
      ++found_.lost_by_mover[{outcome.origin, outcome.by}];
    found_.draws += outcome.winners == 0 ? 1 : 0;
    for (std::size_t player = 0; player < found_.wins.size(); ++player)
      found_.wins[player] += outcome.winners >> player & 1;
  }

  // A position that takes too long for any answer is no mistake by itself.
  void fault(const Fault& fault, const Position& position) {
    const bool too_long = fault.message.starts_with(kTooLong);
    if (too_long && found_.looked_at > 0)
      found_.broken_off = true;
    else
      found_.fault = FaultSeen{fault, {position, line_}};
  }

  bool looked_at(int game, int ply) {
    if (game == 0 && ply < kAllOfFirst) return true;
    return random_.below(kOneOf) == 0;
  }

  void walk(const Position& position) { walked_.add(position, past_); }

  std::shared_ptr<const Rules> rules_;
  SurveyOptions options_;
  Survey found_;
  Random random_{0};
  Walked walked_;
  std::uint64_t listed_ = 0;     // moves
  std::uint64_t more_moves_ = 0; // that could have been played in games of which only the results are seen
  std::uint64_t with_many_ = 0;  // positions
  mutable std::uint64_t steps_ = 0;
  std::uint64_t comparing_ = 0; // steps that moves took which are compared by what they lead to
  std::vector<std::string> line_;
  std::vector<Position> past_;
  std::map<std::uint64_t, int> came_; // how often a position has come in this game, by its key
  bool circled_ = false;              // one came for the third time
};

} // namespace

SurveyOptions scaled(SurveyOptions budgets, std::uint64_t times, std::uint64_t smaller) {
  const auto scale = [&](auto& budget) {
    using Number = std::remove_reference_t<decltype(budget)>;
    budget = static_cast<Number>(static_cast<std::uint64_t>(budget) * times / smaller);
  };
  for (std::uint64_t* const budget :
       {&budgets.plies, &budgets.walk_steps, &budgets.listed, &budgets.steps, &budgets.more_games,
        &budgets.more_plies, &budgets.more_moves, &budgets.more_steps})
    scale(*budget);
  scale(budgets.games);
  scale(budgets.positions);
  return budgets;
}

Survey survey(const std::shared_ptr<const Rules>& rules, const SurveyOptions& options) {
  return Surveying(rules, options).run();
}

} // namespace boardwright::runtime
