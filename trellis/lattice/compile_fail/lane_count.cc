// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Fields have the lane counts that the libraries were compiled for; others would not link.
#include "trellis/lattice/field.hpp"

#if defined(MUST_FAIL)
constexpr int lanes = 3;
#else
constexpr int lanes = 1;
#endif
std::int64_t volume(const trellis::GaugeField<double, lanes>& u) { return u.lattice().volume(); }
