// Replaces stretches of finished code. What leads to an instruction that stays leads there afterwards, too;
// what leads to one that goes leads to what stands in its place, or behind it.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/ir/print.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace boardwright::runtime::passes {

class Edit {
public:
  explicit Edit(ir::Code& code) : code_(code) {}

  // The instructions from `begin` up to `end` become others, whose jumps lead to old places. Stretches don't
  // overlap.
  void replace(std::size_t begin, std::size_t end, std::vector<ir::Instruction> by) {
    stretches_[begin] = {end, std::move(by)};
  }
  // Carries all of it out. O(code).
  void apply() {
    const std::vector<ir::Instruction> old = std::move(code_.instructions);
    std::vector<ir::Instruction> now;
    std::vector<std::uint32_t> moved(old.size() + 1);
    now.reserve(old.size());
    for (std::size_t k = 0; k < old.size();) {
      const auto stretch = stretches_.find(k);
      if (stretch == stretches_.end()) {
        moved[k] = static_cast<std::uint32_t>(now.size());
        now.push_back(old[k++]);
        continue;
      }
      const auto& [end, by] = stretch->second;
      const auto begin = static_cast<std::uint32_t>(now.size());
      now.insert(now.end(), by.begin(), by.end());
      moved[k] = begin;
      for (++k; k < end; ++k) moved[k] = static_cast<std::uint32_t>(now.size());
    }
    moved[old.size()] = static_cast<std::uint32_t>(now.size());
    mend(now, moved);
    code_.instructions = std::move(now);
  }

private:
  void mend(std::vector<ir::Instruction>& now, const std::vector<std::uint32_t>& moved) {
    for (ir::Instruction& i : now)
      if (ir::roles_of(i.op)[4] == 'j') i.x = static_cast<std::int32_t>(moved[static_cast<std::size_t>(i.x)]);
    for (auto& labels : code_.labels)
      for (std::uint32_t& label : labels) label = moved[label];
    for (ir::PlayerCode& p : code_.players)
      for (std::uint32_t* const place : {&p.position, &p.play, &p.notate, &p.moves_done})
        *place = moved[*place];
    for (ir::Leaf& leaf : code_.leaves) leaf.entry = moved[leaf.entry];
  }

  ir::Code& code_;
  std::map<std::size_t, std::pair<std::size_t, std::vector<ir::Instruction>>> stretches_;
};

} // namespace boardwright::runtime::passes
