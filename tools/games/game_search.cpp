#include "tools/games/game_search.hpp"

#include "dsl/finder.hpp"
#include "dsl/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>

namespace boardwright::tools {
namespace {

constexpr std::array<std::string_view, 13> kNumbers = {"zero", "one",    "two",   "three", "four",
                                                       "five", "six",    "seven", "eight", "nine",
                                                       "ten",  "eleven", "twelve"};
constexpr std::size_t kMostLikely = 4; // proposals for a name that is none: more than that nobody reads
constexpr std::size_t kMostSimple = 6;
constexpr std::size_t kShortWord = 3; // so short a word isn't the beginning of another one

bool is_title_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80U || std::isalpha(byte) != 0; // letters that aren't ASCII stay as they are
}
bool is_title_digit(char c) { return c >= '0' && c <= '9'; }

std::string number_in_words(const std::string& digits) {
  const auto number = dsl::number_in<std::size_t>(digits);
  return number && *number < kNumbers.size() ? std::string(kNumbers[*number]) : digits;
}

std::vector<std::string> words_of_title(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

// What people say around the words that matter.
std::vector<std::string> words_that_matter(const std::string& text) {
  static const std::set<std::string_view> kAround = {
      "a",    "an", "the",  "some", "something", "any",    "game", "games", "play", "i",
      "want", "to", "with", "of",   "like",      "please", "me",   "show",  "list", "find"};
  std::vector<std::string> all = words_of_title(text), kept;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kept),
               [](const std::string& word) { return kAround.count(word) == 0; });
  return kept.empty() ? all : kept;
}

// Is there a word that begins so? Of short words: one that is so.
bool has_word(const std::string& words, const std::string& wanted) {
  for (std::size_t at = words.find(wanted); at != std::string::npos; at = words.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool begins = at == 0 || words[at - 1] == ' ';
    const bool ends = end == words.size() || words[end] == ' ';
    if (begins && (ends || wanted.size() > kShortWord)) return true;
  }
  return false;
}

bool has_all_words(const std::string& text, const std::vector<std::string>& words, bool whole) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return whole ? has_word(text, word) : text.find(word) != std::string::npos;
  });
}

enum class Called { by_name, otherwise, no };
Called called_so(const GameEntry& entry, const std::string& bare) {
  const auto titles = titles_of(entry);
  const auto found = std::find_if(titles.begin(), titles.end(),
                                  [&](const std::string& title) { return bare_title(title) == bare; });
  if (bare.empty() || found == titles.end()) return Called::no;
  return found - titles.begin() < 2 ? Called::by_name : Called::otherwise;
}

// `2 players`, `two players`, `2p`; 0 for anything else. Of plain_title.
std::size_t wanted_players(const std::vector<std::string>& words) {
  if (words.size() != 2 || (words[1] != "players" && words[1] != "player" && words[1] != "p")) return 0;
  const auto number = std::find(kNumbers.begin(), kNumbers.end(), words[0]);
  return number == kNumbers.end() ? 0 : static_cast<std::size_t>(number - kNumbers.begin());
}

void add_once(const GameEntry& entry, std::vector<GameEntry>& games) {
  const auto same = [&](const GameEntry& one) { return one.name == entry.name; };
  if (std::none_of(games.begin(), games.end(), same)) games.push_back(entry);
}

} // namespace

std::string plain_title(std::string_view text) {
  std::string plain, digits;
  const auto end_word = [&] {
    if (!plain.empty() && plain.back() != ' ') plain += ' ';
  };
  const auto end_number = [&] {
    if (digits.empty()) return;
    end_word();
    plain += number_in_words(digits) + ' ';
    digits.clear();
  };
  for (const char c : text) {
    if (is_title_digit(c)) {
      digits += c;
      continue;
    }
    end_number();
    if (is_title_letter(c))
      plain += dsl::to_lower(c);
    else if (c != '\'')
      end_word();
  }
  end_number();
  while (!plain.empty() && plain.back() == ' ') plain.pop_back();
  return plain;
}

