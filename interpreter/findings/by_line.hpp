// One finding a line: where something has been told, games show the same once more in their way.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/source.hpp"

#include <cstdint>
#include <utility>

namespace boardwright::interpreter {

[[nodiscard]] std::pair<dsl::FileId, std::uint32_t> line_of(const dsl::Diagnostic& finding,
                                                            const dsl::Sources& sources);

// Adds those of `found` that stand on no line of one of `told`, whole. O(found * told).
void append_on_other_lines(const dsl::Diagnostics& found, const dsl::Diagnostics& told,
                           const dsl::Sources& sources, dsl::Diagnostics& to);

} // namespace boardwright::interpreter
