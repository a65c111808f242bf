#include "runtime/search/features.hpp"

#include "runtime/game/compiled.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/model/piece_values.hpp"
#include "runtime/search/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace boardwright::runtime::search {

namespace {

// Beyond this a list of all lines would be too long to keep up with.
constexpr std::size_t kMostRows = 20'000;
// Of a value with more possibilities each would be met too seldom to learn what it is worth.
constexpr std::size_t kMostOptions = 16;

// Things that are the same, by number.
class Classes {
public:
  explicit Classes(std::size_t n) : above_(n) { std::iota(above_.begin(), above_.end(), std::size_t{0}); }
  std::size_t of(std::size_t i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a), b = of(b);
    above_[std::max(a, b)] = std::min(a, b); // the first of them stands for all
  }

private:
  std::vector<std::size_t> above_;
};

// Steps of what is asked of the rules to learn what they are like, that lists without end take no longer.
constexpr std::uint64_t kMaxFeatureSteps = 2'000'000'000;

} // namespace

Features::Features(std::shared_ptr<const Rules> rules)
    : rules_(std::move(rules)), program_(rules_->program()), pieces_(program_),
      cells_(at(program_.board.cells)), players_(program_.player_count()) {
  const MeteredPart part(kMaxFeatureSteps);
  sample_ = sample_games(rules_);
  symmetries_ = find_symmetries(rules_, sample_);
  shared_ = std::any_of(symmetries_.begin(), symmetries_.end(), [](const Symmetry& s) { return s.swaps; });
  find_neighbours();
  find_progress();
  find_rows();
  find_places();
  find_values();
  name_players();
  find_mobility();
}

// The number of a feature; the second player's is the first's where they are alike.
int Features::name(int player, const std::string& what) {
  const std::string full = shared_ ? what : fmt::format("{}/{}", program_.players[at(player)].name, what);
  const auto found = std::find(names_.begin(), names_.end(), full);
  if (found != names_.end()) return static_cast<int>(found - names_.begin());
  names_.push_back(full);
  return static_cast<int>(names_.size() - 1);
}

// The same kind of the other player; -1 where there is none.
int Features::partner(std::uint8_t code) const {
  const Piece piece = pieces_.of_code[code];
  if (piece.owner < 0) return -1;
  const std::uint8_t other = pieces_.code_of(1 - piece.owner, piece.kind);
  return other == 0 ? -1 : other;
}

void Features::find_places() {
  const std::size_t codes = at(pieces_.count());
  Classes classes(codes * cells_);
  for (const Symmetry& symmetry : symmetries_)
    for (std::size_t code = 1; code < codes; ++code) {
      const int to = symmetry.swaps ? partner(static_cast<std::uint8_t>(code)) : static_cast<int>(code);
      for (std::size_t cell = 0; to > 0 && cell < cells_; ++cell)
        classes.join(code * cells_ + cell, at(to) * cells_ + at(symmetry.to[cell]));
    }
  piece_.assign(codes, -1);
  place_.assign(codes * cells_, -1);
  inside_.assign(program_.board.stacks ? codes * cells_ : 0, -1);
  const auto kind_name = [&](std::size_t code) {
    return program_.kinds[at(pieces_.of_code[code].kind)].name;
  };
  for (std::size_t code = 1; code < codes; ++code)
    if (const int owner = pieces_.of_code[code].owner; owner >= 0)
      piece_[code] = name(owner, "piece/" + kind_name(code));
  const auto name_places = [&](const char* what, std::vector<int>& places) {
    std::map<std::size_t, int> known;
    for (std::size_t code = 1; code < codes; ++code) {
      const int owner = pieces_.of_code[code].owner;
      for (std::size_t cell = 0; owner >= 0 && cell < cells_; ++cell) {
        const auto [entry, fresh] = known.try_emplace(classes.of(code * cells_ + cell), -1);
        if (fresh) { // the names of places differ: no need to look whether this one is there
          entry->second = static_cast<int>(names_.size());
          names_.push_back(fmt::format("{}{}/{}/{}", shared_ ? "" : program_.players[at(owner)].name + "/",
                                       what, kind_name(code), program_.board.name[cell]));
        }
        places[code * cells_ + cell] = entry->second;
      }
    }
  };
  name_places("place", place_);
  if (program_.board.stacks) name_places("inside", inside_);
}

void Features::find_values() {
  for (std::size_t v = 0; v < program_.piece_values.size(); ++v) find_value(v);
}

