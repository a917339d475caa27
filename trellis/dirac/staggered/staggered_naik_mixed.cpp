// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The passes of staggered quarks with fat and long links, these in 16 bits and vectors in single precision.
#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_passes.hpp"

namespace trellis::dirac::staggered_passes {

#define TRELLIS_INSTANTIATE(W) TRELLIS_PASSES_WITH_FAT_LINKS(template, float, W, Fixed16)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac::staggered_passes
