// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links that a boundary in time (boundary.hpp) takes from the variables: those that do not exist, and those that are
// fixed. Nothing happens with periodic boundaries. Cost: one pass over the tables of sites; links and momenta are
// touched only on the slices concerned.

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// Gives links that are not variables the values with which they are stored. Fills ghosts up to Reach::corners.
template <class T, int W>
void impose_boundary(const Boundary& boundary, const GaugeField<T, W>& u);
// The same for the links in one direction only, without their ghosts.
template <class T, int W>
void set_inactive(const Boundary& boundary, const GaugeField<T, W>& u, int mu);

// p = 0 for these links: momenta, or directions of a flow.
template <class T, int W>
void clear_inactive(const Boundary& boundary, const AlgebraField<T, W>& p);

// to = from, bit by bit, for these links, whatever they are: what smooths links leaves those of a boundary as they
// were. Ghosts are not filled.
template <class T, int W>
void keep_inactive(const Boundary& boundary, const GaugeField<T, W>& from, const GaugeField<T, W>& to);

}  // namespace trellis::gauge
