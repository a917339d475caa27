// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Smoothings and projections to SU(3) make plausible links of some that are not numbers.

#include <cmath>
#include <limits>
#include <string_view>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// InputError, beginning with `what`, that names the first link, in the order of sites, with an infinity or NaN. Cost:
// links are read once.
template <class T, int W>
void require_finite(std::string_view what, const GaugeField<T, W>& u) {
  if (std::isfinite(unitarity_violation(u))) return;
  const Lattice& lattice = u.lattice();
  constexpr double none = -std::numeric_limits<double>::infinity();
  double first = none;  // minus the number of the link
  for (std::int64_t site = 0; site < lattice.volume() && first == none; ++site) {
    const auto x = lattice.coordinate(site);
    if (!lattice.owns(x)) continue;
    for (int mu = 3; mu >= 0; --mu)
      for (const double number : u.link(x, mu))
        if (!std::isfinite(number)) first = -double(4 * site + mu);
  }
  lattice.ranks().maximum("the first link that is not finite", {&first, 1});
  if (first == none) return;  // too large to be squared
  const auto link = std::int64_t(-first);
  fail_input("{}: the link at ({}) in direction {} is not finite", what, joined(lattice.coordinate(link / 4), ", "),
             "xyzt"[link % 4]);
}

}  // namespace trellis::gauge
