// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/topology/topological_term.hpp"

#include <fmt/format.h>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/topology/charge_derivative.hpp"

namespace trellis::hmc {

namespace {

template <int W>
class TopologicalTerm final : public Term<double, W> {
 public:
  TopologicalTerm(const TopologicalPotential& parameters, const Lattice& lattice)
      : Term<double, W>(std::string(topological_term_name)),
        potential_(parameters.potential),
        smeared_(parameters.stout, lattice),
        charge_(lattice, parameters.stout.boundary) {}

  void forget() override { smeared_.forget(); }

  double difference(const GaugeField<double, W>& after, const GaugeField<double, W>& before) override {
    const double first = value(potential_, charge_of(before));
    return value(potential_, charge_of(after)) - first;
  }

  void add_force(const GaugeField<double, W>& u, double step, const AlgebraField<double, W>& p) override {
    const auto& links = smeared_.smear(u);
    const double charge = charge_.charge(links);
    smeared_.add_force(charge_.derivative(slope(potential_, charge), links), step, p);
    gauge::clear_inactive(smeared_.parameters().boundary, p);
  }

 private:
  double charge_of(const GaugeField<double, W>& u) const {
    return gauge::clover_observables(smeared_.parameters().boundary, smeared_.smear(u)).topological_charge;
  }

  ChargePotential potential_;
  gauge::StoutLinks<double, W> smeared_;
  gauge::ChargeDerivative<double, W> charge_;
};

}  // namespace

template <int W>
std::shared_ptr<Term<double, W>> make_topological_term(const TopologicalPotential& parameters, const Lattice& lattice) {
  require_valid(parameters.potential);
  return std::make_shared<TopologicalTerm<W>>(parameters, lattice);
}

template <int W>
ChargeAndPotential charge_and_potential(const TopologicalPotential& parameters, const GaugeField<double, W>& u) {
  const auto links = u.clone();
  gauge::stout_steps(parameters.stout.rho, parameters.stout.levels, links, parameters.stout.boundary);
  const double charge = gauge::clover_observables(parameters.stout.boundary, links).topological_charge;
  return {charge, value(parameters.potential, charge)};
}

#define TRELLIS_INSTANTIATE(W)                                                                                  \
  template std::shared_ptr<Term<double, W>> make_topological_term(const TopologicalPotential&, const Lattice&); \
  template ChargeAndPotential charge_and_potential(const TopologicalPotential&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
