// Entry point: read_games, what a test expects of random games.
#include "dsl/section_keys.hpp"
#include "dsl/sections.hpp"
#include "dsl/shape.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace boardwright::dsl {
namespace {

using Of = GamesClaim::Of;

constexpr std::string_view kGamesExample = "games: { end within 200 plies: all, draws: at most 10 % }";
constexpr std::uint64_t kWhole = 10'000; // hundredths of a percent

bool is_share(Of of) { return of != Of::plies; }

// --- numbers and shares

// "99", "99.5" or "99.25", in hundredths.
std::optional<std::uint64_t> hundredths(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto whole = whole_number(text.substr(0, dot));
  if (!whole || *whole > 100) return std::nullopt;
  if (dot == text.npos) return *whole * 100;
  const std::string_view rest = text.substr(dot + 1);
  const auto part = whole_number(rest);
  if (!part || rest.empty() || rest.size() > 2) return std::nullopt;
  const std::uint64_t found = *whole * 100 + *part * (rest.size() == 1 ? 10 : 1);
  return found <= kWhole ? std::optional(found) : std::nullopt;
}

class Bounds {
public:
  Bounds(const Yaml& value, GamesClaim& claim, Diagnostics& diagnostics)
      : text_(value.text.trimmed()), claim_(claim), diagnostics_(diagnostics) {}

  // Whether the claim has its bounds now; if not, the reason has been told.
  bool read() {
    claim_.written = to_name(text_);
    if (is_share(claim_.of) && whole_share()) return true;
    const std::size_t dots = text_.text.find("..");
    if (dots != std::string::npos) return range(dots);
    constexpr std::string_view kLeast = "at least ", kMost = "at most ";
    claim_.low = 0;
    claim_.high = is_share(claim_.of) ? kWhole : kNoBound;
    if (text_.text.starts_with(kLeast)) return one(kLeast.size(), text_.text.size(), claim_.low);
    if (text_.text.starts_with(kMost)) return one(kMost.size(), text_.text.size(), claim_.high);
    return refuse_other();
  }

private:
  bool whole_share() {
    if (text_.text == "all") claim_.low = claim_.high = kWhole;
    if (text_.text == "none") claim_.low = claim_.high = 0;
    if (text_.text == "some") claim_.high = kWhole;
    claim_.some = text_.text == "some";
    return claim_.some || text_.text == "all" || text_.text == "none";
  }

  // `45 % .. 55 %`; one `%` at the end is enough.
  bool range(std::size_t dots) {
    const auto low = number(0, dots), high = number(dots + 2, text_.text.size());
    if (!low || !high) return false;
    claim_.low = *low;
    claim_.high = *high;
    if (*low <= *high) return true;
    diagnostics_.error("shape", text_.span(), fmt::format("{} is empty", in_backticks(text_.text))).help =
        "the smaller number stands first";
    return false;
  }

  bool one(std::size_t begin, std::size_t end, std::uint64_t& into) {
    const auto found = number(begin, end);
    if (found) into = *found;
    return found.has_value();
  }

  std::optional<std::uint64_t> number(std::size_t begin, std::size_t end) {
    const Text part = text_.part(begin, end).trimmed();
    return is_share(claim_.of) ? share(part, begin == 0) : plies(part);
  }

  std::optional<std::uint64_t> share(const Text& part, bool may_lack_sign) {
    Text number = part;
    const bool sign = part.text.ends_with('%');
    if (sign) number = part.part(0, part.text.size() - 1).trimmed();
    const auto found = hundredths(number.text);
    if (found && (sign || may_lack_sign)) return found;
    auto& error = diagnostics_.error("shape", part.text.empty() ? text_.span() : part.span(),
                                     fmt::format("{} is not a share", in_backticks(part.text)));
    if (found)
      error.help = fmt::format("did you mean `{} %`?", number.text);
    else
      error.expected = "expected a number from 0 to 100 and `%`, as in `at most 2.5 %`";
    return std::nullopt;
  }

  std::optional<std::uint64_t> plies(const Text& part) {
    const auto found = whole_number(part.text);
    if (found && *found <= kMaxGamePlies) return found;
    diagnostics_
        .error("shape", part.text.empty() ? text_.span() : part.span(),
               fmt::format("{} is not a number of moves", in_backticks(part.text)))
        .expected = fmt::format("expected a whole number up to {}, as in `plies: 7 .. 42`", kMaxGamePlies);
    return std::nullopt;
  }

  // Most often a number alone, as if games of chance came out at it exactly.
  bool refuse_other() {
    std::string_view number = text_.text;
    if (number.ends_with('%')) number.remove_suffix(1);
    while (number.ends_with(' ')) number.remove_suffix(1);
    const bool is_number = hundredths(number) || whole_number(number);
    auto& error = diagnostics_.error(
        "shape", text_.span(),
        is_number && is_share(claim_.of)
            ? fmt::format("{} exactly is no share that random games have", in_backticks(text_.text))
            : fmt::format("{} is no bound", in_backticks(text_.text)));
    error.expected = is_share(claim_.of)
                         ? "expected `at least 99 %`, `at most 5 %`, `45 % .. 55 %`, `all`, `some` or `none`"
                         : "expected `at least 7`, `at most 42` or `7 .. 42`";
    return false;
  }

