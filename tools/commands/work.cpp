#include "tools/commands/work.hpp"

#include "runtime/game/thread_group.hpp"
#include "tools/console/child_process.hpp"
#include "tools/console/text_file.hpp"
#include "tools/evaluate/game_units.hpp"
#include "tools/evaluate/unit_files.hpp"
#include "tools/evaluate/unit_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>

namespace boardwright::tools {
namespace {

namespace fs = std::filesystem;

// A worker that was killed has its unit done again so many times.
constexpr int kTries = 3;
// Of what jobs on a cluster have written the last lines are shown; the file has all.
constexpr std::size_t kShownLines = 20;

std::vector<Job> jobs_of(const std::vector<Work>& works) {
  std::vector<Job> jobs;
  for (const Work& work : works)
    for (const Unit& unit : work.units) jobs.push_back({work.variant, unit});
  return jobs;
}

bool is_done(const std::string& folder, const Json& unit) {
  const auto text = read_text_file((fs::path(folder) / unit_file_name(unit)).string(), kMostUnitBytes);
  return text && result_in(*text, unit);
}

// A line for each unit that has no file: `boardwright evaluate … --shard 7/40` does the seventh alone.
std::vector<std::string> lines_of_missing(const std::vector<Work>& works, const std::string& folder) {
  std::error_code error;
  const std::string program = shell_word(fs::read_symlink("/proc/self/exe", error).string());
  const std::string here = shell_word(fs::current_path(error).string()); // where paths begin
  std::vector<std::string> lines;
  for (const Work& work : works)
    for (std::size_t k = 0; k < work.units.size(); ++k)
      if (!is_done(folder, unit_json(*work.variant, work.units[k])))
        lines.push_back(fmt::format("cd {} && exec {} {} --shard {}/{} --quiet", here, program,
                                    work.command.substr(work.command.find(' ') + 1), k + 1,
                                    work.units.size()));
  return lines;
}

// `4`: so many workers here; else hosts as GNU parallel takes them in --sshlogin.
std::string parallel_command(const std::string& hosts, const std::string& list) {
  const bool here = hosts.find_first_not_of("0123456789") == std::string::npos;
  return fmt::format("exec parallel --will-cite --retries {} {} {} < {} 2>&1", kTries,
                     here ? "--jobs" : "--sshlogin", shell_word(hosts), shell_word(list));
}

// An array of jobs, each of which does every N-th line of the list; sbatch waits until all have ended. What
// they write goes to one file.
std::string slurm_command(const std::string& options, const std::string& list, std::size_t lines,
                          const std::string& output) {
  constexpr std::size_t kMostTasks = 1000; // Slurm's own limit is one more, where nobody has changed it
  const std::size_t tasks = std::min(lines, kMostTasks);
  const std::string task =
      fmt::format("awk -v task=\"$SLURM_ARRAY_TASK_ID\" 'NR % {} == task' {} | sh", tasks, shell_word(list));
  std::string pattern; // in the name of a file sbatch takes % for a number of the job
  for (const char c : output) pattern += c == '%' ? "%%" : std::string(1, c);
  return fmt::format("exec sbatch --wait --requeue --array=0-{} --output={} --open-mode=append --wrap {} {} "
                     "2>&1 </dev/null",
                     tasks - 1, shell_word(pattern), shell_word(task), options);
}

// A program that hands lines of shell commands to machines.
struct Scheduler {
  std::string name;    // "Slurm"
  std::string command; // that does all that is in the list, and waits for it
  std::string heard;   // file with what it says
  std::string output;  // file with what its jobs write; "": it says that itself
};

Scheduler scheduler_of(const WorkOptions& options, const std::string& list, std::size_t lines) {
  const std::string where = options.on.substr(0, options.on.find(':'));
  const std::string what = where == options.on ? "" : options.on.substr(where.size() + 1);
  std::error_code error;
  const fs::path folder = fs::absolute(options.folder, error);
  const std::string heard = (folder / (where + ".log")).string();
  if (where == "parallel") return {"GNU parallel", parallel_command(what, list), heard, ""};
  const std::string output = (folder / "slurm.jobs.log").string();
  return {"Slurm", slurm_command(what, list, lines, output), heard, output};
}

// The last lines of a file behind its first so many bytes.
void show_last_lines(const std::string& path, std::uintmax_t from, const std::string& whose,
                     Console& console) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return;
  std::ifstream file(path);
  file.seekg(static_cast<std::streamoff>(from));
  std::deque<std::string> last;
  for (std::string line; std::getline(file, line);) {
    last.push_back(line);
    if (last.size() > kShownLines) last.pop_front();
  }
  for (const std::string& line : last) console.note(fmt::format("{}: {}\n", whose, quotable(line, 200)));
}

std::uintmax_t size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = path.empty() ? 0 : fs::file_size(path, error);
  return error ? 0 : size;
}

