#include "interpreter/meaning/elaborator.hpp"

#include "dsl/families.hpp"
#include "interpreter/board/image.hpp"
#include "interpreter/meaning/restore.hpp"
#include "interpreter/meaning/shares.hpp"
#include "runtime/model/meter.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

std::string describe(Ty type) {
  switch (type) {
  case Ty::error: return "an error";
  case Ty::none: return "`none`";
  case Ty::number: return "a number";
  case Ty::truth: return "a condition";
  case Ty::cells: return "a set of cells";
  case Ty::directions: return "a set of directions";
  case Ty::kind: return "a kind of piece";
  case Ty::player: return "a player";
  case Ty::map: return "a map of cells";
  case Ty::numbers: return "a list of numbers";
  case Ty::sets: return "a list of sets of cells";
  case Ty::kinds: return "a list of kinds";
  case Ty::players: return "a list of players";
  case Ty::word: return "a word of an option";
  case Ty::text: return "text";
  }
  return "";
}

bool any_text(const std::vector<Typed>& values) {
  return std::any_of(values.begin(), values.end(), [](const Typed& v) { return v.type == Ty::text; });
}

Type runtime_type(Ty type) {
  switch (type) {
  case Ty::number: return Type::number;
  case Ty::truth: return Type::truth;
  case Ty::directions: return Type::directions;
  case Ty::kind: return Type::kind;
  case Ty::player: return Type::player;
  case Ty::map: return Type::map;
  case Ty::numbers: return Type::numbers;
  case Ty::sets: return Type::sets;
  case Ty::kinds: return Type::kinds;
  case Ty::players: return Type::players;
  default: return Type::cells;
  }
}

bool is_list(Ty type) { return type >= Ty::numbers && type <= Ty::players; }

Ty member_of(Ty list) {
  switch (list) {
  case Ty::numbers: return Ty::number;
  case Ty::sets: return Ty::cells;
  case Ty::kinds: return Ty::kind;
  case Ty::players: return Ty::player;
  default: return list;
  }
}

Elaborator::Elaborator(const Symbols& symbols, const Geometry& geometry, Builder& builder,
                       dsl::Diagnostics& diagnostics, Readings* readings, bool keeps_carried)
    : keeps_carried_(keeps_carried), symbols_(symbols), geometry_(geometry), builder_(builder),
      diagnostics_(diagnostics), readings_(readings) {
  for (const auto& vocabulary : symbols.file.vocabularies)
    for (const auto& d : vocabulary) vocabulary_files_.insert(d.span.file);
}

// ---------------------------------------------------------------- what the interpreter asks for

Typed Elaborator::outside(const Ast& tree, int me, const std::string& rule) {
  me_ = me;
  rule_ = rule;
  placed_ = carrying_ = surely_carrying_ = in_turn_ = in_end_ = false;
  depth_ = 0;
  calls_.clear();
  unfolding_ = {};
  return value(tree, nullptr);
}

Typed Elaborator::in_set_up(const Ast& tree, int me, Ty type) {
  Typed v = outside(tree, me, "state");
  if (v.type == Ty::none && type == Ty::directions) v = make(type, builder_.steps({}), tree.span);
  if (type == Ty::cells) v = convert(v, type);
  if (v.type == Ty::error || v.type != type || builder_.is_constant(v.node)) return v;
  const auto found = runtime::Walker(builder_.program()).evaluate(v.node, builder_.program().initial);
  if (!found) return error(tree.span, "constant", "in the set-up this goes wrong: " + found.error().message);
  v.node = builder_.constant(*found, runtime_type(type));
  return v;
}

std::optional<NodeId> Elaborator::cells_seen_by(const Ast& tree, int me) {
  const Typed v = convert(outside(tree, me, "state"), Ty::cells);
  if (v.type == Ty::cells) return v.node;
  if (v.type != Ty::error) error(tree.span, "type", needed(Ty::cells, v.type));
  return std::nullopt;
}

std::optional<NodeId> Elaborator::condition_of_set_up(const Ast& tree, int me) {
  const Typed v = outside(tree, me, "setup");
  if (v.type == Ty::truth) return v.node;
  if (v.type != Ty::error) error(tree.span, "type", needed(Ty::truth, v.type));
  return std::nullopt;
}

Typed Elaborator::constant(const Ast& tree, int me, const std::string& rule) {
  const Typed v = outside(tree, me, rule);
  if (v.type == Ty::error || v.type == Ty::none || v.type == Ty::word || v.type == Ty::text) return v;
  if (!builder_.is_constant(v.node))
    return error(tree.span, "constant", "this must be constant: it must not depend on the position");
  return v;
}

std::optional<std::int64_t> Elaborator::constant_number(const Ast& tree, int me) {
  const Typed v = constant(tree, me, rule_);
  if (v.type == Ty::error) return std::nullopt;
  if (v.type != Ty::number) {
    error(tree.span, "type", fmt::format("a number is needed here, this is {}", describe(v.type)));
    return std::nullopt;
  }
  return builder_.node(v.node).a;
}

