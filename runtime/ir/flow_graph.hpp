// What can come after what in finished code, with calls and, if wanted, from turn to turn.
#pragma once

#include "runtime/ir/operations.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace boardwright::runtime::ir {

class FlowGraph {
public:
  enum class Turns : std::uint8_t {
    one,  // whatever ends the turn or takes up a move ends the run
    many, // the next player's position, and the code of whatever move is picked, come behind
  };

  // Precondition: all places that the code names are at most the number of its instructions. Takes as long as
  // the code is, times the number of places that are called.
  explicit FlowGraph(const Code& code, Turns turns = Turns::one);

  // Where a run may go on behind instruction k: from a call into what is called, from `ret` to all that may
  // have called.
  [[nodiscard]] std::span<const std::uint32_t> after(std::size_t k) const {
    return {next_.data() + ends_[k], ends_[k + 1] - ends_[k]};
  }
  // The instructions that may be carried out by code that is called at a place, from there to its `ret`s;
  // calls within it are passed over. Nothing if the place isn't called.
  [[nodiscard]] std::span<const std::uint32_t> body(std::size_t place) const;

private:
  [[nodiscard]] std::vector<std::uint32_t> find_body(const Code& code, std::size_t place) const;

  std::vector<std::size_t> ends_{0};
  std::vector<std::uint32_t> next_;
  std::map<std::size_t, std::vector<std::uint32_t>> bodies_; // by where a call leads
};

} // namespace boardwright::runtime::ir
