// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// C = A B for square matrices stored by rows; a group computes a square tile of C, and holds one tile each of A and B.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void dgemm(global const double* a, global const double* b, global double* c, int n) {
  local double of_a[TILE][TILE];
  local double of_b[TILE][TILE];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  double sum = 0;
  for (int first = 0; first < n; first += TILE) {
    of_a[y][x] = a[row * n + first + x];
    of_b[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int k = 0; k < TILE; ++k) sum = fma(of_a[y][k], of_b[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
})";

template <int Tile>
class Dgemm : public Problem {
 public:
  explicit Dgemm(Index items)
      : n_(static_cast<int>(whole_groups(static_cast<Index>(std::sqrt(double(items))), Tile))),
        a_("a", n_ * n_),
        b_("b", n_ * n_),
        c_("c", n_ * n_) {
    fill(a_, 4);
    fill(b_, 5);
  }

  Work work() const override {
    const double n = n_;
    return {Index(n_) * n_, 2 * n * n * n, 8 * 3 * n * n};
  }

  void run(WorkItems way) override {
    const double *const a = a_.data(), *const b = b_.data();
    double* const c = c_.data();
    const Index n = n_;
    with_way(way, [&](auto its_way) {
      parallel_for(
          "dgemm", nd_range<2>{{n, n}, {Tile, Tile}}.by(its_way), TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
            auto& of_a = item.local<double[Tile][Tile], 0>();
            auto& of_b = item.local<double[Tile][Tile], 1>();
            const Index x = item.local_id(0), y = item.local_id(1);
            const Index column = item.global_id(0), row = item.global_id(1);
            double sum = 0;
            for (Index first = 0; first < n; first += Tile) {
              of_a[y][x] = a[row * n + first + x];
              of_b[y][x] = b[(first + y) * n + column];
              item.barrier();
              for (int k = 0; k < Tile; ++k) sum = std::fma(of_a[y][k], of_b[k][x], sum);
              item.barrier();
            }
            c[row * n + column] = sum;
          });
    });
  }

  OpenClLaunch open_cl() override {
    const auto n = static_cast<std::size_t>(n_);
    return {open_cl_source,
            "dgemm",
            fmt::format("-DTILE={}", Tile),
            2,
            {n, n, 1},
            {Tile, Tile, 1},
            {buffer(a_), buffer(b_), buffer(c_), value(n_)}};
  }

  void spoil() override { fill_with(c_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    if (expected_.empty()) {
      expected_.assign(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), 0);
      for (Index i = 0; i < n_; ++i)
        for (Index k = 0; k < n_; ++k)
          for (Index j = 0; j < n_; ++j) expected_[std::size_t(i * n_ + j)] += a_(i * n_ + k) * b_(k * n_ + j);
    }
    return compare(c_.extent(0), c_, [&](Index i) { return expected_[std::size_t(i)]; }, 1e-13);
  }

 private:
  int n_;
  View<double*, HostSpace> a_, b_, c_;
  mutable std::vector<double> expected_;
};

std::unique_ptr<Problem> make(int group, Index items) {
  if (group == 64) return std::make_unique<Dgemm<8>>(items);
  if (group == 256) return std::make_unique<Dgemm<16>>(items);
  return std::make_unique<Dgemm<32>>(items);
}

}  // namespace

KernelEntry variant::dgemm_kernel() {
  return {"dgemm", "matrix product, tiles in local memory, double", true, {64, 256, 1024}, make, 384 * 384};
}

}  // namespace trellis::bench::spmd
