// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Staggered quarks in single precision, with links of the same or in 16 bits.
#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_definition.hpp"

namespace trellis::dirac {

#define TRELLIS_INSTANTIATE(W)                  \
  TRELLIS_INSTANTIATE_OPERATOR(float, W, float) \
  TRELLIS_INSTANTIATE_OPERATOR(float, W, Fixed16)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
