// The registers of an executor, and the trail that takes changes back.
#pragma once

#include "runtime/executor/buffer.hpp"
#include "runtime/ir/ir.hpp"
#include "runtime/model/index.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace boardwright::runtime::executor {

// A value that fits no set and no number.
template <int W>
struct Box {
  CellMap map;
  std::vector<std::int32_t> numbers; // of numbers, kinds, players
  std::vector<Bits<W>> sets;
  std::array<std::uint64_t, 4> maybe{}; // bits that tell of most sets that they aren't among them
  friend bool operator==(const Box& a, const Box& b) {
    return a.map == b.map && a.numbers == b.numbers && a.sets == b.sets;
  }

  // Unless it is there already.
  void add_set(const Bits<W>& set) {
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : set.word)
      mixed = (mixed ^ word) * ir::kKeyFactor ^ mixed >> ir::kKeyShift;
    std::uint64_t& bits = maybe[mixed >> 62];
    const std::uint64_t bit = std::uint64_t{1} << (mixed >> 56 & 63);
    if ((bits & bit) != 0 && std::find(sets.begin(), sets.end(), set) != sets.end()) return;
    bits |= bit;
    sets.push_back(set);
  }
  void clear() {
    maybe = {};
    map = {};
    numbers.clear();
    sets.clear();
  }
  // Beside itself.
  [[nodiscard]] std::size_t bytes() const {
    return numbers.size() * sizeof(std::int32_t) + sets.size() * sizeof(Bits<W>);
  }
  [[nodiscard]] std::size_t size() const { return numbers.size() + sets.size(); }
};

// What has changed, and what was there before: so it is taken back in reverse order.
class Trail {
public:
  enum class Part : std::uint32_t { set_word, number, byte, box };

  [[nodiscard]] std::int32_t mark() const { return static_cast<std::int32_t>(entries_.size()); }
  void note(Part part, std::size_t index, std::uint64_t old) {
    entries_.push_back({static_cast<std::uint32_t>(part) << 30 | static_cast<std::uint32_t>(index), old});
  }
  template <class F>
  void undo(std::int32_t to, F&& put_back) {
    while (entries_.size() > static_cast<std::size_t>(to)) {
      const Entry e = entries_.back();
      entries_.pop_back();
      put_back(static_cast<Part>(e.where >> 30), e.where & 0x3fffffff, e.old);
    }
  }
  void clear() { entries_.clear(); }
  void reserve_more(std::size_t n) { entries_.reserve_more(n); }
  void reserve(std::size_t n) { entries_.reserve(n); }
  // With those that may come before somebody looks again.
  [[nodiscard]] std::size_t bytes_needed() const {
    constexpr std::size_t kSoon = 1 << 16;
    return std::bit_ceil(entries_.size() + kSoon) * kEntrySize;
  }
  void give_back(std::size_t most) { entries_.give_back(most); }

  // Native code notes and takes back by itself: an entry is the part in the upper two bits and the index in
  // the others, then 8 bytes later what was there.
  [[nodiscard]] const void* bounds() const { return &entries_; } // a Buffer
  static constexpr std::size_t kEntrySize = 16;

private:
  struct Entry {
    std::uint32_t where;
    std::uint64_t old;
  };
  static_assert(sizeof(Entry) == kEntrySize);
  Buffer<Entry> entries_;
};

// All registers. What of them is the state is changed through the functions here, which note the old value.
template <int W>
struct Memory {
  using Set = Bits<W>;
  std::vector<Set> sets;
  std::vector<std::int32_t> numbers;
  std::vector<Box<W>> boxes;
  // With a mailbox: the code of the piece on each cell. With stacks: the codes of each cell from bottom to
  // top, `levels` of them, and in `heights` how many there are.
  std::vector<std::uint8_t> codes, heights;
  std::vector<std::uint8_t> carried; // with stacks: what is carried, from top to bottom
  Trail trail;
  std::vector<Box<W>> old_boxes; // of the trail
  std::size_t old_box_bytes = 0; // of all of them

  void write_number(std::size_t i, std::int32_t value) {
    if (numbers[i] == value) return;
    trail.note(Trail::Part::number, i, static_cast<std::uint32_t>(numbers[i]));
    numbers[i] = value;
  }
  void write_word(std::size_t set, unsigned word, std::uint64_t value) {
    std::uint64_t& old = sets[set].word[word];
    if (old == value) return;
    trail.note(Trail::Part::set_word, set * W + word, old);
    old = value;
  }
  void write_set(std::size_t i, const Set& value) {
    for (unsigned k = 0; k < W; ++k) write_word(i, k, value.word[k]);
  }
  void put_in(std::size_t set, int cell) {
    const unsigned k = static_cast<unsigned>(cell) >> 6;
    write_word(set, k, sets[set].word[k] | std::uint64_t{1} << (cell & 63));
  }
  void take_out(std::size_t set, int cell) {
    const unsigned k = static_cast<unsigned>(cell) >> 6;
    write_word(set, k, sets[set].word[k] & ~(std::uint64_t{1} << (cell & 63)));
  }
  void write_box(std::size_t i, const Box<W>& value) {
    trail.note(Trail::Part::box, i, 0);
    old_boxes.push_back(boxes[i]);
    old_box_bytes += 2 * sizeof(Box<W>) + old_boxes.back().bytes();
    boxes[i] = value;
  }
  void write_code(std::size_t i, std::uint8_t value) { write_byte(codes, 0, i, value); }
  void write_height(std::size_t i, std::uint8_t value) { write_byte(heights, codes.size(), i, value); }
  void write_carried(std::size_t i, std::uint8_t value) {
    write_byte(carried, codes.size() + heights.size(), i, value);
  }

  // Nothing that was done so far is taken back.
  void forget_changes() {
    trail.clear();
    old_boxes.clear();
    old_box_bytes = 0;
  }
  void undo(std::int32_t to) {
    trail.undo(to, [this](Trail::Part part, std::size_t i, std::uint64_t old) {
      switch (part) {
      case Trail::Part::set_word: sets[i / W].word[i % W] = old; break;
      case Trail::Part::number: numbers[i] = static_cast<std::int32_t>(old); break;
      case Trail::Part::box:
        old_box_bytes -= 2 * sizeof(Box<W>) + old_boxes.back().bytes();
        boxes[i] = std::move(old_boxes.back());
        old_boxes.pop_back();
        break;
      case Trail::Part::byte: byte_at(i) = static_cast<std::uint8_t>(old); break;
      }
    });
  }

private:
  std::uint8_t& byte_at(std::size_t i) {
    if (i < codes.size()) return codes[i];
    i -= codes.size();
    return i < heights.size() ? heights[i] : carried[i - heights.size()];
  }
  void write_byte(std::vector<std::uint8_t>& bytes, std::size_t offset, std::size_t i, std::uint8_t value) {
    if (bytes[i] == value) return;
    trail.note(Trail::Part::byte, offset + i, bytes[i]);
    bytes[i] = value;
  }
};

} // namespace boardwright::runtime::executor
