// Writes operations: registers, labels, and values that have been worked out already.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/ir/operations.hpp"
#include "runtime/model/index.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::runtime::lowering {

using Ir = ir::Op;
using ir::Reg;
using Label = std::int32_t;

// What a value depends on: bits for the parts of the state.
using Parts = std::uint64_t;
inline constexpr Parts kPieces = 1, kInHand = 2, kAir = 4, kWhoIsOut = 8;
inline constexpr int kFirstVariable = 8; // the bits above are variables and changed locals, several to a bit
[[nodiscard]] constexpr Parts part_of_variable(std::size_t i) {
  return Parts{1} << (kFirstVariable + i % (64 - kFirstVariable));
}

using ir::kMaxRegisters;
// Code that is longer would take too long to make.
inline constexpr std::size_t kMaxInstructions = 200'000;
// And what takes more steps to make, of some nanoseconds each: rules whose every part must be looked at for
// every other one, which no game has that somebody would write. A second or so.
inline constexpr std::uint64_t kMaxLowering = 150'000'000;

class Emitter {
public:
  explicit Emitter(ir::Code& code) : code_(code) {}

  // ---- instructions
  std::size_t emit(Ir op, int d = 0, int a = 0, int b = 0, int c = 0, std::int32_t x = 0, int y = 0) {
    ir::Instruction i;
    i.op = op;
    i.y = static_cast<std::uint8_t>(y);
    i.d = static_cast<Reg>(d), i.a = static_cast<Reg>(a), i.b = static_cast<Reg>(b),
    i.c = static_cast<Reg>(c);
    i.x = x;
    i.origin = origin_;
    if (op != Ir::mark && op != Ir::stack_mark) end_straight();
    if (code_.instructions.size() >= kMaxInstructions) too_large_ = true;
    if (!too_large_) code_.instructions.push_back(i);
    return code_.instructions.empty() ? 0 : code_.instructions.size() - 1;
  }
  [[nodiscard]] std::size_t here() const { return code_.instructions.size(); }
  // Leaves an instruction out again.
  void forget(std::size_t i) { dead_.push_back(i); }
  Label label() {
    labels_.push_back(0);
    return static_cast<Label>(labels_.size() - 1);
  }
  void place(Label l) {
    end_straight();
    labels_[at(l)] = static_cast<std::uint32_t>(here());
  }
  void go(Label l) { emit(Ir::go, 0, 0, 0, 0, l); }
  void at_origin(std::uint32_t origin) { origin_ = origin; }
  [[nodiscard]] std::uint32_t origin() const { return origin_; }
  // Could anything from there on have changed the state?
  [[nodiscard]] bool changes_since(std::size_t begin) const;
  // Could anything from there on have been begun that whoever leaves it early must end: a call, registers
  // that are kept, outcomes that are compared?
  [[nodiscard]] bool begins_since(std::size_t begin) const;
  // Takes back what has been changed since a mark, behind which `begin` is; else nobody needs the mark, which
  // instruction `marked` sets.
  void undo_since(std::size_t begin, Reg mark, std::size_t marked) {
    if (changes_since(begin))
      emit(Ir::undo, 0, mark);
    else
      forget(marked);
  }
  [[nodiscard]] bool too_large() const { return too_large_; }
  [[nodiscard]] std::uint64_t spent() const { return spent_; }
  // So many steps have been taken beside those of facts, of which there are so many in all.
  void spend(std::uint64_t steps, std::uint64_t of_facts) {
    spent_ += steps;
    if (spent_ + of_facts > kMaxLowering) too_large_ = true;
  }
  void give_up() { too_large_ = true; }
  // Labels become places in the code, and what was forgotten goes. Nothing can be written behind that.
  void finish();
  void remove_unread(std::size_t begin);

  // ---- registers
  Reg new_set() { return fresh(next_set_, code_.sets); }
  Reg new_number(int count = 1) {
    const Reg r = fresh(next_number_, code_.numbers);
    for (int k = 1; k < count; ++k) (void)fresh(next_number_, code_.numbers);
    return r;
  }
  Reg new_box() { return fresh(next_box_, code_.boxes); }
  struct Registers {
    int set = 0, number = 0, box = 0;
  };
  [[nodiscard]] Registers registers() const { return {next_set_, next_number_, next_box_}; }
  void set_registers(const Registers& r) { next_set_ = r.set, next_number_ = r.number, next_box_ = r.box; }
  void begin_registers(int sets, int numbers);

  Reg set_constant(const CellSet& set);
  Reg directions(const StepSet& steps);
  // Empty at first. It keeps what is written to it, from one run of the code to the next.
  Reg new_kept_set();
  Reg number_constant(std::int32_t n);
  [[nodiscard]] const CellSet* known_set(Reg r) const;
  [[nodiscard]] std::optional<std::int32_t> known_number(Reg r) const;

