#include "interpreter/findings/findings.hpp"

#include "interpreter/findings/findings_clauses.hpp"
#include "interpreter/findings/findings_parts.hpp"
#include "interpreter/findings/findings_results.hpp"
#include "interpreter/findings/findings_sides.hpp"
#include "interpreter/findings/findings_values.hpp"
#include "interpreter/findings/text_places.hpp"
#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"
#include "interpreter/lints/symmetry.hpp"
#include "interpreter/meaning/words.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/examine/stopped.hpp"
#include "runtime/examine/why.hpp"
#include "runtime/model/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace boardwright::interpreter {
namespace {

using runtime::Node;
using runtime::NodeCount;
using runtime::NodeId;
using runtime::Op;
using runtime::Program;
using runtime::Survey;

// An action that is met less often may well be one for a rare position.
constexpr std::uint64_t kEnough = 20;

std::string times(std::uint64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

class Findings {
public:
  Findings(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
           const Survey& survey, const dsl::Sources& sources, dsl::Diagnostics& out)
      : rules_(rules), program_(rules->program()), survey_(survey), sources_(sources), out_(out), file_(file),
        places_(program_, file, sources), clauses_(program_, survey.trace, places_), game_(file.game.span) {}

  void report() {
    if (survey_.fault) return fault();
    little_seen();
    if (survey_.all.games == 0) return;
    add_up();
    if (survey_.plies == 0) return no_opening();
    unchanging();
    ambiguous();
    overwriting();
    late();
    if (!out_.all().empty()) return; // what may follow from this would bury it
    const Surveyed in{program_, file_, survey_, places_};
    for (const auto& player : program_.players) visit(player.turn, kNothingAbove);
    if (out_.all().empty()) causes();
    if (out_.all().empty()) same_result();
    if (out_.all().empty()) report_values(in, out_);
    if (out_.all().empty()) report_sides(rules_, file_, survey_, sources_, out_);
    if (out_.all().empty()) report_results(in, out_);
    if (out_.all().empty()) outcomes();
    if (out_.all().empty()) players();
    if (out_.all().empty()) report_parts(in, out_);
    if (out_.all().empty()) unseen_kinds();
    if (out_.all().empty()) lines();
    if (out_.all().empty()) decisions();
    if (out_.all().empty()) unheld_decisions();
    if (out_.all().empty()) report_circles(in, out_);
  }
  // What may well be why games don't end, or end oddly.
  void causes() {
    dead_cells();
    many_moves();
    growing();
  }

private:
  using Place = TextPlaces::Place;
  static constexpr NodeId kNothingAbove = runtime::kNoNode;

  [[nodiscard]] std::optional<dsl::Span> span_of(std::uint32_t origin) const {
    return places_.span_of(origin);
  }
  [[nodiscard]] dsl::Span span_or_start(std::uint32_t origin) const {
    return span_of(origin).value_or(dsl::Span{});
  }
  // The same text is met in several nodes: one for each player, one for each call.
  void add_up() {
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (!runtime::is_action(n.op)) continue;
      NodeCount& sum = sums_[{places_.place_in_text(id), n.op}];
      const NodeCount& count = survey_.trace.of(id);
      sum.met += count.met;
      sum.held += count.held;
      sum.moved += count.moved;
    }
  }
  [[nodiscard]] const NodeCount& sum(NodeId id) const {
    const Node& n = program_.nodes[id];
    return sums_.at({places_.place_in_text(id), n.op});
  }

  void fault() {
    const auto& seen = *survey_.fault;
    out_.warning("fault", span_or_start(seen.fault.origin), seen.fault.message);
    tell_where(seen.where, "");
    // Of `each` an action must have an outcome: which step had none, and where?
    constexpr std::uint64_t kMostSteps = 1'000'000;
    if (!seen.fault.message.ends_with("has none")) return;
    const auto stopped = runtime::stopped_before_fault(program_, seen.where.position, kMostSteps);
    const auto span = stopped ? span_of(program_.nodes[stopped->action].origin) : std::nullopt;
    if (!span) return;
    const std::string cell =
        stopped->here < 0 ? "" : " from " + program_.board.name[static_cast<std::size_t>(stopped->here)];
    out_.last().related.push_back({*span, fmt::format("this has no outcome{}", cell)});
    out_.last().help += "; `(…)?!` does what can be done";
  }

  // Is it too little to tell anything, and why? Told at the turn that takes so long.
  void little_seen() {
    constexpr std::uint64_t kEnoughPositions = 500;
    const std::uint64_t positions = survey_.looked_at + survey_.more_plies;
    if (survey_.broken_off && positions < kEnoughPositions)
      return broken_off("to find the moves takes too long");
    if (survey_.positions + survey_.parts < kEnough && survey_.left_out >= kEnough)
      broken_off("to go through the rules takes too long");
  }
  void broken_off(std::string_view why) {
    const auto turn = program_.players.empty() ? 0 : program_.nodes[program_.players.front().turn].origin;
    auto& warning = out_.warning(
        "games-broken-off", span_or_start(turn),
        fmt::format("random games were broken off after {}: {}", times(survey_.plies, "move", "moves"), why));
    warning.help = "what more games would show isn't told; `--effort 10` plays ten times as many";
  }

  // Adds to the last finding where it was seen, and what `--position` takes to see it.
  void tell_where(const runtime::Witness& where, const std::string& remedy) {
    dsl::Diagnostic& told = out_.last();
    told.help = where.line.empty() && is_initial(where.position)
                    ? std::string("in the very first position")
                    : fmt::format("after {}", times(moves_until(where), "move", "moves"));
    if (!remedy.empty()) told.help += "; " + remedy;
    told.position = written(where);
  }
  [[nodiscard]] bool is_initial(const runtime::Position& position) const {
    return position.ply == 0 && position.same_as(program_.initial);
  }
  static std::uint64_t moves_until(const runtime::Witness& where) {
    return where.line.empty() ? static_cast<std::uint64_t>(where.position.ply) : where.line.size();
  }
  // A few moves from the set-up; else the position, where it has a FEN; else all the moves.
  [[nodiscard]] std::string written(const runtime::Witness& where) const {
    constexpr std::size_t kFew = 4;
    if (where.line.empty() && is_initial(where.position)) return "";
    if (where.line.empty() || where.line.size() > kFew)
      if (auto fen = write_fen(program_, where.position)) return std::move(*fen);
    return where.line.empty() ? "" : play_text(where.line);
  }

  void no_opening() {
    const auto& end = survey_.ends.begin()->first;
    if (end.by != runtime::Outcome::By::no_move) {
      out_.warning("over-at-start", span_or_start(end.origin), "the game is over before the first move")
          .help = "this line holds in the first position";
      return;
    }
    const NodeId turn = program_.players[static_cast<std::size_t>(program_.initial.to_move)].turn;
    const NodeId blocked = blocking(turn);
    auto span = own_span(is_in_the_air(blocked) ? lifting(blocked) : blocked);
    if (!span) span = own_span(turn);
    auto& warning =
        out_.warning("no-opening-move", span.value_or(dsl::Span{}), "there is no move in the first position");
    warning.help = reason(blocked);
    const auto place = span_of(program_.nodes[blocked].origin);
    if (place && span && !(*place == *span) && !is_in_the_air(blocked))
      warning.related.push_back({*place, "it stops here"});
  }

  // Tells the outermost actions from which no move ever came.
  void visit(NodeId id, NodeId above) {
    const Node& n = program_.nodes[id];
    if (!runtime::is_action(n.op)) return;
    const NodeCount& count = sum(id);
    const bool dead = count.met >= kEnough && count.moved == 0 && n.op != Op::never;
    if (dead && (above == kNothingAbove || sum(above).moved > 0)) return dead_end(id);
    for (const NodeId kid : program_.kids_of(n)) visit(kid, id);
  }

  void dead_end(NodeId id) {
    const auto span = own_span(id);
    if (!span || !told_.insert({span->file, span->begin, span->end}).second) return;
    const NodeId blocked = blocking(id);
    if (program_.nodes[blocked].op == Op::never) return; // behind an option that is off
    if (program_.nodes[blocked].op == Op::drop && tell_unfilled(*span)) return;
    auto& note = out_.note("dead-end", *span, "this gave no move in random games");
    note.help = fmt::format("{}, {} of {} times", reason(blocked), sum(blocked).met, sum(blocked).met);
    if (const auto place = span_of(program_.nodes[blocked].origin); place && place->begin != span->begin)
      note.related.push_back({*place, "it stops here"});
    if (program_.nodes[blocked].op == Op::require) show_part(program_.kid(program_.nodes[blocked], 0));
  }

  // Where a hand is empty because a condition never held behind which it is filled, that is the cause.
  bool tell_unfilled(dsl::Span drop) {
    std::map<Place, std::pair<NodeId, NodeCount>> conditions;
    const auto fills_hands = [](Op op) { return op == Op::set_hand; };
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (n.op != Op::if_action || !has_any(program_.kid(n, 1), fills_hands, fills_)) continue;
      const NodeId asked = program_.kid(n, 0);
      if (!own_span(asked)) continue;
      auto& [one, count] = conditions[places_.place_in_text(asked)];
      one = asked;
      count.met += survey_.trace.of(asked).met;
      count.held += survey_.trace.of(asked).held;
    }
    for (const auto& [place, found] : conditions) {
      const auto& [id, count] = found;
      if (count.held > 0 || count.met < kEnough) continue;
      const dsl::Span span = *own_span(id);
      if (!told_.insert(place).second) return true;
      auto& note = out_.note("settled-condition", span, "this never held");
      note.help = fmt::format("{} times, in random games: so no hand is ever filled", count.met);
      note.related.push_back({drop, "and this gave no move"});
      return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<dsl::Span> own_span(NodeId id) const { return places_.own_span(id); }

  // The innermost action that stops every draft.
  [[nodiscard]] NodeId blocking(NodeId id) const {
    const Node& n = program_.nodes[id];
    for (const NodeId kid : program_.kids_of(n)) {
      if (!runtime::is_action(program_.nodes[kid].op)) continue;
      const NodeCount& count = sum(kid);
      if (count.met > 0 && count.held == 0) return blocking(kid);
    }
    return id;
  }

  // Does an action go on, but with pieces that are never put down?
  [[nodiscard]] bool is_in_the_air(NodeId id) const {
    return sum(id).held > 0 && survey_.trace.carrying() > 0;
  }
  // The first `lift` of the file itself in an action, else the action.
  [[nodiscard]] NodeId lifting(NodeId id) const {
    const auto find = [&](NodeId at, const auto& self) -> NodeId {
      const Node& n = program_.nodes[at];
      if (n.op == Op::lift && own_span(at)) return at;
      for (const NodeId kid : program_.kids_of(n)) {
        const bool action = runtime::is_action(program_.nodes[kid].op);
        if (const NodeId found = action ? self(kid, self) : kNothingAbove; found != kNothingAbove)
          return found;
      }
      return kNothingAbove;
    };
    const NodeId found = find(id, find);
    return found == kNothingAbove ? id : found;
  }

  [[nodiscard]] std::string reason(NodeId id) const {
    const Node& n = program_.nodes[id];
    const NodeCount& count = sum(id);
    if (count.held > 0)
      return is_in_the_air(id) ? "pieces are still in the air when the turn ends"
                               : "what follows never goes on";
    switch (n.op) {
    case Op::at: return "`here` is never one of these cells";
    case Op::require: return "the condition never holds";
    case Op::from:
    case Op::to: return "there is never such a cell";
    case Op::choose:
    case Op::choose_some: return "there is never anything to choose from";
    case Op::go:
    case Op::bend: return "there is never a cell in that direction";
    case Op::lift: return "there is never a piece to lift";
    case Op::put:
    case Op::discard: return "there are never so many pieces in the air";
    case Op::drop: {
      const Op on = program_.nodes[program_.kid(n, 0)].op;
      return on == Op::here || on == Op::local ? "there is never such a piece in hand"
                                               : "there are never as many in hand: `drop` lays one on every "
                                                 "cell of its set, `place(K, S)` on one "
                                                 "that is chosen";
    }
    case Op::change: return "there is never such a kind";
    default: return "it never has an outcome";
    }
  }

  // Kinds that rules name, and of which there never was a piece: on the board, in a hand or in a test.
  void unseen_kinds() {
    if (survey_.games < kEnoughGames || !file_.options.empty()) return; // which may bring one about
    for (std::size_t kind = 0; kind < program_.kinds.size(); ++kind)
      for (const dsl::KindEntry& entry : file_.pieces)
        if (entry.name.text == program_.kinds[kind].name && entry.name.span.file == file_.file &&
            !survey_.standing.has_seen(static_cast<int>(kind)))
          out_.note("never-seen", entry.name.span,
                    fmt::format("there was no `{}` in {}", entry.name.text, games()))
              .help = "no set-up, no hand and no move brings one about; a test can show how it comes";
  }

  // Cells that pieces of a kind come to and never leave, told once of a kind: where they become another kind
  // on other cells, or are only dropped there. Else a man who has gone all the way may well stay.
  void dead_cells() {
    constexpr std::size_t kMostNamed = 6;
    std::map<int, std::vector<const runtime::DeadCell*>> by_kind;
    for (const runtime::DeadCell& dead : survey_.dead) by_kind[dead.kind].push_back(&dead);
    for (const auto& [kind, cells] : by_kind) {
      const std::string& name = program_.kinds[static_cast<std::size_t>(kind)].name;
      const auto entry = std::find_if(file_.pieces.begin(), file_.pieces.end(),
                                      [&](const auto& one) { return one.name.text == name; });
      if (entry == file_.pieces.end()) continue;
      std::vector<std::string> named;
      for (const runtime::DeadCell* dead : cells) {
        const std::string& cell = program_.board.name[static_cast<std::size_t>(dead->cell)];
        const std::string& owner = program_.players[static_cast<std::size_t>(dead->player)].name;
        if (named.size() < kMostNamed) named.push_back(fmt::format("{} ({})", cell, owner));
      }
      out_.note("dead-cell", entry->name.span.file == file_.file ? entry->name.span : game_,
                fmt::format("a `{}` that came here never moved again: {}", name, fmt::join(named, ", ")));
      out_.last().help = fmt::format("it stood on {} for {} turns; may it turn back, become another kind, or "
                                     "leave the board?",
                                     named.front(), cells.front()->turns);
      if (auto fen = write_fen(program_, cells.front()->last)) out_.last().position = std::move(*fen);
    }
  }

  // Stacks of nobody's pieces, as in mancala, of which moves make more: one is put that wasn't lifted.
  void growing() {
    constexpr std::uint64_t kEnoughMoves = 50;
    const auto& standing = survey_.standing;
    const bool nobodys =
        std::all_of(program_.kinds.begin(), program_.kinds.end(), [](const runtime::Kind& kind) {
          return std::all_of(kind.letter.begin(), kind.letter.end() - 1, [](char c) { return c == 0; });
        });
    if (!program_.board.stacks || !nobodys || standing.moves() < kEnoughMoves ||
        2 * standing.grew() < standing.moves())
      return;
    const auto drop = std::find_if(program_.nodes.begin(), program_.nodes.end(),
                                   [](const Node& n) { return n.op == Op::drop; });
    const auto span = drop == program_.nodes.end()
                          ? std::nullopt
                          : own_span(static_cast<NodeId>(drop - program_.nodes.begin()));
    out_.note(
            "pieces-grow", span.value_or(game_),
            fmt::format("{} of {} moves left more pieces than there were", standing.grew(), standing.moves()))
        .help = "`drop` makes a piece; `put` lays down one that was lifted";
  }

  // Lists that nobody can read, and that take long to make.
  void many_moves() {
    constexpr std::uint64_t kMany = 20'000;
    if (survey_.most_moves < kMany || !survey_.with_most) return;
    const NodeId turn = program_.players[static_cast<std::size_t>(survey_.with_most->position.to_move)].turn;
    out_.note("many-moves", own_span(turn).value_or(game_),
              fmt::format("there is a position with {} moves", survey_.most_moves));
    tell_where(*survey_.with_most,
               "a turn of several steps is a move for each way through it: `again` makes each step a move");
  }

  // Games that are enough to tell something by none of them.
  static constexpr std::uint64_t kEnoughGames = 20;

  [[nodiscard]] std::string games() const { return times(survey_.all.games, "random game", "random games"); }

  // Does a test of the file show somebody win, or this player?
  [[nodiscard]] bool is_shown_to_win(const std::string& player = "") const {
    for (const dsl::TestEntry& test : file_.tests)
      for (const dsl::ExpectEntry& expected : test.expect) {
        if (!expected.winner || expected.winner->text == "none" || expected.winner->text == "nobody")
          continue;
        const std::string names = " " + expected.winner->text + " ";
        if (player.empty() || names.find(" " + player + " ") != std::string::npos) return true;
      }
    return false;
  }

  // Told even where a test shows somebody win: some games end, after all.
  void rarely_ends() {
    constexpr std::uint64_t kFew = 4; // of so many games one ends at the most
    const runtime::Results& all = survey_.all;
    const std::uint64_t ended = all.games - all.unfinished;
    if (all.games < kEnoughGames || ended == 0 || ended * kFew > all.games) return;
    out_.note("rarely-ends", first_end(), fmt::format("only {} of {} ended", ended, games())).help =
        "a line such as `draw when ply = 200` ends a game in which nothing happens";
  }

  // Games that are drawn because nobody said what it means that there is no move.
  void often_stuck() {
    constexpr std::uint64_t kShare = 10; // one of so many games, and not nearly all: that may be how it ends
    std::uint64_t stuck = 0;
    for (const auto& [end, count] : survey_.all.ends)
      if (end.by == runtime::Outcome::By::no_move && !is_line(end.origin)) stuck += count;
    const std::uint64_t ended = survey_.all.games - survey_.all.unfinished;
    const bool nearly_all = stuck * kShare > ended * (kShare - 1);
    if (program_.players.size() < 2 || stuck < kEnoughGames || stuck * kShare < ended ||
        (nearly_all && (stuck == ended || !counts_in_the_end())))
      return;
    out_.note("often-stuck", first_end(),
              fmt::format("{} of {} were drawn because there was no move", stuck, games()))
        .help = "say what it means: `lose when no move`, or `draw when no move`";
  }

  // Is there a `score`? Then a game that ends without it has not been counted.
  [[nodiscard]] bool counts_in_the_end() const {
    return std::any_of(file_.end.begin(), file_.end.end(),
                       [](const dsl::EndRule& line) { return line.score.has_value(); });
  }
  [[nodiscard]] bool is_line(std::uint32_t origin) const {
    return std::any_of(program_.players.begin(), program_.players.end(), [&](const auto& player) {
      return std::any_of(player.end.begin(), player.end.end(),
                         [&](const auto& line) { return line.origin == origin; });
    });
  }

  // One of two players, who begin alike, won nearly all games.
  void lopsided() {
    constexpr std::uint64_t kEnoughDecided = 100, kShare = 10;
    const auto& wins = survey_.all.wins;
    if (wins.size() != 2 || file_.players.size() != 2 || !begin_alike()) return;
    const std::uint64_t most = std::max(wins[0], wins[1]), least = std::min(wins[0], wins[1]);
    if (least == 0 || most + least < kEnoughDecided || least * kShare > most + least) return;
    const dsl::Name& winner = file_.players[wins[0] > wins[1] ? 0 : 1].name;
    out_.note("lopsided", winner.span.file == file_.file ? winner.span : game_,
              fmt::format("{} won {} of {} that somebody won", winner.text, most,
                          times(most + least, "random game", "random games")))
        .help = "both begin alike: do all rules and lines of `end` treat them alike, too?";
  }
  // Is the set-up its own mirror image, if the players change places? An empty board is.
  [[nodiscard]] bool begin_alike() const {
    const auto& hands = program_.hand_slot;
    for (std::size_t kind = 0; kind < hands[0].size(); ++kind) {
      const auto in_hand = [&](std::size_t player) {
        const int slot = hands[player][kind];
        return slot < 0 ? -1 : program_.initial.hands[static_cast<std::size_t>(slot)];
      };
      if (in_hand(0) != in_hand(1)) return false;
    }
    const auto images = images_of(program_.board, false, true);
    return std::any_of(images.begin(), images.end(),
                       [&](const Image& image) { return lacking(image, program_.initial).empty(); });
  }

  void outcomes() {
    constexpr std::uint64_t kEnoughUnfinished = 3; // these are long
    const runtime::Results& all = survey_.all;
    rarely_ends();
    often_stuck();
    lopsided();
    if (!out_.all().empty() || is_shown_to_win()) return;
    if (all.unfinished == all.games && all.games >= kEnoughUnfinished) {
      out_.note("never-ends", game_, fmt::format("none of {} ended", games()));
      return;
    }
    if (evenly_scored()) return;
    const bool all_stuck = std::all_of(all.ends.begin(), all.ends.end(), [](const auto& end) {
      return end.first.by == runtime::Outcome::By::no_move;
    });
    // The last one is often broken off, when enough has been seen.
    constexpr std::uint64_t kFewOf = 10;
    const bool nearly_all = all.unfinished * kFewOf <= all.games;
    const bool alone = program_.player_count() == 1; // who solves a puzzle at random gets stuck
    if (alone || !all_stuck || !nearly_all || all.draws + all.unfinished < all.games ||
        all.draws < kEnoughGames)
      return;
    out_.note("never-decided", first_end(),
              fmt::format("{} ended without a move and without a winner",
                          times(all.draws, "random game", "random games")))
        .help = "no line of `end` held in them";
    show_unheld_lines();
  }
  // Did a `score` end nearly all games, of which nobody has won one, since all had the same?
  bool evenly_scored() {
    constexpr std::uint64_t kEnoughEven = 50, kFewOf = 10;
    const runtime::Results& all = survey_.all;
    if (program_.player_count() < 2 || all.draws < kEnoughEven || all.draws + all.unfinished < all.games)
      return false;
    for (const auto& [end, count] : all.ends) {
      const auto span = span_of(end.origin);
      if (!span || span->file != file_.file || count < kEnoughEven ||
          (all.draws - count) * kFewOf > all.draws)
        continue;
      const auto line = std::find_if(file_.end.begin(), file_.end.end(), [&](const dsl::EndRule& one) {
        return one.score && one.span.begin <= span->begin && span->end <= one.span.end;
      });
      if (line == file_.end.end()) continue;
      out_.note("never-decided", line->score->span,
                fmt::format("this was the same for all players in all {} it ended",
                            times(count, "random game", "random games")))
          .help = "is it each player's own, and does anything ever change it for one of them?";
      return true;
    }
    return false;
  }
  // What of the lines of `end`, each once, never held.
  void show_unheld_lines() {
    std::set<Place> shown;
    for (const auto& player : program_.players)
      for (const auto& line : player.end)
        if (shown.insert(places_.place_in_text(line.condition)).second)
          Clauses::show(clauses_.unheld(line.condition), out_);
  }
  // Where something is said of the end: its first line, or the game's name where the file has none.
  [[nodiscard]] dsl::Span first_end() const {
    for (const dsl::EndRule& line : file_.end)
      if (line.span.file == file_.file) return line.span;
    return game_;
  }

  void players() {
    const std::uint64_t decided = survey_.all.games - survey_.all.unfinished - survey_.all.draws;
    for (std::size_t i = 0; i < survey_.moved.size() && i < file_.players.size(); ++i) {
      const dsl::Name& name = file_.players[i].name;
      const dsl::Span span = name.span.file == file_.file ? name.span : game_;
      if (survey_.moved[i] == 0 && survey_.games >= kEnoughGames)
        out_.note("never-moves", span, fmt::format("{} never had a move in {}", name.text, games()));
      else if (survey_.all.wins[i] == 0 && decided >= kEnoughGames && file_.players.size() > 1 &&
               !is_shown_to_win(name.text))
        out_.note("never-wins", span, fmt::format("{} won none of {}", name.text, games()));
    }
  }

  // Lines of `end` that decided none of many games, nor held in any position that was looked at.
  void lines() {
    constexpr std::uint64_t kEnoughEnded = 150;
    if (survey_.all.games - survey_.all.unfinished < kEnoughEnded) return;
    std::map<std::uint32_t, NodeCount> asked; // by origin
    std::map<std::uint32_t, NodeId> conditions;
    std::set<std::uint32_t> rare;
    for (const auto& player : program_.players)
      for (const auto& line : player.end) {
        if (is_for_rare_games(line.condition)) rare.insert(line.origin);
        const NodeCount& count = survey_.trace.of(line.condition);
        conditions[line.origin] = line.condition;
        asked[line.origin].met += count.met;
        asked[line.origin].held += count.held;
      }
    for (const auto& [end, count] : survey_.all.ends) asked[end.origin].held += count;
    for (const auto& [origin, count] : asked) {
      const auto span = span_of(origin);
      if (rare.contains(origin) || (span && is_for_rare_games(*span))) continue;
      if (count.held > 0 || count.met < kEnough || !span || span->file != file_.file) continue;
      out_.note("end-never-held", *span, fmt::format("this decided none of {}", games()));
      show_part(conditions.at(origin));
    }
  }
  // Which part of a condition never held, below a finding that tells of the whole.
  void show_part(NodeId condition) {
    const auto clause = clauses_.unheld(condition);
    const auto whole = own_span(condition);
    if (clause && whole && !(clause->span == *whole)) Clauses::show(clause, out_);
  }

  // A condition of the turn by which somebody would win or lose, that never held, though many games ended,
  // and none by a move.
  void unheld_decisions() {
    constexpr std::uint64_t kEnoughEnded = 50, kEnoughDecisions = 500;
    const runtime::Results& all = survey_.all;
    const auto by_move = [](const auto& end) { return end.first.by == runtime::Outcome::By::move; };
    if (all.games - all.unfinished < kEnoughEnded || is_shown_to_win() ||
        std::any_of(all.ends.begin(), all.ends.end(), by_move))
      return;
    std::map<Place, std::pair<NodeId, NodeCount>> asked;
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (n.op != Op::if_action || !own_span(program_.kid(n, 0))) continue;
      const Op then = program_.nodes[program_.kid(n, 1)].op;
      if (then != Op::win && then != Op::lose) continue;
      auto& [one, count] = asked[places_.place_in_text(program_.kid(n, 0))];
      one = program_.kid(n, 0);
      count.met += survey_.trace.of(one).met;
      count.held += survey_.trace.of(one).held;
    }
    for (const auto& [place, found] : asked) {
      if (found.second.held > 0 || found.second.met < kEnoughDecisions) continue;
      out_.note("end-never-held", *own_span(found.first), fmt::format("this decided none of {}", games()))
          .help = fmt::format("asked {} times; a test can show that it may hold", found.second.met);
      Clauses::show(clauses_.unheld(found.first), out_);
    }
  }

  // A `win` or `lose` of the turn, where all of many games were drawn.
  void decisions() {
    constexpr std::uint64_t kEnoughDrawn = 100;
    const runtime::Results& all = survey_.all;
    if (all.draws < kEnoughDrawn || all.draws + all.unfinished < all.games || program_.players.size() < 2 ||
        is_shown_to_win())
      return;
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Op op = program_.nodes[id].op;
      const auto span = op == Op::win || op == Op::lose ? own_span(id) : std::nullopt;
      if (!span) continue;
      out_.note("never-decided", *span, fmt::format("this decided none of {}: all were drawn", games()))
          .help = "does what stands before it ask of the right player, and of the right cells?";
      show_what_stops(id);
      return;
    }
  }

