// Words that people type at the prompt of `play` and that are no commands, and what they mean by them.
#include "dsl/text.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace boardwright::tools {
namespace {

// Without blanks and hyphens: "give up", "take-back".
const std::map<std::string, std::string_view, std::less<>>& other_words() {
  static const std::map<std::string, std::string_view, std::less<>> kWords = [] {
    constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
        {"undo", "cancel back goback takeback revert unmove previous prev"},
        {"redo", "forward next"},
        {"moves", "list options legal legalmoves ls where pass skip"},
        {"board", "show print display redraw refresh state status turn look"},
        {"history", "log record notation played moveslist last pgn"},
        {"quit", "bye stop abort leave end close logout"},
        {"new", "restart reset again start begin newgame"},
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

// What only shows something is done; of what changes something the command is told.
std::optional<Session::Step> Session::obey_other_word(const std::string& text) {
  const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
  auto found = other_words().find(joined(text));
  std::string argument;
  if (found == other_words().end()) {
    found = other_words().find(joined(std::string_view(text).substr(0, blank)));
    argument = text.substr(std::min(text.find_first_not_of(" \t", blank), text.size()));
  }
  if (found == other_words().end()) return std::nullopt;
  const auto command = std::find_if(commands().begin(), commands().end(),
                                    [&](const Command& c) { return c.name == found->second; });
  if (command == commands().end() || (ended_ && !command->after_end)) return std::nullopt;
  if (command->harmless && (argument.empty() || !command->argument.empty()))
    return (this->*command->action)(argument);
  refused_ = std::max(refused_, Exit::at_fault);
  say(fmt::format("{} is no command; `{}{}{}`: {}\n", quotable(text), command->name,
                  command->argument.empty() ? "" : " ", command->argument, command->help));
  return true;
}

} // namespace boardwright::tools
