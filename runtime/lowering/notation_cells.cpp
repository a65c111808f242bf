// Which cells the walker can be put on, and what can lie there: what notation_proof.cpp knows of `to`.
#include "runtime/lowering/notation_proof.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace boardwright::runtime::lowering {

// What may lie on the cells of a value.
Contents Lowering::codes_of(NodeId id, const Written& w) const {
  if (const auto codes = codes_in(id)) return codes->second;
  const Node& n = node(id);
  switch (n.op) {
  case Op::meet: return codes_of(kid(id, 0), w) & codes_of(kid(id, 1), w);
  case Op::unite: return codes_of(kid(id, 0), w) | codes_of(kid(id, 1), w);
  case Op::minus: {
    const auto less = codes_in(kid(id, 1));
    return less ? codes_of(kid(id, 0), w) & ~less->first : codes_of(kid(id, 0), w);
  }
  case Op::local: {
    const auto known = w.bound.find(n.a);
    return known == w.bound.end() ? Contents().set() : codes_of(known->second, w);
  }
  default: return Contents().set();
  }
}

// A kind that is known.
std::optional<int> Lowering::kind_of(NodeId id, const Draft& env) const {
  const Node& n = node(id);
  if (n.op == Op::kind) return n.a;
  if (n.op != Op::local) return std::nullopt;
  const auto known = env.locals.find(n.a);
  if (known == env.locals.end() || !known->second.is(Val::Kind::number)) return std::nullopt;
  return e_.known_number(known->second.reg);
}

// A number that is known.
std::optional<std::int32_t> Lowering::constant_number(NodeId id, const Draft& env) const {
  const Node& n = node(id);
  if (n.op == Op::number) return n.a;
  const auto known = n.op == Op::local ? env.locals.find(n.a) : env.locals.end();
  if (known == env.locals.end() || !known->second.is(Val::Kind::number)) return std::nullopt;
  return e_.known_number(known->second.reg);
}

// Can a kind's letter and the name of a cell never be taken for another name, or for the beginning of one?
bool Lowering::is_plain_letter(char letter) const {
  if (std::string_view("-x /=,").find(letter) != std::string_view::npos) return false;
  const auto& names = board().name;
  return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::string_view rest = name[0] == letter ? std::string_view(name).substr(1) : std::string_view();
    return !rest.empty() && std::any_of(names.begin(), names.end(), [&](const std::string& other) {
      return other.compare(0, rest.size(), rest) == 0 || rest.compare(0, other.size(), other) == 0;
    });
  });
}

// Names of cells are read in one way only: what may stand behind one never goes on where it ends, and what
// has left, which begins with `x`, is no name.
bool Lowering::names_stand_alone() const {
  std::vector<std::string_view> names(board().name.begin(), board().name.end());
  std::sort(names.begin(), names.end());
  const auto is_name = [&](std::string_view s) { return std::binary_search(names.begin(), names.end(), s); };
  return std::none_of(names.begin(), names.end(), [&](std::string_view name) {
    bool doubtful = false;
    for (std::size_t size = 1; size < name.size(); ++size) {
      const bool goes_on = std::isdigit(static_cast<unsigned char>(name[size])) == 0;
      doubtful = doubtful || (goes_on && is_name(name.substr(0, size))) ||
                 (name[0] == 'x' && is_name(name.substr(1, size)));
    }
    return doubtful;
  });
}

// Cells that a value may have where the walker is on a cell, on which there is what there was at its start.
CellSet Lowering::possible_cells(NodeId id, int here, const Written& w, const Draft& env) const {
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return possible_cells(program_.kid(n, i), here, w, env); };
  switch (n.op) {
  case Op::cells: return program_.cell_sets[at(n.a)];
  case Op::here: return CellSet::of(here);
  case Op::meet: return operand(0) & operand(1);
  case Op::unite: return operand(0) | operand(1);
  case Op::minus:
  case Op::first:
  case Op::last: return operand(0);
  case Op::file_of:
  case Op::rank_of: {
    const auto wanted = constant_number(program_.kid(n, 0), env);
    if (!wanted) return board().all;
    const std::vector<int>& of = n.op == Op::file_of ? board().x : board().y;
    CellSet found;
    board().all.each([&](int c) {
      if (of[at(c)] == *wanted) found.set(c);
    });
    return found;
  }
  case Op::local: {
    const auto known = w.bound.find(n.a);
    return known == w.bound.end() ? board().all : possible_cells(known->second, here, w, env);
  }
  case Op::reach: {
    if (node(kid(id, 0)).op != Op::here) return board().all;
    Steps walk;
    flatten(kid(id, 1), walk);
    const CellSet begin = CellSet::of(here);
    Draft inside = env;
    const Node& part = node(walk[0]);
    if (part.op != Op::by_kind_action || node(kid(walk[0], 0)).op != Op::here)
      return possible_ends(walk, 0, begin, inside);
    CellSet all;
    for (std::uint32_t k = 0; k + 1 < part.count; ++k) {
      const bool none = k + 2 == part.count;
      const Contents of = none ? Contents(1) : contents_of_kind(static_cast<int>(k));
      Draft one = env;
      if ((of & w.start).any()) all |= possible_ends(program_.kid(part, k + 1), begin, one);
    }
    return possible_ends(walk, 1, all, inside);
  }
  default: return board().all;
  }
}

// Is the walker on the cell that was written last?
bool Lowering::stands(const Written& w) {
  bool stands = w.anchored && !w.here.empty();
  for (std::size_t c = 0; stands && c < w.here.size(); ++c)
    stands = w.here[c] == CellSet::of(static_cast<int>(c)) || w.here[c].none();
  return stands;
}

// What a name is, if it is bound where the walker began and nothing has changed yet.
void Lowering::bind_name(NodeId let, Written& w) const {
  const Node& n = node(let);
  const NodeId value = kid(let, 0);
  if (is_changed(n.a) || node(value).type != Type::cells || w.touched || w.touched_start) return;
  if (!stands(w) && reads_walker(value)) return;
  if (contains(value, Op::variable)) return;
  w.bound[n.a] = value;
}

// The walker is put on a cell of a set.
void Lowering::put_on(NodeId id, Written& w, const Draft& env) {
  Written v = w; // as the value was bound
  const bool here = !w.here.empty() && w.anchored;
  bool stands = here; // on the cell that was written last
  for (std::size_t c = 0; stands && c < w.here.size(); ++c)
    stands = (w.here[c] - CellSet::of(static_cast<int>(c))).none();
  w.there.set();
  w.stood_on = false;
  w.here = anywhere(w.anchored);
  w.free = true;
  w.slot = -1;
  look_at(id, w, env);
  const bool bound = node(id).op == Op::local && w.bound.count(node(id).a) != 0;
  const bool elsewhere = !contains(id, Op::here) && !contains(id, Op::start) && !contains(id, Op::reach);
  if (!w.anchored && elsewhere && w.bound.empty()) w.here.own()[0] &= possible_cells(id, 0, v, env);
  if (!stands || !(bound || !v.touched_start)) return;
  std::vector<CellSet> cells(at(board().cells));
  board().all.each([&](int c) { cells[at(c)] = possible_cells(id, c, v, env); });
  w.here = CellRelation(std::move(cells));
  if (!w.touched) w.there &= codes_of(id, v); // before the piece was lifted
}

} // namespace boardwright::runtime::lowering