  // What on the way from a turn to an action never let it through.
  void show_what_stops(NodeId action) {
    for (const auto& player : program_.players)
      if (const auto stop = clauses_.unpassed(player.turn, action)) return Clauses::show(stop, out_);
  }

  // Does an `if` decide the game, or does a condition ask for what comes about late or seldom? Definitions
  // are unfolded there, so that it doesn't matter in which words it does.
  [[nodiscard]] bool is_for_rare_games(NodeId id) {
    const auto is_rare = [](Op op) {
      return runtime::one_of(op, Op::win, Op::lose, Op::draw, Op::again, Op::hand, Op::hand_total) ||
             runtime::asks_the_past(op);
    };
    return has_any(id, is_rare, rare_);
  }
  // Is such an operation somewhere in a node? `known` keeps the answers.
  template <class IsSuch>
  [[nodiscard]] bool has_any(NodeId id, IsSuch&& is_such, std::map<NodeId, bool>& known) const {
    if (const auto found = known.find(id); found != known.end()) return found->second;
    const auto& kids = program_.kids_of(program_.nodes[id]);
    const bool has = is_such(program_.nodes[id].op) || std::any_of(kids.begin(), kids.end(), [&](NodeId kid) {
                       return has_any(kid, is_such, known);
                     });
    return known[id] = has;
  }

