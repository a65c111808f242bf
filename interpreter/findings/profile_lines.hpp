// What each line of a rule file takes of the time: a profile (runtime/examine/profile.hpp) as an author reads
// it.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/examine/profile.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::interpreter {

// In per cent of the CPU time of each kind of work.
struct TimeShares {
  double listing = 0, playing = 0, searching = 0;
  [[nodiscard]] double most() const;
};

struct ProfiledLine {
  std::string file;
  std::uint32_t line = 0; // from 1
  std::string text;       // without the space around it
  TimeShares alone;       // the line itself, and what other files' definitions do for it
  TimeShares with_calls;  // and what definitions of this file do that it calls, on whatever line they stand
};

struct LineProfile {
  // In the order of the file; of other files, as one that it extends, behind it. Lines that took nothing are
  // left out.
  std::vector<ProfiledLine> lines;
  TimeShares rest;                                       // of no line: lists, searches, the course of turns
  std::uint64_t listing = 0, playing = 0, searching = 0; // samples
  bool searched = false;                                 // else nobody can search these rules
  bool stopped = false;
};

// `loaded` must have rules; they are made again, with calls of definitions kept apart. An error says what is
// missing, or which rule went wrong. See `profile` for what it costs, and who may ask.
[[nodiscard]] tl::expected<LineProfile, std::string> profile_lines(Loaded& loaded, const Settings& settings,
                                                                   const runtime::ProfileOptions& options);

} // namespace boardwright::interpreter
