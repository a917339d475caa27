// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The topological charge by the clover (gauge/clover.hpp) and its derivative by the links, for actions that depend on
// it. With G the dual of the field strength (G_xy = F_zt, G_xz = -F_yt, G_xt = F_yz and so on), and leaves C of the
// clover,
//   dQ = 1 / (16 pi^2) sum over x and mu < nu of Im tr [ G_mu,nu(x) dC_mu,nu(x) ].
// Each plaquette is a leaf of its four corners, so a link's derivative is a sum over its six staples with G inserted at
// each of the corners.
// With boundaries in time Q is the sum over the slices between them (boundary/slice_observables.hpp): elsewhere G is 0.
// Cost per site: that of clover_observables(), and 168 matrix products. Memory: 64 numbers per site and a field of
// links.

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

template <class T, int W>
class ChargeDerivative {
 public:
  explicit ChargeDerivative(const Lattice& lattice, const Boundary& boundary = {});

  // Q, without boundaries with the bits of clover_observables(u).topological_charge; keeps G.
  double charge(const GaugeField<T, W>& u) const;
  // D for each link such that scale dQ = sum Re tr(D_mu(x) dU_mu(x)), also for links that a boundary fixes. u: the
  // links of the last charge(). Valid until the next call.
  const GaugeField<T, W>& derivative(double scale, const GaugeField<T, W>& u) const;

 private:
  TimeSlice inside_;            // the slices whose charge counts
  AlgebraField<T, W> dual_[2];  // G of the planes xy, xz, xt and yz, yt, zt
  GaugeField<T, W> derivative_;
};

}  // namespace trellis::gauge
