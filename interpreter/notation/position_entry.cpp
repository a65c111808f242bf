// Entry point: resolve_position.
#include "interpreter/notation/position_entry.hpp"

#include "dsl/grammar.hpp"
#include "dsl/shape.hpp"
#include "interpreter/board/shape.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/fen_words.hpp"
#include "interpreter/notation/numbered_position.hpp"
#include "interpreter/notation/usual_ply.hpp"
#include "runtime/game/game.hpp"
#include "runtime/model/piece_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::Diagnostics;
using dsl::Form;
using dsl::in_backticks;
using dsl::Name;
using dsl::PositionEntry;
using runtime::CellSet;
using runtime::Program;
using runtime::Stack;
using runtime::Type;
using runtime::VariableValue;

// Values of tests are short; one that nests deeper than this is refused before it can exhaust the stack.
constexpr int kMaxDepth = 50;

// --- names

void unknown(const Name& name, std::string_view what, const std::vector<std::string>& known,
             Diagnostics& diagnostics) {
  auto& error = diagnostics.error("unknown-name", name.span,
                                  fmt::format("there is no {} {}", what, in_backticks(name.text)));
  error.help = dsl::did_you_mean(name.text, known);
}

std::vector<std::string> player_names(const Program& program) {
  std::vector<std::string> names;
  for (const auto& player : program.players) names.push_back(player.name);
  return names;
}

std::vector<std::string> kind_names(const Program& program) {
  std::vector<std::string> names;
  for (const auto& kind : program.kinds) names.push_back(kind.name);
  return names;
}

