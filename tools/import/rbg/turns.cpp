#include "tools/import/rbg/turns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace boardwright::tools {

RbgTurnWriter::RbgTurnWriter(const RbgGame& game, RbgWalks& walks, const RbgWords& words, RbgNames& names,
                             std::string first_cell)
    : game_(game), walks_(walks), words_(words), names_(names), first_cell_(std::move(first_cell)),
      parents_(game.nodes.size(), -1) {
  begins_[-1] = {};
  for (std::size_t n = 0; n < game.nodes.size(); ++n) {
    const RbgNode& node = game.nodes[n];
    // Only parts with turns have one place; others may be shared.
    for (const int child : node.children) parents_[static_cast<std::size_t>(child)] = static_cast<int>(n);
    if (node.what != RbgWhat::turn_to) continue;
    begins_[static_cast<int>(n)].player = node.index;
    stages_[static_cast<int>(n)] = static_cast<int>(stages_.size()) + 1;
  }
}

void RbgTurnWriter::fail(int line, std::string message) {
  if (!fault_) fault_ = ImportFault{line, "", std::move(message)};
}

RbgTurnWriter::Flow RbgTurnWriter::flow(int node, const RbgWalker& walker) {
  const RbgNode& what = at(node);
  Flow made{{}, rbg_never(), walker};
  if (!what.has_turns) {
    made.through = walks_.of(node, made.after);
    return made;
  }
  switch (what.what) {
  case RbgWhat::turn_to: return {rbg_never(), arrive(node, walker), walker};
  case RbgWhat::sequence: return flow_sequence(what, walker);
  case RbgWhat::star: return flow_star(what, walker);
  default: return flow_sum(what, walker);
  }
}

namespace {

// A rule that is longer isn't read (dsl/README.md, limits), and to make it longer still takes its time.
constexpr std::size_t kMostRuleText = 65'536;

} // namespace

// Through one part after the other; each may end at a turn instead.
RbgAction RbgTurnWriter::folded(const Flows& parts, RbgAction last) {
  for (std::size_t i = parts.through.size(); i-- > 0;) {
    last = rbg_either({parts.stop[i], rbg_chain({parts.through[i], last})});
    if (last.text.size() <= kMostRuleText) continue;
    fail(0, "what is done between two of its turns is too much for a rule");
    return rbg_never();
  }
  return last;
}

// Neighbours without turns are one walk.
RbgTurnWriter::Flows RbgTurnWriter::flows(const std::vector<int>& nodes, const RbgWalker& walker) {
  Flows made{{}, {}, walker};
  for (std::size_t i = 0; i < nodes.size();) {
    Flow part{{}, rbg_never(), made.after};
    std::vector<int> plain;
    while (i < nodes.size() && !at(nodes[i]).has_turns) plain.push_back(nodes[i++]);
    if (plain.empty())
      part = flow(nodes[i++], made.after);
    else
      part.through = walks_.of_all(plain, part.after);
    made.through.push_back(part.through);
    made.stop.push_back(part.stop);
    made.after = part.after;
    if (part.through.never()) break;
  }
  return made;
}

RbgTurnWriter::Flow RbgTurnWriter::flow_sequence(const RbgNode& node, const RbgWalker& walker) {
  const Flows made = flows(node.children, walker);
  return {rbg_chain(made.through), folded(made, rbg_never()), made.after};
}

RbgTurnWriter::Flow RbgTurnWriter::flow_sum(const RbgNode& node, const RbgWalker& walker) {
  const auto marks = walker.tells ? walks_.marks(node) : std::vector<RbgAction>(node.children.size());
  std::vector<RbgAction> through, stop;
  std::optional<RbgWalker> after;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    RbgWalker inner = walker;
    if (!marks[i].nothing()) inner.first = false;
    const Flow part = flow(node.children[i], inner);
    through.push_back(rbg_chain({marks[i], part.through}));
    stop.push_back(rbg_chain({marks[i], part.stop}));
    if (!part.through.never()) after = after ? after->joined(part.after) : part.after;
  }
  return {rbg_either(through), rbg_either(stop), after.value_or(walker)};
}

