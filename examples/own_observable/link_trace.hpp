// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// An observable that Trellis does not have: averages of Re tr U / 3 over all links, over those in space and over those
// in time. In Landau gauge the first is what gauge fixing makes largest. Cost: 576 bytes a site read.

#include "trellis/measure/observable.hpp"

namespace own_observable {

trellis::measure::Observable link_trace();

}  // namespace own_observable
