// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clover term of Wilson quarks (Sheikholeslami and Wohlert, Nucl. Phys. B 259 (1985) 572), the site-diagonal part
// of the Wilson matrix:
//   A(x) = 1 + i kappa sum_{mu < nu} c_{mu nu} sigma_{mu nu} F_{mu nu}(x),   sigma = (i/2) [gamma_mu, gamma_nu],
//   F = (Q - Q^dagger) / 8 with Q the sum of the four plaquette leaves around x in the plane, its trace kept,
// c = clover for spatial planes and clover_temporal for those with t. In the chiral basis (su3/spinor.hpp) A(x) is two
// Hermitian 6 x 6 blocks of 36 real numbers each: 72 per site, and 72 for its inverse. The boundary phases of links do
// not enter.
//
// Blocks are computed in double precision, however they are stored, and inverted as U^dagger D U without pivoting.
// Eigenvalues of either sign are allowed, but a pivot must not be below 1e-8 of the block's norm (the root of the sum
// of its squared elements). An inverse loses as many digits as its smallest pivot has leading zeros; at realistic quark
// masses blocks are near 1 and lose none.
// T = Fixed16 stores the blocks of a site as 16-bit integers with one scale (lattice/fixed_point.hpp); spinors and
// arithmetic are then those of Fixed16 as well.
// Cost per site: 60 matrix products to compute; 504 flops and 72 numbers to apply, loaded once for all vectors.

#include <memory>

#include "trellis/dirac/stencil/quark_slices.hpp"
#include "trellis/dirac/wilson/clover_kernel.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::dirac {

inline constexpr double clover_flops = 504;  // per site and vector: two Hermitian blocks of six rows

// The parities whose blocks are inverted: even/odd preconditioning needs odd.
enum class CloverInverse { none, odd, both };

struct CloverCoefficients {
  double kappa = 0.1;
  double clover = 1;           // spatial planes
  double clover_temporal = 1;  // planes with t
  QuarkSlices slices = {};     // with boundaries in time: A = 1 on other slices
  double at_boundaries = 0;    // added to A on the first and on the last of these
};

// Copies share memory.
template <class T, int W>
class CloverTerm {
 public:
  template <class From>
  CloverTerm(const GaugeField<From, W>& u, const CloverCoefficients& coefficients,
             CloverInverse inverse = CloverInverse::odd);

  // Computes the blocks from links in float or double on the same lattice. Throws if one that is to be inverted is
  // singular or not finite, and names the first such site.
  template <class From>
  void build(const GaugeField<From, W>& u) const;

  const Lattice& lattice() const { return *lattice_; }
  const CloverCoefficients& coefficients() const { return coefficients_; }
  bool has_inverse(int parity) const { return inverse_[parity].is_allocated(); }

  // out <- A in and out <- A^-1 in on in's parity, for each of in.count() vectors; out may be in.
  void apply(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const;
  void apply_inverse(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const;

  // For kernels that already have a spinor in registers.
  ParityAccess<T, clover_reals, W> access(int parity) const { return term_[parity].access(); }
  ParityAccess<T, clover_reals, W> inverse_access(int parity) const;

  // For the blocks of one parity, which must have been inverted: log |det A|, summed over its sites with the same bits
  // for any lanes, threads and T; and the number of negative eigenvalues (by Sylvester's law of inertia, that of
  // negative pivots).
  double log_determinant(int parity) const;
  std::int64_t negative_eigenvalues(int parity) const;

  // A(x) or its inverse as the 72 numbers of pack(); for tests.
  std::array<double, clover_reals> at(const Coordinate& x, bool inverse = false) const;

 private:
  struct Determinants {
    double logarithm[2] = {0, 0};
    std::int64_t negative[2] = {0, 0};
  };

  void require_inverse(int parity) const;
  void times(const char* name, bool inverse, const SpinorField<T, W>& in, const SpinorField<T, W>& out) const;

  std::shared_ptr<const Lattice> lattice_;
  CloverCoefficients coefficients_;
  ParityField<T, clover_reals, W> term_[2], inverse_[2];  // by parity
  std::shared_ptr<Determinants> determinants_;
};

}  // namespace trellis::dirac
