// A move as a small value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace boardwright::runtime {

// A legal move of the position it was listed for. Games know which position that is: playing a move anywhere
// else is an error, and does nothing. It is good again when its position has come back by taking moves back.
class Move {
public:
  Move() = default; // no move of any position
  // Its place in the list of its position, which depends on the position alone: what a table of positions may
  // keep.
  [[nodiscard]] std::uint32_t index() const { return index_; }
  friend bool operator==(const Move&, const Move&) = default;

private:
  friend class Game;
  friend class MoveList;
  Move(std::uint64_t position, std::uint32_t index) : position_(position), index_(index) {}

  std::uint64_t position_ = 0; // a number that no other position of any game has
  std::uint32_t index_ = 0;
};

// The moves of a position: a value without memory of its own.
class MoveList {
public:
  class Iterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Move;
    using difference_type = std::ptrdiff_t;
    using pointer = const Move*;
    using reference = Move;
    Iterator() = default;
    Iterator(std::uint64_t position, difference_type at) : position_(position), at_(at) {}
    Move operator*() const { return Move(position_, static_cast<std::uint32_t>(at_)); }
    Move operator[](difference_type n) const { return *(*this + n); }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(position_, at_++); }
    Iterator& operator--() { return --at_, *this; }
    Iterator operator--(int) { return Iterator(position_, at_--); }
    Iterator& operator+=(difference_type n) { return at_ += n, *this; }
    Iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    friend Iterator operator+(Iterator i, difference_type n) { return i += n; }
    friend Iterator operator+(difference_type n, Iterator i) { return i += n; }
    friend Iterator operator-(Iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

  private:
    std::uint64_t position_ = 0;
    difference_type at_ = 0;
  };

  MoveList() = default;
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // False: a limit stopped the list, and the position may have more moves.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] Move operator[](std::size_t i) const {
    return Move(position_, static_cast<std::uint32_t>(i));
  }
  [[nodiscard]] Iterator begin() const { return {position_, 0}; }
  [[nodiscard]] Iterator end() const { return {position_, static_cast<std::ptrdiff_t>(size_)}; }

private:
  friend class Game;
  MoveList(std::uint64_t position, std::size_t size, bool complete)
      : position_(position), size_(size), complete_(complete) {}

  std::uint64_t position_ = 0;
  std::size_t size_ = 0;
  bool complete_ = true;
};

} // namespace boardwright::runtime
