#include "interpreter/meaning/options.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace boardwright::interpreter {

namespace {

// Bounds of a range are plain numbers: they are read before anything is known that they could depend on.
std::optional<std::int32_t> bound(const dsl::Ast& tree, dsl::Diagnostics& diagnostics) {
  if (tree.form == dsl::Form::number) return static_cast<std::int32_t>(tree.number);
  if (tree.form == dsl::Form::negate && tree.kids[0].form == dsl::Form::number)
    return static_cast<std::int32_t>(-tree.kids[0].number);
  diagnostics.error("option", tree.span, "the bounds of a range are whole numbers").help = "range: 3..19";
  return std::nullopt;
}

class Resolver {
public:
  Resolver(dsl::Sources& sources, dsl::Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics) {}

  void declare(const dsl::OptionEntry& entry) {
    OptionValue value;
    runtime::Option shown;
    value.name = shown.name = entry.name.text;
    shown.help = entry.help;
    for (const auto& w : entry.one_of) shown.values.push_back(w.text);
    if (entry.low && entry.high) {
      const auto low = bound(*entry.low, diagnostics_), high = bound(*entry.high, diagnostics_);
      if (low && high && *low > *high) diagnostics_.error("option", entry.low->span, "this range is empty");
      if (low && high) shown.range = {*low, *high};
    }
    value.type = type_of(entry, shown);
    if (value.type == OptionType::word) value.words = shown.values;
    if (value.type == OptionType::word)
      for (const auto& w : entry.one_of)
        if (dsl::is_keyword(w.text))
          diagnostics_
              .error("reserved", w.span,
                     fmt::format("`{}` is a reserved word and can't be a value of an option", w.text))
              .help = "choose another word: in a rule this one would be read as the keyword";
    if (entry.initial) {
      shown.initial = entry.initial->text;
      take(value, shown, entry.initial->text, entry.initial->span);
    }
    options.values.push_back(std::move(value));
    options.shown.push_back(std::move(shown));
  }

  void set(const std::string& name, const std::string& text) {
    const std::size_t errors = diagnostics_.error_count();
    const dsl::FileId file = sources_.add("settings", name + "=" + text);
    const auto length = static_cast<std::uint32_t>(name.size());
    const auto found = std::find_if(options.values.begin(), options.values.end(),
                                    [&](const OptionValue& o) { return o.name == name; });
    if (found == options.values.end())
      unknown(name, {file, 0, length});
    else
      take(*found, options.shown[static_cast<std::size_t>(found - options.values.begin())], text,
           {file, length + 1, length + 1 + static_cast<std::uint32_t>(text.size())});
    options.bad_setting = options.bad_setting || diagnostics_.error_count() > errors;
  }

  Options options;

private:
  static OptionType type_of(const dsl::OptionEntry& entry, const runtime::Option& shown) {
    const std::string initial = entry.initial ? entry.initial->text : "";
    if (shown.range) return OptionType::number;
    if (!shown.values.empty()) {
      const bool numbers = std::all_of(shown.values.begin(), shown.values.end(), [](const std::string& v) {
        return dsl::number_in<std::int32_t>(v).has_value();
      });
      return numbers ? OptionType::number : OptionType::word;
    }
    if (initial == "true" || initial == "false") return OptionType::truth;
    return dsl::number_in<std::int32_t>(initial) ? OptionType::number : OptionType::word;
  }

  void unknown(const std::string& name, dsl::Span span) {
    std::vector<std::string> names;
    for (const auto& o : options.values) names.push_back(o.name);
    auto& d = diagnostics_.error("option", span, fmt::format("there is no option `{}`", name));
    const std::string near = dsl::nearest(name, names);
    if (!near.empty())
      d.help = fmt::format("did you mean `{}`?", near);
    else if (!names.empty())
      d.help = fmt::format("the options are {}", fmt::join(names, ", "));
    else
      d.help = "this game has no options";
  }

  void take(OptionValue& value, runtime::Option& shown, const std::string& text, dsl::Span span) {
    const bool listed = shown.values.empty() ||
                        std::find(shown.values.begin(), shown.values.end(), text) != shown.values.end();
    if (!listed) {
      diagnostics_
          .error("option", span,
                 fmt::format("`{}` is not one of the values of the option `{}`", text, value.name))
          .help = fmt::format("the values are {}", fmt::join(shown.values, ", "));
      return;
    }
    switch (value.type) {
    case OptionType::number: {
      const auto number = dsl::number_in<std::int32_t>(text);
      if (!number) {
        diagnostics_.error("option", span, fmt::format("the option `{}` takes a whole number", value.name));
        return;
      }
      if (shown.range && (*number < shown.range->first || *number > shown.range->second)) {
        diagnostics_.error("option", span,
                           fmt::format("the option `{}` takes {} to {}", value.name, shown.range->first,
                                       shown.range->second));
        return;
      }
      value.number = *number;
      break;
    }
    case OptionType::truth:
      if (text != "true" && text != "false") {
        diagnostics_.error("option", span, fmt::format("the option `{}` is true or false", value.name));
        return;
      }
      value.number = text == "true" ? 1 : 0;
      break;
    case OptionType::word:
      if (value.words.empty()) {
        diagnostics_
            .error("option", span, fmt::format("the option `{}` needs `one of:` with its words", value.name))
            .help = fmt::format("{}: {{ default: {}, one of: {} | other }}", value.name, text, text);
        return;
      }
      break;
    }
    value.word = shown.value = text;
  }

  dsl::Sources& sources_;
  dsl::Diagnostics& diagnostics_;
};

} // namespace

Options resolve_options(const dsl::RuleFile& file,
                        const std::vector<std::pair<std::string, std::string>>& settings,
                        dsl::Sources& sources, dsl::Diagnostics& diagnostics) {
  Resolver resolver(sources, diagnostics);
  for (const auto& entry : file.options) resolver.declare(entry);
  for (const auto& [name, text] : settings) resolver.set(name, text);
  return std::move(resolver.options);
}

} // namespace boardwright::interpreter
