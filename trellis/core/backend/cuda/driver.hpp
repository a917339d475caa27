// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the CUDA backend asks of the driver, in plain C++: only cuda_space.cu includes CUDA's own headers for it.
// Each throws Error with CUDA's words when the driver refuses.

#include <cstddef>

struct CUstream_st;

namespace trellis::backend {

// Memory that kernels given to this stream later may use and kernels given to it before `cuda_scratch_free` may still
// be using.
void* cuda_scratch(std::size_t bytes, CUstream_st* stream);
void cuda_scratch_free(void* scratch, CUstream_st* stream) noexcept;

// In order with the kernels of the stream; complete on return. Without a stream: of the default one.
void cuda_copy(void* to, const void* from, std::size_t bytes);
void cuda_copy(void* to, const void* from, std::size_t bytes, CUstream_st* stream);

// Throws when the kernel `name`, just given to the device, could not be launched.
void cuda_check_launch(const char* name);

// True when there is a device to run on.
bool cuda_available();

class CudaScratch {
 public:
  CudaScratch(std::size_t bytes, CUstream_st* stream) : data_(cuda_scratch(bytes, stream)), stream_(stream) {}
  CudaScratch(const CudaScratch&) = delete;
  CudaScratch& operator=(const CudaScratch&) = delete;
  ~CudaScratch() { cuda_scratch_free(data_, stream_); }
  void* data() const { return data_; }

 private:
  void* data_;
  CUstream_st* stream_;
};

}  // namespace trellis::backend
