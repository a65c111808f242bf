#include "runtime/search/worlds.hpp"

#include "runtime/model/index.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace boardwright::runtime::search {
namespace {

// So many times the number of worlds are begun anew where none is left.
constexpr std::size_t kMostBegun = 8;
// Of a list no more moves are tried for one that looks the same: which are, is drawn by lot.
constexpr std::size_t kMostTried = 400;

void shuffle_order(std::vector<std::uint32_t>& order, Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

// Nature's moves in an order that is drawn by their weights.
void order_by_weight(std::vector<std::uint32_t>& order, const std::vector<std::int64_t>& weights,
                     Random& random) {
  std::int64_t left = 0;
  for (const std::uint32_t i : order) left += weights[i];
  for (std::size_t k = 0; k < order.size() && left > 0; ++k) {
    auto ticket = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(left)));
    std::size_t i = k;
    while ((ticket -= weights[order[i]]) >= 0) ++i;
    left -= weights[order[i]];
    std::swap(order[k], order[i]);
  }
}

// What is behind the cells, by owner and kind.
using Census = std::map<Piece, int>;

class Behind {
public:
  Behind(const Program& program, const sight::Seen& seen, const Position& believed, Random& random)
      : program_(program), seen_(seen), believed_(believed), random_(random), made_(seen.position) {}

  Position position() {
    count();
    uncover();
    fill_the_dark();
    for (std::size_t i = 0; i < seen_.hands.size(); ++i)
      if (seen_.hands[i]) made_.hands[i] = believed_.hands[i];
    for (std::size_t v = 0; v < seen_.variables.size(); ++v) variable(v);
    return std::move(made_);
  }

private:
  void count() {
    for (const Stack& stack : believed_.cells)
      for (const Piece& piece : stack) ++left_[piece];
    for (int cell = 0; cell < program_.board.cells; ++cell)
      if (!seen_.covered.test(cell))
        for (const Piece& piece : made_.cells[at(cell)]) --left_[piece];
  }

  // A piece of the owner that isn't accounted for; `like` where that is one.
  std::optional<Piece> take(int owner, const Stack& like) {
    std::vector<Piece> may;
    for (const auto& [piece, number] : left_) {
      if (number <= 0 || (owner >= 0 && piece.owner != owner)) continue;
      if (std::find(like.begin(), like.end(), piece) != like.end()) {
        may.assign(1, piece);
        break;
      }
      may.insert(may.end(), at(number), piece);
    }
    if (may.empty()) return std::nullopt;
    const Piece taken = may[random_.below(may.size())];
    --left_[taken];
    return taken;
  }

  // First those that lie where they are believed to lie.
  void uncover() {
    std::vector<std::pair<int, std::size_t>> others;
    seen_.covered.each([&](int cell) {
      Stack& stack = made_.cells[at(cell)];
      for (std::size_t i = 0; i < stack.size(); ++i) {
        const Stack& like = believed_.cells[at(cell)];
        const bool known = i < like.size() && like[i].owner == stack[i].owner && left_[like[i]] > 0;
        if (!known) {
          others.emplace_back(cell, i);
          continue;
        }
        stack[i] = like[i];
        --left_[like[i]];
      }
    });
    for (const auto& [cell, i] : others) {
      Piece& piece = made_.cells[at(cell)][i];
      if (const auto taken = take(piece.owner, {})) piece = *taken;
    }
  }

