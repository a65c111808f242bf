// check: parses and compiles rule files and runs their tests.
#include "dsl/finder.hpp"
#include "interpreter/examine.hpp"
#include "interpreter/lints/table.hpp"
#include "interpreter/load_with_readings.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/game/thread_group.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/given_up.hpp"
#include "tools/console/text_file.hpp"
#include "tools/console/watch.hpp"
#include "tools/lsp/recovered.hpp"
#include "tools/reports/check_report.hpp"
#include "tools/reports/coverage_report.hpp"
#include "tools/reports/failed_test.hpp"
#include "tools/reports/profile_report.hpp"
#include "tools/reports/update_tests.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

namespace boardwright::tools {
namespace {

// How `check` tells what it found: for people, as data, for code hosts, for build servers, for editors.
enum class CheckFormat : std::uint8_t { text, json, sarif, junit, line };
struct CheckOptions {
  std::vector<std::string> files; // "-": standard input
  interpreter::Settings settings;
  std::string name = "<stdin>"; // of the file that is read from standard input
  bool tests = true;
  bool games = true;                             // also plays random games
  std::vector<interpreter::LevelSetting> levels; // of lints
  std::uint64_t seed = 1;                        // of the random games
  std::uint64_t effort = 1;                      // so many times as many of them
  int jobs = 0;              // files that are checked at a time; 0: as many as there are processors
  bool coverage = false;     // how often each part of the rules came into play
  std::string coverage_html; // the same as a page, in this file
  bool slow = false;         // what each line of the rules takes of the time
  bool update = false;       // writes what tests without expectations find
  bool watch = false;        // checks again whenever a file changes
  CheckFormat format = CheckFormat::text;
};

using interpreter::Loaded;
using interpreter::TestResult;
using interpreter::TestRun;

const std::string kStandardInput = "-";

std::string mark(bool good, bool color) {
  if (!color) return good ? "ok    " : "FAILED";
  return good ? "\x1b[32mok\x1b[0m    " : "\x1b[1;31mFAILED\x1b[0m";
}

std::string test_line(const TestResult& result, bool color) {
  return fmt::format("  {}  {}\n", mark(result.passed, color), printable(result.name));
}

std::size_t failures(const TestRun& run) {
  return static_cast<std::size_t>(std::count_if(run.results.begin(), run.results.end(),
                                                [](const TestResult& result) { return !result.passed; }));
}

std::string tests_summary(const TestRun& run) {
  if (run.results.empty()) return "no tests";
  const std::size_t failed = failures(run), all = run.results.size();
  const std::string tests = all == 1 ? "1 test" : fmt::format("{} tests", all);
  return failed == 0 ? tests + ", passed" : fmt::format("{}, {} failed", tests, failed);
}

// What was told of the file when it was loaded, and what was found in it.
std::string findings_summary(const Checked& checked) {
  std::string text;
  for (const auto severity : {dsl::Severity::error, dsl::Severity::warning, dsl::Severity::note}) {
    std::ptrdiff_t count = 0;
    for (const dsl::Diagnostics* told : {&checked.loaded.diagnostics, &checked.findings})
      count += std::count_if(told->all().begin(), told->all().end(),
                             [&](const dsl::Diagnostic& d) { return d.severity == severity; });
    if (count > 0) text += fmt::format(", {} {}{}", count, name_of(severity), count == 1 ? "" : "s");
  }
  return text;
}

// How much was looked at. With this seed random games show the same again.
std::string games_text(const Checked& checked, const CheckOptions& options) {
  if (!checked.looked) return "";
  return fmt::format("; {} (seed {})", looked_text(*checked.looked), options.seed);
}

std::string verdict(const Checked& checked, const CheckOptions& options) {
  switch (checked.exit) {
  case Exit::interrupted: return "interrupted";
  case Exit::files: return "can't be read";
  default: break;
  }
  if (!checked.loaded) return "does not load";
  const std::string tests = options.tests ? tests_summary(checked.run) : "loads";
  return tests + findings_summary(checked) + games_text(checked, options);
}

// What a check has to say: at once, or, where several files are checked at a time, when it is this one's
// turn.
class Saying {
public:
  Saying(Console& console, bool at_once) : console_(console), at_once_(at_once) {}

