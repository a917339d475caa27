// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_coefficients.hpp"

#include "trellis/core/phase.hpp"
#include "trellis/dirac/staggered/phase_conventions.hpp"
#include "trellis/lattice/halo/hop_pattern.hpp"

namespace trellis::dirac {

namespace {

// The steps of hop k of a pattern that begins as naik_neighbours do.
const PatternHop& steps_of(int hop) { return naik_neighbours.hops[std::size_t(hop)]; }

// +1 forwards, -1 backwards.
double sign_of(int hop) { return steps_of(hop).step < 4 ? 1.0 : -1.0; }

// The sum of angle(y, mu) over the links of a hop from x; y is where a link begins.
template <class Angle>
double along_links(const Coordinate& size, const Coordinate& x, int hop, const Angle& angle) {
  const auto [step, distance] = steps_of(hop);
  const int mu = step % 4;
  Coordinate from = x;
  if (step >= 4) from[mu] = ((x[mu] - distance) % size[mu] + size[mu]) % size[mu];
  double sum = 0;
  for (int n = 0; n < distance; ++n) {
    sum += angle(from, mu);
    from[mu] = (from[mu] + 1) % size[mu];
  }
  return sum;
}

// eta_mu(x) u / 2 of the links that a hop follows: u = u_mu(x), or conj(u_mu(x - mu)) backwards; of three links their
// product. 0 if there is no such hop.
std::complex<double> half_link(const LinkPhases& phases, const Coordinate& size, const Coordinate& x, int hop) {
  const auto [direction, distance] = steps_of(hop);
  const QuarkSlices slices = staggered_slices(phases.boundary, size);
  if (!slices.have_hop(x[3], direction % 4 < 3 ? 0 : direction < 4 ? distance : -distance)) return 0;
  const std::complex<double> u = phase_of(
      along_links(size, x, hop, [&](const Coordinate& from, int mu) { return angle_over_pi(phases, size, from, mu); }));
  return 0.5 * staggered_sign(x, direction % 4) * (direction < 4 ? u : std::conj(u));
}

}  // namespace

HopCoefficient staggered_coefficient(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int hop) { return sign_of(hop) * half_link(phases, size, x, hop); };
}

// A hop of three steps contains e^(3 mu).
HopCoefficient chemical_potential_derivative(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int hop) {
    const auto [step, distance] = steps_of(hop);
    return step % 4 == 3 ? double(distance) * half_link(phases, size, x, hop) : 0.0;
  };
}

HopCoefficient chemical_potential_second_derivative(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int hop) {
    const auto [step, distance] = steps_of(hop);
    return step % 4 == 3 ? sign_of(hop) * double(distance * distance) * half_link(phases, size, x, hop) : 0.0;
  };
}

HopCoefficient symmetric_shift(const LinkPhases& phases, int direction, const Coordinate& size) {
  return [=](const Coordinate& x, int hop) {
    const auto [step, distance] = steps_of(hop);
    return step % 4 == direction && distance == 1 ? staggered_sign(x, direction) * half_link(phases, size, x, hop)
                                                  : 0.0;
  };
}

HopCoefficient flux_derivative(const LinkPhases& phases, int plane, const Coordinate& size) {
  // d/dn exp(i theta) = i theta' exp(i theta); backwards, both D and the angle change sign.
  return [=](const Coordinate& x, int hop) {
    const double slope = along_links(
        size, x, hop, [&](const Coordinate& from, int mu) { return angle_derivative(size, plane, from, mu); });
    return std::complex<double>(0, slope) * half_link(phases, size, x, hop);
  };
}

}  // namespace trellis::dirac