  const Text text_;
  GamesClaim& claim_;
  Diagnostics& diagnostics_;
};

// --- entries

void read_number(const Yaml& value, std::string_view what, std::uint64_t low, std::uint64_t high,
                 std::uint64_t& into, Diagnostics& diagnostics) {
  if (!expect_text(value, fmt::format("`{}`", what), fmt::format("{}: 500", what), diagnostics)) return;
  const auto found = whole_number(value.text.trimmed().text);
  if (found && *found >= low && *found <= high)
    into = *found;
  else
    diagnostics
        .error("shape", value.span,
               fmt::format("`{}` can't be {}", what, in_backticks(value.text.trimmed().text)))
        .expected = fmt::format("expected a whole number from {} to {}", low, high);
}

void count(const Yaml& value, GamesEntry& games, Diagnostics& diagnostics) {
  read_number(value, "count", 1, kMaxTestGames, games.count, diagnostics);
}

void seed(const Yaml& value, GamesEntry& games, Diagnostics& diagnostics) {
  read_number(value, "seed", 0, std::numeric_limits<std::uint64_t>::max(), games.seed, diagnostics);
}

void add_claim(const Yaml& value, std::string_view key, GamesClaim claim, GamesEntry& games,
               Diagnostics& diagnostics) {
  const bool share = is_share(claim.of);
  if (!expect_text(value, in_backticks(key), fmt::format("{}: {}", key, share ? "at most 5 %" : "7 .. 42"),
                   diagnostics))
    return;
  if (Bounds(value, claim, diagnostics).read()) games.claims.push_back(std::move(claim));
}

void draws(const Yaml& value, GamesEntry& games, Diagnostics& diagnostics) {
  GamesClaim claim;
  claim.of = Of::draws;
  add_claim(value, "draws", std::move(claim), games, diagnostics);
}

void plies(const Yaml& value, GamesEntry& games, Diagnostics& diagnostics) {
  GamesClaim claim;
  claim.of = Of::plies;
  add_claim(value, "plies", std::move(claim), games, diagnostics);
}

constexpr std::array<Key<GamesEntry>, 4> kGamesKeys = {{
    {"count", count},
    {"seed", seed},
    {"draws", draws},
    {"plies", plies},
}};

std::vector<std::string> known_names() {
  auto known = key_names<GamesEntry>(kGamesKeys);
  for (const char* other : {"end within 200 plies", "PLAYER wins", "first player wins"})
    known.emplace_back(other);
  return known;
}

// `end within 400 plies`
bool read_within(const YamlEntry& entry, GamesEntry& games, Diagnostics& diagnostics) {
  const auto parts = words(entry.key);
  if (parts.size() < 2 || parts[0].text != "end" || parts[1].text != "within") return false;
  const auto number = parts.size() > 2 ? whole_number(parts[2].text) : std::nullopt;
  const bool unit = parts.size() == 4 && (parts[3].text == "plies" || parts[3].text == "ply");
  if (!unit || !number || *number < 1 || *number > kMaxGamePlies) {
    diagnostics.error("shape", entry.key.span(), fmt::format("{} is no bound", in_backticks(entry.key.text)))
        .expected =
        fmt::format("expected a whole number from 1 to {}, as in `end within 400 plies`", kMaxGamePlies);
    return true;
  }
  GamesClaim claim;
  claim.of = Of::over_within;
  claim.within = *number;
  add_claim(entry.value, entry.key.text, std::move(claim), games, diagnostics);
  return true;
}

// `White wins`, `first player wins`
bool read_wins(const YamlEntry& entry, GamesEntry& games, Diagnostics& diagnostics) {
  constexpr std::string_view kFirst = "first player wins";
  const auto parts = words(entry.key);
  GamesClaim claim;
  claim.of = entry.key.text == kFirst ? Of::first_wins : Of::wins;
  if (claim.of == Of::wins) {
    if (parts.size() != 2 || parts[1].text != "wins") return false;
    claim.player = to_name(parts[0]);
  }
  add_claim(entry.value, entry.key.text, std::move(claim), games, diagnostics);
  return true;
}

// `White win`, `White`, `first wins`: what is meant is near.
void refuse_key(const Text& key, Diagnostics& diagnostics) {
  const auto parts = words(key);
  const bool win = parts.size() == 2 && (parts[1].text == "win" || parts[1].text == "won");
  if (!win) return unknown_key(key, "`games`", known_names(), diagnostics);
  diagnostics
      .error("unknown-key", key.span(), fmt::format("unknown key {} in `games`", in_backticks(key.text)))
      .help = fmt::format("did you mean `{} wins`?", parts[0].text);
}

} // namespace

std::vector<std::string> games_keys() { return known_names(); }

std::optional<GamesEntry> read_games(const Yaml& value, Diagnostics& diagnostics) {
  if (!expect_map(value, "`games`", kGamesExample, diagnostics)) return std::nullopt;
  GamesEntry games;
  games.span = value.span;
  for (const auto& entry : value.entries)
    if (!read_within(entry, games, diagnostics) && !read_wins(entry, games, diagnostics) &&
        !read_key<GamesEntry>(entry, kGamesKeys, games, diagnostics))
      refuse_key(entry.key, diagnostics);
  if (games.claims.empty() && !diagnostics.has_errors())
    diagnostics
        .error("shape", value.span, "`games` says how many games there are, and expects nothing of them")
        .expected = fmt::format("expected a bound, as in `{}`", kGamesExample);
  return games;
}

} // namespace boardwright::dsl
