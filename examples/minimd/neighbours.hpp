// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For every atom, the rows of all atoms and images within `range` (a full list: each pair is in it twice, so that no
// two threads add to the same force). The Layout decides which index runs fastest in memory: LayoutRight keeps the
// neighbours of an atom together, for a CPU that reads several at once; LayoutLeft puts neighbour k of all atoms side
// by side, for GPU threads with one atom each.

#include "examples/minimd/cells.hpp"

namespace examples::minimd {

// Neighbours per register: 8 on a host, 1 for a thread of a GPU.
inline constexpr int lanes = trellis::kernels_on_host ? 8 : 1;

template <class Layout>
struct NeighbourList {
  View<int**, Layout> rows;  // (atom, k); an atom's last register is padded with the faraway row
  View<int*> count;          // without the padding
};

// `position` holds the atoms of the box, their images and the faraway row. Fills `list`, reallocating it if it is too
// small. Cost: about 300 distances per atom.
template <class Layout>
void build(NeighbourList<Layout>& list, const Atoms& atoms, double range);

}  // namespace examples::minimd
