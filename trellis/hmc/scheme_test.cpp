// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/scheme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "trellis/core/error.hpp"

namespace trellis::hmc {
namespace {

// Polynomials in two non-commuting letters, T (drift) and S (kick), up to words of four letters: to that order in the
// step length a scheme must equal exp(T + S).
using Words = std::map<std::string, double>;
constexpr std::size_t longest = 4;

Words product(const Words& a, const Words& b) {
  Words c;
  for (const auto& [v, x] : a)
    for (const auto& [w, y] : b)
      if (v.size() + w.size() <= longest) c[v + w] += x * y;
  return c;
}

Words exponential(const Words& a) {
  Words sum{{"", 1.0}}, power = sum;
  double factorial = 1;
  for (std::size_t n = 1; n <= longest; ++n) {
    power = product(power, a);
    factorial *= double(n);
    for (const auto& [w, x] : power) sum[w] += x / factorial;
  }
  return sum;
}

Words exponent(const Step& step) {
  const double c = step.coefficient, d = step.displacement;
  if (step.kind == Step::Kind::drift) return {{"T", c}};
  if (step.kind == Step::Kind::kick) return {{"S", c}};
  // p += c h (F + d h^2 F dF/dU), and [S,[T,S]] = SST - 2 STS + TSS is the kick 2 F dF/dU.
  return {{"S", c}, {"SST", -c * d / 2}, {"STS", c * d}, {"TSS", -c * d / 2}};
}

// Largest error among words of that length.
double order_violation(const Scheme& scheme, std::size_t length) {
  Words whole{{"", 1.0}};
  for (const Step& step : scheme.steps) whole = product(whole, exponential(exponent(step)));
  for (const auto& [w, x] : exponential({{"T", 1.0}, {"S", 1.0}})) whole[w] -= x;
  double worst = 0;
  for (const auto& [w, x] : whole)
    if (w.size() == length) worst = std::max(worst, std::abs(x));
  return worst;
}

TEST(Scheme, OrderConditions) {
  for (const auto& [name, order, lambda, make, fourth_order] : integrators()) {
    const Scheme scheme = make(lambda);
    EXPECT_EQ(scheme.name, name);
    EXPECT_NO_THROW(require_valid(scheme));
    ASSERT_TRUE(order == 2 || order == 4) << name;
    const bool fourth = order == 4;
    for (std::size_t k = 1; k <= 2; ++k) EXPECT_LT(order_violation(scheme, k), 1e-15) << name << " " << k;
    for (std::size_t k = 3; k <= 4; ++k)
      if (fourth)
        EXPECT_LT(order_violation(scheme, k), 1e-14) << name << " " << k;
      else
        EXPECT_GT(order_violation(scheme, k), 1e-3) << name << " " << k;
  }
}

// What remains of an oscillator's frequency in fourth order, from one step of length 0.2: |r - 1| / h^4 if the step
// conserves p^2 + r q^2.
TEST(Scheme, FourthOrderOfAnOscillator) {
  constexpr double h = 0.2;
  for (const Integrator& integrator : integrators()) {
    if (integrator.order != 4) continue;
    // Columns of the step's matrix: where (q, p) = (1, 0) and (0, 1) go.
    double q[2] = {1, 0}, p[2] = {0, 1};
    for (const Step& step : integrator.make(integrator.lambda).steps)
      for (const int column : {0, 1}) {
        if (step.kind == Step::Kind::drift)
          q[column] += step.coefficient * h * p[column];
        else
          p[column] -= step.coefficient * h * q[column] * (1 - step.displacement * h * h);
      }
    const double r = -p[0] / q[1];
    EXPECT_NEAR(std::abs(r - 1) / std::pow(h, 4), integrator.fourth_order, 0.1 * integrator.fourth_order)
        << integrator.name;
  }
}

TEST(Scheme, LambdaOf2mnMakesTheErrorSmallest) {
  // The logarithm of a step is T + S + alpha [T,[T,S]] + beta [S,[S,T]] + ...; alpha^2 + beta^2 is smallest at lambda.
  // The word TTS has coefficient 1/6 + alpha, the word SST 1/6 + beta.
  const auto norm = [](double lambda) {
    Words whole{{"", 1.0}};
    for (const Step& step : minimum_norm_2(lambda).steps) whole = product(whole, exponential(exponent(step)));
    return std::hypot(whole["TTS"] - 1.0 / 6, whole["SST"] - 1.0 / 6);
  };
  EXPECT_LT(norm(minimum_norm_lambda), norm(minimum_norm_lambda + 1e-5));
  EXPECT_LT(norm(minimum_norm_lambda), norm(minimum_norm_lambda - 1e-5));
}

TEST(Scheme, Errors) {
  try {
    integrator_by_name("omelyan");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "unknown integrator 'omelyan'; known are leapfrog, 2mn, 4mn5fv, force_gradient");
  }
  Scheme lopsided = leapfrog();
  lopsided.steps[0].coefficient = 0.4;
  lopsided.steps[2].coefficient = 0.6;
  EXPECT_THROW(require_valid(lopsided), InputError);
  Scheme short_drift = leapfrog();
  short_drift.steps[1].coefficient = 0.9;
  EXPECT_THROW(require_valid(short_drift), InputError);
  EXPECT_THROW(require_valid({"nothing", {}}), InputError);
}

// An oscillator stays where it is for steps a little below the limit, and leaves exponentially a little above.
TEST(Scheme, StabilityLimit) {
  EXPECT_NEAR(stability_limit(leapfrog()), 2, 0.011);
  for (const Integrator& integrator : integrators()) {
    const Scheme scheme = integrator.make(integrator.lambda);
    const double limit = stability_limit(scheme);
    const auto farthest = [&](double h) {
      double x = 1, p = 0, most = 0;
      for (int n = 0; n < 2000; ++n) {
        for (const Step& step : scheme.steps)
          if (step.kind == Step::Kind::drift)
            x += step.coefficient * h * p;
          else
            p -= step.coefficient * h * (x - step.displacement * h * h * x);
        most = std::max(most, std::abs(x));
      }
      return most;
    };
    EXPECT_GE(limit, 1.99) << scheme.name;
    EXPECT_LT(farthest(0.98 * limit), 100) << scheme.name;
    // A little above the limit 4mn5fv grows, but not further on; a force gradient grows slowly at first.
    EXPECT_GT(std::max(farthest(limit + 0.02), farthest(limit + 0.3)), 1e6) << scheme.name;
  }
}

}  // namespace
}  // namespace trellis::hmc
