// A game at the prompt of `play` in which players don't see everything: one screen shows what the one before
// it may see, and is handed over between people.
#include "runtime/sight/knowledge.hpp"
#include "tools/games/seen_game.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {

// Where nobody sits at the prompt, or the game is over, all is open.
std::optional<int> Session::looks_on() const {
  if (!program().hides() || ended_ || !seats_.any_person()) return std::nullopt;
  if (before_screen_) return before_screen_;
  for (int player = 0; player < program().player_count(); ++player)
    if (seats_.is_person(player)) return player;
  return std::nullopt;
}

// With the scrollback, where the terminal has one.
void Session::clear_screen() {
  constexpr std::string_view kHomeAndClear = "\033[H\033[2J\033[3J";
  if (reader_.interactive()) console_.out(std::string(kHomeAndClear));
}

bool Session::hand_over() {
  const int player = game().to_move();
  if (!looks_on() || !seats_.is_person(player)) return true;
  const bool same = people() == 1 || before_screen_ == player;
  before_screen_ = player;
  if (same) return true;
  clear_screen();
  board_shown_ = false;
  if (reader_.interactive()) {
    const auto line =
        reader_.read(fmt::format("the screen is {}'s: press Enter when nobody else looks ", name_of(player)));
    if (!line) return false;
    clear_screen();
  } else {
    console_.out(fmt::format("--- the screen is {}'s\n", printable(name_of(player))));
  }
  const auto known = runtime::sight::knowledge_of(game(), player);
  if (!known) return true; // the fault is told when the position is asked for
  // What happened since he moved last.
  std::size_t from = known->moves.size();
  while (from > 0 && known->moves[from - 1].mover != player) --from;
  for (std::size_t i = from; i < known->moves.size(); ++i)
    console_.out(fmt::format("{}. {}: {}\n", i + 1, printable(name_of(known->moves[i].mover)),
                             printable(known->moves[i].read)));
  return true;
}

// Before anybody has taken the screen several people may look at it: nobody reads a secret then.
std::string Session::as_read(const std::string& move, int mover) const {
  constexpr int kNobody = -1;
  const auto reader = looks_on();
  if (!reader) return move;
  const bool taken = before_screen_.has_value() || people() == 1;
  return runtime::sight::read_by(program(), move, mover, taken ? *reader : kNobody);
}

int Session::people() const {
  int people = 0;
  for (int player = 0; player < program().player_count(); ++player)
    people += seats_.is_person(player) ? 1 : 0;
  return people;
}

std::optional<SeenBoard> Session::board_as_seen() const {
  const auto reader = looks_on();
  if (!reader) return std::nullopt;
  const auto seen = runtime::sight::seen_by(program(), open_.game.position(), *reader);
  if (!seen) return std::nullopt;
  return SeenBoard(program(), &look_, *seen);
}

Session::Step Session::history_as_seen() {
  const auto known = runtime::sight::knowledge_of(game(), *looks_on());
  if (!known) return tl::unexpected(known.error());
  std::string text;
  for (std::size_t i = 0; i < known->moves.size(); ++i)
    text += fmt::format("{}. {}: {}\n", i + 1, name_of(known->moves[i].mover), known->moves[i].read);
  return show_long(text.empty() ? "no move has been played yet\n" : in_lines(printable(text)));
}

Session::Step Session::not_told(std::string_view command) {
  refused_ = std::max(refused_, Exit::at_fault);
  say(fmt::format("`{}` would tell what you can't see; when the game is over it does\n", command));
  return true;
}

// Why a move isn't legal may be something that he doesn't see.
Session::Step Session::refuse_unexplained(const std::string& text) {
  refused_ = std::max(refused_, Exit::at_fault);
  say(fmt::format("{} is none of your moves; `moves` lists them\n", quotable(text)));
  return true;
}

} // namespace boardwright::tools
