// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::app {
namespace {

constexpr int grid_points = 4000;
// Of evaluating r and f, both in double precision.
constexpr double rational_rounding = 1e-14;

double value(const std::vector<hmc::PowerFactor>& f, double y) {
  double product = 1;
  for (const auto& factor : f) product *= std::pow(y + factor.offset, factor.power);
  return product;
}

double error_on_grid(const hmc::RationalApproximation& r, const std::vector<hmc::PowerFactor>& f) {
  double worst = 0;
  for (int k = 0; k <= grid_points; ++k) {
    const double y = r.lower * std::pow(r.upper / r.lower, double(k) / grid_points);
    worst = std::max(worst, std::abs(r(y) / value(f, y) - 1));
  }
  return worst;
}

}  // namespace

template <int W>
void check_rational_approximations(const VerifyCase<W>& c, VerifyReport& report) {
  const auto action = quark_action(c.input);
  const auto quarks = quark_terms(c.input.quarks);
  if (quarks.empty()) return;
  report.section(fmt::format("Rational approximations: largest relative error on {} points", grid_points));
  for (const auto& term : quarks) {
    const double lower = term.mass * term.mass, upper = lower + action.largest_eigenvalue;
    const auto check = [&](const char* what, const std::vector<hmc::PowerFactor>& f, double error) {
      const auto r = hmc::rational_approximation(f, lower, upper, error);
      report.check(fmt::format("'{}', {}: order {}, claims {:.1e}", term.name, what, r.order(), r.error),
                   [&] { return at_most(error_on_grid(r, f), 1.01 * error + rational_rounding); });
    };
    check("heatbath", heatbath_function(term), action.heatbath_error);
    check("molecular dynamics", action_function(term), action.molecular_dynamics_error);
    check("Metropolis", action_function(term), action.metropolis_error);
  }
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  for (const auto& term : c.terms) {
    if (!term->has_pseudofermions()) continue;
    double largest = 0;
    // The heatbath draws phi = f^(-1/2) xi, so that phi^dagger f phi = |xi|^2, which is 3 V / 2 on average.
    report.check(fmt::format("'{}': energy after the heatbath, phi^dagger f phi = |xi|^2", term->name()), [&] {
      term->refresh({seed, 0, gauge::momenta_purpose}, c.u);
      const double difference = term->difference(c.u, c.u);
      largest = term->take_counts()->largest_eigenvalue;
      const auto& s = c.input.solver;
      const double error = 2 * action.heatbath_error + action.metropolis_error + rational_rounding +
                           10 * std::max(s.heatbath_residual, s.metropolis_residual);
      return at_most(std::abs(difference) / (1.5 * double(c.u.lattice().volume())), error);
    });
    if (largest == 0) continue;  // the check above failed
    report.check(fmt::format("'{}': largest eigenvalue of -D_eo D_oe", term->name()), [&] {
      return Outcome{fmt::format("{:.3f}", largest), fmt::format("<= {:.3f}", action.largest_eigenvalue),
                     largest <= action.largest_eigenvalue};
    });
  }
}

#define TRELLIS_INSTANTIATE(W) template void check_rational_approximations<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
