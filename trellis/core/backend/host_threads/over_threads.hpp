// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the threads of a host space share work, whoever provides the threads. Unless the policy says otherwise each
// thread takes one contiguous part, in the order of threads, so that first touch works. Threads complete their
// streaming stores before the end of the loop. If a thread throws, it takes no more work, the others finish, and the
// caller gets the exception of the lowest part.

#include <cstddef>

#include "trellis/core/backend/chunks.hpp"
#include "trellis/core/backend/host_team.hpp"
#include "trellis/core/base/function_ref.hpp"
#include "trellis/core/policy/policy_properties.hpp"

namespace trellis::backend {

// The threads of a space: how many there are, and a way to call body(thread, threads) in `count` of them at once, where
// `threads` is how many they really are, and the caller is thread 0. body throws nothing.
struct HostThreads {
  int (*concurrency)();
  void (*run)(int count, FunctionRef<void(int thread, int threads)> body);
};

// Calls f(first, last), in threads that have work, for parts that cover it.
void over_threads(const HostThreads& threads, Index work, const Distribution& how, PartOfWork f);

// Calls f(first, last, rank, shared) in every thread of every team that has work: as many teams at a time as the
// threads allow.
using PartOfTeams = FunctionRef<void(Index first, Index last, int rank, TeamShared& shared)>;
void over_teams(const HostThreads& threads, Index work, int team_size, std::size_t scratch_bytes,
                const Distribution& how, PartOfTeams f);

}  // namespace trellis::backend
