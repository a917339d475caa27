// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links packed for the Wilson hopping term
//   D psi(x) = sum_mu s_mu [ (1 - gamma_mu) u_mu(x) U_mu(x) psi(x+mu)
//                          + (1 + gamma_mu) conj(u_mu(x-mu)) U_mu(x-mu)^dagger psi(x-mu) ]:
// for each site the eight matrices that its hops apply, those of backward hops as adjoints, in the lanes of the site,
// in the order in which tiles are visited. s_mu weights directions (anisotropy), u_mu(x) is exp(i pi theta_mu) on the
// links that leave x_mu = L_mu - 1 and 1 elsewhere. Hops that a boundary in time takes away (quark_slices.hpp) have the
// factor 0. Links are stored as 18 numbers, as two rows (the third is rebuilt,
// 24 multiply-adds), or as eight numbers (su3/compression.hpp; singular at the unit matrix, some 180 flops and square
// roots), in the precision T or as 16-bit integers (Fixed16). Weights and phases are kept in a separate small table, so
// that the links remain in SU(3): a hop is multiplied by its factor only where that is not 1. Numbers stored per site,
// for both hops of the four directions: 8 x 18, 12 or 8.

#include <array>
#include <memory>

#include "trellis/dirac/stencil/hop_table.hpp"
#include "trellis/dirac/stencil/quark_slices.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/lattice/fixed_point.hpp"

namespace trellis::dirac {

enum class LinkFormat { full = 18, two_rows = 12, minimal = 8 };

struct HopWeights {
  double spatial = 1;                                        // s_x = s_y = s_z; s_t = 1
  std::array<double, 4> boundary_angle_over_pi{0, 0, 0, 1};  // theta_mu; antiperiodic time
  QuarkSlices slices = {};                                   // with boundaries in time

  bool operator==(const HopWeights&) const = default;
};

// s_mu u_mu(x), or its conjugate for a backward hop; 0 if there is no such hop.
HopCoefficient wilson_coefficient(const HopWeights& weights, const Coordinate& size);

template <class T, int W>
class WilsonLinks {
 public:
  using real = arithmetic_t<T>;

  // Throws InputError unless weights are finite, the spatial one is positive and the slices are on the lattice, and if
  // eight numbers are asked for in 16 bits or with boundaries in time, where links may be zero or one.
  WilsonLinks(const Lattice& lattice, LinkFormat format, const HopWeights& weights = {});
  WilsonLinks(const GaugeField<real, W>& u, LinkFormat format, const HopWeights& weights = {})
      : WilsonLinks(u.lattice(), format, weights) {
    pack(u);
  }

  // Takes the links of u, which must be in SU(3). Operators that share them use the new ones.
  void pack(const GaugeField<real, W>& u) const;

  const Lattice& lattice() const { return *lattice_; }
  LinkFormat format() const { return format_; }
  const HopWeights& weights() const { return weights_; }
  const stored_t<T>* data() const { return packed_.data(); }  // [tile][hop][number][lane]
  const std::uint8_t* marks() const { return marks_.data(); }
  const HopTable<real, W>& factors() const { return factors_; }
  double bytes_per_site() const { return 8.0 * int(format_) * sizeof(stored_t<T>); }

 private:
  std::shared_ptr<const Lattice> lattice_;
  LinkFormat format_;
  HopWeights weights_;
  HopTable<real, W> factors_;
  FieldView<std::uint8_t*> marks_;  // [tile]: bit k is set where hop k has a factor
  FieldView<stored_t<T>*> packed_;
};

}  // namespace trellis::dirac
