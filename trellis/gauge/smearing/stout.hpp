// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stout smearing (C. Morningstar and M. Peardon, hep-lat/0311018), rho_{mu nu} = rho in four dimensions, and the force
// of an action of smeared links:
//   U'_mu(x) = exp(X_mu(x)) U_mu(x),   X = traceless anti-Hermitian part of rho V_mu(x) U_mu(x)^dagger,
// V the sum of the six plaquette staples, `levels` times, each level from the one before.
// A level is an Euler step of length rho of the Wilson flow (M. Luescher, arXiv:1006.4518), so it is driven by the
// force of the plaquette action.
//
// The way back. Let dS = sum Re tr(G' dU' U'^dagger), G' anti-Hermitian and traceless: all that a derivative D of S
// means to links that stay in SU(3) is G' = the traceless anti-Hermitian part of U' D. Then for one level
//   L = integral over s from 0 to 1 of exp(-s X) G' exp(s X)                       (su3/exponential_derivative.hpp)
//   G = G' + the derivative of X_mu(x) where every link moves as dU = L U.
// This is their Sigma U, L their Lambda; the second line holds what they write as U^dagger Lambda and staples of it:
// d tr(L X) is the second derivative of the plaquette action up to [X, L], which what is left of exp(-X) G' exp(X)
// cancels.
//
// Cost a site and level: smearing 46 matrix products of 198 flops and 4 exponentials of 350 flops with their products;
// way back 6 plaquettes of 2200 flops and 4 transposes of 1000. Memory a site: for each level 104 numbers, for all
// together 160.

#include <memory>

#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::gauge {

struct StoutParameters {
  double rho = 0.15;
  int levels = 0;  // 0: the links themselves
};

template <class T, int W>
class StoutLinks final : public SmearedLinks<T, W> {
 public:
  struct Work;  // levels and work space; of use to nobody else, but nvcc makes no kernels in what is private

  // InputError for rho outside [0, 0.5] or fewer than 0 levels.
  StoutLinks(const StoutParameters& parameters, const Lattice& lattice);

  // The links of the last level.
  const GaugeField<T, W>& smear(const GaugeField<T, W>& u) const override;
  // Error without a smear() before.
  void add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const override;

  const StoutParameters& parameters() const { return parameters_; }

 private:
  StoutParameters parameters_;
  std::shared_ptr<Work> work_;
};

// "stout" of smearings(), and its parameters.
Smearing stout_smearing();
SmearingParameters stout_smearing(double rho, int levels);

// The same smearing in place, for measurements: no level is kept. InputError as above, and for fewer than 0 steps.
template <class T, int W>
void stout_steps(double rho, int steps, const GaugeField<T, W>& u);

}  // namespace trellis::gauge
