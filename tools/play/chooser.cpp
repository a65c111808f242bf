#include "tools/play/chooser.hpp"

#include "dsl/about.hpp"
#include "dsl/text.hpp"
#include "tools/console/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

namespace boardwright::tools {
namespace {

// Games that are shown at once: more would push the question off the screen.
constexpr std::size_t kMostShown = 30;
constexpr const char* kHow =
    "type a family, a part of a name, any word, or `2 players`; then the number of a game; `quit` leaves\n";

std::vector<std::string> words_in(const std::string& typed) {
  std::istringstream in(dsl::to_lower(typed));
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool has_all(const std::string& text, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

std::string how(int width) { return wrapped_lines(kHow, static_cast<std::size_t>(std::max(width - 1, 1))); }

std::string families_text(const std::vector<GameEntry>& all, int width) {
  std::map<std::string, int> sizes;
  for (const GameEntry& entry : all) ++sizes[entry.family];
  std::string text = fmt::format("{} games:", all.size());
  std::size_t column = text.size();
  for (const auto& [family, size] : sizes) {
    const std::string part = fmt::format(" {} ({})", printable(family), size);
    if (column + part.size() > static_cast<std::size_t>(std::max(width, 30))) {
      text += "\n ";
      column = 1;
    }
    text += part;
    column += part.size();
  }
  return text + "\n" + how(width);
}

// " 3  Hex           2 players  hexes, 11 by 11; a connection of two sides …"
std::string row(std::size_t number, const GameEntry& entry, std::size_t longest, int width) {
  const std::size_t players = entry.players.size();
  // Variants have the aim of their parent, most often, and say in their summary what is different.
  const bool variant = !entry.parent.empty();
  std::string about(entry.told(variant ? "summary" : dsl::kAim));
  if (about.empty()) about = entry.told(variant ? dsl::kAim : "summary");
  about.resize(std::min(about.find(". "), about.size())); // its first sentence
  if (about.empty()) about = entry.board;
  const std::string text = fmt::format("{:>3}  {:<{}}  {} player{}  {}", number, printable(entry.title),
                                       longest, players, players == 1 ? " " : "s", printable(about));
  constexpr std::size_t kLeast = 30, kBeyond = 2; // the sign of what was cut, and a column that stays free
  return quotable(text, std::max(static_cast<std::size_t>(std::max(width, 0)), kLeast) - kBeyond) + "\n";
}

std::string rows(const std::vector<GameEntry>& shown, int width) {
  std::size_t longest = 0;
  const std::size_t count = std::min(shown.size(), kMostShown);
  for (std::size_t i = 0; i < count; ++i) longest = std::max(longest, shown[i].title.size());
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += row(i + 1, shown[i], longest, width);
  if (count < shown.size()) text += fmt::format("and {} more: type more words\n", shown.size() - count);
  return text;
}

// `2 players`, `2p`; 0 for anything else.
std::size_t player_count(const std::vector<std::string>& words) {
  const bool short_form = words.size() == 1 && words[0].size() == 2 && words[0][1] == 'p';
  const bool long_form = words.size() == 2 && (words[1] == "players" || words[1] == "player");
  return short_form || long_form ? dsl::number_in<std::size_t>(words[0].substr(0, 1)).value_or(0) : 0;
}

class Choosing {
public:
  Choosing(const std::vector<GameEntry>& games, LineReader& reader, Console& console)
      : reader_(reader), console_(console) {
    std::copy_if(games.begin(), games.end(), std::back_inserter(all_),
                 [](const GameEntry& game) { return game.loads; });
  }

  // Null when nobody wants to play.
  const GameEntry* choose() {
    console_.out(families_text(all_, console_.width()));
    while (console_.flush()) {
      const auto line = reader_.read("which game? ");
      if (!line || *line == "quit" || *line == "exit") return nullptr;
      if (const GameEntry* chosen = answer(*line)) return chosen;
    }
    return nullptr;
  }

private:
  const GameEntry* answer(const std::string& typed) {
    const std::size_t listed = std::min(shown_.size(), kMostShown);
    if (const auto number = dsl::number_in<std::size_t>(typed)) {
      if (*number > 0 && *number <= listed) return &shown_[*number - 1];
      console_.out(listed == 0 ? "there is no list of games yet: a family or any word shows one\n"
                               : fmt::format("the games above have the numbers 1 to {}\n", listed));
      return nullptr;
    }
    if (const std::string word = dsl::to_lower(typed); word == "help" || word == "?") {
      console_.out(how(console_.width()));
      return nullptr;
    }
    if (words_in(typed).empty()) {
      if (shown_.size() == 1) return &shown_.front();
      console_.out(families_text(all_, console_.width()));
      return nullptr;
    }
    auto found = games_meant(all_, typed);
    if (found.empty()) {
      console_.out(
          fmt::format("no game is called {}, or says so\n{}", quotable(typed), how(console_.width())));
      return nullptr;
    }
    shown_ = std::move(found);
    if (shown_.size() == 1 && is_called(shown_.front(), typed)) return &shown_.front();
    console_.out(rows(shown_, console_.width()));
    if (shown_.size() == 1) console_.out("Enter plays it\n");
    return nullptr;
  }

  LineReader& reader_;
  Console& console_;
  std::vector<GameEntry> all_, shown_;
};

} // namespace

std::vector<GameEntry> games_meant(const std::vector<GameEntry>& all, const std::string& typed) {
  const auto words = words_in(typed);
  std::vector<GameEntry> called, named, family, mentioned;
  const std::size_t players = player_count(words);
  for (const GameEntry& entry : all) {
    const std::string names = dsl::to_lower(entry.name + " " + entry.title);
    const std::string wanted = fmt::format("{}", fmt::join(words, " "));
    if (players > 0) {
      if (entry.players.size() == players) named.push_back(entry);
    } else if (is_called(entry, typed))
      called.push_back(entry);
    else if (wanted == dsl::to_lower(entry.family))
      family.push_back(entry);
    else if (has_all(names, words))
      named.push_back(entry);
    else if (has_all(words_of(entry), words))
      mentioned.push_back(entry);
  }
  if (!family.empty()) { // of the games that are called as a family is, the
                         // family is meant
    called.insert(called.end(), family.begin(), family.end());
    return called;
  }
  if (!called.empty()) return called;
  named.insert(named.end(), mentioned.begin(), mentioned.end());
  return named;
}

bool choose_game(PlayOptions& options, const std::vector<GameEntry>& games, LineReader& reader,
                 Console& console) {
  Choosing choosing(games, reader, console);
  const GameEntry* chosen = choosing.choose();
  if (chosen == nullptr) return false;
  options.game.reference = chosen->name;
  return true;
}

} // namespace boardwright::tools
