// Operations that write notation. The text only grows; going back shortens it again (Layout has its length).
#pragma once

#include "runtime/executor/executor.hpp"

#include <fmt/format.h>

namespace boardwright::runtime::executor {

template <int W>
void Executor<W>::write_text(std::string_view text, const I& i) {
  text_ += text;
  charge(1 + text.size() / 8);
  if (text_.size() > kMaxNotation)
    fail(i, fmt::format("the notation of a move has more than {} characters", kMaxNotation));
}

template <int W>
void Executor<W>::write_cells(const Set& set, const I& i) {
  bool first = true;
  set.each([&](int cell) {
    if (!first) write_text(",", i);
    first = false;
    write_text(t_.program.board.name[at(cell)], i);
  });
}

template <int W>
void Executor<W>::say_gone(const I& i) {
  const Set gone = m_.sets[l_.gone];
  if (gone.none()) return;
  write_text("x", i);
  write_cells(gone, i);
  m_.write_set(l_.gone, Set());
}

// On no cell nothing is written. The first kind that the owner has needs no letter.
template <int W>
void Executor<W>::say_drop(const I& i) {
  const int kind = m_.numbers[i.b];
  const Set on = m_.sets[i.a];
  if (on.none()) return;
  const int owner = dropped_owner(code_.drops[at(i.x)], kind);
  if (!text_.empty()) write_text("/", i);
  const int first = t_.first_kind[at(owner < 0 ? t_.pieces.players : owner)];
  said_to_ = on.last();
  if (kind != first) write_text(std::string(1, t_.program.letter_of_kind(kind)), i);
  write_cells(on, i);
}

template <int W>
void Executor<W>::say(const I& i) {
  using ir::Op;
  const auto cell_name = [&] { return std::string_view(t_.program.board.name[at(m_.numbers[i.a])]); };
  switch (i.op) {
  case Op::say_text: return write_text(t_.program.texts[at(i.x)], i);
  case Op::say_from:
    say_gone(i);
    if (said_from_ < 0) said_from_ = m_.numbers[i.a];
    if (!text_.empty()) write_text(" ", i);
    return write_text(cell_name(), i);
  case Op::say_put:
    said_to_ = m_.numbers[i.a];
    write_text(m_.sets[l_.gone].any() ? "x" : "-", i);
    write_text(cell_name(), i);
    return m_.write_set(l_.gone, Set());
  case Op::say_gone: return say_gone(i);
  case Op::say_drop: return say_drop(i);
  case Op::say_change: {
    const std::uint8_t code = top(m_.numbers[i.a]);
    if (code == 0 || t_.pieces.kind[code] == m_.numbers[i.b]) return;
    write_text("=", i);
    return write_text(std::string(1, t_.program.letter_of_kind(m_.numbers[i.b])), i);
  }
  case Op::say_number: return write_text(std::to_string(m_.numbers[i.a]), i);
  case Op::say_truth: return write_text(m_.numbers[i.a] != 0 ? "true" : "false", i);
  case Op::say_set: return write_cells(m_.sets[i.a], i);
  case Op::say_kind:
    if (m_.numbers[i.a] >= 0) write_text(std::string(1, t_.program.letter_of_kind(m_.numbers[i.a])), i);
    return;
  default: return write_text(t_.program.players[at(m_.numbers[i.a])].name, i);
  }
}

} // namespace boardwright::runtime::executor
