// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tempering/tempering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/defect/translation.hpp"
#include "trellis/hmc/tempering/chain_seeds.hpp"

namespace trellis::hmc {

namespace {

// Draws of the tempering's stream: swaps have the number of their first replica.
constexpr std::uint32_t translation_draw = 1 << 20;

Coordinate random_steps(const RandomStream& stream, const Coordinate& size) {
  const auto a = stream.uniform(0, translation_draw), b = stream.uniform(0, translation_draw + 1);
  const std::array<double, 4> numbers{a[0], a[1], b[0], b[1]};
  Coordinate steps{};
  for (std::size_t mu = 0; mu < 4; ++mu) steps[mu] = std::min(size[mu] - 1, static_cast<int>(size[mu] * numbers[mu]));
  return steps;
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
}

template <int W>
Tempering<W>::Tempering(const TemperingParameters& parameters, const gauge::LoopWeights& weights,
                        std::shared_ptr<CoupledDefect<W>> defect, Algorithm<double, W> algorithm,
                        const GaugeField<double, W>& start)
    : parameters_(parameters),
      weights_(weights),
      defect_(std::move(defect)),
      algorithm_(std::move(algorithm)),
      work_(start.lattice(), "links of a swap") {
  require_valid(parameters_);
  for (int r = 0; r < count(); ++r) walkers_.push_back(r);
  for (int r = 1; r < count(); ++r) others_.push_back(start.clone());
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
double Tempering<W>::swap_difference(int r, const GaugeField<double, W>& u) const {
  const auto& links = links_of(r, u);
  const auto& next_links = links_of(r + 1, u);
  const double here = parameters_.couplings[std::size_t(r)], next = parameters_.couplings[std::size_t(r) + 1];
  const auto energy = [&](double coupling, const GaugeField<double, W>& of) {
    return defect_->action.energy(weights_, coupling, of);
  };
  return (energy(here, next_links) - energy(next, next_links)) - (energy(here, links) - energy(next, links));
}

template <int W>
void Tempering<W>::swap(const TrajectoryRequest& request, const GaugeField<double, W>& u,
                        std::vector<ReplicaRecord>& records) {
  const RandomStream stream{request.seed, request.trajectory, tempering_purpose};
  for (const int first : {0, 1})
    for (int r = first; r + 1 < count(); r += 2) {
      const double difference = swap_difference(r, u);
      if (!std::isfinite(difference))
        fail("trajectory {}: the swap of replicas {} and {} changes the action by {}", request.trajectory, r, r + 1,
             difference);
      const bool swapped = difference <= 0 || log(stream.uniform(0, std::uint32_t(r))[0]) < -difference;
      records[std::size_t(r)].swap_difference = difference;
      records[std::size_t(r)].swapped = swapped;
      if (!swapped) continue;
      // Copied, not renamed: the links of the periodic replica are the caller's.
      const auto& a = links_of(r, u);
      const auto& b = links_of(r + 1, u);
      work_.copy_from(a);
      a.copy_from(b);
      b.copy_from(work_);
      std::swap(walkers_[std::size_t(r)], walkers_[std::size_t(r) + 1]);
    }
  for (int r = 0; r < count(); ++r) records[std::size_t(r)].walker = walkers_[std::size_t(r)];
}

template <int W>
TrajectoryRecord Tempering<W>::operator()(const TrajectoryRequest& request, const GaugeField<double, W>& u,
                                          const BetweenSteps<double, W>& /*between_steps*/) {
  const Stopwatch watch;
  TrajectoryRecord record;
  std::vector<ReplicaRecord> replicas;
  Profile profile;
  for (int r = 0; r < count(); ++r) {
    TrajectoryRequest own = request;
    own.seed = seed_of_chain(request.seed, std::uint32_t(r));
    own.check_reversibility = request.check_reversibility && r == 0;
    defect_->coupling = parameters_.couplings[std::size_t(r)];
    TrajectoryRecord found = algorithm_(own, links_of(r, u), {});
    replicas.push_back({.dH = found.dH, .exp_minus_dH = found.exp_minus_dH, .accepted = found.accepted});
    add_seconds(found.profile, profile);
    if (r == 0) record = std::move(found);
  }
  timed(profile.energy, [&] { swap(request, u, replicas); });
  timed(profile.copies, [&] {
    const RandomStream stream{request.seed, request.trajectory, tempering_purpose};
    gauge::translate(random_steps(stream, u.lattice().size()), u, work_);
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
