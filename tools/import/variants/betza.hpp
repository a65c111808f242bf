// Movements in Betza's notation, as the walks of a rule file.
#pragma once

#include <tl/expected.hpp>

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// So many cells to the right and forward, as the mover sees it.
struct Leap {
  int right = 0, forward = 0;
  auto operator<=>(const Leap&) const = default;
};

enum class MoveManner : std::uint8_t {
  leap,
  slide,      // on and on over empty cells, `limit` leaps at most where that isn't 0
  lame,       // a leap that what stands on the way stops
  over,       // over one piece and on
  behind,     // to the cell behind the first piece
  over_first, // over a piece next to it, to the cell behind
};

struct BetzaMove {
  MoveManner manner = MoveManner::leap;
  int limit = 0;
  bool moves = true, captures = true;
  bool initial = false; // only from where it stands at first
  std::set<Leap> leaps;
};

// Fails with a sentence. Bounded by the length of the text.
[[nodiscard]] tl::expected<std::vector<BetzaMove>, std::string> read_betza(std::string_view text);

// A walk for `hit`: "slide(diagonal) or (go leap(1, 2))"; "never" where there are no moves. Only those that
// capture, or only those that don't. Fails where a move has no walk. Helpers that are called are added.
[[nodiscard]] tl::expected<std::string, std::string>
walk_text(const std::vector<BetzaMove>& moves, bool capturing, std::set<std::string>& helpers);

// What it may reach on an empty board without capturing: leaps, and the first leap of slides.
[[nodiscard]] std::set<Leap> first_leaps(const std::vector<BetzaMove>& moves);

} // namespace boardwright::tools
