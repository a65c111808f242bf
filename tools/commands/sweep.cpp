// sweep: which of many variants is best?
#include "tools/evaluate/sweep.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/plan_options.hpp"
#include "tools/commands/work.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>

namespace boardwright::tools {
namespace {

struct SweepOptions {
  std::vector<std::string> games;
  std::vector<SweepAxis> axes;
  EvaluationPlan plan;
  std::optional<double> until; // half of an interval: games are added until it is as narrow
  std::string wanted;
  Wishes wishes; // the same
  WorkOptions work;
  std::string html;
  bool csv = false, json = false;
};

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

void add_axes(CLI::App& command, SweepOptions& options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&options](const std::vector<std::string>& texts) {
            std::size_t variants = 1;
            for (const std::string& text : texts) {
              const auto [name, list] = parse_setting(text);
              auto values = values_in(list);
              if (!values) throw CLI::ValidationError("--set", values.error());
              variants *= values->size();
              if (variants > kMostVariants)
                throw CLI::ValidationError("--set", fmt::format("more than {} variants", kMostVariants));
              options.axes.push_back({name, std::move(*values)});
            }
          },
          "Sets an option to each of some values, such as size=7..13 or pie=true,false; several options: all "
          "combinations")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
}

void add_aims(CLI::App& command, SweepOptions& options) {
  command
      .add_option_function<std::string>(
          "--want",
          [&options](const std::string& text) {
            auto wishes = read_wishes(text);
            if (!wishes) throw CLI::ValidationError("--want", wishes.error());
            options.wishes = std::move(*wishes);
            options.wanted = text;
          },
          "What the best variant is like: 'advantage 48 .. 52 %, draws < 5 %, length 20 .. 60'")
      ->type_name("WISHES");
  command
      .add_option_function<std::string>(
          "--until",
          [&options](const std::string& text) {
            const bool percent = !text.empty() && text.back() == '%';
            options.until =
                parse_number("--until", percent ? text.substr(0, text.size() - 1) : text, 0.1, 50.0) / 100;
          },
          "Doubles the games of a variant until the shares that are wanted (else the first player's points) "
          "are "
          "known to so many per cent either way, 64 times as many games at the most")
      ->type_name("HALFWIDTH")
      ->excludes("--shard");
}

} // namespace

void declare_sweep(CommandLine& line) {
  auto& options = line.options<SweepOptions>();
  options.plan.games = 40;
  options.plan.strengths = {0, 1, 3};
  CLI::App& command = line.add(
      "sweep", "Evaluates variants of a game, by options and files, and finds the best one",
      "  boardwright sweep GAME --set size=7..13 --set pie=true,false\n"
      "  boardwright sweep GAME --set size=5..9 --want 'advantage 48 .. 52 %, draws < 5 %' --until 5%\n"
      "  boardwright sweep one.yaml two.yaml --games 200 --csv > variants.csv\n"
      "  boardwright sweep GAME --set size=7..13 --units done --on parallel:4 --html sweep.html\n"
      "  boardwright sweep GAME --set size=7..13 --units done --on slurm,local");
  by_title(command.add_option("GAME", options.games, "Rule files, or names of known games"))
      ->required()
      ->type_name("");
  add_axes(command, options);
  add_plan(command, options.plan);
  add_work(command, options.work);
  add_aims(command, options);
  CLI::Option* csv = command.add_flag("--csv", options.csv, "Prints a table of comma-separated values");
  command
      .add_option("--html", options.html,
                  "Writes a page with heat maps; - for standard output instead of the answer")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Prints JSON on standard output")->excludes(csv);
  line.runs(command, [&options](Console& console) { return sweep_games(options, console); });
}

} // namespace boardwright::tools
