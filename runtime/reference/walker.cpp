#include "runtime/reference/walker.hpp"

#include "runtime/model/check_state.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/model/spread.hpp"
#include "runtime/reference/walker_operations.hpp"
#include "runtime/reference/walker_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>
#include <tuple>

namespace boardwright::runtime {

// ---------------------------------------------------------------- a walk

namespace {

// No more than the command's account has left.
std::uint64_t affordable(std::uint64_t limit) {
  const Meter* const meter = Meter::current();
  return meter == nullptr ? limit : std::min(limit, meter->left() / kStepsOfWalk);
}

// With the memory that the system takes for each stack.
std::size_t bytes_of(const Position& position) {
  constexpr std::size_t kBytesOfMemory = 32;
  std::size_t bytes = position.cells.size() * sizeof(Stack) + position.hands.size() * sizeof(std::int32_t) +
                      position.variables.size() * sizeof(VariableValue);
  for (const Stack& stack : position.cells)
    if (!stack.empty()) bytes += std::max(kBytesOfMemory, stack.size() * sizeof(Piece));
  return bytes;
}

} // namespace

Walk::Walk(const Program& program, const Position& position, std::span<const Position> past,
           std::uint64_t limit, Observer* observer, std::uint64_t* spent)
    : program_(program), board_(program.board), position_(position), past_(past), limit_(affordable(limit)),
      draft_bytes_(sizeof(Draft) + bytes_of(position)), observer_(observer), spent_(spent) {
  constexpr int kUsualCells = 64, kCellsPerStep = 256;
  steps_of_board_ = static_cast<std::size_t>(std::max(board_.cells - kUsualCells, 0) / kCellsPerStep);
  constexpr std::uint64_t kOfStack = 24;
  const auto stands = [](const Stack& stack) { return !stack.empty(); };
  copying_ = position.cells.size() + kOfStack * static_cast<std::uint64_t>(std::count_if(
                                                    position.cells.begin(), position.cells.end(), stands));
}

Walk::~Walk() {
  if (spent_ != nullptr) *spent_ += steps_;
  Meter::charge(steps_ * kStepsOfWalk);
}

Turn Walk::begin_turn(int mover, bool moving) const {
  // Constants are evaluated before there is a set-up: then every cell is empty.
  std::vector<Stack> cells = position_.cells;
  cells.resize(static_cast<std::size_t>(board_.cells));
  return {mover, moving, CopyOnWrite(std::move(cells)), CopyOnWrite(position_.hands),
          CopyOnWrite(position_.variables)};
}

Draft Walk::begin(const Turn& turn) const {
  Draft d;
  d.turn = &turn;
  d.cells = turn.cells;
  d.hands = turn.hands;
  d.variables = turn.variables;
  d.out = position_.out;
  return d;
}

bool Walk::turn(int player, Draft d, Sink out) {
  const NodeId rule = program_.players[static_cast<std::size_t>(player)].turn;
  // What is worked out while a file is loaded, such as values in the set-up, comes before its turns.
  if (rule == kNoNode) throw Failure{{"whether there is a move isn't known before the game begins", 0}};
  return run(rule, std::move(d), [&](Draft&& e) {
    if (!e.carried.empty()) {
      if (observer_ != nullptr) observer_->ended_carrying(e);
      return true;
    }
    ++moves_found_;
    reference::write_gone(*this, node(rule), e);
    if (observer_ != nullptr) observer_->found(e);
    return out(std::move(e));
  });
}

void Walk::fail(const Node& n, std::string message) const { throw Failure{{std::move(message), n.origin}}; }

void Walk::work(const Node& n, std::size_t steps) {
  constexpr std::uint64_t kBetweenLooks = 1 << 12;
  const bool looks = steps_ / kBetweenLooks != (steps_ + steps) / kBetweenLooks;
  steps_ += steps;
  if (const Meter* meter = looks ? Meter::current() : nullptr; meter != nullptr) {
    if (meter->is_stopped()) fail(n, "stopped");
    if (meter->is_spent()) fail(n, "this takes too long: a command may take no more steps");
  }
  if (steps_ > limit_) fail(n, fmt::format("deriving the moves took more than {} steps", limit_));
}

void Walk::check_kept(const Node& n, std::size_t drafts) const {
  if (drafts > kMaxWalkDrafts) fail(n, fmt::format("an action has more than {} outcomes", kMaxWalkDrafts));
  if (drafts * draft_bytes_ > kMaxWalkBytes)
    fail(n, fmt::format("the outcomes of an action take more than {} bytes", kMaxWalkBytes));
}

void Walk::check_list(const Node& n, std::size_t members) const {
  if (members > kMaxList) fail(n, fmt::format("a list has more than {} members", kMaxList));
}

// ---------------------------------------------------------------- boards without edges

namespace {

// What stands on a board without edges must not meet itself from the other side.
void check_reach(const Walk& walk, const Program& program, const Position& position) {
  if (!program.board.endless()) return;
  CellSet occupied;
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell)
    if (!position.cells[cell].empty()) occupied.set(static_cast<int>(cell));
  if (spread(program.board, occupied) <= program.board.reach) return;
  const NodeId rule = program.players[static_cast<std::size_t>(position.to_move)].turn;
  walk.fail(program.nodes[rule], too_far(program.board));
}

} // namespace

