// play: a game between people at one terminal, against chance, or against somebody who thinks.
#include "tools/commands/commands.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/seats.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/play/chooser.hpp"
#include "tools/play/play_session.hpp"

#include <fmt/format.h>

#include <optional>
#include <random>

namespace boardwright::tools {
namespace {

std::uint64_t seed_of(const PlayOptions& options) {
  if (options.seed) return *options.seed;
  std::random_device device;
  return std::uint64_t{device()} << 32U | device();
}

// `NAME=WHO`.
bool seat(const std::string& setting, const OpponentChoice& choice, const OpenGame& open, Seats& seats,
          Console& console) {
  const std::size_t equals = setting.find('=');
  if (equals == 0 || equals == std::string::npos) {
    console.error(fmt::format("--player: `{}` is not of the form NAME=WHO", printable(setting)));
    return false;
  }
  auto sitter = make_sitter(setting.substr(equals + 1), open.loaded.rules, choice);
  auto seated =
      sitter ? seats.seat(setting.substr(0, equals), *sitter) : tl::unexpected(printable(sitter.error()));
  if (!seated) console.error("--player: " + seated.error());
  return seated.has_value();
}

tl::expected<Seats, Exit> seats_of(const PlayOptions& options, std::uint64_t seed, const OpenGame& open,
                                   Console& console) {
  Seats seats(open.program());
  for (const std::string& word : options.random)
    if (const auto seated = seats.seat(word, {"random", nullptr}); !seated) {
      console.error("--random: " + seated.error());
      return tl::unexpected(Exit::usage);
    }
  if (options.players.empty() && options.weights.empty()) return seats;
  const auto weights = find_weights(options.weights, options.game, open.loaded, console);
  if (!weights) return tl::unexpected(weights.error());
  for (const std::string& setting : options.players) {
    const OpponentChoice choice{seed++, 1, *weights, options.game.reference};
    if (!seat(setting, choice, open, seats, console)) return tl::unexpected(Exit::usage);
  }
  return seats;
}

// Which game, where none was given; else with what status to leave.
std::optional<Exit> choose(PlayOptions& options, Console& console) {
  LineReader reader;
  if (reader.interactive() && options.known != nullptr) {
    const bool chosen = choose_game(options, options.known(), reader, console);
    if (interrupted()) return Exit::interrupted;
    return chosen ? std::nullopt : std::optional(Exit::good);
  }
  console.error("GAME is required; `boardwright list` shows the games that are known");
  return Exit::usage;
}

} // namespace

Exit play(const PlayOptions& given, Console& console) {
  PlayOptions options = given;
  if (options.game.reference.empty())
    if (const auto left = choose(options, console)) return *left;
  if (options.game.position == "-") {
    console.error("--position: `play` reads moves from standard input; give the position as a file");
    return Exit::usage;
  }
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  const std::uint64_t seed = seed_of(options);
  auto seats = seats_of(options, seed, *open, console);
  if (!seats) return seats.error();
  return Session(*open, options, std::move(*seats), seed, console).run();
}

} // namespace boardwright::tools
