// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which streams there are beside the default one, so that memory can be given to another use when all have done with
// it, whichever used it. For the backend's own *.cu files.

#include <cuda_runtime_api.h>

#include <vector>

namespace trellis::backend {

// What was given to the device so far, in all streams. Empty where the default stream is alone: its order is enough.
class WorkSoFar {
 public:
  // Where streams are known that are not ours (a caller's own, in Cuda{stream}) it waits for the device, because they
  // may be gone by now.
  void record();
  // Has it been done?
  bool done();

 private:
  std::vector<cudaEvent_t> events_;
};

// Work given to any stream from now on comes after what the default stream was given so far.
void others_wait_for_default();

// While a thread captures a graph (graph.hpp).
struct Capture {
  cudaStream_t stream = nullptr;         // that captures; null: none does
  cudaStream_t captured = nullptr;       // whose dispatches these are, as are those to the default stream
  std::vector<void*>* memory = nullptr;  // freed meanwhile: the graph will use it
};
inline constinit thread_local Capture this_capture;

// Throws Error("<what> while a graph is captured...") if this thread captures one.
void refuse_in_capture(const char* what);

}  // namespace trellis::backend