std::optional<int> index_of(std::string_view name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

std::optional<int> resolve_kind(const Program& program, const Name& name, Diagnostics& diagnostics) {
  const auto names = kind_names(program);
  const auto kind = index_of(name.text, names);
  if (!kind) unknown(name, "kind of piece", names, diagnostics);
  return kind;
}

std::optional<int> resolve_cell(const Program& program, const Name& name, Diagnostics& diagnostics) {
  const int cell = program.board.cell_named(name.text);
  if (cell != runtime::kNowhere) return cell;
  unknown(name, "cell", program.board.name, diagnostics);
  return std::nullopt;
}

std::optional<Stack> resolve_stack(const Program& program, const Name& letters, Diagnostics& diagnostics) {
  Stack stack;
  for (const char letter : letters.text) {
    const auto piece = program.piece_of(letter);
    if (!piece) {
      diagnostics
          .error("unknown-name", letters.span,
                 "no piece has the letter " + in_backticks(std::string(1, letter)))
          .help = "letters are " + letters_text(program);
      return std::nullopt;
    }
    stack.push_back(*piece);
  }
  return stack;
}

// --- values

struct Evaluation {
  const Program& program;
  Type type;
  Diagnostics& diagnostics;
};

std::string_view type_name(Type type) {
  switch (type) {
  case Type::number: return "a whole number";
  case Type::truth: return "`true` or `false`";
  case Type::cells: return "cells like `a1 | e1` or `a1..c3`";
  case Type::kind: return "a kind of piece";
  case Type::player: return "a player";
  default: return "another value";
  }
}

std::nullopt_t not_of_type(const Ast& tree, const Evaluation& e) {
  e.diagnostics.error("type", tree.span, "this is no value that a test can give here").expected =
      fmt::format("expected {}", type_name(e.type));
  return std::nullopt;
}

std::optional<CellSet> cells_value(const Ast& tree, const Evaluation& e, int depth);

std::optional<CellSet> cell_called(const Name& name, const Evaluation& e) {
  if (name.text == "none") return CellSet{};
  if (name.text == "board") return e.program.board.all;
  const auto cell = resolve_cell(e.program, name, e.diagnostics);
  if (!cell) return std::nullopt;
  return CellSet::of(*cell);
}

std::optional<CellSet> rectangle(const Ast& tree, const Evaluation& e, int depth) {
  const auto from = cells_value(tree.kids[0], e, depth), to = cells_value(tree.kids[1], e, depth);
  if (!from || !to) return std::nullopt;
  if (from->none() || to->none()) return CellSet{};
  const auto& board = e.program.board;
  const auto a = static_cast<std::size_t>(from->first()), z = static_cast<std::size_t>(to->first());
  CellSet cells;
  for (int y = std::min(board.y[a], board.y[z]); y <= std::max(board.y[a], board.y[z]); ++y)
    for (int x = std::min(board.x[a], board.x[z]); x <= std::max(board.x[a], board.x[z]); ++x)
      if (const int cell = board.cell_at(x, y); cell != runtime::kNowhere) cells.set(cell);
  return cells;
}

std::optional<CellSet> binary_cells(const Ast& tree, const Evaluation& e, int depth) {
  if (tree.word == "..") return rectangle(tree, e, depth);
  if (tree.word != "|" && tree.word != "&" && tree.word != "-") return not_of_type(tree, e);
  const auto left = cells_value(tree.kids[0], e, depth), right = cells_value(tree.kids[1], e, depth);
  if (!left || !right) return std::nullopt;
  return tree.word == "|" ? *left | *right : tree.word == "&" ? *left & *right : *left - *right;
}

// `a1 | b1 | c1 | …` leans to the left: as deep as it is long.
std::optional<CellSet> union_of_cells(const Ast& tree, const Evaluation& e, int depth) {
  CellSet all;
  const Ast* rest = &tree;
  for (; rest->form == Form::binary && rest->word == "|"; rest = &rest->kids[0]) {
    const auto right = cells_value(rest->kids[1], e, depth);
    if (!right) return std::nullopt;
    all |= *right;
  }
  const auto left = cells_value(*rest, e, depth);
  if (!left) return std::nullopt;
  return all | *left;
}

std::optional<CellSet> cells_value(const Ast& tree, const Evaluation& e, int depth) {
  if (depth > kMaxDepth) return not_of_type(tree, e);
  switch (tree.form) {
  case Form::name: return cell_called({tree.word, tree.span}, e);
  case Form::number:
    return cell_called({std::to_string(tree.number), tree.span}, e); // where cells have numbers
  case Form::paren: return cells_value(tree.kids[0], e, depth + 1);
  case Form::binary:
    return tree.word == "|" ? union_of_cells(tree, e, depth + 1) : binary_cells(tree, e, depth + 1);
  case Form::complement: {
    const auto cells = cells_value(tree.kids[0], e, depth + 1);
    if (!cells) return std::nullopt;
    return e.program.board.all - *cells;
  }
  case Form::call:
    if (tree.word == "cell" && tree.kids.size() == 1) return cells_value(tree.kids[0], e, depth + 1);
    return not_of_type(tree, e);
  default: return not_of_type(tree, e);
  }
}

std::optional<std::int32_t> number_value(const Ast& tree, const Evaluation& e) {
  const bool negative = tree.form == Form::negate && !tree.kids.empty();
  const Ast& digits = negative ? tree.kids[0] : tree;
  const std::int64_t number = negative ? -digits.number : digits.number;
  using Limits = std::numeric_limits<std::int32_t>;
  if (digits.form != Form::number || number < Limits::min() || number > Limits::max())
    return not_of_type(tree, e);
  return static_cast<std::int32_t>(number);
}

std::optional<std::int32_t> truth_value(const Ast& tree, const Evaluation& e) {
  if (tree.form == Form::name && (tree.word == "true" || tree.word == "false"))
    return tree.word == "true" ? 1 : 0;
  return not_of_type(tree, e);
}

// `king`, or `round(2)` of a family; "" for anything else.
std::string written_name(const Ast& tree) {
  if (tree.form == Form::name) return tree.word;
  if (tree.form != Form::call || tree.kids.size() != 1) return "";
  const Ast& key = tree.kids[0];
  const bool negative = key.form == Form::negate && key.kids[0].form == Form::number;
  if (negative) return fmt::format("{}(-{})", tree.word, key.kids[0].number);
  if (key.form == Form::number) return fmt::format("{}({})", tree.word, key.number);
  return key.form == Form::name ? fmt::format("{}({})", tree.word, key.word) : "";
}

std::optional<std::int32_t> named_value(const Ast& tree, const Evaluation& e) {
  const Name name{written_name(tree), tree.span};
  if (name.text.empty()) return not_of_type(tree, e);
  if (e.type == Type::kind && name.text == "none") return -1;
  return e.type == Type::kind ? resolve_kind(e.program, name, e.diagnostics)
                              : resolve_player(e.program, name, e.diagnostics);
}

std::optional<std::int32_t> scalar_value(const Ast& tree, const Evaluation& e) {
  switch (e.type) {
  case Type::number: return number_value(tree, e);
  case Type::truth: return truth_value(tree, e);
  case Type::kind:
  case Type::player: return named_value(tree, e);
  default: return not_of_type(tree, e);
  }
}

std::optional<VariableValue> evaluate(const Ast& tree, const Evaluation& e) {
  VariableValue value;
  if (e.type == Type::cells) {
    const auto cells = cells_value(tree, e, 0);
    if (!cells) return std::nullopt;
    value.cells = *cells;
    return value;
  }
  const auto number = scalar_value(tree, e);
  if (!number) return std::nullopt;
  value.number = *number;
  return value;
}

std::optional<std::int32_t> resolve_count(const Program& program, const Ast& tree, Diagnostics& diagnostics) {
  const auto number = number_value(tree, {program, Type::number, diagnostics});
  if (!number || *number >= 0) return number;
  diagnostics.error("type", tree.span, "this number is below 0");
  return std::nullopt;
}

// --- state

std::vector<std::string> variable_names(const Program& program) {
  std::vector<std::string> names;
  for (const auto& variable : program.variables) names.push_back(variable.name);
  return names;
}

// The variables that a name means: one, or one of each player.
std::vector<int> variables_named(const Program& program, std::string_view name,
                                 std::optional<int> player = {}) {
  std::vector<int> found;
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    if (program.variables[i].name == name && (!player || program.variables[i].player == *player))
      found.push_back(static_cast<int>(i));
  return found;
}

// Cells as a list, or as names between blanks or commas: `[a1, b2]`, `a1 b2`, `a1,b2`, and nothing at all.
// Nothing returned: it is none of these.
std::optional<CellSet> named_cells(const Program& program, const dsl::Yaml& yaml) {
  std::vector<std::string> names;
  if (yaml.is_sequence()) {
    for (const auto& item : yaml.items) names.push_back(item.text.trimmed().text);
  } else {
    for (const auto& part : dsl::split(yaml.text, ','))
      for (const auto& word : dsl::words(part)) names.push_back(word.text);
  }
  CellSet cells;
  for (const auto& name : names) {
    const int cell = program.board.cell_named(name);
    if (cell == runtime::kNowhere) return std::nullopt;
    cells.set(cell);
  }
  return cells;
}

std::optional<VariableValue> value_of_text(const Program& program, const dsl::Yaml& yaml, Type type,
                                           Diagnostics& diagnostics) {
  const auto tree = dsl::parse_value(yaml.text, diagnostics);
  if (!tree) return std::nullopt;
  return evaluate(*tree, {program, type, diagnostics});
}

// The union of what a list's items say.
std::optional<VariableValue> value_of_list(const Program& program, const dsl::Yaml& list,
                                           Diagnostics& diagnostics) {
  VariableValue all;
  for (const auto& item : list.items) {
    if (!dsl::expect_text(item, "an item of a list of cells", "state: { rights: [e1, h1] }", diagnostics))
      return std::nullopt;
    const auto value = value_of_text(program, item, Type::cells, diagnostics);
    if (!value) return std::nullopt;
    all.cells |= value->cells;
  }
  return all;
}

std::optional<VariableValue> value_of(const Program& program, const dsl::Yaml& yaml, Type type,
                                      Diagnostics& diagnostics) {
  if (type == Type::cells && !yaml.is_map())
    if (const auto cells = named_cells(program, yaml)) return VariableValue{0, *cells};
  if (type == Type::cells && yaml.is_sequence()) return value_of_list(program, yaml, diagnostics);
  if (yaml.is_sequence()) {
    diagnostics.error("type", yaml.span, "a list of cells can't be given here").expected =
        fmt::format("expected {}", type_name(type));
    return std::nullopt;
  }
  if (!dsl::expect_text(yaml, "the value of a variable", "state: { passes: 1 }", diagnostics))
    return std::nullopt;
  return value_of_text(program, yaml, type, diagnostics);
}

bool assign(const Program& program, const std::vector<int>& variables, const dsl::Yaml& yaml,
            VariableValues& values, Diagnostics& diagnostics) {
  for (const int variable : variables) {
    const Type type = program.variables[static_cast<std::size_t>(variable)].type;
    const auto value = value_of(program, yaml, type, diagnostics);
    if (!value) return false;
    values.emplace_back(variable, *value);
  }
  return true;
}

bool assign_by_player(const Program& program, const Name& name, const dsl::Yaml& map, VariableValues& values,
                      Diagnostics& diagnostics) {
  bool good = true;
  for (const auto& entry : map.entries) {
    const auto player = resolve_player(program, dsl::to_name(entry.key), diagnostics);
    if (!player) {
      good = false;
      continue;
    }
    const auto variables = variables_named(program, name.text, player);
    if (variables.empty())
      diagnostics.error("type", name.span, in_backticks(name.text) + " has one value for all players");
    good = !variables.empty() && assign(program, variables, entry.value, values, diagnostics) && good;
  }
  return good;
}

// --- values that pieces carry

struct Carried {
  const Program& program;
  const runtime::PieceValue& value;
  runtime::Position position; // its planes are filled in
  Diagnostics& diagnostics;

  bool set(const dsl::Text& which, const std::optional<VariableValue>& cells) {
    const auto code = runtime::code_of_text(program, value, which.trimmed().text);
    if (!code)
      diagnostics.error(
          "type", which.span(),
          fmt::format("{} is no value of {}", in_backticks(which.text), in_backticks(value.name)));
    if (!code || !cells) return false;
    runtime::set_code(value, position, cells->cells, *code);
    return true;
  }
};

// `4:a1,b2;3:c1`, as FEN has it
bool read_values_word(const dsl::Text& text, Carried& carried) {
  if (text.trimmed().text == "none") return true;
  bool good = true;
  for (const auto& part : dsl::split(text, ';')) {
    const auto sides = dsl::split(part, ':');
    if (sides.size() != 2) {
      carried.diagnostics.error("type", part.span(), "this gives no cells a value").expected =
          "expected a value and its cells, as in `4:a1,b2;3:c1`";
      return false;
    }
    dsl::Yaml cells;
    cells.kind = dsl::Yaml::Kind::scalar;
    cells.text = sides[1];
    cells.span = sides[1].span();
    good = carried.set(sides[0], value_of(carried.program, cells, Type::cells, carried.diagnostics)) && good;
  }
  return good;
}

// All pieces that aren't named have the first value.
bool assign_piece_value(const Program& program, const runtime::PieceValue& value, const dsl::Yaml& yaml,
                        VariableValues& values, Diagnostics& diagnostics) {
  Carried carried{program, value, program.initial, diagnostics};
  runtime::set_code(value, carried.position, program.board.all, value.flipped); // the first value
  bool good = true;
  if (yaml.is_map()) {
    for (const auto& entry : yaml.entries)
      good = carried.set(entry.key, value_of(program, entry.value, Type::cells, diagnostics)) && good;
  } else {
    good = dsl::expect_text(yaml, "the values of pieces", "state: { facing: { 4: a1 | b2, 3: c1 } }",
                            diagnostics) &&
           read_values_word(yaml.text, carried);
  }
  for (int i = value.first; i < value.first + value.planes; ++i)
    values.emplace_back(i, carried.position.variables[static_cast<std::size_t>(i)]);
  return good;
}

bool assign_variable(const Program& program, const Name& name, const dsl::Yaml& value, VariableValues& values,
                     Diagnostics& diagnostics) {
  if (const auto* carried = runtime::piece_value_named(program, name.text))
    return assign_piece_value(program, *carried, value, values, diagnostics);
  const auto variables = variables_named(program, name.text);
  if (variables.empty()) return unknown(name, "variable", variable_names(program), diagnostics), false;
  if (value.is_map()) return assign_by_player(program, name, value, values, diagnostics);
  return assign(program, variables, value, values, diagnostics);
}

std::nullopt_t unlimited(const Name& kind, Diagnostics& diagnostics) {
  diagnostics.error("type", kind.span, fmt::format("the supply of {} is unlimited", in_backticks(kind.text)))
      .help = "kinds whose pieces are counted are listed in the section `hands`";
  return std::nullopt;
}

// --- the board

// A cell, or several: `a1..c1`, `a1 | e5`.
std::optional<CellSet> cells_of_key(const Program& program, const Name& name, Diagnostics& diagnostics) {
  const auto is_sign_of_several = [](const std::string& text) {
    return text.find("..") != std::string::npos || text.find('|') != std::string::npos;
  };
  if (program.board.cell_named(name.text) != runtime::kNowhere || !is_sign_of_several(name.text)) {
    const auto cell = resolve_cell(program, name, diagnostics);
    return cell ? std::optional(CellSet::of(*cell)) : std::nullopt;
  }
  dsl::Yaml key;
  key.kind = dsl::Yaml::Kind::scalar;
  key.span = name.span;
  key.text.text = name.text;
  key.text.file = name.span.file;
  for (std::size_t i = 0; i <= name.text.size(); ++i)
    key.text.offsets.push_back(std::min(name.span.begin + static_cast<std::uint32_t>(i), name.span.end));
  const auto value = value_of_text(program, key, Type::cells, diagnostics);
  return value ? std::optional(value->cells) : std::nullopt;
}

std::optional<std::vector<Stack>> board_of_cells(const Program& program, const PositionEntry& entry,
                                                 Diagnostics& diagnostics) {
  std::vector<Stack> board(static_cast<std::size_t>(program.board.cells));
  bool good = true;
  for (const auto& [name, letters] : entry.cells) {
    const auto cells = cells_of_key(program, name, diagnostics);
    const auto stack = resolve_stack(program, letters, diagnostics);
    good = good && cells && stack;
    if (cells && stack) cells->each([&](int cell) { board[static_cast<std::size_t>(cell)] = *stack; });
  }
  if (!good) return std::nullopt;
  return board;
}

bool is_empty_sign(std::string_view sign) { return sign == "." || sign == "#"; }

// A hole may be drawn, as in the file's own pictures.
bool place_sign(const Program& program, int x, int y, const Name& sign, std::vector<Stack>& board,
                Diagnostics& diagnostics) {
  if (is_empty_sign(sign.text)) return true;
  const int cell = program.board.cell_at(x, y);
  if (cell == runtime::kNowhere) {
    diagnostics.error("picture", sign.span, "there is a piece on a hole");
    return false;
  }
  auto stack = resolve_stack(program, sign, diagnostics);
  if (!stack) return false;
  board[static_cast<std::size_t>(cell)] = std::move(*stack);
  return true;
}

std::vector<int> cells_of_rank(const runtime::Board& board, int y) {
  std::vector<int> cells;
  for (int x = 1; x <= board.files; ++x)
    if (board.cell_at(x, y) != runtime::kNowhere) cells.push_back(x);
  return cells;
}

// In a row with one sign for each cell the holes that the set-up's picture made are drawn too.
dsl::PictureRow without_holes(const dsl::PictureRow& row, std::size_t cells) {
  dsl::PictureRow rest = row;
  std::erase_if(rest.signs, [](const Name& sign) { return sign.text == "#"; });
  return rest.signs.size() == cells ? rest : row;
}

bool place_row(const Program& program, const dsl::PictureRow& row, int y, std::vector<Stack>& board,
               Diagnostics& diagnostics) {
  const int files = program.board.files;
  const auto cells = cells_of_rank(program.board, y);
  const bool is_short = row.signs.size() < static_cast<std::size_t>(files);
  const auto drawn = is_short ? without_holes(row, cells.size()) : row;
  const auto places = files_of_row(drawn, files, cells, diagnostics);
  bool good = places.has_value();
  for (std::size_t i = 0; places && i < places->size(); ++i)
    good = place_sign(program, (*places)[i], y, drawn.signs[i], board, diagnostics) && good;
  return good;
}

// On a board without edges a picture shows a part of it.
std::optional<std::vector<Stack>> board_about_origin(const Program& program, const PositionEntry& entry,
                                                     Diagnostics& diagnostics) {
  const runtime::Board& whole = program.board;
  const auto origin = static_cast<std::size_t>(whole.origin);
  const auto corner =
      corner_of_picture(entry.picture, {whole.x[origin], whole.y[origin]}, whole.reach, diagnostics);
  if (!corner) return std::nullopt;
  std::vector<Stack> board(static_cast<std::size_t>(whole.cells));
  bool good = true;
  int y = corner->y + static_cast<int>(entry.picture.size());
  for (const auto& row : entry.picture) {
    --y;
    int x = corner->x;
    for (const Name& sign : row.signs) good = place_sign(program, x++, y, sign, board, diagnostics) && good;
  }
  if (!good) return std::nullopt;
  return board;
}

std::optional<std::vector<Stack>> board_of_picture(const Program& program, const PositionEntry& entry,
                                                   Diagnostics& diagnostics) {
  const int ranks = program.board.ranks;
  if (program.board.endless()) return board_about_origin(program, entry, diagnostics);
  if (entry.picture.size() != static_cast<std::size_t>(ranks)) {
    diagnostics.error(
        "picture", entry.span,
        fmt::format("the board has {1} ranks, but the picture shows {0}", entry.picture.size(), ranks));
    return std::nullopt;
  }
  std::vector<Stack> board(static_cast<std::size_t>(program.board.cells));
  bool good = true;
  for (int row = 0; row < ranks; ++row)
    good =
        place_row(program, entry.picture[static_cast<std::size_t>(row)], ranks - row, board, diagnostics) &&
        good;
  if (!good) return std::nullopt;
  return board;
}

// --- all of it. Each part is tried, so that one run tells all that is wrong.

bool put_board(const Program& program, const PositionEntry& entry, runtime::Position& position,
               Diagnostics& diagnostics) {
  if (!entry.has_board) return true;
  auto board = resolve_board(program, entry, diagnostics);
  if (!board) return false;
  position.cells = std::move(*board);
  runtime::clear_piece_values(program, position);
  return true;
}

bool put_mover(const Program& program, const PositionEntry& entry, runtime::Position& position,
               Diagnostics& diagnostics) {
  if (!entry.to_move) return true;
  const auto player = resolve_player(program, *entry.to_move, diagnostics);
  if (player) position.to_move = *player;
  return player.has_value();
}

bool put_hands(const Program& program, const PositionEntry& entry, runtime::Position& position,
               Diagnostics& diagnostics) {
  const auto hands = resolve_hands(program, entry, diagnostics);
  if (!hands) return false;
  for (const auto& [slot, count] : *hands) position.hands[static_cast<std::size_t>(slot)] = count;
  return true;
}

bool put_state(const Program& program, const PositionEntry& entry, runtime::Position& position,
               Diagnostics& diagnostics) {
  const auto values = resolve_state(program, entry, diagnostics);
  if (!values) return false;
  for (const auto& [variable, value] : *values)
    position.variables[static_cast<std::size_t>(variable)] = value;
  return true;
}

bool put_counters(const Program& program, const PositionEntry& entry, runtime::Position& position,
                  Diagnostics& diagnostics) {
  const auto ply = entry.ply         ? resolve_count(program, *entry.ply, diagnostics)
                   : entry.has_board ? usual_ply(program, position)
                                     : position.ply;
  if (!ply) return false;
  position.ply = *ply;
  if (entry.ply || entry.has_board) position.turns = turns_after(program, *ply);
  for (const auto& [name, tree] : entry.turns) {
    const auto player = resolve_player(program, name, diagnostics);
    const auto count = resolve_count(program, tree, diagnostics);
    if (!player || !count) return false;
    position.turns[static_cast<std::size_t>(*player)] = *count;
  }
  return true;
}

bool put_out(const Program& program, const PositionEntry& entry, runtime::Position& position,
             Diagnostics& diagnostics) {
  if (!entry.out) return true;
  position.out = 0;
  bool good = true;
  for (const Name& name : *entry.out) {
    const auto player = resolve_player(program, name, diagnostics);
    good = good && player;
    if (player) position.out |= 1U << static_cast<unsigned>(*player);
  }
  return good;
}

bool put_entry(const Program& program, const PositionEntry& entry, runtime::Position& position,
               Diagnostics& diagnostics) {
  bool good = true;
  for (const auto put : {put_board, put_mover, put_hands, put_state, put_counters, put_out})
    good = put(program, entry, position, diagnostics) && good;
  return good;
}

// What a FEN says; what stands beside it is laid over it.
bool put_fen(const Program& program, const PositionEntry& entry, runtime::Position& position,
             Diagnostics& diagnostics) {
  if (!entry.fen) return true;
  const auto unfolded = unfold_fen(program, *entry.fen, diagnostics);
  return unfolded && put_entry(program, *unfolded, position, diagnostics);
}

// `ooo2 w`: without a `/` only the board tells a FEN from a picture, whose words are cells. Where there are
// as many words as cells, numbers of empty cells and `ply=0` are signs that no picture has, and neither has
// one several pieces on a cell of a board without stacks.
bool is_fen_of_one_rank(const Program& program, const dsl::Text& line) {
  if (program.board.ranks != 1) return false;
  const auto words = dsl::words(line);
  if (words.size() < 2) return false;
  if (words.size() != static_cast<std::size_t>(program.board.cells)) return true;
  return line.text.find_first_of("123456789=") != std::string::npos ||
         (!program.board.stacks && words.front().text.size() > 1);
}

// One line that is no picture, although there is no `/` in it.
bool is_fen_in_line(const Program& program, const PositionEntry& entry) {
  return entry.line && (is_numbered_position(entry.line->text) || is_fen_of_one_rank(program, *entry.line));
}

PositionEntry fen_of_line(PositionEntry entry) {
  entry.fen = std::move(entry.line);
  entry.picture.clear();
  entry.has_board = false;
  return entry;
}

bool fits(const Program& program, const PositionEntry& entry, const runtime::Position& position,
          Diagnostics& diagnostics) {
  const std::string wrong = runtime::check_position(program, position);
  if (!wrong.empty()) diagnostics.error("position", entry.span, wrong);
  return wrong.empty();
}

} // namespace

