// A position as one player sees it, as all drawings take positions: with a program of its own that has two
// more kinds, for pieces whose kind isn't seen (`?`) and for what lies on cells that aren't seen (`~`).
#pragma once

#include "interpreter/look/look.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "runtime/sight/seen.hpp"

#include <memory>
#include <optional>

namespace boardwright::tools {

class SeenBoard {
public:
  // `look` may be null.
  SeenBoard(const runtime::Program& program, const interpreter::Look* look, const runtime::sight::Seen& seen);

  [[nodiscard]] const runtime::Program& program() const { return program_; }
  [[nodiscard]] const runtime::Position& position() const { return position_; }
  [[nodiscard]] const interpreter::Look* look() const { return look_ ? &*look_ : nullptr; }

private:
  void add_kinds();
  void leave_out_what_is_not_seen(const runtime::sight::Seen& seen);

  runtime::Program program_;
  runtime::Position position_;
  std::optional<interpreter::Look> look_;
};

} // namespace boardwright::tools
