#include "interpreter/look/look_words.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace boardwright::interpreter {
namespace {

template <class Value>
struct Word {
  std::string_view name;
  Value value;
};

// Red and green, and all others, differ in lightness too: who sees few colours tells them apart.
constexpr std::array kColours = {
    Word<std::string_view>{"white", "#faf6ec"},  Word<std::string_view>{"black", "#262626"},
    Word<std::string_view>{"grey", "#8c8c8c"},   Word<std::string_view>{"gray", "#8c8c8c"},
    Word<std::string_view>{"silver", "#c3c9ce"}, Word<std::string_view>{"gold", "#d9a520"},
    Word<std::string_view>{"ivory", "#f2e3bf"},  Word<std::string_view>{"wood", "#e0bd84"},
    Word<std::string_view>{"brown", "#7a4c2a"},  Word<std::string_view>{"red", "#c4301f"},
    Word<std::string_view>{"orange", "#e8871e"}, Word<std::string_view>{"yellow", "#f2d93b"},
    Word<std::string_view>{"green", "#2fa36b"},  Word<std::string_view>{"blue", "#1f6fb5"},
    Word<std::string_view>{"cyan", "#63c5da"},   Word<std::string_view>{"purple", "#74479c"},
    Word<std::string_view>{"pink", "#e08cb6"},
};

constexpr std::array kShapes = {
    Word<Shape>{"disc", Shape::disc},         Word<Shape>{"ring", Shape::ring},
    Word<Shape>{"square", Shape::square},     Word<Shape>{"diamond", Shape::diamond},
    Word<Shape>{"triangle", Shape::triangle}, Word<Shape>{"star", Shape::star},
    Word<Shape>{"bar", Shape::bar},           Word<Shape>{"letter", Shape::letter},
};

constexpr std::array kCellLooks = {
    Word<CellLook>{"plain", CellLook::plain},   Word<CellLook>{"chequered", CellLook::chequered},
    Word<CellLook>{"points", CellLook::points}, Word<CellLook>{"lattice", CellLook::lattice},
    Word<CellLook>{"pits", CellLook::pits},
};

template <class Table>
const auto* find(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& w) { return w.name == name; });
  return found == table.end() ? nullptr : &*found;
}

template <class Table>
std::vector<std::string> names(const Table& table) {
  std::vector<std::string> result;
  for (const auto& word : table) result.emplace_back(word.name);
  return result;
}

bool is_hexadecimal(std::string_view word) {
  constexpr std::size_t kLength = 7; // #rrggbb
  return word.size() == kLength && word[0] == '#' &&
         std::all_of(word.begin() + 1, word.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

} // namespace

std::string colour_named(std::string_view name) {
  const auto* word = find(kColours, dsl::to_lower(name));
  return word == nullptr ? "" : std::string(word->value);
}

std::vector<std::string> colour_names() { return names(kColours); }
std::vector<std::string> shape_names() { return names(kShapes); }
std::vector<std::string> cell_look_names() { return names(kCellLooks); }

std::optional<std::string> read_colour(std::string_view word) {
  if (is_hexadecimal(word)) return dsl::to_lower(word);
  const auto* found = find(kColours, word);
  return found == nullptr ? std::nullopt : std::optional<std::string>(found->value);
}

std::optional<Shape> read_shape(std::string_view word) {
  const auto* found = find(kShapes, word);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

std::optional<CellLook> read_cell_look(std::string_view word) {
  const auto* found = find(kCellLooks, word);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

bool is_glyph(std::string_view word) {
  std::size_t characters = 0;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) return false;
    if (!dsl::continues_character(c)) ++characters;
  }
  return characters >= 1 && characters <= kMaxGlyphLength;
}

} // namespace boardwright::interpreter
