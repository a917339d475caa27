// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Filters of images; a group of 32 x h points has them and their surroundings in local memory.
#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr int width = 32;

// An image with a border of `radius` points in memory, and the result without one.
struct Image {
  Image(int group, Index items, int its_radius)
      : radius(its_radius),
        height(group / width),
        nx(whole_groups(static_cast<Index>(std::sqrt(double(items))), width)),
        ny(whole_groups(items / nx, height)),
        points(random_numbers<float>((nx + 2 * radius) * (ny + 2 * radius), 80)),
        out("out", nx * ny) {}
  Work work(double flops) const { return {nx * ny, flops * double(nx * ny), 8.0 * double(nx * ny)}; }

  int radius, height;
  Index nx, ny;
  Numbers1D<float> points, out;
};

// out(x, y) = filter(p, line), where p points to the copy of the point in local memory, whose lines are `line` apart.
template <int Radius, class Way, class Filter>
void filter_image(const char* name, Way way, const Image& image, const Filter& filter) {
  const float* const in = image.points.data();
  float* const out = image.out.data();
  const Index nx = image.nx;
  LocalMemory memory;
  const auto array = memory.array<float>((width + 2 * Radius) * (image.height + 2 * Radius));
  parallel_for(
      name, nd_range<2>{{image.nx, image.ny}, {width, image.height}}.with(memory).by(way),
      TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
        float* const tile = item.local(array);
        constexpr Index line = width + 2 * Radius;
        const Index x = item.local_id(0), y = item.local_id(1), rows = item.local_range(1);
        const float* const corner = in + item.group_id(1) * rows * (nx + 2 * Radius) + item.group_id(0) * width;
        for (Index row = y; row < rows + 2 * Radius; row += rows) {
          tile[row * line + x] = corner[row * (nx + 2 * Radius) + x];
          if (x < 2 * Radius) tile[row * line + width + x] = corner[row * (nx + 2 * Radius) + width + x];
        }
        item.barrier();
        out[item.global_id(1) * nx + item.global_id(0)] = filter(tile + (y + Radius) * line + x + Radius, line);
      });
}

template <int Radius>
std::unique_ptr<Problem> sobel(int group, Index items) {
  const Image image(group, items, Radius);
  constexpr int side = 2 * Radius + 1;
  return make_case(
      image.work(5.0 * (side * side - 1) + 4), image.out, 1e-5,
      [=](auto way) {
        filter_image<Radius>("sobel", way, image, [](const float* p, Index line) {
          float gx = 0, gy = 0;
          for (int dy = -Radius; dy <= Radius; ++dy)
            for (int dx = -Radius; dx <= Radius; ++dx) {
              if (dx == 0 && dy == 0) continue;
              const float value = p[dy * line + dx] / float(dx * dx + dy * dy);
              gx += float(dx) * value;
              gy += float(dy) * value;
            }
          return std::sqrt(gx * gx + gy * gy);
        });
      },
      [=](float* p) { plain::sobel(image.nx, image.ny, Radius, image.points.data(), p); });
}

TRELLIS_INLINE void order(float& a, float& b) {
  const float least = a < b ? a : b, most = a < b ? b : a;
  a = least;
  b = most;
}

// Of nine points, by 19 exchanges (J. L. Smith, in Graphics Gems).
std::unique_ptr<Problem> median(int group, Index items) {
  const Image image(group, items, 1);
  return make_case(
      image.work(38), image.out, 0,
      [=](auto way) {
        filter_image<1>("median", way, image, [](const float* p, Index line) {
          float v[9];
          for (int k = 0; k < 9; ++k) v[k] = p[(k / 3 - 1) * line + k % 3 - 1];
          constexpr int exchanges[19][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2},
                                            {4, 5}, {7, 8}, {0, 3}, {5, 8}, {4, 7}, {3, 6}, {1, 4},
                                            {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};
          TRELLIS_UNROLL
          for (int k = 0; k < 19; ++k) order(v[exchanges[k][0]], v[exchanges[k][1]]);
          return v[4];
        });
      },
      [=](float* p) { plain::median(image.nx, image.ny, image.points.data(), p); });
}

std::unique_ptr<Problem> convolution(int group, Index items) {
  const Image image(group, items, 1);
  const auto weights = random_numbers<float>(9, 81);
  return make_case(
      image.work(18), image.out, 1e-6,
      [=](auto way) {
        const float* const w = weights.data();
        filter_image<1>("convolution", way, image, [w](const float* p, Index line) {
          float sum = 0;
          for (int k = 0; k < 9; ++k) sum += w[k] * p[(k / 3 - 1) * line + k % 3 - 1];
          return sum;
        });
      },
      [=](float* p) { plain::convolution(image.nx, image.ny, weights.data(), image.points.data(), p); });
}

KernelEntry image_entry(const char* name, const char* what, std::function<std::unique_ptr<Problem>(int, Index)> make) {
  return {name, what, true, all_groups, std::move(make), 512 * 512, 1024, 1024};
}

}  // namespace

std::vector<KernelEntry> image_kernels() {
  return {
      image_entry("sobel3", "edges from 3 x 3 points in local memory, float", sobel<1>),
      image_entry("sobel5", "edges from 5 x 5 points in local memory, float", sobel<2>),
      image_entry("sobel7", "edges from 7 x 7 points in local memory, float", sobel<3>),
      image_entry("median", "of 3 x 3 points in local memory, float", median),
      image_entry("convolution", "3 x 3 weights, points in local memory, float", convolution),
  };
}

}  // namespace trellis::bench::spmd
