#include "tools/games/game_index.hpp"

#include "dsl/text.hpp"
#include "tools/console/json.hpp"
#include "tools/games/about_text.hpp"
#include "tools/games/board_shape.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

namespace boardwright::tools {
namespace {

// The name behind `extends:` at the beginning of a line.
std::string parent_in(std::string_view text) {
  constexpr std::string_view kKey = "extends:";
  for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    const std::size_t begin = text.find_first_not_of(" \t\"'", at + kKey.size());
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_first_of(" \t\"'#\r\n", begin) - begin));
  }
  return "";
}

// The names behind `use:` at the beginning of a line, with or without brackets.
std::vector<std::string> uses_in(std::string_view text) {
  constexpr std::string_view kKey = "\nuse:";
  const std::size_t at = text.find(kKey);
  if (at == std::string_view::npos) return {};
  std::string line(text.substr(at + kKey.size()));
  line.resize(std::min(line.find_first_of("#\n"), line.size()));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
  std::istringstream names(line);
  return {std::istream_iterator<std::string>(names), std::istream_iterator<std::string>()};
}

Json entry_json(const GameEntry& entry) {
  Json json = {{"name", entry.name},       {"family", entry.family}, {"loads", entry.loads},
               {"title", entry.title},     {"parent", entry.parent}, {"board", entry.board},
               {"players", entry.players}, {"uses", entry.uses},     {"options", entry.options},
               {"effort", entry.effort},   {"about", Json::array()}};
  for (const auto& [key, text] : entry.about) json["about"].push_back(Json::array({key, text}));
  return json;
}

GameEntry from_json(const Json& json) {
  GameEntry entry;
  entry.name = json["name"];
  entry.family = json["family"];
  entry.loads = json["loads"];
  entry.title = json["title"];
  entry.parent = json["parent"];
  entry.board = json["board"];
  for (const Json& player : json["players"]) entry.players.push_back(player);
  for (const Json& used : json["uses"]) entry.uses.push_back(used);
  entry.options = json["options"];
  entry.effort = json["effort"];
  for (const Json& told : json["about"]) entry.about.emplace_back(told[0], told[1]);
  return entry;
}

} // namespace

std::string_view GameEntry::told(std::string_view key) const { return tools::told(about, key); }

std::string words_of(const GameEntry& entry) {
  std::string words =
      entry.name + "\n" + entry.title + "\n" + entry.family + "\n" + entry.board + "\n" + entry.parent;
  for (const std::string& player : entry.players) words += "\n" + player;
  for (const auto& [key, text] : entry.about) words += "\n" + text;
  return dsl::to_lower(words);
}

std::string bare_title(std::string_view text) {
  const auto counts = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80U || std::isalnum(byte) != 0; // letters that aren't ASCII stay as they are
  };
  std::string bare;
  for (const char c : text)
    if (counts(c)) bare += dsl::to_lower(c);
  return bare;
}

bool is_called(const GameEntry& entry, std::string_view typed) {
  const std::string wanted = bare_title(typed);
  return !wanted.empty() && (wanted == bare_title(entry.name) || wanted == bare_title(entry.title));
}

std::vector<const GameEntry*> games_called(const std::vector<GameEntry>& all, std::string_view typed) {
  std::vector<const GameEntry*> found;
  const std::string wanted = bare_title(typed);
  if (wanted.empty()) return found;
  for (const GameEntry& entry : all)
    if (bare_title(entry.name) == wanted) return {&entry};
  for (const GameEntry& entry : all)
    if (bare_title(entry.title) == wanted) found.push_back(&entry);
  return found;
}

GameEntry entry_of(const std::string& reference, std::string family, const dsl::FileFinder& find) {
  GameEntry entry;
  entry.name = reference;
  entry.family = std::move(family);
  const auto loaded = interpreter::load(reference, {}, find);
  entry.loads = static_cast<bool>(loaded);
  if (!entry.loads) return entry;
  const runtime::Program& program = loaded.rules->program();
  entry.title = program.game;
  entry.board = board_shape(program.board);
  for (const runtime::Player& player : program.players) entry.players.push_back(player.name);
  entry.options = static_cast<int>(loaded.file->options.size());
  entry.effort = static_cast<int>(program.nodes.size()) + program.board.cells;
  // What the parent of a variant says of itself, its year and author, doesn't hold for the variant.
  for (const auto& [key, text] : loaded.file->about)
    if (key.span.file == loaded.file->file) entry.about.emplace_back(key.text, text);
  entry.parent = parent_in(loaded.sources.text(loaded.file->file));
  entry.uses = uses_in(loaded.sources.text(loaded.file->file));
  return entry;
}

std::string index_source(const std::vector<GameEntry>& entries) {
  std::string text = "// Made by tools/index/main.cpp from the bundled rule files.\n"
                     "#include \"tools/games/game_index.hpp\"\n\n"
                     "std::string_view boardwright::tools::bundled_index_text() {\n  return \"[\"\n";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string literal;
    for (const char c : to_text(entry_json(entries[i]))) {
      if (c == '"' || c == '\\' || c == '?') literal += '\\';
      literal += c;
    }
    text += fmt::format("         \"{}{}\"\n", literal, i + 1 < entries.size() ? "," : "");
  }
  return text + "         \"]\";\n}\n";
}

std::vector<GameEntry> read_index(std::string_view text) {
  std::vector<GameEntry> entries;
  for (const Json& json : Json::parse(text)) entries.push_back(from_json(json));
  return entries;
}

} // namespace boardwright::tools
