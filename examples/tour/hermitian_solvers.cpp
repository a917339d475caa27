// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers for your own Hermitian positive definite operator (hopping.hpp): conjugate gradients for several right-hand
// sides, the same in mixed precision, multi-shift, and the largest eigenvalue. Solvers need only one thing from an
// operator: out <- A in, returning Re <in, A in> for each vector.
#include "examples/tour/hopping.hpp"
#include "examples/tour/tour.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/solver/eigenvalues/lowest_eigenvalues.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"
#include "trellis/solver/mixed_precision_cg.hpp"
#include "trellis/solver/multi_shift_cg.hpp"
#include "trellis/solver/operator.hpp"
#include "trellis/solver/report.hpp"

using namespace trellis;

namespace {

struct ScalarField {
  double h;

  template <class T, int W>
  std::vector<double> operator()(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) const {
    std::vector<double> products = solver::norms2(in);
    const std::vector<double> hopped = tour::one_minus_hops(h, 0, in, out);
    for (std::size_t n = 0; n < products.size(); ++n) products[n] -= h * h * hopped[n];  // H_eo is the adjoint of H_oe
    return products;
  }
};
static_assert(solver::HermitianOperator<ScalarField, ColourVectorField<double, 1>>);

// |b - x| / |b| for vector n
template <class V>
double distance(const V& b, const V& x, int n) {
  const V difference = x.clone();
  return std::sqrt(solver::subtract_from(b, difference)[std::size_t(n)] / solver::norms2(b)[std::size_t(n)]);
}

template <int W>
void solve(const Coordinate& size) {
  const Lattice lattice(size, W);
  const ScalarField a{8 / (8 + 0.5)};
  using V = ColourVectorField<double, W>;
  const V exact(lattice, 0, 2), b = exact.like(), x = exact.like();
  tour::fill({.seed = 1}, exact);
  a(exact, b);

  auto report = solver::conjugate_gradient(a, b, x, {.tolerance = 1e-11});
  solver::require_converged(report, "the scalar field");  // solvers only report; stopping is up to the caller
  fmt::print("CG: {} iterations, residual {:.1e}\n", report.iterations, report.residuals[0]);
  tour::expect(distance(exact, x, 0) < 1e-10 && distance(exact, x, 1) < 1e-10, "A^-1 A x = x");

  // The iterations run in single precision, on vectors of half the size, but the residual is still that of double
  // precision.
  const solver::PrecisionMaps<W, W> maps(lattice, lattice);
  x.set_zero();
  report = solver::mixed_precision_cg(a, a, maps, b, x, {.tolerance = 1e-11});
  solver::require_converged(report, "the scalar field in mixed precision");
  fmt::print("mixed precision: {} iterations, residual {:.1e}\n", report.iterations, report.residuals[0]);
  tour::expect(distance(exact, x, 0) < 1e-10, "mixed precision is just as accurate");

  // Solves (A + s_i) x_i = b for all s_i at the cost of solving for the smallest: one solution per shift.
  const std::vector<double> shifts{0, 0.1, 1};
  const V one(lattice, 0), several(lattice, 0, 3), image = several.like();
  tour::fill({.seed = 2}, one);
  report = solver::multi_shift_cg(a, shifts, one, several, {.tolerance = 1e-10});
  solver::require_converged(report, "three shifts");
  a(several, image);
  solver::add_scaled(shifts, several, image);  // shift n for vector n
  const V source(lattice, 0, 3), rest = image.clone();
  for (int n = 0; n < 3; ++n) solver::scatter(one, std::array{n}, source);
  const auto squares = solver::subtract_from(source, rest);
  for (const double square : squares) tour::expect(square < 1e-19 * solver::norms2(one)[0], "(A + s) x = b");

  const auto largest = solver::largest_eigenvalue(a, one, {.seed = 3, .purpose = solver::spectrum_purpose},
                                                  {.max_steps = 60, .tolerance = 1e-6});
  fmt::print("largest eigenvalue {:.8f} after {} Lanczos steps\n", largest.value, largest.steps);
  tour::expect_near(largest.value, 1, 1e-5, "waves with sum_mu cos p_mu = 0 have the eigenvalue 1");

  const auto lowest = solver::lowest_eigenvalues(a, one, {.seed = 3, .purpose = solver::spectrum_purpose},
                                                 {.count = 4, .tolerance = 1e-9, .upper = 1.01});
  fmt::print("lowest eigenvalues {:.8f} (residual {:.1e}) to {:.8f}\n", lowest.values.front(), lowest.residuals.front(),
             lowest.values.back());
  const auto again = a(lowest.vectors, lowest.vectors.like());
  tour::expect_near(again[0], lowest.values[0], 1e-12, "<v, A v> is the eigenvalue");
}

}  // namespace

int main() {
  return tour::run([] {
    const Coordinate size{4, 4, 4, 8};
    with_lanes<double>(Lattice::best_lanes(size, sizeof(double)), [&]<int W>() { solve<W>(size); });
  });
}
