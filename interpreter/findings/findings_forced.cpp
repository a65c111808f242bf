#include "interpreter/findings/findings_forced.hpp"

#include "interpreter/findings/text_places.hpp"
#include "runtime/model/meter.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace boardwright::interpreter {
namespace {

using runtime::Game;
using runtime::Outcome;

// A list with more moves isn't gone through: there is too much to answer.
constexpr std::uint64_t kMostAnswers = 500;

// A proof by all answers: of the player who is to win one move, of the other all of them.
class Forcing {
public:
  explicit Forcing(const std::shared_ptr<const runtime::Rules>& rules) : game_(rules) {}

  // Does the player win within so many plies? False, too, where it can't be said.
  [[nodiscard]] bool wins(int player, int plies) {
    if (--left_ < 0 || runtime::Meter::gave_up()) return false;
    const auto outcome = game_.outcome();
    if (!outcome) return false;
    if (*outcome) return note_end(**outcome, player);
    if (plies == 0) return false;
    runtime::ListLimits limits;
    limits.most_moves = kMostAnswers;
    const auto moves = game_.moves(limits);
    if (!moves || moves->empty() || moves->size() >= kMostAnswers) return false;
    const bool any = game_.to_move() == player;
    for (const runtime::Move& move : *moves) {
      if (!game_.play(move)) return false;
      const bool won = wins(player, plies - 1);
      game_.undo();
      if (won == any) return any && note_move(move);
    }
    return !any;
  }
  [[nodiscard]] int to_move() const { return game_.to_move(); }
  [[nodiscard]] bool is_over() {
    const auto outcome = game_.outcome();
    return !outcome || outcome->has_value();
  }
  [[nodiscard]] const std::optional<Outcome>& end() const { return end_; }
  // The move that wins, as it is written, if the player who was to move is the one.
  [[nodiscard]] const std::string& first() const { return first_; }

private:
  [[nodiscard]] bool note_end(const Outcome& outcome, int player) {
    if ((outcome.winners >> player & 1) == 0) return false;
    end_ = outcome;
    return true;
  }
  [[nodiscard]] bool note_move(const runtime::Move& move) {
    first_.clear();
    if (const auto text = game_.notation(move)) first_ = *text;
    return true;
  }

  Game game_;
  int left_ = kMostForced;
  std::optional<Outcome> end_; // the last that was met
  std::string first_;
};

} // namespace

void report_forced(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                   const dsl::Sources& sources, bool uneven, dsl::Diagnostics& out) {
  const runtime::Program& program = rules->program();
  if (program.player_count() != 2 || program.chance || program.hides()) return;
  Forcing forcing(rules);
  if (forcing.is_over()) return; // told as such
  const int mover = forcing.to_move();
  for (int plies = 1; plies <= kForcedPlies; ++plies)
    for (const int player : {mover, 1 - mover}) {
      if (uneven && player == mover) continue;
      if (!forcing.wins(player, plies)) continue;
      const TextPlaces places(program, file, sources);
      const auto span = places.span_of(forcing.end()->origin);
      const std::string& name = program.players[static_cast<std::size_t>(player)].name;
      out.note("over-at-once", span && span->file == file.file ? *span : file.game.span,
               fmt::format("this is a win for {} at once, whatever the other answers", name))
          .help = player != mover ? "every first move from the set-up loses"
                  : plies == 1    ? fmt::format("from the set-up `{}` wins", forcing.first())
                               : fmt::format("from the set-up `{}` wins in {} plies", forcing.first(), plies);
      return;
    }
}

} // namespace boardwright::interpreter