  // Likewise lines whose text says so, of which options may have left nothing; that ask whether something is
  // used up; or that use words of a vocabulary.
  [[nodiscard]] bool is_for_rare_games(dsl::Span line) const {
    bool rare = false;
    for (const dsl::EndRule& rule : file_.end) {
      if (rule.span.file != line.file || rule.span.begin != line.begin) continue;
      const bool draws = rule.verdict == dsl::EndVerdict::draw;
      each_node(rule.condition, [&](const dsl::Ast& n) {
        const Bounded b = bounded(n);
        rare = rare || (b.counted && b.high == 0) || n.form == dsl::Form::no_move || names_the_past(n.word) ||
               is_word(n) || (draws && is_clock(n));
      });
    }
    return rare;
  }
  [[nodiscard]] static bool names_the_past(std::string_view name) {
    for (const LanguageWord* word : {word_named(name), function_named(name)})
      if (word != nullptr && word->op && runtime::asks_the_past(*word->op)) return true;
    return false;
  }
  // A count of moves in which nothing happens; those that draw a game by it may be many.
  [[nodiscard]] bool is_clock(const dsl::Ast& n) const {
    return n.form == dsl::Form::name &&
           std::any_of(file_.state.begin(), file_.state.end(),
                       [&](const auto& s) { return s.clock && s.name.text == n.word; });
  }
  // Of a vocabulary: what it means is not known here.
  [[nodiscard]] bool is_word(const dsl::Ast& n) const {
    if (n.form != dsl::Form::name && n.form != dsl::Form::call) return false;
    for (std::size_t i = 1; i < file_.vocabularies.size(); ++i)
      for (const auto& d : file_.vocabularies[i])
        if (d.name.text == n.word) return true;
    return false;
  }