std::optional<runtime::CellSet> Elaborator::constant_cells(const Ast& tree, int me, const std::string& rule) {
  const Typed v = convert(constant(tree, me, rule), Ty::cells);
  if (v.type == Ty::error) return std::nullopt;
  if (v.type != Ty::cells) {
    error(tree.span, "type", fmt::format("cells are needed here, this is {}", describe(v.type)));
    return std::nullopt;
  }
  if (!builder_.is_constant(v.node)) {
    error(tree.span, "constant", "these cells must be constant: they must not depend on the position");
    return std::nullopt;
  }
  return builder_.cells_of(v.node);
}

NodeId Elaborator::turn(int me) {
  me_ = me;
  rule_ = "turn";
  placed_ = carrying_ = surely_carrying_ = in_end_ = false;
  in_turn_ = true;
  depth_ = 0;
  calls_.clear();
  unfolding_ = {};
  turn_ = &*symbols_.file.turn;
  const NodeId node = turn_body(*turn_);
  in_turn_ = false;
  return node;
}

NodeId Elaborator::turn_body(const dsl::TurnSection& turn) {
  const Ast* body = turn.cases.empty() ? &turn.body : player_case(turn);
  return body == nullptr ? builder_.nothing() : rooted(*body, nullptr);
}

runtime::EndLine Elaborator::end_line(const dsl::EndRule& rule, int me) {
  runtime::EndLine line;
  line.verdict = static_cast<runtime::Verdict>(rule.verdict);
  mover_ = me;
  named_ = rule.player.empty() ? -1 : symbols_.player(rule.player); // -1: the names pass has said so
  me_ = named_ < 0 ? me : named_;
  rule_ = "end";
  placed_ = carrying_ = surely_carrying_ = in_turn_ = false;
  in_end_ = true;
  depth_ = 0;
  calls_.clear();
  unfolding_ = {};
  line.condition = truth(rule.condition, nullptr);
  builder_.at(rule.span, rule_);
  line.origin = builder_.origin();
  if (named_ >= 0 && named_ != me) decide_for_other(line);
  if (rule.verdict == dsl::EndVerdict::share)
    line.result = result_of_shares(rule, symbols_.players, me).value_or(0); // the names pass has told why
  if (rule.score) {
    for (int p = 0; p < static_cast<int>(symbols_.players.size()); ++p) {
      me_ = p;
      line.score.push_back(number(*rule.score, nullptr));
    }
  }
  in_end_ = false;
  named_ = -1;
  return line;
}

// `White wins when C`, with another player to move. Only of two players can one lose so.
void Elaborator::decide_for_other(runtime::EndLine& line) {
  const auto players = static_cast<int>(symbols_.players.size());
  line.winner = line.verdict == runtime::Verdict::win || players != 2 ? named_ : 1 - named_;
  line.verdict = runtime::Verdict::win;
  if (players <= 2) return;
  const NodeId left = builder_.add(Op::still_in, Type::players, {}, mover_, 0);
  const NodeId in_play = builder_.add(Op::member, Type::truth, {builder_.player(named_), left});
  line.condition = builder_.add(Op::all_of, Type::truth, {in_play, line.condition});
}

void Elaborator::check_unused() {
  for (const auto& d : symbols_.file.define) {
    if (used_.contains(&d) || !d.parameters.empty()) continue;
    me_ = 0;
    placed_ = true;
    carrying_ = surely_carrying_ = in_turn_ = in_end_ = false;
    depth_ = 0;
    calls_.clear();
    unfolding_ = {&d, symbols_.layers.size() - 1, nullptr, 0};
    rule_ = d.name.text;
    const Call call;
    if (is_action(d))
      definition_action(d, call, d.span);
    else
      definition_value(d, call, d.span);
  }
}

// ---------------------------------------------------------------- names and definitions

const Binding* Elaborator::find(const Env& env, const std::string& name) {
  for (const Binding* b = env.get(); b != nullptr; b = b->outer.get())
    if (b->name == name) return b;
  return nullptr;
}

bool Elaborator::is_let_value(const Ast& n) {
  return n.form == Form::sequence &&
         std::all_of(n.kids.begin(), n.kids.end() - 1, [](const Ast& kid) { return kid.form == Form::let; });
}

bool Elaborator::is_action(const dsl::Definition& d) const {
  const auto [memo, is_new] =
      action_memo_.try_emplace(&d, false); // false while it is asked: a recursion ends there
  if (!is_new) return memo->second;
  // Definitions that lead so deep can't be unfolded; that is told where it is tried.
  if (action_depth_ >= kMaxUnfolding) return false;
  ++action_depth_;
  bool result = d.body && is_action(*d.body, nullptr);
  for (const auto& c : d.cases) result = result || is_action(c.second, nullptr);
  result = result || (d.others && is_action(*d.others, nullptr));
  --action_depth_;
  return action_memo_[&d] = result;
}

