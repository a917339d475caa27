// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The trajectories that an input asks for, of a chain whose work space may be needed for something else meanwhile:
// hybrid Monte Carlo or the heatbath (chain_setup.hpp), with [tempering] of all its replicas.

#include <memory>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/tempering/tempering.hpp"

namespace trellis::app {

template <int W>
class ChainAlgorithm {
 public:
  // lattice: of the ranks that compute a trajectory together. quarks: with their functions; certificate: may be null.
  // input, quarks and kernels must outlive it.
  ChainAlgorithm(const RunInput& input, const Lattice& lattice, const std::vector<hmc::QuarkTerm>& quarks,
                 const KernelSettings& kernels, std::shared_ptr<hmc::Certificate<double, W>> certificate);
  ChainAlgorithm(const ChainAlgorithm&) = delete;
  ChainAlgorithm& operator=(const ChainAlgorithm&) = delete;

  // What quark terms say of themselves.
  const std::vector<std::string>& descriptions() const { return descriptions_; }
  // With [tempering], before the first trajectory: the replicas, which begin with these links.
  void add_replicas(const GaugeField<double, W>& start, const hmc::ReplicaGroups& groups);
  const std::shared_ptr<hmc::Tempering<W>>& replicas() const { return replicas_; }  // null: none

  // An hmc::Algorithm<double, W>.
  hmc::TrajectoryRecord operator()(const hmc::TrajectoryRequest& request, const GaugeField<double, W>& u,
                                   const hmc::BetweenSteps<double, W>& between_steps);
  // Until the next trajectory, which allocates it again. No bit depends on it.
  void free_work_space() { of_a_replica_ = nullptr; }

 private:
  hmc::Terms<double, W> terms() const;
  hmc::Algorithm<double, W> made_of(hmc::Terms<double, W> terms) const;
  hmc::TrajectoryRecord trajectory_of_a_replica(const hmc::TrajectoryRequest& request, const GaugeField<double, W>& u,
                                                const hmc::BetweenSteps<double, W>& between_steps);

  const RunInput& input_;
  Lattice lattice_;
  const std::vector<hmc::QuarkTerm>& quarks_;
  const KernelSettings& kernels_;
  std::shared_ptr<hmc::Certificate<double, W>> certificate_;
  std::shared_ptr<hmc::CoupledDefect<W>> defect_;  // null: no tempering
  std::vector<std::string> descriptions_;
  hmc::Algorithm<double, W> of_a_replica_;  // empty if its work space is freed
  std::shared_ptr<hmc::Tempering<W>> replicas_;
};

}  // namespace trellis::app
