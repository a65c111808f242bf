#include "runtime/perft.hpp"

#include "runtime/machine.hpp"

namespace boardwright::runtime {

tl::expected<PerftCount, Fault> perft(Game& game, const PerftOptions& options) {
  return game.engine().perft(options);
}

} // namespace boardwright::runtime
