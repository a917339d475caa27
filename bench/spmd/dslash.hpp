// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Data of the Wilson hopping term D (reference/wilson.hpp) on all sites of a periodic lattice for 16 vectors, and the
// reference result.
//   spinors   [site][component, 3 spin + colour][real, imaginary][vector]
//   links     [mu][site][9 elements by rows][real, imaginary]
//   sites     [direction: 2 mu forward, 2 mu + 1 backward][site]: the neighbour

#include <string>
#include <vector>

#include "trellis/core/view.hpp"

namespace trellis::bench::spmd {

inline constexpr int dslash_vectors = 16;
inline constexpr double dslash_flops = 1320;  // per site and vector

struct DslashData {
  explicit DslashData(const std::vector<int>& size);  // extents in the four directions
  int volume() const { return static_cast<int>(neighbours.extent(0)) / 8; }

  View<float*, HostSpace> links, in;
  View<int*, HostSpace> neighbours;
};

// Empty, or where `out` differs from D `in`. The reference result is kept for the next call with the same number of
// sites.
std::string check_dslash(const std::vector<int>& size, const View<float*, HostSpace>& out);

}  // namespace trellis::bench::spmd
