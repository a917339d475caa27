// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tempering/tempering.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/defect/translation.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/tempering/chain_seeds.hpp"
#include "trellis/lattice/redistribution.hpp"

namespace trellis::hmc {

namespace {

// Draws of the tempering's stream, in which the rounds of swaps of a trajectory play the part of sites: swaps have the
// number of their first replica.
constexpr std::uint32_t translation_draw = 1 << 20;

Coordinate random_steps(const RandomStream& stream, const Coordinate& size) {
  const auto a = stream.uniform(0, translation_draw), b = stream.uniform(0, translation_draw + 1);
  const std::array<double, 4> numbers{a[0], a[1], b[0], b[1]};
  Coordinate steps{};
  for (std::size_t mu = 0; mu < 4; ++mu) steps[mu] = std::min(size[mu] - 1, static_cast<int>(size[mu] * numbers[mu]));
  return steps;
}

// One step in one of eight directions.
Coordinate random_step(const RandomStream& stream, std::uint32_t round) {
  const int step = std::min(7, static_cast<int>(8 * stream.uniform(round, translation_draw)[0]));
  Coordinate steps{};
  steps[std::size_t(step % 4)] = step < 4 ? 1 : -1;
  return steps;
}

// Of a replica's heatbath of a box. Each has its own seed, since the heatbath's numbers belong to links.
std::uint64_t box_seed(std::uint64_t seed, std::uint32_t trajectory, std::uint32_t round) {
  const auto words = RandomStream{seed, trajectory, box_seeds_purpose}.words(round, 0);
  return (std::uint64_t(words[0]) << 32) | words[1];
}

template <int W>
bool is_same(const GaugeField<double, W>& a, const GaugeField<double, W>& b) {
  return a.view().data() == b.view().data();
}

// Numbers of all slots on all ranks, from those that each group has of its own, the others 0.
void share(const ReplicaGroups& groups, bool is_first_of_group, std::vector<double>& numbers) {
  if (groups.count == 1) return;
  std::vector<std::uint64_t> words(numbers.size(), 0);
  if (is_first_of_group)
    std::transform(numbers.begin(), numbers.end(), words.begin(),
                   [](double number) { return std::bit_cast<std::uint64_t>(number); });
  groups.all.sum("numbers of replicas", words);
  std::transform(words.begin(), words.end(), numbers.begin(),
                 [](std::uint64_t word) { return std::bit_cast<double>(word); });
}

void add_seconds(const Profile& one, Profile& all) {
  for (const auto part : {&Profile::force, &Profile::links, &Profile::momenta, &Profile::energy, &Profile::copies,
                          &Profile::reversibility, &Profile::certificate})
    all.*part += one.*part;
}

}  // namespace

void require_valid(const TemperingParameters& parameters) {
  const auto& couplings = parameters.couplings;
  if (couplings.size() < 2) fail_input("tempering: {} replicas; there must be at least 2", couplings.size());
  if (couplings[0] != 1)
    fail_input("tempering: the first coupling is {}; it must be 1, the periodic lattice", couplings[0]);
  for (std::size_t r = 1; r < couplings.size(); ++r)
    if (!(couplings[r] < couplings[r - 1] && couplings[r] >= 0))
      fail_input("tempering: the coupling {} follows {}; each must be below the one before it, and none below 0",
                 couplings[r], couplings[r - 1]);
  const auto& boxes = parameters.boxes;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (boxes[k].margin < 1) fail_input("tempering: the margin of a box is {}; it must be at least 1", boxes[k].margin);
    if (boxes[k].sweeps < 1) fail_input("tempering: a box has {} sweeps; it must have at least 1", boxes[k].sweeps);
    if (k > 0 && boxes[k].margin >= boxes[k - 1].margin)
      fail_input("tempering: a box of margin {} follows one of {}; each must be smaller than the one before it",
                 boxes[k].margin, boxes[k - 1].margin);
  }
}

int box_sweeps_of(const TemperingParameters& parameters) {
  int all = 0, often = 1;
  for (const auto& box : parameters.boxes) all += often *= box.sweeps;
  return all;
}

template <int W>
Tempering<W>::Tempering(const TemperingParameters& parameters, const gauge::LoopWeights& weights,
                        std::shared_ptr<CoupledDefect<W>> defect, Algorithm<double, W> algorithm,
                        const GaugeField<double, W>& start, const Lattice& own, const ReplicaGroups& groups)
    : parameters_(parameters),
      weights_(weights),
      defect_(std::move(defect)),
      algorithm_(std::move(algorithm)),
      groups_(groups),
      work_(own, "links of a translation") {
  require_valid(parameters_);
  if (count() % groups_.count != 0)
    fail_input("tempering: {} replicas do not divide among {} groups of ranks", count(), groups_.count);
  for (const auto& box : parameters_.boxes)
    boxes_.emplace_back(gauge::HeatbathParameters{weights_, parameters_.box_overrelaxation_steps}, own,
                        gauge::box_around(parameters_.defect, box.margin, own.size()));
  for (int r = 0; r < count(); ++r) {
    walkers_.push_back(r);
    slot_of_.push_back(r);
  }
  own_.push_back(is_shared() ? GaugeField<double, W>(own) : start);
  if (is_shared()) redistribute(groups_.all, 0, groups_.all.size(), start, own_[0]);
  while (int(own_.size()) < slots_a_group()) own_.push_back(own_[0].clone());
}

