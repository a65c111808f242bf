// Entry points: player_meant, player_of_colour, player_of_stone, player_field, colour_field.
#include "interpreter/notation/fen_players.hpp"

#include "dsl/text.hpp"

#include <algorithm>

namespace boardwright::interpreter {
namespace {

using runtime::Program;

// A letter that is the first of one player's name alone.
bool is_initial_of(const Program& program, std::size_t player, char letter) {
  const auto begins_so = [&](const runtime::Player& p) {
    return dsl::to_lower(p.name.front()) == dsl::to_lower(letter);
  };
  return begins_so(program.players[player]) &&
         std::count_if(program.players.begin(), program.players.end(), begins_so) == 1;
}

} // namespace

std::optional<std::size_t> player_meant(const Program& program, std::string_view word) {
  for (std::size_t i = 0; i < program.players.size(); ++i) {
    if (word == program.players[i].name || word == std::to_string(i + 1)) return i;
    if (word.size() == 1 && is_initial_of(program, i, word.front())) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> player_of_colour(const Program& program, std::string_view word) {
  if (program.players.size() != 2 || (word != "w" && word != "b")) return std::nullopt;
  const bool white = word == "w";
  for (std::size_t i = 0; i < 2; ++i) {
    if (program.players[i].name == (white ? "White" : "Black")) return i;
    if (program.players[i].name == (white ? "Black" : "White")) return 1 - i;
  }
  const auto begins = static_cast<std::size_t>(program.initial.to_move);
  return white ? begins : 1 - begins;
}

std::optional<std::size_t> player_of_stone(const Program& program, char colour) {
  const auto called_black = [](const runtime::Player& player) { return player.name == "Black"; };
  const bool has_black = std::any_of(program.players.begin(), program.players.end(), called_black);
  if (!has_black) colour = colour == 'b' ? 'w' : 'b';
  return player_of_colour(program, std::string(1, colour));
}

std::string player_field(const Program& program, std::size_t player) {
  const char initial = dsl::to_lower(program.players[player].name.front());
  return is_initial_of(program, player, initial) ? std::string(1, initial) : std::to_string(player + 1);
}

char colour_field(const Program& program, std::size_t player) {
  return player_of_colour(program, "w") == player ? 'w' : 'b';
}

} // namespace boardwright::interpreter
