// The functions of the language.
#include "interpreter/meaning/elaborator.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

// The row of a cell, counted forward from the mover's side; 0 for none.
Typed Elaborator::advance(const Ast& n, const Env& env) {
  const auto& p = builder_.program().players[static_cast<std::size_t>(me_)];
  if (p.dx == 0 && p.dy == 0)
    return error(n.span, "forward", "`advance` needs players with directions",
                 "players: { Black: north, White: south }");
  const Op op = p.dx != 0 ? Op::x_of : Op::y_of;
  const NodeId cell = cells(n.kids[0], env);
  if (p.dx > 0 || p.dy > 0) return make(Ty::number, builder_.add(op, Type::number, {cell}), n.span);
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const NodeId local = builder_.add(Op::local, Type::cells, {}, slot);
  const NodeId length = builder_.number((p.dx != 0 ? geometry_.files : geometry_.ranks) + 1);
  const NodeId row =
      builder_.add(Op::subtract, Type::number, {length, builder_.add(op, Type::number, {local})});
  const NodeId guarded = builder_.add(
      Op::if_value, Type::number, {builder_.add(Op::some, Type::truth, {local}), row, builder_.number(0)});
  return make(Ty::number, builder_.add(Op::let_value, Type::number, {cell, guarded}, slot), n.span);
}

namespace {

// A number that is written out, with its sign.
std::optional<std::int64_t> literal(const Ast& n) {
  if (n.form == Form::number) return n.number;
  if (n.form == Form::negate && n.kids[0].form == Form::number) return -n.kids[0].number;
  return std::nullopt;
}

bool is_literal(const std::optional<Ast>& size) { return !size || size->form == Form::number; }

} // namespace

// `rank(9)` of eight: an error where the file itself says how large the board is, in numbers. With options,
// or in a file that others extend, there may be such a rank another time. What is never on a board is an
// error anywhere.
bool Elaborator::is_no_line(const Ast& n) {
  const auto which = literal(n.kids[0]);
  if (!which) return false;
  const bool is_row = n.word == "row";
  const dsl::BoardSection& board = symbols_.file.board;
  const bool of_this_file = board.span.file == n.span.file && is_literal(board.files) &&
                            is_literal(board.ranks) && is_literal(board.side);
  const int longest = is_row             ? std::max(geometry_.files, geometry_.ranks)
                      : n.word == "rank" ? geometry_.ranks
                                         : geometry_.files;
  const bool too_small = is_row ? *which == 0 : *which < 1;
  const bool too_large = of_this_file && std::abs(*which) > longest;
  if (!too_small && !too_large) return false;
  error(n.span, "board",
        too_small ? fmt::format("there is no {0} {1}: {0}s are counted from 1", n.word, *which)
                  : fmt::format("there is no {} {}: the board has {}", n.word, *which, longest),
        *which < 0 && !is_row ? "`row(-1)` is the last row as the mover sees it" : "");
  return true;
}

Typed Elaborator::row(const Ast& n, const Env& env) {
  if (is_no_line(n)) return silent();
  const auto& p = builder_.program().players[static_cast<std::size_t>(me_)];
  if (p.dx == 0 && p.dy == 0)
    return error(n.span, "forward", "`row` needs players with directions",
                 "players: { Black: north, White: south }");
  const int length = p.dx != 0 ? geometry_.files : geometry_.ranks;
  const Op op = p.dx != 0 ? Op::file_of : Op::rank_of;
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const NodeId local = builder_.add(Op::local, Type::number, {}, slot);
  // Negative rows count from the far side: -1 is the last.
  const NodeId from_near =
      builder_.add(Op::if_value, Type::number,
                   {builder_.add(Op::less, Type::truth, {builder_.number(0), local}), local,
                    builder_.add(Op::add, Type::number, {local, builder_.number(length + 1)})});
  const bool ascending = p.dx > 0 || p.dy > 0;
  const NodeId line =
      ascending ? from_near
                : builder_.add(Op::subtract, Type::number, {builder_.number(length + 1), from_near});
  const NodeId one = builder_.add(op, Type::cells, {line});
  const Typed given = value(n.kids[0], env);
  if (given.type == Ty::numbers) return all_numbered(given.node, slot, one, n.span);
  const NodeId which = number_of(given, n.kids[0].span);
  return make(Ty::cells, builder_.add(Op::let_value, Type::cells, {which, one}, slot), n.span);
}

