// Clocks of a game: each player has so much time for all his moves, and gets some back with each.
#pragma once

#include <tl/expected.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

using Seconds = std::chrono::duration<double>;

struct ClockSetting {
  Seconds time{0}, increment{0};
};
// "300" or "300+2", in seconds. Nothing for anything else.
[[nodiscard]] std::optional<ClockSetting> read_clock(const std::string& text);
[[nodiscard]] std::string clock_text(const ClockSetting& setting);

class Clocks {
public:
  Clocks() = default; // nobody's time is counted
  Clocks(ClockSetting setting, int players)
      : setting_(setting), left_(static_cast<std::size_t>(players), setting.time) {}

  [[nodiscard]] bool running() const { return !left_.empty(); }
  [[nodiscard]] Seconds left(int player) const { return left_[static_cast<std::size_t>(player)]; }
  // What is left for all players, in words that can be read back: "295.2 300".
  [[nodiscard]] std::string left_text() const;
  [[nodiscard]] bool set_left(const std::string& text); // false: it is no such text, and nothing changed
  [[nodiscard]] const ClockSetting& setting() const { return setting_; }
  // What a player may think about the next move: a game has some thirty more of them.
  [[nodiscard]] Seconds share(int player) const;
  // And what he may where it matters more than elsewhere.
  [[nodiscard]] Seconds most(int player) const;
  // A player has taken so long. With the move comes the increment, unless his time is over: then false.
  [[nodiscard]] bool spend(int player, Seconds time, bool moved);
  // "4:05", "0:09.3".
  [[nodiscard]] std::string text(int player) const;

private:
  ClockSetting setting_;
  std::vector<Seconds> left_;
};

} // namespace boardwright::tools
