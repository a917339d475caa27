// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A polynomial of degree 16 by Horner's rule: arithmetic without barriers.
#include "bench/spmd/by_hand.hpp"
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void polynomial(global const float* x, global float* y) {
  const int i = get_global_id(0);
  float sum = 1.0f;
  #pragma unroll
  for (int k = 0; k < DEGREE; ++k) sum = fma(sum, x[i], 1.0f);
  y[i] = sum;
})";

class Polynomial : public Problem {
 public:
  Polynomial(int group, Index items)
      : group_(group), items_(whole_groups(items, group)), x_("x", items_), y_("y", items_) {
    fill(x_, 11);
  }

  Work work() const override {
    return {items_, 2.0 * by_hand::polynomial_degree * double(items_), 8.0 * double(items_)};
  }

  void run(WorkItems way) override {
    const float* const x = x_.data();
    float* const y = y_.data();
    with_way(way, [&](auto its_way) {
      parallel_for(
          "polynomial", nd_range<1>{items_, group_}.by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index i = item.global_id();
            float sum = 1.0f;
            for (int k = 0; k < by_hand::polynomial_degree; ++k) sum = std::fma(sum, x[i], 1.0f);
            y[i] = sum;
          });
    });
  }

  bool has_by_hand() const override { return true; }
  void run_by_hand() override { by_hand::polynomial(items_, x_.data(), y_.data()); }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "polynomial",
            fmt::format("-DDEGREE={}", by_hand::polynomial_degree),
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(x_), buffer(y_)}};
  }

  void spoil() override { fill_with(y_, std::numeric_limits<float>::quiet_NaN()); }
  std::string check() const override {
    return compare(
        items_, y_,
        [&](Index i) {
          double sum = 1;
          for (int k = 0; k < by_hand::polynomial_degree; ++k) sum = sum * double(x_(i)) + 1;
          return sum;
        },
        1e-6);
  }

 private:
  int group_;
  Index items_;
  View<float*, HostSpace> x_, y_;
};

}  // namespace

KernelEntry variant::polynomial_kernel() {
  return {"polynomial",
          "degree 16 without barriers, float",
          false,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Polynomial>(group, items); },
          Index(1) << 17};
}

}  // namespace trellis::bench::spmd