  using Way = std::vector<NodeId>;
  // The actions that a move comes from, outermost first: of each way to it. None where there are too many
  // ways to go through.
  [[nodiscard]] std::vector<Way> ways_of(const runtime::MoveSeen& move) const {
    constexpr std::uint64_t kMostSteps = 1'000'000;
    const auto answer = runtime::why(program_, move.where.position, {}, {move.notation}, kMostSteps);
    return answer ? answer->ways : std::vector<Way>{};
  }
  // The innermost sequence or repetition of the file itself on the way to a move; else the turn of whoever
  // makes it.
  [[nodiscard]] dsl::Span place_of(const Way& way, const runtime::MoveSeen& move) const {
    std::optional<dsl::Span> best;
    for (const NodeId id : way) {
      const Op op = program_.nodes[id].op;
      if (const auto span = own_span(id); span && (op == Op::sequence || op == Op::repeat)) best = span;
    }
    if (!best) best = own_span(program_.players[static_cast<std::size_t>(move.where.position.to_move)].turn);
    if (!best && file_.turn && file_.turn->span.file == file_.file) best = file_.turn->span;
    return best.value_or(game_);
  }
  // Where two ways to one notation part: at alternatives, or else where something is chosen last.
  [[nodiscard]] std::optional<dsl::Span> parting(const std::vector<Way>& ways) const {
    std::size_t common = 0;
    const auto all_agree = [&] {
      return common < ways.front().size() && std::all_of(ways.begin(), ways.end(), [&](const Way& way) {
               return common < way.size() && way[common] == ways.front()[common];
             });
    };
    if (ways.empty()) return std::nullopt;
    while (all_agree()) ++common;
    std::optional<dsl::Span> last, chosen;
    for (std::size_t i = 0; i < common; ++i) {
      const auto span = own_span(ways.front()[i]);
      const Op op = program_.nodes[ways.front()[i]].op;
      if (span) last = span;
      if (span && (op == Op::choose || op == Op::choose_some)) chosen = span;
    }
    const bool parts = common < ways.front().size();
    return parts ? last : chosen;
  }
  // What all ways choose last.
  [[nodiscard]] std::optional<dsl::Span> last_choice(const std::vector<Way>& ways) const {
    std::optional<dsl::Span> chosen;
    for (std::size_t i = 0; !ways.empty() && i < ways.front().size(); ++i) {
      const NodeId id = ways.front()[i];
      const Op op = program_.nodes[id].op;
      const bool common = std::all_of(ways.begin(), ways.end(), [&](const Way& way) {
        return std::find(way.begin(), way.end(), id) != way.end();
      });
      if (common && (op == Op::choose || op == Op::choose_some))
        if (const auto span = own_span(id)) chosen = span;
    }
    return chosen;
  }
  // Does an action change more than where the piece is that is lifted? Then that nothing has changed in the
  // end is chance.
  static bool changes(Op op) {
    switch (op) {
    case Op::remove:
    case Op::discard:
    case Op::drop:
    case Op::change:
    case Op::move_by:
    case Op::set_variable:
    case Op::set_hand:
    case Op::again: return true;
    default: return false;
    }
  }

