// How a game at the prompt of `play` ends, and what can be done then.
#include "runtime/game/spelling.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/english/plain_words.hpp"
#include "tools/games/out_of_time.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {

Session::Step Session::over(const runtime::Outcome& outcome) {
  show_board(false, true);
  const runtime::Position last = game().position();
  console_.out(printable(plain_result(open_.loaded, outcome, &last)) + "\n");
  const Step goes_on = end_with(result_text(open_.loaded, outcome));
  by_rule_ = true;
  return goes_on;
}

Session::Step Session::end_with(const std::string& result) {
  ended_ = true;
  by_rule_ = false;
  answered_ = true;
  result_ = result;
  if (log_.wanted()) record_failed_ = !log_.finished(result) || record_failed_;
  if (reader_.interactive() && seats_.any_person())
    console_.out("`undo`, `why`, `save FILE`, `new`, `load FILE` or `quit`; `help` has more\n");
  return !record_failed_;
}

Session::Step Session::after_end() {
  if (!seats_.any_person() || !console_.flush()) return false;
  const auto line = reader_.read("over> ");
  if (!line) {
    if (!interrupted() && reader_.interactive()) console_.out("\n");
    return false;
  }
  return reader_.too_long() ? refuse_long_line() : obey(*line);
}

void Session::reopen() {
  ended_ = false;
  by_rule_ = false;
  board_shown_ = false;
  if (log_.wanted()) record_failed_ = !log_.reopened() || record_failed_;
  if (!clocks_.running() || clocks_.left(game().to_move()) > Seconds(0)) return;
  clocks_ = Clocks();
  console_.out("the game goes on without clocks\n");
}

Session::Step Session::out_of_time(int player) {
  const bool two = program().players.size() == 2;
  const std::string late = name_of(player) + " is out of time";
  if (const auto outcome = outcome_out_of_time(open_.loaded.rules, game().position())) {
    const runtime::Position last = game().position();
    console_.out(printable(late + "; " + plain_result(open_.loaded, *outcome, &last)) + "\n");
    return end_with(result_text(open_.loaded, *outcome));
  }
  const std::string wins = two ? runtime::with_verb(name_of(1 - player), "win") : "";
  console_.out(two ? fmt::format("{}; {}\n", late, wins) : late + "\n");
  return end_with(two ? fmt::format("{} ({})", wins, late) : late);
}

Session::Step Session::draw(const std::string&) {
  for (int other = 0; other < program().player_count(); ++other) {
    if (other == game().to_move() || (game().position().out >> other & 1U) != 0) continue;
    const Sitter& sitter = seats_.at(other);
    const bool agrees = sitter.is_person()
                            ? ask(fmt::format("{}, a draw? [yes/no] ", name_of(other)), false) == Answer::yes
                            : sitter.thinks && thinker_agrees();
    if (agrees) continue;
    console_.out(fmt::format("{} declines\n", name_of(other)));
    return true;
  }
  console_.out("a draw: agreed\n");
  return end_with("a draw (agreed)");
}

Session::Step Session::resign(const std::string&) {
  const int mover = game().to_move();
  if (const auto players = program().players.size(); players > 2) {
    refused_ = std::max(refused_, Exit::at_fault);
    console_.out(
        fmt::format("with {} players nobody can resign: the rules say nothing of how the others would go "
                    "on; `draw` asks them, `quit` leaves\n",
                    players));
    return true;
  }
  if (reader_.interactive() && seats_.any_person() &&
      ask(fmt::format("{}, give up? [yes/no] ", name_of(mover)), false) != Answer::yes)
    return true;
  return give_up();
}

// Who is to move resigns.
Session::Step Session::give_up() {
  const int mover = game().to_move();
  const std::string resigns = runtime::with_verb(name_of(mover), "resign");
  const bool two = program().players.size() == 2;
  const std::string wins = two ? runtime::with_verb(name_of(1 - mover), "win") : "";
  console_.out(two ? fmt::format("{}; {}\n", resigns, wins) : resigns + "\n");
  return end_with(two ? fmt::format("{} ({})", wins, resigns) : resigns);
}

} // namespace boardwright::tools
