#include "tools/games/seen_game.hpp"

#include "tools/games/position_json.hpp"

#include <sstream>

namespace boardwright::tools {

using runtime::Program;
using runtime::sight::Seen;

const Seen& seen_now(const runtime::sight::Knowledge& knowledge) {
  return knowledge.moves.empty() ? knowledge.begin : knowledge.moves.back().seen;
}

std::vector<std::string> lines_known(const Program& program, const runtime::sight::Knowledge& knowledge) {
  std::istringstream text(runtime::sight::text_of(knowledge, program));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

Json seen_json(const Program& program, const Seen& seen) {
  const auto names = [&](const runtime::CellSet& cells) {
    Json list = Json::array();
    cells.each([&](int cell) { list.push_back(program.board.name[static_cast<std::size_t>(cell)]); });
    return list;
  };
  Json cells = Json::object();
  for (std::size_t cell = 0; cell < seen.position.cells.size(); ++cell) {
    const runtime::Stack& stack = seen.position.cells[cell];
    if (stack.empty()) continue;
    if (!seen.covered.test(static_cast<int>(cell))) {
      cells[program.board.name[cell]] = letters_of(program, stack);
      continue;
    }
    Json owners = Json::array();
    for (const runtime::Piece& piece : stack)
      owners.push_back(piece.owner < 0 ? "neutral"
                                       : program.players[static_cast<std::size_t>(piece.owner)].name);
    cells[program.board.name[cell]] = std::move(owners);
  }
  return {{"text", runtime::sight::text_of(program, seen)},
          {"cells", std::move(cells)},
          {"dark", names(seen.dark)},
          {"covered", names(seen.covered)}};
}

} // namespace boardwright::tools