// What symmetry makes the same has one feature, with the name that comes first.
void Features::find_value(std::size_t number) {
  const PieceValue& value = program_.piece_values[number];
  Value found;
  found.number = number;
  found.directions = value.type == Type::directions;
  found.options =
      found.directions ? value.steps.size() : static_cast<std::size_t>(value.high - value.low) + 1;
  const std::size_t codes = at(pieces_.count()), options = found.options;
  if (options > kMostOptions) return;
  Classes classes(codes * options);
  for (const Symmetry& symmetry : symmetries_) {
    const auto turned = found.directions ? turned_steps(program_.board, value, symmetry) : std::nullopt;
    if (found.directions && !turned) continue;
    for (std::size_t k = options; k < codes * options; ++k) {
      const std::size_t code = k / options, option = k % options;
      const int to = symmetry.swaps ? partner(static_cast<std::uint8_t>(code)) : static_cast<int>(code);
      std::size_t image = option;
      if (found.directions) image = (*turned)[option];
      if (value.type == Type::player && symmetry.swaps && option < 2) image = 1 - option;
      if (to > 0) classes.join(k, at(to) * options + image);
    }
  }
  found.features.assign(codes * options, -1);
  std::map<std::size_t, int> known;
  for (std::size_t k = options; k < codes * options; ++k) {
    const Piece piece = pieces_.of_code[k / options];
    if (piece.owner < 0) continue;
    const auto [entry, fresh] = known.try_emplace(classes.of(k), -1);
    const auto code = static_cast<std::uint32_t>(found.directions ? 1U << k % options : k % options);
    if (fresh)
      entry->second =
          name(piece.owner, fmt::format("value/{}/{}/{}", value.name, program_.kinds[at(piece.kind)].name,
                                        text_of_code(program_, value, code)));
    found.features[k] = entry->second;
  }
  values_.push_back(std::move(found));
}

void Features::find_neighbours() {
  const Board& board = program_.board;
  around_.resize(cells_);
  for (std::size_t c = 0; c < cells_; ++c)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int cell = board.cell_from(static_cast<int>(c), dx, dy);
        if (cell < 0 || (dx == 0 && dy == 0)) continue;
        const bool straight = dx == 0 || dy == 0;
        const bool third = board.hexes && dx * dy == (board.slant_right ? 1 : -1);
        if (straight || third)
          around_[c].beside.push_back(static_cast<std::int16_t>(cell));
        else if (!board.hexes)
          around_[c].corner.push_back(static_cast<std::int16_t>(cell));
      }
}

void Features::find_progress() {
  progress_.assign(at(players_) * cells_, 0);
  for (int p = 0; p < players_; ++p) {
    const runtime::Player& player = program_.players[at(p)];
    if (player.dx == 0 && player.dy == 0) continue;
    std::vector<int> along;
    for (std::size_t c = 0; c < cells_; ++c)
      along.push_back(program_.board.x[c] * player.dx + program_.board.y[c] * player.dy);
    const int least = along.empty() ? 0 : *std::min_element(along.begin(), along.end());
    for (std::size_t c = 0; c < cells_; ++c) {
      progress_[at(p) * cells_ + c] = along[c] - least;
      most_progress_ = std::max(most_progress_, along[c] - least);
    }
  }
}

// The engine knows what rows the rules ask for, however they are spelt.
void Features::find_rows() {
  through_.resize(cells_);
  if (players_ != 2) return;
  std::set<std::pair<int, int>> wanted; // length and step
  for (const ir::Row& row : rules_->compiled().code.rows)
    for (const std::int16_t step : row.steps)
      if (row.length >= 2 && row.length <= kMostLength) wanted.emplace(row.length, step);
  std::set<std::vector<std::int16_t>> known;
  for (const auto& [length, step] : wanted)
    for (std::size_t c = 0; c < cells_; ++c) {
      Row row;
      std::int16_t cell = static_cast<std::int16_t>(c);
      for (; row.length < length && cell >= 0; cell = program_.board.steps[at(step)].to[at(cell)])
        row.cells[at(row.length++)] = cell;
      if (row.length < length || rows_.size() >= kMostRows) continue;
      std::vector<std::int16_t> sorted(row.cells.begin(), row.cells.begin() + row.length);
      std::sort(sorted.begin(), sorted.end());
      if (!known.insert(sorted).second) continue; // the same one from its other end
      for (const std::int16_t through : sorted)
        through_[at(through)].push_back(static_cast<std::int32_t>(rows_.size()));
      if (lengths_.empty() || lengths_.back() != length) lengths_.push_back(length); // they come in order
      row.of_length = static_cast<int>(lengths_.size()) - 1;
      rows_.push_back(row);
    }
}

