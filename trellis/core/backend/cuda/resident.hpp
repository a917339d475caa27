// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the blocks of a resident kernel meet (resident.cuh). Included by core/device/resident.hpp.

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/device/resident.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

namespace backend {

// How many threads fit on the device at once, one block on each multiprocessor; 0 if it cannot launch such a kernel.
Index resident_threads();
unsigned resident_multiprocessors();
bool cuda_calls_kernels();

// Each block has `parts` words for each of two rounds, in which it says that it is there and what it has summed.
struct MeetingPlace {
  static constexpr int parts = 4;
  unsigned long long* words;  // [2][parts][block]
  unsigned* round;            // the number of the last one
};

}  // namespace backend

template <>
class Resident<Cuda> {
 public:
  explicit Resident(const Cuda& space = {})
      : space_(space),
        words_("meeting place", Index(2 * backend::MeetingPlace::parts) * backend::resident_multiprocessors()),
        round_("meetings", 1) {}

  bool takes(Index threads) const { return threads <= backend::resident_threads() && !backend::cuda_calls_kernels(); }
  template <class Body>
  void run(const Kernel& kernel, Index threads, int lanes, const Body& body) const;

 private:
  backend::MeetingPlace place() const { return {words_.data(), round_.data()}; }

  Cuda space_;
  View<unsigned long long*, CudaSpace> words_;
  View<unsigned*, CudaSpace> round_;
};

}  // namespace trellis

#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/resident.cuh"
#endif
