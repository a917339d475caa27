// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// From lattice units to femtometres and MeV: the values of t0 and w0 in nature, from the literature. FLAG: Y. Aoki
// et al., FLAG Review 2021, Eur. Phys. J. C 82 (2022) 869, section 11. Pure gauge theory cannot be compared with
// nature, so r0 = 0.5 fm by convention, and sqrt(8 t0) = 0.948(7) r0 (M. Luescher, JHEP 08 (2010) 071), which does not
// give w0.

#include <cstdint>
#include <span>
#include <string_view>

namespace trellis::app {

struct PhysicalScale {
  std::string_view name;                                        // the argument of --scale
  std::string_view source;                                      // for display
  double sqrt_t0 = 0, sqrt_t0_error = 0, w0 = 0, w0_error = 0;  // fm; 0: unknown
};

std::span<const PhysicalScale> physical_scales();

// "quenched" without quarks (tastes = 0), 2+1 flavours with up to three tastes, each of them a rooted flavour, and
// 2+1+1 flavours with more.
const PhysicalScale& default_scale(std::int64_t tastes);

inline constexpr double hbar_c = 197.3269804;  // MeV fm

}  // namespace trellis::app
