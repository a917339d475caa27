// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The staggered operator with fat and long links, and its derivative, against a naive sum.
#include <gtest/gtest.h>

#include <numbers>

#include "reference/staggered.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/naik_links.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_force.hpp"

namespace trellis::dirac {
namespace {

using reference::Complex;
using test::from_reference;
using test::NaikLinks;
using test::to_reference;

constexpr Coordinate small{4, 4, 4, 4};
const LinkPhases plain{};
const LinkPhases periodic{.antiperiodic_time = false};
const LinkPhases everything{.imaginary_mu = 0.37, .quanta = {1, -2, 0, 3, 1, -1}};

double largest(const reference::ColourField& f) {
  double most = 0;
  for (const auto& v : f)
    for (const auto& c : v) most = std::max(most, std::abs(c));
  return most;
}

template <class T, int W>
StaggeredLinks<T, W> packed(const NaikLinks& u, LinkKind kind = LinkKind::fat_and_long, double epsilon = 0) {
  const auto fat = from_reference<arithmetic_t<T>, W>(u.fat);
  const StaggeredLinks<T, W> links(fat.lattice(), kind);
  if (kind == LinkKind::fat)
    links.pack(fat);
  else
    links.pack(fat, from_reference<arithmetic_t<T>, W>(u.three_steps), from_reference<arithmetic_t<T>, W>(u.one_step),
               epsilon);
  return links;
}

// D on vector n of several, from both parities, against the naive sum.
template <class T, int W>
double distance_from_naive(const NaikLinks& u, const LinkPhases& phases, int count,
                           LinkKind kind = LinkKind::fat_and_long) {
  const Coordinate size = u.fat.size;
  const StaggeredOperator<T, W> d(packed<T, W>(u, kind), phases, 0.1);
  const auto theta = test::reference_phases(phases, size);
  double worst = 0;
  for (const int parity : {0, 1}) {
    const ColourVectorField<T, W> in(d.lattice(), parity, count), out(d.lattice(), 1 - parity, count);
    for (int n = 0; n < count; ++n) from_reference(reference::random_field(size, 100 + n), in, n);
    d.hop(in, out);
    for (int n = 0; n < count; ++n) {
      const auto psi = test::restricted(reference::random_field(size, 100 + n), size, parity);
      const auto expected =
          kind == LinkKind::fat ? reference::apply_d(u.fat, theta, psi) : test::naive_naik_d(u, theta, psi);
      worst = std::max(worst, largest(to_reference(out, n) - expected));
    }
  }
  return worst;
}

TEST(StaggeredNaik, AgreesWithTheNaiveSumForEveryPhaseLaneCountAndPrecision) {
  for (const Coordinate& size : {small, Coordinate{4, 2, 6, 8}, Coordinate{2, 2, 2, 2}})
    for (const LinkPhases& phases : {plain, periodic, everything}) {
      const NaikLinks u(size);
      for (const LinkKind kind : {LinkKind::fat, LinkKind::fat_and_long})
        test::for_each_lane_count(size, [&]<int W>() {
          EXPECT_LT((distance_from_naive<double, W>(u, phases, 1, kind)), 2e-14) << W;
          EXPECT_LT((distance_from_naive<float, W>(u, phases, 1, kind)), 1e-5) << W;
        });
    }
}

// Hops that do not exist with boundaries in time have links that are zero in the oracle.
TEST(StaggeredNaik, BoundariesInTimeAgreeWithTheNaiveSum) {
  for (const auto& [boundary, size] : {std::pair{test::open_boundary, Coordinate{4, 2, 4, 8}},
                                       {test::open_boundary, small},
                                       {test::schroedinger_functional(7), Coordinate{4, 2, 4, 8}},
                                       {test::schroedinger_functional(4), Coordinate{4, 2, 4, 6}}})
    for (LinkPhases phases : {plain, LinkPhases{.quanta = {0, 0, 0, 3, 1, -1}}}) {
      const NaikLinks u(size);
      NaikLinks cut = u;
      cut.fat = test::staggered_hops(u.fat, boundary);
      cut.three_steps = test::staggered_hops(u.three_steps, boundary, 3);
      const auto theta = test::reference_phases(phases, size);
      phases.boundary = boundary;
      for (const LinkKind kind : {LinkKind::fat, LinkKind::fat_and_long})
        test::for_each_lane_count(size, [&]<int W>() {
          const StaggeredOperator<double, W> d(packed<double, W>(u, kind), phases, 0.1);
          for (const int parity : {0, 1}) {
            const ColourVectorField<double, W> in(d.lattice(), parity, 3), out(d.lattice(), 1 - parity, 3);
            for (int n = 0; n < 3; ++n) from_reference(reference::random_field(size, 100 + n), in, n);
            d.hop(in, out);
            for (int n = 0; n < 3; ++n) {
              const auto psi = test::restricted(reference::random_field(size, 100 + n), size, parity);
              const auto expected =
                  kind == LinkKind::fat ? reference::apply_d(cut.fat, theta, psi) : test::naive_naik_d(cut, theta, psi);
              EXPECT_LT(largest(to_reference(out, n) - expected), 2e-14) << W;
            }
          }
        });
    }
}

TEST(StaggeredNaik, ManyVectorsAgreeWithTheNaiveSum) {
  const NaikLinks u(small);
  for (const int count : {3, 8, 16})
    for (const LinkPhases& phases : {plain, everything})
      for (const LinkKind kind : {LinkKind::fat, LinkKind::fat_and_long})
        test::for_each_lane_count(small, [&]<int W>() {
          EXPECT_LT((distance_from_naive<double, W>(u, phases, count, kind)), 2e-14) << W;
          EXPECT_LT((distance_from_naive<float, W>(u, phases, count, kind)), 1e-5) << W;
        });
}

// Links in units of the largest of their numbers / 32767, which is below 2 for fat ones; else as for links in SU(3),
// with 16 hops. Long links alone, with units of their own, are far more precise.
TEST(StaggeredNaik, SixteenBitsAgreeWithTheNaiveSumWithinTheirRounding) {
  const NaikLinks u(small);
  for (const int count : {1, 5})
    for (const LinkPhases& phases : {plain, everything})
      test::for_each_lane_count(small, [&]<int W>() {
        for (const LinkKind kind : {LinkKind::fat, LinkKind::fat_and_long}) {
          const double distance = distance_from_naive<Fixed16, W>(u, phases, count, kind);
          EXPECT_LT(distance, 2 * (48 * 0.5 * (4 + 4) * 0x1p-16 + 12 * 0x1p-16)) << W;
          EXPECT_GT(distance, 1e-6) << W;
        }
      });
  NaikLinks long_ones = u;
  for (auto& v : long_ones.fat.links) v = {};
  test::for_each_lane_count(small, [&]<int W>() {
    const double distance = distance_from_naive<Fixed16, W>(long_ones, everything, 1);
    EXPECT_LT(distance, 2 * (24 * 0.5 * (4 + 4) * 0x1p-16 + 12 * 0x1p-16) / 24) << W;
    EXPECT_GT(distance, 1e-7) << W;
  });
}

// Vectors in single precision.
TEST(StaggeredNaik, LinksIn16Bits) {
  const NaikLinks u(small);
  const auto psi = reference::random_field(small, 4);
  const auto even = test::restricted(psi, small, 0);
  for (const LinkPhases& phases : {plain, everything}) {
    const auto theta = test::reference_phases(phases, small);
    const auto exact = Complex(0.09) * even - test::naive_naik_d(u, theta, test::naive_naik_d(u, theta, even));
    const auto result = [&]<int W>(int count) {
      const StaggeredOperator<float, W, Fixed16> a(packed<Fixed16, W>(u), phases, 0.3);
      const ColourVectorField<float, W> in(a.lattice(), 0, count), out = in.like();
      for (int n = 0; n < count; ++n) from_reference(psi, in, n);
      const double product = a(in, out)[std::size_t(count - 1)];
      return std::pair(product, to_reference(out, count - 1));
    };
    const auto found = result.template operator()<1>(1);
    EXPECT_LT(largest(found.second - exact), 2 * 48 * 0.5 * (4 + 20) * 0x1p-16);
    EXPECT_GT(largest(found.second - exact), 3e-6);
    EXPECT_NEAR(found.first / reference::dot(even, exact).real(), 1, 2e-4);
    test::for_each_lane_count(small, [&]<int W>() {
      EXPECT_EQ(result.template operator()<W>(1), found) << W;
      EXPECT_EQ(result.template operator()<W>(3), found) << W;
    });
  }
}

TEST(StaggeredNaik, SameBitsForEveryLaneCountVectorCountThreadCountAndSettings) {
  const Coordinate size{4, 4, 4, 8};
  const NaikLinks u(size);
  const auto psi = reference::random_field(size, 4);
  const auto result = [&]<int W>(int count, const HopSettings& settings = staggered_settings) {
    const StaggeredOperator<double, W> a(packed<double, W>(u).with(settings), everything, 0.3);
    const ColourVectorField<double, W> in(a.lattice(), 0, count), out = in.like();
    for (int n = 0; n < count; ++n) from_reference(psi, in, n);
    const double product = a(in, out)[std::size_t(count - 1)];
    return std::pair(product, to_reference(out, count - 1));
  };
  const auto expected = result.template operator()<1>(1);
  const int threads = concurrency();
  test::for_each_lane_count(size, [&]<int W>() {
    set_thread_count(1);
    EXPECT_EQ(result.template operator()<W>(1), expected) << W;
    set_thread_count(2);
    EXPECT_EQ(result.template operator()<W>(1), expected) << W;
    EXPECT_EQ(result.template operator()<W>(3), expected) << W;
    for (const HopSettings& settings : {HopSettings{{0, 0, 0}, {0, 0, 0}, Stores::streaming, true, 64},
                                        HopSettings{{5, 64, 0}, {64, 1, 0}, Stores::cached, true, 32}}) {
      EXPECT_EQ(result.template operator()<W>(1, settings), expected) << W;
      EXPECT_EQ(result.template operator()<W>(3, settings), expected) << W;
    }
  });
  set_thread_count(threads);
}

// -D_eo D_oe is Hermitian, and <psi, (m^2 - D D) psi> is what the operator says.
TEST(StaggeredNaik, PreconditionedOperatorIsHermitianAndReturnsItsProduct) {
  const NaikLinks u(small);
  const auto theta = test::reference_phases(everything, small);
  test::for_each_lane_count(small, [&]<int W>() {
    const StaggeredOperator<double, W> a(packed<double, W>(u), everything, 0.3);
    for (const int parity : {0, 1}) {
      const ColourVectorField<double, W> in(a.lattice(), parity, 2), out = in.like();
      for (int n = 0; n < 2; ++n) from_reference(reference::random_field(small, 7 + n), in, n);
      const auto products = a(in, out);
      const auto v = to_reference(in, 0), w = to_reference(in, 1);
      const auto av = to_reference(out, 0), aw = to_reference(out, 1);
      EXPECT_NEAR(products[0], reference::dot(v, av).real(), 1e-10);
      EXPECT_LT(std::abs(reference::dot(v, aw) - std::conj(reference::dot(w, av))), 1e-10);
      EXPECT_GT(std::abs(reference::dot(v, aw)), 1);
      const auto expected = Complex(0.09) * v - test::naive_naik_d(u, theta, test::naive_naik_d(u, theta, v));
      EXPECT_LT(largest(av - expected), 1e-13);
    }
  });
}

// Plane waves are eigenvectors of D^2 of free quarks, X = 9/8 and L = -1/24.
TEST(StaggeredNaik, FreeQuarksHaveTheDispersionOfTheNaikTerm) {
  const Coordinate size{8, 4, 8, 4};
  const auto unit = GaugeField<double, 1>::unit(Lattice(size));
  const StaggeredLinks<double, 1> links(unit.lattice(), LinkKind::fat_and_long);
  const auto scaled = [&](double c) {
    const GaugeField<double, 1> u(unit.lattice());
    for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
      for (int mu = 0; mu < 4; ++mu) {
        std::array<double, 18> v{};
        v[0] = v[8] = v[16] = c;
        u.set_link(u.lattice().coordinate(n), mu, v);
      }
    return u;
  };
  links.pack(scaled(9.0 / 8), scaled(-1.0 / 24));
  const StaggeredOperator<double, 1> a(links, periodic, 0);
  const ColourVectorField<double, 1> in(a.lattice(), 0), out = in.like();
  for (const Coordinate& k :
       {Coordinate{0, 0, 0, 0}, Coordinate{1, 0, 0, 0}, Coordinate{2, 1, 2, 1}, Coordinate{3, 0, 1, 2}}) {
    reference::ColourField wave(std::size_t(a.lattice().volume()));
    double eigenvalue = 0;
    for (int mu = 0; mu < 4; ++mu) {
      const double p = 2 * std::numbers::pi * k[mu] / size[mu];
      eigenvalue += std::pow(9.0 / 8 * std::sin(p) - 1.0 / 24 * std::sin(3 * p), 2);
    }
    for (std::int64_t n = 0; n < a.lattice().volume(); ++n) {
      const Coordinate x = a.lattice().coordinate(n);
      double phase = 0;
      for (int mu = 0; mu < 4; ++mu) phase += 2 * std::numbers::pi * k[mu] * x[mu] / size[mu];
      wave[std::size_t(n)] = reference::ColourVector{{std::polar(1.0, phase), 0, std::polar(0.5, phase)}};
    }
    from_reference(wave, in);
    a(in, out);
    EXPECT_LT(largest(to_reference(out) - Complex(eigenvalue) * to_reference(in)), 3e-14);
  }
}

TEST(StaggeredNaik, EpsilonChangesFatAndLongLinks) {
  NaikLinks u(small);
  constexpr double epsilon = -0.231;
  const auto psi = test::restricted(reference::random_field(small, 3), small, 1);
  const auto theta = test::reference_phases(everything, small);
  NaikLinks changed = u;
  for (std::size_t n = 0; n < u.fat.links.size(); ++n)
    for (std::size_t k = 0; k < 9; ++k) {
      changed.fat.links[n][k] += epsilon / 8 * u.one_step.links[n][k];
      changed.three_steps.links[n][k] *= 1 + epsilon;
    }
  test::for_each_lane_count(small, [&]<int W>() {
    const StaggeredOperator<double, W> d(packed<double, W>(u, LinkKind::fat_and_long, epsilon), everything, 0);
    const ColourVectorField<double, W> in(d.lattice(), 1), out(d.lattice(), 0);
    from_reference(psi, in);
    d.hop(in, out);
    EXPECT_LT(largest(to_reference(out) - test::naive_naik_d(changed, theta, psi)), 2e-14);
  });
}

// Coefficients of the eight nearest neighbours leave long links out.
TEST(StaggeredNaik, CoefficientsOfNearestNeighboursLeaveLongLinksOut) {
  const NaikLinks u(small);
  const auto links = packed<double, 1>(u);
  const ColourVectorField<double, 1> in(links.lattice(), 1), out(links.lattice(), 0);
  from_reference(reference::random_field(small, 2), in);
  apply_hops(links, HopTable<double, 1>(links.lattice(), staggered_coefficient(everything, small)), in, out);
  const auto theta = test::reference_phases(everything, small);
  EXPECT_LT(largest(to_reference(out) - reference::apply_d(u.fat, theta, to_reference(in))), 2e-14);
}

TEST(StaggeredNaik, DerivativesOfDInThePotentialAndTheField) {
  const NaikLinks u(small);
  const auto links = packed<double, 1>(u);
  const ColourVectorField<double, 1> in(links.lattice(), 1), out(links.lattice(), 0);
  from_reference(reference::random_field(small, 2), in);
  const auto psi = to_reference(in);
  const auto applied = [&](const HopCoefficient& c) {
    apply_hops(links, HopTable<double, 1>(links.lattice(), c, links.pattern()), in, out);
    return to_reference(out);
  };
  const auto with_mu = [&](double mu) {
    LinkPhases phases = everything;
    phases.imaginary_mu = mu;
    return test::naive_naik_d(u, test::reference_phases(phases, small), psi);
  };
  // theta_t = pi mu / N_t a link, and d/d mu_real = -i d/d theta.
  const double h = 1e-4, theta = std::numbers::pi * h / small[3];
  const Complex i(0, 1);
  const auto first = (-i / (2 * theta)) * (with_mu(0.37 + h) - with_mu(0.37 - h));
  EXPECT_LT(largest(applied(chemical_potential_derivative(everything, small)) - first), 1e-7);
  const auto second =
      Complex(-1 / (theta * theta)) * ((with_mu(0.37 + h) - with_mu(0.37)) - (with_mu(0.37) - with_mu(0.37 - h)));
  EXPECT_LT(largest(applied(chemical_potential_second_derivative(everything, small)) - second), 1e-5);

  const auto with_bz = [&](double bz) {
    LinkPhases rest = everything;
    rest.quanta[5] = 0;
    auto angles = test::reference_phases(rest, small);
    const auto field = reference::external_field(small, 1, {.bz = bz});
    for (std::size_t n = 0; n < angles.size(); ++n) angles[n] += field[n];
    return test::naive_naik_d(u, angles, psi);
  };
  const double b = double(everything.quanta[5]);
  const auto slope = Complex(1 / (2 * h)) * (with_bz(b + h) - with_bz(b - h));
  EXPECT_LT(largest(applied(flux_derivative(everything, 5, small)) - slope), 1e-6);
}

// The energy is quadratic in one link, so central differences in its elements are exact.
TEST(StaggeredNaik, ForceIsTheDerivativeByFatAndByLongLinks) {
  const std::vector<double> weights{0.7, -1.3, 0.2};
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 2, 6}}) {
    const NaikLinks u(size);
    const auto theta = test::reference_phases(everything, size);
    std::vector<reference::ColourField> fields;
    for (int n = 0; n < 3; ++n) fields.push_back(test::restricted(reference::random_field(size, 30 + n), size, 0));
    const auto minus_energy = [&](const NaikLinks& v) {
      double sum = 0;
      for (std::size_t n = 0; n < weights.size(); ++n) {
        const auto y = test::naive_naik_d(v, theta, fields[n]);
        sum -= weights[n] * reference::dot(y, y).real();
      }
      return sum;
    };
    test::for_each_lane_count(size, [&]<int W>() {
      const StaggeredOperator<double, W> d(packed<double, W>(u), everything, 0);
      const HopTable<double, W> table(d.lattice(), staggered_coefficient(everything, size), d.links().pattern());
      const ColourVectorField<double, W> x(d.lattice(), 0, 3), y(d.lattice(), 1, 3);
      for (int n = 0; n < 3; ++n) from_reference(fields[std::size_t(n)], x, n);
      d.hop(x, y);
      const GaugeField<double, W> derivative(d.lattice()), long_derivative(d.lattice());
      add_staggered_derivative(table, weights, x, y, derivative, long_derivative);
      for (const std::int64_t site : {d.lattice().volume() - 2})
        for (int mu = 0; mu < 4; ++mu)
          for (const bool is_long : {false, true}) {
            const auto found = (is_long ? long_derivative : derivative).link(d.lattice().coordinate(site), mu);
            for (const int k : {0, 5}) {
              const auto energy = [&](Complex by) {
                NaikLinks v = u;
                (is_long ? v.three_steps : v.fat).links[std::size_t(4 * site + mu)][std::size_t(k)] += by;
                return minus_energy(v);
              };
              // dS = Re tr(dU G) with dU = h e_ij: Re G_ji; with dU = i h e_ij: -Im G_ji.
              const int i = k / 3, j = k % 3;
              EXPECT_NEAR(found[std::size_t(6 * j + 2 * i)], (energy(0.5) - energy(-0.5)), 5e-10);
              EXPECT_NEAR(-found[std::size_t(6 * j + 2 * i + 1)], (energy({0, 0.5}) - energy({0, -0.5})), 5e-10);
            }
          }
    });
  }
}

