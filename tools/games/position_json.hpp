// Positions as JSON.
//
//   {"to_move": "Black", "cells": {"b3": "x", "c4": "xxxx"}, "ply": 12, "turns": {"Black": 6, "White": 6},
//    "hands": {"Black": {"man": 3}}, "state": {"passes": 1, "marked": ["a1", "b2"], "store": {"Black": 4,
//    "White": 0}}, "out": ["Red"]}
//
// A cell's string lists its pieces from bottom to top, one letter each.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/console/json.hpp"

#include <string>

namespace boardwright::tools {

[[nodiscard]] Json to_json(const runtime::Program& program, const runtime::Position& position);

// On one line: interpreter::read_position gives the position back.
[[nodiscard]] std::string write_position(const runtime::Program& program, const runtime::Position& position);

// Likewise, as a FEN where there is one, else as JSON.
[[nodiscard]] std::string position_line(const runtime::Program& program, const runtime::Position& position);

// The letters of a stack, bottom to top.
[[nodiscard]] std::string letters_of(const runtime::Program& program, const runtime::Stack& stack);

} // namespace boardwright::tools