// ---------------------------------------------------------------- moves

namespace {

struct ByContent { // a move is its notation and the position it leads to, with decision and player to move
  static auto key(const WalkedMove& m) {
    return std::tie(m.notation, m.after.to_move, m.after.out, m.after.cells, m.after.hands,
                    m.after.variables);
  }
  static std::int64_t decision(const WalkedMove& m) {
    return m.outcome ? std::int64_t{m.outcome->winners} : std::int64_t{-1};
  }
  bool operator()(const WalkedMove& a, const WalkedMove& b) const {
    const auto o = key(a) <=> key(b);
    return o != 0 ? o < 0 : decision(a) < decision(b);
  }
};

void count_up(std::int32_t& counter) {
  if (counter < std::numeric_limits<std::int32_t>::max()) ++counter;
}

std::int32_t next_to_move(const Walk& walk, int mover, const Draft& d) {
  const std::vector<int> others = walk.following(mover, d.out);
  const bool stays = d.again && (d.out >> mover & 1) == 0;
  return stays || others.empty() ? mover : others.front();
}

WalkedMove move_of(const Walk& walk, const Position& position, const Draft& d) {
  const auto mover = static_cast<std::size_t>(position.to_move);
  WalkedMove move{d.notation, {}, d.decision};
  Position& after = move.after;
  after.cells = *d.cells;
  after.hands = *d.hands;
  after.variables = *d.variables;
  after.to_move = next_to_move(walk, position.to_move, d);
  after.out = d.out;
  after.ply = position.ply;
  after.turns = position.turns;
  after.turns.resize(std::max(after.turns.size(), mover + 1));
  count_up(after.ply);
  count_up(after.turns[mover]);
  return move;
}

using MoveSet = std::set<WalkedMove, ByContent>;

// Whatever stands here could be written and read back; a position that couldn't may lead to others.
[[maybe_unused]] bool is_sound(const Program& program, const Position& position, const WalkedMove& move) {
  return check_state(program, move.after).empty() || !check_state(program, position).empty();
}

void collect(Walk& walk, const Program& program, const Position& position, MoveSet& moves) {
  const Turn turn = walk.begin_turn(position.to_move, true);
  const NodeId rule = program.players[static_cast<std::size_t>(position.to_move)].turn;
  walk.turn(position.to_move, walk.begin(turn), [&](Draft&& d) {
    [[maybe_unused]] const auto [move, is_new] = moves.insert(move_of(walk, position, d));
    assert((!is_new || is_sound(program, position, *move)) && "a move leaves what is no position");
    if (moves.size() > kMaxWalkDrafts)
      walk.fail(program.nodes[rule], fmt::format("a position has more than {} moves", kMaxWalkDrafts));
    walk.keep(program.nodes[rule], moves.size());
    walk.charge_copy(d.notation.size() / 4);
    return true;
  });
}

} // namespace

