// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Shapes from the suites of kernels (bench/spmd/suite): a radix sort with the group's algorithms in a loop, sums of
// segments, and sums over the group in a triangle of loops.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

// Each turn's place in local memory comes from a prefix sum and a broadcast, and so depends on all work-items.
struct RadixSort : Fission {
  static constexpr u32 bits = 6;
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& sorted = item.local<u32[1024]>();
          const u32 id = u32(item.local_id());
          u32 own = input(in, item);
          for (u32 bit = 0; bit < bits; ++bit) {
            const u32 zero = 1 - (own >> bit & 1);
            const u32 before = item.exclusive_scan(zero);
            const u32 zeros = item.broadcast(before + zero, item.local_range() - 1);
            sorted[zero != 0 ? before : zeros + id - before] = own;
            item.barrier();
            own = sorted[id];
          }
          out[item.global_id()] = own;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      std::size_t place = 0;
      for (u32 key = 0; key < 1u << bits; ++key)
        all_items(d.size, [&](auto l) {
          if (input(d, g, l) % (1u << bits) == key) output(d, g, place++) = input(d, g, l);
        });
    }
  }
};

// Two values, of which a branch changes one, live across the second barrier of each turn.
struct SegmentSums : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& sum = item.local<u32[1024], 0>();
          auto& begun = item.local<u32[1024], 1>();
          const Index id = item.local_id(), n = item.local_range();
          const u32 x = input(in, item);
          sum[id] = x;
          begun[id] = x % 5 == 0 ? 1 : 0;
          for (Index distance = 1; distance < n; distance *= 2) {
            item.barrier();
            u32 more = 0, flag = begun[id];
            if (id >= distance) {
              if (flag == 0) more = sum[id - distance];
              flag |= begun[id - distance];
            }
            item.barrier();
            sum[id] += more;
            begun[id] = flag;
          }
          out[item.global_id()] = sum[id];
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      u32 sum = 0;
      all_items(d.size, [&](auto l) {
        const u32 x = input(d, g, l);
        output(d, g, l) = sum = x % 5 == 0 ? x : sum + x;
      });
    }
  }
};

// A private array, indexed by loops whose bodies contain sums over the group.
struct TriangleOfSums : Fission {
  static constexpr int columns = 4;
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          u32 own[columns];
          for (int k = 0; k < columns; ++k) own[k] = input(in, item) * u32(k + 1) + u32(k);
          for (int k = 0; k < columns; ++k) {
            own[k] ^= item.reduce(own[k] * own[k]);
            for (int j = k + 1; j < columns; ++j) own[j] -= own[k] * item.reduce(own[k] * own[j]);
          }
          out[item.global_id()] = own[0] ^ own[1] ^ own[2] ^ own[3];
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      Numbers own[columns];
      const auto product = [&](int a, int b) {
        u32 sum = 0;
        all_items(d.size, [&](auto l) { sum += own[a][l] * own[b][l]; });
        return sum;
      };
      for (int k = 0; k < columns; ++k) {
        own[k] = numbers(d.size);
        all_items(d.size, [&](auto l) { own[k][l] = input(d, g, l) * u32(k + 1) + u32(k); });
      }
      for (int k = 0; k < columns; ++k) {
        const u32 square = product(k, k);
        all_items(d.size, [&](auto l) { own[k][l] ^= square; });
        for (int j = k + 1; j < columns; ++j) {
          const u32 r = product(k, j);
          all_items(d.size, [&](auto l) { own[j][l] -= own[k][l] * r; });
        }
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = own[0][l] ^ own[1][l] ^ own[2][l] ^ own[3][l]; });
    }
  }
};

const bool added =
    add<RadixSort>("RadixSort") && add<SegmentSums>("SegmentSums") && add<TriangleOfSums>("TriangleOfSums");

}  // namespace
}  // namespace trellis::conformance
