// Operations that write notation. The text only grows; going back shortens it again (a mark has its length).
// While moves are compared the key of the text will do: it stands in the state (Layout::written), where going
// back restores it.
#pragma once

#include "runtime/executor/machine.hpp"

#include <fmt/format.h>

namespace boardwright::runtime::executor {

// To write anything at all, a comma as well as a name.
inline constexpr std::uint64_t kStepsOfText = 3;

enum SaidAs : std::uint8_t { kText = 0, kKey = 1, kTextAndKey = 2 }; // the flag of these operations

// The key of what is written goes on.
template <int W>
void tell(Machine<W>& m, const ir::KeyText& text) {
  m.write_word(m.layout.written, 0, m.sets[m.layout.written].word[0] * text.times + text.plus);
}

template <int W>
[[nodiscard]] bool nothing_written(const Machine<W>& m, const I& i) {
  if (i.y == kKey) return m.sets[m.layout.written].word[0] == 0;
  return m.text.empty() || (m.tables.program.secret && m.text.back() == kSecretBegins);
}

template <int W>
void write_text(Machine<W>& m, std::string_view text, const I& i) {
  m.charge(kStepsOfText);
  if (i.y != kText) {
    tell(m, ir::key_of_text(text));
    m.charge(text.size()); // letter by letter
  }
  if (i.y == kKey) return;
  m.text += text;
  m.charge(text.size() / 8);
  if (m.text.size() > kMaxNotation)
    m.fail(i, fmt::format("the notation of a move has more than {} characters", kMaxNotation));
}

template <int W>
void write_cells(Machine<W>& m, const Bits<W>& set, const I& i) {
  bool first = true;
  set.each([&](int cell) {
    if (!first) write_text(m, ",", i);
    first = false;
    write_text(m, m.tables.program.board.name[at(cell)], i);
  });
}

template <int W>
void say_gone(Machine<W>& m, const I& i) {
  const Bits<W> gone = m.sets[m.layout.gone];
  if (gone.none()) return;
  write_text(m, "x", i);
  write_cells(m, gone, i);
  m.write_set(m.layout.gone, Bits<W>());
}

// Of what is dropped: does the letter of its kind stand before the cells? The first kind that the owner has
// needs none.
template <int W>
[[nodiscard]] bool names_dropped(const Machine<W>& m, const ir::DropTable& table, int kind) {
  const int owner = dropped_owner(m, table, kind);
  return kind != m.tables.first_kind[at(owner < 0 ? m.tables.pieces.players : owner)];
}

// On no cell nothing is written.
template <int W>
void say_drop(Machine<W>& m, const I& i) {
  const int kind = m.numbers[i.b];
  const Bits<W> on = m.sets[i.a];
  if (on.none()) return;
  if (!nothing_written(m, i)) write_text(m, "/", i);
  m.said_to = on.last();
  if (names_dropped(m, m.code.drops[at(i.x)], kind))
    write_text(m, std::string(1, m.tables.program.letter_of_kind(kind)), i);
  write_cells(m, on, i);
}

template <int W>
void say(Machine<W>& m, const I& i) {
  using ir::Op;
  const auto cell_name = [&] { return std::string_view(m.tables.program.board.name[at(m.numbers[i.a])]); };
  switch (i.op) {
  case Op::say_text: return write_text(m, m.tables.program.texts[at(i.x)], i);
  case Op::say_from:
    say_gone(m, i);
    if (m.said_from < 0) m.said_from = m.numbers[i.a];
    if (!nothing_written(m, i)) write_text(m, " ", i);
    return write_text(m, cell_name(), i);
  case Op::say_put:
    m.said_to = m.numbers[i.a];
    write_text(m, m.sets[m.layout.gone].any() ? "x" : "-", i);
    write_text(m, cell_name(), i);
    return m.write_set(m.layout.gone, Bits<W>());
  case Op::say_gone: return say_gone(m, i);
  case Op::say_drop: return say_drop(m, i);
  case Op::say_change: {
    const std::uint8_t code = top(m, m.numbers[i.a]);
    if (code == 0 || m.tables.pieces.kind[code] == m.numbers[i.b]) return;
    write_text(m, "=", i);
    return write_text(m, std::string(1, m.tables.program.letter_of_kind(m.numbers[i.b])), i);
  }
  case Op::say_number: return write_text(m, std::to_string(m.numbers[i.a]), i);
  case Op::say_truth: return write_text(m, m.numbers[i.a] != 0 ? "true" : "false", i);
  case Op::say_set: return write_cells(m, m.sets[i.a], i);
  case Op::say_kind:
    if (m.numbers[i.a] >= 0)
      write_text(m, std::string(1, m.tables.program.letter_of_kind(m.numbers[i.a])), i);
    return;
  default: return write_text(m, m.tables.program.players[at(m.numbers[i.a])].name, i);
  }
}

} // namespace boardwright::runtime::executor