tl::expected<std::vector<WalkedMove>, Fault> Walker::derive(const Position& position,
                                                            std::span<const Position> past) const {
  try {
    Walk walk(program_, position, past, max_steps_, observer_, &steps_);
    check_reach(walk, program_, position);
    MoveSet found;
    collect(walk, program_, position, found);
    std::vector<WalkedMove> moves;
    moves.reserve(found.size());
    while (!found.empty()) moves.push_back(std::move(found.extract(found.begin()).value()));
    return moves;
  } catch (Failure& failure) {
    return tl::unexpected(std::move(failure.fault));
  }
}

// ---------------------------------------------------------------- outcomes

namespace {

// The players with the greatest share win; if all have the same, nobody does.
std::uint32_t winners_by_score(Walk& walk, const EndLine& line, const Draft& d) {
  std::int64_t best = std::numeric_limits<std::int64_t>::min();
  std::uint32_t winners = 0, everyone = 0;
  for (std::size_t player = 0; player < line.score.size(); ++player) {
    if ((d.out >> player & 1) != 0) continue;
    const std::int64_t share = walk.number(line.score[player], d);
    if (share > best) winners = 0;
    best = std::max(best, share);
    everyone |= std::uint32_t{1} << player;
    if (share == best) winners |= std::uint32_t{1} << player;
  }
  const bool alone = (winners & (winners - 1)) == 0;
  return winners == everyone && !alone ? 0 : winners;
}

Outcome::By reason(const Program& program, const EndLine& line) {
  return program.nodes[line.condition].op == Op::no_move ? Outcome::By::no_move : Outcome::By::end_line;
}

// The player to move loses. Of three or more he is only put out, unless one is left; then the game goes on.
std::optional<Outcome> lose(const Walk& walk, const Program& program, const EndLine& line,
                            Position& position) {
  const std::uint32_t out = position.out | std::uint32_t{1} << position.to_move;
  const std::vector<int> left = walk.following(position.to_move, out);
  const bool two = program.player_count() <= 2;
  if (!two) position.out = out;
  if (left.size() <= 1) {
    const std::uint32_t winners = left.empty() ? 0 : std::uint32_t{1} << left.front();
    return Outcome{winners, line.origin, two ? reason(program, line) : Outcome::By::last_left};
  }
  position.to_move = left.front();
  return std::nullopt;
}

// What a line that applies decides; nothing if it only puts a player out.
std::optional<Outcome> decide(Walk& walk, const Program& program, const EndLine& line, const Draft& d,
                              Position& position) {
  const Outcome::By by = reason(program, line);
  switch (line.verdict) {
  case Verdict::win: {
    const int winner = line.winner < 0 ? position.to_move : line.winner;
    return Outcome{std::uint32_t{1} << winner, line.origin, by};
  }
  case Verdict::draw: return Outcome{0, line.origin, by};
  case Verdict::score: return Outcome{winners_by_score(walk, line, d), line.origin, by};
  case Verdict::share: return outcome_of(line.result, line.origin, by);
  case Verdict::lose: break;
  }
  return lose(walk, program, line, position);
}

// What questions about end lines are asked with.
struct Asking {
  const Program& program;
  std::span<const Position> past;
  std::uint64_t max_steps;
  Observer* observer;
  std::uint64_t* spent;

