// Tracks that are always named together and have no cell from which two of them lead on, nor one to which two
// of them lead, become one: the rings of a board, say. Each direction is code of its own, so fewer are
// faster.
//
// # Why it changes nothing
// Nobody asks along which of them he goes: they are only gone along (`go D`), or chosen and gone along at
// once (`choose d in D, go d`). From every cell at most one of them leads on. Who has chosen one stays on it:
// then none of the others may have a cell of it, or he would go on along that one where his own ends. `d`
// must not be asked for anything else, and not be gone along by whom something else has moved since he chose
// it. The new track leads where the one leads that is there.
#include "runtime/normalize/tracks.hpp"

#include "runtime/model/idioms.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/operations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace boardwright::runtime::normal {

namespace {

class Joiner {
public:
  explicit Joiner(Program& program) : program_(program) {}

  void run() {
    const std::vector<Step>& steps = program_.board.steps;
    const bool tracks = std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.track >= 0; });
    if (!tracks || !program_.board.curves.empty()) return;
    for (const Player& p : program_.players) {
      look(p.turn);
      for (const EndLine& line : p.end) {
        look(line.condition);
        for (const NodeId score : line.score) look(score);
      }
    }
    if (asks_heading_) return;
    for (const NodeId use : uses_)
      if (good_uses_.count(use) == 0) bad_slots_.insert(node(use).a);
    for (const auto& [slot, source] : chosen_)
      if (bad_slots_.count(slot) != 0) exclude(source);
    for (const std::vector<int>& group : groups()) join(group);
    for (auto& [constant, set] : changed_) {
      program_.nodes[constant].a = static_cast<std::int32_t>(program_.step_sets.size());
      program_.step_sets.push_back(set);
    }
  }

