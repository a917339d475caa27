// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parallel tempering on boundary conditions (M. Hasenbusch, Phys. Rev. D 96 (2017) 054504; C. Bonanno, C. Bonati and
// M. D'Elia, JHEP 03 (2021) 111): replicas of the lattice that differ only in the coupling c of a defect of the gauge
// action (gauge/defect), from 1, the periodic lattice, down to 0, where topological charge passes the open boundary.
// One trajectory of the whole is
//   a trajectory of each replica, which is any algorithm's;
//   swaps of neighbouring replicas, first 0 and 1, 2 and 3, ..., then 1 and 2, 3 and 4, ..., each accepted if D <= 0 or
//   log r < -D, with D = [S_r(U_s) + S_s(U_r)] - [S_r(U_r) + S_s(U_s)] and r uniform in (0, 1);
//   a translation of the periodic replica by a random vector, each of the V with the same probability, so that the
//   defect does not stay where it is with respect to the links;
//   hierarchical updates, if there are boxes: `sweeps` times a heatbath of the links of the first box around the defect
//   (gauge/heatbath), of all replicas, with its overrelaxation; after each of these again the swaps, a translation by
//   one step in a random direction, and the same with the next, smaller box.
// Averages over the periodic replica are those of the periodic lattice. Quarks do not see the defect.
//
// Two numbers of a configuration say what its action is at each coupling (DefectLoops), exact to the last bit, so swaps
// compare numbers; and it is the couplings that change places. All random numbers follow from the seed and the
// trajectory's number; replica r has the seed of chain r (chain_seeds.hpp). The links, and which walker is where, are
// all there is to the state between two trajectories, which has the same bits for any lanes, threads, ranks and groups.
//
// Groups of ranks may each have some of the replicas, on lattices of their own, side by side. The links of the periodic
// replica are those of all ranks together before and after a trajectory. Between groups go numbers, and its links.
//
// Memory: the links of the replicas, and one field more. Cost of swaps: two energies of the defect for each replica; of
// translations a copy of its links for each step; with groups up to three copies of links to all ranks a trajectory.

#include <memory>
#include <optional>
#include <vector>

#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/hmc/tempering/coupled_defect.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

inline constexpr RandomPurpose tempering_purpose{30};
inline constexpr RandomPurpose box_seeds_purpose{32};

struct BoxLevel {
  int margin = 1;  // of the box, gauge::box_around()
  int sweeps = 1;  // whenever what is around it, a larger box or the whole, has been swept
};

struct TemperingParameters {
  gauge::Defect defect;
  std::vector<double> couplings;     // of the replicas: the first is 1, each is below the one before it, none below 0
  std::vector<BoxLevel> boxes = {};  // from the largest to the smallest; for gauge actions without quarks
  int box_overrelaxation_steps = 4;  // sweeps of a box after each of its heatbath sweeps
};

// Throws InputError for fewer than two couplings, or if these or the boxes are not in order.
void require_valid(const TemperingParameters& parameters);

// How many sweeps of boxes a trajectory has.
int box_sweeps_of(const TemperingParameters& parameters);

// Groups of as many consecutive ranks of a job, of which each has as many replicas. One group: replicas one after the
// other, each on all ranks.
struct ReplicaGroups {
  comm::Communicator all;
  int count = 1;
  int number = 0;  // this rank's
};

template <int W>
class Tempering {
 public:
  // action: of the gauge links. own: the lattice of this rank's group, that of `start` if there is one. algorithm: of
  // one replica on it, whose gauge action has that defect with its present coupling. The other replicas begin with
  // `start`. Throws InputError if the replicas do not divide among the groups, or if boxes meet parallelograms.
  Tempering(const TemperingParameters& parameters, const gauge::LoopWeights& weights,
            std::shared_ptr<CoupledDefect<W>> defect, Algorithm<double, W> algorithm,
            const GaugeField<double, W>& start)
      : Tempering(parameters, weights, std::move(defect), std::move(algorithm), start, start.lattice(),
                  {start.lattice().ranks(), 1, 0}) {}
  Tempering(const TemperingParameters& parameters, const gauge::LoopWeights& weights,
            std::shared_ptr<CoupledDefect<W>> defect, Algorithm<double, W> algorithm,
            const GaugeField<double, W>& start, const Lattice& own, const ReplicaGroups& groups);

  // An Algorithm<double, W>; u are the links of the periodic replica, whose trajectory the record describes (on the
  // first group). Of the swaps it has those before the boxes, which are accepted as often as the others; walkers are
  // those at the end. If it throws, all replicas must be set again. between_steps is not called.
  TrajectoryRecord operator()(const TrajectoryRequest& request, const GaugeField<double, W>& u,
                              const BetweenSteps<double, W>& between_steps = {});

  // D of replica r and the next one.
  double swap_difference(int r, const GaugeField<double, W>& u);
  // The swaps of a trajectory alone; their part of the record.
  void swap(const TrajectoryRequest& request, const GaugeField<double, W>& u, std::vector<ReplicaRecord>& records);

  int count() const { return int(parameters_.couplings.size()); }
  const TemperingParameters& parameters() const { return parameters_; }
  const ReplicaGroups& groups() const { return groups_; }
  // Whether this rank's group has replica r, from 1 on.
  bool has(int r) const { return is_own(slot_of_[std::size_t(r)]); }
  // The links of replica r, from 1 on, if it has it. Code that changes them must leave them as gauge::reunitarise()
  // does.
  const GaugeField<double, W>& links(int r) const { return own_[own_number(slot_of_[std::size_t(r)])]; }
  // walkers()[r]: which of the links that were once numbered in order is at replica r.
  const std::vector<int>& walkers() const { return walkers_; }
  // Throws Error unless it is a permutation.
  void set_walkers(std::vector<int> walkers);

 private:
  // Replicas have slots, numbered from 0 over all groups: where their links are. Swaps change slot_of_.
  int slots_a_group() const { return count() / groups_.count; }
  bool is_own(int slot) const { return slot / slots_a_group() == groups_.number; }
  std::size_t own_number(int slot) const { return std::size_t(slot % slots_a_group()); }
  std::vector<int> replicas_by_slot() const;
  bool is_shared() const { return groups_.count > 1; }
  // The ranks of the group with a slot, and this rank's field there, if any.
  void send_slot(int slot, const GaugeField<double, W>& to) const;

  void take(const GaugeField<double, W>& u);
  void give(const GaugeField<double, W>& u);
  std::vector<gauge::DefectLoops> loops_of_replicas() const;
  double difference(int r, const std::vector<gauge::DefectLoops>& loops) const;
  void swap_all(const TrajectoryRequest& request, std::uint32_t round, std::vector<ReplicaRecord>& records);
  void translate_periodic(const Coordinate& steps);
  void sweep_boxes(std::size_t level, const TrajectoryRequest& request, std::uint32_t& round, Profile& profile,
                   std::vector<ReplicaRecord>& records);

  TemperingParameters parameters_;
  gauge::LoopWeights weights_;
  std::shared_ptr<CoupledDefect<W>> defect_;
  Algorithm<double, W> algorithm_;
  ReplicaGroups groups_;
  std::vector<gauge::HeatbathSweeps<double, W>> boxes_;
  std::vector<int> slot_of_, walkers_;  // by replica
  std::vector<GaugeField<double, W>>
      own_;  // of the group's slots; one of them is the caller's field if there is one group
  GaugeField<double, W> work_;
};

}  // namespace trellis::hmc
