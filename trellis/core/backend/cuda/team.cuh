// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels behind TeamPolicy<Cuda>.

#include "trellis/core/team_policy.hpp"

namespace trellis::backend {

// What the kernels of teams need from the policy.
struct CudaTeams {
  Index league_size;
  std::size_t slots_bytes, scratch_bytes;
};
struct CudaTeamShape {
  CudaTeams kernel;
  unsigned blocks;
  dim3 threads;
  std::size_t shared;
};
template <class... P>
CudaTeamShape team_shape(const TeamPolicy<Cuda, P...>& policy) {
  const std::size_t slots =
      (static_cast<std::size_t>(policy.team_size()) * CudaTeamMember::slot_bytes + 127) / 128 * 128;
  return {{policy.league_size(), slots, policy.scratch_size()},
          static_cast<unsigned>(policy.league_size()),
          dim3(static_cast<unsigned>(policy.vector_length()), static_cast<unsigned>(policy.team_size())),
          slots + policy.scratch_size()};
}

template <int Threads, int Blocks, class F>
__global__ void __launch_bounds__(Threads, Blocks) team_for_kernel(const CudaTeams teams, const F f) {
  extern __shared__ int4 trellis_shared_of_teams[];
  f(CudaTeamMember(blockIdx.x, teams.league_size, reinterpret_cast<unsigned char*>(trellis_shared_of_teams),
                   teams.slots_bytes, teams.scratch_bytes));
}

// A team's result is the sum of its threads', in their order; for lanes, the first counts.
template <class F, class R>
__global__ void __launch_bounds__(1024)
    team_reduce_kernel(const CudaTeams teams, const F f, const R reducer, typename R::value_type* team_sums) {
  extern __shared__ int4 trellis_shared_of_teams[];
  using T = typename R::value_type;
  const CudaTeamMember team(blockIdx.x, teams.league_size, reinterpret_cast<unsigned char*>(trellis_shared_of_teams),
                            teams.slots_bytes, teams.scratch_bytes);
  T own = reducer.identity();
  f(team, own);
  const T total = team.reduce_threads(0, team.team_size(), [&](Index, T& sum) { reducer.join(sum, own); }, reducer);
  if (team.team_rank() == 0 && team.is_first_lane()) team_sums[blockIdx.x] = total;
}

// The teams' results, as the functor of a reduction.
template <class R>
struct JoinTeams {
  using T = typename R::value_type;
  const T* team_sums;
  R reducer;
  __device__ void operator()(Index team, T& sum) const { reducer.join(sum, team_sums[team]); }
};

}  // namespace trellis::backend
