// Records of the games that commands play and replay: what stands in their tags, and whether they still fit
// the rules.
#pragma once

#include "interpreter/notation/record.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/records/formats/foreign_game.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {

using Tags = std::vector<std::pair<std::string, std::string>>;

// What says where a game is played and how it begins: Game, Rules, RulesHash, the options that differ from
// their defaults, Position where that isn't the set-up, Date. `begin` is the game before its first move.
[[nodiscard]] Tags tags_of(const OpenGame& open, const std::string& reference, const runtime::Game& begin);

// "White wins (no move)", "a draw (repeats >= 2)".
[[nodiscard]] std::string result_text(const interpreter::Loaded& loaded, const runtime::Outcome& outcome);
// The same without the reason.
[[nodiscard]] std::string winners_text(const runtime::Program& program, const runtime::Outcome& outcome);

// The moves that led to a game's present position, the first one first, and the game before them. A game that
// was given as moves to play has such a past. They are found by trying all moves of each position.
struct Past {
  runtime::Game begin;
  std::vector<std::string> moves;
  std::vector<int> players;
};
[[nodiscard]] tl::expected<Past, runtime::Fault> past_of(const runtime::Game& game);

// Why a record doesn't replay to its end; nothing where it does. `column` is that of the move.
struct Misfit {
  std::uint32_t line = 0, column = 0;
  std::string message; // one sentence
  std::string details; // lines about which rule stops the move; may be empty
};
[[nodiscard]] std::optional<Misfit> misfit_of(const interpreter::Loaded& loaded,
                                              const interpreter::Record& record,
                                              interpreter::Replayed& replayed);

// A game of a file: a record of ours, or a game of another format, whose moves wait for the rules.
struct GivenGame {
  Format format = Format::ours;
  interpreter::Record record; // of ours
  ForeignGame foreign;        // of the others
};
// `tags_of` without the date.
[[nodiscard]] Tags tags_of_game(const runtime::Program& program, const std::string& reference,
                                const runtime::Game& begin);

// The record of a given game under these rules, see translate.hpp.
[[nodiscard]] tl::expected<interpreter::Record, std::string>
record_by(const std::shared_ptr<const runtime::Rules>& rules, GivenGame given);

// A record with its rules.
struct OpenRecord {
  interpreter::Record record;
  interpreter::Loaded loaded;
  interpreter::Replayed replayed;
  std::string reference = {}; // the rules: a path, or the name of a known game
};
struct RecordChoice {
  std::string file;     // "-": standard input
  std::size_t game = 0; // which one of the file, from 1; 0: the only one, or the first
  std::string rules;    // instead of those that the record names
};
// The game alone; else why not, as lines.
struct Unread {
  std::string text;
  Exit exit = Exit::at_fault;
};
[[nodiscard]] tl::expected<GivenGame, Unread> read_record(const RecordChoice& choice);
// With its rules. Says on standard error what is wrong. That a record doesn't replay to its end is left to
// misfit_of.
[[nodiscard]] tl::expected<OpenRecord, Exit> open_record(const RecordChoice& choice, Console& console);

// All games of a file, or the chosen one, one after the other; the rules of each game are loaded once. What
// can't be opened is told as by open_record, and the others come still. `each` answers whether it goes on.
// The worst status of those that can't be opened.
[[nodiscard]] Exit open_each_record(const RecordChoice& choice, Console& console,
                                    const std::function<bool(OpenRecord&)>& each);

} // namespace boardwright::tools
