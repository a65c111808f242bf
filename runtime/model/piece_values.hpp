// Values that pieces carry: a facing, a number, what a piece has been.
//
// # How they are kept
// A value is a code of a few bits: a number counted from the least one, or a set of steps. Bit i of the codes
// of all pieces is a set of cells, a plane: a variable of its own (Variable::plane). Bits that the first
// value has are flipped there, so a new piece is in no plane, and neither is an empty cell. The interpreter
// writes into the rules what keeps the planes right where pieces are lifted, put, moved and removed; engines
// see variables like any others.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace boardwright::runtime {

// How many bits a code has at most.
inline constexpr int kMaxPlanes = 24;

// The code of the piece on a cell; the first one where there is none.
[[nodiscard]] std::uint32_t code_on(const PieceValue& value, const Position& position, int cell);

// Gives the pieces on `cells` a code. There must be pieces on all of them.
void set_code(const PieceValue& value, Position& position, const CellSet& cells, std::uint32_t code);

// The cells whose pieces have another value than the first one, by code.
[[nodiscard]] std::map<std::uint32_t, CellSet> coded_cells(const PieceValue& value, const Position& position);

// Forgets all values: of a board that is set up anew.
void clear_piece_values(const Program& program, Position& position);

// A code as people read it: `3`, `true`, `rook`, `White`, or directions as in `N E`; `none` for no direction.
[[nodiscard]] std::string text_of_code(const Program& program, const PieceValue& value, std::uint32_t code);
// The other way round. Directions may also be written as in rules: `north | north + east`. Nothing where the
// value can't be that.
[[nodiscard]] std::optional<std::uint32_t> code_of_text(const Program& program, const PieceValue& value,
                                                        std::string_view text);

// All of them in one word: `4:a1,b2;3:c1`; `none` where all pieces have the first value.
[[nodiscard]] std::string text_of_values(const Program& program, const PieceValue& value,
                                         const Position& position);

// What is wrong with the values of a position: on cells without a piece, or out of their range; else nothing.
[[nodiscard]] std::string wrong_piece_values(const Program& program, const Position& position);

// A step by points of the compass: `N`, `SE`, `NNE`.
[[nodiscard]] std::string points_of(const Step& step);

// The value whose planes begin with this variable, or null.
[[nodiscard]] const PieceValue* piece_value_at(const Program& program, std::size_t variable);
// The value with this name, or null.
[[nodiscard]] const PieceValue* piece_value_named(const Program& program, std::string_view name);

} // namespace boardwright::runtime
