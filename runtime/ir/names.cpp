#include "runtime/ir/names.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace boardwright::runtime::ir {

namespace {

// Operands that are written as a word and their index, perhaps with what they hold in parentheses.
[[nodiscard]] const char* word_of(char letter) {
  switch (letter) {
  case 'q': return "set table";
  case 'J': return "jumps";
  case 'k': return "key";
  case 'w': return "spill_area";
  case 'm': return "memo";
  case 'D': return "drop table";
  case 'v': return "verdict";
  case 'f': return "leaf";
  case 'y': return "key text";
  case 'c': return "choices";
  case 'g': return "message";
  case 'o': return "owners";
  case 'e': return "step";
  case 'l': return "steps";
  case 't': return "table";
  case 'p': return "places";
  case 'z': return "scale";
  case 'r': return "row";
  case 'u': return "text";
  case 'P': return "player";
  default: return "";
  }
}

template <class T>
[[nodiscard]] std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[nodiscard]] std::string_view before_parentheses(std::string_view text) {
  const std::size_t open = text.find(" (");
  return open == std::string_view::npos ? text : text.substr(0, open);
}

[[nodiscard]] std::string shortened(const std::vector<std::string>& all) {
  if (all.size() <= kMostWrittenOut) return fmt::format("{}", fmt::join(all, " "));
  return fmt::format("{} {} … {}", all[0], all[1], all.back());
}

} // namespace

std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    if (c == '\n')
      all += "\\n";
    else
      all += c;
  }
  return all + "\"";
}

// ---------------------------------------------------------------- what tables hold

std::string Names::cells(const CellSet& set) const {
  if (set.none()) return "none";
  if (set == program_.board.all) return "board";
  std::vector<std::string> names;
  set.each([&](int cell) {
    const bool named = at(cell) < program_.board.name.size();
    names.push_back(named ? program_.board.name[at(cell)] : std::to_string(cell));
  });
  if (names.size() <= kMostWrittenOut) return fmt::format("{{{}}}", shortened(names));
  return fmt::format("{{{}; {} cells}}", shortened(names), names.size());
}

std::string Names::step(std::int64_t step) const {
  if (step < 0 || at(step) >= program_.board.steps.size()) return fmt::format("<{}>", step);
  const Step& s = program_.board.steps[at(step)];
  if (s.track < 0) return fmt::format("<{},{}>", s.dx, s.dy);
  return fmt::format("<{}{}>", s.reversed ? "-" : "+", program_.board.tracks[at(s.track)]);
}

std::string Names::steps(const std::vector<std::int16_t>& steps) const {
  std::string all;
  for (const std::int16_t s : steps) all += step(s);
  return all.empty() ? "<>" : all;
}

std::string Names::directions(const CellSet& steps) const {
  std::string all;
  steps.each([&](int s) { all += step(s); });
  return all.empty() ? "<>" : all;
}

// By cell.
std::string Names::values(const std::vector<std::int16_t>& values, bool are_cells) const {
  const std::vector<int>* const known[] = {&program_.board.x, &program_.board.y};
  const char* const names[] = {"x of each cell", "y of each cell"};
  for (std::size_t k = 0; k < 2 && !are_cells; ++k)
    if (std::equal(values.begin(), values.end(), known[k]->begin(), known[k]->end())) return names[k];
  std::vector<std::string> all;
  for (const std::int16_t value : values) {
    const bool is_name = are_cells && value >= 0 && at(value) < program_.board.name.size();
    all.push_back(is_name ? program_.board.name[at(value)] : std::to_string(value));
  }
  return fmt::format("[{}]", shortened(all));
}

std::string Names::player(std::int64_t player) const {
  if (player == kNeutral) return "neutral";
  return player >= 0 && at(player) < program_.players.size() ? program_.players[at(player)].name
                                                             : std::to_string(player);
}

std::string Names::verdict(const Verdict& verdict) const {
  if (verdict.shares != 0) return shares_text(program_, verdict.shares);
  std::vector<std::string> winners;
  for (std::size_t p = 0; p < program_.players.size(); ++p)
    if ((verdict.winners >> p & 1) != 0) winners.push_back(program_.players[p].name);
  if (winners.size() == 1) return with_verb(winners.front(), "win");
  return winners.empty() ? "no winner" : fmt::format("{} win", fmt::join(winners, ", "));
}

std::string Names::drop(const DropTable& drop) const {
  const std::string owner = drop.owner == kNatural     ? "who has the kind"
                            : drop.owner == kKeepOwner ? "as it was"
                                                       : player(drop.owner);
  if (drop.owner == kKeepOwner) return fmt::format("owner {}", owner);
  return fmt::format("owner {}, player {}", owner, player(drop.player));
}

std::string Names::spill_area(const SpillArea& spill_area) const {
  std::vector<std::string> all;
  for (const Reg r : spill_area.sets) all.push_back(set(r));
  for (const Reg r : spill_area.numbers) all.push_back(number(r));
  for (Reg r = spill_area.box_begin; r < spill_area.box_end; ++r) all.push_back(fmt::format("b{}", r));
  return fmt::format("{}", fmt::join(all, " "));
}