bool Elaborator::is_action(const Ast& n, const Env& env) const {
  switch (n.form) {
  case Form::name:
  case Form::call: {
    if (n.form == Form::name) {
      if (const Binding* b = find(env, n.word)) return b->action != nullptr;
      if (n.word == "inherited" && unfolding_.definition == nullptr) return true;
    }
    const Found found = resolve(n);
    return found.definition != nullptr && is_action(*found.definition);
  }
  case Form::either:
  case Form::cases:
    return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& k) { return is_action(k, env); });
  case Form::sequence: {
    if (!is_let_value(n)) return true;
    Env inner = env;
    for (std::size_t i = 0; i + 1 < n.kids.size(); ++i) {
      auto b = std::make_shared<Binding>();
      b->name = n.kids[i].word;
      b->outer = inner;
      inner = b;
    }
    return is_action(n.kids.back(), inner);
  }
  case Form::conditional:
    return std::any_of(n.kids.begin() + 1, n.kids.end(), [&](const Ast& k) { return is_action(k, env); }) ||
           n.kids.size() == 2;
  case Form::paren: return is_action(n.kids[0], env);
  default: return n.form >= Form::sequence;
  }
}

Found Elaborator::resolve(const Ast& n) const {
  if (n.form == Form::name && n.word == "inherited") {
    if (unfolding_.definition == nullptr) return {};
    const auto& d = *unfolding_.definition;
    if (d.replaced != nullptr) return {d.replaced.get(), unfolding_.layer};
    return symbols_.definition({d.name.text, !d.parameters.empty()}, unfolding_.layer);
  }
  return symbols_.definition({n.word, n.form == Form::call});
}

Env Elaborator::bind(const Env& env, const std::string& name, Ty type, std::uint32_t slot,
                     std::optional<runtime::StepSet> may, bool assignable) {
  auto b = std::make_shared<Binding>();
  rolls_.names[static_cast<std::int32_t>(slot)] = name;
  b->name = name;
  b->slot = slot;
  b->assignable = assignable;
  b->value.type = type;
  b->value.may = std::move(may);
  b->outer = env;
  return b;
}

Typed Elaborator::local(const Binding& b, dsl::Span span) {
  Typed v = b.value;
  v.span = span;
  const bool in_slot = v.type != Ty::error && v.type != Ty::word && v.type != Ty::text && v.node == 0;
  if (in_slot) v.node = builder_.add(Op::local, runtime_type(v.type), {}, static_cast<std::int32_t>(b.slot));
  return v;
}

// Calls double with every level that has two of them, also where they yield errors instead of nodes. So once
// a limit is passed nothing more is unfolded.
bool Elaborator::may_unfold(const Ast& n) {
  if (given_up_) return false;
  if (runtime::Meter::is_unwanted())
    error(n.span, "limit", "stopped");
  else if (depth_ >= kMaxUnfolding)
    error(n.span, "limit", fmt::format("definitions are nested more than {} deep here", kMaxUnfolding));
  else if (++unfolded_ > kMaxCalls)
    error(n.span, "limit",
          fmt::format("the rules unfold into more than {} calls, most of them of `{}`", kMaxCalls,
                      called_most()),
          kSayItOnce);
  else
    return true;
  given_up_ = true;
  return false;
}

std::string Elaborator::called_most() const {
  const auto most = std::max_element(used_.begin(), used_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second, a.first->name.text) < std::pair(b.second, b.first->name.text);
  });
  return most == used_.end() ? "" : most->first->name.text;
}

bool Elaborator::enter(const dsl::Definition& d, const Ast& n, const Env& env, Call& call) {
  ++used_[&d];
  if (!may_unfold(n)) return false;
  if (n.word == "inherited" && n.form == Form::name) { // the old definition gets what the new one got
    Env from = unfolding_.parameters;
    std::vector<const Binding*> given;
    for (; from != nullptr; from = from->outer) given.insert(given.begin(), from.get());
    if (given.size() != d.parameters.size()) {
      error(n.span, "inherited",
            fmt::format("the earlier `{}` takes {} parameters, this one takes {}", d.name.text,
                        d.parameters.size(), given.size()));
      return false;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      auto b = std::make_shared<Binding>(*given[i]);
      b->name = d.parameters[i].text;
      b->outer = call.env;
      if (i == 0 && b->action == nullptr) call.first = local(*b, n.span);
      call.env = b;
    }
    return true;
  }
  if (n.kids.size() != d.parameters.size()) return false; // the names pass has said so
  for (std::size_t i = 0; i < n.kids.size(); ++i) {
    auto b = std::make_shared<Binding>();
    b->name = d.parameters[i].text;
    if (sets_parameter(d, i)) {
      b = variable_for(d, i, n.kids[i], env);
      if (b == nullptr) return false;
      if (i == 0) call.first = local(*b, n.kids[0].span);
    } else if (is_action(n.kids[i], env)) {
      b->action = &n.kids[i];
      b->action_env = env;
      b->action_unfolding = unfolding_;
    } else {
      b->value = value(n.kids[i], env);
      if (b->value.type == Ty::error) return false;
      const Ty t = b->value.type;
      if (t == Ty::text && builder_.node(b->value.node).op != Op::text) {
        error(n.kids[i].span, "type", "text that is chosen can't be an argument",
              "give it a name in `define`, or choose it within `say`");
        return false;
      }
      const bool stands_for_itself =
          t == Ty::none || t == Ty::word || t == Ty::text || builder_.is_constant(b->value.node);
      if (!stands_for_itself) {
        b->slot = builder_.new_slots();
        call.lets.emplace_back(b->slot, b->value.node);
        note_local(b->slot, b->value.node);
        if (is_single_way(b->value.node)) single_ways_.insert(static_cast<std::int32_t>(b->slot));
        b->value.node = 0;
      }
      if (i == 0) call.first = local(*b, n.kids[0].span);
    }
    b->outer = call.env;
    call.env = b;
  }
  return true;
}

