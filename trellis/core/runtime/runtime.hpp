// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Beginning and end of a program's use of Trellis. Neither is required: without them a program works from its first
// kernel on, and the output of TRELLIS_PROFILE and TRELLIS_TRACE (profile_environment.hpp) is written when it exits.
//   int main() {
//   const trellis::Runtime runtime;      // initialize(), and finalize() at the end of the scope
//     ...
//   }
// initialize() reads the environment and starts the profile's clock. finalize() waits for all kernels, warns on stderr
// of Views that are still alive in device memory, naming their labels, and writes the profile. After it
//   - a dispatch throws Error "kernel 'name': dispatched after finalize()",
//   - a new View "View 'label': allocated after finalize()", deep_copy likewise with both labels;
//   - Views that are alive may be read, written on the host, copied and dropped as before.
// Throws Error: initialize() twice or after finalize(), finalize() twice or within a kernel; finalize() also throws the
// error of an earlier device kernel, when all else is done. Any thread may call them; other threads must then have no
// kernels running.

namespace trellis {

void initialize();
void finalize();

bool is_initialized();  // true from initialize() on, also after finalize()
bool is_finalized();

// Calls finalize() at the end of the scope unless it was called before. An error there is printed on stderr, not
// thrown.
class Runtime {
 public:
  Runtime() { initialize(); }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();
};

}  // namespace trellis
