// Nodes of operations whose row in the table tells all that they take: those that a word of the language
// means alone. So whoever adds such an operation has it in the programs that are made at random.
#pragma once

#include "interpreter/meaning/words.hpp"
#include "runtime/model/operations.hpp"
#include "tests/runtime/program_builder.hpp"

#include <string_view>
#include <vector>

namespace boardwright::tests {

// Those that give the type, can be asked anywhere, and whose row `allows` takes.
template <class Allows>
[[nodiscard]] std::vector<runtime::Op> regular_operations(runtime::Type type, Allows&& allows) {
  std::vector<runtime::Op> all;
  for (const auto& word : interpreter::words_of_language()) {
    if (!word.is_regular() || word.has(runtime::kAtTurnsEnd)) continue;
    const runtime::Operation& row = runtime::about(*word.op);
    if (interpreter::type_of_letter(row.types.front()) == type && allows(row)) all.push_back(*word.op);
  }
  return all;
}

// `value` makes a node of a type.
template <class Value>
[[nodiscard]] runtime::NodeId node_by_row(runtime::ProgramBuilder& b, runtime::Op op, std::int32_t player,
                                          Value&& value) {
  const runtime::Operation& row = runtime::about(op);
  std::vector<runtime::NodeId> kids;
  for (const char letter : row.children)
    if (letter != '?') // what may be left out is there
      kids.push_back(value(letter == 'v' ? runtime::Type::cells : interpreter::type_of_letter(letter)));
  const std::int32_t whose = row.a == runtime::Operand::player ? player : 0;
  return b.add(op, interpreter::type_of_letter(row.types.front()), kids, whose);
}

} // namespace boardwright::tests