  // ---- values: the same operation on the same operands is worked out once
  Reg set_value(Ir op, int a, int b = 0, int c = 0, std::int32_t x = 0, Parts more = 0, int y = 0);
  Reg number_value(Ir op, int a, int b = 0, int c = 0, std::int32_t x = 0, Parts more = 0);
  // A copy of a set that may change. And of what a set is such a copy, if that hasn't changed since.
  Reg copied(Reg set);
  [[nodiscard]] Reg source_of(Reg copy) const;
  // The operation that a set has been worked out by, as long as that is known.
  [[nodiscard]] std::optional<ir::Instruction> made_by(Reg set) const;
  // A value that was worked out by several operations.
  std::optional<Reg> known_value(Ir op, int a, int b, std::int32_t x) const {
    return known(Key{static_cast<std::int32_t>(op), a, b, 0, x, 0, 2});
  }
  void know_value(Ir op, int a, int b, std::int32_t x, Reg value) {
    remember(Key{static_cast<std::int32_t>(op), a, b, 0, x, 0, 2}, {value, parts_of_set(value)});
  }
  [[nodiscard]] std::optional<Reg> known_number_value(Ir op, int a) const {
    return known(Key{static_cast<std::int32_t>(op), a, 0, 0, 0, 0, 1});
  }
  void depend(Reg set, Parts parts);
  void number_depends(Reg number, Parts parts);
  [[nodiscard]] Parts parts_of_set(Reg r) const { return r < set_parts_.size() ? set_parts_[r] : 0; }
  [[nodiscard]] Parts parts_of_number(Reg r) const { return r < number_parts_.size() ? number_parts_[r] : 0; }
  // Some parts of the state have changed: values that depend on them are forgotten.
  void changed(Parts parts);
  void forget_values();

  struct Floor {
    std::size_t log = 0;
    Registers registers;
  };

  // Here everything comes by that comes after, until something else is begun. Values that are worked out from
  // here on, before anything else is written, are known in all of it, whatever scopes end.
  void begin_straight() {
    straight_ = true;
    floor_ = {log_.size(), registers()};
  }
  void begin_apart() {
    straight_ = false;
    floor_ = {};
  }

  // What is worked out within a scope isn't known behind it, and its registers are free again.
  class Scope {
  public:
    explicit Scope(Emitter& e) : e_(e), log_(e.log_.size()), registers_(e.registers()) {}
    ~Scope() {
      if (e_.straight_) return;
      const Floor& f = e_.floor_;
      e_.roll_back(std::max(log_, f.log));
      e_.set_registers({std::max(registers_.set, f.registers.set),
                        std::max(registers_.number, f.registers.number),
                        std::max(registers_.box, f.registers.box)});
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    Emitter& e_;
    std::size_t log_;
    Registers registers_;
  };

  // What has been written since then is taken back, as if it had never been tried.
  class Attempt {
  public:
    explicit Attempt(Emitter& e)
        : e_(e), log_(e.log_.size()), code_(e.here()), dead_(e.dead_.size()), registers_(e.registers()),
          straight_(e.straight_), floor_(e.floor_) {}
    void give_up() {
      e_.straight_ = straight_;
      e_.floor_ = floor_;
      e_.roll_back(log_);
      e_.code_.instructions.resize(code_);
      e_.dead_.resize(dead_);
      e_.set_registers(registers_);
    }

  private:
    Emitter& e_;
    std::size_t log_, code_, dead_;
    Registers registers_;
    bool straight_;
    Floor floor_;
  };

private:
  using Key = std::array<std::int32_t, 7>;
  Reg fresh(int& next, std::uint32_t& used) {
    if (next >= kMaxRegisters) too_large_ = true;
    const int r = too_large_ ? 0 : next++;
    if (used < static_cast<std::uint32_t>(next)) used = static_cast<std::uint32_t>(next);
    return static_cast<Reg>(r);
  }
  struct Known {
    Reg reg = 0;
    Parts parts = 0;
  };
  void end_straight() {
    if (straight_) floor_ = {log_.size(), registers()};
    straight_ = false;
  }
  std::optional<Reg> known(const Key& key) const;
  void remember(const Key& key, Known value);
  void roll_back(std::size_t log);

  ir::Code& code_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::size_t> dead_;
  std::uint32_t origin_ = 0;
  bool too_large_ = false;
  std::uint64_t spent_ = 0;
  bool straight_ = false;
  Floor floor_;
  int next_set_ = 0, next_number_ = 0, next_box_ = 0;
  std::map<Key, Known> known_;
  std::vector<std::pair<Key, std::optional<Known>>> log_; // what was known before
  std::vector<Parts> set_parts_, number_parts_;
  std::map<std::int32_t, Reg> number_constants_;
  std::vector<std::pair<CellSet, Reg>> set_constants_;
  std::vector<std::pair<StepSet, Reg>> directions_;
};

using ir::jumps;

} // namespace boardwright::runtime::lowering