// All cells that `one` gives for the numbers of a list, each of them in the slot.
Typed Elaborator::all_numbered(NodeId numbers, std::int32_t slot, NodeId one, dsl::Span span) {
  const NodeId sets = builder_.add(Op::list_for, Type::sets, {one, builder_.truth(true), numbers}, slot, 1);
  return make(Ty::cells, builder_.add(Op::union_of, Type::cells, {sets}), span);
}

// Of several numbers, or of the members of one list.
Typed Elaborator::extremum(const Ast& n, const Env& env, Op op) {
  if (n.kids.size() == 1) {
    const Typed v = convert(value(n.kids[0], env), Ty::numbers);
    if (v.type == Ty::numbers)
      return folded_list(v.node, op == Op::least ? Op::least_for : Op::greatest_for, n.span);
    return make(Ty::number, number_of(v, n.kids[0].span), n.span);
  }
  std::vector<NodeId> kids;
  for (const auto& k : n.kids) kids.push_back(number(k, env));
  return make(Ty::number, builder_.add(op, Type::number, kids), n.span);
}

Typed Elaborator::total_of(const Ast& n, const Env& env, Op op) {
  const Ast* list = &n.kids[0];
  while (list->form == Form::paren) list = &list->kids[0];
  if (list->form == Form::list_for)
    return error(n.span, "type",
                 fmt::format("a list holds equal values once, so this isn't the {} of all", n.word),
                 fmt::format("write `{}(E for x in S)`, with one pair of parentheses", n.word));
  const Typed v = convert(value(n.kids[0], env), Ty::numbers);
  if (v.type == Ty::error) return v;
  if (v.type == Ty::numbers) return folded_list(v.node, op, n.span);
  return error(n.kids[0].span, "type",
               fmt::format("`{}` takes a list of numbers, but this is {}", n.word, describe(v.type)),
               fmt::format("`{}(E for x in S)` {} a number for every member of a set or list", n.word,
                           op == Op::sum_for ? "adds" : "multiplies by"));
}

Typed Elaborator::folded_list(NodeId list, Op op, dsl::Span span) {
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const NodeId member = builder_.add(Op::local, Type::number, {}, slot);
  return make(Ty::number, builder_.add(op, Type::number, {member, builder_.truth(true), list}, slot, 1),
              span);
}

// `first`, `last`: of cells in board order, of a list its own order.
Typed Elaborator::end_of(const Ast& n, const Env& env, Op of_cells, Op of_list) {
  const Typed v = value(n.kids[0], env);
  if (!is_list(v.type)) {
    const Typed set = convert(v, Ty::cells);
    if (set.type == Ty::error) return set;
    if (set.type == Ty::cells)
      return make(Ty::cells, builder_.add(of_cells, Type::cells, {set.node}), n.span);
    return error(n.kids[0].span, "type",
                 fmt::format("`{}` takes cells or a list, but this is {}", n.word, describe(v.type)));
  }
  const Ty member = member_of(v.type);
  const std::int32_t without = member == Ty::kind ? -1 : member == Ty::player ? me_ : 0;
  return make(member, builder_.add(of_list, runtime_type(member), {v.node}, without), n.span);
}

// `kind(none)` is no kind, whatever the position.
Typed Elaborator::kind_on(const Ast& n, const Env& env) {
  const NodeId on = cells(n.kids[0], env);
  if (builder_.node(on).op == Op::cells && builder_.cells_of(on).none())
    return make(Ty::kind, builder_.kind(-1), n.span);
  return make(Ty::kind, builder_.add(Op::kind_at, Type::kind, {on}), n.span);
}

Typed Elaborator::kinds_list(const Ast& n, const Env& env) {
  std::vector<NodeId> kids;
  for (const auto& k : n.kids) {
    const dsl::FamilyEntry* family = family_meant(k, env);
    if (family == nullptr) {
      kids.push_back(kind(k, env));
      continue;
    }
    if (!has_room(k)) return silent();
    for (const auto& member : family->members) kids.push_back(builder_.kind(symbols_.kind(member.kind)));
  }
  return make(Ty::kinds, builder_.add(Op::list, Type::kinds, kids), n.span);
}

