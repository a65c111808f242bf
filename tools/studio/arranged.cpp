#include "tools/studio/arranged.hpp"

#include "dsl/finder.hpp"
#include "dsl/migrate.hpp"
#include "interpreter/notation/position_text.hpp"
#include "interpreter/self_tests/test_update.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/english/plain_words.hpp"
#include "tools/games/position_json.hpp"
#include "tools/studio/game_view.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Piece;
using runtime::Position;
using runtime::Program;

// Of more moves than this only so many are counted: whoever sets up a position needn't wait for all.
constexpr std::uint64_t kMostCounted = 1'000;
// With more pieces than this a picture of the board is easier to read than a list of cells.
constexpr std::size_t kMostListed = 8;
// The file whose rules a test is written for is called so while its expectations are worked out.
const std::string kRules = "rules.yaml", kTest = "test.yaml";

Position without_pieces(const Program& program) {
  Position position = program.initial;
  for (runtime::Stack& stack : position.cells) stack.clear();
  return position;
}

// Only what a piece adds to the picture of a board, cut to its cell.
std::string picture_of(const Program& program, const interpreter::Look& look, Piece piece) {
  SvgOptions options;
  options.look = &look;
  options.captions = options.turn = false;
  Position position = without_pieces(program);
  const auto bare = board_drawing(program, position, options).elements;
  const std::set<std::string> of_board(bare.begin(), bare.end());
  position.cells.front().push_back(piece);
  SvgDrawing drawing = board_drawing(program, position, options);
  const auto at = std::find_if(drawing.places.begin(), drawing.places.end(),
                               [](const SvgPlace& place) { return place.cell == 0; });
  if (at == drawing.places.end()) return "";
  const double half = std::max(at->width, at->height) / 2;
  drawing.left = at->x - half, drawing.right = at->x + half;
  drawing.top = at->y - half, drawing.bottom = at->y + half;
  std::string text = svg_opening(drawing);
  for (const std::string& element : drawing.elements)
    if (!of_board.contains(element)) text += element;
  return text + "</svg>";
}

// What is written may be read as something else than a text in YAML, unless it is so plain.
bool is_plain(const std::string& text, std::string_view signs = "_-") {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 && text.back() != ' ' &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || signs.find(c) != std::string_view::npos;
         });
}

std::string flow_text(const Json& json) {
  std::string text;
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      text +=
          (text.empty() ? " " : ", ") + (is_plain(key) ? key : Json(key).dump()) + ": " + flow_text(value);
    return "{" + text + (text.empty() ? "}" : " }");
  }
  if (json.is_array()) {
    for (const Json& value : json) text += (text.empty() ? "" : ", ") + flow_text(value);
    return "[" + text + "]";
  }
  if (json.is_string() && is_plain(json.get<std::string>())) return json.get<std::string>();
  return json.dump();
}

bool reads_as(const interpreter::Loaded& loaded, const std::string& text, const std::string& wanted) {
  const auto read = interpreter::read_position(loaded.rules, "position", text);
  return read.game && write_position(loaded.rules->program(), read.game->position()) == wanted;
}

// The ranks from the top; "" where a board has none, or cells hold more than a sign tells.
std::string picture_rows(const Program& program, const Position& position, const std::string& indent) {
  const auto& board = program.board;
  if (board.stacks || position.cells.empty()) return "";
  const auto [left, right] = std::minmax_element(board.x.begin(), board.x.end());
  const auto [low, high] = std::minmax_element(board.y.begin(), board.y.end());
  std::string text;
  for (int y = *high; y >= *low; --y) {
    text += indent;
    for (int x = *left; x <= *right; ++x) {
      const int cell = board.cell_at(x, y);
      if (cell == runtime::kNowhere) return "";
      const runtime::Stack& stack = position.cells[static_cast<std::size_t>(cell)];
      text += (x == *left ? "" : " ") + (stack.empty() ? "." : letters_of(program, stack));
    }
    text += '\n';
  }
  return text;
}

// The entries of a position that say something: without the others it is the same.
Json needed_entries(const interpreter::Loaded& loaded, const Position& position) {
  const std::string wanted = write_position(loaded.rules->program(), position);
  Json entries = to_json(loaded.rules->program(), position);
  for (const char* key : {"turns", "ply", "state", "hands"}) {
    Json fewer = entries;
    fewer.erase(key);
    if (entries.contains(key) && reads_as(loaded, to_text(fewer), wanted)) entries = std::move(fewer);
  }
  return entries;
}

