// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers that depend on what they are used for, not on the order in which they are drawn, and exact sums of
// them: the mean of cos(phi) for a normally distributed angle phi is exp(-1/2), and the computed mean has the same bits
// for any number of lanes and threads.
#include <numbers>

#include "examples/tour/tour.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/random/random_numbers.hpp"
#include "trellis/core/simd.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/tile_policy.hpp"

using namespace trellis;

namespace {

constexpr std::int64_t samples = 1 << 16;

// The W samples of a tile, which take the place of lattice sites.
struct Samples {
  std::int64_t first;
  TRELLIS_INLINE std::int64_t operator[](int lane) const { return first + lane; }
};

// The lanes of S = lanes_t<double, W> are the lanes of a register on a CPU, and threads on a GPU.
template <int W>
double mean_cosine(const RandomStream& stream) {
  using S = lanes_t<double, W>;
  const auto sums = exact_sums<S, 1>(
      "mean cosine", TilePolicy<DefaultExecutionSpace>(int(samples / W), W),
      TRELLIS_KERNEL(int tile, ExactAccumulator<S>* sum) {
        S phi = S(0.0), other = S(0.0), sine = S(0.0), cosine = S(0.0);
        normal_lanes(stream, Samples{std::int64_t(tile) * W}, 0, phi, other);  // draw 0 for each; they come in pairs
        sincospi(abs(phi) * S(1 / std::numbers::pi), sine, cosine);            // |phi| < 2 pi, six standard deviations
        sum[0].add(cosine);
      });
  return sums[0] / double(samples);
}

// Numbers for any purpose of your own: a stream is a number of your choice, an index whatever you have many of. Here an
// index is a walker, which takes 100 random steps; the mean square of its distance is 100.
double mean_square_distance(const RandomNumbers& steps) {
  double sum = 0;
  parallel_reduce(
      "walk", samples,
      TRELLIS_LAMBDA(Index walker, double& partial) {
        auto random = steps.sequence(std::uint64_t(walker));
        double place = 0;
        for (int step = 0; step < 100; ++step) place += random.integer(2) == 0 ? 1 : -1;
        partial += place * place;
      },
      sum);
  return sum / double(samples);
}

}  // namespace

int main() {
  return tour::run([] {
    // Streams are keyed by seed, trajectory and purpose. A restarted run, or one on more ranks, draws the same numbers.
    const RandomStream stream{.seed = 2024, .trajectory = 7, .purpose = RandomPurpose::test};
    const auto [u, v] = stream.uniform(/*site*/ 12345, /*draw*/ 3);
    tour::expect(u > 0 && u < 1 && u != v, "two uniform numbers, never 0 or 1");
    tour::expect(stream.uniform(12345, 3)[0] == u, "asking again gives the same numbers");

    double first = 0;
    for (const int lanes : compiled_lane_counts<double>()) {
      const double mean = with_lanes<double>(lanes, [&]<int W>() { return mean_cosine<W>(stream); });
      if (first == 0) first = mean;
      fmt::print("{:2} lanes: <cos phi> = {:.17f}\n", lanes, mean);
      tour::expect(mean == first, "the same bits for every lane count");
    }
    const RandomNumbers steps(/*seed*/ 2024, /*stream*/ 1), others(2024, 2);
    tour::expect(steps.normal(5, 2) == steps.normal(5, 2) && steps.normal(5, 2) != others.normal(5, 2),
                 "the same draw of the same index is the same number; another stream has others");
    tour::expect_near(mean_square_distance(steps), 100, 2.5, "diffusion, within four standard errors");
    tour::expect_near(first, std::exp(-0.5), 0.01, "<cos phi> = exp(-1/2), within four standard errors");
  });
}
