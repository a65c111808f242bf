#include "runtime/normalize/print.hpp"

#include "runtime/normalize/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace boardwright::runtime {

namespace {

class Printer {
public:
  explicit Printer(const Program& program) : program_(program) {}
  void add(NodeId id);
  std::string text;

private:
  void add_operands(const Node& n);
  void add_cells(const CellSet& cells);
  void add_steps(const StepSet& steps);
  void add_frame(std::size_t frame);
  [[nodiscard]] std::string slot(std::int32_t slot) {
    return fmt::format("v{}", slots_.try_emplace(slot, slots_.size()).first->second);
  }

  const Program& program_;
  std::map<std::int32_t, std::size_t> slots_; // number in the text
};

void Printer::add_cells(const CellSet& cells) {
  if (cells.none())
    text += "none";
  else if (cells == program_.board.all)
    text += "board";
  else {
    text += '{';
    cells.each([&](int cell) { text += program_.board.name[static_cast<std::size_t>(cell)] + " "; });
    text.back() = '}';
  }
}

void Printer::add_steps(const StepSet& steps) {
  // In an order that doesn't go by their numbers.
  std::vector<std::tuple<int, bool, int, int>> sorted;
  steps.each([&](int i) {
    const Step& s = program_.board.steps[static_cast<std::size_t>(i)];
    sorted.emplace_back(s.track, s.reversed, s.dx, s.dy);
  });
  std::sort(sorted.begin(), sorted.end());
  text += '<';
  for (const auto& [track, reversed, dx, dy] : sorted)
    text += track < 0 ? fmt::format("{},{} ", dx, dy) : fmt::format("{}{} ", reversed ? "-" : "+", track);
  if (text.back() == ' ') text.pop_back();
  text += '>';
}

void Printer::add_frame(std::size_t frame) {
  if (frame >= program_.frames.size() || program_.frames[frame].empty()) return;
  text += " frame";
  for (const std::uint32_t s : program_.frames[frame]) text += " " + slot(static_cast<std::int32_t>(s));
}

void Printer::add_operands(const Node& n) {
  if (slots_bound_by(n.op, n.b) > 0)
    for (std::int32_t i = 0; i < slots_bound_by(n.op, n.b); ++i) text += " " + slot(n.a + i);
  else if (names_slot(n.op))
    text += " " + slot(n.a);
  else if (n.op == Op::repeat) {
    if ((n.a & kUnbounded) != 0) text += " unbounded";
    if ((n.a & kMaximal) != 0) text += " maximal";
    if ((n.a & kUntil) != 0) text += " until";
    add_frame(static_cast<std::size_t>(n.b));
  } else if (n.op == Op::distinct)
    add_frame(static_cast<std::size_t>(n.b));
  else if (n.a != 0 || n.b != 0) {
    text += fmt::format(" {}", n.a);
    if (n.b != 0) text += fmt::format(" {}", n.b);
  }
}

void Printer::add(NodeId id) {
  if (id == kNoNode) return;
  const Node& n = program_.nodes[id];
  switch (n.op) {
  case Op::number: text += fmt::format("{}", n.a); return;
  case Op::truth: text += n.a != 0 ? "true" : "false"; return;
  case Op::cells: add_cells(program_.cell_sets[static_cast<std::size_t>(n.a)]); return;
  case Op::directions: add_steps(program_.step_sets[static_cast<std::size_t>(n.a)]); return;
  case Op::text: text += fmt::format("\"{}\"", program_.texts[static_cast<std::size_t>(n.a)]); return;
  case Op::local: text += slot(n.a); return;
  default: break;
  }
  const bool bare = n.count == 0 && n.a == 0 && n.b == 0;
  if (!bare) text += '(';
  text += name_of(n.op);
  add_operands(n);
  for (const NodeId kid : program_.kids_of(n)) {
    text += ' ';
    add(kid);
  }
  if (!bare) text += ')';
}

} // namespace

std::string print(const Program& program, NodeId id) {
  Printer printer(program);
  printer.add(id);
  return std::move(printer.text);
}

std::string print(const Program& program, int player) {
  static constexpr const char* kVerdicts[] = {"win", "lose", "draw", "score"};
  const Player& p = program.players[static_cast<std::size_t>(player)];
  std::string text = "turn: " + print(program, p.turn) + "\n";
  for (const EndLine& line : p.end) {
    text += fmt::format("{} when: {}", kVerdicts[static_cast<std::size_t>(line.verdict)],
                        print(program, line.condition));
    for (const NodeId score : line.score) text += " " + print(program, score);
    text += '\n';
  }
  return text;
}

} // namespace boardwright::runtime
