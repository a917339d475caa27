// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Symplectic integrators as data. A plan of kicks and drifts runs on any phase space: here on a pendulum with two
// terms, S = (1 - cos q) + 0.3 (1 - cos 2 q), which shows the order of each integrator directly.
#include <cmath>

#include "examples/tour/tour.hpp"
#include "trellis/hmc/integrator.hpp"
#include "trellis/hmc/scheme.hpp"

using namespace trellis;

namespace {

struct Pendulum {
  double q = 0.7, p = 0.4;

  static double force(int level, double at) { return level == 0 ? -std::sin(at) : -0.6 * std::sin(2 * at); }
  double energy() const { return p * p / 2 + (1 - std::cos(q)) + 0.3 * (1 - std::cos(2 * q)); }

  void kick(int level, double time) { p += time * force(level, q); }
  void gradient_kick(int level, double time, double displacement) {
    p += time * force(level, q + displacement * force(level, q));
  }
  void drift(double time) { q += time * p; }
};
static_assert(hmc::PhaseSpace<Pendulum>);

// The energy error at the end of a trajectory. Also checks that integrating backwards returns to the starting point.
double energy_error(const hmc::Scheme& outer, int steps) {
  // The slow term kicks on the outer level. Each drift there consists of two steps with the fast term.
  const hmc::Plan plan = hmc::make_plan({{outer, steps, {"slow"}}, {hmc::minimum_norm_4(), 2, {"fast"}}}, 1.0);
  Pendulum space;
  hmc::integrate(plan, space);
  const double error = space.energy() - Pendulum().energy();
  space.p = -space.p;
  hmc::integrate(plan, space);
  tour::expect_near(space.q, Pendulum().q, 1e-14, "with the momentum reversed, it returns to the start");
  return std::abs(error);
}

}  // namespace

int main() {
  return tour::run([] {
    for (const hmc::Integrator& integrator : hmc::integrators()) {
      const hmc::Scheme scheme = integrator.make(integrator.lambda);
      hmc::require_valid(scheme);  // a palindrome whose kicks and drifts each sum to 1
      const double coarse = energy_error(scheme, 8), fine = energy_error(scheme, 16);
      const double order = std::log2(coarse / fine);
      const int forces = hmc::force_evaluations(hmc::make_plan({{scheme, 8, {"all"}}}, 1.0), 0);
      fmt::print("{:16} order {:.2f}, error {:.1e} with {} forces\n", scheme.name, order, coarse, forces);
      tour::expect_near(order, integrator.order, 0.3, "the error shows the order of the scheme");
    }
    tour::expect(hmc::integrator_by_name("leapfrog").order == 2, "integrators can be found by name");
    // Your own integrator: the variant of velocity Verlet that starts with a drift.
    const hmc::Scheme own{"position_verlet",
                          {{hmc::Step::Kind::drift, 0.5}, {hmc::Step::Kind::kick, 1}, {hmc::Step::Kind::drift, 0.5}}};
    hmc::require_valid(own);
    tour::expect_near(std::log2(energy_error(own, 8) / energy_error(own, 16)), 2, 0.3, "its order is 2");
  });
}
