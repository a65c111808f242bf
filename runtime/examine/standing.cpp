#include "runtime/examine/standing.hpp"

#include <algorithm>

namespace boardwright::runtime {
namespace {

// Draws by lot that would have moved a piece from a cell, had it been free to move: as many as make chance
// unlikely.
constexpr std::uint64_t kEnoughChances = 20'000;
constexpr std::uint64_t kEnoughArrived = 5;
// Of a kind that seldom leaves any cell nothing can be said of one.
constexpr std::uint64_t kEnoughLeft = 20;

const Piece* top_of(const Position& position, std::size_t cell) {
  const Stack& stack = position.cells[cell];
  return stack.empty() ? nullptr : &stack.back();
}

std::int64_t pieces_in(const Position& position) {
  std::int64_t pieces = 0;
  for (const Stack& stack : position.cells) pieces += static_cast<std::int64_t>(stack.size());
  for (const std::int32_t in_hand : position.hands) pieces += in_hand;
  return pieces;
}

std::int64_t held(const Position& position) {
  std::int64_t pieces = 0;
  for (const std::int32_t in_hand : position.hands) pieces += in_hand;
  return pieces;
}

std::int64_t pieces_of_kind(const Position& position, int player, int kind) {
  std::int64_t pieces = 0;
  for (const Stack& stack : position.cells)
    for (const Piece& piece : stack) pieces += piece.owner == player && piece.kind == kind ? 1 : 0;
  return pieces;
}

bool same_piece(const Piece* a, const Piece* b) {
  return a != nullptr && b != nullptr && a->kind == b->kind && a->owner == b->owner;
}

} // namespace

Standing::Standing(const Program& program)
    : program_(program), kinds_(program.kinds.size(), false), promoted_(program.kinds.size()),
      entries_(program.players.size() * program.kinds.size() *
               static_cast<std::size_t>(program.board.cells)) {
  seen(program.initial);
  for (int player = 0; player < program.player_count(); ++player)
    for (int kind = 0; kind < static_cast<int>(program.kinds.size()); ++kind) {
      const bool in_hand =
          program.hand_slot[static_cast<std::size_t>(player)][static_cast<std::size_t>(kind)] >= 0;
      if (!in_hand && pieces_of_kind(program.initial, player, kind) == 1)
        lost_.push_back({player, kind, 0, {}});
    }
}

// A move is made in a position that may be without some of the single pieces.
void Standing::note_lost(const Position& before) {
  for (LostPiece& lost : lost_) {
    if (pieces_of_kind(before, lost.player, lost.kind) > 0) continue;
    if (lost.moves++ == 0) lost.first = before;
  }
}

std::size_t Standing::entry_of(int player, int kind, int cell) const {
  const std::size_t kinds = program_.kinds.size(), cells = static_cast<std::size_t>(program_.board.cells);
  return (static_cast<std::size_t>(player) * kinds + static_cast<std::size_t>(kind)) * cells +
         static_cast<std::size_t>(cell);
}

void Standing::seen(const Position& position) {
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell)
    if (!position.cells[cell].empty()) stood_on_.set(static_cast<int>(cell));
  for (const Stack& stack : position.cells)
    for (const Piece& piece : stack) kinds_[static_cast<std::size_t>(piece.kind)] = true;
  for (const auto& slots : program_.hand_slot)
    for (std::size_t kind = 0; kind < slots.size(); ++kind)
      if (slots[kind] >= 0 && position.hands[static_cast<std::size_t>(slots[kind])] > 0) kinds_[kind] = true;
}

void Standing::moved(const Position& before, const Position& after) {
  seen(after);
  note_lost(before);
  ++moves_;
  grew_ += pieces_in(after) > pieces_in(before) ? 1 : 0;
  const int player = before.to_move;
  std::uint64_t own = 0;
  for (std::size_t cell = 0; cell < before.cells.size(); ++cell)
    if (const Piece* top = top_of(before, cell)) own += top->owner == player ? 1 : 0;
  const bool from_hand = held(after) < held(before);
  for (std::size_t cell = 0; cell < before.cells.size(); ++cell) {
    const Piece *was = top_of(before, cell), *is = top_of(after, cell);
    const bool same = same_piece(was, is);
    if (was != nullptr && was->owner == player) {
      Entry& entry = entries_[entry_of(player, was->kind, static_cast<int>(cell))];
      entry.chances += 1000 / own;
      ++entry.turns;
      entry.left += same ? 0 : 1;
      if (entry.arrived > 0 && (entry.turns & (entry.turns - 1)) == 0) entry.last = before;
    }
    if (is == nullptr || is->owner != player || same) continue;
    Entry& entry = entries_[entry_of(player, is->kind, static_cast<int>(cell))];
    ++entry.arrived;
    entry.dropped += from_hand ? 1 : 0;
  }
  if (const auto kind = kind_promoted(before, after, player)) ++promoted_[*kind];
}

