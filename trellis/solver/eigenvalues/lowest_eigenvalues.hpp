// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lowest eigenvalues of a Hermitian operator, with their vectors, by subspace iteration with Chebyshev filters
// (Y. Zhou, Y. Saad, M. L. Tiago and J. R. Chelikowsky, J. Comput. Phys. 219 (2006) 172). A block of vectors, more than
// are wanted, starts from random numbers. In each iteration A is diagonalised in the space they span (Rayleigh and
// Ritz), and a Chebyshev polynomial of A then damps what lies between somewhat above the block's largest Ritz value and
// `upper`, relative to what lies below. The polynomial's degree is the smallest that enhances the lowest by 10^5.
//
// The vectors are side by side, so that A reads its links once for all of them, and multiple eigenvalues are found as
// often as they occur, which Lanczos iteration with a single vector does not do. An eigenvalue lies within
// |A v - lambda v| of each value, for its normalised v; this is computed anew from v in each iteration. (That none
// below was missed is only as certain as that random vectors have components along all eigenvectors.) No bit depends on
// lanes, threads or ranks.
//
// Cost: almost all in A. Memory: four blocks of vectors. At most 64 vectors are in a block, and 48 eigenvalues can be
// asked for; all of them if there are no more than 64.

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/solver/algebra/block_algebra.hpp"
#include "trellis/solver/eigenvalues/hermitian_eigensystem.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"

namespace trellis::solver {

inline constexpr int most_eigenvalues = 48;

struct LowestEigenvalueParameters {
  int count = 10;
  double tolerance = 1e-10;       // |A v - lambda v| of each, above 0
  double upper = 0;               // no eigenvalue is above it; above 0
  int max_applications = 100000;  // of A to the block
};

template <class V>
struct Eigenpairs {
  std::vector<double> values;     // `count`, ascending up to rounding
  std::vector<double> residuals;  // |A v - lambda v|
  V vectors;                      // those of the values come first; norm 1
  int applications = 0;           // of A to the block
  int iterations = 0;
};

namespace eigenvalues_detail {

// How many vectors the block has. InputError for parameters that make no sense in a space of this dimension.
int block_size(const LowestEigenvalueParameters& parameters, std::int64_t dimension);
// Where damping begins: a little above the block's largest Ritz value. Not at it, since an eigenvalue with more vectors
// than the block has room for is enhanced only if it is below.
double filter_cut(double lowest, double largest, double upper);
// The smallest degree whose polynomial is 10^5 at `lowest`, if it is at most 1 between cut and upper; at most 1000.
int filter_degree(double lowest, double cut, double upper);

// Whether the largest residual was not halved in 20 iterations: rounding, or an operator that is not Hermitian.
class Progress {
 public:
  bool has_stalled(double residual) {
    if (residual < 0.5 * best_) {
      best_ = residual;
      waiting_ = 0;
    }
    return ++waiting_ > 20;
  }

 private:
  double best_ = std::numeric_limits<double>::infinity();
  int waiting_ = 0;
};

template <class V>
V random_block(const V& like, int count, const RandomStream& stream) {
  const V block(like.lattice(), like.parity(), count, "eigenvectors"), one(like.lattice(), like.parity());
  for (int n = 0; n < count; ++n) {
    fill_normal({stream.seed, stream.trajectory + std::uint32_t(n), stream.purpose}, one);
    scatter(one, std::array{n}, block);
  }
  return block;
}

// x <- T_degree(y(A)) x, where y maps cut ... upper to -1 ... 1. work, image: like x.
template <class V, class A>
void filter(const A& a, int degree, double cut, double upper, V& x, V& work, const V& image) {
  const double width = upper - cut, slope = 4 / width, offset = -2 * (upper + cut) / width;
  const FieldSums unused(x.count());  // so that the host need not wait for them
  work.set_zero();
  apply_with_products(a, x, image, unused);
  three_term_step(slope / 2, image, offset / 2, x, work);  // y(A) x
  for (int k = 2; k <= degree; ++k) {
    std::swap(x, work);  // x: T_(k-1), work: T_(k-2)
    apply_with_products(a, x, image, unused);
    three_term_step(slope, image, offset, x, work);
  }
  std::swap(x, work);
}

}  // namespace eigenvalues_detail

// `like` provides the lattice and parity and is not read. Throws InputError for invalid parameters, and Error if the
// tolerance is not reached, rounding allows no more, or a Ritz value before the end is not below `upper`.
// Those of A in a part of the space of this dimension: restrict_to_part(block) sets numbers outside it to 0, which A
// leaves so.
template <class V, HermitianOperator<V> A, class Restrict>
Eigenpairs<V> lowest_eigenvalues(const A& a, const V& like, const RandomStream& stream,
                                 const LowestEigenvalueParameters& parameters, std::int64_t dimension,
                                 const Restrict& restrict_to_part) {
  namespace detail = eigenvalues_detail;
  const int block = detail::block_size(parameters, dimension);
  const auto wanted = std::size_t(parameters.count);
  V x = detail::random_block(like, block, stream), work = x.like(), image = x.like();
  restrict_to_part(x);
  Eigenpairs<V> found;
  detail::Progress progress;
  for (;; ++found.iterations) {
    a(x, image);
    const SmallEigensystem ritz = generalised_eigensystem(block, inner_products(x, image), inner_products(x, x));
    combine(ritz.vectors, x, work);
    std::swap(x, work);

    // Values and residuals from the vectors themselves, whatever rounding the step above had.
    std::vector<double> values = a(x, image), norms = norms2(x), minus;
    for (std::size_t n = 0; n < values.size(); ++n) minus.push_back(-(values[n] /= norms[n]));
    add_scaled(minus, x, image);
    std::vector<double> residuals = norms2(image);
    for (std::size_t n = 0; n < values.size(); ++n) residuals[n] = std::sqrt(residuals[n] / norms[n]);
    found.applications += 2;
    found.values.assign(values.begin(), values.begin() + std::ptrdiff_t(wanted));
    found.residuals.assign(residuals.begin(), residuals.begin() + std::ptrdiff_t(wanted));
    const double largest = *std::ranges::max_element(found.residuals);
    if (largest <= parameters.tolerance) break;
    if (!(values.back() < parameters.upper))
      fail("eigenvalues: there is one near {}, but {} was given as an upper bound", values.back(), parameters.upper);
    if (found.applications >= parameters.max_applications || progress.has_stalled(largest))
      fail("eigenvalues: {} applications of the operator left a residual of {:.3g}; {:.3g} was requested",
           found.applications, largest, parameters.tolerance);

    const double cut = detail::filter_cut(values.front(), values.back(), parameters.upper);
    const int degree = detail::filter_degree(values.front(), cut, parameters.upper);
    detail::filter(a, degree, cut, parameters.upper, x, work, image);
    found.applications += degree;
  }
  found.vectors = x;
  return found;
}

// The same in the whole space.
template <class V, HermitianOperator<V> A>
Eigenpairs<V> lowest_eigenvalues(const A& a, const V& like, const RandomStream& stream,
                                 const LowestEigenvalueParameters& parameters) {
  return lowest_eigenvalues(a, like, stream, parameters, like.lattice().volume() / 2 * (V::reals / 2), [](const V&) {});
}

}  // namespace trellis::solver
