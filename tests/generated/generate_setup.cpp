#include "tests/generated/generator.hpp"

#include "runtime/model/limits.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace boardwright::tests {

using runtime::BoardBuilder;
using runtime::kNowhere;
using runtime::ProgramBuilder;
using runtime::Random;
using runtime::Stack;

namespace {

int drawn(Random& random, int low, int high) {
  return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

int players_of(Random& random, const Features& features) {
  if (features.has(Feature::one_player)) return 1;
  return features.has(Feature::many_players) ? drawn(random, 3, 4) : 2;
}

// Sizes whose sets take one word, or for large ones 2, 3, 4, 6 or 8, both ends of each.
std::pair<int, int> size_of(Random& random, const Features& features) {
  static constexpr std::array<std::pair<int, int>, 12> kLarge{{{13, 5},
                                                               {9, 9},
                                                               {16, 8},
                                                               {43, 3},
                                                               {12, 12},
                                                               {16, 12},
                                                               {14, 14},
                                                               {16, 16},
                                                               {19, 14},
                                                               {20, 19},
                                                               {22, 18},
                                                               {32, 16}}};
  if (features.has(Feature::large_board)) return kLarge[random.below(kLarge.size())];
  switch (random.below(8)) {
  case 0: return {drawn(random, 1, 3), drawn(random, 1, 2)};
  case 1: return {drawn(random, 5, 8), drawn(random, 5, 8)};
  case 2: return {drawn(random, 8, 30), 1};
  default: return {drawn(random, 2, 5), drawn(random, 3, 5)};
  }
}

// The builder's names of cells have one letter: beyond it they are given anew.
void rename(runtime::Board& board) {
  for (std::size_t c = 0; c < board.x.size(); ++c) {
    const int file = board.x[c] - 1;
    std::string name(1, static_cast<char>('a' + file % 26));
    if (file >= 26) name.insert(0, 1, static_cast<char>('a' + file / 26 - 1));
    board.name[c] = name + std::to_string(board.y[c]);
  }
}

} // namespace

BoardBuilder Generator::make_board(Random& random, const Features& features) {
  const auto [files, ranks] = size_of(random, features);
  std::vector<std::string> holes;
  if (features.has(Feature::holes))
    for (int y = 1; y <= ranks; ++y)
      for (int x = 1; x <= files; ++x)
        if (x + y > 2 && random.below(6) == 0) holes.push_back(runtime::cell_name(x, y));
  BoardBuilder board(files, ranks, holes);
  rename(board.board);
  board.board.hexes = features.has(Feature::hexes);
  board.board.slant_right = board.board.hexes && random.below(2) == 0;
  board.board.stacks = features.has(Feature::stacks);
  if (features.has(Feature::endless)) { // mostly far enough for all pieces
    board.board.reach = std::max(files, ranks) - (random.below(5) == 0 ? drawn(random, 0, 2) : 0);
    board.board.reach = std::max(board.board.reach, 1);
  }
  for (std::size_t c = 0; c < board.board.x.size(); ++c)
    if (random.below(3) == 0)
      board.board.numbered.emplace_back(static_cast<std::int32_t>(c) + 1, static_cast<std::int16_t>(c));
  return board;
}

Generator::Generator(std::uint64_t seed)
    : random_(seed), features_(Features::drawn(random_)),
      b_(make_board(random_, features_), players_of(random_, features_)) {
  b_.program.kinds.clear();
  for (auto& slots : b_.program.hand_slot) slots.clear();
  add_directions();
  if (has(Feature::tracks)) add_tracks();
  if (has(Feature::irregular)) make_irregular();
  if (has(Feature::curves)) add_curves();
  add_kinds();
  if (has(Feature::hands)) add_hands();
  add_variables();
  place_pieces();
  if (!has(Feature::wild_actions)) node_limit_ = 300;
  // Mostly all players have one rule, each as he sees it.
  const std::uint64_t rules = random_.next();
  for (int player = 0; player < b_.program.player_count(); ++player) {
    if (!has(Feature::asymmetric)) random_ = Random(rules);
    player_ = player;
    const std::size_t nodes = b_.program.nodes.size();
    node_limit_ += nodes;
    scope_.clear();
    b_.program.players[static_cast<std::size_t>(player)].turn = turn();
    scope_.clear();
    end_lines();
    node_limit_ -= nodes;
  }
}

// ---------------------------------------------------------------- steps

void Generator::add_step(std::vector<int>& into, int dx, int dy) {
  auto& steps = b_.program.board.steps;
  if (const int known = b_.program.board.step_by(dx, dy); known >= 0) return into.push_back(known);
  runtime::Step s;
  s.dx = dx;
  s.dy = dy;
  const auto& board = b_.program.board;
  s.round = board.endless();
  // No two of the steps lead to one cell, as on boards that are written.
  const bool around = board.files > 2 * std::abs(dx) && board.ranks > 2 * std::abs(dy);
  for (std::size_t c = 0; c < board.x.size(); ++c)
    s.to.push_back(static_cast<std::int16_t>(around ? board.cell_from(static_cast<int>(c), dx, dy)
                                                    : board.cell_at(board.x[c] + dx, board.y[c] + dy)));
  steps.push_back(std::move(s));
  into.push_back(static_cast<int>(steps.size()) - 1);
}

void Generator::add_directions() {
  const auto& board = b_.program.board;
  for (const auto& [dx, dy] : {std::pair(0, 1), {0, -1}, {1, 0}, {-1, 0}}) add_step(orthogonal_, dx, dy);
  const int third = board.slant_right ? 1 : -1;
  for (const auto& [dx, dy] : {std::pair(1, third), {-1, -third}})
    add_step(board.hexes ? orthogonal_ : diagonal_, dx, dy);
  if (!board.hexes)
    for (const auto& [dx, dy] : {std::pair(1, 1), {-1, -1}}) add_step(diagonal_, dx, dy);
  if (one_in(3))
    for (const auto& [dx, dy] :
         {std::pair(1, 2), {2, 1}, {-1, 2}, {2, -1}, {-1, -2}, {-2, -1}, {1, -2}, {-2, 1}})
      add_step(leaps_, dx, dy);
  if (one_in(3))
    for (const auto& [dx, dy] : {std::pair(2, 0), {0, 2}, {-2, 0}, {0, -2}}) add_step(leaps_, dx, dy);
  if (!has(Feature::many_steps)) return;
  for (int dy = -4; dy <= 4; ++dy)
    for (int dx = -4; dx <= 4; ++dx)
      if (dx != 0 || dy != 0) add_step(leaps_, dx, dy);
}

int Generator::opposite_of(int step) const {
  const auto& steps = b_.program.board.steps;
  const auto& s = steps[static_cast<std::size_t>(step)];
  if (s.track < 0) return b_.program.board.step_by(-s.dx, -s.dy);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].track == s.track && steps[i].reversed != s.reversed) return static_cast<int>(i);
  return -1;
}