bool Elaborator::by_player(const dsl::Definition& d) const {
  return std::any_of(d.cases.begin(), d.cases.end(),
                     [&](const auto& c) { return symbols_.player(c.first.text) >= 0; });
}

bool Elaborator::by_player(const Bodies& bodies) const {
  return std::any_of(bodies.each.begin(), bodies.each.end(),
                     [&](const auto& c) { return symbols_.player(c.first) >= 0; });
}

Elaborator::Bodies Elaborator::bodies_of(const dsl::Definition& d, const Call& call) {
  Bodies bodies{d, call.first, call.env, {}, d.others ? &*d.others : nullptr};
  for (const auto& [who, body] : d.cases) bodies.each.emplace_back(who.text, &body);
  return bodies;
}

// Of a body that has bodies of its own: they go by what the definition is given.
Elaborator::Bodies Elaborator::inner_bodies(const Ast& n, const Env& env) {
  const dsl::Definition& d = *unfolding_.definition;
  Bodies bodies{d, {}, env, {}, nullptr};
  if (!d.parameters.empty())
    if (const Binding* b = find(env, d.parameters.front().text); b != nullptr && b->action == nullptr)
      bodies.first = local(*b, n.span);
  for (std::size_t i = 0; i < n.names.size(); ++i) bodies.each.emplace_back(n.names[i], &n.kids[i]);
  if ((n.flags & dsl::kHasOthers) != 0) bodies.others = &n.kids.back();
  return bodies;
}

bool Elaborator::knows_kind(const Ast& n) {
  const bool by_kind = std::none_of(n.names.begin(), n.names.end(),
                                    [&](const auto& name) { return symbols_.player(name) >= 0; });
  return !by_kind || !unfolding_.definition->parameters.empty() ||
         placed(n, "`here`, whose piece decides between the bodies,");
}

// The first player's cells, seen from another's side, or turned about the middle of the board.
Typed Elaborator::mirrored(const Bodies& bodies, const Ast& n) {
  if (!has_edges(n, "mirror")) return silent();
  const auto& players = builder_.program().players;
  const auto& mine = players[static_cast<std::size_t>(me_)];
  const auto degrees = dsl::degrees_of(n);
  if (!degrees && mine.dx == 0 && mine.dy == 0)
    return error(n.span, "forward", "`mirror` needs players with directions",
                 "players: { Black: north, White: south }");
  const std::string what = degrees ? fmt::format("rotate({})", *degrees) : "mirror";
  const Ast* original = bodies.has(symbols_.players.front()) ? bodies.of(symbols_.players.front()) : nullptr;
  if (original == nullptr || is_name(*original, "mirror") || dsl::degrees_of(*original))
    return error(n.span, "mirror", fmt::format("`{}` needs a body for {}", what, symbols_.players.front()));
  const Restore keep_me(me_);
  const int me = me_;
  me_ = 0;
  const Typed v = convert(value(*original, bodies.env), Ty::cells);
  if (v.type == Ty::error) return v;
  if (v.type != Ty::cells || !builder_.is_constant(v.node))
    return error(original->span, "mirror",
                 fmt::format("`{}` needs cells that don't depend on the position", what));
  const SideImage image(geometry_, builder_.program(), me, degrees);
  if (!image.fits())
    return error(n.span, "mirror", fmt::format("this board isn't the same when it is turned by {}", *degrees),
                 "squares turn by 90s, hexes by 60s; a half turn fits any board");
  runtime::CellSet result;
  bool falls_off = false;
  const runtime::CellSet set = builder_.cells_of(v.node);
  set.each([&](int c) {
    if (const int there = image.cell(c); there >= 0)
      result.set(there);
    else
      falls_off = true;
  });
  if (falls_off) return error(n.span, "mirror", "the mirror image of these cells leaves the board");
  return make(Ty::cells, builder_.cells(result), n.span);
}

// What a definition with bodies by kind goes by: a kind, or cells with a piece of it on top.
Typed Elaborator::kind_that_decides(const Bodies& bodies, dsl::Span span) {
  if (bodies.definition.parameters.empty()) return kind_here(span);
  if (bodies.first.type == Ty::kind) return bodies.first;
  const Typed which = convert(bodies.first, Ty::cells);
  if (which.type == Ty::cells) return which;
  return error(
      span, "type",
      fmt::format(
          "`{}` has a body for each kind of piece, so its first argument is a kind or a cell; here it is {}",
          bodies.definition.name.text, describe(which.type)));
}

