// The rewriting of terms. Every rewriting is a small function with its algebra and its proof above it; they
// stand in files by subject: conditions, numbers, sets, sequences, choices, walks, steps ahead, lines, loops.
//
// Rules are rewritten from the leaves up; a rewriting makes a term whose parts are normal already by the
// functions named after what they make (`all_of`, `meet`, …). What a rewriting may rely on about the draft
// is in the DraftFacts, which is carried along a sequence.
#pragma once

#include "runtime/normalize/term.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

namespace boardwright::runtime::normal {

// What is known of every draft that comes to a term, and what is done with it afterwards.
struct DraftFacts {
  bool placed = false;      // `here` is a cell
  bool started = false;     // `start` is a cell
  bool at_start = false;    // `here` and `start` are the same
  bool no_heading = true;   // `heading` is none
  bool empty_handed = true; // nothing is carried
  bool counted = false;     // within `each`: how many outcomes there are matters
  bool reaching = false;    // within `reach`: only where walks end matters
  std::uint16_t live = 0;   // of kHere, kStart, kHeading: what may be read or compared afterwards
  Slots later;              // names that may be read or compared afterwards, outside of this sequence
};

// Steps of the walker to work out values that depend on nothing, all of them together: a second or so. What
// isn't worked out by then is left to the engine.
inline constexpr std::uint64_t kMaxFolding = 1'000'000;

// Likewise, to work out for which cells conditions hold that go by one cell.
inline constexpr std::uint64_t kMaxPlacing = 200'000;

// What all rewritings of a program share.
struct Rewriter {
  Rewriter(const Program& program, TermStore& store);

  const Program& program;
  TermStore& terms;
  Slots single_names;                                  // names of one cell or one direction
  Slots set_names;                                     // names that are set
  std::unordered_map<std::uint64_t, TermId> becomes{}; // what a term becomes, by the term and what is known
  std::optional<Program> scratch{};                    // for folding
  std::uint64_t folding_left = kMaxFolding;            // steps
  std::uint64_t placing_left = kMaxPlacing;            // likewise
  std::unordered_map<TermId, std::optional<TermId>> where_holds{}; // conditions on one cell: on which ones
  std::size_t most_terms = 0; // when so many were made, nothing more is rewritten

  [[nodiscard]] bool is_exhausted() const { return terms.count() > most_terms; }
  [[nodiscard]] const Term& at(TermId id) const { return terms[id]; }
  [[nodiscard]] TermId kid(TermId id, std::size_t i) const { return terms[id].kids[i]; }
  [[nodiscard]] bool is(TermId id, Op op) const { return terms[id].op == op; }
  [[nodiscard]] bool is_truth(TermId id, bool which) const;
  [[nodiscard]] std::optional<std::int32_t> number_of(TermId id) const;
  [[nodiscard]] bool is_none(TermId id) const;
  [[nodiscard]] bool is_board(TermId id) const;
  [[nodiscard]] bool is_nothing(TermId id) const { return is(id, Op::sequence) && at(id).kids.empty(); }
  [[nodiscard]] bool reads(TermId id, std::uint32_t slot) const { return contains(at(id).slots_read, slot); }
};

TermId condition(Rewriter& rw, TermId id); // of a line of `end`
TermId turn(Rewriter& rw, TermId id);

TermId value(Rewriter& rw, TermId id, const DraftFacts& c);
// c: before it, then after it
TermId action(Rewriter& rw, TermId id, DraftFacts& c);
void pass(const Rewriter& rw, TermId id, DraftFacts& c);
[[nodiscard]] bool may_fault(const Rewriter& rw, TermId id, const DraftFacts& c);
[[nodiscard]] bool any_may_fault(const Rewriter& rw, const Terms& terms, const DraftFacts& c);
[[nodiscard]] bool is_single(const Rewriter& rw, TermId id, const DraftFacts& c);
[[nodiscard]] bool never_negative(const Rewriter& rw, TermId id);
[[nodiscard]] bool writes_what_is_read(const Rewriter& rw, TermId writer, TermId reader);
TermId make(Rewriter& rw, Op op, Type type, Terms kids, const DraftFacts& c, std::uint32_t origin,
            std::int32_t a = 0, std::int32_t b = 0);
void sort(const Rewriter& rw, Terms& terms);
void drop_repeats(const Rewriter& rw, Terms& terms);

} // namespace boardwright::runtime::normal
