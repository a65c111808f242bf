#include "interpreter/meaning/shares.hpp"

#include "runtime/model/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <numeric>

namespace boardwright::interpreter {
namespace {

using dsl::EndRule;
using dsl::SharePart;
using runtime::kMostShareParts;
using runtime::Result;
using PlayerNames = std::vector<std::string>;

constexpr const char* kMe = "me";
constexpr const char* kEnemy = "enemy"; // each of the others

bool is_relative(const SharePart& part) { return part.player == kMe || part.player == kEnemy; }

bool is_fraction(const SharePart& part) {
  return part.below > 0 && part.below <= kMostShareParts && part.above > 0 && part.above <= part.below;
}

bool gives_to(const SharePart& part, const PlayerNames& players, int player, int me) {
  if (part.player == kMe) return player == me;
  if (part.player == kEnemy) return player != me;
  return players[static_cast<std::size_t>(player)] == part.player;
}

// Parts of the least whole that all of them are parts of; nothing where that is too large.
std::optional<std::int64_t> common_whole(const EndRule& line) {
  std::int64_t whole = 1;
  for (const SharePart& part : line.shares)
    if (whole = std::lcm(whole, part.below); whole > kMostShareParts) return std::nullopt;
  return whole;
}

std::array<std::int64_t, runtime::kMostPlayers>
parts_by_player(const EndRule& line, const PlayerNames& players, int me, std::int64_t whole) {
  std::array<std::int64_t, runtime::kMostPlayers> parts{};
  for (std::size_t player = 0; player < players.size(); ++player)
    for (const SharePart& part : line.shares)
      if (gives_to(part, players, static_cast<int>(player), me))
        parts[player] += whole / part.below * part.above;
  return parts;
}

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool read_whole(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// `3/4 to White`
std::optional<SharePart> part_named(std::string_view text) {
  const std::size_t to = text.find(" to ");
  if (to == std::string_view::npos) return std::nullopt;
  const std::string_view number = without_spaces(text.substr(0, to));
  const std::size_t slash = number.find('/');
  SharePart part;
  part.player = without_spaces(text.substr(to + 4));
  const bool read = slash == std::string_view::npos
                        ? read_whole(number, part.above)
                        : read_whole(without_spaces(number.substr(0, slash)), part.above) &&
                              read_whole(without_spaces(number.substr(slash + 1)), part.below);
  return read ? std::optional(std::move(part)) : std::nullopt;
}

class SharesCheck {
public:
  SharesCheck(const EndRule& line, const PlayerNames& players, dsl::Diagnostics& diagnostics)
      : line_(line), players_(players), diagnostics_(diagnostics) {}

  void run() {
    const std::size_t before = diagnostics_.error_count();
    for (std::size_t i = 0; i < line_.shares.size(); ++i) {
      size(line_.shares[i]);
      player(line_.shares[i]);
      once(i);
    }
    if (diagnostics_.error_count() == before) together();
  }

private:
  dsl::Diagnostic& error(dsl::Span span, const std::string& message) {
    return diagnostics_.error("shares", span, message);
  }

  void size(const SharePart& part) {
    if (is_fraction(part)) return;
    const std::string written =
        part.below == 1 ? std::to_string(part.above) : fmt::format("{}/{}", part.above, part.below);
    error(part.span, fmt::format("{} is no part of a point", written)).help =
        fmt::format("a share is a fraction such as 3/4, of {} parts at most; who has nothing isn't named",
                    kMostShareParts);
  }

  void player(const SharePart& part) {
    if (is_relative(part) || std::find(players_.begin(), players_.end(), part.player) != players_.end())
      return;
    auto& wrong =
        diagnostics_.error("player", part.player_span, fmt::format("`{}` is not a player", part.player));
    const std::string near = dsl::nearest(part.player, players_);
    wrong.help = near.empty()
                     ? fmt::format("the players are {}, and `me` and `enemy` for the player to move and "
                                   "each of the others",
                                   fmt::join(players_, ", "))
                     : fmt::format("did you mean `{}`?", near);
  }

  void once(std::size_t i) {
    const SharePart& part = line_.shares[i];
    for (std::size_t k = 0; k < i; ++k) {
      const SharePart& other = line_.shares[k];
      if (other.player == part.player) {
        error(part.player_span, fmt::format("`{}` has a share already", part.player))
            .related.push_back({other.player_span, "here"});
        return;
      }
      if (is_relative(other) == is_relative(part)) continue;
      error(part.player_span, "names of players don't go along with `me` and `enemy`").help =
          "whoever is named may be the player to move";
      return;
    }
  }

  void together() {
    const auto whole = common_whole(line_);
    const dsl::Span all = {line_.span.file, line_.shares.front().span.begin,
                           line_.shares.back().player_span.end};
    if (!whole) {
      error(all, "these shares have no common measure that is small enough").help =
          fmt::format("all of them must be parts of a whole of {} parts at most", kMostShareParts);
      return;
    }
    const auto parts = parts_by_player(line_, players_, 0, *whole);
    const std::int64_t sum = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
    if (sum != *whole) {
      error(all, fmt::format("these shares are {} together, not 1",
                             runtime::fraction_text(static_cast<int>(sum), static_cast<int>(*whole))))
          .help = players_.size() > 2 && std::any_of(line_.shares.begin(), line_.shares.end(), is_relative)
                      ? "`enemy` is each of the others"
                      : "a game is worth one point, and all of it is shared";
      return;
    }
    whole_results(all);
  }

  // There are words for these.
  void whole_results(dsl::Span all) {
    const auto result = result_of_shares(line_, players_, 0);
    if (!result || runtime::is_shared(*result)) return;
    if (*result == 0) {
      error(all, "all have the same").help = "that is a draw: `draw when …`";
    } else if (std::popcount(*result) == 1) {
      const SharePart& only = line_.shares.front();
      error(all, "one player has it all").help =
          only.player == kMe ? "that is `win when …`"
          : only.player == kEnemy
              ? "that is `lose when …`"
              : fmt::format("that is `{} when …`", runtime::with_verb(only.player, "win"));
    }
  }

  const EndRule& line_;
  const PlayerNames& players_;
  dsl::Diagnostics& diagnostics_;
};

} // namespace

std::optional<Result> result_of_shares(const EndRule& line, const PlayerNames& players, int me) {
  const bool fractions = std::all_of(line.shares.begin(), line.shares.end(), is_fraction);
  const auto whole = fractions ? common_whole(line) : std::nullopt;
  if (!whole) return std::nullopt;
  const auto parts = parts_by_player(line, players, me, *whole);
  if (std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) != *whole) return std::nullopt;
  Result result = 0;
  for (std::size_t player = 0; player < players.size(); ++player)
    result |= static_cast<Result>(parts[player]) << (8 * player);
  return runtime::result_of_parts(result, static_cast<int>(players.size()));
}

std::optional<EndRule> shares_named(std::string_view text, dsl::Span span) {
  EndRule line;
  line.verdict = dsl::EndVerdict::share;
  line.span = span;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    auto part = part_named(without_spaces(text.substr(0, end)));
    if (!part) return std::nullopt;
    part->span = part->player_span = span;
    line.shares.push_back(std::move(*part));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return line;
}

void check_shares(const EndRule& line, const PlayerNames& players, dsl::Diagnostics& diagnostics) {
  if (line.verdict == dsl::EndVerdict::share) SharesCheck(line, players, diagnostics).run();
}

} // namespace boardwright::interpreter
