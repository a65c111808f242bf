// Words that people type at the prompt of `play` and that are no commands, and what they mean by them.
#include "dsl/text.hpp"
#include "tools/games/algebraic.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::tools {
namespace {

// Without blanks and hyphens: "give up", "take-back".
const std::map<std::string, std::string_view, std::less<>>& other_words() {
  static const std::map<std::string, std::string_view, std::less<>> kWords = [] {
    constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
        {"undo", "cancel back goback takeback revert unmove previous prev"},
        {"redo", "forward next"},
        {"moves", "list options legal legalmoves ls where"},
        {"board", "show print display redraw refresh state status turn look"},
        {"history", "log record notation played moveslist last pgn"},
        {"quit", "q bye stop abort leave end close logout"},
        {"new",
         "restart reset again start begin newgame rematch playagain onemore another anothergame oncemore "
         "replay"},
        {"resign", "surrender giveup concede forfeit"},
        {"draw", "tie remis offerdraw"},
        {"level", "opponent difficulty computer ai bot strength skill people human person players against"},
        {"save", "export write store"},
        {"load", "open import resume continue"},
        {"hint", "best bestmove suggest suggestion tip advice advise"},
        {"eval", "evaluate evaluation score winning standing"},
        {"analyse", "analyze analysis think"},
        {"why", "explain reason"},
        {"flip", "rotate reverse"},
        {"view", "scroll zoom"},
        {"rules", "instructions manual howto howtoplay aim goal tutorial learn about"},
        {"help", "commands man usage info menu settings"},
        {"swap", "switch sides switchsides swapsides"},
    };
    std::map<std::string, std::string_view, std::less<>> words;
    for (const auto& [command, others] : kMeant)
      for (std::size_t begin = 0; begin < others.size();) {
        const std::size_t end = std::min(others.find(' ', begin), others.size());
        words.emplace(others.substr(begin, end - begin), command);
        begin = end + 1;
      }
    return words;
  }();
  return kWords;
}

std::string joined(std::string_view text) {
  std::string word;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '-') word += dsl::to_lower(c);
  return word;
}

} // namespace

namespace {

bool is_pass(const std::string& word) { return word == "pass" || word == "skip" || word == "passe"; }

bool is_castling(const std::string& word) {
  return word == "castle" || word == "castling" || word == "oo" || word == "ooo" || word == "00" ||
         word == "000";
}

// The words of a sentence, in small letters and without what stands around them.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool part = i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                                          (static_cast<unsigned char>(text[i]) & 0x80U) != 0);
    if (part) word += dsl::to_lower(text[i]);
    if (!part && !word.empty()) words.push_back(std::exchange(word, ""));
  }
  return words;
}

bool is_question(const std::vector<std::string>& words) {
  static const std::set<std::string, std::less<>> kAsking{"how", "what", "why", "when", "who", "which",
                                                          "can", "must", "do",  "am",   "is"};
  return !words.empty() && kAsking.contains(words.front());
}

} // namespace

// What is no move now, and people still type.
std::string Session::told_of_no_move(const std::string& text) const {
  const std::string word = joined(text);
  if (is_pass(word)) return "there is no passing now: `moves` lists what you can do\n";
  if (is_castling(word) && has_algebraic(program())) return "you can't castle now\n";
  return "";
}

// A sentence: of a command or a player that is named in it something can be told, and of a question where its
// answer stands.
std::string Session::told_of_sentence(const std::string& text) const {
  const auto words = words_in(text);
  for (int player = 0; player < program().player_count(); ++player)
    if (std::find(words.begin(), words.end(), dsl::to_lower(name_of(player))) != words.end())
      return seats_.is_person(player)
                 ? fmt::format("{} is played here\n", name_of(player))
                 : fmt::format("`swap` lets you play {}{}\n",
                               program().player_count() > 2 ? "the side after yours, and so on to " : "",
                               name_of(player));
  if (words.size() < 2 && !text.ends_with('?')) return "";
  for (const std::string& word : words)
    for (const Command& command : commands())
      if (command.name == word && !command.help.empty() && (!ended_ || command.after_end))
        return fmt::format("`{}{}{}`: {}\n", command.name, command.argument.empty() ? "" : " ",
                           command.argument, command.help);
  return is_question(words)
             ? "`rules` tells how the game is played, `moves` what you can do, `why MOVE` what "
               "stops a move, `hint` what to do\n"
             : "";
}

// What only shows something is done; of what changes the game the command is told.
std::optional<Session::Step> Session::obey_other_word(const std::string& text) {
  const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
  auto found = other_words().find(joined(text));
  std::string argument;
  if (found == other_words().end()) {
    found = other_words().find(joined(std::string_view(text).substr(0, blank)));
    argument = text.substr(std::min(text.find_first_not_of(" \t", blank), text.size()));
  }
  if (found == other_words().end()) {
    std::string told = ended_ ? "" : told_of_no_move(text);
    if (told.empty()) told = told_of_sentence(text);
    if (told.empty()) return std::nullopt;
    refused_ = std::max(refused_, Exit::at_fault);
    say(told);
    return true;
  }
  const auto command = std::find_if(commands().begin(), commands().end(),
                                    [&](const Command& c) { return c.name == found->second; });
  if (command == commands().end() || (ended_ && !command->after_end)) return std::nullopt;
  // When a game is over nothing is lost by another.
  const bool at_once = command->harmless || (ended_ && command->name == "new");
  if (at_once && (argument.empty() || !command->argument.empty())) return (this->*command->action)(argument);
  refused_ = std::max(refused_, Exit::at_fault);
  say(fmt::format("{} is no command; `{}{}{}`: {}\n", quotable(text), command->name,
                  command->argument.empty() ? "" : " ", command->argument, command->help));
  return true;
}

} // namespace boardwright::tools
