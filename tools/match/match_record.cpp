#include "tools/match/match_record.hpp"

#include <fmt/format.h>

#include <cstring>

namespace boardwright::tools {

tl::expected<MatchRecord, std::string> MatchRecord::at_end_of(const std::string& path, Tags tags,
                                                              const interpreter::Loaded& loaded) {
  auto file = LockedFile::at_end_of(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return MatchRecord(std::move(*file), std::move(tags), loaded);
}

std::string MatchRecord::add(const PlayedGame& game) {
  std::string text = file_.size() > 0 ? "\n" : "";
  for (const auto& [name, value] : tags_) text += interpreter::tag_line(name, value);
  text += interpreter::tag_line("Round", game.round);
  for (std::size_t i = 0; i < game.players.size(); ++i)
    text += interpreter::tag_line("Player", name_of(static_cast<int>(i)) + ": " + game.players[i]);
  text += "\n";
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    const auto& [player, move] = game.moves[i];
    text += interpreter::move_line(i + 1, name_of(player), move);
    if (i + 1 == game.opening) text += interpreter::comment_lines("the opening, drawn at random, ends here");
  }
  text += interpreter::result_line(
      game.reason.empty() ? result_text(*loaded_, game.outcome)
                          : fmt::format("{} ({})", winners_text(loaded_->rules->program(), game.outcome),
                                        printable(game.reason)));
  const auto unwritten = [&](const char* why) {
    return fmt::format("can't write `{}`: {}", printable(file_.path()), why);
  };
  if (file_.size() + text.size() > interpreter::kMaxRecordBytes)
    return unwritten("no larger file of records can be replayed");
  const int error = file_.append(text);
  return error == 0 ? "" : unwritten(std::strerror(error));
}

} // namespace boardwright::tools