  void out(std::string text) { say(&Console::out, std::move(text)); }
  void note(std::string text) { say(&Console::note, std::move(text)); }
  void error(std::string text) { say(&Console::error, std::move(text)); }
  void flush() {
    if (at_once_) console_.flush();
  }
  void progress(const std::string& line) {
    if (at_once_) console_.progress(line);
  }
  [[nodiscard]] bool color_out() const { return console_.color_out(); }
  [[nodiscard]] bool color_err() const { return console_.color_err(); }

  void say_all() {
    for (const auto& [how, text] : kept_) (console_.*how)(text);
    kept_.clear();
    console_.flush();
  }

private:
  using How = void (Console::*)(std::string_view);
  void say(How how, std::string text) {
    if (at_once_) return (console_.*how)(text);
    kept_.emplace_back(how, std::move(text));
  }

  Console& console_;
  bool at_once_;
  std::vector<std::pair<How, std::string>> kept_;
};

bool is_unreadable(const dsl::Diagnostic& d) { return d.code.name() == "syntax" || d.code.name() == "yaml"; }

dsl::Diagnostics unreadable_alone(const dsl::Diagnostics& all) {
  dsl::Diagnostics kept;
  for (const dsl::Diagnostic& d : all.all())
    if (is_unreadable(d)) kept.error(d.code, d.span, d.message) = d;
  return kept;
}

// A file that is no YAML is read without the parts that are none, a rule with a syntax error by its steps, so
// that what is wrong elsewhere is told too: all of it, or where much may follow from what is missing, what
// can't be read.
void read_by_parts(const std::string& reference, const dsl::FileFinder& find, Loaded& loaded) {
  const auto& told = loaded.diagnostics.all();
  const auto found = find(reference, "");
  if (std::none_of(told.begin(), told.end(), is_unreadable) || !found || loaded.bad_setting) return;
  ReadableParts never; // there is no earlier state that anything could be taken from
  runtime::on_large_stack([&] {
    const auto parts = tools::checked(reference, found->text, never, find);
    if (!parts->file || !parts->diagnostics.has_errors()) return;
    loaded = *parts;
    if (!are_others_known(found->text)) loaded.diagnostics = unreadable_alone(parts->diagnostics);
    loaded.sources = {}; // with the file as it is, for what is quoted of it
    for (dsl::FileId file = 0; file < parts->sources.size(); ++file)
      static_cast<void>(loaded.sources.add(
          parts->sources.name(file), file == loaded.file->file ? found->text : parts->sources.text(file)));
  });
}

class Checking {
public:
  Checking(const CheckOptions& options, Saying& console) : options_(options), console_(console) {}

  Checked file(const std::string& argument) {
    const std::string reference = argument == kStandardInput ? options_.name : argument;
    Checked checked;
    checked.file = reference;
    const auto find = finder_for(argument);
    if (!find) {
      console_.error(find.error());
      checked.exit = Exit::files;
      return checked;
    }
    // What one file takes is the same whichever others there are.
    runtime::Meter meter(runtime::kMaxCommandSteps * std::max<std::uint64_t>(options_.effort, 1),
                         &interrupted());
    const runtime::Meter::Use use(&meter);
    interpreter::Readings readings;
    interpreter::load_with_readings(checked.loaded, readings, reference, options_.settings, *find);
    read_by_parts(reference, *find, checked.loaded);
    checked.exit = loaded(reference, checked.loaded);
    if (checked.loaded && options_.tests) checked.exit = tests(reference, *find, checked);
    if (checked.loaded && !interrupted()) examine(checked, readings);
    if (checked.loaded && !interrupted()) cover(reference, *find, checked);
    if (checked.loaded && !interrupted() && options_.slow) time_lines(reference, checked);
    if (is_text()) console_.out(fmt::format("{}: {}\n", printable(reference), verdict(checked, options_)));
    if (meter.is_spent() && options_.format != CheckFormat::line)
      console_.note(fmt::format("{}: {}", printable(reference), given_up("`--effort 10` looks at more")));
    if (options_.format == CheckFormat::line) console_.out(finding_lines(checked));
    console_.flush(); // with --watch, or if there are many files, somebody waits for it
    return checked;
  }

private:
  [[nodiscard]] bool is_text() const { return options_.format == CheckFormat::text; }

