#include "runtime/model/program.hpp"

#include "runtime/model/drops.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace boardwright::runtime {

namespace {

constexpr char kNoLetter = '?';

// Where a piece's letter stands among its kind's: neutral comes after the players.
std::size_t letter_index(const Program& program, int owner) {
  return owner < 0 ? program.players.size() : static_cast<std::size_t>(owner);
}

} // namespace

const char* name_of(Op op) {
  return static_cast<std::size_t>(op) < operations::kCount ? about(op).name : "?";
}

bool Program::is_told(const Position& position, std::size_t variable) const {
  if (variables[variable].name.empty()) return false;
  if (!chance || variable < static_cast<std::size_t>(chance->first)) return true;
  const auto is = [variable](int of_chance) { return static_cast<int>(variable) == of_chance; };
  const bool within_turn = position.variables[static_cast<std::size_t>(chance->stage)].number != 0;
  return within_turn && !is(chance->stage) && !is(chance->odds) &&
         position.variables[variable] != initial.variables[variable];
}

char Program::letter_of(Piece piece) const {
  if (piece.kind < 0 || static_cast<std::size_t>(piece.kind) >= kinds.size()) return kNoLetter;
  const std::vector<char>& letters = kinds[static_cast<std::size_t>(piece.kind)].letter;
  const std::size_t index = letter_index(*this, piece.owner);
  return index < letters.size() && letters[index] != 0 ? letters[index] : kNoLetter;
}

std::optional<Piece> Program::piece_of(char letter) const {
  if (letter == 0) return std::nullopt;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const std::vector<char>& letters = kinds[kind].letter;
    const auto found = std::find(letters.begin(), letters.end(), letter);
    if (found == letters.end()) continue;
    const auto owner = static_cast<std::size_t>(found - letters.begin());
    const bool neutral = owner >= players.size();
    return Piece{static_cast<std::int8_t>(neutral ? -1 : static_cast<int>(owner)),
                 static_cast<std::int8_t>(kind)};
  }
  return std::nullopt;
}

char Program::letter_of_kind(int kind) const {
  if (kind < 0 || static_cast<std::size_t>(kind) >= kinds.size()) return kNoLetter;
  for (const char letter : kinds[static_cast<std::size_t>(kind)].letter)
    if (letter != 0) return letter;
  return kNoLetter;
}

std::optional<int> owner_of_drop(const Program& program, std::int32_t owner, std::int32_t giver, int kind) {
  const auto is_there = [&](std::int32_t player) {
    return program.letter_of({static_cast<std::int8_t>(player), static_cast<std::int8_t>(kind)}) != kNoLetter;
  };
  if (owner == kNatural) owner = is_there(giver) ? giver : kNeutral;
  return is_there(owner) ? std::optional(owner) : std::nullopt;
}

std::string with_verb(const std::string& player, const std::string& verb) {
  static constexpr std::array<std::string_view, 4> kSingular = {"ss", "us", "is", "aos"};
  static constexpr std::array<std::string_view, 3> kPlural = {"geese", "Geese", "men"}; // without an s
  const auto ends = [&](auto end) { return player.ends_with(end); };
  const bool singular = player.ends_with('s') ? std::any_of(kSingular.begin(), kSingular.end(), ends)
                                              : std::none_of(kPlural.begin(), kPlural.end(), ends);
  return player + " " + verb + (singular ? "s" : "");
}

std::string place_of(const Program& program, std::uint32_t origin) {
  if (origin >= program.origins.size()) return {};
  const Origin& o = program.origins[origin];
  std::string place = o.file < program.files.size() ? program.files[o.file] : std::string();
  place += fmt::format(":{}:{}", o.line, o.column);
  if (o.rule < program.rules.size() && !program.rules[o.rule].empty())
    place += fmt::format(" (in `{}`)", program.rules[o.rule]);
  return place;
}

} // namespace boardwright::runtime