// Each goes through some cells in any order, and back to where it began if it is closed.
void Generator::add_tracks() {
  auto& board = b_.program.board;
  for (int track = 0, count = 1 + below(2); track < count; ++track) {
    std::vector<int> chain;
    for (int c = 0; c < board.cells; ++c) chain.push_back(c);
    for (std::size_t i = chain.size(); i > 1; --i) std::swap(chain[i - 1], chain[random_.below(i)]);
    if (one_in(2)) std::sort(chain.begin(), chain.end());
    chain.resize(std::min<std::size_t>(chain.size(), 2 + random_.below(chain.size())));
    if (!one_in(3) && chain.size() > 1) chain.push_back(chain.front());
    for (const bool reversed : {false, true}) {
      runtime::Step s;
      s.track = track;
      s.reversed = reversed;
      s.to.assign(board.x.size(), kNowhere);
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        const int from = reversed ? chain[i + 1] : chain[i], to = reversed ? chain[i] : chain[i + 1];
        s.to[static_cast<std::size_t>(from)] = static_cast<std::int16_t>(to);
      }
      board.steps.push_back(std::move(s));
      tracks_.push_back(static_cast<int>(board.steps.size()) - 1);
    }
    board.tracks.push_back("track" + std::to_string(track));
  }
}

// Some steps are missing, as on boards of lines; some lead over holes.
void Generator::make_irregular() {
  auto& board = b_.program.board;
  const bool over_holes = one_in(2), lines = !over_holes || one_in(3);
  for (auto& step : board.steps) {
    if (step.track >= 0) continue;
    for (std::size_t c = 0; c < step.to.size(); ++c) {
      int x = board.x[c] + step.dx, y = board.y[c] + step.dy;
      const auto inside = [&] { return x >= 1 && y >= 1 && x <= board.files && y <= board.ranks; };
      while (over_holes && inside() && board.cell_at(x, y) == kNowhere) x += step.dx, y += step.dy;
      step.to[c] = static_cast<std::int16_t>(board.cell_at(x, y));
    }
  }
  if (!lines) return;
  for (std::size_t i = 0; i < board.steps.size(); ++i) {
    const int back = opposite_of(static_cast<int>(i));
    for (std::size_t c = 0; c < board.steps[i].to.size(); ++c) {
      const auto to = board.steps[i].to[c];
      if (to == kNowhere || board.steps[i].track >= 0 || !one_in(8)) continue;
      board.steps[i].to[c] = kNowhere;
      if (back >= 0) board.steps[static_cast<std::size_t>(back)].to[static_cast<std::size_t>(to)] = kNowhere;
    }
  }
}

