// Entry points: read_commands, is_position_command.
#include "tools/records/formats/command_reader.hpp"

#include "tools/records/formats/signs.hpp"
#include "tools/records/formats/titles.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace boardwright::tools {
namespace {

using interpreter::RecordError;

struct Word {
  std::string text;
  Place place;
};

std::vector<Word> words_in(std::string_view line, std::uint32_t number) {
  std::vector<Word> words;
  for (SignReader signs(line); !signs.at_end();) {
    if (dsl::is_white(signs.now())) {
      signs.next();
      continue;
    }
    const Place place = signs.place();
    words.push_back({std::string(signs.word("")), {number, place.column}});
  }
  return words;
}

// The game of a line that begins one.
tl::expected<ForeignGame, RecordError> game_of_line(const std::vector<Word>& words) {
  ForeignGame game;
  game.line = words.front().place.line;
  std::size_t at = words.front().text == "position" ? 1 : 0;
  const bool usual = words[at].text == "startpos";
  if (words[at].text == "sfen") game.game = title_of("usi", "");
  for (++at; at < words.size() && words[at].text != "moves"; ++at)
    if (!usual) game.position += (game.position.empty() ? "" : " ") + words[at].text;
  for (++at; at < words.size(); ++at) {
    if (game.moves.size() == interpreter::kMaxRecordMoves)
      return tl::unexpected(
          RecordError{words[at].place.line, words[at].place.column,
                      fmt::format("a game has more than {} moves", interpreter::kMaxRecordMoves)});
    game.moves.push_back({words[at].text, 0, words[at].place.line, words[at].place.column, {}});
  }
  return game;
}

// `setoption name UCI_Variant value NAME`
std::optional<std::string> variant_named(std::string_view line) {
  const auto words = words_in(line.substr(0, 200), 1);
  const bool names = words.size() > 4 && words[0].text == "setoption" && words[1].text == "name" &&
                     (words[2].text == "UCI_Variant" || words[2].text == "USI_Variant") &&
                     words[3].text == "value";
  if (!names) return std::nullopt;
  std::string name = words[4].text;
  for (std::size_t i = 5; i < words.size(); ++i) name += " " + words[i].text;
  return name;
}

} // namespace

bool is_position_command(std::string_view line) {
  const auto words = words_in(line.substr(0, 200), 1);
  const std::size_t at = !words.empty() && words.front().text == "position" ? 1 : 0;
  return words.size() > at &&
         (words[at].text == "startpos" || words[at].text == "fen" || words[at].text == "sfen");
}

tl::expected<ForeignGames, RecordError> read_commands(std::string_view text) {
  ForeignGames games;
  std::uint32_t number = 0;
  std::string variant;
  for (SignReader lines(text); !lines.at_end();) {
    const std::string_view line = *lines.until('\n');
    ++number;
    if (auto named = variant_named(line)) variant = std::move(*named);
    if (!is_position_command(line)) continue;
    auto game = game_of_line(words_in(line, number));
    if (!game) return tl::unexpected(std::move(game.error()));
    if (!variant.empty()) game->game = variant;
    games.push_back(std::move(*game));
  }
  if (games.empty()) return tl::unexpected(RecordError{1, 1, "there is no game here"});
  return games;
}

} // namespace boardwright::tools
