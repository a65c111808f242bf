#include "tools/english/reasons.hpp"

#include "dsl/about.hpp"
#include "dsl/text.hpp"
#include "interpreter/look/look.hpp"
#include "runtime/examine/ending.hpp"
#include "runtime/examine/notation.hpp"
#include "runtime/examine/why.hpp"
#include "runtime/model/piece_values.hpp"
#include "tools/console/console.hpp"
#include "tools/english/move_endings.hpp"
#include "tools/english/nouns.hpp"
#include "tools/games/about_text.hpp"
#include "tools/games/algebraic.hpp"
#include "tools/games/completion.hpp"
#include "tools/games/game_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <set>

namespace boardwright::tools {

std::vector<int> cells_named(const runtime::Board& board, std::string_view text) {
  const std::string all = dsl::to_lower(text);
  std::vector<int> found;
  for (std::size_t at = 0; at < all.size();) {
    int best = runtime::kNowhere;
    std::size_t length = 0;
    for (std::size_t cell = 0; cell < board.name.size(); ++cell) {
      const std::string name = dsl::to_lower(board.name[cell]);
      if (name.size() <= length || all.compare(at, name.size(), name) != 0) continue;
      best = static_cast<int>(cell);
      length = name.size();
    }
    if (best >= 0) found.push_back(best);
    at += std::max<std::size_t>(length, 1);
  }
  return found;
}

namespace {

using runtime::kNoNode;
using runtime::kNowhere;
using runtime::LoopEnd;
using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Program;
using runtime::Stop;

// Reasons that are told; more would bury the one that counts.
constexpr std::size_t kMaxReasons = 6;
// Likewise moves.
constexpr std::size_t kMaxMoves = 24;
// And of one rule.
constexpr std::ptrdiff_t kMaxOfOneRule = 2;
// Lines of `end`.
constexpr std::size_t kMaxLines = 10, kMaxStopsTold = 4;

// What is written like a cell and is none: a letter and a number, on a board whose cells are called so. "":
// all are cells.
std::string unknown_cell(const runtime::Board& board, std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const bool usual = std::any_of(board.name.begin(), board.name.end(), [&](const std::string& name) {
    return name.size() > 1 && letter(name[0]) && std::all_of(name.begin() + 1, name.end(), digit);
  });
  for (std::size_t at = 0; usual && at + 1 < text.size(); ++at) {
    const bool behind_word = at > 0 && letter(text[at - 1]) && text[at - 1] != 'x';
    if (!letter(text[at]) || !digit(text[at + 1]) || behind_word) continue;
    std::size_t end = at + 1;
    while (end < text.size() && digit(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const auto cells = cells_named(board, word);
    if (cells.empty() || board.name[static_cast<std::size_t>(cells.front())].size() != word.size())
      return std::string(word);
  }
  return "";
}

class Telling {
public:
  Telling(const interpreter::Loaded& loaded, const runtime::Position& position)
      : loaded_(loaded), position_(position), program_(loaded.rules->program()),
        parent_(program_.nodes.size(), kNoNode) {
    for (NodeId id = 0; id < program_.nodes.size(); ++id)
      for (const NodeId kid : program_.kids_of(program_.nodes[id])) parent_[kid] = id;
    for (const auto& vocabulary : loaded.file->vocabularies)
      for (const auto& definition : vocabulary) vocabulary_.insert(definition.name.span.file);
  }

  [[nodiscard]] std::vector<Reason> ways(const std::vector<std::vector<NodeId>>& ways) {
    std::vector<Reason> reasons;
    for (const auto& way : ways) {
      Reason reason;
      for (const NodeId id : way) {
        // The branch that was taken says most: of several the innermost of the author's own.
        const NodeId above = parent_[id];
        const bool branch = above != kNoNode && (program_.nodes[above].op == Op::alternatives ||
                                                 program_.nodes[above].op == Op::otherwise);
        const auto span = own_span(id);
        if (span && (branch || reason.rule.empty())) reason = at(*span, "");
        if (!span && branch) reason.inner = inner(id);
      }
      add(reasons, std::move(reason));
    }
    return reasons;
  }

  // How the loops on the way to a move ended.
  [[nodiscard]] std::vector<Reason> loops(const std::vector<LoopEnd>& ends) const {
    std::vector<Reason> reasons;
    for (const LoopEnd& end : ends) {
      const NodeId shown = nearest_own(end.loop);
      const auto span = shown == kNoNode ? std::nullopt : own_span(shown);
      if (!span || reasons.size() == kMaxReasons) continue;
      Reason reason = at(*span, sentence(end));
      if (shown != end.loop) reason.inner = inner(end.loop);
      reasons.push_back(std::move(reason));
    }
    return reasons;
  }

  [[nodiscard]] std::vector<Reason> stops(const std::vector<Stop>& stops) const {
    std::vector<Reason> reasons;
    for (const Stop& stop : stops) {
      if (reasons.size() == kMaxReasons) break;
      const NodeId shown = nearest_own(stop.action);
      const auto span = shown == kNoNode ? std::nullopt : own_span(shown);
      if (!span) continue;
      const auto of_rule = std::count_if(reasons.begin(), reasons.end(),
                                         [&](const Reason& reason) { return reason.span == *span; });
      if (of_rule == kMaxOfOneRule) continue;
      Reason reason = at(*span, sentence(stop));
      if (shown != stop.action) reason.inner = inner(stop.action);
      reason.plain = plain_condition(stop);
      const Op op = program_.nodes[stop.action].op;
      if (op == Op::at || op == Op::from) {
        reason.stands = what_stands(stop.here, stop.there);
        reason.stands_on = stop.here;
        reason.starts = op == Op::from;
      }
      add(reasons, std::move(reason));
    }
    return reasons;
  }

  // The cell that a move was to go to, for what stands in its way; `blocks` says whether what stands on some
  // cells does stop it.
  void towards(int cell, std::function<bool(const std::vector<int>& cells)> blocks) {
    to_ = cell;
    blocks_ = std::move(blocks);
  }
  // Is an action the author's own, and no word of a vocabulary?
  [[nodiscard]] bool is_authors(NodeId id) const { return own_span(id).has_value(); }

  [[nodiscard]] std::string name(int cell) const {
    return cell < 0 ? "nowhere" : program_.board.name[static_cast<std::size_t>(cell)];
  }

  // "d4 is empty", "d4 holds a pawn of Black's"
  [[nodiscard]] std::string what_stands(int cell, const runtime::Stack& stack) const {
    if (stack.empty()) return name(cell) + " is empty";
    const runtime::Piece top = stack.back();
    const std::string& kind = program_.kinds[static_cast<std::size_t>(top.kind)].name;
    const std::string piece =
        top.owner < 0
            ? fmt::format("a neutral {}", kind)
            : fmt::format("a {} of {}'s", kind, program_.players[static_cast<std::size_t>(top.owner)].name);
    if (stack.size() == 1) return fmt::format("{} holds {}", name(cell), piece);
    return fmt::format("{} holds {} pieces, {} on top", name(cell), stack.size(), piece);
  }

  // The one rule without which the move would be legal, with moves that there are instead.
  [[nodiscard]] std::vector<Reason> decisive(const runtime::Decisive& rule,
                                             const std::string& instead) const {
    if (rule.by == runtime::Decisive::By::condition) return stops({rule.stop});
    const NodeId shown = nearest_own(rule.action);
    const auto span = shown == kNoNode ? std::nullopt : own_span(shown);
    if (!span) return {};
    Reason reason = at(*span, rule_text(rule.by) + (instead.empty() ? "" : ": " + instead));
    if (shown != rule.action) reason.inner = inner(rule.action);
    return {std::move(reason)};
  }
  [[nodiscard]] std::string rule_text(runtime::Decisive::By by) const {
    switch (by) {
    case runtime::Decisive::By::first:
      return takes_ ? "a capture is compulsory"
                    : "this can be done, and goes before what stands behind `otherwise`";
    case runtime::Decisive::By::most: return "only the moves with the most count";
    case runtime::Decisive::By::goes_on: return "the move must go on";
    case runtime::Decisive::By::condition: break;
    }
    return "";
  }
  // Does anything that stands behind an alternative of `otherwise` go or place anywhere? Else it is to pass.
  [[nodiscard]] bool has_moves_behind(NodeId alternative) const {
    const NodeId above = parent_[alternative];
    if (above == kNoNode) return false;
    const auto kids = program_.kids_of(program_.nodes[above]);
    const auto at = std::find(kids.begin(), kids.end(), alternative);
    return at != kids.end() && std::any_of(at + 1, kids.end(), [&](NodeId kid) { return begins(kid); });
  }
  [[nodiscard]] bool begins(NodeId id) const {
    static const std::set<Op> kBegin{Op::from, Op::to, Op::choose, Op::choose_some, Op::drop};
    const auto& kids = program_.kids_of(program_.nodes[id]);
    return kBegin.contains(program_.nodes[id].op) ||
           std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return begins(kid); });
  }
  // Do the moves take pieces that there are instead?
  void takes(bool takes) { takes_ = takes; }
  [[nodiscard]] bool takes() const { return takes_; }

  // What the lines of `end` answered; `moves`: what there is, for those that ask whether there is a move.
  [[nodiscard]] std::vector<Reason> lines(const std::vector<runtime::LineAsked>& asked,
                                          const std::string& moves) const {
    std::vector<Reason> reasons;
    for (const runtime::LineAsked& line : asked) {
      const auto span = place_in_sources(line.origin);
      if (!span || reasons.size() == kMaxLines) continue;
      std::string text = line.holds ? "this holds" : "";
      for (std::size_t i = 0; i < std::min(line.stops.size(), kMaxStopsTold); ++i) {
        const Stop& stop = line.stops[i];
        text += (i == 0 ? "" : "; ") + condition(stop);
        if (program_.nodes[stop.cause].op == Op::no_move && !moves.empty()) text += ": there is " + moves;
      }
      reasons.push_back(at(*span, std::move(text)));
    }
    return reasons;
  }

  [[nodiscard]] Reason carrying() const {
    Reason reason;
    if (loaded_.file->turn)
      reason = at(loaded_.file->turn->span, "a piece is still in the air at the end of the turn");
    return reason;
  }

private:
  [[nodiscard]] std::optional<dsl::Span> span_of(NodeId id) const {
    return place_in_sources(program_.nodes[id].origin);
  }
  [[nodiscard]] std::optional<dsl::Span> place_in_sources(std::uint32_t number) const {
    const auto& origin = program_.origins[number];
    const std::string& file = program_.files[origin.file];
    for (dsl::FileId i = 0; i < loaded_.sources.size() && !file.empty(); ++i)
      if (loaded_.sources.name(i) == file) return dsl::Span{i, origin.begin, origin.end};
    return std::nullopt;
  }
  // The place, where that isn't in a vocabulary.
  [[nodiscard]] std::optional<dsl::Span> own_span(NodeId id) const {
    const auto span = span_of(id);
    return span && !vocabulary_.contains(span->file) ? span : std::nullopt;
  }
  // The node, or the call in the author's file that it came from.
  [[nodiscard]] NodeId nearest_own(NodeId id) const {
    while (id != kNoNode && !own_span(id)) id = parent_[id];
    return id;
  }

  [[nodiscard]] Reason at(dsl::Span span, std::string text) const {
    return {span, words(span), "", std::move(text)};
  }
  [[nodiscard]] std::string words(dsl::Span span) const {
    std::string text;
    for (const char c : source_text(loaded_.sources, span)) {
      const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!blank || (!text.empty() && text.back() != ' ')) text += blank ? ' ' : c;
    }
    return text;
  }
  [[nodiscard]] std::string words(NodeId id) const {
    const auto span = span_of(id);
    return span ? words(*span) : std::string(runtime::name_of(program_.nodes[id].op));
  }
  [[nodiscard]] std::string inner(NodeId id) const {
    return fmt::format("`{}`, {}", words(id), runtime::place_of(program_, program_.nodes[id].origin));
  }

