// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Molecular dynamics: links and momenta follow the plan of a nested integrator (integrator.hpp), whose kicks are forces
// of the terms of an action.
// In single precision each step leaves the links unitary to rounding (gauge::update_unitary_links).
// The first kick of a level goes term by term and records each force's norms; later kicks do the work that the terms of
// a group share only once (term.hpp).
// Memory: a field of momenta; with gradient kicks also one of links.
//
// Throws InputError if a level names no term or an unknown one, or if a term is on no level or on several.

#include <functional>
#include <vector>

#include "trellis/hmc/integrator.hpp"
#include "trellis/hmc/term.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

template <class T, int W>
class DynamicsCertificate;

struct HmcParameters {
  double length = 1.0;        // of a trajectory, in molecular dynamics time
  std::vector<Level> levels;  // outermost first; every term of the action is on one of them
};

template <class T, int W>
class MolecularDynamics {
 public:
  MolecularDynamics(const HmcParameters& parameters, Terms<T, W> terms, const Lattice& lattice);
  // Without the work space of run() and perform(), which must not be called.
  MolecularDynamics(const HmcParameters& parameters, Terms<T, W> terms);

  const Plan& plan() const { return plan_; }
  const Terms<T, W>& terms() const { return terms_; }
  const std::vector<std::vector<int>>& levels() const { return levels_; }

  // The whole plan, with norms of forces and times into the record. before_step is called before each kick of the
  // outermost level, except gradient kicks; certificate: null for none.
  void run(const GaugeField<T, W>& u, const AlgebraField<T, W>& p, TrajectoryRecord& record,
           const std::function<void()>& before_step = {}, DynamicsCertificate<T, W>* certificate = nullptr) const;
  // One operation; first: it is the first kick of its level.
  void perform(const Operation& operation, bool first, const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
               TrajectoryRecord& record) const;

 private:
  class PhaseSpace;

  Plan plan_;
  Terms<T, W> terms_;
  std::vector<std::vector<int>> levels_;  // numbers of the terms
  AlgebraField<T, W> force_;              // for gradient kicks; momenta before the first kick of a term
  GaugeField<T, W> displaced_;            // for gradient kicks
};

}  // namespace trellis::hmc
