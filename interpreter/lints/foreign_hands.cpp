// A lint about `P.hand(K)` for a player who can't have a piece of that kind: always 0, and mostly another
// player was meant.
#include "interpreter/lints/lints.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace boardwright::interpreter {
namespace {

using runtime::Node;
using runtime::NodeId;
using runtime::Op;

// Has the player no letter for the kind, and fills no rule his hand with any?
bool never_has(const runtime::Program& program, int player, int kind) {
  const auto& letters = program.kinds[static_cast<std::size_t>(kind)].letter;
  if (letters[static_cast<std::size_t>(player)] != 0 || letters.back() != 0) return false;
  const int slot = program.hand_slot[static_cast<std::size_t>(player)][static_cast<std::size_t>(kind)];
  if (slot >= 0 && program.initial.hands[static_cast<std::size_t>(slot)] > 0) return false;
  for (const Node& n : program.nodes) {
    if (n.op != Op::set_hand || n.a != player) continue;
    const Node& filled = program.nodes[program.kid(n, 0)];
    if (filled.op != Op::kind || filled.a == kind) return false;
  }
  return true;
}

} // namespace

void lint_foreign_hands(const Linted& in, dsl::Diagnostics& out) {
  using AtHand = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, bytes
  struct AskedHand {
    NodeId where;
    bool always; // of all players that the text is read for
  };
  std::map<AtHand, AskedHand> found;
  const runtime::Program& program = in.program;
  for (NodeId id = 0; id < program.nodes.size(); ++id) {
    const Node& n = program.nodes[id];
    if (n.op != Op::hand) continue;
    const Node& kind = program.nodes[program.kid(n, 0)];
    const auto& origin = program.origins[n.origin];
    if (origin.end == 0 || program.files[origin.file] != in.sources.name(in.file.file)) continue;
    AskedHand& one =
        found.try_emplace({origin.file, origin.begin, origin.end}, AskedHand{id, true}).first->second;
    one.always = one.always && kind.op == Op::kind && kind.a >= 0 && never_has(program, n.a, kind.a);
  }
  for (const auto& [place, one] : found) {
    if (!one.always) continue;
    const Node& n = program.nodes[one.where];
    const auto& kind = program.kinds[static_cast<std::size_t>(program.nodes[program.kid(n, 0)].a)];
    out.warning("empty-hand", {in.file.file, std::get<1>(place), std::get<2>(place)},
                fmt::format("{} never has a `{}` in hand",
                            program.players[static_cast<std::size_t>(n.a)].name, kind.name))
        .help = fmt::format("`pieces` gives this player no `{}`: is another one meant?", kind.name);
  }
}

} // namespace boardwright::interpreter
