// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered_observables.hpp"

#include <cmath>
#include <numbers>

#include "reference/staggered_matrix.hpp"

namespace trellis::reference {
namespace {

HopWeights weights_in_time(const Site& size, Complex forward, Complex backward) {
  const std::size_t n = GaugeConfiguration(size).links.size();
  HopWeights weights{std::vector<Complex>(n, 0.0), std::vector<Complex>(n, 0.0)};
  for (std::size_t i = 3; i < n; i += 4) {
    weights.forward[i] = forward;
    weights.backward[i] = backward;
  }
  return weights;
}

}  // namespace

HopWeights weights_at_potential(const Site& size, double potential) {
  HopWeights weights = weights_of_d(size);
  for (std::size_t i = 3; i < weights.forward.size(); i += 4) {
    weights.forward[i] *= std::exp(potential);
    weights.backward[i] *= std::exp(-potential);
  }
  return weights;
}

HopWeights weights_of_first_derivative(const Site& size) { return weights_in_time(size, 1.0, 1.0); }
HopWeights weights_of_second_derivative(const Site& size) { return weights_in_time(size, 1.0, -1.0); }

HopWeights weights_of_flux_derivative(const Site& size, double charge) {
  // d/db of u and of -u^* with theta linear in b: i theta' u and i theta' u^*.
  HopWeights weights;
  for (const double derivative : external_field(size, charge, {.bz = 1.0}))
    weights.forward.push_back(Complex(0.0, derivative));
  weights.backward = weights.forward;
  return weights;
}

QuarkTraces exact_traces(const GaugeConfiguration& u, const QuarkPhases& quark, double mass) {
  const LinkPhases theta = link_phases(u.size, quark);
  const DenseMatrix inverse_m = inverse(staggered_matrix(u, theta, mass));
  const auto times = [&](const HopWeights& weights) { return inverse_m * hop_matrix(u, theta, weights); };
  const DenseMatrix first = times(weights_of_first_derivative(u.size));
  return {trace(inverse_m), trace(first), trace(times(weights_of_second_derivative(u.size))), trace(first * first),
          trace(times(weights_of_flux_derivative(u.size, quark.charge)))};
}

Complex per_flavour(Complex trace, double tastes, const Site& size) {
  return tastes / 4.0 * trace / static_cast<double>(GaugeConfiguration(size).volume());
}

double exact_condensate(const GaugeConfiguration& u, const LinkPhases& theta, double mass, double tastes) {
  const DenseMatrix l = cholesky(staggered_even_matrix(u, theta, mass));
  return per_flavour(2.0 * mass * trace_of_inverse_from_cholesky(l), tastes, u.size).real();
}

double free_condensate(const Site& size, const QuarkPhases& quark, double mass, double tastes) {
  constexpr double pi = std::numbers::pi;
  const GaugeConfiguration lattice(size);
  double sum = 0.0;
  for (int n = 0; n < lattice.volume(); ++n) {
    const Site k = lattice.site(n);
    double denominator = mass * mass;
    for (int mu = 0; mu < 4; ++mu) {
      double angle = 2.0 * pi * k[mu];
      if (mu == 3) angle += pi * quark.imaginary_potential + (quark.antiperiodic ? pi : 0.0);
      denominator += std::pow(std::sin(angle / size[mu]), 2);
    }
    sum += 3.0 * mass / denominator;
  }
  return per_flavour(sum, tastes, size).real();
}

Complex constant_source(const GaugeConfiguration& u, const LinkPhases& theta, double mass) {
  const ColourField one = constant_field(u.size, 1.0);
  return dot(one, solve_m(u, theta, mass, one));
}

PointSource point_source(const GaugeConfiguration& u, const LinkPhases& theta, double mass) {
  PointSource result{std::vector<double>(u.size[3], 0.0), 0.0};
  for (int colour = 0; colour < 3; ++colour) {
    const ColourField solution = solve_m(u, theta, mass, point_field(u.size, {0, 0, 0, 0}, colour));
    result.propagator += solution[0][colour];
    for (int n = 0; n < u.volume(); ++n)
      for (const Complex& z : solution[n]) result.pion[u.site(n)[3]] += std::norm(z);
  }
  return result;
}

}  // namespace trellis::reference
