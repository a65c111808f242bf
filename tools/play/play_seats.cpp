// Against whom a session of `play` goes, where the command line doesn't say so, and how that is changed.
#include "dsl/text.hpp"
#include "runtime/search/levels.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;

// Who sits down alone wants to play, not to move for both, and at first to win.
constexpr int kUsualLevel = 3;

} // namespace

std::optional<Sitter> Session::at_level(int level) {
  const auto weights = find_weights(options_.weights, options_.game, open_.loaded, console_);
  auto sitter = make_sitter(fmt::format("level:{}", level), open_.loaded.rules,
                            {seed_++, 1, weights ? *weights : nullptr, options_.game.reference});
  return sitter ? std::optional(std::move(*sitter)) : std::nullopt;
}

void Session::seat_usual_opponent() {
  if (program().player_count() < 2 || !options_.players.empty() || !options_.random.empty()) return;
  const auto sitter = at_level(kUsualLevel);
  if (!sitter) return;
  usual_opponent_ = true;
  for (int player = 0; player < program().player_count(); ++player)
    if (player != game().to_move()) seats_.place(player, *sitter);
}

Session::Step Session::level(const std::string& setting) {
  const std::string word = dsl::to_lower(setting);
  const bool people = word == "people" || word == "person" || word == "off";
  const auto number = dsl::number_in<int>(word);
  if (!word.empty() && !people &&
      !(number && *number >= search::kFirstLevel && *number <= search::kLastLevel)) {
    say(fmt::format(
        "`level` takes a number from 1 (a beginner) to 10, as in `level 5`, or `people` where all "
        "sides are played here; now: {}\n",
        printable(who_plays())));
    return true;
  }
  if (program().player_count() > 1 && !word.empty()) {
    const auto sitter = people ? std::optional(Sitter()) : at_level(*number);
    if (!sitter) {
      console_.out("nobody who thinks plays these rules\n");
      return true;
    }
    // Where only people play, whoever is to move keeps his seat.
    bool others = false;
    for (int player = 0; player < program().player_count(); ++player) others |= !seats_.is_person(player);
    for (int player = 0; player < program().player_count(); ++player)
      if (others ? !seats_.is_person(player) : player != game().to_move()) seats_.place(player, *sitter);
    keep_anew();
  }
  say(printable(who_plays()) + "\n");
  return true;
}

} // namespace boardwright::tools
