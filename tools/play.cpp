// play: a game between people at one terminal, against chance, or against somebody who thinks.
#include "tools/commands.hpp"
#include "tools/opponents.hpp"
#include "tools/play_session.hpp"
#include "tools/seats.hpp"
#include "tools/weights_file.hpp"

#include <fmt/format.h>

#include <random>

namespace boardwright::tools {
namespace {

using runtime::Program;

bool report_unknown(const std::string& option, const std::string& word, const Program& program,
                    Console& console) {
  std::vector<std::string> names;
  for (const runtime::Player& player : program.players) names.push_back(player.name);
  console.error(fmt::format("{}: there is no player `{}`; give one of {}, or all", option, printable(word),
                            fmt::join(names, ", ")));
  return false;
}

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
  const std::string player = setting.substr(0, equals);
  Sitter sitter{setting.substr(equals + 1), nullptr};
  if (sitter.description != "person" && sitter.description != "random") {
    auto made = make_opponent(sitter.description, open.loaded.rules, choice);
    if (!made) {
      console.error(fmt::format("--player: {}", printable(made.error())));
      return false;
    }
    sitter.thinks = std::move(*made);
  }
  return seats.seat(player, sitter) || report_unknown("--player", player, open.program(), console);
}

tl::expected<Seats, Exit> seats_of(const PlayOptions& options, std::uint64_t seed, const OpenGame& open,
                                   Console& console) {
  Seats seats(open.program());
  for (const std::string& word : options.random)
    if (!seats.seat(word, {"random", nullptr}) && !report_unknown("--random", word, open.program(), console))
      return tl::unexpected(Exit::usage);
  if (options.players.empty() && options.weights.empty()) return seats;
  const auto weights = find_weights(options.weights, options.game, open.loaded, console);
  if (!weights) return tl::unexpected(weights.error());
  for (const std::string& setting : options.players) {
    const OpponentChoice choice{seed++, 1, *weights, options.game.reference};
    if (!seat(setting, choice, open, seats, console)) return tl::unexpected(Exit::usage);
  }
  return seats;
}

} // namespace

Exit play(const PlayOptions& options, Console& console) {
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
