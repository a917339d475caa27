// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What open boundaries in time change in the sums of path_smearing.hpp. A path that crosses the boundary contains a
// link that is zero, and so is zero by itself. But S_t[s_t] of a link in space has the link itself only once, not
// twice, on the first and on the last slice, where one of its staples is missing: c1 - 6 cL has to be c1 - 5 cL there.
// Cost: one pass over the tables of sites for both slices.

#include "trellis/gauge/smearing/improved/coefficients.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// fat_k += cL u_k there. Fills ghosts up to corners.
template <class T, int W>
void correct_fat_links(const FatLinkCoefficients& c, const GaugeField<T, W>& u, const GaugeField<T, W>& fat);
// gradient_k += cL by_fat_k^dagger there.
template <class T, int W>
void correct_gradient(const FatLinkCoefficients& c, const GaugeField<T, W>& by_fat, const GaugeField<T, W>& gradient);

}  // namespace trellis::gauge
