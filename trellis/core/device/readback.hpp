// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies numbers that kernels wrote to the host while later kernels run:
//   Readback<double> progress(n);
//   progress.ask(space, view);        // after the kernels launched before; does not wait
//   ... more kernels ...
//   const double* numbers = progress.look();   // waits for the copy, not for the kernels launched since
// After look(), ask() may be called again. The other way, in order with the kernels of a space:
//   send(space, view, numbers, n);             // the numbers may be changed at once
// These copies are not reported to listeners (profile_listener.hpp): they are for scalars.

#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "trellis/core/spaces.hpp"

namespace trellis {

template <class T, ExecutionSpace Exec>
class Readback {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Readback(std::size_t count) : here_(count) {}
  void ask(const Exec&, const T* from) { std::memcpy(here_.data(), from, here_.size() * sizeof(T)); }
  const T* look() const { return here_.data(); }

 private:
  std::vector<T> here_;
};

// To memory that kernels of the space reach.
template <class T, ExecutionSpace Exec>
void send(const Exec&, T* to, const T* from, std::size_t count) {
  std::memcpy(to, from, count * sizeof(T));
}

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(readback.hpp)
#endif
