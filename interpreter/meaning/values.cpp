// Values: names, operators, questions, lists, walks as sets.
#include "interpreter/meaning/elaborator.hpp"

#include "interpreter/meaning/restore.hpp"
#include "interpreter/meaning/words.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

namespace {

// Whether two values have, or can take, one type.
bool comparable(const Typed& a, const Typed& b) {
  const auto joins = [](Ty x, Ty y) { return x == y || x == Ty::none || (x == Ty::kind && y == Ty::cells); };
  return joins(a.type, b.type) || joins(b.type, a.type);
}

} // namespace

Typed Elaborator::value(const Ast& n, const Env& env) {
  const Restore keep_nesting(nesting_);
  ++nesting_;
  if (!has_room(n)) return silent();
  const bool is_joint = n.form == Form::either || n.form == Form::conditional || n.form == Form::paren;
  if (!is_joint && is_action(n, env)) // of what is joined, the part that is an action is shown
    return error(n.span, "action", "a value is needed here, but this is an action",
                 "a condition among actions is `(require C)`, in parentheses; `can A` asks whether an action "
                 "is possible");
  const std::uint32_t outer_origin = builder_.origin();
  mark(n);
  Typed v = value_of_form(n, env);
  if (v.span.end == 0) v.span = n.span;
  if (readings_ != nullptr) note(n, v);
  builder_.set_origin(outer_origin);
  return v;
}

Typed Elaborator::value_of_form(const Ast& n, const Env& env) {
  switch (n.form) {
  case Form::name: return name(n, env);
  case Form::call: {
    const Found found = resolve(n);
    if (found.definition != nullptr) return call_value(found, n, env);
    return is_piece_value(n.word) ? asked(n, env) : function(n, env);
  }
  case Form::paren: return value(n.kids[0], env);
  case Form::sequence: return let_in(n, env);
  case Form::cases: return knows_kind(n) ? chosen_value(inner_bodies(n, env), n.span) : silent();
  case Form::number: return written_number(n, n.number);
  case Form::string: return make(Ty::text, builder_.text(n.word), n.span);
  case Form::negate:
    if (n.kids[0].form == Form::number) return written_number(n, -n.kids[0].number);
    return make(Ty::number, builder_.add(Op::negate, Type::number, {number(n.kids[0], env)}), n.span);
  case Form::complement:
    return make(Ty::cells, builder_.add(Op::complement, Type::cells, {cells(n.kids[0], env)}), n.span);
  case Form::negation: return connective(n, env, Op::negation);
  case Form::binary: return binary(n, env);
  case Form::compare: return compare(n, env);
  case Form::either: return connective(n, env, Op::any_of);
  case Form::all_of: return connective(n, env, Op::all_of);
  case Form::conditional: return conditional(n, env);
  case Form::perspective: return perspective(n, env);
  case Form::owned: return owned(n, env);
  case Form::some:
  case Form::no: return some(n, env);
  case Form::some_in:
  case Form::no_in: return quantified(n, env);
  case Form::some_inside:
  case Form::no_inside:
  case Form::every_inside: return inside(n, env);
  case Form::no_move: return no_move(n);
  case Form::can: {
    const Restore keep(placed_);
    const Restore keep_carrying(carrying_);
    const Restore keep_position(position_);
    position_ = ++positions_;
    return make(Ty::truth, builder_.add(Op::can, Type::truth, {rooted(n.kids[0], env)}), n.span);
  }
  case Form::part: return part(n, env);
  case Form::list_for: return list_for(n, env);
  case Form::fold_for: return fold_for(n, env);
  case Form::reach: return reach(n, env);
  case Form::before: return before(n, env);
  case Form::pieces: return pieces(n, env);
  default: return error(n.span, "action", "a value is needed here, but this is an action");
  }
}

// ---------------------------------------------------------------- names

Typed Elaborator::name(const Ast& n, const Env& env) {
  if (const Binding* b = find(env, n.word)) return local(*b, n.span);
  const Found found = resolve(n);
  if (found.definition != nullptr) return call_value(found, n, env);
  return global_name(n);
}

Typed Elaborator::global_name(const Ast& n) {
  if (const OptionValue* o = symbols_.option(n.word)) return option(*o, n.span);
  if (const int k = symbols_.kind(n.word); k >= 0) return make(Ty::kind, builder_.kind(k), n.span);
  if (is_piece_value(n.word)) return asked(n, nullptr);
  if (const int s = symbols_.state(n.word); s >= 0) return state(s, n.span);
  if (const int t = symbols_.track(n.word); t >= 0) {
    const int step = intern_track(builder_.program().board, geometry_, t, false);
    runtime::StepSet set;
    if (step >= 0) set.set(step);
    return make(Ty::directions, builder_.steps(set), n.span);
  }
  if (const auto place = geometry_.find(n.word)) {
    const int cell = builder_.program().board.cell_at(place->x, place->y);
    return make(Ty::cells, builder_.cells(cell < 0 ? runtime::CellSet{} : runtime::CellSet::of(cell)),
                n.span);
  }
  if (const int p = symbols_.player(n.word); p >= 0) return make(Ty::player, builder_.player(p), n.span);
  if (word_named(n.word) != nullptr) return word(n);
  if (!diagnostics_
           .has_errors()) // else the names pass has said it; constant expressions come before that pass
    return unknown(n, false);
  return silent();
}