  [[nodiscard]] std::string cells(const runtime::CellSet& set) const {
    std::string text;
    set.each([&](int cell) { text += (text.empty() ? "" : ", ") + name(cell); });
    return text;
  }

  [[nodiscard]] std::string sentence(const Stop& stop) const {
    const Node& n = program_.nodes[stop.action];
    switch (n.op) {
    case Op::at: return what_stands(stop.here, stop.there) + not_in(stop);
    case Op::from:
      if (stop.here == kNowhere) return "there is no such cell" + ending(stop.seen, "; it could be ");
      return what_stands(stop.here, stop.there) + not_in(stop) + ending(stop.seen, "; it could be ");
    case Op::require: return condition(stop);
    case Op::lift:
      if (stop.here == kNowhere) return "there is no cell to lift from";
      return stop.there.empty() ? what_stands(stop.here, stop.there) : "there aren't so many pieces there";
    case Op::put:
    case Op::discard: return "there aren't so many pieces in the air";
    case Op::go: return fmt::format("no cell lies in that direction from {}", name(stop.here));
    case Op::bend: return fmt::format("no curve leaves {} in that direction", name(stop.here));
    case Op::drop: return "there is no such piece in hand";
    case Op::to:
      if (stop.begins) return not_begun(stop); // where one might be dropped
      if (const std::string way = in_the_way(stop.here); !way.empty()) return way;
      if (to_ != kNowhere) return not_among();
      return "there is no cell to go to";
    case Op::choose:
      if (stop.begins) return not_begun(stop);
      [[fallthrough]];
    case Op::choose_some: return "there is no such cell, or nothing to choose from";
    case Op::move_by: return "a piece would leave the board, or two would meet";
    case Op::never: return "";
    case Op::repeat:
      return fmt::format("it ends on {}, where {} holds: {}", name(stop.here), quoted_words(stop.cause),
                         what_stands(stop.here, stop.there));
    default: return "it has no outcome";
    }
  }

