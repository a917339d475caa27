// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links of quarks in double precision (dynamics/force_links.hpp), with copies packed in single precision and
// in 16 bits for solvers, and the largest eigenvalues that were found for them. Shared by all quark terms of an action;
// remade only when the thin links have changed. WS is the lane count of single precision: twice W if the program and
// the lattice allow it.

#include <cstdint>
#include <optional>
#include <vector>

#include "trellis/core/random.hpp"
#include "trellis/dirac/staggered/link_phases.hpp"
#include "trellis/dirac/staggered/links_by_epsilon.hpp"
#include "trellis/hmc/dynamics/force_links.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/lattice/single_lanes.hpp"
#include "trellis/solver/mixed_precision_cg.hpp"

namespace trellis::hmc {

template <int W, int WS>
class QuarkLinks final : public ForceLinks<double, W> {
 public:
  // What exists besides double precision; 16 bits only together with single.
  struct Also {
    bool single = false, in_16_bits = false;
  };
  QuarkLinks(const QuarkAction& action, const Lattice& lattice, const std::vector<double>& epsilons, const Also& with)
      : ForceLinks<double, W>(action.smearing, lattice, action.settings, epsilons) {
    if (!with.single) return;
    const Lattice single = with_lane_count(lattice, WS, action.single_shape);
    packed_single_.emplace(single, this->kind(), action.single_settings, epsilons);
    if (with.in_16_bits) packed_in_16_bits_.emplace(single, this->kind(), action.single_settings, epsilons);
    maps_.emplace(lattice, single);
    single_.emplace(single, "links in single precision");
    if (this->kind() == dirac::LinkKind::fat_and_long)
      long_single_ = {GaugeField<float, WS>(single, "long links in single precision"),
                      GaugeField<float, WS>(single, "links of one step in single precision")};
  }

  void take(const GaugeField<double, W>& u) {
    const auto with_smeared = [&](const GaugeField<double, W>& fat, const gauge::LongLinks<double, W>* long_links) {
      spectra_.clear();
      if (!packed_single_) return;
      convert_links(maps_->to_single, fat, *single_);
      if (long_links) {
        convert_links(maps_->to_single, long_links->three_steps, long_single_->three_steps);
        convert_links(maps_->to_single, long_links->one_step, long_single_->one_step);
      }
      const auto* const in_single = long_single_ ? &*long_single_ : nullptr;
      packed_single_->pack(*single_, in_single);
      if (packed_in_16_bits_) packed_in_16_bits_->pack(*single_, in_single);
    };
    ForceLinks<double, W>::take(u, with_smeared);
  }
  void forget() {
    spectra_.clear();
    ForceLinks<double, W>::forget();
  }

  const dirac::StaggeredLinks<float, WS>& packed_single(double epsilon) const { return packed_single_->of(epsilon); }
  const dirac::StaggeredLinks<Fixed16, WS>& packed_in_16_bits(double epsilon) const {
    return packed_in_16_bits_->of(epsilon);
  }
  const solver::PrecisionMaps<W, WS>& maps() const { return *maps_; }

  // compute(), which finds the largest eigenvalue of -D_eo D_oe with these phases and this epsilon from the random
  // numbers of this trajectory; only once for all terms that have them.
  template <class F>
  double largest_eigenvalue(const dirac::LinkPhases& phases, double epsilon, const RandomStream& stream,
                            const F& compute) {
    for (const Spectrum& one : spectra_)
      if (one.phases == phases && one.epsilon == epsilon && one.seed == stream.seed &&
          one.trajectory == stream.trajectory)
        return one.largest;
    spectra_.push_back({phases, epsilon, stream.seed, stream.trajectory, compute()});
    return spectra_.back().largest;
  }

 private:
  struct Spectrum {
    dirac::LinkPhases phases;
    double epsilon;
    std::uint64_t seed;
    std::uint32_t trajectory;
    double largest;
  };

  std::optional<dirac::LinksByEpsilon<float, WS>> packed_single_;
  std::optional<dirac::LinksByEpsilon<Fixed16, WS>> packed_in_16_bits_;
  std::optional<solver::PrecisionMaps<W, WS>> maps_;
  std::optional<GaugeField<float, WS>> single_;
  std::optional<gauge::LongLinks<float, WS>> long_single_;
  std::vector<Spectrum> spectra_;  // of the links taken
};

}  // namespace trellis::hmc