Typed Elaborator::unknown(const Ast& n, bool with_arguments) {
  const std::string near = dsl::nearest(n.word, symbols_.known_names(with_arguments));
  return error(n.span, "unknown-name", fmt::format("unknown name `{}{}`", n.word, with_arguments ? "(" : ""),
               near.empty() ? "" : fmt::format("did you mean `{}`?", near));
}

Typed Elaborator::option(const OptionValue& o, dsl::Span span) {
  switch (o.type) {
  case OptionType::number: return make(Ty::number, builder_.number(o.number), span);
  case OptionType::truth: return make(Ty::truth, builder_.truth(o.number != 0), span);
  case OptionType::word: break;
  }
  Typed v = make(Ty::word, 0, span);
  v.option = &o;
  return v;
}

Typed Elaborator::state(int entry, dsl::Span span) {
  const auto& e = symbols_.file.state[static_cast<std::size_t>(entry)];
  const auto& variables = builder_.program().variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto& v = variables[i];
    if (v.name != e.name.text || (v.player >= 0 && v.player != me_)) continue;
    const Ty type = v.type == Type::number   ? Ty::number
                    : v.type == Type::truth  ? Ty::truth
                    : v.type == Type::kind   ? Ty::kind
                    : v.type == Type::player ? Ty::player
                                             : Ty::cells;
    return make(type, builder_.add(Op::variable, v.type, {}, static_cast<std::int32_t>(i)), span);
  }
  if (symbols_.worthless.contains(e.name.text)) return silent();
  return error(span, "state", fmt::format("`{}` has no value yet", e.name.text));
}

Typed Elaborator::owner_cells(const std::string& owner, dsl::Span span) {
  using runtime::Owners;
  const auto& program = builder_.program();
  const auto node = [&](Owners owners, int player) {
    return make(Ty::cells,
                builder_.add(Op::owned, Type::cells, {}, static_cast<std::int32_t>(owners), player), span);
  };
  if (owner == "own") return node(Owners::exactly, me_);
  if (owner == "enemy") {
    if (program.player_count() == 2) return node(Owners::exactly, 1 - me_);
    if (program.player_count() == 1) return make(Ty::cells, builder_.cells({}), span);
    return node(Owners::others, me_);
  }
  const bool any_neutral = std::any_of(program.kinds.begin(), program.kinds.end(),
                                       [](const runtime::Kind& k) { return k.letter.back() != 0; });
  return any_neutral ? node(Owners::neutral, me_) : make(Ty::cells, builder_.cells({}), span);
}

Typed Elaborator::word(const Ast& n) {
  const std::string& w = n.word;
  const LanguageWord* meant = word_named(w);
  if (!may_be_asked(*meant, n)) return silent();
  if (meant->is_regular()) return by_row(*meant, n, nullptr);
  if (w == "own" || w == "enemy" || w == "neutral") return owner_cells(w, n.span);
  if (w == "none") return make(Ty::none, 0, n.span);
  if (w == "true" || w == "false") return make(Ty::truth, builder_.truth(w == "true"), n.span);
  if (w == "files") return make(Ty::number, builder_.number(geometry_.files), n.span);
  if (w == "ranks") return make(Ty::number, builder_.number(geometry_.ranks), n.span);
  if (w == "hexes") return make(Ty::truth, builder_.truth(geometry_.hexes), n.span);
  if (w == "repeats") return repeats(n);
  if (w == "me") return make(Ty::player, builder_.player(me_), n.span);
  if (w == "players" || w == "others")
    return make(Ty::players, builder_.add(Op::still_in, Type::players, {}, me_, w == "others" ? 1 : 0),
                n.span);
  if (w == "kinds") {
    std::vector<NodeId> kids;
    for (int k = 0; k < static_cast<int>(symbols_.kinds.size()); ++k) kids.push_back(builder_.kind(k));
    return make(Ty::kinds, builder_.add(Op::list, Type::kinds, kids), n.span);
  }
  if (w == "mirror")
    return error(n.span, "mirror", "`mirror` can only be the whole body for a player",
                 rule_ == "setup"
                     ? "the entry `mirror: reflect`, or `mirror: rotate(180)`, sets up the others as the "
                       "first player is"
                     : "home: { Black: b1..g2, White: mirror }");
  bool known = false;
  Typed v = direction_word(n, known);
  if (!known) v = place_word(n, known);
  if (known || diagnostics_.has_errors()) return v; // what isn't known has been said by the names pass
  return error(n.span, "unknown-name", fmt::format("`{}` has no value here", w));
}

// Within `turn` only as `p.repeats`, for who moves next is part of what repeats.
Typed Elaborator::repeats(const Ast& n) {
  const auto often = [&](Op op, int player) {
    return make(Ty::number, builder_.add(op, Type::number, {}, player), n.span);
  };
  if (!in_turn_) return often(Op::repeats, 0);
  if (dotted_) return often(Op::repeats_of, me_);
  return error(
      n.span, "repeats",
      "`repeats` can't be asked in `turn`: the next player to move is part of what repeats",
      "`enemy.repeats` asks of the position with the enemy to move, `board_repeats` of the board alone");
}

