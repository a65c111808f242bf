#include "runtime/ir/read.hpp"

#include "runtime/ir/heading.hpp"
#include "runtime/ir/names.hpp"
#include "runtime/ir/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace boardwright::runtime::ir {

namespace {

[[nodiscard]] std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// The next part of a text up to a separator that stands in no quotes and no brackets.
[[nodiscard]] std::string_view take_part(std::string_view& text, std::string_view separator) {
  int depth = 0;
  bool quotes = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quotes) {
      if (c == '\\') ++k;
      if (c == '"') quotes = false;
      continue;
    }
    if (depth == 0 && text.substr(k, separator.size()) == separator) {
      const std::string_view part = text.substr(0, k);
      text.remove_prefix(k + separator.size());
      return part;
    }
    if (c == '"') quotes = true;
    if (c == '(' || c == '{' || c == '[') ++depth;
    if ((c == ')' || c == '}' || c == ']') && depth > 0) --depth;
  }
  return std::exchange(text, {});
}

template <class T>
[[nodiscard]] bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// ---------------------------------------------------------------- the heading

// The fields of a line, by name. A field that isn't there stays as it is.
class Fields {
public:
  // False: the line isn't made of fields.
  [[nodiscard]] bool split(std::string_view line) {
    values_.clear();
    while (!line.empty()) {
      const std::string_view part = take_part(line, " ");
      if (part.empty()) continue;
      const std::size_t equals = part.find('=');
      if (equals == std::string_view::npos) return false;
      values_[part.substr(0, equals)] = part.substr(equals + 1);
    }
    wrong_.clear();
    return true;
  }
  template <class T>
  void operator()(std::string_view name, T&& value) {
    const auto found = values_.find(name);
    if (found == values_.end()) return;
    if (!get(found->second, value)) wrong_ = name;
    values_.erase(found);
  }
  // What can't be read, or has no such field; "" if all is well.
  [[nodiscard]] std::string wrong() const {
    if (!wrong_.empty()) return fmt::format("`{}` can't be read", wrong_);
    if (!values_.empty()) return fmt::format("there is no field `{}` here", values_.begin()->first);
    return {};
  }

private:
  template <class T>
  requires std::is_arithmetic_v<T>
  [[nodiscard]] static bool get(std::string_view text, T& value) { return read_number(text, value); }
  [[nodiscard]] static bool get(std::string_view text, bool& value) {
    value = text == "1";
    return text == "0" || text == "1";
  }
  template <class T>
  requires std::is_enum_v<T>
  [[nodiscard]] static bool get(std::string_view text, T& value) {
    int n = 0;
    if (!read_number(text, n) || n < 0 || n > most_of(value)) return false;
    value = static_cast<T>(n);
    return true;
  }
  [[nodiscard]] static int most_of(Choice::From) { return static_cast<int>(Choice::From::open); }
  [[nodiscard]] static int most_of(Outcome::By) { return static_cast<int>(Outcome::By::last_left); }
  [[nodiscard]] static bool get(std::string_view text, const Place& place) {
    return text.size() > 1 && text[0] == 'L' && read_number(text.substr(1), place.index);
  }
  [[nodiscard]] static bool get(std::string_view text, std::string& value) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    value.clear();
    for (std::size_t k = 1; k + 1 < text.size(); ++k) {
      const bool escaped = text[k] == '\\' && k + 2 < text.size();
      if (escaped) ++k;
      value += escaped && text[k] == 'n' ? '\n' : text[k];
    }
    return true;
  }
  template <int W>
  [[nodiscard]] static bool get(std::string_view text, Bits<W>& set) {
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') return false;
    set = {};
    return each_in(text.substr(1, text.size() - 2), [&](std::string_view part) {
      int member = 0;
      if (!read_number(part, member) || member < 0 || member >= Bits<W>::kSize) return false;
      set.set(member);
      return true;
    });
  }
  [[nodiscard]] static bool get(std::string_view text, Choice& choice) {
    const std::string_view from = take_part(text, ":"), value = take_part(text, ":");
    return get(from, choice.from) && get(value, choice.value) && get(text, choice.place);
  }
  template <class T>
  [[nodiscard]] static bool get(std::string_view text, std::vector<T>& all) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
    all.clear();
    return each_in(text.substr(1, text.size() - 2), [&](std::string_view part) {
      if constexpr (std::is_same_v<T, bool>) {
        all.push_back(part == "1");
        return part == "0" || part == "1";
      } else if constexpr (std::is_same_v<T, std::uint32_t>) { // labels
        return get(part, Place{all.emplace_back()});
      } else {
        return get(part, all.emplace_back());
      }
    });
  }
  template <class F>
  [[nodiscard]] static bool each_in(std::string_view text, F&& read) {
    while (!text.empty())
      if (const std::string_view part = take_part(text, " "); !part.empty() && !read(part)) return false;
    return true;
  }

  std::map<std::string_view, std::string_view> values_;
  std::string wrong_;
};