// `position:` of a test; its keys stand at the indentation `in`.
std::string position_entry(const interpreter::Loaded& loaded, const Position& position,
                           const std::string& in) {
  const Program& program = loaded.rules->program();
  const std::string deeper = in + "  ";
  Json entries = needed_entries(loaded, position);
  std::string line = entries.size() == 2 ? flow_text(entries) : "", rows;
  if (entries["cells"].size() > kMostListed) rows = picture_rows(program, position, deeper + "  ");
  if (rows.empty() && !line.empty()) return in + "position: " + line + "\n";
  std::string text = in + "position:\n";
  for (const char* key : {"to_move", "cells", "ply", "turns", "hands", "state", "out"}) {
    if (!entries.contains(key)) continue;
    const bool as_picture = std::string_view(key) == "cells" && !rows.empty();
    text += deeper + key + (as_picture ? ": |\n" + rows : ": " + flow_text(entries[key]) + "\n");
  }
  return text;
}

std::string settings_entry(const interpreter::Settings& settings, const std::string& in) {
  Json json = Json::object();
  for (const auto& [option, value] : settings) json[option] = value;
  return settings.empty() ? "" : in + "set: " + flow_text(json) + "\n";
}

// The rules as they stand, and a file that adds one test to them.
dsl::FileFinder finder_of(std::string rules, std::string test) {
  return [rules = dsl::finder_with(kRules, std::move(rules)),
          test = std::move(test)](const std::string& reference, const std::string& beside) {
    if (reference == kTest) return std::optional(dsl::FoundFile{kTest, test});
    return rules(reference, beside == kTest ? "" : beside);
  };
}

} // namespace

Json palette_view(const interpreter::Loaded& loaded, const interpreter::Look& look) {
  const Program& program = loaded.rules->program();
  Json pieces = Json::array(), hands = Json::array(), players = Json::array();
  for (int kind = 0; kind < static_cast<int>(program.kinds.size()); ++kind)
    for (const char letter : program.kinds[static_cast<std::size_t>(kind)].letter) {
      const auto piece = letter == 0 ? std::nullopt : program.piece_of(letter);
      if (!piece || piece->kind != kind) continue;
      const std::string name = program.kinds[static_cast<std::size_t>(kind)].name;
      const Json owner =
          piece->owner < 0 ? Json() : Json(program.players[static_cast<std::size_t>(piece->owner)].name);
      pieces.push_back({{"letter", std::string(1, letter)},
                        {"name", owner.is_null() ? name : owner.get<std::string>() + " " + name},
                        {"svg", picture_of(program, look, *piece)}});
    }
  for (std::size_t player = 0; player < program.players.size(); ++player) {
    players.push_back(program.players[player].name);
    for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
      if (program.hand_slot[player][kind] >= 0)
        hands.push_back({{"player", program.players[player].name}, {"kind", program.kinds[kind].name}});
  }
  Json carried = Json::array();
  for (const runtime::PieceValue& value : program.piece_values) carried.push_back(value.name);
  return {{"pieces", pieces},
          {"hands", hands},
          {"players", players},
          {"carried", carried},
          {"stacks", program.board.stacks}};
}

Json arranged_view(const interpreter::Loaded& loaded, const interpreter::Look& look,
                   const std::string& position, bool flipped) {
  auto read = interpreter::read_position(loaded.rules, "position", position);
  if (!read.game) return {{"error", read.errors()}};
  const Program& program = loaded.rules->program();
  Json view = board_view(program, look, read.game->position(), {}, flipped);
  view["position"] = to_json(program, read.game->position());
  const auto outcome = read.game->outcome();
  if (!outcome) {
    view["says"] = outcome.error().message;
  } else if (*outcome) {
    view["says"] = plain_result(loaded, **outcome);
  } else {
    runtime::ListLimits limits;
    limits.most_moves = kMostCounted;
    const auto moves = read.game->moves(limits);
    view["says"] = !moves               ? moves.error().message
                   : !moves->complete() ? fmt::format("more than {} moves", moves->size())
                   : moves->size() == 1 ? "1 move"
                                        : fmt::format("{} moves", moves->size());
  }
  return view;
}

Json test_of(const interpreter::Loaded& loaded, const interpreter::Settings& settings,
             const std::string& position, const std::string& name) {
  const auto read = interpreter::read_position(loaded.rules, "position", position);
  if (!read.game) return {{"error", read.errors()}};
  const std::string in = "    ";
  const std::string head = "extends: " + kRules + "\ntests:\n";
  std::string file = head + "  - name: " + (is_plain(name, "_- ") ? name : Json(name).dump()) + "\n" +
                     settings_entry(settings, in) + position_entry(loaded, read.game->position(), in);
  const auto find = finder_of(loaded.sources.text(loaded.file->file), file);
  const auto with_test = interpreter::load(kTest, {}, find);
  if (!with_test) return {{"error", with_test.errors()}};
  const auto found = interpreter::updates_of(with_test, kTest, find);
  if (!found.diagnostics.all().empty())
    return {{"error", dsl::render(found.diagnostics, with_test.sources, false)}};
  std::vector<dsl::Edit> edits;
  for (const auto& update : found.updates) edits.push_back(update.edit);
  file = dsl::edited(file, edits);
  return {{"text", file.substr(head.size())}};
}

} // namespace boardwright::tools
