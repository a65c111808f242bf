// The bytes are a rule file that is checked, with a few random games where they are short: what may be wrong
// with it is told in every form, and it is asked why a move is legal or not.
#include "tests/fuzz/common.hpp"

#include "interpreter/examine.hpp"
#include "interpreter/findings/findings.hpp"
#include "runtime/examine/survey.hpp"
#include "tools/english/reasons.hpp"
#include "tools/reports/check_report.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace boardwright;

void claim_places(const interpreter::Loaded& loaded, const dsl::Diagnostics& findings) {
  for (const dsl::Diagnostic& d : findings.all())
    fuzz::claim(d.span.file < loaded.sources.size() && !d.message.empty(), "a finding has a place");
}

// `boardwright check` plays some hundred games.
void play_some(const interpreter::Loaded& loaded) {
  if (!fuzz::is_light(runtime::Game(loaded.rules))) return;
  runtime::SurveyOptions few;
  few.games = 3;
  few.plies = 60;
  few.positions = 6;
  few.walk_steps = 20'000;
  few.listed = 1'000;
  few.more_games = 3;
  few.more_plies = 60;
  const auto survey = runtime::survey(loaded.rules, few);
  dsl::Diagnostics found;
  interpreter::report_findings(loaded.rules, *loaded.file, survey, loaded.sources, found);
  claim_places(loaded, found);
}

void ask_why(const interpreter::Loaded& loaded, std::uint64_t lot) {
  runtime::Game game(loaded.rules);
  if (!fuzz::is_light(game)) return;
  const auto outcome = game.outcome();
  if (!fuzz::good(outcome)) return;
  std::vector<std::string> asked{"a1-a2", "b1", "w", ""};
  if (const auto notations = game.notations(); notations && !notations->empty())
    asked.push_back((*notations)[lot % notations->size()]);
  for (const std::string& text : asked) (void)fuzz::good(tools::reasons_text(loaded, game, text));
  if (*outcome) return;
  const auto reasons = tools::reasons_for(loaded, game, asked.back());
  if (fuzz::good(reasons) && asked.size() > 4)
    fuzz::claim(!reasons->empty() && reasons->front().legal, "a legal move is legal: " + asked.back());
}

void check_file(std::string_view bytes) {
  tools::Checked checked;
  checked.file = "game.yaml";
  checked.loaded = interpreter::load_text(checked.file, std::string(bytes));
  fuzz::claim_answer(checked.loaded);
  if (checked.loaded) {
    interpreter::ExamineOptions options;
    options.games = false;
    checked.findings = interpreter::examine(checked.loaded, {}, options).findings;
    claim_places(checked.loaded, checked.findings);
    play_some(checked.loaded);
    ask_why(checked.loaded, fuzz::hash_of(bytes));
  }
  std::vector<tools::Checked> all;
  all.push_back(std::move(checked));
  (void)tools::json_report(all, all.front().exit).dump(-1, ' ', false, tools::Json::error_handler_t::replace);
  (void)tools::sarif_report(all, all.front().exit)
      .dump(-1, ' ', false, tools::Json::error_handler_t::replace);
  (void)tools::junit_report(all);
  (void)tools::finding_lines(all.front());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, check_file);
}
