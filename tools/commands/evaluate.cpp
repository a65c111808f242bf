// evaluate: is it a good game?
#include "runtime/model/meter.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/merge.hpp"
#include "tools/commands/plan_options.hpp"

#include "tools/commands/work.hpp"
#include "tools/console/ending.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"
#include "tools/evaluate/evaluation_page.hpp"
#include "tools/evaluate/evaluation_report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace boardwright::tools {
namespace {

struct EvaluateOptions {
  GameChoice game;
  EvaluationPlan plan;
  std::uint64_t effort = 1; // so many times as many games
  bool asked = false;       // for a number of games, a time …: else they go on for some seconds only
  WorkOptions work;
  std::string html; // a file for a page; "-": standard output, instead of the answer; "": none
  bool json = false;
  MergeOptions merge; // folders: instead of evaluating puts these together
};

// From this effort on somebody plays, too, who looks at several times as many positions as the strongest
// otherwise.
constexpr std::uint64_t kStrongerFrom = 4;

EvaluationPlan plan_of_effort(const EvaluateOptions& options, const runtime::Program& program) {
  EvaluationPlan plan = options.plan;
  plan.luck = program.chance.has_value();
  plan.secrets = program.hides();
  plan.games *= options.effort;
  if (options.effort >= kStrongerFrom && plan.strengths == EvaluationPlan{}.strengths)
    plan.strengths.push_back(7);
  return plan;
}

std::string page_of(const EvaluateOptions& options, const Evaluation& evaluation) {
  return evaluation_page(evaluation, title_of(evaluation, options.game.settings));
}

std::string answer_of(const EvaluateOptions& options, const Evaluation& evaluation) {
  if (options.html == "-") return page_of(options, evaluation);
  if (options.json) return to_document(evaluation_json(evaluation));
  return evaluation_text(evaluation, title_of(evaluation, options.game.settings));
}

tl::expected<Variant, Exit> open_to_evaluate(const GameChoice& choice, Console& console) {
  const EndingSoon while_loading;
  return open_variant(choice, console);
}

// What says how long it may go on.
bool asks_for_more(const CLI::App& command) {
  constexpr std::array kOptions{"--games", "--strengths", "--effort", "--time", "--units"};
  return std::any_of(kOptions.begin(), kOptions.end(), [&](const char* o) { return command.count(o) > 0; });
}

Exit evaluate_game(const EvaluateOptions& options, Console& console) {
  watch_for_ends();
  const auto variant = open_to_evaluate(options.game, console);
  if (!variant) return variant.error();
  if (options.asked) runtime::Meter::lift();
  const bool writes = !options.html.empty() && options.html != "-";
  if (const auto can = writes ? can_write(options.html) : tl::expected<void, std::string>(); !can) {
    console.error(can.error());
    return Exit::files;
  }
  const EvaluationPlan plan = plan_of_effort(options, variant->loaded.rules->program());
  const std::string command = evaluate_command(options.game, plan, "DIR");
  const auto done =
      do_work({evaluation_work(*variant, plan, options.work)}, options.work, command, nullptr, console);
  if (!done) return done.error();
  if (answers_in_parts(*done, options.work)) {
    console.out(shard_text(*done, options.work));
    return report_work(*done, console);
  }
  Evaluation evaluation = evaluate(*variant, plan, done->results[0]);
  evaluation.stopped = done->run.stopped;
  evaluation.gave_up = done->run.gave_up;
  if (done->out_of_time) evaluation.seconds = options.work.seconds;
  console.out(answer_of(options, evaluation));
  if (const auto written = writes ? write_text_file(options.html, page_of(options, evaluation))
                                  : tl::expected<void, std::string>();
      !written) {
    console.error(written.error());
    return Exit::files;
  }
  return report_work(*done, console);
}

void add_merging(CLI::App& command, EvaluateOptions& options) {
  CLI::Option* merge = command
                           .add_option("--merge", options.merge.folders,
                                       "Instead puts folders of --units together, of work that was done in "
                                       "parts, by any command; without --into it only says what there is")
                           ->type_name("FOLDER")
                           ->excludes("GAME");
  command.add_option("--into", options.merge.into, "Where --merge writes all units")
      ->type_name("FOLDER")
      ->needs(merge);
}

} // namespace

void declare_evaluate(CommandLine& line) {
  auto& options = line.options<EvaluateOptions>();
  CLI::App& command =
      line.add("evaluate", "Measures by games of programs whether a game is fair, deep, drawn, too short …",
               "  boardwright evaluate GAME\n  boardwright evaluate GAME --html game.html --threads 4\n"
               "  boardwright evaluate mygame.yaml --set size=7 --games 200 --json\n"
               "  boardwright evaluate GAME --strengths random,varied:2,varied:4,varied:6 --seed 7\n"
               "  boardwright evaluate GAME --units done --on 'slurm:--partition=short --time=60'\n"
               "  boardwright evaluate GAME --units one --shard 1/2      # on one machine\n"
               "  boardwright evaluate GAME --units two --shard 2/2      # on another one\n"
               "  boardwright evaluate --merge one two --into all && boardwright evaluate GAME --units all");
  add_game(command, options.game);
  command.get_option("GAME")->required(false); // --merge names none
  add_plan(command, options.plan);
  add_number<std::uint64_t>(command, "--effort", options.effort, 1, 1000,
                            "So many times as many games; from 4 on also those of a stronger player (1)");
  add_work(command, options.work);
  command
      .add_option_function<std::string>(
          "--time", [&options](const std::string& text) { options.work.seconds = parse_seconds(text); },
          "For all of it, such as 90s or 10m: what is known by then is told")
      ->type_name("SECONDS")
      ->excludes("--on")
      ->excludes("--shard");
  command
      .add_option(
          "--html", options.html,
          "Writes a page with charts, which needs nothing else; - for standard output instead of the answer")
      ->type_name("FILE");
  add_json(command, options.json);
  command.footer(
      command.get_footer() +
      "\n\nUnless --games, --strengths, --effort, --time or --units says how many games there are to be, it\n"
      "ends after some seconds and tells what the games say that were over by then.\n"
      "Ctrl-C, SIGTERM and SIGHUP end it, and it prints what is known so far (status 130). What is\n"
      "measured, and how, is told in the JSON and on the page: definition, interval, source.");
  add_merging(command, options);
  command.callback([&options, &command, &line] {
    options.asked = asks_for_more(command);
    const bool merges = !options.merge.folders.empty();
    if (options.game.reference.empty() && !merges) throw CLI::RequiredError("GAME");
    line.run([&options, merges](Console& console) {
      return merges ? merge_folders({options.merge.folders, options.merge.into, options.json}, console)
                    : evaluate_game(options, console);
    });
  });
}

} // namespace boardwright::tools
