// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/eigenvalues/hermitian_eigensystem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "trellis/core/error.hpp"

namespace trellis::solver {

namespace {

using Complex = std::complex<double>;

struct Square {
  int n;
  std::vector<Complex> numbers;
  Complex& operator()(int i, int j) { return numbers[std::size_t(i) * std::size_t(n) + std::size_t(j)]; }
  const Complex& operator()(int i, int j) const { return numbers[std::size_t(i) * std::size_t(n) + std::size_t(j)]; }
};

// Without the checks for infinities of std::complex's product, which take most of its time.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
double squared(Complex a) { return a.real() * a.real() + a.imag() * a.imag(); }

// from - sum_k left(k) right(k), first <= k < last. Real and imaginary parts in loops of their own: of both in one loop
// GCC 12's vectoriser makes fused instructions where the processor has them, whatever -ffp-contract says.
template <class Left, class Right>
Complex without_products(Complex from, int first, int last, const Left& left, const Right& right) {
  double re = from.real(), im = from.imag();
  for (int k = first; k < last; ++k) re -= product(left(k), right(k)).real();
  for (int k = first; k < last; ++k) im -= product(left(k), right(k)).imag();
  return {re, im};
}

void complete_lower_triangle(Square& a) {
  for (int i = 0; i < a.n; ++i) {
    a(i, i) = a(i, i).real();
    for (int j = 0; j < i; ++j) a(i, j) = std::conj(a(j, i));
  }
}

// G = L L^dagger; L in the lower triangle.
Square cholesky(Square g) {
  for (int j = 0; j < g.n; ++j) {
    double pivot = g(j, j).real();
    for (int k = 0; k < j; ++k) pivot -= squared(g(j, k));
    if (!(pivot > 0)) fail("eigenvalues: the vectors are linearly dependent");
    g(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < g.n; ++i) {
      const Complex rest =
          without_products(g(i, j), 0, j, [&](int k) { return g(i, k); }, [&](int k) { return std::conj(g(j, k)); });
      g(i, j) = rest / g(j, j).real();
    }
  }
  return g;
}

// a <- L^-1 a
void solve_lower(const Square& l, Square& a) {
  for (int column = 0; column < a.n; ++column)
    for (int i = 0; i < a.n; ++i) {
      const Complex rest =
          without_products(a(i, column), 0, i, [&](int k) { return l(i, k); }, [&](int k) { return a(k, column); });
      a(i, column) = rest / l(i, i).real();
    }
}
// a <- L^-dagger a
void solve_lower_adjoint(const Square& l, Square& a) {
  for (int column = 0; column < a.n; ++column)
    for (int i = a.n - 1; i >= 0; --i) {
      const Complex rest = without_products(
          a(i, column), i + 1, a.n, [&](int k) { return std::conj(l(k, i)); }, [&](int k) { return a(k, column); });
      a(i, column) = rest / l(i, i).real();
    }
}
void take_adjoint(Square& a) {
  for (int i = 0; i < a.n; ++i)
    for (int j = 0; j <= i; ++j) {
      const Complex upper = a(j, i);
      a(j, i) = std::conj(a(i, j));
      a(i, j) = std::conj(upper);
    }
}

// Columns p and q of a are multiplied by the rotation that makes (J^dagger A J)_pq zero.
struct Rotation {
  double c, s;
  Complex phase;  // e^(-i arg a_pq)
  void columns(Square& a, int p, int q) const {
    for (int i = 0; i < a.n; ++i) {
      const Complex x = a(i, p), y = product(phase, a(i, q));
      a(i, p) = c * x - s * y;
      a(i, q) = s * x + c * y;
    }
  }
  void rows(Square& a, int p, int q) const {
    for (int j = 0; j < a.n; ++j) {
      const Complex x = a(p, j), y = product(std::conj(phase), a(q, j));
      a(p, j) = c * x - s * y;
      a(q, j) = s * x + c * y;
    }
  }
};

Rotation rotation_of(const Square& a, int p, int q) {
  const double size = std::sqrt(squared(a(p, q)));
  const double tau = (a(q, q).real() - a(p, p).real()) / (2 * size);
  const double t = (tau < 0 ? -1 : 1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
  const double c = 1 / std::sqrt(1 + t * t);
  return {c, t * c, std::conj(a(p, q)) / size};
}

// a becomes diagonal; its eigenvectors are the columns of v.
void diagonalise(Square& a, Square& v) {
  double norm = 0;
  for (const Complex& x : a.numbers) norm += squared(x);
  if (!std::isfinite(norm)) fail("eigenvalues: a number is not finite");
  const double negligible = 0.5 * std::numeric_limits<double>::epsilon() * std::sqrt(norm);  // rounding of a rotation
  constexpr int most_sweeps = 60;  // quadratic convergence: about ten are needed
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool changed = false;
    for (int p = 0; p < a.n; ++p)
      for (int q = p + 1; q < a.n; ++q) {
        if (squared(a(p, q)) <= negligible * negligible) continue;
        const Rotation rotation = rotation_of(a, p, q);
        rotation.columns(a, p, q);
        rotation.rows(a, p, q);
        rotation.columns(v, p, q);
        changed = true;
      }
    if (!changed) return;
  }
  fail("eigenvalues: Jacobi rotations of a matrix of {} rows did not converge", a.n);
}

}  // namespace

SmallEigensystem generalised_eigensystem(int n, std::vector<Complex> h, std::vector<Complex> g) {
  const auto size = std::size_t(n) * std::size_t(n);
  if (n < 1 || h.size() != size || g.size() != size)
    fail("eigenvalues: {} and {} numbers for matrices of {} rows", h.size(), g.size(), n);
  Square a{n, std::move(h)}, metric{n, std::move(g)}, v{n, std::vector<Complex>(size)};
  complete_lower_triangle(a);
  complete_lower_triangle(metric);
  const Square l = cholesky(std::move(metric));
  solve_lower(l, a);
  take_adjoint(a);
  solve_lower(l, a);
  for (int i = 0; i < n; ++i) v(i, i) = 1;
  diagonalise(a, v);
  solve_lower_adjoint(l, v);

  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int k) { return std::pair(a(k, k).real(), k); });
  SmallEigensystem result{{}, std::vector<Complex>(size)};
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.values.push_back(a(order[k], order[k]).real());
    for (int i = 0; i < n; ++i) result.vectors[std::size_t(i) * order.size() + k] = v(i, order[k]);
  }
  return result;
}

}  // namespace trellis::solver