  void unchanging() {
    // One of so many moves is more than chance, whatever the rules do on the way.
    constexpr std::uint64_t kOneOf = 5, kMany = 20;
    const bool often = survey_.unchanged >= kMany && survey_.unchanged * kOneOf >= survey_.plies;
    for (const runtime::MoveSeen& move : survey_.unchanging) {
      if (move.notation.find("pass") != std::string::npos) continue; // who passes says so
      const auto ways = ways_of(move);
      const Way way = ways.empty() ? Way{} : ways.front();
      // Where nothing has changed, what was removed or became another's was no piece at all.
      const auto is_change = [&](NodeId id) {
        const Op op = program_.nodes[id].op;
        return changes(op) && op != Op::remove && op != Op::change;
      };
      if (!often && std::any_of(way.begin(), way.end(), is_change)) continue;
      out_.warning("unchanging-move", place_of(way, move),
                   fmt::format("the move `{}` changes nothing", move.notation));
      tell_where(move.where, "a move that is meant to be none is `pass`");
      return;
    }
  }

  void overwriting() {
    if (survey_.overwriting.empty()) return;
    const runtime::MoveSeen& move = survey_.overwriting.front();
    const auto ways = ways_of(move);
    out_.warning("own-overwritten", place_of(ways.empty() ? Way{} : ways.front(), move),
                 fmt::format("the move `{}` costs the mover the piece that was there", move.notation));
    tell_where(move.where, "its cells hold pieces of his own: say `empty`, `enemy` or `~own`");
  }

