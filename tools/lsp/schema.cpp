// Entry point: rule_file_schema.
#include "tools/lsp/schema.hpp"

#include "dsl/section_keys.hpp"
#include "interpreter/look/look_words.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace boardwright::tools {
namespace {

Json of_types(std::initializer_list<const char*> types) {
  Json all = Json::array();
  for (const char* type : types) all.push_back(type);
  return {{"type", all.size() == 1 ? all.front() : all}};
}

Json text() { return of_types({"string", "number", "boolean"}); }
// Entries that are called as the author likes.
Json map_of(const Json& value) { return {{"type", "object"}, {"additionalProperties", value}}; }

// A pattern for a key with a part that isn't fixed: `PLAYER wins`, `end within 200 plies`; "" for others.
std::string pattern_of(const std::string& key) {
  std::string pattern;
  bool open = false; // a part is not fixed
  for (std::size_t at = 0; at < key.size();) {
    const std::size_t end = std::min(key.find(' ', at), key.size());
    const std::string word = key.substr(at, end - at);
    const bool number = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
    const bool name =
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; });
    open = open || number || name;
    pattern += (at == 0 ? "" : " +") + (number ? std::string("[0-9]+") : name ? std::string(".+") : word);
    at = end + 1;
  }
  return open ? "^" + pattern + "$" : "";
}

std::vector<std::string> keys_of(const std::string& path) {
  for (auto& [where, keys] : dsl::keys_of_sections())
    if (where == path) return keys;
  return {};
}

// A map with the keys of the loader's table and no others; `values` says more about some of them.
Json map_with_keys(const std::string& path, const Json& values, Json types = of_types({"object"})) {
  Json properties = Json::object(), patterns = Json::object();
  for (const std::string& key : keys_of(path)) {
    const Json value = values.contains(key) ? values[key] : Json(true);
    if (const std::string pattern = pattern_of(key); !pattern.empty())
      patterns[pattern] = value;
    else
      properties[key] = value;
  }
  types["properties"] = properties;
  if (!patterns.empty()) types["patternProperties"] = patterns;
  types["additionalProperties"] = false;
  return types;
}

Json board() {
  const Json list = of_types({"array"}), map = of_types({"object"});
  return map_with_keys("board", {{"stacks", {{"type", "boolean"}}},
                                 {"slant", {{"enum", {"left", "right"}}}},
                                 {"steps", {{"const", "over holes"}}},
                                 {"lines", list},
                                 {"curves", list},
                                 {"tracks", map},
                                 {"names", of_types({"object", "string"})},
                                 {"letters", text()},
                                 {"squares", text()},
                                 {"hexes", text()},
                                 {"hexagon", text()},
                                 {"holes", text()},
                                 {"reach", text()},
                                 {"margin", text()}});
}

Json options() { return map_of(map_with_keys("options.*", {{"help", text()}})); }

// Of a variable: its first value, or a map that says whose it is.
Json state() {
  return map_of(
      map_with_keys("state.*", Json::object(), of_types({"object", "string", "number", "boolean"})));
}

Json tests() {
  const Json position = map_with_keys("tests.-.position", Json::object(), of_types({"object", "string"}));
  const Json games = map_with_keys("tests.-.games", Json::object());
  Json after = map_with_keys("tests.-.after", Json::object());
  Json test = map_with_keys("tests.-", {{"name", text()},
                                        {"set", of_types({"object"})},
                                        {"position", position},
                                        {"games", games},
                                        {"after MOVE", after}});
  test["required"] = Json::array({"name"});
  return {{"type", "array"}, {"items", test}};
}

Json look() {
  Json all = of_types({"object"});
  all["properties"] = {{"cells", {{"enum", interpreter::cell_look_names()}}},
                       {"hexes", {{"enum", {"level", "upright"}}}}};
  return all;
}

} // namespace

Json rule_file_schema() {
  const Json map = of_types({"object"});
  Json schema = map_with_keys("", {{"game", text()},
                                   {"about", of_types({"object", "string"})},
                                   {"boardwright", {{"type", "integer"}, {"minimum", 1}}},
                                   {"extends", of_types({"string"})},
                                   {"use", of_types({"string", "array"})},
                                   {"players", of_types({"object", "array"})},
                                   {"first", of_types({"string"})},
                                   {"board", board()},
                                   {"pieces", map},
                                   {"hands", map},
                                   {"setup", of_types({"object", "string"})},
                                   {"state", state()},
                                   {"sees", map_with_keys("sees", {{"hands", {{"enum", {"own", "all"}}}}})},
                                   {"options", options()},
                                   {"define", map},
                                   {"turn", of_types({"object", "string"})},
                                   {"end", of_types({"array", "string"})},
                                   {"tests", tests()},
                                   {"look", look()},
                                   {"check", map}});
  Json whole = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "A rule file of Boardwright"}};
  whole.update(schema);
  return whole;
}

} // namespace boardwright::tools
