// Puts a variable back at the end of a scope.
#pragma once

#include <utility>

namespace boardwright::interpreter {

template <class T>
class Restore {
public:
  explicit Restore(T& variable) : variable_(variable), old_(variable) {}
  ~Restore() { variable_ = std::move(old_); }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

private:
  T& variable_;
  T old_;
};

} // namespace boardwright::interpreter
