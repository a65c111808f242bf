#include "interpreter/examine.hpp"

#include "interpreter/compile.hpp"
#include "interpreter/findings.hpp"
#include "interpreter/lint_levels.hpp"
#include "interpreter/lints.hpp"
#include "runtime/examine/survey.hpp"
#include "runtime/game/large_stack.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace boardwright::interpreter {
namespace {

// Loads with other options, at the most: each takes a few milliseconds. A range is tried at its ends, and as
// far as this goes from its lower end.
constexpr std::size_t kMaxLoads = 60;
constexpr int kMaxOfRange = 24;

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

class Examining {
public:
  Examining(Loaded& loaded, const Settings& settings, const ExamineOptions& options)
      : loaded_(loaded), settings_(settings), options_(options),
        levels_(*loaded.file, options.levels, told_) {}

  dsl::Diagnostics run() {
    lints();
    if (options_.games) games();
    levels_.tell(levels_.unused(), told_);
    return std::move(told_);
  }

private:
  void lints() {
    read(settings_);
    if (program_ == nullptr) return;
    dsl::Diagnostics of_setup;
    lint_setup({*loaded_.file, loaded_.sources, readings_, *program_}, of_setup);
    levels_.tell(of_setup, told_);
    dsl::Diagnostics found = linted();
    if (may_go_by_options(found) && !loaded_.file->options.empty()) {
      vary();
      found = linted();
    }
    levels_.tell(found, told_);
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
        if (++loads > kMaxLoads) return;
        Settings settings = settings_;
        std::erase_if(settings, [&](const auto& s) { return s.first == option.name.text; });
        settings.emplace_back(option.name.text, value);
        read(settings);
      }
  }

  dsl::Diagnostics linted() {
    dsl::Diagnostics found;
    lint({*loaded_.file, loaded_.sources, readings_, *program_}, found);
    return found;
  }

  void games() {
    const auto survey = runtime::survey(loaded_.rules, {.seed = options_.seed, .stop = options_.stop});
    if (survey.stopped) return;
    dsl::Diagnostics found;
    report_findings(loaded_.rules->program(), *loaded_.file, survey, loaded_.sources, found);
    // What the text shows to be wrong shows in games as well, in many ways: that would be told twice.
    const auto is_note = [](const dsl::Diagnostic& d) { return d.severity == dsl::Severity::note; };
    const bool wrong = !std::all_of(told_.all().begin(), told_.all().end(), is_note);
    if (!wrong || survey.fault) levels_.tell(found, told_);
  }

  Loaded& loaded_;
  const Settings& settings_;
  const ExamineOptions& options_;
  dsl::Diagnostics told_;
  LintLevels levels_;
  Readings readings_;
  std::shared_ptr<const runtime::Program> program_;
};

} // namespace

// What is nested deeply is read by recursion: the caller may have a small stack.
dsl::Diagnostics examine(Loaded& loaded, const Settings& settings, const ExamineOptions& options) {
  dsl::Diagnostics told;
  runtime::on_large_stack([&] { told = Examining(loaded, settings, options).run(); });
  return told;
}

} // namespace boardwright::interpreter
