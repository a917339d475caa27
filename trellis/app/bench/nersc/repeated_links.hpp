// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lattice that begins as copies of a smaller one side by side. Its action per site and the average of every loop that
// is shorter than the smaller lattice are those of the smaller one, so few trajectories thermalise it.

#include <vector>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/coordinate.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::app {

// All links of a lattice: 72 numbers a site, the order of FieldLinks (io/formats/field_links.hpp).
struct AllLinks {
  Coordinate size{};
  std::vector<double> numbers;
};

// Of a field on one rank.
template <int W>
AllLinks all_links(const GaugeField<double, W>& u);

// Those of the first rank, on all.
void broadcast(const comm::Communicator& ranks, AllLinks& links);

// U_mu(x) = the link mu at x modulo the smaller lattice, whose extents divide those of u. Fills ghosts. Throws Error if
// they do not.
template <int W>
void repeat_links(const AllLinks& small, const GaugeField<double, W>& u);

}  // namespace trellis::app
