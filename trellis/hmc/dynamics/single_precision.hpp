// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Molecular dynamics in single precision for a chain in double precision: links, momenta, forces, smeared links and
// the solves of forces (C. Bonati et al., arXiv:1801.01473, do so too). Momenta and pseudofermions are drawn in double
// precision, and both energies taken.
//
// A trajectory maps links in SU(3) and momenta to others:
//   the links are rounded and made unitary to rounding again, as they are after each step, so that forces belong to
//   links in SU(3); at the end they become double and are made unitary to the rounding of double precision, and the
//   momenta become double. dH is the difference between these two points, both in double precision.
// Momenta are rounded when they have been drawn, so that the point of the start is the one from which the trajectory
// starts. Its links are those of the chain, not the rounded ones: the energies of successive trajectories fit together,
// and what rounding does to links is a part of the map. All of that map's errors are rounding errors of the steps: it
// is reversible, and preserves areas, up to them. What they amount to is measured like any reversibility
// (TrajectoryRequest::check_reversibility).
//
// Memory: two fields of momenta and one of links in single precision (with gradient kicks one more), and 8 bytes per
// site; beside a term of quarks their links, smeared and packed, the solvers' vectors and the force.

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/dynamics/molecular_dynamics.hpp"
#include "trellis/lattice/single_lanes.hpp"
#include "trellis/lattice/site_map.hpp"

namespace trellis::hmc {

template <int W>
class SinglePrecisionDynamics {
 public:
  virtual ~SinglePrecisionDynamics() = default;
  // A trajectory begins: rounds its momenta. Counts of solves begin anew.
  virtual void begin(const AlgebraField<double, W>& p) const = 0;
  // The whole plan, as MolecularDynamics::run(). terms: those of the chain, whose pseudofermions have been drawn.
  // Leaves the links unitary, as by gauge::reunitarise().
  virtual void run(const Terms<double, W>& terms, const GaugeField<double, W>& u, const AlgebraField<double, W>& p,
                   TrajectoryRecord& record, const std::function<void()>& before_step = {}) const = 0;
  // Of a term, since begin().
  virtual std::optional<SolverCounts> take_counts(int term) const = 0;
};

// WS: the lane count of single precision. Use single_precision_dynamics().
template <int W, int WS>
class DynamicsInSingle final : public SinglePrecisionDynamics<W> {
 public:
  DynamicsInSingle(const HmcParameters& parameters, Terms<float, WS> terms, const Lattice& lattice,
                   const Lattice& single)
      : to_single_(lattice, single),
        to_double_(single, lattice),
        dynamics_(parameters, std::move(terms), single),
        links_(single, "links in single precision"),
        momenta_(single, "momenta in single precision") {}

  void begin(const AlgebraField<double, W>& p) const override {
    convert_momenta(to_single_, p, momenta_);
    convert_momenta(to_double_, momenta_, p);
    for (const auto& term : dynamics_.terms()) term->take_counts();
  }

  void run(const Terms<double, W>& terms, const GaugeField<double, W>& u, const AlgebraField<double, W>& p,
           TrajectoryRecord& record, const std::function<void()>& before_step) const override {
    timed(record.profile.copies, [&] {
      convert_links(to_single_, u, links_);
      gauge::reunitarise(links_);
      convert_momenta(to_single_, p, momenta_);
      for (std::size_t i = 0; i < terms.size(); ++i) {
        const auto from = terms[i]->sources();
        const auto to = dynamics_.terms().at(i)->sources();
        for (std::size_t j = 0; j < from.size(); ++j) convert_vectors(to_single_, from[j], to.at(j));
      }
    });
    dynamics_.run(links_, momenta_, record, before_step);
    timed(record.profile.copies, [&] {
      convert_links(to_double_, links_, u);
      gauge::reunitarise(u);
      convert_momenta(to_double_, momenta_, p);
    });
  }

  std::optional<SolverCounts> take_counts(int term) const override {
    return dynamics_.terms().at(std::size_t(term))->take_counts();
  }

 private:
  SiteMap to_single_, to_double_;
  MolecularDynamics<float, WS> dynamics_;
  GaugeField<float, WS> links_;
  AlgebraField<float, WS> momenta_;
};

// For the chain's lattice. make_terms.operator()<WS>(single) returns the terms of the chain's action on that lattice,
// in the same order (make_gauge_terms, make_quark_forces). shape: of that lattice, which changes no bit. Throws
// InputError as MolecularDynamics does.
template <int W, class MakeTerms>
std::shared_ptr<const SinglePrecisionDynamics<W>> single_precision_dynamics(const HmcParameters& parameters,
                                                                            const Lattice& lattice,
                                                                            const MakeTerms& make_terms,
                                                                            const LatticeShape& shape = {}) {
  return with_single_lanes<W>(lattice.local_size(), [&]<int WS>() {
    const Lattice single = with_lane_count(lattice, WS, shape);
    return std::shared_ptr<const SinglePrecisionDynamics<W>>(std::make_shared<DynamicsInSingle<W, WS>>(
        parameters, make_terms.template operator()<WS>(single), lattice, single));
  });
}

}  // namespace trellis::hmc
