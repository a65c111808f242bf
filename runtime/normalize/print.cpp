#include "runtime/normalize/print.hpp"

#include "runtime/model/operations.hpp"
#include "runtime/model/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace boardwright::runtime {

namespace {

class Printer {
public:
  explicit Printer(const Program& program, bool names = false) : program_(program), names_(names) {}
  void add(NodeId id);
  // Over as many lines as it takes.
  void add_lines(NodeId id, std::size_t indent);
  std::string text;

private:
  [[nodiscard]] static std::string flags(std::int32_t flags);
  [[nodiscard]] std::string owners(const Node& n) const;
  [[nodiscard]] std::string variable(std::int32_t index) const;
  [[nodiscard]] std::string named(const Node& n, Operand operand, std::int32_t value) const;
  void add_numbers(const Node& n);
  bool add_bare(const Node& n);
  [[nodiscard]] std::string player(std::int32_t player) const;
  [[nodiscard]] bool is_small(NodeId id, std::size_t& nodes) const;
  void end_line(std::size_t begin, std::uint32_t origin);
  void add_operands(const Node& n);
  void add_cells(const CellSet& cells);
  void add_steps(const StepSet& steps);
  void add_frame(std::size_t frame);
  [[nodiscard]] std::string slot(std::int32_t slot) {
    return fmt::format("v{}", slots_.try_emplace(slot, slots_.size()).first->second);
  }

