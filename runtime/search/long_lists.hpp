// Lists of moves that are so long that a search thinks twice before it makes one.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace boardwright::runtime::search {

// Where a position has more moves than this on average, to list them costs more than to play them all: there
// the end of a line is judged without a list, if captures are no reason to look further. They are where
// pieces differ in worth, since each exchange may lose the better one; alike are those of which the best is
// worth less than so many times the least.
inline constexpr double kLongList = 100;
inline constexpr int kMostUnlike = 2;
// The list of the position that is asked about may take this part of the time.
inline constexpr int kShareOfList = 3;

// `worth` by the piece's code; 0: it belongs to nobody, or there is none.
[[nodiscard]] inline bool are_alike(const std::vector<std::int32_t>& worth) {
  std::int32_t least = std::numeric_limits<std::int32_t>::max(), most = 0;
  for (const std::int32_t w : worth)
    if (w > 0) least = std::min(least, w), most = std::max(most, w);
  return most / kMostUnlike < least;
}

// `moves` on average; `wide`: in random games there was a list that took too long to make.
[[nodiscard]] inline bool has_long_lists(bool wide, double moves, const std::vector<std::int32_t>& worth) {
  return wide || (moves > kLongList && are_alike(worth));
}

// When a part of the time until `due` will be over.
template <class TimePoint>
[[nodiscard]] TimePoint part_of_time(TimePoint now, TimePoint due, int share) {
  return now + (due - now) / share;
}

} // namespace boardwright::runtime::search
