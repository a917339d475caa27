// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sums over neighbours: forces, and the energy and virial of all pairs.

#include "examples/minimd/neighbours.hpp"

namespace examples::minimd {

// atoms.force = the force of lennard_jones.hpp on every atom. Cost: flops(list, ...) and, per atom, the list's four
// bytes per neighbour, streamed, and positions, mostly from cache.
template <class Layout>
void compute_forces(const Atoms& atoms, const NeighbourList<Layout>& list, double cutoff);

// Sums over pairs closer than the cutoff, each once.
struct PairSums {
  double energy = 0;  // of the potential, cut but not shifted
  double virial = 0;  // F . r
  double pairs = 0;

  TRELLIS_FUNCTION PairSums& operator+=(const PairSums& other) {
    energy += other.energy;
    virial += other.virial;
    pairs += other.pairs;
    return *this;
  }
};
template <class Layout>
PairSums sum_over_pairs(const Atoms& atoms, const NeighbourList<Layout>& list, double cutoff);

// Mean number of neighbours in the list.
template <class Layout>
double mean_count(const NeighbourList<Layout>& list);

}  // namespace examples::minimd
