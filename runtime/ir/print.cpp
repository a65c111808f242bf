#include "runtime/ir/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::runtime::ir {

namespace {

[[nodiscard]] std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr int kMostMembers = 8; // of a set or a table that is written out

class Printer {
public:
  Printer(const Program& program, const Code& code) : program_(program), code_(code), l_(code.layout) {
    find_labels();
  }
  void print(std::size_t begin, std::size_t end);
  std::string text;

private:
  void find_labels();
  void add_instruction(const Instruction& i);
  [[nodiscard]] std::string set(Reg r) const;
  [[nodiscard]] std::string number(Reg r) const;
  [[nodiscard]] std::string operand(char role, Reg r) const;
  [[nodiscard]] std::string last_operand(const Instruction& i) const;
  [[nodiscard]] std::string third_operand(const Instruction& i) const;
  [[nodiscard]] std::string table(const Instruction& i) const;
  [[nodiscard]] std::string cells(const CellSet& set) const;
  [[nodiscard]] std::string step(std::int64_t step) const;
  [[nodiscard]] std::string steps(const std::vector<std::int16_t>& steps) const;
  [[nodiscard]] std::string values(const std::vector<std::int16_t>& values, bool are_cells) const;
  [[nodiscard]] std::string player(std::int64_t player) const;
  [[nodiscard]] std::string verdict(const Verdict& verdict) const;
  [[nodiscard]] std::string choice(const Choice& choice) const;
  [[nodiscard]] std::string leaf(std::int32_t index) const;

  const Program& program_;
  const Code& code_;
  const Layout& l_;
  std::multimap<std::uint32_t, std::string> labels_; // by instruction; "": a number will do
};

// ---------------------------------------------------------------- constants and tables

std::string Printer::cells(const CellSet& set) const {
  if (set.none()) return "none";
  if (set == program_.board.all) return "board";
  std::vector<std::string> names;
  set.each([&](int cell) { names.push_back(program_.board.name[at(cell)]); });
  if (names.size() <= kMostMembers) return fmt::format("{{{}}}", fmt::join(names, " "));
  return fmt::format("{{{} {} … {}, {} cells}}", names[0], names[1], names.back(), names.size());
}

std::string Printer::step(std::int64_t step) const {
  if (step < 0 || at(step) >= program_.board.steps.size()) return "no step";
  const Step& s = program_.board.steps[at(step)];
  if (s.track < 0) return fmt::format("<{},{}>", s.dx, s.dy);
  return fmt::format("<{}{}>", s.reversed ? "-" : "+", program_.board.tracks[at(s.track)]);
}

std::string Printer::steps(const std::vector<std::int16_t>& steps) const {
  std::string all;
  for (const std::int16_t s : steps) all += step(s);
  return all.empty() ? "<>" : all;
}

// By cell.
std::string Printer::values(const std::vector<std::int16_t>& values, bool are_cells) const {
  const std::vector<int>* const known[] = {&program_.board.x, &program_.board.y};
  const char* const names[] = {"x of each cell", "y of each cell"};
  for (std::size_t k = 0; k < 2 && !are_cells; ++k)
    if (std::equal(values.begin(), values.end(), known[k]->begin(), known[k]->end())) return names[k];
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < values.size() && k < kMostMembers; ++k) {
    const bool is_name = are_cells && values[k] >= 0 && at(values[k]) < program_.board.name.size();
    shown.push_back(is_name ? program_.board.name[at(values[k])] : std::to_string(values[k]));
  }
  return fmt::format("[{}{}]", fmt::join(shown, " "), values.size() > kMostMembers ? " …" : "");
}

std::string Printer::player(std::int64_t player) const {
  if (player == kNeutral) return "neutral";
  return player >= 0 && at(player) < program_.players.size() ? program_.players[at(player)].name
                                                             : std::to_string(player);
}

std::string Printer::verdict(const Verdict& verdict) const {
  std::vector<std::string> winners;
  for (std::size_t p = 0; p < program_.players.size(); ++p)
    if ((verdict.winners >> p & 1) != 0) winners.push_back(program_.players[p].name);
  if (winners.size() == 1) return with_verb(winners.front(), "win");
  return winners.empty() ? "no winner" : fmt::format("{} win", fmt::join(winners, ", "));
}

std::string Printer::choice(const Choice& choice) const {
  switch (choice.from) {
  case Choice::From::constant: return fmt::format("={}", choice.value);
  case Choice::From::number: return number(static_cast<Reg>(choice.value));
  case Choice::From::open: break;
  }
  return choice.place < 0 ? "its cell" : "told by its cell";
}

std::string Printer::leaf(std::int32_t index) const {
  const Leaf& leaf = code_.leaves[at(index)];
  std::vector<std::string> choices;
  for (const Choice& c : leaf.choices) choices.push_back(choice(c));
  return fmt::format("leaf {} ({}played from L{}; choices: {}{})", index, leaf.dynamic ? "dynamic, " : "",
                     leaf.entry, leaf.base >= 0 ? "those written, " : "", fmt::join(choices, ", "));
}

