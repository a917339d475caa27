// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/links_by_epsilon.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"

namespace trellis::app {
namespace {

constexpr int grid_points = 4000;
// Of evaluating r, a sum over its poles, and f.
double rounding_of(const hmc::RationalApproximation& r) { return (2 * r.order() + 10) * operation_rounding; }

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

Outcome check_approximation(const hmc::RationalApproximation& r, const std::vector<hmc::PowerFactor>& f,
                            double requested) {
  return at_most(error_on_grid(r, f), std::min(r.error, requested) + rounding_of(r));
}

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
                   [&] { return check_approximation(r, f, error); });
    };
    check("heatbath", heatbath_function(term), action.heatbath_error);
    check("molecular dynamics", action_function(term), action.molecular_dynamics_error);
    check("Metropolis", action_function(term), action.metropolis_error);
  }
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  const double volume = double(c.u.lattice().volume());
  const auto gauge_terms = c.terms.size() - quarks.size();
  // The heatbath draws phi = f^(-1/2) xi, so that phi^dagger f phi = |xi|^2, which is 3 V / 2 on average.
  for (std::size_t i = 0; i < quarks.size(); ++i)
    report.check(fmt::format("'{}': energy after the heatbath, phi^dagger f phi = |xi|^2", quarks[i].name), [&] {
      const auto& term = c.terms[gauge_terms + i];
      term->refresh({seed, 0, gauge::momenta_purpose}, c.u);
      return check_heatbath_energy(std::abs(term->difference(c.u, c.u)) / (1.5 * volume), c.input, quarks[i], volume);
    });
  // Not the terms' own number: they stop where it is too large.
  const auto smeared = gauge::smeared_links<W>(c.input.quarks.smearing, c.u.lattice());
  const auto links = dirac::packed_links<W>(*smeared, c.u, dirac::staggered_settings, c.input.quarks.naik_epsilons());
  for (const auto& flavour : c.input.quarks.flavours)
    report.check(fmt::format("'{}': largest eigenvalue of -D_eo D_oe", flavour.name), [&] {
      const dirac::StaggeredOperator<double, W> d(links.of(flavour.naik_epsilon), phases_of(c.input.quarks, flavour),
                                                  0);
      const ColourVectorField<double, W> like(c.u.lattice(), 0);
      const double largest =
          solver::largest_eigenvalue(d, like, {seed, 0, solver::spectrum_purpose}, {400, 1e-6}).value;
      return with_note(
          {fmt::format("{:.3f}", largest), fmt::format("<= {:.3f}", action.largest_eigenvalue),
           largest <= action.largest_eigenvalue},
          fmt::format("beyond it the rational approximations do not hold: raise "
                      "rational.largest_eigenvalue ({})",
                      smeared->in_su3() ? "16 is never exceeded" : "more than 16 is allowed on these links"));
    });
}

#define TRELLIS_INSTANTIATE(W) template void check_rational_approximations<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
