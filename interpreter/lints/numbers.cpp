#include "interpreter/lints/numbers.hpp"

#include <algorithm>

namespace boardwright::interpreter {

using runtime::Op;

MostPieces::MostPieces(const runtime::Program& program, const std::vector<runtime::Position>& shown)
    : program_(program), kinds_(program.kinds.size()), hands_(program.kinds.size()) {
  bool drops = false, fills_hands = false;
  for (const runtime::Node& n : program.nodes) {
    drops = drops || n.op == Op::drop;
    fills_hands = fills_hands || n.op == Op::set_hand;
    changes_owner_ = changes_owner_ || (n.op == Op::change && n.a != runtime::kKeepOwner);
    changes_kind_ = changes_kind_ || (n.op == Op::change && n.count > 1);
  }
  // What no hand holds can be dropped any number of times.
  bool all_in_hand = true;
  for (std::size_t kind = 0; kind < program.kinds.size(); ++kind)
    for (std::size_t player = 0; player < program.kinds[kind].letter.size(); ++player) {
      const bool is_players = player < program.hand_slot.size();
      const bool has_slot = is_players && program.hand_slot[player][kind] >= 0;
      all_in_hand = all_in_hand && (program.kinds[kind].letter[player] == 0 || has_slot);
    }
  bounded_ = !fills_hands && (!drops || all_in_hand);
  add(program.initial);
  for (const runtime::Position& position : shown) add(position);
}

void MostPieces::add(const runtime::Position& position) {
  const std::size_t owners = program_.players.size() + 1, kinds = program_.kinds.size(); // neutral ones last
  std::vector<std::int64_t> counts(owners * kinds);
  for (const auto& stack : position.cells)
    for (const auto& piece : stack)
      ++counts[(piece.owner < 0 ? owners - 1 : static_cast<std::size_t>(piece.owner)) * kinds +
               static_cast<std::size_t>(piece.kind)];
  for (std::size_t player = 0; player < program_.hand_slot.size(); ++player)
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const int slot = program_.hand_slot[player][kind];
      const std::int64_t held = slot < 0 ? 0 : position.hands[static_cast<std::size_t>(slot)];
      counts[player * kinds + kind] += held;
      hands_[kind] = std::max(hands_[kind], held);
    }
  std::int64_t all = 0;
  for (std::size_t owner = 0; owner < owners; ++owner) {
    std::int64_t own = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      own += counts[owner * kinds + kind];
      kinds_[kind] = std::max(kinds_[kind], counts[owner * kinds + kind]);
    }
    one_ = std::max(one_, own);
    all += own;
  }
  all_ = std::max(all_, all);
}

} // namespace boardwright::interpreter
