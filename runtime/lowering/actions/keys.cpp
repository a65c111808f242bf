// Moves that must be compared are compared by keys of what is written, as long as no two have the same one.
//
// A key is a word that goes on with every text and every set of cells. It stands in a register, so nothing is
// written while moves are searched, and nothing has to be carried out that only the written end would show:
// what has left, which comes last. If a key comes twice the turn is searched again in full, with notations
// and results (Layout::full).
//
// Different keys must be different notations. Texts have nothing that could be taken for a cell, names of
// cells are letters and digits; so a notation falls into cells and texts in one way only. The one sign that
// may be two things is `x`, before a cell that is taken by `put` or before cells that have left and aren't in
// the key: the shapes of all moves say whether both could stand in one place.
#include "runtime/lowering/actions/keys.hpp"
#include "runtime/lowering/actions/changes.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// Each text that may be there or not doubles the shapes of moves, and all are compared with each other.
constexpr std::size_t kMostShapes = 256;

namespace {

void key_sign(char sign, AbstractDraft& d);

// Signs of a shape, beside the characters of texts.
constexpr char kCells = 'C', kOpenCell = 'O', kBeforePut = 'p', kMayHaveLeft = 'g', kPassed = 'P';

bool is_plain_text(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)) == 0 &&
           c != ',' && c != '_';
  });
}

// What comes before a place of a shape, as far as it is always written.
std::string before(const std::string& shape, std::size_t end) {
  std::string all = shape.substr(0, end);
  std::erase(all, kMayHaveLeft);
  return all;
}

// Could two moves be written alike that have one of these signs in one place?
bool could_meet(const std::string& a, char in_a, const std::string& b, char in_b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size() && a[i] == in_a; ++k)
      if (b[k] == in_b && before(a, i) == before(b, k)) return true;
  return false;
}

// What stands before a cell depends on whether a secret has just begun, which a key doesn't tell.
bool begins_secret(const Context& cx, const std::string& text) {
  return cx.program.secret && text.find(kSecretBegins) != std::string::npos;
}

void key_text(Context& cx, const std::string& text, AbstractDraft& d) {
  if (!is_plain_text(text) || begins_secret(cx, text)) return no_keys(cx);
  const auto [known, fresh] =
      cx.comparison.key_texts.try_emplace(text, static_cast<std::int32_t>(cx.code.key_texts.size()));
  if (fresh) cx.code.key_texts.push_back(ir::key_of_text(text));
  d.move_key.key = cx.e.set_value(Ir::key_text, key_of(cx, d), 0, 0, known->second);
  for (std::string& shape : d.move_key.shapes) shape += text;
  d.move_key.some = d.move_key.some || !text.empty();
}

void key_cells(Context& cx, const AbstractValue& cells, AbstractDraft& d) {
  d.move_key.key = cx.e.set_value(Ir::key_set, key_of(cx, d), set_of(cx, cells));
  key_sign(kCells, d);
  d.move_key.some = d.move_key.some || (cells.is(Kind::cell) && cx.maybe_none.count(cells.reg) == 0);
}

void key_sign(char sign, AbstractDraft& d) {
  for (std::string& shape : d.move_key.shapes) shape += sign;
}

// What has left would be written here, if anything has.
void key_gone(AbstractDraft& d) {
  if (d.move_key.leaves) key_sign(kMayHaveLeft, d);
  d.move_key.leaves = false;
}

// A text that a condition decides, and one that may be there or not: both ways lead to one register.
void key_either(Context& cx, NodeId id, AbstractDraft& d) {
  if (!is_on(Idiom::either_text)) return no_keys(cx);
  const Node n = cx.node(id);
  const Reg key = cx.e.new_set();
  const Label other = cx.e.label(), past = cx.e.label();
  MoveKey move_key;
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    jump(cx, cx.kid(id, 0), false, other, e);
    say_either(cx, cx.kid(id, 1), e);
    cx.e.emit(Ir::set_copy, key, key_of(cx, e));
    move_key = e.move_key;
    cx.e.go(past);
  }
  cx.e.place(other);
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    if (n.count > 2) say_either(cx, cx.kid(id, 2), e);
    cx.e.emit(Ir::set_copy, key, key_of(cx, e));
    move_key.shapes.insert(move_key.shapes.end(), e.move_key.shapes.begin(), e.move_key.shapes.end());
    std::sort(move_key.shapes.begin(), move_key.shapes.end());
    move_key.shapes.erase(std::unique(move_key.shapes.begin(), move_key.shapes.end()), move_key.shapes.end());
    if (move_key.shapes.size() > kMostShapes) {
      move_key.shapes.resize(kMostShapes); // of no use any more
      no_keys(cx);
    }
    move_key.some = move_key.some && e.move_key.some;
    move_key.leaves = move_key.leaves || e.move_key.leaves;
  }
  cx.e.place(past);
  d.move_key = move_key;
  d.move_key.key = key;
}

} // namespace

bool keys(const Context& cx, const AbstractDraft& d) {
  return cx.comparison.keyed && cx.compares(d) && cx.mode == Mode::search && d.recorded && !d.quiet &&
         cx.within.each == 0 && cx.within.reach == 0;
}

