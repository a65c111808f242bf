#include "interpreter/findings/profile_lines.hpp"

#include "interpreter/compile.hpp"
#include "runtime/game/large_stack.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace boardwright::interpreter {

double TimeShares::most() const { return std::max({listing, playing, searching}); }

namespace {

using runtime::Origin;
using runtime::Program;

using LinePlace = std::pair<std::uint32_t, std::uint32_t>; // Program::files, line

// From the origins of a program to lines of the author's file.
class LinesOfOrigins {
public:
  LinesOfOrigins(const Program& program, const std::vector<std::uint32_t>& callers, const std::string& file)
      : program_(program), callers_(callers), file_(file) {}

  // The line that asked for it: the first on the way through calls that is the author's, else the outermost.
  [[nodiscard]] LinePlace line_of(std::uint32_t origin) const {
    LinePlace last{};
    for (; origin != 0; origin = callers_[origin]) {
      last = place(origin);
      if (is_authors(origin)) return last;
    }
    return last;
  }
  // All lines of the author's file on that way; without any, the outermost.
  [[nodiscard]] std::set<LinePlace> lines_around(std::uint32_t origin) const {
    std::set<LinePlace> lines;
    for (std::uint32_t at = origin; at != 0; at = callers_[at])
      if (is_authors(at)) lines.insert(place(at));
    if (lines.empty() && origin != 0) lines.insert(line_of(origin));
    return lines;
  }

private:
  [[nodiscard]] LinePlace place(std::uint32_t origin) const {
    return {program_.origins[origin].file, program_.origins[origin].line};
  }
  [[nodiscard]] bool is_authors(std::uint32_t origin) const {
    return program_.files[program_.origins[origin].file] == file_;
  }

  const Program& program_;
  const std::vector<std::uint32_t>& callers_;
  const std::string& file_;
};

std::string text_of_line(const dsl::Sources& sources, const std::string& file, std::uint32_t line) {
  for (dsl::FileId id = 0; id < sources.size(); ++id) {
    if (sources.name(id) != file) continue;
    std::string text(sources.line(id, line));
    const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
  }
  return "";
}

// Compiles once more; the callers by origin.
std::shared_ptr<const runtime::Rules> with_callers(Loaded& loaded, const Settings& settings,
                                                   std::vector<std::uint32_t>& callers) {
  dsl::Diagnostics told; // when it was loaded
  bool bad_setting = false;
  CompileOptions options;
  options.callers = &callers;
  std::shared_ptr<const runtime::Rules> rules;
  runtime::on_large_stack([&] {
    const auto program = compile(*loaded.file, settings, loaded.sources, told, bad_setting, options);
    if (program != nullptr) rules = runtime::Rules::make(program);
  });
  return rules;
}

class Adding {
public:
  Adding(const LinesOfOrigins& lines, const std::uint32_t authors) : lines_(lines), authors_(authors) {}

  void add(const runtime::ProfiledWork& work, double TimeShares::*which) {
    const auto all = work.samples();
    if (all == 0) return;
    const auto share = [all](std::uint64_t count) {
      return 100 * static_cast<double>(count) / static_cast<double>(all);
    };
    rest_.*which += share(work.elsewhere);
    for (const auto& [origin, count] : work.rules) {
      const LinePlace own = lines_.line_of(origin);
      if (own.second == 0) {
        rest_.*which += share(count);
        continue;
      }
      found_[own].alone.*which += share(count);
      for (const LinePlace& line : lines_.lines_around(origin))
        found_[line].with_calls.*which += share(count);
    }
  }

  void write(const Program& program, const dsl::Sources& sources, LineProfile& into) const {
    into.rest = rest_;
    for (const bool of_author : {true, false})
      for (const auto& [place, shares] : found_) {
        if ((place.first == authors_) != of_author) continue;
        const std::string& file = program.files[place.first];
        into.lines.push_back(
            {file, place.second, text_of_line(sources, file, place.second), shares.alone, shares.with_calls});
      }
  }

private:
  struct Both {
    TimeShares alone, with_calls;
  };
  const LinesOfOrigins& lines_;
  std::uint32_t authors_; // Program::files
  std::map<LinePlace, Both> found_;
  TimeShares rest_;
};

} // namespace

tl::expected<LineProfile, std::string> profile_lines(Loaded& loaded, const Settings& settings,
                                                     const runtime::ProfileOptions& options) {
  std::vector<std::uint32_t> callers;
  const auto rules = with_callers(loaded, settings, callers);
  if (rules == nullptr) return tl::unexpected<std::string>("the rules can't be made again");
  const auto found = runtime::profile(rules, options);
  if (!found) return tl::unexpected(found.error());

  const Program& program = rules->program();
  const std::string& file = loaded.sources.name(loaded.file->file);
  const auto authors = std::find(program.files.begin(), program.files.end(), file) - program.files.begin();
  const LinesOfOrigins lines(program, callers, file);
  Adding adding(lines, static_cast<std::uint32_t>(authors));
  adding.add(found->listing, &TimeShares::listing);
  adding.add(found->playing, &TimeShares::playing);
  if (found->searching) adding.add(*found->searching, &TimeShares::searching);
  LineProfile profile;
  profile.listing = found->listing.samples();
  profile.playing = found->playing.samples();
  profile.searched = found->searching.has_value();
  profile.searching = profile.searched ? found->searching->samples() : 0;
  profile.stopped = found->stopped;
  adding.write(program, loaded.sources, profile);
  return profile;
}

} // namespace boardwright::interpreter
