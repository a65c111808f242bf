// evaluate: is it a good game?
#include "tools/commands/evaluate.hpp"

#include "tools/commands/work.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"
#include "tools/evaluate/evaluation_page.hpp"
#include "tools/evaluate/evaluation_report.hpp"

#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

// From this effort on somebody plays, too, who looks at several times as many positions as the strongest
// otherwise.
constexpr std::uint64_t kStrongerFrom = 4;

EvaluationPlan plan_of_effort(const EvaluateOptions& options) {
  EvaluationPlan plan = options.plan;
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

} // namespace

Exit evaluate_game(const EvaluateOptions& options, Console& console) {
  watch_for_ends();
  const auto variant = open_variant(options.game, console);
  if (!variant) return variant.error();
  const bool writes = !options.html.empty() && options.html != "-";
  if (const auto can = writes ? can_write(options.html) : tl::expected<void, std::string>(); !can) {
    console.error(can.error());
    return Exit::files;
  }
  const EvaluationPlan plan = plan_of_effort(options);
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

} // namespace boardwright::tools
