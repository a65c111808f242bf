// Entry points: find_foreign_move, cell_of_point.
#include "tools/records/formats/foreign_moves.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/numbered_position.hpp"
#include "runtime/game/spelling.hpp"
#include "tools/engines/protocol_moves.hpp"
#include "tools/games/algebraic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <vector>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::Move;
using runtime::Program;

using Found = tl::expected<std::optional<Move>, Fault>;

constexpr std::array<std::string_view, 6> kPasses = {"pass", "--", "Z0", "tt", "@@@@", "PASS"};

int cell_at(const Program& program, int x, int y) {
  const auto& board = program.board;
  for (int cell = 0; cell < board.cells; ++cell) {
    const auto i = static_cast<std::size_t>(cell);
    if (board.x[i] == x && board.y[i] == y) return cell;
  }
  return runtime::kNowhere;
}

int highest(const std::vector<int>& places) { return *std::max_element(places.begin(), places.end()); }
int lowest(const std::vector<int>& places) { return *std::min_element(places.begin(), places.end()); }

// `a` is 0, `A` is 26.
std::optional<int> number_of_letter(char c) {
  if (c >= 'a' && c <= 'z') return c - 'a';
  if (c >= 'A' && c <= 'Z') return c - 'A' + 26;
  return std::nullopt;
}

// The legal moves whose ends are wanted.
template <class Wanted>
tl::expected<std::vector<Move>, Fault> moves_with(Game& game, const Wanted& wanted) {
  const auto moves = game.moves();
  if (!moves) return tl::unexpected(moves.error());
  std::vector<Move> found;
  for (const Move move : std::vector<Move>(moves->begin(), moves->end())) {
    const auto cells = game.from_to(move);
    if (!cells) return tl::unexpected(cells.error());
    if (wanted(*cells)) found.push_back(move);
  }
  return found;
}

Found only_one(const std::vector<Move>& moves) {
  return moves.size() == 1 ? Found(moves.front()) : Found(std::nullopt);
}

// --- a pass

Found pass_in(Game& game) {
  if (auto found = runtime::find_spelled(game, "pass"); !found || *found) return found;
  const auto found = moves_with(game, [](runtime::FromTo cells) { return cells.from < 0 && cells.to < 0; });
  return found ? only_one(*found) : Found(tl::unexpected(found.error()));
}

// --- PDN: a piece's cell, where it goes, and what is between

