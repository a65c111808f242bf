// A large array that begins as zero bytes. The system clears its pages when they are first written to: a
// table of half a gigabyte costs nothing until it is used.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace boardwright::runtime::search {

// Elements are moved as bytes, and all bytes zero must be a value of theirs.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  // Throws std::bad_alloc if there isn't as much memory.
  explicit ZeroedArray(std::size_t size) : data_(static_cast<T*>(std::calloc(size, sizeof(T)))), size_(size) {
    if (data_ == nullptr) throw std::bad_alloc();
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_.get()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_.get()[i]; }

private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_;
};

} // namespace boardwright::runtime::search
