// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_force.hpp"

#include <gtest/gtest.h>

#include "reference/staggered.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"

namespace trellis::dirac {
namespace {

using reference::Complex;

// -sum_i w_i X_i^dagger (m^2 - D_eo D_oe) X_i = -sum_i w_i (m^2 |X_i|^2 + |D X_i|^2), computed by the oracle.
double minus_energy(const reference::GaugeConfiguration& u, const reference::LinkPhases& theta,
                    const std::vector<double>& weights, const std::vector<reference::ColourField>& x) {
  double sum = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    const auto y = reference::apply_d(u, theta, x[n]);
    sum -= weights[n] * reference::dot(y, y).real();
  }
  return sum;
}

TEST(StaggeredForce, IsTheDerivativeOfTheOraclesEnergy) {
  const LinkPhases phases{.imaginary_mu = 0.37, .quanta = {1, -2, 0, 3, 1, -1}};
  const std::vector<double> weights{0.7, -1.3, 0.2};
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 2, 6}}) {
    const auto u = reference::hot_configuration(size, 21);
    const auto theta = test::reference_phases(phases, size);
    std::vector<reference::ColourField> fields;
    for (int n = 0; n < 3; ++n) fields.push_back(test::restricted(reference::random_field(size, 30 + n), size, 0));

    // The energy is quadratic in one link, so central differences in its elements are exact: dU = h (matrix).
    test::for_each_lane_count(size, [&]<int W>() {
      const auto links = test::from_reference<double, W>(u);
      const StaggeredOperator<double, W> d(StaggeredLinks<double, W>(links), phases, 0);
      const HopTable<double, W> table(links.lattice(), staggered_coefficient(phases, size));
      const ColourVectorField<double, W> x(links.lattice(), 0, 3), y(links.lattice(), 1, 3);
      for (int n = 0; n < 3; ++n) test::from_reference(fields[std::size_t(n)], x, n);
      d.hop(x, y);
      const GaugeField<double, W> derivative(links.lattice());
      add_staggered_derivative(table, weights, x, y, derivative);
      for (const std::int64_t site : {std::int64_t(0), std::int64_t(1), links.lattice().volume() - 1})
        for (int mu = 0; mu < 4; ++mu) {
          const auto found = derivative.link(links.lattice().coordinate(site), mu);
          for (const int k : {0, 4, 5, 7}) {
            const auto energy = [&](Complex by) {
              auto v = u;
              v.links[std::size_t(4 * site + mu)][std::size_t(k)] += by;
              return minus_energy(v, theta, weights, fields);
            };
            // dS = Re tr(dU G) with dU = h e_ij: Re G_ji; with dU = i h e_ij: -Im G_ji.
            const int i = k / 3, j = k % 3;
            EXPECT_NEAR(found[std::size_t(6 * j + 2 * i)], (energy(0.5) - energy(-0.5)), 2e-10);
            EXPECT_NEAR(-found[std::size_t(6 * j + 2 * i + 1)], (energy({0, 0.5}) - energy({0, -0.5})), 2e-10);
          }
        }
    });
  }
}

TEST(StaggeredForce, AddsToWhatIsThereAndRefusesWrongFields) {
  const Lattice lattice({4, 4, 4, 4});
  const HopTable<double, 1> table(lattice, staggered_coefficient({}, lattice.size()));
  const ColourVectorField<double, 1> x(lattice, 0), y(lattice, 1);
  const auto derivative = GaugeField<double, 1>::unit(lattice);
  const std::vector<double> one{1.0}, two{1.0, 2.0};
  add_staggered_derivative(table, one, x, y, derivative);
  EXPECT_EQ(derivative.link({1, 2, 3, 0}, 2), (GaugeField<double, 1>::unit(lattice).link({1, 2, 3, 0}, 2)));
  EXPECT_THROW((add_staggered_derivative(table, two, x, y, derivative)), Error);
  EXPECT_THROW((add_staggered_derivative(table, one, y, x, derivative)), Error);
}

}  // namespace
}  // namespace trellis::dirac
