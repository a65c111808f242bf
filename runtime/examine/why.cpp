#include "runtime/examine/why.hpp"

#include "runtime/examine/notation.hpp"
#include "runtime/examine/relaxed.hpp"
#include "runtime/examine/values_seen.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/observer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace boardwright::runtime {
namespace {

// How a loop goes, while it is carried out.
struct Rounds {
  std::optional<LoopEnd> ended; // how the round that was carried out last ended it
  std::vector<int> on;          // where it went on
  int here = kNowhere;          // where its last round ended
  Stack there;
  std::size_t failed_before = 0; // of the stops in rounds that are kept, those before this round
};

// Does an action join others, so that it only ends where one of them does?
bool joins(Op op) {
  switch (op) {
  case Op::sequence:
  case Op::alternatives:
  case Op::otherwise:
  case Op::if_action:
  case Op::repeat:
  case Op::most:
  case Op::distinct:
  case Op::quietly:
  case Op::by_kind_action:
  case Op::by_player_action: return true;
  default: return false;
  }
}

class Asking final : public Observer {
public:
  Asking(const Program& program, const Position& position, const Question& question)
      : program_(program), position_(position), question_(question), wanted_(bare_notation(question.move)),
        about_move_(!question.move.empty() || question.from == kNowhere),
        of_the_turn_(program.nodes.size(), false), seen_(program) {
    for (const auto& player : program.players) mark(player.turn);
  }

  void began(NodeId id) override {
    open_.push_back(id);
    if (!of_the_turn_[id]) return;
    if (program_.nodes[id].op == Op::repeat) rounds_[id] = {};
    if (const auto loop = of_body_.find(id); loop != of_body_.end()) {
      rounds_[loop->second].failed_before = failed_.size();
      ++bodies_open_;
    }
  }

  void found(const Draft& move) override {
    heard(move);
    for (const NodeId id : open_)
      if (before_.contains(id) && of_before_[id].size() < kMaxOfBefore) note_before(id, move.notation);
    if (!about_move_ || bare_notation(move.notation) != wanted_ || ways_.size() >= kMaxWays) return;
    if (ways_.empty()) note_loops();
    ways_.push_back(open_);
  }

  void acted(NodeId id, const Draft& from, bool went_on, bool /*moved*/) override {
    open_.pop_back();
    note_walk(id, from);
    if (!of_the_turn_[id]) return; // within a question or a walk, where to fail is no end
    heard(from);
    if (!went_on && !joins(program_.nodes[id].op) && bodies_open_ > 0 && failed_.size() < kMaxStops)
      failed_.push_back(stop_at(id, from));
    if (const auto loop = of_body_.find(id); loop != of_body_.end()) round(loop->second, from, went_on);
    if (went_on && (from.start == kNoCell || on_the_way(from))) went_on_.insert(id);
    if (begins_move(id, from)) not_begun(id, from);
    if (!went_on && !joins(program_.nodes[id].op) && on_the_way(from)) stop(id, from);
  }

  void asked(NodeId id, const Draft& in, const Value& value) override {
    seen_.note(id, value);
    heard(in);
    for (auto [loop, last] = of_until_.equal_range(id); loop != last; ++loop)
      if (is_open(loop->second)) asked_until(loop->second, id, in, value.number != 0);
  }

  void ended_carrying(const Draft& draft) override { carrying_ += on_the_way(draft) ? 1 : 0; }

