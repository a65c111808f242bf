// why: which rule allows a move, or how far each rule got and what stopped it; and why the game isn't over.
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/english/reasons.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

struct WhyOptions {
  GameChoice game;
  std::string asked; // a move, a cell, or a piece's letter
  bool json = false;
};

Json as_json(const interpreter::Loaded& loaded, const Reasons& found) {
  Json reasons = Json::array();
  for (const Reason& reason : found.reasons) {
    const dsl::Location at = loaded.sources.locate(reason.span.file, reason.span.begin);
    reasons.push_back({{"file", at.file},
                       {"line", at.line},
                       {"column", at.column},
                       {"rule", reason.rule},
                       {"within", reason.inner},
                       {"text", reason.text},
                       {"plain", reason.plain}});
  }
  return {{"summary", found.summary}, {"legal", found.legal}, {"moves", found.moves}, {"reasons", reasons}};
}

tl::expected<Json, runtime::Fault> answer_json(OpenGame& open, const std::string& asked) {
  const auto outcome = open.game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) return Json{{"over", outcome_text(open.loaded, **outcome)}, {"answers", Json::array()}};
  const auto found = reasons_for(open.loaded, open.game, asked);
  if (!found) return tl::unexpected(found.error());
  Json answers = Json::array();
  for (const Reasons& reasons : *found) answers.push_back(as_json(open.loaded, reasons));
  return Json{{"over", nullptr}, {"answers", answers}};
}

Exit explain_move(const WhyOptions& options, Console& console) {
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  const auto nothing = options.asked.empty() ? open->game.find("") : std::nullopt;
  if (options.asked.empty() && nothing && !*nothing) { // in some games nothing is the notation of a move
    console.error("`why` takes a move, a cell, a piece's letter or `end`: why e2-e4");
    return Exit::usage;
  }
  if (options.json) {
    const auto answer = answer_json(*open, options.asked);
    if (!answer) return report_fault(open->program(), answer.error(), console);
    console.out(to_document(*answer));
    return Exit::good;
  }
  const auto text = reasons_text(open->loaded, open->game, options.asked);
  if (!text) return report_fault(open->program(), text.error(), console);
  console.out(*text);
  return Exit::good;
}

} // namespace

void declare_why(CommandLine& line) {
  auto& options = line.options<WhyOptions>();
  CLI::App& command =
      line.add("why", "Says which rule allows a move, or what stops it; and what ends the game, or doesn't",
               "  boardwright why GAME e2-e5\n  boardwright why GAME e2 --position endgame.json\n"
               "  boardwright why mygame.yaml b3xb4 --json\n  boardwright why GAME end");
  add_game(command, options.game);
  command
      .add_option(
          "MOVE", options.asked,
          "A move as it is written; a cell: all that begins there; a piece's letter: all that it can do; "
          "`end`: why the game is over, or not")
      ->required()
      ->type_name("");
  add_position(command, options.game);
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return explain_move(options, console); });
}

} // namespace boardwright::tools
