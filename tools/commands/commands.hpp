// The subcommands, one function each: what the command line asked for goes in, the exit status comes out.
#pragma once

#include "interpreter/examine.hpp"
#include "tools/commands/work_options.hpp"
#include "tools/console/console.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/play/play_options.hpp"
#include "tools/records/game_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct ListOptions {
  std::vector<std::string> words; // all must be found in what is known of a game
  std::string family;             // this one only; "": all
  bool json = false;
};
[[nodiscard]] Exit list_games(const ListOptions& options, Console& console);

struct ShowOptions {
  GameChoice game;
  bool fen = false;                    // only the position, in one line
  std::string svg, png;                // files for a picture of it; "-": standard output
  std::vector<std::string> moves;      // drawn as arrows
  std::vector<std::string> moves_from; // cells: all moves that begin there
  bool bare = false;                   // the picture has no captions
  bool flipped = false;                // seen from the other side
  std::string around;                  // a cell: only what the terminal has room for around it; "": all
  bool ascii = false;
  bool json = false;
};
[[nodiscard]] Exit show(const ShowOptions& options, Console& console);

struct RulesOptions {
  GameChoice game;
  bool source = false; // as the file writes them
  std::string html;    // a file for a page; "-": standard output
};
[[nodiscard]] Exit tell_rules(const RulesOptions& options, Console& console);

struct InspectOptions {
  GameChoice game;
  std::string player;                // whose rules; "": everybody's
  bool normal = false, code = false; // only this form; neither: both
  bool json = false;
};
[[nodiscard]] Exit inspect_game(const InspectOptions& options, Console& console);

[[nodiscard]] Exit play(const PlayOptions& options, Console& console);

struct ReplayOptions {
  RecordChoice choice;
  std::optional<std::size_t> at; // only the position after so many moves
  bool moves = false;            // only the moves
  std::string svg;               // a folder for a picture of each position
  std::string html;              // a file for a page that plays the game; "-": standard output
  std::string pgn;               // a file for the game in portable notation, likewise
  bool flipped = false;          // seen from the other side
  bool ascii = false;            // draws boards without other signs
  bool json = false;
};
[[nodiscard]] Exit replay(const ReplayOptions& options, Console& console);

struct MovesOptions {
  GameChoice game;
  bool json = false;
};
[[nodiscard]] Exit list_moves(const MovesOptions& options, Console& console);

struct WhyOptions {
  GameChoice game;
  std::string asked; // a move, a cell, or a piece's letter
  bool json = false;
};
[[nodiscard]] Exit explain_move(const WhyOptions& options, Console& console);

// A deeper count would not end in a lifetime where there is more than one move.
inline constexpr int kMaxPerftDepth = 100;
struct PerftCommand {
  GameChoice game;
  int depth = 1;
  bool distinct = false;
  bool divide = false;
  bool json = false;
};
[[nodiscard]] Exit count_moves(const PerftCommand& options, Console& console);

// More threads than any machine this is likely to meet has processors.
inline constexpr int kMaxThreads = 1024;
struct PlayoutsCommand {
  GameChoice game;
  std::uint64_t count = 1000;
  std::uint64_t from = 0; // number of the first game
  std::uint64_t seed = 1;
  int max_plies = 2000;
  WorkOptions work;
  bool json = false;
};
[[nodiscard]] Exit play_out(const PlayoutsCommand& options, Console& console);

// Playouts of a benchmark end here: a game that need not end must not take the whole time slice.
inline constexpr int kBenchMaxPlies = 2000;
struct BenchOptions {
  std::vector<std::string> games; // none: all bundled ones
  interpreter::Settings settings;
  double seconds = 2; // of CPU time for the playouts of a game, and as much for counting moves
  int threads = 1;
  bool native = true;
  std::uint64_t calibration = 0; // instead: so many games to see whether what `analyse` says comes true
  bool json = false;
};
[[nodiscard]] Exit bench(const BenchOptions& options, Console& console);

// A table larger than any machine's memory is a mistyped number; so is a week of thinking.
inline constexpr int kMaxTableMegabytes = 1 << 20;
inline constexpr double kMaxThinkSeconds = 7 * 86'400;
struct SolveOptions {
  GameChoice game;
  int megabytes = 512;           // of the table of positions
  std::optional<double> seconds; // none: until it is known
  bool json = false;
};
[[nodiscard]] Exit solve(const SolveOptions& options, Console& console);

inline constexpr int kMaxRounds = 1000;
struct TrainOptions {
  GameChoice game;
  std::optional<std::uint64_t> games; // none: for so many minutes, or two
  std::optional<double> minutes;
  std::optional<int> rounds;
  std::uint64_t seed = 1;
  std::string output; // "": beside the rule file
  bool network = false;
  bool json = false;
};
[[nodiscard]] Exit train(const TrainOptions& options, Console& console);

struct MigrateOptions {
  std::vector<std::string> files;
  bool check = false; // only says what would change
  bool json = false;
};
[[nodiscard]] Exit migrate(const MigrateOptions& options, Console& console);

struct NewOptions {
  std::string name;           // of the file, with or without `.yaml`, and with a folder before it
  std::string like = "races"; // a beginning, a game whose family has one, or "list"
  bool json = false;
};
[[nodiscard]] Exit write_new_file(const NewOptions& options, Console& console);
// What it can be like.
[[nodiscard]] std::vector<std::string> beginnings();

struct ImportOptions {
  std::string file;                  // of variants; "-": standard input
  std::vector<std::string> variants; // none: all of it
  std::string to;                    // a folder; "": standard output
  bool replace = false;              // writes over files that are there
  bool json = false;
};
[[nodiscard]] Exit import_rules(const ImportOptions& options, Console& console);

struct ExplainOptions {
  std::vector<std::string> names; // of errors and warnings; none: a list of all
  bool json = false;
};
[[nodiscard]] Exit explain(const ExplainOptions& options, Console& console);

// How `check` tells what it found: for people, as data, for code hosts, for build servers, for editors.
enum class CheckFormat : std::uint8_t { text, json, sarif, junit, line };
struct CheckOptions {
  std::vector<std::string> files; // "-": standard input
  interpreter::Settings settings;
  std::string name = "<stdin>"; // of the file that is read from standard input
  bool tests = true;
  bool games = true;                             // also plays random games
  std::vector<interpreter::LevelSetting> levels; // of lints
  std::uint64_t seed = 1;                        // of the random games
  std::uint64_t effort = 1;                      // so many times as many of them
  int jobs = 0;              // files that are checked at a time; 0: as many as there are processors
  bool coverage = false;     // how often each part of the rules came into play
  std::string coverage_html; // the same as a page, in this file
  bool update = false;       // writes what tests without expectations find
  bool watch = false;        // checks again whenever a file changes
  CheckFormat format = CheckFormat::text;
};
[[nodiscard]] Exit check(const CheckOptions& options, Console& console);

} // namespace boardwright::tools
