// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Room for the exact sums of one stream's kernels, taken once and kept: what blocks leave on the device, and the totals
// where the host reads them.

#include <span>

#include "trellis/core/exact_sum.hpp"

struct CUstream_st;

namespace trellis::backend {

struct SumScratch {
  ExactSum* partial;   // on the device
  ExactSum* totals;    // on the host, which the device reaches
  unsigned* finished;  // blocks of the running kernel; zero between kernels
};

// For so many partial sums and totals. One host thread at a time uses a stream.
SumScratch sum_scratch(CUstream_st* stream, unsigned partials, unsigned totals);
// Waits for the kernel.
void wait_for_sums(CUstream_st* stream, const SumScratch& scratch, std::span<double> totals);
// Blocks of a kernel that the device runs at a time.
unsigned resident_blocks(const void* kernel, int threads);

}  // namespace trellis::backend
