#include "runtime/sight/seen.hpp"

#include "runtime/game/compiled.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/looking.hpp"
#include "runtime/model/piece_values.hpp"
#include "runtime/reference/walker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace boardwright::runtime::sight {
namespace {

CellSet all_cells(const Program& program) {
  CellSet all;
  for (int cell = 0; cell < program.board.cells; ++cell) all.set(cell);
  return all;
}

// The cells of a set of `sees`.
using Asks = std::function<tl::expected<CellSet, Fault>(Looking which)>;

// Where a set of `sees` doesn't reach; none where there is no such set.
tl::expected<CellSet, Fault> beyond(const Program& program, const std::vector<NodeId>& sets, Looking which,
                                    const Asks& asks) {
  if (sets.empty()) return CellSet{};
  const auto seen = asks(which);
  if (!seen) return tl::unexpected(seen.error());
  return all_cells(program) - *seen;
}

tl::expected<CellSet, Fault> walked(const Program& program, const Position& position, int player,
                                    Looking which) {
  const Sight& sight = *program.sight;
  const auto seen =
      Walker(program).evaluate((which == kSeesCells ? sight.cells : sight.kinds)[at(player)], position);
  if (!seen) return tl::unexpected(seen.error());
  return seen->cells;
}

// Asks an engine of the rules that tell what is seen. What that can't answer, or what goes wrong, is left to
// the walker.
class Looker {
public:
  Looker(const Rules& rules, const Position& position, int player)
      : program_(rules.program()), from_(position), player_(player), rules_(rules.for_looking()) {
    if (rules_ == nullptr) return;
    engine_ = rules_->compiled().borrow();
    looked_ = position;
    looked_.to_move = player;
    looked_.variables.emplace_back();
  }
  ~Looker() {
    if (engine_) rules_->compiled().give_back(std::move(engine_));
  }
  Looker(const Looker&) = delete;
  Looker& operator=(const Looker&) = delete;

  tl::expected<CellSet, Fault> cells(Looking which) {
    if (!engine_) return walked(program_, from_, player_, which);
    looked_.variables.back().number = which;
    engine_->load(looked_);
    const auto judged = engine_->judge(executor::Purpose::list);
    const bool is_known = judged && (!judged->outcome || judged->outcome->by == Outcome::By::no_move);
    return is_known ? engine_->chosen_cells() : walked(program_, from_, player_, which);
  }

private:
  const Program& program_;
  const Position& from_;
  int player_;
  const Rules* rules_;
  std::unique_ptr<executor::Engine> engine_;
  Position looked_;
};

void cover(const Program& program, Seen& seen) {
  seen.covered.each([&](int cell) {
    for (Piece& piece : seen.position.cells[at(cell)]) {
      std::int8_t kind = 0;
      while (program.letter_of({piece.owner, kind}) == '?') ++kind;
      piece.kind = kind;
    }
  });
}

VariableValue nothing_of(Type type) { return {type == Type::kind ? -1 : 0, {}}; }

void hide_hands(const Program& program, int player, Seen& seen) {
  if (!program.sight->own_hands) return;
  for (int p = 0; p < program.player_count(); ++p)
    for (const int slot : program.hand_slot[at(p)]) {
      if (slot < 0 || p == player) continue;
      seen.hands[at(slot)] = true;
      seen.position.hands[at(slot)] = 0;
    }
}

// By variable: who alone sees it, or Sight::kAll, kNobody.
int seen_by_whom(const Program& program, const Position& position, std::size_t v) {
  // What the plies of a turn keep for one another may come of a secret: it is known to who is to move.
  if (program.chance && static_cast<int>(v) == program.chance->stage) return Sight::kAll;
  // What the last roll weighed tells what came of it, and nobody needs it who plays.
  if (program.chance && static_cast<int>(v) == program.chance->odds) return Sight::kNobody;
  const bool kept = program.chance && static_cast<int>(v) >= program.chance->first;
  if (kept) return program.secret ? position.to_move : Sight::kAll;
  return program.sight ? program.sight->seen_by[v] : Sight::kAll;
}

void hide_variables(const Program& program, int player, Seen& seen) {
  for (std::size_t v = 0; v < seen.position.variables.size(); ++v) {
    VariableValue& value = seen.position.variables[v];
    if (program.variables[v].plane >= 0) {
      value.cells -= seen.dark | seen.covered;
      continue;
    }
    const int whose = seen_by_whom(program, seen.position, v);
    if (whose == Sight::kAll || whose == player) continue;
    seen.variables[v] = true;
    value = nothing_of(program.variables[v].type);
  }
}

std::string text_of_cell(const Program& program, const Seen& seen, int cell) {
  const std::string& name = program.board.name[at(cell)];
  if (seen.dark.test(cell)) return name + " dark";
  const Stack& stack = seen.position.cells[at(cell)];
  if (stack.empty()) return "";
  std::string letters;
  for (const Piece& piece : stack) {
    if (!seen.covered.test(cell))
      letters += program.letter_of(piece);
    else
      letters += fmt::format("?{}", piece.owner < 0 ? std::string("neutral")
                                                    : program.players[at(piece.owner)].name);
  }
  return name + " " + letters;
}

std::string text_of_variable(const Program& program, const Seen& seen, std::size_t v) {
  const Variable& variable = program.variables[v];
  const VariableValue& value = seen.position.variables[v];
  std::string name = variable.name;
  if (variable.player >= 0) name += "(" + program.players[at(variable.player)].name + ")";
  if (seen.variables[v]) return name + " unknown";
  if (variable.plane >= 0) { // one of the bits of what pieces carry: told once, with the first of them
    const PieceValue* const carried = piece_value_at(program, v);
    return carried == nullptr
               ? ""
               : fmt::format("{} = {}", name, text_of_values(program, *carried, seen.position));
  }
  if (variable.type != Type::cells) return fmt::format("{} = {}", name, value.number);
  std::vector<std::string> cells;
  value.cells.each([&](int cell) { cells.push_back(program.board.name[at(cell)]); });
  return fmt::format("{} = {{{}}}", name, fmt::join(cells, " "));
}

std::string text_of_hand(const Program& program, const Seen& seen, int player, int kind) {
  const auto slot = at(program.hand_slot[at(player)][at(kind)]);
  return fmt::format("{} {} {}", program.players[at(player)].name, program.kinds[at(kind)].name,
                     seen.hands[slot] ? "unknown" : std::to_string(seen.position.hands[slot]));
}

} // namespace

