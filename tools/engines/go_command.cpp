#include "tools/engines/go_command.hpp"

#include "tools/console/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <string_view>

namespace boardwright::tools {
namespace {

constexpr std::int64_t kDeepestMs = 60'000; // where only the depth limits it, which it may not reach
constexpr std::int64_t kLongestMs = kLongestTime.count();

// All protocols' names: whoever speaks one may know another better.
constexpr std::array<std::string_view, 14> kNumbers = {"mate",   "movetime", "nodes", "depth",  "perft",
                                                       "p1time", "p2time",   "p1inc", "p2inc",  "wtime",
                                                       "btime",  "winc",     "binc",  "byoyomi"};
constexpr std::string_view kMovesToGo = "movestogo";

bool takes_number(const std::string& word) {
  return word == kMovesToGo || std::find(kNumbers.begin(), kNumbers.end(), word) != kNumbers.end();
}

bool is_keyword(const std::string& word) {
  return takes_number(word) || word == "infinite" || word == "ponder" || word == "searchmoves";
}

// Too large ones are as large as any.
std::optional<std::int64_t> bounded_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return value;
  return text.front() == '-' ? std::int64_t{0} : std::numeric_limits<std::int64_t>::max();
}

class Reading {
public:
  Reading(const std::vector<std::string>& words, Protocol protocol) : usi_(protocol == Protocol::usi) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      const bool last = i + 1 == words.size();
      const auto number = takes_number(word) && !last ? bounded_number(words[i + 1]) : std::nullopt;
      if (usi_ && word == "mate" && !last && words[i + 1] == "infinite")
        go_.asks_for_mate = true, ++i;
      else if (number)
        numbers_[words[i++]] = *number;
      else if (word == "infinite")
        go_.infinite = true;
      else if (word == "ponder")
        go_.ponder = true;
      else if (word == "searchmoves")
        while (i + 1 < words.size() && !is_keyword(words[i + 1])) go_.only.push_back(words[++i]);
      else if (takes_number(word))
        go_.faults.push_back(
            fmt::format("go: `{}` needs a number{}", word,
                        last ? "" : fmt::format(", and `{}` is none", quotable(words[++i]))));
      else
        go_.faults.push_back(fmt::format("go: `{}` is not understood, and left out", quotable(word)));
    }
  }

  GoCommand limits(bool first_to_move) {
    if (const auto nodes = get("nodes"))
      go_.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(1, *nodes));
    if (const auto depth = get("depth"))
      go_.depth = static_cast<int>(std::clamp<std::int64_t>(*depth, 1, std::numeric_limits<int>::max()));
    if (usi_ && get("mate")) {
      go_.asks_for_mate = true;
      go_.time = std::clamp<std::int64_t>(*get("mate"), 1, kLongestMs);
    }
    if (go_.asks_for_mate) return go_;
    if (const auto mate = get("mate")) { // in so many moves of one's own
      constexpr std::int64_t kMostMoves = std::numeric_limits<int>::max() / 2;
      go_.mate = true;
      go_.depth = static_cast<int>(2 * std::clamp<std::int64_t>(*mate, 1, kMostMoves) - 1);
    }
    if (const auto perft = get("perft"))
      go_.perft = static_cast<int>(std::clamp<std::int64_t>(*perft, 1, std::numeric_limits<int>::max()));
    if (go_.infinite) return go_;
    if (const auto time = get("movetime")) go_.time = std::clamp<std::int64_t>(*time, 1, kLongestMs);
    if (const auto clock = go_.time ? std::nullopt : this->clock(first_to_move))
      go_.time = share_of(*clock), go_.latest = most_of(*clock);
    if (!go_.time && !go_.nodes) go_.time = go_.depth ? kDeepestMs : kUsualTime.count();
    return go_;
  }

private:
  [[nodiscard]] std::optional<std::int64_t> get(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::optional<std::int64_t>() : found->second;
  }
  [[nodiscard]] std::optional<std::int64_t> get(const std::string& name, const std::string& other) const {
    const auto number = get(name);
    return number ? number : get(other);
  }
  [[nodiscard]] std::optional<Clock> clock(bool first) const {
    auto left = clock(first, "time");
    if (!left) left = clock(!first, "time"); // it will be much the same
    const auto overtime = get("byoyomi");
    if (!left && !overtime) return std::nullopt;
    constexpr std::int64_t kMostMoves = 1000;
    const auto bounded = [](std::optional<std::int64_t> ms) {
      return std::clamp<std::int64_t>(ms.value_or(0), 0, kLongestMs);
    };
    const auto moves = std::clamp<std::int64_t>(get(std::string(kMovesToGo)).value_or(0), 0, kMostMoves);
    return Clock{bounded(left), bounded(clock(first, "inc")), static_cast<int>(moves), bounded(overtime)};
  }

  // `time` or `inc` of a player, by the name that any protocol has for it: in USI black begins.
  [[nodiscard]] std::optional<std::int64_t> clock(bool first, const std::string& what) const {
    return get((first ? "p1" : "p2") + what, (first != usi_ ? "w" : "b") + what);
  }

  bool usi_;
  GoCommand go_;
  std::map<std::string, std::int64_t> numbers_;
};

} // namespace

GoCommand read_go(const std::vector<std::string>& words, bool first_to_move, Protocol protocol) {
  return Reading(words, protocol).limits(first_to_move);
}

} // namespace boardwright::tools
