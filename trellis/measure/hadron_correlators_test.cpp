// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Contractions against the oracle's dense matrices, on random propagators.
#include "trellis/measure/hadron_correlators.hpp"

#include <gtest/gtest.h>

#include "reference/hadrons.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_propagators.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;

reference::Propagator random_propagator(const reference::Site& size, std::uint64_t seed) {
  return reference::from_columns(
      size, [&](int k) { return reference::random_spinors(size, seed + static_cast<std::uint64_t>(k)); });
}

// By name, from the oracle.
reference::Correlator expected(const std::string& name, const reference::Site& size, const reference::Propagator& s,
                               const Momentum& n) {
  if (name == "proton") return reference::proton_correlator(size, s, s, 1, n);
  if (name == "proton_negative") {
    auto c = reference::proton_correlator(size, s, s, -1, n);
    for (auto& value : c) value = -value;
    return c;
  }
  if (name == "pion") return expected("pseudoscalar", size, s, n);
  if (name == "rho") {
    auto sum = expected("vector_x", size, s, n);
    for (const auto* part : {"vector_y", "vector_z"}) {
      const auto c = expected(part, size, s, n);
      for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += c[t];
    }
    for (auto& value : sum) value /= 3.0;
    return sum;
  }
  const auto gammas = reference::sixteen_gammas();
  std::size_t k = 0;
  while (meson_channels()[k].name != name) ++k;
  const auto& gamma = gammas[k].matrix;
  auto c = reference::meson_correlator(size, s, s, gamma, gamma, n);
  for (auto& value : c) value *= reference::meson_sign(gamma);
  return c;
}

TEST(HadronCorrelators, TheSixteenGammas) {
  const auto gammas = reference::sixteen_gammas();
  ASSERT_EQ(meson_channels().size(), 16U);
  const Complex powers[] = {1.0, {0, 1}, -1.0, {0, -1}};
  for (std::size_t k = 0; k < 16; ++k) {
    reference::SpinMatrix gamma{};
    const auto& sparse = meson_channels()[k].gamma;
    for (int s = 0; s < 4; ++s) gamma(s, s ^ sparse.flip) = powers[sparse.phase[std::size_t(s)]];
    EXPECT_LT(reference::distance(gamma, gammas[k].matrix), 1e-15) << meson_channels()[k].name << gammas[k].name;
  }
}

TEST(HadronCorrelators, AllChannelsAreTheFormula) {
  const reference::Site size{2, 2, 4, 8};
  const auto s = random_propagator(size, 17);
  const Coordinate source{1, 0, 3, 3};
  const std::array<double, 4> angle{0, 0, 0, 0.37};
  const auto seen = reference::seen_from_source(size, s, source, angle);
  const std::vector<Momentum> momenta{{0, 0, 0}, {1, 0, 0}, {0, -1, 2}};
  const auto& names = hadron_names();
  std::vector<std::vector<Complex>> first;
  test::for_each_lane_count(size, [&]<int W>() {
    const auto found = hadron_correlators(test::propagator_from_reference<W>(size, s), names,
                                          {.source = source, .momenta = momenta, .boundary_angle_over_pi = angle});
    if (first.empty()) {
      first = found;
      ASSERT_EQ(found.size(), names.size());
      for (std::size_t k = 0; k < names.size(); ++k)
        for (std::size_t p = 0; p < momenta.size(); ++p) {
          const auto c = expected(names[k], size, seen, momenta[p]);
          double scale = 0;
          for (const auto& value : c) scale = std::max(scale, std::abs(value));
          for (std::size_t t = 0; t < 8; ++t)
            EXPECT_LT(std::abs(found[k][8 * p + t] - c[t]), 1e-13 * scale) << names[k] << " " << p << " " << t;
        }
    }
    EXPECT_TRUE(found == first) << W << " lanes have other bits";
  });
}

TEST(HadronCorrelators, OneChannelIsThatOfAll) {
  const reference::Site size{4, 4, 2, 4};
  const auto s = test::propagator_from_reference<1>(size, random_propagator(size, 5));
  const auto all = hadron_correlators<1>(s, hadron_names(), {});
  for (std::size_t k = 0; k < hadron_names().size(); ++k) {
    const std::vector<std::string> one{hadron_names()[k]};
    EXPECT_EQ(hadron_correlators<1>(s, one, {})[0], all[k]) << one[0];
  }
  const std::vector<std::string> wrong{"pions"};
  EXPECT_THROW(hadron_correlators<1>(s, wrong, {}), InputError);
  EXPECT_THROW(hadron_correlators<1>(FullSpinors<double, 1>(s.lattice(), 11), hadron_names(), {}), Error);
}

