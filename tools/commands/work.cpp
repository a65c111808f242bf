#include "tools/commands/work.hpp"

#include "tools/console/child_process.hpp"
#include "tools/console/text_file.hpp"
#include "tools/evaluate/game_units.hpp"
#include "tools/evaluate/unit_files.hpp"
#include "tools/evaluate/unit_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace boardwright::tools {
namespace {

namespace fs = std::filesystem;

// A worker that was killed has its unit done again so many times; what is missing then is done here.
constexpr int kTries = 3;

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

// An array of jobs, each of which does every N-th line of the list; sbatch waits until all have ended.
std::string slurm_command(const std::string& options, const std::string& list, std::size_t lines) {
  constexpr std::size_t kMostTasks = 1000; // Slurm's own limit is one more, where nobody has changed it
  const std::size_t tasks = std::min(lines, kMostTasks);
  const std::string task =
      fmt::format("awk -v task=\"$SLURM_ARRAY_TASK_ID\" 'NR % {} == task' {} | sh", tasks, shell_word(list));
  return fmt::format(
      "exec sbatch --wait --requeue --array=0-{} --output=/dev/null --wrap {} {} 2>&1 </dev/null", tasks - 1,
      shell_word(task), options);
}

// Shows what a scheduler says until it ends, or until somebody has had enough.
void follow(const std::string& name, const std::string& command, Console& console) {
  auto child = ChildProcess::start(command);
  if (!child) return console.error(child.error());
  std::string line;
  console.progress(name + " is at work");
  for (;;) {
    const auto heard = (*child)->hear(line, std::nullopt, &interrupted());
    if (heard == ChildProcess::Heard::line) console.note(fmt::format("{}: {}\n", name, quotable(line, 200)));
    if (heard == ChildProcess::Heard::end || heard == ChildProcess::Heard::stop) return;
  }
}

// Whatever goes wrong is told, and no more: what is missing afterwards is done here. A status ends it.
std::optional<Exit> hand_over(const std::vector<Work>& works, const WorkOptions& options, Console& console) {
  std::vector<std::string> lines = lines_of_missing(works, options.folder);
  const std::string where = options.on.substr(0, options.on.find(':'));
  const std::string what = where == options.on ? "" : options.on.substr(where.size() + 1);
  const std::string list =
      where == "list" ? what : (fs::path(options.folder) / fmt::format("{}.jobs", getpid())).string();
  if (lines.empty() && where != "list") return std::nullopt;
  // Where one shell reads several lines none of them may end it; GNU parallel has a shell for each.
  if (where != "parallel")
    for (std::string& line : lines) line = fmt::format("({})", line);
  const std::string text = lines.empty() ? "" : fmt::format("{}\n", fmt::join(lines, "\n"));
  if (const auto written = write_text_file(list, text); !written) {
    console.error(written.error());
    return Exit::files;
  }
  if (where == "list" && lines.empty()) return std::nullopt;
  if (where == "list") {
    console.out(fmt::format("{} pieces of work are to be done: see {}\n", lines.size(), printable(list)));
    return Exit::good;
  }
  if (where == "slurm") follow("Slurm", slurm_command(what, list, lines.size()), console);
  if (where == "parallel") follow("GNU parallel", parallel_command(what, list), console);
  std::error_code error;
  fs::remove(list, error);
  return std::nullopt;
}

RunChoice choice_of(const WorkOptions& options, UnitStore* kept, Console& console) {
  RunChoice choice;
  choice.threads = options.threads;
  choice.folder = options.folder;
  choice.shard = options.shard - 1;
  choice.shards = options.shards;
  choice.stop = &interrupted();
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
  done.run = run_units(jobs, choice_of(options, kept, console));
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
