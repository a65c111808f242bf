// What a game asks of its executor, whatever the width of its sets.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/model/random.hpp"
#include "runtime/position.hpp"
#include "runtime/program.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::runtime::executor {

// What becomes of the moves that are found.
enum class Purpose : std::uint8_t {
  any,   // is there one?
  count, // how many
  list,  // all of them
  pick,  // one of them at random, which is played, and so on to the end of the game
};

struct Playout {
  std::optional<Outcome> outcome; // none: cut off
  std::uint32_t plies = 0;
  std::uint64_t moves = 0; // legal moves, summed over all plies
};

// How a position stands, and how many moves it has.
struct Judgement {
  std::optional<Outcome> outcome;
  std::uint64_t moves = 0; // for Purpose::any 0 or 1
};

// The choices that make a move.
using Script = std::vector<std::int32_t>;

class Engine {
public:
  virtual ~Engine() = default;

  virtual void load(const Position& position) = 0;
  [[nodiscard]] virtual Position position() const = 0;
  [[nodiscard]] virtual int to_move() const = 0;
  [[nodiscard]] virtual int length() const = 0;
  [[nodiscard]] virtual std::size_t state_bytes() const = 0;

  // Judges the position and derives its moves as far as the purpose asks (not for pick). A player may be put
  // out by it, which is part of the position from then on.
  virtual tl::expected<Judgement, Fault> judge(Purpose purpose) = 0;
  // The moves of the last judge(Purpose::list).
  [[nodiscard]] virtual Script script(std::size_t move) const = 0;
  [[nodiscard]] virtual std::uint64_t key() const = 0;

  // Plays a move by its choices; the outcome, if the move itself decides. The position judged must have it.
  virtual tl::expected<std::optional<Outcome>, Fault> play(const Script& script) = 0;
  virtual tl::expected<std::optional<Outcome>, Fault> play_listed(std::size_t move) = 0;
  virtual bool undo() = 0;
  virtual tl::expected<std::string, Fault> notation(const Script& script) = 0;

  // Whether rules may be carried out as native code, where there is any: they are, unless this says no. And are
  // they? That is known from the first run on.
  virtual void allow_native(bool allowed) = 0;
  [[nodiscard]] virtual bool is_native() const = 0;

  // Plays at random from the loaded position, which is left for another one.
  virtual tl::expected<Playout, Fault> playout(Random& random, std::uint32_t max_plies) = 0;
};

class AnyTables {
public:
  virtual ~AnyTables() = default;
  [[nodiscard]] virtual std::unique_ptr<Engine> engine() const = 0;
};

// The tables must not outlive program and code.
[[nodiscard]] std::unique_ptr<AnyTables> make_tables(const Program& program, const ir::Code& code);

} // namespace boardwright::runtime::executor
