#include "runtime/ir/verify.hpp"

#include "runtime/ir/flow_graph.hpp"
#include "runtime/ir/operations.hpp"
#include "runtime/model/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace boardwright::runtime::ir {

namespace {

// Registers times blocks: beyond that values and marks aren't followed.
constexpr std::size_t kMostFollowed = 100'000'000;

class Flaws {
public:
  explicit Flaws(const Code& code) : code_(code) {}
  void add(std::size_t place, std::string what) {
    const bool inside = place < code_.instructions.size();
    const std::string_view name = inside ? about(code_.instructions[place].op).name : "the end";
    found.push_back(fmt::format("instruction {}, {}: {}", place, name, what));
  }
  void add(std::string what) { found.push_back(std::move(what)); }
  std::vector<std::string> found;

private:
  const Code& code_;
};

[[nodiscard]] std::string name_of(File file, std::size_t r) {
  return fmt::format("{}{}", file == File::sets ? 's' : file == File::numbers ? 'n' : 'b', r);
}
[[nodiscard]] std::size_t count_of(const Code& code, File file) {
  return file == File::sets ? code.sets : file == File::numbers ? code.numbers : code.boxes;
}

// ---------------------------------------------------------------- tables

// How many entries the table of a letter has; nothing where it is none, or of a program that isn't there.
[[nodiscard]] std::optional<std::size_t> size_of(char letter, const Code& c, const Program* program) {
  switch (letter) {
  case 't': return c.tables.size();
  case 'p': return c.places.size();
  case 'q': return c.set_tables.size();
  case 'l': return c.steps.size();
  case 'J': return c.labels.size();
  case 'z': return c.scales.size();
  case 'r': return c.rows.size();
  case 'k': return c.keys.size();
  case 'w': return c.spill_areas.size();
  case 'm': return at(std::max(c.memos, 0));
  case 'D': return c.drops.size();
  case 'v': return c.verdicts.size();
  case 'f': return c.leaves.size();
  case 'y': return c.key_texts.size();
  case 'c': return c.choice_lists.size();
  case 'g': return c.messages.size();
  case 'j': return c.instructions.size();
  case 'P': return at(std::max(c.layout.players, 0));
  case 'e': return program != nullptr ? std::optional(program->board.steps.size()) : std::nullopt;
  case 'u': return program != nullptr ? std::optional(program->texts.size()) : std::nullopt;
  default: return std::nullopt;
  }
}

class TableChecks {
public:
  TableChecks(const Code& code, const Program* program, Flaws& flaws)
      : code_(code), program_(program), flaws_(flaws) {}
  void check();

private:
  void check_operands(std::size_t k);
  void check_uses(std::size_t k);
  void check_places();
  void check_layout();

