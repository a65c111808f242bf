#include "interpreter/examine.hpp"

#include "interpreter/compile.hpp"
#include "interpreter/findings/claims.hpp"
#include "interpreter/findings/findings.hpp"
#include "interpreter/findings/findings_forced.hpp"
#include "interpreter/findings/findings_secrets.hpp"
#include "interpreter/findings/slips.hpp"
#include "interpreter/lints/levels.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/examine/survey.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/model/meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace boardwright::interpreter {
namespace {

// Loads with other options, at the most: each takes a few milliseconds. A range is tried at its ends, and as
// far as this goes from its lower end.
constexpr std::size_t kMaxLoads = 60;
constexpr int kMaxOfRange = 24;
// Values of options that a few games are played with, and positions of tests that are gone through: each
// takes some milliseconds.
constexpr int kMostVariants = 12;
// So many times fewer moves are played where only a fault would be told.
constexpr int kFewer = 5;
constexpr std::size_t kMostShown = 100;
// From this effort on conditions are told that change nothing. Of twenty right files by a stranger three had
// one, and of sixty mistakes none was one: what is redundant is there to be plain, or quick.
constexpr std::uint64_t kEffortForIdle = 2;

// The findings that may be due to the values that options have.
bool may_go_by_options(const dsl::Diagnostics& found) {
  static const std::set<std::string, std::less<>> kCodes{"constant-condition", "empty-set",
                                                         "cell-equals-set"};
  return std::any_of(found.all().begin(), found.all().end(),
                     [](const dsl::Diagnostic& d) { return kCodes.contains(d.code.name()); });
}

// Values that an option can take, as they are written in a setting.
std::vector<std::string> values_of(const dsl::OptionEntry& option) {
  std::vector<std::string> values;
  for (const dsl::Name& value : option.one_of) values.push_back(value.text);
  const bool truth = option.initial && (option.initial->text == "true" || option.initial->text == "false");
  if (truth) values = {"true", "false"};
  if (option.low && option.high && option.low->form == dsl::Form::number &&
      option.high->form == dsl::Form::number) {
    const auto low = option.low->number, high = option.high->number;
    for (auto n = low; n <= high && n < low + kMaxOfRange; ++n) values.push_back(std::to_string(n));
    values.push_back(std::to_string(high));
  }
  // Any number at all: the one before and the one after.
  int initial = 0;
  if (values.empty() && option.initial) {
    const std::string& text = option.initial->text;
    if (std::from_chars(text.data(), text.data() + text.size(), initial).ec == std::errc())
      values = {std::to_string(initial + 1), std::to_string(initial - 1), "0", "1"};
  }
  return values;
}

// Of a range, and of any number at all, its ends; of others all.
std::vector<std::string> ends_of(const dsl::OptionEntry& option) {
  std::vector<std::string> values = values_of(option);
  if (!option.low || !option.high)
    return option.one_of.empty() && values.size() > 2 ? std::vector<std::string>{} : values;
  if (values.size() > 2) values = {values.front(), values.back()};
  return values;
}

// The positions that the tests of a file begin with, and those after the moves they name. Tests that set
// options are about other rules.
std::vector<runtime::Position> shown_by_tests(const Loaded& loaded) {
  std::vector<runtime::Position> shown;
  for (const dsl::TestEntry& test : loaded.file->tests) {
    if (shown.size() > kMostShown) break;
    dsl::Diagnostics ignored; // told where tests are run
    auto game = test.settings.empty() ? game_at(loaded.rules, test.position, "test", ignored) : std::nullopt;
    if (!game) continue;
    shown.push_back(game->position());
    for (const dsl::ExpectEntry& expected : test.expect) {
      if (expected.move.text.empty() || !play_written(expected.move, *game, "test", ignored)) continue;
      shown.push_back(game->position());
      game->undo();
    }
  }
  return shown;
}

// One finding for one mistake: not two about the same place, and not that an alternative is covered by
// another one if something in it is wrong.
dsl::Diagnostics without_echoes(const dsl::Diagnostics& found) {
  dsl::Diagnostics kept;
  const auto& all = found.all();
  const auto holds = [](const dsl::Span& outer, const dsl::Span& inner) {
    return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool echo = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const bool same = all[k].span == all[i].span;
      echo = echo || (same && k < i) ||
             (!same && all[i].code == "said-twice" && holds(all[i].span, all[k].span));
    }
    if (!echo) kept.warning(all[i].code, all[i].span, all[i].message) = all[i];
  }
  return kept;
}

class Examining {
public:
  Examining(Loaded& loaded, const Settings& settings, const ExamineOptions& options)
      : loaded_(loaded), settings_(settings), options_(options),
        levels_(*loaded.file, options.levels, told_) {}

