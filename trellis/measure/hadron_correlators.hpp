// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Correlators of hadrons with one quark mass from one propagator S(x), the solution of M S = source for twelve columns
// (quark_source.hpp); quark-line connected parts:
//   mesons   O = qbar_1 Gamma q_2:   C(t) = sum_x e^{-i p (x - x0)} <O(x) O^dagger>
//                                         = -sum_x e^{..} tr[Gamma S(x) Gammabar gamma_5 S(x)^dagger gamma_5],
//            Gammabar = gamma_4 Gamma^dagger gamma_4: positive and symmetric in t on average in every channel
//   proton   N = eps_abc (u_a^T C gamma_5 d_b) u_c, C = gamma_y gamma_t:  C(t) = sum_x e^{..} tr[P <N(x) Nbar>],
//            Nbar = N^dagger gamma_4, P = (1 + gamma_4)/2 for `proton`, -(1 - gamma_4)/2 for `proton_negative`, whose
//            sign makes it positive too; with antiperiodic quarks it is the proton's correlator at L_t - t on average
// t counts from the source's time slice. Names of channels:
//   scalar, vector_x .. vector_t, pseudoscalar, axial_x .. axial_t (gamma_mu gamma_5), tensor_xy, _xz, _xt, _yz, _yt,
//   _zt (sigma_mu nu = (i/2)[gamma_mu, gamma_nu]): the sixteen Gamma
//   pion (pseudoscalar), rho (mean of vector_x, _y, _z), proton, proton_negative
// Sums over sites are exact: no bit depends on lanes or threads. All mesons together take one pass over the propagator,
// as do both parities of the proton.

#include <span>
#include <string>

#include "trellis/measure/full_fields.hpp"
#include "trellis/measure/spin_matrix.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::measure {

struct MesonChannel {
  std::string name;
  SpinMatrix gamma;
};
// The sixteen channels, in the order above.
const std::vector<MesonChannel>& meson_channels();

// All names above, the sixteen first.
const std::vector<std::string>& hadron_names();
// True for the proton and the other baryons of hadrons/correlators_of_quarks.hpp: their effective masses are
// logarithms, and they change sign around an antiperiodic lattice.
bool is_baryon(const std::string& name);

// The position of the source, the momenta, and the phase exp(i pi angle) of a quark on its way around the lattice.
struct SinkParameters {
  Coordinate source{0, 0, 0, 0};
  std::vector<Momentum> momenta{{0, 0, 0}};
  std::array<double, 4> boundary_angle_over_pi{0, 0, 0, 1};
};

// C[name][momentum][t], t fastest. InputError for an unknown name; Error unless there are twelve columns.
template <int W>
std::vector<std::vector<std::complex<double>>> hadron_correlators(const FullSpinors<double, W>& propagator,
                                                                  std::span<const std::string> names,
                                                                  const SinkParameters& parameters);

// The numbers that are summed over time slices: C of mesons, as above, on each site, and Re, Im of tr <N Nbar> and of
// tr gamma_4 <N Nbar>.
template <int W>
SiteNumbers<W> meson_contractions(const FullSpinors<double, W>& propagator, std::span<const SpinMatrix> gammas);
template <int W>
SiteNumbers<W> proton_contractions(const FullSpinors<double, W>& propagator);

}  // namespace trellis::measure
