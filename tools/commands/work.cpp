#include "tools/commands/work.hpp"

#include "tools/console/child_process.hpp"
#include "tools/console/text_file.hpp"
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
    for (const Unit& unit : units_of(work.plan)) jobs.push_back({work.variant, unit});
  return jobs;
}

// A line for each unit that has no file: `boardwright evaluate … --shard 7/40` does the seventh alone.
std::string lines_of_missing(const std::vector<Work>& works, const std::string& folder) {
  std::error_code error;
  const std::string program = fs::read_symlink("/proc/self/exe", error).string();
  std::string lines;
  for (const Work& work : works) {
    const std::vector<Unit> units = units_of(work.plan);
    const std::string command =
        evaluate_command({work.variant->reference, work.variant->settings, ""}, work.plan, folder);
    for (std::size_t k = 0; k < units.size(); ++k)
      if (!fs::exists(fs::path(folder) / unit_file_name(unit_json(*work.variant, units[k])), error))
        lines += fmt::format("{} {} --shard {}/{} --quiet\n", shell_word(program),
                             command.substr(command.find(' ') + 1), k + 1, units.size());
  }
  return lines;
}

// `4`: so many workers here; else hosts as GNU parallel takes them in --sshlogin.
std::string parallel_command(const std::string& hosts, const std::string& list) {
  const bool here = hosts.find_first_not_of("0123456789") == std::string::npos;
  std::error_code error;
  return fmt::format("exec parallel --will-cite --retries {} {} < {} 2>&1", kTries,
                     here ? "--jobs " + hosts
                          : fmt::format("--sshlogin {} --workdir {}", shell_word(hosts),
                                        shell_word(fs::current_path(error).string())),
                     shell_word(list));
}

// Whatever goes wrong is told, and no more: what is missing afterwards is done here.
void hand_over(const std::vector<Work>& works, const WorkOptions& options, Console& console) {
  const std::string lines = lines_of_missing(works, options.folder);
  if (lines.empty()) return;
  const std::string list = (fs::path(options.folder) / fmt::format("{}.jobs", getpid())).string();
  const std::string hosts = options.on.substr(options.on.find(':') + 1);
  if (const auto written = write_text_file(list, lines); !written) return console.error(written.error());
  if (auto child = ChildProcess::start(parallel_command(hosts, list))) {
    std::string line;
    console.progress("GNU parallel is at work");
    for (;;) {
      const auto heard = (*child)->hear(line, std::nullopt, &interrupted());
      if (heard == ChildProcess::Heard::line)
        console.note(fmt::format("parallel: {}\n", quotable(line, 200)));
      if (heard == ChildProcess::Heard::end || heard == ChildProcess::Heard::stop) break;
    }
  } else {
    console.error(child.error());
  }
  std::error_code error;
  fs::remove(list, error);
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
    if (!options.on.empty()) hand_over(works, options, console);
  }
  WorkDone done;
  done.run = run_units(jobs, choice_of(options, kept, console));
  console.clear_progress();
  std::size_t next = 0;
  for (const Work& work : works) {
    auto& results = done.results.emplace_back();
    for (std::size_t k = units_of(work.plan).size(); k > 0; --k)
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

std::string evaluate_command(const GameChoice& game, const EvaluationPlan& plan, const std::string& folder) {
  std::string text = "boardwright evaluate " + shell_word(game.reference);
  for (const auto& [name, value] : game.settings) text += " --set " + shell_word(name + "=" + value);
  return text + plan_words(plan) + " --units " + shell_word(folder);
}

} // namespace boardwright::tools
