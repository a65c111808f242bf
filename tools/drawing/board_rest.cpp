#include "tools/drawing/board_rest.hpp"

#include "dsl/shape.hpp"
#include "tools/console/console.hpp"
#include "tools/drawing/terminal_canvas.hpp"
#include "tools/english/nouns.hpp"
#include "tools/games/position_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {
namespace {

using runtime::Position;
using runtime::Program;

// A region of more cells is told without them.
constexpr int kMaxCellsNamed = 6;

bool has_hand(const Program& program, std::size_t player) {
  return std::any_of(program.hand_slot[player].begin(), program.hand_slot[player].end(),
                     [](int slot) { return slot >= 0; });
}

// As players call what is counted: "count(own)" are pieces, "count(own king)" kings. "": an expression that
// means nothing to them.
std::string told_name(const Program& program, const std::string& name) {
  constexpr std::string_view kCount = "count(", kOwn = "own ";
  if (dsl::is_identifier(name)) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
  }
  if (name == "count(own)") return has_hand(program, 0) ? "on the board" : "pieces";
  if (name == "count(empty)") return "empty cells";
  if (!name.starts_with(kCount) || name.back() != ')') return "";
  std::string_view counted = std::string_view(name).substr(kCount.size(), name.size() - kCount.size() - 1);
  if (counted.starts_with(kOwn)) counted.remove_prefix(kOwn.size());
  const bool is_kind = std::any_of(program.kinds.begin(), program.kinds.end(),
                                   [&](const runtime::Kind& kind) { return kind.name == counted; });
  return is_kind ? plural_of(words_of_name(std::string(counted))) : "";
}

} // namespace

std::string hand_text(const Scene& scene, const Position& position, std::size_t player) {
  const Program& program = scene.program();
  std::vector<std::string> pieces;
  bool some_shown = false;
  int hidden = 0;
  for (std::size_t kind = 0; kind < program.kinds.size(); ++kind) {
    const int slot = program.hand_slot[player][kind];
    if (slot < 0) continue;
    const int count = position.hands[static_cast<std::size_t>(slot)];
    if (scene.hidden(program.kinds[kind].name)) {
      hidden += count;
      continue;
    }
    some_shown = true;
    if (count > 0)
      pieces.push_back(
          fmt::format("{} {}", count, counted_noun(words_of_name(program.kinds[kind].name), count)));
  }
  if (!pieces.empty()) return fmt::format("{}", fmt::join(pieces, ", "));
  if (!has_hand(program, player) || (some_shown && hidden > 0)) return "";
  return hidden == 0 ? "nothing" : fmt::format("{} {}", hidden, counted_noun("piece", hidden));
}

Depth depth_of(const DrawOptions& options) {
  return !options.color       ? Depth::none
         : options.few_colors ? Depth::sixteen
         : options.true_color ? Depth::full
                              : Depth::table;
}

Counted counted(const Scene& scene, const Position& position) {
  const Program& program = scene.program();
  Counted told;
  told.of_player.resize(program.players.size());
  std::uint64_t steps = interpreter::kMaxCountSteps;
  for (const interpreter::Count& count : scene.look().counts) {
    const std::string name = told_name(program, count.name);
    if (name.empty() || scene.hidden(count.name)) continue;
    const auto values = interpreter::values_of(count, program, position, steps);
    const bool known =
        std::all_of(values.begin(), values.end(), [](const auto& value) { return value.has_value(); });
    for (std::size_t player = 0; known && player < values.size(); ++player) {
      std::vector<std::string>& lines = count.shared ? told.shared : told.of_player[player];
      if (!count.shared || player == 0)
        lines.push_back(fmt::format("{}: {}", printable(name), *values[player]));
    }
  }
  return told;
}

bool is_mixed(const runtime::Stack& stack) {
  return std::any_of(stack.begin(), stack.end(), [&](runtime::Piece piece) { return piece != stack.back(); });
}

std::string mixed_stacks_text(const Program& program, const Position& position, std::string_view blank) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < position.cells.size(); ++i)
    if (is_mixed(position.cells[i]))
      items.push_back(fmt::format("{}{}{}", printable(program.board.name[i]), blank,
                                  letters_of(program, position.cells[i])));
  return fmt::format("{}", fmt::join(items, ", "));
}

bool is_told(const Scene& scene, const Position& position, std::size_t variable) {
  const runtime::Variable& of = scene.program().variables[variable];
  if (of.clock || scene.hidden(of.name) || !scene.program().is_told(position, variable)) return false;
  switch (of.type) {
  case runtime::Type::cells: return position.variables[variable].cells.any();
  case runtime::Type::truth: return position.variables[variable].number != 0;
  case runtime::Type::kind: return position.variables[variable].number >= 0;
  default: return true;
  }
}

std::vector<std::string> rest_lines(const Scene& scene, const Position& position,
                                    const DrawOptions& options) {
  const Program& program = scene.program();
  const Counted counts = counted(scene, position);
  std::vector<std::string> lines;
  for (std::size_t player = 0; player < program.players.size(); ++player) {
    const int number = static_cast<int>(player);
    const bool moves = position.to_move == number && !options.over, out = (position.out >> player & 1U) != 0;
    const Depth depth = depth_of(options);
    const Colour owner = scene.owner(number);
    const Colour ground = ground_under(owner, ground_for(scene, depth).middle(), depth);
    const std::string mark = options.color ? in_colour(" ● ", owner, ground, depth) : "";
    lines.push_back(fmt::format("{} {}{}{}{}", moves ? "▸" : " ", mark, options.color ? " " : "",
                                printable(program.players[player].name),
                                out     ? ", out"
                                : moves ? " to move"
                                        : ""));
    if (const std::string hand = hand_text(scene, position, player); !hand.empty())
      lines.push_back("    in hand: " + hand);
    for (std::size_t i = 0; i < program.variables.size(); ++i)
      if (program.variables[i].player == number && is_told(scene, position, i))
        lines.push_back(fmt::format("    {}: {}", program.variables[i].name,
                                    value_text(program, program.variables[i].type, position.variables[i])));
    for (const std::string& line : counts.of_player[player]) lines.push_back("    " + line);
  }
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    if (program.variables[i].player < 0 && program.variables[i].plane < 0 && is_told(scene, position, i))
      lines.push_back(fmt::format("  {}: {}", program.variables[i].name,
                                  value_text(program, program.variables[i].type, position.variables[i])));
  for (const std::string& line : counts.shared) lines.push_back("  " + line);
  return lines;
}

std::vector<std::string> region_lines(const Scene& scene, const DrawOptions& options) {
  const Program& program = scene.program();
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < scene.look().regions.size(); ++i) {
    const interpreter::Region& region = scene.look().regions[i];
    if (region.plain) continue;
    const Depth depth = depth_of(options);
    const Colour ground = mixed(ground_for(scene, depth).middle(), scene.region_colour(static_cast<int>(i)),
                                region_share(depth));
    std::string line =
        options.color ? in_colour(" ▫ ", ink_on(ground, mixed(ground, {0, 0, 0}, 0.5), depth), ground, depth)
                      : "▫";
    line += " " + printable(region.name);
    if (region.player >= 0)
      line += " of " + printable(program.players[static_cast<std::size_t>(region.player)].name);
    if (region.cells.count() <= kMaxCellsNamed) {
      std::vector<std::string> names;
      region.cells.each(
          [&](int cell) { names.push_back(printable(program.board.name[static_cast<std::size_t>(cell)])); });
      line += fmt::format(": {}", fmt::join(names, " "));
    }
    lines.push_back("  " + line);
  }
  return lines;
}

} // namespace boardwright::tools
