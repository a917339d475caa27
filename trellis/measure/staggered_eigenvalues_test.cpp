// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered_eigenvalues.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/staggered_matrix.hpp"
#include "reference/staggered_observables.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::measure {
namespace {

constexpr dirac::LinkPhases turned{.imaginary_mu = 0.4, .quanta = {0, 0, 0, 1, 0, 2}};
const gauge::SmearingParameters thin = gauge::stout_smearing(0.0, 0);

// sum of sin^2 p over all momenta: twice for the even sites alone, three colours.
std::vector<double> free_eigenvalues(const Coordinate& size, bool antiperiodic) {
  const double pi = std::acos(-1.0);
  std::vector<double> all;
  const Lattice lattice(size);
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate k = lattice.coordinate(n);
    double sum = 0;
    for (int mu = 0; mu < 4; ++mu)
      sum += std::pow(std::sin(pi * (2 * k[mu] + (mu == 3 && antiperiodic ? 1 : 0)) / size[mu]), 2);
    all.insert(all.end(), 3, sum);
  }
  std::ranges::sort(all);
  std::vector<double> half;
  for (std::size_t i = 0; i < all.size(); i += 2) half.push_back(all[i]);
  return half;
}

// On improved links there may be some beyond the 16 of links in SU(3), here up to 96.
TEST(StaggeredEigenvalues, OfFreeQuarksBeyondSixteen) {
  const Coordinate size{4, 4, 4, 8};
  const double u0 = 0.1, pi = std::acos(-1.0);
  std::vector<double> expected;
  const Lattice lattice(size);
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate k = lattice.coordinate(n);
    double sum = 0;
    for (int mu = 0; mu < 4; ++mu) {
      const double p = pi * (2 * k[mu] + (mu == 3 ? 1 : 0)) / size[mu];
      sum += std::pow(9.0 / 8 * std::sin(p) - std::sin(3 * p) / (24 * u0 * u0), 2);
    }
    expected.insert(expected.end(), 3, sum);
  }
  std::ranges::sort(expected);
  EXPECT_GT(expected.back(), 90);
  const auto found =
      measure_eigenvalues({.count = 10, .tolerance = 1e-9}, {{.name = "free"}},
                          {.kind = "naik", .values = {{"u0", u0}}}, GaugeField<double, 1>::unit(Lattice(size)));
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(found[0].values[k], expected[2 * k], 1e-8) << k;
}

// With all their multiplicities: the lowest of 4^4 with antiperiodic quarks is there 24 times.
TEST(StaggeredEigenvalues, OfFreeQuarks) {
  for (const bool antiperiodic : {true, false})
    for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{4, 4, 4, 8}, Coordinate{2, 2, 2, 2}}) {
      const auto expected = free_eigenvalues(size, antiperiodic);
      const int count = std::min(48, int(expected.size()));
      test::for_each_lane_count(size, [&]<int W>() {
        const auto u = GaugeField<double, W>::unit(Lattice(size, W));
        const auto found = measure_eigenvalues(
            {.count = count, .tolerance = 1e-11},
            {{.name = "free", .mass = 0.1, .phases = {.antiperiodic_time = antiperiodic}}}, thin, u);
        ASSERT_EQ(found.size(), 1U);
        ASSERT_EQ(int(found[0].values.size()), count);
        for (int k = 0; k < count; ++k) {
          EXPECT_NEAR(found[0].values[k], expected[k], 1e-11) << k;
          EXPECT_LE(found[0].residuals[k], 1e-11);
        }
      });
    }
}

TEST(StaggeredEigenvalues, AgreeWithTheOracle) {
  const Coordinate size{4, 4, 2, 4};
  const auto c = reference::warm_configuration(size, 3, 0.5);
  for (const dirac::LinkPhases& phases : {dirac::LinkPhases{}, turned}) {
    const auto expected =
        reference::hermitian_eigensystem(reference::staggered_even_matrix(c, test::reference_phases(phases, size), 0))
            .values;
    const auto found = measure_eigenvalues({.count = 30, .tolerance = 1e-11}, {{.name = "q", .phases = phases}}, thin,
                                           test::from_reference<double, test::wide>(c));
    for (int k = 0; k < 30; ++k) EXPECT_NEAR(found[0].values[k], expected[k], 1e-11) << k;
    EXPECT_GT(found[0].values[0], 1e-4);
  }
}

