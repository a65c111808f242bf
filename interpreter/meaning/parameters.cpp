// Parameters that a definition sets: each stands for a variable of the caller.
#include "interpreter/meaning/elaborator.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

namespace {

const Ast& in_parentheses(const Ast& n) { return n.form == Form::paren ? in_parentheses(n.kids[0]) : n; }

} // namespace

// What `inherited` is in a definition, wherever that stands.
Found Elaborator::older(const dsl::Definition& d) const {
  if (d.replaced != nullptr) return {d.replaced.get(), 0};
  const DefinitionKey key{d.name.text, !d.parameters.empty()};
  for (Found at = symbols_.definition(key); at.definition != nullptr; at = symbols_.definition(key, at.layer))
    for (const auto* old = at.definition; old != nullptr; old = old->replaced.get())
      if (old == &d) return symbols_.definition(key, at.layer);
  return {};
}

bool Elaborator::sets(const Ast& n, const dsl::Definition& d, std::size_t parameter) {
  const std::string& name = d.parameters[parameter].text;
  const bool of_name = n.form == Form::set && (n.flags & (dsl::kHasOwner | dsl::kHasKind)) == 0;
  if (of_name && n.word == name) return true;
  if (is_name(n, "inherited")) {
    const Found old = older(d);
    return old.definition != nullptr && parameter < old.definition->parameters.size() &&
           sets_parameter(*old.definition, parameter);
  }
  if (n.form == Form::call)
    if (const Found called = symbols_.definition({n.word, true}); called.definition != nullptr)
      for (std::size_t i = 0; i < std::min(n.kids.size(), called.definition->parameters.size()); ++i)
        if (is_name(in_parentheses(n.kids[i]), name) && sets_parameter(*called.definition, i)) return true;
  return std::any_of(n.kids.begin(), n.kids.end(), [&](const Ast& kid) { return sets(kid, d, parameter); });
}

bool Elaborator::sets_parameter(const dsl::Definition& d, std::size_t parameter) {
  // False while it is asked: a recursion ends there.
  const auto [memo, is_new] = sets_memo_.try_emplace({&d, parameter}, false);
  if (!is_new) return memo->second;
  const auto body_sets = [&](const Ast& body) { return sets(body, d, parameter); };
  bool result = (d.body && body_sets(*d.body)) || (d.others && body_sets(*d.others));
  for (const auto& c : d.cases) result = result || body_sets(c.second);
  return sets_memo_[{&d, parameter}] = result;
}

// What a parameter that is set stands for; nothing after an error.
std::shared_ptr<Binding> Elaborator::variable_for(const dsl::Definition& d, std::size_t parameter,
                                                  const Ast& argument, const Env& env) {
  const Ast& n = in_parentheses(argument);
  const std::string& name = d.parameters[parameter].text;
  auto result = std::make_shared<Binding>();
  const Binding* local = n.form == Form::name ? find(env, n.word) : nullptr;
  if (local != nullptr && (local->assignable || local->value.type == Ty::error)) {
    *result = *local;
  } else if (local == nullptr && n.form == Form::name && resolve(n).definition == nullptr &&
             symbols_.state(n.word) >= 0) {
    result->value = state(symbols_.state(n.word), n.span);
    if (result->value.type != Ty::error) result->variable = builder_.node(result->value.node).a;
    result->assignable = true;
  } else {
    error(argument.span, "set",
          fmt::format("`{}` sets its `{}`: the name of a variable is needed here", d.name.text, name),
          "a name bound by `let` or `choose`, or a variable under `state:`");
    return nullptr;
  }
  if (result->value.type == Ty::error) return nullptr;
  result->name = name;
  return result;
}

} // namespace boardwright::interpreter
