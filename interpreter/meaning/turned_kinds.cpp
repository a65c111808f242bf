// Entry point: find_turned_kinds.
#include "interpreter/meaning/turned_kinds.hpp"

#include <algorithm>
#include <string>

namespace boardwright::interpreter {
namespace {

using dsl::Definition;
using runtime::Program;

constexpr const char* kTurned = "turned";
constexpr const char* kWorth = "worth";
constexpr const char* kReplaced = "inherited";

bool is_inherited(const dsl::Ast* tree) {
  return tree != nullptr && tree->form == dsl::Form::name && tree->word == kReplaced;
}

// The kind that a definition names for this one; -1 where it names none.
int named_kind(const Symbols& symbols, const Definition* definition, const std::string& kind) {
  for (; definition != nullptr; definition = definition->replaced.get()) {
    const auto found = std::find_if(definition->cases.begin(), definition->cases.end(),
                                    [&](const auto& entry) { return entry.first.text == kind; });
    const dsl::Ast* body = found != definition->cases.end() ? &found->second
                           : definition->others             ? &*definition->others
                           : definition->body               ? &*definition->body
                                                            : nullptr;
    if (is_inherited(body)) continue;
    return body != nullptr && body->form == dsl::Form::name ? symbols.kind(body->word) : -1;
  }
  return -1;
}

const Definition* definition_named(const Symbols& symbols, const char* name) {
  for (const bool parameters : {false, true})
    if (const auto found = symbols.definition({name, parameters}); found.definition != nullptr)
      return found.definition;
  return nullptr;
}

} // namespace

void find_turned_kinds(const Symbols& symbols, Program& program) {
  auto& kinds = program.kinds;
  const Definition* turned = definition_named(symbols, kTurned);
  const Definition* worth = definition_named(symbols, kWorth);
  std::vector<int> in_hand(kinds.size(), -1); // as what
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    kinds[kind].turned = named_kind(symbols, turned, kinds[kind].name);
    in_hand[kind] = named_kind(symbols, worth, kinds[kind].name);
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto one = static_cast<int>(kind);
    const bool alone = std::count(in_hand.begin(), in_hand.end(), one) == 1;
    const auto other = std::find(in_hand.begin(), in_hand.end(), one);
    if (kinds[kind].turned < 0 && alone && other != in_hand.begin() + one)
      kinds[kind].turned = static_cast<int>(other - in_hand.begin());
  }
}

} // namespace boardwright::interpreter
