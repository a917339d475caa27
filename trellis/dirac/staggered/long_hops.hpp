// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The hops of three steps of the staggered operator with any matrices. Packed long links (staggered.hpp) restore third
// rows, which changes links that are in U(3) times a number only to single precision by 1e-7, as those of many files
// are. This reads all rows, from the field itself: for true residuals, not for iterations.

#include "trellis/dirac/staggered/staggered.hpp"

namespace trellis::dirac {

// out += sum over hops k of three steps of c_k(x) V_k(x) in(x + step k), V_k being long links or their adjoints. The
// coefficients are for naik_neighbours. Fills the ghosts of three_steps and of `in`.
template <int W>
void add_long_hops(const GaugeField<double, W>& three_steps, const HopTable<double, W>& coefficients,
                   const ColourVectorField<double, W>& in, const ColourVectorField<double, W>& out);

}  // namespace trellis::dirac
