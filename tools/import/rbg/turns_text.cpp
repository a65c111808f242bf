#include "tools/import/rbg/turns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace boardwright::tools {

// Where the game begins with numbers and a player's turn, these are the state at first, and nothing has to
// be done before the first move.
bool RbgTurnWriter::take_start(RbgTurns& turns) const {
  const RbgAction& action = begins_.at(-1).action;
  if (action.nothing()) return true;
  if (action.join == RbgAction::Join::either) return false;
  std::map<std::string, std::string> start;
  for (const std::string& step : rbg_steps(action.text)) {
    const auto equal = step.find(" = ");
    if (!step.starts_with("set ") || equal == std::string::npos) return false;
    const std::string value = step.substr(equal + 3);
    if (!is_rbg_number(value)) return false;
    start[step.substr(4, equal - 4)] = value;
  }
  turns.start = std::move(start);
  return true;
}

// Where every player has one turn only, it needn't be told which one it is.
bool RbgTurnWriter::needs_stage() const {
  std::set<int> players;
  for (const auto& [turn, begin] : begins_)
    if (begin.reached && begin.player >= 0 && !players.insert(begin.player).second) return true;
  return !rings_.empty();
}

namespace {

// "(require stage = 3, play_3) or (require stage = 5, play_5)"
std::string by_stage(const std::string& stage, const std::vector<std::pair<int, std::string>>& cases) {
  std::vector<std::string> texts;
  for (const auto& [number, action] : cases)
    texts.push_back(fmt::format("(require {} = {}, {})", stage, number, action));
  return fmt::format("{}", fmt::join(texts, " or "));
}

} // namespace

// What the keeper does, behind what it leads to.
void RbgTurnWriter::collect_keeper(int turn, RbgTurns& turns, std::set<int>& done) {
  if (!done.insert(turn).second) return;
  const auto ring = rings_.find(turn);
  std::vector<int> members;
  for (const auto& [other, number] : rings_)
    if (ring != rings_.end() && number == ring->second) members.push_back(other);
  if (members.empty()) members.push_back(turn);
  for (const int member : members) {
    done.insert(member);
    for (const int next : begins_[member].next)
      if (keeper(next)) collect_keeper(next, turns, done);
  }
  if (ring == rings_.end()) {
    const Begin& begin = begins_[turn];
    const RbgAction end = finish();
    turns.definitions.emplace_back(
        begin.name, begin.action.never()
                        ? end.text
                        : fmt::format("quietly ({} otherwise {})", begin.action.step(), end.text));
    return;
  }
  // Any of the keeper's ways will do: of those that come about the one that ends last in board order.
  std::vector<std::pair<int, std::string>> cases;
  std::vector<std::string> inside;
  for (const int member : members) {
    cases.emplace_back(stages_[member],
                       fmt::format("({} otherwise {})", begins_[member].action.step(), finish().text));
    inside.push_back(fmt::format("{} != {}", words_.stage, stages_[member]));
  }
  const std::string name = names_.take(fmt::format("ring_{}", stages_[ring->second]));
  turns.definitions.emplace_back(
      name, fmt::format("(distinct ((most x(here) + 100 * y(here) of ({})), to here))+! until {}",
                        by_stage(words_.stage, cases), fmt::join(inside, " and ")));
  for (const int member : members)
    turns.definitions.emplace_back(
        begins_[member].name, fmt::format("quietly (set {} = {}, {})", words_.stage, stages_[member], name));
}

void RbgTurnWriter::collect(RbgTurns& turns) {
  std::set<int> done;
  for (const auto& [turn, begin] : begins_)
    if (begin.reached && turn >= 0 && begin.player < 0) collect_keeper(turn, turns, done);
  std::map<int, std::vector<std::pair<int, std::string>>> cases;
  for (const auto& [turn, begin] : begins_) {
    if (!begin.reached || begin.player < 0) continue;
    std::string body = begin.action.body();
    if (begin.needs_spot) {
      turns.uses_spot = true;
      body = rbg_chain({rbg_word("to " + words_.spot), begin.action}).body();
    }
    turns.definitions.emplace_back(begin.name, body);
    cases[begin.player].emplace_back(stages_[turn], begin.name);
  }
  for (const auto& [player, stages] : cases)
    turns.bodies.emplace_back(player,
                              stages.size() > 1 ? by_stage(words_.stage, stages) : stages.front().second);
  turns.uses_over = uses_over_;
  if (uses_over_) {
    const std::string cleared = fmt::format(", set {} = 0", words_.stage);
    turns.definitions.emplace(turns.definitions.begin(), words_.finish,
                              fmt::format("set {} = true", words_.over) + (uses_stage_ ? cleared : ""));
  }
}

tl::expected<RbgTurns, ImportFault> RbgTurnWriter::write() {
  RbgTurns turns;
  if (stages_.size() > kMostRbgTurns)
    return tl::unexpected(
        ImportFault{0, "", fmt::format("its rules have more than {} turns", kMostRbgTurns)});
  begins_[-1].name = names_.take("begin");
  std::map<int, int> numbers;
  for (auto& [turn, begin] : begins_)
    if (turn >= 0)
      begin.name = begin.player < 0
                       ? names_.take(fmt::format("keeper_{}", stages_[turn]))
                       : names_.take(fmt::format(
                             "{}_turn{}", words_.players[static_cast<std::size_t>(begin.player)],
                             ++numbers[begin.player] == 1 ? "" : fmt::format("_{}", numbers[begin.player])));
  uses_stage_ = true;
  write_all();
  find_rings();
  find_movers();
  if (fault_ || walks_.fault || !find_order()) return tl::unexpected(fault_ ? *fault_ : *walks_.fault);
  if (beginners_.empty()) return tl::unexpected(ImportFault{0, "", "nobody ever moves"});
  // Of several the first one in the file; that he can move is seen when the rules are loaded.
  for (const auto& [turn, begin] : begins_)
    if (first_player_ < 0 && begin.reached && beginners_.contains(begin.player)) first_player_ = begin.player;
  const int player = first_player_;
  uses_stage_ = needs_stage() || std::any_of(begins_.begin(), begins_.end(),
                                             [](const auto& b) { return b.second.before_first; });
  write_all();
  if (fault_ || walks_.fault) return tl::unexpected(fault_ ? *fault_ : *walks_.fault);
  std::rotate(order_.begin(), std::find(order_.begin(), order_.end(), player), order_.end());
  turns.order = order_;
  collect(turns);
  turns.uses_stage = uses_stage_;
  if (take_start(turns)) return turns;
  // Otherwise the first move begins with it.
  const Begin& start = begins_[-1];
  turns.uses_stage = true;
  const std::string from = start.needs_spot ? fmt::format("to {}, ", first_cell_) : "";
  turns.definitions.emplace_back(start.name,
                                 fmt::format("distinct (quietly ({}{}{}))", from, start.action.step(),
                                             uses_stage_ ? "" : fmt::format(", set {} = 1", words_.stage)));
  for (auto& [who, body] : turns.bodies)
    if (who == player)
      body = fmt::format("(if {} = 0 then {}), {}", words_.stage, start.name,
                         body.front() == '(' ? "(" + body + ")" : body);
  return turns;
}

} // namespace boardwright::tools
