// What alpha-beta search does beyond looking at every move: each can be switched off, so that a match tells
// what it gains (`alphabeta:without=NAME+NAME`, tests/bench/README.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace boardwright::runtime::search {

enum class Technique : std::uint8_t {
  captures,     // capture history: those that were bad elsewhere come late
  attackers,    // of captures that gain as much those with what is worth least
  malus,        // moves that weren't good enough lose by it, and those of the table gain
  continuation, // what was good after the moves before
  counter,      // what was good in answer to the last move
  reverse,      // positions that are much better than need be aren't searched
  futility,     // nor are moves of positions that are much worse
  late,         // nor those that come late
  logarithmic,  // reductions by logarithms
  internal,     // positions without a known move a ply less
  ends,         // the table at the ends of lines
  skip,         // positions that are good enough though a turn is skipped aren't searched
  count
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(Technique::count)> kTechniques = {
    "captures", "attackers", "malus",       "continuation", "counter", "reverse",
    "futility", "late",      "logarithmic", "internal",     "ends",    "skip"};

// Those that are switched off.
class Techniques {
public:
  [[nodiscard]] bool has(Technique which) const { return (off_ >> static_cast<unsigned>(which) & 1U) == 0; }
  void switch_off(Technique which) { off_ |= std::uint32_t{1} << static_cast<unsigned>(which); }
  // Names with `+` between them; false: there is no such name.
  bool switch_off(std::string_view names) {
    while (!names.empty()) {
      const std::string_view name = names.substr(0, names.find('+'));
      names.remove_prefix(name.size() == names.size() ? names.size() : name.size() + 1);
      std::size_t k = 0;
      while (k < kTechniques.size() && kTechniques[k] != name) ++k;
      if (k == kTechniques.size()) return false;
      switch_off(static_cast<Technique>(k));
    }
    return true;
  }

private:
  std::uint32_t off_ = 0;
};

} // namespace boardwright::runtime::search
