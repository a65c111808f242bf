#include "runtime/search/symmetry.hpp"

#include "runtime/model/index.hpp"
#include "runtime/model/piece_values.hpp"
#include "runtime/model/pieces.hpp"
#include "runtime/model/shares.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

namespace boardwright::runtime::search {

namespace {

// ---------------------------------------------------------------- of the board

struct Matrix {
  int xx, xy, yx, yy;
};

std::vector<Matrix> matrices() {
  std::vector<Matrix> all;
  for (int k = 0; k < 81; ++k) {
    const Matrix m = {k % 3 - 1, k / 3 % 3 - 1, k / 9 % 3 - 1, k / 27 - 1};
    if (const int det = m.xx * m.yy - m.xy * m.yx; det == 1 || det == -1) all.push_back(m);
  }
  return all;
}

// Where the cells go about the middle of the board; nothing where one of them leaves it.
std::optional<std::vector<std::int16_t>> carried(const Board& board, const Matrix& m) {
  std::vector<int> u, v; // of the images, but for a shift
  for (std::size_t c = 0; c < board.x.size(); ++c) {
    u.push_back(m.xx * board.x[c] + m.xy * board.y[c]);
    v.push_back(m.yx * board.x[c] + m.yy * board.y[c]);
  }
  if (u.empty()) return {};
  const auto least = [](const std::vector<int>& values) {
    return *std::min_element(values.begin(), values.end());
  };
  const int dx = least(board.x) - least(u), dy = least(board.y) - least(v);
  std::vector<std::int16_t> to;
  for (std::size_t c = 0; c < u.size(); ++c) {
    const int cell = board.cell_at(u[c] + dx, v[c] + dy);
    if (cell < 0) return {};
    to.push_back(static_cast<std::int16_t>(cell));
  }
  return to;
}

// ---------------------------------------------------------------- of positions

int other(int player) { return player == 0 || player == 1 ? 1 - player : player; }

std::uint32_t swapped_bits(std::uint32_t bits) { return (bits & 1) << 1 | (bits >> 1 & 1); }

int partner_of(const Program& program, std::size_t variable) {
  const Variable& v = program.variables[variable];
  if (v.player < 0) return static_cast<int>(variable);
  for (std::size_t k = 0; k < program.variables.size(); ++k)
    if (program.variables[k].name == v.name && program.variables[k].player == other(v.player))
      return static_cast<int>(k);
  return -1;
}

bool swap_hands(const Program& program, const Position& from, Position& to) {
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t k = 0; k < program.kinds.size(); ++k) {
      const int slot = program.hand_slot[p][k], partner = program.hand_slot[1 - p][k];
      if ((slot < 0) != (partner < 0)) return false;
      if (slot >= 0) to.hands[static_cast<std::size_t>(partner)] = from.hands[static_cast<std::size_t>(slot)];
    }
  return true;
}

bool swap_variables(const Program& program, const Position& from, Position& to) {
  for (std::size_t k = 0; k < program.variables.size(); ++k) {
    const int partner = partner_of(program, k);
    if (partner < 0) return false;
    VariableValue value = from.variables[k];
    if (program.variables[k].type == Type::player) value.number = other(value.number);
    to.variables[static_cast<std::size_t>(partner)] = value;
  }
  return true;
}

// What pieces carry is kept by cell: of directions and players it says something else in the mirror.
bool mirror_values(const Program& program, const Position& position, const Symmetry& symmetry, Position& to) {
  for (const PieceValue& value : program.piece_values) {
    const bool directions = value.type == Type::directions;
    if (!directions && !(value.type == Type::player && symmetry.swaps)) continue;
    const auto turned = turned_steps(program.board, value, symmetry);
    if (directions && !turned) return false;
    for (std::size_t c = 0; c < position.cells.size(); ++c) {
      if (position.cells[c].empty()) continue;
      const std::uint32_t code = code_on(value, position, static_cast<int>(c));
      std::uint32_t image = directions ? 0 : static_cast<std::uint32_t>(other(static_cast<int>(code)));
      for (std::size_t bit = 0; directions && bit < turned->size(); ++bit)
        if ((code >> bit & 1U) != 0) image |= 1U << (*turned)[bit];
      set_code(value, to, CellSet::of(symmetry.to[c]), image);
    }
  }
  return true;
}

// ---------------------------------------------------------------- what is compared

struct Signature {
  std::uint64_t moves = 0;
  std::array<std::uint64_t, 3> ends{}; // that lose, draw, win for the player to move
  double shares = 0;                   // what he has of them
  int ended = -1;                      // likewise, of the position itself
  friend bool operator==(const Signature&, const Signature&) = default;
};

std::size_t end_for(const Outcome& outcome, int player) {
  return outcome.winners == 0 ? 1 : (outcome.winners >> player & 1) != 0 ? 2 : 0;
}

// Nothing where it takes too long, or goes wrong.
std::optional<Signature> signature_of(const std::shared_ptr<const Rules>& rules, const Position& position) {
  Game game(rules, position);
  ListLimits limits;
  limits.most_moves = 300; // each of them is played
  const auto moves = game.moves(limits);
  if (!moves || !moves->complete()) return {};
  const auto outcome = game.outcome();
  if (!outcome) return {};
  Signature signature;
  if (outcome->has_value()) signature.ended = static_cast<int>(end_for(**outcome, position.to_move));
  signature.moves = moves->size();
  const std::vector<Move> list(moves->begin(), moves->end());
  for (const Move move : list) {
    if (!game.play(move)) return {};
    const auto end = game.outcome();
    if (!end) return {};
    if (end->has_value()) {
      ++signature.ends[end_for(**end, position.to_move)];
      signature.shares +=
          static_cast<double>(share(**end, position.to_move, rules->program().player_count()));
    }
    game.undo();
  }
  return signature;
}

// Positions that are compared: enough that an accident is unlikely.
constexpr std::size_t kMostCompared = 40, kFewestCompared = 5;

} // namespace