  const Program& program_;
  bool names_;                                // operands by name, not by number
  std::string place_;                         // of the line before
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

std::string Printer::player(std::int32_t player) const {
  if (player == kNeutral) return "neutral";
  const auto i = static_cast<std::size_t>(player);
  return i < program_.players.size() ? program_.players[i].name : std::to_string(player);
}

std::string Printer::flags(std::int32_t flags) {
  std::string all;
  if ((flags & kUnbounded) != 0) all += " unbounded";
  if ((flags & kMaximal) != 0) all += " maximal";
  if ((flags & kUntil) != 0) all += " until";
  return all;
}

std::string Printer::owners(const Node& n) const {
  switch (static_cast<Owners>(n.a)) {
  case Owners::any: return " anybody";
  case Owners::exactly: return " " + player(n.b);
  case Owners::others: return " not " + player(n.b);
  case Owners::neutral: return " neutral";
  }
  return {};
}

std::string Printer::variable(std::int32_t index) const {
  const Variable& v = program_.variables[static_cast<std::size_t>(index)];
  return " " + v.name + (v.player >= 0 ? " of " + player(v.player) : "");
}

// An operand by the name that an author has for it.
std::string Printer::named(const Node& n, Operand operand, std::int32_t value) const {
  switch (operand) {
  case Operand::owners: return owners(n);
  case Operand::player:
    return about(n.op).a == Operand::owners ? "" : " " + player(value); // he is in the owners
  case Operand::kind:
    return " " + (value < 0 ? "none" : program_.kinds[static_cast<std::size_t>(value)].name);
  case Operand::variable: return variable(value);
  case Operand::owner: return " of " + (value == kNatural ? "whoever has the kind" : player(value));
  case Operand::giver: return " from the hand of " + player(value);
  case Operand::new_owner: return value == kKeepOwner ? "" : " to " + player(value);
  case Operand::none:
  case Operand::slot:
  case Operand::slots:
  case Operand::number:
  case Operand::truth:
  case Operand::cell_set:
  case Operand::step_set:
  case Operand::text:
  case Operand::frame:
  case Operand::flags: return {}; // printed alike, with names or without
  case Operand::flag: return value != 0 ? " 1" : "";
  case Operand::corner: return value < 0 ? "" : fmt::format(" {},{}", value % 1024, value / 1024);
  case Operand::fallback: return value < 0 ? "" : fmt::format(" {}", value);
  }
  return {};
}

void Printer::add_numbers(const Node& n) {
  if (n.a == 0 && n.b == 0) return;
  text += fmt::format(" {}", n.a);
  if (n.b != 0) text += fmt::format(" {}", n.b);
}

void Printer::add_operands(const Node& n) {
  const Operation& o = about(n.op);
  const std::int32_t bound = slots_bound_by(n.op, n.b);
  if (o.a == Operand::slot)
    for (std::int32_t i = 0; i < std::max(bound, 1); ++i) text += " " + slot(n.a + i);
  else if (o.a == Operand::flags)
    text += flags(n.a);
  else if (names_)
    text += named(n, o.a, n.a) + named(n, o.b, n.b);
  else if (o.b != Operand::frame)
    add_numbers(n);
  if (o.b == Operand::frame) add_frame(static_cast<std::size_t>(n.b));
}

// What is written out as itself: constants, texts, names.
bool Printer::add_bare(const Node& n) {
  const auto index = static_cast<std::size_t>(n.a);
  if (n.count > 0 || about(n.op).b != Operand::none) return false;
  switch (about(n.op).a) {
  case Operand::number: text += fmt::format("{}", n.a); return true;
  case Operand::truth: text += n.a != 0 ? "true" : "false"; return true;
  case Operand::cell_set: add_cells(program_.cell_sets[index]); return true;
  case Operand::step_set: add_steps(program_.step_sets[index]); return true;
  case Operand::text: text += fmt::format("\"{}\"", program_.texts[index]); return true;
  case Operand::slot: text += slot(n.a); return true;
  case Operand::none:
  case Operand::slots:
  case Operand::frame:
  case Operand::kind:
  case Operand::player:
  case Operand::owners:
  case Operand::owner:
  case Operand::new_owner:
  case Operand::giver:
  case Operand::variable:
  case Operand::flags:
  case Operand::flag:
  case Operand::corner:
  case Operand::fallback: return false;
  }
  return false;
}

void Printer::add(NodeId id) {
  if (id == kNoNode) return;
  const Node& n = program_.nodes[id];
  if (add_bare(n)) return;
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

// Few nodes, and no action but itself.
bool Printer::is_small(NodeId id, std::size_t& nodes) const {
  constexpr std::size_t kMostInALine = 24;
  const Node& n = program_.nodes[id];
  if (++nodes > kMostInALine) return false;
  for (const NodeId kid : program_.kids_of(n))
    if (kid != kNoNode && (is_action(program_.nodes[kid].op) || !is_small(kid, nodes))) return false;
  return true;
}

// The rest of the line says where it comes from, unless the line before has said so.
void Printer::end_line(std::size_t begin, std::uint32_t origin) {
  constexpr std::size_t kColumn = 64;
  const std::string place = place_of(program_, origin);
  if (place != place_) {
    const std::size_t width = text.size() - begin;
    text += std::string(width < kColumn ? kColumn - width : 1, ' ') + " ; " + place;
  }
  place_ = place;
  text += '\n';
}

void Printer::add_lines(NodeId id, std::size_t indent) {
  if (id == kNoNode) return;
  const Node& n = program_.nodes[id];
  const std::size_t begin = text.size();
  text += std::string(indent, ' ');
  std::size_t nodes = 0;
  if (is_small(id, nodes)) {
    const std::size_t opened = text.size();
    add(id);
    if (is_action(n.op) && text[opened] == '(') { // the line itself tells what belongs together
      text.erase(opened, 1);
      text.pop_back();
    }
    end_line(begin, n.origin);
    return;
  }
  text += name_of(n.op);
  add_operands(n);
  end_line(begin, n.origin);
  for (const NodeId kid : program_.kids_of(n)) add_lines(kid, indent + 2);
}

[[nodiscard]] const char* name_of(Verdict verdict) {
  static constexpr const char* kVerdicts[] = {"win", "lose", "draw", "score", "share"};
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

[[nodiscard]] std::string verdict_of(const Program& program, const EndLine& line) {
  if (line.verdict == Verdict::share) return fmt::format("share {}", shares_text(program, line.result));
  if (line.winner < 0) return name_of(line.verdict);
  return with_verb(program.players[static_cast<std::size_t>(line.winner)].name, "win");
}

} // namespace

std::string print_lines(const Program& program, int player) {
  Printer printer(program, true);
  const Player& p = program.players[static_cast<std::size_t>(player)];
  printer.text = "turn\n";
  printer.add_lines(p.turn, 2);
  for (const EndLine& line : p.end) {
    printer.text += fmt::format("{} when  ; {}\n", verdict_of(program, line), place_of(program, line.origin));
    printer.add_lines(line.condition, 2);
    if (!line.score.empty()) printer.text += "  scores of the players\n";
    for (const NodeId score : line.score) printer.add_lines(score, 4);
  }
  return std::move(printer.text);
}

std::string print(const Program& program, NodeId id) {
  Printer printer(program);
  printer.add(id);
  return std::move(printer.text);
}

std::string print(const Program& program, int player) {
  const Player& p = program.players[static_cast<std::size_t>(player)];
  std::string text = "turn: " + print(program, p.turn) + "\n";
  for (const EndLine& line : p.end) {
    text += fmt::format("{} when: {}", verdict_of(program, line), print(program, line.condition));
    for (const NodeId score : line.score) text += " " + print(program, score);
    text += '\n';
  }
  return text;
}

} // namespace boardwright::runtime
