// The game that a command works on: loading it, its position, and words for what happens in it.
#pragma once

#include "dsl/diagnostic.hpp"
#include "interpreter/load.hpp"
#include "tools/console/console.hpp"
#include "tools/games/game_index.hpp"

#include <tl/expected.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct GameChoice {
  std::string reference; // a path or the name of a known game
  interpreter::Settings settings;
  // A file (with or without `@` before its name), "-" for standard input, the text itself, or empty: the
  // set-up.
  std::string position;
};

// A position's text larger than this is refused: the largest board with the tallest stacks needs some hundred
// thousand bytes.
inline constexpr std::size_t kMaxPositionBytes = 1 << 20;

// Is it a position itself rather than a file's name? It has a blank, a line break or a bracket in it, and no
// file is called so.
[[nodiscard]] bool is_position_text(const std::string& argument);

// Loads the rules, or says on standard error why not and returns the status to end with.
[[nodiscard]] tl::expected<interpreter::Loaded, Exit> load_game(const GameChoice& choice, Console& console);

// All games that can be named, of which some are proposed where a name is none. The index of the bundled
// games is linked to the program alone, which says so when it begins; without it a slip of the keys is seen.
using KnownGames = std::vector<GameEntry> (*)();
void propose_games_of(KnownGames known);

// Those games; none where the program hasn't said which.
[[nodiscard]] std::vector<GameEntry> games_known();
// By which name the game of this title is called; nothing where there is none.
[[nodiscard]] std::optional<std::string> name_of_title(std::string_view title);

// Why there is no rule file or game of this name, and which games may be meant.
[[nodiscard]] std::string why_not_found(const std::string& reference);

// The same after loading: says what is wrong. `loaded` must have failed.
Exit report_failed_load(const std::string& reference, const interpreter::Loaded& loaded, Console& console);

// "`boardwright explain type unknown-name` says more", of the names of these errors and warnings, with a line
// break;
// "" where there are none. A failed test is not among them: its message says all.
[[nodiscard]] std::string explain_hint(const std::vector<dsl::Diagnostics>& told);

// The game to begin with: from the set-up, or from the chosen position. Reports what is wrong like load_game.
[[nodiscard]] tl::expected<runtime::Game, Exit>
game_of(const GameChoice& choice, const std::shared_ptr<const runtime::Rules>& rules, Console& console);

// Loaded rules with a game at its beginning.
struct OpenGame {
  interpreter::Loaded loaded;
  bool has_position = false; // else it begins with the set-up
  runtime::Game game;

  [[nodiscard]] const runtime::Program& program() const { return loaded.rules->program(); }
};
[[nodiscard]] tl::expected<OpenGame, Exit> open_game(const GameChoice& choice, Console& console);

// Says that a rule went wrong while it was carried out.
Exit report_fault(const runtime::Program& program, const runtime::Fault& fault, Console& console);

// The line of `end` that stands at a place in the rules; null if that is none.
[[nodiscard]] const dsl::EndRule* end_line_of(const interpreter::Loaded& loaded, std::uint32_t origin);

// Why a game ended, in a few words: the condition of the end line as the file writes it ("no move", "passes =
// 2"), "the move", "no move", "last left".
[[nodiscard]] std::string reason_of(const interpreter::Loaded& loaded, const runtime::Outcome& outcome);
// "Black wins: no move; see mygame.yaml:30:5 (in `end`)".
[[nodiscard]] std::string outcome_text(const interpreter::Loaded& loaded, const runtime::Outcome& outcome);
// Of shares: who have the most.
[[nodiscard]] std::vector<std::string> winners_of(const runtime::Program& program,
                                                  const runtime::Outcome& outcome);

// The source text of a span, without the indentation that its lines share.
[[nodiscard]] std::string source_text(const dsl::Sources& sources, dsl::Span span);
// The words of a text, with a space between them.
[[nodiscard]] std::string on_one_line(const std::string& text);

} // namespace boardwright::tools
