// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How halo messages travel between ranks.
//   mpi      from host memory, where kernels run on hosts
//   staged   from a GPU through pinned host memory and MPI
//   nccl     from GPU to GPU, on any machines, by whatever way NCCL finds best; the host does not wait
//   peers    kernels write into the memory of the other GPU, which is in the same machine; the host does not wait
// The last of these that all ranks support is used, unless TRELLIS_TRANSPORT=staged, nccl or peers chooses one. nccl
// and peers need a GPU for each rank.

#include "trellis/comm/communicator.hpp"

namespace trellis {

enum class Transport { none, mpi, staged, nccl, peers };

// The transport of these ranks, all of which must call this; `none` for a single rank. Throws InputError if
// TRELLIS_TRANSPORT does not name a transport, or names one that they do not support.
Transport choose_transport(const comm::Communicator& ranks);

// "none", "MPI", "MPI, staged", "NCCL", "peers".
const char* name_of(Transport transport);

}  // namespace trellis
