#include "interpreter/findings/findings_secrets.hpp"

#include "runtime/game/game.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/search/worlds.hpp"
#include "runtime/sight/seen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Game;
using runtime::Program;

// Random games, plies of each that are looked at, and positions of them in which a player's list is compared
// with those of other games that look the same to him. Each costs as much as to play the game again so many
// times.
constexpr int kSecretGames = 12, kSecretPlies = 60, kMostCompared = 60;
constexpr std::size_t kGamesInMind = 6;
// Longer lists aren't written down to be compared.
constexpr std::size_t kMostMovesCompared = 2000;

class Secrets {
public:
  Secrets(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file, std::uint64_t seed,
          dsl::Diagnostics& out)
      : rules_(rules), program_(rules->program()), file_(file), seed_(seed), random_(runtime::mix(seed)),
        out_(out) {}

  void report() {
    for (int i = 0; i < kSecretGames && !leak_told_ && !runtime::Meter::gave_up(); ++i) play();
    if (program_.sight && positions_ > 0 && !hidden_)
      out_.warning("nothing-hidden", file_.turn ? file_.turn->span : file_.game.span,
                   "in all positions of some random games every player sees everything, whatever `sees` says")
          .help = "`cells` and `kinds` are sets on which a player sees something, of the player who looks";
  }

private:
  void play() {
    Game game(rules_);
    for (int ply = 0; ply < kSecretPlies && !leak_told_; ++ply) {
      const auto outcome = game.outcome();
      if (!outcome || *outcome) return;
      note_what_is_hidden(game);
      constexpr std::uint64_t kOneIn = 3; // the first plies of all games are alike
      if (!game.is_chance() && compared_ < kMostCompared && random_.below(kOneIn) == 0) compare(game);
      const auto move = game.draw(random_);
      if (!move || !*move || !game.play(**move)) return;
    }
  }

  void note_what_is_hidden(const Game& game) {
    ++positions_;
    for (int p = 0; p < program_.player_count() && !hidden_; ++p) {
      const auto seen = runtime::sight::seen_by(game.rules(), game.position(), p);
      const auto any = [](const std::vector<bool>& of) {
        return std::find(of.begin(), of.end(), true) != of.end();
      };
      hidden_ = seen && (seen->dark.any() || seen->covered.any() || any(seen->hands) || any(seen->variables));
    }
  }

  // As the mover reads them; nothing: there are too many, or a rule goes wrong.
  std::optional<std::vector<std::string>> list_of(Game& game) const {
    auto texts = game.notations();
    if (!texts || texts->size() > kMostMovesCompared) return std::nullopt;
    for (std::string& text : *texts)
      text = runtime::sight::read_by(program_, text, game.to_move(), game.to_move());
    std::sort(texts->begin(), texts->end());
    return std::move(*texts);
  }

  void compare(Game& game) {
    const auto mine = list_of(game);
    if (!mine || mine->size() < 2) return;
    ++compared_;
    runtime::search::Worlds worlds(rules_, kGamesInMind,
                                   runtime::chain(seed_, static_cast<std::uint64_t>(compared_)));
    if (!worlds.follow(game, game.to_move(), [] { return runtime::Meter::gave_up(); }) || !worlds.agree())
      return;
    for (Game& world : worlds.games()) {
      const auto other = list_of(world);
      if (!other || *other == *mine) continue;
      return tell(game, *mine, *other);
    }
  }

  // A move that is in one list alone.
  static std::string first_beyond(const std::vector<std::string>& some,
                                  const std::vector<std::string>& others) {
    for (const std::string& text : some)
      if (!std::binary_search(others.begin(), others.end(), text)) return text;
    return "";
  }

  void tell(const Game& game, const std::vector<std::string>& mine, const std::vector<std::string>& other) {
    leak_told_ = true;
    const std::string only_here = first_beyond(mine, other), only_there = first_beyond(other, mine);
    const std::string& mover = program_.players[static_cast<std::size_t>(game.to_move())].name;
    std::string what = "the numbers of his moves differ";
    if (!only_here.empty()) what = fmt::format("`{}` is one of his moves only here", only_here);
    if (!only_there.empty()) what = fmt::format("`{}` is one of his moves only there", only_there);
    out_.warning(
            "leak", file_.turn ? file_.turn->span : file_.game.span,
            fmt::format("after {} the moves that {} may choose tell him what he doesn't see: in another game "
                        "that looks the same to him, {}",
                        game.length() == 1 ? "1 move" : fmt::format("{} moves", game.length()), mover, what))
        .help = "let him try what may turn out to be impossible: `if C then … else again`, and keep what he "
                "has found "
                "out in a variable `{ private: … }`; or show him more by `sees`";
  }

  const std::shared_ptr<const runtime::Rules>& rules_;
  const Program& program_;
  const dsl::RuleFile& file_;
  std::uint64_t seed_;
  runtime::Random random_;
  dsl::Diagnostics& out_;
  int compared_ = 0, positions_ = 0;
  bool hidden_ = false, leak_told_ = false;
};

} // namespace

void report_secrets(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                    std::uint64_t seed, dsl::Diagnostics& diagnostics) {
  if (rules->program().hides()) Secrets(rules, file, seed, diagnostics).report();
}

} // namespace boardwright::interpreter
