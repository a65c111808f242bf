#include "tools/play/chooser.hpp"

#include "dsl/about.hpp"
#include "dsl/text.hpp"
#include "tools/console/wrapped.hpp"
#include "tools/games/game_search.hpp"
#include "tools/play/pages.hpp"
#include "tools/records/game_record.hpp"
#include "tools/records/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace boardwright::tools {
namespace {

constexpr const char* kHow =
    "type a family, a part of a name, any word or `2 players`; `list` shows all, `easy` "
    "simple ones, `like NAME` those like it, `resume` games that you left; then the "
    "number of a game, or `about 3` to read of it first; `quit` leaves\n";

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
  for (const GameEntry& game : shown) longest = std::max(longest, game.title.size());
  std::string text;
  for (std::size_t i = 0; i < shown.size(); ++i) text += row(i + 1, shown[i], longest, width);
  return text;
}

// All of them under their families; they stand in the order of these.
std::string rows_by_family(const std::vector<GameEntry>& games, int width) {
  std::map<std::string, std::size_t> longest;
  for (const GameEntry& game : games)
    longest[game.family] = std::max(longest[game.family], game.title.size());
  std::string text, family;
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (games[i].family != family) text += printable(games[i].family) + "\n";
    family = games[i].family;
    text += row(i + 1, games[i], longest[family], width);
  }
  return text;
}

// All that the list knows of a game, in lines.
std::string whole_description(const GameEntry& game, int width) {
  const auto room = static_cast<std::size_t>(std::max(width - 1, 30));
  std::string text = printable(game.title);
  if (const auto year = game.told("year"); !year.empty())
    text += fmt::format(" ({})", printable(std::string(year)));
  text +=
      fmt::format("\n{}", wrapped(fmt::format("{}; {}", fmt::join(game.players, ", "), game.board), room));
  for (const std::string_view key :
       {std::string_view(dsl::kAim), std::string_view("summary"), std::string_view()})
    if (const auto told = game.told(key); !told.empty()) text += "\n" + wrapped(std::string(told), room);
  return printable(text) + "\n";
}

std::string behind_first_word(const std::string& typed) {
  const std::size_t first = typed.find_first_not_of(' ');
  const std::size_t end = typed.find(' ', first);
  const std::size_t rest = end == std::string::npos ? end : typed.find_first_not_of(' ', end);
  if (rest == std::string::npos) return "";
  return typed.substr(rest, typed.find_last_not_of(' ') + 1 - rest);
}

class Choosing {
public:
  Choosing(PlayOptions& options, const std::vector<GameEntry>& games, LineReader& reader, Console& console)
      : options_(options), reader_(reader), console_(console) {
    std::copy_if(games.begin(), games.end(), std::back_inserter(all_),
                 [](const GameEntry& game) { return game.loads; });
  }

  // Has one been chosen? Else nobody wants to play.
  bool choose() {
    console_.out(families_text(all_, console_.width()));
    while (console_.flush()) {
      auto line = reader_.read("which game? ");
      if (!line || *line == "quit" || *line == "exit") return false;
      if (answer(*line)) return true;
      while (!next_.empty()) { // typed while a list was shown
        if (next_ == "exit") return false;
        if (answer(std::exchange(next_, ""))) return true;
      }
    }
    return false;
  }

private:
  bool answer(const std::string& typed) {
    if (const auto number = dsl::number_in<std::size_t>(typed)) {
      if (const GameEntry* game = numbered(*number)) return take(*game);
      return false;
    }
    const std::string plain = plain_title(typed);
    if (plain.empty() && typed.find('?') == std::string::npos) {
      if (offered_) return take(shown_.front());
      console_.out(families_text(all_, console_.width()));
      return false;
    }
    if (plain == "help" || plain.empty()) {
      console_.out(how(console_.width()));
      return false;
    }
    if (const auto wish = wish_of(plain)) return (this->**wish)();
    for (const std::string_view word : {"about ", "describe ", "rules ", "read "})
      if (plain.starts_with(word)) return tell_of(behind_first_word(typed));
    for (const std::string_view word : {"like ", "something like ", "games like ", "a game like "})
      if (plain.starts_with(word)) return show_like(plain.substr(word.size()));
    return search(typed);
  }

  using Wish = bool (Choosing::*)();
  static std::optional<Wish> wish_of(const std::string& plain) {
    static const std::map<std::string, Wish> kWishes = [] {
      std::map<std::string, Wish> wishes;
      for (const char* all : {"list", "all", "games", "all games", "list all", "list games", "show all",
                              "list all games", "show all games"})
        wishes[all] = &Choosing::show_all;
      for (const char* easy : {"easy",          "simple",        "something easy", "something simple",
                               "easy game",     "easy games",    "simple game",    "simple games",
                               "an easy game",  "a simple game", "short",          "something short",
                               "i don t know",  "i dont know",   "dont know",      "don t know",
                               "idk",           "any",           "anything",       "any game",
                               "whatever",      "surprise me",   "random",         "suggest",
                               "for beginners", "beginner"})
        wishes[easy] = &Choosing::show_simple;
      for (const char* kept :
           {"my games", "kept", "kept games", "unfinished", "unfinished games", "saved", "saved games"})
        wishes[kept] = &Choosing::show_kept;
      for (const char* last : {"continue", "resume", "go on", "last", "last game", "my game", "my last game"})
        wishes[last] = &Choosing::resume;
      return wishes;
    }();
    const auto found = kWishes.find(plain);
    return found == kWishes.end() ? std::nullopt : std::optional(found->second);
  }

