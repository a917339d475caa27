// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Keeps track of streams other than the default one, so that memory is reused only when all of them are done with it.
// For the backend's own *.cu files.

#include <cuda_runtime_api.h>

#include <vector>

namespace trellis::backend {

// All work launched so far, in all streams. Empty if there is only the default stream, whose order is enough.
class WorkSoFar {
 public:
  // If there are streams that are not ours (a caller's own, in Cuda{stream}), waits for the device, because they may
  // have been destroyed by now.
  void record();
  // Whether that work is done.
  bool done();

 private:
  std::vector<cudaEvent_t> events_;
};

// Work launched in any stream from now on comes after everything that was launched in the default stream.
void others_wait_for_default();

// Before another device is chosen: events belong to one.
void drop_unused_events();

// The graph that a thread is capturing (graph.hpp).
struct Capture {
  cudaStream_t stream = nullptr;         // the capturing stream, or null
  cudaStream_t captured = nullptr;       // dispatches to it and to the default stream are captured
  std::vector<void*>* memory = nullptr;  // memory freed meanwhile, which the graph still uses
};
inline constinit thread_local Capture this_capture;

// Throws Error("<what> while a graph is captured...") if this thread captures one.
void refuse_in_capture(const char* what);

}  // namespace trellis::backend
