// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/problem.hpp"

namespace trellis::bench::spmd {

const std::vector<KernelEntry>& variant::kernels() {
  static const std::vector<KernelEntry> all = {
      reduction_kernel(), nbody_kernel(),  dgemm_kernel(),      scan_kernel(), transpose_kernel(),  histogram_kernel(),
      stencil_kernel(),   dslash_kernel(), sort_kernel(),       fft_kernel(),  alignment_kernel(),  lu_kernel(),
      spmv_kernel(),      md_kernel(),     mandelbrot_kernel(), axpy_kernel(), polynomial_kernel(), copy_kernel(),
      mul_kernel(),       add_kernel(),    triad_kernel(),      dot_kernel(),  staggered_kernel()};
  return all;
}

}  // namespace trellis::bench::spmd
