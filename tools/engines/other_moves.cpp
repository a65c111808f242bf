#include "tools/engines/other_moves.hpp"

#include "runtime/model/meter.hpp"
#include "runtime/model/shares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;
using search::Candidate;
using search::Proof;
using std::chrono::nanoseconds;

// Less than this isn't enough to look a move ahead.
constexpr nanoseconds kLeastTime = std::chrono::milliseconds(2);
constexpr std::uint64_t kLeastNodes = 10;

Proof opposite(Proof proof) {
  return proof == Proof::win ? Proof::loss : proof == Proof::loss ? Proof::win : proof;
}

// Half of what there is, for each of so many moves.
search::ThinkLimits share_of(const OtherMoves& wanted, std::size_t moves) {
  search::ThinkLimits limits;
  limits.stop = wanted.stop;
  const auto parts = static_cast<std::int64_t>(2 * std::max<std::size_t>(moves, 1));
  if (wanted.time) limits.deadline = std::chrono::steady_clock::now() + *wanted.time / parts;
  if (wanted.nodes)
    limits.most_nodes =
        std::max<std::uint64_t>(kLeastNodes, *wanted.nodes / static_cast<std::uint64_t>(parts));
  return limits;
}

std::size_t most_moves(const OtherMoves& wanted) {
  std::size_t most = 10'000;
  if (wanted.time)
    most = std::min(most, static_cast<std::size_t>(std::max<std::int64_t>(0, *wanted.time / kLeastTime / 2)));
  if (wanted.nodes) most = std::min<std::size_t>(most, *wanted.nodes / kLeastNodes / 2);
  return most;
}

// For whoever makes the move; nothing where it isn't known.
std::optional<Candidate> judged(search::Player& player, runtime::Game& game, runtime::Move move,
                                const search::ThinkLimits& limits) {
  const int mover = game.to_move();
  if (!game.play(move)) return std::nullopt;
  std::optional<Candidate> found;
  if (const auto outcome = game.outcome(); outcome && *outcome) {
    const bool mine = ((*outcome)->winners >> mover & 1U) != 0;
    const bool others = ((*outcome)->winners >> (1 - mover) & 1U) != 0;
    const Proof proof = mine == others ? Proof::draw : mine ? Proof::win : Proof::loss;
    found = Candidate{move, mine == others ? 0.5 : mine ? 1.0 : 0.0, 0, proof};
    if ((*outcome)->shares != 0)
      found = Candidate{move, static_cast<double>(runtime::share(**outcome, mover, 2)), 0, Proof::unknown};
  } else if (outcome) {
    const auto thought = player.think(game, limits);
    if (thought && (thought->depth > 0 || thought->proof != Proof::unknown)) {
      const bool again = game.to_move() == mover;
      found = Candidate{move, again ? thought->value : 1 - thought->value, 0,
                        again ? thought->proof : opposite(thought->proof)};
    }
  }
  game.undo();
  return found;
}

bool better(const Candidate& a, const Candidate& b) { return a.value > b.value; }

} // namespace

void add_other_moves(search::Player& player, const runtime::Game& given, const OtherMoves& wanted,
                     search::Thought& thought) {
  if (!thought.move) return;
  if (thought.candidates.empty())
    thought.candidates.push_back({*thought.move, thought.value, 0, thought.proof});
  // Where something is hidden nobody may look at what a move would do; who searches has judged all of them.
  if (given.rules().program().hides()) return;
  runtime::Game game = given;
  // To play a move, and to find the first answer to it, may take as long as to think of it should.
  const auto deadline =
      wanted.time ? std::optional(std::chrono::steady_clock::now() + *wanted.time) : std::nullopt;
  game.give_up_when({wanted.stop, nullptr, deadline});
  if (thought.candidates.size() > 1 || wanted.lines <= 1 || thought.nodes == 0 ||
      game.rules().program().players.size() != 2)
    return;
  const auto moves = game.moves();
  if (!moves) return;
  std::vector<runtime::Move> others(moves->begin(), moves->end());
  std::erase_if(others, [&](runtime::Move move) { return move.index() == thought.move->index(); });
  others.resize(std::min(others.size(), most_moves(wanted)));
  const auto stopped = [&] {
    return (wanted.stop != nullptr && *wanted.stop) || runtime::Meter::gave_up() ||
           (deadline && std::chrono::steady_clock::now() >= *deadline);
  };
  std::vector<Candidate> found;
  for (const runtime::Move move : others)
    if (!stopped())
      if (auto candidate = judged(player, game, move, share_of(wanted, others.size())))
        found.push_back(*candidate);
  std::stable_sort(found.begin(), found.end(), better);
  found.resize(std::min(found.size(), wanted.lines - 1));
  const std::size_t best = found.size();
  for (Candidate& candidate : found)
    if (!stopped() && candidate.proof == Proof::unknown)
      if (auto longer = judged(player, game, candidate.move, share_of(wanted, best))) candidate = *longer;
  std::stable_sort(found.begin(), found.end(), better);
  // The thought that led to the choice was the longer one, and found none of them better.
  for (Candidate& candidate : found)
    if (candidate.proof == Proof::unknown) candidate.value = std::min(candidate.value, thought.value);
  thought.candidates.insert(thought.candidates.end(), found.begin(), found.end());
}

} // namespace boardwright::tools
