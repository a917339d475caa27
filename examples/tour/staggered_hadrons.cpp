// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Hadron correlators of staggered quarks, here of two flavours of free quarks from a wall. A quark at rest has the mass
// asinh(m), so that pion, kaon and nucleon have two or three times that; and the Ward identity of the pion.
#include <cmath>
#include <complex>
#include <vector>

#include "examples/tour/tour.hpp"
#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

using namespace trellis;

int main() {
  return tour::run([] {
    const Coordinate size{4, 4, 4, 64};
    const std::vector<measure::QuarkFlavour> flavours{{.name = "l", .mass = 0.2}, {.name = "s", .mass = 0.5}};
    measure::StaggeredHadronSelection selection{.channels = {"pion", "nucleon"}};
    selection.source = measure::StaggeredSource::corner_wall;
    selection.inverse.residual = 1e-12;
    measure::require_valid(selection, size);  // checked before anything is computed
    const auto found = with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      return measure::measure_staggered_hadrons(selection, flavours, gauge::stout_smearing(0.1, 0), 0, 0,
                                                GaugeField<double, W>::unit(Lattice(size, W)));
    });
    tour::expect(found.ward_identity < 1e-10, "m times the sum of the pion's correlator is the trace of M^-1");

    const auto hadrons = measure::staggered_hadrons({"l", "s"}, selection.channels);
    for (std::size_t h = 0; h < hadrons.size(); ++h) {
      const auto c = found.at(h);
      const double first = std::asinh(flavours[hadrons[h].first].mass),
                   second = std::asinh(flavours[hadrons[h].second].mass);
      const bool nucleon = measure::is_staggered_nucleon(hadrons[h].channel);
      const double expected = nucleon ? 3 * first : first + second;
      const double mass = analysis::log_mass(c[4].real(), c[5].real());
      fmt::print("{} of {}: mass {:.6f} (free quarks: {:.6f})\n", hadrons[h].channel, hadrons[h].flavours, mass,
                 expected);
      tour::expect_near(mass, expected, 1e-3, "masses of free quarks add up");
    }
  });
}
