// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Stencils without local memory: a convolution in space, and a step of Maxwell's equations in a plane (K. S. Yee, IEEE
// Trans. Antennas Propag. 14 (1966) 302).
#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr int width = 32;

std::unique_ptr<Problem> convolution(int group, Index items) {
  const int height = group / width;
  const Index nx = width, ny = whole_groups(width, height), nz = std::max<Index>(1, items / (nx * ny));
  const auto points = random_numbers<float>((nx + 2) * (ny + 2) * (nz + 2), 90),
             weights = random_numbers<float>(27, 91);
  const Numbers1D<float> out("out", nx * ny * nz);
  return make_case(
      Work{nx * ny * nz, 54.0 * double(nx * ny * nz), 8.0 * double(nx * ny * nz)}, out, 1e-6,
      [=](auto way) {
        const float *const in = points.data(), *const w = weights.data();
        float* const to = out.data();
        parallel_for(
            "convolution3d", nd_range<3>{{nx, ny, nz}, {width, height, 1}}.by(way),
            TRELLIS_LAMBDA(const nd_item<3>& item) noexcept {
              const Index x = item.global_id(0), y = item.global_id(1), z = item.global_id(2);
              const Index pitch = nx + 2, plane = pitch * (ny + 2);
              float sum = 0;
              for (int k = 0; k < 27; ++k) sum += w[k] * in[(z + k / 9) * plane + (y + k / 3 % 3) * pitch + x + k % 3];
              to[(z * ny + y) * nx + x] = sum;
            });
      },
      [=](float* p) { plain::convolution(nx, ny, nz, weights.data(), points.data(), p); });
}

std::unique_ptr<Problem> maxwell(int group, Index items) {
  const int height = group / width;
  const Index nx = whole_groups(static_cast<Index>(std::sqrt(double(items))), width),
              ny = whole_groups(items / nx, height);
  const Index size = nx * ny;
  const auto ex = random_numbers<float>(size, 92), ey = random_numbers<float>(size, 93),
             hz = random_numbers<float>(size, 94);
  const Numbers1D<float> out("out", 3 * size);
  return make_case(
      Work{2 * size, 11.0 * double(size), 28.0 * double(size)}, out, 1e-6,
      [=](auto way) {
        const float *const old_x = ex.data(), *const old_y = ey.data(), *const old_z = hz.data();
        float *const new_x = out.data(), *const new_y = new_x + size, *const new_z = new_y + size;
        const nd_range<2> points{{nx, ny}, {width, height}};
        parallel_for(
            "electric fields", points.by(way), TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
              const Index x = item.global_id(0), y = item.global_id(1), at = y * nx + x;
              new_x[at] = y > 0 ? old_x[at] - 0.5f * (old_z[at] - old_z[at - nx]) : old_x[at];
              new_y[at] = x > 0 ? old_y[at] - 0.5f * (old_z[at] - old_z[at - 1]) : old_y[at];
            });
        parallel_for(
            "magnetic field", points.by(way), TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
              const Index x = item.global_id(0), y = item.global_id(1), at = y * nx + x;
              const bool inside = x < nx - 1 && y < ny - 1;
              new_z[at] =
                  inside ? old_z[at] - 0.7f * (new_x[at + nx] - new_x[at] + new_y[at + 1] - new_y[at]) : old_z[at];
            });
      },
      [=](float* p) { plain::electromagnetic_step(nx, ny, ex.data(), ey.data(), hz.data(), p); });
}

}  // namespace

std::vector<KernelEntry> field_kernels() {
  return {
      {"convolution3d", "3 x 3 x 3 weights, float", false, all_groups, convolution, Index(1) << 16, 1024, 1024},
      {"maxwell", "fields in a plane, a step in two kernels, float", false, all_groups, maxwell, 256 * 256, 1024, 1024},
  };
}

}  // namespace trellis::bench::spmd
