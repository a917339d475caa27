// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered.hpp"

#include <gtest/gtest.h>

#include "reference/staggered.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::dirac {
namespace {

using test::from_reference;
using test::to_reference;

constexpr Coordinate small{4, 4, 4, 4};
const LinkPhases plain{};
const LinkPhases periodic{.antiperiodic_time = false};
const LinkPhases everything{
    .imaginary_mu = 0.37, .quanta = {1, -2, 0, 3, 1, -1}, .space_angles_over_pi = {0.3, -1.1, 0.7}};

double largest(const reference::ColourField& f) {
  double most = 0;
  for (const auto& v : f)
    for (const auto& c : v) most = std::max(most, std::abs(c));
  return most;
}

// D on vector n of several, from both parities, against the oracle.
template <class T, int W>
double distance_from_oracle(const Coordinate& size, const LinkPhases& phases, int count) {
  const auto u = reference::hot_configuration(size, 11);
  const auto links = from_reference<arithmetic_t<T>, W>(u);
  const StaggeredOperator<T, W> d(StaggeredLinks<T, W>(links), phases, 0.1);
  const auto theta = test::reference_phases(phases, size);
  double worst = 0;
  for (const int parity : {0, 1}) {
    const ColourVectorField<T, W> in(links.lattice(), parity, count), out(links.lattice(), 1 - parity, count);
    for (int n = 0; n < count; ++n) from_reference(reference::random_field(size, 100 + n), in, n);
    d.hop(in, out);
    for (int n = 0; n < count; ++n) {
      const auto psi = test::restricted(reference::random_field(size, 100 + n), size, parity);
      worst = std::max(worst, largest(to_reference(out, n) - reference::apply_d(u, theta, psi)));
    }
  }
  return worst;
}

TEST(Staggered, AgreesWithTheOracleForEveryPhaseLaneCountAndPrecision) {
  for (const Coordinate& size : {small, Coordinate{4, 2, 6, 8}, Coordinate{2, 2, 2, 2}})
    for (const LinkPhases& phases : {plain, periodic, everything})
      test::for_each_lane_count(size, [&]<int W>() {
        EXPECT_LT((distance_from_oracle<double, W>(size, phases, 1)), 1e-14) << W;
        EXPECT_LT((distance_from_oracle<float, W>(size, phases, 1)), 8e-6) << W;
      });
}

TEST(Staggered, ManyVectorsAgreeWithTheOracle) {
  for (const int count : {2, 5, 8, 12, 16})
    for (const LinkPhases& phases : {plain, everything})
      test::for_each_lane_count(small, [&]<int W>() {
        EXPECT_LT((distance_from_oracle<double, W>(small, phases, count)), 1e-14) << W;
        EXPECT_LT((distance_from_oracle<float, W>(small, phases, count)), 8e-6) << W;
      });
}

// 16-bit numbers are within 2^-16 of the largest of their site, links within 2^-16. A result is a sum of 24 products of
// numbers up to 4 and 1, halved, and is rounded once more.
TEST(Staggered, SixteenBitsAgreeWithTheOracleWithinTheirRounding) {
  for (const int count : {1, 5})
    for (const LinkPhases& phases : {plain, everything})
      test::for_each_lane_count(small, [&]<int W>() {
        const double distance = distance_from_oracle<Fixed16, W>(small, phases, count);
        EXPECT_LT(distance, 24 * 0.5 * (4 + 4) * 0x1p-16 + 12 * 0x1p-16) << W;
        EXPECT_GT(distance, 1e-6) << W;
      });
}

TEST(Staggered, SixteenBitsAreTheSameForEveryLaneCountAndVectorCount) {
  const auto u = reference::hot_configuration(small, 3);
  const auto psi = reference::random_field(small, 4);
  for (const LinkPhases& phases : {plain, everything}) {
    const auto result = [&]<int W>(int count) {
      const auto links = from_reference<float, W>(u);
      const StaggeredOperator<Fixed16, W> a(StaggeredLinks<Fixed16, W>(links), phases, 0.3);
      const ColourVectorField<Fixed16, W> in(links.lattice(), 0, count), out = in.like();
      for (int n = 0; n < count; ++n) from_reference(psi, in, n);
      const double product = a(in, out)[std::size_t(count - 1)];
      return std::pair(product, to_reference(out, count - 1));
    };
    const auto expected = result.template operator()<1>(1);
    EXPECT_GT(expected.first, 1);
    test::for_each_lane_count(small, [&]<int W>() {
      EXPECT_EQ(result.template operator()<W>(1), expected) << W;
      EXPECT_EQ(result.template operator()<W>(3), expected) << W;
    });
  }
}

// Vectors in single precision, links in 16 bits: M^dagger M to the links' accuracy (two hops of 24 products of numbers
// up to 4 or 14 each), with the same bits for every lane count and vector count.
TEST(Staggered, LinksIn16BitsWithVectorsInSinglePrecision) {
  const auto u = reference::hot_configuration(small, 3);
  const auto psi = reference::random_field(small, 4);
  for (const LinkPhases& phases : {plain, everything}) {
    const auto result = [&]<int W>(int count) {
      const auto links = from_reference<float, W>(u);
      const StaggeredOperator<float, W, Fixed16> a(StaggeredLinks<Fixed16, W>(links), phases, 0.3);
      const ColourVectorField<float, W> in(links.lattice(), 0, count), out = in.like();
      for (int n = 0; n < count; ++n) from_reference(psi, in, n);
      const double product = a(in, out)[std::size_t(count - 1)];
      return std::pair(product, to_reference(out, count - 1));
    };
    const auto found = result.template operator()<1>(1);
    const auto even = test::restricted(psi, small, 0);
    const auto exact = reference::apply_m_adjoint_m(u, test::reference_phases(phases, small), 0.3, even);
    const double distance = largest(found.second - exact);
    EXPECT_LT(distance, 24 * 0.5 * (4 + 14) * 0x1p-16);
    EXPECT_GT(distance, 3e-6);
    EXPECT_NEAR(found.first / reference::dot(even, exact).real(), 1, 1e-4);
    test::for_each_lane_count(small, [&]<int W>() {
      EXPECT_EQ(result.template operator()<W>(1), found) << W;
      EXPECT_EQ(result.template operator()<W>(3), found) << W;
    });
  }
}

TEST(Staggered, RealPhasesTakeTheShortWay) {
  const Lattice lattice(small);
  EXPECT_TRUE((HopTable<double, 1>(lattice, staggered_coefficient(plain, small)).real()));
  EXPECT_LE((HopTable<double, 1>(lattice, staggered_coefficient(plain, small)).distinct()), 2);
  EXPECT_FALSE((HopTable<double, 1>(lattice, staggered_coefficient(everything, small)).real()));
}

TEST(Staggered, PreconditionedOperatorAndItsProduct) {
  const auto u = reference::hot_configuration(small, 5);
  const auto theta = test::reference_phases(everything, small);
  for (const int count : {1, 3})
    test::for_each_lane_count(small, [&]<int W>() {
      const auto links = from_reference<double, W>(u);
      const StaggeredOperator<double, W> a(StaggeredLinks<double, W>(links), everything, 0.3);
      for (const int parity : {0, 1}) {
        const ColourVectorField<double, W> in(links.lattice(), parity, count), out = in.like();
        for (int n = 0; n < count; ++n) from_reference(reference::random_field(small, 7 + n), in, n);
        const auto products = a(in, out);
        ASSERT_EQ(int(products.size()), count);
        for (int n = 0; n < count; ++n) {
          const auto psi = test::restricted(reference::random_field(small, 7 + n), small, parity);
          const auto expected = reference::apply_m_adjoint_m(u, theta, 0.3, psi);
          EXPECT_LT(largest(to_reference(out, n) - expected), 2e-14);
          EXPECT_NEAR(products[n], reference::dot(psi, expected).real(), 1e-10);
        }
      }
    });
}

TEST(Staggered, SameBitsForEveryLaneCountVectorCountAndThreadCount) {
  const Coordinate size{4, 4, 4, 8};
  const auto u = reference::hot_configuration(size, 3);
  const auto psi = reference::random_field(size, 4);
  const auto result = [&]<int W>(int count) {
    const auto links = from_reference<double, W>(u);
    const StaggeredOperator<double, W> a(StaggeredLinks<double, W>(links), everything, 0.3);
    const ColourVectorField<double, W> in(links.lattice(), 0, count), out = in.like();
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
  });
  set_thread_count(threads);
}

