#include "tests/generated/print_program.hpp"

#include <array>
#include <cstddef>

namespace boardwright::tests {

namespace {

using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Program;
using runtime::Type;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

const char* name_of(Type type) {
  static constexpr std::array kNames{"number", "truth",   "cells", "directions", "kind",    "player",
                                     "map",    "numbers", "sets",  "kinds",      "players", "action"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string cells_text(const Program& program, const runtime::CellSet& cells) {
  if (cells == program.board.all) return "board";
  std::string text;
  cells.each([&](int c) { text += (text.empty() ? "" : ",") + program.board.name[at(c)]; });
  return text.empty() ? "none" : text;
}

std::string step_text(const runtime::Step& step) {
  if (step.track >= 0) return "track" + std::to_string(step.track) + (step.reversed ? "~" : "");
  return "(" + std::to_string(step.dx) + "," + std::to_string(step.dy) + ")";
}

std::string operands(const Program& program, const Node& n) {
  switch (n.op) {
  case Op::cells: return " " + cells_text(program, program.cell_sets[at(n.a)]);
  case Op::directions: {
    std::string text = " ";
    program.step_sets[at(n.a)].each([&](int s) { text += step_text(program.board.steps[at(s)]); });
    return text;
  }
  case Op::text: return " \"" + program.texts[at(n.a)] + "\"";
  case Op::kind: return n.a < 0 ? " none" : " " + program.kinds[at(n.a)].name;
  case Op::local:
  case Op::let:
  case Op::let_value:
  case Op::choose:
  case Op::choose_some:
  case Op::each:
  case Op::select:
  case Op::some_where:
  case Op::set_local:
  case Op::list_for:
  case Op::sum_for:
  case Op::product_for:
  case Op::least_for:
  case Op::greatest_for:
    return " $" + std::to_string(n.a) + (n.b > 1 ? "..$" + std::to_string(n.a + n.b - 1) : "");
  case Op::repeat: {
    std::string text;
    if ((n.a & runtime::kUnbounded) != 0) text += " unbounded";
    if ((n.a & runtime::kMaximal) != 0) text += " maximal";
    if ((n.a & runtime::kUntil) != 0) text += " until";
    return text + " frame " + std::to_string(n.b);
  }
  default: break;
  }
  return n.a == 0 && n.b == 0 ? "" : " " + std::to_string(n.a) + " " + std::to_string(n.b);
}

void print(const Program& program, NodeId id, int depth, std::string& text) {
  const Node& n = program.nodes[id];
  text += std::string(at(2 * depth), ' ') + runtime::name_of(n.op) + operands(program, n);
  if (n.op == Op::local || n.op == Op::list || n.op == Op::variable)
    text += std::string(" : ") + name_of(n.type);
  text += "\n";
  for (const NodeId kid : program.kids_of(n)) print(program, kid, depth + 1, text);
}

std::string board_text(const Program& program) {
  const auto& board = program.board;
  std::string text =
      std::string(board.hexes ? (board.slant_right ? "hexes, slant right, " : "hexes ") : "squares ") +
      std::to_string(board.files) + " by " + std::to_string(board.ranks) + (board.stacks ? ", stacks" : "") +
      ", cells " + std::to_string(board.cells) + "\n";
  for (const auto& step : board.steps) {
    if (step.track < 0) continue;
    text += "  " + step_text(step) + ":";
    for (std::size_t c = 0; c < step.to.size(); ++c)
      if (step.to[c] >= 0) text += " " + board.name[c] + ">" + board.name[at(step.to[c])];
    text += "\n";
  }
  for (const auto& c : board.curves)
    text += "  curve " + board.name[at(c.from)] + step_text(board.steps[at(c.leaving)]) + " " +
            board.name[at(c.to)] + step_text(board.steps[at(c.heading)]) + "\n";
  return text;
}

std::string position_text(const Program& program) {
  const auto& p = program.initial;
  std::string text = "set-up:";
  for (std::size_t c = 0; c < p.cells.size(); ++c) {
    if (p.cells[c].empty()) continue;
    text += " " + program.board.name[c] + "=";
    for (const auto piece : p.cells[c]) text += program.letter_of(piece);
  }
  text += "; ply " + std::to_string(p.ply) + "; hands";
  for (const auto h : p.hands) text += " " + std::to_string(h);
  text += "; state";
  for (std::size_t v = 0; v < p.variables.size(); ++v)
    text +=
        std::string(" ") + name_of(program.variables[v].type) + "=" + std::to_string(p.variables[v].number);
  return text + "\n";
}

const char* name_of(runtime::Verdict verdict) {
  static constexpr std::array kNames{"win", "lose", "draw", "score", "share"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string winner_of(const runtime::EndLine& line) {
  return line.winner < 0 ? "" : " of player " + std::to_string(line.winner);
}

} // namespace

std::string print_node(const Program& program, NodeId id) {
  std::string text;
  print(program, id, 1, text);
  return text;
}

std::string print_program(const Program& program) {
  std::string text = board_text(program);
  for (const auto& kind : program.kinds) {
    text += "kind " + kind.name + " ";
    for (const char c : kind.letter) text += c == 0 ? '_' : c;
    text += "\n";
  }
  text += position_text(program);
  for (std::size_t p = 0; p < program.players.size(); ++p) {
    const auto& player = program.players[p];
    text += "player " + std::to_string(p) + ", turn\n" + print_node(program, player.turn);
    for (const auto& line : player.end) {
      text += std::string(" end: ") + name_of(line.verdict) + winner_of(line) + " when\n" +
              print_node(program, line.condition);
      for (const NodeId score : line.score) text += " score\n" + print_node(program, score);
    }
  }
  return text;
}

} // namespace boardwright::tests
