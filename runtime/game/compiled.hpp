// What a program is compiled to. Not installed: games and random games are made of it.
#pragma once

#include "runtime/executor/engine.hpp"
#include "runtime/game/rules.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace boardwright::runtime {

struct Rules::Compiled {
  explicit Compiled(const Program& program);
  Compiled() = default; // of no rules

  Program lowered; // in normal form, its board perhaps numbered anew: what the code is about
  ir::Code code;
  std::unique_ptr<executor::AnyTables> tables; // null if the code is too large
  // An engine that nobody has now, for answers that need one for a moment; `give_back` when that is over.
  [[nodiscard]] std::unique_ptr<executor::Engine> borrow() const;
  void give_back(std::unique_ptr<executor::Engine> engine) const;

  // A player can be put out by a line of `end`, before the next one is asked.
  bool puts_out = false;

private:
  mutable std::mutex mutex_; // of what follows
  mutable std::vector<std::unique_ptr<executor::Engine>> idle_;
};

} // namespace boardwright::runtime
