// Entry point: read_common_fields.
#include "interpreter/notation/fen_fields.hpp"

#include "dsl/shape.hpp"
#include "dsl/text.hpp"
#include "interpreter/notation/fen_players.hpp"
#include "interpreter/notation/fen_rights.hpp"
#include "interpreter/notation/fen_words.hpp"
#include "interpreter/notation/position_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace boardwright::interpreter {
namespace {

using dsl::Diagnostics;
using dsl::in_backticks;
using dsl::PositionEntry;
using dsl::Text;
using runtime::CellSet;
using runtime::Program;
using runtime::Type;

constexpr std::string_view kNothing = "-";
// Moves since something was taken or a pawn moved, and all of them. Where pieces are counted down to a draw
// the limit stands before these, in place of the cell that may be taken in passing.
constexpr std::size_t kCounters = 2;

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), dsl::is_digit);
}

std::string listed_cells(const Program& program, const CellSet& cells) {
  std::vector<std::string> names;
  cells.each([&](int cell) { names.push_back(program.board.name[static_cast<std::size_t>(cell)]); });
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
}

// The numbers of `2+3` and of `+1+0`.
struct Checks {
  int first = 0, second = 0;
  bool given = false; // they have been; else they are left
};

std::optional<Checks> checks_in(std::string_view text) {
  Checks checks;
  if (text.starts_with('+')) checks.given = true, text.remove_prefix(1);
  const auto plus = text.find('+');
  if (plus == std::string_view::npos) return std::nullopt;
  const auto first = dsl::number_in<std::uint16_t>(text.substr(0, plus)),
             second = dsl::number_in<std::uint16_t>(text.substr(plus + 1));
  if (!first || !second) return std::nullopt;
  checks.first = *first, checks.second = *second;
  return checks;
}

class CommonFields {
public:
  CommonFields(const Program& program, PositionEntry& entry, Diagnostics& diagnostics)
      : program_(program), entry_(entry), diagnostics_(diagnostics) {}

  bool read(const std::vector<Text>& fields) {
    std::size_t next = 0;
    const auto has_word = [&] {
      return next < fields.size() && !is_number(fields[next].text) && !checks_in(fields[next].text);
    };
    if (has_word()) castling(fields[next++]);
    std::size_t most = kCounters;
    if (has_word())
      passing(fields[next++]);
    else
      ++most;
    const bool counts = most > kCounters && next + kCounters < fields.size() && counts_down();
    std::size_t counters = 0;
    for (; next < fields.size(); ++next) {
      if (const auto given = checks_in(fields[next].text))
        checks(fields[next], *given);
      else if (!is_number(fields[next].text) || ++counters > most)
        unexpected(fields[next], "two counters behind castling and the cell that may be taken in passing");
      else if (counts && counters <= kCounters)
        set(counters == 1 ? kLimit : kCounted, fields[next], fields[next].text);
      else if (counters == 1 && most == kCounters)
        idle_moves(fields[next]);
    }
    return good_;
  }

private:
  void unexpected(const Text& field, const std::string& expected) {
    good_ = false;
    diagnostics_
        .error("fen", field.span(),
               fmt::format("{} can't be read as a field of a FEN", in_backticks(field.text)))
        .expected = "expected " + expected;
  }

  void leave_out(const Text& field, std::string_view state) {
    auto& warning = diagnostics_.warning(
        "fen", field.span(),
        fmt::format("{} means nothing to this game, and is left out", in_backticks(field.text)));
    warning.help = fmt::format("it would be about the state `{}`, which the game hasn't", state);
  }

  void set(std::string_view variable, const Text& where, std::string value) {
    dsl::Yaml given;
    given.kind = dsl::Yaml::Kind::scalar;
    given.text = text_at(where, std::move(value));
    given.span = where.span();
    entry_.state.emplace_back(dsl::Name{std::string(variable), where.span()}, std::move(given));
  }

  // ---- castling

  void castling(const Text& field) {
    const bool rights = shared_variable(program_, kRights, Type::cells).has_value();
    const bool gates = shared_variable(program_, kGates, Type::cells).has_value();
    const bool nothing = field.text == kNothing;
    if (!nothing && !is_castling(field.text)) return unexpected(field, castling_letters());
    if ((!rights && !gates) || program_.players.size() != 2) {
      if (!nothing) leave_out(field, kRights);
      return;
    }
    Diagnostics told_later; // what is wrong with the board is told by who reads the entry
    const auto position = resolve_position(program_, entry_, told_later);
    if (!position) return;
    const FenRights found = rights_of_letters(program_, *position, nothing ? "" : field.text);
    if (rights) set(kRights, field, listed_cells(program_, found.rights));
    if (gates) set(kGates, field, listed_cells(program_, found.gates));
    tell_idle(field, found.idle);
  }