  Examined run() {
    lints();
    if (options_.games) games();
    about();
    levels_.tell(levels_.unused(), told_);
    return {std::move(told_), looked_};
  }

private:
  void lints() {
    if (options_.readings != nullptr) {
      readings_ = *options_.readings;
      program_ = {loaded_.rules, &loaded_.rules->program()};
    } else {
      read(settings_);
    }
    if (program_ == nullptr) return;
    dsl::Diagnostics of_this_load; // where other options would be other set-ups
    const Linted in = linted_file();
    lint_setup(in, of_this_load);
    lint_board(in, of_this_load);
    lint_exclusions(loaded_, of_this_load);
    levels_.tell(of_this_load, told_);
    dsl::Diagnostics found = linted();
    if (may_go_by_options(found) && !loaded_.file->options.empty()) {
      vary();
      found = linted();
    }
    levels_.tell(found, told_);
  }

  // Texts for people come when the rules are in order: beside another finding they are asked for only where
  // their lack is an error.
  void about() {
    if (program_ == nullptr) return;
    dsl::Diagnostics found, told;
    lint_about(linted_file(), found);
    levels_.tell(found, told);
    if (told_.all().empty() || told.has_errors()) told_.append(told);
  }

  void read(const Settings& settings) {
    dsl::Diagnostics ignored; // values may exclude one another
    bool bad_setting = false;
    CompileOptions options;
    options.readings = &readings_;
    const auto program = compile(*loaded_.file, settings, loaded_.sources, ignored, bad_setting, options);
    if (program_ == nullptr) program_ = program;
  }

  void vary() {
    std::size_t loads = 0;
    for (const dsl::OptionEntry& option : loaded_.file->options)
      for (const std::string& value : values_of(option)) {
        if (++loads > kMaxLoads || runtime::Meter::gave_up()) return;
        Settings settings = settings_;
        std::erase_if(settings, [&](const auto& s) { return s.first == option.name.text; });
        settings.emplace_back(option.name.text, value);
        read(settings);
      }
  }

  [[nodiscard]] Linted linted_file() {
    return {*loaded_.file, loaded_.sources, readings_, *program_,
            [this]() -> const std::vector<runtime::Position>& { return shown(); }};
  }
  const std::vector<runtime::Position>& shown() {
    if (!shown_) shown_ = shown_by_tests(loaded_);
    return *shown_;
  }

  dsl::Diagnostics linted() {
    dsl::Diagnostics found;
    lint(linted_file(), found);
    return without_echoes(found);
  }

  void games() {
    // Budgets are counted, so that the same effort shows the same everywhere.
    runtime::SurveyOptions survey_options = runtime::scaled({}, effort());
    survey_options.seed = options_.seed;
    survey_options.stop = options_.stop;
    // What the text shows to be wrong shows in games as well, in many ways: that would be told twice. Only a
    // fault is told then.
    const bool wrong = std::any_of(told_.all().begin(), told_.all().end(), shows_in_games);
    if (wrong) {
      survey_options.plies /= kFewer;
      survey_options.listed /= kFewer;
      survey_options.positions = 0;
      survey_options.more_games = 0;
    } else {
      survey_options.shown = shown();
    }
    const auto survey = runtime::survey(loaded_.rules, survey_options);
    if (survey.stopped) return;
    looked_ = Looked{survey.all.games, survey.looked_at + survey.more_plies, survey.positions, survey.parts};
    const bool clear = !wrong && !survey.fault;
    if (clear && forced_win()) return; // games are short then, and show the same in their way
    dsl::Diagnostics found, secrets;
    if (clear) report_claims(loaded_.rules, *loaded_.file, shown(), options_.seed, found);
    const bool claimed = !found.all().empty();
    report_findings(loaded_.rules, *loaded_.file, survey, loaded_.sources, found);
    if (clear && !claimed) single_changes(survey, found);
    if (clear) report_secrets(loaded_.rules, *loaded_.file, options_.seed, secrets);
    if (!wrong || (survey.fault && !explains(found))) levels_.tell(without_balance(found), told_);
    levels_.tell(secrets, told_);
    if (!wrong && found.all().empty() && secrets.all().empty()) games_with_options();
  }

  // Is one told? One that is allowed hides nothing.
  bool forced_win() {
    dsl::Diagnostics found, told;
    report_forced(loaded_.rules, *loaded_.file, loaded_.sources, is_uneven(), found);
    levels_.tell(found, told);
    told_.append(told);
    return !told.all().empty();
  }

  // Beside a set-up that favours one side it needn't be told that he wins.
  [[nodiscard]] dsl::Diagnostics without_balance(const dsl::Diagnostics& found) const {
    static const std::set<std::string, std::less<>> kOfBalance{"lopsided", "never-wins", "over-at-once",
                                                               "unlike-sides"};
    if (!is_uneven()) return found;
    dsl::Diagnostics kept;
    for (const dsl::Diagnostic& d : found.all())
      if (!kOfBalance.contains(d.code.name())) kept.warning(d.code, d.span, d.message) = d;
    return kept;
  }

