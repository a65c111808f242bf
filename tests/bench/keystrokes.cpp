// How much of the processor a keystroke takes: the largest bundled files are typed on at random places, and
// after each letter the words that may follow are asked for. Prints milliseconds of CPU, so that a busy
// machine doesn't show.
//
//   boardwright_keystrokes [FILES [STROKES [SEED]]]
//
// Or every file is written from its beginning to its end, every so many bytes a look:
//
//   boardwright_keystrokes prefixes [EVERY [PAUSES]]
//
// and of every so many of these looks one is a pause, at which all is checked.
#include "dsl/finder.hpp"
#include "tests/tools/editing.hpp"
#include "tools/console/cpu_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace boardwright;

namespace {

struct Times {
  std::vector<double> strokes, pauses;
};

double percentile(std::vector<double> times, double share) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return times[std::min(times.size() - 1,
                        static_cast<std::size_t>(share * static_cast<double>(times.size())))];
}

double milliseconds(double since) { return (tools::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - since) * 1000; }

// A word at a random place is taken away and typed again, letter by letter.
void type_in(const std::string& text, std::size_t strokes, std::mt19937_64& random, Times& times) {
  tests::Editing editing(text);
  while (times.strokes.size() < strokes) {
    const std::size_t begin = random() % text.size();
    const std::size_t end = std::min(text.size(), begin + 1 + random() % 8);
    for (std::size_t at = begin; at < end && times.strokes.size() < strokes; ++at) {
      const double since = tools::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
      editing.change(text.substr(0, at + 1) + text.substr(end));
      static_cast<void>(editing.completions(at + 1));
      times.strokes.push_back(milliseconds(since));
    }
    const double since = tools::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    editing.pause();
    times.pauses.push_back(milliseconds(since));
  }
}

// Beginnings of every file, as somebody has them before him who types it in.
void type_from_beginning(std::size_t every, std::size_t looks_of_pause) {
  Times all;
  std::string slowest, slowest_pause;
  double most = 0, most_of_pause = 0;
  for (const auto& file : dsl::bundled_files()) {
    tests::Editing editing("");
    for (std::size_t at = 1; at <= file.text.size(); at += every) {
      double since = tools::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
      editing.change(std::string(file.text.substr(0, at)));
      static_cast<void>(editing.completions(at));
      all.strokes.push_back(milliseconds(since));
      if (all.strokes.back() > most) most = all.strokes.back(), slowest = fmt::format("{}:{}", file.name, at);
      if (all.strokes.size() % looks_of_pause != 0) continue;
      since = tools::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
      editing.pause();
      all.pauses.push_back(milliseconds(since));
      if (all.pauses.back() > most_of_pause)
        most_of_pause = all.pauses.back(), slowest_pause = fmt::format("{}:{}", file.name, at);
    }
  }
  const auto print = [](const char* what, const std::vector<double>& times, const std::string& where) {
    fmt::print("{} {}: median {:.1f} ms, 95 % {:.1f} ms, most {:.1f} ms ({})\n", times.size(), what,
               percentile(times, 0.5), percentile(times, 0.95), percentile(times, 1), where);
  };
  print("beginnings", all.strokes, slowest);
  print("pauses", all.pauses, slowest_pause);
}

} // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, std::size_t otherwise) {
    return argc > i ? static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)) : otherwise;
  };
  if (argc > 1 && std::string_view(argv[1]) == "prefixes") {
    type_from_beginning(std::max<std::size_t>(number(2, 1), 1), std::max<std::size_t>(number(3, 100), 1));
    return 0;
  }
  auto files = dsl::bundled_files();
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.text.size() > b.text.size(); });
  files.resize(std::min(files.size(), number(1, 10)));
  std::mt19937_64 random(number(3, 1));
  Times all;
  fmt::print("{:<16}{:>8}{:>10}{:>10}{:>10}{:>12}\n", "file", "bytes", "median", "95 %", "most",
             "at a pause");
  for (const auto& file : files) {
    Times times;
    type_in(std::string(file.text), number(2, 100), random, times);
    fmt::print("{:<16}{:>8}{:>10.1f}{:>10.1f}{:>10.1f}{:>12.1f}\n", file.name, file.text.size(),
               percentile(times.strokes, 0.5), percentile(times.strokes, 0.95), percentile(times.strokes, 1),
               percentile(times.pauses, 0.95));
    all.strokes.insert(all.strokes.end(), times.strokes.begin(), times.strokes.end());
  }
  const auto quick =
      std::count_if(all.strokes.begin(), all.strokes.end(), [](double time) { return time <= 50; });
  fmt::print("{} of {} keystrokes within 50 ms\n", quick, all.strokes.size());
}