// `28x19x10`, `c3:e5`, `32-28`: the cells; empty where it is none of these.
std::vector<int> cells_written(const Program& program, std::string_view text) {
  while (!text.empty() && std::string_view("!?+#*").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  const std::vector<int> numbered = interpreter::numbered_cells(program);
  std::vector<int> cells;
  while (true) {
    const std::size_t end = std::min(text.find_first_of("-x:"), text.size());
    const std::string_view word = text.substr(0, end);
    int cell = program.board.cell_named(std::string(word));
    if (const auto number = dsl::number_in<std::size_t>(word); cell == runtime::kNowhere && number)
      cell = *number >= 1 && *number <= numbered.size() ? numbered[*number - 1] : runtime::kNowhere;
    if (cell == runtime::kNowhere) return {};
    cells.push_back(cell);
    if (end == text.size()) return cells.size() < 2 ? std::vector<int>() : cells;
    text.remove_prefix(end + 1);
  }
}

// Cells strictly between two on a straight line.
std::set<int> cells_between(const Program& program, int a, int b) {
  const auto at = [](const std::vector<int>& places, int cell) {
    return places[static_cast<std::size_t>(cell)];
  };
  const int dx = at(program.board.x, b) - at(program.board.x, a);
  const int dy = at(program.board.y, b) - at(program.board.y, a);
  const int length = std::max(std::abs(dx), std::abs(dy));
  std::set<int> cells;
  for (int i = 1; i < length; ++i)
    if (dx * i % length == 0 && dy * i % length == 0)
      if (const int cell = cell_at(program, at(program.board.x, a) + dx * i / length,
                                   at(program.board.y, a) + dy * i / length);
          cell != runtime::kNowhere)
        cells.insert(cell);
  return cells;
}

// The cells on which a move takes something.
tl::expected<std::set<int>, Fault> taken_by(Game& game, const Move& move) {
  const runtime::Position before = game.position();
  if (const auto played = game.play(move); !played) return tl::unexpected(played.error());
  const runtime::Position after = game.position();
  game.undo();
  std::set<int> taken;
  for (std::size_t cell = 0; cell < before.cells.size(); ++cell)
    if (!before.cells[cell].empty() && after.cells[cell].empty() &&
        before.cells[cell].back().owner != before.to_move)
      taken.insert(static_cast<int>(cell));
  return taken;
}

// Does a way over these cells pass all that is taken, and each time something of it?
bool passes_all(const Program& program, const std::vector<int>& way, const std::set<int>& taken) {
  std::set<int> passed;
  for (std::size_t i = 1; i < way.size(); ++i)
    for (const int cell : cells_between(program, way[i - 1], way[i]))
      if (taken.contains(cell)) passed.insert(cell);
  return passed == taken;
}

Found by_cells(Game& game, std::string_view text) {
  const Program& program = game.rules().program();
  const std::vector<int> way = cells_written(program, text);
  if (way.empty()) return std::nullopt;
  const auto found = moves_with(
      game, [&](runtime::FromTo cells) { return cells.from == way.front() && cells.to == way.back(); });
  if (!found) return tl::unexpected(found.error());
  if (found->size() < 2) return only_one(*found);
  std::vector<Move> passing;
  for (const Move move : *found) {
    const auto taken = taken_by(game, move);
    if (!taken) return tl::unexpected(taken.error());
    if (passes_all(program, way, *taken)) passing.push_back(move);
  }
  return only_one(passing);
}

// --- points

Found by_point(Game& game, std::string_view text) {
  const int cell = cell_of_point(game.rules().program(), text);
  if (cell == runtime::kNowhere) return std::nullopt;
  const auto found =
      moves_with(game, [cell](runtime::FromTo cells) { return cells.from < 0 && cells.to == cell; });
  return found ? only_one(*found) : Found(tl::unexpected(found.error()));
}

// --- coordinates: squares of USI begin with a number, or with a piece that is dropped

Found by_coordinates(Game& game, std::string_view text) {
  const bool by_usi = !text.empty() && (dsl::is_digit(text.front()) || text.find('*') == 1);
  if (by_usi)
    if (auto found = find_protocol_move(game, text, Protocol::usi); !found || *found) return found;
  return find_protocol_move(game, text, Protocol::uci);
}

// As the rules write it; other programs have `_` for its blanks.
Found as_written(Game& game, std::string_view text) { return find_protocol_move(game, text, Protocol::ugi); }

// Algebraic notation has no hyphens but in castling: what has one, and is a move as the rules write it, is
// that one, whatever else goes between these cells.
Found by_algebraic(Game& game, std::string_view text) {
  if (text.find('-') != std::string_view::npos)
    if (auto found = as_written(game, text); !found || *found) return found;
  return find_algebraic(game, text);
}

using Way = Found (*)(Game&, std::string_view);

std::vector<Way> ways_of(Format format) {
  switch (format) {
  case Format::ours: return {&as_written};
  case Format::pgn: return {&by_algebraic, &as_written, &by_cells, &by_coordinates};
  case Format::sgf: return {&by_point, &as_written};
  case Format::commands:
  case Format::kif: return {&by_coordinates, &as_written};
  }
  return {};
}

// --- writing

using WrittenWord = tl::expected<std::optional<std::string>, Fault>;

// The word, if it is understood as this move.
WrittenWord if_meant(Game& game, Format format, const Move& move, std::string word) {
  const auto found = find_foreign_move(game, format, word);
  if (!found) return tl::unexpected(found.error());
  const bool same = *found && (*found)->index() == move.index();
  return same ? std::optional(std::move(word)) : std::nullopt;
}

// A way that passes all that is taken, one after the other.
class PassingWay {
public:
  PassingWay(const Program& program, int to, std::set<int> taken)
      : program_(program), to_(to), taken_(std::move(taken)) {}

  // Cells from the first to the last one; empty where there is none, or it takes too long to find.
  std::vector<int> from(int cell) {
    path_ = {cell};
    return goes_on(taken_) ? path_ : std::vector<int>();
  }

private:
  static constexpr int kMostSteps = 20'000; // a long capture has some ten of them

  bool goes_on(const std::set<int>& left) {
    const int here = path_.back();
    if (left.empty()) return here == to_;
    for (int cell = 0; cell < program_.board.cells && ++steps_ < kMostSteps; ++cell) {
      std::vector<int> passed;
      for (const int between : cells_between(program_, here, cell))
        if (taken_.contains(between)) passed.push_back(between);
      if (passed.size() != 1 || !left.contains(passed.front())) continue;
      std::set<int> rest = left;
      rest.erase(passed.front());
      path_.push_back(cell);
      if (goes_on(rest)) return true;
      path_.pop_back();
    }
    return false;
  }

  const Program& program_;
  int to_;
  std::set<int> taken_;
  std::vector<int> path_;
  int steps_ = 0;
};

} // namespace

