// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Hadron correlators of Wilson quarks and their effective masses, here for free quarks: the pion and the rho have the
// same mass, twice that of a quark, which is m = log(1 + m_0) with m_0 = 1 / (2 kappa) - 4.
#include <cmath>
#include <complex>
#include <vector>

#include "examples/tour/tour.hpp"
#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/measure/hadrons.hpp"

using namespace trellis;

namespace {

// The real part of one channel, summed over sources, with t counted from each source.
std::vector<double> correlator(const measure::HadronMeasurement& found, std::size_t channel) {
  std::vector<double> sum(std::size_t(found.times));
  const auto numbers = found.at(channel);
  for (std::size_t k = 0; k < numbers.size(); ++k) sum[k % sum.size()] += numbers[k].real();
  return sum;
}

}  // namespace

int main() {
  return tour::run([] {
    const Coordinate size{4, 4, 4, 16};
    measure::HadronSelection selection{.kappas = {0.11}, .channels = {"pion", "rho"}};
    selection.source = measure::QuarkSourceKind::wall;  // zero momentum for each quark
    selection.quark.boundary_angle_over_pi = {0, 0, 0, 0};
    selection.inverse.residual = 1e-12;
    measure::require_valid(selection, size);  // checked before anything is computed
    const auto found = with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      return measure::measure_hadrons(selection, GaugeField<double, W>::unit(Lattice(size, W)));
    });
    tour::expect(found.residual <= selection.inverse.residual,
                 "all twelve columns are solved to the requested residual");

    const auto pion = analysis::folded(correlator(found, 0)), rho = analysis::folded(correlator(found, 1));
    const double expected = 2 * std::log(1 + 1 / (2 * selection.kappas[0]) - 4);
    for (const int t : {2, 4, 6}) {
      const double mass = analysis::cosh_mass(pion[std::size_t(t)], pion[std::size_t(t) + 1], t, size[3]);
      const double of_rho = analysis::cosh_mass(rho[std::size_t(t)], rho[std::size_t(t) + 1], t, size[3]);
      fmt::print("t = {}: pion {:.6f}, rho {:.6f} (free quarks: {:.6f})\n", t, mass, of_rho, expected);
      tour::expect(pion[std::size_t(t)] > 0, "the pion's correlator is positive");
      tour::expect_near(mass, expected, 2e-3, "the pion has twice the mass of a free quark");
      tour::expect_near(of_rho, expected, 2e-3, "and so does the rho");
    }
  });
}
