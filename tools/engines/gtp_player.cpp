#include "tools/engines/gtp_player.hpp"

#include "dsl/text.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "tools/console/console.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace boardwright::tools {

namespace search = runtime::search;

namespace {

// "black" or "white".
const char* colour_of(const runtime::Program& program, int player) {
  const auto black = interpreter::player_of_stone(program, 'b').value_or(0);
  return static_cast<std::size_t>(player) == black ? "black" : "white";
}

// Who made each move of a game.
std::vector<int> movers_of(runtime::Game game) {
  std::vector<int> movers;
  while (game.undo()) movers.push_back(game.to_move());
  std::reverse(movers.begin(), movers.end());
  return movers;
}

bool is_same_word(std::string_view a, std::string_view b) { return dsl::to_lower(a) == dsl::to_lower(b); }

} // namespace

// A command whose answer says nothing but that it was carried out.
tl::expected<void, runtime::Fault> GtpPlayer::command(const std::string& line) {
  say(line);
  const auto answered = wait_for_line(
      line, [](const std::string& said) { return said.starts_with('=') || said.starts_with('?'); });
  if (!answered) return tl::unexpected(answered.error());
  if (answered->starts_with('=')) return {};
  return fail(fmt::format("answers `{}` with: {}", quotable(line), quotable(answered->substr(1))));
}

tl::expected<void, runtime::Fault> GtpPlayer::greet() {
  told_ = 0;
  own_.clear();
  return command("protocol_version");
}

tl::expected<void, runtime::Fault> GtpPlayer::begin_game(const runtime::Program& program) {
  told_ = 0;
  own_.clear();
  if (!followed().position().empty()) return fail("can't be told of a position to begin with in GTP");
  if (program.board.files == program.board.ranks)
    if (auto sized = command(fmt::format("boardsize {}", program.board.files)); !sized) return sized;
  for (const runtime::Option& option : program.options)
    if (option.name == "komi")
      if (auto set = command("komi " + option.value); !set) return set;
  return command("clear_board");
}

tl::expected<void, runtime::Fault> GtpPlayer::tell_game(const runtime::Game& game) {
  const runtime::Program& program = game.rules().program();
  const auto goes_on = followed().follow(game);
  if (!goes_on) return tl::unexpected(goes_on.error());
  if (!*goes_on)
    if (auto begun = begin_game(program); !begun) return begun;
  const std::vector<std::string> moves = followed().moves();
  const std::vector<int> movers = movers_of(game);
  if (!own_.empty()) {
    if (told_ < moves.size() && is_same_word(moves[told_], own_)) {
      ++told_;
    } else if (auto undone = command("undo"); !undone) { // another one was played
      return undone;
    }
    own_.clear();
  }
  for (; told_ < moves.size(); ++told_)
    if (auto played = command(fmt::format("play {} {}", colour_of(program, movers[told_]), moves[told_]));
        !played)
      return played;
  return {};
}

tl::expected<std::string, runtime::Fault> GtpPlayer::answer(const Thinking& thinking) {
  const bool counts = thinking.limits.most_nodes != search::ThinkLimits().most_nodes;
  if (counts && !thinking.time)
    return fail("can't be told a number of positions: this protocol needs a time for a move");
  if (thinking.time) {
    using Seconds = std::chrono::seconds;
    const auto seconds = std::max(Seconds(1), std::chrono::ceil<Seconds>(*thinking.time));
    if (auto told = command(fmt::format("time_settings 0 {} 1", seconds.count())); !told)
      return tl::unexpected(told.error());
  }
  say(fmt::format("genmove {}", colour_of(thinking.game.rules().program(), thinking.game.to_move())));
  const bool patient = !thinking.time && thinking.limits.stop != nullptr;
  auto move = listen(thinking, patient, "",
                     [this](const std::vector<std::string>& words) -> std::optional<std::string> {
                       if (words[0].starts_with('?')) {
                         remark(fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " ")));
                         return "";
                       }
                       if (!words[0].starts_with('=')) return std::nullopt;
                       return words.size() > 1 ? words[1] : "";
                     });
  if (move && !is_same_word(*move, "resign")) own_ = *move; // whoever resigns has put nothing on the board
  return move;
}

} // namespace boardwright::tools
