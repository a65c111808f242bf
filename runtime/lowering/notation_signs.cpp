// When do two signs differ, and what is known from one sign to the next: see notation_proof.cpp.
#include "runtime/lowering/notation_proof.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

bool Lowering::differ(const std::vector<Sign>& signs) {
  for (std::size_t i = 0; i < signs.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!differ(signs[i], signs[k], true, true)) return false;
  return true;
}

// `together`: of one draft, so a cell has the same in both. `since_from`: the last `from` was in one draft.
bool Lowering::differ(const Sign& a, const Sign& b, bool together, bool since_from) {
  using What = Sign::What;
  if (together && a.of != 0 && a.of == b.of) return true;
  if (a.what == What::any || b.what == What::any) return false;
  const bool left = a.what == What::gone || b.what == What::gone;
  const bool ends = a.what == What::end || b.what == What::end;
  if (left && !(ends && (a.sure || b.sure))) return false; // if nothing has left nothing is written
  if (a.what != b.what) {
    const auto by_letters = [](const Sign& s) { return s.what == What::text || s.what == What::number; };
    if ((by_letters(a) || by_letters(b)) && !(a.plain && b.plain)) return false;
    return !((a.gone && b.what == What::put) || (b.gone && a.what == What::put));
  }
  const auto apart = [&] {
    if (since_from && a.what == What::cell && (a.since & b.since).none()) return true;
    if (together && ((a.there & b.there).none() || (a.start & b.start).none())) return true;
    for (std::size_t c = 0; c < std::min(a.at.size(), b.at.size()); ++c)
      if ((a.at[c] & b.at[c]).any()) return false;
    return true;
  };
  const auto begin_alike = [&] {
    const std::size_t size = std::min(a.text.size(), b.text.size());
    return a.text.compare(0, size, b.text, 0, size) == 0;
  };
  bool differs = false;
  switch (a.what) {
  case What::cell:
  case What::put: differs = apart(); break;
  case What::drop: differs = a.text != b.text || apart(); break;
  case What::letter: differs = !a.text.empty() && !b.text.empty() && a.text != b.text; break;
  case What::text:
    if (!begin_alike()) return true;
    if (a.text != b.text) return false; // what comes behind the shorter one could go on like the longer one
    break;
  default: return false;
  }
  return differs || differ_behind(a, b, since_from && a.what != What::cell);
}

// Where both write the same, does that which they write then differ?
bool Lowering::differ_behind(const Sign& a, const Sign& b, bool since_from) {
  if (a.next == nullptr || b.next == nullptr) return false;
  return std::all_of(a.next->begin(), a.next->end(), [&](const Sign& x) {
    return std::all_of(b.next->begin(), b.next->end(),
                       [&](const Sign& y) { return differ(x, y, false, since_from); });
  });
}

// Behind the last of the signs.
bool Lowering::told_after(const Todo* todo, const Written& w, const Draft& env,
                          std::vector<Sign>& signs_so_far) {
  if (only_first_) return true;
  std::vector<Sign> found;
  if (!signs(todo, w, without_sets(env), found) || !differ(found)) return false;
  signs_so_far.back().next = std::make_shared<const std::vector<Sign>>(std::move(found));
  return true;
}

// What is kept of a draft from one sign to the next, if that isn't a `from`.
void Lowering::go_on_from(const Written& before, Written& after) {
  after.signs = true;
  after.moved = before.moved;
  after.laid_on = before.laid_on;
  after.named = before.named;
}

// What an action does to pieces, for what is known since the last `from`.
void Lowering::note_changes(NodeId id, const Draft& env, Written& w) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::sequence: // each part by itself
  case Op::alternatives:
  case Op::otherwise:
  case Op::if_action:
  case Op::by_kind_action:
  case Op::by_player_action:
  case Op::most:
  case Op::quietly:
  case Op::choose_some:
  case Op::from:
  case Op::to:
  case Op::go:
  case Op::at:
  case Op::choose:
  case Op::let:
  case Op::require:
  case Op::say:
  case Op::pass:
  case Op::set_local:
  case Op::set_variable:
  case Op::set_hand:
  case Op::win:
  case Op::lose:
  case Op::draw:
  case Op::again: return;
  case Op::lift:
  case Op::remove: w.moved = true; return;
  case Op::put:
    w.moved = true;
    if (w.signs || env.quiet || stacks())
      w.laid_on.set();
    else
      w.laid_on |= w.there;
    return;
  default: w.moved = true; w.laid_on.set();
  }
}

// What was there, when the last `from` was written, on cells of which one is chosen now.
Contents Lowering::since_from(NodeId source, const Written& w) const {
  const Node& n = node(source);
  if (n.op == Op::local) {
    const auto known = w.named.find(n.a);
    return known == w.named.end() ? Contents().set() : known->second;
  }
  const Contents now = codes_of(source, Written());
  return now.test(0) && w.moved ? Contents().set() : now | w.laid_on;
}

} // namespace boardwright::runtime::lowering
