#include "interpreter/findings/findings_results.hpp"

#include "interpreter/lints/lints.hpp"
#include "interpreter/notation/fen.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Op;

// Games that a line decided, or in which something came about, that are enough to tell it.
constexpr std::uint64_t kEnoughLost = 50, kEnoughCircling = 10;
// A game that takes fewer moves on the average may well be over at once.
constexpr std::uint64_t kLongGame = 12;
// On a board of so many cells a game takes more than a move.
constexpr int kFewCells = 20;
// One of so many games, where it is no mere accident.
constexpr std::uint64_t kOneOfAtOnce = 20;
// Cells of a rank or file, and ranks and files of a board, of which one that is empty is told.
constexpr int kFewestOfLine = 4;
// Moves that were made, all games together, before it can be said that no piece ever came somewhere.
constexpr std::uint64_t kEnoughMoved = 2'000;

class ResultFindings {
public:
  ResultFindings(const Surveyed& in, dsl::Diagnostics& out) : in_(in), out_(out) {}

  void report() {
    lost_by_mover();
    if (out_.all().empty()) at_once();
    if (out_.all().empty()) never_stood_on();
  }

  void circles() {
    // Who solves a puzzle may go back as often as he likes: he is nobody's opponent.
    if (in_.program.player_count() < 2) return;
    if (in_.survey.circling < kEnoughCircling || !in_.survey.third || is_bounded()) return;
    const dsl::Span span = in_.file.end.empty() || in_.file.end.front().span.file != in_.file.file
                               ? in_.file.game.span
                               : in_.file.end.front().span;
    out_.note("may-repeat", span,
              fmt::format(
                  "a position came for the third time in {} of {} random games, and no rule asks for it",
                  in_.survey.circling, in_.survey.games))
        .help = "who plays on for ever? `draw when repeats >= 2` ends the game, `require board_repeats = 0` "
                "forbids the move";
    if (auto fen = write_fen(in_.program, in_.survey.third->position)) out_.last().position = std::move(*fen);
  }

private:
  // Whoever moved last lost by this line, every time, though it asks for a goal of the enemy's: it is read
  // from the wrong side. Who makes a row and loses by it says nothing of the sort: that may well be the game.
  void lost_by_mover() {
    for (const auto& [end, lost] : in_.survey.lost_by_mover) {
      const auto span = in_.places.span_of(end.origin);
      if (!span || span->file != in_.file.file || lost < kEnoughLost || lost < in_.survey.ends.at(end))
        continue;
      if (in_.survey.late.contains(end) || !wins_by_goal_of_enemy(*span)) continue;
      out_.note("loses-by-moving", *span, "whoever made the last move lost by this").help = fmt::format(
          "in all {} of the random games that it decided; lines of `end` are asked of the player who "
          "moves next: who has just reached his goal is `enemy`",
          lost);
      return;
    }
  }
  // `win when … enemy.goal …`
  [[nodiscard]] bool wins_by_goal_of_enemy(dsl::Span span) const {
    bool asks = false;
    for (const dsl::EndRule& line : in_.file.end) {
      if (!(line.span == span) || line.verdict != dsl::EndVerdict::win || !line.player.empty()) continue;
      each_node(line.condition, [&](const dsl::Ast& n) {
        asks = asks || (n.form == dsl::Form::perspective && bare(n.kids[0]).word == "enemy");
      });
    }
    return asks;
  }

  // Short games, too, go on after the first move of each player, but on boards of a handful of cells.
  bool nearly_all_at_once() {
    const auto& all = in_.survey.all;
    if (all.games < kEnoughLost || in_.program.board.cells < kFewCells) return false;
    for (const auto& [end, count] : in_.survey.at_once) {
      const auto span = in_.places.span_of(end.origin);
      if (!span || span->file != in_.file.file || count * 10 < all.games * 9) continue;
      out_.note("over-at-once", *span, "by this nearly every game is won by the first move of a player")
          .help =
          fmt::format("{} of {} random games were over before anybody had moved twice", count, all.games);
      return true;
    }
    return false;
  }

  void at_once() {
    const auto& all = in_.survey.all;
    if (nearly_all_at_once()) return;
    if (all.games == 0 || (in_.survey.plies + in_.survey.more_plies) / all.games < kLongGame) return;
    for (const auto& [end, count] : in_.survey.at_once) {
      const auto span = in_.places.span_of(end.origin);
      if (!span || span->file != in_.file.file || count * kOneOfAtOnce < all.games) continue;
      out_.note("over-at-once", *span, "by this a game may be won by a first move").help =
          fmt::format("{} of {} random games were over before anybody had moved twice", count, all.games);
      return;
    }
  }

  // One rank or file at the edge of a board, where pieces came to all others: a range that ends too early.
  // What is empty in the middle, or every other file, is a board on which pieces stay where they are.
  void never_stood_on() {
    const runtime::Board& board = in_.program.board;
    if (in_.survey.plies < kEnoughMoved || in_.file.board.endless) return;
    std::vector<std::string> lines;
    bool at_edge = true;
    const auto look = [&](const char* what, int count, const std::vector<int>& of) {
      for (int n = 1; n <= count; ++n) {
        int cells = 0, stood = 0;
        for (int cell = 0; cell < board.cells; ++cell) {
          if (of[static_cast<std::size_t>(cell)] != n) continue;
          ++cells;
          stood += in_.survey.standing.stood_on().test(cell) ? 1 : 0;
        }
        if (cells == 0 || stood > 0) continue;
        at_edge = at_edge && (n == 1 || n == count) && cells >= kFewestOfLine && count >= kFewestOfLine;
        lines.push_back(fmt::format("{} {}", what, n));
      }
    };
    look("rank", board.ranks, board.y);
    look("file", board.files, board.x);
    if (lines.size() != 1 || !at_edge) return;
    out_.note("never-stood-on", in_.file.board.span, fmt::format("no piece ever stood on {}", lines.front()))
        .help =
        fmt::format("in {} random games; is it left out by a rule or by the set-up?", in_.survey.games);
  }

  // Is there a rule that asks how often a position came, or how long the game is?
  [[nodiscard]] bool is_bounded() const {
    const auto asks = [](const runtime::Node& n) {
      return runtime::asks_the_past(n.op) && n.op != Op::no_move;
    };
    return std::any_of(in_.program.nodes.begin(), in_.program.nodes.end(), asks) ||
           std::any_of(in_.program.variables.begin(), in_.program.variables.end(),
                       [](const runtime::Variable& v) { return v.clock; });
  }

  const Surveyed& in_;
  dsl::Diagnostics& out_;
};

} // namespace

void report_results(const Surveyed& in, dsl::Diagnostics& out) { ResultFindings(in, out).report(); }

void report_circles(const Surveyed& in, dsl::Diagnostics& out) { ResultFindings(in, out).circles(); }

} // namespace boardwright::interpreter
