#include "tools/engines/protocol_moves.hpp"

#include "dsl/text.hpp"
#include "runtime/game/spelling.hpp"
#include "tools/games/algebraic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::Move;
using runtime::Program;

std::string in_one_word(std::string notation) {
  std::replace(notation.begin(), notation.end(), ' ', '_');
  return notation;
}

constexpr std::string_view kNullMove = "0000"; // a pass of whoever has no piece on the board

// ---- how protocols write what coordinates say

using runtime::Board;
constexpr int kLetters = 26;

std::string by_its_name(const Board& board, int cell) { return board.name[static_cast<std::size_t>(cell)]; }

// USI: the files from the right, the ranks by letters from above.
std::string from_the_right(const Board& board, int cell) {
  const auto i = static_cast<std::size_t>(cell);
  const int rank = board.ranks - board.y[i];
  if (board.hexes || rank >= kLetters) return by_its_name(board, cell);
  return fmt::format("{}{}", board.files + 1 - board.x[i], static_cast<char>('a' + rank));
}

// xboard: the files by letters from the left, the ranks from below; of ten the first one is 0.
constexpr int kRanksFromZero = 10;
std::string from_the_left(const Board& board, int cell) {
  const auto i = static_cast<std::size_t>(cell);
  const int file = board.x[i] - 1, rank = board.y[i] - (board.ranks == kRanksFromZero ? 1 : 0);
  if (board.hexes || file >= kLetters) return by_its_name(board, cell);
  return fmt::format("{}{}", static_cast<char>('a' + file), rank);
}

struct Coordinates {
  std::string (*cell)(const Board& board, int cell);
  std::string_view drop = "@"; // between a piece from a hand and its cell
  std::string_view pass = "";  // "": the cell of a piece twice
  bool castles = false;        // castling that coordinates don't tell is `O-O`, or `O-O-O`
  bool bare = false;           // a piece that enters the board is its cell alone
};

// Nothing: the protocol has the game's own notation.
std::optional<Coordinates> coordinates_of(Protocol protocol) {
  switch (protocol) {
  case Protocol::ugi: return std::nullopt;
  case Protocol::uci: return Coordinates{by_its_name};
  case Protocol::usi: return Coordinates{from_the_right, "*"};
  case Protocol::xboard: return Coordinates{from_the_left, "@", "@@@@", true};
  case Protocol::gtp: return Coordinates{point_of_gtp, "", "pass", false, true};
  }
  return std::nullopt;
}

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

using Top = std::optional<runtime::Piece>;
Top top_of(const runtime::Position& position, int cell) {
  const auto& stack = position.cells[static_cast<std::size_t>(cell)];
  return stack.empty() ? Top() : stack.back();
}

// A kind that comes about by no other way than that another one becomes it.
bool only_becomes(const Program& program, int kind) {
  for (const auto& slots : program.hand_slot)
    if (slots[static_cast<std::size_t>(kind)] >= 0) return false;
  return std::none_of(program.initial.cells.begin(), program.initial.cells.end(), [kind](const auto& stack) {
    return std::any_of(stack.begin(), stack.end(), [kind](runtime::Piece p) { return p.kind == kind; });
  });
}

// Where a piece went whose cell another one entered from a hand; nothing where that isn't the only one.
std::optional<int> where_it_went(const runtime::Position& before, const runtime::Position& now, int from) {
  const Top moved = top_of(before, from);
  std::optional<int> found;
  for (int cell = 0; cell < static_cast<int>(now.cells.size()); ++cell) {
    if (cell == from || top_of(now, cell) != moved || top_of(before, cell) == moved) continue;
    if (found) return std::nullopt;
    found = cell;
  }
  return found;
}

// Of a pass: the king's cell, or whoever has the letter K, else that of the first of the player's pieces,
// rank by rank; nothing where he has none on the board.
std::optional<int> cell_of_pass(const Program& program, const runtime::Position& position) {
  std::vector<int> own;
  for (int cell = 0; cell < static_cast<int>(position.cells.size()); ++cell)
    if (const Top top = top_of(position, cell); top && top->owner == position.to_move) own.push_back(cell);
  const auto before = [&](int a, int b) {
    const auto place = [&](int cell) {
      const auto i = static_cast<std::size_t>(cell);
      const bool king = upper(program.letter_of(*top_of(position, cell))) == 'K';
      return std::tuple(king ? 0 : 1, program.board.y[i], program.board.x[i]);
    };
    return place(a) < place(b);
  };
  const auto found = std::min_element(own.begin(), own.end(), before);
  return found == own.end() ? std::optional<int>() : *found;
}

