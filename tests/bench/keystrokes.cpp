// How much of the processor a keystroke takes: the largest bundled files are typed on at random places, and
// after each letter the words that may follow are asked for. Prints milliseconds of CPU, so that a busy
// machine doesn't show.
//
//   boardwright_keystrokes [FILES [STROKES [SEED]]]
#include "dsl/finder.hpp"
#include "tests/tools/editing.hpp"
#include "tools/console/cpu_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
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

} // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, std::size_t otherwise) {
    return argc > i ? static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)) : otherwise;
  };
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