  [[nodiscard]] std::string not_among() const {
    const runtime::Stack& there = position_.cells[static_cast<std::size_t>(to_)];
    return fmt::format("{} is not among the cells to go to{}", name(to_),
                       there.empty() ? "" : ": " + what_stands(to_, there));
  }

  // Of a cell on which nothing can be dropped or chosen.
  [[nodiscard]] std::string not_begun(const Stop& stop) const {
    std::string text = what_stands(stop.here, stop.there) + not_in(stop);
    if (stop.there.empty() && not_in(stop).empty()) text += ", and isn't one of these cells";
    return text + ending(stop.seen, "; it could be ");
  }

  [[nodiscard]] std::string sentence(const LoopEnd& end) const {
    std::string text;
    switch (end.by) {
    case LoopEnd::By::until:
      text = fmt::format("it ends on {}, where {} holds", name(end.here), quoted_words(end.cause));
      break;
    case LoopEnd::By::times:
      text = fmt::format("it goes round {} times, and ends on {}", end.times, name(end.here));
      break;
    case LoopEnd::By::no_more: text = fmt::format("it ends on {}, for it can't go on", name(end.here)); break;
    }
    if (end.here >= 0) text += ": " + what_stands(end.here, end.there);
    for (const Stop& stop : end.last)
      text += fmt::format("; at {} {}", quoted_words(stop.action), sentence(stop));
    if (end.by == LoopEnd::By::times || end.on.empty()) return text;
    std::string cells;
    for (const int cell : end.on) cells += (cells.empty() ? "" : ", ") + name(cell);
    return text + "; it went on from " + cells;
  }
  [[nodiscard]] std::string quoted_words(NodeId id) const { return fmt::format("`{}`", words(id)); }

  // What a set asks for, where that isn't what stands on the cell.
  [[nodiscard]] std::string not_in(const Stop& stop) const {
    if (stop.cause == kNoNode) return "";
    switch (program_.nodes[stop.cause].op) {
    case Op::owned:
    case Op::empty:
    case Op::kind_cells:
    case Op::complement:
    case Op::local: return ""; // of a parameter the name says little
    default: return fmt::format(", which is not in `{}`", words(stop.cause));
    }
  }

  // The first cell that isn't empty on the straight way to where a move was to go, if it is by what stands
  // there that it doesn't: many a piece goes no such way.
  [[nodiscard]] std::string in_the_way(int from) const {
    const runtime::Board& board = program_.board;
    if (from < 0 || to_ == kNowhere) return "";
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to_);
    const int dx = board.x[b] - board.x[a], dy = board.y[b] - board.y[a];
    const auto sign = [](int n) { return (n > 0) - (n < 0); };
    const bool straight = dx == 0 || dy == 0 || dx == dy || dx == -dy;
    if (!straight || board.step_by(sign(dx), sign(dy)) < 0) return "";
    std::vector<int> taken;
    for (int i = 1; i < std::max(std::abs(dx), std::abs(dy)); ++i) {
      const int cell = board.cell_at(board.x[a] + i * sign(dx), board.y[a] + i * sign(dy));
      if (cell < 0) return "";
      if (!position_.cells[static_cast<std::size_t>(cell)].empty()) taken.push_back(cell);
    }
    if (taken.empty() || !blocks_ || !blocks_(taken)) return "";
    const auto first = static_cast<std::size_t>(taken.front());
    return fmt::format("on the way to {}, {}", name(to_), what_stands(taken.front(), position_.cells[first]));
  }

  // Only few cells help.
  [[nodiscard]] std::string ending(const runtime::CellSet& set, const char* words) const {
    constexpr int kFew = 4;
    return set.any() && set.count() <= kFew ? words + cells(set) : "";
  }

  [[nodiscard]] std::string condition(const Stop& stop) const {
    const Node& cause = program_.nodes[stop.cause];
    const NodeId above = parent_[stop.cause];
    const bool negated = above != kNoNode && program_.nodes[above].op == Op::negation;
    std::string text = fmt::format("`{}` doesn't hold", words(negated ? above : stop.cause));
    if (const std::string both = both_sides(stop); !both.empty()) return text + both;
    if (asks_for_repeats(stop.cause)) return text + ": the board has been like this before";
    if (cause.op != Op::some || stop.seen.none()) return text;
    const std::string asked = words(stop.cause);
    if (text.find(asked) == std::string::npos) text += fmt::format(": `{}` does", asked);
    constexpr int kMostCells = 6;
    if (stop.seen.count() > kMostCells) return text + fmt::format(", {} of them", stop.seen.count());
    return text + ", because of " + cells(stop.seen);
  }

  // What is so instead of what a `require` asks for, as a player would say it; "": there are no plain words.
  [[nodiscard]] std::string plain_condition(const Stop& stop) const {
    if (program_.nodes[stop.action].op != Op::require) return "";
    const auto mover = static_cast<std::size_t>(position_.to_move);
    const std::string& own = program_.players[mover].name;
    const std::string enemy = program_.players.size() == 2 ? program_.players[1 - mover].name : "the others";
    const auto span = own_span(stop.action);
    const Words words = span ? what_is_missing(loaded_, *span, {own, enemy}) : Words();
    if (!words || words->empty()) return "";
    return stop.seen.any() && stop.seen.count() <= 1 ? fmt::format("{} ({})", *words, cells(stop.seen))
                                                     : *words;
  }

