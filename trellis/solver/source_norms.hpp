// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// |b|^2 of right-hand sides, of which double precision must hold tolerance^2 |b|^2.

#include "trellis/lattice/parity_field.hpp"
#include "trellis/solver/report.hpp"

namespace trellis::solver {

// InputError if that is too small, as it is also where |b|^2 underflows to 0, or too large for double precision. 0
// where b = 0; NaN is left to the iterations.
template <class T, int Reals, int W>
std::vector<double> source_norms2(const ParityField<T, Reals, W>& b, const Tolerance& tolerance, const char* who);

}  // namespace trellis::solver