private:
  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] bool is_constant(NodeId id) const { return node(id).op == Op::directions; }
  [[nodiscard]] bool is_local(NodeId id, std::int32_t slot) const {
    return node(id).op == Op::local && node(id).a == slot;
  }

  void look(NodeId id) {
    if (id == kNoNode || !seen_.insert(id).second) return;
    const Node& n = node(id);
    asks_heading_ = asks_heading_ || n.op == Op::heading;
    if (n.op == Op::sequence) look_at_choices(id);
    for (std::uint32_t k = 0; k < n.count; ++k) {
      const NodeId kid = program_.kid(n, k);
      if (kid == kNoNode) continue;
      const bool goes = k == 0 && (n.op == Op::go || n.op == Op::choose);
      if (is_constant(kid)) constants_.insert(kid);
      if (is_constant(kid) && !goes) exclude(kid);
      if (node(kid).op == Op::local && node(kid).type == Type::directions) uses_.insert(kid);
      if (n.op == Op::choose && k == 0 && is_constant(kid)) chosen_.emplace(n.a, kid);
      look(kid);
    }
  }

  // No step of a constant may become another.
  void exclude(NodeId constant) {
    if (is_constant(constant)) excluded_ |= program_.step_sets[at(node(constant).a)];
  }

  // Directions that are chosen, and what comes behind in the same sequence.
  void look_at_choices(NodeId sequence) {
    const Node& n = node(sequence);
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const Node& choose = node(program_.kid(n, i));
      if (choose.op != Op::choose || node(program_.kid(choose, 0)).type != Type::directions) continue;
      bool moved = false;
      for (std::uint32_t k = i + 1; k < n.count; ++k) {
        Behind behind;
        follow(program_.kid(n, k), choose.a, behind);
        if ((moved || behind.moves) && !behind.goes.empty()) bad_slots_.insert(choose.a);
        good_uses_.insert(behind.goes.begin(), behind.goes.end());
        moved = moved || behind.moves;
      }
    }
  }

  struct Behind {
    std::set<NodeId> goes; // names of the direction with which one goes along it
    bool moves = false;    // in another way
  };

  // Uses that aren't met here are bad ones.
  void follow(NodeId id, std::int32_t slot, Behind& found) const {
    if (id == kNoNode || !is_action(node(id).op)) return;
    const Node& n = node(id);
    if (n.op == Op::go && is_local(program_.kid(n, 0), slot)) {
      found.goes.insert(program_.kid(n, 0));
      return;
    }
    for (const Op op : {Op::go, Op::bend, Op::from, Op::to}) found.moves = found.moves || n.op == op;
    for (std::uint32_t k = 0; k < n.count; ++k) follow(program_.kid(n, k), slot, found);
  }

  // By track: its steps, forth and back, or -1.
  [[nodiscard]] std::vector<std::pair<int, int>> steps_of_tracks() const {
    std::vector<std::pair<int, int>> steps(program_.board.tracks.size(), {-1, -1});
    for (std::size_t s = 0; s < program_.board.steps.size(); ++s) {
      const Step& step = program_.board.steps[s];
      if (step.track < 0) continue;
      (step.reversed ? steps[at(step.track)].second : steps[at(step.track)].first) = static_cast<int>(s);
    }
    return steps;
  }

  [[nodiscard]] std::vector<NodeId> constants_with(int step) const {
    std::vector<NodeId> all;
    for (const NodeId c : constants_)
      if (step >= 0 && program_.step_sets[at(node(c).a)].test(step)) all.push_back(c);
    return all;
  }

  // No cell from which both lead on, and none to which both lead.
  [[nodiscard]] bool apart(int a, int b) const {
    if (a < 0 || b < 0) return a < 0 && b < 0;
    const auto &one = program_.board.steps[at(a)].to, &other = program_.board.steps[at(b)].to;
    std::set<std::int16_t> ends(one.begin(), one.end());
    for (std::size_t c = 0; c < one.size(); ++c)
      if (other[c] != kNowhere && (one[c] != kNowhere || ends.count(other[c]) != 0)) return false;
    return true;
  }

  // Is a step among directions that somebody chooses from?
  [[nodiscard]] bool is_chosen(int step) const {
    return step >= 0 && std::any_of(chosen_.begin(), chosen_.end(), [&](const auto& choice) {
             return program_.step_sets[at(node(choice.second).a)].test(step);
           });
  }

  // No cell that both lead from or to.
  [[nodiscard]] bool share_nothing(int a, int b) const {
    const auto cells_of = [&](int step) {
      CellSet cells;
      if (step < 0) return cells;
      const auto& to = program_.board.steps[at(step)].to;
      for (std::size_t c = 0; c < to.size(); ++c)
        if (to[c] != kNowhere) cells.set(static_cast<int>(c)), cells.set(to[c]);
      return cells;
    };
    return (cells_of(a) & cells_of(b)).none();
  }

  // May two steps be one?
  [[nodiscard]] bool may_join(int a, int b) const {
    return apart(a, b) && ((!is_chosen(a) && !is_chosen(b)) || share_nothing(a, b));
  }

  // Tracks that become one: two at least.
  [[nodiscard]] std::vector<std::vector<int>> groups() const {
    const auto steps = steps_of_tracks();
    std::map<std::pair<std::vector<NodeId>, std::vector<NodeId>>, std::vector<std::vector<int>>> by_use;
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const auto [forth, back] = steps[t];
      if ((forth >= 0 && excluded_.test(forth)) || (back >= 0 && excluded_.test(back))) continue;
      const auto named = std::pair(constants_with(forth), constants_with(back));
      if (named.first.empty() && named.second.empty()) continue;
      auto& known = by_use[named];
      const auto fits = [&, f = forth, b = back](const std::vector<int>& group) {
        return std::all_of(group.begin(), group.end(), [&](int other) {
          return may_join(steps[at(other)].first, f) && may_join(steps[at(other)].second, b);
        });
      };
      const auto group = std::find_if(known.begin(), known.end(), fits);
      if (group == known.end())
        known.push_back({static_cast<int>(t)});
      else
        group->push_back(static_cast<int>(t));
    }
    std::vector<std::vector<int>> result;
    for (const auto& [named, all] : by_use)
      for (const auto& group : all)
        if (group.size() > 1) result.push_back(group);
    return result;
  }

  void join(const std::vector<int>& group) {
    Board& board = program_.board;
    if (board.steps.size() + 2 > at(kMaxSteps)) return;
    const auto steps = steps_of_tracks();
    const int track = static_cast<int>(board.tracks.size());
    std::string name;
    for (const int t : group) name += (name.empty() ? "" : "|") + board.tracks[at(t)];
    board.tracks.push_back(name);
    for (const bool reversed : {false, true}) {
      Step joined;
      joined.track = track;
      joined.reversed = reversed;
      joined.to.assign(at(board.cells), kNowhere);
      StepSet gone;
      for (const int t : group) {
        const int s = reversed ? steps[at(t)].second : steps[at(t)].first;
        if (s < 0) continue;
        gone.set(s);
        for (std::size_t c = 0; c < joined.to.size(); ++c)
          if (const std::int16_t to = board.steps[at(s)].to[c]; to != kNowhere) joined.to[c] = to;
      }
      if (gone.none()) continue;
      const int index = static_cast<int>(board.steps.size());
      board.steps.push_back(std::move(joined));
      for (const NodeId c : constants_) {
        const auto known = changed_.find(c);
        StepSet set = known != changed_.end() ? known->second : program_.step_sets[at(node(c).a)];
        if ((set & gone).none()) continue;
        set = set - gone;
        set.set(index);
        changed_[c] = set;
      }
    }
  }

  Program& program_;
  std::set<NodeId> seen_, constants_, uses_, good_uses_;
  std::multimap<std::int32_t, NodeId> chosen_; // by slot: the directions
  std::set<std::int32_t> bad_slots_;
  StepSet excluded_;
  bool asks_heading_ = false;
  std::map<NodeId, StepSet> changed_; // by constant
};

} // namespace

void join_tracks(Program& program) {
  if (is_on(Idiom::one_track)) Joiner(program).run();
}

} // namespace boardwright::runtime::normal
