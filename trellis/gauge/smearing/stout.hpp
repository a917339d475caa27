// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stout smearing (C. Morningstar and M. Peardon, hep-lat/0311018) with rho_{mu nu} = rho in four dimensions, and the
// force of an action that depends on the smeared links:
//   U'_mu(x) = exp(X_mu(x)) U_mu(x),   X = traceless anti-Hermitian part of rho V_mu(x) U_mu(x)^dagger,
// where V is the sum of the six plaquette staples, repeated `levels` times, each level from the previous one.
// A level is an Euler step of length rho of the Wilson flow (M. Luescher, arXiv:1006.4518), so it is driven by the
// force of the plaquette action.
//
// The force. Let dS = sum Re tr(G' dU' U'^dagger) with G' anti-Hermitian and traceless: for links in SU(3), a
// derivative D of S enters only through G' = the traceless anti-Hermitian part of U' D. Then, for one level,
//   L = integral over s from 0 to 1 of exp(-s X) G' exp(s X)                       (su3/exponential_derivative.hpp)
//   G = G' + the derivative of X_mu(x) when every link moves as dU = L U.
// In the paper's notation this is Sigma U, and L is Lambda. The second line contains the terms with U^dagger Lambda and
// its staples: d tr(L X) is the second derivative of the plaquette action up to [X, L], which cancels against the
// remainder of exp(-X) G' exp(X).
//
// Cost per site and level:
// - smearing: 46 matrix products of 198 flops, and 4 exponentials of 350 flops with their products;
// - force: 6 plaquettes of 2200 flops, and 4 transposes of 1000.
// Memory per site: 104 numbers for each level, plus 160.

#include <memory>

#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::gauge {

struct StoutParameters {
  double rho = 0.15;
  int levels = 0;          // 0: no smearing
  Boundary boundary = {};  // in time: links that do not exist or are fixed stay as they are
};

template <class T, int W>
class StoutLinks final : public SmearedLinks<T, W> {
 public:
  struct Work;  // levels and work space; public only because nvcc does not allow kernels in private members

  // InputError for rho outside [0, 0.5] or fewer than 0 levels.
  StoutLinks(const StoutParameters& parameters, const Lattice& lattice);

  // The links of the last level.
  const GaugeField<T, W>& smear(const GaugeField<T, W>& u) const override;
  void forget() const override;
  // Throws if smear() was not called before.
  void add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const override;

  const StoutParameters& parameters() const { return parameters_; }

 private:
  StoutParameters parameters_;
  std::shared_ptr<Work> work_;
};

// The parameters of "stout" in smearings().
SmearingParameters stout_smearing(double rho, int levels);

// The same smearing in place, for measurements: no level is kept. InputError as above, and for fewer than 0 steps.
template <class T, int W>
void stout_steps(double rho, int steps, const GaugeField<T, W>& u, const Boundary& boundary = {});

}  // namespace trellis::gauge