  const Code& code_;
  const Program* program_;
  Flaws& flaws_;
};

void TableChecks::check_layout() {
  const Layout& l = code_.layout;
  if (l.state_sets > l.draft_sets || l.state_numbers > l.draft_numbers)
    flaws_.add("the layout's state is larger than its draft");
  if (l.draft_sets + code_.set_constants.size() > code_.sets ||
      l.draft_numbers + code_.number_constants.size() > code_.numbers)
    flaws_.add("there are fewer registers than state, draft and constants need");
  for (const Reg r : code_.directions)
    if (r < l.draft_sets || r - l.draft_sets >= static_cast<int>(code_.set_constants.size()))
      flaws_.add(fmt::format("{} is said to be directions, but it is no constant", name_of(File::sets, r)));
}

void TableChecks::check_places() {
  const std::size_t size = code_.instructions.size();
  for (std::size_t p = 0; p < code_.players.size(); ++p)
    for (const std::uint32_t place : {code_.players[p].position, code_.players[p].play,
                                      code_.players[p].notate, code_.players[p].moves_done})
      if (place >= size) flaws_.add(fmt::format("code of player {} is at {}, behind the end", p, place));
  for (std::size_t k = 0; k < code_.leaves.size(); ++k)
    if (code_.leaves[k].entry >= size)
      flaws_.add(fmt::format("code of leaf {} is at {}, behind the end", k, code_.leaves[k].entry));
  for (std::size_t t = 0; t < code_.labels.size(); ++t)
    for (const std::uint32_t place : code_.labels[t])
      if (place >= size) flaws_.add(fmt::format("jumps {} lead to {}, behind the end", t, place));
}

void TableChecks::check_operands(std::size_t k) {
  const Instruction& i = code_.instructions[k];
  const Operation& o = about(i.op);
  const std::int64_t values[] = {i.d, i.a, i.b, i.c, i.x};
  for (const Operand which : {Operand::c, Operand::x}) {
    const char letter = o.role(which);
    const std::int64_t value = values[static_cast<std::size_t>(which)];
    const auto size = size_of(letter, code_, program_);
    if (size && (value < 0 || at(value) >= *size))
      flaws_.add(
          k, fmt::format("operand {} is {}, of {} entries", which == Operand::c ? 'c' : 'x', value, *size));
  }
  const bool table = o.role(Operand::x) == 'J' && i.x >= 0 && at(i.x) < code_.labels.size();
  if (table && code_.labels[at(i.x)].empty()) flaws_.add(k, "its table of places is empty");
  if (o.goes_on && k + 1 >= code_.instructions.size()) flaws_.add(k, "it goes on behind the end");
  if (o.leaves_out && k + 2 >= code_.instructions.size()) flaws_.add(k, "it may go on behind the end");
}

// Precondition: the instruction's operands are within their tables.
void TableChecks::check_uses(std::size_t k) {
  const Instruction& i = code_.instructions[k];
  const Layout& l = code_.layout;
  const bool noted = about(i.op).role(Operand::d) == 'W' || about(i.op).role(Operand::d) == 'M';
  each_use(code_, i, [&](const Use& use) {
    if (use.reg >= count_of(code_, use.file))
      return flaws_.add(k, fmt::format("there is no {}", name_of(use.file, use.reg)));
    if (!use.written || use.file == File::boxes) return;
    const bool sets = use.file == File::sets;
    const std::size_t draft = sets ? l.draft_sets : l.draft_numbers;
    const std::size_t constants = sets ? code_.set_constants.size() : code_.number_constants.size();
    const bool kept = sets && std::find(code_.cached_sets.begin(), code_.cached_sets.end(), use.reg) !=
                                  code_.cached_sets.end();
    if (!kept && use.reg >= draft && use.reg < draft + constants)
      flaws_.add(k, fmt::format("it writes {}, a constant", name_of(use.file, use.reg)));
    if (noted && use.reg >= draft)
      flaws_.add(k, fmt::format("it notes a change of {}, which is no state", name_of(use.file, use.reg)));
    if (!noted && sets && use.reg < l.draft_sets)
      flaws_.add(k, fmt::format("it changes {}, state, without a note", name_of(use.file, use.reg)));
  });
}

void TableChecks::check() {
  check_layout();
  check_places();
  for (std::size_t k = 0; k < code_.instructions.size(); ++k) check_operands(k);
  if (!flaws_.found.empty()) return;
  for (std::size_t k = 0; k < code_.instructions.size(); ++k) check_uses(k);
}

// ---------------------------------------------------------------- values and marks

// What a register holds: what marks something is good for nothing but that.
enum class Holds : std::uint8_t { nothing, value, trail, stack, path, places, outcomes, moves };

[[nodiscard]] Holds made_by(Op op) {
  switch (op) {
  case Op::mark: return Holds::trail;
  case Op::stack_mark: return Holds::stack;
  case Op::path_mark: return Holds::path;
  case Op::visit_begin: return Holds::places;
  case Op::outcomes_begin: return Holds::outcomes;
  case Op::best_moves: return Holds::moves;
  default: return Holds::value;
  }
}

// Which operand must hold what; nothing: any value will do.
[[nodiscard]] std::optional<std::pair<Operand, Holds>> needed_by(Op op) {
  switch (op) {
  case Op::undo: return std::pair(Operand::a, Holds::trail);
  case Op::cut: return std::pair(Operand::a, Holds::stack);
  case Op::path_enter:
  case Op::path_leave: return std::pair(Operand::a, Holds::path);
  case Op::visit:
  case Op::visit_end: return std::pair(Operand::a, Holds::places);
  case Op::outcomes_note:
  case Op::outcomes_test:
  case Op::outcomes_end: return std::pair(Operand::a, Holds::outcomes);
  case Op::best_test: return std::pair(Operand::b, Holds::moves);
  case Op::best_end: return std::pair(Operand::a, Holds::moves);
  default: return std::nullopt;
  }
}

[[nodiscard]] const char* words_for(Holds holds) {
  switch (holds) {
  case Holds::nothing: return "nothing";
  case Holds::value: return "a value";
  case Holds::trail: return "a mark of the trail";
  case Holds::stack: return "a mark of the stack";
  case Holds::path: return "a mark of the path";
  case Holds::places: return "a place for drafts";
  case Holds::outcomes: return "a place for outcomes";
  case Holds::moves: return "a number of moves found";
  }
  return "";
}

// Registers behind state, draft and constants, through all code: what each holds before each block.
class Values {
public:
  Values(const Code& code, Flaws& flaws);
  void check();

private:
  using Row = std::vector<Holds>;
  [[nodiscard]] std::optional<std::size_t> index_of(File file, Reg r) const;
  void find_leaders();
  void begin();
  // What comes to an instruction with `row`. (More than before: it is gone through again.)
  void come(std::size_t to, const Row& row);
  void run(std::size_t leader, bool complain);
  void go_on(std::size_t k, const Row& row);
  void call(std::size_t k, const Row& row);
  void write(const Instruction& i, Row& row) const;
  void look(std::size_t k, const Row& row);

