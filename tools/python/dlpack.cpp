#include "tools/python/dlpack.hpp"

#include <algorithm>

namespace boardwright::python {

namespace {

namespace py = pybind11;

constexpr const char* kCapsule = "dltensor";
constexpr std::int32_t kInMainMemory = 1;

// The binary interface of DLPack, as its capsules `dltensor` have it.
struct DlTensor {
  void* data;
  std::int32_t device_type, device_id, dimensions;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t *shape, *strides; // strides may be null: without gaps, the last index the quickest
  std::uint64_t offset;          // bytes
};

bool is_without_gaps(const DlTensor& tensor) {
  if (tensor.strides == nullptr) return true;
  std::int64_t step = 1;
  for (std::int32_t i = tensor.dimensions; i-- > 0; step *= tensor.shape[i])
    if (tensor.shape[i] > 1 && tensor.strides[i] != step) return false;
  return true;
}

} // namespace

WritableMemory::WritableMemory(const py::object& array, NumberType type,
                               const std::vector<py::ssize_t>& shape)
    : capsule_(array.attr("__dlpack__")()) {
  const void* const held =
      PyCapsule_IsValid(capsule_.ptr(), kCapsule) ? PyCapsule_GetPointer(capsule_.ptr(), kCapsule) : nullptr;
  if (held == nullptr) throw py::value_error("out: what __dlpack__ gives is none of its capsules");
  const DlTensor& tensor = *static_cast<const DlTensor*>(held);
  if (tensor.device_type != kInMainMemory) throw py::value_error("out: an array on another device");
  if (tensor.code != type.code || tensor.bits != type.bits || tensor.lanes != 1)
    throw py::value_error("out: another type of array");
  const std::vector<py::ssize_t> found(tensor.shape, tensor.shape + tensor.dimensions);
  if (found != shape || !is_without_gaps(tensor))
    throw py::value_error("out: an array of another shape, or one that can't be written");
  data_ = static_cast<char*>(tensor.data) + tensor.offset;
}

} // namespace boardwright::python
