// What `list` says of each game. That of the bundled games is worked out when the program is built, as
// loading a hundred files takes longer than anyone waits for a list.
#pragma once

#include "interpreter/load.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::tools {

struct GameEntry {
  std::string name;   // by which it is called: "hex"
  std::string family; // the folder of a bundled game: "connection"; "" for any other
  bool loads = true;  // else nothing below is known
  std::string title;  // "Hex"
  std::string parent; // the game that it is a variant of, or ""
  std::string board;  // as board_shape says it
  std::vector<std::string> players;
  std::vector<std::string> uses; // vocabularies that its own file names
  int options = 0;
  int effort = 0; // how much there is to understand: the size of its rules, and of its board
  std::vector<std::pair<std::string, std::string>> about; // its own: author, year …; free text under ""

  // The text of `about` under a key, or "".
  [[nodiscard]] std::string_view told(std::string_view key) const;
};

// All that is known of a game, in small letters: for a search.
[[nodiscard]] std::string words_of(const GameEntry& entry);

// A name or a title without case, blanks, hyphens and other signs: "My Game" and "my-game" are alike.
[[nodiscard]] std::string bare_title(std::string_view text);
// Is that its name or its title, signs and case apart?
[[nodiscard]] bool is_called(const GameEntry& entry, std::string_view typed);
// The games that are called so: the one of this name, else all of this title.
[[nodiscard]] std::vector<const GameEntry*> games_called(const std::vector<GameEntry>& all,
                                                         std::string_view typed);

// Of a file or a game that `find` finds.
[[nodiscard]] GameEntry entry_of(const std::string& reference, std::string family,
                                 const dsl::FileFinder& find);

// The index of the bundled games as C++, for tools/index/main.cpp.
[[nodiscard]] std::string index_source(const std::vector<GameEntry>& entries);

// The bundled games as index_source has written them, in a file that the build makes.
[[nodiscard]] std::string_view bundled_index_text();
// The same, read. Throws where memory fails.
[[nodiscard]] std::vector<GameEntry> read_index(std::string_view text);
// Of these the games between two players.
[[nodiscard]] std::vector<std::string> games_of_two();

} // namespace boardwright::tools
