// Entry points: settled, without_idle_passing.
#include "interpreter/notation/settling.hpp"

#include "interpreter/notation/fen_rights.hpp"
#include "interpreter/notation/fen_words.hpp"
#include "runtime/game/game.hpp"
#include "runtime/reference/walker.hpp"

#include <utility>

namespace boardwright::interpreter {
namespace {

using runtime::CellSet;
using runtime::Position;
using runtime::Program;

// Of pieces that stand, and of those that are still to be placed.
Position with_live_rights(const Program& program, Position position) {
  const auto rights = shared_variable(program, kRights, runtime::Type::cells);
  const runtime::Settling& settling = *program.settling;
  if (!rights || settling.castlers.empty() || position.variables[*rights].cells.none()) return position;
  CellSet live = rights_to_come(program, position);
  for (const runtime::NodeId castlers : settling.castlers) {
    const auto cells = runtime::Walker(*settling.program).evaluate(castlers, position);
    if (!cells) return position; // it is asked again, and told, when a rule meets it
    live |= cells->cells;
  }
  position.variables[*rights].cells = position.variables[*rights].cells & live;
  return position;
}

} // namespace

Position without_idle_passing(const std::shared_ptr<const runtime::Rules>& rules, Position position) {
  const auto passant = shared_variable(rules->program(), kPassant, runtime::Type::cells);
  if (!passant || position.variables[*passant].cells.none()) return position;
  Position without = position;
  without.variables[*passant].cells = {};
  const auto moves = runtime::Game(rules, position).notations();
  const auto fewer = runtime::Game(rules, without).notations();
  return moves && fewer && *moves == *fewer ? without : position;
}

namespace {

// What leaps over a cell leaves it empty.
Position without_occupied_passing(const Program& program, Position position) {
  const auto passant = shared_variable(program, kPassant, runtime::Type::cells);
  if (!passant) return position;
  CellSet& cells = position.variables[*passant].cells;
  const CellSet named = cells;
  named.each([&](int cell) {
    if (!position.cells[static_cast<std::size_t>(cell)].empty()) cells.clear(cell);
  });
  return position;
}

} // namespace

Position settled(const std::shared_ptr<const runtime::Rules>& rules, Position position) {
  const Program& program = rules->program();
  if (program.settling == nullptr) return position;
  position = with_live_rights(program, std::move(position));
  if (!program.settling->exposes) return position;
  return without_idle_passing(rules, without_occupied_passing(program, std::move(position)));
}

} // namespace boardwright::interpreter
