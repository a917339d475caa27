// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/problem.hpp"

#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {

const std::vector<KernelEntry>& variant::kernels() {
  static const std::vector<KernelEntry> all = [] {
    std::vector<KernelEntry> list = {reduction_kernel(),  nbody_kernel(),     dgemm_kernel(),      scan_kernel(),
                                     transpose_kernel(),  histogram_kernel(), stencil_kernel(),    dslash_kernel(),
                                     sort_kernel(),       fft_kernel(),       alignment_kernel(),  lu_kernel(),
                                     spmv_kernel(),       md_kernel(),        mandelbrot_kernel(), axpy_kernel(),
                                     polynomial_kernel(), copy_kernel(),      mul_kernel(),        add_kernel(),
                                     triad_kernel(),      dot_kernel(),       staggered_kernel()};
#if !defined(TRELLIS_BENCH_SPMD_WITHOUT)
    for (const auto& part : {matrix_kernels(), matrix_vector_kernels(), system_kernels(), group_kernels(),
                             point_kernels(), image_kernels(), field_kernels(), integer_kernels()})
      list.insert(list.end(), part.begin(), part.end());
#endif
    return list;
  }();
  return all;
}

}  // namespace trellis::bench::spmd