// Stores, prefetching and the lattice's shape move numbers around, and change none.
TEST(Staggered, BitsDependOnNothingThatIsTuned) {
  const auto u = reference::hot_configuration(small, 6);
  for (const int count : {1, 3})
    test::for_each_lane_count(small, [&]<int W>() {
      const auto links = from_reference<double, W>(u);
      const StaggeredLinks<double, W> packed(links);
      const HopTable<double, W> table(links.lattice(), staggered_coefficient(everything, small));
      const ColourVectorField<double, W> in(links.lattice(), 1, count), out(links.lattice(), 0, count);
      for (int n = 0; n < count; ++n) from_reference(reference::random_field(small, 8 + n), in, n);
      apply_hops(packed, table, in, out);
      std::vector<reference::ColourField> expected;
      for (int n = 0; n < count; ++n) {
        expected.push_back(to_reference(out, n));
        EXPECT_GT(largest(expected.back()), 0.1);
      }
      for (const HopSettings& settings : {HopSettings{{16, 12, 0}, {16, 4, 0}, Stores::cached, true},
                                          HopSettings{{0, 0, 0}, {0, 0, 0}, Stores::streaming, true, 64},
                                          HopSettings{{3, 64, 0}, {64, 1, 0}, Stores::streaming, true, 32}}) {
        out.set_zero();
        apply_hops(packed.with(settings), table, in, out);
        for (int n = 0; n < count; ++n) EXPECT_EQ(to_reference(out, n), expected[std::size_t(n)]) << W;
      }
    });
}