  // `count(own) < 3` doesn't hold: it is 4 < 3.
  [[nodiscard]] std::string both_sides(const Stop& stop) const {
    if (!stop.left || !stop.right || asks_for_repeats(stop.cause)) return "";
    const auto [left, right] = as_written(stop);
    const auto& kids = program_.kids_of(program_.nodes[stop.cause]);
    for (const std::size_t i : {0U, 1U}) // compared with a number that is written there
      if (is_number(kids[i])) return fmt::format(": it is {}", i == 0 ? *stop.right : *stop.left);
    return fmt::format(": it is {} on the left and {} on the right", left, right);
  }

  [[nodiscard]] bool is_number(NodeId id) const {
    const std::string text = words(id);
    return program_.nodes[id].op == Op::number && !text.empty() &&
           text.find_first_not_of("-0123456789") == std::string::npos;
  }
  // `a > b` has become `b < a`.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> as_written(const Stop& stop) const {
    const auto& kids = program_.kids_of(program_.nodes[stop.cause]);
    const auto begin = [&](NodeId id) { return program_.origins[program_.nodes[id].origin].begin; };
    const bool swapped = begin(kids[0]) > begin(kids[1]);
    return swapped ? std::pair(*stop.right, *stop.left) : std::pair(*stop.left, *stop.right);
  }

  // board_repeats = 0, board_repeats < 3
  [[nodiscard]] bool asks_for_repeats(NodeId id) const {
    const Node& n = program_.nodes[id];
    const bool few = n.op == Op::less || n.op == Op::at_most || n.op == Op::equal;
    return few && program_.nodes[program_.kid(n, 0)].op == Op::board_repeats;
  }

  static void add(std::vector<Reason>& reasons, Reason reason) {
    const auto same = [&](const Reason& r) { return r.span == reason.span && r.text == reason.text; };
    if (!reason.rule.empty() && std::none_of(reasons.begin(), reasons.end(), same))
      reasons.push_back(std::move(reason));
  }

  const interpreter::Loaded& loaded_;
  const runtime::Position& position_;
  const Program& program_;
  int to_ = kNowhere;
  std::function<bool(const std::vector<int>& cells)> blocks_;
  bool takes_ = false;
  std::vector<NodeId> parent_;
  std::set<dsl::FileId> vocabulary_;
};

// Cells that a letter's pieces stand on.
std::vector<int> cells_of(const Program& program, const runtime::Position& position, char letter) {
  std::vector<int> cells;
  for (int cell = 0; cell < program.board.cells; ++cell) {
    const auto& stack = position.cells[static_cast<std::size_t>(cell)];
    if (!stack.empty() && program.letter_of(stack.back()) == letter) cells.push_back(cell);
  }
  return cells;
}

// Does a move begin on a cell, as its notation says?
bool begins_on(const std::string& notation, const std::string& cell) {
  const std::string text = dsl::to_lower(notation), name = dsl::to_lower(cell);
  if (text.compare(0, name.size(), name) != 0) return false;
  return text.size() == name.size() || std::isalnum(static_cast<unsigned char>(text[name.size()])) == 0 ||
         text[name.size()] == 'x';
}

class Answering {
public:
  Answering(const interpreter::Loaded& loaded, runtime::Game& game)
      : loaded_(loaded), program_(loaded.rules->program()), game_(game), position_(game.position()),
        past_(past_of(game)), telling_(loaded, position_) {}

  tl::expected<std::vector<Reasons>, runtime::Fault> answer(std::string_view asked) {
    const auto named = cells_named(program_.board, asked);
    const bool is_cell =
        named.size() == 1 && dsl::to_lower(telling_.name(named.front())) == dsl::to_lower(asked);
    auto legal = game_.find(std::string(asked));
    if (!legal) return tl::unexpected(legal.error());
    if (!*legal && asks_for_end(asked)) return one(of_end());
    if (!*legal && is_cell) return one(of_cell(named.front()));
    if (!*legal && asked.size() > 1) { // a piece and where it goes
      legal = find_algebraic(game_, asked);
      if (!legal) return tl::unexpected(legal.error());
      if (*legal) return one(of_algebraic(asked, **legal));
    }
    if (!*legal && asked.size() == 1 && named.empty() && program_.piece_of(asked.front()))
      return of_letter(asked.front());
    if (const char letter = letter_meant(asked); !*legal && named.empty() && letter != 0)
      return of_letter(letter);
    if (!*legal && asked.size() == 1 && named.empty() &&
        std::isalpha(static_cast<unsigned char>(asked.front())) != 0)
      return std::vector<Reasons>{
          {fmt::format("there is no piece with the letter `{}`", asked), false, {}, {}}};
    if (!*legal)
      if (auto part = of_beginning(asked); !part || !part->moves.empty()) return one(std::move(part));
    return one(of_move(asked, *legal ? game_.notation(**legal) : std::string(asked), named));
  }

private:
  using Answer = tl::expected<Reasons, runtime::Fault>;

public:
  static bool asks_for_end(std::string_view asked) { return dsl::to_lower(asked) == "end"; }

  // Which line of `end` holds; or of each why it doesn't.
  Answer of_end() {
    const auto lines = runtime::why_end(program_, position_, past_);
    if (!lines) return tl::unexpected(lines.error());
    const bool over = !lines->empty() && lines->back().holds;
    const auto notations = game_.notations();
    if (!notations) return tl::unexpected(notations.error());
    constexpr std::size_t kFewMoves = 3;
    const auto few = notations->begin() + static_cast<std::ptrdiff_t>(std::min(kFewMoves, notations->size()));
    Reasons reasons;
    reasons.ending = true;
    reasons.legal = over;
    reasons.reasons = telling_.lines(*lines, fmt::format("{}", fmt::join(notations->begin(), few, " ")));
    const std::string& player = program_.players[static_cast<std::size_t>(position_.to_move)].name;
    reasons.summary = over             ? "the game is over"
                      : lines->empty() ? fmt::format("the game has no line of `end`; {} is to move", player)
                      : notations->empty() ? "the game is drawn: there is no move, and no line of `end` holds"
                                           : fmt::format("the game is not over; {} is to move", player);
    if (!over) reasons.summary += by_moves();
    return reasons;
  }

private:
  // What ends the game beside the lines of `end`.
  [[nodiscard]] std::string by_moves() const {
    std::string text;
    if (!loaded_.file) return text;
    for (const std::string& sentence : endings_by_moves(loaded_))
      text += (text.empty() ? ". " : " ") + sentence;
    const std::string_view aim = told(program_.about, dsl::kAim);
    return text.empty() || aim.empty() ? text : text + " The aim: " + std::string(aim);
  }

