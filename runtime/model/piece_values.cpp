#include "runtime/model/piece_values.hpp"

#include "runtime/model/index.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace boardwright::runtime {

namespace {

const CellSet& plane_of(const PieceValue& value, const Position& position, int bit) {
  return position.variables[at(value.first + bit)].cells;
}

std::string text_of_steps(const Program& program, const PieceValue& value, std::uint32_t set) {
  std::string text;
  for (std::size_t i = 0; i < value.steps.size(); ++i)
    if ((set >> i & 1U) != 0)
      text += (text.empty() ? "" : " ") + points_of(program.board.steps[at(value.steps[i])]);
  return text.empty() ? "none" : text;
}

// `north`, `N` or `NNE` as a displacement, added to one; false for anything else.
bool add_points(std::string_view word, Step& sum) {
  if (word == "north") word = "N";
  if (word == "south") word = "S";
  if (word == "east") word = "E";
  if (word == "west") word = "W";
  for (const char c : word) {
    sum.dy += c == 'N' ? 1 : c == 'S' ? -1 : 0;
    sum.dx += c == 'E' ? 1 : c == 'W' ? -1 : 0;
    if (c != 'N' && c != 'S' && c != 'E' && c != 'W') return false;
  }
  return !word.empty();
}

// Words, with `+` and `|` as words of their own.
std::vector<std::string> step_words(std::string_view text) {
  std::vector<std::string> words{""};
  for (const char c : text) {
    const bool sign = c == '+' || c == '|';
    if (sign || c == ' ' || c == '.' || c == ',') words.emplace_back();
    if (sign) words.back() = std::string(1, c);
    if (sign) words.emplace_back();
    if (!sign && c != ' ' && c != '.' && c != ',') words.back() += c;
  }
  std::erase(words, "");
  return words;
}

std::optional<std::uint32_t> set_of_text(const Program& program, const PieceValue& value,
                                         std::string_view text) {
  std::uint32_t set = 0;
  if (text == "none") return set;
  const auto words = step_words(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "|") continue;
    Step sum;
    if (!add_points(words[i], sum)) return std::nullopt;
    for (; i + 2 < words.size() && words[i + 1] == "+"; i += 2)
      if (!add_points(words[i + 2], sum)) return std::nullopt;
    const auto found = std::find_if(value.steps.begin(), value.steps.end(), [&](int s) {
      const Step& step = program.board.steps[at(s)];
      return step.dx == sum.dx && step.dy == sum.dy;
    });
    if (found == value.steps.end()) return std::nullopt;
    set |= 1U << static_cast<unsigned>(found - value.steps.begin());
  }
  if (words.empty()) return std::nullopt;
  return set;
}

std::optional<std::int32_t> number_of_text(std::string_view text) {
  std::int32_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <class List>
std::optional<std::int32_t> place_in(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<std::int32_t>(i);
  return std::nullopt;
}

std::optional<std::int32_t> scalar_of_text(const Program& program, const PieceValue& value,
                                           std::string_view text) {
  switch (value.type) {
  case Type::truth:
    if (text == "true") return 1;
    if (text == "false") return 0;
    return std::nullopt;
  case Type::kind: return text == "none" ? std::optional(-1) : place_in(program.kinds, text);
  case Type::player: return place_in(program.players, text);
  default: return number_of_text(text);
  }
}

} // namespace

std::uint32_t code_on(const PieceValue& value, const Position& position, int cell) {
  std::uint32_t code = value.flipped;
  for (int bit = 0; bit < value.planes; ++bit)
    if (plane_of(value, position, bit).test(cell)) code ^= 1U << static_cast<unsigned>(bit);
  return code;
}

void set_code(const PieceValue& value, Position& position, const CellSet& cells, std::uint32_t code) {
  for (int bit = 0; bit < value.planes; ++bit) {
    CellSet& plane = position.variables[at(value.first + bit)].cells;
    const bool set = ((code ^ value.flipped) >> static_cast<unsigned>(bit) & 1U) != 0;
    plane = set ? plane | cells : plane - cells;
  }
}

std::map<std::uint32_t, CellSet> coded_cells(const PieceValue& value, const Position& position) {
  CellSet all;
  for (int bit = 0; bit < value.planes; ++bit) all |= plane_of(value, position, bit);
  std::map<std::uint32_t, CellSet> cells;
  all.each([&](int cell) { cells[code_on(value, position, cell)].set(cell); });
  return cells;
}

void clear_piece_values(const Program& program, Position& position) {
  for (const PieceValue& value : program.piece_values)
    for (int bit = 0; bit < value.planes; ++bit) position.variables[at(value.first + bit)].cells = {};
}

std::string text_of_code(const Program& program, const PieceValue& value, std::uint32_t code) {
  const auto number = static_cast<std::int32_t>(static_cast<std::int64_t>(code) + value.low);
  switch (value.type) {
  case Type::directions: return text_of_steps(program, value, code);
  case Type::truth: return number != 0 ? "true" : "false";
  case Type::kind: return number < 0 ? "none" : program.kinds[at(number)].name;
  case Type::player: return program.players[at(number)].name;
  default: return std::to_string(number);
  }
}

std::optional<std::uint32_t> code_of_text(const Program& program, const PieceValue& value,
                                          std::string_view text) {
  if (value.type == Type::directions) return set_of_text(program, value, text);
  const auto number = scalar_of_text(program, value, text);
  if (!number || *number < value.low || *number > value.high) return std::nullopt;
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(*number) - value.low);
}

std::string text_of_values(const Program& program, const PieceValue& value, const Position& position) {
  std::string text;
  for (const auto& [code, cells] : coded_cells(value, position)) {
    std::string which = text_of_code(program, value, code);
    std::replace(which.begin(), which.end(), ' ', '.');
    text += (text.empty() ? "" : ";") + which;
    char sign = ':';
    cells.each([&](int cell) { text += std::exchange(sign, ',') + program.board.name[at(cell)]; });
  }
  return text.empty() ? "none" : text;
}

std::string wrong_piece_values(const Program& program, const Position& position) {
  for (const PieceValue& value : program.piece_values)
    for (const auto& [code, cells] : coded_cells(value, position)) {
      const int cell = cells.first();
      const std::string& name = program.board.name[at(cell)];
      if (position.cells[at(cell)].empty())
        return fmt::format("`{}` has a value on {}, where there is no piece", value.name, name);
      const auto above = static_cast<std::int64_t>(code);
      if (value.type != Type::directions && above > static_cast<std::int64_t>(value.high) - value.low)
        return fmt::format("`{}` has a value on {} that is none of it", value.name, name);
    }
  return {};
}

const PieceValue* piece_value_at(const Program& program, std::size_t variable) {
  const int place = program.variables[variable].plane;
  if (place < 0 || at(program.piece_values[at(place)].first) != variable) return nullptr;
  return &program.piece_values[at(place)];
}

std::string points_of(const Step& step) {
  std::string text(at(std::abs(step.dy)), step.dy > 0 ? 'N' : 'S');
  return text.append(at(std::abs(step.dx)), step.dx > 0 ? 'E' : 'W');
}

const PieceValue* piece_value_named(const Program& program, std::string_view name) {
  const auto place = place_in(program.piece_values, name);
  return place ? &program.piece_values[at(*place)] : nullptr;
}

} // namespace boardwright::runtime
