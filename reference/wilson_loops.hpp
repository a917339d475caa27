// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wilson loops whose line in space leads to any displacement, for the static potential.
//
// The line of n steps (a, b, c) is the product of n single steps, and a single step is the average over all different
// orders of its |a| + |b| + |c| links.

#include <array>
#include <optional>

#include "reference/loops.hpp"

namespace trellis::reference {

// All different orders of |a| + |b| + |c| steps, along -mu where a component is negative.
std::vector<Path> orders_of_steps(const std::array<int, 3>& step);

// From x, n steps.
Matrix straight_line(const GaugeConfiguration& u, const Site& x, const std::array<int, 3>& step, int n);

// Average over x (of which x and x + t are on slices from the first to the last of `slices`, if given) of Re tr / 3 of
//   (line of `space` from x) (links in time of `time` at its end) (line of `other` at x + t)^+ (links in time at x)^+.
double wilson_loop(const GaugeConfiguration& space, const GaugeConfiguration& other, const GaugeConfiguration& time,
                   const std::array<int, 3>& step, int n, int t, const std::optional<std::array<int, 2>>& slices = {});

}  // namespace trellis::reference
