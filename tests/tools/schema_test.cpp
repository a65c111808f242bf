// The JSON Schema of rule files: the one that is shipped is the one that the program prints, every bundled
// file fits it, and mistyped keys don't.
#include "dsl/finder.hpp"
#include "dsl/yaml.hpp"
#include "tests/rule_files.hpp"
#include "tests/text_files.hpp"
#include "tools/lsp/schema.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace schema_test {

using namespace boardwright;

namespace {

using tools::Json;

// As much of a validator as our schema needs. Scalars of YAML may be text, numbers and truths to it.
class Validator {
public:
  std::vector<std::string> faults;

  void check(const dsl::Yaml& value, const Json& schema, const std::string& where) {
    if (schema.is_boolean()) return;
    if (value.kind == dsl::Yaml::Kind::empty) return;
    if (schema.contains("type") && !has_type(value, schema["type"])) faults.push_back(where + ": type");
    if (value.is_scalar() && schema.contains("enum") && !is_in(value.text.text, schema["enum"]))
      faults.push_back(where + ": enum");
    if (value.is_scalar() && schema.contains("const") && Json(value.text.text) != schema["const"])
      faults.push_back(where + ": const");
    for (const auto& item : value.items)
      if (schema.contains("items")) check(item, schema["items"], where + ".-");
    for (const auto& entry : value.entries) check_entry(entry, schema, where);
    if (value.is_map() && schema.contains("required"))
      for (const Json& key : schema["required"])
        if (value.find(key.get<std::string>()) == nullptr) faults.push_back(where + ": required");
  }

private:
  void check_entry(const dsl::YamlEntry& entry, const Json& schema, const std::string& where) {
    const std::string& key = entry.key.text;
    const std::string there = where + "." + key;
    if (schema.contains("properties") && schema["properties"].contains(key))
      return check(entry.value, schema["properties"][key], there);
    if (schema.contains("patternProperties"))
      for (const auto& [pattern, of_value] : schema["patternProperties"].items())
        if (std::regex_search(key, std::regex(pattern))) return check(entry.value, of_value, there);
    if (!schema.contains("additionalProperties")) return;
    if (schema["additionalProperties"] == Json(false))
      faults.push_back(there + ": key");
    else
      check(entry.value, schema["additionalProperties"], there);
  }
  static bool has_type(const dsl::Yaml& value, const Json& types) {
    const Json all = types.is_array() ? types : Json::array({types});
    return std::any_of(all.begin(), all.end(), [&](const Json& type) {
      if (type == "object") return value.is_map();
      if (type == "array") return value.is_sequence();
      return value.is_scalar();
    });
  }
  static bool is_in(const std::string& text, const Json& words) {
    return std::find(words.begin(), words.end(), Json(text)) != words.end();
  }
};

std::vector<std::string> faults_of(const std::string& text) {
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;
  const auto root = dsl::read_yaml(sources, sources.add("", text), diagnostics);
  REQUIRE(root);
  Validator validator;
  validator.check(*root, tools::rule_file_schema(), "");
  return validator.faults;
}

} // namespace

TEST_CASE("the JSON Schema that is shipped is today's") {
  const std::string path = tests::source_root() + "/tools/editors/vscode/rule-file.schema.json";
  const std::string today = tools::to_document(tools::rule_file_schema());
  if (std::getenv("BOARDWRIGHT_REBASE") != nullptr) std::ofstream(path, std::ios::binary) << today;
  CHECK(tests::read_file(path) == today);
}

TEST_CASE("every bundled file fits the JSON Schema") {
  for (const auto& file : dsl::bundled_files()) {
    INFO(file.name);
    CHECK(faults_of(std::string(file.text)) == std::vector<std::string>{});
  }
}

TEST_CASE("the JSON Schema finds mistyped keys and wrong shapes") {
  using Faults = std::vector<std::string>;
  CHECK(faults_of("gmae: X") == Faults{".gmae: key"});
  CHECK(faults_of("board: { square: 8 by 8 }") == Faults{".board.square: key"});
  CHECK(faults_of("board: { slant: up }") == Faults{".board.slant: enum"});
  CHECK(faults_of("pieces: w b") == Faults{".pieces: type"});
  CHECK(faults_of("tests: [{ perft: [1] }]") == Faults{".tests.-: required"});
  CHECK(faults_of("tests: [{ name: x, after a1-a2: { winer: A } }]") ==
        Faults{".tests.-.after a1-a2.winer: key"});
  CHECK(faults_of("tests: [{ name: x, games: { A wins: all, end within 9 plies: all } }]").empty());
}

} // namespace schema_test