RbgTurnWriter::Flow RbgTurnWriter::flow_star(const RbgNode& node, const RbgWalker& walker) {
  Flow body = flow(node.children.front(), walker);
  RbgWalker both = walker;
  if (!body.through.never()) {
    both = walker.joined(body.after);
    if (both != walker) body = flow(node.children.front(), both);
  }
  RbgAction rounds;
  if (!body.through.never() && !body.through.nothing()) rounds = rbg_word(body.through.step() + "*");
  return {rounds, rbg_chain({rounds, body.stop}), both};
}

// From behind a node to the next turns.
RbgAction RbgTurnWriter::rest(int node, const RbgWalker& walker) {
  const int parent = parents_[static_cast<std::size_t>(node)];
  if (parent < 0) return rbg_never();
  const RbgNode& what = at(parent);
  if (what.what == RbgWhat::sum) return rest(parent, walker);
  if (what.what == RbgWhat::star) {
    const Flow again = flow_star(what, walker);
    // What stops in the body comes behind its rounds already.
    return rbg_either({again.stop, rbg_chain({again.through, rest(parent, again.after)})});
  }
  const auto place = std::find(what.children.begin(), what.children.end(), node);
  const Flows others = flows({place + 1, what.children.end()}, walker);
  const bool passes = std::none_of(others.through.begin(), others.through.end(),
                                   [](const RbgAction& part) { return part.never(); });
  return folded(others, passes ? rest(parent, others.after) : rbg_never());
}

RbgAction RbgTurnWriter::finish() {
  uses_over_ = true;
  return rbg_word(words_.finish);
}

// The end of what a player or the keeper does: whoever comes next, and what he needs to know.
RbgAction RbgTurnWriter::arrive(int turn, RbgWalker walker) {
  Begin& begin = begins_[turn];
  begins_[now_].next.insert(turn);
  std::vector<RbgAction> parts{walks_.tell(walker)};
  if (walker.tells && walker.first) parts.push_back(rbg_word("say \"pass\""));
  // `->> {}`: the keeper can do nothing, so the game is over.
  if (begin.dead) {
    parts.push_back(finish());
    return rbg_chain(parts);
  }
  if (begin.needs_spot) walks_.need(walker);
  const auto ring = rings_.find(turn), mine = rings_.find(now_);
  const bool leaves_to_ring = mine != rings_.end();
  if (keeper(turn)) {
    if (leaves_to_ring && ring != rings_.end() && ring->second == mine->second)
      parts.push_back(rbg_word(fmt::format("set {} = {}", words_.stage, stages_[turn])));
    else
      parts.push_back(rbg_word(begin.name));
    return rbg_chain(parts);
  }
  if (now_ < 0 && first_player_ >= 0 && begin.player != first_player_) return rbg_never();
  const std::set<int>& movers = begins_[now_].movers;
  if (game_.players.size() > 1 && movers.contains(begin.player)) {
    std::vector<std::string> asked;
    if (movers.size() > 1)
      asked.push_back(fmt::format("me = {}", words_.players[static_cast<std::size_t>(begin.player)]));
    // What comes before the first move is no turn after which there is another.
    if (begins_[now_].before_first) asked.push_back(fmt::format("{} != 0", words_.stage));
    parts.push_back(
        rbg_word(asked.empty() ? "again" : fmt::format("(if {} then again)", fmt::join(asked, " and "))));
  }
  if (uses_stage_) parts.push_back(rbg_word(fmt::format("set {} = {}", words_.stage, stages_[turn])));
  if (begin.needs_spot) parts.push_back(rbg_word(fmt::format("set {} = here", words_.spot)));
  return rbg_chain(parts);
}

void RbgTurnWriter::write_from(int turn) {
  now_ = turn;
  Begin& begin = begins_[turn];
  begin.next.clear();
  RbgWalker walker;
  walker.tells = turn >= 0 && begin.player >= 0;
  walker.here = begin.needs_spot;
  walks_.needs_here = false;
  begin.action = turn < 0 ? flow(game_.rules, walker).stop : rest(turn, walker);
  begin.dead = turn >= 0 && begin.player < 0 && begin.action.never();
  if (walks_.needs_here) begin.needs_spot = true;
}

// Again and again, until it is known of all turns whether they go on from a certain cell.
void RbgTurnWriter::write_all() {
  for (bool settled = false; !settled && !fault_ && !walks_.fault;) {
    settled = true;
    for (auto& [turn, begin] : begins_) begin.reached = false;
    begins_[-1].reached = true;
    std::vector<int> waiting{-1};
    while (!waiting.empty() && !walks_.fault) {
      const int turn = waiting.back();
      waiting.pop_back();
      const bool needed = begins_[turn].needs_spot;
      write_from(turn);
      settled = settled && needed == begins_[turn].needs_spot;
      for (const int next : begins_[turn].next) {
        if (begins_[next].reached) continue;
        begins_[next].reached = true;
        waiting.push_back(next);
      }
    }
  }
}