std::string Names::choice(const Choice& choice) const {
  switch (choice.from) {
  case Choice::From::constant: return fmt::format("={}", choice.value);
  case Choice::From::number: return number(static_cast<Reg>(choice.value));
  case Choice::From::open: break;
  }
  if (choice.place < 0) return "its cell";
  return at(choice.place) < code_.places.size()
             ? values(code_.places[at(choice.place)], true) + " of its cell"
             : "told by its cell";
}

// What stands in parentheses behind an index; most stand for themselves.
std::string Names::inside(char letter, std::size_t index) const {
  switch (letter) {
  case 'w': return spill_area(code_.spill_areas[index]);
  case 'D': return drop(code_.drops[index]);
  case 'v': return verdict(code_.verdicts[index]);
  case 'g': return quoted(code_.messages[index]);
  case 'f':
  case 'c': {
    std::vector<std::string> all;
    for (const Choice& c : letter == 'f' ? code_.leaves[index].choices : code_.choice_lists[index])
      all.push_back(choice(c));
    if (letter == 'f' && code_.leaves[index].base >= 0) all.insert(all.begin(), "those written");
    if (letter == 'f' && code_.leaves[index].dynamic) all.emplace_back("played choice by choice");
    return fmt::format("{}", fmt::join(all, ", "));
  }
  default: return {};
  }
}

std::size_t Names::size_of(char letter) const {
  switch (letter) {
  case 'q': return code_.set_tables.size();
  case 'J': return code_.labels.size();
  case 'k': return code_.keys.size();
  case 'w': return code_.spill_areas.size();
  case 'm': return at(std::max(code_.memos, 0));
  case 'D': return code_.drops.size();
  case 'v': return code_.verdicts.size();
  case 'f': return code_.leaves.size();
  case 'y': return code_.key_texts.size();
  case 'c': return code_.choice_lists.size();
  case 'g': return code_.messages.size();
  default: {
    const auto found = by_content_.find(letter);
    return found == by_content_.end() ? 0 : found->second.text.size();
  }
  }
}

// ---------------------------------------------------------------- all names

Names::Names(const Program& program, const Code& code) : program_(program), code_(code), l_(code.layout) {
  name_tables();
}

void Names::name_tables() {
  for (std::size_t k = 0; k < code_.set_constants.size(); ++k) {
    const bool of_steps = std::find(code_.directions.begin(), code_.directions.end(), k + l_.draft_sets) !=
                          code_.directions.end();
    set_constants_.add(of_steps ? directions(code_.set_constants[k]) : cells(code_.set_constants[k]));
  }
  for (const std::int32_t n : code_.number_constants) number_constants_.add(fmt::format("={}", n));
  for (const char letter : {'e', 'l', 't', 'p', 'z', 'r', 'u', 'P'}) (void)by_content_[letter];
  for (std::size_t s = 0; s < program_.board.steps.size(); ++s)
    by_content_['e'].add(step(static_cast<std::int64_t>(s)));
  for (const auto& list : code_.steps) by_content_['l'].add(steps(list));
  for (const auto& table : code_.tables) by_content_['t'].add(values(table, false));
  for (const auto& table : code_.places) by_content_['p'].add(values(table, true));
  for (const Scale& s : code_.scales) by_content_['z'].add(fmt::format("{}/{}", s.by, s.over));
  for (const Row& row : code_.rows)
    by_content_['r'].add(
        fmt::format("{} in line {} {}", row.length, row.one_way ? "from it by" : "along", steps(row.steps)));
  for (const std::string& text : program_.texts) by_content_['u'].add(quoted(text));
  for (const Player& p : program_.players) by_content_['P'].add(p.name);
}

std::size_t Names::first_set() const { return l_.draft_sets + code_.set_constants.size(); }
std::size_t Names::first_number() const { return l_.draft_numbers + code_.number_constants.size(); }

std::string Names::state_set(std::size_t r) const {
  for (std::size_t v = 0; v < l_.set_of_variable.size() && v < program_.variables.size(); ++v)
    if (l_.set_of_variable[v] >= 0 && at(l_.set_of_variable[v]) == r) return program_.variables[v].name;
  if (r < l_.owners) return r < program_.players.size() ? program_.players[r].name : "neutral";
  if (r < at(l_.owners) + l_.kinds && r - l_.owners < program_.kinds.size())
    return program_.kinds[r - l_.owners].name;
  return r == l_.empty ? "empty" : r == l_.gone ? "gone" : r == l_.written ? "written" : "local";
}

std::string Names::set(std::size_t r) const {
  if (r >= first_set()) return fmt::format("s{}", r - first_set());
  if (r < l_.draft_sets) return fmt::format("s{}:{}", r, state_set(r));
  const std::size_t k = r - l_.draft_sets;
  if (std::find(code_.cached_sets.begin(), code_.cached_sets.end(), r) != code_.cached_sets.end())
    return fmt::format("s{}:kept", r);
  return set_constants_.is_unique(k) ? set_constants_.text[k]
                                     : fmt::format("s{}:{}", r, set_constants_.text[k]);
}