Typed Elaborator::direction_word(const Ast& n, bool& known) {
  const std::string& w = n.word;
  known = true;
  if (w == "north") return constant_steps({{0, 1}}, n.span);
  if (w == "south") return constant_steps({{0, -1}}, n.span);
  if (w == "east") return constant_steps({{1, 0}}, n.span);
  if (w == "west") return constant_steps({{-1, 0}}, n.span);
  if (w == "adjacent") return constant_steps(geometry_.adjacent(), n.span);
  if (w == "diagonal") return constant_steps(geometry_.diagonal(), n.span);
  if (w == "axes") return constant_steps(geometry_.axes(), n.span);
  if (w == "forward") return relative(0, 1, n.span, w);
  if (w == "backward") return relative(0, -1, n.span, w);
  if (w == "right") return relative(1, 0, n.span, w);
  if (w == "left") return relative(-1, 0, n.span, w);
  known = false;
  return {};
}

Typed Elaborator::place_word(const Ast& n, bool& known) {
  const std::string& w = n.word;
  const auto& board = builder_.program().board;
  known = true;
  if (w == "board") return make(Ty::cells, builder_.cells(board.all), n.span);
  if (w != "edge" && w != "corners" && w != "sides") {
    known = false;
    return {};
  }
  std::vector<runtime::CellSet> sides;
  for (const auto& places : geometry_.sides()) {
    runtime::CellSet side;
    for (const Place p : places) side.set(board.cell_at(p.x, p.y));
    sides.push_back(side);
  }
  if (w == "sides") {
    std::vector<NodeId> kids;
    for (const auto& side : sides) kids.push_back(builder_.cells(side));
    return make(Ty::sets, builder_.add(Op::list, Type::sets, kids), n.span);
  }
  runtime::CellSet edge, corners;
  for (const auto& side : sides) {
    corners |= edge & side;
    edge |= side;
  }
  return make(Ty::cells, builder_.cells(w == "edge" ? edge : corners), n.span);
}

// ---------------------------------------------------------------- operators

Typed Elaborator::binary(const Ast& n, const Env& env) {
  if (n.word == "..") return range(n, env);
  const Typed left = value(n.kids[0], env), right = value(n.kids[1], env);
  if (left.type == Ty::error || right.type == Ty::error) return silent();
  const bool numbers = left.type == Ty::number && right.type == Ty::number;
  if (numbers && n.word != "|" && n.word != "&") return arithmetic(n, left, right);
  if (n.word == "*") {
    if (left.type == Ty::number && right.type == Ty::directions) return times(left, right, n.span);
    return error(n.span, "type",
                 fmt::format("`*` takes two numbers, or a number and directions; these are {} and {}",
                             describe(left.type), describe(right.type)));
  }
  if (n.word == "/" || n.word == "%")
    return error(n.span, "type",
                 fmt::format("`{}` takes two numbers; these are {} and {}", n.word, describe(left.type),
                             describe(right.type)));
  if (n.word == "+") {
    if (left.type == Ty::directions && right.type == Ty::directions) return sum(left, right, n.span);
    return error(n.span, "type",
                 fmt::format("`+` takes two numbers, or directions and directions; these are {} and {}",
                             describe(left.type), describe(right.type)),
                 left.type == Ty::cells || left.type == Ty::kind ? "`S | T` is the union of two sets of cells"
                                                                 : "");
  }
  return set_operation(n, left, right);
}

Typed Elaborator::arithmetic(const Ast& n, const Typed& left, const Typed& right) {
  const Op op = n.word == "+"   ? Op::add
                : n.word == "-" ? Op::subtract
                : n.word == "*" ? Op::multiply
                : n.word == "/" ? Op::divide
                                : Op::modulo;
  return make(Ty::number, builder_.add(op, Type::number, {left.node, right.node}), n.span);
}

// | & - on cells, on directions and on lists.
Typed Elaborator::set_operation(const Ast& n, Typed left, Typed right) {
  const Op op = n.word == "|" ? Op::unite : n.word == "&" ? Op::meet : Op::minus;
  // What kinds join are their cells.
  if (left.type == Ty::kind) left = convert(left, Ty::cells);
  if (right.type == Ty::kind) right = convert(right, Ty::cells);
  if (left.type == Ty::none) left = convert(left, right.type == Ty::none ? Ty::cells : right.type);
  if (right.type == Ty::none) right = convert(right, left.type);
  const bool sets = left.type == Ty::cells || left.type == Ty::directions || is_list(left.type);
  if (left.type != right.type || !sets) {
    std::string help;
    if (left.type == Ty::truth || right.type == Ty::truth) help = "conditions are joined by `and` and `or`";
    return error(n.span, "type",
                 fmt::format("`{}` takes cells, directions or lists, both of one type; these are {} and {}",
                             n.word, describe(left.type), describe(right.type)),
                 help);
  }
  Typed v = make(left.type, builder_.add(op, runtime_type(left.type), {left.node, right.node}), n.span);
  if (v.type != Ty::directions) return v;
  if (op == Op::unite && left.may && right.may) v.may = *left.may | *right.may;
  if (op == Op::minus) v.may = left.may;
  if (op == Op::meet) v.may = left.may ? left.may : right.may;
  return v;
}

