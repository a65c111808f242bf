// The rules of a game as players are told them.
#pragma once

#include "interpreter/load.hpp"
#include "tools/english/example_moves.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

struct KindRules {
  std::string name;    // of the kind
  std::string letters; // "Black b, White w"
  std::string text;    // how it moves, as the file tells; may be empty
  std::vector<ExampleMove> examples;
};

struct PlayerRules {
  std::string title;
  std::string made_by; // "Ann Example, 2025"; "" if nobody is named
  std::string players; // "Black and White; Black begins"
  std::string board;   // "8 by 8 squares"
  std::string summary, aim;
  std::vector<KindRules> kinds;
  std::vector<std::string> moving;  // how moves are written, what is compulsory: sentences
  std::vector<std::string> endings; // sentences
  std::vector<std::string> options; // "size = 11 (3 to 19): cells along each side"
};

[[nodiscard]] PlayerRules player_rules(const interpreter::Loaded& loaded, const runtime::Game& beginning);

// "b3-b4", "g4xg6 (takes something)"
[[nodiscard]] std::string example_text(const ExampleMove& example);

// The same as text of so many columns.
[[nodiscard]] std::string player_rules_text(const PlayerRules& rules, int width);

} // namespace boardwright::tools
