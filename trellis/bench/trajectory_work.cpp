// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/trajectory_work.hpp"

#include <algorithm>
#include <optional>

#include "trellis/bench/trajectory_kernels.hpp"

namespace trellis::bench {

namespace {

// Counts where HybridMonteCarlo moves. Links are a number: another one after each change.
class CountingPhaseSpace {
 public:
  CountingPhaseSpace(const TrajectoryDescription& trajectory, const std::vector<SolveWork>& solves)
      : trajectory_(trajectory),
        solves_(solves),
        kernels_(trajectory.quarks.smearing.levels, trajectory.quarks.smearing.rho,
                 trajectory.quarks.molecular_dynamics_precision != hmc::Precision::double_),
        measured_(trajectory.hmc.levels.size(), false) {}

  const TrajectoryKernels& kernels() const { return kernels_; }

  void begin() {
    kernels_.make_unitary();
    kernels_.copy_links();
    kernels_.draw_momenta();
    for (const auto& term : trajectory_.quark_terms) {
      take(links_);
      kernels_.largest_eigenvalue();
      for (int j = 0; j < term.pseudofermions; ++j) {
        kernels_.draw_pseudofermion();
        apply(term, "heatbath");
        if (term.heavier_mass == 0) kernels_.operator_on_one();
      }
    }
    kernels_.copy_momenta();
  }

  void kick(int level, double) { kick_on(links_, level); }

  void gradient_kick(int level, double, double) {
    kernels_.zero_momenta();
    add_forces(level, links_);
    kernels_.displace_links();
    kick_on(next_++, level);
  }

  void drift(double) {
    kernels_.update_links();
    links_ = next_++;
  }

  void end() {
    kernels_.kinetic_energy();
    for (const auto& name : trajectory_.gauge_terms) kernels_.loops_energy(name == "rectangle");
    for (const auto& term : trajectory_.quark_terms) {
      take(links_);
      kernels_.largest_eigenvalue();
      for (int j = 0; j < term.pseudofermions; ++j) {
        apply(term, "Metropolis");
        kernels_.pseudofermion_energy();
      }
    }
    kernels_.loops();
  }

  void heatbath() {
    const bool rectangles = trajectory_.loops.rectangle != 0;
    kernels_.make_unitary();
    kernels_.heatbath(rectangles, trajectory_.overrelaxation_steps);
    kernels_.loops();
  }

 private:
  const hmc::QuarkTerm* quark_term(const std::string& name) const {
    const auto& terms = trajectory_.quark_terms;
    const auto found = std::find_if(terms.begin(), terms.end(), [&](const auto& term) { return term.name == name; });
    return found == terms.end() ? nullptr : &*found;
  }

  // The first kick of a level goes term by term, and measures.
  void kick_on(int links, int level) {
    if (measured_[std::size_t(level)]) return add_forces(level, links);
    measured_[std::size_t(level)] = true;
    for (const auto& name : trajectory_.hmc.levels[std::size_t(level)].terms) {
      kernels_.force_norm();
      if (const auto* term = quark_term(name)) {
        kernels_.zero_derivative();
        add_derivative(*term, links);
        way_back(links);
      } else {
        kernels_.loops_force(name == "rectangle");
      }
    }
  }

  void add_forces(int level, int links) {
    bool loops = false, rectangles = false, quarks = false;
    for (const auto& name : trajectory_.hmc.levels[std::size_t(level)].terms) {
      quarks = quarks || quark_term(name) != nullptr;
      loops = loops || quark_term(name) == nullptr;
      rectangles = rectangles || name == "rectangle";
    }
    if (loops) kernels_.loops_force(rectangles);
    if (!quarks) return;
    kernels_.zero_derivative();
    for (const auto& name : trajectory_.hmc.levels[std::size_t(level)].terms)
      if (const auto* term = quark_term(name)) add_derivative(*term, links);
    way_back(links);
  }

  void add_derivative(const hmc::QuarkTerm& term, int links) {
    take(links);
    for (int j = 0; j < term.pseudofermions; ++j)
      if (const int poles = solve(term, "molecular dynamics"); poles > 0) kernels_.staggered_force(poles);
  }

  void way_back(int links) {
    smear(links);
    kernels_.way_back();
  }

  // QuarkLinks::take() and StoutLinks::smear(), which remember what they had last.
  void take(int links) {
    kernels_.look_at_links();
    if (taken_ == links) return;
    smear(links);
    kernels_.pack();
    taken_ = links;
  }
  void smear(int links) {
    if (trajectory_.quarks.smearing.levels == 0) return;
    kernels_.look_at_links();
    if (smeared_ != links) kernels_.smear();
    smeared_ = links;
  }

  void apply(const hmc::QuarkTerm& term, const char* purpose) { kernels_.sum_of_poles(solve(term, purpose)); }

  // One of the solves for this purpose; returns its poles.
  int solve(const hmc::QuarkTerm& term, const char* purpose) {
    for (SolveWork one : solves_) {
      if (one.term != term.name || one.purpose != purpose) continue;
      one.calls = 1;
      kernels_.solve(one);
      return one.shifts();
    }
    return 0;
  }

  const TrajectoryDescription& trajectory_;
  const std::vector<SolveWork>& solves_;
  TrajectoryKernels kernels_;
  std::vector<bool> measured_;
  int links_ = 0, next_ = 1;
  std::optional<int> taken_, smeared_;
};

}  // namespace

std::vector<SolveWork> solves_of(const TrajectoryDescription& trajectory) {
  if (trajectory.is_heatbath() || trajectory.quark_terms.empty()) return {};
  return solves_of(trajectory.quarks, trajectory.quark_terms,
                   hmc::make_plan(trajectory.hmc.levels, trajectory.hmc.length), trajectory.hmc.levels);
}

std::vector<KernelWork> trajectory_work(const TrajectoryDescription& trajectory, const std::vector<SolveWork>& solves) {
  CountingPhaseSpace space(trajectory, solves);
  if (trajectory.is_heatbath()) {
    space.heatbath();
  } else {
    space.begin();
    hmc::integrate(hmc::make_plan(trajectory.hmc.levels, trajectory.hmc.length), space);
    space.end();
  }
  return space.kernels().kernels();
}

}  // namespace trellis::bench