std::optional<int> resolve_player(const runtime::Program& program, const dsl::Name& name,
                                  dsl::Diagnostics& diagnostics) {
  const auto names = player_names(program);
  const auto player = index_of(name.text, names);
  if (!player) unknown(name, "player", names, diagnostics);
  return player;
}

std::optional<std::vector<runtime::Stack>> resolve_board(const runtime::Program& program,
                                                         const dsl::PositionEntry& entry,
                                                         dsl::Diagnostics& diagnostics) {
  return entry.picture.empty() ? board_of_cells(program, entry, diagnostics)
                               : board_of_picture(program, entry, diagnostics);
}

std::optional<HandCounts> resolve_hands(const runtime::Program& program, const dsl::PositionEntry& entry,
                                        dsl::Diagnostics& diagnostics) {
  HandCounts counts;
  for (std::size_t slot = 0; entry.no_hands && slot < program.initial.hands.size(); ++slot)
    counts.emplace_back(static_cast<int>(slot), 0);
  for (const auto& hand : entry.hands) {
    const auto player = resolve_player(program, hand.player, diagnostics);
    if (!player) return std::nullopt;
    const auto& slots = program.hand_slot[static_cast<std::size_t>(*player)];
    for (const int slot : slots)
      if (hand.none && slot >= 0) counts.emplace_back(slot, 0);
    for (const auto& [name, tree] : hand.counts) {
      const auto kind = resolve_kind(program, name, diagnostics);
      const auto count = resolve_count(program, tree, diagnostics);
      if (!kind || !count) return std::nullopt;
      const int slot = slots[static_cast<std::size_t>(*kind)];
      if (slot < 0) return unlimited(name, diagnostics);
      counts.emplace_back(slot, *count);
    }
  }
  return counts;
}

std::optional<VariableValues> resolve_state(const runtime::Program& program, const dsl::PositionEntry& entry,
                                            dsl::Diagnostics& diagnostics) {
  VariableValues values;
  bool good = true;
  for (const auto& [name, value] : entry.state)
    good = assign_variable(program, name, value, values, diagnostics) && good;
  if (!good) return std::nullopt;
  return values;
}

std::optional<runtime::Position> resolve_position(const runtime::Program& program,
                                                  const dsl::PositionEntry& given,
                                                  dsl::Diagnostics& diagnostics) {
  const dsl::PositionEntry entry = is_fen_in_line(program, given) ? fen_of_line(given) : given;
  runtime::Position position = program.initial;
  const bool begun = put_fen(program, entry, position, diagnostics);
  const bool good = put_entry(program, entry, position, diagnostics) && begun;
  if (!good || !fits(program, entry, position, diagnostics)) return std::nullopt;
  return position;
}

} // namespace boardwright::interpreter