// Who may be to move while the keeper is at a turn.
void RbgTurnWriter::find_movers() {
  for (auto& [turn, begin] : begins_) begin.movers.clear();
  std::vector<int> first(begins_[-1].next.begin(), begins_[-1].next.end());
  std::set<int> beginners;
  while (!first.empty()) {
    Begin& begin = begins_[first.back()];
    first.pop_back();
    if (begin.player >= 0) beginners.insert(begin.player);
    if (begin.player >= 0 || begin.before_first) continue;
    begin.before_first = true;
    first.insert(first.end(), begin.next.begin(), begin.next.end());
  }
  beginners_ = beginners;
  for (auto& [turn, begin] : begins_) {
    if (!begin.reached || begin.player < 0) continue;
    std::vector<int> waiting{turn};
    while (!waiting.empty()) {
      Begin& at_turn = begins_[waiting.back()];
      waiting.pop_back();
      if (!at_turn.movers.insert(begin.player).second) continue;
      for (const int next : at_turn.next)
        if (keeper(next)) waiting.push_back(next);
    }
  }
}

// Keeper's turns that lead to themselves become repetitions.
void RbgTurnWriter::find_rings() {
  std::map<int, std::set<int>> reach;
  for (const auto& [turn, begin] : begins_) {
    if (!begin.reached || begin.player >= 0 || turn < 0) continue;
    std::vector<int> waiting(begin.next.begin(), begin.next.end());
    while (!waiting.empty()) {
      const int next = waiting.back();
      waiting.pop_back();
      if (!keeper(next) || !reach[turn].insert(next).second) continue;
      waiting.insert(waiting.end(), begins_[next].next.begin(), begins_[next].next.end());
    }
  }
  for (const auto& [turn, reached] : reach)
    for (const int other : reached)
      if (reach[other].contains(turn)) rings_[turn] = rings_.contains(other) ? rings_[other] : turn;
  for (auto& [turn, ring] : rings_) begins_[turn].needs_spot = true;
}

// Of more than two players each has to have one who comes after him.
bool RbgTurnWriter::find_order() {
  std::map<int, int> next;
  const auto count = static_cast<int>(game_.players.size());
  for (const auto& [turn, begin] : begins_) {
    if (!begin.reached || begin.player < 0) continue;
    std::set<int> seen;
    std::vector<int> waiting(begin.next.begin(), begin.next.end());
    while (!waiting.empty()) {
      const int to = waiting.back();
      waiting.pop_back();
      if (!seen.insert(to).second) continue;
      if (keeper(to)) {
        waiting.insert(waiting.end(), begins_[to].next.begin(), begins_[to].next.end());
        continue;
      }
      const int player = begins_[to].player;
      if (player == begin.player || count < 3) continue;
      const auto [known, is_new] = next.emplace(begin.player, player);
      if (!is_new && known->second != player)
        return fail(at(to).line, fmt::format("after `{}` it may be the turn of `{}` or `{}`, and a rule file "
                                             "has one order of players",
                                             game_.players[static_cast<std::size_t>(begin.player)].name,
                                             game_.players[static_cast<std::size_t>(known->second)].name,
                                             game_.players[static_cast<std::size_t>(player)].name)),
               false;
    }
  }
  order_.clear();
  std::vector<bool> there(game_.players.size(), false);
  for (int player = 0; !there[static_cast<std::size_t>(player)];) {
    there[static_cast<std::size_t>(player)] = true;
    order_.push_back(player);
    if (const auto found = next.find(player); found != next.end()) player = found->second;
  }
  for (int player = 0; player < count; ++player)
    if (!there[static_cast<std::size_t>(player)]) order_.push_back(player);
  for (std::size_t i = 0; i < order_.size() && count > 2; ++i)
    if (const auto found = next.find(order_[i]);
        found != next.end() && found->second != order_[(i + 1) % order_.size()])
      return fail(0, "its players don't follow one another in one order"), false;
  return true;
}

} // namespace boardwright::tools
