// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/lanes.hpp"

namespace trellis::app {
namespace {

constexpr std::array<int, 3> step_counts{3, 4, 6};
constexpr std::uint32_t draws = 2;     // of momenta and pseudofermions: a single one may have a small dH by chance
constexpr double dh_rounding = 1e-10;  // of dH
constexpr int most_doublings = 4, most_halvings = 2;

// Least squares of log dH = constant - order log steps.
double fitted_order(const std::array<double, 3>& dH) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double lx = -std::log(step_counts[k]), ly = std::log(dH[k]);
    x += lx / 3;
    y += ly / 3;
    xx += lx * lx / 3;
    xy += lx * ly / 3;
  }
  return (xy - x * y) / (xx - x * x);
}

// |dH|, the root mean square over draws, after a short trajectory with that many steps of the outermost level.
template <int W>
double energy_violation(const VerifyCase<W>& c, RunInput input, int steps) {
  input.algorithm.levels.front().steps = steps;
  const auto algorithm = make_algorithm<W>(input, c.u.lattice(), c.accurate_terms);
  double sum = 0;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    const auto u = c.u.clone();
    const double dH = algorithm({.seed = static_cast<std::uint64_t>(input.chain.seed), .trajectory = draw}, u, {}).dH;
    sum += dH * dH / draws;
  }
  return std::sqrt(sum);
}

// What dH has without any integration: rounding, and the errors of the approximations with which pseudofermions are
// drawn and their energy is taken, of 3 V / 2 each.
double energy_floor(const RunInput& input, double volume) {
  double floor = dh_rounding;
  for (const auto& term : quark_terms(input.quarks))
    floor += 1.5 * volume * term.pseudofermions * (2 * input.rational.heatbath_error + input.rational.metropolis_error);
  return floor;
}

}  // namespace

template <int W>
void check_integrators(const VerifyCase<W>& c, VerifyReport& report) {
  const auto& algorithm = c.input.algorithm;
  if (algorithm.kind != AlgorithmKind::hmc) return;
  report.section(fmt::format("Integrators: the order of dH in the step, from short trajectories of {} steps",
                             joined(step_counts, ", ")));
  std::set<std::string> integrators;
  for (const auto& level : algorithm.levels) {
    if (!integrators.insert(level.integrator).second) continue;
    const int order = hmc::integrator_by_name(level.integrator).order;
    // All levels with this integrator, starting from half the input's step: the order is that of small steps. Where it
    // is not found the step is halved: the next order of the step is then smaller against the leading one, while a
    // force or an integrator that is wrong stays wrong.
    RunInput input = c.accurate;
    for (auto& each : input.algorithm.levels) {
      each.integrator = level.integrator;
      each.lambda = level.lambda;
    }
    double step = algorithm.trajectory_length / double(algorithm.levels.front().steps) / 2;
    std::array<double, 3> dH{};
    report.check(fmt::format("'{}', order", level.integrator), [&] {
      const double required =
          order - 1;  // halfway to the next lower one, since orders of reversible integrators are even
      const double floor = energy_floor(input, double(c.u.lattice().volume()));
      const auto violations = [&] {
        input.algorithm.trajectory_length = step * step_counts[0];
        std::array<double, 3> all{};
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = energy_violation(c, input, step_counts[k]);
        return all;
      };
      dH = violations();
      for (int doubled = 0; doubled < most_doublings && dH.front() < 1000 * floor; ++doubled) {
        step *= 2;
        dH = violations();
      }
      if (dH.front() < 100 * floor) return for_information("too small to measure");
      double found = fitted_order(dH);
      for (int halved = 0; halved < most_halvings && !(found >= required); ++halved) {
        step /= 2;
        const auto now = violations();
        if (now.back() < 10 * floor) break;
        if (const double fitted = fitted_order(now); !(fitted <= found)) {
          dH = now;
          found = fitted;
        }
      }
      const auto outcome = at_least(found, required);
      const double filter = force_filter(input);
      if (filter == 0) return outcome;
      return with_note(outcome, fmt::format("where smearing.force_filter = {} acts, the force is no derivative, and dH "
                                            "does not vanish with the step; see the checks of forces",
                                            filter));
    });
    if (dH.back() == 0) continue;  // not computed
    report.check(fmt::format("'{}': |dH|", level.integrator),
                 [&] { return for_information(fmt::format("{:.1e}, {:.1e}, {:.1e}", dH[0], dH[1], dH[2])); });
  }
}

#define TRELLIS_INSTANTIATE(W) template void check_integrators<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
