#include "tools/play/clocks.hpp"

#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace boardwright::tools {
namespace {

constexpr double kMaxSeconds = 86'400; // more than a day is a mistyped number

std::optional<Seconds> seconds_of(std::string_view text) {
  const auto value = dsl::number_in<double>(text);
  if (!value || !(*value >= 0 && *value <= kMaxSeconds)) return std::nullopt;
  return Seconds(*value);
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

std::string clock_text(const ClockSetting& setting) {
  const std::string increment =
      setting.increment.count() > 0 ? fmt::format("+{}", setting.increment.count()) : "";
  return fmt::format("{}{}", setting.time.count(), increment);
}

std::string Clocks::left_text() const {
  std::string text;
  for (const Seconds left : left_) text += fmt::format("{}{:.1f}", text.empty() ? "" : " ", left.count());
  return text;
}

bool Clocks::set_left(const std::string& text) {
  std::vector<Seconds> read;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto seconds = seconds_of(word);
    if (!seconds) return false;
    read.push_back(*seconds);
  }
  if (read.size() != left_.size()) return false;
  left_ = std::move(read);
  return true;
}

Seconds Clocks::share(int player) const {
  constexpr double kMovesToGo = 30, kOfIncrement = 0.8, kMostOfRest = 0.5;
  const Seconds share = left(player) / kMovesToGo + setting_.increment * kOfIncrement;
  return std::max(Seconds(0.001), std::min(share, left(player) * kMostOfRest));
}

Seconds Clocks::most(int player) const {
  constexpr double kShares = 3, kPartOfRest = 4;
  const Seconds usual = share(player), rest = std::max(left(player) - usual, Seconds(0));
  return usual + std::min(usual * (kShares - 1), rest / kPartOfRest);
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
