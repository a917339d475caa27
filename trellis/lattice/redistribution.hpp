// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links from one group of ranks to others, which share a lattice of the same size in another way: groups of ranks that
// work on lattices of their own, and the job as a whole.

#include "trellis/lattice/field.hpp"

namespace trellis {

// The ranks first <= r < first + count of `all` have `from`, together one whole lattice. Those that have `to`, any
// ranks, get its links there, ghosts up to corners included; a field that is not allocated takes nothing. All ranks of
// `all` must call this; a `to` must not share memory with a `from`. Error if the lattices differ in size. Cost: every
// rank receives all links. Memory: the links of one of the ranks that send, on all.
template <class T, int W>
void redistribute(const comm::Communicator& all, int first, int count, const GaugeField<T, W>& from,
                  const GaugeField<T, W>& to);

}  // namespace trellis
