// The words of the section `look`: colours, shapes, ways to draw cells.
#pragma once

#include "interpreter/look/look.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

// A colour's name or "#rrggbb", as the latter; nothing for another word.
[[nodiscard]] std::optional<std::string> read_colour(std::string_view word);
[[nodiscard]] std::optional<Shape> read_shape(std::string_view word);
[[nodiscard]] std::optional<CellLook> read_cell_look(std::string_view word);
[[nodiscard]] std::vector<std::string> shape_names();
[[nodiscard]] std::vector<std::string> cell_look_names();

// A sign that stands for a piece has at most so many characters: `10` and `wall` fit on a disc.
inline constexpr std::size_t kMaxGlyphLength = 4;
[[nodiscard]] bool is_glyph(std::string_view word);

} // namespace boardwright::interpreter