  // The positions that were before, oldest first: rules may ask whether one has come about again.
  static std::vector<runtime::Position> past_of(const runtime::Game& game) {
    runtime::Game earlier = game;
    std::vector<runtime::Position> past;
    while (earlier.undo()) past.push_back(earlier.position());
    std::reverse(past.begin(), past.end());
    return past;
  }

  static tl::expected<std::vector<Reasons>, runtime::Fault> one(Answer answer) {
    if (!answer) return tl::unexpected(answer.error());
    return std::vector<Reasons>{std::move(*answer)};
  }

  Answer of_move(std::string_view asked, const tl::expected<std::string, runtime::Fault>& notation,
                 const std::vector<int>& named) {
    if (!notation) return tl::unexpected(notation.error());
    runtime::Question question{*notation};
    if (!named.empty()) question.from = named.front();
    if (named.size() > 1) question.to = named.back();
    telling_.towards(question.to, [&](const auto& cells) { return is_open_without(cells, question); });
    auto why = runtime::why(program_, position_, past_, question);
    if (!why) return tl::unexpected(why.error());
    const auto notations = game_.notations();
    if (!notations) return tl::unexpected(notations.error());
    Reasons reasons;
    reasons.legal = !why->ways.empty();
    if (!reasons.legal && !named.empty())
      likest(*notations, asked, telling_.name(named.front()), reasons); // what can be done instead
    if (!reasons.legal && game_.is_chance()) return of_nature(asked, *notations);
    leave_out_what_is_no_reason(*why, asked, named, question, reasons);
    if (const auto found = reasons_of(*why); found)
      reasons.reasons = *found;
    else
      return tl::unexpected(found.error());
    reasons.summary = reasons.legal ? legal_text(asked, *notation, *notations)
                                    : fmt::format("{} is not legal", quotable(asked));
    if (!reasons.legal) tell_why_not(*why, asked, named, question, reasons);
    return reasons;
  }

  Answer of_algebraic(std::string_view asked, const runtime::Move& move) {
    const auto notation = game_.notation(move);
    if (!notation) return tl::unexpected(notation.error());
    Answer answer = of_move(*notation, notation, cells_named(program_.board, *notation));
    if (answer && answer->legal)
      answer->summary =
          fmt::format("{} is written {}, which is legal", quotable(asked), printable(*notation));
    return answer;
  }

  // Before a player chooses nature rolls.
  Answer of_nature(std::string_view asked, const std::vector<std::string>& notations) const {
    Reasons reasons;
    reasons.summary = fmt::format("{} is not legal: it is for nature to move", quotable(asked));
    reasons.moves = notations;
    return reasons;
  }

  // `b2xb3` stands for `b2-b3`, too.
  static std::string legal_text(std::string_view asked, const std::string& notation,
                                const std::vector<std::string>& notations) {
    const bool written = std::find(notations.begin(), notations.end(), notation) != notations.end();
    const auto meant = std::find_if(notations.begin(), notations.end(), [&](const std::string& one) {
      return runtime::bare_notation(one) == runtime::bare_notation(notation);
    });
    if (written || meant == notations.end()) return fmt::format("{} is legal", quotable(asked));
    return fmt::format("{} is written {}, which is legal", quotable(asked), printable(*meant));
  }

  void leave_out_what_is_no_reason(runtime::Why& why, std::string_view asked, const std::vector<int>& named,
                                   const runtime::Question& question, const Reasons& reasons) const {
    if (named.size() > 1) leave_out_placements(why.stops, question.from);
    if (reasons.legal) return;
    if (named.empty()) leave_out_beginnings(why.stops);
    if (named.size() > 1) {
      leave_out_other_ways(why.stops, named);
      leave_out_edges(why.stops, question.to);
    }
    if (!named.empty() && reasons.steps_in > 1)
      leave_out_others(why.stops, asked, reasons.beginning);
    else if (!named.empty() && why.astray)
      leave_out_others_asked(why.stops, asked);
    leave_out_same_beginnings(why.stops, question.from);
  }

  void tell_why_not(const runtime::Why& why, std::string_view asked, const std::vector<int>& named,
                    const runtime::Question& question, Reasons& reasons) const {
    if (const std::string cell = unknown_cell(program_.board, asked); !cell.empty()) {
      reasons.summary += fmt::format(": there is no cell {}", quotable(cell));
      reasons.reasons.clear(); // what stopped other moves says nothing
    } else if (const std::string word = unknown_word(asked, reasons.moves); !word.empty()) {
      reasons.summary += fmt::format(": {} is nothing that these rules write", quotable(word));
      reasons.reasons.clear();
    } else if (is_of_another(question.from) && !why.stops.empty() && is_no_beginning(why.stops)) {
      const std::string& mover = program_.players[static_cast<std::size_t>(position_.to_move)].name;
      reasons.summary += fmt::format(": it is the turn of {}", mover);
    } else if (why.astray && !why.decisive && named.size() > 1) {
      reasons.summary += fmt::format(": no rule leads from {} to {}", telling_.name(question.from),
                                     telling_.name(question.to));
    }
    reasons.summary += carried(question.from);
    if (!reasons.reasons.empty() || reasons.summary.find(": ") != std::string::npos) return;
    const std::string begun = reasons.moves.empty()  ? ""
                              : reasons.steps_in > 1 ? reasons.beginning
                                                     : telling_.name(question.from);
    reasons.summary += !begun.empty()  ? fmt::format(": no rule leads on so from {}", printable(begun))
                       : named.empty() ? nothing_written(asked)
                                       : ": no way through the rules comes near it";
  }
  [[nodiscard]] std::string nothing_written(std::string_view asked) const {
    const bool passes = std::any_of(program_.nodes.begin(), program_.nodes.end(),
                                    [](const Node& n) { return n.op == Op::pass; });
    return dsl::to_lower(asked) == "pass" && !passes ? ": no rule of this game passes"
                                                     : ": no move is written so here";
  }

