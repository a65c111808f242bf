#include "interpreter/findings.hpp"

#include "interpreter/lints/lints.hpp"
#include "interpreter/lints/sets.hpp"
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
  Findings(const Program& program, const dsl::RuleFile& file, const Survey& survey,
           const dsl::Sources& sources, dsl::Diagnostics& out)
      : program_(program), survey_(survey), sources_(sources), out_(out), file_(file), game_(file.game.span) {
  }

  void report() {
    if (survey_.fault) return fault();
    if (survey_.broken_off) broken_off();
    if (survey_.games == 0) return;
    add_up();
    if (survey_.plies == 0) return no_opening();
    unchanging();
    ambiguous();
    overwriting();
    late();
    if (!out_.all().empty() || survey_.broken_off) return; // what may follow from this would bury it
    outcomes();
    if (out_.all().empty()) players();
    if (!out_.all().empty()) return;
    for (const auto& player : program_.players) visit(player.turn, kNothingAbove);
    if (out_.all().empty()) conditions();
    if (out_.all().empty()) lines();
  }

private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, bytes
  static constexpr NodeId kNothingAbove = runtime::kNoNode;

  // The place of an origin in the sources of this load.
  [[nodiscard]] std::optional<dsl::Span> span_of(std::uint32_t origin) const {
    const auto& place = program_.origins[origin];
    const std::string& name = program_.files[place.file];
    for (dsl::FileId file = 0; file < sources_.size(); ++file)
      if (!name.empty() && sources_.name(file) == name) return dsl::Span{file, place.begin, place.end};
    return std::nullopt;
  }
  [[nodiscard]] dsl::Span span_or_start(std::uint32_t origin) const {
    return span_of(origin).value_or(dsl::Span{});
  }
  [[nodiscard]] Place place_in_text(const Node& n) const {
    const auto& origin = program_.origins[n.origin];
    return {origin.file, origin.begin, origin.end};
  }

  // The same text is met in several nodes: one for each player, one for each call.
  void add_up() {
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (!runtime::is_action(n.op)) continue;
      NodeCount& sum = sums_[{place_in_text(n), n.op}];
      const NodeCount& count = survey_.trace.of(id);
      sum.met += count.met;
      sum.held += count.held;
      sum.moved += count.moved;
    }
  }
  [[nodiscard]] const NodeCount& sum(NodeId id) const {
    const Node& n = program_.nodes[id];
    return sums_.at({place_in_text(n), n.op});
  }

  void fault() {
    const auto& seen = *survey_.fault;
    auto& warning = out_.warning("fault", span_or_start(seen.fault.origin), seen.fault.message);
    warning.help = reached_by(seen.where);
  }

  // Told at the turn that takes so long.
  void broken_off() {
    const auto turn = program_.players.empty() ? 0 : program_.nodes[program_.players.front().turn].origin;
    auto& warning =
        out_.warning("games-broken-off", span_or_start(turn),
                     fmt::format("random games were broken off after {}: to find the moves takes too long",
                                 times(survey_.plies, "move", "moves")));
    warning.help = "what such games would show isn't told";
  }

  static std::string reached_by(const runtime::Witness& where) {
    if (where.line.empty()) return "in the very first position";
    constexpr std::size_t kShown = 8, kShownBytes = 100; // the last ones, as far as they go into a line
    std::size_t first = where.line.size(), bytes = 0;
    while (first > 0 && where.line.size() - first < kShown) {
      bytes += where.line[first - 1].size() + 1;
      if (bytes > kShownBytes) break;
      --first;
    }
    if (first == where.line.size()) return fmt::format("after {}", times(first, "move", "moves"));
    std::string text = first > 0 ? "after …" : "after";
    for (std::size_t i = first; i < where.line.size(); ++i) text += " " + where.line[i];
    return text;
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
    auto& note = out_.note("dead-end", *span, "this gave no move in random games");
    note.help = fmt::format("{}, {} of {} times", reason(blocked), sum(blocked).met, sum(blocked).met);
    if (const auto place = span_of(program_.nodes[blocked].origin); place && place->begin != span->begin)
      note.related.push_back({*place, "it stops here"});
  }

  // The place, if it is in the file itself.
  [[nodiscard]] std::optional<dsl::Span> own_span(NodeId id) const {
    const auto span = span_of(program_.nodes[id].origin);
    return span && span->file == file_.file ? span : std::nullopt;
  }

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
    case Op::drop: return "there is never such a piece in hand";
    case Op::change: return "there is never such a kind";
    default: return "it never has an outcome";
    }
  }

  // Games that are enough to tell something by none of them.
  static constexpr std::uint64_t kEnoughGames = 20;

  [[nodiscard]] std::string games() const { return times(survey_.games, "random game", "random games"); }

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

  void outcomes() {
    constexpr std::uint64_t kEnoughUnfinished = 3; // these are long
    if (is_shown_to_win()) return;
    if (survey_.unfinished == survey_.games && survey_.games >= kEnoughUnfinished) {
      out_.note("never-ends", game_, fmt::format("none of {} ended", games()));
      return;
    }
    const bool all_stuck = std::all_of(survey_.ends.begin(), survey_.ends.end(), [](const auto& end) {
      return end.first.by == runtime::Outcome::By::no_move;
    });
    // The last one is often broken off, when enough has been seen.
    constexpr std::uint64_t kFewOf = 10;
    const bool nearly_all = survey_.unfinished * kFewOf <= survey_.games;
    if (!all_stuck || !nearly_all || survey_.draws + survey_.unfinished < survey_.games ||
        survey_.draws < kEnoughGames)
      return;
    out_.note("never-decided", first_end(),
              fmt::format("{} ended without a move and without a winner",
                          times(survey_.draws, "random game", "random games")))
        .help = "no line of `end` held in them";
  }
  // Where something is said of the end: its first line, or the game's name where the file has none.
  [[nodiscard]] dsl::Span first_end() const {
    for (const dsl::EndRule& line : file_.end)
      if (line.span.file == file_.file) return line.span;
    return game_;
  }

  void players() {
    const std::uint64_t decided = survey_.games - survey_.unfinished - survey_.draws;
    for (std::size_t i = 0; i < survey_.moved.size() && i < file_.players.size(); ++i) {
      const dsl::Name& name = file_.players[i].name;
      const dsl::Span span = name.span.file == file_.file ? name.span : game_;
      if (survey_.moved[i] == 0 && survey_.games >= kEnoughGames)
        out_.note("never-moves", span, fmt::format("{} never had a move in {}", name.text, games()));
      else if (survey_.wins[i] == 0 && decided >= kEnoughGames && file_.players.size() > 1 &&
               !is_shown_to_win(name.text))
        out_.note("never-wins", span, fmt::format("{} won none of {}", name.text, games()));
    }
  }

  // Lines of `end` that decided none of many games, nor held in any position that was looked at.
  void lines() {
    constexpr std::uint64_t kEnoughEnded = 100;
    if (survey_.games - survey_.unfinished < kEnoughEnded) return;
    std::map<std::uint32_t, NodeCount> asked; // by origin
    std::set<std::uint32_t> rare;
    for (const auto& player : program_.players)
      for (const auto& line : player.end) {
        if (is_for_rare_games(line.condition)) rare.insert(line.origin);
        const NodeCount& count = survey_.trace.of(line.condition);
        asked[line.origin].met += count.met;
        asked[line.origin].held += count.held;
      }
    for (const auto& [end, count] : survey_.ends) asked[end.origin].held += count;
    for (const auto& [origin, count] : asked) {
      const auto span = span_of(origin);
      if (rare.contains(origin) || (span && is_for_rare_games(*span))) continue;
      if (count.held > 0 || count.met < kEnough || !span || span->file != file_.file) continue;
      out_.note("end-never-held", *span, fmt::format("this decided none of {}", games()));
    }
  }

  // Conditions that had the same answer every time they were asked, however often.
  void conditions() {
    constexpr std::uint64_t kEnoughAsked = 500;
    std::map<Place, NodeCount> asked;
    std::map<Place, dsl::Span> spans;
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (n.op != Op::if_action && n.op != Op::if_value) continue;
      const NodeId condition = program_.kid(n, 0);
      const auto span = own_span(condition);
      if (!span || is_for_rare_games(id) || !says_if(id)) continue;
      const Place place = place_in_text(program_.nodes[condition]);
      spans.emplace(place, *span);
      NodeCount& sum = asked[place];
      sum.met += survey_.trace.of(condition).met;
      sum.held += survey_.trace.of(condition).held;
    }
    const auto tell = [&](bool held) {
      for (const auto& [place, count] : asked)
        if (count.met >= kEnoughAsked && count.held == (held ? count.met : 0))
          out_.note("settled-condition", spans.at(place), held ? "this always held" : "this never held")
              .help = fmt::format("{} times, in random games and in the tests", count.met);
    };
    tell(false);
    if (out_.all().empty()) tell(true); // else it may well come of the other
  }

  // Is it an `if` of the text? Others come of `or` and `and`, whose parts options may settle.
  [[nodiscard]] bool says_if(NodeId id) const {
    const auto span = own_span(id);
    return span && sources_.text(span->file).substr(span->begin, 2) == "if";
  }

  // Does an `if` decide the game, or does a condition ask for what comes about late or seldom? Definitions
  // are unfolded there, so that it doesn't matter in which words it does.
  [[nodiscard]] bool is_for_rare_games(NodeId id) {
    static const std::set<Op> kRare{Op::win,     Op::lose,          Op::draw,   Op::again,
                                    Op::hand,    Op::hand_total,    Op::ply,    Op::turns,
                                    Op::repeats, Op::board_repeats, Op::no_move};
    return has_any(id, kRare, rare_);
  }
  // Is an operation of these somewhere in a node? `known` keeps the answers.
  [[nodiscard]] bool has_any(NodeId id, const std::set<Op>& ops, std::map<NodeId, bool>& known) const {
    if (const auto found = known.find(id); found != known.end()) return found->second;
    const auto& kids = program_.kids_of(program_.nodes[id]);
    const bool has =
        ops.contains(program_.nodes[id].op) ||
        std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return has_any(kid, ops, known); });
    return known[id] = has;
  }

  // Likewise lines whose text says so, of which options may have left nothing; that ask whether something is
  // used up; or that use words of a vocabulary.
  [[nodiscard]] bool is_for_rare_games(dsl::Span line) const {
    static const std::set<std::string, std::less<>> kWords{"ply", "turns", "repeats", "board_repeats"};
    bool rare = false;
    for (const dsl::EndRule& rule : file_.end) {
      if (rule.span.file != line.file || rule.span.begin != line.begin) continue;
      each_node(rule.condition, [&](const dsl::Ast& n) {
        const Bounded b = bounded(n);
        rare = rare || (b.counted && b.high == 0) || n.form == dsl::Form::no_move ||
               kWords.contains(n.word) || is_word(n);
      });
    }
    return rare;
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
    for (const runtime::MoveSeen& move : survey_.unchanging) {
      if (move.notation.find("pass") != std::string::npos) continue; // who passes says so
      const auto ways = ways_of(move);
      const Way way = ways.empty() ? Way{} : ways.front();
      if (std::any_of(way.begin(), way.end(), [&](NodeId id) { return changes(program_.nodes[id].op); }))
        continue;
      out_.warning("unchanging-move", place_of(way, move),
                   fmt::format("the move `{}` changes nothing", move.notation))
          .help = reached_by(move.where) + "; a move that is meant to be none is `pass`";
      return;
    }
  }

  void overwriting() {
    if (survey_.overwriting.empty()) return;
    const runtime::MoveSeen& move = survey_.overwriting.front();
    const auto ways = ways_of(move);
    out_.warning("own-overwritten", place_of(ways.empty() ? Way{} : ways.front(), move),
                 fmt::format("the move `{}` costs the mover the piece that was there", move.notation))
        .help = reached_by(move.where) + "; its cells hold pieces of his own: say `empty`, `enemy` or `~own`";
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
      if (asks_for_moves(end.origin)) continue;
      auto& warning = out_.warning("late-end", *span, "this held already a turn before");
      warning.help = fmt::format("in {} of {} games that it decided; lines of `end` are asked when the turn "
                                 "has passed, of who moves next: say it of the other player, or in `turn`",
                                 count, all);
    }
  }
  // Who can't move now could perhaps not have moved before either: it wasn't his turn.
  [[nodiscard]] bool asks_for_moves(std::uint32_t origin) const {
    static const std::set<Op> kNoMove{Op::no_move};
    std::map<NodeId, bool> known;
    bool found = false;
    for (const auto& player : program_.players)
      for (const auto& line : player.end)
        found = found || (line.origin == origin && has_any(line.condition, kNoMove, known));
    return found;
  }

  void ambiguous() {
    if (!survey_.ambiguous) return;
    const auto ways = ways_of(*survey_.ambiguous);
    const Way way = ways.empty() ? Way{} : ways.front();
    out_.warning("same-notation", parting(ways).value_or(place_of(way, *survey_.ambiguous)),
                 fmt::format("two different moves are both written `{}`", survey_.ambiguous->notation))
        .help = reached_by(survey_.ambiguous->where) + "; `say` can tell them apart";
  }

  const Program& program_;
  const Survey& survey_;
  const dsl::Sources& sources_;
  dsl::Diagnostics& out_;
  std::map<std::pair<Place, Op>, NodeCount> sums_;
  std::map<NodeId, bool> rare_; // whether a node asks for what comes about late or seldom
  std::set<Place> told_;
  const dsl::RuleFile& file_;
  dsl::Span game_; // where findings about all of the game go
};

} // namespace

void report_findings(const Program& program, const dsl::RuleFile& file, const Survey& survey,
                     const dsl::Sources& sources, dsl::Diagnostics& diagnostics) {
  Findings(program, file, survey, sources, diagnostics).report();
}

} // namespace boardwright::interpreter