bool Standing::often_leaves(int player, int kind) const {
  std::uint64_t left = 0;
  for (int cell = 0; cell < program_.board.cells; ++cell) left += entries_[entry_of(player, kind, cell)].left;
  return left >= kEnoughLeft;
}

// The kind of which a player has one piece less after a move, where he has one more of another.
std::optional<std::size_t> Standing::kind_promoted(const Position& before, const Position& after,
                                                   int player) const {
  std::vector<std::int64_t> more(program_.kinds.size());
  const auto count = [&](const Position& position, std::int64_t by) {
    for (const Stack& stack : position.cells)
      for (const Piece& piece : stack)
        if (piece.owner == player) more[static_cast<std::size_t>(piece.kind)] += by;
  };
  count(after, 1);
  count(before, -1);
  const auto less = std::find(more.begin(), more.end(), -1);
  const bool is_change = less != more.end() && std::count(more.begin(), more.end(), 1) == 1 &&
                         std::count(more.begin(), more.end(), 0) + 2 == std::ssize(more);
  return is_change ? std::optional(static_cast<std::size_t>(less - more.begin())) : std::nullopt;
}

// Of so many cells of one rank or file, where none of them alone has seen enough.
std::vector<DeadCell> Standing::dead_line(int player, int kind, const std::vector<int>& cells) const {
  std::vector<DeadCell> found;
  Entry all;
  for (const int cell : cells) {
    const Entry& entry = entries_[entry_of(player, kind, cell)];
    const Piece* set_up = top_of(program_.initial, static_cast<std::size_t>(cell));
    const bool begins_there = set_up != nullptr && set_up->kind == kind && set_up->owner == player;
    if (entry.left > 0 || begins_there) return {};
    all.chances += entry.chances;
    all.arrived += entry.arrived;
    all.dropped += entry.dropped;
    if (entry.arrived > 0 && entry.last) found.push_back({player, kind, cell, entry.turns, *entry.last});
  }
  if (all.arrived < kEnoughArrived || all.chances < kEnoughChances) return {};
  const bool only_dropped = all.dropped == all.arrived;
  if (!only_dropped && promoted_[static_cast<std::size_t>(kind)] < kEnoughArrived) return {};
  return found;
}

std::vector<DeadCell> Standing::dead() const {
  std::vector<DeadCell> found;
  std::vector<std::vector<int>> lines; // each cell alone, then ranks and files
  std::vector<std::vector<int>> ranks(static_cast<std::size_t>(program_.board.ranks));
  std::vector<std::vector<int>> files(static_cast<std::size_t>(program_.board.files));
  for (int cell = 0; cell < program_.board.cells; ++cell) {
    lines.push_back({cell});
    ranks[static_cast<std::size_t>(program_.board.y[static_cast<std::size_t>(cell)] - 1)].push_back(cell);
    files[static_cast<std::size_t>(program_.board.x[static_cast<std::size_t>(cell)] - 1)].push_back(cell);
  }
  lines.insert(lines.end(), ranks.begin(), ranks.end());
  lines.insert(lines.end(), files.begin(), files.end());
  for (int player = 0; player < program_.player_count(); ++player)
    for (int kind = 0; kind < static_cast<int>(program_.kinds.size()); ++kind) {
      if (!often_leaves(player, kind)) continue;
      for (const auto& line : lines)
        for (DeadCell& dead : dead_line(player, kind, line)) {
          const auto same = [&](const DeadCell& one) {
            return one.player == player && one.kind == kind && one.cell == dead.cell;
          };
          if (std::none_of(found.begin(), found.end(), same)) found.push_back(std::move(dead));
        }
    }
  return found;
}

} // namespace boardwright::runtime
