// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// SU(3) in registers: the algebra and its exponential, projections to the group, compressed links, colour vectors, and
// the spin projection of a Wilson hop. Here S = double; kernels use lanes instead (lanes_t<double, W>).
#include <array>

#include "examples/tour/tour.hpp"
#include "trellis/su3/algebra.hpp"
#include "trellis/su3/compression.hpp"
#include "trellis/su3/exponential.hpp"
#include "trellis/su3/matrix.hpp"
#include "trellis/su3/projection.hpp"
#include "trellis/su3/spinor.hpp"
#include "trellis/su3/vector.hpp"

using namespace trellis;

namespace {

using S = double;

// |a - b|, the square root of the sum of squares of all elements
double distance(const Matrix<S>& a, const Matrix<S>& b) {
  const Matrix<S> d = a - b;
  return std::sqrt(real_trace_adjoint(d, d));
}

void group(const Matrix<S>& u) {
  tour::expect_near(unitarity_violation(u), 0, 1e-28, "exp(i H) is in SU(3)");
  tour::expect_near(determinant(u).re, 1, 1e-14, "det U = 1");
  const auto one = Matrix<S>::one();
  tour::expect_near(distance(multiply_adjoint(u, u), one), 0, 1e-14, "U U^dagger = 1");

  // Rounding errors move links out of the group; Gram-Schmidt brings them back.
  Matrix<S> rough = u;
  rough(0, 0).re += 1e-6;
  rough(2, 1).im -= 1e-6;
  tour::expect(!is_reunitarised(rough) && is_reunitarised(reunitarise(rough)), "reunitarised links are back in SU(3)");
  // For a matrix far from the group, like a sum of staples: if M = U P with P positive, U is the unitary matrix nearest
  // to M.
  Matrix<S> positive = one;
  positive(0, 0).re = 2;
  positive(0, 1) = {0.3, 0.2};
  positive(1, 0) = conj(positive(0, 1));
  tour::expect_near(distance(project_polar(u * positive), u), 0, 1e-12, "polar decomposition of U P");

  S numbers[12], fewer[8];
  compress12(u, numbers);
  compress8(u, fewer);
  tour::expect_near(distance(reconstruct12(numbers), u), 0, 1e-14, "two rows determine a link");
  tour::expect_near(distance(reconstruct8(fewer), u), 0, 1e-12, "and so do eight numbers");
}

void vectors(const Matrix<S>& u) {
  const ColourVector<S> v{{{1, 0}, {0, 2}, {-1, 1}}};
  tour::expect_near(real_dot(u * v, u * v), real_dot(v, v), 1e-14, "U preserves the length of a vector");
  tour::expect_near(imaginary_dot(v, v), 0, 1e-15, "v^dagger v is real");
  const auto dyad = add_outer_product(v, v, Matrix<S>::zero());  // as in quark forces
  tour::expect_near(trace(dyad).re, real_dot(v, v), 1e-14, "tr v v^dagger = |v|^2");
}

// The source that project() reads from; fields have their own.
struct Psi {
  Spinor<complex<S>> psi;
  complex<S> load(int spin, int colour) const { return psi.e[spin][colour]; }
};

// A hop multiplies by (1 -+ gamma_mu), which has rank two, so only half a spinor has to be multiplied by the link.
void spin_projection() {
  Psi in{};
  for (int spin = 0; spin < 4; ++spin)
    for (int c = 0; c < 3; ++c) in.psi.e[spin][c] = {1.0 + spin, 0.5 * c};
  constexpr int step = 1;  // forwards in y: 1 - gamma_y
  const auto half = spin::project<step, false, complex<S>>(in);
  Psi whole{};
  for (int c = 0; c < 3; ++c) spin::begin<step, false>(half.e[0][c], half.e[1][c], c, whole.psi);
  const auto again = spin::project<step, false, complex<S>>(whole);
  for (int spin = 0; spin < 2; ++spin)
    for (int c = 0; c < 3; ++c) {
      const complex<S> difference = again.e[spin][c] - 2.0 * half.e[spin][c];
      tour::expect_near(norm(difference), 0, 1e-28, "(1 - gamma)^2 = 2 (1 - gamma)");
    }
}

}  // namespace

int main() {
  return tour::run([] {
    // H = sum_a p_a T_a, Hermitian and traceless, with tr H^2 = 1/2 sum_a p_a^2.
    const Algebra<S> p{{0.3, -1.1, 0.7, 0.2, 0.9, -0.4, 1.3, 0.6}};
    const Matrix<S> h = to_matrix(p);
    double squares = 0;
    for (const S component : p.p) squares += component * component;
    tour::expect_near(trace(h * h).re, squares / 2, 1e-14, "tr H^2 = 1/2 sum p_a^2");
    const Matrix<S> u = exp_i(h);
    tour::expect_near(distance(u * exp_i(-1.0 * h), Matrix<S>::one()), 0, 1e-14, "exp(i H) exp(-i H) = 1");
    fmt::print("tr exp(i H) / 3 = {:.6f} {:+.6f} i\n", trace(u).re / 3, trace(u).im / 3);
    group(u);
    vectors(u);
    spin_projection();
  });
}
