// The machine for sets of 3 words. Each width is a file of its own, so that builds can run side by side.
#include "runtime/machine_game.hpp"

namespace boardwright::runtime::machine {

template std::unique_ptr<AnyTables> make_tables<3>(const Program&, const Code&);

} // namespace boardwright::runtime::machine
