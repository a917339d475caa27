// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A View takes as many indices as it has dimensions.
#include "trellis/core/view.hpp"

double read(const trellis::View<double** [3], trellis::HostSpace>& field) {
#if defined(MUST_FAIL)
  return field(0, 1);
#else
  return field(0, 1, 2);
#endif
}
