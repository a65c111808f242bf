// Code for tables of sets, and for what is looked up once it is known.
#pragma once

#include "runtime/codegen/generator.hpp"

namespace boardwright::runtime::codegen {

void set_table(Generator& g, const I& i);
void recall(Generator& g, const I& i);
void remember(Generator& g, const I& i);
void key_text(Generator& g, const I& i);
void key_set(Generator& g, const I& i);

} // namespace boardwright::runtime::codegen