// One body for each kind; `missing` is for no kind at all.
NodeId Elaborator::by_kind(Op op, Type type, const Typed& which, const std::vector<NodeId>& bodies,
                           NodeId missing) {
  if (which.type == Ty::cells) {
    std::vector<NodeId> kids{which.node};
    kids.insert(kids.end(), bodies.begin(), bodies.end());
    kids.push_back(missing);
    return builder_.add(op, type, kids);
  }
  // Of a kind: it is compared with each in turn.
  const Op choice = op == Op::by_kind ? Op::if_value : Op::if_action;
  NodeId result = missing;
  for (int k = static_cast<int>(bodies.size()); k-- > 0;) {
    const NodeId body = bodies[static_cast<std::size_t>(k)];
    if (body == missing) continue;
    const NodeId is_it = builder_.add(Op::equal, Type::truth, {which.node, builder_.kind(k)});
    result = builder_.add(choice, type, {is_it, body, result});
  }
  return result;
}

// In the body for a kind its first argument is of that kind: what asks for a number by kind there, such as
// `number(c)`, is a constant.
Env Elaborator::knowing(const Bodies& bodies, int kind) const {
  const auto& parameters = bodies.definition.parameters;
  const Binding* b = parameters.empty() ? nullptr : find(bodies.env, parameters.front().text);
  if (b == nullptr || b->action != nullptr) return bodies.env;
  auto known = std::make_shared<Binding>(*b);
  known->value.kind = kind;
  known->value.position = position_;
  known->outer = bodies.env;
  return known;
}

// The body that is a number written out, where the kind is known; or null.
const Ast* Elaborator::known_number(const Bodies& bodies) const {
  const Typed& first = bodies.first;
  if (first.kind < 0 || (first.type != Ty::kind && first.position != position_)) return nullptr;
  const Ast* body = bodies.of(symbols_.kinds[static_cast<std::size_t>(first.kind)]);
  const bool is_number =
      body != nullptr &&
      (body->form == Form::number || (body->form == Form::negate && body->kids[0].form == Form::number));
  return is_number ? body : nullptr;
}

Typed Elaborator::by_kind_value(const Bodies& all, dsl::Span span) {
  if (const Ast* number = known_number(all)) return value(*number, all.env);
  std::vector<Typed> bodies;
  std::vector<int> of; // which kind a body is for
  for (const auto& [name, body] : all.each) {
    if (symbols_.kind(name) < 0) continue; // a variant has taken it away
    of.push_back(symbols_.kind(name));
    bodies.push_back(value(*body, knowing(all, of.back())));
  }
  const std::size_t others = bodies.size();
  if (all.others != nullptr) bodies.push_back(value(*all.others, all.env));
  const bool is_text = any_text(bodies);
  const bool any_wrong =
      std::any_of(bodies.begin(), bodies.end(), [](const Typed& b) { return b.type == Ty::error; });
  if (any_wrong) return silent();
  const Ty type = is_text ? Ty::text : unify(bodies, all.definition.span);
  if (type == Ty::error) return silent();
  Typed missing = type == Ty::number  ? make(type, builder_.number(0), span)
                  : type == Ty::truth ? make(type, builder_.truth(false), span)
                                      : convert(make(Ty::none, 0, span), type);
  const Typed which = kind_that_decides(all, span);
  if (which.type == Ty::error) return which;
  std::vector<NodeId> nodes;
  const auto node_of = [&](const Typed& body) { return is_text ? saying(body) : body.node; };
  const NodeId none = node_of(missing);
  for (int kind = 0; kind < static_cast<int>(symbols_.kinds.size()); ++kind) {
    const auto found = std::find(of.begin(), of.end(), kind);
    const Typed& body = found != of.end() ? bodies[static_cast<std::size_t>(found - of.begin())]
                        : all.others      ? bodies[others]
                                          : missing;
    nodes.push_back(node_of(body));
  }
  if (is_text) return make(Ty::text, by_kind(Op::by_kind_action, Type::action, which, nodes, none), span);
  Typed result = make(type, by_kind(Op::by_kind, runtime_type(type), which, nodes, none), span);
  if (type == Ty::directions) {
    result.may = runtime::StepSet{};
    for (const auto& b : bodies) {
      if (!b.may) result.may.reset();
      if (result.may) *result.may |= *b.may;
    }
  }
  return result;
}

Typed Elaborator::definition_value(const dsl::Definition& d, const Call& call, dsl::Span span) {
  if (d.cases.empty()) return d.body ? value(*d.body, call.env) : silent();
  return chosen_value(bodies_of(d, call), span);
}