  const Code& code_;
  Flaws& flaws_;
  FlowGraph flow_;
  std::size_t first_set_, first_number_, sets_, numbers_, boxes_;
  std::vector<bool> state_boxes_; // what is noted is state
  std::vector<bool> leads_;
  std::map<std::size_t, Row> before_; // by leader
  std::map<std::size_t, std::vector<std::size_t>>
      calls_; // by where it leads: the calls that have been come to
  std::map<std::size_t, std::vector<std::size_t>> bodies_; // by `ret`: the places whose bodies it is in
  std::map<std::size_t, Row> at_calls_, at_returns_;       // by call; by `ret`
  std::vector<std::size_t> todo_;
};

Values::Values(const Code& code, Flaws& flaws)
    : code_(code), flaws_(flaws), flow_(code), first_set_(code.layout.draft_sets + code.set_constants.size()),
      first_number_(code.layout.draft_numbers + code.number_constants.size()), sets_(code.sets - first_set_),
      numbers_(code.numbers - first_number_), boxes_(code.boxes), state_boxes_(boxes_, false),
      leads_(code.instructions.size() + 1, false) {
  for (const Instruction& i : code.instructions)
    if (i.op == Op::write_box) state_boxes_[i.d] = true;
}

std::optional<std::size_t> Values::index_of(File file, Reg r) const {
  switch (file) {
  case File::sets: return r < first_set_ ? std::nullopt : std::optional(r - first_set_);
  case File::numbers: return r < first_number_ ? std::nullopt : std::optional(sets_ + r - first_number_);
  case File::boxes: break;
  }
  return state_boxes_[r] ? std::nullopt : std::optional(sets_ + numbers_ + r);
}

void Values::find_leaders() {
  for (std::size_t k = 0; k < code_.instructions.size(); ++k) {
    const Instruction& i = code_.instructions[k];
    const auto after = flow_.after(k);
    if (after.size() == 1 && after[0] == k + 1 && !is_leaf(i.op)) continue;
    for (const std::uint32_t to : after) leads_[to] = true;
    leads_[k + 1] = true;
    if (i.op != Op::call) continue;
    for (const std::uint32_t in : flow_.body(at(i.x)))
      if (code_.instructions[in].op == Op::ret) {
        std::vector<std::size_t>& of = bodies_[in];
        if (std::find(of.begin(), of.end(), at(i.x)) == of.end()) of.push_back(at(i.x));
      }
  }
  for (const PlayerCode& p : code_.players)
    for (const std::uint32_t entry : {p.position, p.play, p.notate, p.moves_done}) leads_[entry] = true;
  for (const Leaf& leaf : code_.leaves) leads_[leaf.entry] = true;
}

void Values::come(std::size_t to, const Row& row) {
  const auto [known, fresh] = before_.try_emplace(to, row);
  bool changed = fresh;
  for (std::size_t r = 0; r < row.size() && !fresh; ++r) {
    Holds& old = known->second[r];
    if (old == row[r] || old == Holds::nothing) continue;
    const Holds both = row[r] == Holds::nothing ? Holds::nothing : Holds::value;
    changed = changed || both != old;
    old = both;
  }
  if (changed) todo_.push_back(to);
}

void Values::write(const Instruction& i, Row& row) const {
  each_use(code_, i, [&](const Use& use) {
    if (!use.written) return;
    const bool is_d = use.reg >= i.d && use.reg < i.d + about(i.op).span[0];
    const auto index = index_of(use.file, use.reg);
    if (index) row[*index] = is_d ? made_by(i.op) : Holds::value;
  });
}

void Values::look(std::size_t k, const Row& row) {
  const Instruction& i = code_.instructions[k];
  each_use(code_, i, [&](const Use& use) {
    const auto index = index_of(use.file, use.reg);
    if (use.read && index && row[*index] == Holds::nothing)
      flaws_.add(
          k, fmt::format("it reads {}, which isn't written on every way there", name_of(use.file, use.reg)));
  });
  const auto needed = needed_by(i.op);
  if (!needed) return;
  const Reg r = needed->first == Operand::a ? i.a : i.b;
  const auto index = index_of(File::numbers, r);
  if (!index || row[*index] != needed->second)
    flaws_.add(k, fmt::format("{} isn't {} on every way there", name_of(File::numbers, r),
                              words_for(needed->second)));
}

// Behind a call there is what was there before, and what is written on every way through what is called.
void Values::call(std::size_t k, const Row& row) {
  const std::size_t place = at(code_.instructions[k].x);
  at_calls_[k] = row;
  std::vector<std::size_t>& known = calls_[place];
  if (std::find(known.begin(), known.end(), k) == known.end()) known.push_back(k);
  come(place, row);
  for (const std::uint32_t in : flow_.body(place)) {
    const auto back = at_returns_.find(in);
    if (back == at_returns_.end()) continue;
    Row behind = row;
    for (std::size_t r = 0; r < behind.size(); ++r)
      if (behind[r] == Holds::nothing) behind[r] = back->second[r];
    come(k + 1, behind);
  }
}

void Values::go_on(std::size_t k, const Row& row) {
  const Instruction& i = code_.instructions[k];
  if (i.op == Op::call) return call(k, row);
  if (i.op == Op::ret) {
    at_returns_[k] = row;
    if (const auto of = bodies_.find(k); of != bodies_.end())
      for (const std::size_t place : of->second)
        for (const std::size_t from : std::vector(calls_[place])) call(from, Row(at_calls_[from]));
    return;
  }
  Row written = row;
  write(i, written);
  const Operation::Written where = about(i.op).written;
  each_next(code_, k, [&](std::size_t to) {
    const bool jumps = to != k + 1 || (about(i.op).jumps() && at(i.x) == to);
    const bool behind = to == k + 1;
    const bool there = where == Operation::Written::always ||
                       (where == Operation::Written::behind && behind && !(jumps && at(i.x) == to)) ||
                       (where == Operation::Written::where_it_jumps && jumps && !(behind && at(i.x) != to));
    come(to, there ? written : row);
  });
  // Whoever has enough moves goes on where they are known.
  if (is_leaf(i.op))
    for (const PlayerCode& p : code_.players)
      if (p.position <= k && k < p.moves_done) come(p.moves_done, row);
}

// From a leader to the end of its block.
void Values::run(std::size_t leader, bool complain) {
  Row row = before_.at(leader);
  for (std::size_t k = leader; k < code_.instructions.size(); ++k) {
    if (complain) look(k, row);
    if (leads_[k + 1] || !about(code_.instructions[k].op).goes_on) {
      if (!complain) go_on(k, row);
      return;
    }
    write(code_.instructions[k], row);
  }
}

void Values::begin() {
  const Row none(sets_ + numbers_ + boxes_, Holds::nothing);
  for (const PlayerCode& p : code_.players)
    for (const std::uint32_t entry : {p.position, p.play, p.notate}) come(entry, none);
  for (const Leaf& leaf : code_.leaves) come(leaf.entry, none);
}

void Values::check() {
  find_leaders();
  const auto leaders = at(std::count(leads_.begin(), leads_.end(), true));
  if (leaders * (sets_ + numbers_ + boxes_) > kMostFollowed) return;
  begin();
  while (!todo_.empty()) {
    const std::size_t leader = todo_.back();
    todo_.pop_back();
    run(leader, false);
  }
  for (const auto& [leader, row] : before_) run(leader, true);
}

// ---------------------------------------------------------------- the stack

// How much is kept on the stack, and how many places for drafts and for outcomes have begun, from where code
// begins or is called: the same on every way to an instruction.
class Stack {
public:
  Stack(const Code& code, Flaws& flaws) : code_(code), flaws_(flaws) {}
  void check() {
    for (const PlayerCode& p : code_.players)
      for (const std::uint32_t entry : {p.position, p.play, p.notate}) follow(entry, false);
    for (const Leaf& leaf : code_.leaves) follow(leaf.entry, false);
    for (std::size_t k = 0; k < code_.instructions.size(); ++k)
      if (code_.instructions[k].op == Op::call) follow(at(code_.instructions[k].x), true);
  }

private:
  struct Depth {
    int spill_areas = 0, places = 0, outcomes = 0;
    friend bool operator==(const Depth&, const Depth&) = default;
    void go_on(Op op) {
      spill_areas += op == Op::keep ? 1 : op == Op::restore && spill_areas > 0 ? -1 : 0;
      places += op == Op::visit_begin ? 1 : op == Op::visit_end && places > 0 ? -1 : 0;
      outcomes += op == Op::outcomes_begin ? 1 : op == Op::outcomes_end && outcomes > 0 ? -1 : 0;
    }
    [[nodiscard]] std::string text() const {
      if (places == 0 && outcomes == 0) return fmt::format("{} spill areas", spill_areas);
      return fmt::format("{} spill areas, {} places for drafts and {} for outcomes", spill_areas, places,
                         outcomes);
    }
  };
  void follow(std::size_t begin, bool called);
  void look(std::size_t k, const Depth& now, bool called);

