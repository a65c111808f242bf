// Names that give way to what they stand for, and where a value is the same as where it was named.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

bool put_in_lets(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
[[nodiscard]] bool is_pointwise(const Rewriter& rw, TermId id);
// Is the value the same at every read of the slot? `changed`: what it reads was written before. Nothing
// where it isn't; else whether it is written afterwards.
[[nodiscard]] std::optional<bool> holds_at_reads(const Rewriter& rw, TermId id, std::uint32_t slot,
                                                 TermId value, bool changed);
[[nodiscard]] bool holds_in_rest(const Rewriter& rw, const Terms& items, std::size_t from, std::uint32_t slot,
                                 TermId value);
[[nodiscard]] bool is_read_in_loop(const Rewriter& rw, TermId id, std::uint32_t slot, bool inside);
[[nodiscard]] bool is_cheap(const Rewriter& rw, TermId id);
void substitute_in_rest(Rewriter& rw, Terms& items, std::size_t from, std::uint32_t slot, TermId by);

} // namespace boardwright::runtime::normal
