// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Quark observables of one configuration from noise vectors. Traces are over all sites and colours; a flavour of N_t
// tastes has the factor N_t/4, V is the number of sites, and everything is in lattice units:
//   condensate      c = (N_t/4) Re tr M^-1 / V
//   quark number    q = (N_t/4) tr[M^-1 M'] / V           M' = dM/d(a mu); imaginary, as mu is zero or imaginary here
//   susceptibility  connected (N_t/4) Re (tr[M^-1 M''] - tr[M^-1 M' M^-1 M']) / V,  disconnected V q^2, mixed V q_f q_g
//   chiral          disconnected V c^2, mixed V c_f c_g
//   magnetisation   (N_t/4) Re tr[M^-1 dM/dn] / V         n the flux quanta of a plane taken as a real number
// Where a boundary in time (LinkPhases::boundary) leaves slices without quarks, traces and V are over the others.
// They are derivatives of log det^(N_t/4) / V. With L the temporal extent of the lattice and T = 1/L, the second
// derivative of log Z of an ensemble by two potentials is (Allton et al., hep-lat/0204010)
//   chi_fg / T^2 = L^2 [ delta_fg <connected> + <V q_f q_g> - V <q_f> <q_g> ],
// and likewise for two masses with c, and for two fluxes with the magnetisation.
//
// tr A is estimated by eta^dagger A eta, with Z2 x Z2 noise eta ((+-1 +- i) / sqrt(2); Dong and Liu, Phys. Lett. B 328
// (1994) 130). For Hermitian A its variance is sum_{i != j} |A_ij|^2; that of Z2 noise is sum |A_ij|^2 + Re A_ij^2: the
// same on average over gauge transformations and twice as large if A is real, as on cold links. Squares are estimated
// from products of different vectors only, (sum_{i != j} a_i a_j) / (n (n - 1)), and each flavour has its own vectors,
// so no product is biased. tr[M^-1 M'] is imaginary on every configuration, so products use the imaginary parts of its
// estimates; their real parts are noise.
//
// Instead of noise, all unit vectors make traces exact, so that squares need no second vector.
//
// Cost: one solution of M x = b per noise vector (or 3 V), and another one for susceptibilities. Memory: some 10 fields
// of `batch` vectors.

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "trellis/dirac/stencil/hop_settings.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/measure/staggered_inverse.hpp"

namespace trellis::measure {

struct QuarkFlavour {
  std::string name;
  double mass = 0;
  double tastes = 1;
  dirac::LinkPhases phases = {};
  double naik_epsilon = 0;  // of links that have a Naik term
};

std::vector<double> naik_epsilons(const std::vector<QuarkFlavour>& flavours);

// The condensate is always measured.
struct QuarkSelection {
  bool quark_number = false;
  bool susceptibilities = false;  // of the quark number, which is then measured too; needs at least 2 noise vectors
  std::vector<int> planes = {};   // whose magnetisation is measured: indices into dirac::flux_planes
  int noise_vectors = 4;
  bool exact = false;  // traces by all 3 V unit vectors instead of noise, on up to most_exact_sites sites
  InverseParameters inverse = {};
  int batch = 8;                                            // vectors solved for together, 1 to 32; changes no bit
  dirac::HopSettings settings = dirac::staggered_settings;  // how the operator is run: changes no bit

  bool number() const { return quark_number || susceptibilities; }
  // How many vectors are solved for at once, at most.
  int vectors_together() const { return exact ? batch : std::min(batch, noise_vectors); }
};

// Estimates from one noise vector; what was not selected is 0.
struct QuarkEstimate {
  std::complex<double> condensate, quark_number, magnetisation[6];
  std::complex<double> second_derivative;  // (N_t/4) tr[M^-1 M''] / V
  std::complex<double> bubble;             // (N_t/4) tr[M^-1 M' M^-1 M'] / V
  double residual = 0;                     // largest true residual |b - M x| / |b|
  int iterations = 0;                      // of conjugate gradients
};

inline constexpr std::int64_t most_exact_sites = 65536;

struct FlavourMeasurement {
  std::string name;
  std::vector<QuarkEstimate> estimates;  // one per noise vector; the trace itself where it is exact
  QuarkEstimate mean;                    // residual: the largest; iterations: the sum
  double connected = 0;                  // susceptibilities
  // V q^2 and V c^2 without bias; empty for a single noise vector.
  std::optional<double> disconnected, chiral_disconnected;
};

struct MixedProduct {
  int first = 0, second = 0;  // flavours
  double disconnected = 0;    // V q_f q_g
  double chiral = 0;          // V c_f c_g
};

struct QuarkMeasurement {
  std::vector<FlavourMeasurement> flavours;
  std::vector<MixedProduct> mixed;  // first < second
  double seconds = 0;
};

// The planes in which a flavour has flux; if there are none, that of bz.
std::vector<int> magnetised_planes(const std::vector<QuarkFlavour>& flavours);

// An observable with a name in [measure.quarks] observables, and how it is selected. The condensate is always measured.
struct NamedQuarkObservable {
  std::string_view name;
  void (*select)(const std::vector<QuarkFlavour>& flavours, QuarkSelection& selection);
};
inline constexpr std::array quark_observables{
    NamedQuarkObservable{"condensate", [](const auto&, QuarkSelection&) {}},
    NamedQuarkObservable{"quark_number", [](const auto&, QuarkSelection& s) { s.quark_number = true; }},
    NamedQuarkObservable{"susceptibilities", [](const auto&, QuarkSelection& s) { s.susceptibilities = true; }},
    NamedQuarkObservable{"magnetisation", [](const auto& f, QuarkSelection& s) { s.planes = magnetised_planes(f); }},
};

// On the smeared links of u, which are not changed. Noise is drawn from {seed, trajectory, noise_purpose}, keyed
// by the flavour's place and the vector's number. InputError for an invalid selection or flavour; Error if a solution
// does not reach its residual. No bit depends on lanes or threads.
template <int W>
QuarkMeasurement measure_quarks(const QuarkSelection& selection, const std::vector<QuarkFlavour>& flavours,
                                const gauge::SmearingParameters& smearing, std::uint64_t seed, std::uint32_t trajectory,
                                const GaugeField<double, W>& u);

// The underlying measurement: estimates from any sources. source(first, b) fills b with the sources number first,
// first + 1, ... below `count`.
template <int W>
using QuarkSource = std::function<void(int first, const FullVectors<double, W>& b)>;

template <int W>
std::vector<QuarkEstimate> quark_estimates(const QuarkSelection& selection, const QuarkFlavour& flavour,
                                           const dirac::StaggeredLinks<double, W>& links, int count,
                                           const QuarkSource<W>& source);

}  // namespace trellis::measure