std::string Printer::table(const Instruction& i) const {
  const std::size_t x = at(i.x);
  switch (i.op) {
  case Op::set_step:
  case Op::set_step_back:
  case Op::set_run: return step(i.x);
  case Op::set_flood:
  case Op::set_around:
  case Op::set_rays:
  case Op::set_between:
  case Op::set_slides: return steps(code_.steps[x]);
  case Op::set_table: return fmt::format("table {}", x);
  case Op::remember: return fmt::format("memo {}", x);
  case Op::table: return values(code_.tables[x], false);
  case Op::place: return values(code_.places[x], true);
  case Op::box_steps: {
    std::string all;
    code_.step_sets[x].each([&](int s) { all += step(s); });
    return all.empty() ? "<>" : all;
  }
  case Op::pieces: return fmt::format("owners {:b}", static_cast<std::uint32_t>(i.x));
  case Op::jump_table: {
    std::vector<std::string> to;
    for (const std::uint32_t label : code_.labels[x]) to.push_back(fmt::format("L{}", label));
    return fmt::format("[{}]", fmt::join(to, " "));
  }
  case Op::keep: {
    const Window& w = code_.windows[x];
    std::vector<std::string> all;
    for (const Reg r : w.sets) all.push_back(fmt::format("s{}", r));
    for (const Reg r : w.numbers) all.push_back(fmt::format("n{}", r));
    for (Reg r = w.box_begin; r < w.box_end; ++r) all.push_back(fmt::format("b{}", r));
    return fmt::format("{}", fmt::join(all, " "));
  }
  case Op::drop:
  case Op::say_drop: {
    const DropTable& d = code_.drops[x];
    return fmt::format("owner {}, from the hand of {}",
                       d.owner == kNatural ? "who has the kind" : player(d.owner), player(d.player));
  }
  case Op::change: {
    const DropTable& d = code_.drops[x];
    return fmt::format("owner {}{}", d.owner == kKeepOwner ? "as it was" : player(d.owner),
                       d.player != 0 ? ", kind as it was" : "");
  }
  case Op::decide:
  case Op::put_out:
  case Op::lose:
  case Op::decide_score: return verdict(code_.verdicts[x]);
  case Op::say_text: return fmt::format("\"{}\"", program_.texts[x]);
  case Op::leaf:
  case Op::leaf_one:
  case Op::leaf_once:
  case Op::leaf_key:
  case Op::leaf_keys: return leaf(i.x);
  case Op::set_scaled:
  case Op::set_fitting: return fmt::format("{}/{}", code_.scales[x].by, code_.scales[x].over);
  case Op::choices: {
    std::vector<std::string> all;
    for (const Choice& c : code_.choice_lists[x]) all.push_back(choice(c));
    return fmt::format("choices ({})", fmt::join(all, ", "));
  }
  case Op::fault: return fmt::format("\"{}\"", code_.messages[x]);
  default: return fmt::format("table {}", i.x);
  }
}

// ---------------------------------------------------------------- registers

std::string Printer::set(Reg r) const {
  if (std::find(code_.kept_sets.begin(), code_.kept_sets.end(), r) != code_.kept_sets.end())
    return fmt::format("s{}:kept", r);
  if (r >= l_.draft_sets && at(r - l_.draft_sets) < code_.set_constants.size())
    return cells(code_.set_constants[at(r - l_.draft_sets)]);
  std::string name;
  if (r < l_.owners)
    name = r < program_.players.size() ? program_.players[r].name : "neutral";
  else if (r < l_.owners + l_.kinds)
    name = program_.kinds[at(r - l_.owners)].name;
  else if (r == l_.empty)
    name = "empty";
  else if (r == l_.gone)
    name = "gone";
  for (std::size_t v = 0; v < l_.set_of_variable.size(); ++v)
    if (l_.set_of_variable[v] == r) name = program_.variables[v].name;
  return name.empty() ? fmt::format("s{}", r) : fmt::format("s{}:{}", r, name);
}

std::string Printer::number(Reg r) const {
  if (r >= l_.draft_numbers && at(r - l_.draft_numbers) < code_.number_constants.size())
    return fmt::format("={}", code_.number_constants[at(r - l_.draft_numbers)]);
  const std::pair<Reg, const char*> named[] = {
      {l_.ply, "ply"},           {l_.to_move, "to_move"}, {l_.out, "out"}, {l_.again, "again"},
      {l_.decision, "decision"}, {l_.winners, "winners"}, {l_.air, "air"}};
  for (const auto& [reg, name] : named)
    if (r == reg) return fmt::format("n{}:{}", r, name);
  if (r < l_.hands) return fmt::format("n{}:{}", r, program_.variables[r].name);
  if (r < l_.ply) return fmt::format("n{}:hand", r);
  if (r >= l_.turns && r < l_.turns + l_.players)
    return fmt::format("n{}:turns of {}", r, player(r - l_.turns));
  return fmt::format("n{}", r);
}