WrittenWord word_of_pdn(Game& game, const Move& move, bool by_names) {
  const Program& program = game.rules().program();
  const auto cells = game.from_to(move);
  if (!cells) return tl::unexpected(cells.error());
  if (cells->from < 0 || cells->to < 0) return std::nullopt;
  const auto taken = taken_by(game, move);
  if (!taken) return tl::unexpected(taken.error());
  const std::vector<int> numbered = interpreter::numbered_cells(program);
  const auto name = [&](int cell) {
    if (by_names) return program.board.name[static_cast<std::size_t>(cell)];
    return std::to_string(std::find(numbered.begin(), numbered.end(), cell) - numbered.begin() + 1);
  };
  const char* sign = taken->empty() ? "-" : "x";
  auto word = if_meant(game, Format::pgn, move, name(cells->from) + sign + name(cells->to));
  if (!word || *word) return word;
  std::string longer;
  for (const int cell : PassingWay(program, cells->to, *taken).from(cells->from))
    longer += (longer.empty() ? "" : sign) + name(cell);
  return longer.empty() ? WrittenWord(std::nullopt) : if_meant(game, Format::pgn, move, std::move(longer));
}

WrittenWord word_of_sgf(Game& game, const Move& move) {
  const auto cells = game.from_to(move);
  if (!cells) return tl::unexpected(cells.error());
  const auto text = game.notation(move);
  if (!text) return tl::unexpected(text.error());
  if (text->starts_with("swap")) return if_meant(game, Format::sgf, move, "swap");
  if (cells->from >= 0) return std::nullopt;
  return if_meant(game, Format::sgf, move,
                  cells->to < 0 ? "" : point_of_cell(game.rules().program(), cells->to));
}

std::string point_of_cell(const Program& program, int cell) {
  const auto& board = program.board;
  const auto i = static_cast<std::size_t>(cell);
  if (board.hexes) return board.name[i];
  const int x = board.x[i] - lowest(board.x), y = highest(board.y) - board.y[i];
  constexpr int kLetters = 26;
  if (x >= 2 * kLetters || y >= 2 * kLetters) return "";
  const auto letter = [](int n) { return static_cast<char>(n < kLetters ? 'a' + n : 'A' + n - kLetters); };
  return {letter(x), letter(y)};
}

int cell_of_point(const Program& program, std::string_view point) {
  if (const int named = program.board.cell_named(std::string(point)); named != runtime::kNowhere)
    return named;
  if (point.size() != 2 || program.board.cells == 0) return runtime::kNowhere;
  const auto x = number_of_letter(point[0]), y = number_of_letter(point[1]);
  return x && y ? cell_at(program, lowest(program.board.x) + *x, highest(program.board.y) - *y)
                : runtime::kNowhere;
}

Found find_foreign_move(Game& game, Format format, std::string_view text) {
  for (const Way way : ways_of(format))
    if (auto found = way(game, text); !found || *found) return found;
  const bool passes = std::find(kPasses.begin(), kPasses.end(), text) != kPasses.end();
  return passes || (format == Format::sgf && text.empty()) ? pass_in(game) : Found(std::nullopt);
}

} // namespace boardwright::tools
