// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A View of const values cannot be written through.
#include "trellis/core/view.hpp"

using Field = trellis::View<double** [3], trellis::HostSpace>;

void write(const Field& field) {
  const Field::const_type read_only = field;
#if defined(MUST_FAIL)
  read_only(0, 0, 0) = 1;
#else
  field(0, 0, 0) = read_only(0, 0, 0);
#endif
}