// With boundaries in time those of the sites with quarks, of which there may be fewer than are asked for elsewhere: in
// a Schroedinger functional no zeros of the slices without.
TEST(StaggeredEigenvalues, WithBoundariesAgreeWithTheOracle) {
  const Coordinate size{4, 2, 4, 6};
  for (const auto& boundary :
       {test::open_boundary, test::schroedinger_functional(5), test::schroedinger_functional(4)}) {
    const auto c = test::with_boundary(reference::warm_configuration(size, 8, 0.5), boundary);
    const auto matrix = reference::staggered_even_matrix(test::staggered_hops(c, boundary),
                                                         test::reference_phases({.antiperiodic_time = false}, size), 0);
    const auto slices = dirac::staggered_slices(boundary, size);
    std::vector<int> kept;
    const auto even = reference::even_sites(size);
    for (int k = 0; k < int(even.size()); ++k)
      if (slices.contain(c.site(even[std::size_t(k)])[3]))
        for (int colour = 0; colour < 3; ++colour) kept.push_back(3 * k + colour);
    ASSERT_EQ(int(kept.size()), 48 * slices.count(size));
    reference::DenseMatrix part(int(kept.size()));
    for (int i = 0; i < part.n; ++i)
      for (int j = 0; j < part.n; ++j) part(i, j) = matrix(kept[std::size_t(i)], kept[std::size_t(j)]);
    const auto expected = reference::hermitian_eigensystem(part).values;
    const std::vector<QuarkFlavour> flavours{{.name = "q", .phases = {.boundary = boundary}}};
    const EigenvalueSelection selection{.count = 20, .tolerance = 1e-11};
    const auto alone = measure_eigenvalues(selection, flavours, thin, test::from_reference<double, 1>(c));
    for (std::size_t k = 0; k < 20; ++k) EXPECT_NEAR(alone[0].values[k], expected[k], 1e-11) << k;
    EXPECT_GT(alone[0].values[0], 1e-5);
    test::for_each_lane_count(size, [&]<int W>() {
      EXPECT_EQ(measure_eigenvalues(selection, flavours, thin, test::from_reference<double, W>(c))[0].values,
                alone[0].values)
          << W << " lanes";
    });
  }
}

// All eigenvalues of a tiny lattice give the exact trace, which noise only estimates.
TEST(StaggeredEigenvalues, SumToTheExactTrace) {
  const Coordinate size{2, 2, 2, 4};
  const auto c = reference::hot_configuration(size, 5);
  const double mass = 0.2;
  const auto found =
      measure_eigenvalues({.count = 48}, {{.name = "q", .phases = turned}}, thin, test::from_reference<double, 1>(c));
  double trace = 0;
  for (const double value : found[0].values) trace += 2 * mass / (mass * mass + value);
  const reference::QuarkPhases phases{.imaginary_potential = 0.4, .charge = 1, .flux = {.bx = 1, .bz = 2}};
  EXPECT_NEAR(trace, reference::exact_traces(c, phases, mass).inverse.real(), 1e-10);
}

TEST(StaggeredEigenvalues, AreThoseOfTheSmearedLinks) {
  const auto u = test::from_reference<double, test::wide>(reference::warm_configuration({4, 4, 4, 4}, 3, 0.5));
  const auto v = u.clone();
  gauge::stout_steps(0.1, 2, v);
  const EigenvalueSelection selection{.count = 5};
  const auto smeared = measure_eigenvalues(selection, {{.name = "q"}}, gauge::stout_smearing(0.1, 2), u);
  const auto before = measure_eigenvalues(selection, {{.name = "q"}}, gauge::stout_smearing(0.1, 0), u);
  const auto after = measure_eigenvalues(selection, {{.name = "q"}}, thin, v);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(smeared[0].values[k], after[0].values[k], 1e-9) << k;
  EXPECT_GT(std::abs(smeared[0].values[0] - before[0].values[0]), 1e-3);
}

// As from a file in single precision.
TEST(StaggeredEigenvalues, OfLinksThatAreRounded) {
  auto c = reference::warm_configuration({4, 4, 4, 4}, 3, 0.5);
  const auto exact = test::from_reference<double, test::wide>(c);
  for (auto& link : c.links)
    for (auto& number : link) number = {double(float(number.real())), double(float(number.imag()))};
  const EigenvalueSelection selection{.count = 5, .tolerance = 1e-11};
  const auto found = measure_eigenvalues(selection, {{.name = "q"}}, thin, exact),
             rounded =
                 measure_eigenvalues(selection, {{.name = "q"}}, thin, test::from_reference<double, test::wide>(c));
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(found[0].values[k], rounded[0].values[k], 1e-7) << k;
}

TEST(StaggeredEigenvalues, SayWhichFlavourFails) {
  const auto u = test::from_reference<double, test::wide>(reference::warm_configuration({4, 4, 4, 4}, 3, 0.5));
  try {
    measure_eigenvalues({.count = 5, .tolerance = 1e-11, .max_applications = 3}, {{.name = "charm"}}, thin, u);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("charm: eigenvalues: "), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace trellis::measure
