// The engine behind game.hpp: what it looks like to Game, Rules, perft and playouts, whatever the width of
// its sets.
#pragma once

#include "runtime/game.hpp"
#include "runtime/machine_code.hpp"
#include "runtime/perft.hpp"
#include "runtime/playout.hpp"

#include <memory>

namespace boardwright::runtime {

// How one random game went.
struct Playout {
  std::optional<Outcome> outcome; // nothing: not over after so many plies
  std::uint64_t moves = 0;        // legal moves, summed over its plies
  std::uint32_t plies = 0;
};

struct Game::Engine {
  virtual ~Engine() = default;

  [[nodiscard]] virtual const Rules& rules() const = 0;
  [[nodiscard]] virtual Position position() const = 0;
  [[nodiscard]] virtual int to_move() const = 0;
  [[nodiscard]] virtual int length() const = 0;
  [[nodiscard]] virtual std::size_t state_bytes() const = 0;

  [[nodiscard]] virtual tl::expected<std::optional<Outcome>, Fault> outcome() = 0;
  [[nodiscard]] virtual tl::expected<std::span<const Move>, Fault> moves() = 0;
  virtual void play(const Move& move) = 0;
  virtual bool undo() = 0;
  // Back to the position it was made with, forgetting the moves since.
  virtual void reset() = 0;

  [[nodiscard]] virtual tl::expected<std::string, Fault> notation(const Move& move) = 0;
  [[nodiscard]] virtual tl::expected<std::vector<std::string>, Fault> notations() = 0;

  [[nodiscard]] virtual tl::expected<PerftCount, Fault> perft(const PerftOptions& options) = 0;
  // Plays on at random from here, until the end or `max_plies` more moves; nothing of it can be taken back.
  [[nodiscard]] virtual tl::expected<Playout, Fault> playout(Random& random, std::uint32_t max_plies) = 0;
  // As `reset` and `playout` would; which position the engine is left with isn't said.
  [[nodiscard]] virtual tl::expected<Playout, Fault> sample(Random& random, std::uint32_t max_plies) = 0;
  // May random games be played by native code from now on? They are the same without.
  virtual void allow_native(bool allowed) = 0;
  // Was it native code that played the last one?
  [[nodiscard]] virtual bool is_native() const = 0;
};

namespace machine {

// What a machine of one width looks up. Made once for rules, then only read.
struct AnyTables {
  virtual ~AnyTables() = default;
  [[nodiscard]] virtual std::unique_ptr<Game::Engine> engine(std::shared_ptr<const Rules> rules,
                                                             const Position& position) const = 0;
};

// Words of 64 bits that hold a set of the board's cells, and one of its steps.
[[nodiscard]] int words_for(const Board& board);
template <int W>
[[nodiscard]] std::unique_ptr<AnyTables> make_tables(const Program& program, const Code& code);

} // namespace machine

struct Rules::Compiled {
  explicit Compiled(const Program& program);

  Program normal; // what the engines see; the judge carries out the program as it is
  machine::Code code;
  std::unique_ptr<machine::AnyTables> tables;
  std::size_t state_bytes = 0;
};

} // namespace boardwright::runtime
