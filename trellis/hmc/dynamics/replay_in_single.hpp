// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The second computation of molecular dynamics in single precision, for certificates (dynamics_certificate.hpp): on a
// lattice in single precision whose sites are arranged in another way. Memory: that of the dynamics, and again of links
// and momenta.

#include <memory>
#include <utility>

#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/dynamics/dynamics_certificate.hpp"
#include "trellis/hmc/dynamics/molecular_dynamics.hpp"
#include "trellis/lattice/fingerprint.hpp"
#include "trellis/lattice/site_map.hpp"

namespace trellis::hmc {

// The pseudofermions on which the forces depend, from the terms of one precision to those of another.
template <class T, int W, class TO, int WO>
void convert_sources(const SiteMap& map, const Terms<T, W>& from, const Terms<TO, WO>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto here = from[i]->sources();
    const auto there = to.at(i)->sources();
    for (std::size_t j = 0; j < here.size(); ++j) convert_vectors(map, here[j], there.at(j));
  }
}

// W: the lane count of the chain in double precision, WS that of its dynamics.
template <int W, int WS>
class ReplayInSingle final : public DynamicsReplay<float, WS> {
 public:
  // lattice: that of the chain in double precision; single: that of its dynamics; other: that of the terms.
  ReplayInSingle(const HmcParameters& parameters, Terms<float, WS> terms, const Lattice& lattice, const Lattice& single,
                 const Lattice& other)
      : from_double_(lattice, other),
        there_(single, other),
        back_(other, single),
        dynamics_(parameters, std::move(terms), other),
        links_(other, "replayed links in single precision"),
        momenta_(other, "replayed momenta in single precision"),
        links_back_(single, "replayed links in single precision"),
        momenta_back_(single, "replayed momenta in single precision") {}

  void forget() {
    for (const auto& term : dynamics_.terms()) term->forget();
  }
  // Links and momenta of double precision, rounded; unitary: and the links are projected to SU(3).
  void round(const GaugeField<double, W>& u, const AlgebraField<double, W>& p, bool unitary) {
    convert_links(from_double_, u, links_);
    if (unitary) gauge::reunitarise(links_);
    convert_momenta(from_double_, p, momenta_);
  }
  // Fingerprints of the terms' pseudofermions, rounded, in the arrangement of the chain's dynamics.
  std::vector<std::uint64_t> rounded_sources(const Terms<double, W>& terms) {
    convert_sources(from_double_, terms, dynamics_.terms());
    std::vector<std::uint64_t> all;
    for (const auto& term : dynamics_.terms())
      for (const auto& from : term->sources()) {
        const ColourVectorField<float, WS> to(back_.to(), from.parity(), from.count(), "replayed pseudofermion");
        convert_vectors(back_, from, to);
        all.push_back(rank_fingerprint(to));
      }
    return all;
  }

  void take_pseudofermions(const RandomStream&, const Terms<float, WS>& terms) override {
    convert_sources(there_, terms, dynamics_.terms());
  }
  void take(const GaugeField<float, WS>& u, const AlgebraField<float, WS>& p) override {
    convert_links(there_, u, links_);
    convert_momenta(there_, p, momenta_);
  }
  void perform(const Operation& operation, bool first) override {
    TrajectoryRecord record;
    record.terms.resize(dynamics_.terms().size());
    dynamics_.perform(operation, first, links_, momenta_, record);
  }
  std::uint64_t links() override {
    convert_links(back_, links_, links_back_);
    return rank_fingerprint(links_back_);
  }
  std::uint64_t momenta() override {
    convert_momenta(back_, momenta_, momenta_back_);
    return rank_fingerprint(momenta_back_);
  }

 private:
  SiteMap from_double_, there_, back_;
  MolecularDynamics<float, WS> dynamics_;
  GaugeField<float, WS> links_;
  AlgebraField<float, WS> momenta_;
  GaugeField<float, WS> links_back_;
  AlgebraField<float, WS> momenta_back_;
};

}  // namespace trellis::hmc
