// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A copy of a term of the action in which a test can replace individual functions, to inject faults. Constructed from
// just a name, it has no energy by default and must be given a force.

#include <functional>

#include "trellis/hmc/term.hpp"

namespace trellis::test {

template <int W>
class ChangedTerm final : public hmc::Term<double, W> {
 public:
  using Original = hmc::Term<double, W>;
  using Links = GaugeField<double, W>;
  using Momenta = AlgebraField<double, W>;
  using Force = std::function<void(const Links& u, double step, const Momenta& p)>;

  explicit ChangedTerm(const std::shared_ptr<Original>& original) : Original(original->name()), original_(original) {}
  explicit ChangedTerm(const std::string& name) : Original(name) {}

  // These replace the functions of the original; setting a force takes the term out of its group.
  Force force;
  std::function<double(const Links& after, const Links& before)> energy;
  bool draws = true;

  bool has_pseudofermions() const override { return original_ && original_->has_pseudofermions(); }
  void refresh(const RandomStream& stream, const Links& u) override {
    if (original_ && draws) original_->refresh(stream, u);
  }
  double difference(const Links& after, const Links& before) override {
    if (energy) return energy(after, before);
    return original_ ? original_->difference(after, before) : 0;
  }
  void add_force(const Links& u, double step, const Momenta& p) override {
    force ? force(u, step, p) : original_->add_force(u, step, p);
  }
  hmc::ForceGroup<double, W>* group() override { return force ? nullptr : original_->group(); }
  void contribute(const Links& u) override { original_->contribute(u); }
  std::optional<hmc::SolverCounts> take_counts() override {
    return original_ ? original_->take_counts() : std::nullopt;
  }

 private:
  std::shared_ptr<Original> original_;
};

// The given term with its force multiplied by factor().
template <int W, class Factor>
std::shared_ptr<ChangedTerm<W>> with_scaled_force(const std::shared_ptr<hmc::Term<double, W>>& term, Factor factor) {
  auto changed = std::make_shared<ChangedTerm<W>>(term);
  changed->force = [term, factor](const auto& u, double step, const auto& p) mutable {
    term->add_force(u, step * factor(), p);
  };
  return changed;
}

}  // namespace trellis::test
