// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/molecular_dynamics.hpp"

#include "reference/random.hpp"

namespace trellis::reference {

Momenta random_momenta(const Site& size, std::uint64_t seed) {
  Random random(seed);
  Momenta momenta(GaugeConfiguration(size).links.size());
  for (Matrix& h : momenta) h = random_hermitian(random);
  return momenta;
}

double kinetic_energy(const Momenta& momenta) {
  double sum = 0.0;
  for (const Matrix& h : momenta) sum += trace(h * h).real();
  return sum;
}

namespace {

Update positions(double coefficient) { return {Update::Of::positions, coefficient}; }
Update momenta(double coefficient) { return {Update::Of::momenta, coefficient}; }

}  // namespace

Scheme leapfrog_positions_first() { return {positions(0.5), momenta(1.0), positions(0.5)}; }
Scheme leapfrog_momenta_first() { return {momenta(0.5), positions(1.0), momenta(0.5)}; }

Scheme minimum_norm_2(double lambda) {
  return {momenta(lambda), positions(0.5), momenta(1.0 - 2.0 * lambda), positions(0.5), momenta(lambda)};
}

Scheme minimum_norm_4() {
  const double rho = 0.2539785108410595, theta = -0.03230286765269967;
  const double vartheta = 0.08398315262876693, lambda = 0.6822365335719091;
  return {momenta(vartheta),
          positions(rho),
          momenta(lambda),
          positions(theta),
          momenta(0.5 - lambda - vartheta),
          positions(1.0 - 2.0 * (theta + rho)),
          momenta(0.5 - lambda - vartheta),
          positions(theta),
          momenta(lambda),
          positions(rho),
          momenta(vartheta)};
}

void integrate(GaugeConfiguration& u, Momenta& p, const Force& force, const Scheme& scheme, double step, int steps) {
  for (int n = 0; n < steps; ++n)
    for (const Update& update : scheme) {
      const double time = update.coefficient * step;
      if (update.what == Update::Of::positions) {
        for (std::size_t i = 0; i < p.size(); ++i) u.links[i] = exponential(Complex(0.0, time) * p[i]) * u.links[i];
      } else {
        const std::vector<Matrix> derivative = force(u);
        for (std::size_t i = 0; i < p.size(); ++i) p[i] = p[i] - time * derivative[i];
      }
    }
}

}  // namespace trellis::reference
