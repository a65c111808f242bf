// Passes over finished code: each is a function from code to code that means the same and does less.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/model/board.hpp"

namespace boardwright::runtime::passes {

// Leaves out changes of single sets that are taken back before anything reads them.
void remove_dead_stores(ir::Code& code);
// Leaves out what takes nothing back; jumps to it lead behind it.
void remove_idle_undos(ir::Code& code);
// Leaves out values that nobody reads; calls keep only what is read behind them. Code of very many
// instructions and registers stays as it is.
void remove_dead_values(ir::Code& code);
// Works with copies instead of changes that are taken back soon, and needs no notes for them.
void replace_by_copies(ir::Code& code);
// Makes a set of cells of a loop over cells that only asks of each whether it is in other sets.
// Where steps of the board lead must be known to see that neighbours of a cell are those of a set.
void sift_loops(ir::Code& code, const Board* board = nullptr);
// Only asks whether stacks can be moved, where nothing looks at the board before they are back.
void ask_last_moves(ir::Code& code);
// Sets Instruction::cost: what a round of a loop is counted as. Comes last, since it counts instructions.
void set_loop_costs(ir::Code& code);

// All of them, in this order. Where assertions are on the code is verified before the first and behind each.
void run_all(ir::Code& code, const Board* board = nullptr);

} // namespace boardwright::runtime::passes
