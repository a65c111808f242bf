// The positions of a game since its beginning, and what is known of each.
#pragma once

#include "runtime/game/compiled.hpp"
#include "runtime/game/game.hpp"
#include "runtime/model/capture.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::runtime {

// Numbers for positions that no other position of any game in this process has. A game takes many at a time.
class Stamps {
public:
  Stamps() = default;
  Stamps(const Stamps&) {} // a copy takes its own
  Stamps& operator=(const Stamps&) { return next_ = end_ = 0, *this; }
  [[nodiscard]] std::uint64_t next();

private:
  std::uint64_t next_ = 0, end_ = 0;
};

class Game::Line {
public:
  Line(std::shared_ptr<const Rules> rules, const Position& position); // not null: see Rules::or_none
  Line(const Line& other);
  Line& operator=(const Line&) = delete;

  // Judges the position as far as it isn't known yet. `list` also makes the list of moves.
  [[nodiscard]] std::optional<Fault> judge();
  [[nodiscard]] std::optional<Fault> list(const executor::Limits* limits);
  // Makes sure that the engine has the move. A fault if the move is of another position.
  [[nodiscard]] std::optional<Fault> find(std::uint64_t stamp, std::uint32_t index);
  [[nodiscard]] std::optional<Fault> play(std::uint32_t index);
  [[nodiscard]] bool skip_turn();
  [[nodiscard]] bool undo();
  // The moves that capture; false: a limit came first.
  [[nodiscard]] tl::expected<bool, Fault> captures(const std::vector<std::int32_t>& worth,
                                                   std::vector<Capture>& into, const ListLimits& limits);
  [[nodiscard]] tl::expected<std::uint64_t, Fault> label(std::uint32_t index);
  // Which moves of the complete list capture.
  [[nodiscard]] std::optional<Fault> sort_out(const executor::Limits* limits, bool& complete);
  // The engine has been used for something else: its list is gone.
  void forget_list() { now().in_engine = false; }

  struct Node { // a position
    std::uint64_t stamp = 0;
    bool judged = false, listed = false; // what is known: the outcome; the whole list
    bool in_engine = false;              // the engine has the list, or its beginning
    std::optional<Outcome> outcome;
    std::uint64_t moves = 0;    // that have been listed
    std::uint64_t steps = 0;    // that it took to list them all
    std::vector<bool> captures; // by move, as far as known
    std::optional<bool> chance; // is it nature's move? Where that isn't known from the stage of the turn
    std::uint32_t played = 0;   // of a position behind us: the move that was played
  };
  [[nodiscard]] Node& now() { return nodes_.back(); }
  [[nodiscard]] const Node& now() const { return nodes_.back(); }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] Position position() const;
  [[nodiscard]] bool playable() const { return engine_ != nullptr; }
  // Only where the rules have no problem; a move that has been found is a sign of it.
  [[nodiscard]] executor::Engine& engine() { return *engine_; }
  [[nodiscard]] const executor::Engine& engine() const { return *engine_; }
  [[nodiscard]] const Rules& rules() const { return *rules_; }
  // For what plays on from where a game is; null where its rules have a problem.
  [[nodiscard]] friend const executor::Engine* engine_of(const Game& game) { return of(game).engine_.get(); }
  // for_search.hpp
  [[nodiscard]] friend tl::expected<bool, Fault> captures_in(Game& game,
                                                             const std::vector<std::int32_t>& worth,
                                                             std::vector<Capture>& into,
                                                             const ListLimits& limits) {
    return of(game).captures(worth, into, limits);
  }
  // inspect.hpp
  [[nodiscard]] friend tl::expected<std::uint64_t, Fault> label_in(Game& game, std::uint32_t move) {
    return of(game).label(move);
  }

  [[nodiscard]] friend bool skip_turn_in(Game& game) { return of(game).skip_turn(); }

private:
  [[nodiscard]] static Line& of(const Game& game) { return game.line(); }
  [[nodiscard]] std::optional<Fault> problem() const;
  void learn(const executor::Judgement& judgement);
  void come_to(std::uint32_t by, const std::optional<Outcome>& outcome);
  void judge_at_once();
  void limit_memory();

  std::shared_ptr<const Rules> rules_;
  std::unique_ptr<executor::Engine> engine_; // null for rules with a problem
  std::vector<Node> nodes_;                  // the last one is the present
  Position begin_;
  Stamps stamps_;
  std::size_t kept_bytes_ = 0; // of lists behind us
  std::size_t first_kept_ = 0; // the first position that may have one
};

[[nodiscard]] const executor::Engine* engine_of(const Game& game);
[[nodiscard]] tl::expected<bool, Fault> captures_in(Game& game, const std::vector<std::int32_t>& worth,
                                                    std::vector<Capture>& into, const ListLimits& limits);
[[nodiscard]] tl::expected<std::uint64_t, Fault> label_in(Game& game, std::uint32_t move);
[[nodiscard]] bool skip_turn_in(Game& game);

} // namespace boardwright::runtime
