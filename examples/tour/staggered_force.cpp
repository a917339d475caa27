// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The force of staggered quarks in a magnetic field on smeared links, from the energy
//   E(U) = X^dagger (m^2 - D_eo D_oe) X = m^2 |X|^2 + |D X|^2
// with X held fixed, as needed for a pseudofermion action (S = phi^dagger (M^dagger M)^-1 phi, X = (M^dagger M)^-1 phi,
// dS = -dE). There are three steps: D X, the derivative with respect to the links that quarks see, and propagating it
// back through the smearing.
#include <array>

#include "examples/tour/slopes.hpp"
#include "examples/tour/tour.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_coefficients.hpp"
#include "trellis/dirac/staggered/staggered_force.hpp"
#include "trellis/dirac/stencil/hop_table.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"

using namespace trellis;

namespace {

constexpr Coordinate size{4, 4, 4, 4};
constexpr dirac::LinkPhases phases{.imaginary_mu = 0.2, .quanta = {0, 0, 0, 0, 0, 1}};

template <int W>
void force() {
  using V = ColourVectorField<double, W>;
  const Lattice lattice(size, W);
  const GaugeField<double, W> u(lattice);
  gauge::hot_start({.seed = 1, .purpose = gauge::hot_start_purpose}, u);
  const V x(lattice, 0), y(lattice, 1), image = x.like();
  solver::fill_normal({.seed = 5}, x);

  const gauge::StoutLinks<double, W> stout({.rho = 0.12, .levels = 1}, lattice);
  const dirac::StaggeredLinks<double, W> links(lattice);
  const dirac::StaggeredOperator<double, W> d(links, phases, 0.2);  // uses the links that were packed last
  const auto minus_energy = [&](const GaugeField<double, W>& thin) {
    links.pack(stout.smear(thin));
    return -d(x, image)[0];  // the operator returns <X, (m^2 - D D) X>
  };
  const dirac::HopTable<double, W> coefficients(lattice, dirac::staggered_coefficient(phases, size));
  const auto add_force = [&](const AlgebraField<double, W>& p) {
    links.pack(stout.smear(u));
    d.hop(x, y);
    // Starts at zero; for a rational function, the contributions of all poles would be added here.
    const GaugeField<double, W> derivative(lattice, "derivative");
    dirac::add_staggered_derivative(coefficients, std::array{1.0}, x, y, derivative);
    stout.add_force(derivative, 1.0, p);
  };
  tour::expect_force_of(
      "staggered quarks", u,
      [&](const auto& after, const auto& before) { return minus_energy(after) - minus_energy(before); }, add_force);
}

}  // namespace

int main() {
  return tour::run([] { with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() { force<W>(); }); });
}
