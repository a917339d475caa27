// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// GaugeField.native(), __dlpack__(), from_dlpack(): the memory of the links, in the order of the kernels, shared with
// other libraries.
#include "python/src/dlpack.hpp"

#include <pybind11/stl.h>

#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"

namespace trellis::python {
namespace {

// On hosts [tile][mu][row][column][re, im][lane]; on a GPU, where a lane's numbers come in pairs,
// [tile][mu][row][column][lane][re, im]. Ghosts of other ranks do not exist here.
std::vector<std::int64_t> native_shape(const Lattice& lattice) {
  std::vector<std::int64_t> shape{lattice.tiles(), 4, 3, 3, 2, lattice.lanes()};
  if constexpr (lane_group == 2) std::swap(shape[4], shape[5]);
  return shape;
}

double* data_of(const PyGaugeField& field) {
  return field.links.visit([](const auto& u) { return u.view().data(); });
}

dlpack::Device device_of_fields() {
  if constexpr (fields_on_host)
    return {dlpack::cpu, 0};
  else
    return {dlpack::cuda, 0};  // of the devices that this process sees, kernels use the first
}

// What a consumer of the tensor holds until it calls the deleter.
struct Shared {
  dlpack::ManagedTensor managed{};
  PyGaugeField field;
  std::vector<std::int64_t> shape;
};

void release_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor") == 0) return;  // a consumer has it
  auto* const managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  managed->deleter(managed);
}

// `stream` is the consumer's: all our kernels have finished when this returns, so any stream may be used.
py::object to_dlpack(const PyGaugeField& field, const py::object& /*stream*/) {
  {
    const py::gil_scoped_release release;
    fence();
  }
  auto shared = std::make_unique<Shared>(Shared{.field = field, .shape = native_shape(field.lattice())});
  auto& managed = shared->managed;
  managed.tensor = {.data = data_of(field),
                    .device = device_of_fields(),
                    .dimensions = std::int32_t(shared->shape.size()),
                    .type = {dlpack::floating, 64, 1},
                    .shape = shared->shape.data(),
                    .strides = nullptr,
                    .byte_offset = 0};
  managed.context = shared.get();
  managed.deleter = [](dlpack::ManagedTensor* self) { delete static_cast<Shared*>(self->context); };
  auto capsule = py::reinterpret_steal<py::object>(PyCapsule_New(&managed, "dltensor", &release_capsule));
  if (!capsule) throw py::error_already_set();
  static_cast<void>(shared.release());
  return capsule;
}

// The tensor of an object for the duration of a call.
class Borrowed {
 public:
  explicit Borrowed(const py::object& array) {
    if (!py::hasattr(array, "__dlpack__")) throw py::type_error("from_dlpack: the argument has no method __dlpack__");
    const py::object capsule = array.attr("__dlpack__")();
    if (PyCapsule_IsValid(capsule.ptr(), "dltensor") == 0)
      throw py::type_error("from_dlpack: __dlpack__ returned no capsule \"dltensor\"");
    tensor_ = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    if (tensor_->deleter != nullptr) tensor_->deleter(tensor_);
  }
  const dlpack::Tensor& operator*() const { return tensor_->tensor; }

 private:
  dlpack::ManagedTensor* tensor_;
};

void require_like_native(const dlpack::Tensor& tensor, const std::vector<std::int64_t>& shape) {
  const auto own = device_of_fields();
  if (tensor.device.type != own.type)
    throw py::buffer_error(fmt::format("from_dlpack: the array is on a device of type {}, the field on one of type {}",
                                       tensor.device.type, own.type));
  if (tensor.type.code != dlpack::floating || tensor.type.bits != 64 || tensor.type.lanes != 1)
    throw py::type_error("from_dlpack: expected an array of 64-bit real numbers");
  const std::vector<std::int64_t> found(tensor.shape, tensor.shape + tensor.dimensions);
  if (found != shape)
    fail_input("from_dlpack: found an array of shape ({}), expected the native shape ({})", joined(found, ", "),
               joined(shape, ", "));
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d])
    if (tensor.strides != nullptr && shape[d] > 1 && tensor.strides[d] != stride)
      fail_input("from_dlpack: the array's index {} has the stride {}, expected {}: contiguous memory", d,
                 tensor.strides[d], stride);
}

void from_dlpack(const PyGaugeField& field, const py::object& array) {
  const Borrowed borrowed(array);
  require_like_native(*borrowed, native_shape(field.lattice()));
  const char* const from = static_cast<const char*>((*borrowed).data) + (*borrowed).byte_offset;
  const py::gil_scoped_release release;
  field.links.visit([&](const auto& u) {
    const auto& view = u.view();
    if (static_cast<const void*>(view.data()) != from)  // the field's own memory may come back
      copy_bytes(FieldMemory{}, view.data(), FieldMemory{}, from, std::size_t(view.size()) * sizeof(double));
    u.exchange();
  });
}

// A numpy array on the field's memory.
py::array native(const py::object& self) {
  const auto& field = self.cast<const PyGaugeField&>();
  if constexpr (!fields_on_host)
    throw py::buffer_error("native: the links are in GPU memory; use DLPack (cupy.from_dlpack, torch.from_dlpack)");
  std::vector<py::ssize_t> shape;
  for (const auto extent : native_shape(field.lattice())) shape.push_back(extent);
  return py::array_t<double>(shape, data_of(field), self);
}

}  // namespace

void bind_dlpack(py::class_<PyGaugeField>& gauge_field) {
  gauge_field.def(
      "native", &native,
      "A numpy array on the memory of the links, [tile][mu][row][column][re, im][lane]: nothing is copied, and "
      "changing it changes the field. Lattice.native_sites() says which site is where.");
  gauge_field.def(
      "__dlpack__", &to_dlpack, py::arg("stream") = py::none(),
      "The memory of the links for another library, without a copy, in the shape of native(); in GPU memory "
      "[tile][mu][row][column][lane][re, im].");
  gauge_field.def("__dlpack_device__", [](const PyGaugeField&) {
    const auto device = device_of_fields();
    return py::make_tuple(int(device.type), int(device.number));
  });
  gauge_field.def(
      "from_dlpack", &from_dlpack, py::arg("array"),
      "Replaces the links by those of an array in the native shape, on the same kind of device. Copies, unless it is "
      "the field's own memory. Does not check that the links are in SU(3).");
}

}  // namespace trellis::python
