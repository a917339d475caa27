// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Lennard-Jones forces of 32 neighbours on each atom, from a list stored neighbour by neighbour, with a cutoff. No
// barriers.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void md(global const int* list, global const double* positions, global double* forces, int neighbours,
               double cutoff) {
  const int i = get_global_id(0), count = get_global_size(0);
  double x = 0, y = 0, z = 0;
  for (int k = 0; k < neighbours; ++k) {
    const int j = list[k * count + i];
    const double dx = positions[3 * i] - positions[3 * j];
    const double dy = positions[3 * i + 1] - positions[3 * j + 1];
    const double dz = positions[3 * i + 2] - positions[3 * j + 2];
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cutoff) {
      const double inverse = 1 / r2, sixth = inverse * inverse * inverse;
      const double f = 24 * inverse * sixth * (2 * sixth - 1);
      x += f * dx;
      y += f * dy;
      z += f * dz;
    }
  }
  forces[3 * i] = x;
  forces[3 * i + 1] = y;
  forces[3 * i + 2] = z;
})";

constexpr int neighbours = 32;
constexpr double cutoff = 1.5;  // squared

// The sum of (48 / r^14 - 24 / r^8) (own - other), r their distance.
struct Force {
  double x = 0, y = 0, z = 0;
  TRELLIS_INLINE void add(const double* own, const double* other) {
    const double dx = own[0] - other[0], dy = own[1] - other[1], dz = own[2] - other[2];
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= cutoff) return;
    const double inverse = 1 / r2, sixth = inverse * inverse * inverse;
    const double f = 24 * inverse * sixth * (2 * sixth - 1);
    x += f * dx;
    y += f * dy;
    z += f * dz;
  }
};

class MolecularDynamics : public Problem {
 public:
  MolecularDynamics(int group, Index items)
      : group_(group),
        items_(whole_groups(items, group)),
        list_("list", items_ * neighbours),
        positions_("positions", 3 * items_),
        forces_("forces", 3 * items_) {
    // A row of atoms in a tube, sorted along it: neighbours are close by in memory too.
    Numbers numbers(18);
    for (Index i = 0; i < items_; ++i) {
      positions_(3 * i) = 0.25 * double(i) + 0.05 * numbers.next();
      positions_(3 * i + 1) = 0.8 * (i % 2 == 0 ? 1 : -1) + 0.05 * numbers.next();
      positions_(3 * i + 2) = 0.8 * (i / 2 % 2 == 0 ? 1 : -1) + 0.05 * numbers.next();
      for (int k = 0; k < neighbours; ++k) {
        const Index other = i + (k < neighbours / 2 ? k - neighbours / 2 : k - neighbours / 2 + 1);
        list_(k * items_ + i) = static_cast<int>((other + items_) % items_);
      }
    }
  }

  Work work() const override {
    return {items_, 19.0 * neighbours * double(items_), (4.0 * neighbours + 48) * double(items_)};
  }

  void run(WorkItems way) override {
    const int* const list = list_.data();
    const double* const positions = positions_.data();
    double* const forces = forces_.data();
    const Index count = items_;
    with_way(way, [&](auto its_way) {
      parallel_for(
          "md", nd_range<1>{items_, group_}.by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index i = item.global_id();
            Force force;
            for (int k = 0; k < neighbours; ++k) force.add(positions + 3 * i, positions + 3 * list[k * count + i]);
            forces[3 * i] = force.x;
            forces[3 * i + 1] = force.y;
            forces[3 * i + 2] = force.z;
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "md",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(list_), buffer(positions_), buffer(forces_), value(neighbours), value(cutoff)}};
  }

  void spoil() override { fill_with(forces_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    std::vector<double> expected(static_cast<std::size_t>(3 * items_), 0);
    for (Index i = 0; i < items_; ++i) {
      for (int k = 0; k < neighbours; ++k) {
        const Index j = list_(k * items_ + i);
        double r2 = 0;
        for (int d = 0; d < 3; ++d) r2 += std::pow(positions_(3 * i + d) - positions_(3 * j + d), 2);
        if (r2 >= cutoff) continue;
        const double f = 48 / std::pow(r2, 7) - 24 / std::pow(r2, 4);
        for (int d = 0; d < 3; ++d) {
          expected[std::size_t(3 * i + d)] += f * (positions_(3 * i + d) - positions_(3 * j + d));
        }
      }
    }
    return compare(3 * items_, forces_, [&](Index i) { return expected[std::size_t(i)]; }, 1e-12);
  }

 private:
  int group_;
  Index items_;
  View<int*, HostSpace> list_;
  View<double*, HostSpace> positions_, forces_;
};

}  // namespace

KernelEntry variant::md_kernel() {
  return {"md",
          "Lennard-Jones forces of 32 neighbours, double",
          false,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<MolecularDynamics>(group, items); },
          Index(1) << 14,
          /*replicated=*/512};
}

}  // namespace trellis::bench::spmd
