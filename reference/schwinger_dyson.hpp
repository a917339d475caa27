// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The coupling with which a configuration was generated, determined from the configuration itself.
//
// Integrating a total derivative over one link gives, for every link and any action that is beta times a sum of loops,
//   beta = 8 <Re tr W> / <-tr A^2>,   W = U V, A = traceless antihermitian part of W,
// with V = c0 plaquette staples + c1 rectangle staples. (sum_a d/d omega_a of Im tr(T_a W) = (4/3) Re tr W, and
// <d f / d omega_a> = <f dS / d omega_a> with dS / d omega_a = (beta/3) Im tr(T_a W).) It needs extents of at least 4
// when c1 is not 0, so that W is linear in the link; for c1 = 0 extents of 2 are enough.

#include "reference/action.hpp"

namespace trellis::reference {

struct SchwingerDyson {
  double re_trace;  // mean of Re tr W over links
  double square;    // mean of -tr A^2 over links
  double beta() const { return 8.0 * re_trace / square; }
};
inline SchwingerDyson operator+(const SchwingerDyson& a, const SchwingerDyson& b) {
  return {a.re_trace + b.re_trace, a.square + b.square};
}

SchwingerDyson schwinger_dyson(const GaugeConfiguration& u, double c1);

}  // namespace trellis::reference
