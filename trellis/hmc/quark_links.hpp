// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links as the quarks see them: smeared, packed for the staggered operator in double and single precision and in 16
// bits, and the force on the thin links. Shared by all quark terms of an action; remade only when the thin links have
// changed. WS is the lane count of single precision: twice W if the program and the lattice allow it.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "trellis/core/random.hpp"
#include "trellis/dirac/staggered/link_phases.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/term.hpp"
#include "trellis/lattice/fingerprint.hpp"
#include "trellis/solver/mixed_precision_cg.hpp"

namespace trellis::hmc {

template <int W, int WS>
class QuarkLinks final : public ForceGroup<double, W> {
 public:
  // with: what exists besides double precision.
  struct Also {
    bool single = false, in_16_bits = false;  // the latter only with the former
  };
  QuarkLinks(const gauge::SmearingParameters& smearing, const Lattice& lattice, const Also& with);

  // Smears and packs u, unless that has already been done for the same bits.
  void take(const GaugeField<double, W>& u);
  void forget() {
    taken_.reset();
    spectra_.clear();
    smearing_->forget();
  }

  const Lattice& lattice() const { return packed_.lattice(); }
  const dirac::StaggeredLinks<double, W>& packed() const { return packed_; }
  const dirac::StaggeredLinks<float, WS>& packed_single() const { return *packed_single_; }
  const dirac::StaggeredLinks<Fixed16, WS>& packed_in_16_bits() const { return *packed_in_16_bits_; }
  const solver::PrecisionMaps<W, WS>& maps() const { return *maps_; }

  // compute(), which finds the largest eigenvalue of -D_eo D_oe with these phases from the random numbers of this
  // trajectory; only once for all terms that have them.
  template <class F>
  double largest_eigenvalue(const dirac::LinkPhases& phases, const RandomStream& stream, const F& compute) {
    for (const Spectrum& one : spectra_)
      if (one.phases == phases && one.seed == stream.seed && one.trajectory == stream.trajectory) return one.largest;
    spectra_.push_back({phases, stream.seed, stream.trajectory, compute()});
    return spectra_.back().largest;
  }

  // The sum of the terms' derivatives with respect to the smeared links, D of gauge/smearing/smearing.hpp.
  const GaugeField<double, W>& derivative() const { return derivative_; }
  void clear() override { set_zero(derivative_); }
  void add_force(const GaugeField<double, W>& u, double step, const AlgebraField<double, W>& p) override {
    smearing_->smear(u);
    smearing_->add_force(derivative_, step, p);
  }

 private:
  struct Spectrum {
    dirac::LinkPhases phases;
    std::uint64_t seed;
    std::uint32_t trajectory;
    double largest;
  };

  std::unique_ptr<const gauge::SmearedLinks<double, W>> smearing_;
  dirac::StaggeredLinks<double, W> packed_;
  std::optional<dirac::StaggeredLinks<float, WS>> packed_single_;
  std::optional<dirac::StaggeredLinks<Fixed16, WS>> packed_in_16_bits_;
  std::optional<solver::PrecisionMaps<W, WS>> maps_;
  std::optional<GaugeField<float, WS>> single_;
  std::optional<std::uint64_t> taken_;
  std::vector<Spectrum> spectra_;  // of the links taken
  GaugeField<double, W> derivative_;
};

template <int W, int WS>
QuarkLinks<W, WS>::QuarkLinks(const gauge::SmearingParameters& smearing, const Lattice& lattice, const Also& with)
    : smearing_(gauge::smeared_links<W>(smearing, lattice)),
      packed_(lattice),
      derivative_(lattice, "derivative by smeared links") {
  if (with.single) {
    const Lattice single(lattice.size(), WS, SiteOrder::even_odd,
                         {.directions = lattice.directions(), .ghosts = lattice.ghost_directions()}, lattice.grid());
    packed_single_.emplace(single);
    if (with.in_16_bits) packed_in_16_bits_.emplace(single);
    maps_.emplace(lattice, single);
    single_.emplace(single, "links in single precision");
  }
}

template <int W, int WS>
void QuarkLinks<W, WS>::take(const GaugeField<double, W>& u) {
  const std::uint64_t here = fingerprint(u);
  if (taken_ == here) return;
  taken_.reset();
  spectra_.clear();
  const GaugeField<double, W>& smeared = smearing_->smear(u);
  packed_.pack(smeared);
  if (packed_single_) {
    convert_links(maps_->to_single, smeared, *single_);
    packed_single_->pack(*single_);
    if (packed_in_16_bits_) packed_in_16_bits_->pack(*single_);
  }
  taken_ = here;
}

}  // namespace trellis::hmc
