// Moves that must be compared are told by keys of what is written, as long as no two have the same one.
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
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <cctype>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

namespace {

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

} // namespace

bool Lowering::keys(const Draft& d) const {
  return keyed_ && compares(d) && mode_ == Mode::search && d.recorded && !d.quiet && exact_ == 0 &&
         reaching_ == 0;
}

void Lowering::no_keys() {
  never_keyed_ = true;
  again_ = true;
}

// Is it worth trying? Not where alternatives are told from themselves, and compared with others only in the
// few positions that have both.
bool Lowering::may_key() const {
  if (!is_on(Form::keys)) return false;
  const auto meets_itself = [](const auto& alternatives) {
    return std::any_of(alternatives.second.begin(), alternatives.second.end(),
                       [](const auto& pair) { return pair.first == pair.second; });
  };
  const bool often = once_ || !doubts_.branches.empty() ||
                     std::any_of(doubts_.alike.begin(), doubts_.alike.end(), meets_itself);
  return often && !never_keyed_ && has_plain_names();
}

void Lowering::key_text(const std::string& text, Draft& d) {
  if (!is_plain_text(text)) return no_keys();
  const auto [known, fresh] = key_texts_.try_emplace(text, static_cast<std::int32_t>(code_.key_texts.size()));
  if (fresh) {
    ir::KeyText all;
    for (const char c : text) { // plus the character, times the factor
      all.times *= ir::kKeyFactor;
      all.plus = (all.plus + static_cast<unsigned char>(c)) * ir::kKeyFactor;
    }
    code_.key_texts.push_back(all);
  }
  d.told.key = e_.set_value(Ir::key_text, key_of(d), 0, 0, known->second);
  for (std::string& shape : d.told.shapes) shape += text;
  d.told.some = d.told.some || !text.empty();
}

void Lowering::key_cells(const Val& cells, Draft& d) {
  d.told.key = e_.set_value(Ir::key_set, key_of(d), set_of(cells));
  key_sign(kCells, d);
  d.told.some = d.told.some || (cells.is(Kind::cell) && maybe_none_.count(cells.reg) == 0);
}

void Lowering::key_sign(char sign, Draft& d) {
  for (std::string& shape : d.told.shapes) shape += sign;
}

// What has left would be written here, if anything has.
void Lowering::key_gone(Draft& d) {
  if (d.told.leaves) key_sign(kMayHaveLeft, d);
  d.told.leaves = false;
}

void Lowering::key_from(const Val& cell, Draft& d) {
  key_gone(d);
  if (d.told.key != 0 && !d.told.some) return no_keys();
  if (d.told.some) key_text(" ", d);
  key_cells(cell, d);
}

void Lowering::key_put(Draft& d) {
  key_sign(kBeforePut, d);
  key_text("-", d);
  key_cells(d.here, d);
  d.told.leaves = false;
}

void Lowering::key_pass(Draft& d) {
  if (d.told.key != 0) return no_keys();
  key_text("!", d); // nothing else is written so
  d.told.shapes = {std::string(1, kPassed)};
}

void Lowering::key_say(NodeId id, Draft& d) {
  key_gone(d);
  const Node n = node(id);
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const NodeId part = kid(id, i);
    if (node(part).op == Op::text) {
      key_text(program_.texts[at(node(part).a)], d);
      continue;
    }
    const Val v = value(part, d);
    if (node(part).type != Type::cells) return no_keys();
    key_cells(v, d);
  }
}

void Lowering::say_either(NodeId id, Draft& d) {
  const Node n = node(id);
  if (n.op == Op::say) return say(id, d);
  if (n.op == Op::sequence) {
    for (std::uint32_t i = 0; i < n.count; ++i) say_either(kid(id, i), d);
    return;
  }
  if (!writes(d) && !keys(d)) return;
  if (keys(d)) return key_either(id, d);
  const Label other = e_.label(), past = e_.label();
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    jump(kid(id, 0), false, other, e);
    say_either(kid(id, 1), e);
    e_.go(past);
  }
  e_.place(other);
  if (n.count > 2) {
    const Emitter::Scope scope(e_);
    Draft e = d;
    say_either(kid(id, 2), e);
  }
  e_.place(past);
}