std::vector<std::string> titles_of(const GameEntry& entry) {
  std::vector<std::string> titles = {plain_title(entry.name), plain_title(entry.title)};
  std::istringstream also{std::string(entry.told("also"))};
  for (std::string name; std::getline(also, name, ',');) titles.push_back(plain_title(name));
  return titles;
}

FoundGames games_meant(const std::vector<GameEntry>& all, const std::string& typed) {
  const std::string plain = plain_title(typed), bare = bare_title(plain);
  const auto words = words_that_matter(plain);
  const std::string wanted = fmt::format("{}", fmt::join(words, " "));
  const std::size_t players = wanted_players(words);
  std::vector<GameEntry> exactly, otherwise, named, family, mentioned;
  for (const GameEntry& entry : all) {
    const Called called = called_so(entry, bare);
    const std::string titles = fmt::format("{}", fmt::join(titles_of(entry), " "));
    if (players > 0) {
      if (entry.players.size() == players) named.push_back(entry);
    } else if (called == Called::by_name)
      exactly.push_back(entry);
    else if (called == Called::otherwise)
      otherwise.push_back(entry);
    else if (wanted == plain_title(entry.family))
      family.push_back(entry);
    else if (has_all_words(titles, words, false))
      named.push_back(entry);
    else if (has_all_words(plain_title(words_of(entry)), words, true))
      mentioned.push_back(entry);
  }
  // The game itself before those that are called after it: what was typed is more of its title.
  if (players == 0)
    std::stable_sort(named.begin(), named.end(), [](const GameEntry& a, const GameEntry& b) {
      return plain_title(a.title).size() < plain_title(b.title).size();
    });
  named.insert(named.begin(), otherwise.begin(), otherwise.end());
  FoundGames found;
  found.called = !exactly.empty();
  found.games = std::move(exactly);
  // Of the games that are called as a family is, the family is meant.
  if (!family.empty())
    found.games.insert(found.games.end(), family.begin(), family.end());
  else if (!found.called)
    found.games = std::move(named);
  found.surely = found.games.size();
  if (!found.called && family.empty())
    found.games.insert(found.games.end(), mentioned.begin(), mentioned.end());
  return found;
}

std::vector<GameEntry> likely_games(const std::vector<GameEntry>& all, const std::string& typed) {
  std::vector<GameEntry> likely;
  const FoundGames found = games_meant(all, typed);
  if (found.called) likely.push_back(found.games.front());
  std::vector<std::string> titles;
  for (const GameEntry& entry : all)
    for (const std::string& title : titles_of(entry)) titles.push_back(bare_title(title));
  const std::string near = found.called ? "" : dsl::nearest(bare_title(plain_title(typed)), titles);
  for (const GameEntry& entry : all)
    if (called_so(entry, near) != Called::no) add_once(entry, likely);
  const bool sure = found.surely > 0 || !likely.empty();
  const std::size_t count = sure ? found.surely : found.games.size();
  for (std::size_t i = 0; i < count && likely.size() < kMostLikely; ++i) add_once(found.games[i], likely);
  return likely;
}

std::vector<GameEntry> simple_games(const std::vector<GameEntry>& all) {
  std::vector<GameEntry> simple;
  std::copy_if(all.begin(), all.end(), std::back_inserter(simple), [](const GameEntry& entry) {
    return entry.loads && entry.players.size() == 2 && entry.parent.empty() && entry.effort > 0;
  });
  std::stable_sort(simple.begin(), simple.end(),
                   [](const GameEntry& a, const GameEntry& b) { return a.effort < b.effort; });
  std::set<std::string> families;
  std::vector<GameEntry> chosen;
  for (const GameEntry& entry : simple)
    if (chosen.size() < kMostSimple && families.insert(entry.family).second) chosen.push_back(entry);
  return chosen;
}

std::vector<GameEntry> games_like(const std::vector<GameEntry>& all, const std::string& typed) {
  const FoundGames found = games_meant(all, typed);
  if (found.surely == 0) return {};
  const GameEntry& model = found.games.front();
  std::vector<GameEntry> like;
  for (const GameEntry& entry : all)
    if (entry.family == model.family && entry.name != model.name) like.push_back(entry);
  like.push_back(model);
  return like;
}

} // namespace boardwright::tools
