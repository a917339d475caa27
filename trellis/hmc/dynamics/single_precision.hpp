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
// Certified (certificate.hpp), the two ends are operations as well: links, momenta and pseudofermions in single
// precision are compared with those that a second computation, arranged differently (replay_in_single.hpp), rounds by
// itself, and those of the end, in double precision, must round to the last ones in single precision.
//
// Memory: two fields of momenta and one of links in single precision (with gradient kicks one more), and 8 bytes per
// site; beside a term of quarks their links, smeared and packed, the solvers' vectors and the force.

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/dynamics/molecular_dynamics.hpp"
#include "trellis/hmc/dynamics/replay_in_single.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/replay.hpp"
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
  // Leaves the links unitary, as by gauge::reunitarise(). Throws Error with a certificate if it has no replay.
  virtual void run(const Terms<double, W>& terms, const GaugeField<double, W>& u, const AlgebraField<double, W>& p,
                   TrajectoryRecord& record, const std::function<void()>& before_step = {},
                   Certificate<double, W>* certificate = nullptr) const = 0;
  virtual bool has_replay() const = 0;
  // What is kept for links that were seen before may be damaged, and must not be used again.
  virtual void forget() const = 0;
  // Of a term, since begin().
  virtual std::optional<SolverCounts> take_counts(int term) const = 0;
};

// WS: the lane count of single precision. Use single_precision_dynamics().
template <int W, int WS>
class DynamicsInSingle final : public SinglePrecisionDynamics<W> {
 public:
  // replay: null if there is no certificate.
  DynamicsInSingle(const HmcParameters& parameters, Terms<float, WS> terms, const Lattice& lattice,
                   const Lattice& single, std::shared_ptr<ReplayInSingle<W, WS>> replay)
      : to_single_(lattice, single),
        to_double_(single, lattice),
        dynamics_(parameters, std::move(terms), single),
        links_(single, "links in single precision"),
        momenta_(single, "momenta in single precision"),
        replay_(std::move(replay)) {}

  void begin(const AlgebraField<double, W>& p) const override {
    round_to_single(p);
    for (const auto& term : dynamics_.terms()) term->take_counts();
  }

  void run(const Terms<double, W>& terms, const GaugeField<double, W>& u, const AlgebraField<double, W>& p,
           TrajectoryRecord& record, const std::function<void()>& before_step,
           Certificate<double, W>* certificate) const override {
    std::optional<DynamicsCertificate<float, WS>> single;
    if (certificate != nullptr) {
      if (!replay_) fail("molecular dynamics in single precision was made without a replay, and cannot be certified");
      single.emplace(certificate->state(), replay_);
    }
    const auto certify = [&](const auto& f) {
      if (single) timed(record.profile.certificate, [&] { f(*certificate, *single); });
    };
    certify([&](Certificate<double, W>& c, auto&) {
      c.at(numbers().rounding());
      c.compare(KeptInDouble::links, u);
      c.compare(KeptInDouble::momenta, p);
      c.compare_pseudofermions(terms);
    });
    timed(record.profile.copies, [&] {
      convert_links(to_single_, u, links_);
      gauge::reunitarise(links_);
      convert_momenta(to_single_, p, momenta_);
      convert_sources(to_single_, terms, dynamics_.terms());
    });
    certify([&](Certificate<double, W>&, auto& s) {
      s.keep(Kept::links, links_);
      s.keep(Kept::momenta, momenta_);
      s.keep_pseudofermions(dynamics_.terms());
      if (!s.replays(numbers().rounding())) return;
      const auto often = s.counted_on_average();
      replay_->round(u, p, true);
      compare_with_replay(s);
      s.compare_drawn(replay_->rounded_sources(terms));
    });
    dynamics_.run(links_, momenta_, record, before_step, single ? &*single : nullptr);
    certify([&](Certificate<double, W>& c, auto& s) {
      c.at(numbers().widening());
      s.compare(Kept::links, links_);
      s.compare(Kept::momenta, momenta_);
      s.compare_pseudofermions(dynamics_.terms());
    });
    timed(record.profile.copies, [&] {
      convert_links(to_double_, links_, u);
      convert_momenta(to_double_, momenta_, p);
    });
    const bool replays = single && single->replays(numbers().widening());
    certify([&](Certificate<double, W>& c, auto& s) {
      if (!replays) return;
      const auto often = s.counted_on_average();
      replay_->round(u, p, false);
      compare_with_replay(s);
      c.replay(terms).take(u, p);
    });
    timed(record.profile.copies, [&] { gauge::reunitarise(u); });
    certify([&](Certificate<double, W>& c, auto& s) {
      c.keep(KeptInDouble::links, u);
      c.keep(KeptInDouble::momenta, p);
      if (!replays) return;
      const auto often = s.counted_on_average();
      c.replay(terms).reunitarise();
      c.compare_links();
    });
  }

  bool has_replay() const override { return replay_ != nullptr; }
  void forget() const override {
    for (const auto& term : dynamics_.terms()) term->forget();
    if (replay_) replay_->forget();
  }

  std::optional<SolverCounts> take_counts(int term) const override {
    return dynamics_.terms().at(std::size_t(term))->take_counts();
  }

 private:
  using Kept = typename DynamicsCertificate<float, WS>::Kept;
  using KeptInDouble = typename Certificate<double, W>::Kept;

  OperationNumbers numbers() const { return {int(dynamics_.plan().size())}; }
  void compare_with_replay(DynamicsCertificate<float, WS>& certificate) const {
    certificate.compare_links();
    certificate.compare_momenta();
  }

  SiteMap to_single_, to_double_;
  MolecularDynamics<float, WS> dynamics_;
  GaugeField<float, WS> links_;
  AlgebraField<float, WS> momenta_;
  std::shared_ptr<ReplayInSingle<W, WS>> replay_;
};

// For the chain's lattice. make_terms.operator()<WS>(single) returns the terms of the chain's action on that lattice,
// in the same order (make_gauge_terms, make_quark_forces). certified: with a replay; shape: of that lattice, which
// changes no bit. Throws InputError as MolecularDynamics does.
template <int W, class MakeTerms>
std::shared_ptr<const SinglePrecisionDynamics<W>> single_precision_dynamics(const HmcParameters& parameters,
                                                                            const Lattice& lattice,
                                                                            const MakeTerms& make_terms,
                                                                            bool certified = false,
                                                                            const LatticeShape& shape = {}) {
  return with_single_lanes<W>(lattice.local_size(), [&]<int WS>() {
    const Lattice single = with_lane_count(lattice, WS, shape);
    const auto terms_on = [&](const Lattice& there) { return make_terms.template operator()<WS>(there); };
    auto terms = terms_on(single);
    std::shared_ptr<ReplayInSingle<W, WS>> replay;
    if (certified) {
      const Lattice other = rearranged(single);
      replay = std::make_shared<ReplayInSingle<W, WS>>(parameters, terms_on(other), lattice, single, other);
    }
    return std::shared_ptr<const SinglePrecisionDynamics<W>>(
        std::make_shared<DynamicsInSingle<W, WS>>(parameters, std::move(terms), lattice, single, std::move(replay)));
  });
}

}  // namespace trellis::hmc
