// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/quark_observables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "reference/read_files.hpp"
#include "reference/staggered_matrix.hpp"
#include "reference/staggered_observables.hpp"
#include "reference/stout.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::measure {
namespace {

using reference::Complex;
constexpr Coordinate small{2, 2, 2, 4};
constexpr dirac::LinkPhases periodic{.antiperiodic_time = false};
constexpr dirac::LinkPhases turned{.imaginary_mu = 0.4, .quanta = {0, 0, 0, 1, 0, 2}};
const reference::QuarkPhases turned_reference{.imaginary_potential = 0.4, .charge = 1, .flux = {.bx = 1, .bz = 2}};

QuarkSelection everything(int noise_vectors = 4, double residual = 1e-12) {
  return {.quark_number = true,
          .susceptibilities = true,
          .planes = {5},
          .noise_vectors = noise_vectors,
          .inverse = {.residual = residual}};
}

// All unit vectors in turn: source number 3 site + colour.
template <int W>
QuarkSource<W> unit_sources(const Lattice& lattice) {
  return [lattice](int first, const FullVectors<double, W>& b) {
    for (int n = 0; n < b.count(); ++n) {
      const Coordinate x = lattice.coordinate((first + n) / 3);
      std::array<double, 6> values{};
      values[2 * std::size_t((first + n) % 3)] = 1;
      b.part[test::parity_of(x)].set(x, values, n);
    }
  };
}

// A complete set of unit sources makes the traces exact.
TEST(QuarkObservables, UnitSourcesGiveTheExactTraces) {
  for (const Coordinate& size : {small, Coordinate{4, 2, 2, 2}}) {
    const auto u = reference::hot_configuration(size, 5);
    const auto exact = reference::exact_traces(u, turned_reference, 0.2);
    const auto per_flavour = [&](Complex trace) { return reference::per_flavour(trace, 3, size); };
    test::for_each_lane_count(size, [&]<int W>() {
      const auto links = test::from_reference<double, W>(u);
      const auto estimates =
          quark_estimates<W>(everything(4, 1e-13), {.name = "q", .mass = 0.2, .tastes = 3, .phases = turned},
                             dirac::StaggeredLinks<double, W>(links), 3 * u.volume(), unit_sources<W>(links.lattice()));
      QuarkEstimate sum;
      for (const auto& e : estimates) {
        sum.condensate += e.condensate;
        sum.quark_number += e.quark_number;
        sum.second_derivative += e.second_derivative;
        sum.bubble += e.bubble;
        sum.magnetisation[5] += e.magnetisation[5];
        EXPECT_LE(e.residual, 1e-13);
        EXPECT_GT(e.iterations, 0);
      }
      EXPECT_LT(std::abs(sum.condensate - per_flavour(exact.inverse)), 1e-10);
      EXPECT_LT(std::abs(sum.quark_number - per_flavour(exact.first)), 1e-10);
      EXPECT_LT(std::abs(sum.second_derivative - per_flavour(exact.second)), 1e-10);
      EXPECT_LT(std::abs(sum.bubble - per_flavour(exact.first_squared)), 1e-10);
      EXPECT_LT(std::abs(sum.magnetisation[5] - per_flavour(exact.magnetic)), 1e-10);
      EXPECT_LT(std::abs(sum.quark_number.real()), 1e-10);  // on every configuration
      EXPECT_GT(std::abs(sum.quark_number.imag()), 1e-4);
    });
  }
}

TEST(QuarkObservables, ExactTracesNeedNoNoise) {
  const auto u = reference::hot_configuration(small, 5);
  const auto exact = reference::exact_traces(u, turned_reference, 0.2);
  const auto per_flavour = [&](Complex trace) { return reference::per_flavour(trace, 3, small); };
  auto selection = everything(1, 1e-13);
  selection.exact = true;
  const std::vector<QuarkFlavour> flavours{{.name = "q", .mass = 0.2, .tastes = 3, .phases = turned},
                                           {.name = "h", .mass = 0.5, .tastes = 1, .phases = periodic}};
  test::for_each_lane_count(small, [&]<int W>() {
    const auto m = measure_quarks(selection, flavours, {}, 1, 1, test::from_reference<double, W>(u));
    ASSERT_EQ(m.flavours.size(), 2u);
    const auto& q = m.flavours[0];
    ASSERT_EQ(q.estimates.size(), 1u);
    const double volume = 2 * 2 * 2 * 4;
    const double condensate = per_flavour(exact.inverse).real(), number = per_flavour(exact.first).imag();
    EXPECT_NEAR(q.mean.condensate.real(), condensate, 1e-10);
    EXPECT_NEAR(q.mean.quark_number.imag(), number, 1e-10);
    EXPECT_LT(std::abs(q.mean.magnetisation[5] - per_flavour(exact.magnetic)), 1e-10);
    EXPECT_NEAR(q.connected, (per_flavour(exact.second) - per_flavour(exact.first_squared)).real(), 1e-10);
    EXPECT_NEAR(q.chiral_disconnected.value(), volume * condensate * condensate, 1e-9);
    EXPECT_NEAR(q.disconnected.value(), -volume * number * number, 1e-9);
    EXPECT_NEAR(m.mixed[0].chiral, volume * condensate * m.flavours[1].mean.condensate.real(), 1e-9);
  });
  const auto large = GaugeField<double, 1>::unit(Lattice({32, 16, 16, 16}));
  EXPECT_THROW(measure_quarks(selection, flavours, {}, 1, 1, large), InputError);
}

// The trace of the inverse over the sites with quarks, from the dense matrix; and noise, where heavy quarks leave none
// of the estimate's variance: 3 N_t / 4 m, whatever the number of sites.
TEST(QuarkObservables, CondensatesWithBoundariesInTime) {
  constexpr int W = 1;
  const reference::Site size{2, 4, 2, 6};
  for (const auto& [boundary, first, last] :
       {std::tuple{test::open_boundary, 0, 5}, {test::schroedinger_functional(4), 1, 3}}) {
    const auto u = test::with_boundary(reference::hot_configuration(size, 7), boundary);
    const auto inverse = reference::inverse(
        reference::staggered_matrix(test::staggered_hops(u, boundary), test::reference_phases({}, size), 0.2));
    double trace = 0;
    for (int k = 0; k < 3 * u.volume(); ++k)
      if (const int t = u.site(k / 3)[3]; first <= t && t <= last) trace += inverse(k, k).real();
    const double sites = 16 * (last - first + 1);
    const auto links = test::from_reference<double, W>(u);
    const QuarkFlavour flavour{.name = "q", .mass = 0.2, .tastes = 3, .phases = {.boundary = boundary}};
    Complex sum = 0;
    const auto all = unit_sources<W>(links.lattice());
    const int begin = 3 * 16 * first, count = 3 * 16 * (last - first + 1);
    for (const auto& e :
         quark_estimates<W>({.inverse = {.residual = 1e-13}}, flavour, dirac::StaggeredLinks<double, W>(links), count,
                            [&](int from, const auto& b) { all(begin + from, b); }))
      sum += e.condensate;
    EXPECT_NEAR(sum.real(), 0.75 * trace / sites, 1e-11);
    gauge::SmearingParameters thin;
    thin.boundary = boundary;
    const auto exact = measure_quarks<W>({.exact = true, .inverse = {.residual = 1e-13}}, {flavour}, thin, 1, 2, links);
    EXPECT_NEAR(exact.flavours[0].mean.condensate.real(), 0.75 * trace / sites, 1e-11);
    auto heavy = flavour;
    heavy.mass = 1e5;
    gauge::SmearingParameters smearing = gauge::stout_smearing(0.1, 1);
    smearing.boundary = boundary;
    const auto m = measure_quarks<W>({.noise_vectors = 2}, {heavy}, smearing, 1, 2, links);
    EXPECT_NEAR(m.flavours[0].mean.condensate.real() * 1e5, 0.75 * 3, 1e-8);
    EXPECT_NEAR(*m.flavours[0].chiral_disconnected * 1e10 / sites, 0.75 * 3 * 0.75 * 3, 1e-8);
  }
}

// Without links all sites and colours are equivalent: one point source is enough.
double free_condensate(const Coordinate& size, bool antiperiodic, double mass) {
  constexpr int W = 1;
  const Lattice lattice(size, W);
  const dirac::StaggeredLinks<double, W> links(GaugeField<double, W>::unit(lattice));
  double sum = 0;
  for (const auto& e :
       quark_estimates<W>({.inverse = {.residual = 1e-13}},
                          {.name = "free", .mass = mass, .tastes = 4, .phases = {.antiperiodic_time = antiperiodic}},
                          links, 3, unit_sources<W>(lattice)))
    sum += e.condensate.real() * double(lattice.volume());
  return sum;
}

TEST(QuarkObservables, FreeCondensates) {
  EXPECT_NEAR(free_condensate({4, 4, 4, 4}, false, 0.1), 2.034820328992, 2e-12);
  EXPECT_NEAR(free_condensate({4, 4, 4, 4}, true, 0.1), 0.203537200838, 1e-12);
  EXPECT_NEAR(free_condensate({4, 4, 4, 8}, true, 0.05), 0.141869242020, 1e-12);
  EXPECT_NEAR(free_condensate({8, 8, 8, 8}, true, 0.025), 0.047081663289, 1e-12);
}

// <1| M^-1 |1> / (2 V), m = 0.1: two tastes.
template <int W>
Complex with_constant_source(const GaugeField<double, W>& u, const dirac::LinkPhases& phases) {
  return quark_estimates<W>({.inverse = {.residual = 1e-13}}, {.name = "q", .mass = 0.1, .tastes = 2, .phases = phases},
                            dirac::StaggeredLinks<double, W>(u), 1,
                            [&](int, const FullVectors<double, W>& b) {
                              const auto ones = reference::constant_field(u.lattice().size(), 1.0);
                              for (const auto& part : b.part) test::from_reference(ones, part);
                            })
      .front()
      .condensate;
}

TEST(QuarkObservables, ConstantSourceOnUnitLinks) {
  const auto u = GaugeField<double, test::wide>::unit(Lattice({4, 4, 4, 4}, test::wide));
  EXPECT_LT(std::abs(with_constant_source(u, periodic) - 15.0), 1e-10);
  EXPECT_LT(std::abs(with_constant_source(u, {.antiperiodic_time = false, .imaginary_mu = 1}) - 0.294117647058825),
            1e-13);
  // m / (m^2 + sin^2(pi angle_y / L) + sin^2(pi angle_z / L)) of both tastes.
  EXPECT_LT(std::abs(with_constant_source(u, {.antiperiodic_time = false, .space_angles_over_pi = {0, 1, -1}}) -
                     0.15 / (0.01 + 0.5 + 0.5)),
            1e-13);
}

// m sum_t C_pi(t) = Re tr M^-1(0, 0), C_pi the sum over space and colours of |M^-1(x, 0)|^2.
struct WardIdentity {
  double pion = 0, propagator = 0;  // left-hand and right-hand side
};
template <int W>
WardIdentity ward_identity(const GaugeField<double, W>& u, double mass) {
  const dirac::StaggeredOperator<double, W> d(dirac::StaggeredLinks<double, W>(u), periodic, mass);
  const FullVectors<double, W> b(u.lattice(), 3), x = b.like();
  unit_sources<W>(u.lattice())(0, b);
  staggered_inverse(d, b, x, {.residual = 1e-13}, "a point source");
  WardIdentity sides;
  for (const double norm : norms2(x)) sides.pion += mass * norm;
  for (const auto& product : products(b, x)) sides.propagator += product.real();
  return sides;
}

TEST(QuarkObservables, WardIdentity) {
  const auto u = reference::read_milc(std::string(TRELLIS_TEST_DATA) + "/milc/lat.sample.l4444");
  const auto found = ward_identity(test::from_reference<double, test::wide>(u), 0.1);
  EXPECT_NEAR(found.pion, found.propagator, 1e-7 * found.propagator);  // the file's links are in single precision
  const auto exact = reference::point_source(u, reference::link_phases(u.size, {.antiperiodic = false}), 0.1);
  EXPECT_NEAR(found.propagator, exact.propagator.real(), 1e-6);
}

// Numbers of another program for a file that is not shipped, with links in double precision.
TEST(QuarkObservables, NumbersOfAnotherProgramWhereItsFileIs) {
  const char* folder = std::getenv("TRELLIS_SHARED_DATA");
  if (folder == nullptr) GTEST_SKIP() << "TRELLIS_SHARED_DATA is not set";
  constexpr int W = test::wide;
  const auto u = io::load_gauge_field<double, W>(std::string(folder) + "/cl2qcd/conf.00200");
  const Complex constant = with_constant_source(u, periodic);
  EXPECT_NEAR(constant.real(), 0.203440397072967794, 1e-13);
  EXPECT_NEAR(constant.imag(), -0.00655061784868673, 1e-13);
  const auto sides = ward_identity(u, 0.1);
  EXPECT_NEAR(sides.pion, 0.51790221756, 1e-11);
  EXPECT_NEAR(sides.propagator, 0.51790221756, 1e-11);
  Complex trace = 0;  // tr M^-1 / (2 V), from every unit vector
  for (const auto& e : quark_estimates<W>(
           {.inverse = {.residual = 1e-12}}, {.name = "q", .mass = 0.1, .tastes = 2, .phases = periodic},
           dirac::StaggeredLinks<double, W>(u), int(3 * u.lattice().volume()), unit_sources<W>(u.lattice())))
    trace += e.condensate;
  EXPECT_NEAR(trace.real(), 0.2187280424, 1e-10);
}

TEST(QuarkObservables, TheResidualOfTheWholeEquationIsReached) {
  constexpr int W = 1;
  const auto u = reference::hot_configuration(small, 2);
  const auto theta = test::reference_phases(turned, small);
  const auto links = test::from_reference<double, W>(u);
  const FullVectors<double, W> b(links.lattice(), 2), x = b.like();
  for (const double mass : {0.01, 1.0})
    for (const double residual : {1e-4, 1e-10}) {
      draw_noise({1, 2, noise_purpose}, 0, b);
      b.part[1].set_zero();
      const dirac::StaggeredOperator<double, W> d(dirac::StaggeredLinks<double, W>(links), turned, mass);
      const auto report = staggered_inverse(d, b, x, {.residual = residual}, "noise");
      for (int n = 0; n < 2; ++n) {
        const auto source = test::to_reference(b.part[0], n) + test::to_reference(b.part[1], n);
        const auto solution = test::to_reference(x.part[0], n) + test::to_reference(x.part[1], n);
        const double distance =
            reference::norm(source - reference::apply_m(u, theta, mass, solution)) / reference::norm(source);
        EXPECT_LE(distance, residual);
        EXPECT_NEAR(report.residuals[std::size_t(n)], distance, 1e-2 * residual);
      }
    }
  const dirac::StaggeredOperator<double, W> d(dirac::StaggeredLinks<double, W>(links), turned, 0.01);
  EXPECT_THROW(staggered_inverse(d, b, x, {.residual = 1e-10, .max_iterations = 2}, "noise"), Error);
  const dirac::StaggeredOperator<double, W> massless(dirac::StaggeredLinks<double, W>(links), turned, 0);
  EXPECT_THROW(staggered_inverse(massless, b, x, {}, "noise"), InputError);
}

TEST(QuarkObservables, NoiseIsZ2TimesZ2) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const FullVectors<double, W> eta(lattice, 3), other = eta.like();
  draw_noise({1, 2, noise_purpose}, 5, eta);
  draw_noise({1, 2, noise_purpose}, 6, other);
  const double volume = double(lattice.volume());
  for (const double norm : norms2(eta)) EXPECT_NEAR(norm, 3 * volume, 1e-9);
  std::map<std::pair<double, double>, int> seen;
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    const auto values = eta.part[test::parity_of(x)].at(x, 1);
    for (std::size_t c = 0; c < 3; ++c) ++seen[{values[2 * c], values[2 * c + 1]}];
    EXPECT_EQ(values, other.part[test::parity_of(x)].at(x, 0));  // depends on the vector's number, not its place
  }
  ASSERT_EQ(seen.size(), 4u);
  for (const auto& [value, count] : seen) EXPECT_NEAR(count, 3 * volume / 4, 5 * std::sqrt(3 * volume * 3 / 16));
  EXPECT_LT(std::abs(products(eta, other)[0]), 5 * std::sqrt(3 * volume));
}