Typed Elaborator::list(const Ast& n, const Env& env) {
  std::vector<Typed> values;
  for (const auto& k : n.kids) values.push_back(value(k, env));
  Ty type = unify(values, n.span);
  switch (type) {
  case Ty::error: return silent();
  case Ty::number: type = Ty::numbers; break;
  case Ty::cells: type = Ty::sets; break;
  case Ty::kind: type = Ty::kinds; break;
  case Ty::player: type = Ty::players; break;
  default:
    return error(
        n.span, "type",
        fmt::format("a list holds numbers, sets of cells, kinds or players, not {}", describe(type)));
  }
  std::vector<NodeId> kids;
  for (const auto& v : values) kids.push_back(v.node);
  return make(type, builder_.add(Op::list, runtime_type(type), kids), n.span);
}

Typed Elaborator::hand(const Ast& n, const Env& env) {
  const NodeId which = kind(n.kids[0], env);
  const auto& node = builder_.node(which);
  if (node.op == Op::kind && node.a >= 0 &&
      builder_.program().hand_slot[static_cast<std::size_t>(me_)][static_cast<std::size_t>(node.a)] < 0)
    return error(n.span, "hand",
                 fmt::format("`{}` has no entry in `hands`: its supply is unlimited",
                             symbols_.kinds[static_cast<std::size_t>(node.a)]),
                 fmt::format("`hand(K)` is how many are left; the kind itself is `{}`",
                             symbols_.kinds[static_cast<std::size_t>(node.a)]));
  return make(Ty::number, builder_.add(Op::hand, Type::number, {which}, me_), n.span);
}

// What is counted from an edge, or goes by coordinates, means nothing where a board has no edges.
bool Elaborator::has_edges(const Ast& n, const std::string& what) {
  if (!geometry_.endless()) return true;
  error(n.span, "endless", fmt::format("`{}` needs a board with edges, and this one is endless", what),
        "say it by steps from pieces, such as `next(own, adjacent)`, or from `origin`");
  return false;
}

namespace {

// `rotate(180, a | b)` of two cells that have names: they change places, whatever lies between them.
bool is_exchange(const Ast& n) {
  constexpr std::int64_t kHalfTurn = 180;
  if (n.word != "rotate" || n.kids.size() != 2 || n.kids[0].form != dsl::Form::number ||
      n.kids[0].number != kHalfTurn)
    return false;
  const Ast& both = n.kids[1];
  return both.form == dsl::Form::binary && both.word == "|" && both.kids[0].form == dsl::Form::name &&
         both.kids[1].form == dsl::Form::name;
}

} // namespace

// Can a word be asked in this place, of this board? Else an error is said.
bool Elaborator::may_be_asked(const LanguageWord& word, const Ast& n) {
  if (word.has(runtime::kPlaced) && !placed(n, fmt::format("`{}`", word.name).c_str())) return false;
  if (word.has(runtime::kAtTurnsEnd) && in_turn_) {
    error(n.span, "repeats",
          fmt::format("`{}` can't be asked in `turn`: the next player to move is part of what repeats",
                      word.name),
          "ask it in `end`, or of a clock that `turn` counts");
    return false;
  }
  const bool goes_by_edges = word.has(runtime::kByEdges) && !is_exchange(n);
  return !goes_by_edges || has_edges(n, std::string(word.name) + (word.is_function() ? "(…)" : ""));
}

namespace {

// Goes along with Type.
constexpr std::array kTypes{Ty::number, Ty::truth,   Ty::cells, Ty::directions, Ty::kind,   Ty::player,
                            Ty::map,    Ty::numbers, Ty::sets,  Ty::kinds,      Ty::players};

Ty checked_type(char letter) { return kTypes.at(static_cast<std::size_t>(type_of_letter(letter))); }

} // namespace

// A word whose row tells what it takes and gives.
Typed Elaborator::by_row(const LanguageWord& word, const Ast& n, const Env& env) {
  const runtime::Operation& row = runtime::about(*word.op);
  std::vector<NodeId> kids;
  for (std::size_t i = 0; i < n.kids.size(); ++i) {
    const Typed v = argument(letter_of_parameter(word, i), n.kids[i], env);
    if (v.type == Ty::error) return silent();
    kids.push_back(v.node);
  }
  const Ty type = checked_type(row.types.front());
  const std::int32_t whose = row.a == runtime::Operand::player ? me_ : 0;
  return make(type, builder_.add(*word.op, runtime_type(type), std::move(kids), whose), n.span);
}

