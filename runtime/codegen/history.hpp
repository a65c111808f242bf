// Code for keys: of positions that come again, and of moves that are compared.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

[[nodiscard]] bool keeps_positions(const Generator& g);
void write_key(Generator& g, int mover);
void repeats(Generator& g, const I& i);
bool board_repeats(Generator& g, const I& i);
void count_position(Generator& g, const Label& slowly);
// Notes that a key has come, and goes on behind this if it is the first time, else at `again`. Where the
// table must grow `slowly` is gone to; nothing has been changed then.
void count_new_key(Generator& g, std::int32_t table, const Gp& key, const Label& slowly, const Label& again);
void begin_comparing(Generator& g);
// Of an operation that writes: does only the key of what it writes go on?
[[nodiscard]] bool tells_only(const I& i);
bool sign(Generator& g, const I& i);
// A leaf whose moves are compared is a move behind this; else it goes on at `known`, or at `slowly`, where
// the helper does all of it.
void compare_move(Generator& g, const I& i, const Label& slowly, const Label& known);

} // namespace boardwright::runtime::codegen
