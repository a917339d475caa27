// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the forces of quarks need in either precision: the links as quarks see them, smeared and packed for the
// staggered operator; the sum of the terms' derivatives with respect to these, from which the force on the thin links
// follows; and what one term adds to that sum. Shared by all quark terms of an action.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_force.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/term.hpp"
#include "trellis/lattice/fingerprint.hpp"
#include "trellis/solver/report.hpp"

namespace trellis::hmc {

template <class T, int W>
class ForceLinks : public ForceGroup<T, W> {
 public:
  ForceLinks(const gauge::SmearingParameters& smearing, const Lattice& lattice, const dirac::HopSettings& settings)
      : smearing_(gauge::smeared_links<T, W>(smearing, lattice)),
        packed_(lattice, settings),
        derivative_(lattice, "derivative by smeared links") {}

  // Smears and packs u, and calls with_smeared(smeared links), unless that has already been done for the same bits.
  template <class F>
  void take(const GaugeField<T, W>& u, const F& with_smeared) {
    const std::uint64_t here = fingerprint(u);
    if (taken_ == here) return;
    taken_.reset();
    const GaugeField<T, W>& smeared = smearing_->smear(u);
    packed_.pack(smeared);
    with_smeared(smeared);
    taken_ = here;
  }
  void forget() {
    taken_.reset();
    smearing_->forget();
  }

  const Lattice& lattice() const { return packed_.lattice(); }
  const dirac::StaggeredLinks<T, W>& packed() const { return packed_; }

  // D of gauge/smearing/smearing.hpp
  const GaugeField<T, W>& derivative() const { return derivative_; }
  void clear() override { set_zero(derivative_); }
  void add_force(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p) override {
    smearing_->smear(u);
    smearing_->add_force(derivative_, step, p);
  }

 private:
  std::unique_ptr<const gauge::SmearedLinks<T, W>> smearing_;
  dirac::StaggeredLinks<T, W> packed_;
  std::optional<std::uint64_t> taken_;
  GaugeField<T, W> derivative_;
};

// Fields with one vector per pole, kept from solve to solve.
template <class T, int W>
class PoleFields {
 public:
  const ColourVectorField<T, W>& operator()(const Lattice& lattice, int parity, int count) {
    auto& field = fields_[{parity, count}];
    if (!field.is_allocated()) field = ColourVectorField<T, W>(lattice, parity, count, "poles");
    return field;
  }

 private:
  std::map<std::pair<int, int>, ColourVectorField<T, W>> fields_;
};

// Adds a solve, and throws Error if it did not converge; `what` is its name.
void count_solve(const solver::SolverReport& report, std::string_view what, SolverCounts& counts);
// Adds solves for forces, whose residuals are those of molecular dynamics, not of the energy.
void count_forces(const SolverCounts& of_forces, SolverCounts& counts);

// Adds the derivatives of phi^dagger r(A + m^2) phi for each phi to that of the links: massless: D without a mass;
// coefficients: those of D; residues: those of r. solve(phi, x, counts) computes the vectors of r's poles, x. x has as
// many even vectors as r has poles, y as many odd ones.
template <class T, int W, class Solve>
SolverCounts add_derivatives(const dirac::StaggeredOperator<T, W>& massless, const dirac::HopTable<T, W>& coefficients,
                             std::span<const double> residues, const std::vector<ColourVectorField<T, W>>& all_phi,
                             PoleFields<T, W>& poles, const GaugeField<T, W>& derivative, const Solve& solve) {
  const int order = int(residues.size());
  const ColourVectorField<T, W>& x = poles(derivative.lattice(), 0, order);
  const ColourVectorField<T, W>& y = poles(derivative.lattice(), 1, order);
  SolverCounts counts;
  for (const auto& phi : all_phi) {
    solve(phi, x, counts);
    massless.hop(x, y);
    dirac::add_staggered_derivative(coefficients, residues, x, y, derivative);
  }
  return counts;
}

}  // namespace trellis::hmc
