// Options that several commands have, each declared in one place.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/text.hpp"
#include "tools/commands/command_tree.hpp"
#include "tools/games/game_choice.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace boardwright::tools {

// More threads than any machine this is likely to meet has processors.
inline constexpr int kMaxThreads = 1024;
// A deeper count would not end in a lifetime where there is more than one move.
inline constexpr int kMaxPerftDepth = 100;
// A week of thinking is a mistyped number.
inline constexpr double kMaxThinkSeconds = 7 * 86'400;
// Seeds, and numbers of games and positions, may be anything.
inline constexpr auto kMaxCount = std::numeric_limits<std::uint64_t>::max();

// Decimal digits alone: no sign that wraps round, no octal, no exponent.
template <class Number>
Number parse_number(const std::string& option, const std::string& text, Number low, Number high) {
  const auto value = dsl::number_in<Number>(text);
  if (!value || !(*value >= low && *value <= high))
    throw CLI::ValidationError(option,
                               fmt::format("`{}` is not a number from {} to {}", printable(text), low, high));
  return *value;
}

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& target, Number low, Number high,
                        const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&target, name, low, high](const std::string& text) {
            target = parse_number(name, text, low, high);
          },
          help)
      ->type_name("N");
}

// `NAME=VALUE` in its two halves.
std::pair<std::string, std::string> parse_setting(const std::string& text);
void add_settings(CLI::App& app, interpreter::Settings& settings);

// A game may be called by its title wherever its name is.
CLI::Option* by_title(CLI::Option* option);
// GAME and --set.
void add_game(CLI::App& app, GameChoice& game);
void add_position(CLI::App& app, GameChoice& game);

// `5`, `5s`, `20ms`, `2m` as seconds.
double parse_seconds(const std::string& text);
// `--time 5`, `5s`, `20ms`, `2m`: a number alone is of seconds.
void add_time(CLI::App& app, std::optional<double>& seconds, const std::string& help);
// --time and --nodes of a move; `otherwise` says what holds without them.
void add_limits(CLI::App& app, std::optional<double>& seconds, std::uint64_t& nodes, const char* otherwise);
void add_weights(CLI::App& app, std::string& weights);
// Who may play stands behind the examples.
void add_opponents(CLI::App& command);
// For completion.
ValueChoice players_to_choose();

// `--as PLAYER`: only what that player sees and knows.
void add_viewer(CLI::App& app, std::string& viewer);
// Nobody where the option wasn't given. Says which players there are where there is none of that name.
[[nodiscard]] tl::expected<std::optional<int>, Exit>
viewer_named(const std::string& viewer, const runtime::Program& program, Console& console);

void add_ascii(CLI::App& app, bool& ascii);
void add_json(CLI::App& app, bool& json);

} // namespace boardwright::tools
