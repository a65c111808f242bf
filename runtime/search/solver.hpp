// What becomes of a position if nobody errs: proven, or not known.
//
// Depth-first proof-number search (V. Allis, M. van der Meulen, H. van den Herik, Proof-number search, 1994;
// A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, 2002), with the weak sum where
// lines of play meet again (T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida, Weak proof-number search, 2008),
// and thresholds with some slack (J. Pawlewicz, Ł. Lew, Improving depth-first PN-search: 1+ε trick, 2006).
//
// Two questions are asked: does the player to move win? If not, does the other one? Neither: it is a draw.
// Where somebody wins at the end of every line that the first question has looked at, its answer is that of
// the second.
//
// What is assumed. Positions are told apart by their key, 64 bits. A position that comes again on the line
// that is followed counts as no win for whoever asks. So a proven win or loss holds also if the game could go
// round in circles; a draw, where positions came again, holds if such games are drawn, and even then perhaps
// not, because a position is remembered without the way to it (graph-history interaction; A. Kishimoto, M.
// Müller, A general solution to the graph history interaction problem, 2004). `repetitions` says how often
// that was.
#pragma once

#include "runtime/search/features.hpp"
#include "runtime/search/player.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::runtime::search {

struct SolverOptions {
  std::size_t most_bytes = std::size_t{512}
                           << 20; // of the table; when it is full what took least work gives way
  ThinkLimits limits;
  // What positions are judged by, so that what is likely is looked at first; nothing: by their moves alone.
  std::shared_ptr<const Features> features;
  std::vector<double> weights; // by feature
};

struct SolverProgress {
  std::uint64_t nodes = 0;
  bool other = false;                    // the second question
  std::uint32_t proof = 1, disproof = 1; // the numbers of the position: 0 is done
  double full = 0;                       // share of the table that is in use
};

struct Solution {
  Proof result = Proof::unknown; // for the player to move
  int depth = 0;                 // moves to the end in the line that was found; there may be a shorter one
  std::vector<std::string> line; // the loser holds out as long as the proof lets him
  std::uint64_t nodes = 0;       // positions whose moves were listed
  std::uint64_t repetitions = 0; // how often a position came again
  bool not_won = false, not_lost = false; // half an answer, if there was no time for all of it
  bool shared = false;             // the point was divided somewhere: what neither wins is no draw then
  bool rules_ask_for_past = false; // repetition is more than a draw in the rules: see above
};

// One player or two. A fault: a rule went wrong.
[[nodiscard]] tl::expected<Solution, Fault>
solve(const Game& game, const SolverOptions& options,
      const std::function<void(const SolverProgress&)>& on_progress = {});

} // namespace boardwright::runtime::search