void no_keys(Context& cx) {
  cx.speculation.never_keyed = true;
  cx.recompile = true;
}

bool may_key(const Context& cx) {
  if (!is_on(Idiom::keys)) return false;
  const auto meets_itself = [](const auto& alternatives) {
    return std::any_of(alternatives.second.begin(), alternatives.second.end(),
                       [](const auto& pair) { return pair.first == pair.second; });
  };
  const bool often = cx.comparison.once || !cx.comparison.ambiguities.branches.empty() ||
                     std::any_of(cx.comparison.ambiguities.alike.begin(),
                                 cx.comparison.ambiguities.alike.end(), meets_itself);
  return often && !cx.speculation.never_keyed && cx.facts.has_plain_names();
}

void key_from(Context& cx, const AbstractValue& cell, AbstractDraft& d) {
  key_gone(d);
  if (d.move_key.key != 0 && !d.move_key.some) return no_keys(cx);
  if (d.move_key.some) key_text(cx, " ", d);
  key_cells(cx, cell, d);
}

void key_put(Context& cx, AbstractDraft& d) {
  key_sign(kBeforePut, d);
  key_text(cx, "-", d);
  key_cells(cx, d.here, d);
  d.move_key.leaves = false;
}

void key_pass(Context& cx, AbstractDraft& d) {
  if (d.move_key.key != 0) return no_keys(cx);
  key_text(cx, "!", d); // nothing else is written so
  d.move_key.shapes = {std::string(1, kPassed)};
}

void key_say(Context& cx, NodeId id, AbstractDraft& d) {
  key_gone(d);
  const Node n = cx.node(id);
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const NodeId part = cx.kid(id, i);
    if (cx.node(part).op == Op::text) {
      key_text(cx, cx.program.texts[at(cx.node(part).a)], d);
      continue;
    }
    const AbstractValue v = value(cx, part, d);
    if (cx.node(part).type != Type::cells) return no_keys(cx);
    key_cells(cx, v, d);
  }
}

void say_either(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (n.op == Op::say) return say(cx, id, d);
  if (n.op == Op::sequence) {
    for (std::uint32_t i = 0; i < n.count; ++i) say_either(cx, cx.kid(id, i), d);
    return;
  }
  if (!cx.writes(d) && !keys(cx, d)) return;
  if (keys(cx, d)) return key_either(cx, id, d);
  const Label other = cx.e.label(), past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    jump(cx, cx.kid(id, 0), false, other, e);
    say_either(cx, cx.kid(id, 1), e);
    cx.e.go(past);
  }
  cx.e.place(other);
  if (n.count > 2) {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    say_either(cx, cx.kid(id, 2), e);
  }
  cx.e.place(past);
}

void key_action(Context& cx, NodeId id, AbstractDraft& d) {
  if (!keys(cx, d)) return;
  const Node& n = cx.node(id);
  switch (n.op) {
  case Op::remove:
  case Op::move_by:
  case Op::discard: d.move_key.leaves = true; break;
  case Op::drop:
  case Op::change:
  case Op::each:
  case Op::most:
  case Op::distinct:
  case Op::repeat:
    if (n.op != Op::repeat && cx.facts.tells(id)) no_keys(cx);
    d.move_key.leaves = d.move_key.leaves || cx.facts.may_leave(id);
    break;
  default: break;
  }
}

bool tells_nothing(const Context& cx, const Todo* todo) {
  for (; todo != nullptr && todo->then == nullptr; todo = todo->next)
    if (cx.passing.count(todo->action) == 0 && cx.facts.tells(todo->action)) return false;
  return todo == nullptr;
}

bool key_open(Context& cx, const AbstractValue& from, std::int32_t slot, const Todo* after,
              const AbstractDraft& d, const AbstractDraft& e) {
  if (!keys(cx, d) || slot < 0 || after == nullptr || cx.facts.is_changed(slot)) return false;
  AbstractDraft f = d;
  bool opened = false;
  Reg key = 0;
  for (const Todo* todo = after; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr) return false;
    if (cx.passing.count(todo->action) != 0) continue;
    const Node n = cx.node(todo->action);
    if (n.op != Op::say) {
      if (cx.facts.tells(todo->action)) return false;
      f.move_key.leaves = f.move_key.leaves || cx.facts.may_leave(todo->action);
      continue;
    }
    key_gone(f);
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const Node& part = cx.node(cx.program.kid(n, i));
      if (part.op == Op::text) {
        key_text(cx, cx.program.texts[at(part.a)], f);
      } else if (part.op == Op::local && part.a == slot && !opened) {
        opened = true;
        key = key_of(cx, f);
        key_sign(kOpenCell, f);
      } else {
        return false;
      }
    }
  }
  if (!opened || !is_left_open(cx, after, e)) return false;
  f.move_key.key = key;
  f.choices.push_back({ir::Choice::From::open, 0, -1});
  leaf(cx, &from, f);
  return true;
}

void compare_shapes(Context& cx) {
  for (const std::string& a : cx.comparison.shapes)
    for (const std::string& b : cx.comparison.shapes)
      if (could_meet(a, kMayHaveLeft, b, kBeforePut) || could_meet(a, kOpenCell, b, kCells))
        return no_keys(cx);
}

} // namespace boardwright::runtime::lowering
