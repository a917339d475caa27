// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/clover_term.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "reference/wilson.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_spinors.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::dirac {
namespace {

using reference::DenseMatrix;
using test::from_reference;
using test::to_reference;

constexpr Coordinate odd_shape{2, 4, 6, 8}, small{4, 4, 4, 4};
const CloverCoefficients unequal{.kappa = 0.13, .clover = 1.4, .clover_temporal = 0.9};

reference::WilsonQuark quark(const CloverCoefficients& c) {
  return {.kappa = c.kappa, .clover = c.clover, .clover_temporal = c.clover_temporal};
}

// The 12 x 12 matrix of what at() returns.
DenseMatrix dense(const std::array<double, clover_reals>& numbers) {
  DenseMatrix a(12);
  for (int chirality = 0; chirality < 2; ++chirality) {
    const double* p = numbers.data() + 36 * chirality;
    for (int j = 0; j < 6; ++j) {
      a(6 * chirality + j, 6 * chirality + j) = p[j];
      for (int i = 0; i < j; ++i) {
        const int k = 6 + 2 * CloverBlock<double>::number(i, j);
        a(6 * chirality + i, 6 * chirality + j) = {p[k], p[k + 1]};
        a(6 * chirality + j, 6 * chirality + i) = {p[k], -p[k + 1]};
      }
    }
  }
  return a;
}

// The largest distance of A(x) from the oracle's, and of A(x) A^-1(x) from 1 where there is an inverse.
template <class T, int W>
std::pair<double, double> errors(const reference::WilsonMatrix& m, const CloverTerm<T, W>& a) {
  double wrong = 0, wrong_inverse = 0;
  for (int parity = 0; parity < 2; ++parity)
    test::for_each_site_of_parity(a.lattice().size(), parity, [&](const Coordinate& x, std::size_t site) {
      const DenseMatrix& expected = m.clover[site];
      wrong = std::max(wrong, distance(dense(a.at(x)), expected));
      if (a.has_inverse(parity))
        wrong_inverse =
            std::max(wrong_inverse, distance(expected * dense(a.at(x, true)), reference::dense_identity(12)));
    });
  return {wrong, wrong_inverse};
}

TEST(CloverTerm, AgreesWithTheOracleOnRandomLinks) {
  // Links that single precision represents exactly.
  const auto u = to_reference(from_reference<float, 1>(reference::hot_configuration(odd_shape, 21)));
  const reference::WilsonMatrix m(u, quark(unequal));
  test::for_each_lane_count(odd_shape, [&]<int W>() {
    const CloverTerm<double, W> exact(from_reference<double, W>(u), unequal, CloverInverse::both);
    const auto [a, inverse] = errors(m, exact);
    EXPECT_LT(a, 2e-15) << W;
    EXPECT_LT(inverse, 2e-14) << W;
    const CloverTerm<float, W> single(from_reference<float, W>(u), unequal, CloverInverse::both);
    const auto [stored, stored_inverse] = errors(m, single);
    EXPECT_LT(stored, 4e-7) << W;
    EXPECT_LT(stored_inverse, 2e-6) << W;
  });
}

TEST(CloverTerm, SinglePrecisionLinksAreTakenAsTheyAre) {
  // If links are rounded once, both precisions give the same blocks.
  const auto u = to_reference(from_reference<float, 1>(reference::hot_configuration(small, 4)));
  const auto exact = from_reference<double, test::wide>(u);
  const auto single = from_reference<float, test::wide>(u);
  const CloverTerm<double, test::wide> a(exact, unequal);
  const CloverTerm<float, test::wide> b(single, unequal);
  for (int k = 0; k < clover_reals; ++k) EXPECT_EQ(float(a.at({1, 2, 3, 1}, true)[k]), b.at({1, 2, 3, 1}, true)[k]);
  EXPECT_EQ(a.log_determinant(1), b.log_determinant(1));
}

TEST(CloverTerm, AppliesToEveryVector) {
  const auto u = reference::hot_configuration(odd_shape, 5);
  const reference::WilsonMatrix m(u, quark(unequal));
  test::for_each_lane_count(odd_shape, [&]<int W>() {
    const auto check = [&]<class T>(T, double tolerance) {
      const CloverTerm<T, W> a(from_reference<arithmetic_t<T>, W>(u), unequal, CloverInverse::both);
      for (const int parity : {0, 1})
        for (const int count : {1, 3}) {
          const SpinorField<T, W> in(a.lattice(), parity, count), out = in.like();
          for (int n = 0; n < count; ++n) from_reference(reference::random_spinors(odd_shape, 30 + n), in, n);
          a.apply(in, out);
          for (int n = 0; n < count; ++n) {
            const auto expected = apply_clover(m, to_reference(in, n));
            EXPECT_LT(test::largest(to_reference(out, n) - expected), tolerance) << W;
          }
          a.apply_inverse(out, out);
          for (int n = 0; n < count; ++n)
            EXPECT_LT(test::largest(to_reference(out, n) - to_reference(in, n)), 4 * tolerance) << W;
        }
    };
    check(double{}, 1e-14);
    check(float{}, 5e-6);
    check(Fixed16{}, 1e-3);
  });
}

TEST(CloverTerm, LogDeterminantAndSignsAgreeWithTheOracle) {
  // Large enough that some eigenvalues are negative.
  const CloverCoefficients strong{.kappa = 0.4, .clover = 2, .clover_temporal = 1.5};
  const auto u = to_reference(from_reference<float, 1>(reference::hot_configuration(small, 8)));
  const reference::WilsonMatrix m(u, quark(strong));
  double logarithm[2] = {0, 0};
  std::int64_t negative[2] = {0, 0};
  for (int parity = 0; parity < 2; ++parity)
    test::for_each_site_of_parity(small, parity, [&](const Coordinate&, std::size_t site) {
      for (const double value : reference::hermitian_eigensystem(m.clover[site]).values) {
        logarithm[parity] += std::log(std::abs(value));
        negative[parity] += value < 0;
      }
    });
  ASSERT_GT(negative[0], 10);
  const int threads = concurrency();
  const double bits = CloverTerm<double, 1>(from_reference<double, 1>(u), strong).log_determinant(1);
  test::for_each_lane_count(small, [&]<int W>() {
    for (const int count : {1, 2}) {
      set_thread_count(count);
      const CloverTerm<double, W> a(from_reference<double, W>(u), strong, CloverInverse::both);
      for (int parity = 0; parity < 2; ++parity) {
        EXPECT_NEAR(a.log_determinant(parity), logarithm[parity], 1e-9);
        EXPECT_EQ(a.negative_eigenvalues(parity), negative[parity]);
      }
      EXPECT_EQ(a.log_determinant(1), bits);
      EXPECT_EQ((CloverTerm<float, W>(from_reference<float, W>(u), strong).log_determinant(1)), bits);
    }
  });
  set_thread_count(threads);
}

TEST(CloverTerm, SameBitsForEveryLaneCount) {
  const auto u = reference::hot_configuration({4, 4, 4, 8}, 6);
  const auto psi = reference::random_spinors({4, 4, 4, 8}, 7);
  const auto result = [&]<int W>() {
    const CloverTerm<double, W> a(from_reference<double, W>(u), unequal);
    const SpinorField<double, W> x(a.lattice(), 1);
    from_reference(psi, x);
    a.apply(x, x);
    a.apply_inverse(x, x);
    return to_reference(x);
  };
  const auto one = result.template operator()<1>();
  test::for_each_lane_count({4, 4, 4, 8}, [&]<int W>() { EXPECT_EQ(result.template operator()<W>(), one) << W; });
}

TEST(CloverTerm, IsGaugeCovariantAndOneOnUnitLinks) {
  // A of gauge-transformed links applied to a transformed spinor is A psi transformed.
  const auto u = reference::hot_configuration(small, 9);
  const auto g = reference::random_transformation(small, 10);
  const auto psi = reference::random_spinors(small, 11);
  constexpr int W = test::wide;
  const CloverTerm<double, W> a(from_reference<double, W>(u), unequal);
  const CloverTerm<double, W> b(from_reference<double, W>(reference::gauge_transform(u, g)), unequal);
  const SpinorField<double, W> x(a.lattice(), 1), y = x.like();
  from_reference(psi, x);
  from_reference(reference::gauge_transform(psi, g), y);
  a.apply(x, x);
  b.apply(y, y);
  EXPECT_LT(test::largest(reference::gauge_transform(to_reference(x), g) - to_reference(y)), 1e-14);
  EXPECT_NEAR(a.log_determinant(1), b.log_determinant(1), 1e-11);

  const CloverTerm<double, W> one(GaugeField<double, W>::unit(a.lattice()), unequal);
  const auto before = to_reference(y);
  one.apply(y, y);
  one.apply_inverse(y, y);
  EXPECT_EQ(to_reference(y), before);
  EXPECT_EQ(one.log_determinant(1), 0);
}

TEST(CloverTerm, IsMadeAnewFromOtherLinks) {
  constexpr int W = test::wide;
  const auto first = from_reference<double, W>(reference::hot_configuration(small, 1));
  const auto second = from_reference<double, W>(reference::hot_configuration(small, 2));
  const CloverTerm<double, W> a(first, unequal), copy = a, b(second, unequal);
  a.build(second);
  EXPECT_EQ(copy.log_determinant(1), b.log_determinant(1));
  EXPECT_EQ(copy.at({1, 2, 3, 1}, true), b.at({1, 2, 3, 1}, true));
}

TEST(CloverTerm, SingularBlocksAreNamed) {
  // A's eigenvalues are 1 - kappa c times numbers that depend on the site, and one of them vanishes for the right
  // kappa.
  constexpr int W = test::wide;
  const auto u = reference::hot_configuration(small, 12);
  const reference::WilsonMatrix m(u, {.kappa = 1, .clover = 1});
  const Lattice lattice(small, W);
  const auto site = [&](const Coordinate& x) { return std::size_t(lattice.lexicographic(x)); };
  const double lowest = reference::hermitian_eigensystem(m.clover[site({3, 1, 2, 1})]).values.front();
  const CloverCoefficients singular{.kappa = 1 / (1 - lowest), .clover = 1, .clover_temporal = 1};
  test::for_each_lane_count(small, [&]<int V>() {
    const auto links = from_reference<double, V>(u);
    const auto message = test::message_of([&] { const CloverTerm<double, V> a(links, singular); });
    EXPECT_NE(message.find("clover term: block of site (3, 1, 2, 1) is singular (smallest pivot"), std::string::npos)
        << message;
  });
  // The inverse on odd sites does not depend on the even ones.
  const double even = reference::hermitian_eigensystem(m.clover[site({2, 1, 2, 1})]).values.front();
  const CloverCoefficients singular_even{.kappa = 1 / (1 - even), .clover = 1, .clover_temporal = 1};
  const auto links = from_reference<double, W>(u);
  const CloverTerm<double, W> fine(links, singular_even);
  EXPECT_THROW(fine.inverse_access(0), Error);
  EXPECT_THROW(fine.log_determinant(0), Error);
  EXPECT_THROW((CloverTerm<double, W>(links, singular_even, CloverInverse::both)), Error);

  // A link is in the clover leaves of its ends and of the sites beside them, the first of which is the odd (1, 1, 1,
  // 0).
  std::array<double, 18> broken = links.link({1, 1, 1, 1}, 0);
  broken[4] = std::numeric_limits<double>::quiet_NaN();
  links.set_link({1, 1, 1, 1}, 0, broken);
  EXPECT_EQ(test::message_of([&] { fine.build(links); }), "clover term: block of site (1, 1, 1, 0) is not finite");
}

TEST(CloverTerm, WrongFieldsAreRefused) {
  const Lattice lattice(small), other({4, 4, 4, 8});
  const CloverTerm<double, 1> a(GaugeField<double, 1>::unit(lattice), unequal);
  const SpinorField<double, 1> even(lattice, 0), odd(lattice, 1), two(lattice, 1, 2), far(other, 1);
  EXPECT_THROW(a.apply(even, odd), Error);
  EXPECT_THROW(a.apply(odd, two), Error);
  EXPECT_THROW(a.apply(far, far), Error);
  EXPECT_THROW(a.apply_inverse(even, even), Error);
  EXPECT_THROW(a.build(GaugeField<double, 1>::unit(other)), Error);
  const auto lexicographic = GaugeField<double, 1>::unit(Lattice(small, 1, SiteOrder::lexicographic));
  EXPECT_THROW((CloverTerm<double, 1>(lexicographic, unequal)), Error);
  EXPECT_THROW((CloverTerm<double, 1>(GaugeField<double, 1>::unit(lattice), {.kappa = std::nan("")})), InputError);
}

}  // namespace
}  // namespace trellis::dirac
