// Code that is compiled once for several callers: what comes after alternatives, where that is much.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace boardwright::runtime::lowering {

// Of some ways, which are gone in one position.
enum class Gone : std::uint8_t { every_one, one_of_them };

// What comes after, for so many ways there: itself, or a stand-in that is compiled once; then `shared` says
// which.
const Todo* share(Context& cx, const Todo* after, const Draft& d, std::size_t ways,
                  const std::vector<NodeId>& within, std::optional<std::size_t>& shared, Gone gone = Gone::every_one);
// Behind all its callers.
void compile_shared(Context& cx, std::optional<std::size_t> shared);

} // namespace boardwright::runtime::lowering