  [[nodiscard]] bool is_uneven() const {
    return std::any_of(told_.all().begin(), told_.all().end(),
                       [](const dsl::Diagnostic& told) { return told.code == "setup-not-mirrored"; });
  }

  // A note may well be right, and a set-up that is nearly mirrored plays as any other.
  [[nodiscard]] static bool shows_in_games(const dsl::Diagnostic& told) {
    return told.severity != dsl::Severity::note && told.code != "setup-not-mirrored";
  }

  // What would be told of these findings.
  [[nodiscard]] dsl::Diagnostics told_of(const dsl::Diagnostics& found) {
    dsl::Diagnostics told;
    levels_.tell(without_balance(found), told);
    return told;
  }

  // What one change of the file would do.
  void single_changes(const runtime::Survey& survey, dsl::Diagnostics& found) {
    const SlipSearch search{
        loaded_,       settings_,
        options_.seed, effort(),
        shown(),       [this](const dsl::Diagnostics& others) { return !told_of(others).all().empty(); },
        options_.stop};
    if (found.all().empty()) {
      if (effort() >= kEffortForIdle) report_idle(search, survey, found);
      return;
    }
    const dsl::Diagnostics told = told_of(found); // what isn't told needs no cause
    if (told.all().empty()) return;
    found = told;
    tell_cures(search, found);
  }

  [[nodiscard]] std::uint64_t effort() const {
    return std::clamp<std::uint64_t>(options_.effort, 1, kMostEffort);
  }

  // Is a fault what comes of something that the text shows?
  [[nodiscard]] bool explains(const dsl::Diagnostics& faults) const {
    static const std::set<std::string, std::less<>> kLeadToFaults{"missing-hand", "missing-body",
                                                                  "lost-bodies", "empty-set"};
    const auto line = [&](const dsl::Diagnostic& d) {
      return std::pair(d.span.file, loaded_.sources.locate(d.span.file, d.span.begin).line);
    };
    return std::any_of(told_.all().begin(), told_.all().end(), [&](const dsl::Diagnostic& told) {
      return kLeadToFaults.contains(told.code.name()) ||
             (!faults.all().empty() && line(told) == line(faults.all().front()));
    });
  }

  // A few games with each value that an option may have; what is grave there is told.
  void games_with_options() {
    int left = kMostVariants;
    for (const dsl::OptionEntry& option : loaded_.file->options)
      for (const std::string& value : ends_of(option)) {
        if (--left < 0 || runtime::Meter::gave_up()) return;
        if (!games_with(option.name, value, option.low.has_value())) return;
      }
  }
  // False when something was told, or all was stopped: one finding is enough.
  bool games_with(const dsl::Name& option, const std::string& value, bool of_range) {
    Settings settings = settings_;
    std::erase_if(settings, [&](const auto& s) { return s.first == option.text; });
    settings.emplace_back(option.text, value);
    dsl::Diagnostics ignored; // values may exclude one another
    bool bad_setting = false;
    const auto program = compile(*loaded_.file, settings, loaded_.sources, ignored, bad_setting);
    if (program == nullptr || ignored.has_errors()) return true;
    const auto rules = runtime::Rules::make(program);
    if (rules == nullptr || !rules->problem().empty()) return true;
    runtime::SurveyOptions few;
    few.seed = options_.seed;
    few.stop = options_.stop;
    few.games = 10;
    few.plies = 400;
    few.positions = 5;
    few.listed = 20'000;
    few.more_games = 0;
    const auto survey = runtime::survey(rules, few);
    if (survey.stopped) return false;
    dsl::Diagnostics found;
    // The ends of a range may well be small boards on which nobody can move; and where the account is spent
    // nobody has been asked to.
    if (survey.fault || (survey.plies == 0 && !of_range && !runtime::Meter::gave_up()))
      report_findings(rules, *loaded_.file, survey, loaded_.sources, found);
    dsl::Diagnostics told;
    for (const dsl::Diagnostic& d : found.all()) {
      auto& copy = told.warning(d.code, d.span, d.message);
      copy.help =
          fmt::format("{}{}with `--set {}={}`", d.help, d.help.empty() ? "" : "; ", option.text, value);
      copy.related = d.related;
      copy.position = d.position;
    }
    levels_.tell(told, told_);
    return told.all().empty();
  }

  Loaded& loaded_;
  const Settings& settings_;
  const ExamineOptions& options_;
  dsl::Diagnostics told_;
  std::optional<Looked> looked_;
  LintLevels levels_;
  Readings readings_;
  std::shared_ptr<const runtime::Program> program_;
  std::optional<std::vector<runtime::Position>> shown_; // by tests
};

} // namespace

// What is nested deeply is read by recursion: the caller may have a small stack.
Examined examine(Loaded& loaded, const Settings& settings, const ExamineOptions& options) {
  Examined examined;
  runtime::on_large_stack([&] { examined = Examining(loaded, settings, options).run(); });
  return examined;
}

} // namespace boardwright::interpreter