void Features::name_players() {
  const bool stacks = program_.board.stacks;
  of_.resize(at(players_));
  hand_.assign(at(program_.hands), -1);
  hand_owner_.assign(at(program_.hands), -1);
  for (int p = 0; p < players_; ++p) {
    OfPlayer& of = of_[at(p)];
    for (std::size_t k = 0; k < program_.kinds.size(); ++k)
      if (const int slot = program_.hand_slot[at(p)][k]; slot >= 0) {
        hand_[at(slot)] = name(p, "hand/" + program_.kinds[k].name);
        hand_owner_[at(slot)] = p;
      }
    // Features that are counted on from their first are named in a row.
    const auto names = [&](const char* what, int first, int last) {
      int number = -1;
      for (int k = first; k <= last; ++k) {
        const int one = name(p, fmt::format("{}/{}", what, k));
        if (k == first) number = one;
      }
      return number;
    };
    if (stacks) {
      for (const bool own : {true, false}) {
        int& first = own ? of.below_own : of.below_other;
        for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
          const int one = name(p, fmt::format("below/{}/{}", own ? "own" : "other", program_.kinds[k].name));
          if (k == 0) first = one;
        }
      }
      of.height = names("height", 1, kTallest);
    }
    if (most_progress_ > 0) of.leader = names("leader", 0, most_progress_);
    of.beside_own = name(p, "beside/own"), of.beside_free = name(p, "beside/free");
    if (!program_.board.hexes) of.corner_own = name(p, "corner/own"), of.corner_free = name(p, "corner/free");
    of.groups = name(p, "groups"), of.largest = name(p, "largest");
    for (const int length : lengths_) {
      const int first = names(fmt::format("row/{}", length).c_str(), 1, kMostLength);
      if (of.row < 0) of.row = first;
    }
    if (!program_.chance) of.moves = name(p, "moves"); // else the roll's doing
    of.turn = name(p, "turn");
    if (!shared_) of.side = name(p, "side");
  }
}

// How many moves there are of a piece, on average, on boards of random games from which every other piece is
// taken away: in a crowd pieces that go far have no more moves than others. Kinds that hardly occur there, as
// those that others are promoted to, stand in for some that do.
void Features::find_mobility() {
  mobility_.assign(at(pieces_.count()), 0);
  frequency_.assign(mobility_.size(), 0);
  single_ = kinds_that_stay_single();
  std::vector<double> pieces(mobility_.size(), 0);
  Random random(mix(sample_.seen));
  for (const Position& position : sample_.positions) {
    for (const Stack& stack : position.cells)
      for (const Piece& piece : stack)
        if (piece.owner >= 0) frequency_[pieces_.code_of(piece.owner, piece.kind)] += 1;
    count_moves(thinned(position, random), pieces);
  }
  for (std::size_t code = 0; code < mobility_.size(); ++code)
    if (pieces[code] > 0) mobility_[code] /= pieces[code];
}

// By code: rules may count on such a piece.
std::vector<bool> Features::kinds_that_stay_single() const {
  std::vector<bool> single(at(pieces_.count()), true);
  for (const Position& position : sample_.positions) {
    std::vector<int> count(single.size(), 0);
    for (const Stack& stack : position.cells)
      for (const Piece& piece : stack)
        if (piece.owner >= 0) ++count[pieces_.code_of(piece.owner, piece.kind)];
    for (std::size_t code = 0; code < single.size(); ++code) single[code] = single[code] && count[code] == 1;
  }
  return single;
}

Position Features::thinned(Position position, Random& random) const {
  std::vector<std::uint8_t> others; // what may stand in
  for (std::size_t code = 1; code < single_.size(); ++code)
    if (pieces_.of_code[code].owner == position.to_move && !single_[code])
      others.push_back(static_cast<std::uint8_t>(code));
  constexpr std::uint64_t kStandsIn = 3; // one in so many
  for (Stack& stack : position.cells) {
    if (stack.size() != 1 || stack.back().owner < 0) continue;
    Piece& piece = stack.back();
    if (single_[pieces_.code_of(piece.owner, piece.kind)]) continue;
    if (random.below(2) == 0)
      stack.clear();
    else if (piece.owner == position.to_move && random.below(kStandsIn) == 0)
      piece.kind = pieces_.of_code[others[random.below(others.size())]].kind;
  }
  return position;
}

// Moves of pieces, by code, and the pieces that could have moved.
void Features::count_moves(const Position& position, std::vector<double>& pieces) {
  const auto code_at = [&](std::size_t cell) -> std::size_t {
    const Stack& stack = position.cells[cell];
    return stack.empty() || stack.back().owner != position.to_move
               ? 0
               : pieces_.code_of(stack.back().owner, stack.back().kind);
  };
  Game game(rules_, position);
  ListLimits limits;
  limits.most_moves = 200; // each is written, which takes long
  const auto moves = game.moves(limits);
  if (!moves || moves->empty()) return;
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell)
    if (const std::size_t code = code_at(cell); code != 0) pieces[code] += 1;
  const std::vector<Move> list(moves->begin(), moves->end());
  for (const Move move : list)
    if (const auto cells = game.from_to(move); cells && cells->from >= 0)
      if (const std::size_t code = code_at(at(cells->from)); code != 0) mobility_[code] += 1;
}