template <int W>
void Tempering<W>::set_walkers(std::vector<int> walkers) {
  std::vector<int> sorted = walkers;
  std::sort(sorted.begin(), sorted.end());
  bool whole = sorted.size() == walkers_.size();
  for (std::size_t r = 0; whole && r < sorted.size(); ++r) whole = sorted[r] == int(r);
  if (!whole) fail("tempering: the walkers are not a permutation of {} numbers", walkers_.size());
  walkers_ = std::move(walkers);
}

template <int W>
std::vector<int> Tempering<W>::replicas_by_slot() const {
  std::vector<int> replicas(slot_of_.size());
  for (int r = 0; r < count(); ++r) replicas[std::size_t(slot_of_[std::size_t(r)])] = r;
  return replicas;
}

template <int W>
void Tempering<W>::send_slot(int slot, const GaugeField<double, W>& to) const {
  const int length = groups_.all.size() / groups_.count;
  redistribute(groups_.all, slot / slots_a_group() * length, length,
               is_own(slot) ? own_[own_number(slot)] : GaugeField<double, W>(), to);
}

// The caller's links become those of the periodic replica, which is in the first group.
template <int W>
void Tempering<W>::take(const GaugeField<double, W>& u) {
  const int slot = slot_of_[0];
  if (!is_shared())
    own_[own_number(slot)] = u;
  else
    redistribute(groups_.all, 0, groups_.all.size(), u,
                 is_own(slot) ? own_[own_number(slot)] : GaugeField<double, W>());
}

// The links of the periodic replica are put into the caller's field.
template <int W>
void Tempering<W>::give(const GaugeField<double, W>& u) {
  const int slot = slot_of_[0];
  if (!is_shared()) {
    auto& periodic = own_[own_number(slot)];
    if (is_same(periodic, u)) return;
    const auto other = std::find_if(own_.begin(), own_.end(), [&](const auto& links) { return is_same(links, u); });
    if (other != own_.end()) {
      work_.copy_from(u);
      *other = work_;
    }
    u.copy_from(periodic);
    work_ = std::exchange(periodic, u);
    return;
  }
  send_slot(slot, u);
  if (slot < slots_a_group()) return;
  // The first group, whose first rank writes the records, gets it back for something of its own.
  send_slot(0, is_own(slot) ? own_[own_number(slot)] : GaugeField<double, W>());
  std::swap(slot_of_[0], slot_of_[std::size_t(replicas_by_slot()[0])]);
}

template <int W>
std::vector<gauge::DefectLoops> Tempering<W>::loops_of_replicas() const {
  std::vector<double> numbers(2 * slot_of_.size(), 0.0);
  for (int slot = 0; slot < count(); ++slot) {
    if (!is_own(slot)) continue;
    const auto loops = defect_->action.loops(weights_, own_[own_number(slot)]);
    numbers[2 * std::size_t(slot)] = loops.one;
    numbers[2 * std::size_t(slot) + 1] = loops.two;
  }
  share(groups_, work_.lattice().ranks().is_first(), numbers);
  std::vector<gauge::DefectLoops> loops;
  for (const int slot : slot_of_) loops.push_back({numbers[2 * std::size_t(slot)], numbers[2 * std::size_t(slot) + 1]});
  return loops;
}

template <int W>
double Tempering<W>::difference(int r, const std::vector<gauge::DefectLoops>& loops) const {
  const double here = parameters_.couplings[std::size_t(r)], next = parameters_.couplings[std::size_t(r) + 1];
  const auto& own = loops[std::size_t(r)];
  const auto& other = loops[std::size_t(r) + 1];
  return (other.energy(here) - other.energy(next)) - (own.energy(here) - own.energy(next));
}

template <int W>
double Tempering<W>::swap_difference(int r, const GaugeField<double, W>& u) {
  take(u);
  return difference(r, loops_of_replicas());
}

template <int W>
void Tempering<W>::swap_all(const TrajectoryRequest& request, std::uint32_t round,
                            std::vector<ReplicaRecord>& records) {
  const RandomStream stream{request.seed, request.trajectory, tempering_purpose};
  auto loops = loops_of_replicas();
  for (const int first : {0, 1})
    for (int r = first; r + 1 < count(); r += 2) {
      const auto here = std::size_t(r), next = here + 1;
      const double changed = difference(r, loops);
      if (!std::isfinite(changed))
        fail("trajectory {}: the swap of replicas {} and {} changes the action by {}", request.trajectory + 1, r, r + 1,
             changed);
      const bool swapped = changed <= 0 || log(stream.uniform(round, std::uint32_t(r))[0]) < -changed;
      if (round == 0) {
        records[here].swap_difference = changed;
        records[here].swapped = swapped;
      }
      if (!swapped) continue;
      std::swap(loops[here], loops[next]);
      std::swap(slot_of_[here], slot_of_[next]);
      std::swap(walkers_[here], walkers_[next]);
    }
  for (int r = 0; r < count(); ++r) records[std::size_t(r)].walker = walkers_[std::size_t(r)];
}

