// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Loops inside work-items of two- and three-dimensional groups whose rows have much in common: what the plugin may run
// in lanes of several rows at once, and what it must not mistake for that.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

constexpr Index depth = 17;  // of the loops inside

// Rows as long as a number of lanes, and others.
struct Box {
  Index x, y;
};
Box box_of(Index size, Index width) {
  for (const Index x : {width, Index{5}, Index{3}})
    if (size % x == 0) return {x, size / x};
  return {size, 1};
}

template <WorkItems Way, int D, Index Width, class F>
void launch_rows(const Data& d, const F& kernel) {
  const Box b = box_of(d.size, Width);
  if constexpr (D == 2) {
    parallel_for("rows", nd_range<2>{{b.x, b.y * d.groups}, {b.x, b.y}}.by(work_items<Way>), kernel);
  } else {
    const Index z = b.y % 2 == 0 ? 2 : 1;
    parallel_for("boxes", nd_range<3>{{b.x, b.y / z * d.groups, z}, {b.x, b.y / z, z}}.by(work_items<Way>), kernel);
  }
}

// Both sides write the group's tables: column x of b, row y of a.
template <class T>
TRELLIS_FUNCTION T entry(const u32* in, Index group, Index at) {
  return static_cast<T>(in[(group * 131 + at * 7) % inputs] % 1024);
}

// The table of the group, for a loop over its rows: column x of each row belongs to the work-item.
TRELLIS_FUNCTION u32* filled_table(const u32* in, const nd_item<2>& item) {
  auto& table = item.local<u32[1024 * 5]>();
  const Index x = item.local_id(0), nx = item.local_range(0);
  for (Index k = 0; k < depth; ++k) table[k * nx + x] = entry<u32>(in, item.group_linear_id(), k * nx + x);
  item.barrier();
  return table;
}

// A matrix product: sum of a[y][k] b[k][x], twice with a barrier in between.
template <class T, int D, Index Width>
struct Product : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch_rows<Way, D, Width>(
        d, TRELLIS_LAMBDA(const nd_item<D>& item) noexcept {
          auto& a = item.template local<T[1024 * 5], 0>();
          auto& b = item.template local<T[1024 * 5], 1>();
          const Index x = item.local_id(0), nx = item.local_range(0);
          Index row = item.local_id(1);
          if constexpr (D == 3) row += item.local_range(1) * item.local_id(2);
          const Index group = item.group_linear_id();
          T sum = T(x);
          for (Index turn = 0; turn < 2; ++turn) {
            for (Index k = 0; k < depth; ++k) {
              a[row * depth + k] = entry<T>(in, group, row * depth + k + turn);
              b[k * nx + x] = entry<T>(in, group, k * nx + x + 3 * turn);
            }
            item.barrier();
            for (Index k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * nx + x];
            item.barrier();
          }
          out[item.group_linear_id() * item.local_linear_range() + item.local_linear_id()] = static_cast<u32>(sum);
        });
  }
  static void expect(const Data& d) {
    const Index nx = box_of(d.size, Width).x;
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](std::size_t l) {
        const Index x = static_cast<Index>(l) % nx, row = static_cast<Index>(l) / nx;
        T sum = T(x);
        for (Index turn = 0; turn < 2; ++turn) {
          for (Index k = 0; k < depth; ++k)
            sum += entry<T>(d.in, g, row * depth + k + turn) * entry<T>(d.in, g, k * nx + x + 3 * turn);
        }
        output(d, g, l) = static_cast<u32>(sum);
      });
    }
  }
};

// Branches inside the loop, depending on the iteration, the row, or both; one writes.
struct BranchesOfRows : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    const Index size = d.size;
    launch_rows<Way, 2, 32>(
        d, TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
          const u32* const b = filled_table(in, item);
          const Index x = item.local_id(0), y = item.local_id(1), nx = item.local_range(0);
          const Index at = item.group_linear_id() * size + item.local_linear_id();
          const Index items = item.global_linear_range();
          u32 sum = 1;
          for (Index k = 0; k < depth; ++k) {
            const u32 own = b[k * nx + x];
            if (k == 3) sum *= 3;
            if ((y + k) % 3 == 0) {
              sum += own * static_cast<u32>(y + 2);
            } else if ((x + y + k) % 2 == 0) {
              sum ^= own / static_cast<u32>(y + 1);
              if (own % 5 == 0) out[items + at] = sum + own;
            }
            sum += ((y + k) % 2 == 0 ? own : own >> 3) + static_cast<u32>(y) * 11;
          }
          item.barrier();
          out[at] = sum * 7;
        });
  }
  static void expect(const Data& d) {
    const Index nx = box_of(d.size, 32).x;
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](std::size_t l) {
        const Index x = static_cast<Index>(l) % nx, y = static_cast<Index>(l) / nx;
        u32 sum = 1;
        for (Index k = 0; k < depth; ++k) {
          const u32 own = entry<u32>(d.in, g, k * nx + x);
          if (k == 3) sum *= 3;
          if ((y + k) % 3 == 0) {
            sum += own * static_cast<u32>(y + 2);
          } else if ((x + y + k) % 2 == 0) {
            sum ^= own / static_cast<u32>(y + 1);
            if (own % 5 == 0) output(d, d.groups + g, l) = sum + own;
          }
          sum += ((y + k) % 2 == 0 ? own : own >> 3) + static_cast<u32>(y) * 11;
        }
        output(d, g, l) = sum * 7;
      });
    }
  }
};

// The trip count depends on the row.
struct TurnsOfRows : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    const Index size = d.size;
    launch_rows<Way, 2, 32>(
        d, TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
          const u32* const b = filled_table(in, item);
          const Index x = item.local_id(0), y = item.local_id(1), nx = item.local_range(0);
          u32 sum = 0;
          for (Index k = 0; k < y % (depth + 1); ++k) sum = sum * 3 + b[k * nx + x] * static_cast<u32>(k + y);
          item.barrier();
          out[item.group_linear_id() * size + item.local_linear_id()] = sum;
        });
  }
  static void expect(const Data& d) {
    const Index nx = box_of(d.size, 32).x;
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](std::size_t l) {
        const Index x = static_cast<Index>(l) % nx, y = static_cast<Index>(l) / nx;
        u32 sum = 0;
        for (Index k = 0; k < y % (depth + 1); ++k)
          sum = sum * 3 + entry<u32>(d.in, g, k * nx + x) * static_cast<u32>(k + y);
        output(d, g, l) = sum;
      });
    }
  }
};

const bool added = add<Product<u32, 2, 32>>("ProductOfIntegers") && add<Product<u32, 2, 16>>("ProductOfIntegers16") &&
                   add<Product<double, 2, 32>>("Product32") && add<Product<double, 2, 16>>("Product16") &&
                   add<Product<double, 2, 8>>("Product8") && add<Product<double, 3, 16>>("ProductInBoxes") &&
                   add<BranchesOfRows>("BranchesOfRows") && add<TurnsOfRows>("TurnsOfRows");

}  // namespace
}  // namespace trellis::conformance
