#include "tools/engines/seats.hpp"

#include "dsl/text.hpp"
#include "tools/console/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace boardwright::tools {
tl::expected<void, std::string> Seats::seat(const std::string& player, const Sitter& sitter) {
  const std::string wanted = dsl::to_lower(player);
  if (wanted == "all" || wanted == "both") {
    for (std::size_t i = 0; i < sitters_.size(); ++i)
      if (!named_[i]) sitters_[i] = sitter;
    return {};
  }
  std::vector<std::string> players;
  for (std::size_t i = 0; i < sitters_.size(); ++i) {
    players.push_back(program_.players[i].name);
    if (!names(i, wanted)) continue;
    if (named_[i])
      return tl::unexpected(
          fmt::format("{} has somebody already: {}", players.back(), printable(sitters_[i].description)));
    named_[i] = true;
    sitters_[i] = sitter;
    return {};
  }
  return tl::unexpected(fmt::format("there is no player `{}`; give one of {}, or all", quotable(player),
                                    fmt::join(players, ", ")));
}

bool Seats::any_person() const {
  return std::any_of(sitters_.begin(), sitters_.end(), [](const Sitter& s) { return s.is_person(); });
}

bool Seats::all_alike() const {
  return std::all_of(sitters_.begin(), sitters_.end(),
                     [&](const Sitter& s) { return s.description == sitters_.front().description; });
}

void Seats::give_up(const std::shared_ptr<runtime::search::Player>& thinks) {
  const auto gone = thinks; // it may be that of a seat, which is emptied here
  for (Sitter& sitter : sitters_)
    if (sitter.thinks == gone) sitter = Sitter();
}

void Seats::move_on() { std::rotate(sitters_.rbegin(), sitters_.rbegin() + 1, sitters_.rend()); }

bool Seats::names(std::size_t player, const std::string& wanted) const {
  static constexpr std::array<const char*, 8> kOrdinals = {"first", "second", "third",   "fourth",
                                                           "fifth", "sixth",  "seventh", "eighth"};
  return wanted == dsl::to_lower(program_.players[player].name) || wanted == std::to_string(player + 1) ||
         (player < kOrdinals.size() && wanted == kOrdinals[player]);
}

} // namespace boardwright::tools
