// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/rational.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <future>
#include <latch>
#include <string>
#include <utility>

#include "trellis/core/error.hpp"

namespace trellis::hmc {
namespace {

using Factors = std::vector<PowerFactor>;

long double exact(const Factors& f, long double y) {
  long double product = 1;
  for (const PowerFactor& factor : f) product *= std::pow(y + factor.offset, (long double)factor.power);
  return product;
}

long double value(const RationalApproximation& r, long double y) {
  long double sum = r.constant;
  for (int i = 0; i < r.order(); ++i) sum += r.residues[i] / (y + r.poles[i]);
  return sum;
}

// r/f - 1 on a fine grid in log y: its maximum, and its maximum between successive sign changes.
struct ErrorCurve {
  double largest = 0;
  std::vector<double> extrema;
};

ErrorCurve error_curve(const RationalApproximation& r, const Factors& f, int points) {
  ErrorCurve curve;
  for (int i = 0; i <= points; ++i) {
    const long double y = std::clamp(r.lower * std::pow((long double)r.upper / r.lower, (long double)i / points),
                                     (long double)r.lower, (long double)r.upper);
    const double error = double(value(r, y) / exact(f, y) - 1);
    curve.largest = std::max(curve.largest, std::abs(error));
    if (curve.extrema.empty() || (error > 0) != (curve.extrema.back() > 0))
      curve.extrema.push_back(error);
    else if (std::abs(error) > std::abs(curve.extrema.back()))
      curve.extrema.back() = error;
  }
  return curve;
}

void expect_poles_in_order(const RationalApproximation& r) {
  for (int i = 0; i < r.order(); ++i) EXPECT_GT(r.poles[i], i == 0 ? 0 : r.poles[i - 1]);
}

// Products, partial fractions and the reciprocal are the same function to all the digits that long double has.
TEST(Rational, TheOrderForAnErrorBeyondDoublePrecision) {
  const std::vector<PowerFactor> f{{0, -0.25}};
  const int order = order_of_error(f, 0.01, 1, 1e-20);
  EXPECT_LE(remez_in_full(f, 0.01, 1, order, 40).levelled_error, 1e-20);
  EXPECT_GT(remez_in_full(f, 0.01, 1, order - 1, 40).levelled_error, 1e-20);
  // Where rounding does not matter it is that of rational_approximation().
  EXPECT_EQ(order_of_error(f, 4e-7, 1, 1e-9), rational_approximation(f, 4e-7, 1, 1e-9).order());
  EXPECT_EQ(order_of_error({{0, -1}}, 0.1, 1, 1e-30), 1);
  EXPECT_THROW(order_of_error(f, 1e-12, 1, 1e-20), InputError);
  EXPECT_THROW(order_of_error(f, 0.01, 1, 0), InputError);
}

TEST(Rational, AllFormsInFullAgree) {
  const Factors f{{0, -0.25}, {0.01, 0.25}};
  const auto full = remez_in_full(f, 1e-5, 5, 9, 40);
  const auto number = [](const std::string& text) { return std::stold(text); };
  ASSERT_EQ(full.zeros.size(), 9U);
  for (const long double y : {1e-5L, 3e-4L, 0.02L, 0.7L, 5.0L}) {
    long double product = number(full.constant), sum = product, inverse = number(full.inverse_constant);
    for (std::size_t i = 0; i < 9; ++i) {
      product *= (y + number(full.zeros[i])) / (y + number(full.poles[i]));
      sum += number(full.residues[i]) / (y + number(full.poles[i]));
      inverse += number(full.inverse_residues[i]) / (y + number(full.zeros[i]));
    }
    EXPECT_LT(std::abs(sum / product - 1), 1e-17L) << double(y);
    EXPECT_LT(std::abs(inverse * product - 1), 1e-17L) << double(y);
    EXPECT_LT(std::abs(product / exact(f, y) - 1), full.levelled_error * (1 + 1e-6)) << double(y);
    EXPECT_LT(std::abs(full.inverse(double(y)) * product - 1), 1e-14L) << double(y);
  }
  EXPECT_EQ(full.r.residues, remez(f, 1e-5, 5, 9).residues);
  EXPECT_EQ(full.poles[0].size(), std::string("1.").size() + 39 + std::string("e-05").size()) << full.poles[0];
  EXPECT_THROW(remez_in_full({{0, -1}}, 0.1, 1, 3, 20), InputError);
  EXPECT_THROW(remez_in_full(f, 1e-5, 5, 9, 41), InputError);
}

// M. A. Clark and A. D. Kennedy's RHMC example, whose error is published.
TEST(Rational, FourthRootHasThePublishedError) {
  const auto r = remez({{0, -0.25}}, 4e-7, 1, 19);
  EXPECT_NEAR(r.error, 7.896e-10, 0.0005e-10);
  EXPECT_EQ(r.order(), 19);
  EXPECT_NEAR(error_curve(r, {{0, -0.25}}, 10000).largest / r.error, 1, 1e-4);
}

struct Case {
  Factors f;
  double lower, upper;
  int order;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double power : {-0.25, 0.125, -0.5, 0.25, -0.75, -0.125}) {
    all.push_back({{{0, power}}, 1, 2, 4});
    all.push_back({{{0, power}}, 1e-4, 1, 12});
    all.push_back({{{0, power}}, 3e-8, 30, 20});
  }
  for (const double mass : {1e-6, 1e-3, 1.0})
    for (const double power : {0.25, -0.125}) all.push_back({{{0, -power}, {mass, power}}, 1e-7, 1, 6});
  all.push_back({{{0, -0.25}, {1e-2, 0.25}}, 0.5, 1, 1});
  all.push_back({{{1e-5, -0.25}}, 0, 4, 10});                               // regular at 0
  all.push_back({{{1e-6, -0.25}, {1e-3, -0.25}}, 1e-6, 5, 12});             // two masses
  all.push_back({{{1e-6, 0.25}, {1e-3, 0.25}, {0.1, -0.5}}, 1e-6, 5, 9});   // over a third
  all.push_back({{{0, -0.5}, {1e-4, 0.25}, {1e-2, 0.125}}, 1e-6, 5, 11});   // decreasing phases
  all.push_back({{{0, -0.25}, {1e-4, 0.25}, {1e-2, -0.25}}, 1e-6, 5, 11});  // two cuts
  return all;
}

TEST(Rational, ErrorIsLevelledAndTheOneClaimed) {
  for (const auto& [f, lower, upper, order] : cases()) {
    SCOPED_TRACE("power " + std::to_string(f[0].power) + " of " + std::to_string(f.size()) + ", lower " +
                 std::to_string(lower) + ", order " + std::to_string(order));
    const auto r = remez(f, lower, upper, order);
    ASSERT_EQ(r.order(), order);
    expect_poles_in_order(r);
    if (lower == 0) continue;
    const auto curve = error_curve(r, f, 2000);
    EXPECT_NEAR(curve.largest / r.error, 1, 0.01) << r.error;
    EXPECT_EQ(curve.extrema.size(), std::size_t(2 * order + 2));
    for (const double extremum : curve.extrema) EXPECT_NEAR(std::abs(extremum) / r.error, 1, 0.01) << r.error;
  }
}

TEST(Rational, RegularFunctionsMayBeginAtZero) {
  const Factors f{{1e-5, -0.25}};
  const auto r = rational_approximation(f, 0, 4, 1e-9);
  EXPECT_NEAR(double(value(r, 0) / exact(f, 0)), 1, 1e-9);
  for (const double y : {1e-9, 1e-6, 1e-3, 1.0, 4.0}) EXPECT_NEAR(double(value(r, y) / exact(f, y)), 1, 1e-9);
}

// N. I. Achieser, Theory of Approximation, appendix E: y^(-1/2) on [lower, upper].
TEST(Rational, InverseSquareRootIsZolotarevs) {
  const double lower = 1e-4, upper = 2;
  const long double complement = std::sqrt(1 - (long double)lower / upper);
  const long double period = boost::math::ellint_1(complement);
  for (const int order : {1, 5, 10}) {
    const auto r = remez({{0, -0.5}}, lower, upper, order);
    ASSERT_EQ(r.order(), order);
    for (int i = 0; i < order; ++i) {
      long double cn = 0, dn = 0;
      const long double sn = boost::math::jacobi_elliptic(complement, (2 * i + 1) * period / (2 * order + 1), &cn, &dn);
      EXPECT_NEAR(r.poles[i] / double(lower * sn * sn / (cn * cn)), 1, 1e-13) << order << " " << i;
    }
  }
}

// The rounding error is reported where it matters: f decreases (all residues positive), f increases (r is a
// difference).
TEST(Rational, ErrorIncludesRounding) {
  for (const double power : {-0.25, 0.25}) {
    const Factors f{{0, power}};
    const auto r = remez(f, 1e-5, 1, 30);
    EXPECT_GT(r.error, 1e-16);
    EXPECT_LT(r.error, power < 0 ? 2e-15 : 1e-13);
    for (int i = 0; i <= 1000; ++i) {
      const double y = std::clamp(std::pow(1e-5, i / 1000.0), r.lower, r.upper);
      EXPECT_LT(std::abs(double(r(y) / exact(f, y) - 1)), 2 * r.error) << y;
    }
  }
}

TEST(Rational, OrderIsTheSmallest) {
  for (const Factors& f : {Factors{{0, -0.25}}, Factors{{0, 0.125}}, Factors{{0, -0.25}, {1e-3, 0.25}}})
    for (const double error : {0.9, 1e-2, 1e-7, 1e-11}) {
      const auto r = rational_approximation(f, 1e-5, 5, error);
      EXPECT_LE(r.error, error);
      if (r.order() == 0) continue;
      EXPECT_GT(remez(f, 1e-5, 5, r.order() - 1).error, error) << r.order();
    }
  EXPECT_EQ(rational_approximation({{0, -0.25}}, 1e-5, 5, 0.95).order(), 0);
}

// f(s y) = s^a f(y).
TEST(Rational, ScalesWithTheInterval) {
  const auto r = remez({{0, -0.25}, {1e-3, 0.125}}, 1e-5, 5, 12);
  const auto s = remez({{0, -0.25}, {16e-3, 0.125}}, 16e-5, 80, 12);
  EXPECT_NEAR(s.error / r.error, 1, 1e-9);
  EXPECT_NEAR(s.constant / r.constant, std::pow(16, -0.125), 1e-14);
  for (int i = 0; i < 12; ++i) {
    EXPECT_NEAR(s.poles[i] / r.poles[i], 16, 1e-12);
    EXPECT_NEAR(s.residues[i] / r.residues[i], std::pow(16, 0.875), 1e-12);
  }
}

TEST(Rational, RepeatedCallsGiveTheSameBits) {
  const auto r = remez({{0, -0.25}}, 1e-5, 5, 12), again = remez({{0, -0.125}, {0, -0.125}, {3, 0}}, 1e-5, 5, 12);
  EXPECT_EQ(r.constant, again.constant);
  EXPECT_EQ(r.residues, again.residues);
  EXPECT_EQ(r.poles, again.poles);
}

// If errors fall by 1e25 per order, the order after 1e-14 needs more digits.
TEST(Rational, TinyErrorsAreComputedWithMoreDigits) {
  const Factors f{{0, -0.25}, {1e-13, 0.25}};
  EXPECT_GT(remez(f, 0.5, 1, 0).error, 1e-14);
  const auto r = rational_approximation(f, 0.5, 1, 1e-15);
  EXPECT_EQ(r.order(), 1);
  EXPECT_LT(std::abs(double(value(r, 0.7L) / exact(f, 0.7L) - 1)), 1e-15);
}

// Software arithmetic: these bits are the same for any compiler and machine.
TEST(Rational, BitsAreTheSameEverywhere) {
  const auto r = remez({{0, -0.25}}, 1e-5, 5, 12);
  EXPECT_EQ(r.constant, 0x1.424d7c95e9226p-2);
  EXPECT_EQ(r.poles.front(), 0x1.d3b8b5224c18fp-20);
  EXPECT_EQ(r.residues.back(), 0x1.041d326d42a3fp+2);
}

TEST(Rational, FunctionsOfItsFormAreExact) {
  const auto inverse = rational_approximation({{0.25, -1}}, 0.1, 7, 1e-3);
  EXPECT_EQ(inverse.error, 0);
  EXPECT_EQ(inverse.constant, 0);
  EXPECT_EQ(inverse.poles, std::vector{0.25});
  EXPECT_EQ(inverse.residues, std::vector{1.0});
  const auto ratio = remez({{0.5, 0.5}, {0.25, -1}, {0.5, 0.5}}, 0.1, 7, 5);
  EXPECT_EQ(ratio.error, 0);
  EXPECT_EQ(ratio.order(), 1);
  EXPECT_EQ(ratio(3), 3.5 / 3.25);
  for (const Factors& one : {Factors{}, Factors{{0.5, 0.25}, {0.5, -0.25}}}) {
    const auto r = rational_approximation(one, 0.1, 7, 1e-3);
    EXPECT_EQ(r.order(), 0);
    EXPECT_EQ(r.constant, 1);
    EXPECT_EQ(r.error, 0);
  }
}

void expect_refused(const Factors& f, double lower, double upper, double error, const std::string& words) {
  try {
    rational_approximation(f, lower, upper, error);
    ADD_FAILURE() << "no error: " << words;
  } catch (const InputError& refusal) {
    EXPECT_NE(std::string(refusal.what()).find(words), std::string::npos) << refusal.what();
  }
}

TEST(Rational, BadInputIsRefused) {
  const Factors root{{0, -0.25}};
  expect_refused(root, 1, 1, 1e-3, "not a valid interval");
  expect_refused(root, 2, 1, 1e-3, "not a valid interval");
  expect_refused(root, NAN, 1, 1e-3, "not a valid interval");
  expect_refused(root, 0, 1, 1e-3, "begin above 0");
  expect_refused(root, -1, 1, 1e-3, "begin above 0");
  expect_refused(root, 1e-3, 1, 0, "must be positive");
  expect_refused(root, 1e-3, 1, NAN, "must be positive");
  expect_refused(root, 1e-9, 1, 1e-15, "order 40 reaches");
  expect_refused(root, 1e-3, 1, 1e-17, "is rounding to double");
  expect_refused({{-1, -0.25}}, 2, 3, 1e-3, "must not be negative");
  expect_refused({{0, -1.5}}, 2, 3, 1e-3, "reach from -1.5");
  expect_refused({{0, -0.5}, {1, 1}}, 2, 3, 1e-3, "to 0.5");
  expect_refused({{0, 1}}, 2, 3, 1e-3, "not all be integer");
  EXPECT_THROW(remez(root, 1e-3, 1, -1), InputError);
  EXPECT_THROW(remez(root, 1e-3, 1, 41), InputError);
  EXPECT_THROW(remez(root, 1, 1.0001, 30), InputError);
  EXPECT_THROW(remez({{1, -1}, {2, -1}}, 1, 2, 1), InputError);
}

// Also the first ones of a process, before anything else has used their numbers.
TEST(Rational, SeveralThreadsMayComputeThem) {
  constexpr int threads = 4;
  const auto computed = [](int n) { return remez({{0, -0.5}}, 0.01 * (n + 1), 5, 6); };
  std::latch all(threads);
  std::vector<std::future<RationalApproximation>> found;
  for (int n = 0; n < threads; ++n)
    found.push_back(std::async(std::launch::async, [&, n] {
      all.arrive_and_wait();
      return computed(n);
    }));
  for (int n = 0; n < threads; ++n) {
    const auto there = found[std::size_t(n)].get(), here = computed(n);
    EXPECT_EQ(there.poles, here.poles) << n;
    EXPECT_EQ(there.residues, here.residues) << n;
    EXPECT_EQ(there.error, here.error) << n;
  }
}

}  // namespace
}  // namespace trellis::hmc
