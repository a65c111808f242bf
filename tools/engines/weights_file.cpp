#include "tools/engines/weights_file.hpp"

#include "dsl/text.hpp"
#include "dsl/yaml.hpp"
#include "runtime/model/fingerprint.hpp"
#include "tools/console/text_file.hpp"
#include "tools/engines/bundled_weights.hpp"
#include "tools/engines/network_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace boardwright::tools {
namespace {

using runtime::search::Features;

std::optional<double> finite_number(const std::string& text) {
  const auto value = dsl::number_in<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string in_quotes(const std::string& text) {
  std::string all = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

// Names that YAML takes as they are: all but those with letters of a kind's or a player's own.
std::string key_of(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '_' || c == '-' || c >= 0x80;
  });
  return plain ? name : in_quotes(name);
}

} // namespace

tl::expected<WeightsFile, std::string> read_weights(const std::string& path) {
  const auto text = read_text_file(path, kMaxWeightsBytes);
  if (!text) return tl::unexpected(text.error());
  return parse_weights(path, *text);
}

tl::expected<WeightsFile, std::string> parse_weights(const std::string& path, const std::string& text) {
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;
  const dsl::FileId id = sources.add(path, text);
  const auto yaml = dsl::read_yaml(sources, id, diagnostics);
  if (!yaml)
    return tl::unexpected(
        fmt::format("`{}` is no file of weights:\n{}", path, dsl::render(diagnostics, sources, false)));
  const auto wrong = [&](const dsl::Span& span, const std::string& what) {
    return tl::unexpected(fmt::format("{}:{}: {}", path, sources.locate(id, span.begin).line, what));
  };
  WeightsFile file;
  const auto scalar = [&](const char* key, std::string& target) {
    const dsl::Yaml* const value = yaml->is_map() ? yaml->find(key) : nullptr;
    if (value != nullptr && value->is_scalar()) target = value->text.text;
  };
  scalar("weights", file.game);
  scalar("rules", file.rules);
  const dsl::Yaml* const features = yaml->is_map() ? yaml->find("features") : nullptr;
  if (file.game.empty() || file.rules.empty() || features == nullptr || !features->is_map())
    return wrong(yaml->span, "a file of weights has `weights`, `rules` and `features`");
  for (const dsl::YamlEntry& entry : features->entries) {
    const auto value = entry.value.is_scalar() ? finite_number(entry.value.text.text) : std::nullopt;
    if (!value) return wrong(entry.key.span(), fmt::format("`{}` needs a number", printable(entry.key.text)));
    file.what.features.emplace_back(entry.key.text, *value);
  }
  if (const dsl::Yaml* const yaml_network = yaml->find("network"); yaml_network != nullptr) {
    auto network = parse_network(*yaml_network);
    if (!network) return wrong(network.error().first, network.error().second);
    file.what.network = std::make_shared<const runtime::search::Network>(std::move(*network));
  }
  if (const dsl::Yaml* const learnt = yaml->find("learnt"); learnt != nullptr && learnt->is_map())
    for (const dsl::YamlEntry& entry : learnt->entries)
      if (entry.value.is_scalar()) file.learnt.emplace_back(entry.key.text, entry.value.text.text);
  return file;
}

std::string weights_text(const Features& features, const runtime::search::Judgement& judgement,
                         const std::vector<std::pair<std::string, std::string>>& learnt) {
  const runtime::Program& program = features.rules().program();
  std::string text = fmt::format(
      "# What positions are judged by, learnt by `boardwright train`. Each number says how much\n"
      "# one more of something is worth, in natural logarithms of the odds to win. It may be edited.\n"
      "weights: {}\nrules: {}\n",
      in_quotes(program.game), runtime::fingerprint_text(runtime::fingerprint(program)));
  // Sixteen digits might be read as a number elsewhere.
  const std::size_t hash = text.rfind("rules: ") + 7;
  text.insert(hash, "\"");
  text.insert(text.size() - 1, "\"");
  const auto map = [&](const char* key, const auto& entries) {
    if (entries.empty()) return;
    std::vector<std::string> parts;
    for (const auto& [name, value] : entries)
      parts.push_back(fmt::format("{}: {}", key_of(name), in_quotes(value)));
    text += fmt::format("{}: {{ {} }}\n", key, fmt::join(parts, ", "));
  };
  std::vector<std::pair<std::string, std::string>> options;
  for (const runtime::Option& option : program.options) options.emplace_back(option.name, option.value);
  map("options", options);
  map("learnt", learnt);
  text += "features:\n";
  for (std::size_t k = 0; k < features.size(); ++k)
    if (const double weight = judgement.weights[k]; std::abs(weight) >= 5e-5)
      text += fmt::format("  {}: {:.4f}\n", key_of(features.names()[k]), weight);
  if (judgement.network) text += network_text(*judgement.network);
  return text;
}

std::string weights_path(const GameChoice& game, const interpreter::Loaded& loaded) {
  constexpr std::string_view kSuffix = ".yaml";
  std::string path = loaded.sources.size() > 0 ? loaded.sources.name(0) : game.reference;
  std::error_code ignored;
  if (!path.ends_with(kSuffix) || !std::filesystem::is_regular_file(path, ignored))
    path = std::filesystem::path(game.reference).filename().string();
  if (path.ends_with(kSuffix)) path.resize(path.size() - kSuffix.size());
  return path + ".weights.yaml";
}

std::shared_ptr<const runtime::search::Learnt> bundled_weights_of(const runtime::Program& program) {
  const std::string rules =
      fmt::format("\nrules: \"{}\"\n", runtime::fingerprint_text(runtime::fingerprint(program)));
  for (const std::string_view text : bundled_weights())
    if (text.find(rules) != std::string_view::npos)
      if (auto file = parse_weights("bundled", std::string(text)))
        return std::make_shared<const runtime::search::Learnt>(std::move(file->what));
  return nullptr;
}

bool fits(const WeightsFile& file, const runtime::Program& program) {
  return file.rules == runtime::fingerprint_text(runtime::fingerprint(program));
}

tl::expected<std::shared_ptr<const runtime::search::Learnt>, std::string>
weights_for(const runtime::Program& program, const std::string& path) {
  auto file = read_weights(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  if (!fits(*file, program)) return tl::unexpected(path + ": learnt on other rules or options");
  return std::make_shared<const runtime::search::Learnt>(std::move(file->what));
}

tl::expected<std::shared_ptr<const runtime::search::Learnt>, Exit>
find_weights(const std::string& asked_for, const GameChoice& game, const interpreter::Loaded& loaded,
             Console& console) {
  const std::string path = asked_for.empty() ? weights_path(game, loaded) : asked_for;
  std::error_code ignored;
  if (asked_for.empty() && !std::filesystem::is_regular_file(path, ignored))
    return bundled_weights_of(loaded.rules->program());
  auto file = read_weights(path);
  if (!file) {
    console.error(printable(file.error()));
    return tl::unexpected(std::filesystem::is_regular_file(path, ignored) ? Exit::at_fault : Exit::files);
  }
  if (!fits(*file, loaded.rules->program())) {
    console.note(fmt::format("warning: `{}` was learnt on other rules or options{}\n", printable(path),
                             asked_for.empty() ? "; it isn't used (--weights would)" : ""));
    if (asked_for.empty()) return nullptr;
  }
  return std::make_shared<const runtime::search::Learnt>(std::move(file->what));
}

} // namespace boardwright::tools
