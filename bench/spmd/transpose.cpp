// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Transposes a matrix tile by tile through local memory, so that both reads and writes run along rows.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void transpose(global const float* a, global float* b, int n) {
  local float tile[TILE][TILE + 1];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  tile[y][x] = a[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[(get_group_id(0) * TILE + y) * n + get_group_id(1) * TILE + x] = tile[x][y];
})";

template <int Tile>
class Transpose : public Problem {
 public:
  explicit Transpose(Index items)
      : n_(static_cast<int>(whole_groups(static_cast<Index>(std::sqrt(double(items))), Tile))),
        a_("a", n_ * n_),
        b_("b", n_ * n_) {
    fill(a_, 6);
  }

  Work work() const override { return {Index(n_) * n_, 0, 8.0 * n_ * n_}; }

  void run(WorkItems way) override {
    const float* const a = a_.data();
    float* const b = b_.data();
    const Index n = n_;
    with_way(way, [&](auto its_way) {
      parallel_for(
          "transpose", nd_range<2>{{n, n}, {Tile, Tile}}.by(its_way), TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
            auto& tile = item.local<float[Tile][Tile + 1]>();
            const Index x = item.local_id(0), y = item.local_id(1);
            tile[y][x] = a[item.global_id(1) * n + item.global_id(0)];
            item.barrier();
            b[(item.group_id(0) * Tile + y) * n + item.group_id(1) * Tile + x] = tile[x][y];
          });
    });
  }

  OpenClLaunch open_cl() override {
    const auto n = static_cast<std::size_t>(n_);
    return {open_cl_source, "transpose",     fmt::format("-DTILE={}", Tile),     2,
            {n, n, 1},      {Tile, Tile, 1}, {buffer(a_), buffer(b_), value(n_)}};
  }

  void spoil() override { fill_with(b_, std::numeric_limits<float>::quiet_NaN()); }
  std::string check() const override {
    return compare(b_.extent(0), b_, [&](Index i) { return a_(i % n_ * n_ + i / n_); }, 0);
  }

 private:
  int n_;
  View<float*, HostSpace> a_, b_;
};

std::unique_ptr<Problem> make(int group, Index items) {
  if (group == 64) return std::make_unique<Transpose<8>>(items);
  if (group == 256) return std::make_unique<Transpose<16>>(items);
  return std::make_unique<Transpose<32>>(items);
}

}  // namespace

KernelEntry variant::transpose_kernel() {
  // Not a power of two: otherwise the rows of a column would map to a few sets of the cache.
  return {"transpose", "tiles through local memory, float", true, {64, 256, 1024}, make, 736 * 736};
}

}  // namespace trellis::bench::spmd
