// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// An observable that Trellis does not have: averages of Re tr U / 3 over all links, over the spatial and over the
// temporal ones. Landau gauge maximises the first. Cost: reads 576 bytes per site.

#include "trellis/measure/observable.hpp"

namespace own_observable {

trellis::measure::Observable link_trace();

}  // namespace own_observable
