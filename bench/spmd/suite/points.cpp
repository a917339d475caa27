// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Statistics of points, some of which a group has in local memory.
#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

// The step of k-means that finds the nearest of 32 centres, in four dimensions.
std::unique_ptr<Problem> kmeans(int group, Index items) {
  constexpr int centres = 32, dimensions = 4;
  const Index count = whole_groups(items, group);
  const auto points = random_numbers<float>(count * dimensions, 70),
             c = random_numbers<float>(centres * dimensions, 71);
  const Numbers1D<int> out("out", count);
  return make_case(
      Work{count, 3.0 * centres * dimensions * double(count), (4.0 * dimensions + 4) * double(count)}, out, 0,
      [=](auto way) {
        const float *const x = points.data(), *const of_c = c.data();
        int* const to = out.data();
        LocalMemory memory;
        const auto array = memory.array<float>(centres * dimensions);
        parallel_for(
            "kmeans", nd_range<1>{count, group}.with(memory).by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              float* const centre = item.local(array);
              const Index i = item.global_id();
              for (Index k = item.local_id(); k < centres * dimensions; k += item.local_range()) centre[k] = of_c[k];
              item.barrier();
              float own[dimensions];
              for (int d = 0; d < dimensions; ++d) own[d] = x[d * count + i];
              float least = std::numeric_limits<float>::infinity();
              int nearest = 0;
              for (int k = 0; k < centres; ++k) {
                float distance = 0;
                for (int d = 0; d < dimensions; ++d) {
                  const float difference = own[d] - centre[k * dimensions + d];
                  distance += difference * difference;
                }
                nearest = distance < least ? k : nearest;
                least = distance < least ? distance : least;
              }
              to[i] = nearest;
            });
      },
      [=](int* p) { plain::nearest_centres(count, centres, dimensions, points.data(), c.data(), p); });
}

// The error of a line for each work-item, over points that pass through local memory.
std::unique_ptr<Problem> regression_error(int group, Index items) {
  constexpr int points = 1024;
  const Index count = whole_groups(items, group);
  const auto slopes = random_numbers<float>(count, 72), intercepts = random_numbers<float>(count, 73),
             x = random_numbers<float>(points, 74), y = random_numbers<float>(points, 75);
  const Numbers1D<float> out("out", count);
  return make_case(
      Work{count, 5.0 * points * double(count), 12.0 * double(count)}, out, 1e-5,
      [=](auto way) {
        const float *const slope = slopes.data(), *const intercept = intercepts.data(), *const of_x = x.data(),
                           *const of_y = y.data();
        float* const to = out.data();
        LocalMemory memory;
        const auto xs = memory.array<float>(group), ys = memory.array<float>(group);
        parallel_for(
            "regression_error", nd_range<1>{count, group}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              float *const px = item.local(xs), *const py = item.local(ys);
              const Index id = item.local_id(), length = item.local_range();
              const float a = slope[item.global_id()], b = intercept[item.global_id()];
              float sum = 0;
              for (Index first = 0; first < points; first += length) {
                px[id] = of_x[first + id];
                py[id] = of_y[first + id];
                item.barrier();
                for (Index k = 0; k < length; ++k) {
                  const float error = a * px[k] + b - py[k];
                  sum += error * error;
                }
                item.barrier();
              }
              to[item.global_id()] = sum;
            });
      },
      [=](float* p) {
        plain::regression_errors(count, points, slopes.data(), intercepts.data(), x.data(), y.data(), p);
      });
}

struct Sums {
  double x, y, xx, xy;
};
// The line of least squares through the points of a group: four sums by one tree.
std::unique_ptr<Problem> regression_line(int group, Index items) {
  const Index count = whole_groups(items, group);
  const auto x = random_numbers<double>(count, 76), y = random_numbers<double>(count, 77);
  const Numbers1D<double> out("out", 2 * (count / group));
  return make_case(
      Work{count, 6.0 * double(count), 16.0 * double(count)}, out, 1e-12,
      [=](auto way) {
        const double *const of_x = x.data(), *const of_y = y.data();
        double* const to = out.data();
        LocalMemory memory;
        const auto array = memory.array<Sums>(group);
        parallel_for(
            "regression_line", nd_range<1>{count, group}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              Sums* const tree = item.local(array);
              const Index id = item.local_id(), g = item.group_id();
              const double px = of_x[item.global_id()], py = of_y[item.global_id()];
              tree[id] = {px, py, px * px, px * py};
              for (Index distance = item.local_range() / 2; distance > 0; distance /= 2) {
                item.barrier();
                if (id < distance) {
                  tree[id].x += tree[id + distance].x;
                  tree[id].y += tree[id + distance].y;
                  tree[id].xx += tree[id + distance].xx;
                  tree[id].xy += tree[id + distance].xy;
                }
              }
              if (id == 0) {
                const double n = double(item.local_range());
                const Sums& s = tree[0];
                const double slope = (n * s.xy - s.x * s.y) / (n * s.xx - s.x * s.x);
                to[2 * g] = slope;
                to[2 * g + 1] = (s.y - slope * s.x) / n;
              }
            });
      },
      [=](double* p) { plain::regression_lines(count, group, x.data(), y.data(), p); });
}

}  // namespace

std::vector<KernelEntry> point_kernels() {
  return {
      {"kmeans", "the nearest of 32 centres in local memory, float", true, all_groups, kmeans, Index(1) << 15, 1024,
       1024},
      {"regression_error", "of a line, points pass through local memory, float", true, all_groups, regression_error,
       Index(1) << 12, 1024, 64},
      {"regression_line", "through a group's points, four sums in a tree in local memory, double", true, all_groups,
       regression_line, Index(1) << 17, 1024, 1024},
  };
}

}  // namespace trellis::bench::spmd
