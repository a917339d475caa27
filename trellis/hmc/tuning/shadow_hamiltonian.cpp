// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/shadow_hamiltonian.hpp"

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::hmc {

namespace {

using Matrix = std::vector<std::vector<double>>;

// The kicks between two drifts, which commute, and the drift that follows.
struct Stage {
  std::vector<double> kicks;      // times, by level
  std::vector<double> gradients;  // what the gradient kicks add to the coefficient of {S_k, {S_k, T}}
  double drift = 0;
};

std::vector<Stage> stages_of(const Plan& plan, std::size_t levels) {
  const Stage none{std::vector<double>(levels, 0), std::vector<double>(levels, 0), 0};
  std::vector<Stage> stages{none};
  for (const Operation& operation : plan) {
    const auto level = std::size_t(operation.level);
    if (operation.kind == Step::Kind::drift) {
      stages.back().drift += operation.time;
      stages.push_back(none);
      continue;
    }
    stages.back().kicks[level] += operation.time;
    // F(U + d F) = -grad(S - d/2 |F|^2)
    if (operation.kind == Step::Kind::gradient_kick)
      stages.back().gradients[level] -= operation.time * operation.displacement / 2;
  }
  return stages;
}

// The logarithm of a palindrome: t T + sum_k s_k S_k + sum_k a_k {T, {T, S_k}} + sum_jk b_jk {S_j, {S_k, T}} + ...
struct Logarithm {
  double t = 0;
  std::vector<double> s, a;
  Matrix b;

  explicit Logarithm(std::size_t levels) : s(levels, 0), a(levels, 0), b(levels, std::vector<double>(levels, 0)) {}

  // Both functions put one more factor X/2 on either side of Z:
  //   log(e^(X/2) e^Z e^(X/2)) = X + Z - [X, [X, Z]] / 24 - [Z, [X, Z]] / 12 + ...
  void wrap_in_drifts(double time) {
    for (std::size_t k = 0; k < s.size(); ++k) {
      a[k] -= time * (time + t) / 6 * s[k];
      for (std::size_t j = 0; j < s.size(); ++j) b[j][k] += time / 6 * s[j] * s[k];
    }
    t += 2 * time;
  }
  void wrap_in_kicks(const Stage& stage) {
    const std::vector<double>& c = stage.kicks;
    for (std::size_t k = 0; k < s.size(); ++k) {
      a[k] += t * t / 6 * c[k];
      for (std::size_t j = 0; j < s.size(); ++j) b[j][k] -= t / 6 * (c[j] * c[k] + (s[j] * c[k] + c[j] * s[k]) / 2);
      b[k][k] += 2 * stage.gradients[k];
    }
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += 2 * c[k];
  }
};

bool same(double x, double y) { return std::abs(x - y) <= 1e-10 * (1 + std::abs(x)); }

}  // namespace

ShadowCoefficients shadow_coefficients(const Plan& plan, int levels) {
  const auto count = std::size_t(levels);
  const std::vector<Stage> stages = stages_of(plan, count);
  // n sets of kicks with n - 1 drifts between them.
  const std::size_t n = stages.size();
  bool palindrome = true;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < count; ++k)
      palindrome = palindrome && same(stages[i].kicks[k], stages[n - 1 - i].kicks[k]) &&
                   same(stages[i].gradients[k], stages[n - 1 - i].gradients[k]);
    if (i + 1 < n) palindrome = palindrome && same(stages[i].drift, stages[n - 2 - i].drift);
  }
  if (!palindrome) fail_input("a plan of molecular dynamics that is no palindrome has no shadow Hamiltonian like this");

  Logarithm z(count);
  std::size_t left = (n - 1) / 2;  // the next set of kicks on the left
  if (n % 2 == 1) {                // in the middle are kicks
    z.s = stages[left].kicks;
    for (std::size_t k = 0; k < count; ++k) z.b[k][k] = stages[left].gradients[k];
  } else {
    z.t = stages[left].drift;
    z.wrap_in_kicks(stages[left]);
  }
  while (left-- > 0) {
    z.wrap_in_drifts(stages[left].drift);
    z.wrap_in_kicks(stages[left]);
  }
  for (double& x : z.a) x /= z.t;
  for (auto& row : z.b)
    for (double& x : row) x /= z.t;
  return {z.a, z.b};
}

}  // namespace trellis::hmc
