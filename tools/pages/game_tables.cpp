#include "tools/pages/game_tables.hpp"

#include "dsl/text.hpp"
#include "dsl/yaml.hpp"
#include "tools/pages/constructs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

namespace boardwright::tools {
namespace {

// So many files are named for a construct: enough to compare, few enough to read.
constexpr std::size_t kFilesNamed = 3;

// Words that only belong to another one (`each … do`), or that the index has twice (`reach` and `reach()`).
const std::set<std::string> kParts{"by", "do", "else", "in", "of", "on", "then", "before", "pieces", "reach"};

struct GameFile {
  std::string name, family, title, year, special;
  std::size_t lines = 0; // without comments, `about` and tests
  std::set<std::string> constructs;

  [[nodiscard]] std::string link() const { return fmt::format("[`{0}`]({1}/{0}.yaml)", name, family); }
};

std::string text_under(const dsl::Yaml* map, std::string_view key) {
  const dsl::Yaml* value = map != nullptr && map->is_map() ? map->find(key) : nullptr;
  return value != nullptr && value->is_scalar() ? value->text.text : "";
}

// Lines of rules: those of the sections `about` and `tests` and of comments are not counted.
std::size_t rule_lines(std::string_view text) {
  std::size_t count = 0;
  bool counts = true;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line[begin] == '#') continue;
    if (begin == 0) counts = !line.starts_with("about:") && !line.starts_with("tests:");
    count += counts ? 1U : 0U;
  }
  return count;
}

std::optional<GameFile> read_game(const dsl::BundledFile& file) {
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;
  const dsl::FileId id = sources.add(std::string(file.name), std::string(file.text));
  const auto yaml = dsl::read_yaml(sources, id, diagnostics);
  if (!yaml || !dsl::is_game(file.text)) return std::nullopt;
  const dsl::Yaml* about = yaml->find("about");
  GameFile game{std::string(file.name),    std::string(file.family),     text_under(&*yaml, "game"),
                text_under(about, "year"), text_under(about, "special"), rule_lines(file.text),
                constructs_of(*yaml)};
  return game;
}

std::vector<GameFile> read_games(const std::vector<dsl::BundledFile>& files) {
  std::vector<GameFile> games;
  for (const auto& file : files)
    if (auto game = read_game(file)) games.push_back(std::move(*game));
  std::sort(games.begin(), games.end(), [](const GameFile& a, const GameFile& b) {
    return std::tie(a.family, a.name) < std::tie(b.family, b.name);
  });
  return games;
}

// ---------------------------------------------------------------- games by family

std::string in_a_cell(std::string text) { // of a table
  for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string family_table(const std::vector<GameFile>& games) {
  std::string text, family;
  for (const auto& game : games) {
    if (game.family != family)
      text +=
          fmt::format("\n### {}\n\n| file | game | worth reading for |\n| --- | --- | --- |\n", game.family);
    family = game.family;
    const std::string year = game.year.empty() ? "" : " (" + game.year + ")";
    text += fmt::format("| {} | {}{} | {} |\n", game.link(), game.title, year, in_a_cell(game.special));
  }
  return text + "\n";
}

// ---------------------------------------------------------------- constructs

// The text behind a heading of the page, and the chapters by their links.
std::vector<std::pair<std::string, std::string>> headings_of(std::string_view page) {
  std::vector<std::pair<std::string, std::string>> headings; // link, title
  std::istringstream in{std::string(page)};
  bool code = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) code = !code;
    if (code || !line.starts_with("##")) continue;
    const std::string title = line.substr(line.find_first_not_of("# "));
    headings.emplace_back(link_to_heading(title), title);
  }
  return headings;
}

bool is_special(const GameFile& game, const std::string& word) {
  const std::string bare = word.substr(0, word.find_first_of("(:"));
  return game.special.find("`" + bare + "`") != std::string::npos;
}

// Those whose line `special` names the word, then the shortest.
std::vector<const GameFile*> best_for(const std::string& word, const std::vector<GameFile>& games) {
  std::vector<const GameFile*> users;
  for (const auto& game : games)
    if (game.constructs.contains(word)) users.push_back(&game);
  const auto key = [&](const GameFile* game) {
    return std::tuple(!is_special(*game, word), game->lines, game->name);
  };
  std::sort(users.begin(), users.end(), [&](const auto* a, const auto* b) { return key(a) < key(b); });
  return users;
}

std::string code(const std::string& word) { return "`" + in_a_cell(word) + "`"; }

std::string construct_table(std::string_view reference, const std::vector<GameFile>& games) {
  const auto words = index_of(reference);
  std::string rows, common;
  for (const auto& [link, title] : headings_of(reference)) {
    std::string chapter;
    for (const auto& entry : words) {
      if (entry.chapter != link || kParts.contains(entry.word)) continue;
      const auto users = best_for(entry.word, games);
      if (users.empty()) continue;
      if (users.size() * 2 > games.size()) {
        common += fmt::format("{}{}", common.empty() ? "" : ", ", code(entry.word));
        continue;
      }
      std::string named;
      for (std::size_t i = 0; i < std::min(users.size(), kFilesNamed); ++i)
        named += (i > 0 ? ", " : "") + users[i]->link();
      chapter += fmt::format("| {} | {} | {} |\n", code(entry.word), named, users.size());
    }
    if (!chapter.empty())
      rows += fmt::format("| **[{}](../dsl/README.md#{})** | | |\n{}", title, link, chapter);
  }
  return fmt::format("\nMore than half of the files use {}.\n\n| construct | look at | files that use it |\n"
                     "| --- | --- | --- |\n{}\n",
                     common, rows);
}

// False where a marker is missing.
bool replace_between(std::string& page, const std::string& name, const std::string& text) {
  const auto begin = page.find("<!-- " + name + ": ");
  if (begin == std::string::npos) return false;
  const auto first = page.find('\n', begin);
  const auto last = page.find("<!-- end of " + name + " -->", begin);
  if (first == std::string::npos || last == std::string::npos || last < first) return false;
  page.replace(first + 1, last - first - 1, text);
  return true;
}

} // namespace

std::string link_to_heading(std::string_view title) {
  std::string link;
  for (const char c : title)
    if (c == ' ')
      link += '-';
    else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-')
      link += dsl::to_lower(c);
  return link;
}

std::vector<IndexedWord> index_of(std::string_view reference) {
  std::vector<IndexedWord> words;
  const std::string_view index = reference.substr(std::min(reference.find("\n## Index"), reference.size()));
  for (auto at = index.find("[`"); at != std::string_view::npos; at = index.find("[`", at + 1)) {
    const auto end = index.find("`](#", at);
    if (end == std::string_view::npos) break;
    const auto close = index.find(')', end);
    words.push_back({std::string(index.substr(at + 2, end - at - 2)),
                     std::string(index.substr(end + 4, close - end - 4))});
  }
  return words;
}

std::string with_tables(std::string_view page, std::string_view reference,
                        const std::vector<dsl::BundledFile>& files) {
  const auto games = read_games(files);
  std::string text(page);
  const bool found = replace_between(text, "families", family_table(games)) &&
                     replace_between(text, "constructs", construct_table(reference, games));
  return found ? text : "";
}

} // namespace boardwright::tools
