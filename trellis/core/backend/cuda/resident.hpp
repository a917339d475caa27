// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the blocks of a resident kernel meet (resident.cuh). Included by core/device/resident.hpp.

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/sums_room.hpp"
#include "trellis/core/device/graph.hpp"
#include "trellis/core/device/resident.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

namespace backend {

// How many threads fit on the device at once, one block on each multiprocessor; 0 if it cannot launch such a kernel.
Index resident_threads();
unsigned resident_memory_each(Index threads);

// What blocks write to and read from in order to meet, kept from launch to launch.
struct MeetingPlace {
  static constexpr int sums = 3;
  SumBins bins;      // of three sums, which take turns
  unsigned* blocks;  // that have come, in all rounds
  unsigned* past;    // rounds and sums, before this launch
  bool in_cluster = false;
  unsigned bytes = 0;  // of memory, for each thread with a tile
};

}  // namespace backend

template <>
class Resident<Cuda> {
 public:
  explicit Resident(const Cuda& space = {})
      : space_(space), sums_(backend::MeetingPlace::sums), counters_("meetings", 3) {}

  bool takes(Index threads) const { return threads <= backend::resident_threads() && !backend::cuda_calls_kernels(); }
  unsigned memory_each(Index threads) const { return backend::resident_memory_each(threads); }
  template <class Body>
  void run(const Kernel& kernel, Index threads, int lanes, const Body& body, unsigned bytes = 0) const;

 private:
  backend::MeetingPlace place() const { return {sums_.bins(), counters_.data(), counters_.data() + 1}; }

  Cuda space_;
  backend::SumsRoom<Cuda> sums_;
  View<unsigned*, CudaSpace> counters_;
};

}  // namespace trellis

#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/resident/resident.cuh"
#endif