Typed Elaborator::chosen_value(const Bodies& bodies, dsl::Span span) {
  if (!by_player(bodies)) return by_kind_value(bodies, span);
  const Ast* body = bodies.of(symbols_.players[static_cast<std::size_t>(me_)]);
  if (body == nullptr) return silent();
  const bool is_image = is_name(*body, "mirror") || dsl::degrees_of(*body);
  return is_image ? mirrored(bodies, *body) : value(*body, bodies.env);
}

Typed Elaborator::call_value(const Found& found, const Ast& n, const Env& env) {
  Call call;
  const auto& d = *found.definition;
  if (!enter(d, n, env, call)) return silent();
  if (!d.cases.empty() && !by_player(d) && d.parameters.empty() &&
      !placed(n, "`here`, whose piece decides between the bodies,"))
    return silent();
  const Restore keep_unfolding(unfolding_);
  const Restore keep_depth(depth_);
  const Restore keep_rule(rule_);
  const Restore keep_calls(calls_);
  calls_.push_back(n.span);
  unfolding_ = {&d, found.layer, call.env, builder_.origin()};
  rule_ = d.name.text;
  ++depth_;
  Typed v = definition_value(d, call, n.span);
  v.span = n.span;
  return behind_lets(call, std::move(v));
}

// The value behind what it needs of its arguments.
Typed Elaborator::behind_lets(const Call& call, Typed v) {
  if (v.type == Ty::text) {
    v.node = with_lets(call, v.node);
    return v;
  }
  if (v.type == Ty::error || v.type == Ty::none || v.type == Ty::word) return v;
  for (auto let = call.lets.rbegin(); let != call.lets.rend(); ++let)
    if (!builder_.is_constant(v.node))
      v.node = builder_.add(Op::let_value, builder_.node(v.node).type, {let->second, v.node},
                            static_cast<std::int32_t>(let->first));
  return v;
}

NodeId Elaborator::definition_action(const dsl::Definition& d, const Call& call, dsl::Span span) {
  if (d.cases.empty()) return d.body ? action(*d.body, call.env).node : builder_.nothing();
  return chosen_action(bodies_of(d, call), span);
}

NodeId Elaborator::chosen_action(const Bodies& bodies, dsl::Span span) {
  if (!by_player(bodies)) return by_kind_action(bodies, span);
  const Ast* body = bodies.of(symbols_.players[static_cast<std::size_t>(me_)]);
  return body == nullptr ? builder_.nothing() : action(*body, bodies.env).node;
}

NodeId Elaborator::by_kind_action(const Bodies& all, dsl::Span span) {
  const Typed which = kind_that_decides(all, span);
  if (which.type == Ty::error) return builder_.nothing();
  Ways ways(*this);
  const bool on_piece = on_piece_;
  const NodeId never = builder_.add(Op::never, Type::action);
  std::vector<NodeId> bodies(symbols_.kinds.size(), never);
  const auto& decides = builder_.node(which.node);
  const int known = which.type == Ty::kind && decides.op == Op::kind ? decides.a : -2; // -2: not known
  const auto add_body = [&](std::string_view kind_name, const Ast& body) {
    const int kind = symbols_.kind(kind_name);
    if (kind < 0) return; // a variant has taken it away
    const Restore keep_dead(dead_);
    dead_ = dead_ || (known != -2 && known != kind);
    ways.begin();
    on_piece_ = on_piece;
    bodies[static_cast<std::size_t>(kind)] = action(body, all.env).node;
    ways.end();
  };
  for (const auto& [name, body] : all.each) add_body(name, *body);
  for (const auto& kind_name : symbols_.kinds)
    if (all.others != nullptr && !all.has(kind_name)) add_body(kind_name, *all.others);
  ways.join();
  on_piece_ = false;
  return by_kind(Op::by_kind_action, Type::action, which, bodies, never);
}

NodeId Elaborator::call_action(const Found& found, const Ast& n, const Env& env) {
  Call call;
  const auto& d = *found.definition;
  if (!enter(d, n, env, call)) return builder_.nothing();
  if (!d.cases.empty() && !by_player(d) && d.parameters.empty() &&
      !placed(n, "`here`, whose piece decides between the bodies,"))
    return builder_.nothing();
  const Restore keep_unfolding(unfolding_);
  const Restore keep_depth(depth_);
  const Restore keep_rule(rule_);
  const std::uint32_t outer_origin = builder_.origin();
  const Restore keep_calls(calls_);
  calls_.push_back(n.span);
  unfolding_ = {&d, found.layer, call.env, builder_.origin()};
  rule_ = d.name.text;
  ++depth_;
  const NodeId body = definition_action(d, call, n.span);
  builder_.set_origin(outer_origin);
  return with_lets(call, body);
}

// The action behind what it needs of its arguments.
NodeId Elaborator::with_lets(const Call& call, NodeId action) {
  std::vector<NodeId> steps;
  for (const auto& [slot, node] : call.lets)
    steps.push_back(builder_.add(Op::let, builder_.node(node).type, {node}, static_cast<std::int32_t>(slot)));
  if (steps.empty()) return action;
  steps.push_back(action);
  return builder_.add(Op::sequence, Type::action, steps);
}

