// What players see, as rules.
#pragma once

#include "runtime/model/program.hpp"

#include <memory>

namespace boardwright::runtime {

// Rules whose moves are the cells that a player sees: so the sets of `sees` are carried out as any rules are.
// The player who looks is to move, and the last variable says which of his two sets is meant (Looking). Each
// move chooses one cell, and nothing else. Null where no set says what is seen.
[[nodiscard]] std::shared_ptr<const Program> looking(const Program& program);

enum Looking : std::int32_t {
  kSeesCells = 0, // Sight::cells
  kSeesKinds = 1, // Sight::kinds
};

} // namespace boardwright::runtime