Typed Elaborator::range(const Ast& n, const Env& env) {
  // A corner that is a sum would be read wrongly by people: `S - a1..b2`.
  for (const auto& k : n.kids) {
    if (k.form != Form::binary) continue;
    const Typed v = value(k, env);
    if (v.type == Ty::number || v.type == Ty::error) continue;
    return error(n.span, "rectangle", "`S - a1..b2` takes the corner of a rectangle away first",
                 "put the rectangle in parentheses: `S - (a1..b2)`");
  }
  if (names_whole_line(n.kids[0]) && names_whole_line(n.kids[1])) return corner_error(n);
  const auto is_hole = [&](const Ast& k) {
    return k.form == Form::name && find(env, k.word) == nullptr && geometry_.find(k.word);
  };
  if (is_hole(n.kids[0]) || is_hole(n.kids[1])) return rectangle(n, env);
  const Typed left = value(n.kids[0], env), right = value(n.kids[1], env);
  if (left.type == Ty::error || right.type == Ty::error) return silent();
  if (left.type == Ty::number && right.type == Ty::number)
    return make(Ty::numbers, builder_.add(Op::range, Type::numbers, {left.node, right.node}), n.span);
  return rectangle(n, env);
}

// `rank(4)`, `file(n)`, `row(-1)`: a whole line of cells.
bool Elaborator::names_whole_line(const Ast& n) const {
  const bool lines = n.word == "rank" || n.word == "file" || n.word == "row";
  return n.form == Form::call && lines && n.kids.size() == 1 && resolve(n).definition == nullptr;
}

namespace {

// A number as it is written; a letter for what isn't one.
std::string as_written(const Ast& n, const char* otherwise) {
  if (n.form == Form::number) return std::to_string(n.number);
  const bool negative = n.form == Form::negate && n.kids[0].form == Form::number;
  return negative ? "-" + std::to_string(n.kids[0].number) : otherwise;
}

} // namespace

// Of `rank(4) .. rank(5)` only the first cells would be the corners.
Typed Elaborator::corner_error(const Ast& n) {
  const Ast &a = n.kids[0], &b = n.kids[1];
  const std::string message = fmt::format("`{}(…)` is a whole line of cells, not a corner", a.word);
  const std::string help = a.word != b.word
                               ? "a corner is one cell, such as `a4`"
                               : fmt::format("write `{}({} .. {})`", a.word, as_written(a.kids[0], "n"),
                                             as_written(b.kids[0], "m"));
  return error(n.span, "rectangle", message, help);
}

Typed Elaborator::rectangle(const Ast& n, const Env& env) {
  if (!has_edges(n, "..")) return silent();
  std::array<std::int32_t, 2> fixed{-1, -1};
  std::vector<NodeId> corners;
  for (std::size_t i = 0; i < 2; ++i) {
    const Ast& k = n.kids[i];
    const bool is_cell_name = k.form == Form::name && find(env, k.word) == nullptr &&
                              symbols_.lookup(k.word, false) == NameIs::cell;
    if (is_cell_name) {
      const Place p = *geometry_.find(k.word);
      fixed[i] = p.y * 1024 + p.x;
    }
    corners.push_back(cells(k, env));
  }
  return make(Ty::cells, builder_.add(Op::rectangle, Type::cells, corners, fixed[0], fixed[1]), n.span);
}

std::optional<Typed> Elaborator::compare_words(const Ast& n, const Env& env) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Ast &side = n.kids[i], &other = n.kids[1 - i];
    if (side.form != Form::name || find(env, side.word) != nullptr) continue;
    const OptionValue* o = symbols_.option(side.word);
    if (o == nullptr || o->type != OptionType::word || resolve(side).definition != nullptr) continue;
    if (n.word != "=" && n.word != "!=")
      return error(n.span, "type", "the words of an option can only be compared by `=` and `!=`");
    if (other.form != Form::name)
      return error(other.span, "word", fmt::format("a word of the option `{}` is needed here", o->name));
    std::string word = other.word;
    if (const OptionValue* second = symbols_.option(word);
        second != nullptr && second->type == OptionType::word)
      word = second->word;
    else if (std::find(o->words.begin(), o->words.end(), word) == o->words.end())
      return error(other.span, "word",
                   fmt::format("`{}` is not one of the words of the option `{}`: {}", word, o->name,
                               fmt::join(o->words, ", ")),
                   dsl::nearest(word, o->words).empty()
                       ? ""
                       : fmt::format("did you mean `{}`?", dsl::nearest(word, o->words)));
    return make(Ty::truth, builder_.truth((o->word == word) == (n.word == "=")), n.span);
  }
  return std::nullopt;
}

