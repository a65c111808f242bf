// Why a move is legal or not, in words: each reason at its place in the rule file.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct Reason {
  dsl::Span span;          // in the author's own file, or the one it extends
  std::string rule;        // what stands there, on one line
  std::string inner;       // the words of a vocabulary that it came to, with their place; may be empty
  std::string text;        // "d4 is empty"
  std::string plain = {};  // of a condition that has plain words, what is so instead: "White is in check"
  std::string stands = {}; // of a cell that doesn't fit what stands there: "d4 is empty"
  int stands_on = -1;      // that cell
  bool starts = false;     // it is one to start from
};

struct Reasons {
  std::string summary; // a sentence: "e2-e5 is not legal"
  bool legal = false;  // the move is; or of a cell: some move begins there
  std::vector<std::string>
      moves; // of a cell: those that begin there; else those that begin like what was asked
  // The rules that allow the move, and why its loops end where they do; or what stopped each of the rules,
  // the nearest first.
  std::vector<Reason> reasons;
  // Of a move that isn't legal: the beginning of it, step by step, that is also one of legal moves, and the
  // steps with which these go on. "": not even its first cell.
  std::string beginning = {};
  int steps_in = 0; // how many there are in that beginning
  std::vector<std::string> next = {};
  bool part = false;   // it is no move, but `moves` begin so
  bool ending = false; // it is about the lines of `end`, and `legal` says whether one of them holds
};

// The cells that are named in a text, in its order. Of names that begin alike the longest counts.
[[nodiscard]] std::vector<int> cells_named(const runtime::Board& board, std::string_view text);

// What there is instead of a move that isn't legal, or what a cell's moves are: the end of the summary.
[[nodiscard]] std::string moves_text(const Reasons& found);

// `asked` is a move as it would be typed; a cell: then it is about all moves that begin there; or a piece's
// letter: then there is an answer for each cell that it stands on; or `end`: why the game isn't over. It is
// not over. A fault where a rule goes wrong.
[[nodiscard]] tl::expected<std::vector<Reasons>, runtime::Fault>
reasons_for(const interpreter::Loaded& loaded, runtime::Game& game, std::string_view asked);

// The same as text for people; of a game that is over, what ended it.
[[nodiscard]] tl::expected<std::string, runtime::Fault>
reasons_text(const interpreter::Loaded& loaded, runtime::Game& game, std::string_view asked);

} // namespace boardwright::tools
