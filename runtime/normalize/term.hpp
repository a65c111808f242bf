// Terms: the trees of a program while they are rewritten.
//
// Terms are immutable and stored once: two terms made alike are one, so that "nothing changed" is a
// comparison of two numbers, and what has been normalised is not normalised again. What a term reads, writes
// and binds is worked out when it is made, from its children's. Lowering asks the same store, so that there
// is one answer to what a part of a rule does.
#pragma once

#include "runtime/model/operation_set.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace boardwright::runtime::normal {

using TermId = std::uint32_t;
using Terms = std::vector<TermId>;
using Slots = std::vector<std::uint32_t>; // sorted, without repeats

struct Term {
  Op op = Op::never;
  Type type = Type::action;
  std::int32_t a = 0, b = 0;
  std::uint32_t origin = 0;
  Terms kids;

  // ---- worked out
  std::uint16_t reads = 0, writes = 0;
  bool faults = false;          // may be a fault, other than of a limit
  bool faults_unplaced = false; // …where there is no `here` before it
  bool faults_carrying = false; // …where something is carried before it
  bool places = false;          // an action: `here` is a cell in every outcome that isn't decided
  bool carries = false;         // an action: something may be carried after it, nothing being so before
  bool empties = false;         // an action: nothing is carried after it
  bool may_fail = false;        // an action: may have no outcome
  bool many = false;            // an action: may have several outcomes
  bool tells = false;           // an action: may write more than what has left
  bool never_negative = false;  // a number: is 0 at least, whatever its names stand for
  std::uint32_t size = 1;
  OperationSet contains; // all of it
  OperationSet does;     // an action: those of its actions, none of those within values
  Slots slots_read, slots_bound, slots_set;
};

[[nodiscard]] bool contains(const Slots& slots, std::uint32_t slot);
[[nodiscard]] bool overlap(const Slots& a, const Slots& b);
void add_slots(Slots& into, const Slots& more);

// Are terms that stand in different places of a file different ones? They are while a program is rewritten,
// since what is given back must say where it came from.
enum class Origins : std::uint8_t { kept, left_out };

class TermStore {
public:
  explicit TermStore(const Program& program, Origins origins = Origins::kept);

  [[nodiscard]] const Term& operator[](TermId id) const { return terms_[id]; }
  TermId make(Op op, Type type, Terms kids, std::int32_t a, std::int32_t b, std::uint32_t origin);
  TermId with_kids(TermId like, Terms kids);

  TermId number(std::int64_t n, std::uint32_t origin);
  TermId truth(bool t, std::uint32_t origin);
  TermId cells(const CellSet& cells, std::uint32_t origin);
  TermId steps(const StepSet& steps, std::uint32_t origin);
  TermId nothing(std::uint32_t origin) { return make(Op::sequence, Type::action, {}, 0, 0, origin); }
  TermId never(std::uint32_t origin) { return make(Op::never, Type::action, {}, 0, 0, origin); }
  std::int32_t frame(const Slots& slots);

  [[nodiscard]] const CellSet& cells_of(TermId id) const { return cell_sets_[at(terms_[id].a)]; }
  [[nodiscard]] const StepSet& steps_of(TermId id) const { return step_sets_[at(terms_[id].a)]; }
  [[nodiscard]] const Slots& frame_of(const Term& t) const { return frames_[at(t.b)]; }

  // The term of a tree of the program, and the way back: into a program whose pools are this store's. (A node
  // that has been taken mustn't change; others may be added to the program.)
  TermId take(NodeId id);
  // The nodes of a term as a tree: no node has two parents. Slots are numbered in the order of their binding.
  NodeId give(TermId id, Program& to);
  void give_pools(Program& to) const;
  void forget_given() { given_slots_.clear(); }

  // A total order by content, the smaller term first. It goes by no number of a node, place in a file or
  // name of a bound slot; free slots come in the order of their binding.
  [[nodiscard]] std::strong_ordering compare(TermId x, TermId y) const;
  [[nodiscard]] bool same(TermId x, TermId y) const { return x == y || compare(x, y) == 0; }

  // `by` in the place of every read of the slot.
  TermId substituted(TermId in, std::uint32_t slot, TermId by);
  // A copy that binds names of its own: `fresh` says which new slot stands for which.
  TermId copied(TermId in, std::map<std::uint32_t, std::uint32_t>& fresh);
  std::int32_t new_slot() { return static_cast<std::int32_t>(next_slot_++); }
  [[nodiscard]] int reads_of_slot(TermId in, std::uint32_t slot) const;
  [[nodiscard]] std::size_t count() const { return terms_.size(); }

private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  struct Renaming;
  [[nodiscard]] std::strong_ordering compare_steps(const StepSet& x, const StepSet& y) const;
  std::strong_ordering compare(TermId x, TermId y, Renaming& names) const;
  [[nodiscard]] std::strong_ordering compare_operands(const Term& s, const Term& t,
                                                      const Renaming& names) const;
  [[nodiscard]] std::uint64_t hash(const Term& t) const;
  void work_out(Term& t) const;
  void work_out_slots(Term& t) const;
  void work_out_parts(Term& t) const;
  void work_out_operations(Term& t) const;
  void work_out_sign(Term& t) const;
  void work_out_faults(Term& t) const;
  void work_out_outcomes(Term& t) const;
  void work_out_joined(Term& t) const;
  void work_out_sequence(Term& t) const;
  void work_out_carrying(Term& t) const;
  void work_out_places(Term& t) const;
  [[nodiscard]] bool own_fault(const Term& t) const;
  [[nodiscard]] bool drop_may_fault(const Term& t) const;
  [[nodiscard]] bool hand_may_fault(const Term& t) const;
  std::int32_t taken_operand(Operand operand, std::int32_t value);
  std::uint32_t given_slot(std::int32_t slot);

  static constexpr TermId kNotTaken = 0xffffffff;

  const Program& program_;
  Origins origins_;
  std::vector<Term> terms_;
  std::unordered_multimap<std::uint64_t, TermId> known_;
  std::vector<CellSet> cell_sets_;
  std::vector<StepSet> step_sets_;
  std::vector<Slots> frames_;
  std::map<CellSet, std::int32_t> cell_index_;
  std::map<StepSet, std::int32_t> step_index_;
  std::map<Slots, std::int32_t> frame_index_;
  std::map<std::string, std::int32_t> text_index_;
  std::vector<TermId> taken_; // by node
  std::unordered_map<std::int32_t, std::uint32_t> given_slots_;
  std::uint32_t next_slot_ = 0;
};

} // namespace boardwright::runtime::normal
