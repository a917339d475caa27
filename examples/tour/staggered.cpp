// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Staggered quarks: phases from boundary conditions, chemical potential and magnetic field, the operator on one parity,
// and the solution of M x = b.
#include <array>
#include <cmath>

#include "examples/tour/tour.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/link_phases.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_coefficients.hpp"
#include "trellis/dirac/stencil/hop_table.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"

using namespace trellis;

namespace {

constexpr Coordinate size{4, 4, 4, 4};
constexpr double mass = 0.2;
constexpr dirac::LinkPhases magnetic{.quanta = {0, 0, 0, 0, 0, 1}};  // one flux quantum in the plane (x, y)

// The flux through each plaquette is 2 pi / (L_x L_y), even where the angle jumps at the edge of the lattice.
void flux() {
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y) {
      const auto angle = [&](int i, int j, int mu) {
        return dirac::angle_over_pi(magnetic, size, {i % 4, j % 4, 0, 0}, mu);
      };
      const double turn = angle(x, y, 0) + angle(x + 1, y, 1) - angle(x, y + 1, 0) - angle(x, y, 1);
      tour::expect_near(std::remainder(turn - 2.0 / 16, 2), 0, 1e-14, "each plaquette has the same flux");
    }
}

template <int W>
void free_quarks() {
  using V = ColourVectorField<double, W>;
  const Lattice lattice(size, W);
  const dirac::StaggeredLinks<double, W> unit(GaugeField<double, W>::unit(lattice));
  const dirac::StaggeredOperator<double, W> periodic(unit, {.antiperiodic_time = false}, mass);
  const V constant(lattice, 0), image = constant.like();
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    if ((x[0] + x[1] + x[2] + x[3]) % 2 == 0) constant.set(x, std::array{1.0, 0.0, 0.0, 0.0, 0.0, 0.0});
  }
  periodic(constant, image);
  tour::expect_near(image.at({0, 0, 0, 0})[0], mass * mass, 1e-15, "M^dagger M = m^2 at zero momentum");

  // Only a few distinct sets of phases occur among all registers of the lattice. Without a field they are real, which
  // halves the multiplications in kernels.
  const dirac::HopTable<double, W> plain(lattice, dirac::staggered_coefficient({}, size));
  const dirac::HopTable<double, W> turned(lattice, dirac::staggered_coefficient(magnetic, size));
  fmt::print("{} lanes: {} distinct phases, {} in a magnetic field\n", W, plain.distinct(), turned.distinct());
  tour::expect(plain.real() && !turned.real(), "the phases in a magnetic field are complex");
}

// (m + D) x = b on both parities: x_e = (m^2 - D_eo D_oe)^-1 (m b_e - D_eo b_o), x_o = (b_o - D_oe x_e) / m.
template <int W>
void solve(const dirac::StaggeredOperator<double, W>& d) {
  using V = ColourVectorField<double, W>;
  const V even(d.lattice(), 0), odd(d.lattice(), 1), right = even.like(), x_even = even.like(), x_odd = odd.like();
  solver::fill_normal({.seed = 2}, even);
  solver::fill_normal({.seed = 2}, odd);
  const std::array m{d.mass()}, minus{-1.0};
  d.hop(odd, right);
  solver::scale_and_add(minus, m, even, right);
  solver::require_converged(solver::conjugate_gradient(d, right, x_even, {.tolerance = 1e-12}), "the even sites");
  d.hop(x_even, x_odd);
  solver::scale_and_add(std::array{-1 / d.mass()}, std::array{1 / d.mass()}, odd, x_odd);
  // The residual b_e - (m x_e + D_eo x_o) on even sites; on odd sites it vanishes by construction.
  d.hop(x_odd, right);
  solver::add_scaled(m, x_even, right);
  const double left = std::sqrt(solver::subtract_from(even, right)[0] / solver::norms2(even)[0]);
  fmt::print("M x = b: |b - M x| / |b| = {:.1e} on even sites\n", left);
  tour::expect(left < 1e-10, "M M^-1 b = b");
}

}  // namespace

int main() {
  return tour::run([] {
    flux();
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      free_quarks<W>();
      const GaugeField<double, W> u(Lattice(size, W));
      gauge::hot_start({.seed = 1, .purpose = gauge::hot_start_purpose}, u);
      solve(dirac::StaggeredOperator<double, W>(dirac::StaggeredLinks<double, W>(u), magnetic, mass));
    });
  });
}