  const Code& code_;
  Flaws& flaws_;
  std::map<std::pair<std::size_t, bool>, bool> followed_;
};

void Stack::look(std::size_t k, const Depth& now, bool called) {
  const Op op = code_.instructions[k].op;
  if (op == Op::ret && !called) flaws_.add(k, "it returns, but nobody has called");
  if (op == Op::ret && called && now != Depth())
    flaws_.add(k, fmt::format("it returns with {} kept", now.text()));
  if (op == Op::restore && now.spill_areas == 0) flaws_.add(k, "it restores what hasn't been kept");
}

void Stack::follow(std::size_t begin, bool called) {
  if (std::exchange(followed_[{begin, called}], true)) return;
  std::map<std::size_t, Depth> depth{{begin, Depth()}};
  std::vector<std::size_t> todo{begin};
  while (!todo.empty()) {
    const std::size_t k = todo.back();
    todo.pop_back();
    const Op op = code_.instructions[k].op;
    Depth now = depth.at(k);
    look(k, now, called);
    now.go_on(op);
    if (op == Op::cut) continue; // to wherever that is as high as it was marked
    each_next(code_, k, [&](std::size_t to) {
      const auto [known, fresh] = depth.try_emplace(to, now);
      if (fresh) todo.push_back(to);
      if (known->second != now)
        flaws_.add(to,
                   fmt::format("it is come to with {} kept and with {}", known->second.text(), now.text()));
    });
  }
}

} // namespace

std::vector<std::string> verify(const Code& code, const Program* program) {
  Flaws flaws(code);
  TableChecks(code, program, flaws).check();
  if (!flaws.found.empty()) return std::move(flaws.found);
  Values(code, flaws).check();
  Stack(code, flaws).check();
  return std::move(flaws.found);
}

} // namespace boardwright::runtime::ir