Typed Elaborator::compare(const Ast& n, const Env& env) {
  if (auto words = compare_words(n, env)) return *words;
  if (n.word == "in") return contained(n, env);
  if (n.word != "=" && n.word != "!=") return ordered(n, env);
  std::vector<Typed> sides{value(n.kids[0], env), value(n.kids[1], env)};
  if (sides[0].type == Ty::error || sides[1].type == Ty::error) return silent();
  if (any_text(sides)) return error(n.span, "type", "text is only written, by `say`: it can't be compared");
  for (auto& s : sides)
    if (s.type == Ty::word)
      return error(s.span, "word", "a word of an option can only be compared with that option");
  if (sides[0].type == Ty::number && sides[1].type == Ty::cells)
    return error(n.span, "type", "a number can't be compared with a set of cells",
                 "`count(S)` is how many there are");
  if (sides[1].type == Ty::number && sides[0].type == Ty::cells)
    return error(n.span, "type", "a set of cells can't be compared with a number",
                 "`count(S)` is how many there are");
  if (!comparable(sides[0], sides[1]))
    return error(
        n.span, "type",
        fmt::format("{} can't be compared with {}", describe(sides[0].type), describe(sides[1].type)));
  for (std::size_t i = 0; i < 2; ++i)
    if (sides[i].type == Ty::kind && sides[1 - i].type == Ty::cells && is_variable(n.kids[1 - i], env))
      return error(
          n.span, "type",
          fmt::format("`{}` is a set of cells, and can't be compared with a kind of piece",
                      n.kids[1 - i].word),
          "`c in man` asks for the cells with one, `kind(c) = man` for the kind there; a variable for "
          "kinds begins with `kind(none)`");
  for (std::size_t i = 0; i < 2; ++i)
    if (sides[i].type == Ty::kind && family_meant(n.kids[1 - i], env) != nullptr)
      return error(
          n.span, "type",
          fmt::format("`{}` is a family of kinds, and can't be compared with one", n.kids[1 - i].word),
          fmt::format("`c in {0}` asks whether the piece on c is of the family, `k in kinds({0})` "
                      "whether a kind is",
                      n.kids[1 - i].word));
  if (unify(sides, n.span) == Ty::error) return silent();
  const NodeId same = builder_.add(Op::equal, Type::truth, {sides[0].node, sides[1].node});
  return make(Ty::truth, n.word == "=" ? same : builder_.add(Op::negation, Type::truth, {same}), n.span);
}

// A local name or a variable of the position: what is compared with it is no set that happens to be the same.
bool Elaborator::is_variable(const Ast& n, const Env& env) const {
  if (n.form != Form::name) return false;
  if (find(env, n.word) != nullptr) return true;
  return resolve(n).definition == nullptr && symbols_.state(n.word) >= 0;
}

Typed Elaborator::ordered(const Ast& n, const Env& env) {
  const NodeId left = number(n.kids[0], env), right = number(n.kids[1], env);
  const bool swapped = n.word[0] == '>';
  const Op op = n.word.size() == 2 ? Op::at_most : Op::less;
  return make(Ty::truth,
              builder_.add(op, Type::truth, swapped ? std::vector{right, left} : std::vector{left, right}),
              n.span);
}

Typed Elaborator::contained(const Ast& n, const Env& env) {
  Typed left = value(n.kids[0], env), right = value(n.kids[1], env);
  if (left.type == Ty::error || right.type == Ty::error) return silent();
  if (is_list(right.type)) {
    left = convert(left, member_of(right.type));
    if (left.type != member_of(right.type))
      return error(left.span, "type",
                   fmt::format("{} can't be a member of {}", describe(left.type), describe(right.type)));
    return make(Ty::truth, builder_.add(Op::member, Type::truth, {left.node, right.node}), n.span);
  }
  if (left.type == Ty::none) left = convert(left, right.type == Ty::directions ? Ty::directions : Ty::cells);
  if (right.type == Ty::none)
    right = convert(right, left.type == Ty::directions ? Ty::directions : Ty::cells);
  left = convert(left, Ty::cells);
  right = convert(right, Ty::cells);
  const bool sets = left.type == right.type && (left.type == Ty::cells || left.type == Ty::directions);
  if (!sets)
    return error(n.span, "type",
                 fmt::format("`in` asks for cells in cells, directions in directions or a member of a list; "
                             "these are {} and {}",
                             describe(left.type), describe(right.type)));
  return make(Ty::truth, builder_.add(Op::within, Type::truth, {left.node, right.node}), n.span);
}

namespace {

// What was meant by a word for conditions between sets.
const char* meant_by(Op op) {
  switch (op) {
  case Op::negation: return "`~S` is every cell but those of S; `no S` asks whether there are none";
  case Op::any_of: return "`S | T` is what is in either; `some S` asks whether there are any";
  default: return "`S & T` is what is in both; `some S` asks whether there are any";
  }
}

} // namespace

// Sets among conditions are told once: what they are part of is no condition then.
Typed Elaborator::connective(const Ast& n, const Env& env, Op op) {
  std::vector<NodeId> kids;
  const Restore keep_dead(dead_);
  for (const auto& k : n.kids) {
    const Typed v = value(k, env);
    if (v.type == Ty::error) return silent();
    if (v.type == Ty::cells || v.type == Ty::kind || v.type == Ty::directions)
      return error(k.span, "type", needed(Ty::truth, v.type), meant_by(op));
    kids.push_back(truth_of(v, k.span));
    dead_ = dead_ || settled(kids.back(), op == Op::any_of);
  }
  return make(Ty::truth, builder_.add(op, Type::truth, kids), n.span);
}

