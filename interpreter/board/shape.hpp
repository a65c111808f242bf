// Reads the board section into a Geometry.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/board/geometry.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::interpreter {

// How constant expressions are worked out before there is a board: numbers only.
using ConstantNumber = std::function<std::optional<std::int64_t>(const dsl::Ast&)>;

// The shape, its names, lines and tracks; without holes but those of a picture. Nothing where the shape
// itself is unusable; smaller faults are in `diagnostics`.
[[nodiscard]] std::optional<Geometry> make_shape(const dsl::RuleFile& file, const ConstantNumber& number,
                                                 dsl::Diagnostics& diagnostics);

// What a cell is called instead of the name that it had before the board gave it another; "" if it didn't.
[[nodiscard]] std::string renamed_to(const dsl::BoardSection& board, std::string_view cell);

// The file that each sign of a picture's row stands for. A row has a sign for each file of the board, of
// which the last ones may be left out where no cell is; or one for each cell of its rank, whose files are
// `cells`, in rising order. Else an error, and nothing.
[[nodiscard]] std::optional<std::vector<int>>
files_of_row(const dsl::PictureRow& row, int files, std::vector<int> cells, dsl::Diagnostics& diagnostics);

// Where the lower left sign of a picture lies on a board without edges: its middle is on a cell of the board.
// An error, and nothing, where it is larger than what may stand there.
[[nodiscard]] std::optional<Place> corner_of_picture(const std::vector<dsl::PictureRow>& picture,
                                                     Place middle, int reach, dsl::Diagnostics& diagnostics);

// Places of a picture with their signs; errors where its size isn't the board's.
struct Sign {
  Place place;
  dsl::Name sign;
};
[[nodiscard]] std::vector<Sign> signs_of(const std::vector<dsl::PictureRow>& picture,
                                         const Geometry& geometry, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