template <int W>
void Tempering<W>::swap(const TrajectoryRequest& request, const GaugeField<double, W>& u,
                        std::vector<ReplicaRecord>& records) {
  take(u);
  swap_all(request, 0, records);
  give(u);
}

template <int W>
void Tempering<W>::translate_periodic(const Coordinate& steps) {
  if (is_own(slot_of_[0])) gauge::translate(steps, own_[own_number(slot_of_[0])], work_);
}

template <int W>
void Tempering<W>::sweep_boxes(std::size_t level, const TrajectoryRequest& request, std::uint32_t& round,
                               Profile& profile, std::vector<ReplicaRecord>& records) {
  if (level == boxes_.size()) return;
  for (int n = 0; n < parameters_.boxes[level].sweeps; ++n) {
    ++round;
    timed(profile.links, [&] {
      const auto replicas = replicas_by_slot();
      std::vector<gauge::ReplicaLinks<double, W>> own;
      for (int slot = 0; slot < count(); ++slot) {
        if (!is_own(slot)) continue;
        const int r = replicas[std::size_t(slot)];
        own.push_back({own_[own_number(slot)], parameters_.couplings[std::size_t(r)],
                       box_seed(seed_of_chain(request.seed, std::uint32_t(r)), request.trajectory, round)});
      }
      boxes_[level]({request.seed, request.trajectory, gauge::heatbath_purpose}, own, defect_->action);
    });
    timed(profile.energy, [&] { swap_all(request, round, records); });
    timed(profile.copies,
          [&] { translate_periodic(random_step({request.seed, request.trajectory, tempering_purpose}, round)); });
    sweep_boxes(level + 1, request, round, profile, records);
  }
}

template <int W>
TrajectoryRecord Tempering<W>::operator()(const TrajectoryRequest& request, const GaugeField<double, W>& u,
                                          const BetweenSteps<double, W>& /*between_steps*/) {
  const Stopwatch watch;
  TrajectoryRecord record;
  std::vector<ReplicaRecord> replicas(slot_of_.size());
  Profile profile;
  timed(profile.copies, [&] { take(u); });
  const auto by_slot = replicas_by_slot();
  std::vector<double> numbers(3 * slot_of_.size(), 0.0);  // of slots: dH, exp(-dH), whether accepted
  for (int slot = 0; slot < count(); ++slot) {
    if (!is_own(slot)) continue;
    const int r = by_slot[std::size_t(slot)];
    TrajectoryRequest own = request;
    own.seed = seed_of_chain(request.seed, std::uint32_t(r));
    own.check_reversibility = request.check_reversibility && r == 0;
    defect_->coupling = parameters_.couplings[std::size_t(r)];
    TrajectoryRecord found = algorithm_(own, own_[own_number(slot)], {});
    double* const of_slot = &numbers[3 * std::size_t(slot)];
    of_slot[0] = found.dH;
    of_slot[1] = found.exp_minus_dH;
    of_slot[2] = found.accepted ? 1 : 0;
    add_seconds(found.profile, profile);
    if (r == 0) record = std::move(found);
  }
  share(groups_, work_.lattice().ranks().is_first(), numbers);
  for (std::size_t slot = 0; slot < slot_of_.size(); ++slot) {
    auto& replica = replicas[std::size_t(by_slot[slot])];
    replica.dH = numbers[3 * slot];
    replica.exp_minus_dH = numbers[3 * slot + 1];
    replica.accepted = numbers[3 * slot + 2] != 0;
  }
  record.trajectory = request.trajectory;
  record.dH = replicas[0].dH;
  record.exp_minus_dH = replicas[0].exp_minus_dH;
  record.accepted = replicas[0].accepted;

  timed(profile.energy, [&] { swap_all(request, 0, replicas); });
  timed(profile.copies, [&] {
    translate_periodic(random_steps({request.seed, request.trajectory, tempering_purpose}, u.lattice().size()));
  });
  std::uint32_t round = 0;
  sweep_boxes(0, request, round, profile, replicas);
  timed(profile.copies, [&] {
    if (!boxes_.empty())
      for (const auto& links : own_) gauge::reunitarise(links);
    give(u);
  });
  record.replicas = std::move(replicas);
  record.profile = profile;
  record.profile.total = watch.seconds();
  return record;
}

#define TRELLIS_INSTANTIATE(W) template class Tempering<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
