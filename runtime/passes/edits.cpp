#include "runtime/passes/edits.hpp"

#include "runtime/ir/operations.hpp"

#include <cstdint>
#include <utility>

namespace boardwright::runtime::passes {

void Edits::apply(ir::Code& code) const {
  auto& all = code.instructions;
  std::vector<std::uint32_t> moved(all.size() + 1);
  std::vector<ir::Instruction> kept;
  kept.reserve(all.size());
  for (std::size_t k = 0; k <= all.size(); ++k) {
    moved[k] = static_cast<std::uint32_t>(kept.size());
    if (const auto more = inserted_.find(k); more != inserted_.end())
      kept.insert(kept.end(), more->second.begin(), more->second.end());
    if (k < all.size() && !gone_[k]) kept.push_back(all[k]);
  }
  for (ir::Instruction& i : kept)
    if (ir::jumps(i.op)) i.x = static_cast<std::int32_t>(moved[static_cast<std::size_t>(i.x)]);
  all = std::move(kept);
  for (auto& table : code.labels)
    for (std::uint32_t& place : table) place = moved[place];
  for (ir::PlayerCode& p : code.players)
    for (std::uint32_t* const place : {&p.position, &p.play, &p.notate, &p.moves_done})
      *place = moved[*place];
  for (ir::Leaf& leaf : code.leaves) leaf.entry = moved[leaf.entry];
}

} // namespace boardwright::runtime::passes
