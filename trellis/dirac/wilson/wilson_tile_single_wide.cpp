// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/wilson_tile_definition.hpp"

namespace trellis::dirac {

#define TRELLIS_INSTANTIATE(W) template class WilsonTile<float, W>;
TRELLIS_FOR_EACH_WIDE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
