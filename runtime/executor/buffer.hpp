// A growing row of plain values whose bounds native code can read and move (runtime/codegen/): a pointer to
// the first value, one behind the last, one behind the room there is. There is room for powers of two: native
// code that finds no room asks the executor, which so sees every limit that is a power of two where it is
// reached.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace boardwright::runtime::executor {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
  Buffer() = default;
  Buffer(const Buffer& other) { append(other.begin_, other.size()); }
  Buffer& operator=(const Buffer& other) {
    if (this != &other) assign(other.begin_, other.end_);
    return *this;
  }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { std::free(begin_); }

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  [[nodiscard]] bool empty() const { return end_ == begin_; }
  [[nodiscard]] T* data() { return begin_; }
  [[nodiscard]] const T* data() const { return begin_; }
  [[nodiscard]] T* begin() { return begin_; }
  [[nodiscard]] const T* begin() const { return begin_; }
  [[nodiscard]] T* end() { return end_; }
  [[nodiscard]] const T* end() const { return end_; }
  [[nodiscard]] T& operator[](std::size_t i) { return begin_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return begin_[i]; }
  [[nodiscard]] T& back() { return end_[-1]; }
  [[nodiscard]] const T& back() const { return end_[-1]; }

  void push_back(const T& value) {
    const T copy = value; // it may be one of these
    if (end_ == limit_) grow(size() + 1);
    *end_++ = copy;
  }
  void pop_back() { --end_; }
  void clear() { end_ = begin_; }
  // New values aren't set to anything.
  void resize(std::size_t n) {
    reserve(n);
    end_ = begin_ + n;
  }
  // Values from elsewhere.
  void append(const T* first, std::size_t n) {
    if (n == 0) return;
    reserve(size() + n);
    end_ = std::copy_n(first, n, end_);
  }
  void assign(const T* first, const T* behind) {
    clear();
    append(first, static_cast<std::size_t>(behind - first));
  }
  void reserve(std::size_t n) {
    if (n > static_cast<std::size_t>(limit_ - begin_)) grow(n);
  }
  // What it takes to have these values: room for a power of two.
  [[nodiscard]] std::size_t bytes_needed() const { return empty() ? 0 : std::bit_ceil(size()) * sizeof(T); }
  // Room for more than so many bytes goes if most of it isn't needed.
  void give_back(std::size_t most) {
    const std::size_t room = static_cast<std::size_t>(limit_ - begin_) * sizeof(T);
    if (room > most && 2 * bytes_needed() < room) Buffer(*this).swap(*this);
  }
  // Room for so many more.
  void reserve_more(std::size_t n) { reserve(size() + n); }

  // Bytes from the beginning of the object to its pointers.
  static constexpr std::size_t kBegin = 0, kEnd = sizeof(T*), kLimit = 2 * sizeof(T*);

private:
  void swap(Buffer& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
  }
  void grow(std::size_t least) {
    const std::size_t used = size();
    const std::size_t room = std::bit_ceil(std::max<std::size_t>({2 * used, least, 16}));
    auto* const moved = static_cast<T*>(std::realloc(static_cast<void*>(begin_), room * sizeof(T)));
    if (moved == nullptr) throw std::bad_alloc();
    begin_ = moved;
    end_ = moved + used;
    limit_ = moved + room;
  }

  T *begin_ = nullptr, *end_ = nullptr, *limit_ = nullptr;
};

// The notation that is being written.
class Text : public Buffer<char> {
public:
  [[nodiscard]] std::string_view view() const { return {data(), size()}; }
  Text& operator+=(std::string_view more) {
    append(more.data(), more.size());
    return *this;
  }
};

} // namespace boardwright::runtime::executor
