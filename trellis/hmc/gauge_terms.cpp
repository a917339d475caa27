// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/hmc/term.hpp"

namespace trellis::hmc {

namespace {

template <class T, int W>
class LoopForce final : public ForceGroup<T, W> {
 public:
  LoopForce(const gauge::Boundary& boundary, AddedToLoops<T, W> added)
      : boundary_(boundary), added_(std::move(added)) {}

  void clear() override { weights_ = {}; }
  void add(const gauge::LoopWeights& w) {
    weights_ = {weights_.plaquette + w.plaquette, weights_.rectangle + w.rectangle,
                weights_.parallelogram + w.parallelogram};
  }
  void add_force(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p) override {
    gauge::add_force(weights_, boundary_, u, step, p, work_);
    if (added_.add_force) added_.add_force(weights_, u, step, p);
  }
  bool begins_without_ghosts() const override { return true; }
  void add_force_with(ExchangeUnderWay ghosts, const GaugeField<T, W>& u, double step,
                      const AlgebraField<T, W>& p) override {
    gauge::add_force(weights_, boundary_, u, step, p, work_, std::move(ghosts));
    if (added_.add_force) added_.add_force(weights_, u, step, p);
  }
  double added_difference(const gauge::LoopWeights& weights, const GaugeField<T, W>& after,
                          const GaugeField<T, W>& before) const {
    return added_.energy ? added_.energy(weights, after) - added_.energy(weights, before) : 0;
  }

 private:
  gauge::Boundary boundary_;
  AddedToLoops<T, W> added_;
  gauge::LoopWeights weights_;
  gauge::LoopForceWork<T, W> work_;
};

template <class T, int W>
class LoopTerm final : public Term<T, W> {
 public:
  LoopTerm(const GaugeTerm& term, std::shared_ptr<LoopForce<T, W>> force)
      : Term<T, W>(term.name), weights_(term.weights), boundary_(term.boundary), force_(std::move(force)) {}

  void clear_inactive(const AlgebraField<T, W>& p) const override { gauge::clear_inactive(boundary_, p); }
  double difference(const GaugeField<T, W>& after, const GaugeField<T, W>& before) override {
    return gauge::action_difference(weights_, boundary_, after, before) +
           force_->added_difference(weights_, after, before);
  }
  ForceGroup<T, W>* group() override { return force_.get(); }
  void contribute(const GaugeField<T, W>&) override { force_->add(weights_); }

 private:
  gauge::LoopWeights weights_;
  gauge::Boundary boundary_;
  std::shared_ptr<LoopForce<T, W>> force_;
};

}  // namespace

template <class T, int W>
Terms<T, W> make_gauge_terms(const std::vector<GaugeTerm>& terms, const AddedToLoops<T, W>& added) {
  const auto force = std::make_shared<LoopForce<T, W>>(terms.empty() ? gauge::Boundary{} : terms[0].boundary, added);
  Terms<T, W> result;
  for (const GaugeTerm& term : terms) result.push_back(std::make_shared<LoopTerm<T, W>>(term, force));
  return result;
}

#define TRELLIS_INSTANTIATE(T, W) \
  template Terms<T, W> make_gauge_terms<T, W>(const std::vector<GaugeTerm>&, const AddedToLoops<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