  // Lines that held a turn before they were asked, nearly whenever they decided a game. Where the other
  // player's answer undid it at times, the delay may well be meant: who reaches his goal must stay there.
  void late() {
    constexpr std::uint64_t kEnoughLate = 10;
    for (const auto& [end, count] : survey_.late) {
      const auto span = span_of(end.origin);
      const std::uint64_t all = survey_.ends.at(end);
      if (!span || span->file != file_.file || count < kEnoughLate || count * 10 < all * 9) continue;
      if (survey_.undoable.contains(end)) continue;
      if (asks_for_moves(end.origin) || scores(end.origin)) continue;
      auto& warning = out_.warning("late-end", *span, "this held already a turn before");
      warning.help = fmt::format("in {} of {} games that it decided; lines of `end` are asked when the turn "
                                 "has passed, of who moves next: say it of the other player, or in `turn`",
                                 count, all);
    }
  }
  // Scores are counted when it is the turn of somebody of whom a line asks, which is mostly what is meant.
  [[nodiscard]] bool scores(std::uint32_t origin) const {
    return std::any_of(file_.end.begin(), file_.end.end(), [&](const dsl::EndRule& line) {
      const auto span = span_of(origin);
      return line.score && span && span->begin <= line.condition.span.begin &&
             line.condition.span.begin <= span->end;
    });
  }
  // Who can't move now could perhaps not have moved before either: it wasn't his turn.
  [[nodiscard]] bool asks_for_moves(std::uint32_t origin) const {
    const auto asks = [](Op op) { return op == Op::no_move; };
    std::map<NodeId, bool> known;
    bool found = false;
    for (const auto& player : program_.players)
      for (const auto& line : player.end)
        found = found || (line.origin == origin && has_any(line.condition, asks, known));
    return found;
  }

