// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Beginning and end of a program's use of Trellis. Neither is required: without them a program works from its first
// kernel on, and what TRELLIS_PROFILE and TRELLIS_TRACE ask for (profile_environment.hpp) is written when it exits.
//   int main() {
//     const trellis::Runtime runtime;      // initialize(), and finalize() at the end of the scope
//     ...
//   }
// initialize() asks the environment and starts the clock of the profile. finalize() waits for all kernels, warns on
// stderr of Views that are alive in memory of a device, naming their labels, and writes the profile. After it
//   - a dispatch throws Error "kernel 'name': dispatched after finalize()",
//   - a new View "View 'label': allocated after finalize()", deep_copy likewise with both labels;
//   - Views that are alive may be read, written on the host, copied and dropped as before.
// Throws Error: initialize() twice or after finalize(), finalize() twice or within a kernel; finalize() also what a
// kernel before it threw on its device, when all else is done. Any thread may call them; other threads must then have
// no kernels under way.

namespace trellis {

void initialize();
void finalize();

bool is_initialized();  // initialize() was called, whatever came later
bool is_finalized();

// finalize() at the end of the scope unless it was called before. There an error is printed on stderr, not thrown.
class Runtime {
 public:
  Runtime() { initialize(); }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();
};

}  // namespace trellis
