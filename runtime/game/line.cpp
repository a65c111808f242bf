#include "runtime/game/line.hpp"

#include "runtime/game/for_search.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace boardwright::runtime {

namespace {

// Lists of earlier positions are kept for moves that are taken back, up to so many bytes; what is gone is
// made again when it is asked for. A search of a hundred plies needs no more; a long game played through
// would take all memory.
constexpr std::size_t kMostListBytes = std::size_t{16} << 20;

Fault stale() { return {"this move is of another position", 0}; }

} // namespace

std::uint64_t Stamps::next() {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 24;
  static std::atomic<std::uint64_t> blocks = 1; // 0 is no position's
  if (next_ == end_) {
    next_ = blocks.fetch_add(kBlock, std::memory_order_relaxed);
    end_ = next_ + kBlock;
  }
  return next_++;
}

Game::Line::Line(std::shared_ptr<const Rules> rules, const Position& position)
    : rules_(std::move(rules)), nodes_(1), begin_(position) {
  now().stamp = stamps_.next();
  if (problem()) return;
  engine_ = rules_->compiled().tables->engine();
  engine_->keep_history();
  engine_->load(position);
  judge_at_once();
}

Game::Line::Line(const Line& other)
    : rules_(other.rules_), engine_(other.engine_ ? other.engine_->clone() : nullptr), nodes_(other.nodes_),
      begin_(other.begin_), first_kept_(nodes_.size() - 1) {
  for (Node& node : nodes_) node.in_engine = false;
}

std::optional<Fault> Game::Line::problem() const {
  if (rules_->is_playable()) return std::nullopt;
  return Fault{rules_->problem(), 0};
}

Position Game::Line::position() const { return engine_ ? engine_->position() : begin_; }

void Game::Line::learn(const executor::Judgement& judgement) {
  if (!judgement.complete) return;
  now().judged = true;
  now().outcome = judgement.outcome;
}

std::optional<Fault> Game::Line::judge() {
  if (now().judged) return std::nullopt;
  if (auto fault = problem()) return fault;
  now().in_engine = false;
  auto judged = engine_->judge(executor::Purpose::any);
  if (!judged) return std::move(judged.error());
  if (!judged->complete) return Fault{"stopped", 0}; // whoever asked has given up
  learn(*judged);
  return std::nullopt;
}

// Players can be put out by the lines of `end` when a position comes about: that is part of it. What goes
// wrong there goes wrong again when the outcome is asked for.
void Game::Line::judge_at_once() {
  if (rules_->compiled().puts_out) (void)judge();
}

// A list that is cut short ends before those lines of `end` that are asked behind it: whether one of them
// decides is then asked apart, by fewer moves, and the list made again.
std::optional<Fault> Game::Line::list(const executor::Limits* limits) {
  Node& node = now();
  if (node.listed) return std::nullopt;
  if (auto fault = problem()) return fault;
  node.in_engine = false;
  auto judged = engine_->judge(executor::Purpose::list, limits);
  if (!judged) return std::move(judged.error());
  if (!judged->complete && !node.judged && limits != nullptr && judged->moves >= limits->most_moves) {
    if (auto fault = judge()) return fault;
    judged = engine_->judge(executor::Purpose::list, limits);
    if (!judged) return std::move(judged.error());
    if (node.outcome) judged = executor::Judgement{node.outcome, 0, true};
  }
  learn(*judged);
  node.in_engine = true;
  node.listed = judged->complete;
  node.moves = judged->outcome ? 0 : judged->moves;
  node.steps = engine_->steps();
  return std::nullopt;
}

// The move may have been listed by a copy, or before the list went.
std::optional<Fault> Game::Line::find(std::uint64_t stamp, std::uint32_t index) {
  Node& node = now();
  if (stamp != node.stamp) return stale();
  if (!node.in_engine || (index >= node.moves && !node.listed)) {
    node.listed = false;
    if (auto fault = list(nullptr)) return fault;
  }
  if (index >= node.moves) return stale();
  return std::nullopt;
}

std::optional<Fault> Game::Line::play(std::uint32_t index) {
  auto played = engine_->play_listed(index);
  if (!played) return std::move(played.error());
  come_to(index, *played);
  return std::nullopt;
}

bool Game::Line::skip_turn() {
  if (judge() || now().outcome) return false;
  engine_->skip_turn();
  come_to(0, std::nullopt);
  return true;
}

void Game::Line::come_to(std::uint32_t by, const std::optional<Outcome>& outcome) {
  const std::size_t ply = nodes_.size() - 1;
  kept_bytes_ += engine_->list_bytes(ply);
  nodes_[ply].played = by;
  Node& node = nodes_.emplace_back();
  node.stamp = stamps_.next();
  node.judged = outcome.has_value();
  node.outcome = outcome;
  judge_at_once();
  limit_memory();
}

void Game::Line::limit_memory() {
  while (kept_bytes_ > kMostListBytes && first_kept_ + 1 < nodes_.size()) {
    kept_bytes_ -= engine_->list_bytes(first_kept_);
    engine_->forget_list(first_kept_);
    nodes_[first_kept_++].in_engine = false;
  }
}

bool Game::Line::undo() {
  if (!engine_ || !engine_->undo()) return false;
  nodes_.pop_back();
  const std::size_t ply = nodes_.size() - 1;
  if (ply >= first_kept_)
    kept_bytes_ -= engine_->list_bytes(ply);
  else
    first_kept_ = ply;
  return true;
}

std::optional<Fault> Game::Line::sort_out(const executor::Limits* limits, bool& complete) {
  if (auto fault = list(limits)) return fault;
  Node& node = now();
  complete = node.listed;
  if (node.captures.size() >= node.moves) return std::nullopt;
  if (auto fault = find(node.stamp, 0)) return fault;
  const std::size_t from = node.captures.size();
  std::vector<Capture> found;
  const auto end = engine_->find_captures(from, nullptr, found, limits);
  if (!end) return end.error();
  complete = complete && *end >= node.moves;
  node.captures.resize(std::min<std::size_t>(*end, node.moves), false);
  for (const Capture& capture : found) node.captures[capture.move] = true;
  return std::nullopt;
}

tl::expected<bool, Fault> Game::Line::captures(const std::vector<std::int32_t>& worth,
                                               std::vector<Capture>& into, const ListLimits& limits) {
  const executor::Limits inner{limits.stop, limits.deadline, limits.most_moves, limits.most_bytes};
  if (auto fault = list(&inner)) return tl::unexpected(std::move(*fault));
  if (now().moves == 0) return now().listed;
  if (auto fault = find(now().stamp, 0)) return tl::unexpected(std::move(*fault));
  const auto end = engine_->find_captures(0, worth.data(), into, &inner);
  if (!end) return tl::unexpected(end.error());
  return now().listed && *end >= now().moves;
}

tl::expected<std::uint64_t, Fault> Game::Line::label(std::uint32_t index) {
  if (auto fault = list(nullptr)) return tl::unexpected(std::move(*fault));
  if (auto fault = find(now().stamp, index)) return tl::unexpected(std::move(*fault));
  return engine_->label(index);
}

tl::expected<bool, Fault> append_captures(Game& game, const std::vector<std::int32_t>& worth,
                                          std::vector<Capture>& into, const ListLimits& limits) {
  return captures_in(game, worth, into, limits);
}

bool skip_turn(Game& game) { return skip_turn_in(game); }

} // namespace boardwright::runtime
