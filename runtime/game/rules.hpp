// Rules: a program, and what it is compiled to.
#pragma once

#include "runtime/model/once.hpp"
#include "runtime/model/program.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace boardwright::runtime {

// Immutable: made once and shared, also between threads.
class Rules {
public:
  [[nodiscard]] static std::shared_ptr<const Rules> make(std::shared_ptr<const Program> program);
  // The rules that are given; where there are none (null), rules that nothing can be played by.
  [[nodiscard]] static std::shared_ptr<const Rules> or_none(std::shared_ptr<const Rules> rules);
  ~Rules();
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  [[nodiscard]] const Program& program() const { return *program_; }
  // Why games of these rules can't be played ("the rules are too large: …"): every game would answer with
  // this as a fault. "" where all is well.
  [[nodiscard]] std::string problem() const;
  [[nodiscard]] bool is_playable() const;
  // Bytes of the state that a game copies or changes with every move.
  [[nodiscard]] std::size_t state_bytes() const;

  // Rules of which random games are played: these, or what is left of them for whoever only draws moves
  // (model/drawn.hpp), which is made when it is first asked for, by whichever thread.
  [[nodiscard]] const Rules& for_random_games() const;

  // Rules by which it is told what players see (model/looking.hpp); made likewise. Null: there are none.
  [[nodiscard]] const Rules* for_looking() const;

  struct Compiled; // the engine's own form
  [[nodiscard]] const Compiled& compiled() const { return *compiled_; }

private:
  Rules(std::shared_ptr<const Program> program, std::unique_ptr<const Compiled> compiled);
  std::shared_ptr<const Program> program_;
  std::unique_ptr<const Compiled> compiled_;
  mutable Once made_drawing_, made_looking_;
  mutable std::shared_ptr<const Rules> drawing_, looking_; // null: none are needed
};

} // namespace boardwright::runtime