std::string Names::state_number(std::size_t r) const {
  const std::pair<Reg, const char*> named[] = {
      {l_.ply, "ply"},           {l_.to_move, "to_move"}, {l_.out, "out"},         {l_.again, "again"},
      {l_.decision, "decision"}, {l_.winners, "winners"}, {l_.carried, "carried"}, {l_.full, "full"}};
  if (r < l_.hands && r < program_.variables.size()) return program_.variables[r].name;
  for (const auto& [reg, name] : named)
    if (r == reg) return name;
  if (r < l_.ply) return "hand";
  if (r >= l_.turns && r < l_.turns + at(l_.players))
    return fmt::format("turns of {}", player(static_cast<std::int64_t>(r - l_.turns)));
  return "local";
}

std::string Names::number(std::size_t r) const {
  if (r >= first_number()) return fmt::format("n{}", r - first_number());
  if (r < l_.draft_numbers) return fmt::format("n{}:{}", r, state_number(r));
  const std::size_t k = r - l_.draft_numbers;
  return number_constants_.is_unique(k) ? number_constants_.text[k]
                                        : fmt::format("n{}:{}", r, number_constants_.text[k]);
}

std::string Names::text(char letter, std::int64_t value) const {
  switch (letter) {
  case 's':
  case 'S':
  case 'W': return set(at(value));
  case 'n':
  case 'N':
  case 'M': return number(at(value));
  case 'b':
  case 'B': return fmt::format("b{}", value);
  case 'i': return fmt::format("{:+}", value);
  case 'o': return fmt::format("owners {:b}", static_cast<std::uint32_t>(value));
  default: break;
  }
  if (const auto named = by_content_.find(letter); named != by_content_.end()) {
    const Constants& all = named->second;
    if (letter == 'P' && value < 0) return "neutral";
    if (value >= 0 && at(value) < all.text.size() && all.is_unique(at(value))) return all.text[at(value)];
    return fmt::format("{} {}", word_of(letter), value);
  }
  const std::string more = inside(letter, at(value));
  const std::string name = fmt::format("{} {}", word_of(letter), value);
  return more.empty() ? name : fmt::format("{} ({})", name, more);
}

// ---------------------------------------------------------------- and back

// s12, n3:ply, {a1 b1}, =5
std::optional<std::int64_t> Names::reg(char letter, std::string_view text) const {
  const bool sets = letter == 's', numbers = letter == 'n';
  const std::size_t most = sets ? code_.sets : numbers ? code_.numbers : code_.boxes;
  if (text.size() > 1 && text[0] == letter) {
    const std::size_t colon = text.find(':');
    const auto n =
        number_in<std::uint32_t>(text.substr(1, colon == std::string_view::npos ? colon : colon - 1));
    if (n) {
      const bool counted = colon == std::string_view::npos && letter != 'b';
      const std::size_t r = *n + (!counted ? 0 : sets ? first_set() : first_number());
      if (r >= most) return std::nullopt;
      return static_cast<std::int64_t>(r);
    }
  }
  if (letter == 'b') return std::nullopt;
  const Constants& all = sets ? set_constants_ : number_constants_;
  const auto found = all.index.find(text);
  if (found == all.index.end()) return std::nullopt;
  const std::size_t r = at(found->second) + (sets ? l_.draft_sets : l_.draft_numbers);
  if (r >= most) return std::nullopt;
  return static_cast<std::int64_t>(r);
}

std::optional<std::int64_t> Names::value(char letter, std::string_view text) const {
  switch (letter) {
  case 's':
  case 'S':
  case 'W': return reg('s', text);
  case 'n':
  case 'N':
  case 'M': return reg('n', text);
  case 'b':
  case 'B': return reg('b', text);
  case 'i': return number_in<std::int32_t>(!text.empty() && text[0] == '+' ? text.substr(1) : text);
  default: break;
  }
  const std::string_view word = word_of(letter);
  if (const auto named = by_content_.find(letter); named != by_content_.end()) {
    if (const auto found = named->second.index.find(text); found != named->second.index.end())
      return found->second;
    if (letter == 'P' && text == "neutral") return kNeutral;
  }
  text = before_parentheses(text);
  if (word.empty() || text.size() <= word.size() + 1 || text.substr(0, word.size()) != word)
    return std::nullopt;
  const std::string_view digits = text.substr(word.size() + 1);
  if (letter == 'o') {
    std::uint32_t mask = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), mask, 2);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return static_cast<std::int32_t>(mask);
  }
  const auto n = number_in<std::int32_t>(digits);
  if (!n || *n < 0 || at(*n) >= size_of(letter)) return std::nullopt;
  return *n;
}

} // namespace boardwright::runtime::ir
