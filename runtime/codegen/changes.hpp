// Code for changes of pieces and state, and for the trail by which they are taken back.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

bool change(Generator& g, const I& i);
void note(Generator& g, const asmjit::Operand& where, const Gp& old);
void write_no_cells(Generator& g, Reg d);
void write_number(Generator& g, int d, const Gp& value);
// At the beginning of a routine: room for so many entries of the trail. Changes rdx.
void room_for(Generator& g, int entries);
void piece_routine(Generator& g, bool comes, bool notes);
void keeping_routine(Generator& g, const Label& routine, bool (*helper)(void*));

} // namespace boardwright::runtime::codegen
