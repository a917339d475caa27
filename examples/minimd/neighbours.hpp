// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For every atom the rows of all atoms and images within `range` (a full list: a pair is in it twice, so that no
// force is added to by two threads). Which index runs fastest in memory is the Layout: LayoutRight keeps the neighbours
// of an atom together, for a processor that reads several at once; LayoutLeft puts neighbour k of all atoms side by
// side, for the threads of a GPU that have an atom each.

#include "examples/minimd/cells.hpp"

namespace examples::minimd {

// Neighbours that one register takes: 8 on a host, 1 for a thread of a GPU.
inline constexpr int lanes = trellis::kernels_on_host ? 8 : 1;

template <class Layout>
struct NeighbourList {
  View<int**, Layout> rows;  // (atom, k); the last register of an atom is filled up with the row that is far away
  View<int*> count;          // without those
};

// `position` holds the atoms of the box and their images, the far row behind them. `list` is filled, and made anew if
// it has too little room. Cost: about 300 distances an atom.
template <class Layout>
void build(NeighbourList<Layout>& list, const Atoms& atoms, double range);

}  // namespace examples::minimd