bool operator==(const Seen& a, const Seen& b) {
  return a.dark == b.dark && a.covered == b.covered && a.hands == b.hands && a.variables == b.variables &&
         a.position.same_as(b.position) && a.position.ply == b.position.ply &&
         a.position.turns == b.position.turns;
}

namespace {

tl::expected<Seen, Fault> seen_with(const Program& program, const Position& position, int player,
                                    const Asks& asks) {
  Seen seen{position,
            {},
            {},
            std::vector<bool>(position.hands.size()),
            std::vector<bool>(position.variables.size())};
  if (!program.hides()) return seen;
  if (!program.sight) return hide_variables(program, player, seen), seen;
  auto dark = beyond(program, program.sight->cells, kSeesCells, asks);
  if (!dark) return tl::unexpected(std::move(dark).error());
  auto covered = beyond(program, program.sight->kinds, kSeesKinds, asks);
  if (!covered) return tl::unexpected(std::move(covered).error());
  seen.dark = *dark;
  dark->each([&](int cell) { seen.position.cells[at(cell)].clear(); });
  covered->each([&](int cell) {
    if (!seen.position.cells[at(cell)].empty()) seen.covered.set(cell);
  });
  cover(program, seen);
  hide_hands(program, player, seen);
  hide_variables(program, player, seen);
  return seen;
}

} // namespace

tl::expected<Seen, Fault> seen_by(const Program& program, const Position& position, int player) {
  return seen_with(program, position, player,
                   [&](Looking which) { return walked(program, position, player, which); });
}

tl::expected<Seen, Fault> seen_by(const Rules& rules, const Position& position, int player) {
  const Program& program = rules.program();
  if (!program.sight) return seen_by(program, position, player);
  Looker looker(rules, position, player);
  return seen_with(program, position, player, [&](Looking which) { return looker.cells(which); });
}

std::string text_of(const Program& program, const Seen& seen) {
  const auto joined = [](std::vector<std::string> parts) {
    std::erase(parts, "");
    return fmt::format("{}", fmt::join(parts, ", "));
  };
  std::vector<std::string> cells, hands, state;
  for (int cell = 0; cell < program.board.cells; ++cell) cells.push_back(text_of_cell(program, seen, cell));
  for (int p = 0; p < program.player_count(); ++p)
    for (std::size_t k = 0; k < program.kinds.size(); ++k)
      if (program.hand_slot[at(p)][k] >= 0)
        hands.push_back(text_of_hand(program, seen, p, static_cast<int>(k)));
  for (std::size_t v = 0; v < seen.variables.size(); ++v)
    if (program.is_told(seen.position, v)) state.push_back(text_of_variable(program, seen, v));
  std::string text = program.players[at(seen.position.to_move)].name + " to move";
  if (const std::string board = joined(cells); !board.empty()) text += "; " + board;
  if (!hands.empty()) text += "; in hand: " + joined(hands);
  if (!state.empty()) text += "; " + joined(state);
  return text;
}

std::string read_by(const Program& program, std::string_view notation, int mover, int reader) {
  if (!program.secret) return std::string(notation);
  std::string read;
  bool secret = false;
  for (const char c : notation) {
    if (c == kSecretBegins || c == kSecretEnds) {
      secret = c == kSecretBegins;
      if (secret && reader != mover) read += '?';
    } else if (!secret || reader == mover) {
      read += c;
    }
  }
  return read;
}

} // namespace boardwright::runtime::sight
