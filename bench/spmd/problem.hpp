// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel of the suite with its data, for one work-group size. It runs with every way of WorkItems that its file is
// compiled for, in OpenCL, and sometimes by hand; all write to the same result, which check() compares with plain C++.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trellis/core/nd_range.hpp"
#include "trellis/core/view.hpp"

namespace trellis::bench::spmd {

// Per launch. Bytes: the minimum, with each number read or written once.
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
  const char* source = nullptr;  // contains a kernel with this name
  const char* name = nullptr;
  std::string options;  // in addition to the common ones
  int dimensions = 1;
  std::size_t global[3] = {}, local[3] = {};
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
  virtual bool has_production() const { return false; }  // the library's kernel that computes the same
  virtual void run_production() {}
  virtual bool has_hierarchical() const { return false; }  // parallel_for_work_group
  virtual void run_hierarchical() {}
  virtual OpenClLaunch open_cl() { return {}; }  // without a source if there is no such kernel
  virtual void spoil() = 0;                      // overwrites the result
  virtual std::string check() const = 0;         // empty if the result is right, else what is wrong
};

struct KernelEntry {
  const char* name;
  const char* what;
  bool has_barriers;
  std::vector<int> groups;  // supported sizes
  // About this many work-items: rounded to whole groups of the shape that the kernel wants.
  std::function<std::unique_ptr<Problem>(int group, Index items)> make;
  Index items;  // for timing: about the size of the second- and third-level caches
  // The largest group that PoCL's workitemrepl, which copies the kernel for each work-item, can compile within a
  // minute.
  int replicated = 1024;
  // With a thread for each work-item, a thousand times slower than the rest, fewer work-items are enough.
  Index items_of_threads = 4096;
};

// The kernels' files are compiled several times: with the whole plugin, and without some of its analyses (measure.hpp).
#if !defined(TRELLIS_BENCH_SPMD_VARIANT)
#define TRELLIS_BENCH_SPMD_VARIANT complete
#endif
namespace TRELLIS_BENCH_SPMD_VARIANT {

// The whole suite.
const std::vector<KernelEntry>& kernels();

// One function per kernel.
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
KernelEntry copy_kernel();
KernelEntry mul_kernel();
KernelEntry add_kernel();
KernelEntry triad_kernel();
KernelEntry dot_kernel();
KernelEntry sort_kernel();
KernelEntry spmv_kernel();
KernelEntry md_kernel();
KernelEntry fft_kernel();
KernelEntry alignment_kernel();
KernelEntry lu_kernel();
KernelEntry mandelbrot_kernel();
KernelEntry staggered_kernel();

}  // namespace TRELLIS_BENCH_SPMD_VARIANT
namespace variant = TRELLIS_BENCH_SPMD_VARIANT;

}  // namespace trellis::bench::spmd
