// Code that is compiled once for several callers: what comes after alternatives, where that is much.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace boardwright::runtime::lowering {

// Of some ways, which are tried in one position: of a choice all are, of a condition one is. Where pieces go
// by their kinds one is, too, but each has choices of its own: shared by `kMostWays`, six kinds of pieces on
// a cylinder played a third of their random games.
enum class Tried : std::uint8_t { all, one };

// What comes after, for so many ways there: itself, or a stand-in that is compiled once; then `shared` says
// which.
const Todo* share(Context& cx, const Todo* after, const AbstractDraft& d, std::size_t ways,
                  const std::vector<NodeId>& within, std::optional<std::size_t>& shared,
                  Tried tried = Tried::all);
// Behind all its callers.
void compile_shared(Context& cx, std::optional<std::size_t> shared);

} // namespace boardwright::runtime::lowering
