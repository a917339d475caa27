// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links that a smearing makes (gauge/smearing/smearing.hpp), packed for the operators of quarks: once for all
// quarks, or for each correction epsilon of their Naik terms where there are long links. Memory: that of StaggeredLinks
// for each of them.

#include <algorithm>
#include <vector>

#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::dirac {

// What is to be packed of the links of a smearing.
template <class T, int W>
LinkKind kind_of(const gauge::SmearedLinks<T, W>& smeared) {
  if (smeared.long_links()) return LinkKind::fat_and_long;
  return smeared.in_su3() ? LinkKind::su3 : LinkKind::fat;
}

// L: how links are stored. Copies share memory.
template <class L, int W>
class LinksByEpsilon {
 public:
  using Arithmetic = arithmetic_t<L>;

  LinksByEpsilon(const Lattice& lattice, LinkKind kind, const HopSettings& settings, std::vector<double> epsilons) {
    if (kind != LinkKind::fat_and_long || epsilons.empty()) epsilons = {0};
    for (const double epsilon : epsilons)
      if (!find(epsilon)) links_.push_back({epsilon, StaggeredLinks<L, W>(lattice, kind, settings)});
  }

  // Without long links those of every epsilon are the same. Error for an epsilon that was not in the list.
  const StaggeredLinks<L, W>& of(double epsilon) const {
    if (kind() != LinkKind::fat_and_long) return links_.front().links;
    const Packed* const found = find(epsilon);
    if (!found) fail("no links are packed for the Naik epsilon {}", epsilon);
    return found->links;
  }
  LinkKind kind() const { return links_.front().links.kind(); }
  const Lattice& lattice() const { return links_.front().links.lattice(); }

  // long_links: not null if there are any.
  void pack(const GaugeField<Arithmetic, W>& fat, const gauge::LongLinks<Arithmetic, W>* long_links) const {
    for (const Packed& one : links_) {
      if (long_links)
        one.links.pack(fat, long_links->three_steps, long_links->one_step, one.epsilon);
      else
        one.links.pack(fat);
    }
  }

 private:
  struct Packed {
    double epsilon;
    StaggeredLinks<L, W> links;
  };
  const Packed* find(double epsilon) const {
    const auto found = std::ranges::find(links_, epsilon, &Packed::epsilon);
    return found == links_.end() ? nullptr : &*found;
  }

  std::vector<Packed> links_;
};

// Those of u, smeared and packed, of quarks with these epsilons.
template <int W>
LinksByEpsilon<double, W> packed_links(const gauge::SmearedLinks<double, W>& smeared, const GaugeField<double, W>& u,
                                       const HopSettings& settings, std::vector<double> epsilons) {
  const LinksByEpsilon<double, W> links(u.lattice(), kind_of(smeared), settings, std::move(epsilons));
  const GaugeField<double, W>& fat = smeared.smear(u);
  links.pack(fat, smeared.long_links());
  return links;
}
// The same, with the work space of the smearing freed.
template <int W>
LinksByEpsilon<double, W> packed_links(const gauge::SmearingParameters& smearing, const GaugeField<double, W>& u,
                                       const HopSettings& settings, std::vector<double> epsilons) {
  return packed_links<W>(*gauge::smeared_links<W>(smearing, u.lattice()), u, settings, std::move(epsilons));
}

}  // namespace trellis::dirac
