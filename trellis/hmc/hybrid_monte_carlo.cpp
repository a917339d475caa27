// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/hybrid_monte_carlo.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::hmc {

namespace {

// The numbers of each level's terms.
template <class T, int W>
std::vector<std::vector<int>> terms_by_level(const std::vector<Level>& levels, const Terms<T, W>& terms) {
  std::vector<std::string> names;
  for (const auto& term : terms) names.push_back(term->name());
  std::vector<int> uses(terms.size(), 0);
  std::vector<std::vector<int>> result(levels.size());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (levels[k].terms.empty()) fail_input("integrator level {} names no term of the action", k);
    for (const std::string& name : levels[k].terms) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        fail_input("integrator level {}: the action has no term '{}'; it has {}", k, name, joined(names, ", "));
      const int term = int(found - names.begin());
      result[k].push_back(term);
      ++uses[term];
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (uses[i] != 1)
      fail_input("term '{}' of the action is on {} levels of the integrator; it must be on one", names[i], uses[i]);
  return result;
}

bool metropolis(const TrajectoryRequest& request, double dH) {
  const RandomStream stream{request.seed, request.trajectory, metropolis_purpose};
  return request.accept_always || dH <= 0 || log(stream.uniform(0, 0)[0]) < -dH;
}

}  // namespace

template <class T, int W>
struct HybridMonteCarlo<T, W>::Fields {
  AlgebraField<T, W> momenta, momenta_before;
  GaugeField<T, W> links_before;
  AlgebraField<T, W> force;    // for gradient kicks; momenta before the first kick of a term
  GaugeField<T, W> displaced;  // for gradient kicks
};

// Links and momenta as the integrator sees them.
template <class T, int W>
class HybridMonteCarlo<T, W>::PhaseSpace {
 public:
  PhaseSpace(const HybridMonteCarlo& hmc, const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
             TrajectoryRecord& record, BetweenSteps<T, W> between_steps = {})
      : hmc_(hmc), u_(u), p_(p), record_(record), between_steps_(std::move(between_steps)) {}

  void kick(int level, double time) {
    if (level == 0 && between_steps_) between_steps_(hmc_.fields_->links_before);
    kick_on(u_, level, time);
  }

  void gradient_kick(int level, double time, double displacement) {
    const Fields& fields = *hmc_.fields_;
    timed(record_.profile.copies, [&] { set_zero(fields.force); });
    add_forces(level, u_, displacement, fields.force);
    timed(record_.profile.links, [&] { displace_links(1.0, fields.force, u_, fields.displaced); });
    kick_on(fields.displaced, level, time);
  }

  void drift(double time) {
    timed(record_.profile.links, [&] { gauge::update_links(time, p_, u_); });
  }

 private:
  void kick_on(const GaugeField<T, W>& u, int level, double time) {
    if (measured_[std::size_t(level)]) {
      add_forces(level, u, time, p_);
      return;
    }
    measured_[std::size_t(level)] = true;
    for (const int term : hmc_.levels_[level]) kick_and_measure(*hmc_.terms_[term], u, time, record_.terms[term]);
  }

  // p += time F of all terms of the level; work that the terms of a group share is done once. Groups are in the order
  // of the action.
  void add_forces(int level, const GaugeField<T, W>& u, double time, const AlgebraField<T, W>& p) {
    const auto& on_level = hmc_.levels_[level];
    auto in_order = on_level;
    std::sort(in_order.begin(), in_order.end());
    timed(record_.profile.force, [&] {
      std::vector<const ForceGroup<T, W>*> done;
      for (const int first : in_order) {
        const auto group = hmc_.terms_[first]->group();
        if (!group) {
          hmc_.terms_[first]->add_force(u, time, p);
        } else if (std::find(done.begin(), done.end(), group) == done.end()) {
          done.push_back(group);
          group->clear();
          for (const int term : on_level)
            if (hmc_.terms_[term]->group() == group) hmc_.terms_[term]->contribute(u);
          group->add_force(u, time, p);
        }
      }
    });
  }

  void kick_and_measure(Term<T, W>& term, const GaugeField<T, W>& u, double time, TermRecord& record) {
    // The norms are taken from the momenta before and after, so that measuring changes no bits.
    const AlgebraField<T, W>& before = hmc_.fields_->force;
    timed(record_.profile.copies, [&] { before.copy_from(p_); });
    timed(record_.profile.force, [&] { term.add_force(u, time, p_); });
    const MomentumNorm norm = timed(record_.profile.copies, [&] { return distance(p_, before); });
    record.force_average = norm.root_mean_square / std::abs(time);
    record.force_maximum = norm.maximum / std::abs(time);
  }