TEST(StaggeredNaik, WhatDoesNotFitIsRefused) {
  const Lattice lattice(small), shallow(small, 1, SiteOrder::even_odd, {.ghosts = {0, 0, 0, 1}});
  const auto u = GaugeField<double, 1>::unit(lattice);
  EXPECT_THROW((StaggeredLinks<double, 1>(shallow, LinkKind::fat_and_long)), InputError);
  const StaggeredLinks<double, 1> both(lattice, LinkKind::fat_and_long), fat(lattice, LinkKind::fat), su3(lattice);
  EXPECT_THROW(both.pack(u), Error);
  EXPECT_THROW(fat.pack(u, u), Error);
  EXPECT_THROW(su3.pack(u, u, u, 0.1), Error);
  EXPECT_NO_THROW(both.pack(u, u));
  const GaugeField<double, 1> other(lattice);
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      auto v = u.link(lattice.coordinate(n), mu);
      v[12] += n == 5 && mu == 1 ? 1e-4 : 0;
      other.set_link(lattice.coordinate(n), mu, v);
    }
  EXPECT_NO_THROW(both.pack(other, u));
  EXPECT_THROW(both.pack(u, other), InputError);
  const HopTable<double, 1> table(lattice, staggered_coefficient(plain, small), naik_neighbours),
      nearest(lattice, staggered_coefficient(plain, small));
  const ColourVectorField<double, 1> even(lattice, 0), odd(lattice, 1);
  EXPECT_THROW(apply_hops(su3, table, even, odd), Error);
  EXPECT_THROW(apply_hops(fat, table, even, odd), Error);
  const std::vector<double> one{1.0};
  EXPECT_THROW((add_staggered_derivative(nearest, one, even, odd, u, u)), Error);
  EXPECT_THROW((add_staggered_derivative(table, one, even, odd, u)), Error);
}

}  // namespace
}  // namespace trellis::dirac
