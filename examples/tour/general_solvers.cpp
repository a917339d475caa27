// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers for your own non-Hermitian operator: BiCGStab, GCR with a preconditioner, and conjugate gradients on the
// normal equations. The operator is that of the scalar field in hopping.hpp at nonzero chemical potential, on fields
// with 24 numbers per site.
#include <complex>

#include "examples/tour/hopping.hpp"
#include "examples/tour/tour.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/solver/algebra/complex_algebra.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/bicgstab.hpp"
#include "trellis/solver/gcr.hpp"
#include "trellis/solver/normal_equations.hpp"
#include "trellis/solver/operator.hpp"
#include "trellis/solver/report.hpp"

using namespace trellis;

namespace {

struct AtChemicalPotential {
  double h, mu;

  template <class V>
  void apply(const V& in, const V& out) const {
    tour::one_minus_hops(h, mu, in, out);
  }
  template <class V>
  void apply_adjoint(const V& in, const V& out) const {
    tour::one_minus_hops(h, -mu, in, out);
  }
};
static_assert(solver::GeneralOperator<AtChemicalPotential, SpinorField<double, 1>>);

template <int W>
void solve(const Coordinate& size) {
  const Lattice lattice(size, W);
  const AtChemicalPotential a{.h = 8 / (8 + 2.0), .mu = 0.3};
  using V = SpinorField<double, W>;
  const V exact(lattice, 0), other = exact.like(), b = exact.like(), x = exact.like(), image = exact.like();
  tour::fill({.seed = 1}, exact);
  tour::fill({.seed = 2}, other);
  a.apply(exact, b);

  a.apply_adjoint(other, image);
  const auto there = solver::complex_dots(other, b)[0], back = solver::complex_dots(image, exact)[0];
  tour::expect_near(std::abs(there - back), 0, 1e-10, "<y, A x> = <A^dagger y, x>");
  tour::expect(std::abs(there - solver::complex_dots(b, other)[0]) > 1e-3, "and A is not Hermitian");

  const auto check = [&](const char* method, const solver::SolverReport& report) {
    solver::require_converged(report, "the scalar field at nonzero chemical potential");
    const V difference = x.clone();
    const double distance = std::sqrt(solver::subtract_from(exact, difference)[0] / solver::norms2(exact)[0]);
    fmt::print("{:17} {:3} iterations, {:3} applications, residual {:.1e}, error {:.1e}\n", method, report.iterations,
               report.operator_applications, report.residuals[0], distance);
    tour::expect(distance < 1e-9, "A^-1 A x = x");
    x.set_zero();  // the initial guess of the next solver
  };
  check("BiCGStab", solver::bicgstab(a, b, x, {.tolerance = 1e-11}));
  check("GCR(8)", solver::gcr(a, b, x, {.tolerance = 1e-11, .directions = 8}));
  // Any callable that approximates A^-1 can be a preconditioner; here it is two terms of the Neumann series,
  // 1 + (1 - A).
  check("GCR(8), precond.", solver::gcr(a, b, x, {.tolerance = 1e-11, .directions = 8}, [&](const V& in, const V& out) {
          a.apply(in, out);
          solver::scale_and_add(std::array{-1.0}, std::array{2.0}, in, out);
        }));
  check("normal equations", solver::normal_equations_cg(a, b, x, {.tolerance = 1e-11}));
}

}  // namespace

int main() {
  return tour::run([] {
    const Coordinate size{4, 4, 4, 8};
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() { solve<W>(size); });
  });
}