// ---------------------------------------------------------------- the whole

struct Line {
  std::size_t number = 0;
  std::string_view text;
};

class TextReader {
public:
  explicit TextReader(const Program& program) : program_(program) {}
  [[nodiscard]] tl::expected<Code, ReadError> read(std::string_view text);

private:
  void heading(const Line& line);
  void check_heading();
  void check_registers();
  void check_tables();
  void instructions(const std::vector<Line>& lines);
  void comment(std::string_view text);
  void instruction(const Line& line, const Names& names);
  void operands(const Line& line, std::string_view rest, const Names& names, Instruction& i);
  void operand(const Line& line, Operand which, std::string_view text, const Names& names, Instruction& i);
  void resolve();
  void fail(std::size_t line, std::string message) {
    if (!error_) error_ = ReadError{line, std::move(message)};
  }

  const Program& program_;
  Code code_;
  Fields fields_;
  std::optional<ReadError> error_;
  std::uint32_t origin_ = 0;
  std::unordered_map<std::string, std::uint32_t> origins_; // by how they are written
  std::unordered_map<std::uint32_t, std::uint32_t> labels_;
  std::vector<std::pair<std::size_t, std::size_t>> jumps_; // instruction, line
  std::map<std::string, Op, std::less<>> operations_;
};

[[nodiscard]] bool is_instruction(std::string_view text) { return text.substr(0, 4) == "    "; }

// A label stands alone in its line.
[[nodiscard]] std::optional<std::uint32_t> label_in(std::string_view text) {
  std::uint32_t number = 0;
  if (text.size() < 3 || text.front() != 'L' || text.back() != ':') return std::nullopt;
  if (!read_number(text.substr(1, text.size() - 2), number)) return std::nullopt;
  return number;
}

void TextReader::heading(const Line& line) {
  std::string_view rest = line.text;
  const std::string_view keyword = take_part(rest, " ");
  if (!fields_.split(rest)) return fail(line.number, "this is neither an instruction nor a line of fields");
  bool known = true;
  if (keyword == "layout")
    each_field(code_.layout, fields_);
  else if (keyword == "code")
    each_single(code_, fields_);
  else
    known = false;
  each_table(code_, [&](std::string_view name, auto& table) {
    if (name != keyword) return;
    each_field(table.emplace_back(), fields_);
    known = true;
  });
  if (!known) return fail(line.number, fmt::format("there are no lines of `{}`", keyword));
  if (const std::string wrong = fields_.wrong(); !wrong.empty()) fail(line.number, wrong);
}

void TextReader::check_registers() {
  const Layout& l = code_.layout;
  const auto most = static_cast<std::uint32_t>(kMaxRegisters);
  const auto wrong = [&](const char* what) { fail(1, fmt::format("the heading's {} can't be", what)); };
  if (code_.sets > most || code_.numbers > most || code_.boxes > most) wrong("numbers of registers");
  if (l.draft_sets + code_.set_constants.size() > code_.sets) wrong("sets");
  if (l.draft_numbers + code_.number_constants.size() > code_.numbers) wrong("numbers");
  if (l.cells < 0 || l.cells > kMaxCells || l.players < 0 || l.words < 1) wrong("layout");
  for (const Reg r : code_.cached_sets)
    if (r < l.draft_sets || r >= l.draft_sets + code_.set_constants.size()) wrong("kept sets");
  for (const Reg r : code_.directions)
    if (r < l.draft_sets || r >= l.draft_sets + code_.set_constants.size()) wrong("directions");
  const auto sets = [&](const std::vector<Reg>& all) {
    for (const Reg r : all)
      if (r >= code_.sets) wrong("sets of a key or spill area");
  };
  const auto numbers = [&](const std::vector<Reg>& all) {
    for (const Reg r : all)
      if (r >= code_.numbers) wrong("numbers of a key, spill area or leaf");
  };
  const auto choices = [&](const std::vector<Choice>& all) {
    for (const Choice& c : all) {
      const bool number = c.from == Choice::From::number;
      if (number && (c.value < 0 || static_cast<std::uint32_t>(c.value) >= code_.numbers)) wrong("choices");
      if (c.place >= static_cast<std::int64_t>(code_.places.size())) wrong("choices");
    }
  };
  for (const DraftKey& k : code_.keys) {
    sets(k.sets), numbers(k.numbers);
    for (const Reg r : k.boxes)
      if (r >= code_.boxes) wrong("boxes of a key");
  }
  for (const SpillArea& w : code_.spill_areas) {
    sets(w.sets), numbers(w.numbers);
    if (w.box_begin > w.box_end || w.box_end > code_.boxes) wrong("boxes of a spill area");
  }
  for (const Leaf& leaf : code_.leaves) {
    numbers(leaf.values), choices(leaf.choices);
    if (leaf.base >= static_cast<std::int64_t>(code_.numbers)) wrong("leaves");
  }
  for (const auto& list : code_.choice_lists) choices(list);
}