  // Diagnostics for people; as lines they are what the command answers.
  void note(const dsl::Diagnostics& diagnostics, const dsl::Sources& sources) {
    if (options_.format != CheckFormat::line && !diagnostics.all().empty())
      console_.note(dsl::render(diagnostics, sources, console_.color_err()));
  }

  [[nodiscard]] tl::expected<dsl::FileFinder, std::string> finder_for(const std::string& argument) const {
    if (argument != kStandardInput) return dsl::standard_finder();
    auto text = read_text_file(argument, dsl::kMaxFileBytes);
    if (!text) return tl::unexpected(text.error());
    return dsl::finder_with(options_.name, std::move(*text));
  }

  Exit loaded(const std::string& reference, const Loaded& loaded) {
    if (loaded.not_found) {
      console_.error(why_not_found(reference));
      return Exit::files;
    }
    note(loaded.diagnostics, loaded.sources);
    if (loaded) return Exit::good;
    return loaded.bad_setting ? Exit::usage : Exit::at_fault;
  }

  Exit tests(const std::string& reference, const dsl::FileFinder& find, Checked& checked) {
    interpreter::TestRunOptions run;
    run.stop = &interrupted();
    run.progress = [this, &sources = checked.loaded.sources](const TestResult& result) {
      if (!is_text()) return console_.progress(printable(result.name));
      console_.out(test_line(result, console_.color_out()) +
                   dsl::render(result.diagnostics, sources, console_.color_out()) + result.details);
      console_.flush();
    };
    run.describe = [this, &reference](const interpreter::FailedPosition& failed) {
      return failed_position_text(failed, reference, is_text() && console_.color_out());
    };
    checked.run = interpreter::run_tests(checked.loaded, reference, options_.settings, find, run);
    if (!is_text()) note(checked.run.diagnostics, checked.loaded.sources);
    if (checked.run.stopped) return Exit::interrupted;
    return failures(checked.run) > 0 || checked.run.diagnostics.has_errors() ? Exit::at_fault : Exit::good;
  }

  // Tells what may be wrong with a file that loads.
  void examine(Checked& checked, const interpreter::Readings& readings) {
    auto examined = interpreter::examine(
        checked.loaded, options_.settings,
        {options_.levels, options_.games, options_.effort, options_.seed, &interrupted(), &readings});
    checked.findings = std::move(examined.findings);
    checked.looked = examined.looked;
    note(checked.findings, checked.loaded.sources);
    if (checked.findings.has_errors()) checked.exit = std::max(checked.exit, Exit::at_fault);
  }

  void cover(const std::string& reference, const dsl::FileFinder& find, Checked& checked) {
    if (!options_.coverage && options_.coverage_html.empty()) return;
    checked.coverage =
        interpreter::coverage_of(checked.loaded, reference, options_.settings, find,
                                 {options_.tests, options_.games, options_.seed, &interrupted()});
    if (is_text() && options_.coverage)
      console_.out(coverage_text(*checked.coverage, checked.loaded.sources));
  }

  // Asked for what it can't tell, the check is as good as without.
  void time_lines(const std::string& reference, Checked& checked) {
    runtime::ProfileOptions profile;
    profile.seconds = kProfileSeconds;
    profile.seed = options_.seed;
    profile.stop = &interrupted();
    auto found = interpreter::profile_lines(checked.loaded, options_.settings, profile);
    if (!found) return console_.note(fmt::format("{}: --slow: {}\n", printable(reference), found.error()));
    if (found->stopped) return;
    checked.profile = std::move(*found);
    if (is_text()) console_.out(profile_text(*checked.profile));
  }

  static constexpr double kProfileSeconds = 0.5; // CPU time of each kind of work

