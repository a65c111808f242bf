#include "tools/engines/followed_game.hpp"

#include "interpreter/notation/fen.hpp"
#include "tools/games/past_move.hpp"
#include "tools/games/position_json.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::Position;

bool same(const Position& a, const Position& b) {
  return a.same_as(b) && a.ply == b.ply && a.turns == b.turns;
}

} // namespace

void FollowedGame::forget() {
  first_.reset();
  keys_.clear();
  ends_.clear();
  begin_.clear(), moves_.clear(), position_.clear();
  told_ = false;
}

void FollowedGame::begin_with(const Game& begin) {
  const runtime::Program& program = begin.rules().program();
  const Position position = begin.position();
  first_ = position;
  position_ = position_line(program, position);
  if (position_ == position_line(program, program.initial)) {
    position_.clear();
    begin_ = "position startpos";
    return;
  }
  const bool as_others = protocol_ == Protocol::uci || protocol_ == Protocol::xboard;
  const auto common = interpreter::write_common_fen(program, position);
  const auto sfen = interpreter::write_sfen(program, position);
  if (as_others && common) position_ = *common;
  if (protocol_ == Protocol::usi && sfen) position_ = *sfen;
  begin_ = (protocol_ == Protocol::usi && sfen ? "position sfen " : "position fen ") + position_;
}

std::vector<std::string> FollowedGame::moves() const {
  std::vector<std::string> words = words_of(moves_);
  if (!words.empty()) words.erase(words.begin()); // `moves`
  return words;
}

tl::expected<bool, Fault> FollowedGame::follow(const Game& game) {
  std::vector<std::uint64_t> keys{game.key()};
  Game begin = game;
  while (begin.undo()) keys.push_back(begin.key());
  std::reverse(keys.begin(), keys.end());
  if (!first_ || !same(*first_, begin.position())) {
    forget();
    begin_with(begin);
    keys_ = {keys.front()};
  }
  const auto parts = std::mismatch(keys_.begin(), keys_.end(), keys.begin(), keys.end());
  const auto known = static_cast<std::size_t>(parts.first - keys_.begin()); // positions that both have
  const bool goes_on = told_ && known == keys_.size();
  const std::size_t kept = std::max<std::size_t>(known, 1) - 1; // moves
  ends_.resize(kept);
  moves_.resize(ends_.empty() ? 0 : ends_.back());

  Game walking = game;
  std::vector<Position> after; // the last one first
  for (std::size_t i = keys.size() - 1; i > kept; --i) {
    after.push_back(walking.position());
    walking.undo();
  }
  keys_.resize(kept + 1);
  for (; !after.empty(); after.pop_back()) {
    const auto move = move_to(walking, after.back());
    if (!move) return tl::unexpected(move.error());
    if (!*move) return tl::unexpected(Fault{"a move of the game's past isn't found again", 0});
    const auto word = protocol_move(walking, **move, protocol_);
    if (!word) return tl::unexpected(word.error());
    if (const auto played = walking.play(**move); !played) return tl::unexpected(played.error());
    moves_ += (moves_.empty() ? " moves " : " ") + *word;
    ends_.push_back(moves_.size());
    keys_.push_back(keys[keys_.size()]);
  }
  told_ = true;
  return goes_on;
}

} // namespace boardwright::tools
