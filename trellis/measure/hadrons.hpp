// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hadron correlators of one configuration: sources, propagators of Wilson quarks for several kappas, and contractions;
// or of quarks with names, which form mesons and baryons with one another (hadrons/combinations.hpp).
// Propagators are those of D_W + m_0 = M / (2 kappa): S = 2 kappa M^-1, as in the literature. The quarks' links may be
// smeared (stout, APE, HYP); sources and sinks are smeared with separate links (gaussian_smearing.hpp), made from the
// configuration's.
//
// Cost: twelve solutions for each kappa and source, some of them at a time (WilsonInverseParameters::together). Memory:
// two fields of twelve columns (with names: one more than there are quarks), and some 10 (BiCGStab) of those that are
// solved for together, 0.2 kB per site and column. Fixed sinks cost twelve solutions and three more fields, smeared
// ones up to three again. Noise costs a solution for each column of the dilution, quark, vector, part of the slice and,
// again, momentum other than zero.

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/gaussian_smearing.hpp"
#include "trellis/measure/hadron_correlators.hpp"
#include "trellis/measure/hadrons/combinations.hpp"
#include "trellis/measure/hadrons/fixed_sink.hpp"
#include "trellis/measure/hadrons/noise_source.hpp"
#include "trellis/measure/wilson_inverse.hpp"

namespace trellis::measure {

enum class QuarkSourceKind { point, wall, gaussian, noise };
enum class QuarkSink { point, smeared };

inline constexpr std::array<NamedValue<QuarkSourceKind>, 6> quark_sources{{
    {"point", QuarkSourceKind::point},
    {"wall", QuarkSourceKind::wall},
    {"gaussian", QuarkSourceKind::gaussian},
    {"z2_wall", QuarkSourceKind::noise},
    {"z4_wall", QuarkSourceKind::noise},
    {"u1_wall", QuarkSourceKind::noise},
}};

inline constexpr std::array<NamedValue<QuarkSink>, 2> quark_sinks{{
    {"point", QuarkSink::point},
    {"smeared", QuarkSink::smeared},
}};

struct HadronSelection {
  std::vector<double> kappas = {};
  // Except kappa; of named quarks, only the boundaries. With open ones or in a Schroedinger functional
  // (quark.boundary) sources, currents and fixed sinks have to be on slices with quarks, and correlators are zero on
  // others.
  dirac::WilsonParameters quark = {};
  // Instead of kappas: quarks with names, and which of them form hadrons.
  std::vector<ValenceQuark> quarks = {};
  std::vector<QuarkCombination> combinations = {};
  std::vector<FixedSink> fixed_sinks = {};  // of these quarks without a current
  gauge::StoutParameters stout = {};        // for the links in the quarks' operator
  bool stout_is_spatial = false;  // of spatial links in their time slice alone (gauge/smearing/spatial_stout.hpp)
  std::optional<gauge::SmearingParameters> smearing = {};  // instead of stout: another whose links are in SU(3)
  QuarkSourceKind source = QuarkSourceKind::point;
  std::vector<Coordinate> positions{{0, 0, 0, 0}};  // of sources; walls and noise use only the time
  int sources_in_time = 1;                          // this many sources per position, evenly spaced in time
  GaussianParameters gaussian = {};
  NoiseParameters noise = {};  // of noise sources, which are for mesons (noise_source.hpp)
  std::vector<QuarkSink> sinks{QuarkSink::point};
  std::vector<Momentum> momenta{{0, 0, 0}};
  std::vector<std::string> channels;  // hadron_names(); of named quarks also baryons_of_quarks()
  WilsonInverseParameters inverse = {};

  // All correlators' combinations and channels, in order; with kappas, the channels alone.
  std::vector<HadronOfQuarks> hadrons() const { return hadrons_of_quarks(quarks, combinations, channels); }
  // The phases that hadrons get at the lattice's ends: with boundaries in time none there.
  std::array<double, 4> sink_angles() const {
    auto angles = quark.boundary_angle_over_pi;
    if (!quark.boundary.is_periodic()) angles[3] = 0;
    return angles;
  }
  // All sources on a lattice with so many time slices; of noise each time as often as there are vectors.
  std::vector<Coordinate> sources(int times) const;
  std::vector<Coordinate> sources(const Coordinate& size) const { return sources(size[3]); }
};

// InputError, saying what is wrong, unless the selection can be measured on a lattice of this size.
void require_valid(const HadronSelection& selection, const Coordinate& size);

// All momenta with n^2 <= most, sorted by n^2 and then lexicographically.
std::vector<Momentum> momenta_up_to(int most);

struct HadronMeasurement {
  // [kappa][sink][channel][source][momentum][t], t fastest, counted from the source. Of named quarks, [sink][hadron]
  // are the first, hadrons in the order of HadronSelection::hadrons().
  std::vector<std::complex<double>> correlators;
  int sources = 0, momenta = 0, times = 0;
  // For each fixed sink [source][current][momentum][t], t of the current, fastest.
  std::vector<std::vector<std::complex<double>>> fixed_sinks = {};
  double residual = 0;  // the largest true residual |b - M x| / |b|
  int iterations = 0;   // of the solver: those of the slowest column, summed over sources and quarks
  double seconds = 0;

  // [source][momentum][t] for one kappa, sink and channel, or sink and hadron: `place` is their number in the order
  // above.
  std::span<const std::complex<double>> at(std::size_t place) const {
    const std::size_t length = std::size_t(sources) * momenta * times;
    return std::span(correlators).subspan(place * length, length);
  }
};

// What is measured on a lattice of this size, without correlators.
HadronMeasurement no_correlators(const HadronSelection& selection, const Coordinate& size);

// The links that the quarks of a selection see; u itself if there is nothing to do.
template <int W>
GaugeField<double, W> quark_links(const HadronSelection& selection, const GaugeField<double, W>& u);

// The sources and sinks of a selection, and the links of its quarks.
template <int W>
class HadronSources {
 public:
  HadronSources(const HadronSelection& selection, const GaugeField<double, W>& u);
  const GaugeField<double, W>& links() const { return links_; }
  // b <- the source at x.
  void fill(const Coordinate& x, const FullSpinors<double, W>& b) const;
  // Smears a propagator's sink.
  void smear(const FullSpinors<double, W>& psi) const { (*smear_)(psi); }

 private:
  QuarkSourceKind source_;
  GaugeField<double, W> links_;
  std::optional<GaussianSmearing<W>> smear_;
};

bool has(const std::vector<QuarkSink>& sinks, QuarkSink sink);

// u is not changed. Error if a solution does not reach its residual. No bit depends on lanes or threads.
template <int W>
HadronMeasurement measure_hadrons(const HadronSelection& selection, const GaugeField<double, W>& u);

// The same for named quarks, and for noise sources; measure_hadrons() calls them.
template <int W>
HadronMeasurement measure_hadrons_of_quarks(const HadronSelection& selection, const GaugeField<double, W>& u);
template <int W>
HadronMeasurement measure_hadrons_of_noise(const HadronSelection& selection, const GaugeField<double, W>& u);

}  // namespace trellis::measure
