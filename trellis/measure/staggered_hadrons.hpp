// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Correlators of hadrons of staggered quarks on one configuration, from propagators G_f = M_f^-1 of any flavours on the
// smeared links (staggered_inverse.hpp); quark-line connected parts. t counts from the time slice of the source x0.
//
// Mesons are local, O(x) = phi(x) chibar_f(x) chi_g(x). With epsilon = (-1)^(x+y+z+t), M^dagger = epsilon M epsilon, so
//   C(t) = sum_x phi(x) phi(x0) tr[G_g(x, x0) G_f(x0, x)] = sum_x s(x - x0) tr[G_f(x, x0)^dagger G_g(x, x0)],
// s = epsilon phi. The spin and taste of O are equal, gamma_S x xi_S with phi gamma_S = A^dagger gamma_S A,
// A = gamma_x^x gamma_y^y gamma_z^z gamma_t^t (M. F. L. Golterman, Nucl. Phys. B 273 (1986) 663; the names in brackets
// are those of G. Kilcup and S. Sharpe, Nucl. Phys. B 283 (1987) 493, and later work). phi and (-1)^t phi have the same
// correlator up to a factor (-1)^t, so each channel has two states, of opposite parity; for mesons, on average,
//   C(t) = A cosh(m (t - L_t/2)) + (-1)^t B cosh(m' (t - L_t/2)) + ... :
//   channel              S           s                           m                      m' (oscillates)
//   pion [PS]            5           1                           Goldstone pion, kaon   none; 0+ if f and g differ
//   pion_scalar [SC]     t5          (-1)^(x+y+z)                pion of taste t5       scalar, 1 x 1
//   rho_tensor [VT]      i           (-1)^x_i                    rho of taste i         b1, gamma_j gamma_k
//   rho_axial [PV]       i t         (-1)^(x_j+x_k)              rho of taste i t       a1, gamma_i gamma_5
// i, j, k are different directions in space; the rho is the mean over i. A is positive, B negative in pion_scalar,
// where it is large. The Goldstone pion obeys the Ward identity
//   m_f sum_t C(t) = Re sum_n <b_n, G_f b_n>      for any sources b_n and links.
//
// Point-split pions have other tastes, of one, two and three links, O = chibar_f phi Xi chi_g with covariant shifts Xi
// on the same smeared links, averaged over directions (spin_taste.hpp, where the signs are):
//   C(t) = sum_x s(x - x0) tr[G_f(x, x0)^dagger (Xi G_g Xi)(x, x0)].
//   channel    spin    taste    links          channel    spin    taste    links
//   pion_i5    5       i5       1              pion_ij    t5      ij       1       i, j, k in space
//   pion_it    5       it       2              pion_i     t5      i        2
//   pion_t     5       t        3              pion_1     t5      1        3
// With pion (5) and pion_scalar (t5) these are all sixteen tastes. Those of spin t5 have scalars as partners.
//
// nucleon: three quarks of one flavour, B = chi_1 chi_2 chi_3 (colours) at the corners of spatial cubes,
//   C(t) = (-1)^((x0+y0+z0) t) sum of det G(x, x0) over x with even x - x0, y - y0, z - z0,
// where for antiperiodic quarks, on average,
//   C(t) = A [e^(-m t) - (-1)^t e^(-m (L_t - t))] + (-1)^t B [e^(-m' t) - (-1)^t e^(-m' (L_t - t))] + ...
// (m: nucleon, m': its parity partner; L_t is even). The sign of time slices beyond the boundary is removed, as for
// Wilson quarks, so that C does not depend on where the boundary is.
//
// With boundaries in time (LinkPhases::boundary) t beyond the last slice means slices before the source.
//
// Sources: staggered_source.hpp. A wall's correlator is that of its sum; noise is averaged over vectors and over the
// sites of its wall, so that it estimates the mean of a point source over these sites. All sums are exact: no bit
// depends on lanes, threads or ranks. Cost: a solution of M x = b for each flavour and colour (or noise vector), three
// (up to eight) at a time, and another one for each point-split operator (14 in all). Memory: a copy of the links, for
// each flavour a field of so many vectors, and some six while it is solved for.