struct Moments {
  double mean = 0, variance = 0, error = 0;
};
Moments moments(const std::vector<double>& values) {
  Moments m;
  const double n = double(values.size());
  for (const double v : values) m.mean += v / n;
  for (const double v : values) m.variance += (v - m.mean) * (v - m.mean) / (n - 1);
  m.error = std::sqrt(m.variance / n);
  return m;
}

// Many solutions on a small lattice: several threads would only wait for each other.
struct OneThread {
  int before = concurrency();
  OneThread() { set_thread_count(1); }
  ~OneThread() { set_thread_count(before); }
};

// The variance of eta^dagger A eta for Hermitian A.
double noise_variance(const reference::DenseMatrix& a) {
  double sum = 0;
  for (int i = 0; i < a.n; ++i)
    for (int j = 0; j < a.n; ++j)
      if (i != j) sum += std::norm(a(i, j));
  return sum;
}

TEST(QuarkObservables, NoiseAveragesToTheExactTracesWithTheRightVariance) {
  constexpr int W = 1;
  constexpr int count = 1000;
  const OneThread one;
  const auto u = reference::hot_configuration(small, 8);
  const double mass = 0.3, factor = 2.0 / 4 / double(u.volume());
  const auto exact = reference::exact_traces(u, turned_reference, mass);
  const auto theta = test::reference_phases(turned, small);
  const auto inverse = reference::inverse(reference::staggered_matrix(u, theta, mass));
  const auto first = reference::hop_matrix(u, theta, reference::weights_of_first_derivative(small)) * inverse;

  const auto m =
      measure_quarks<W>(everything(count, 1e-8), {{.name = "q", .mass = mass, .tastes = 2, .phases = turned}}, {}, 17,
                        3, test::from_reference<double, W>(u));
  const auto& q = m.flavours.at(0);
  std::vector<double> condensate, number, connected, magnetisation;
  for (const auto& e : q.estimates) {
    condensate.push_back(e.condensate.real());
    number.push_back(e.quark_number.imag());
    connected.push_back((e.second_derivative - e.bubble).real());
    magnetisation.push_back(e.magnetisation[5].real());
  }
  const auto expect = [&](const std::vector<double>& values, double mean, double measured) {
    const auto of = moments(values);
    EXPECT_NEAR(of.mean, mean, 4 * of.error);
    EXPECT_NEAR(of.mean, measured, 1e-12);
  };
  expect(condensate, factor * exact.inverse.real(), q.mean.condensate.real());
  expect(number, factor * exact.first.imag(), q.mean.quark_number.imag());
  expect(connected, factor * (exact.second - exact.first_squared).real(), q.connected);
  expect(magnetisation, factor * exact.magnetic.real(), q.mean.magnetisation[5].real());

  // The variance of the variance of n nearly normal numbers is 2 / n times its square.
  const double within = 4 * std::sqrt(2.0 / count) * 1.5;
  const double of_condensate = factor * factor * noise_variance(Complex(0.5) * (inverse + reference::adjoint(inverse)));
  EXPECT_NEAR(moments(condensate).variance / of_condensate, 1, within);
  const double of_number = factor * factor * noise_variance(Complex(0, -0.5) * (first - reference::adjoint(first)));
  EXPECT_NEAR(moments(number).variance / of_number, 1, within);
}