  void fill_the_dark() {
    std::vector<int> empty;
    seen_.dark.each([&](int cell) {
      Stack stack;
      for (const Piece& piece : believed_.cells[at(cell)])
        if (left_[piece] > 0) {
          --left_[piece];
          stack.push_back(piece);
        }
      if (stack.empty()) empty.push_back(cell);
      made_.cells[at(cell)] = std::move(stack);
    });
    while (!empty.empty()) {
      const auto taken = take(-1, {});
      if (!taken) return;
      const std::size_t i = random_.below(empty.size());
      made_.cells[at(empty[i])].push_back(*taken);
      empty.erase(empty.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void variable(std::size_t v) {
    const VariableValue& other = believed_.variables[v];
    if (seen_.variables[v]) made_.variables[v] = other;
    if (program_.variables[v].plane < 0) return;
    (seen_.dark | seen_.covered).each([&](int cell) {
      if (other.cells.test(cell) && !made_.cells[at(cell)].empty()) made_.variables[v].cells.set(cell);
    });
  }

  const Program& program_;
  const sight::Seen& seen_;
  const Position& believed_;
  Random& random_;
  Position made_;
  Census left_; // pieces that are believed to exist, and haven't been placed
};

} // namespace

Position position_behind(const Program& program, const sight::Seen& seen, const Position& believed,
                         Random& random) {
  return Behind(program, seen, believed, random).position();
}

Worlds::Worlds(std::shared_ptr<const Rules> rules, std::size_t count, std::uint64_t seed)
    : rules_(std::move(rules)), count_(count), random_(mix(seed)) {}

// Set-ups are known to everybody; a position from elsewhere is only as far as it is seen.
std::optional<Game> Worlds::beginning() {
  const Program& program = rules_->program();
  const auto usual = sight::seen_by(*rules_, program.initial, player_);
  if (usual && *usual == known_.begin) return Game(rules_);
  Position guessed = position_behind(program, known_.begin, program.initial, random_);
  if (!check_position(program, guessed).empty()) return std::nullopt;
  return Game(rules_, guessed);
}

void Worlds::begin() {
  games_.clear();
  agree_ = true;
  for (std::size_t tries = 0; tries < kMostBegun * count_ && games_.size() < count_; ++tries)
    if (auto world = beginning()) games_.push_back(std::move(*world));
}

tl::expected<void, Fault> Worlds::follow(const Game& game, int player, const std::function<bool()>& over) {
  auto known = sight::knowledge_of(game, player);
  if (!known) return tl::unexpected(std::move(known).error());
  const bool goes_on = player == player_ && known->begin == known_.begin &&
                       known->moves.size() >= known_.moves.size() &&
                       std::equal(known_.moves.begin(), known_.moves.end(), known->moves.begin());
  const std::size_t from = goes_on && !games_.empty() ? known_.moves.size() : 0;
  player_ = player;
  known_ = std::move(*known);
  if (!goes_on || games_.empty()) begin();
  for (std::size_t i = from; i < known_.moves.size(); ++i) advance(known_.moves[i], over);
  if (!agree_ && !over()) begin_anew(known_.moves.size(), over);
  return {};
}

bool Worlds::step(Game& world, const sight::Witnessed& move, const std::function<bool()>& over) {
  const Program& program = rules_->program();
  if (world.to_move() != move.mover || world.is_chance() != move.chance) return false;
  const auto texts = world.notations();
  const auto moves = world.moves();
  if (!texts || !moves) return false;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < texts->size(); ++i)
    if (sight::read_by(program, (*texts)[i], move.mover, player_) == move.read) order.push_back(i);
  shuffle_order(order, random_);
  if (move.chance) {
    const auto weights = world.weights();
    if (!weights) return false;
    order_by_weight(order, *weights, random_);
  }
  if (order.size() > kMostTried) order.resize(kMostTried);
  for (const std::uint32_t i : order) {
    if (over()) return false;
    if (!world.play((*moves)[i])) continue;
    const auto seen = sight::seen_by(*rules_, world.position(), player_);
    // The game that is played went on: that is known, too.
    const auto outcome = world.outcome();
    if (seen && *seen == move.seen && outcome && !*outcome) return true;
    world.undo();
  }
  return false;
}

void Worlds::advance(const sight::Witnessed& move, const std::function<bool()>& over) {
  std::vector<Game> kept, last;
  for (Game& world : games_) {
    if (!kept.empty() && over()) break;
    (step(world, move, over) ? kept : last).push_back(std::move(world));
  }
  games_ = std::move(kept);
  if (games_.empty()) {
    agree_ = false;
    repair(std::move(last), move, over);
  }
  fill_up();
}

// Those that survive come again, so that there are as many as before.
void Worlds::fill_up() {
  const std::size_t have = games_.size();
  if (have == 0) return;
  games_.reserve(count_);
  while (games_.size() < count_) games_.push_back(games_[random_.below(have)]);
}

// What is seen now takes the place of what was believed.
void Worlds::repair(std::vector<Game> last, const sight::Witnessed& move, const std::function<bool()>& over) {
  const Program& program = rules_->program();
  for (Game& world : last) {
    if (!games_.empty() && over()) return;
    if (const auto any = world.draw(random_); any && *any) (void)world.play(**any);
    const Position made = position_behind(program, move.seen, world.position(), random_);
    if (!check_position(program, made).empty()) continue;
    const auto seen = sight::seen_by(*rules_, made, player_);
    if (seen && *seen == move.seen) games_.emplace_back(rules_, made);
  }
}

// Each from its beginning, as far as it agrees. Nothing changes where none does.
void Worlds::begin_anew(std::size_t moves, const std::function<bool()>& over) {
  std::vector<Game> found;
  for (std::size_t tries = 0; tries < kMostBegun * count_ && found.size() < count_ && !over(); ++tries) {
    auto world = beginning();
    if (!world) return;
    std::size_t i = 0;
    while (i < moves && step(*world, known_.moves[i], over)) ++i;
    if (i == moves) found.push_back(std::move(*world));
  }
  if (found.empty()) return;
  games_ = std::move(found);
  agree_ = true;
  fill_up();
}

} // namespace boardwright::runtime::search