#include "trellis/dirac/stencil/hop_settings.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/measure/quark_observables.hpp"
#include "trellis/measure/staggered/staggered_source.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::measure {

// The names of the channels above, the nucleon last.
const std::vector<std::string>& staggered_hadron_names();
bool is_staggered_nucleon(const std::string& channel);
// True if another state oscillates in the channel: not in those of spin gamma_5, where that of a kaon vanishes with the
// difference of the quark masses.
bool has_oscillating_partner(const std::string& channel);

struct StaggeredHadronSelection {
  StaggeredSource source = StaggeredSource::point;
  std::vector<Coordinate> positions{{0, 0, 0, 0}};  // x0
  int sources_in_time = 1;                          // this many sources per position, evenly spaced in time
  int noise_vectors = 4;                            // of noise sources
  std::vector<Momentum> momenta{{0, 0, 0}};         // others than zero: from point sources only
  std::vector<std::string> channels;                // staggered_hadron_names()
  InverseParameters inverse = {};
  dirac::HopSettings settings = dirac::staggered_settings;  // how the operator is run: changes no bit

  // All sources on a lattice with so many time slices.
  std::vector<Coordinate> sources(int times) const;
  std::vector<Coordinate> sources(const Coordinate& size) const { return sources(size[3]); }
  // How many vectors are solved for at once, at most.
  int vectors_together() const;
};

// One correlator: two flavours' numbers, first <= second, and a channel.
struct StaggeredHadron {
  std::size_t first = 0, second = 0;
  std::string flavours;  // "ud" or "ud.s"
  std::string channel;
};
// All of them, in the order in which they are measured: pairs of flavours (0.0, 0.1, .., 1.1, ..), channels. Different
// flavours make no nucleon.
std::vector<StaggeredHadron> staggered_hadrons(const std::vector<std::string>& flavours,
                                               const std::vector<std::string>& channels);

// InputError that begins with `what` unless this kind of source can have these momenta and channels.
void require_fitting_source(const std::string& what, StaggeredSource source, const std::vector<Momentum>& momenta,
                            const std::vector<std::string>& channels);

// InputError, saying what is wrong, unless the selection can be measured on a lattice of this size.
void require_valid(const StaggeredHadronSelection& selection, const Coordinate& size);
// Also that sources are on slices with quarks, if these flavours have a boundary in time.
void require_valid(const StaggeredHadronSelection& selection, const std::vector<QuarkFlavour>& flavours,
                   const Coordinate& size);

struct StaggeredHadronMeasurement {
  // [hadron][source][momentum][t], t fastest, counted from the source.
  std::vector<std::complex<double>> correlators;
  int sources = 0, momenta = 0, times = 0;
  double residual = 0;       // the largest true residual |b - M x| / |b|
  int iterations = 0;        // of the solver: those of the slowest vector, summed over all solutions
  double ward_identity = 0;  // the largest relative violation of the Ward identity, at most about the residual
  double seconds = 0;

  // [source][momentum][t] of one hadron.
  std::span<const std::complex<double>> at(std::size_t hadron) const {
    const std::size_t length = std::size_t(sources) * momenta * times;
    return std::span(correlators).subspan(hadron * length, length);
  }
};

// u is not changed; rounding is removed from a copy. Noise is drawn from {seed, trajectory, staggered_wall_purpose},
// the same for all flavours. Error if a solution does not reach its residual.
template <int W>
StaggeredHadronMeasurement measure_staggered_hadrons(const StaggeredHadronSelection& selection,
                                                     const std::vector<QuarkFlavour>& flavours,
                                                     const gauge::SmearingParameters& smearing, std::uint64_t seed,
                                                     std::uint32_t trajectory, const GaugeField<double, W>& u);

}  // namespace trellis::measure