// With two noise vectors: averaged over many draws, the products of different vectors give the square of the trace,
// whereas the square of the mean does not.
TEST(QuarkObservables, DisconnectedProductsAreUnbiased) {
  constexpr int W = 1;
  constexpr int draws = 300;
  const OneThread one;
  const auto u = reference::hot_configuration(small, 8);
  const auto links = test::from_reference<double, W>(u);
  const double mass = 0.3, volume = double(u.volume());
  const dirac::LinkPhases other{.antiperiodic_time = false, .imaginary_mu = -0.2};
  const std::vector<QuarkFlavour> flavours{{.name = "a", .mass = mass, .tastes = 2, .phases = turned},
                                           {.name = "b", .mass = mass, .tastes = 1, .phases = other}};
  const auto a = reference::exact_traces(u, turned_reference, mass);
  const auto b = reference::exact_traces(u, {.antiperiodic = false, .imaginary_potential = -0.2}, mass);
  const Complex number_a = reference::per_flavour(a.first, 2, small),
                number_b = reference::per_flavour(b.first, 1, small);
  const double c_a = reference::per_flavour(a.inverse, 2, small).real(),
               c_b = reference::per_flavour(b.inverse, 1, small).real();

  std::vector<double> number, number_biased, chiral, mixed, mixed_chiral;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    const auto m = measure_quarks<W>({.quark_number = true, .noise_vectors = 2, .inverse = {.residual = 1e-6}},
                                     flavours, {}, 5, draw, links);
    const auto& q = m.flavours[0];
    number.push_back(*q.disconnected);
    number_biased.push_back(-volume * std::pow(q.mean.quark_number.imag(), 2));
    chiral.push_back(*q.chiral_disconnected);
    ASSERT_EQ(m.mixed.size(), 1u);
    mixed.push_back(m.mixed[0].disconnected);
    mixed_chiral.push_back(m.mixed[0].chiral);
  }
  const auto expect = [](const std::vector<double>& values, double exact) {
    EXPECT_NEAR(moments(values).mean, exact, 4 * moments(values).error);
  };
  expect(number, (volume * number_a * number_a).real());
  expect(chiral, volume * c_a * c_a);
  expect(mixed, (volume * number_a * number_b).real());
  expect(mixed_chiral, volume * c_a * c_b);
  const auto biased = [](const std::vector<double>& values, double exact) {
    return std::abs(moments(values).mean - exact) / moments(values).error;
  };
  EXPECT_GT(biased(number_biased, (volume * number_a * number_a).real()), 8);
}