std::string Printer::operand(char role, Reg r) const {
  switch (role) {
  case 'S':
  case 's':
  case 'W': return set(r);
  case 'N':
  case 'n':
  case 'M': return number(r);
  case 'B':
  case 'b': return fmt::format("b{}", r);
  default: return {};
  }
}

// ---------------------------------------------------------------- instructions

// What has no register as its operand c has sometimes a table there.
std::string Printer::third_operand(const Instruction& i) const {
  switch (i.op) {
  case Op::hop: return step(i.c);
  case Op::if_row:
  case Op::if_no_row: {
    const Row& row = code_.rows[i.c];
    return fmt::format("{} in line {} {}", row.length, row.one_way ? "from it by" : "along",
                       steps(row.steps));
  }
  case Op::recall: return fmt::format("memo {}", i.c);
  case Op::memo_enter:
  case Op::path_enter:
  case Op::visit:
  case Op::outcomes_note:
  case Op::outcomes_test: return fmt::format("key {}", i.c);
  case Op::write_hand: return fmt::format("of {}", player(i.c));
  default: return operand(about(i.op).roles[3], i.c);
  }
}

std::string Printer::last_operand(const Instruction& i) const {
  switch (about(i.op).roles[4]) {
  case 'j': return fmt::format("L{}", i.x);
  case '-': return {};
  case 'i':
  case 'P': break;
  default: return table(i);
  }
  switch (i.op) {
  case Op::hand:
  case Op::begin_turn:
  case Op::end_turn:
  case Op::score: return player(i.x);
  case Op::set_shift: return fmt::format("by {:+}", i.x);
  case Op::set_run_shift: return fmt::format("by {:+}, doubled {} times", i.x, i.y);
  case Op::set_piece: return i.x == 0 ? "no piece" : fmt::format("piece {}", i.x);
  case Op::choice: return i.x < 0 ? "the cell chosen" : fmt::format("value {}", i.x);
  default: return fmt::format("={}", i.x);
  }
}

void Printer::add_instruction(const Instruction& i) {
  const std::string_view roles = about(i.op).roles;
  std::string line = fmt::format("    {:<15}", about(i.op).name);
  const std::string written = operand(roles[0], i.d);
  if (!written.empty()) line += " " + written + " <-";
  const char* before = " ";
  for (const std::string& part :
       {operand(roles[1], i.a), operand(roles[2], i.b), third_operand(i), last_operand(i)}) {
    if (part.empty()) continue;
    line += before + part;
    before = ", ";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

void Printer::find_labels() {
  const auto add = [this](std::int64_t index, std::string name = {}) {
    labels_.emplace(static_cast<std::uint32_t>(index), std::move(name));
  };
  for (const Instruction& i : code_.instructions)
    if (about(i.op).roles[4] == 'j') add(i.x);
  for (const auto& labels : code_.labels)
    for (const std::uint32_t label : labels) add(label);
  for (std::size_t p = 0; p < code_.players.size(); ++p) {
    const std::string& name = program_.players[p].name;
    add(code_.players[p].position, name + ": end lines, then the moves");
    add(code_.players[p].moves_done, name + ": all moves are known");
    add(code_.players[p].play, name + ": plays a move choice by choice");
    add(code_.players[p].notate, name + ": plays a move and writes it");
  }
  for (std::size_t k = 0; k < code_.leaves.size(); ++k)
    add(code_.leaves[k].entry, fmt::format("plays a move of leaf {}", k));
}

void Printer::print(std::size_t begin, std::size_t end) {
  std::string place;
  for (std::size_t k = begin; k < end && k < code_.instructions.size(); ++k) {
    const auto [first, last] = labels_.equal_range(static_cast<std::uint32_t>(k));
    if (first != last) text += fmt::format("L{}:\n", k);
    for (auto label = first; label != last; ++label)
      if (!label->second.empty()) text += "  ; " + label->second + "\n";
    const std::string now = place_in(program_, code_.instructions[k].origin);
    if (now != place) text += "  ; " + now + "\n";
    place = now;
    add_instruction(code_.instructions[k]);
  }
}

} // namespace

std::string place_in(const Program& program, std::uint32_t origin) {
  const bool known = origin < program.origins.size() && program.origins[origin].line > 0;
  return known ? place_of(program, origin) : "no line of the rules";
}

std::string print(const Program& program, const Code& code, std::size_t begin, std::size_t end) {
  Printer printer(program, code);
  printer.print(begin, end);
  return std::move(printer.text);
}

} // namespace boardwright::runtime::ir
