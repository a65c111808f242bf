// Players that think: made from a description, and what they thought in words.
#pragma once

#include "runtime/search/calibration.hpp"
#include "runtime/search/network.hpp"
#include "runtime/search/player.hpp"
#include "tools/engines/seats.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace boardwright::tools {

using Weights = std::shared_ptr<const runtime::search::Learnt>; // what was learnt; null: nothing

struct OpponentChoice {
  std::uint64_t seed = 1;
  int threads = 1; // where the description says nothing else
  Weights weights;
  std::string game;    // its name, for programs that play several
  bool at_once = true; // another program is started here; else when a move is asked for
  std::optional<int> megabytes = std::nullopt; // where the description says nothing else
};
// A player of search/make_player.hpp, or another program: `ugi:COMMAND`, and so on by each protocol's name.
// An error says what is wrong with the description, and what there is.
[[nodiscard]] tl::expected<std::shared_ptr<runtime::search::Player>, std::string>
make_opponent(const std::string& description, const std::shared_ptr<const runtime::Rules>& rules,
              const OpponentChoice& choice);
// Whoever may sit at a board: these, `person` and `random`, in any case.
[[nodiscard]] tl::expected<Sitter, std::string>
make_sitter(std::string description, const std::shared_ptr<const runtime::Rules>& rules,
            const OpponentChoice& choice);
// What the values of such a player are worth in this game, learnt from quick games of another one like him.
// Of other programs, of games that aren't of two, and where there is no time: what is usual.
[[nodiscard]] runtime::search::Calibration calibration_for(const std::string& description,
                                                           const std::shared_ptr<const runtime::Rules>& rules,
                                                           const OpponentChoice& choice,
                                                           const runtime::search::CalibrationLimits& limits);
// Of another program: it is kept for all games.
[[nodiscard]] bool is_external(const std::string& description);
// Of another program whose protocol has no word for a number of positions.
[[nodiscard]] bool needs_time(const std::string& description);

// All descriptions, with a line about each: for help texts.
[[nodiscard]] std::string descriptions_of_opponents();

// A game's name as other programs may know it: that of the file, without folder and `.yaml`.
[[nodiscard]] std::string plain_name(const std::string& reference);

// "62.0 % for White, 12 moves ahead, 34,000 positions: c2-c3 a7-a6", of the player who was to move.
[[nodiscard]] std::string thought_text(const runtime::Program& program, int player,
                                       const runtime::search::Thought& thought);
// "win", "draw", "loss", as programs are told of it; "" where nothing is proven.
[[nodiscard]] std::string_view word_of(runtime::search::Proof proof);
// "62.0 %", "a win, proven".
[[nodiscard]] std::string value_text(double value, runtime::search::Proof proof);

} // namespace boardwright::tools
