// Loads a rule file and notes what its expressions turn out to be, for `examine`: it need not work out again
// what is constant.
#pragma once

#include "interpreter/load.hpp"
#include "interpreter/meaning/readings.hpp"

#include <string>

namespace boardwright::interpreter {

// Both are empty before. The readings go by the nodes of `loaded.file`: they mean nothing once it is moved.
void load_with_readings(Loaded& loaded, Readings& readings, const std::string& reference,
                        const Settings& settings, const dsl::FileFinder& find);

} // namespace boardwright::interpreter
