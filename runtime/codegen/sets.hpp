// Code for sets of cells, and for what is asked of them.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

bool set_operation(Generator& g, const I& i);
void shift_words(Generator& g, const WordOf& source, int by, const std::function<void(int, Gp)>& sink);
Gp count_of(Generator& g, Reg set);
void test_none(Generator& g, Reg a);
void test_meet(Generator& g, Reg a, Reg b);
void test_part(Generator& g, Reg a, Reg b);
void test_same(Generator& g, Reg a, Reg b);
// The carry flag says whether the cell (not -1) is in the set.
void test_bit(Generator& g, Reg set, const Gp& cell);

} // namespace boardwright::runtime::codegen
