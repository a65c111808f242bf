#include "interpreter/lints/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::interpreter {
namespace {

constexpr std::array<std::pair<std::string_view, LintLevel>, 4> kLevels{{{"allow", LintLevel::allow},
                                                                         {"note", LintLevel::note},
                                                                         {"warn", LintLevel::warn},
                                                                         {"deny", LintLevel::deny}}};

std::string meant(const std::string& name) {
  std::vector<std::string> names;
  for (const Lint& lint : kLints) names.emplace_back(lint.name);
  const std::string near = dsl::nearest(name, names);
  return near.empty() ? "`boardwright check --help` says where they are listed"
                      : fmt::format("did you mean `{}`?", near);
}

bool applies(const LevelSetting& setting, const Lint& lint) {
  if (setting.lint == "all") return true;
  if (setting.lint == "warnings") return lint.level >= LintLevel::warn;
  return setting.lint == lint.name;
}

} // namespace

bool is_lint_or_group(const std::string& name) {
  return name == "all" || name == "warnings" || find_lint(name) != nullptr;
}

LintLevels::LintLevels(const dsl::RuleFile& file, const std::vector<LevelSetting>& settings,
                       dsl::Diagnostics& out)
    : file_(file), settings_(settings) {
  find_places();
  for (const auto& [key, value] : file.check)
    for (const auto& [word, level] : kLevels)
      if (key.text == word) read_level(key, value, level, out);
}

void LintLevels::read_level(const dsl::Name& key, const dsl::Yaml& value, LintLevel level,
                            dsl::Diagnostics& out) {
  if (value.is_scalar() && level != LintLevel::allow) return read_entry(value.text, level, out);
  if (value.is_sequence() && level != LintLevel::allow) {
    for (const dsl::Yaml& item : value.items) read_entry(item.text, level, out);
    return;
  }
  if (!value.is_map()) {
    out.error("lint", key.span, fmt::format("`{}` takes names of lints, each with a reason", key.text)).help =
        key.text + ": { unused-name in hop: a reason }";
    return;
  }
  for (const auto& [name, reason, replaced] : value.entries) {
    const bool has_reason = reason.is_scalar() && !reason.text.trimmed().text.empty();
    if (level == LintLevel::allow && !has_reason)
      out.error("lint", name.span(), "what is allowed needs a reason").help =
          fmt::format("{}: why it is right here", name.text);
    read_entry(name, level, out);
  }
}

void LintLevels::read_entry(const dsl::Text& text, LintLevel level, dsl::Diagnostics& out) {
  const dsl::Text all = text.trimmed();
  const std::size_t in = all.text.find(" in ");
  Entry entry;
  const std::string name = all.text.substr(0, in);
  entry.lint = find_lint(name);
  entry.level = level;
  entry.span = all.span();
  if (in != std::string::npos) entry.where = all.part(in + 4, all.text.size()).trimmed().text;
  if (entry.lint == nullptr) {
    out.error("lint", entry.span, fmt::format("there is no lint `{}`", name)).help = meant(name);
    return;
  }
  const bool known =
      entry.where.empty() || std::any_of(places_.begin(), places_.end(),
                                         [&](const Place& place) { return place.name == entry.where; });
  if (!known) {
    out.error("lint", entry.span, fmt::format("`{}` is no entry of this file", entry.where)).help =
        "a definition, an option, a variable, a kind, or `turn`, `end`, `setup`, `tests`";
    return;
  }
  entries_.push_back(std::move(entry));
}

void LintLevels::find_places() {
  const auto add = [&](const std::string& name, const dsl::Span& span) { places_.push_back({name, span}); };
  for (const auto& d : file_.define) {
    add(d.name.text, d.name.span);
    for (const auto& parameter : d.parameters) add(d.name.text, parameter.span);
    if (d.body) add(d.name.text, d.body->span);
    if (d.others) add(d.name.text, d.others->span);
    for (const auto& [who, body] : d.cases) add(d.name.text, body.span);
  }
  for (const auto& option : file_.options) add(option.name.text, option.name.span);
  for (const auto& variable : file_.state) add(variable.name.text, variable.name.span);
  for (const auto& kind : file_.pieces) add(kind.name.text, kind.name.span);
  if (file_.turn) {
    add("turn", file_.turn->span);
    add("turn", file_.turn->body.span);
  }
  for (const auto& line : file_.end) add("end", line.span);
  add("setup", file_.setup.span);
  for (const auto& entry : file_.setup.entries) add("setup", entry.cells.span);
  for (const auto& hand : file_.hands) add("hands", hand.kind.span);
  for (const auto& test : file_.tests) {
    add("tests", test.span);
    add("tests", test.name.span);
  }
}

bool LintLevels::is_within(const dsl::Span& span, const std::string& where) const {
  return std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
    return place.name == where && place.span.file == span.file && place.span.begin <= span.begin &&
           span.end <= place.span.end;
  });
}

LintLevel LintLevels::level_of(const Lint& lint, const dsl::Span& span) {
  Entry* best = nullptr; // one for the place goes before one for the file, a later one before an earlier one
  for (Entry& entry : entries_) {
    if (entry.lint != &lint || (!entry.where.empty() && !is_within(span, entry.where))) continue;
    entry.used = true;
    if (best == nullptr || best->where.empty() || !entry.where.empty()) best = &entry;
  }
  if (best != nullptr) return best->level;
  LintLevel level = lint.level;
  for (const LevelSetting& setting : settings_)
    if (applies(setting, lint)) level = setting.level;
  return level;
}

void LintLevels::tell(const dsl::Diagnostics& found, dsl::Diagnostics& out) {
  for (const dsl::Diagnostic& d : found.all()) {
    const Lint* lint = find_lint(d.code.name());
    const LintLevel level = lint == nullptr ? LintLevel::warn : level_of(*lint, d.span);
    if (level == LintLevel::allow) continue;
    auto& told = level == LintLevel::deny   ? out.error(d.code, d.span, d.message)
                 : level == LintLevel::note ? out.note(d.code, d.span, d.message)
                                            : out.warning(d.code, d.span, d.message);
    told.expected = d.expected;
    told.help = d.help;
    told.related = d.related;
    told.position = d.position;
  }
}

dsl::Diagnostics LintLevels::unused() const {
  dsl::Diagnostics out;
  for (const Entry& entry : entries_)
    // What random games show may not show in every version of the program.
    if (!entry.used && entry.level == LintLevel::allow && entry.span.file == file_.file &&
        entry.lint->source == LintSource::text)
      out.warning("unused-allowance", entry.span, "there is nothing here to allow").help =
          "remove this entry";
  return out;
}

} // namespace boardwright::interpreter