void Generator::add_curves() {
  auto& board = b_.program.board;
  const auto short_of = [](int i) { return static_cast<std::int16_t>(i); };
  for (int i = 0, count = 1 + below(4); i < count; ++i) {
    const int from = below(board.cells), to = below(board.cells);
    const int leaving = pick(orthogonal_), heading = pick(orthogonal_);
    board.curves.push_back({short_of(from), short_of(leaving), short_of(to), short_of(heading)});
    board.curves.push_back(
        {short_of(to), short_of(opposite_of(heading)), short_of(from), short_of(opposite_of(leaving))});
  }
}

// ---------------------------------------------------------------- pieces

void Generator::add_kinds() {
  static constexpr const char* kNames[] = {"man", "king", "tower"};
  static constexpr const char* kLetters[] = {"wbrlx", "WBRLX", "tuvyz"}; // four players, neutral
  const int players = b_.program.player_count();
  const int full = has(Feature::kinds) ? 2 + below(2) : 1;
  for (int k = 0; k < full; ++k) {
    std::string letters = std::string(kLetters[k]).substr(0, static_cast<std::size_t>(players));
    letters += has(Feature::neutral) ? kLetters[k][4] : ' ';
    // A kind that someone lacks: who makes one of it all the same meets a fault.
    if (k > 0 && has(Feature::faulty) && one_in(2)) letters[static_cast<std::size_t>(below(players))] = ' ';
    full_kinds_.push_back(b_.kind(kNames[k], letters));
  }
  if (has(Feature::neutral) && has(Feature::kinds) && one_in(2))
    rock_ = b_.kind("rock", std::string(static_cast<std::size_t>(players), ' ') + "o");
}

void Generator::add_hands() {
  const int kinds = static_cast<int>(b_.program.kinds.size());
  const int pieces = pick({0, 1, 2, 2, 5, 100});
  for (int kind = 0; kind < kinds; ++kind) {
    // Kinds without an entry are unlimited, and may not be asked for.
    if (has(Feature::faulty) && one_in(3)) continue;
    for (int player = 0; player < b_.program.player_count(); ++player)
      b_.hand(player, kind, one_in(3) ? below(4) : pieces);
  }
}

void Generator::add_variables() {
  const auto first = [&] {
    return has(Feature::large_numbers) && one_in(2)
               ? pick({2147483647, -2147483647 - 1, 2000000000, -2000000000, 2147483646})
               : below(4) - 1;
  };
  if (has(Feature::state)) {
    for (int i = 0, count = 1 + below(3); i < count; ++i) {
      settable_.push_back(b_.variable(Type::number, first()));
      b_.program.variables.back().clock = i == 1;
    }
    cells_variable_ = b_.variable(Type::cells);
    if (one_in(2)) truth_variable_ = b_.variable(Type::truth, below(2));
    if (one_in(3)) kind_variable_ = b_.variable(Type::kind, below(2) - 1);
    if (one_in(3)) player_variable_ = b_.variable(Type::player, below(b_.program.player_count()));
  }
  if (has(Feature::constant_state)) constant_.push_back(b_.variable(Type::number, first()));
  readable_ = settable_;
  readable_.insert(readable_.end(), constant_.begin(), constant_.end());
}

// In ranks, as games begin, or scattered. Large boards have few pieces, or the walker takes long.
void Generator::place_pieces() {
  auto& program = b_.program;
  const auto& board = program.board;
  const int players = program.player_count();
  const bool ranks = one_in(3);
  const int every = board.cells > 64 ? std::max(5, board.cells / (6 + below(20))) : pick({2, 2, 3, 5, 100});
  const auto kind_for = [&] { return static_cast<std::int8_t>(pick(full_kinds_)); };
  for (int c = 0; c < board.cells; ++c) {
    Stack& stack = program.initial.cells[static_cast<std::size_t>(c)];
    const int y = board.y[static_cast<std::size_t>(c)];
    int owner = below(players);
    if (ranks && board.ranks > 2 && players == 2) {
      if (y > 1 && y < board.ranks) continue;
      owner = y == 1 ? 0 : 1;
      if (board.cells > 64 && !one_in(4)) continue;
    } else if (below(every) != 0) {
      continue;
    }
    for (int height = has(Feature::stacks) ? 1 + below(3) : 1; height > 0; --height) {
      runtime::Piece piece{static_cast<std::int8_t>(owner), kind_for()};
      if (has(Feature::neutral) && one_in(5)) piece.owner = -1;
      if (rock_ >= 0 && one_in(8)) piece = {-1, static_cast<std::int8_t>(rock_)};
      if (program.letter_of(piece) != '?') stack.push_back(piece);
      if (has(Feature::stacks)) owner = below(players);
    }
  }
  if (one_in(6)) program.initial.ply = below(20);
  if (has(Feature::large_numbers) && one_in(40)) program.initial.ply = runtime::kMaxPly - below(3);
}

} // namespace boardwright::tests
