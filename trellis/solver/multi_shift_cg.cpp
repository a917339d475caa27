// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/multi_shift_cg.hpp"

#include "trellis/core/error.hpp"

namespace trellis::solver {

namespace detail {

void require_valid_shifts(std::span<const double> shifts, const MultiShiftParameters& parameters) {
  if (shifts.empty()) fail("multi-shift conjugate gradient: no shifts");
  if (!(shifts[0] >= 0))
    fail("multi-shift conjugate gradient: the first shift is {}; it must not be negative", shifts[0]);
  for (std::size_t i = 1; i < shifts.size(); ++i)
    if (!(shifts[i] > shifts[i - 1]))
      fail("multi-shift conjugate gradient: shift {} is {} after {}; they must ascend", i, shifts[i], shifts[i - 1]);
  if (parameters.deferred < 1 || parameters.deferred > maximum_deferred)
    fail("multi-shift conjugate gradient: {} deferred iterations; from 1 to {}", parameters.deferred, maximum_deferred);
  parameters.tolerance.require_valid(static_cast<int>(shifts.size()));
}

}  // namespace detail

}  // namespace trellis::solver
