// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Scalars of the host where kernels find them, in memory of their own. Nobody hears of the copy (profile_listener.hpp):
// listeners hear of data.

#include <vector>

#include "trellis/lattice/field_space.hpp"

namespace trellis::solver {

template <class T>
FieldView<T*> kernel_copy(const char* label, const std::vector<T>& values) {
  const FieldView<T*> there(label, Index(values.size()));
  fence();
  copy_bytes(FieldMemory{}, there.data(), HostSpace{}, values.data(), values.size() * sizeof(T));
  return there;
}

}  // namespace trellis::solver
