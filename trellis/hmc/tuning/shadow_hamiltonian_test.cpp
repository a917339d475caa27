// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/shadow_hamiltonian.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::hmc {
namespace {

// Two particles in the potential S_0 + S_1 + S_2, with brackets in closed form.
struct Particles {
  double x = 0.7, y = -0.4, p = 0.5, q = 0.8;

  // S_0 = x^2/2 + y^2, S_1 = cos(x - y), S_2 = x^2 y^2 / 2
  double potential() const { return x * x / 2 + y * y + std::cos(x - y) + x * x * y * y / 2; }
  double energy() const { return (p * p + q * q) / 2 + potential(); }
  static std::array<double, 2> force(int level, double x, double y) {
    if (level == 0) return {-x, -2 * y};
    if (level == 1) return {std::sin(x - y), -std::sin(x - y)};
    return {-x * y * y, -x * x * y};
  }
  void kick_at(int level, double time, double x_, double y_) {
    const auto f = force(level, x_, y_);
    p += time * f[0];
    q += time * f[1];
  }
  void kick(int level, double time) { kick_at(level, time, x, y); }
  void gradient_kick(int level, double time, double displacement) {
    const auto f = force(level, x, y);
    kick_at(level, time, x + displacement * f[0], y + displacement * f[1]);
  }
  void drift(double time) {
    x += time * p;
    y += time * q;
  }

  // delta of the shadow Hamiltonian
  double correction(const ShadowCoefficients& c) const {
    const double cosine = -std::cos(x - y) * (p - q) * (p - q);
    const double hessian[3] = {p * p + 2 * q * q, cosine, y * y * p * p + x * x * q * q + 4 * x * y * p * q};
    double sum = 0;
    for (int j = 0; j < int(c.hessian.size()); ++j) {
      sum += c.hessian[std::size_t(j)] * hessian[j];
      for (int k = 0; k < int(c.hessian.size()); ++k) {
        const auto f = force(j, x, y), g = force(k, x, y);
        sum += c.gram[std::size_t(j)][std::size_t(k)] * (f[0] * g[0] + f[1] * g[1]);
      }
    }
    return sum;
  }
};

// dH less what the shadow Hamiltonian predicts, and dH.
std::array<double, 2> unexplained(const std::vector<Level>& levels) {
  const Plan plan = make_plan(levels, 1.0);
  const auto coefficients = shadow_coefficients(plan, 3);
  const Particles before;
  Particles after;
  integrate(plan, after);
  const double dH = after.energy() - before.energy();
  return {dH - (before.correction(coefficients) - after.correction(coefficients)), dH};
}

std::vector<Level> three_levels(const Scheme& outer, const Scheme& middle, const Scheme& inner, int steps) {
  return {{outer, steps, {}}, {middle, 2, {}}, {inner, 1, {}}};
}

TEST(ShadowHamiltonian, ExplainsTheEnergyUpToFourthOrder) {
  for (const auto& make : {three_levels(leapfrog(), leapfrog(), leapfrog(), 1),
                           three_levels(minimum_norm_2(), leapfrog(), minimum_norm_2(0.17), 1),
                           three_levels(minimum_norm_2(0.15), minimum_norm_4(), leapfrog(), 1),
                           three_levels(force_gradient(), leapfrog(), minimum_norm_2(0.21), 1)}) {
    auto coarse = make, fine = make;
    coarse[0].steps = 6;
    fine[0].steps = 12;
    const auto [coarse_rest, coarse_dH] = unexplained(coarse);
    const auto [fine_rest, fine_dH] = unexplained(fine);
    EXPECT_NEAR(std::log2(std::abs(coarse_dH / fine_dH)), 2, 0.3) << make[0].scheme.name;
    EXPECT_NEAR(std::log2(std::abs(coarse_rest / fine_rest)), 4, 0.3) << make[0].scheme.name;
    EXPECT_LT(std::abs(fine_rest), 0.05 * std::abs(fine_dH)) << make[0].scheme.name;
  }
}

TEST(ShadowHamiltonian, OfFourthOrderIsZero) {
  for (const Scheme& scheme : {minimum_norm_4(), force_gradient()}) {
    const auto c = shadow_coefficients(make_plan(three_levels(scheme, scheme, scheme, 3), 1.5), 3);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(c.hessian[std::size_t(j)], 0, 1e-9) << scheme.name;
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(c.gram[std::size_t(j)][std::size_t(k)], 0, 1e-9) << scheme.name;
    }
  }
}

// T + S - h^2/24 |F|^2 + h^2/12 p S'' p
TEST(ShadowHamiltonian, OfLeapfrog) {
  const auto c = shadow_coefficients(make_plan({{leapfrog(), 5, {}}}, 2.0), 1);
  EXPECT_NEAR(c.hessian[0], 0.16 / 12, 1e-15);
  EXPECT_NEAR(c.gram[0][0], -0.16 / 24, 1e-15);
}

TEST(ShadowHamiltonian, RefusesWhatIsNoPalindrome) {
  EXPECT_THROW(shadow_coefficients({{Step::Kind::kick, 0, 1, 0}, {Step::Kind::drift, 0, 1, 0}}, 1), InputError);
}

}  // namespace
}  // namespace trellis::hmc
