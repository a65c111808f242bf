// sweep: which of many variants is best?
#include "tools/commands/evaluate.hpp"
#include "tools/commands/work.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>

namespace boardwright::tools {
namespace {

// With --until no variant gets more games of each strength than so many times what it begins with.
constexpr std::uint64_t kMostRounds = 64;

using Variants = std::deque<Variant>;

tl::expected<Variants, Exit> open_all(const SweepOptions& options, Console& console) {
  Variants variants;
  const auto combinations = combinations_of(options.axes);
  for (const std::string& game : options.games)
    for (const interpreter::Settings& settings : combinations) {
      auto variant = open_variant({game, settings, ""}, console);
      if (!variant) return tl::unexpected(variant.error());
      variants.push_back(std::move(*variant));
    }
  return variants;
}

// A variant with its plan, to which games may be added.
struct SweepCell {
  const Variant* variant = nullptr;
  EvaluationPlan plan;
};

// Runs the work once, or again with twice as many games for those that aren't known well enough.
tl::expected<WorkDone, Exit> do_rounds(const SweepOptions& options, std::vector<SweepCell>& cells,
                                       const std::string& command, Console& console) {
  UnitStore kept;
  for (;;) {
    std::vector<Work> works;
    for (const SweepCell& cell : cells)
      works.push_back(evaluation_work(*cell.variant, cell.plan, options.work));
    auto done = do_work(works, options.work, command, options.until ? &kept : nullptr, console);
    if (!done || !options.until || done->run.stopped || done->run.fault || !done->run.unwritten.empty())
      return done;
    bool more = false;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const Evaluation evaluation = evaluate(*cells[k].variant, cells[k].plan, done->results[k]);
      if (half_width(options.wishes, evaluation) <= *options.until ||
          cells[k].plan.games >= kMostRounds * options.plan.games)
        continue;
      cells[k].plan.games *= 2;
      more = true;
    }
    if (!more) return done;
  }
}

std::string command_of(const SweepOptions& options) {
  std::string text = "boardwright sweep";
  for (const std::string& game : options.games) text += " " + shell_word(game);
  for (const SweepAxis& axis : options.axes)
    text += " --set " + shell_word(fmt::format("{}={}", axis.option, fmt::join(axis.values, ",")));
  text += plan_words(options.plan);
  if (options.until) text += fmt::format(" --until {:g}%", 100 * *options.until);
  if (!options.wanted.empty()) text += " --want " + shell_word(options.wanted);
  return text + " --units DIR";
}

Sweep sweep_of(const SweepOptions& options, const std::vector<SweepCell>& cells, const WorkDone& done) {
  Sweep sweep{options.games, options.axes, options.wanted, options.wishes, {}, done.run.stopped};
  for (std::size_t k = 0; k < cells.size(); ++k) {
    Evaluation evaluation = evaluate(*cells[k].variant, cells[k].plan, done.results[k]);
    const Fulfilment fulfilment = fulfilment_of(options.wishes, evaluation);
    sweep.variants.push_back(
        {cells[k].variant->reference, cells[k].variant->settings, std::move(evaluation), fulfilment});
  }
  return sweep;
}

std::string answer_of_sweep(const SweepOptions& options, const Sweep& sweep) {
  if (options.html == "-") return sweep_page(sweep);
  return options.json ? to_document(sweep_json(sweep)) : options.csv ? sweep_csv(sweep) : sweep_text(sweep);
}

} // namespace

Exit sweep_games(const SweepOptions& options, Console& console) {
  watch_for_ends();
  const bool writes = !options.html.empty() && options.html != "-";
  if (const auto can = writes ? can_write(options.html) : tl::expected<void, std::string>(); !can) {
    console.error(can.error());
    return Exit::files;
  }
  const auto variants = open_all(options, console);
  if (!variants) return variants.error();
  std::vector<SweepCell> cells;
  for (const Variant& variant : *variants) cells.push_back({&variant, options.plan});
  const auto done = do_rounds(options, cells, command_of(options), console);
  if (!done) return done.error();
  if (answers_in_parts(*done, options.work)) {
    console.out(shard_text(*done, options.work));
    return report_work(*done, console);
  }
  const Sweep sweep = sweep_of(options, cells, *done);
  console.out(answer_of_sweep(options, sweep));
  if (const auto written =
          writes ? write_text_file(options.html, sweep_page(sweep)) : tl::expected<void, std::string>();
      !written) {
    console.error(written.error());
    return Exit::files;
  }
  return report_work(*done, console);
}

} // namespace boardwright::tools
