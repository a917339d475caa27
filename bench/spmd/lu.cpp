// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// L U = A for small matrices, one per group, in local memory, without pivots: fewer work-items are busy in each turn.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void lu(global const double* a, global double* lu) {
  local double m[SIZE][SIZE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int at = get_group_id(1) * SIZE * SIZE + y * SIZE + x;
  m[y][x] = a[at];
  for (int k = 0; k + 1 < SIZE; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == k && y > k) m[y][k] /= m[k][k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > k && y > k) m[y][x] -= m[y][k] * m[k][x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  lu[at] = m[y][x];
})";

template <int Size>
class Lu : public Problem {
  static constexpr Index elements = Size * Size;

 public:
  explicit Lu(Index items) : items_(whole_groups(items, elements)), a_("a", items_), lu_("lu", items_) {
    fill(a_, 22);
    for (Index m = 0; m < items_; m += elements) {
      for (Index i = 0; i < Size; ++i) a_(m + i * (Size + 1)) += 2 * Size;  // dominates its row
    }
  }

  Work work() const override {
    const double n = Size;
    return {items_, double(items_ / elements) * (2 * n * n * n / 3 - n * n / 2 - n / 6), 16.0 * double(items_)};
  }

  void run(WorkItems way) override {
    const double* const a = a_.data();
    double* const lu = lu_.data();
    with_way(way, [&](auto its_way) {
      parallel_for(
          "lu", nd_range<2>{{Size, items_ / Size}, {Size, Size}}.by(its_way),
          TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
            auto& m = item.local<double[Size][Size]>();
            const Index x = item.local_id(0), y = item.local_id(1);
            const Index at = item.group_id(1) * elements + y * Size + x;
            m[y][x] = a[at];
            for (Index k = 0; k + 1 < Size; ++k) {
              item.barrier();
              if (x == k && y > k) m[y][k] /= m[k][k];
              item.barrier();
              if (x > k && y > k) m[y][x] -= m[y][k] * m[k][x];
            }
            item.barrier();
            lu[at] = m[y][x];
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "lu",
            fmt::format("-DSIZE={}", Size),
            2,
            {Size, std::size_t(items_ / Size), 1},
            {Size, Size, 1},
            {buffer(a_), buffer(lu_)}};
  }

  // Multiplied out again.
  void spoil() override { fill_with(lu_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    const auto product = [&](Index i) {
      const Index m = i / elements * elements, row = i % elements / Size, column = i % Size;
      double sum = row <= column ? lu_(i) : 0;
      for (Index k = 0; k < row && k <= column; ++k) sum += lu_(m + row * Size + k) * lu_(m + k * Size + column);
      return sum;
    };
    return compare(items_, product, a_, 1e-14);
  }

 private:
  Index items_;
  View<double*, HostSpace> a_, lu_;
};

std::unique_ptr<Problem> make(int group, Index items) {
  if (group == 64) return std::make_unique<Lu<8>>(items);
  if (group == 256) return std::make_unique<Lu<16>>(items);
  return std::make_unique<Lu<32>>(items);
}

}  // namespace

KernelEntry variant::lu_kernel() {
  return {"lu",
          "L U of a group's matrix in local memory, double",
          true,
          {64, 256, 1024},
          make,
          Index(1) << 15,
          /*replicated=*/256};
}

}  // namespace trellis::bench::spmd