// `let x = E, V`: what is constant stands for itself, as an argument does.
Typed Elaborator::let_in(const Ast& n, const Env& env) {
  Call names;
  names.env = env;
  for (std::size_t i = 0; i + 1 < n.kids.size(); ++i) {
    const Ast& let = n.kids[i];
    Typed v = value(let.kids[0], names.env);
    if (v.type == Ty::text) return error(let.kids[0].span, "type", "text can't be bound to a name");
    auto b = std::make_shared<Binding>();
    b->name = let.word;
    const bool stands_for_itself =
        v.type == Ty::error || v.type == Ty::none || v.type == Ty::word || builder_.is_constant(v.node);
    if (!stands_for_itself) {
      b->slot = builder_.new_slots();
      names.lets.emplace_back(b->slot, v.node);
      note_local(b->slot, v.node);
      v.node = 0;
    }
    b->value = std::move(v);
    b->outer = names.env;
    names.env = b;
  }
  return behind_lets(names, value(n.kids.back(), names.env));
}

Typed Elaborator::conditional(const Ast& n, const Env& env) {
  if (n.kids.size() < 3) return error(n.span, "type", "an `if` that yields a value needs an `else`");
  const NodeId condition = truth(n.kids[0], env);
  std::vector<Typed> branches;
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    const Restore keep_dead(dead_);
    dead_ = dead_ || settled(condition, i != 1);
    branches.push_back(value(n.kids[i], env));
  }
  if (any_text(branches)) return text_by(Op::if_action, {condition}, branches, n.span);
  return chosen(condition, std::move(branches), n.span);
}

// What `if` gives, of branches that are no text.
Typed Elaborator::chosen(NodeId condition, std::vector<Typed> branches, dsl::Span span) {
  if (branches[0].type == Ty::none && branches[1].type == Ty::none) return branches[0];
  const Ty type = unify(branches, span);
  if (type == Ty::error) return silent();
  if (type == Ty::word) return error(span, "type", fmt::format("`if` can't choose {}", describe(type)));
  Typed v = make(
      type, builder_.add(Op::if_value, runtime_type(type), {condition, branches[0].node, branches[1].node}),
      span);
  if (type == Ty::directions && branches[0].may && branches[1].may)
    v.may = *branches[0].may | *branches[1].may;
  return v;
}

// ---------------------------------------------------------------- other players

int Elaborator::player_before_dot(const Ast& n, const Env& env, Typed& dynamic) {
  if (n.form == Form::name && find(env, n.word) == nullptr) {
    if (n.word == "own") return me_;
    if (n.word == "enemy") return symbols_.players.size() == 2 ? 1 - me_ : -2; // the names pass has said so
  }
  dynamic = value(n, env);
  if (dynamic.type == Ty::error) return -2;
  if (dynamic.type != Ty::player) {
    const bool of_argument =
        n.form == Form::name && find(env, n.word) != nullptr && dynamic.type == Ty::cells;
    error(n.span, "type",
          fmt::format("a player is needed before the dot, but this is {}", describe(dynamic.type)),
          of_argument ? "as an argument `enemy` is his cells: the player is `first(others)`" : "");
    return -2;
  }
  return builder_.node(dynamic.node).op == Op::player ? builder_.node(dynamic.node).a : -1;
}

Typed Elaborator::perspective(const Ast& n, const Env& env) {
  const Ast& seen = n.kids[1];
  const Found called = seen.form == Form::call ? resolve(seen) : Found{};
  if (called.definition != nullptr && called.definition->parameters.size() != seen.kids.size())
    return silent(); // the names pass has said so, and it may be why there is a dot
  Typed who;
  const int player = player_before_dot(n.kids[0], env, who);
  if (player == -2) return silent();
  const Restore keep_me(me_);
  const Restore keep_dotted(dotted_);
  dotted_ = true;
  if (player >= 0) {
    me_ = player;
    return value(n.kids[1], env);
  }
  std::vector<Typed> bodies;
  for (int p = 0; p < static_cast<int>(symbols_.players.size()); ++p) {
    me_ = p;
    bodies.push_back(value(n.kids[1], env));
  }
  if (any_text(bodies)) return text_by(Op::by_player_action, {who.node}, bodies, n.span);
  const Ty type = unify(bodies, n.span);
  if (type == Ty::error) return silent();
  std::vector<NodeId> kids{who.node};
  for (const auto& b : bodies) kids.push_back(b.node);
  return make(type, builder_.add(Op::by_player, runtime_type(type), kids), n.span);
}

Typed Elaborator::owned(const Ast& n, const Env& env) {
  const Ast& whose = n.kids[0];
  if (is_action(n.kids[1], env)) {
    const bool in_parentheses = n.kids[1].form == Form::paren;
    const std::string what = in_parentheses ? "(…)" : n.kids[1].word + "(…)";
    return error(n.kids[1].span, "action",
                 fmt::format("`{} {}` means pieces on {}, but an action stands there", whose.word, what,
                             in_parentheses ? "the cells in the parentheses" : "cells"),
                 fmt::format("if an action follows, put a `,` between them: `{}, {}`", whose.word, what));
  }
  const Typed owner = owner_cells(whose.word, whose.span);
  const NodeId what = cells(n.kids[1], env);
  return make(Ty::cells, builder_.add(Op::meet, Type::cells, {owner.node, what}), n.span);
}

