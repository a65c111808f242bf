// How a session of `play` begins: its record, and games that were left unfinished.
#include "runtime/game/spelling.hpp"
#include "tools/play_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

namespace boardwright::tools {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_path(const std::string& reference) {
  return reference.find('/') != std::string::npos || reference.ends_with(".yaml");
}

} // namespace

// A file by its whole path, so that it is the same game from any folder.
std::string Session::own_reference() const {
  const std::string& reference = options_.game.reference;
  std::error_code error;
  if (!is_path(reference)) return reference;
  const auto path = std::filesystem::weakly_canonical(reference, error);
  return error ? reference : path.string();
}

std::string Session::head(const std::string& reference) const {
  std::string text;
  for (const auto& [name, value] : tags_)
    text += interpreter::tag_line(name, name == "Rules" ? reference : value);
  for (int player = 0; player < program().player_count(); ++player)
    text += interpreter::tag_line("Player", name_of(player) + ": " + seats_.at(player).description);
  return text + "\n";
}

bool Session::begin() {
  // Moves that the position was given by are part of the game.
  if (game().length() > 0) {
    if (auto past = past_of(game())) {
      begin_ = std::move(past->begin);
      for (std::size_t i = 0; i < past->moves.size(); ++i)
        played_.push_back({past->players[i], std::move(past->moves[i])});
    }
  }
  tags_ = tags_of(open_, options_.game.reference, begin_);
  const bool keeps = reader_.interactive() && seats_.any_person();
  std::optional<Unfinished> earlier;
  if ((keeps || options_.resume) && !options_.fresh) earlier = offer_unfinished();
  if (!options_.record.empty() && !log_.record_to(options_.record, head(options_.game.reference)))
    return false;
  if (keeps && !earlier) log_.keep_in(games_folder(), program().game, head(own_reference()));
  given_moves_ = earlier ? 0 : played_.size();
  if (!log_all()) return false;
  if (earlier) log_.go_on(std::move(*earlier), played_.size()); // its file has the moves already
  return true;
}

// The moves so far.
bool Session::log_all() {
  if (!log_.wanted()) return true;
  return std::all_of(played_.begin(), played_.end(),
                     [&](const Played& played) { return log_.moved(name_of(played.player), played.move); });
}

Session::Answer Session::ask(const std::string& question, bool may_drop) {
  while (console_.flush()) {
    const auto line = reader_.read(question);
    if (!line) return Answer::none;
    const std::string word = lower(*line);
    if (word.empty() || word == "y" || word == "yes") return Answer::yes;
    if (word == "n" || word == "no") return Answer::no;
    if (may_drop && (word == "d" || word == "drop")) return Answer::drop;
    console_.out(may_drop ? "yes, no (it stays, and a new game begins) or drop (it is thrown away)\n"
                          : "yes or no\n");
  }
  return Answer::none;
}

// An earlier game that goes on; then it has taken the place of this one.
std::optional<Unfinished> Session::offer_unfinished() {
  if (!options_.game.position.empty()) return std::nullopt; // the position is what is wanted
  Tags tags = tags_;
  for (auto& [name, value] : tags)
    if (name == "Rules") value = own_reference();
  for (Unfinished& unfinished : unfinished_games(games_folder(), tags)) {
    auto replayed = interpreter::replay_record(open_.loaded.rules, unfinished.record);
    if (!replayed) {
      set_aside(unfinished, replayed.error());
      continue;
    }
    if (auto misfit = misfit_of(open_.loaded, unfinished.record, *replayed)) {
      set_aside(unfinished, misfit->message);
      continue;
    }
    const std::size_t moves = replayed->moves.size();
    const auto mover = static_cast<std::size_t>(replayed->game.to_move());
    const std::string question =
        fmt::format("a game of {} was left after {} move{}, {} to move; go on with it? [yes/no/drop] ",
                    printable(unfinished.record.tag("Date")), moves, moves == 1 ? "" : "s",
                    program().players[mover].name);
    const Answer answer = options_.resume ? Answer::yes : ask(question, true);
    if (answer == Answer::yes) {
      if (replayed->rules_changed) console_.note("note: the rules have changed since\n");
      take_over(std::move(*replayed));
      return std::move(unfinished);
    }
    if (answer == Answer::none || answer == Answer::no) return std::nullopt;
    unfinished.file.remove();
  }
  if (options_.resume) console_.note("note: there is no unfinished game of these rules; a new one begins\n");
  return std::nullopt;
}

// It would be offered in vain each time.
void Session::set_aside(Unfinished& unfinished, const std::string& why) {
  const std::string aside = unfinished.file.path() + ".old";
  (void)std::rename(unfinished.file.path().c_str(), aside.c_str());
  console_.note(fmt::format("note: an unfinished game of {} can't go on: {}; it is kept as `{}`\n",
                            printable(unfinished.record.tag("Date")), printable(why), printable(aside)));
}

// The game of a record instead of this one.
void Session::take_over(interpreter::Replayed replayed) {
  played_.clear();
  undone_.clear();
  for (std::size_t i = 0; i < replayed.moves.size(); ++i)
    played_.push_back({replayed.players[i], std::move(replayed.moves[i])});
  begin_ = replayed.game;
  for (std::size_t i = 0; i < played_.size(); ++i) begin_.undo();
  open_.game = std::move(replayed.game);
  tags_ = tags_of(open_, options_.game.reference, begin_);
  board_shown_ = false;
}

} // namespace boardwright::tools
