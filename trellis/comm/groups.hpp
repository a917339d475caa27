// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups of ranks that work side by side.

#include "trellis/comm/communicator.hpp"

namespace trellis::comm {

// The group of this rank if consecutive ranks are put into `count` groups of equal size. All ranks must call it, and
// may then call collectives of their own group, whatever others do. Error if their number does not divide. Valid as
// long as the Session. Cost: a few collectives for each group.
Communicator group_of(const Communicator& ranks, int count);

}  // namespace trellis::comm