TEST(QuarkObservables, SeesTheSmearedLinksAndLeavesTheLinks) {
  constexpr int W = 1;
  const auto u = reference::hot_configuration(small, 4);
  const auto links = test::from_reference<double, W>(u);
  const std::vector<QuarkFlavour> flavours{{.name = "q", .mass = 0.5, .tastes = 1, .phases = turned}};
  const auto thin = measure_quarks<W>(everything(), flavours, {}, 1, 1, links);
  const auto smeared = measure_quarks<W>(everything(), flavours, gauge::stout_smearing(0.1, 2), 1, 1, links);
  const auto by_hand =
      measure_quarks<W>(everything(), flavours, {}, 1, 1, test::from_reference<double, W>(reference::stout(u, 0.1, 2)));
  EXPECT_NE(thin.flavours[0].mean.condensate, smeared.flavours[0].mean.condensate);
  EXPECT_NEAR(smeared.flavours[0].mean.condensate.real(), by_hand.flavours[0].mean.condensate.real(), 1e-11);
  EXPECT_EQ(test::distance(test::to_reference(links), u), 0);
}

std::vector<double> numbers(const QuarkMeasurement& m) {
  std::vector<double> all;
  for (const auto& f : m.flavours) {
    for (const auto& e : f.estimates)
      for (const auto& v : {e.condensate, e.quark_number, e.second_derivative, e.bubble, e.magnetisation[5]}) {
        all.push_back(v.real());
        all.push_back(v.imag());
      }
    all.insert(all.end(), {f.connected, *f.disconnected, *f.chiral_disconnected});
  }
  for (const auto& pair : m.mixed) all.insert(all.end(), {pair.disconnected, pair.chiral});
  return all;
}

