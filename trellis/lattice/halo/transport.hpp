// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the messages of a halo go between ranks.
//   mpi      from the host's memory, where kernels run on hosts
//   staged   a GPU's, through pinned memory of its host and MPI
//   nccl     from GPU to GPU, of any machines, as NCCL finds best; no host waits
//   peers    kernels write into the memory of the other GPU, which is in the same machine; no host waits
// The last of these that all ranks can is taken, unless TRELLIS_TRANSPORT=staged, nccl or peers says which. nccl and
// peers want a GPU for each rank.

#include "trellis/comm/communicator.hpp"

namespace trellis {

enum class Transport { none, mpi, staged, nccl, peers };

// Of these ranks, all of which call it: none for one. Throws InputError: TRELLIS_TRANSPORT is no transport, or one that
// they have not.
Transport choose_transport(const comm::Communicator& ranks);

// "none", "MPI", "MPI, staged", "NCCL", "peers".
const char* name_of(Transport transport);

}  // namespace trellis
