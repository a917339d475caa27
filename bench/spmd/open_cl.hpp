// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// OpenCL kernels on PoCL's CPU device, on the same memory as ours. PoCL turns work-items into loops by a method that an
// environment variable names when a kernel is compiled (POCL_WORK_GROUP_METHOD), so the method can change within a
// process; a macro keeps PoCL's disk cache from confusing the variants. Options of all kernels: -cl-mad-enable, and
// nothing else that changes results.

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
  // Call these before and after the host reads or changes the memory.
  virtual void begin_host_access() = 0;
  virtual void end_host_access() = 0;
};

class OpenClDevice {
 public:
  virtual ~OpenClDevice() = default;
  virtual std::string name() const = 0;
  virtual std::vector<std::string> methods() const = 0;
  // Throws Error with the compiler's log.
  virtual std::unique_ptr<OpenClKernel> compile(const OpenClLaunch& launch, const std::string& method) = 0;
};

// With this many threads; null if the build has no OpenCL or the machine no PoCL. Call this first: PoCL reads its
// number of threads when it starts.
std::unique_ptr<OpenClDevice> open_cl_device(int threads);

}  // namespace trellis::bench::spmd
