// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels in OpenCL on PoCL's CPU device, beside ours on the same memory. PoCL makes loops of work-items by a method
// that the environment names when a kernel is compiled (POCL_WORK_GROUP_METHOD), so methods can change within a
// process; what its cache on disk takes for the same kernel is told apart by a macro. Options of all kernels:
// -cl-mad-enable. Nothing that changes results further.

#include <memory>
#include <string>
#include <vector>

#include "bench/spmd/problem.hpp"

namespace trellis::bench::spmd {

class OpenClKernel {
 public:
  virtual ~OpenClKernel() = default;
  // Launches it this many times and waits.
  virtual void run(int times) = 0;
  // Before the host looks at the memory or changes it, and after.
  virtual void begin_host_access() = 0;
  virtual void end_host_access() = 0;
};

class OpenClDevice {
 public:
  virtual ~OpenClDevice() = default;
  virtual std::string name() const = 0;
  virtual std::vector<std::string> methods() const = 0;
  // Throws Error: the compiler's log.
  virtual std::unique_ptr<OpenClKernel> compile(const OpenClLaunch& launch, const std::string& method) = 0;
};

// With this many threads; null where there is no OpenCL in the build or no PoCL on the machine. Must come first: PoCL
// reads its number of threads when it begins.
std::unique_ptr<OpenClDevice> open_cl_device(int threads);

}  // namespace trellis::bench::spmd