// Of the sort that a letter of the row says. After an error that is something of that sort, or the error.
Typed Elaborator::argument(char letter, const Ast& n, const Env& env) {
  switch (letter) {
  case 'n': return make(Ty::number, number(n, env), n.span);
  case 't': return make(Ty::truth, truth(n, env), n.span);
  case 'c': return make(Ty::cells, cells(n, env), n.span);
  case 'd': return directions(n, env);
  case 'k': return make(Ty::kind, kind(n, env), n.span);
  case 'm': return make(Ty::map, map(n, env), n.span);
  case 'v': return members(n, env);
  default: break;
  }
  const Ty wanted = checked_type(letter);
  const Typed v = convert(value(n, env), wanted);
  if (v.type == wanted || v.type == Ty::error) return v;
  return error(n.span, "type", needed(wanted, v.type));
}

Typed Elaborator::function(const Ast& n, const Env& env) {
  const LanguageWord* f = function_named(n.word);
  if (f == nullptr) {
    if (diagnostics_.has_errors()) return silent();
    return unknown(n, true);
  }
  if (n.kids.size() < f->least || n.kids.size() > f->most) {
    if (diagnostics_.has_errors()) return silent();
    return error(n.span, "arity",
                 fmt::format("`{}` takes {} arguments, but is given {}", n.word, f->least, n.kids.size()));
  }
  if (!may_be_asked(*f, n)) return silent();
  return f->is_regular() ? by_row(*f, n, env) : function_of_its_own(n, env);
}

// What has types that no row tells, or is made of several operations.
Typed Elaborator::function_of_its_own(const Ast& n, const Env& env) {
  const std::string& w = n.word;
  if (w == "advance") return advance(n, env);
  if (w == "row") return row(n, env);
  if ((w == "file" || w == "rank") && is_no_line(n)) return silent();
  if (w == "file") return by_number(n, env, Op::file_of);
  if (w == "rank") return by_number(n, env, Op::rank_of);
  if (w == "cell") return by_number(n, env, Op::cell_numbered);
  if (w == "first") return end_of(n, env, Op::first, Op::first_of);
  if (w == "last") return end_of(n, env, Op::last, Op::last_of);
  if (w == "min") return extremum(n, env, Op::least);
  if (w == "max") return extremum(n, env, Op::greatest);
  if (w == "sum") return total_of(n, env, Op::sum_for);
  if (w == "product") return total_of(n, env, Op::product_for);
  if (w == "kind") return kind_on(n, env);
  if (w == "kinds") return kinds_list(n, env);
  if (w == "list") return list(n, env);
  if (w == "hand") return hand(n, env);
  if (w == "opposite") return opposite(n, env);
  if (w == "turn") return turned(n, env);
  if (w == "spins") return spins(n, env);
  if (w == "union") return union_of(n, env);
  return error(n.span, "syntax", fmt::format("`{}` isn't written like this", w));
}

// The cells that a number names, or all that the numbers of a list do.
Typed Elaborator::by_number(const Ast& n, const Env& env, Op op) {
  const Typed given = value(n.kids[0], env);
  if (given.type != Ty::numbers)
    return make(Ty::cells, builder_.add(op, Type::cells, {number_of(given, n.kids[0].span)}), n.span);
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const NodeId one = builder_.add(op, Type::cells, {builder_.add(Op::local, Type::number, {}, slot)});
  return all_numbered(given.node, slot, one, n.span);
}

Typed Elaborator::union_of(const Ast& n, const Env& env) {
  const Typed v = convert(value(n.kids[0], env), Ty::sets);
  if (v.type == Ty::sets) return make(Ty::cells, builder_.add(Op::union_of, Type::cells, {v.node}), n.span);
  if (v.type == Ty::error) return v;
  return error(n.span, "type",
               fmt::format("`union` takes a list of sets of cells, but this is {}", describe(v.type)));
}

} // namespace boardwright::interpreter
