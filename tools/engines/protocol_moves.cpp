#include "tools/engines/protocol_moves.hpp"

#include "dsl/text.hpp"
#include "interpreter/position_text.hpp"
#include "runtime/game/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
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

// "" where the move has no such form.
tl::expected<std::string, Fault> in_coordinates(Game& game, const Move& move) {
  const auto cells = game.from_to(move);
  if (!cells) return tl::unexpected(cells.error());
  if (cells->to < 0) return std::string();
  const Program& program = game.rules().program();
  const auto before = game.position();
  if (const auto played = game.play(move); !played) return tl::unexpected(played.error());
  const auto after = game.position();
  game.undo();
  const auto name = [&](int cell) { return program.board.name[static_cast<std::size_t>(cell)]; };
  const Top now = top_of(after, cells->to);
  if (cells->from < 0)
    return now ? fmt::format("{}@{}", upper(program.letter_of(*now)), name(cells->to)) : std::string();
  const Top moved = top_of(before, cells->from);
  const std::string word = name(cells->from) + name(cells->to);
  if (!now || !moved || now->kind == moved->kind) return word;
  const std::string letter(1, dsl::to_lower(program.letter_of(*now)));
  if (cells->from != cells->to) return word + (only_becomes(program, now->kind) ? "+" : letter);
  const auto went = where_it_went(before, after, cells->from);
  return went ? name(cells->from) + name(*went) + letter : word + letter;
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
  const auto good = [&](const std::string& word) { return !word.empty() && count[word] == 1; };
  if (std::all_of(words.begin(), words.end(), good)) return words;
  const auto notations = game.notations();
  if (!notations) return tl::unexpected(notations.error());
  const auto spelled = runtime::spellings(*notations);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!good(words[i])) words[i] = in_one_word(spelled[i]);
  return words;
}

const runtime::Variable* state(const Program& program, std::string_view name, runtime::Type type) {
  for (const runtime::Variable& variable : program.variables)
    if (variable.name == name && variable.type == type && variable.player < 0) return &variable;
  return nullptr;
}

// A king and the rooks that he may castle with, by file.
struct Castling {
  int king = -1;
  std::vector<int> rooks;
  bool as_set_up = false; // he stands between two rooks, and the set-up gives rights to nobody else
};

const std::string& name_of(const Program& program, int cell) {
  return program.board.name[static_cast<std::size_t>(cell)];
}

std::vector<int> pieces_on(const Program& program, const std::vector<runtime::Stack>& cells, int player,
                           const runtime::CellSet& where) {
  std::vector<int> found;
  for (int cell = 0; cell < static_cast<int>(cells.size()); ++cell) {
    const auto& stack = cells[static_cast<std::size_t>(cell)];
    if (where.test(cell) && !stack.empty() && stack.back().owner == player) found.push_back(cell);
  }
  const auto& file = program.board.x;
  std::sort(found.begin(), found.end(), [&](int a, int b) {
    return file[static_cast<std::size_t>(a)] < file[static_cast<std::size_t>(b)];
  });
  return found;
}

