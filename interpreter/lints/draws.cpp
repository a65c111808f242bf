// Lints about what is left out at the end: a draw on a full board that comes before whoever has won by the
// last move, and cells that no track leads over.
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using dsl::Ast;
using dsl::EndRule;
using dsl::Form;

// One cell of so many may be left out, or the track is meant for others.
constexpr int kOneOf = 4;

bool is_full_board(const Ast& condition) {
  const Bounded b = bounded(condition);
  return b.what != nullptr && b.counted && is_name(*b.what, "empty") && b.high == 0;
}

// A line about what stands on the board: it may hold as the last cell is filled.
bool may_hold_then(const EndRule& line) {
  bool calls = false, no_move = false;
  each_node(line.condition, [&](const Ast& n) {
    calls = calls || n.form == Form::call;
    no_move = no_move || n.form == Form::no_move;
  });
  const bool decides = line.verdict == dsl::EndVerdict::win || line.verdict == dsl::EndVerdict::lose;
  return decides && calls && !no_move;
}

void draw_first(const dsl::RuleFile& file, dsl::Diagnostics& out) {
  for (std::size_t i = 0; i < file.end.size(); ++i) {
    const EndRule& draw = file.end[i];
    if (draw.span.file != file.file || draw.verdict != dsl::EndVerdict::draw) continue;
    const auto later =
        std::find_if(file.end.begin() + static_cast<std::ptrdiff_t>(i), file.end.end(), may_hold_then);
    if (!is_full_board(draw.condition) || later == file.end.end()) continue;
    auto& warning = out.warning("draw-first", draw.span, "who wins by filling the last cell has a draw");
    warning.help = "the first line that holds decides: put the draw behind";
    warning.related.push_back({later->span, "this may hold as well"});
    return;
  }
}

// Cells of the set-up that are on no track, while nearly all others are.
void track_gap(const Linted& in, dsl::Diagnostics& out) {
  const auto& board = in.program.board;
  const auto& tracks = in.file.board.tracks;
  if (tracks.empty() || !board.stacks || tracks.front().name.span.file != in.file.file) return;
  runtime::CellSet on;
  for (const auto& step : board.steps)
    for (std::size_t cell = 0; step.track >= 0 && cell < step.to.size(); ++cell) {
      if (step.to[cell] == runtime::kNowhere) continue;
      on.set(static_cast<int>(cell));
      on.set(step.to[cell]);
    }
  std::vector<std::string> off;
  int set_up = 0;
  for (std::size_t cell = 0; cell < in.program.initial.cells.size(); ++cell) {
    if (in.program.initial.cells[cell].empty()) continue;
    ++set_up;
    if (!on.test(static_cast<int>(cell))) off.push_back(board.name[cell]);
  }
  if (off.empty() || static_cast<int>(off.size()) * kOneOf > set_up) return;
  out.warning("track-gap", tracks.front().name.span,
              fmt::format("{} {} on no track, though pieces stand there", fmt::join(off, ", "),
                          off.size() == 1 ? "is" : "are"))
      .help = "all other cells that are set up are";
}

// A track all around the board that ends beside where it began: what goes on from its end goes nowhere.
void open_track(const Linted& in, dsl::Diagnostics& out) {
  const auto& board = in.program.board;
  if (!board.stacks) return;
  for (const dsl::TrackEntry& track : in.file.board.tracks) {
    if (track.name.span.file != in.file.file || track.cells.size() < 3) continue;
    const int first = board.cell_named(track.cells.front().text),
              last = board.cell_named(track.cells.back().text);
    if (first < 0 || last < 0 || first == last || static_cast<int>(track.cells.size()) != board.cells)
      continue;
    const auto a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(last);
    if (std::abs(board.x[a] - board.x[b]) + std::abs(board.y[a] - board.y[b]) != 1) continue;
    out.warning("track-gap", track.cells.back().span,
                fmt::format("the track ends on {}, beside {} where it begins", track.cells.back().text,
                            track.cells.front().text))
        .help = fmt::format("a track that is closed ends with its first cell: `… {} {}`",
                            track.cells.back().text, track.cells.front().text);
  }
}

} // namespace

void lint_draws(const Linted& in, dsl::Diagnostics& out) {
  draw_first(in.file, out);
  track_gap(in, out);
  open_track(in, out);
}

} // namespace boardwright::interpreter
