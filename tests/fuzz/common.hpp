// What the fuzz targets share: what is done with a game that has been loaded, and how a broken promise is
// told.
//
// A target is a file with one function that libFuzzer calls again and again with bytes that it makes up. It
// answers by returning; a crash, a sanitizer's report, or a claim that does not hold ends the process, and
// libFuzzer keeps the bytes.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::fuzz {

// Ends the process, with what was claimed, where it does not hold.
void claim(bool holds, std::string_view what);

// Does the work on a large stack, as rules and positions that are nested deeply need it under sanitizers.
// Always 0, which is what libFuzzer wants to hear.
int run(const std::uint8_t* data, std::size_t size, void (*work)(std::string_view bytes));

// The first byte, as a number below `count`, which is taken off the bytes; 0 where there is none.
[[nodiscard]] std::size_t choice(std::string_view& bytes, std::size_t count);
// A number that the bytes decide, for what is done with a part of the inputs alone.
[[nodiscard]] std::uint64_t hash_of(std::string_view bytes);

// A fault is an answer, if it says what went wrong and where.
template <class T>
bool good(const tl::expected<T, runtime::Fault>& result) {
  if (result) return true;
  claim(!result.error().message.empty(), "a fault says what went wrong");
  claim(result.error().origin != 0, "a fault says where: " + result.error().message);
  return false;
}

// There are rules, or errors that say where.
void claim_answer(const interpreter::Loaded& loaded);
// Loads a rule file of this text; null where it is refused.
[[nodiscard]] std::shared_ptr<const runtime::Rules> rules_of(const std::string& text);

// Do the moves of this position take only some thousand steps? Rules made up by chance often ask for
// millions, which the limits stop, but not before seconds have gone under sanitizers.
[[nodiscard]] bool is_light(const runtime::Game& game);

// Asks all that can be asked of a position: outcome, moves, notations, finding by notation; plays a move and
// takes it back; writes the position and reads it again. Some of the positions that are not light are looked
// at as well, as `lot` has it.
void look_at(runtime::Game& game, std::uint64_t lot);
// Looks at the beginning, and plays a short random game.
void look_at(const std::shared_ptr<const runtime::Rules>& rules, std::uint64_t lot);
// Writes the position in each way there is, and reads it again: it must be the same.
void write_and_read(const std::shared_ptr<const runtime::Rules>& rules, const runtime::Position& position);

// Bundled games of every sort, loaded once.
[[nodiscard]] const std::vector<std::shared_ptr<const runtime::Rules>>& games();
[[nodiscard]] const std::vector<std::string>& game_names(); // in the same order

// Rule files that lack their turn and one line of their end: a board, players and pieces of every sort, with
// hands, state, options and definitions of every type.
[[nodiscard]] const std::vector<std::string_view>& frames();
// Such a file, completed. What is left behind kSeparator in `rules` is the condition of the line of `end`.
inline constexpr char kSeparator = '@'; // means nothing in rules
[[nodiscard]] std::string completed(std::string_view frame, std::string_view rules);

} // namespace boardwright::fuzz
