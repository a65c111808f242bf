// Arrays of other libraries that an answer is written into: what hands its memory out by DLPack.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

namespace boardwright::python {

// What a number is, as DLPack has it.
struct NumberType {
  std::uint8_t code = 0, bits = 0; // code 0: signed, 1: unsigned, 2: floating point, 6: truths
};

// The memory of an array in this process's memory, of that type and shape and without gaps, which may be
// written. It is there as long as this is. Raises ValueError where it is none.
class WritableMemory {
public:
  WritableMemory(const pybind11::object& array, NumberType type, const std::vector<pybind11::ssize_t>& shape);
  [[nodiscard]] void* data() const { return data_; }

private:
  pybind11::object capsule_; // gives the memory back when it goes
  void* data_ = nullptr;
};

} // namespace boardwright::python
