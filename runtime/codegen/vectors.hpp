// Lines by vector instructions, where the processor has them.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

[[nodiscard]] bool can_see_by_vectors(const Generator& g, std::size_t lines);
void slides_by_vectors(Generator& g, const I& i, bool with_last);
void between_by_vectors(Generator& g, const I& i);
void embed_ray_tables(Generator& g);

} // namespace boardwright::runtime::codegen