// "" where the move has no such form.
tl::expected<std::string, Fault> in_coordinates(Game& game, const Move& move, const Coordinates& form) {
  const auto cells = game.from_to(move);
  if (!cells) return tl::unexpected(cells.error());
  const Program& program = game.rules().program();
  const auto before = game.position();
  if (const auto played = game.play(move); !played) return tl::unexpected(played.error());
  const auto after = game.position();
  game.undo();
  const auto name = [&](int cell) { return form.cell(program.board, cell); };
  if (cells->to < 0) {
    const bool passes = before.cells == after.cells && before.hands == after.hands;
    if (passes && !form.pass.empty()) return std::string(form.pass);
    const auto cell = passes ? cell_of_pass(program, before) : std::nullopt;
    return !passes ? std::string() : cell ? name(*cell) + name(*cell) : std::string(kNullMove);
  }
  const Top now = top_of(after, cells->to);
  if (cells->from < 0) {
    if (!now || form.bare) return now ? name(cells->to) : std::string();
    return fmt::format("{}{}{}", upper(program.letter_of(*now)), form.drop, name(cells->to));
  }
  if (form.bare) return std::string();
  const Top moved = top_of(before, cells->from);
  const std::string word = name(cells->from) + name(cells->to);
  if (!now || !moved || now->kind == moved->kind) return word;
  const std::string letter(1, dsl::to_lower(program.letter_of(*now)));
  if (cells->from != cells->to) return word + (only_becomes(program, now->kind) ? "+" : letter);
  const auto went = where_it_went(before, after, cells->from);
  return went ? name(cells->from) + name(*went) + letter : word + letter;
}

// Each move of the position by itself.
tl::expected<std::vector<std::string>, Fault> each_in_coordinates(Game& game, const runtime::MoveList& moves,
                                                                  const Coordinates& form) {
  std::vector<std::string> words;
  for (const Move move : moves) {
    auto word = in_coordinates(game, move, form);
    if (!word) return tl::unexpected(word.error());
    words.push_back(std::move(*word));
  }
  return words;
}

// All moves of the position, none like another.
tl::expected<std::vector<std::string>, Fault> all_in_coordinates(Game& game, const runtime::MoveList& moves,
                                                                 const Coordinates& form) {
  auto each = each_in_coordinates(game, moves, form);
  if (!each) return each;
  std::vector<std::string> words = std::move(*each);
  std::map<std::string, int> count;
  for (const std::string& word : words) ++count[word];
  const auto good = [&](const std::string& word) { return !word.empty() && count[word] == 1; };
  if (std::all_of(words.begin(), words.end(), good)) return words;
  const auto notations = game.notations();
  if (!notations) return tl::unexpected(notations.error());
  const auto spelled = runtime::spellings(*notations);
  std::vector<std::string> castlings(words.size());
  if (form.castles && has_algebraic(game.rules().program())) {
    auto algebraic = algebraic_moves(game);
    if (!algebraic) return algebraic;
    castlings = std::move(*algebraic);
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!good(words[i])) words[i] = castlings[i].starts_with("O-O") ? castlings[i] : in_one_word(spelled[i]);
  return words;
}

// Where GTP calls a cell otherwise than the rules, a word of theirs may be another cell of GTP's.
bool is_own_point(Game& game, std::string_view word) {
  const Board& board = game.rules().program().board;
  const int cell = board.cell_named(dsl::to_lower(word));
  return cell == runtime::kNowhere || dsl::to_lower(point_of_gtp(board, cell)) == dsl::to_lower(word);
}

} // namespace

