#include "interpreter/self_tests/notation_parts.hpp"

#include "dsl/text.hpp"
#include "interpreter/board/geometry.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::interpreter {
namespace {

bool in_run(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> runs_of(std::string_view text) {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_run(text[end])) ++end;
    if (end > i) runs.emplace_back(text.substr(i, end - i));
    i = end + 1;
  }
  return runs;
}

bool writes_numbers(const runtime::Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(), [&](const runtime::Node& node) {
    if (node.op != runtime::Op::say) return false;
    const auto kids = program.kids_of(node);
    return std::any_of(kids.begin(), kids.end(),
                       [&](runtime::NodeId kid) { return program.nodes[kid].type == runtime::Type::number; });
  });
}

// The names of all places of the board's bounding box: a test may well say that no move leads into a hole.
std::vector<std::string> places_of(const runtime::Board& board) {
  const bool row_column = !board.name.empty() && dsl::is_digit(board.name.front().front());
  std::vector<std::string> names = board.name;
  for (int y = 1; y <= board.ranks; ++y)
    for (int x = 1; x <= board.files; ++x)
      names.push_back(place_name(x, y, board.files, board.ranks, row_column));
  return names;
}

} // namespace

NotationParts::NotationParts(const runtime::Program& program)
    : parts_{"pass", "x"}, numbers_(writes_numbers(program)) {
  const auto add = [this](std::string_view text) {
    for (auto& run : runs_of(text)) parts_.push_back(std::move(run));
  };
  for (const auto& place : places_of(program.board)) add(place);
  for (const auto& text : program.texts) add(text);
  for (const auto& player : program.players) add(player.name);
  for (const auto& kind : program.kinds)
    for (const char letter : kind.letter)
      if (letter != 0) add(std::string(1, letter));
}

bool NotationParts::can_be_made(std::string_view run) const {
  std::vector<bool> reached(run.size() + 1, false); // by parts one after the other
  reached[0] = true;
  for (std::size_t at = 0; at < run.size(); ++at) {
    if (!reached[at]) continue;
    for (const auto& part : parts_)
      if (run.substr(at, part.size()) == part) reached[at + part.size()] = true;
    if (numbers_ && dsl::is_digit(run[at])) reached[at + 1] = true;
  }
  return reached.back();
}

std::string NotationParts::impossible_part(std::string_view notation) const {
  for (auto& run : runs_of(notation))
    if (!can_be_made(run)) return std::move(run);
  return "";
}

} // namespace boardwright::interpreter