// Both ways lead to one register.
// Each text that may be there or not doubles the shapes of moves, and all are compared with each other.
constexpr std::size_t kMostShapes = 256;

void Lowering::key_either(NodeId id, Draft& d) {
  if (!is_on(Form::say_either)) return no_keys();
  const Node n = node(id);
  const Reg key = e_.new_set();
  const Label other = e_.label(), past = e_.label();
  Told told;
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    jump(kid(id, 0), false, other, e);
    say_either(kid(id, 1), e);
    e_.emit(Ir::set_copy, key, key_of(e));
    told = e.told;
    e_.go(past);
  }
  e_.place(other);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    if (n.count > 2) say_either(kid(id, 2), e);
    e_.emit(Ir::set_copy, key, key_of(e));
    told.shapes.insert(told.shapes.end(), e.told.shapes.begin(), e.told.shapes.end());
    std::sort(told.shapes.begin(), told.shapes.end());
    told.shapes.erase(std::unique(told.shapes.begin(), told.shapes.end()), told.shapes.end());
    if (told.shapes.size() > kMostShapes) {
      told.shapes.resize(kMostShapes); // of no use any more
      no_keys();
    }
    told.some = told.some && e.told.some;
    told.leaves = told.leaves || e.told.leaves;
  }
  e_.place(past);
  d.told = told;
  d.told.key = key;
}

// Before an action is followed: what it may take off, and what can't be in a key.
void Lowering::key_action(NodeId id, Draft& d) {
  if (!keys(d)) return;
  const Node& n = node(id);
  switch (n.op) {
  case Op::remove:
  case Op::move_by:
  case Op::discard: d.told.leaves = true; break;
  case Op::drop:
  case Op::change:
  case Op::each:
  case Op::most:
  case Op::distinct:
  case Op::repeat:
    if (n.op != Op::repeat && tells(id)) no_keys();
    d.told.leaves = d.told.leaves || may_leave(id);
    break;
  default: break;
  }
}

// Is all that comes left to the move that is played? Only what has left may be written by it.
bool Lowering::tells_nothing(const Todo* todo) const {
  for (; todo != nullptr && todo->then == nullptr; todo = todo->next)
    if (passing_.count(todo->action) == 0 && tells(todo->action)) return false;
  return todo == nullptr;
}

// All cells of a set are moves, if each is written as it is chosen, in texts that are the same for all. What
// comes before it must be told apart: that is the key.
bool Lowering::key_open(const Val& from, std::int32_t slot, const Todo* after, const Draft& d,
                        const Draft& e) {
  if (!keys(d) || slot < 0 || after == nullptr) return false;
  Draft f = d;
  bool opened = false;
  Reg key = 0;
  for (const Todo* todo = after; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr) return false;
    if (passing_.count(todo->action) != 0) continue;
    const Node n = node(todo->action);
    if (n.op != Op::say) {
      if (tells(todo->action)) return false;
      f.told.leaves = f.told.leaves || may_leave(todo->action);
      continue;
    }
    key_gone(f);
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const Node& part = node(program_.kid(n, i));
      if (part.op == Op::text) {
        key_text(program_.texts[at(part.a)], f);
      } else if (part.op == Op::local && part.a == slot && !opened) {
        opened = true;
        key = key_of(f);
        key_sign(kOpenCell, f);
      } else {
        return false;
      }
    }
  }
  if (!opened || !is_left_open(after, e)) return false;
  f.told.key = key;
  f.choices.push_back({ir::Choice::From::open, 0, -1});
  leaf(&from, f);
  return true;
}

// The shapes of all moves of a player are known.
void Lowering::compare_shapes() {
  for (const std::string& a : shapes_)
    for (const std::string& b : shapes_)
      if (could_meet(a, kMayHaveLeft, b, kBeforePut) || could_meet(a, kOpenCell, b, kCells)) return no_keys();
}

} // namespace boardwright::runtime::lowering