  const CheckOptions& options_;
  Saying& console_;
};

// The page with what is covered; the status with its writing.
Exit write_coverage(const CheckOptions& options, const std::vector<Checked>& files, Console& console) {
  if (options.coverage_html.empty()) return Exit::good;
  std::vector<CoveredFile> covered;
  for (const Checked& checked : files)
    if (checked.coverage) covered.push_back({checked.file, &checked.loaded.sources, &*checked.coverage});
  const auto written = write_text_file(options.coverage_html, coverage_page(covered));
  if (written) return Exit::good;
  console.error(written.error());
  return Exit::files;
}

void write_report(const CheckOptions& options, const std::vector<Checked>& files, Exit worst,
                  Console& console) {
  const auto games_seed = options.games ? std::optional(options.seed) : std::nullopt;
  switch (options.format) {
  case CheckFormat::json: return console.out(to_document(json_report(files, worst, games_seed)));
  case CheckFormat::sarif: return console.out(to_document(sarif_report(files, worst)));
  case CheckFormat::junit: return console.out(junit_report(files));
  case CheckFormat::text: break;
  case CheckFormat::line: return; // each file's lines are out already
  }
  std::vector<dsl::Diagnostics> told;
  for (const Checked& checked : files)
    if (!checked.loaded.not_found)
      for (const auto* part : {&checked.loaded.diagnostics, &checked.findings}) told.push_back(*part);
  console.note(explain_hint(told));
}

void one_by_one(const CheckOptions& options, std::vector<Checked>& files, Console& console) {
  Saying saying(console, true);
  for (const std::string& argument : options.files) {
    if (console.failed() || interrupted()) return;
    files.push_back(Checking(options, saying).file(argument));
  }
}

// Several files at a time, told in their order: the same as one by one.
void side_by_side(const CheckOptions& options, std::size_t jobs, std::vector<Checked>& files,
                  Console& console) {
  struct Place { // of a file
    explicit Place(Console& console) : saying(console, false) {}
    Saying saying;
    Checked checked;
    bool done = false;
  };
  std::deque<Place> places;
  for (std::size_t i = 0; i < options.files.size(); ++i) places.emplace_back(console);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::condition_variable one_is_done;
  const auto work = [&] {
    for (std::size_t i; !stop && !interrupted() && (i = next++) < places.size();) {
      Checked checked = Checking(options, places[i].saying).file(options.files[i]);
      const std::lock_guard lock(mutex);
      places[i].checked = std::move(checked);
      places[i].done = true;
      one_is_done.notify_one();
    }
  };
  runtime::ThreadGroup workers([&stop] { stop = true; });
  bool any = false;
  for (std::size_t i = 0; i < jobs && workers.start(work); ++i) any = true;
  if (!any) work(); // the system gives no threads
  for (Place& place : places) {
    std::unique_lock lock(mutex);
    while (!place.done && !stop && !interrupted()) one_is_done.wait_for(lock, std::chrono::milliseconds(100));
    if (!place.done || console.failed()) break;
    place.saying.say_all();
    files.push_back(std::move(place.checked));
  }
  stop = true;
  workers.join();
}

// Checks all files and reports; `files` is what was found.
Exit check_once(const CheckOptions& options, std::vector<Checked>& files, Console& console) {
  const auto processors = std::max(std::thread::hardware_concurrency(), 1U);
  const std::size_t jobs = options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : processors;
  if (jobs == 1 || options.files.size() < 2 || options.slow) // a process has one timer for profiles
    one_by_one(options, files, console);
  else
    side_by_side(options, std::min(jobs, options.files.size()), files, console);
  Exit worst = Exit::good;
  for (const Checked& checked : files)
    worst = std::max(worst, checked.exit); // the gravest of several: statuses rise with what they mean
  worst = std::max(worst, write_coverage(options, files, console));
  if (interrupted()) worst = Exit::interrupted;
  write_report(options, files, worst, console);
  return worst;
}

// --- watching

// The files of the disk that a check read, or would read if they were there.
std::set<std::string> files_read(const CheckOptions& options, const std::vector<Checked>& checked) {
  std::set<std::string> paths(options.files.begin(), options.files.end());
  std::error_code error;
  for (const Checked& one : checked)
    for (dsl::FileId id = 0; id < one.loaded.sources.size(); ++id)
      if (const std::string& name = one.loaded.sources.name(id); std::filesystem::exists(name, error))
        paths.insert(name);
  return paths;
}

// Files that were known before keep the stamp of then: who saves while a check runs starts another.
std::vector<WatchedFile> watched(const std::set<std::string>& paths, const std::vector<WatchedFile>& before) {
  std::vector<WatchedFile> files;
  for (const std::string& path : paths) {
    const auto known = std::find_if(before.begin(), before.end(),
                                    [&](const WatchedFile& file) { return file.path == path; });
    files.push_back({path, known == before.end() ? stamp_of(path) : known->stamp});
  }
  return files;
}

Exit check_and_watch(const CheckOptions& options, Console& console) {
  std::set<std::string> paths = files_read(options, {});
  while (true) {
    const std::vector<WatchedFile> before = watched(paths, {});
    std::vector<Checked> files;
    if (check_once(options, files, console) == Exit::interrupted) return Exit::interrupted;
    paths.merge(files_read(options, files));
    console.note("waiting for changes; Ctrl-C ends\n");
    const std::vector<std::string> changed = wait_for_change(watched(paths, before));
    if (changed.empty() || console.failed()) return Exit::interrupted;
    for (const std::string& path : changed) console.note(fmt::format("\n{} has changed\n", printable(path)));
  }
}

std::string misuse(const CheckOptions& options) {
  const auto inputs = std::count(options.files.begin(), options.files.end(), kStandardInput);
  if (inputs > 1) return "standard input, `-`, can be read only once";
  if (inputs == 1 && options.watch) return "--watch: standard input, `-`, can't be read again";
  if (inputs == 1 && options.update) return "--update: standard input, `-`, can't be written to";
  if (options.update && options.watch) return "--update: not with --watch, which reads what is written";
  if (options.update && !options.settings.empty())
    return "--update: not with --set, since tests hold without it; `set:` in a test is taken into account";
  if (inputs == 0 && options.name != CheckOptions().name)
    return "--name: it names the file that is read from standard input, so `-` must be given";
  const bool has_room = options.format == CheckFormat::text || options.format == CheckFormat::json;
  if (options.coverage && !has_room)
    return "--coverage: this format has no room for it; take text or json, or --coverage-html";
  if (options.slow && !has_room) return "--slow: this format has no room for it; take text or json";
  return "";
}

Exit check(const CheckOptions& options, Console& console) {
  if (const std::string message = misuse(options); !message.empty()) {
    console.error(message);
    return Exit::usage;
  }
  if (options.watch) return check_and_watch(options, console);
  Exit updated = Exit::good;
  for (const std::string& path : options.files)
    if (options.update && !interrupted()) updated = std::max(updated, update_tests(path, console));
  if (updated != Exit::good) return updated;
  std::vector<Checked> files;
  return check_once(options, files, console);
}

interpreter::LevelSetting parse_level(const std::string& lint, interpreter::LintLevel level) {
  if (!interpreter::is_lint_or_group(lint))
    throw CLI::ValidationError("--allow, --warn, --deny",
                               fmt::format("there is no lint `{}`", printable(lint)));
  return {lint, level};
}

void add_levels(CLI::App& command, std::vector<interpreter::LevelSetting>& levels) {
  using interpreter::LintLevel;
  const auto add = [&](const char* flag, LintLevel level, const char* help) {
    command
        .add_option_function<std::vector<std::string>>(
            flag,
            [&levels, level](const std::vector<std::string>& lints) {
              for (const std::string& lint : lints) levels.push_back(parse_level(lint, level));
            },
            help)
        ->type_name("LINT")
        ->allow_extra_args(false)
        ->trigger_on_parse();
  };
  add("--allow", LintLevel::allow, "Doesn't tell findings of this name");
  add("--warn", LintLevel::warn, "Tells them as warnings");
  add("--deny", LintLevel::deny, "Tells them as errors; `warnings` and `all` stand for many");
}

const std::vector<std::pair<std::string, CheckFormat>>& check_formats() {
  static const std::vector<std::pair<std::string, CheckFormat>> kFormats = {{"text", CheckFormat::text},
                                                                            {"json", CheckFormat::json},
                                                                            {"sarif", CheckFormat::sarif},
                                                                            {"junit", CheckFormat::junit},
                                                                            {"line", CheckFormat::line}};
  return kFormats;
}

CheckFormat parse_format(const std::string& text) {
  for (const auto& [name, format] : check_formats())
    if (name == text) return format;
  throw CLI::ValidationError(
      "--format", fmt::format("`{}` is none of text, json, sarif, junit and line", printable(text)));
}

void add_format(CLI::App& app, CheckFormat& format) {
  CLI::Option* option =
      app.add_option_function<std::string>(
             "--format", [&format](const std::string& text) { format = parse_format(text); },
             "How findings are told: text, for people; json; sarif (2.1.0), for code hosts; junit, XML for "
             "build servers; line, one line a finding, for editors")
          ->type_name("FORMAT");
  app.add_flag_callback(
         "--json", [&format] { format = CheckFormat::json; }, "The same as --format json")
      ->excludes(option);
}

} // namespace

void declare_check(CommandLine& line) {
  auto& options = line.options<CheckOptions>();
  CLI::App& command = line.add("check", "Checks rule files and runs the tests in them",
                               "  boardwright check mygame.yaml\n"
                               "  boardwright check *.yaml --no-tests --json\n"
                               "  boardwright check mygame.yaml --watch\n"
                               "  boardwright check mygame.yaml --coverage\n"
                               "  boardwright check mygame.yaml --coverage-html coverage.html\n"
                               "  boardwright check mygame.yaml --update\n"
                               "  boardwright check - --name mygame.yaml --format line < mygame.yaml\n"
                               "  boardwright check games/*.yaml --format sarif > findings.sarif");
  by_title(
      command.add_option("FILE", options.files, "Rule files, names of known games, or - for standard input"))
      ->required()
      ->type_name("");
  add_settings(command, options.settings);
  command
      .add_option("--name", options.name,
                  "What messages call the file from standard input; what it extends is looked for beside it")
      ->type_name("PATH");
  command.add_flag_callback(
      "--no-tests", [&options] { options.tests = false; }, "Doesn't run the files' tests");
  command.add_flag_callback(
      "--no-games", [&options] { options.games = false; }, "Plays no random games");
  add_levels(command, options.levels);
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Seed of the random games (1)");
  add_number<std::uint64_t>(command, "--effort", options.effort, 1, interpreter::kMostEffort,
                            "Plays and looks at so many times as many random games (1)");
  add_number(command, "--jobs", options.jobs, 1, kMaxThreads,
             "How many files are checked at a time; what is told is the same (all processors)");
  command.add_flag(
      "--coverage", options.coverage,
      "Tells how often each alternative, condition and line of `end` held and failed in tests and "
      "random games, and what no test reaches");
  command.add_option("--coverage-html", options.coverage_html, "The same as a page for a browser")
      ->type_name("PATH");
  command.add_flag("--slow", options.slow,
                   "Tells what each line of the rules takes of the CPU time, as `inspect --profile` does");
  command.add_flag("--update", options.update,
                   "First writes moves and counts into those tests of the file that expect nothing yet");
  command.add_flag("--watch", options.watch, "Checks again when a file changes, until Ctrl-C");
  add_format(command, options.format);
  line.choices["check FILE"] = line.choices["GAME"];
  ValueChoice& lints = line.choices["LINT"];
  lints.words = {"all", "warnings"};
  for (const auto& lint : interpreter::kLints) lints.words.emplace_back(lint.name);
  for (const auto& format : check_formats()) line.choices["FORMAT"].words.push_back(format.first);
  line.runs(command, [&options](Console& console) { return check(options, console); });
}

} // namespace boardwright::tools