// Shows and keeps what a scheduler says until it ends, or until somebody has had enough; how it ended.
std::string follow(const Scheduler& scheduler, Console& console) {
  auto child = ChildProcess::start(scheduler.command);
  if (!child) return child.error();
  std::ofstream kept(scheduler.heard, std::ios::app);
  const std::uintmax_t before = size_of(scheduler.output);
  std::string line, last;
  console.progress(scheduler.name + " is at work");
  for (;;) {
    const auto heard = (*child)->hear(line, std::nullopt, &interrupted());
    if (heard == ChildProcess::Heard::line) {
      kept << line << std::endl;
      console.note(fmt::format("{}: {}\n", scheduler.name, quotable(line, 200)));
      if (!line.empty()) last = line;
    }
    if (heard == ChildProcess::Heard::end || heard == ChildProcess::Heard::stop) break;
  }
  if (interrupted() && !scheduler.output.empty())
    console.note(fmt::format("{} may go on with its jobs: `squeue --me` shows them, `scancel` ends them\n",
                             scheduler.name));
  show_last_lines(scheduler.output, before, scheduler.name + "'s jobs", console);
  const std::string ending = (*child)->ending();
  return last.empty() ? ending : fmt::format("{}; its last line: {}", ending, quotable(last, 200));
}

// For a scheduler of which nothing is known but that it takes commands.
Exit write_list(std::vector<std::string> lines, const std::string& path, Console& console) {
  for (std::string& line : lines) line = fmt::format("({})", line); // none may end a shell that reads several
  if (const auto written = write_text_file(path, fmt::format("{}\n", fmt::join(lines, "\n"))); !written) {
    console.error(written.error());
    return Exit::files;
  }
  console.out(fmt::format("{} pieces of work are to be done: see {}\n", lines.size(), printable(path)));
  return Exit::good;
}

// One round of a scheduler: how it ended, unless its list can't be written.
tl::expected<std::string, Exit> hand_over_once(std::vector<std::string> lines, const WorkOptions& options,
                                               Console& console) {
  const std::string list = fs::absolute(fs::path(options.folder) / fmt::format("{}.jobs", getpid())).string();
  const Scheduler scheduler = scheduler_of(options, list, lines.size());
  // Where one shell reads several lines none of them may end it; GNU parallel has a shell for each.
  if (!scheduler.output.empty())
    for (std::string& line : lines) line = fmt::format("({})", line);
  if (const auto written = write_text_file(list, fmt::format("{}\n", fmt::join(lines, "\n"))); !written) {
    console.error(written.error());
    return tl::unexpected(Exit::files);
  }
  std::string ending = follow(scheduler, console);
  std::error_code error;
  fs::remove(list, error);
  return ending;
}

// What a scheduler leaves undone is given to it again, as long as it gets on. It is done here only where that
// was asked for: a machine from which work is sent out may be no place to do it. A status ends the command.
std::optional<Exit> hand_over(const std::vector<Work>& works, const WorkOptions& options, Console& console) {
  constexpr std::string_view kList = "list:";
  std::vector<std::string> left = lines_of_missing(works, options.folder);
  if (options.on.starts_with(kList)) {
    const std::string path = options.on.substr(kList.size());
    if (!left.empty()) return write_list(std::move(left), path, console);
    if (const auto written = write_text_file(path, ""); written) return std::nullopt;
    console.error(fmt::format("can't write {}", printable(path)));
    return Exit::files;
  }
  const std::size_t all = left.size();
  std::string ending;
  for (int round = 0; round < kTries && !left.empty() && !interrupted(); ++round) {
    const auto ended = hand_over_once(left, options, console);
    if (!ended) return ended.error();
    ending = *ended;
    const std::size_t before = left.size();
    left = lines_of_missing(works, options.folder);
    if (left.size() == before) break; // nothing was done: once more would be no better
  }
  if (left.empty() || options.or_here || interrupted()) return std::nullopt;
  const std::string name = options.on.substr(0, options.on.find(':'));
  console.error(fmt::format("{} of {} pieces of work are not done: {} {}", left.size(), all, name, ending));
  console.note(fmt::format("  | what it said is in {}; the same command goes on where it is now\n"
                           "  | nothing was done on this machine: `--on {},local` does here what is left\n",
                           printable((fs::path(options.folder) / (name + ".log")).string()),
                           printable(options.on)));
  return Exit::files;
}

