#include "tools/protocol_moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
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

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

// "" where the move has no such form.
tl::expected<std::string, Fault> in_coordinates(Game& game, const Move& move) {
  const auto cells = game.from_to(move);
  if (!cells) return tl::unexpected(cells.error());
  if (cells->to < 0) return std::string();
  const Program& program = game.rules().program();
  const auto top = [&](const runtime::Position& position, int cell) {
    const auto& stack = position.cells[static_cast<std::size_t>(cell)];
    return stack.empty() ? std::optional<runtime::Piece>() : stack.back();
  };
  const auto before = game.position();
  if (const auto played = game.play(move); !played) return tl::unexpected(played.error());
  const auto now = top(game.position(), cells->to);
  game.undo();
  const std::string& to = program.board.name[static_cast<std::size_t>(cells->to)];
  if (cells->from < 0) return now ? fmt::format("{}@{}", upper(program.letter_of(*now)), to) : std::string();
  const auto moved = top(before, cells->from);
  const std::string& from = program.board.name[static_cast<std::size_t>(cells->from)];
  const bool becomes = now && moved && now->kind != moved->kind;
  return from + to + (becomes ? std::string(1, lower(program.letter_of(*now))) : "");
}

// All moves of the position as UCI has them.
tl::expected<std::vector<std::string>, Fault> all_in_coordinates(Game& game, const runtime::MoveList& moves) {
  std::vector<std::string> words;
  std::map<std::string, int> count;
  for (const Move move : moves) {
    auto word = in_coordinates(game, move);
    if (!word) return tl::unexpected(word.error());
    ++count[*word];
    words.push_back(std::move(*word));
  }
  std::size_t i = 0;
  for (const Move move : moves) {
    std::string& word = words[i++];
    if (!word.empty() && count[word] == 1) continue;
    const auto notation = game.notation(move);
    if (!notation) return tl::unexpected(notation.error());
    word = in_one_word(*notation);
  }
  return words;
}

const runtime::Variable* state(const Program& program, std::string_view name, runtime::Type type) {
  for (const runtime::Variable& variable : program.variables)
    if (variable.name == name && variable.type == type && variable.player < 0) return &variable;
  return nullptr;
}

std::vector<std::string> fields_of(const std::string& fen) {
  std::istringstream in(fen);
  std::vector<std::string> fields;
  for (std::string field; in >> field;) fields.push_back(field);
  return fields;
}

// The set-up says where kings and rooks begin: of the cells that have rights in it those of the king's rank
// on the side that a letter of the field names, and the king's own.
std::string rights_of(const Program& program, const std::string& field) {
  const runtime::Variable& variable = *state(program, "rights", runtime::Type::cells);
  const auto index = static_cast<std::size_t>(&variable - program.variables.data());
  const runtime::Board& board = program.board;
  const runtime::CellSet& begins = program.initial.variables[index].cells;
  std::vector<std::string> cells;
  for (const bool first : {true, false}) {
    std::vector<int> rank; // of this player, by file
    for (std::size_t cell = 0; cell < program.initial.cells.size(); ++cell) {
      const auto& stack = program.initial.cells[cell];
      if (begins.test(static_cast<int>(cell)) && !stack.empty() && stack.back().owner == (first ? 0 : 1))
        rank.push_back(static_cast<int>(cell));
    }
    if (rank.size() != 3) continue;
    std::sort(rank.begin(), rank.end(), [&](int a, int b) {
      return board.x[static_cast<std::size_t>(a)] < board.x[static_cast<std::size_t>(b)];
    });
    const bool king = field.find(first ? 'K' : 'k') != std::string::npos;
    const bool queen = field.find(first ? 'Q' : 'q') != std::string::npos;
    const auto add = [&](std::size_t i) { cells.push_back(board.name[static_cast<std::size_t>(rank[i])]); };
    if (queen) add(0);
    if (king || queen) add(1);
    if (king) add(2);
  }
  return cells.empty() ? "none" : fmt::format("{}", fmt::join(cells, ","));
}

} // namespace

tl::expected<std::string, Fault> protocol_move(Game& game, const Move& move, Protocol protocol) {
  if (protocol == Protocol::uci) {
    const auto moves = game.moves();
    if (!moves) return tl::unexpected(moves.error());
    const auto words = all_in_coordinates(game, *moves);
    if (!words) return tl::unexpected(words.error());
    return (*words)[move.index()];
  }
  const auto notation = game.notation(move);
  if (!notation) return tl::unexpected(notation.error());
  return in_one_word(*notation);
}

tl::expected<std::optional<Move>, Fault> find_protocol_move(Game& game, std::string_view word,
                                                            Protocol protocol) {
  if (protocol == Protocol::uci) {
    const auto moves = game.moves();
    if (!moves) return tl::unexpected(moves.error());
    const auto words = all_in_coordinates(game, *moves);
    if (!words) return tl::unexpected(words.error());
    const auto found = std::find(words->begin(), words->end(), word);
    if (found != words->end()) return (*moves)[static_cast<std::size_t>(found - words->begin())];
  }
  const auto found = game.find(word);
  if (!found || *found || word.find('_') == std::string_view::npos) return found;
  std::string blanks(word);
  std::replace(blanks.begin(), blanks.end(), '_', ' ');
  return game.find(blanks);
}

std::string fen_from_uci(const Program& program, const std::string& fen) {
  const std::vector<std::string> fields = fields_of(fen);
  const bool ours = fields.size() < 3 || fen.find('=') != std::string::npos;
  if (ours) return fen;
  std::string text = fields[0] + " " + fields[1];
  if (state(program, "rights", runtime::Type::cells) != nullptr)
    text += " rights=" + rights_of(program, fields[2]);
  if (fields.size() > 3 && state(program, "passant", runtime::Type::cells) != nullptr)
    text += " passant=" + (fields[3] == "-" ? std::string("none") : fields[3]);
  return text;
}

} // namespace boardwright::tools