// ---------------------------------------------------------------- questions

Typed Elaborator::some(const Ast& n, const Env& env) {
  const Typed v = members(n.kids[0], env);
  if (v.type == Ty::error) return v;
  const NodeId any = builder_.add(Op::some, Type::truth, {v.node});
  return make(Ty::truth, n.form == Form::some ? any : builder_.add(Op::negation, Type::truth, {any}), n.span);
}

Typed Elaborator::quantified(const Ast& n, const Env& env) {
  const Typed domain = members(n.kids[0], env);
  if (domain.type == Ty::error) return domain;
  const std::uint32_t slot = builder_.new_slots();
  const NodeId condition = truth(n.kids[1], bind_member(env, n.word, domain, slot, false));
  const NodeId any =
      builder_.add(Op::some_where, Type::truth, {domain.node, condition}, static_cast<std::int32_t>(slot));
  return make(Ty::truth, n.form == Form::some_in ? any : builder_.add(Op::negation, Type::truth, {any}),
              n.span);
}

Typed Elaborator::part(const Ast& n, const Env& env) {
  const Typed domain = members(n.kids[0], env);
  if (domain.type == Ty::error) return domain;
  const std::uint32_t slot = builder_.new_slots();
  const NodeId condition = truth(n.kids[1], bind_member(env, n.word, domain, slot, false));
  Typed v = make(domain.type,
                 builder_.add(Op::select, runtime_type(domain.type), {domain.node, condition},
                              static_cast<std::int32_t>(slot)),
                 n.span);
  if (v.type == Ty::directions) v.may = domain.may;
  return v;
}

// some S in T = some S & T; no S in T = no S & T; every S in T: S has members, and all of them are in T.
Typed Elaborator::inside(const Ast& n, const Env& env) {
  const Typed part = members(n.kids[0], env);
  if (part.type == Ty::error) return part;
  const Typed whole = convert(value(n.kids[1], env), part.type);
  if (whole.type == Ty::error) return whole;
  if (whole.type != part.type)
    return error(
        n.span, "type",
        fmt::format("`S in T` takes cells, directions or lists, both of one type; these are {} and {}",
                    describe(part.type), describe(whole.type)));
  const Type type = runtime_type(part.type);
  const auto some_of = [&](NodeId of) { return builder_.add(Op::some, Type::truth, {of}); };
  const auto none_of = [&](NodeId of) { return builder_.add(Op::negation, Type::truth, {some_of(of)}); };
  if (n.form != Form::every_inside) {
    const NodeId both = builder_.add(Op::meet, type, {part.node, whole.node});
    return make(Ty::truth, n.form == Form::some_inside ? some_of(both) : none_of(both), n.span);
  }
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  const NodeId named = builder_.add(Op::local, type, {}, slot);
  const NodeId within = is_list(part.type) ? none_of(builder_.add(Op::minus, type, {named, whole.node}))
                                           : builder_.add(Op::within, Type::truth, {named, whole.node});
  const NodeId both = builder_.add(Op::all_of, Type::truth, {some_of(named), within});
  return make(Ty::truth, builder_.add(Op::let_value, Type::truth, {part.node, both}, slot), n.span);
}

// The names of `for`: where they are bound, what each goes through, the condition.
struct Elaborator::Bindings {
  Env inner;
  std::vector<NodeId> kids; // of an operation that goes through bindings, behind the first
  std::int32_t first = 0, count = 0;
};

std::optional<Elaborator::Bindings> Elaborator::bindings(const Ast& n, const Env& env) {
  const auto count = static_cast<std::uint32_t>(n.names.size());
  const std::uint32_t first = builder_.new_slots(count);
  std::vector<NodeId> domains;
  Env inner = env;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Typed domain = members(n.kids[i + 1], inner);
    if (domain.type == Ty::error) return std::nullopt;
    domains.push_back(domain.node);
    inner = bind_member(inner, n.names[i], domain, first + i, false);
  }
  const NodeId condition = n.kids.size() > count + 1 ? truth(n.kids.back(), inner) : builder_.truth(true);
  std::vector<NodeId> kids{condition};
  kids.insert(kids.end(), domains.begin(), domains.end());
  return Bindings{inner, std::move(kids), static_cast<std::int32_t>(first), static_cast<std::int32_t>(count)};
}

Typed Elaborator::list_for(const Ast& n, const Env& env) {
  const auto bound = bindings(n, env);
  if (!bound) return silent();
  Typed element = value(n.kids[0], bound->inner);
  if (element.type == Ty::none) element = convert(element, Ty::cells);
  Ty type = Ty::error;
  switch (element.type) {
  case Ty::error: return element;
  case Ty::number: type = Ty::numbers; break;
  case Ty::cells: type = Ty::sets; break;
  case Ty::kind: type = Ty::kinds; break;
  case Ty::player: type = Ty::players; break;
  default:
    return error(
        n.kids[0].span, "type",
        fmt::format("a list holds numbers, sets of cells, kinds or players, not {}", describe(element.type)));
  }
  std::vector<NodeId> kids{element.node};
  kids.insert(kids.end(), bound->kids.begin(), bound->kids.end());
  return make(type, builder_.add(Op::list_for, runtime_type(type), kids, bound->first, bound->count), n.span);
}

