// Records of games: plain text that people read and programs replay.
//
//   [Game "My Game"]
//   [Rules "mygame.yaml"]
//   [RulesHash "53f1c2a09b7d4e68"]
//   [Option "size=6"]
//   [Player "White: person"]
//
//   ; anything about the game
//   1. White: c2-c3
//   2. Black: a7-a6
//   ; anything about that move
//   Result: White wins (Black resigns)
//
// Tags first, each on a line: any names, any order; of `Option` and `Player` there may be several. Then a
// move a line, with its number and, if it is there, who made it; comments begin with `;`. The result stands
// last. A tag behind moves or a result begins the next game of the file.
#pragma once

#include "runtime/game/game.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

// What is refused, since nothing that is meant to be replayed comes near it: the text of a file (a match of
// some ten thousand games), tags and moves of one record (a random game is broken off after ten thousand),
// the bytes of one move (its notation has a limit of its own).
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxRecordTags = 1'000;
inline constexpr std::size_t kMaxRecordMoves = 100'000;
inline constexpr std::size_t kMaxRecordMove = 1 << 15;

struct RecordMove {
  std::string text; // as it is written, with the player before it if he is named
  std::uint32_t line = 0, column = 0;
  std::vector<std::string> comments; // behind it
};

struct Record {
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<std::string> comments; // before the first move
  std::vector<RecordMove> moves;
  std::string result;     // "White wins (no move)"; "": unfinished
  std::uint32_t line = 1; // where it begins

  // The first tag of this name; "" if there is none.
  [[nodiscard]] std::string tag(std::string_view name) const;
  // All of them: `size=6`, …
  [[nodiscard]] std::vector<std::string> tags_named(std::string_view name) const;
};

struct RecordError {
  std::uint32_t line = 0, column = 0; // from 1, in bytes
  std::string message;                // may quote what stands there as it is
};

// All records of a text.
[[nodiscard]] tl::expected<std::vector<Record>, RecordError> read_records(std::string_view text);

// A move as it stands in a record: in quotes where it would not survive at the end of a line.
[[nodiscard]] std::string as_written(std::string_view text);

// Parts of a record, each a line with its line break: what is written piece by piece while a game goes on.
[[nodiscard]] std::string tag_line(std::string_view name, std::string_view value);
[[nodiscard]] std::string move_line(std::size_t number, std::string_view player, std::string_view move);
[[nodiscard]] std::string comment_lines(std::string_view text);
[[nodiscard]] std::string result_line(std::string_view result);
// The whole of it: read_records gives the same back.
[[nodiscard]] std::string write_record(const Record& record);

// How far a record could be replayed.
struct Replayed {
  runtime::Game game;             // at the last move that could be played; undo() goes back to the beginning
  std::vector<std::string> moves; // those that were played, each as it is found again (see spelling.hpp)
  std::vector<int> players;       // who made each
  bool rules_changed = false;     // the record has a hash, and the rules another

  enum class Stop : std::uint8_t { none, over, wrong_player, illegal, fault } stop = Stop::none;
  std::string asked; // the move it stopped at, without the player
  std::string named; // of wrong_player: who is named
  std::optional<runtime::Fault> fault;
};

// Replays a record; its beginning is `[Position]`, or the set-up. An error: the position can't be read.
[[nodiscard]] tl::expected<Replayed, std::string>
replay_record(const std::shared_ptr<const runtime::Rules>& rules, const Record& record);

} // namespace boardwright::interpreter