// A twist in space shifts momenta: a plane wave with an allowed momentum, which picks up exp(i pi w) around the
// lattice, contributes only at its momentum, wherever the origin is.
TEST(TimeSlices, TwistedMomenta) {
  const Coordinate size{4, 4, 2, 4};
  const Lattice lattice(size);
  const std::array<double, 4> w{0.5, -0.25, 0, 1};
  const Momentum n{1, 0, 1};
  const SiteNumbers<1> re(lattice, 1), im(lattice, 1);
  for (const Coordinate origin : {Coordinate{0, 0, 0, 0}, {3, 1, 1, 2}}) {
    for (std::int64_t site = 0; site < lattice.volume(); ++site) {
      const Coordinate x = lattice.coordinate(site);
      double angle = 0;
      for (int i = 0; i < 3; ++i) angle += (2 * n[i] + w[i]) * (x[i] - origin[i]) / size[i];
      if (x[3] < origin[3]) angle -= w[3];
      const Complex wave = std::polar(1.0, std::numbers::pi * angle);
      re.set(x, 0, wave.real());
      im.set(x, 0, wave.imag());
    }
    const SliceParameters p{.origin = origin, .momenta = {{0, 0, 0}, n, {-1, 0, 1}}, .winding_over_pi = w};
    const auto a = time_slice_sums(re, p), b = time_slice_sums(im, p);
    for (std::size_t k = 0; k < 12; ++k)
      EXPECT_LT(std::abs(a[k] + Complex(0, 1) * b[k] - (k / 4 == 1 ? 32.0 : 0.0)), 1e-12) << k;
  }
}

// With quarks on slices 1 to 6 of 8, and sources at t = 1, 3 and 6: averages do not mix what follows a source with what
// precedes another one, nor with slices without quarks.
TEST(TimeSlices, SourcesOfAnAverage) {
  using Places = std::vector<std::size_t>;
  const int times = 8;
  const dirac::QuarkSlices slices{1, 6};
  const std::vector<Coordinate> sources{{0, 0, 0, 1}, {0, 0, 0, 3}, {0, 0, 0, 6}};
  const std::vector<Places> expected{{0, 1, 2}, {0, 1}, {0, 1}, {0, 1}, {0}, {0}, {1, 2}, {1, 2}};
  for (int t = 0; t < times; ++t) {
    EXPECT_EQ(sources_at(t, sources, slices, times), expected[std::size_t(t)]) << t;
    EXPECT_EQ(sources_at(t, sources, {}, times), (Places{0, 1, 2})) << t;
  }
  EXPECT_EQ(sources_at(6, {sources[0]}, slices, times), Places{0});  // no quarks there: 0
}

// A slice keeps its digits, and its bits, beside others that are larger by many orders of magnitude, however lanes are
// cut.
TEST(TimeSlices, SlicesOfVeryDifferentSize) {
  const Coordinate size{4, 4, 4, 16};
  std::vector<Complex> first;
  test::for_each_lane_count(size, [&]<int W>() {
    const Lattice lattice(size, W);
    const SiteNumbers<W> f(lattice, 1);
    std::vector<double> wanted(16);
    for (std::int64_t site = 0; site < lattice.volume(); ++site) {
      const Coordinate x = lattice.coordinate(site);
      const double value = std::ldexp(1.0 + double(site * 37 % 64) / 64, x[3] % 2 == 0 ? 40 - 10 * x[3] : -40 * x[3]);
      f.set(x, 0, value);
      wanted[std::size_t(x[3])] += value;  // exact: few bits, and all values of similar size
    }
    const auto sums = time_slice_sums(f, {});
    for (std::size_t t = 0; t < 16; ++t) EXPECT_EQ(sums[t], wanted[t]) << W << " lanes, t = " << t;
    if (first.empty()) first = sums;
    EXPECT_TRUE(sums == first) << W;
  });
}

}  // namespace
}  // namespace trellis::measure