  [[nodiscard]] Why answer() const {
    Why answer;
    answer.carrying = carrying_;
    answer.ways = ways_;
    answer.loops = loops_;
    for (const auto& [key, stop] : stops_) answer.stops.push_back(stop);
    std::stable_sort(answer.stops.begin(), answer.stops.end(), [this](const Stop& a, const Stop& b) {
      if (a.arrived != b.arrived) return a.arrived;
      if (fits(a) != fits(b)) return fits(a);
      if (is_end(a) != is_end(b)) return is_end(b); // that a loop ended is seldom why
      return a.written.size() > b.written.size();
    });
    // Where the very move was made and refused afterwards, nothing else is about it.
    const auto made = [&](const Stop& stop) {
      return stop.arrived && bare_notation(stop.written) == wanted_;
    };
    if (std::any_of(answer.stops.begin(), answer.stops.end(), made))
      std::erase_if(answer.stops, [&](const Stop& stop) { return !made(stop); });
    if (std::any_of(answer.stops.begin(), answer.stops.end(), [](const Stop& one) { return !one.ends_loop; }))
      std::erase_if(answer.stops, [&](const Stop& one) {
        // Who asks for a longer move wants to know why it ended there.
        const bool goes_on = !one.written.empty() && wanted_.size() > one.written.size() && fits(one);
        return one.ends_loop && !one.arrived && !goes_on;
      });
    drop_other_starts(answer.stops);
    if (answer.stops.size() > kMaxStops) answer.stops.resize(kMaxStops);
    answer.before = before_others();
    answer.of_before = of_before_;
    answer.astray = set_out_ && !arrived_;
    return answer;
  }

private:
  // Rules for other pieces than the one that the move begins with say nothing, where others are for it.
  void drop_other_starts(std::vector<Stop>& stops) const {
    const auto never_set_out = [&](const Stop& stop) {
      return program_.nodes[stop.action].op == Op::from && stop.from == question_.from &&
             stop.written.empty();
    };
    if (question_.from != kNowhere && !std::all_of(stops.begin(), stops.end(), never_set_out))
      std::erase_if(stops, never_set_out);
  }

  // How far did a walker come who set out from where the move begins? A walk in a question that is asked when
  // the piece has gone is about other pieces.
  void note_walk(NodeId id, const Draft& d) {
    if (question_.from == kNowhere || d.start != question_.from) return;
    set_out_ = true;
    const bool of_the_piece = of_the_turn_[id] || !d.carried.empty() || stands_still(d);
    arrived_ = arrived_ || (d.here == question_.to && of_the_piece);
  }
  [[nodiscard]] bool stands_still(const Draft& d) const {
    return d.stack(question_.from) == position_.cells[static_cast<std::size_t>(question_.from)];
  }

  void note_before(NodeId id, const std::string& notation) {
    auto& moves = of_before_[id];
    if (std::find(moves.begin(), moves.end(), notation) == moves.end()) moves.push_back(notation);
  }

  // ---- loops

  [[nodiscard]] bool is_end(const Stop& stop) const {
    return stop.ends_loop || program_.nodes[stop.action].op == Op::repeat;
  }
  [[nodiscard]] bool is_open(NodeId id) const {
    return std::find(open_.begin(), open_.end(), id) != open_.end();
  }

  // The outcome of a round is seen by whatever comes next.
  void heard(const Draft& d) {
    for (const NodeId id : waiting_) {
      rounds_[id].here = d.here;
      rounds_[id].there = d.here == kNoCell ? Stack() : d.stack(d.here);
    }
    waiting_.clear();
  }

  // A round has been carried out.
  void round(NodeId id, const Draft& from, bool went_on) {
    Rounds& rounds = rounds_[id];
    --bodies_open_;
    if (went_on) {
      waiting_.push_back(id);
      const bool until = (program_.nodes[id].a & kUntil) != 0;
      if (!until && rounds.on.size() < kMaxWentOn) rounds.on.push_back(from.here);
      if (!until) rounds.ended.reset();
    } else {
      rounds.ended = ending(id, LoopEnd::By::no_more, from);
      for (std::size_t i = rounds.failed_before; i < failed_.size(); ++i)
        if (rounds.ended->last.size() < kMaxLastStops) rounds.ended->last.push_back(failed_[i]);
    }
    failed_.resize(std::min(failed_.size(), rounds.failed_before));
  }

  void asked_until(NodeId id, NodeId condition, const Draft& in, bool holds) {
    Rounds& rounds = rounds_[id];
    rounds.ended.reset();
    if (!holds) {
      if (rounds.on.size() < kMaxWentOn) rounds.on.push_back(in.here);
      return;
    }
    rounds.ended = ending(id, LoopEnd::By::until, in);
    rounds.ended->cause = seen_.deciding(condition, false);
    if (question_.to == kNowhere || in.here == question_.to || !on_the_way(in)) return;
    Stop stop = stop_at(id, in);
    stop.cause = rounds.ended->cause;
    add(std::move(stop));
  }

  static LoopEnd ending(NodeId id, LoopEnd::By by, const Draft& d) {
    LoopEnd end;
    end.by = by;
    end.loop = id;
    end.here = d.here;
    if (d.here != kNoCell) end.there = d.stack(d.here);
    return end;
  }