TEST(Staggered, DerivativesOfDInThePotentialAndTheField) {
  // Central differences of D in mu (through an imaginary potential: d/d(a mu) = -i N_t/pi d/d imaginary_mu ... on each
  // t link) and in the quanta of one plane.
  const auto u = reference::hot_configuration(small, 9);
  constexpr int W = 1;
  const auto links = from_reference<double, W>(u);
  const StaggeredLinks<double, W> packed(links);
  const ColourVectorField<double, W> in(links.lattice(), 1), out(links.lattice(), 0);
  from_reference(reference::random_field(small, 2), in);
  const auto psi = to_reference(in);
  const auto applied = [&](const HopCoefficient& c) {
    apply_hops(packed, HopTable<double, W>(links.lattice(), c), in, out);
    return to_reference(out);
  };
  const auto with_mu = [&](double mu) {
    LinkPhases phases = everything;
    phases.imaginary_mu = mu;
    return reference::apply_d(u, test::reference_phases(phases, small), psi);
  };
  // theta_t = pi mu / N_t a link, and mu_real = i theta: d/d mu_real = -i d/d theta.
  const double h = 1e-4, theta = 3.14159265358979323846 * h / small[3];
  const reference::Complex i(0, 1);
  const auto first = (-i / (2 * theta)) * (with_mu(0.37 + h) - with_mu(0.37 - h));
  EXPECT_LT(largest(applied(chemical_potential_derivative(everything, small)) - first), 1e-7);
  const auto second = reference::Complex(-1 / (theta * theta)) *
                      ((with_mu(0.37 + h) - with_mu(0.37)) - (with_mu(0.37) - with_mu(0.37 - h)));
  EXPECT_LT(largest(applied(chemical_potential_second_derivative(everything, small)) - second), 1e-5);

  const auto with_bz = [&](double bz) {
    LinkPhases rest = everything;
    rest.quanta[5] = 0;
    auto angles = test::reference_phases(rest, small);
    const auto field = reference::external_field(small, 1, {.bz = bz});
    for (std::size_t n = 0; n < angles.size(); ++n) angles[n] += field[n];
    return reference::apply_d(u, angles, psi);
  };
  const double b = double(everything.quanta[5]);
  const auto slope = reference::Complex(1 / (2 * h)) * (with_bz(b + h) - with_bz(b - h));
  EXPECT_LT(largest(applied(flux_derivative(everything, 5, small)) - slope), 1e-6);
}

TEST(Staggered, WrongFieldsAreRefused) {
  const Lattice lattice(small), other({4, 4, 4, 8});
  const StaggeredOperator<double, 1> a(StaggeredLinks<double, 1>(GaugeField<double, 1>::unit(lattice)), plain, 0.1);
  const ColourVectorField<double, 1> even(lattice, 0), odd(lattice, 1), two(lattice, 1, 2), far(other, 1);
  EXPECT_THROW(a.hop(even, even), Error);
  EXPECT_THROW(a.hop(even, two), Error);
  EXPECT_THROW(a.hop(even, far), Error);
  EXPECT_THROW(a(even, odd), Error);
  EXPECT_THROW((StaggeredOperator<double, 1>(a.links(), plain, -0.1)), InputError);
}

}  // namespace
}  // namespace trellis::dirac