  const HybridMonteCarlo& hmc_;
  const GaugeField<T, W>& u_;
  const AlgebraField<T, W>& p_;
  TrajectoryRecord& record_;
  BetweenSteps<T, W> between_steps_;
  std::vector<bool> measured_ = std::vector<bool>(hmc_.levels_.size(), false);
};

template <class T, int W>
HybridMonteCarlo<T, W>::HybridMonteCarlo(const HmcParameters& parameters, Terms<T, W> terms, const Lattice& lattice)
    : plan_(make_plan(parameters.levels, parameters.length)),
      terms_(std::move(terms)),
      levels_(terms_by_level(parameters.levels, terms_)) {
  Fields fields{AlgebraField<T, W>(lattice),
                AlgebraField<T, W>(lattice, "momenta before"),
                GaugeField<T, W>(lattice, "links before"),
                AlgebraField<T, W>(lattice, "force"),
                {}};
  const bool gradient =
      std::any_of(plan_.begin(), plan_.end(), [](const Operation& o) { return o.kind == Step::Kind::gradient_kick; });
  if (gradient) fields.displaced = GaugeField<T, W>(lattice, "displaced links");
  fields_ = std::make_shared<const Fields>(std::move(fields));
}

template <class T, int W>
TrajectoryRecord HybridMonteCarlo<T, W>::operator()(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                                                    const BetweenSteps<T, W>& between_steps) const {
  const Stopwatch watch;
  const Fields& fields = *fields_;
  const AlgebraField<T, W>& p = fields.momenta;
  const RandomStream stream{request.seed, request.trajectory, gauge::momenta_purpose};
  TrajectoryRecord record;
  record.trajectory = request.trajectory;
  for (const auto& term : terms_) record.terms.push_back({.name = term->name()});

  timed(record.profile.copies, [&] { fields.links_before.copy_from(u); });
  try {
    timed(record.profile.momenta, [&] {
      gauge::draw_momenta(stream, p);
      for (const auto& term : terms_) term->refresh(stream, u);
    });
    timed(record.profile.copies, [&] { fields.momenta_before.copy_from(p); });
    if (observer_) observer_(u, p);
    PhaseSpace space(*this, u, p, record, between_steps);
    integrate(plan_, space);
    if (observer_) observer_(u, p);
    record.dH = energy_difference(u, p, record);
    if (!std::isfinite(record.dH))
      fail("the energy changed by {}; steps of the integrator are too long, or the start is no configuration",
           record.dH);
    if (request.check_reversibility)
      record.reversibility = timed(record.profile.reversibility, [&] { return way_back(u); });
  } catch (const Error& error) {
    u.copy_from(fields.links_before);
    fail("trajectory {}: {}", request.trajectory, error.what());
  } catch (...) {
    u.copy_from(fields.links_before);
    throw;
  }
  record.exp_minus_dH = std::exp(-record.dH);
  for (std::size_t i = 0; i < terms_.size(); ++i) record.terms[i].solver = terms_[i]->take_counts();
  record.accepted = metropolis(request, record.dH);
  timed(record.profile.copies, [&] { record.accepted ? gauge::reunitarise(u) : u.copy_from(fields.links_before); });
  record.profile.total = watch.seconds();
  return record;
}

template <class T, int W>
double HybridMonteCarlo<T, W>::energy_difference(const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
                                                 TrajectoryRecord& record) const {
  const Fields& fields = *fields_;
  record.kinetic_difference =
      timed(record.profile.energy, [&] { return gauge::kinetic_energy_difference(p, fields.momenta_before); });
  double sum = record.kinetic_difference;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    record.terms[i].difference =
        timed(record.profile.energy, [&] { return terms_[i]->difference(u, fields.links_before); });
    sum += record.terms[i].difference;
  }
  return sum;
}

template <class T, int W>
Reversibility HybridMonteCarlo<T, W>::way_back(const GaugeField<T, W>& u) const {
  const GaugeField<T, W> links = u.clone();
  const AlgebraField<T, W> p = fields_->momenta.clone();
  TrajectoryRecord record;
  record.terms.resize(terms_.size());
  negate(p);
  PhaseSpace space(*this, links, p, record);
  integrate(plan_, space);
  negate(p);
  const double energy = energy_difference(links, p, record);
  return {largest_difference(links, fields_->links_before), largest_difference(p, fields_->momenta_before),
          std::abs(energy)};
}

#define TRELLIS_INSTANTIATE(W) template class HybridMonteCarlo<double, W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
