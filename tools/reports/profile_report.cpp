#include "tools/reports/profile_report.hpp"

#include "tools/console/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace boardwright::tools {
namespace {

using interpreter::LineProfile;
using interpreter::ProfiledLine;
using interpreter::TimeShares;

constexpr std::size_t kMostAtTheTop = 8; // lines; below them are all
constexpr double kLeastAtTheTop = 2;     // per cent
constexpr double kLeastShown = 0.05;     // what is less would be written 0.0
constexpr std::size_t kWidestLine = 64;  // of a line's text

std::string time_columns(const TimeShares& shares, bool searched) {
  const auto one = [](double share) {
    return share < kLeastShown ? std::string("       ") : fmt::format("{:7.1f}", share);
  };
  return one(shares.listing) + one(shares.playing) + (searched ? one(shares.searching) : "");
}

std::string profile_row(const ProfiledLine& line, bool searched) {
  const std::string file = std::filesystem::path(line.file).filename().string();
  return fmt::format("{}  |{}   {}:{}: {}\n", time_columns(line.with_calls, searched),
                     time_columns(line.alone, searched), printable(file), line.line,
                     quotable(line.text, kWidestLine));
}

std::string profile_heading(bool searched) {
  const std::string names = fmt::format("   list   play{}", searched ? " search" : "");
  return fmt::format("{}  |{}\n", names, names);
}

std::vector<ProfiledLine> costliest_lines(const LineProfile& profile) {
  std::vector<ProfiledLine> lines;
  for (const ProfiledLine& line : profile.lines)
    if (line.with_calls.most() >= kLeastAtTheTop) lines.push_back(line);
  const auto sum = [](const TimeShares& shares) {
    return shares.listing + shares.playing + shares.searching;
  };
  std::stable_sort(lines.begin(), lines.end(), [&](const ProfiledLine& a, const ProfiledLine& b) {
    return std::pair(sum(a.with_calls), sum(a.alone)) > std::pair(sum(b.with_calls), sum(b.alone));
  });
  if (lines.size() > kMostAtTheTop) lines.resize(kMostAtTheTop);
  return lines;
}

Json time_shares_json(const TimeShares& shares, bool searched) {
  return {{"listing", shares.listing},
          {"playing", shares.playing},
          {"searching", searched ? Json(shares.searching) : Json()}};
}

} // namespace

std::string profile_text(const LineProfile& profile) {
  const bool searched = profile.searched;
  std::string text = fmt::format(
      "CPU time in per cent, of listing moves ({} samples), of random games ({}){}\n"
      "on the left of a line with the definitions of the file that it calls, on the right of itself alone\n\n"
      "what takes most\n{}",
      profile.listing, profile.playing, searched ? fmt::format(", of search ({})", profile.searching) : "",
      profile_heading(searched));
  for (const ProfiledLine& line : costliest_lines(profile)) text += profile_row(line, searched);
  text += "\nin the order of the file\n" + profile_heading(searched);
  for (const ProfiledLine& line : profile.lines)
    if (line.with_calls.most() >= kLeastShown) text += profile_row(line, searched);
  text += fmt::format("{}  |{}   no line of the rules: lists, searches, the course of turns\n",
                      time_columns(profile.rest, searched), time_columns(profile.rest, searched));
  return text;
}

Json profile_json(const LineProfile& profile) {
  Json lines = Json::array();
  for (const ProfiledLine& line : profile.lines)
    lines.push_back({{"file", line.file},
                     {"line", line.line},
                     {"text", line.text},
                     {"with_calls", time_shares_json(line.with_calls, profile.searched)},
                     {"alone", time_shares_json(line.alone, profile.searched)}});
  return {{"samples",
           {{"listing", profile.listing},
            {"playing", profile.playing},
            {"searching", profile.searched ? Json(profile.searching) : Json()}}},
          {"lines", lines},
          {"rest", time_shares_json(profile.rest, profile.searched)}};
}

} // namespace boardwright::tools