void TextReader::check_tables() {
  const Board& board = program_.board;
  const auto wrong = [&](const char* what) { fail(1, fmt::format("the heading's {} can't be", what)); };
  const auto steps = [&](const std::vector<std::int16_t>& all) {
    for (const std::int16_t s : all)
      if (s < 0 || static_cast<std::size_t>(s) >= board.steps.size()) wrong("steps");
  };
  const auto cells = [&](const CellSet& set) {
    set.each([&](int cell) {
      if (cell >= board.cells) wrong("sets");
    });
  };
  for (const auto& list : code_.steps) steps(list);
  for (const Row& row : code_.rows) steps(row.steps);
  const auto directions = [&](const CellSet& set) {
    set.each([&](int s) { steps({static_cast<std::int16_t>(s)}); });
  };
  const std::vector<Reg>& of_steps = code_.directions;
  for (std::size_t k = 0; k < code_.set_constants.size(); ++k) {
    const bool is_of_steps =
        std::find(of_steps.begin(), of_steps.end(), k + code_.layout.draft_sets) != of_steps.end();
    is_of_steps ? directions(code_.set_constants[k]) : cells(code_.set_constants[k]);
  }
  for (const SetTable& table : code_.set_tables)
    for (const CellSet& set : table.sets) cells(set);
}

void TextReader::check_heading() {
  check_registers();
  check_tables();
}

// `; at PLACE` says from which line of the rules what follows comes.
void TextReader::comment(std::string_view text) {
  constexpr std::string_view kAt = "at ";
  text = trimmed(text.substr(1));
  if (text.substr(0, kAt.size()) != kAt) return;
  if (origins_.empty())
    for (std::size_t k = 0; k < program_.origins.size(); ++k)
      origins_.emplace(place_in(program_, static_cast<std::uint32_t>(k)), static_cast<std::uint32_t>(k));
  const auto found = origins_.find(std::string(text.substr(kAt.size())));
  origin_ = found == origins_.end() ? static_cast<std::uint32_t>(program_.origins.size()) : found->second;
}

void TextReader::operand(const Line& line, Operand which, std::string_view text, const Names& names,
                         Instruction& i) {
  const char letter = about(i.op).role(which);
  if (letter == 'j') {
    std::uint32_t label = 0;
    if (text.size() < 2 || text[0] != 'L' || !read_number(text.substr(1), label))
      return fail(line.number, fmt::format("`{}` is no label", text));
    jumps_.emplace_back(code_.instructions.size(), line.number);
    i.x = static_cast<std::int32_t>(label);
    return;
  }
  const auto value = names.value(letter, text);
  if (!value)
    return fail(line.number, fmt::format("`{}` can't be an operand of {} here", text, about(i.op).name));
  switch (which) {
  case Operand::d: i.d = static_cast<Reg>(*value); break;
  case Operand::a: i.a = static_cast<Reg>(*value); break;
  case Operand::b: i.b = static_cast<Reg>(*value); break;
  case Operand::c: i.c = static_cast<Reg>(*value); break;
  case Operand::x: i.x = static_cast<std::int32_t>(*value); break;
  case Operand::y: break;
  }
}

