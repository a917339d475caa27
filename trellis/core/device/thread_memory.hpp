// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fast memory of a thread of a resident kernel (resident.hpp) that lasts as long as the launch. A thread takes arrays
// from it, which nobody else reads or writes, so that no one has to wait. Read and write 16 bytes at a time
// (load_line): then the threads of a warp use all banks of a GPU's shared memory. Teams on hosts have none.

#include "trellis/core/backend/compiler.hpp"

namespace trellis {

class ThreadMemory {
 public:
  ThreadMemory() = default;
  // p: aligned to 16 bytes
  TRELLIS_FUNCTION ThreadMemory(unsigned char* p, unsigned bytes) : next_(p), left_(bytes) {}

  TRELLIS_INLINE bool has(unsigned bytes) const { return bytes <= left_; }
  // Aligned to 16 bytes; only if has(count * sizeof(T)), a multiple of 16.
  template <class T>
  TRELLIS_INLINE T* take(int count) {
    T* const taken = reinterpret_cast<T*>(next_);
    next_ += unsigned(count) * sizeof(T);
    left_ -= unsigned(count) * sizeof(T);
    return taken;
  }

 private:
  unsigned char* next_ = nullptr;
  unsigned left_ = 0;
};

}  // namespace trellis
