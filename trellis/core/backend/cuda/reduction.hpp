// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a reduction needs beside its kernel: device memory for the partial results of blocks, a counter by which a block
// finds out that it is the last, and pinned host memory, to which that block writes the result and then a word that
// says so. The host polls that word, which takes a microsecond or two after the kernel's end; asking CUDA takes
// several. All of it is kept for the next reduction. Concurrent reductions use different memory, so threads may reduce
// side by side.

#include <cstddef>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/sums_room.hpp"

namespace trellis::backend {

// For the kernel.
template <class T>
struct CudaJoin {
  T* partial;
  unsigned* count;  // blocks that are done; 0 before and after
  T* result;
  unsigned* done;  // set to ticket at the end
  unsigned ticket;
};

class CudaReduction {
 public:
  CudaReduction(std::size_t partial_bytes, std::size_t result_bytes);
  // For this many exact sums of kernels over tiles (tiles.cuh).
  explicit CudaReduction(int sums);
  CudaReduction(const CudaReduction&) = delete;
  CudaReduction& operator=(const CudaReduction&) = delete;
  ~CudaReduction();

  template <class T>
  CudaJoin<T> join() const {
    return {static_cast<T*>(partial()), count(), static_cast<T*>(result()), done(), ticket()};
  }

  SumBins bins() const;
  // The result as an ExactSum.
  SumsEnd end() const { return {nullptr, static_cast<ExactSum*>(result()), done(), ticket(), false}; }

  // Waits for the result of the kernel that was launched in this stream. Throws Error if the kernel failed.
  template <class T>
  const T* wait(CUstream_st* stream) {
    wait_for_result(stream);
    return static_cast<const T*>(result());
  }

  struct Room;

 private:
  void* partial() const;
  unsigned* count() const;
  void* result() const;
  unsigned* done() const;
  unsigned ticket() const;
  void wait_for_result(CUstream_st* stream);

  Room* room_;
  bool finished_ = false;
};

}  // namespace trellis::backend
