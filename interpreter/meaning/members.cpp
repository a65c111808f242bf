// Members of sets and lists as values of names, and what is said where kinds were joined to a set of cells.
#include "interpreter/meaning/elaborator.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace boardwright::interpreter {

using dsl::Ast;
using dsl::Form;

// A member of something to go through.
Env Elaborator::bind_member(const Env& env, const std::string& name, const Typed& domain, std::uint32_t slot,
                            bool assignable) {
  note_member(slot, domain.type);
  if (domain.type == Ty::directions) single_ways_.insert(static_cast<std::int32_t>(slot));
  rolls_.names[static_cast<std::int32_t>(slot)] = name;
  auto b = std::make_shared<Binding>();
  b->name = name;
  b->slot = slot;
  b->assignable = assignable;
  b->value.type = member_of(domain.type);
  b->value.may = domain.may;
  b->value.joined = domain.joined;
  b->outer = env;
  return b;
}

const Ast* Elaborator::joined_kinds(const Ast& n, const Env& env) const {
  const auto all_kinds = [this](const auto& self, const Ast& tree) -> bool {
    if (tree.form == Form::paren) return self(self, tree.kids[0]);
    if (tree.form == Form::name) return symbols_.lookup(tree.word, false) == NameIs::kind;
    return tree.form == Form::binary && tree.word == "|" && self(self, tree.kids[0]) &&
           self(self, tree.kids[1]);
  };
  if (n.form == Form::paren) return joined_kinds(n.kids[0], env);
  if (n.form == Form::binary) return all_kinds(all_kinds, n) ? &n : nullptr;
  if (n.form != Form::name || find(env, n.word) != nullptr) return nullptr;
  const Found found = resolve(n);
  const bool has_body = found.definition != nullptr && found.definition->body;
  return has_body && found.definition->body->form == Form::binary &&
                 all_kinds(all_kinds, *found.definition->body)
             ? &*found.definition->body
             : nullptr;
}

// One error at what was to be a list, not one wherever its members are used as kinds.
void Elaborator::no_list_of_kinds(const Ast& joined, const Ast& use) {
  const std::string message = "these kinds are joined to a set of cells, but its members are used as kinds";
  const auto& told = diagnostics_.all();
  if (std::any_of(told.begin(), told.end(),
                  [&](const dsl::Diagnostic& d) { return d.span == joined.span && d.message == message; }))
    return;
  std::string kinds;
  const auto add = [&](const auto& self, const Ast& tree) -> void {
    if (tree.form == Form::name) kinds += (kinds.empty() ? "" : ", ") + tree.word;
    for (const Ast& kid : tree.kids) self(self, kid);
  };
  add(add, joined);
  auto& d = diagnostics_.error("type", joined.span, message);
  d.help = fmt::format("`kinds({})` is a list of kinds", kinds);
  d.related.push_back({use.span, "a kind is needed here"});
}

} // namespace boardwright::interpreter