TEST(QuarkObservables, SameBitsForAllLanesThreadsAndBatches) {
  const Coordinate size{4, 4, 4, 4};
  const auto u = reference::hot_configuration(size, 4);
  const std::vector<QuarkFlavour> flavours{{.name = "a", .mass = 0.5, .tastes = 1, .phases = turned},
                                           {.name = "b", .mass = 0.8, .tastes = 2, .phases = periodic}};
  const auto result = [&]<int W>(int batch) {
    auto selection = everything(3, 1e-6);
    selection.batch = batch;
    return numbers(measure_quarks<W>(selection, flavours, gauge::stout_smearing(0.1, 1), 9, 7,
                                     test::from_reference<double, W>(u)));
  };
  const auto expected = result.template operator()<1>(8);
  const int threads = concurrency();
  test::for_each_lane_count(size, [&]<int W>() {
    for (const int count : {1, 2}) {
      set_thread_count(count);
      EXPECT_EQ(result.template operator()<W>(count == 1 ? 2 : 8), expected) << W;
    }
  });
  set_thread_count(threads);
}

TEST(QuarkObservables, WhatMakesNoSenseIsRefused) {
  const auto u = test::from_reference<double, 1>(reference::hot_configuration(small, 4));
  const auto measured = [&](const QuarkSelection& selection, const QuarkFlavour& flavour) {
    return measure_quarks<1>(selection, {flavour}, {}, 1, 1, u);
  };
  const QuarkFlavour good{.name = "q", .mass = 0.5, .tastes = 1, .phases = {}};
  EXPECT_THROW(measured(everything(1), good), InputError);
  EXPECT_THROW(measured(everything(0), good), InputError);
  EXPECT_THROW(measured(everything(), {.name = "q", .mass = 0, .tastes = 1, .phases = {}}), InputError);
  EXPECT_THROW(measured(everything(), {.name = "q", .mass = 1, .tastes = 0, .phases = {}}), InputError);
  EXPECT_THROW(measured({.inverse = {.residual = 1e-10, .max_iterations = 1}}, good), Error);
  const auto one = measured({.quark_number = true, .noise_vectors = 1}, good);
  EXPECT_FALSE(one.flavours[0].disconnected || one.flavours[0].chiral_disconnected);
}

TEST(QuarkObservables, MagnetisedPlanes) {
  EXPECT_EQ(magnetised_planes({{.name = "q", .mass = 1, .tastes = 1, .phases = periodic}}), std::vector<int>{5});
  EXPECT_EQ(magnetised_planes({{.name = "q", .mass = 1, .tastes = 1, .phases = periodic},
                               {.name = "r", .mass = 1, .tastes = 1, .phases = turned}}),
            (std::vector<int>{3, 5}));
}

}  // namespace
}  // namespace trellis::measure