  [[nodiscard]] char last_file() const {
    char last = 'A';
    for (const std::string& name : program_.board.name)
      last = std::max(last, static_cast<char>(std::toupper(static_cast<unsigned char>(name.front()))));
    return last;
  }

  [[nodiscard]] bool is_castling(std::string_view text) const {
    return std::all_of(text.begin(), text.end(), [last = last_file()](char c) {
      const char capital = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      return capital == 'K' || capital == 'Q' || (capital >= 'A' && capital <= last);
    });
  }

  [[nodiscard]] std::string castling_letters() const {
    if (!shared_variable(program_, kRights, Type::cells) && !shared_variable(program_, kGates, Type::cells))
      return program_.hands > 0 ? "the pieces in hand, as in `2Pb`, or `-`"
                                : "`-` where other games say who may castle: nobody does here";
    return fmt::format("who may castle: `KQkq`, some of these, files from `A` to `{}`, or `-`", last_file());
  }

  void tell_idle(const Text& field, const std::vector<std::size_t>& idle) {
    if (idle.empty()) return;
    std::string letters;
    for (const std::size_t i : idle) letters += field.text[i];
    auto& warning =
        diagnostics_.warning("fen", field.span(),
                             fmt::format("{} of {} names no pieces that may castle, and is left out",
                                         in_backticks(letters), in_backticks(field.text)));
    const auto rights = shared_variable(program_, kRights, Type::cells);
    const CellSet first = rights ? program_.initial.variables[*rights].cells : CellSet{};
    constexpr int kMostNamed = 8;
    warning.help =
        first.none() ? "nobody castles in this game"
        : first.count() > kMostNamed
            ? "kings and rooks on the first rows may"
            : fmt::format("what begins on {} may, as long as it stands there", listed_cells(program_, first));
  }

  // ---- the other fields

  void passing(const Text& field) {
    const bool known = shared_variable(program_, kPassant, Type::cells).has_value();
    if (field.text == kNothing) {
      if (known) set(kPassant, field, "none");
    } else if (program_.board.cell_named(field.text) == runtime::kNowhere) {
      unexpected(field, "the cell that may be taken in passing, or `-`");
    } else if (known) {
      set(kPassant, field, field.text);
    } else {
      leave_out(field, kPassant);
    }
  }

  // Does the game count down to a draw? Then the limit and what is counted stand before the number of moves.
  [[nodiscard]] bool counts_down() const {
    return shared_variable(program_, kLimit, Type::number) &&
           shared_variable(program_, kCounted, Type::number);
  }

  // Moves without progress, where the game has a clock for them.
  void idle_moves(const Text& field) {
    if (idle_clock(program_)) set(kIdle, field, field.text);
  }

  void checks(const Text& field, const Checks& given) {
    if (!checks_variable(program_)) return leave_out(field, kChecks);
    const int needed = checks_needed(program_);
    dsl::Yaml by_player;
    by_player.kind = dsl::Yaml::Kind::map;
    by_player.span = field.span();
    for (std::size_t player = 0; player < 2; ++player) {
      const int number = player_of_colour(program_, "w") == player ? given.first : given.second;
      dsl::Yaml value;
      value.kind = dsl::Yaml::Kind::scalar;
      value.text = text_at(field, std::to_string(given.given ? number : std::max(0, needed - number)));
      value.span = field.span();
      by_player.entries.push_back({text_at(field, program_.players[player].name), std::move(value), nullptr});
    }
    entry_.state.emplace_back(dsl::Name{std::string(kChecks), field.span()}, std::move(by_player));
  }

  const Program& program_;
  PositionEntry& entry_;
  Diagnostics& diagnostics_;
  bool good_ = true;
};

} // namespace

bool read_common_fields(const Program& program, const std::vector<Text>& fields, PositionEntry& entry,
                        Diagnostics& diagnostics) {
  return CommonFields(program, entry, diagnostics).read(fields);
}

} // namespace boardwright::interpreter