  // Could the piece go where it was to go, if nothing stood on some cells? They are all on its way.
  [[nodiscard]] bool is_open_without(const std::vector<int>& cells, const runtime::Question& question) const {
    if (question.from == kNowhere || question.to == kNowhere) return false;
    runtime::Position position = position_;
    for (const int cell : cells) position.cells[static_cast<std::size_t>(cell)].clear();
    const auto notations = runtime::Game(loaded_.rules, position).notations();
    return notations && std::any_of(notations->begin(), notations->end(), [&](const std::string& one) {
             const auto named = cells_named(program_.board, one);
             return named.size() > 1 && named.front() == question.from && named[1] == question.to;
           });
  }

  // Does a piece of another player stand there?
  [[nodiscard]] bool is_of_another(int cell) const {
    if (cell == kNowhere) return false;
    const auto& stack = position_.cells[static_cast<std::size_t>(cell)];
    return !stack.empty() && stack.back().owner >= 0 && stack.back().owner != position_.to_move;
  }
  // Do all rules ask for another cell to begin on?
  [[nodiscard]] bool is_no_beginning(const std::vector<Stop>& stops) const {
    return std::all_of(stops.begin(), stops.end(), [&](const Stop& stop) {
      return stop.begins && program_.nodes[stop.action].op == Op::from;
    });
  }

