// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel of the suite with its data, for one size of work-groups. It runs in every way of WorkItems that its file is
// compiled for, in OpenCL, and some by hand; all write to the same result, which check() compares with plain C++.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trellis/core/nd_range.hpp"
#include "trellis/core/view.hpp"

namespace trellis::bench::spmd {

// Of one launch. Bytes: the least, each number read or written once.
struct Work {
  Index items = 0;
  double flops = 0;
  double bytes = 0;
};

struct OpenClArgument {
  enum class Kind { buffer, local, value };
  Kind kind;
  void* data;  // null for local memory
  std::size_t bytes;
};

struct OpenClLaunch {
  const char* source;  // of a kernel with this name
  const char* name;
  std::string options;  // besides those that all have
  int dimensions;
  std::size_t global[3], local[3];
  std::vector<OpenClArgument> arguments;
};

class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  virtual Work work() const = 0;
  virtual void run(WorkItems way) = 0;
  virtual bool has_by_hand() const { return false; }
  virtual void run_by_hand() {}
  virtual OpenClLaunch open_cl() = 0;
  virtual void spoil() = 0;               // whatever the result was
  virtual std::string check() const = 0;  // empty, or what is wrong with the result
};

struct KernelEntry {
  const char* name;
  const char* what;
  bool has_barriers;
  std::vector<int> groups;  // sizes it can have
  // About this many work-items: as many as make whole groups, of the shape that the kernel wants.
  std::function<std::unique_ptr<Problem>(int group, Index items)> make;
  Index items;  // for timing: about as much as the second level of cache and the third hold
  // The largest group that PoCL's workitemrepl, which copies the kernel for each work-item, compiles within a minute.
  int replicated = 1024;
};

// The whole suite.
const std::vector<KernelEntry>& kernels();

// One function a file.
KernelEntry reduction_kernel();
KernelEntry nbody_kernel();
KernelEntry dgemm_kernel();
KernelEntry scan_kernel();
KernelEntry transpose_kernel();
KernelEntry histogram_kernel();
KernelEntry stencil_kernel();
KernelEntry dslash_kernel();
KernelEntry axpy_kernel();
KernelEntry polynomial_kernel();

}  // namespace trellis::bench::spmd