  [[nodiscard]] Walk walk(const Position& position) const {
    return {program, position, past, max_steps, observer, spent};
  }
};

// The first line that applies; null if none does.
const EndLine* applying(const Asking& asking, const Position& position) {
  for (const EndLine& line : asking.program.players[static_cast<std::size_t>(position.to_move)].end) {
    Walk walk = asking.walk(position);
    const Turn turn = walk.begin_turn(position.to_move, false);
    if (walk.holds(line.condition, walk.begin(turn))) return &line;
  }
  return nullptr;
}

// Of three or more the last one left has won. A game ends when it comes to that; a position may begin so.
std::optional<Outcome> won_by_last(const Program& program, const Position& position) {
  std::uint32_t winners = 0;
  int left = 0;
  for (int player = 0; player < program.player_count(); ++player) {
    if ((position.out >> player & 1) != 0) continue;
    winners |= std::uint32_t{1} << player;
    ++left;
  }
  if (program.player_count() <= 2 || left > 1) return std::nullopt;
  return Outcome{winners, 0, Outcome::By::last_left};
}

std::optional<Outcome> standing(const Asking& asking, Position& position) {
  if (auto outcome = won_by_last(asking.program, position)) return outcome;
  check_reach(asking.walk(position), asking.program, position);
  // Every turn of this loop puts one player out.
  while (const EndLine* line = applying(asking, position)) {
    Walk walk = asking.walk(position);
    const Turn turn = walk.begin_turn(position.to_move, false);
    const Draft d = walk.begin(turn);
    if (auto outcome = decide(walk, asking.program, *line, d, position)) return outcome;
  }
  return std::nullopt;
}

bool has_move(const Program& program, const Position& position, std::span<const Position> past,
              std::uint64_t max_steps, std::uint64_t* spent) {
  Walk walk(program, position, past, max_steps, nullptr, spent);
  const Turn turn = walk.begin_turn(position.to_move, true);
  Draft d = walk.begin(turn);
  d.quiet = true;
  return !walk.turn(position.to_move, std::move(d), [](Draft&&) { return false; });
}

} // namespace

tl::expected<std::optional<Outcome>, Fault>
Walker::outcome(Position& position, std::span<const Position> past, bool ask_moves) const {
  try {
    const Asking asking{program_, past, max_steps_, observer_, &steps_};
    if (auto outcome = standing(asking, position)) return outcome;
    if (!ask_moves || has_move(program_, position, past, max_steps_, &steps_)) return std::nullopt;
    const NodeId rule = program_.players[static_cast<std::size_t>(position.to_move)].turn;
    return Outcome{0, program_.nodes[rule].origin, Outcome::By::no_move};
  } catch (Failure& failure) {
    return tl::unexpected(std::move(failure.fault));
  }
}

// ---------------------------------------------------------------- values

tl::expected<Value, Fault> Walker::evaluate(NodeId node, const Position& position) const {
  std::uint64_t steps = kMaxWalkSteps;
  return evaluate(node, position, steps);
}

tl::expected<Value, Fault> Walker::evaluate(NodeId node, const Position& position,
                                            std::uint64_t& steps) const {
  Walk walk(program_, position, {}, steps);
  tl::expected<Value, Fault> result;
  try {
    const Turn turn = walk.begin_turn(position.to_move, false);
    result = walk.value(node, walk.begin(turn));
  } catch (Failure& failure) {
    result = tl::unexpected(std::move(failure.fault));
  }
  steps -= std::min(steps, walk.steps());
  return result;
}

tl::expected<std::vector<Value>, Fault>
Walker::evaluate_by_cell(NodeId node, std::optional<std::uint32_t> name, const Position& position,
                         std::uint64_t& steps, const std::map<NodeId, std::uint32_t>& by_number) const {
  Walk walk(program_, position, {}, steps);
  Memory memory{by_number, {}};
  walk.remember(memory);
  tl::expected<std::vector<Value>, Fault> result;
  try {
    const Turn turn = walk.begin_turn(position.to_move, false);
    for (int cell = kNoCell; cell < program_.board.cells; ++cell) {
      if (cell != kNoCell && !program_.board.all.test(cell)) { // a hole: nobody asks for it
        result->emplace_back();
        continue;
      }
      Draft d = walk.begin(turn);
      if (name) {
        Value named;
        if (cell != kNoCell) named.cells.set(cell);
        d.locals.bind(*name, std::move(named));
      } else {
        d.here = cell;
      }
      result->push_back(walk.value(node, d));
    }
  } catch (Failure& failure) {
    result = tl::unexpected(std::move(failure.fault));
  }
  steps -= std::min(steps, walk.steps());
  return result;
}

} // namespace boardwright::runtime