bool Elaborator::has_room(const Ast& n) {
  if (builder_.full()) {
    error(n.span, "limit",
          fmt::format("this rule unfolds into more than {} nodes; called most is `{}`", kMaxNodes,
                      called_most()),
          kSayItOnce);
  } else if (builder_.too_high() || nesting_ > kMaxNesting) {
    error(n.span, "limit", fmt::format("this rule unfolds into one nested more than {} deep", kMaxNesting));
  } else {
    return true;
  }
  return false;
}

// ---------------------------------------------------------------- types

// An error in a definition is shown where the rule file calls it, if the definition is a vocabulary's; else
// where it is, with the calls.
Typed Elaborator::error(dsl::Span span, dsl::Code code, const std::string& message, const std::string& help) {
  const auto own_file = [this](dsl::Span s) { return !vocabulary_files_.contains(s.file); };
  const auto call = std::find_if(calls_.rbegin(), calls_.rend(), own_file);
  const bool elsewhere = !own_file(span) && call != calls_.rend();
  // One wrong argument makes others look wrong: of a call, the first is told.
  const auto& told = diagnostics_.all();
  if (elsewhere && code == "type" && !told.empty() && told.back().code == code.name() &&
      told.back().span == *call)
    return {};
  auto& d = diagnostics_.error(std::move(code), elsewhere ? *call : span, message);
  if (!help.empty()) d.help = help;
  if (elsewhere)
    d.related.push_back({span, "inside the definition that is called there"});
  else if (!calls_.empty() && d.related.empty())
    d.related.push_back({calls_.back(), "called here"});
  return {};
}

Typed Elaborator::make(Ty type, NodeId node, dsl::Span span) const {
  Typed v;
  v.type = type;
  v.node = node;
  v.span = span;
  if (type == Ty::directions && builder_.node(node).op == Op::directions) v.may = builder_.steps_of(node);
  return v;
}

Typed Elaborator::convert(const Typed& v, Ty wanted) {
  if (v.type == wanted || v.type == Ty::error) return v;
  if (v.type == Ty::none) {
    switch (wanted) {
    case Ty::cells: return make(wanted, builder_.cells({}), v.span);
    case Ty::directions: return make(wanted, builder_.steps({}), v.span);
    case Ty::kind: return make(wanted, builder_.kind(-1), v.span);
    case Ty::numbers:
    case Ty::sets:
    case Ty::kinds:
    case Ty::players: return make(wanted, builder_.add(Op::list, runtime_type(wanted)), v.span);
    default: return v;
    }
  }
  if (v.type == Ty::kind && wanted == Ty::cells)
    return make(Ty::cells, builder_.add(Op::kind_cells, Type::cells, {v.node}), v.span);
  return v;
}

Ty Elaborator::unify(std::vector<Typed>& values, dsl::Span span) {
  Ty type = Ty::none;
  for (const auto& v : values) {
    if (v.type == Ty::error) return Ty::error;
    if (type == Ty::none) type = v.type;
    const bool kind_and_cells =
        (type == Ty::kind && v.type == Ty::cells) || (type == Ty::cells && v.type == Ty::kind);
    if (kind_and_cells) type = Ty::cells;
  }
  if (type == Ty::none) type = Ty::cells;
  for (auto& v : values) {
    v = convert(v, type);
    if (v.type == type) continue;
    error(v.span.end > 0 ? v.span : span, "type",
          fmt::format("this is {}, but the others are {}", describe(v.type), describe(type)));
    return Ty::error;
  }
  return type;
}

std::string needed(Ty wanted, Ty is) {
  const std::string what = wanted == Ty::cells        ? "cells are"
                           : wanted == Ty::directions ? "directions are"
                                                      : describe(wanted) + " is";
  return fmt::format("{} needed here, but this is {}", what, describe(is));
}

NodeId Elaborator::cells(const Ast& n, const Env& env) {
  const Typed v = convert(value(n, env), Ty::cells);
  if (v.type != Ty::cells && v.type != Ty::error) error(n.span, "type", needed(Ty::cells, v.type));
  return v.type == Ty::cells ? v.node : builder_.cells({});
}

NodeId Elaborator::number(const Ast& n, const Env& env) { return number_of(value(n, env), n.span); }

NodeId Elaborator::number_of(const Typed& v, dsl::Span span) {
  if (v.type == Ty::number) return v.node;
  if (v.type == Ty::cells || v.type == Ty::kind || v.type == Ty::sets)
    error(span, "type", needed(Ty::number, v.type), "`count(S)` is how many there are");
  else if (v.type != Ty::error)
    error(span, "type", needed(Ty::number, v.type));
  return builder_.number(0);
}

NodeId Elaborator::truth(const Ast& n, const Env& env) { return truth_of(value(n, env), n.span); }