  // "they differ in the variable `flag` alone; ": who looks at the board would think that they are the same.
  [[nodiscard]] std::string differ_in() const {
    if (survey_.alike.size() < 2) return "";
    const auto& a = survey_.alike.front();
    const auto& b = survey_.alike.back();
    if (a.cells != b.cells) return "";
    if (a.hands != b.hands) return "they differ in the hands alone; ";
    for (std::size_t i = 0; i < a.variables.size() && i < b.variables.size(); ++i)
      if (!(a.variables[i] == b.variables[i]))
        return fmt::format("they differ in the variable `{}` alone; ", program_.variables[i].name);
    return a.to_move != b.to_move ? "they differ in who moves next alone; " : "";
  }

  // Moves that are written differently and are the same, in many positions: a choice that changes nothing.
  void same_result() {
    constexpr std::uint64_t kMany = 15;
    const runtime::Twins& twins = survey_.twins;
    if (twins.notations.size() < 2 || twins.with < kMany || 4 * twins.with < 3 * twins.positions) return;
    std::vector<Way> ways;
    for (const std::string& notation : twins.notations)
      for (Way& way : ways_of({notation, twins.where})) ways.push_back(std::move(way));
    auto span = last_choice(ways);
    if (!span) span = parting(ways);
    out_.note("same-result", span.value_or(place_of(ways.empty() ? Way{} : ways.front(), {"", twins.where})),
              fmt::format("the moves `{}` and `{}` lead to the same position", twins.notations[0],
                          twins.notations[1]));
    tell_where(twins.where,
               fmt::format("there were such moves in {} of {} positions", twins.with, twins.positions));
  }

