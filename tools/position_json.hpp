// Positions as JSON.
//
//   {"to_move": "Black", "cells": {"b3": "x", "c4": "xxxx"}, "ply": 12, "turns": {"Black": 6, "White": 6},
//    "hands": {"Black": {"man": 3}}, "state": {"passes": 1, "marked": ["a1", "b2"], "store": {"Black": 4,
//    "White": 0}}, "out": ["Red"]}
//
// A cell's string lists its pieces from bottom to top, one letter each. `to_move` and `cells` are required.
// Where the others are absent: `ply` is so large that opening rules are over, `turns` are as if all had moved
// in order, hands and state are those of the set-up, and nobody is out.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace boardwright::tools {

// A longer text is refused: the largest board with the tallest stacks needs some hundred thousand bytes.
inline constexpr std::size_t kMaxPositionBytes = 1 << 20;
// The deepest part of a position is at three levels.
inline constexpr int kMaxPositionDepth = 8;

// Reads strictly: anything unknown, of the wrong type or written twice is an error. Fails with one sentence
// that names the key, or line and column where the text is no JSON. Linear in the text.
[[nodiscard]] tl::expected<runtime::Position, std::string> read_position(const runtime::Program& program,
                                                                         std::string_view text);

// The same form, on one line: read_position gives the position back.
[[nodiscard]] std::string write_position(const runtime::Program& program, const runtime::Position& position);

// The letters of a stack, bottom to top.
[[nodiscard]] std::string letters_of(const runtime::Program& program, const runtime::Stack& stack);

} // namespace boardwright::tools