  // A word of three letters or more that is in no legal move, and that no rule, piece or player has; "": all
  // are known.
  [[nodiscard]] std::string unknown_word(std::string_view asked, const std::vector<std::string>& like) const {
    constexpr std::size_t kShortest = 3;
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = 0; at < asked.size();) {
      std::size_t end = at;
      while (end < asked.size() && letter(asked[end])) ++end;
      if (end - at >= kShortest && !is_known_word(dsl::to_lower(asked.substr(at, end - at)), like))
        return std::string(asked.substr(at, end - at));
      at = std::max(end, at + 1);
    }
    return "";
  }
  [[nodiscard]] bool is_known_word(const std::string& word, const std::vector<std::string>& like) const {
    const auto has = [&](const std::string& text) {
      return dsl::to_lower(text).find(word) != std::string::npos;
    };
    return word == "pass" || std::any_of(like.begin(), like.end(), has) ||
           std::any_of(program_.texts.begin(), program_.texts.end(), has) ||
           std::any_of(program_.board.name.begin(), program_.board.name.end(), has) ||
           std::any_of(program_.kinds.begin(), program_.kinds.end(),
                       [&](const auto& kind) { return has(kind.name); }) ||
           std::any_of(program_.players.begin(), program_.players.end(),
                       [&](const auto& player) { return has(player.name); });
  }

  // Of a move that names no cell, that others have none to begin on says nothing.
  void leave_out_beginnings(std::vector<Stop>& stops) const {
    static const std::set<Op> kBegin{Op::from, Op::to, Op::choose, Op::choose_some, Op::at, Op::drop};
    std::erase_if(stops, [&](const Stop& stop) {
      return stop.here == kNowhere && kBegin.contains(program_.nodes[stop.action].op);
    });
  }
  // Where something stops the move on its way, or where it leads, what stands elsewhere doesn't.
  void leave_out_other_ways(std::vector<Stop>& stops, const std::vector<int>& named) const {
    const auto is_at = [&](const Stop& stop) {
      return program_.nodes[stop.action].op == Op::at && stop.here != kNowhere;
    };
    const auto on_way = [&](const Stop& stop) { return is_on_way(program_.board, named, stop.here); };
    if (std::any_of(stops.begin(), stops.end(), [&](const Stop& one) { return is_at(one) && on_way(one); }))
      std::erase_if(stops, [&](const Stop& one) { return is_at(one) && !on_way(one); });
  }
  // The board ends on other ways than that to a cell which is there.
  void leave_out_edges(std::vector<Stop>& stops, int to) const {
    const runtime::Board& board = program_.board;
    const auto is_gap = [&](int here) {
      const auto a = static_cast<std::size_t>(here), b = static_cast<std::size_t>(to);
      const auto towards = [](int from, int goal) { return (goal > from) - (goal < from); };
      return board.cell_at(board.x[a] + towards(board.x[a], board.x[b]),
                           board.y[a] + towards(board.y[a], board.y[b])) < 0;
    };
    std::erase_if(stops, [&](const Stop& stop) {
      return program_.nodes[stop.action].op == Op::go && !stop.arrived && stop.here != kNowhere &&
             !is_gap(stop.here);
    });
  }
  // That nothing begins on a cell where no piece of the mover's stands is told once, by the author's own
  // rule.
  void leave_out_same_beginnings(std::vector<Stop>& stops, int from) const {
    if (from == kNowhere || stops.size() < 2 || !is_no_beginning(stops)) return;
    const auto& stack = position_.cells[static_cast<std::size_t>(from)];
    if (!stack.empty() && stack.back().owner == position_.to_move) return;
    const auto own = std::find_if(stops.begin(), stops.end(),
                                  [&](const Stop& stop) { return telling_.is_authors(stop.action); });
    const Stop kept = own == stops.end() ? stops.front() : *own;
    stops.assign(1, kept);
  }

  // Of a move that begins as legal ones do, what stopped moves that go another way says nothing.
  static void leave_out_others(std::vector<Stop>& stops, std::string_view asked, std::string_view beginning) {
    const std::string wanted = without_blanks(asked), begun = without_blanks(beginning);
    std::erase_if(stops, [&](const Stop& stop) {
      const std::string written = without_blanks(stop.written);
      return !written.empty() && (written.size() < begun.size() || !wanted.starts_with(written));
    });
  }

  // Where nobody comes to the cell that is asked for, what is required of moves to other cells says nothing.
  void leave_out_others_asked(std::vector<Stop>& stops, std::string_view asked) const {
    const std::string wanted = without_blanks(asked);
    std::erase_if(stops, [&](const Stop& stop) {
      return program_.nodes[stop.action].op == Op::require &&
             !wanted.starts_with(without_blanks(stop.written));
    });
  }

  // Where a piece of the mover's stands nobody means to place another one, unless pieces stack.
  void leave_out_placements(std::vector<Stop>& stops, int from) const {
    if (from < 0 || program_.board.stacks) return;
    const auto& stack = position_.cells[static_cast<std::size_t>(from)];
    if (stack.empty() || stack.back().owner != position_.to_move) return;
    std::erase_if(stops,
                  [&](const Stop& stop) { return stop.begins && program_.nodes[stop.action].op == Op::to; });
  }

  // Where one rule alone stands in the way, only that.
  tl::expected<std::vector<Reason>, runtime::Fault> reasons_of(const runtime::Why& why) {
    std::vector<Reason> reasons;
    if (why.decisive) {
      const auto instead = instead_of(*why.decisive);
      if (!instead) return tl::unexpected(instead.error());
      reasons = telling_.decisive(*why.decisive, *instead);
    }
    if (reasons.empty()) {
      reasons = why.ways.empty() ? telling_.stops(why.stops) : telling_.ways(why.ways);
      if (why.ways.empty()) {
        const auto captures = compulsory(why);
        if (!captures) return tl::unexpected(captures.error());
        reasons.insert(reasons.begin(), captures->begin(), captures->end());
      }
      if (why.ways.empty() && why.carrying > 0) reasons.push_back(telling_.carrying());
    }
    for (Reason& loop : telling_.loops(why.loops)) reasons.push_back(std::move(loop));
    return reasons;
  }
  // A capture that goes before, where that isn't all that stands in the way.
  tl::expected<std::vector<Reason>, runtime::Fault> compulsory(const runtime::Why& why) {
    for (const auto& [action, moves] : why.of_before) {
      if (!telling_.has_moves_behind(action)) continue;
      const runtime::Decisive rule{runtime::Decisive::By::first, action, {}, moves};
      const auto instead = instead_of(rule);
      if (!instead) return tl::unexpected(instead.error());
      if (telling_.takes()) return telling_.decisive(rule, *instead);
    }
    return std::vector<Reason>{};
  }

  // Moves that go before the one that was asked for; notes whether they all take pieces.
  tl::expected<std::string, runtime::Fault> instead_of(const runtime::Decisive& rule) {
    std::vector<std::string> names = rule.instead;
    if (names.empty()) {
      const auto all = game_.notations();
      if (!all) return tl::unexpected(all.error());
      names.assign(all->begin(),
                   all->begin() + static_cast<std::ptrdiff_t>(std::min(all->size(), runtime::kMaxOfBefore)));
    }
    bool takes = !names.empty();
    for (const std::string& name : names) {
      const auto move = game_.find(name);
      if (!move) return tl::unexpected(move.error());
      const auto captures = *move ? game_.captures(**move) : tl::expected<bool, runtime::Fault>(false);
      if (!captures) return tl::unexpected(captures.error());
      takes = takes && *captures;
    }
    telling_.takes(takes);
    return fmt::format("{}", fmt::join(names, " "));
  }

  // ` (e3 carries points N)`: what the piece there may do can go by it. Nothing of what has its first value.
  [[nodiscard]] std::string carried(int cell) const {
    if (cell < 0 || position_.cells[static_cast<std::size_t>(cell)].empty()) return "";
    std::string text;
    for (const runtime::PieceValue& value : program_.piece_values) {
      const std::uint32_t code = runtime::code_on(value, position_, cell);
      if (code == value.flipped && value.type != runtime::Type::directions) continue;
      text += fmt::format("{} {} {}", text.empty() ? "" : ",", value.name,
                          runtime::text_of_code(program_, value, code));
    }
    return text.empty() ? "" : fmt::format(" ({} carries{})", telling_.name(cell), text);
  }

  // Those that go the same way the longest, step by step, if they begin on the same cell.
  static void likest(const std::vector<std::string>& notations, std::string_view asked,
                     const std::string& cell, Reasons& reasons) {
    std::vector<std::string> like;
    for (const std::string& other : notations)
      if (begins_on(other, cell)) like.push_back(other);
    if (like.empty()) return;
    reasons.beginning = cell;
    reasons.steps_in = 1;
    for (std::size_t end = step_end(asked, 0); end < asked.size(); end = step_end(asked, end)) {
      std::vector<std::string> longer;
      for (const std::string& other : like)
        if (dsl::to_lower(other).starts_with(dsl::to_lower(asked.substr(0, end))) &&
            !ends_in_number(other, asked.substr(0, end)))
          longer.push_back(other);
      if (longer.empty()) break;
      like = std::move(longer);
      if (const std::string_view beginning = asked.substr(0, end); beginning.size() > cell.size()) {
        reasons.beginning = beginning;
        ++reasons.steps_in;
      }
    }
    reasons.next = next_steps(like, reasons.beginning);
    reasons.moves = std::move(like);
  }

  // Of what isn't a move but the beginning of some.
  Answer of_beginning(std::string_view asked) {
    const auto notations = game_.notations();
    if (!notations) return tl::unexpected(notations.error());
    Reasons reasons;
    for (const std::size_t i : meant(*notations, asked))
      if (!ends_in_number((*notations)[i], asked)) reasons.moves.push_back((*notations)[i]);
    const std::size_t count = reasons.moves.size();
    reasons.part = true;
    reasons.summary = fmt::format("{} is the beginning of {} legal move{}", quotable(asked), grouped(count),
                                  count == 1 ? "" : "s");
    return reasons;
  }

  Answer of_cell(int cell) {
    const auto notations = game_.notations();
    if (!notations) return tl::unexpected(notations.error());
    runtime::Question question;
    question.from = cell;
    auto why = runtime::why(program_, position_, past_, question);
    if (!why) return tl::unexpected(why.error());
    steps_ += why->steps;
    leave_out_placements(why->stops, cell);
    leave_out_same_beginnings(why->stops, cell);
    Reasons reasons;
    const std::string name = telling_.name(cell);
    for (const std::string& notation : *notations)
      if (begins_on(notation, name)) reasons.moves.push_back(notation);
    reasons.legal = !reasons.moves.empty();
    if (reasons.legal) {
      reasons.reasons = telling_.stops(why->stops);
    } else {
      auto found = reasons_of(*why);
      if (!found) return tl::unexpected(found.error());
      reasons.reasons = std::move(*found);
    }
    const std::string stands =
        telling_.what_stands(cell, position_.cells[static_cast<std::size_t>(cell)]) + carried(cell);
    reasons.summary = reasons.legal ? fmt::format("{}, and can move", stands)
                                    : fmt::format("{}; no move begins here", stands);
    return reasons;
  }

  // The letter of the mover's piece that is called so, or drawn by such a sign; 0: there is none.
  [[nodiscard]] char letter_meant(std::string_view asked) const {
    const std::string name = words_of_name(dsl::to_lower(asked));
    const bool sign = !asked.empty() && (static_cast<unsigned char>(asked.front()) & 0x80U) != 0;
    const auto look = sign ? std::optional(interpreter::look_of(loaded_)) : std::nullopt;
    const auto mover = static_cast<std::size_t>(position_.to_move);
    for (std::size_t kind = 0; kind < program_.kinds.size(); ++kind) {
      const bool drawn = look && look->pieces[kind][mover].glyph == asked;
      if (drawn || name == words_of_name(dsl::to_lower(program_.kinds[kind].name)))
        return program_.kinds[kind].letter[mover];
    }
    return 0;
  }

  tl::expected<std::vector<Reasons>, runtime::Fault> of_letter(char letter) {
    std::vector<Reasons> all;
    const std::vector<int> cells = cells_of(program_, position_, letter);
    for (const int cell : cells) {
      if (steps_ >= runtime::kMaxWhySteps) { // no longer than one question may take
        const std::size_t left = cells.size() - all.size();
        all.push_back({fmt::format("{} more `{}` {} not been asked: name the cell", left, letter,
                                   left == 1 ? "has" : "have"),
                       false,
                       {},
                       {}});
        break;
      }
      auto answer = of_cell(cell);
      if (!answer) return tl::unexpected(answer.error());
      all.push_back(std::move(*answer));
    }
    if (all.empty()) all.push_back({fmt::format("no `{}` is on the board", letter), false, {}, {}});
    return all;
  }

  const interpreter::Loaded& loaded_;
  const Program& program_;
  runtime::Game& game_;
  runtime::Position position_;
  std::vector<runtime::Position> past_;
  Telling telling_;
  std::uint64_t steps_ = 0; // of the walker, for the cells that have been asked
};