  bool take(const GameEntry& game) {
    options_.game.reference = game.name;
    return true;
  }

  // The game that has a number in the list above; else says which numbers there are.
  const GameEntry* numbered(std::size_t number) {
    if (number > 0 && number <= shown_.size()) return &shown_[number - 1];
    console_.out(shown_.empty() ? "there is no list of games yet: a family or any word shows one\n"
                                : fmt::format("the games above have the numbers 1 to {}\n", shown_.size()));
    return nullptr;
  }

  void show(std::vector<GameEntry> games) {
    set_shown(std::move(games));
    next_ = show_pages(rows(shown_, console_.width()), reader_, console_);
  }

  // The games of a list, which numbers choose from.
  void set_shown(std::vector<GameEntry> games) {
    shown_ = std::move(games);
    offered_ = false;
  }

  bool show_all() {
    set_shown(all_);
    next_ = show_pages(rows_by_family(shown_, console_.width()), reader_, console_);
    return false;
  }

  bool show_simple() {
    console_.out("quickly learnt:\n");
    show(simple_games(all_));
    return false;
  }

  bool show_like(const std::string& model) {
    auto games = games_like(all_, model);
    if (games.empty()) return search(model);
    show(std::move(games));
    return false;
  }

  // The games that were left, by their numbers; `resume` goes on with the latest.
  bool show_kept() {
    const auto kept = kept_games(games_folder());
    if (kept.empty()) {
      console_.out("no game has been left unfinished\n");
      return false;
    }
    std::string text;
    std::vector<GameEntry> games;
    for (const interpreter::Record& record : kept) {
      GameEntry game;
      game.name = record.tag("Rules");
      game.title = record.tag("Game");
      if (const auto known = std::find_if(all_.begin(), all_.end(),
                                          [&](const GameEntry& one) { return one.name == game.name; });
          known != all_.end())
        game = *known;
      games.push_back(std::move(game));
      text += fmt::format("{:>3}  {}, left on {} after {} move{}\n", games.size(),
                          printable(record.tag("Game")), printable(record.tag("Date")), record.moves.size(),
                          record.moves.size() == 1 ? "" : "s");
    }
    set_shown(std::move(games));
    console_.out(text +
                 "`resume` goes on with the first of them; a number begins that game, and offers to go on\n");
    return false;
  }

  bool resume() {
    const auto kept = kept_games(games_folder());
    if (kept.empty()) return show_kept();
    options_.game.reference = kept.front().tag("Rules");
    for (const std::string& option : kept.front().tags_named("Option"))
      if (const std::size_t equals = option.find('='); equals != std::string::npos)
        options_.game.settings.emplace_back(option.substr(0, equals), option.substr(equals + 1));
    options_.resume = true;
    return true;
  }

  // A game's description before it is begun: by its number, or by its name.
  bool tell_of(const std::string& which) {
    const auto number = dsl::number_in<std::size_t>(which);
    if (number) {
      if (const GameEntry* game = numbered(*number)) console_.out(whole_description(*game, console_.width()));
      return false;
    }
    const FoundGames found = games_meant(all_, which);
    if (found.games.empty()) return search(which);
    describe(found.games.front());
    return false;
  }

  // One game that Enter begins.
  void describe(GameEntry game) {
    console_.out(whole_description(game, console_.width()) + "Enter plays it\n");
    set_shown({std::move(game)});
    offered_ = true;
  }

  bool search(const std::string& typed) {
    FoundGames found = games_meant(all_, typed);
    if (found.games.empty()) {
      const auto likely = likely_games(all_, typed);
      console_.out(fmt::format("no game is called {}, or says so\n", quotable(typed)));
      if (likely.empty())
        console_.out(how(console_.width()));
      else
        show(likely);
      return false;
    }
    if (found.called && found.games.size() == 1) return take(found.games.front());
    if (found.games.size() == 1 && found.surely == 1) {
      describe(std::move(found.games.front()));
      return false;
    }
    if (found.surely == 0)
      console_.out(fmt::format("no game is called {}; what is told of these has the word{} in it:\n",
                               quotable(typed),
                               plain_title(typed).find(' ') == std::string::npos ? "" : "s"));
    show(std::move(found.games));
    return false;
  }

  PlayOptions& options_;
  LineReader& reader_;
  Console& console_;
  std::vector<GameEntry> all_, shown_;
  bool offered_ = false; // Enter plays the only one
  std::string next_;     // to be answered before the next question
};

} // namespace

bool choose_game(PlayOptions& options, const std::vector<GameEntry>& games, LineReader& reader,
                 Console& console) {
  return Choosing(options, games, reader, console).choose();
}

} // namespace boardwright::tools
