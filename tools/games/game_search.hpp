// Which games somebody may mean by what he types.
#pragma once

#include "tools/games/game_index.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// In small letters, numbers up to twelve in words, everything but letters and digits as a blank: "Row4"
// and "row-four" become "row four".
[[nodiscard]] std::string plain_title(std::string_view text);
// Its name, its title, and what else it is called (`also` of its `about`), each as plain_title has it.
[[nodiscard]] std::vector<std::string> titles_of(const GameEntry& entry);

struct FoundGames {
  std::vector<GameEntry> games; // best first
  std::size_t surely = 0;       // of these the first so many: by their name, family or number of players
  bool called = false;          // the first ones are called exactly so
};
// Those that are called so alone; else all of a family, or for so many players ("2 players"), or those of
// whose names all of the words are a part; then those of which anything else has words that begin so.
[[nodiscard]] FoundGames games_meant(const std::vector<GameEntry>& all, const std::string& typed);

// The games that are near to what is no game's name, best first, a few of them: by what they are called, by a
// slip of the keys, by their family, by what is told of them.
[[nodiscard]] std::vector<GameEntry> likely_games(const std::vector<GameEntry>& all,
                                                  const std::string& typed);

// Games for two that are quickly learnt and soon over, the simplest first: short rules, small boards, nothing
// to set, no variants; no two of a family.
[[nodiscard]] std::vector<GameEntry> simple_games(const std::vector<GameEntry>& all);

// Those of the family of the game that is called so, itself at the end; nothing where there is no such game.
[[nodiscard]] std::vector<GameEntry> games_like(const std::vector<GameEntry>& all, const std::string& typed);

} // namespace boardwright::tools
