// Which search plays a game better, as far as random games and the rules tell.
#pragma once

#include "runtime/search/features.hpp"

#include <string>

namespace boardwright::runtime::search {

struct SearchChoice {
  bool alpha_beta = false; // else Monte-Carlo tree search
  std::string why;         // "alphabeta: …"
};
// `learnt`: there are weights that were learnt of the game.
[[nodiscard]] SearchChoice choose_search(const Features& features, bool learnt);

} // namespace boardwright::runtime::search
