// `mirror` in a set-up: what stands there for the first player, the others have as well.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "interpreter/board/geometry.hpp"
#include "runtime/model/program.hpp"

namespace boardwright::interpreter {

// Adds the pieces of all other players, and neutral ones. What stands on a cell already stays there.
void mirror_pieces(const dsl::MirrorEntry& mirror, const Geometry& geometry, runtime::Program& program,
                   dsl::Diagnostics& diagnostics);

// Gives the images of the first player's pieces on `named` the images of their values: `named` are the cells
// whose pieces have been given one.
void mirror_values(const dsl::MirrorEntry& mirror, const runtime::PieceValue& value,
                   const runtime::CellSet& named, const Geometry& geometry, runtime::Program& program,
                   dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
