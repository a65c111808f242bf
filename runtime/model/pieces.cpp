#include "runtime/model/pieces.hpp"

namespace boardwright::runtime {

Pieces::Pieces(const Program& program)
    : of_code(1), owner_index(1), kind(1), players(program.player_count()),
      kinds(static_cast<int>(program.kinds.size())) {
  for (int owner = 0; owner <= players; ++owner)
    for (int k = 0; k < kinds; ++k) {
      const Piece piece{static_cast<std::int8_t>(owner == players ? kNeutral : owner),
                        static_cast<std::int8_t>(k)};
      const bool exists = program.letter_of(piece) != '?';
      code.push_back(exists ? static_cast<std::uint8_t>(of_code.size()) : std::uint8_t{0});
      if (!exists) continue;
      of_code.push_back(piece);
      owner_index.push_back(static_cast<std::uint8_t>(owner));
      kind.push_back(static_cast<std::uint8_t>(k));
    }
}

} // namespace boardwright::runtime