std::optional<std::string> why_not_by(Protocol protocol, Game& game) {
  const Program& program = game.rules().program();
  if (program.player_count() != 2)
    return fmt::format("the protocol is for games of two; this one has {} player{}", program.player_count(),
                       program.player_count() == 1 ? "" : "s");
  if (protocol == Protocol::ugi || protocol == Protocol::uci) return std::nullopt;
  const char* name = protocol == Protocol::usi ? "USI" : protocol == Protocol::gtp ? "GTP" : "xboard";
  if (program.chance || program.hides())
    return fmt::format("{} has no words for what {}; `ugi` has", name,
                       program.chance ? "is left to chance" : "a player doesn't see");
  const auto moves = game.moves();
  if (!moves) return moves.error().message;
  const auto words = each_in_coordinates(game, *moves, *coordinates_of(protocol));
  const auto notations = game.notations();
  if (!words || !notations) return words ? notations.error().message : words.error().message;
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < words->size(); ++i) {
    const std::string &word = (*words)[i], &ours = (*notations)[i];
    if (word.empty())
      return fmt::format("{} has no words for the move `{}`: there {}; `ugi` has words for all moves", name,
                         ours,
                         protocol == Protocol::gtp ? "a piece is put on a point, or one passes"
                                                   : "a piece goes from one cell to another, or is dropped");
    if (const auto [other, is_new] = first.emplace(word, i); !is_new)
      return fmt::format("{} has the same word, `{}`, for the moves `{}` and `{}`; `ugi` tells them apart",
                         name, word, (*notations)[other->second], ours);
  }
  return std::nullopt;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

const char* prefix_of(Protocol protocol) {
  switch (protocol) {
  case Protocol::ugi: return "ugi";
  case Protocol::uci: return "uci";
  case Protocol::usi: return "usi";
  case Protocol::xboard: return "xboard";
  case Protocol::gtp: return "gtp";
  }
  return "";
}

tl::expected<std::vector<std::string>, Fault> protocol_moves(Game& game, Protocol protocol) {
  const auto moves = game.moves();
  if (!moves) return tl::unexpected(moves.error());
  if (const auto form = coordinates_of(protocol)) return all_in_coordinates(game, *moves, *form);
  const auto notations = game.notations();
  if (!notations) return tl::unexpected(notations.error());
  auto words = runtime::spellings(*notations);
  for (std::string& word : words) word = in_one_word(std::move(word));
  return words;
}

tl::expected<std::string, Fault> protocol_move(Game& game, const Move& move, Protocol protocol) {
  if (coordinates_of(protocol)) {
    auto words = protocol_moves(game, protocol);
    if (!words) return tl::unexpected(words.error());
    return std::move((*words)[move.index()]);
  }
  const auto text = runtime::spelling(game, move);
  if (!text) return tl::unexpected(text.error());
  return in_one_word(*text);
}

tl::expected<std::optional<Move>, Fault> find_protocol_move(Game& game, std::string_view word,
                                                            Protocol protocol) {
  if (const auto form = coordinates_of(protocol)) {
    const auto moves = game.moves();
    if (!moves) return tl::unexpected(moves.error());
    const auto words = all_in_coordinates(game, *moves, *form);
    if (!words) return tl::unexpected(words.error());
    // Points of GTP in any case.
    const auto found = std::find_if(words->begin(), words->end(), [&](const std::string& known) {
      return known == word || (form->bare && dsl::to_lower(known) == dsl::to_lower(word));
    });
    if (found != words->end()) return (*moves)[static_cast<std::size_t>(found - words->begin())];
  }
  if (protocol == Protocol::gtp && !is_own_point(game, word)) return std::optional<Move>();
  const auto found = runtime::find_spelled(game, word);
  if (!found || *found || word.find('_') == std::string_view::npos) return found;
  std::string blanks(word);
  std::replace(blanks.begin(), blanks.end(), '_', ' ');
  return runtime::find_spelled(game, blanks);
}

// Capitals without I. Boards of hexagons have their cells' names.
std::string point_of_gtp(const Board& board, int cell) {
  const auto i = static_cast<std::size_t>(cell);
  const int file = board.x[i] - 1;
  if (board.hexes || file >= kLetters - 1) return by_its_name(board, cell);
  return fmt::format("{}{}", static_cast<char>('A' + file + (file >= 'I' - 'A' ? 1 : 0)), board.y[i]);
}

int cell_of_gtp(const Board& board, std::string_view point) {
  const std::string said = dsl::to_lower(point);
  for (int cell = 0; cell < board.cells; ++cell)
    if (dsl::to_lower(point_of_gtp(board, cell)) == said) return cell;
  return runtime::kNowhere;
}

int centipawns(double value) {
  constexpr double kMost = 10'000;
  const double v = std::clamp(value, 1e-9, 1 - 1e-9);
  return static_cast<int>(std::lround(std::clamp(400 * std::log10(v / (1 - v)), -kMost, kMost)));
}

double value_of_centipawns(double score) { return 1 / (1 + std::pow(10, -score / 400)); }

} // namespace boardwright::tools
