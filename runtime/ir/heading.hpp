// The tables of code, field by field: what stands before the instructions in its text form. Written and read
// by the same functions, so that neither can forget what the other knows.
#pragma once

#include "runtime/ir/ir.hpp"

#include <cstdint>

namespace boardwright::runtime::ir {

// A place in the code: as text a label.
struct Place {
  std::uint32_t& index;
};

// `fields(name, value)` is called with each field of a line, in a fixed order.
template <class F>
void each_field(Layout& l, F&& fields) {
  fields("words", l.words), fields("cells", l.cells), fields("players", l.players);
  fields("owners", l.owners), fields("kinds", l.kinds), fields("empty", l.empty);
  fields("set_of_variable", l.set_of_variable), fields("state_sets", l.state_sets), fields("gone", l.gone);
  fields("written", l.written), fields("draft_sets", l.draft_sets), fields("clocks", l.clocks);
  fields("hands", l.hands), fields("ply", l.ply);
  fields("turns", l.turns), fields("to_move", l.to_move), fields("out", l.out);
  fields("state_numbers", l.state_numbers), fields("again", l.again), fields("decision", l.decision);
  fields("winners", l.winners), fields("carried", l.carried), fields("full", l.full);
  fields("draft_numbers", l.draft_numbers), fields("mailbox", l.mailbox), fields("stacks", l.stacks);
  fields("levels", l.levels);
}
template <class F>
void each_field(PlayerCode& p, F&& fields) {
  fields("position", Place{p.position}), fields("moves_done", Place{p.moves_done});
  fields("play", Place{p.play}), fields("notate", Place{p.notate});
}
template <class F>
void each_field(Choice& c, F&& fields) {
  fields("from", c.from), fields("value", c.value), fields("place", c.place);
}
template <class F>
void each_field(Leaf& l, F&& fields) {
  fields("entry", Place{l.entry}), fields("base", l.base), fields("dynamic", l.dynamic);
  fields("values", l.values), fields("origin", l.origin), fields("choices", l.choices);
}
template <class F>
void each_field(Verdict& v, F&& fields) {
  fields("winners", v.winners), fields("origin", v.origin), fields("player", v.player), fields("by", v.by);
  fields("shares", v.shares);
}
template <class F>
void each_field(DropTable& d, F&& fields) {
  fields("owner", d.owner), fields("player", d.player);
}
template <class F>
void each_field(DraftKey& k, F&& fields) {
  fields("sets", k.sets), fields("numbers", k.numbers), fields("boxes", k.boxes);
}
template <class F>
void each_field(SpillArea& w, F&& fields) {
  fields("sets", w.sets), fields("numbers", w.numbers), fields("box_begin", w.box_begin);
  fields("box_end", w.box_end);
}
template <class F>
void each_field(SetTable& t, F&& fields) {
  fields("numbers", t.numbers), fields("sets", t.sets);
}
template <class F>
void each_field(Row& r, F&& fields) {
  fields("steps", r.steps), fields("length", r.length), fields("one_way", r.one_way);
}
template <class F>
void each_field(KeyText& k, F&& fields) {
  fields("times", k.times), fields("plus", k.plus);
}
template <class F>
void each_field(Scale& s, F&& fields) {
  fields("by", s.by), fields("over", s.over);
}
// Lines of one thing: a set, a list of numbers, a text.
template <class T, class F>
void each_field(T& whole, F&& fields) {
  fields("is", whole);
}
// What is no table.
template <class F>
void each_single(Code& c, F&& fields) {
  fields("sets", c.sets), fields("numbers", c.numbers), fields("boxes", c.boxes), fields("memos", c.memos);
  fields("too_large", c.too_large), fields("uses_history", c.uses_history), fields("weighs", c.weighs);
  fields("reads_beginning", c.reads_beginning);
  fields("compares", c.compares), fields("number_constants", c.number_constants);
  fields("cached_sets", c.cached_sets), fields("directions", c.directions), fields("of_cell", c.of_cell);
}

// `tables(keyword, table)` is called with each table of the code, which has a line for each entry.
template <class F>
void each_table(Code& c, F&& tables) {
  tables("player", c.players), tables("set", c.set_constants), tables("table", c.tables);
  tables("places", c.places), tables("steps", c.steps), tables("jumps", c.labels), tables("row", c.rows),
      tables("set_table", c.set_tables);
  tables("scale", c.scales), tables("verdict", c.verdicts), tables("drop_table", c.drops);
  tables("key", c.keys), tables("spill_area", c.spill_areas), tables("key_text", c.key_texts);
  tables("leaf", c.leaves), tables("choices", c.choice_lists), tables("message", c.messages);
}

} // namespace boardwright::runtime::ir
