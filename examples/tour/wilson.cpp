// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Wilson and clover quarks: links stored as 18, 12 and 8 numbers, the clover term, gamma5 hermiticity, and the solution
// of M x = b by even/odd preconditioning and BiCGStab.
#include <array>
#include <cmath>

#include "examples/tour/tour.hpp"
#include "examples/tour/warm_links.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/wilson/clover_term.hpp"
#include "trellis/dirac/wilson/wilson.hpp"
#include "trellis/dirac/wilson/wilson_links.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/solver/algebra/complex_algebra.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/bicgstab.hpp"

using namespace trellis;

namespace {

constexpr Coordinate size{4, 4, 4, 4};

// A spinor field that differs from site to site; gamma5 = diag(1, 1, -1, -1) in this basis.
template <int W>
SpinorField<double, W> spinors(const Lattice& lattice, int parity, std::uint64_t seed, bool times_gamma5 = false) {
  const SpinorField<double, W> psi(lattice, parity);
  const RandomStream stream{.seed = seed};
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    if ((x[0] + x[1] + x[2] + x[3]) % 2 != parity) continue;
    std::array<double, 24> values;
    for (std::uint32_t k = 0; k < 24; ++k)
      values[k] = (times_gamma5 && k >= 12 ? -1 : 1) * (stream.uniform(std::uint64_t(site), k)[0] - 0.5);
    psi.set(x, values);
  }
  return psi;
}

// |a - b| / |a|
template <class V>
double distance(const V& a, const V& b) {
  const V difference = b.clone();
  return std::sqrt(solver::subtract_from(a, difference)[0] / solver::norms2(a)[0]);
}

template <int W>
void hops(const GaugeField<double, W>& u) {
  const auto in = spinors<W>(u.lattice(), 0, 3);
  const SpinorField<double, W> full(u.lattice(), 1), other = full.like();
  dirac::wilson_hops(dirac::WilsonLinks<double, W>(u, dirac::LinkFormat::full), in, full);
  for (const auto format : {dirac::LinkFormat::two_rows, dirac::LinkFormat::minimal}) {
    const dirac::WilsonLinks<double, W> links(u, format);  // less data to read, more to compute
    dirac::wilson_hops(links, in, other);
    fmt::print("{} numbers per link: {:.0f} bytes per site, hops differ by {:.1e}\n", int(format),
               links.bytes_per_site(), distance(full, other));
    tour::expect(distance(full, other) < 1e-11, "compressed SU(3) links give the same hops");
  }
}

template <int W>
void clover(const GaugeField<double, W>& u) {
  const dirac::CloverTerm<double, W> term(u, {.kappa = 0.12, .clover = 1.2, .clover_temporal = 1.2},
                                          dirac::CloverInverse::both);
  const auto in = spinors<W>(u.lattice(), 0, 4);
  const auto out = in.like();
  term.apply(in, out);
  term.apply_inverse(out, out);
  tour::expect(distance(in, out) < 1e-13, "A^-1 A = 1");
  fmt::print("log det A on odd sites: {:.6f}, negative eigenvalues: {}\n", term.log_determinant(1),
             term.negative_eigenvalues(1));
  const dirac::CloverTerm<double, W> cold(GaugeField<double, W>::unit(u.lattice()), {.kappa = 0.12, .clover = 1.2});
  tour::expect(cold.log_determinant(1) == 0, "A = 1 on unit links");
}

template <int W>
void solve(const GaugeField<double, W>& u) {
  const dirac::WilsonOperator<double, W> m(u, {.kappa = 0.12, .clover = 1.2});
  const Lattice& lattice = u.lattice();
  const auto even = spinors<W>(lattice, 0, 5), odd = spinors<W>(lattice, 1, 6), y = spinors<W>(lattice, 0, 7);

  // <y, Mhat x> = <Mhat^dagger y, x>, and Mhat^dagger = gamma5 Mhat gamma5.
  const auto image = even.like(), back = even.like();
  m.apply(even, image);
  m.apply_adjoint(y, back);
  const auto one = solver::complex_dots(y, image)[0], two = solver::complex_dots(back, even)[0];
  tour::expect_near(std::abs(one - two), 0, 1e-12, "apply_adjoint() is the adjoint of apply()");
  m.apply(spinors<W>(lattice, 0, 7, true), image);
  const auto five = spinors<W>(lattice, 0, 5, true);
  tour::expect_near(std::abs(solver::complex_dots(image, five)[0] - two), 0, 1e-12, "gamma5 hermiticity");

  // Right-hand side b_e + kappa D_eo A_oo^-1 b_o, then the solution on even sites, and from it the one on odd sites.
  const auto right = even.like(), x_even = even.like(), x_odd = odd.like();
  m.prepare(even, odd, right);
  const auto report = solver::bicgstab(m, right, x_even, {.tolerance = 1e-12});
  solver::require_converged(report, "Mhat");
  m.reconstruct(x_even, odd, x_odd);
  const auto b_even = even.like(), b_odd = odd.like();
  m.full(x_even, x_odd, b_even);
  m.full(x_odd, x_even, b_odd);
  fmt::print("M x = b after {} iterations: |b - M x| / |b| = {:.1e} and {:.1e}\n", report.iterations,
             distance(even, b_even), distance(odd, b_odd));
  tour::expect(distance(even, b_even) < 1e-11 && distance(odd, b_odd) < 1e-11, "M M^-1 b = b");
}

}  // namespace

int main() {
  return tour::run([] {
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() {
      const auto u = tour::warm_links<W>(Lattice(size, W), 0.5);
      hops(u);
      clover(u);
      solve(u);
    });
  });
}
