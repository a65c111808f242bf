#include "interpreter/self_tests/test_variants.hpp"

namespace boardwright::interpreter {
namespace {

std::string problem_of(const Loaded& loaded) {
  std::string problem = "the file can't be loaded with these settings";
  if (loaded.diagnostics.all().empty()) return problem;
  const dsl::Diagnostic& first = loaded.diagnostics.all().front();
  problem += ": " + first.message;
  return first.help.empty() ? problem : problem + "; " + first.help;
}

dsl::Span span_of(const dsl::TestEntry& test) {
  return dsl::join(test.settings.front().first.span, test.settings.back().second.span);
}

} // namespace

std::shared_ptr<const runtime::Rules> TestVariants::rules_for(const dsl::TestEntry& test,
                                                              dsl::Diagnostics& diagnostics) {
  const Loaded& loaded = loaded_for(test);
  if (!loaded) diagnostics.error("test", span_of(test), problem_of(loaded));
  return loaded.rules;
}

const Loaded& TestVariants::loaded_for(const dsl::TestEntry& test) {
  if (test.settings.empty()) return loaded_;
  auto [variant, fresh] = variants_.try_emplace(combined(test));
  if (fresh) variant->second = load(reference_, settings_of(test), find_);
  return variant->second;
}

Settings TestVariants::settings_of(const dsl::TestEntry& test) const {
  const ByOption settings = combined(test);
  return {settings.begin(), settings.end()};
}

TestVariants::ByOption TestVariants::combined(const dsl::TestEntry& test) const {
  ByOption settings(settings_.begin(), settings_.end());
  for (const auto& [option, value] : test.settings) settings[option.text] = value.text;
  return settings;
}

} // namespace boardwright::interpreter
