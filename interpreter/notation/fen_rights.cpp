// Entry points: rights_to_come, rights_of_letters, letters_of_rights.
#include "interpreter/notation/fen_rights.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::interpreter {
namespace {

using runtime::CellSet;
using runtime::Position;
using runtime::Program;
using runtime::Stack;

char capital(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

CellSet first_cells(const Program& program, std::string_view variable) {
  const auto found = shared_variable(program, variable, runtime::Type::cells);
  return found ? program.initial.variables[*found].cells : CellSet{};
}

const Stack& stack_on(const std::vector<Stack>& cells, int cell) {
  return cells[static_cast<std::size_t>(cell)];
}

bool is_owned(const std::vector<Stack>& cells, int cell, int player) {
  const Stack& stack = stack_on(cells, cell);
  return !stack.empty() && stack.back().owner == player;
}

int file_of(const Program& program, int cell) { return program.board.x[static_cast<std::size_t>(cell)]; }
int rank_of(const Program& program, int cell) { return program.board.y[static_cast<std::size_t>(cell)]; }
char file_letter(const Program& program, int cell) {
  return capital(program.board.name[static_cast<std::size_t>(cell)].front());
}

// A player's pieces on these cells, from west to east.
std::vector<int> owned_among(const Program& program, const std::vector<Stack>& cells, int player,
                             const CellSet& where) {
  std::vector<int> found;
  where.each([&](int cell) {
    if (is_owned(cells, cell, player)) found.push_back(cell);
  });
  std::sort(found.begin(), found.end(),
            [&](int a, int b) { return file_of(program, a) < file_of(program, b); });
  return found;
}

// Whether a player's pieces are the ones with capital letters.
bool has_capitals(const Program& program, int player) {
  for (const runtime::Kind& kind : program.kinds) {
    const char letter = kind.letter[static_cast<std::size_t>(player)];
    if (letter != 0 && capital(letter) != dsl::to_lower(letter)) return letter == capital(letter);
  }
  return player == 0;
}

enum class WhoCastles : std::uint8_t { trio, dealt, lettered };

// What castling is for one player.
class CastlingSide {
public:
  CastlingSide(const Program& program, const std::vector<Stack>& cells, int player)
      : program_(program), cells_(cells), player_(player), first_(first_cells(program, kRights)) {
    const auto begin = owned_among(program, program.initial.cells, player, first_);
    who_ = begin.size() == 3 ? WhoCastles::trio : begin.size() > 3 ? WhoCastles::dealt : WhoCastles::lettered;
    home_ = home_rank(begin);
    who_ == WhoCastles::trio ? find_trio(begin) : find_lettered();
  }

  [[nodiscard]] WhoCastles who() const { return who_; }
  [[nodiscard]] int king() const { return king_; } // -1: none that may castle
  [[nodiscard]] const std::vector<int>& rooks() const { return rooks_; }
  [[nodiscard]] bool is_rook(int cell) const {
    return std::find(rooks_.begin(), rooks_.end(), cell) != rooks_.end();
  }

  // `K` or `Q`; -1: there is no such piece.
  [[nodiscard]] int outermost(char letter) const {
    if (king_ < 0 || rooks_.empty()) return -1;
    const int rook = letter == 'K' ? rooks_.back() : rooks_.front();
    const bool is_east = file_of(program_, rook) > file_of(program_, king_);
    return is_east == (letter == 'K') ? rook : -1;
  }

  // The player's piece on this file of his first row.
  [[nodiscard]] int on_file(char letter) const {
    for (int cell = 0; cell < program_.board.cells; ++cell)
      if (rank_of(program_, cell) == home_ && file_letter(program_, cell) == letter &&
          is_owned(cells_, cell, player_))
        return cell;
    return -1;
  }

  // Where the first row was dealt by lot all of it has rights, but for kings and rooks that have lost theirs.
  void add_row(CellSet& rights) const {
    if (who_ != WhoCastles::dealt || king_ < 0 || !rights.test(king_)) return;
    first_.each([&](int cell) {
      const bool castles = cell == king_ || is_kind(cell, rook_kind_) || is_kind(cell, king_kind_);
      if (rank_of(program_, cell) == home_ && !castles) rights.set(cell);
    });
  }

private:
  // -1: none of the cells with rights can be this player's.
  [[nodiscard]] int home_rank(const std::vector<int>& begin) const {
    if (!begin.empty()) return rank_of(program_, begin.front());
    int low = -1, high = -1;
    (first_ | first_cells(program_, kGates)).each([&](int cell) {
      const Stack& stack = stack_on(program_.initial.cells, cell);
      if (!stack.empty() && stack.back().owner != player_) return;
      const int rank = rank_of(program_, cell);
      low = low < 0 ? rank : std::min(low, rank);
      high = std::max(high, rank);
    });
    return program_.players[static_cast<std::size_t>(player_)].dy < 0 ? high : low;
  }

  [[nodiscard]] bool is_kind(int cell, int kind) const {
    return kind >= 0 && is_owned(cells_, cell, player_) && stack_on(cells_, cell).back().kind == kind;
  }

  // Each of them stands where it stood.
  void find_trio(const std::vector<int>& begin) {
    const auto kind_of = [&](int cell) { return stack_on(program_.initial.cells, cell).back().kind; };
    king_kind_ = kind_of(begin[1]);
    if (is_kind(begin[1], king_kind_)) king_ = begin[1];
    for (const int rook : {begin[0], begin[2]})
      if (is_kind(rook, kind_of(rook))) rooks_.push_back(rook);
  }

  void find_lettered() {
    king_kind_ = kind_lettered('K');
    rook_kind_ = kind_lettered('R');
    for (const int cell : owned_among(program_, cells_, player_, first_)) {
      if (rank_of(program_, cell) != home_) continue;
      if (king_ < 0 && is_kind(cell, king_kind_)) king_ = cell;
      if (is_kind(cell, rook_kind_)) rooks_.push_back(cell);
    }
  }

  [[nodiscard]] int kind_lettered(char wanted) const {
    for (std::size_t kind = 0; kind < program_.kinds.size(); ++kind)
      if (capital(program_.kinds[kind].letter[static_cast<std::size_t>(player_)]) == wanted)
        return static_cast<int>(kind);
    return -1;
  }

  const Program& program_;
  const std::vector<Stack>& cells_;
  int player_;
  CellSet first_; // with rights in the set-up
  WhoCastles who_ = WhoCastles::lettered;
  int home_ = -1;
  int king_kind_ = -1, rook_kind_ = -1;
  int king_ = -1;
  std::vector<int> rooks_; // from west to east
};

bool has_in_hand(const Program& program, const Position& position, int player) {
  const auto& slots = program.hand_slot[static_cast<std::size_t>(player)];
  return std::any_of(slots.begin(), slots.end(), [&](int slot) {
    return slot >= 0 && position.hands[static_cast<std::size_t>(slot)] > 0;
  });
}

// The letters of one player.
class LettersRead {
public:
  LettersRead(const Program& program, const Position& position, int player, FenRights& all)
      : program_(program), position_(position), player_(player), all_(all),
        side_(program, position.cells, player), first_(first_cells(program, kRights)),
        gates_(first_cells(program, kGates)) {}

  // False: it names nothing.
  bool take(char letter) {
    if (letter == 'K' || letter == 'Q') return castle_with(side_.outermost(letter));
    const int cell = side_.on_file(letter);
    if (cell < 0) return false;
    const bool gate = gates_.test(cell);
    if (gate) all_.gates.set(cell);
    if (side_.is_rook(cell) && side_.king() >= 0) return named_.push_back(cell), true;
    if (side_.who() != WhoCastles::lettered || !first_.test(cell)) return gate;
    rights_.set(cell);
    return true;
  }

  void end() {
    // While pieces enter where others leave, the letter of a rook says no more than that one may; then the
    // king's own letter says that he hasn't moved either.
    const bool enters = gates_.any() && has_in_hand(program_, position_, player_);
    const bool unmoved = side_.king() >= 0 && all_.gates.test(side_.king()) && rights_.none();
    for (const int rook : named_)
      if (!enters || unmoved) rights_ |= CellSet::of(rook) | CellSet::of(side_.king());
    side_.add_row(rights_);
    all_.rights |= rights_;
  }

private:
  bool castle_with(int rook) {
    if (rook < 0) return false;
    const CellSet both = CellSet::of(rook) | CellSet::of(side_.king());
    rights_ |= both;
    all_.gates |= both & gates_;
    return true;
  }

  const Program& program_;
  const Position& position_;
  int player_;
  FenRights& all_;
  CastlingSide side_;
  CellSet first_, gates_;
  CellSet rights_;
  std::vector<int> named_; // rooks, by their files
};

// --- writing

class LettersWritten {
public:
  LettersWritten(const Program& program, const Position& position)
      : program_(program), position_(position), rights_(cells_now(kRights)), gates_(cells_now(kGates)) {}

  [[nodiscard]] std::string write() const {
    const bool swapped = !has_capitals(program_, 0);
    std::string text;
    for (const int player : {swapped ? 1 : 0, swapped ? 0 : 1}) {
      std::string letters = of(player);
      if (!has_capitals(program_, player)) letters = dsl::to_lower(letters);
      text += letters;
    }
    return text.empty() ? "-" : text;
  }

private:
  [[nodiscard]] CellSet cells_now(std::string_view name) const {
    const auto found = shared_variable(program_, name, runtime::Type::cells);
    return found ? position_.variables[*found].cells : CellSet{};
  }

  [[nodiscard]] std::string of(int player) const {
    const CastlingSide side(program_, position_.cells, player);
    std::string text;
    CellSet told;
    const bool may_castle = side.king() >= 0 && rights_.test(side.king());
    for (auto rook = side.rooks().rbegin(); may_castle && rook != side.rooks().rend(); ++rook) {
      if (!rights_.test(*rook)) continue;
      text += letter_of(side, *rook);
      told |= CellSet::of(*rook) | CellSet::of(side.king());
    }
    CellSet others = gates_;
    if (side.who() == WhoCastles::lettered)
      rights_.each([&](int cell) {
        if (!side.is_rook(cell)) others.set(cell);
      });
    for (const int cell : owned_among(program_, position_.cells, player, others - told))
      text += file_letter(program_, cell);
    return text;
  }

  [[nodiscard]] char letter_of(const CastlingSide& side, int rook) const {
    if (side.who() != WhoCastles::dealt)
      for (const char letter : {'K', 'Q'})
        if (side.outermost(letter) == rook) return letter;
    return file_letter(program_, rook);
  }

  const Program& program_;
  const Position& position_;
  CellSet rights_, gates_;
};

} // namespace

std::optional<std::size_t> shared_variable(const Program& program, std::string_view name,
                                           runtime::Type type) {
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    if (variable.name == name && variable.type == type && variable.player < 0 && variable.plane < 0) return i;
  }
  return std::nullopt;
}

CellSet rights_to_come(const Program& program, const Position& position) {
  CellSet kept;
  const bool any = has_in_hand(program, position, 0) || has_in_hand(program, position, 1);
  first_cells(program, kRights).each([&](int cell) {
    if (!any || !stack_on(program.initial.cells, cell).empty()) return;
    const Stack& stack = stack_on(position.cells, cell);
    const int owner = stack.empty() ? -1 : stack.back().owner;
    if (owner < 0 || has_in_hand(program, position, owner)) kept.set(cell);
  });
  return kept;
}

FenRights rights_of_letters(const Program& program, const Position& position, std::string_view letters) {
  FenRights all;
  all.rights = rights_to_come(program, position);
  std::vector<LettersRead> sides;
  for (const int player : {0, 1}) sides.emplace_back(program, position, player, all);
  const std::size_t capitals = has_capitals(program, 0) ? 0 : 1;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = capital(letters[i]);
    if (!sides[letter == letters[i] ? capitals : 1 - capitals].take(letter)) all.idle.push_back(i);
  }
  for (LettersRead& side : sides) side.end();
  return all;
}

std::string letters_of_rights(const Program& program, const Position& position) {
  return LettersWritten(program, position).write();
}

} // namespace boardwright::interpreter
