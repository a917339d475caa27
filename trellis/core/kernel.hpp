// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernel: the name of a dispatch and, if known, its cost. Used in profiles (profile.hpp) and errors.

namespace trellis {

// Describes one call of a kernel; a plain name will do. Bytes are the minimum that must move, each number read once and
// written once, and flops the usual count, whatever the machine does; 0 if unknown.
struct Kernel {
  const char* name;
  double bytes, flops;
  bool single;  // arithmetic in single precision: compared with a different peak, and counted separately
  // Threads of a block of a GPU, where the kernel leaves a choice (a TilePolicy without sums of vectors side by side):
  // 32, 64, 96 or 128; 0: as many as keep a multiprocessor fullest.
  int block_threads = 0;

  // Not explicit: a name converts to a Kernel.
  constexpr Kernel(const char* its_name, double bytes_moved = 0, double flops_done = 0, bool is_single = false)
      : name(its_name), bytes(bytes_moved), flops(flops_done), single(is_single) {}
};

}  // namespace trellis