std::string place(const interpreter::Loaded& loaded, dsl::Span span) {
  const dsl::Location at = loaded.sources.locate(span.file, span.begin);
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

// What is so, and where that comes from, further in.
std::string as_text(const Reason& reason) {
  const std::string& first = reason.plain.empty() ? reason.text : reason.plain;
  std::string text = first.empty() ? "" : fmt::format("  {}\n", printable(first));
  if (!reason.plain.empty()) text += fmt::format("      {}\n", printable(reason.text));
  if (!reason.inner.empty())
    text += fmt::format("  {}in {}\n", first.empty() ? "" : "    ", printable(reason.inner));
  return text;
}

// The rule, at its place in the file: last, for a player can do without it.
std::string rule_text(const interpreter::Loaded& loaded, const Reason& reason) {
  const char* further_in = reason.plain.empty() && reason.text.empty() ? "  " : "      ";
  return fmt::format("{}{}: {}\n", further_in, printable(place(loaded, reason.span)), printable(reason.rule));
}

std::string as_text(const interpreter::Loaded& loaded, const Reasons& found) {
  std::string text = found.summary;
  const bool by = found.legal && found.moves.empty();
  if (!found.moves.empty()) text += moves_text(found);
  if (found.ending && !found.reasons.empty())
    text += found.legal ? ", by the last of these:" : "\nthe lines of `end`:";
  else if (!found.reasons.empty())
    text += by ? ", by" : found.legal ? "\nwhat stops others:" : "\nwhat stops it:";
  text += "\n";
  for (std::size_t i = 0; i < found.reasons.size(); ++i) {
    const Reason& reason = found.reasons[i];
    text += as_text(reason);
    // Several about the same rule have it below the last of them.
    const bool more = i + 1 < found.reasons.size() && found.reasons[i + 1].span == reason.span;
    if (!more) text += rule_text(loaded, reason);
  }
  return text;
}

bool ended_without_a_move(const interpreter::Loaded& loaded, const runtime::Outcome& outcome) {
  const dsl::EndRule* line = loaded.file ? end_line_of(loaded, outcome.origin) : nullptr;
  return outcome.by == runtime::Outcome::By::no_move ||
         (line != nullptr && line->condition.form == dsl::Form::no_move);
}

} // namespace

std::string moves_text(const Reasons& found) {
  constexpr std::size_t kFew = 8; // of more moves it is told only how they go on
  const bool instead = !found.legal && !found.part;
  const bool is_whole = found.moves.size() == 1 && found.moves.front() == found.beginning;
  if (instead && !is_whole && !found.next.empty() && (found.steps_in > 1 || found.moves.size() > kFew))
    return fmt::format("; {} can go on: {}", printable(found.beginning),
                       printable(fmt::format("{}", fmt::join(found.next, " "))));
  const std::size_t shown = std::min(found.moves.size(), kMaxMoves);
  const auto end = found.moves.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string text = fmt::format("{} {}", instead ? "; there is" : ":",
                                 printable(fmt::format("{}", fmt::join(found.moves.begin(), end, " "))));
  if (shown < found.moves.size()) text += fmt::format(" and {} more", grouped(found.moves.size() - shown));
  return text;
}

tl::expected<std::vector<Reasons>, runtime::Fault> reasons_for(const interpreter::Loaded& loaded,
                                                               runtime::Game& game, std::string_view asked) {
  return Answering(loaded, game).answer(asked);
}

tl::expected<std::string, runtime::Fault> reasons_text(const interpreter::Loaded& loaded, runtime::Game& game,
                                                       std::string_view asked) {
  const auto outcome = game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) {
    std::string text = fmt::format("the game is over here: {}\n", outcome_text(loaded, **outcome));
    const bool by_line = (*outcome)->by == runtime::Outcome::By::end_line;
    // Where the game is over because no move is left one wants to know why this one isn't.
    if (!asked.empty() && !Answering::asks_for_end(asked) && ended_without_a_move(loaded, **outcome)) {
      const auto found = reasons_for(loaded, game, asked);
      if (!found) return tl::unexpected(found.error());
      for (const Reasons& reasons : *found) text += as_text(loaded, reasons);
      return text;
    }
    if (!Answering::asks_for_end(asked) || !by_line) return text;
    const auto lines = Answering(loaded, game).of_end();
    if (!lines) return tl::unexpected(lines.error());
    return text + as_text(loaded, *lines);
  }
  const auto found = reasons_for(loaded, game, asked);
  if (!found) return tl::unexpected(found.error());
  std::string text;
  for (const Reasons& reasons : *found) text += as_text(loaded, reasons);
  return text;
}

} // namespace boardwright::tools