bool is_count(std::string_view field) {
  constexpr std::size_t kMostDigits = 6;
  return field.size() <= kMostDigits && !field.empty() &&
         std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Clocks say nothing of which moves there are; of moves without progress the fifth field tells.
bool is_clock(const Program& program, std::string_view name) {
  return std::any_of(program.variables.begin(), program.variables.end(),
                     [&](const runtime::Variable& v) { return v.clock && v.name == name; });
}

const runtime::CellSet& first_rights(const Program& program) {
  const runtime::Variable* variable = state(program, "rights", runtime::Type::cells);
  return program.initial.variables[static_cast<std::size_t>(variable - program.variables.data())].cells;
}

// Where the set-up has rights for three pieces, it's these, whatever their letters are. Where it has them for
// more, as a first row that is dealt by lot does, it's who is written `K` and `R` among those on cells with
// rights.
Castling castling_of(const Program& program, int player, const std::vector<runtime::Stack>& cells,
                     const runtime::CellSet& rights) {
  const auto begins = pieces_on(program, program.initial.cells, player, first_rights(program));
  if (begins.size() == 3) return {begins[1], {begins[0], begins[2]}, true};
  Castling found;
  for (const int cell : pieces_on(program, cells, player, rights)) {
    const char letter = upper(program.letter_of(cells[static_cast<std::size_t>(cell)].back()));
    if (letter == 'K') found.king = cell;
    if (letter == 'R') found.rooks.push_back(cell);
  }
  if (found.king < 0) found.rooks.clear();
  return found;
}

// `K` and `Q` are the outermost rooks, other letters files, as a FEN has them where the first row was dealt
// by lot.
int rook_called(const Program& program, const Castling& castling, char letter) {
  const auto& file = program.board.x;
  const auto is_east = [&](int rook) {
    return file[static_cast<std::size_t>(rook)] > file[static_cast<std::size_t>(castling.king)];
  };
  if (castling.rooks.empty()) return -1;
  if (letter == 'K') return is_east(castling.rooks.back()) ? castling.rooks.back() : -1;
  if (letter == 'Q') return is_east(castling.rooks.front()) ? -1 : castling.rooks.front();
  for (const int rook : castling.rooks)
    if (upper(name_of(program, rook).front()) == letter) return rook;
  return -1;
}

// The cells that the field gives rights to: those of the rooks that its letters name, and of their kings.
std::string rights_of(const Program& program, const std::vector<runtime::Stack>& cells,
                      const std::string& field) {
  std::set<std::string> names;
  for (const int player : {0, 1}) {
    const Castling castling = castling_of(program, player, cells, first_rights(program));
    for (const char letter : field) {
      const int rook =
          (letter == upper(letter)) == (player == 0) ? rook_called(program, castling, upper(letter)) : -1;
      if (rook >= 0) names.insert({name_of(program, rook), name_of(program, castling.king)});
    }
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
}

std::string castling_field(const Program& program, const std::vector<runtime::Stack>& cells,
                           const runtime::CellSet& rights) {
  std::string field;
  for (const int player : {0, 1}) {
    const Castling castling = castling_of(program, player, cells, rights);
    if (castling.king < 0 || !rights.test(castling.king)) continue;
    for (auto rook = castling.rooks.rbegin(); rook != castling.rooks.rend(); ++rook) {
      if (!rights.test(*rook)) continue;
      const char side = *rook == castling.rooks.back() ? 'K' : 'Q';
      const char letter = castling.as_set_up ? side : upper(name_of(program, *rook).front());
      field += player == 0 ? letter : dsl::to_lower(letter);
    }
  }
  return field.empty() ? "-" : field;
}

// Who is to move is `w` or `b`: a player of that initial, or else the first and the second one.
char letter_of_player(const Program& program, int player) {
  std::vector<char> initials;
  for (const runtime::Player& p : program.players) initials.push_back(dsl::to_lower(p.name.front()));
  const bool named = std::count(initials.begin(), initials.end(), 'w') == 1 &&
                     std::count(initials.begin(), initials.end(), 'b') == 1;
  return named ? initials[static_cast<std::size_t>(player)] : player == 0 ? 'w' : 'b';
}

// Its number, as a FEN of ours has it.
std::string mover_of(const Program& program, const std::string& field) {
  for (int player = 0; player < program.player_count(); ++player)
    if (field == std::string(1, letter_of_player(program, player))) return std::to_string(player + 1);
  return field;
}

} // namespace

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

const char* prefix_of(Protocol protocol) { return protocol == Protocol::uci ? "uci" : "ugi"; }

tl::expected<std::string, Fault> protocol_move(Game& game, const Move& move, Protocol protocol) {
  if (protocol == Protocol::uci) {
    const auto moves = game.moves();
    if (!moves) return tl::unexpected(moves.error());
    const auto words = all_in_coordinates(game, *moves);
    if (!words) return tl::unexpected(words.error());
    return (*words)[move.index()];
  }
  const auto text = runtime::spelling(game, move);
  if (!text) return tl::unexpected(text.error());
  return in_one_word(*text);
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
  const auto found = runtime::find_spelled(game, word);
  if (!found || *found || word.find('_') == std::string_view::npos) return found;
  std::string blanks(word);
  std::replace(blanks.begin(), blanks.end(), '_', ' ');
  return runtime::find_spelled(game, blanks);
}

std::string fen_from_uci(const std::shared_ptr<const runtime::Rules>& rules, const std::string& fen) {
  const Program& program = rules->program();
  const std::vector<std::string> fields = words_of(fen);
  const bool ours = fields.size() < 3 || fen.front() == '{' || fen.find('=') != std::string::npos;
  if (ours) return fen;
  std::string text = fields[0] + " " + mover_of(program, fields[1]);
  if (state(program, "rights", runtime::Type::cells) != nullptr) {
    const auto standing = interpreter::read_position(rules, "fen", text);
    if (!standing.game) return text; // what is wrong with it is told to whoever reads this
    text += " rights=" + rights_of(program, standing.game->position().cells, fields[2]);
  }
  if (fields.size() > 3 && state(program, "passant", runtime::Type::cells) != nullptr)
    text += " passant=" + (fields[3] == "-" ? std::string("none") : fields[3]);
  if (fields.size() > 4 && is_clock(program, "idle") && is_count(fields[4])) text += " idle=" + fields[4];
  return text;
}

std::string fen_to_uci(const Program& program, const runtime::Position& position, const std::string& fen) {
  const std::vector<std::string> fields = words_of(fen);
  if (fields.size() < 2 || program.player_count() != 2) return fen;
  for (std::size_t i = 2; i < fields.size(); ++i) {
    const std::string name = fields[i].substr(0, fields[i].find_first_of("=."));
    if (name != "rights" && name != "passant" && name != "ply" && name != "turns" && !is_clock(program, name))
      return fen;
  }
  std::string castling = "-", passing = "-";
  std::int64_t idle = 0;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const runtime::Variable& variable = program.variables[i];
    const runtime::CellSet& cells = position.variables[i].cells;
    if (&variable == state(program, "rights", runtime::Type::cells))
      castling = castling_field(program, position.cells, cells);
    if (variable.name == "idle" && variable.clock) idle = position.variables[i].number;
    if (&variable == state(program, "passant", runtime::Type::cells) && cells.any())
      passing = program.board.name[static_cast<std::size_t>(cells.first())];
  }
  return fmt::format("{} {} {} {} {} 1", fields[0], letter_of_player(program, position.to_move), castling,
                     passing, idle);
}

int centipawns(double value) {
  constexpr double kMost = 10'000;
  const double v = std::clamp(value, 1e-9, 1 - 1e-9);
  return static_cast<int>(std::lround(std::clamp(400 * std::log10(v / (1 - v)), -kMost, kMost)));
}

double value_of_centipawns(double score) { return 1 / (1 + std::pow(10, -score / 400)); }

} // namespace boardwright::tools
