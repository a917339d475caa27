// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Poisson brackets that the shadow Hamiltonian needs (shadow_hamiltonian.hpp), measured on links U and momenta p,
// by term of the action:
//   {T, {T, S_k}} = -p G_k,   {S_j, {S_k, T}} = F_j F_k,
//   G_k = dF_k/dt along a drift = (F_k(e^(i h p) U) - F_k(e^(-i h p) U)) / 2h, up to h^2,
// with |G_k|^2, which says how fast the fastest oscillations are; and, because that computes every force three times,
// what each one takes. Terms with pseudofermions keep those of their last refresh().
// Memory: as many fields of momenta as there are terms and one more, and one field of links.

#include <functional>
#include <vector>

#include "trellis/hmc/term.hpp"

namespace trellis::hmc {

struct PoissonBrackets {
  std::vector<double> hessian;            // by term
  std::vector<double> rate;               // |G_k|^2, by term
  std::vector<std::vector<double>> gram;  // by terms
};

// Seconds that computing a force once takes. What the terms of a group share is computed once for those on one level.
struct ForceCosts {
  std::vector<double> own;    // by term
  std::vector<double> group;  // by term: of what its group does once
  std::vector<int> group_of;  // by term; -1: none
};

template <class T, int W>
class BracketMeter {
 public:
  BracketMeter(Terms<T, W> terms, const Lattice& lattice);

  PoissonBrackets measure(const GaugeField<T, W>& u, const AlgebraField<T, W>& p);
  // By term, the frequency of its fastest mode, from below: of the momenta p, three times turned into -dF/dt along a
  // drift by themselves, |dF/dt| / |p| = w^2 is largest where the fastest mode is. Takes six forces a term.
  std::vector<double> fastest(const GaugeField<T, W>& u, const AlgebraField<T, W>& p);
  // Medians of all forces computed so far.
  ForceCosts costs() const;

  // Called before each force from now on; an exception ends the measurement.
  void call_between_forces(std::function<void()> f) { between_forces_ = std::move(f); }

 private:
  void call_between_forces() const;
  // out <- F of this term
  void force(std::size_t number, const GaugeField<T, W>& u, const AlgebraField<T, W>& out);

  Terms<T, W> terms_;
  std::vector<AlgebraField<T, W>> forces_;
  AlgebraField<T, W> moved_force_;
  GaugeField<T, W> moved_;
  std::function<void()> between_forces_;                          // may be empty
  std::vector<std::vector<double>> own_seconds_, group_seconds_;  // by term, of every evaluation
};

}  // namespace trellis::hmc
