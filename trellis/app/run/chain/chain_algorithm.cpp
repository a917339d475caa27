// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/chain_algorithm.hpp"

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/core/lanes.hpp"

namespace trellis::app {

template <int W>
ChainAlgorithm<W>::ChainAlgorithm(const RunInput& input, const Lattice& lattice,
                                  const std::vector<hmc::QuarkTerm>& quarks, const KernelSettings& kernels,
                                  std::shared_ptr<hmc::Certificate<double, W>> certificate)
    : input_(input),
      lattice_(lattice),
      quarks_(quarks),
      kernels_(kernels),
      certificate_(std::move(certificate)),
      defect_(coupled_defect<W>(input, lattice)) {
  auto all = terms();
  for (const auto& term : all)
    if (!term->description().empty()) descriptions_.push_back(term->description());
  of_a_replica_ = made_of(std::move(all));
}

template <int W>
hmc::Terms<double, W> ChainAlgorithm<W>::terms() const {
  return make_terms<W>(input_, lattice_, quarks_, kernels_, defect_);
}

template <int W>
hmc::Algorithm<double, W> ChainAlgorithm<W>::made_of(hmc::Terms<double, W> terms) const {
  return make_algorithm<W>(input_, lattice_, std::move(terms), quarks_, certificate_, kernels_, defect_);
}

template <int W>
hmc::TrajectoryRecord ChainAlgorithm<W>::trajectory_of_a_replica(const hmc::TrajectoryRequest& request,
                                                                 const GaugeField<double, W>& u,
                                                                 const hmc::BetweenSteps<double, W>& between_steps) {
  if (!of_a_replica_) of_a_replica_ = made_of(terms());
  return of_a_replica_(request, u, between_steps);
}

template <int W>
void ChainAlgorithm<W>::add_replicas(const GaugeField<double, W>& start, const hmc::ReplicaGroups& groups) {
  const auto of_a_replica = [this](const auto&... all) { return trajectory_of_a_replica(all...); };
  replicas_ = std::make_shared<hmc::Tempering<W>>(input_.tempering->parameters(), input_.action.weights(), defect_,
                                                  of_a_replica, start, lattice_, groups);
}

template <int W>
hmc::TrajectoryRecord ChainAlgorithm<W>::operator()(const hmc::TrajectoryRequest& request,
                                                    const GaugeField<double, W>& u,
                                                    const hmc::BetweenSteps<double, W>& between_steps) {
  return replicas_ ? (*replicas_)(request, u, between_steps) : trajectory_of_a_replica(request, u, between_steps);
}

#define TRELLIS_INSTANTIATE(W) template class ChainAlgorithm<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
