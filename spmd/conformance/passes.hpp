// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels to test control flow: pass() stands for work with barriers.

#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {

// A kernel with a private number x per work-item, and pass(), which adds the neighbour's number to it: two barriers.
template <WorkItems Way, class Body>
void run_passes(const Data& d, const Body& body) {
  const u32* const in = d.in;
  u32* const out = d.out;
  launch<Way>(
      d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        auto& t = item.local<u32[1024]>();
        const Index l = item.local_id(), n = item.local_range();
        u32 x = input(in, item);
        const auto pass = [&](u32 factor) {
          t[l] = factor * x;
          item.barrier();
          x += t[(l + 1) % n];
          item.barrier();
        };
        body(item, x, pass);
        out[item.global_id()] = x;
      });
}

// The same for expect(): body(group, x, pass), where x holds the numbers of all work-items.
template <class Body>
void expect_passes(const Data& d, const Body& body) {
  for (Index g = 0; g < d.groups; ++g) {
    const auto n = static_cast<std::size_t>(d.size);
    Numbers x = numbers(d.size);
    all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
    body(g, x, [&](u32 factor) {
      Numbers t = numbers(d.size);
      all_items(d.size, [&](auto l) { t[l] = factor * x[l]; });
      all_items(d.size, [&](auto l) { x[l] += t[(l + 1) % n]; });
    });
    all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
  }
}

}  // namespace trellis::conformance