std::optional<std::vector<unsigned>> turned_steps(const Board& board, const PieceValue& value,
                                                  const Symmetry& symmetry) {
  std::vector<unsigned> turned;
  for (const std::int16_t s : value.steps) {
    const Step& step = board.steps[at(s)];
    int dx = 0, dy = 0;
    for (std::size_t c = 0; c < board.x.size() && dx == 0 && dy == 0; ++c) {
      const int next = board.cell_at(board.x[c] + step.dx, board.y[c] + step.dy);
      if (next < 0) continue;
      const std::size_t from = at(symmetry.to[c]), to = at(symmetry.to[at(next)]);
      dx = board.x[to] - board.x[from], dy = board.y[to] - board.y[from];
    }
    const auto found = std::find_if(value.steps.begin(), value.steps.end(), [&](std::int16_t one) {
      return board.steps[at(one)].dx == dx && board.steps[at(one)].dy == dy;
    });
    if (found == value.steps.end()) return {};
    turned.push_back(static_cast<unsigned>(found - value.steps.begin()));
  }
  return turned;
}

std::optional<Position> mirrored(const Program& program, const Position& position, const Symmetry& symmetry) {
  const Pieces pieces(program);
  Position to = position;
  for (std::size_t c = 0; c < position.cells.size(); ++c) {
    Stack stack = position.cells[c];
    for (Piece& piece : stack) {
      if (symmetry.swaps) piece.owner = static_cast<std::int8_t>(other(piece.owner));
      if (pieces.code_of(piece.owner, piece.kind) == 0) return {};
    }
    to.cells[static_cast<std::size_t>(symmetry.to[c])] = std::move(stack);
  }
  if (symmetry.swaps) {
    if (!swap_hands(program, position, to) || !swap_variables(program, position, to)) return {};
    to.to_move = other(position.to_move);
    to.out = swapped_bits(position.out);
    if (to.turns.size() == 2) std::swap(to.turns[0], to.turns[1]);
  }
  for (VariableValue& value : to.variables) {
    CellSet cells;
    value.cells.each([&](int c) { cells.set(symmetry.to[static_cast<std::size_t>(c)]); });
    value.cells = cells;
  }
  if (!mirror_values(program, position, symmetry, to)) return {};
  return to;
}

std::vector<Symmetry> find_symmetries(const std::shared_ptr<const Rules>& rules, const Sample& sample) {
  const Program& program = rules->program();
  std::vector<std::pair<Position, Signature>> known;
  // From the end of the list: the last positions of games, where something is decided, are as many there as
  // others.
  for (std::size_t k = 0; k < sample.positions.size() && known.size() < kMostCompared; ++k)
    if (const auto signature = signature_of(rules, sample.positions[k]))
      known.emplace_back(sample.positions[k], *signature);
  std::vector<Symmetry> found;
  if (known.size() < kFewestCompared) return found;
  for (const Matrix& m : matrices()) {
    const auto to = carried(program.board, m);
    if (!to) continue;
    for (const bool swaps : {false, true}) {
      if (swaps && program.player_count() != 2) continue;
      if (!swaps && m.xx == 1 && m.yy == 1 && m.xy == 0 && m.yx == 0) continue;
      const Symmetry symmetry = {*to, swaps};
      const bool holds = std::all_of(known.begin(), known.end(), [&](const auto& one) {
        const auto position = mirrored(program, one.first, symmetry);
        return position && signature_of(rules, *position) == one.second;
      });
      if (holds) found.push_back(symmetry);
    }
  }
  return found;
}

} // namespace boardwright::runtime::search