// By cell: how near it is to where the rules want a player's pieces, from 0 to 1.
std::vector<double> Features::pull(int player) const {
  std::vector<double> near(cells_, 0);
  const CellSet goals = goal_cells(program_, player);
  if (goals.any() && 3 * goals.count() <= static_cast<int>(cells_)) {
    std::vector<std::int16_t> reached;
    std::vector<int> distance(cells_, -1);
    goals.each([&](int c) { reached.push_back(static_cast<std::int16_t>(c)), distance[at(c)] = 0; });
    for (std::size_t k = 0; k < reached.size(); ++k) {
      const std::size_t c = at(reached[k]);
      for (const auto* cells : {&around_[c].beside, &around_[c].corner})
        for (const std::int16_t next : *cells)
          if (distance[at(next)] < 0) distance[at(next)] = distance[c] + 1, reached.push_back(next);
    }
    const int farthest = std::max(1, *std::max_element(distance.begin(), distance.end()));
    for (std::size_t c = 0; c < cells_; ++c)
      if (distance[c] >= 0) near[c] = 1 - static_cast<double>(distance[c]) / farthest;
  } else if (most_progress_ > 0) {
    for (std::size_t c = 0; c < cells_; ++c)
      near[c] = static_cast<double>(progress(player, c)) / most_progress_;
  }
  return near;
}

// By code, of the average piece there is. A piece that has twice the moves isn't quite worth two.
std::vector<double> Features::worth_of_pieces() const {
  constexpr double kPower = 0.75, kLeast = 0.2;
  std::vector<double> worth(mobility_.size(), 1);
  double sum = 0, pieces = 0;
  for (std::size_t code = 1; code < worth.size(); ++code) {
    worth[code] = std::pow(mobility_[code], kPower);
    sum += frequency_[code] * worth[code];
    pieces += frequency_[code];
  }
  for (double& one : worth) one = sum > 0 ? std::max(kLeast, one * pieces / sum) : 1;
  return worth;
}

std::vector<double> Features::first_weights() const {
  // A piece of the average kind, in logarithms of odds; what the others are is guessed from there.
  constexpr double kPiece = 1, kMoves = 0.2, kPull = 0.15, kTurn = 0.05, kFree = 0.005, kInRow = 0.15,
                   kLargest = 0.5;
  std::vector<double> weights(names_.size(), 0);
  const auto set = [&](int feature, double weight) {
    if (feature >= 0) weights[at(feature)] = weight;
  };
  const std::vector<double> worths = worth_of_pieces();
  for (std::size_t code = 1; code < piece_.size(); ++code) {
    const Piece piece = pieces_.of_code[code];
    if (piece.owner < 0) continue;
    const double worth = kPiece * worths[code];
    set(piece_[code], worth);
    const OfPlayer& of = of_[at(piece.owner)];
    if (of.below_own >= 0) set(of.below_own + piece.kind, 0.8 * worth);
    if (of.below_other >= 0) set(of.below_other + piece.kind, -0.2 * worth);
    if (const int slot = program_.hand_slot[at(piece.owner)][at(piece.kind)]; slot >= 0)
      set(hand_[at(slot)], 0.8 * worth);
  }
  for (int p = 0; p < players_; ++p) {
    const OfPlayer& of = of_[at(p)];
    const std::vector<double> near = pull(p);
    for (std::size_t code = 1; code < piece_.size(); ++code)
      for (std::size_t c = 0; pieces_.of_code[code].owner == p && c < cells_; ++c)
        set(place(static_cast<std::uint8_t>(code), c), kPull * near[c]);
    set(of.moves, kMoves);
    set(of.turn, kTurn);
    set(of.beside_free, kFree);
    set(of.corner_free, kFree);
    for (std::size_t k = 0; k < lengths_.size(); ++k)
      for (int n = 1; n <= lengths_[k]; ++n)
        set(of.row + static_cast<int>(k) * kMostLength + n - 1, kInRow * n * n);
    if (asks_for_connection(program_)) set(of.largest, kLargest);
  }
  return weights;
}

std::vector<double> Features::in_order(const NamedWeights& weights, std::vector<std::string>* unknown) const {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < names_.size(); ++k) places.emplace(names_[k], k);
  std::vector<double> all(names_.size(), 0);
  for (const auto& [name, weight] : weights) {
    if (const auto found = places.find(name); found != places.end())
      all[found->second] = weight;
    else if (unknown != nullptr)
      unknown->push_back(name);
  }
  return all;
}

} // namespace boardwright::runtime::search