// Here every binding counts, also where values are equal.
Typed Elaborator::fold_for(const Ast& n, const Env& env) {
  const auto op = fold_named(n.word);
  if (!op) // else said by the names pass
    return diagnostics_.has_errors() ? silent()
                                     : error(n.span, "syntax", fmt::format("`{}` takes no `for`", n.word));
  const auto bound = bindings(n, env);
  if (!bound) return silent();
  std::vector<NodeId> kids{number(n.kids[0], bound->inner)};
  kids.insert(kids.end(), bound->kids.begin(), bound->kids.end());
  return make(Ty::number, builder_.add(*op, Type::number, kids, bound->first, bound->count), n.span);
}

// Only behind a sign there may be one more than the largest number.
Typed Elaborator::written_number(const Ast& n, std::int64_t number) {
  if (number > std::numeric_limits<std::int32_t>::max())
    return error(n.span, "syntax", "this number is too large", "the largest is 2147483647");
  return make(Ty::number, builder_.number(number), n.span);
}

Typed Elaborator::no_move(const Ast& n) {
  if (in_turn_)
    return error(n.span, "no-move", "`no move` asks what `turn` yields: inside `turn` that would never end");
  // In a line that names a player: it is his turn, and he has none.
  if (named_ >= 0 && me_ == named_ && mover_ != me_) return make(Ty::truth, builder_.truth(false), n.span);
  return make(Ty::truth, builder_.add(Op::no_move, Type::truth, {}, me_), n.span);
}

// ---------------------------------------------------------------- other times, other places

Typed Elaborator::reach(const Ast& n, const Env& env) {
  const NodeId from = cells(n.kids[0], env);
  const Restore keep(placed_);
  const Restore keep_carrying(carrying_);
  placed_ = true;
  const Restore keep_position(position_);
  position_ = ++positions_;
  const NodeId walk = rooted(n.kids[1], env);
  return make(Ty::cells, builder_.add(Op::reach, Type::cells, {from, walk}), n.span);
}

Typed Elaborator::before(const Ast& n, const Env& env) {
  if (in_end_) return error(n.span, "before", "`before` has no meaning in `end`: no turn has begun there");
  const Restore keep_position(position_);
  position_ = ++positions_;
  Typed v = value(n.kids[0], env);
  if (v.type == Ty::text)
    return error(n.kids[0].span, "type", fmt::format("`before` takes values, not {}", describe(v.type)),
                 "ask `before(…)` in the condition");
  // `before(pawn)`: its cells then, also through a parameter; `before(kind(c))` is a kind.
  const Ast* bare = &n.kids[0];
  while (bare->form == Form::paren) bare = &bare->kids[0];
  if (v.type == Ty::kind && bare->form == Form::name) v = convert(v, Ty::cells);
  if (v.type == Ty::error || v.type == Ty::none || v.type == Ty::word || v.type == Ty::text ||
      builder_.is_constant(v.node))
    return v;
  Typed result = make(v.type, builder_.add(Op::before, runtime_type(v.type), {v.node}), n.span);
  result.may = v.may;
  return result;
}

Typed Elaborator::pieces(const Ast& n, const Env& env) {
  using runtime::Owners;
  std::vector<NodeId> kids{cells(n.kids[0], env)};
  const dsl::FamilyEntry* family = n.kids.size() > 1 ? family_meant(n.kids[1], env) : nullptr;
  if (n.kids.size() > 1 && family == nullptr) kids.push_back(kind(n.kids[1], env));
  Owners owners = Owners::any;
  int player = me_;
  if (n.word == "own") owners = Owners::exactly;
  if (n.word == "neutral") owners = Owners::neutral;
  if (n.word == "enemy") {
    owners = symbols_.players.size() == 2 ? Owners::exactly : Owners::others;
    if (owners == Owners::exactly) player = 1 - me_;
  }
  const auto whose = static_cast<std::int32_t>(owners);
  const NodeId count = family != nullptr ? pieces_of_family(*family, kids[0], whose, player)
                                         : builder_.add(Op::pieces, Type::number, kids, whose, player);
  return make(Ty::number, count, n.span);
}

NodeId Elaborator::pieces_of_family(const dsl::FamilyEntry& family, NodeId cells, std::int32_t owners,
                                    int player) {
  const auto slot = static_cast<std::int32_t>(builder_.new_slots());
  NodeId sum = 0;
  for (const auto& member : family.members) {
    const NodeId where = builder_.add(Op::local, Type::cells, {}, slot);
    const NodeId kind = builder_.kind(symbols_.kind(member.kind));
    const NodeId count = builder_.add(Op::pieces, Type::number, {where, kind}, owners, player);
    sum = &member == &family.members.front() ? count : builder_.add(Op::add, Type::number, {sum, count});
  }
  return builder_.add(Op::let_value, Type::number, {cells, sum}, slot);
}

} // namespace boardwright::interpreter