NodeId Elaborator::truth_of(const Typed& v, dsl::Span span) {
  if (v.type == Ty::truth) return v.node;
  if (v.type == Ty::cells || v.type == Ty::kind || v.type == Ty::sets || v.type == Ty::none ||
      v.type == Ty::directions)
    error(span, "type", needed(Ty::truth, v.type),
          v.type == Ty::cells && placed_
              ? "`here in S` asks whether this cell is one of them, `some S` whether there are any"
              : "`some S` asks whether there are any, `no S` whether there are none");
  else if (v.type == Ty::number)
    error(span, "type", needed(Ty::truth, v.type), "`n > 0` asks whether a number is more than nothing");
  else if (v.type != Ty::error)
    error(span, "type", needed(Ty::truth, v.type));
  return builder_.truth(true);
}

NodeId Elaborator::kind(const Ast& n, const Env& env) { return kind_of(value(n, env), n, env); }

NodeId Elaborator::kind_of(const Typed& given, const Ast& n, const Env& env) {
  const Typed v = convert(given, Ty::kind);
  if (v.type == Ty::kind) return v.node;
  if (const auto* family = v.type == Ty::cells ? family_meant(n, env) : nullptr; family != nullptr)
    error(n.span, "type",
          fmt::format("a kind of piece is needed here, but `{}` is a family of kinds", n.word),
          fmt::format("its kinds are {}", dsl::members_of(*family)));
  else if (v.type == Ty::cells && v.joined != nullptr)
    no_list_of_kinds(*v.joined, n);
  else if (v.type == Ty::cells)
    error(
        n.span, "type", needed(Ty::kind, v.type),
        "`a | b` are the cells of two kinds; `kinds(a, b)` is a list of kinds, `kind(c)` the kind on a cell");
  else if (v.type != Ty::error)
    error(n.span, "type", needed(Ty::kind, v.type));
  return builder_.kind(-1);
}

const dsl::FamilyEntry* Elaborator::family_meant(const Ast& n, const Env& env) const {
  const bool is_global = n.form == Form::name && find(env, n.word) == nullptr;
  return is_global ? dsl::family_named(symbols_.file, n.word) : nullptr;
}

// A kind that a piece is to have: that it is `none` can only be a mistake where that is written.
NodeId Elaborator::given_kind(const Ast& n, const Env& env, const char* action) {
  return given_kind(value(n, env), n, env, action);
}

NodeId Elaborator::given_kind(const Typed& given, const Ast& n, const Env& env, const char* action) {
  const Ast* bare = &n;
  while (bare->form == Form::paren) bare = &bare->kids[0];
  const Binding* b = bare->form == Form::name ? find(env, bare->word) : nullptr;
  if (b != nullptr ? b->action == nullptr && b->value.type == Ty::none : is_name(*bare, "none")) {
    error(n.span, "type", fmt::format("{}, but this is `none`", action),
          "if there may be none, put `require k != none` or `if k != none then …` before it");
    return builder_.kind(-1);
  }
  return kind_of(given, n, env);
}

NodeId Elaborator::map(const Ast& n, const Env& env) {
  const Typed v = value(n, env);
  if (v.type == Ty::map) return v.node;
  if (v.type != Ty::error)
    error(n.span, "type", needed(Ty::map, v.type),
          "maps are made by `shift`, `scale`, `rotate` and `reflect`");
  const NodeId nowhere = builder_.cells({});
  return builder_.add(Op::shift, Type::map, {nowhere, nowhere});
}

Typed Elaborator::directions(const Ast& n, const Env& env) {
  const Typed v = convert(value(n, env), Ty::directions);
  if (v.type == Ty::directions) return v;
  if (v.type != Ty::error) error(n.span, "type", needed(Ty::directions, v.type));
  return make(Ty::directions, builder_.steps({}), n.span);
}

Typed Elaborator::members(const Ast& n, const Env& env) {
  Typed v = value(n, env);
  if (v.type == Ty::none || v.type == Ty::kind) v = convert(v, Ty::cells);
  if (v.type == Ty::cells) v.joined = joined_kinds(n, env);
  switch (v.type) {
  case Ty::error:
  case Ty::cells:
  case Ty::directions:
  case Ty::numbers:
  case Ty::sets:
  case Ty::kinds:
  case Ty::players: return v;
  default:
    return error(n.span, "type",
                 fmt::format("cells, directions or a list are needed here, this is {}", describe(v.type)),
                 n.form == Form::compare && n.word == "in" ? "`A & B` is what is in both"
                 : v.type == Ty::player                    ? "the cells of a player's pieces are `P.own`"
                                                           : "");
  }
}

void Elaborator::mark(const Ast& n) { builder_.at(n.span, rule_, unfolding_.caller); }

bool Elaborator::placed(const Ast& n, const char* what) {
  if (placed_) return true;
  if (in_end_)
    error(n.span, "here", fmt::format("{} has no cell: there is no `here` in `end`", what),
          n.span.file == symbols_.file.file ? "" : "ask it in `turn`, behind the move: `if … then win`");
  else
    error(n.span, "here", fmt::format("{} has no cell: there is no `from` or `to` before it", what),
          "`from own` chooses a piece to begin with, `to empty` a cell");
  placed_ = true; // what follows would only say the same again
  return false;
}

} // namespace boardwright::interpreter
