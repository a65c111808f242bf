// Codes of pieces: small numbers, one for every owner and kind that has a letter. 0 is no piece.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime {

struct Pieces {
  std::vector<Piece> of_code;            // [0] is unused
  std::vector<std::uint8_t> owner_index; // by code: the player, or the number of players for neutral
  std::vector<std::uint8_t> kind;        // by code
  std::vector<std::uint8_t> code;        // by owner index * kinds + kind; 0: there is no such piece
  int players = 0, kinds = 0;

  explicit Pieces(const Program& program);
  // 0 where there is no such piece; an owner below 0 is neutral.
  [[nodiscard]] std::uint8_t code_of(int owner, int kind_wanted) const {
    if (kind_wanted < 0 || kind_wanted >= kinds) return 0;
    return code[static_cast<std::size_t>((owner < 0 ? players : owner) * kinds + kind_wanted)];
  }
  [[nodiscard]] int owner_of(std::uint8_t piece) const { return of_code[piece].owner; }
  [[nodiscard]] int count() const { return static_cast<int>(of_code.size()); } // with the code 0
};

} // namespace boardwright::runtime
