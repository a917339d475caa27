// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the forces of quarks need in either precision: the links as quarks see them, smeared and packed for the
// staggered operator, for each correction epsilon of a Naik term; the sum of the terms' derivatives with respect to
// these, from which the force on the thin links follows; and what one term adds to that sum. Shared by all quark terms
// of an action.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/dirac/staggered/links_by_epsilon.hpp"
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
  ForceLinks(const gauge::SmearingParameters& smearing, const Lattice& lattice, const dirac::HopSettings& settings,
             const std::vector<double>& epsilons)
      : smearing_(gauge::smeared_links<T, W>(smearing, lattice)),
        packed_(lattice, dirac::kind_of(*smearing_), settings, epsilons),
        derivative_(lattice, "derivative by smeared links") {
    if (kind() != dirac::LinkKind::fat_and_long) return;
    by_long_ = {GaugeField<T, W>(lattice, "derivative by long links"),
                GaugeField<T, W>(lattice, "derivative by links of one step")};
    for (const double epsilon : epsilons)
      if (epsilon != 0 && !of_[epsilon].is_allocated()) {
        of_[epsilon] = GaugeField<T, W>(lattice, "derivative by smeared links");
        long_of_[epsilon] = GaugeField<T, W>(lattice, "derivative by long links");
      }
  }

  // Smears and packs u, and calls with_smeared(smeared links, long links), unless that has already been done for the
  // same bits. long links: null without any.
  template <class F>
  void take(const GaugeField<T, W>& u, const F& with_smeared) {
    const std::uint64_t here = fingerprint(u);
    if (taken_ == here) return;
    taken_.reset();
    const GaugeField<T, W>& smeared = smearing_->smear(u);
    packed_.pack(smeared, smearing_->long_links());
    with_smeared(smeared, smearing_->long_links());
    taken_ = here;
  }
  void forget() {
    taken_.reset();
    smearing_->forget();
  }

  const Lattice& lattice() const { return packed_.lattice(); }
  dirac::LinkKind kind() const { return packed_.kind(); }
  const dirac::StaggeredLinks<T, W>& packed(double epsilon) const { return packed_.of(epsilon); }

  // Begins a sum of derivatives.
  void clear() override {
    set_zero(derivative_);
    if (!by_long_) return;
    set_zero(by_long_->three_steps);
    set_zero(by_long_->one_step);
    for (const auto& fields : {std::cref(of_), std::cref(long_of_)})
      for (const auto& [epsilon, field] : fields.get()) set_zero(field);
  }
  // Adds that of a quark with this epsilon (dirac/staggered/staggered_force.hpp).
  void add_derivative(const dirac::HopTable<T, W>& coefficients, double epsilon, std::span<const double> weights,
                      const ColourVectorField<T, W>& x, const ColourVectorField<T, W>& y) const {
    if (!by_long_)
      dirac::add_staggered_derivative(coefficients, weights, x, y, derivative_);
    else if (epsilon == 0)
      dirac::add_staggered_derivative(coefficients, weights, x, y, derivative_, by_long_->three_steps);
    else
      dirac::add_staggered_derivative(coefficients, weights, x, y, of_.at(epsilon), long_of_.at(epsilon));
  }
  void add_force(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p) override {
    smearing_->smear(u);
    if (!by_long_) return smearing_->add_force(derivative_, step, p);
    // A quark sees X + epsilon / 8 w and (1 + epsilon) L.
    for (const auto& [epsilon, field] : of_) {
      add_scaled(1, field, derivative_);
      add_scaled(epsilon / 8, field, by_long_->one_step);
      set_zero(field);
    }
    for (const auto& [epsilon, field] : long_of_) {
      add_scaled(1 + epsilon, field, by_long_->three_steps);
      set_zero(field);
    }
    smearing_->add_force_with_long(derivative_, *by_long_, step, p);
  }

 private:
  std::unique_ptr<const gauge::SmearedLinks<T, W>> smearing_;
  dirac::LinksByEpsilon<T, W> packed_;
  std::optional<std::uint64_t> taken_;
  // The matrices D of gauge/smearing/smearing.hpp; and of quarks with an epsilon, by their own links.
  GaugeField<T, W> derivative_;
  std::optional<gauge::LongLinks<T, W>> by_long_;
  std::map<double, GaugeField<T, W>> of_, long_of_;
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

// Adds the derivatives of phi^dagger r(A + m^2) phi for each phi to those of the links: massless: D without a mass, of
// a quark with this epsilon; coefficients: those of D; residues: those of r. solve(phi, x, counts) computes the vectors
// of r's poles, x. x has as many even vectors as r has poles, y as many odd ones.
template <class T, int W, class Solve>
SolverCounts add_derivatives(const dirac::StaggeredOperator<T, W>& massless, const dirac::HopTable<T, W>& coefficients,
                             double epsilon, std::span<const double> residues,
                             const std::vector<ColourVectorField<T, W>>& all_phi, PoleFields<T, W>& poles,
                             const ForceLinks<T, W>& links, const Solve& solve) {
  const int order = int(residues.size());
  const ColourVectorField<T, W>& x = poles(links.lattice(), 0, order);
  const ColourVectorField<T, W>& y = poles(links.lattice(), 1, order);
  SolverCounts counts;
  for (const auto& phi : all_phi) {
    solve(phi, x, counts);
    massless.hop(x, y);
    links.add_derivative(coefficients, epsilon, residues, x, y);
  }
  return counts;
}

}  // namespace trellis::hmc
