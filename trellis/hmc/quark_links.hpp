// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links as quarks see them: stout-smeared, packed for the staggered operator in double and in single precision, and
// the way back of forces. One for all quark terms of an action; made anew only when the thin links have changed.
// WS is the lane count of single precision: twice W where the program and the lattice have it.

#include <optional>

#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/monomial.hpp"
#include "trellis/lattice/fingerprint.hpp"
#include "trellis/solver/mixed_precision_cg.hpp"

namespace trellis::hmc {

template <int W, int WS>
class QuarkLinks {
 public:
  QuarkLinks(const gauge::StoutParameters& smearing, const Lattice& lattice, bool with_single);
  QuarkLinks(const QuarkLinks&) = delete;  // smeared_force() refers to it
  QuarkLinks& operator=(const QuarkLinks&) = delete;

  // Smears and packs u, unless that was done for the same bits.
  void take(const GaugeField<double, W>& u);

  const Lattice& lattice() const { return packed_.lattice(); }
  const dirac::StaggeredLinks<double, W>& packed() const { return packed_; }
  const dirac::StaggeredLinks<float, WS>& packed_single() const { return *packed_single_; }
  const solver::PrecisionMaps<W, WS>& maps() const { return *maps_; }
  const std::shared_ptr<const SmearedForce<double, W>>& smeared_force() const { return smeared_force_; }

 private:
  void way_back(const GaugeField<double, W>& u, double step, const AlgebraField<double, W>& p);

  gauge::StoutLinks<double, W> stout_;
  dirac::StaggeredLinks<double, W> packed_;
  std::optional<dirac::StaggeredLinks<float, WS>> packed_single_;
  std::optional<solver::PrecisionMaps<W, WS>> maps_;
  std::optional<GaugeField<float, WS>> single_;
  std::optional<std::uint64_t> taken_;
  std::shared_ptr<const SmearedForce<double, W>> smeared_force_;
};

template <int W, int WS>
QuarkLinks<W, WS>::QuarkLinks(const gauge::StoutParameters& smearing, const Lattice& lattice, bool with_single)
    : stout_(smearing, lattice), packed_(lattice) {
  if (with_single) {
    const Lattice single(lattice.size(), WS, SiteOrder::even_odd, {.ghosts = lattice.ghost_directions()},
                         lattice.grid());
    packed_single_.emplace(single);
    maps_.emplace(lattice, single);
    single_.emplace(single, "links in single precision");
  }
  smeared_force_ = std::make_shared<const SmearedForce<double, W>>(SmearedForce<double, W>{
      GaugeField<double, W>(lattice, "derivative by smeared links"),
      [this](const GaugeField<double, W>& u, double step, const AlgebraField<double, W>& p) { way_back(u, step, p); }});
}

template <int W, int WS>
void QuarkLinks<W, WS>::take(const GaugeField<double, W>& u) {
  const std::uint64_t here = fingerprint(u);
  if (taken_ == here) return;
  taken_.reset();
  const GaugeField<double, W>& smeared = stout_.smear(u);
  packed_.pack(smeared);
  if (packed_single_) {
    convert_links(maps_->to_single, smeared, *single_);
    packed_single_->pack(*single_);
  }
  taken_ = here;
}

template <int W, int WS>
void QuarkLinks<W, WS>::way_back(const GaugeField<double, W>& u, double step, const AlgebraField<double, W>& p) {
  stout_.smear(u);
  stout_.add_force(smeared_force_->derivative, step, p);
}

}  // namespace trellis::hmc
