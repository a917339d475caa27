// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parallel tempering on boundary conditions (M. Hasenbusch, Phys. Rev. D 96 (2017) 054504; C. Bonanno, C. Bonati and
// M. D'Elia, JHEP 03 (2021) 111): replicas of the lattice that differ only in the coupling c of a defect of the gauge
// action (gauge/defect), from 1, the periodic lattice, down to 0, where topological charge passes the open boundary.
// One trajectory of the whole is
//   a trajectory of each replica, which is any algorithm's;
//   a swap of the links of neighbouring replicas, first 0 and 1, 2 and 3, ..., then 1 and 2, 3 and 4, ..., each
//   accepted if D <= 0 or log r < -D, with D = [S_r(U_s) + S_s(U_r)] - [S_r(U_r) + S_s(U_s)] and r uniform in (0, 1);
//   a translation of the periodic replica by a random vector, each of the V with the same probability, so that the
//   defect does not stay where it is with respect to the links.
// Averages over the periodic replica are those of the periodic lattice. Quarks do not see the defect.
//
// D is a difference of sums over the loops that the defect changes, exact to the last bit. All random numbers follow
// from the seed and the trajectory's number; replica r has the seed of chain r (chain_seeds.hpp). The links, and which
// walker is where, are all there is to the state between two trajectories, which has the same bits for any lanes,
// threads and ranks.
//
// Memory: the links of the replicas, and one field more. Cost of swaps: four energies of the defect per pair.

#include <memory>
#include <vector>

#include "trellis/hmc/tempering/coupled_defect.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

inline constexpr RandomPurpose tempering_purpose{30};

struct TemperingParameters {
  gauge::Defect defect;
  std::vector<double> couplings;  // of the replicas: the first is 1, each is below the one before it, none below 0
};

// Throws InputError for fewer than two couplings, or if they are not in order.
void require_valid(const TemperingParameters& parameters);

template <int W>
class Tempering {
 public:
  // weights: of the whole gauge action. algorithm: of one replica, whose gauge action has that defect with its present
  // coupling. The other replicas begin with `start`.
  Tempering(const TemperingParameters& parameters, const gauge::LoopWeights& weights,
            std::shared_ptr<CoupledDefect<W>> defect, Algorithm<double, W> algorithm,
            const GaugeField<double, W>& start);

  // An Algorithm<double, W>; u are the links of the periodic replica, whose trajectory the record describes. If it
  // throws, all replicas must be set again. between_steps is not called.
  TrajectoryRecord operator()(const TrajectoryRequest& request, const GaugeField<double, W>& u,
                              const BetweenSteps<double, W>& between_steps = {});

  // D of replica r and the next one.
  double swap_difference(int r, const GaugeField<double, W>& u) const;
  // The swaps of a trajectory alone; their part of the record.
  void swap(const TrajectoryRequest& request, const GaugeField<double, W>& u, std::vector<ReplicaRecord>& records);

  int count() const { return int(parameters_.couplings.size()); }
  const TemperingParameters& parameters() const { return parameters_; }
  // The links of replica r, from 1 on. Code that changes them must leave them as gauge::reunitarise() does.
  const GaugeField<double, W>& links(int r) const { return others_[std::size_t(r) - 1]; }
  // walkers()[r]: which of the links that were once numbered in order is at replica r.
  const std::vector<int>& walkers() const { return walkers_; }
  // Throws Error unless it is a permutation.
  void set_walkers(std::vector<int> walkers);

 private:
  const GaugeField<double, W>& links_of(int r, const GaugeField<double, W>& u) const { return r == 0 ? u : links(r); }

  TemperingParameters parameters_;
  gauge::LoopWeights weights_;
  std::shared_ptr<CoupledDefect<W>> defect_;
  Algorithm<double, W> algorithm_;
  std::vector<GaugeField<double, W>> others_;
  std::vector<int> walkers_;
  GaugeField<double, W> work_;
};

}  // namespace trellis::hmc
