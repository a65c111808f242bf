// A sprint as its user sees it, whatever the width of its sets.
#pragma once

#include "runtime/game/random_game.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/random.hpp"
#include "runtime/sprint/sprint.hpp"

#include <memory>

namespace boardwright::runtime {

class AnySprint {
public:
  virtual ~AnySprint() = default;
  // Takes a position from which random games begin. It has no past, and fits the code (`sprints_from`).
  virtual void load(const Position& position) = 0;
  // A random game from there.
  virtual Playout run(Random& random, std::uint32_t max_plies) = 0;
  // Where the last game ended.
  [[nodiscard]] virtual Position position() const = 0;
  // The last game came to a position with too much to try; nothing of it counts.
  [[nodiscard]] virtual bool gave_up() const = 0;
  [[nodiscard]] virtual bool is_native() const = 0;
};

// What the sprints of one program look up. Made once, then only read.
class AnySprintTables {
public:
  virtual ~AnySprintTables() = default;
  [[nodiscard]] virtual std::unique_ptr<AnySprint> player(bool native) const = 0;
};

// The tables must not outlive the code.
[[nodiscard]] std::unique_ptr<AnySprintTables> make_sprint_tables(const SprintCode& code);

// Is the code right for games from this position?
[[nodiscard]] bool sprints_from(const SprintCode& code, const Position& position);

} // namespace boardwright::runtime
