// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Hadrons of staggered quarks from walls, of numbers and of noise; also with boundaries in time.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/dense.hpp"
#include "reference/staggered_matrix.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;
const gauge::SmearingParameters no_smearing = gauge::stout_smearing(0, 0);

StaggeredHadronSelection selection() { return {.channels = {"pion", "pion_scalar"}, .inverse = {.residual = 1e-13}}; }

double largest(std::span<const Complex> c) {
  double most = 0;
  for (const auto& value : c) most = std::max(most, std::abs(value));
  return most;
}

// With solutions from a dense matrix: x_+ from all sites of the slice, x_- with minus one at odd distances.
void expect_walls_of_even_and_odd_sites(const reference::Site& size, const gauge::Boundary& boundary,
                                        std::vector<QuarkFlavour> flavours) {
  const Coordinate x0{1, 0, 0, 2};
  const auto links = test::with_boundary(reference::hot_configuration(size, 8), boundary);
  auto s = selection();
  s.source = StaggeredSource::even_odd_wall;
  s.positions = {x0};
  for (auto& flavour : flavours) flavour.phases.boundary = boundary;
  const auto m = measure_staggered_hadrons(s, flavours, no_smearing, 0, 0, test::from_reference<double, 1>(links));
  const auto hops = test::staggered_hops(links, boundary);
  const auto parity = [&](const reference::Site& x) { return (x[0] + x[1] + x[2] - x0[0] - x0[1] - x0[2]) % 2 != 0; };
  const auto solved = [&](const QuarkFlavour& flavour, double at_odd, int colour) {
    const auto matrix = reference::staggered_matrix(hops, test::reference_phases(flavour.phases, size), flavour.mass);
    reference::DenseVector b(std::size_t(matrix.n));
    for (int n = 0; n < links.volume(); ++n)
      if (const auto x = links.site(n); x[3] == x0[3]) b[std::size_t(3 * n + colour)] = parity(x) ? at_odd : 1;
    return reference::solve(reference::lu_decomposition(matrix), b);
  };
  const auto hadrons = staggered_hadrons({"u", "s"}, s.channels);
  for (std::size_t h = 0; h < hadrons.size(); ++h) {
    const bool scalar = hadrons[h].channel == "pion_scalar";
    const auto &f = flavours[hadrons[h].first], &g = flavours[hadrons[h].second];
    std::vector<Complex> expected(static_cast<std::size_t>(size[3]));
    for (int colour = 0; colour < 3; ++colour) {
      const auto one = solved(f, 1, colour), other = solved(g, scalar ? -1 : 1, colour);
      for (int n = 0; n < links.volume(); ++n) {
        const auto x = links.site(n);
        for (std::size_t c = 0; c < 3; ++c) {
          const auto k = 3 * std::size_t(n) + c;
          expected[std::size_t((x[3] - x0[3] + size[3]) % size[3])] +=
              (scalar && parity(x) ? -1.0 : 1.0) * std::conj(one[k]) * other[k];
        }
      }
    }
    for (std::size_t t = 0; t < expected.size(); ++t)
      EXPECT_LT(std::abs(m.at(h)[t] - expected[t]), 1e-11 * largest(expected))
          << hadrons[h].flavours << " " << hadrons[h].channel << " " << t;
  }
  s.channels = {"rho_tensor"};
  EXPECT_THROW(require_valid(s, size), InputError);
}

TEST(StaggeredWalls, WallsOfEvenAndOddSitesAreThoseOfADenseMatrix) {
  expect_walls_of_even_and_odd_sites(
      {4, 2, 2, 4}, {}, {{.name = "u", .mass = 0.2, .phases = {.imaginary_mu = 0.4}}, {.name = "s", .mass = 0.5}});
  const std::vector<QuarkFlavour> not_turned{{.name = "u", .mass = 0.2}, {.name = "s", .mass = 0.5}};
  expect_walls_of_even_and_odd_sites({2, 2, 2, 6}, test::open_boundary, not_turned);
  expect_walls_of_even_and_odd_sites({2, 2, 2, 6}, test::schroedinger_functional(4), not_turned);
}

// The mean over many vectors is that of the point sources at the sites of the wall; each pull is below 4.5 (for
// forty of them, one in 3000 tests would fail by chance, but the noise is always the same).
void expect_mean_of_points(const Coordinate& size, const gauge::Boundary& boundary,
                           const std::vector<StaggeredSource>& kinds) {
  constexpr int W = 1;
  const auto u = test::from_reference<double, W>(test::with_boundary(reference::hot_configuration(size, 6), boundary));
  const std::vector<QuarkFlavour> flavours{{.name = "q", .mass = 0.4, .phases = {.boundary = boundary}}};
  const auto slices = dirac::staggered_slices(boundary, size);
  const auto times = std::size_t(size[3]);
  auto s = selection();
  s.channels = {"pion", "pion_scalar", "rho_tensor", "rho_axial"};
  s.positions = {{0, 1, 0, 1}, {2, 1, 0, 1}};  // the corners of the wall
  const auto points = measure_staggered_hadrons(s, flavours, no_smearing, 0, 0, u);
  s.positions = {{0, 1, 0, 1}};
  s.noise_vectors = 8;
  s.inverse.residual = 1e-8;
  for (const auto kind : kinds) {
    s.source = kind;
    std::vector<std::vector<double>> found(4 * times);
    for (std::uint32_t n = 0; n < 60; ++n) {
      const auto m = measure_staggered_hadrons(s, flavours, no_smearing, 17, n, u);
      for (std::size_t i = 0; i < found.size(); ++i) found[i].push_back(m.correlators[i].real());
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      double mean = 0, square = 0;
      for (const double value : found[i]) mean += value / 60;
      for (const double value : found[i]) square += (value - mean) * (value - mean);
      const double error = std::sqrt(square / (60 * 59));
      const double wanted = 0.5 * (points.at(i / times)[i % times] + points.at(i / times)[times + i % times]).real();
      if (!slices.contain((1 + int(i % times)) % size[3])) {
        EXPECT_EQ(mean, 0) << i;
        EXPECT_EQ(wanted, 0) << i;
        continue;
      }
      EXPECT_LT(std::abs(mean - wanted), 4.5 * error) << i;
      EXPECT_LT(error, 0.1 * points.at(i / times)[0].real()) << i;
    }
  }
}

TEST(StaggeredWalls, NoiseEstimatesTheMeanOfPoints) {
  expect_mean_of_points({4, 2, 2, 4}, {},
                        {StaggeredSource::z2_wall, StaggeredSource::z4_wall, StaggeredSource::u1_wall});
  expect_mean_of_points({4, 2, 2, 6}, test::open_boundary, {StaggeredSource::z2_wall});
  expect_mean_of_points({4, 2, 2, 6}, test::schroedinger_functional(4), {StaggeredSource::z4_wall});
}

}  // namespace
}  // namespace trellis::measure
