// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Groups of two and three dimensions: ids, and exchange between neighbours in each direction.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

// Boxes with the suite's group sizes: many shapes, including extent 1, never more than 1024 work-items.
struct Box {
  Index x, y, z;
};
Box box_of(Index size, int dimensions) {
  if (dimensions == 2)
    return size % 4 == 0 ? Box{size / 4, 4, 1} : size % 5 == 0 ? Box{5, size / 5, 1} : Box{1, size, 1};
  if (size % 8 == 0) return {2, size / 8, 4};
  return size % 5 == 0 ? Box{size / 5, 1, 5} : size % 3 == 0 ? Box{3, 1, size / 3} : Box{1, 1, size};
}

template <int D, WorkItems Way, class F>
void launch_box(const Data& d, const F& kernel) {
  const Box b = box_of(d.size, D);
  if constexpr (D == 2) {
    parallel_for("plane", nd_range<2>{{b.x, b.y * d.groups}, {b.x, b.y}}.by(work_items<Way>), kernel);
  } else {
    parallel_for("box", nd_range<3>{{b.x, b.y * d.groups, b.z}, {b.x, b.y, b.z}}.by(work_items<Way>), kernel);
  }
}

template <int D>
struct Ids : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    u32* const out = d.out;
    launch_box<D, Way>(
        d, TRELLIS_LAMBDA(const nd_item<D>& item) noexcept {
          Index sum = 0;
          for (int k = 0; k < D; ++k) {
            sum = 7 * sum + item.local_id(k) + 3 * item.group_id(k) + 5 * item.global_id(k);
            sum = 7 * sum + item.local_range(k) + 3 * item.group_range(k) + 5 * item.global_range(k);
          }
          item.barrier();
          sum = 7 * sum + item.local_linear_id() + 3 * item.group_linear_id() + 5 * item.local_linear_range();
          out[item.global_linear_id()] = static_cast<u32>(sum);
        });
  }
  static void expect(const Data& d) {
    const Box b = box_of(d.size, D);
    const Index local[] = {b.x, b.y, b.z}, groups[] = {1, d.groups, 1};
    Index i = 0;
    for (Index z = 0; z < b.z; ++z) {
      for (Index y = 0; y < b.y * d.groups; ++y) {
        for (Index x = 0; x < b.x; ++x) {
          const Index at[] = {x, y, z};
          Index sum = 0;
          for (int k = 0; k < D; ++k) {
            sum = 7 * sum + at[k] % local[k] + 3 * (at[k] / local[k]) + 5 * at[k];
            sum = 7 * sum + local[k] + 3 * groups[k] + 5 * local[k] * groups[k];
          }
          const Index linear = x + b.x * (y % b.y + b.y * z);
          d.out[i++] = static_cast<u32>(7 * sum + linear + 3 * (y / b.y) + 5 * d.size);
        }
      }
    }
  }
};

// In each iteration a work-item adds its neighbours' numbers, on a torus, in every direction.
template <int D>
struct Torus : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch_box<D, Way>(
        d, TRELLIS_LAMBDA(const nd_item<D>& item) noexcept {
          auto& t = item.template local<u32[1024]>();
          const Index nx = item.local_range(0), ny = item.local_range(1), x = item.local_id(0), y = item.local_id(1);
          Index nz = 1, z = 0;
          if constexpr (D == 3) nz = item.local_range(2), z = item.local_id(2);
          const auto at = [&](Index a, Index b, Index c) -> u32& {
            return t[(a % nx) + nx * ((b % ny) + ny * (c % nz))];
          };
          u32 v = in[item.global_linear_id() % inputs];
          for (Index turn = 0; turn < 3; ++turn) {
            at(x, y, z) = v;
            item.barrier();
            v = 3 * v + at(x + 1, y, z) + 5 * at(x, y + 1, z) + 7 * at(x, y, z + 1) + 11 * at(x + turn, y + nx, z);
            item.barrier();
          }
          if (x < ny && y < nx) v += t[y + nx * (x + ny * z)];  // a transposed number
          out[item.global_linear_id()] = v;
        });
  }
  static void expect(const Data& d) {
    const Box b = box_of(d.size, D);
    const auto global = [&](Index g, Index x, Index y, Index z) {
      return x + b.x * (y + b.y * g + b.y * d.groups * z);
    };
    for (Index g = 0; g < d.groups; ++g) {
      Numbers v = numbers(d.size), t = v;
      const auto at = [&](Index x, Index y, Index z) {
        return static_cast<std::size_t>(x % b.x + b.x * (y % b.y + b.y * (z % b.z)));
      };
      const auto all = [&](const auto& f) {
        for (Index z = 0; z < b.z; ++z) {
          for (Index y = 0; y < b.y; ++y) {
            for (Index x = 0; x < b.x; ++x) f(x, y, z);
          }
        }
      };
      all([&](Index x, Index y, Index z) { v[at(x, y, z)] = d.in[global(g, x, y, z) % inputs]; });
      for (Index turn = 0; turn < 3; ++turn) {
        t = v;
        all([&](Index x, Index y, Index z) {
          v[at(x, y, z)] = 3 * t[at(x, y, z)] + t[at(x + 1, y, z)] + 5 * t[at(x, y + 1, z)] + 7 * t[at(x, y, z + 1)] +
                           11 * t[at(x + turn, y + b.x, z)];
        });
      }
      all([&](Index x, Index y, Index z) {
        u32 sum = v[at(x, y, z)];
        if (x < b.y && y < b.x) sum += t[static_cast<std::size_t>(y + b.x * (x + b.y * z))];
        d.out[global(g, x, y, z)] = sum;
      });
    }
  }
};

struct Rows : Fission {  // guards on ids in one dimension, whole-group algorithms
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch_box<2, Way>(
        d, TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index nx = item.local_range(0), ny = item.local_range(1);
          const Index row = nx * item.local_id(1);
          t[row + item.local_id(0)] = in[item.global_linear_id() % inputs];
          item.barrier();
          if (item.local_id(0) == 0) {
            for (Index k = 1; k < nx; ++k) t[row] += t[row + k];
          }
          item.barrier();
          if (item.local_id(1) < 2 && item.local_id(0) < 1 && ny > 1) t[row] *= 3;
          item.barrier();
          out[item.global_linear_id()] = t[row] + item.reduce(item.local_id(0) == 0 ? t[row] : 0U) +
                                         item.exclusive_scan(static_cast<u32>(item.local_id(1)));
        });
  }
  static void expect(const Data& d) {
    const Box b = box_of(d.size, 2);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers rows = numbers(b.y);
      u32 all = 0;
      for (Index y = 0; y < b.y; ++y) {
        u32& sum = rows[static_cast<std::size_t>(y)];
        for (Index x = 0; x < b.x; ++x) sum += d.in[(x + b.x * (y + b.y * g)) % inputs];
        if (y < 2 && b.y > 1) sum *= 3;
        all += sum;
      }
      u32 before = 0;
      for (Index y = 0; y < b.y; ++y) {
        for (Index x = 0; x < b.x; ++x) {
          d.out[x + b.x * (y + b.y * g)] = rows[static_cast<std::size_t>(y)] + all + before;
          before += static_cast<u32>(y);
        }
      }
    }
  }
};

const bool added = add<Ids<2>>("Ids2") && add<Ids<3>>("Ids3") && add<Torus<2>>("Torus2") && add<Torus<3>>("Torus3") &&
                   add<Rows>("Rows");

}  // namespace
}  // namespace trellis::conformance
