#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

Context::Context(Program& rules, normal::TermStore& terms, bool mailbox, ByCell& values_by_cell)
    : program(rules), facts(rules, terms), sizes(facts, rules), by_cell(values_by_cell), layout(code.layout),
      e(code) {
  layout.mailbox = mailbox || rules.board.stacks;
}

void Context::fail(const char* message) {
  e.emit(Ir::fault, 0, 0, 0, 0, static_cast<std::int32_t>(code.messages.size()));
  code.messages.emplace_back(message);
}

bool Context::writes(const AbstractDraft& d) const {
  const bool to_compare =
      d.compared && !comparison.keyed && mode == Mode::search && (d.recorded || d.certain);
  return (text || to_compare) && !d.quiet;
}

} // namespace boardwright::runtime::lowering