// A flag that is set when the time is over, or when somebody has had enough.
class Deadline {
public:
  explicit Deadline(double seconds) {
    if (seconds <= 0) return;
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(seconds));
    timed_ = watcher_.start([this, end] { watch(end); });
  }
  ~Deadline() {
    off_ = true;
    watcher_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  [[nodiscard]] const std::atomic<bool>& flag() const { return timed_ ? flag_ : interrupted(); }

private:
  void watch(std::chrono::steady_clock::time_point end) {
    constexpr auto kLook = std::chrono::milliseconds(20);
    while (!off_ && !interrupted() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(kLook);
    flag_ = true;
  }

  bool timed_ = false;
  std::atomic<bool> flag_ = false, off_ = false;
  runtime::ThreadGroup watcher_{[this] { off_ = true; }};
};

RunChoice choice_of(const WorkOptions& options, UnitStore* kept, const std::atomic<bool>& stop,
                    Console& console) {
  RunChoice choice;
  choice.threads = options.threads;
  choice.folder = options.folder;
  choice.shard = options.shard - 1;
  choice.shards = options.shards;
  choice.stop = &stop;
  choice.kept = kept;
  choice.progress = [&console](std::size_t done, std::size_t all) {
    console.progress(fmt::format("{} of {} pieces of work", done, all));
  };
  return choice;
}

} // namespace

tl::expected<Variant, Exit> open_variant(const GameChoice& choice, Console& console) {
  auto loaded = load_game(choice, console);
  if (!loaded) return tl::unexpected(loaded.error());
  if (loaded->rules->program().players.size() >= 2)
    return Variant{choice.reference, choice.settings, std::move(*loaded)};
  console.error(fmt::format("{} has one player: it can be solved, but isn't decided between players",
                            printable(loaded->rules->program().game)));
  return tl::unexpected(Exit::at_fault);
}

tl::expected<WorkDone, Exit> do_work(const std::vector<Work>& works, const WorkOptions& options,
                                     const std::string& command, UnitStore* kept, Console& console) {
  const std::vector<Job> jobs = jobs_of(works);
  if (!options.folder.empty()) {
    if (const std::string wrong = options.quiet ? "" : write_plan(options.folder, jobs, command);
        !wrong.empty()) {
      console.error(wrong);
      return tl::unexpected(Exit::files);
    }
    if (!options.on.empty())
      if (const auto status = hand_over(works, options, console)) return tl::unexpected(*status);
  }
  WorkDone done;
  {
    const Deadline deadline(options.seconds);
    done.run = run_units(jobs, choice_of(options, kept, deadline.flag(), console));
  }
  done.out_of_time = done.run.stopped && !interrupted();
  if (done.out_of_time) done.run.stopped = false;
  console.clear_progress();
  std::size_t next = 0;
  for (const Work& work : works) {
    auto& results = done.results.emplace_back();
    for (std::size_t k = work.units.size(); k > 0; --k)
      results.push_back(std::move(done.run.results[next++]));
    done.missing += static_cast<std::size_t>(std::count(results.begin(), results.end(), std::nullopt));
  }
  return done;
}

Exit report_work(const WorkDone& done, Console& console) {
  const UnitsRun& run = done.run;
  if (!run.unwritten.empty()) {
    console.error(run.unwritten);
    return Exit::files;
  }
  if (run.fault) return report_fault(run.fault->variant->loaded.rules->program(), run.fault->fault, console);
  return run.stopped ? Exit::interrupted : Exit::good;
}

bool can_be_cut(std::uint64_t games, std::uint64_t of_unit, Console& console) {
  if (games / of_unit <= kMostUnits) return true;
  console.error(fmt::format("--units: {} games are too many to keep their results in files; {} are not",
                            grouped(games), grouped(kMostUnits * of_unit)));
  return false;
}

bool answers_in_parts(const WorkDone& done, const WorkOptions& options) {
  return options.shards > 1 ? options.quiet || done.missing > 0 : options.quiet;
}

std::string shard_text(const WorkDone& done, const WorkOptions& options) {
  return options.quiet
             ? ""
             : fmt::format(
                   "part {} of {}: {} units done, {} were there before, {} of the whole are missing yet\n",
                   options.shard, options.shards, done.run.done, done.run.found, done.missing);
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string plan_words(const EvaluationPlan& plan) {
  std::string strengths;
  for (const int strength : plan.strengths)
    strengths += (strengths.empty() ? "" : ",") + strength_name(strength);
  return fmt::format(" --games {} --strengths {} --seed {} --max-plies {}", plan.games, strengths, plan.seed,
                     plan.max_plies);
}

std::string command_of_game(const char* command, const GameChoice& game) {
  std::string text = fmt::format("boardwright {} {}", command, shell_word(game.reference));
  for (const auto& [name, value] : game.settings) text += " --set " + shell_word(name + "=" + value);
  if (!game.position.empty()) text += " --position " + shell_word(game.position);
  return text;
}

std::string evaluate_command(const GameChoice& game, const EvaluationPlan& plan, const std::string& folder) {
  return command_of_game("evaluate", game) + plan_words(plan) + " --units " + shell_word(folder);
}

Work evaluation_work(const Variant& variant, const EvaluationPlan& plan, const WorkOptions& options) {
  return {&variant, units_of(plan),
          evaluate_command({variant.reference, variant.settings, ""}, plan, options.folder)};
}

} // namespace boardwright::tools
