// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies host scalars to separate memory where the default instance's kernels can read them, without waiting. The
// copy is not reported to listeners (profile_listener.hpp), which are told only of data.

#include <vector>

#include "trellis/core/device/readback.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::solver {

template <class T>
FieldView<T*> kernel_copy(const char* label, const std::vector<T>& values) {
  const FieldView<T*> there(uninitialized, label, Index(values.size()));
  send(FieldSpace{}, there.data(), values.data(), values.size());
  return there;
}

}  // namespace trellis::solver
