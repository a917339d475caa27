// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hybrid Monte Carlo (Duane, Kennedy, Pendleton and Roweth, Phys. Lett. B 195 (1987) 216). A trajectory:
//   momenta and pseudofermions are drawn; molecular dynamics follows the plan of the nested integrator; dH = change of
//   tr H^2 summed over links + change of each term; accepted if dH <= 0 or log r < -dH, r uniform in (0, 1). If so, the
//   links are made unitary to rounding again; otherwise they are those of the start, to the bit.
// dH is a sum of differences site by site: it keeps its digits on any volume, and its bits for any lanes and threads.
// Memory: three fields of momenta and one of links, in addition to the links themselves; with gradient kicks one more
// of links; during a check of reversibility one more of each; with a certificate as much again.
//
// Throws InputError if a level names no term or an unknown one, or if a term is on no level or on several; Error, with
// the links as at the start, if dH is not a finite number or a term's solver did not converge.

#include <functional>
#include <memory>
#include <string>

#include "trellis/hmc/dynamics/dynamics_certificate.hpp"
#include "trellis/hmc/dynamics/molecular_dynamics.hpp"
#include "trellis/hmc/dynamics/single_precision.hpp"
#include "trellis/hmc/term.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

inline constexpr RandomPurpose metropolis_purpose{2};

template <class T, int W>
class HybridMonteCarlo {
 public:
  // Work space.
  struct Fields {
    AlgebraField<T, W> momenta, momenta_before;
    GaugeField<T, W> links_before;
  };

  // single: molecular dynamics in single precision instead (dynamics/single_precision.hpp); null: none.
  HybridMonteCarlo(const HmcParameters& parameters, Terms<T, W> terms, const Lattice& lattice,
                   std::shared_ptr<const SinglePrecisionDynamics<W>> single = nullptr);

  // An Algorithm<T, W>, which changes u in place. between_steps is called before each kick of the outermost level,
  // except gradient kicks.
  TrajectoryRecord operator()(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                              const BetweenSteps<T, W>& between_steps = {}) const;

  // Certifies trajectories from now on. After a Mismatch, or on one rank another Error, a trajectory is repeated once,
  // which gives the same bits; the second time its Error passes through. Throws InputError if
  // molecular dynamics in single precision has no replay.
  void certify(std::shared_ptr<Certificate<T, W>> certificate);

  const Plan& plan() const { return dynamics_.plan(); }
  const Terms<T, W>& terms() const { return dynamics_.terms(); }

  // Parts of a trajectory, for a replay (replay.hpp): the momenta, in fields(), and the pseudofermions (the
  // stream is that of the momenta); one operation
  // (first: it is the first kick of its level); dH, for the start in fields(), recording its parts.
  const Fields& fields() const { return *fields_; }
  void draw(const RandomStream& stream, const GaugeField<T, W>& u) const;
  void perform(const Operation& operation, bool first, const GaugeField<T, W>& u, const AlgebraField<T, W>& p) const;
  double energy_difference(const GaugeField<T, W>& u, const AlgebraField<T, W>& p, TrajectoryRecord& record) const;

  // Called with links and momenta at the start of molecular dynamics, when pseudofermions have been drawn, and at its
  // end. Must leave both alone.
  using Observer = std::function<void(const GaugeField<T, W>& u, const AlgebraField<T, W>& p)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

 private:
  TrajectoryRecord attempt(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                           const BetweenSteps<T, W>& between_steps) const;
  TrajectoryRecord certified(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                             const BetweenSteps<T, W>& between_steps) const;
  void restore(const GaugeField<T, W>& u) const;
  void draw_momenta(const RandomStream& stream) const;
  void integrate(const GaugeField<T, W>& u, const AlgebraField<T, W>& p, TrajectoryRecord& record,
                 const std::function<void()>& before_step = {}, Certificate<T, W>* certificate = nullptr) const;
  TrajectoryRecord empty_record() const;
  Reversibility way_back(const GaugeField<T, W>& u) const;

  // Of a trajectory's operations, for its certificate.
  OperationNumbers numbers() const { return {int(plan().size())}; }
  std::string describe(int number) const;

  MolecularDynamics<T, W> dynamics_;
  std::shared_ptr<const SinglePrecisionDynamics<W>> single_;  // null: in this precision
  std::shared_ptr<const Fields> fields_;                      // work space, shared by copies
  std::shared_ptr<Certificate<T, W>> certificate_;            // null: none
  Observer observer_;
};

}  // namespace trellis::hmc
