#include "tools/clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace boardwright::tools {
namespace {

constexpr double kMaxSeconds = 86'400; // more than a day is a mistyped number

std::optional<Seconds> seconds_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= kMaxSeconds))
    return std::nullopt;
  return Seconds(value);
}

} // namespace

std::optional<ClockSetting> read_clock(const std::string& text) {
  const std::size_t plus = text.find('+');
  const auto time = seconds_of(std::string_view(text).substr(0, plus));
  const auto increment =
      plus == std::string::npos ? Seconds(0) : seconds_of(std::string_view(text).substr(plus + 1));
  if (!time || !increment || time->count() <= 0) return std::nullopt;
  return ClockSetting{*time, *increment};
}

Seconds Clocks::share(int player) const {
  constexpr double kMovesToGo = 30, kOfIncrement = 0.8, kMostOfRest = 0.5;
  const Seconds share = left(player) / kMovesToGo + setting_.increment * kOfIncrement;
  return std::max(Seconds(0.001), std::min(share, left(player) * kMostOfRest));
}

bool Clocks::spend(int player, Seconds time, bool moved) {
  Seconds& left = left_[static_cast<std::size_t>(player)];
  left -= time;
  if (left.count() <= 0) return false;
  if (moved) left += setting_.increment;
  return true;
}

std::string Clocks::text(int player) const {
  constexpr double kShort = 20; // below that tenths are told
  const double seconds = std::max(0.0, left(player).count());
  const int minutes = static_cast<int>(seconds) / 60;
  const double rest = seconds - 60.0 * minutes;
  if (seconds < kShort) return fmt::format("{}:{:04.1f}", minutes, rest);
  return fmt::format("{}:{:02}", minutes, static_cast<int>(rest));
}

} // namespace boardwright::tools
