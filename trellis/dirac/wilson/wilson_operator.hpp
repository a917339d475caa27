// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The matrix of Wilson quarks (Wilson, Phys. Rev. D 10 (1974) 2445) with the clover term A of clover_term.hpp and the
// hops D of wilson_links.hpp,
//   M = A - kappa D = 2 kappa (D_W + m_0),   gamma_5 M gamma_5 = M^dagger,
// and its even/odd preconditioned form on even sites,
//   Mhat = A_ee - kappa^2 D_eo A_oo^-1 D_oe,   gamma_5 Mhat gamma_5 = Mhat^dagger:
// M x = b is Mhat x_e = b_e + kappa D_eo A_oo^-1 b_o and x_o = A_oo^-1 (b_o + kappa D_oe x_e).
// With boundaries in time (stencil/quark_slices.hpp) M is 1 on the slices without quarks, and the slices next to these
// have 2 kappa (c_F - 1) added to A, the boundary improvement of M. Luescher and S. Schaefer, Comput. Phys. Commun. 184
// (2013) 519, as for D_W; openQCD calls c_F cF. A right-hand side that vanishes where there are no quarks has a
// solution that does. What follows a hop is done while its result is in registers, so Mhat takes two passes, one over
// the sites of each parity. Without clover, A = 1 costs neither memory nor time. T is float, double or Fixed16, which
// stores links, spinors and clover blocks as 16-bit integers with scales (lattice/fixed_point.hpp) and computes in
// single precision.
//
// Mhat per pair of sites, by the usual count: 2 x 1320 flops of hops and 48 of the sum, 2 x 504 with clover. Bytes per
// pair, for S bytes per number and n vectors: S (2 x 8 x 18, 12 or 8) / n of links, 120 S of spinors, 2 x 72 S / n of
// clover.

#include <memory>
#include <optional>

#include "trellis/dirac/stencil/work_fields.hpp"
#include "trellis/dirac/wilson/clover_term.hpp"
#include "trellis/dirac/wilson/wilson.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac {

struct WilsonParameters {
  double kappa = 0.1;                                        // 1 / (2 m_0 + 8) where spatial_hopping is 1
  double clover = 0;                                         // c_sw; 0: no clover term
  double clover_temporal = clover;                           // c_sw of planes with t
  double spatial_hopping = 1;                                // nu / xi_0 of an anisotropic action
  std::array<double, 4> boundary_angle_over_pi{0, 0, 0, 1};  // antiperiodic time
  gauge::Boundary boundary = {};                             // in time; then no angle in t matters
  double c_f = 1;                                            // c_F, with such a boundary; 1 at tree level
};

// Throws InputError unless 0 < kappa <= 1, 0 <= clover coefficients <= 10, 0 < spatial_hopping <= 10,
// -2 <= angles <= 2, and c_F is from 0 to 100, and 1 without boundaries.
void require_valid(const WilsonParameters& parameters);

// Copies share links, clover term and work space; one operator serves one caller at a time.
template <class T, int W>
class WilsonOperator {
 public:
  // Throws if an A_oo is singular (clover_term.hpp).
  WilsonOperator(const GaugeField<arithmetic_t<T>, W>& u, const WilsonParameters& parameters,
                 LinkFormat format = LinkFormat::two_rows, const HopSettings& settings = {});

  // Replaces the links, for all copies.
  void pack(const GaugeField<arithmetic_t<T>, W>& u) const;

  const Lattice& lattice() const { return links_.lattice(); }
  const WilsonParameters& parameters() const { return parameters_; }
  const WilsonLinks<T, W>& links() const { return links_; }
  // Empty if clover and clover_temporal are 0 and c_F is 1.
  const std::optional<CloverTerm<T, W>>& clover() const { return clover_; }

  // out <- Mhat in and out <- Mhat^dagger in, for each of in.count() vectors on even sites; out may be in.
  void apply(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const;
  void apply_adjoint(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const;
  // out <- Mhat^dagger Mhat in; returns <in_n, out_n> = |Mhat in_n|^2 for each vector, summed exactly.
  std::vector<double> operator()(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const;
  // The same, leaving the norms where kernels can read them.
  void operator()(const SpinorField<T, W>& in, const SpinorField<T, W>& out, const FieldSums& norms) const;

  // The right-hand side of the even system: out <- b_e + kappa D_eo A_oo^-1 b_o; out may be b_even.
  void prepare(const SpinorField<T, W>& b_even, const SpinorField<T, W>& b_odd, const SpinorField<T, W>& out) const;
  // The odd part of the solution: x_odd <- A_oo^-1 (b_o + kappa D_oe x_e); x_odd may be b_odd.
  void reconstruct(const SpinorField<T, W>& x_even, const SpinorField<T, W>& b_odd,
                   const SpinorField<T, W>& x_odd) const;

  // One parity of M in, or M^dagger in: out <- A same - kappa D other; `same` has the parity of out.
  void full(const SpinorField<T, W>& same, const SpinorField<T, W>& other, const SpinorField<T, W>& out,
            HopSign sign = HopSign::plain) const;

 private:
  struct Finish;

  void mhat(const SpinorField<T, W>& in, const SpinorField<T, W>& out, HopSign sign, const FieldSums* norms) const;
  void pass(const SpinorField<T, W>& in, const SpinorField<T, W>& out, HopSign sign, const Finish& finish,
            const FieldSums* norms = nullptr) const;
  const SpinorField<T, W>& work(int parity, int count) const { return work_(lattice(), parity, count); }
  void require(const SpinorField<T, W>& x, int parity, int count) const;

  WilsonParameters parameters_;
  WilsonLinks<T, W> links_;
  std::optional<CloverTerm<T, W>> clover_;
  HopSettings settings_;
  stencil::WorkFields<SpinorField<T, W>> work_;
};

}  // namespace trellis::dirac
