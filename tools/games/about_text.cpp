#include "tools/games/about_text.hpp"

#include "dsl/about.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace boardwright::tools {

std::string_view told(const About& about, std::string_view key) {
  const auto found =
      std::find_if(about.begin(), about.end(), [&](const auto& entry) { return entry.first == key; });
  return found == about.end() ? std::string_view() : std::string_view(found->second);
}

bool is_of_kind(std::string_view key) { return key.starts_with(dsl::kOfKind); }

bool is_of_term(std::string_view key) { return key.starts_with(dsl::kOfTerm); }

std::string_view term_told(const About& about, std::string_view name) {
  return told(about, std::string(dsl::kOfTerm) + std::string(name));
}

std::string_view movement_told(const About& about, std::string_view kind) {
  const std::string key = std::string(dsl::kOfKind) + std::string(kind);
  const std::string_view own = told(about, key);
  return own.empty() ? told(about, key.substr(0, key.find('('))) : own;
}

Json about_json(const About& about) {
  Json json = Json::object();
  for (const auto& [key, text] : about)
    if (is_of_kind(key))
      json[std::string(dsl::kKinds)][key.substr(dsl::kOfKind.size())] = text;
    else if (is_of_term(key))
      json[std::string(dsl::kTerms)][key.substr(dsl::kOfTerm.size())] = text;
    else
      json[key.empty() ? "text" : key] = text;
  return json;
}

} // namespace boardwright::tools
