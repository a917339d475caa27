// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages with some of a site's four matrices, for code that changes links direction by direction, and for fields with
// fewer than four (lattice/halo/halo.hpp).

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// Matrices first <= mu < first + count.
template <class T, int W>
HaloPart part_of_links(const GaugeField<T, W>& u, int first, int count);

// Fills the ghosts of the links in one direction.
template <class T, int W>
void exchange_direction(const GaugeField<T, W>& u, int mu, Reach reach);

// Fills the ghosts of links whose third row is what the first two give, to the bit (complete_third_row), as
// reunitarise() and update_unitary_links() leave them. The first two are sent; the bits are those of u.exchange(reach).
template <class T, int W>
void exchange_unitary(const GaugeField<T, W>& u, Reach reach);

// The beginning of u.exchange(reach) and of exchange_unitary().
template <class T, int W>
ExchangeUnderWay begin_exchange(const GaugeField<T, W>& u, Reach reach);
template <class T, int W>
ExchangeUnderWay begin_unitary_exchange(const GaugeField<T, W>& u, Reach reach);

}  // namespace trellis::gauge
