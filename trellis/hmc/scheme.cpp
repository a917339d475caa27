// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/scheme.hpp"

#include <array>
#include <cmath>

#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"

namespace trellis::hmc {

namespace {

Step kick(double coefficient) { return {Step::Kind::kick, coefficient}; }
Step drift(double coefficient) { return {Step::Kind::drift, coefficient}; }

}  // namespace

Scheme leapfrog() { return {"leapfrog", {kick(0.5), drift(1), kick(0.5)}}; }

Scheme minimum_norm_2(double lambda) {
  return {"2mn", {kick(lambda), drift(0.5), kick(1 - 2 * lambda), drift(0.5), kick(lambda)}};
}

Scheme minimum_norm_4() {
  const double theta = 0.08398315262876693, rho = 0.2539785108410595;
  const double lambda = 0.6822365335719091, mu = -0.03230286765269967;
  const double inner_kick = 0.5 - (lambda + theta), inner_drift = 1 - 2 * (mu + rho);
  return {"4mn5fv",
          {kick(theta), drift(rho), kick(lambda), drift(mu), kick(inner_kick), drift(inner_drift), kick(inner_kick),
           drift(mu), kick(lambda), drift(rho), kick(theta)}};
}

Scheme force_gradient() {
  const Step middle{Step::Kind::gradient_kick, 2.0 / 3, 1.0 / 24};
  return {"force_gradient", {kick(1.0 / 6), drift(0.5), middle, drift(0.5), kick(1.0 / 6)}};
}

namespace {

// A new integrator is a function above and a line here.
constexpr std::array all_integrators{
    Integrator{"leapfrog", 2, 0, [](double) { return leapfrog(); }},
    Integrator{"2mn", 2, minimum_norm_lambda, minimum_norm_2},
    Integrator{"4mn5fv", 4, 0, [](double) { return minimum_norm_4(); }, 2.6e-5},
    Integrator{"force_gradient", 4, 0, [](double) { return force_gradient(); }, 2.3e-3},
};

}  // namespace

std::span<const Integrator> integrators() { return all_integrators; }

const Integrator& integrator_by_name(std::string_view name) { return named("integrator", all_integrators, name); }

double stability_limit(const Scheme& scheme) {
  // A step with F = -x is a matrix of determinant 1, which is bounded if its trace is below 2.
  const auto is_stable = [&](double wh) {
    double trace = 0;
    for (const int column : {0, 1}) {
      double x = column == 0 ? 1 : 0, p = 1 - x;
      for (const Step& step : scheme.steps)
        if (step.kind == Step::Kind::drift)
          x += step.coefficient * wh * p;
        else
          p -= step.coefficient * wh * (1 - step.displacement * wh * wh) * x;
      trace += column == 0 ? x : p;
    }
    return std::abs(trace) < 2;
  };
  constexpr double step = 0.01, most = 10;
  double limit = step;
  while (limit < most && is_stable(limit)) limit += step;
  return limit - step;
}

void require_valid(const Scheme& scheme) {
  double kicks = 0, drifts = 0;
  const std::size_t count = scheme.steps.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Step &step = scheme.steps[i], &mirror = scheme.steps[count - 1 - i];
    (step.kind == Step::Kind::drift ? drifts : kicks) += step.coefficient;
    if (step.kind != mirror.kind || step.coefficient != mirror.coefficient || step.displacement != mirror.displacement)
      fail_input("integrator '{}': step {} differs from step {}; the steps must be a palindrome", scheme.name, i + 1,
                 count - i);
  }
  if (!(std::abs(kicks - 1) < 1e-12) || !(std::abs(drifts - 1) < 1e-12))
    fail_input("integrator '{}': the kicks sum to {}, the drifts to {}; both must be 1", scheme.name, kicks, drifts);
}

}  // namespace trellis::hmc