void TextReader::operands(const Line& line, std::string_view rest, const Names& names, Instruction& i) {
  constexpr std::string_view kArrow = "<-";
  const Operation& o = about(i.op);
  if (o.role(Operand::d) != '-') {
    const std::string_view written = take_part(rest, kArrow);
    operand(line, Operand::d, trimmed(written), names, i);
  }
  for (const Operand which : {Operand::a, Operand::b, Operand::c, Operand::x}) {
    if (o.role(which) == '-') continue;
    if (which == Operand::b && i.y != 0 && o.role(Operand::y) == 'a') continue;
    operand(line, which, trimmed(take_part(rest, ", ")), names, i);
  }
  if (!trimmed(rest).empty())
    fail(line.number, fmt::format("{} has no such operand: `{}`", o.name, trimmed(rest)));
}

// name[.y1][@cost] operands
void TextReader::instruction(const Line& line, const Names& names) {
  std::string_view rest = trimmed(line.text);
  std::string_view head = rest.substr(0, rest.find(' '));
  rest = trimmed(rest.substr(head.size()));
  Instruction i;
  i.origin = origin_;
  if (const std::size_t cost = head.find('@'); cost != std::string_view::npos) {
    if (!read_number(head.substr(cost + 1), i.cost)) fail(line.number, "its cost can't be read");
    head = head.substr(0, cost);
  }
  std::string_view flag;
  if (const std::size_t dot = head.find('.'); dot != std::string_view::npos) {
    flag = head.substr(dot + 1);
    head = head.substr(0, dot);
  }
  if (operations_.empty())
    for (std::size_t k = 0; k < kOperationCount; ++k)
      operations_.emplace(std::string(kOperations[k].name), static_cast<Op>(k));
  const auto found = operations_.find(head);
  if (found == operations_.end()) return fail(line.number, fmt::format("there is no operation `{}`", head));
  i.op = found->second;
  const bool has_flag = about(i.op).role(Operand::y) != '-';
  if (!flag.empty() &&
      (!has_flag || flag[0] != about(i.op).role(Operand::y) || !read_number(flag.substr(1), i.y)))
    return fail(line.number, fmt::format("{} has no flag `{}`", head, flag));
  operands(line, rest, names, i);
  code_.instructions.push_back(i);
}

void TextReader::instructions(const std::vector<Line>& lines) {
  const Names names(program_, code_);
  for (const Line& line : lines) {
    if (error_) return;
    const std::string_view text = trimmed(line.text);
    if (text.front() == ';')
      comment(text);
    else if (const auto label = label_in(text))
      labels_[*label] = static_cast<std::uint32_t>(code_.instructions.size());
    else
      instruction(line, names);
  }
}

// Labels become places.
void TextReader::resolve() {
  const auto place = [&](std::uint32_t label, std::size_t line) {
    const auto found = labels_.find(label);
    if (found == labels_.end()) fail(line, fmt::format("there is no label L{}", label));
    return found == labels_.end() ? 0 : found->second;
  };
  for (const auto& [k, line] : jumps_) {
    Instruction& i = code_.instructions[k];
    i.x = static_cast<std::int32_t>(place(static_cast<std::uint32_t>(i.x), line));
  }
  for (auto& table : code_.labels)
    for (std::uint32_t& label : table) label = place(label, 1);
  for (PlayerCode& p : code_.players)
    for (std::uint32_t* const label : {&p.position, &p.play, &p.notate, &p.moves_done})
      *label = place(*label, 1);
  for (Leaf& leaf : code_.leaves) leaf.entry = place(leaf.entry, 1);
}

tl::expected<Code, ReadError> TextReader::read(std::string_view text) {
  std::vector<Line> code;
  for (std::size_t number = 1; !text.empty() && !error_; ++number) {
    const std::size_t end = text.find('\n');
    const Line line{number, text.substr(0, end)};
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string_view what = trimmed(line.text);
    if (what.empty()) continue;
    if (is_instruction(line.text) || what.front() == ';' || label_in(what))
      code.push_back(line);
    else if (code.empty())
      heading(line);
    else
      fail(number, "lines of the heading stand before all instructions");
  }
  if (!error_) check_heading();
  if (!error_) instructions(code);
  if (!error_) resolve();
  if (error_) return tl::unexpected(std::move(*error_));
  return std::move(code_);
}

} // namespace

tl::expected<Code, ReadError> read(const Program& program, std::string_view text) {
  return TextReader(program).read(text);
}

} // namespace boardwright::runtime::ir
