// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_steps.hpp"

namespace trellis::dirac {

#define TRELLIS_INSTANTIATE(W) TRELLIS_STEPS_OF(float, W)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
