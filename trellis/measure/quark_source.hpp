// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sources of quark propagators: twelve columns side by side, column 3 spin + colour for the spin and colour of the
// source.
//   point   delta(x, x0)        one in the column's component at x0, zero elsewhere
//   wall    delta(x_t, t0)      the same at all sites of a time slice: quarks of zero momentum. Its correlators are not
//                               gauge invariant; without gauge fixing all but the invariant part is noise
// A Gaussian source is a point source, smeared (gaussian_smearing.hpp).

#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

inline constexpr int columns = 12;

// Error unless b has twelve columns; InputError for a site or a time outside the lattice.
template <int W>
void point_source(const Coordinate& x, const FullSpinors<double, W>& b);
template <int W>
void wall_source(int time, const FullSpinors<double, W>& b);

}  // namespace trellis::measure
