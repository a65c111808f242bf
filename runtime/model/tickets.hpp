// Weights as tickets, for random games.
#pragma once

#include "runtime/model/program.hpp"

#include <memory>

namespace boardwright::runtime {

// The same rules, in which each outcome of a roll is as many moves as its weight says, told apart by the
// number that `odds` gets: so who draws one of nature's moves evenly draws by weight. Null where nothing is
// weighed.
[[nodiscard]] std::shared_ptr<const Program> with_tickets(const Program& program);

} // namespace boardwright::runtime
