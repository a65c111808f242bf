// Code for random games: from turn to turn, and the move that is drawn.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

bool turn(Generator& g, const I& i);
void found_in_order(Generator& g, const I& i, bool one);
[[nodiscard]] const std::vector<std::uint32_t>& leaves_of_turn(const Generator& g);
void divide_exactly(Generator& g, const Gp& n, int by, const Gp& inverse_in);
void survey(Generator& g);
void leaf_table(Generator& g);

} // namespace boardwright::runtime::codegen
