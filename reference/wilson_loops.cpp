// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/wilson_loops.hpp"

#include <algorithm>
#include <cstdlib>

namespace trellis::reference {

std::vector<Path> orders_of_steps(const std::array<int, 3>& step) {
  std::vector<int> axes;
  for (int mu = 0; mu < 3; ++mu) axes.insert(axes.end(), std::abs(step[mu]), mu);
  std::vector<Path> paths;
  do {
    Path path;
    for (const int mu : axes) path.push_back({mu, step[mu] > 0});
    paths.push_back(path);
  } while (std::next_permutation(axes.begin(), axes.end()));
  return paths;
}

Matrix straight_line(const GaugeConfiguration& u, const Site& x, const std::array<int, 3>& step, int n) {
  const auto paths = orders_of_steps(step);
  Matrix line = identity();
  for (int k = 0; k < n; ++k) {
    const Site from{x[0] + k * step[0], x[1] + k * step[1], x[2] + k * step[2], x[3]};
    Matrix sum = zero_matrix();
    for (const Path& path : paths) sum = sum + path_product(u, from, path);
    line = line * (1.0 / double(paths.size()) * sum);
  }
  return line;
}

double wilson_loop(const GaugeConfiguration& space, const GaugeConfiguration& other, const GaugeConfiguration& time,
                   const std::array<int, 3>& step, int n, int t, const std::optional<std::array<int, 2>>& slices) {
  double sum = 0.0;
  int sites = 0;
  for (int i = 0; i < space.volume(); ++i) {
    const Site x = space.site(i);
    if (slices && (x[3] < (*slices)[0] || x[3] + t > (*slices)[1])) continue;
    ++sites;
    const Site far{x[0] + n * step[0], x[1] + n * step[1], x[2] + n * step[2], x[3]};
    const Matrix loop = straight_line(space, x, step, n) * path_product(time, far, forward(3, t)) *
                        adjoint(straight_line(other, shift(x, 3, t), step, n)) *
                        adjoint(path_product(time, x, forward(3, t)));
    sum += trace(loop).real() / 3.0;
  }
  return sum / sites;
}

}  // namespace trellis::reference
