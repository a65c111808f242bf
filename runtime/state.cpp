// What every width of State shares: the codes of pieces and the hash keys.
#include "runtime/state.hpp"

namespace boardwright::runtime::machine {

Pieces::Pieces(const Program& program)
    : of_code(1), owner_index(1), kind(1), players(program.player_count()),
      kinds(static_cast<int>(program.kinds.size())) {
  code.assign(at((players + 1) * kinds), 0);
  for (int o = 0; o <= players; ++o)
    for (int k = 0; k < kinds; ++k) {
      const std::vector<char>& letters = program.kinds[at(k)].letter;
      if (at(o) >= letters.size() || letters[at(o)] == 0) continue;
      if (of_code.size() > 255) return; // letters tell pieces apart, so there can't be more
      code[at(o * kinds + k)] = static_cast<std::uint8_t>(of_code.size());
      of_code.push_back({static_cast<std::int8_t>(o == players ? -1 : o), static_cast<std::int8_t>(k)});
      owner_index.push_back(static_cast<std::uint8_t>(o));
      kind.push_back(static_cast<std::uint8_t>(k));
    }
}

GroundKeys ground_keys(int cells) {
  GroundKeys keys(at(cells) * 256, 0);
  for (int c = 0; c < cells; ++c)
    for (unsigned code = 1; code < 256; ++code)
      keys[at(c) * 256 + code] = piece_key(c, 0, static_cast<std::uint8_t>(code));
  return keys;
}

} // namespace boardwright::runtime::machine
