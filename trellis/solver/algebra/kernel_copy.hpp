// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies host scalars to separate memory where kernels can read them. The copy is not reported to listeners
// (profile_listener.hpp), which are told only of data.

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
