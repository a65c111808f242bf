// Code for where to go on: jumps, calls, helpers, and what they keep.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

// Where the instruction is carried out by the helper, if its own code can't; afterwards all registers may
// have changed. The caller binds `slow_back` by `join_slow`.
Label slow(Generator& g);
// Likewise, of a leaf that has been compared.
Label slow_found(Generator& g);
void join_slow(Generator& g);
void call_step(Generator& g, std::size_t index);
void help(Generator& g);
bool control(Generator& g, const I& i);
void count_work(Generator& g, const I& i);
void count_steps(Generator& g, std::uint32_t steps);
void restore_routine(Generator& g, std::size_t spill_area);
void undo_routine(Generator& g);
void step_routine(Generator& g);

} // namespace boardwright::runtime::codegen
