// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// y = a x + y: no barrier, so every way should amount to a plain loop.
#include "bench/spmd/by_hand.hpp"
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr double factor = 0.5;

constexpr const char* open_cl_source = R"(
kernel void axpy(global const double* x, global const double* y, global double* z, double factor) {
  const int i = get_global_id(0);
  z[i] = fma(factor, x[i], y[i]);
})";

class Axpy : public Problem {
 public:
  Axpy(int group, Index items)
      : group_(group), items_(whole_groups(items, group)), x_("x", items_), y_("y", items_), z_("z", items_) {
    fill(x_, 9);
    fill(y_, 10);
  }

  Work work() const override { return {items_, 2.0 * double(items_), 24.0 * double(items_)}; }

  void run(WorkItems way) override {
    const double *const x = x_.data(), *const y = y_.data();
    double* const z = z_.data();
    with_way(way, [&](auto its_way) {
      parallel_for(
          "axpy", nd_range<1>{items_, group_}.by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index i = item.global_id();
            z[i] = std::fma(factor, x[i], y[i]);
          });
    });
  }

  bool has_by_hand() const override { return true; }
  void run_by_hand() override { by_hand::axpy(items_, factor, x_.data(), y_.data(), z_.data()); }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "axpy",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(x_), buffer(y_), buffer(z_), value(factor_)}};
  }

  void spoil() override { fill_with(z_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    return compare(items_, z_, [&](Index i) { return factor * x_(i) + y_(i); }, 0);
  }

 private:
  int group_;
  Index items_;
  double factor_ = factor;
  View<double*, HostSpace> x_, y_, z_;
};

}  // namespace

KernelEntry variant::axpy_kernel() {
  return {"axpy",
          "z = a x + y without barriers, double",
          false,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Axpy>(group, items); },
          Index(1) << 15};
}

}  // namespace trellis::bench::spmd
