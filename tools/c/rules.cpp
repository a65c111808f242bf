// Rules, as C has them.
#include "runtime/model/fingerprint.hpp"
#include "runtime/model/meter.hpp"
#include "tools/c/handles.hpp"

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace boardwright::c {

namespace {

tl::expected<interpreter::Settings, Failure> settings_of(const char* const* options, std::size_t count) {
  if (options == nullptr && count > 0) return refuse(BW_INVALID, "the options are NULL");
  interpreter::Settings settings;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view option = options[i] == nullptr ? "" : options[i];
    const std::size_t sign = option.find('=');
    if (sign == std::string_view::npos)
      return refuse(BW_INVALID, "an option is NULL, or not of the form name=value");
    settings.emplace_back(option.substr(0, sign), option.substr(sign + 1));
  }
  return settings;
}

// `load` is asked with the settings. What it may take is bounded, whatever the file is.
template <class Load>
Answer load_rules(const char* const* options, std::size_t count, bw_rules** rules, const Load& load) {
  auto settings = settings_of(options, count);
  if (!settings) return tl::unexpected(std::move(settings.error()));
  runtime::Meter meter;
  const runtime::Meter::Use use(&meter);
  auto data = std::make_shared<RulesData>();
  data->loaded = load(*settings);
  if (!data->loaded) {
    const bw_status status = data->loaded.not_found     ? BW_NOT_FOUND
                             : data->loaded.bad_setting ? BW_INVALID
                                                        : BW_RULES;
    std::string text = data->loaded.errors();
    return refuse(status, text.empty() ? "the rules could not be loaded" : std::move(text));
  }
  data->fingerprint = runtime::fingerprint_text(runtime::fingerprint(data->program()));
  *rules = new bw_rules{std::move(data)};
  return {};
}

const runtime::Program* program_of(const bw_rules* rules) {
  return rules == nullptr ? nullptr : &rules->data->program();
}

} // namespace

} // namespace boardwright::c

using namespace boardwright::c;

const char* bw_version(void) { return BOARDWRIGHT_VERSION; }

void bw_free(char* text) { std::free(text); }

bw_status bw_load(const char* reference, const char* const* options, size_t count, bw_rules** rules,
                  char** error) {
  if (rules != nullptr) *rules = nullptr;
  return carry_out(error, [&]() -> Answer {
    if (reference == nullptr || rules == nullptr) return refuse(BW_INVALID, "an argument is NULL");
    return load_rules(options, count, rules, [&](const boardwright::interpreter::Settings& settings) {
      return boardwright::interpreter::load(reference, settings);
    });
  });
}

bw_status bw_load_text(const char* name, const char* text, const char* const* options, size_t count,
                       bw_rules** rules, char** error) {
  if (rules != nullptr) *rules = nullptr;
  return carry_out(error, [&]() -> Answer {
    if (name == nullptr || text == nullptr || rules == nullptr)
      return refuse(BW_INVALID, "an argument is NULL");
    return load_rules(options, count, rules, [&](const boardwright::interpreter::Settings& settings) {
      return boardwright::interpreter::load_text(name, text, settings);
    });
  });
}

void bw_rules_free(bw_rules* rules) { delete rules; }

const char* bw_rules_name(const bw_rules* rules) {
  return rules == nullptr ? nullptr : program_of(rules)->game.c_str();
}

const char* bw_rules_fingerprint(const bw_rules* rules) {
  return rules == nullptr ? nullptr : rules->data->fingerprint.c_str();
}

size_t bw_rules_player_count(const bw_rules* rules) {
  return rules == nullptr ? 0 : program_of(rules)->players.size();
}

const char* bw_rules_player_name(const bw_rules* rules, size_t player) {
  return player < bw_rules_player_count(rules) ? program_of(rules)->players[player].name.c_str() : nullptr;
}

size_t bw_rules_option_count(const bw_rules* rules) {
  return rules == nullptr ? 0 : program_of(rules)->options.size();
}

const char* bw_rules_option_name(const bw_rules* rules, size_t option) {
  return option < bw_rules_option_count(rules) ? program_of(rules)->options[option].name.c_str() : nullptr;
}

const char* bw_rules_option_value(const bw_rules* rules, size_t option) {
  return option < bw_rules_option_count(rules) ? program_of(rules)->options[option].value.c_str() : nullptr;
}

int bw_rules_has_chance(const bw_rules* rules) {
  return rules != nullptr && program_of(rules)->chance.has_value() ? 1 : 0;
}

int bw_rules_hides(const bw_rules* rules) { return rules != nullptr && program_of(rules)->hides() ? 1 : 0; }
