// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// OpenMP's threads: a parallel region for each dispatch. Within another region there is one thread. A process that was
// forked after a dispatch with several threads uses those of the space Threads, whose pool a forked process makes anew.

#include "trellis/core/backend/host_threads/over_threads.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::backend {

HostThreads host_threads(const OpenMP&);

}  // namespace trellis::backend
