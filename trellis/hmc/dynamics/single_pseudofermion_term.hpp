// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The force of a quark term in single precision (make_quark_forces in quark_action.hpp). It has the pseudofermions of
// the term in double precision, rounded. Everything else is single: smeared links, conjugate gradients, forces; links
// for conjugate gradients may be stored in 16 bits (rational_solver.hpp). The residual that rounding leaves in a solve
// is accepted.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/hmc/dynamics/force_links.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/rational_solver.hpp"

namespace trellis::hmc {

template <int W>
struct SharedInSingle {
  QuarkAction action;
  ForceLinks<float, W> links;
  PoleFields<float, W> poles;
  std::optional<dirac::LinksByEpsilon<Fixed16, W>> in_16_bits;

  SharedInSingle(const QuarkAction& of_action, const std::vector<double>& epsilons, const Lattice& lattice)
      : action(of_action), links(of_action.smearing, lattice, of_action.single_settings, epsilons) {
    if (action.molecular_dynamics_precision == SolverPrecision::fixed16)
      in_16_bits.emplace(lattice, links.kind(), action.single_settings, epsilons);
  }
};

template <int W>
class SinglePseudofermionTerm final : public Term<float, W> {
 public:
  using Field = ColourVectorField<float, W>;
  using Links = GaugeField<float, W>;

  SinglePseudofermionTerm(std::shared_ptr<SharedInSingle<W>> shared, const QuarkTerm& term,
                          RationalApproximation function)
      : Term<float, W>(term.name),
        shared_(std::move(shared)),
        function_(std::move(function)),
        naik_epsilon_(term.naik_epsilon),
        massless_(links().packed(naik_epsilon_), term.phases, 0.0),
        coefficients_(links().lattice(), dirac::staggered_coefficient(term.phases, links().lattice().size()),
                      massless_.links().pattern()),
        poles_(massless_, term.mass, function_) {
    if (const auto& in_16_bits = shared_->in_16_bits)
      poles_in_16_bits_.emplace(
          dirac::StaggeredOperator<float, W, Fixed16>(in_16_bits->of(naik_epsilon_), term.phases, 0.0), term.mass,
          function_);
    for (int j = 0; j < term.pseudofermions; ++j) phi_.emplace_back(links().lattice(), 0, 1, "phi in single precision");
  }

  bool has_pseudofermions() const override { return true; }
  std::vector<Field> sources() const override { return phi_; }
  void forget() override { links().forget(); }

  double difference(const Links&, const Links&) override {
    fail("term '{}' has no energy in single precision", this->name());
  }

  void contribute(const Links& u) override {
    links().take(u, [&](const Links& smeared, const gauge::LongLinks<float, W>* long_links) {
      if (shared_->in_16_bits) shared_->in_16_bits->pack(smeared, long_links);
    });
    const auto counts = add_derivatives(
        massless_, coefficients_, naik_epsilon_, function_.residues, phi_, shared_->poles, links(),
        [&](const Field& phi, const Field& x, SolverCounts& c) {
          const auto what = solve_name("molecular dynamics", this->name());
          count_solve(solve(phi, x, {shared_->action.molecular_dynamics_residual, shared_->action.max_iterations},
                            dry_turns_of(what, x.count()), c),
                      what, c);
        });
    count_forces(counts, counts_);
  }

  ForceGroup<float, W>* group() override { return &shared_->links; }
  std::optional<SolverCounts> take_counts() override { return std::exchange(counts_, {}); }

 private:
  ForceLinks<float, W>& links() const { return shared_->links; }

  solver::SolverReport solve(const Field& phi, const Field& x, const SolveGoal& goal, const std::vector<double>& turns,
                             SolverCounts& counts) const {
    if (poles_in_16_bits_) {
      if (const auto report = poles_in_16_bits_->solve_unrefined(phi, x, goal, turns)) return *report;
      ++counts.fallbacks;
    }
    solver::SolverReport report = poles_.solve(phi, x, goal, turns);
    if (!report.converged)
      counts.rounded = std::max(counts.rounded, poles_.accept_rounding(report, solver::norms2(phi), solver::norms2(x)));
    return report;
  }

  std::shared_ptr<SharedInSingle<W>> shared_;
  RationalApproximation function_;
  double naik_epsilon_;
  dirac::StaggeredOperator<float, W> massless_;
  dirac::HopTable<float, W> coefficients_;
  PoleSolver<float, W> poles_;
  std::optional<PoleSolver<float, W, Fixed16>> poles_in_16_bits_;
  std::vector<Field> phi_;
  SolverCounts counts_;
};

}  // namespace trellis::hmc
