// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernel: the name of a dispatch and, where somebody has counted, what it costs. Profiles (profile.hpp) and errors say
// it.

namespace trellis {

// What one call of a kernel is: a plain name will do. Bytes are the least that must move, each number read once and
// written once, and flops the usual count, whatever the machine does; 0 where nobody has counted.
struct Kernel {
  const char* name;
  double bytes, flops;
  bool single;  // arithmetic in single precision: held against another peak, and counted apart

  // Not explicit: names are kernels.
  constexpr Kernel(const char* its_name, double bytes_moved = 0, double flops_done = 0, bool is_single = false)
      : name(its_name), bytes(bytes_moved), flops(flops_done), single(is_single) {}
};

}  // namespace trellis