  // The loops that have led to the move that is found now.
  void note_loops() {
    for (const NodeId id : open_) {
      const auto known = rounds_.find(id);
      if (known == rounds_.end()) continue;
      const Rounds& rounds = known->second;
      const Node& n = program_.nodes[id];
      LoopEnd end;
      if (rounds.ended) {
        end = *rounds.ended;
      } else {
        end.loop = id;
        end.here = rounds.here;
        end.there = rounds.there;
      }
      if ((n.a & kUnbounded) == 0) end.times = seen_.number_of(program_.kid(n, 2));
      if (end.by == LoopEnd::By::times && end.times < 2) continue;           // that is no loop
      if (end.by == LoopEnd::By::no_more && (n.a & kMaximal) == 0) continue; // it might have ended before
      end.on = rounds.on;
      loops_.push_back(std::move(end));
    }
  }
  // ---- stops

  // Is what was written the beginning of the move? Else a draft made another one.
  [[nodiscard]] bool fits(const Stop& stop) const {
    return wanted_.empty() || wanted_.starts_with(bare_notation(stop.written));
  }

  // Of each `otherwise` the alternative that had an outcome, where others stand behind it.
  [[nodiscard]] std::vector<NodeId> before_others() const {
    std::vector<NodeId> found;
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
      const Node& n = program_.nodes[id];
      if (n.op != Op::otherwise || !of_the_turn_[id]) continue;
      const auto kids = program_.kids_of(n);
      for (std::size_t i = 0; i + 1 < kids.size(); ++i)
        if (went_on_.contains(kids[i])) {
          found.push_back(kids[i]);
          break;
        }
    }
    return found;
  }

  // The actions that are carried out as part of the turn itself.
  void mark(NodeId id) {
    if (of_the_turn_[id] || !is_action(program_.nodes[id].op)) return;
    of_the_turn_[id] = true;
    if (const Node& n = program_.nodes[id]; n.op == Op::repeat) {
      of_body_.emplace(program_.kid(n, 0), id);
      if ((n.a & kUntil) != 0) of_until_.emplace(program_.kid(n, n.count - 1), id);
    }
    const auto& kids = program_.kids_of(program_.nodes[id]);
    if (program_.nodes[id].op == Op::otherwise)
      for (std::size_t i = 0; i + 1 < kids.size(); ++i) before_.insert(kids[i]);
    for (const NodeId kid : kids) mark(kid);
  }

  // Does an action choose where the move begins: `from`, or `to` and `choose` where a piece is dropped?
  [[nodiscard]] bool begins_move(NodeId id, const Draft& from) const {
    const Node& n = program_.nodes[id];
    if (n.op == Op::from) return true;
    if (from.start != kNoCell || from.here != kNoCell) return false;
    return n.op == Op::to || (n.op == Op::choose && program_.nodes[program_.kid(n, 0)].type == Type::cells);
  }

  // The cell isn't in the set that is chosen from.
  void not_begun(NodeId id, const Draft& d) {
    const NodeId set = program_.kid(program_.nodes[id], 0);
    if (question_.from == kNowhere || seen_.cells_of(set).test(question_.from)) return;
    Draft there = d;
    there.here = there.start = question_.from;
    Stop stop = stop_at(id, there);
    stop.begins = true;
    stop.seen = seen_.cells_of(set);
    stop.cause = lacking(set, question_.from);
    add(std::move(stop));
  }

  // Could the draft have become the move? Where the cells of the move are known they are what counts: a move
  // that the rules don't know has no notation of theirs.
  [[nodiscard]] bool on_the_way(const Draft& d) const {
    if (question_.from != kNowhere)
      return d.start == question_.from || (d.start == kNoCell && d.here == question_.from);
    const std::string written = bare_notation(d.notation);
    const auto length = std::min(written.size(), wanted_.size());
    return wanted_.compare(0, length, written, 0, length) == 0;
  }

  void stop(NodeId id, const Draft& d) {
    Stop stop = stop_at(id, d);
    stop.ends_loop = ends_loop(id);
    add(std::move(stop));
  }

  // Has the innermost loop that is open gone round as often as it must? Then that it doesn't go on is its
  // end.
  [[nodiscard]] bool ends_loop(NodeId id) const {
    auto loop = of_body_.find(id);
    for (auto open = open_.rbegin(); loop == of_body_.end() && open != open_.rend(); ++open)
      loop = of_body_.find(*open);
    if (loop == of_body_.end()) return false;
    const auto rounds = rounds_.find(loop->second);
    const auto least = seen_.number_of(program_.kid(program_.nodes[loop->second], 1));
    return rounds != rounds_.end() && static_cast<std::int64_t>(rounds->second.on.size()) >= least;
  }