  void ambiguous() {
    if (!survey_.ambiguous) return;
    const auto ways = ways_of(*survey_.ambiguous);
    const Way way = ways.empty() ? Way{} : ways.front();
    out_.warning("same-notation", parting(ways).value_or(place_of(way, *survey_.ambiguous)),
                 fmt::format("two different moves are both written `{}`", survey_.ambiguous->notation));
    tell_where(survey_.ambiguous->where, differ_in() + "`say` can tell them apart");
  }

  const std::shared_ptr<const runtime::Rules>& rules_;
  const Program& program_;
  const Survey& survey_;
  const dsl::Sources& sources_;
  dsl::Diagnostics& out_;
  std::map<std::pair<Place, Op>, NodeCount> sums_;
  std::map<NodeId, bool> rare_;  // whether a node asks for what comes about late or seldom
  std::map<NodeId, bool> fills_; // whether a node fills a hand
  std::set<Place> told_;
  const dsl::RuleFile& file_;
  TextPlaces places_;
  Clauses clauses_;
  dsl::Span game_; // where findings about all of the game go
};

} // namespace

void report_findings(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                     const Survey& survey, const dsl::Sources& sources, dsl::Diagnostics& diagnostics) {
  Findings(rules, file, survey, sources, diagnostics).report();
}

} // namespace boardwright::interpreter