  void add(Stop stop) {
    const auto [entry, is_new] = stops_.try_emplace({stop.action, stop.from, stop.here}, std::move(stop));
    if (!is_new) ++entry->second.times;
  }

  [[nodiscard]] Stop stop_at(NodeId id, const Draft& d) const {
    Stop stop;
    stop.action = id;
    stop.from = d.start;
    stop.here = d.here;
    stop.written = d.notation;
    if (d.here != kNoCell) stop.there = d.stack(d.here);
    stop.arrived = d.here != kNoCell && d.here == question_.to;
    const Node& n = program_.nodes[id];
    if (n.op == Op::at || n.op == Op::from) {
      stop.seen = seen_.cells_of(program_.kid(n, 0));
      if (d.here != kNoCell) stop.cause = lacking(program_.kid(n, 0), d.here);
    }
    if (n.op == Op::require) {
      stop.cause = seen_.deciding(program_.kid(n, 0), true);
      seen_.explain(stop);
    }
    return stop;
  }

  // Of an intersection the innermost part that a cell is not in.
  [[nodiscard]] NodeId lacking(NodeId id, int cell) const {
    if (program_.nodes[id].op != Op::meet) return id;
    for (const NodeId kid : program_.kids_of(program_.nodes[id]))
      if (!seen_.cells_of(kid).test(cell)) return lacking(kid, cell);
    return id;
  }

  const Program& program_;
  const Position& position_;
  const Question& question_;
  const std::string wanted_;
  const bool about_move_; // a move whose notation is empty is one, too
  std::vector<bool> of_the_turn_;
  std::map<std::tuple<NodeId, int, int>, Stop> stops_;
  ValuesSeen seen_;
  std::set<NodeId> went_on_; // actions that had an outcome, in a draft that the move may come of
  std::set<NodeId> before_;  // alternatives that others stand behind in an `otherwise`
  std::map<NodeId, std::vector<std::string>> of_before_; // and moves that came of them
  std::vector<NodeId> open_;                             // actions that have begun, and not ended
  std::vector<std::vector<NodeId>> ways_;
  std::map<NodeId, NodeId> of_body_;       // the loop whose rounds an action is
  std::multimap<NodeId, NodeId> of_until_; // loops that end by a condition
  std::map<NodeId, Rounds> rounds_;        // of loops that have begun
  std::vector<NodeId> waiting_;            // loops of which a round has just been carried out
  std::vector<Stop> failed_;               // in the rounds that are being carried out
  std::size_t bodies_open_ = 0;
  std::vector<LoopEnd> loops_;
  std::uint64_t carrying_ = 0;
  bool set_out_ = false, arrived_ = false;
};

} // namespace

bool is_on_way(const Board& board, const std::vector<int>& cells, int cell) {
  const auto place = [&](int c) {
    return std::pair(board.x[static_cast<std::size_t>(c)], board.y[static_cast<std::size_t>(c)]);
  };
  const auto [x, y] = place(cell);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == cell) return true;
    if (i == 0) continue;
    const auto [ax, ay] = place(cells[i - 1]);
    const auto [bx, by] = place(cells[i]);
    const bool in_line = (bx - ax) * (y - ay) == (by - ay) * (x - ax);
    if (in_line && std::min(ax, bx) <= x && x <= std::max(ax, bx) && std::min(ay, by) <= y &&
        y <= std::max(ay, by))
      return true;
  }
  return false;
}

tl::expected<Why, Fault> why(const Program& program, const Position& position, std::span<const Position> past,
                             const Question& question, std::uint64_t most_steps) {
  Asking asking(program, position, question);
  const Walker walker(program, most_steps, &asking);
  const auto moves = walker.derive(position, past);
  if (!moves) return tl::unexpected(moves.error());
  Why answer = asking.answer();
  answer.steps = walker.steps();
  if (answer.ways.empty() && (question.from != kNowhere || !question.move.empty())) {
    std::uint64_t left = most_steps;
    answer.decisive = decisive(program, position, past, question, answer, left);
    answer.steps += most_steps - left;
  }
  return answer;
}

} // namespace boardwright::runtime
