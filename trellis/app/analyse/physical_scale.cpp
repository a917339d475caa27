// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/physical_scale.hpp"

#include <array>

#include "trellis/core/base/named.hpp"

namespace trellis::app {

std::span<const PhysicalScale> physical_scales() {
  static constexpr std::array all{
      PhysicalScale{"quenched", "r0 = 0.5 fm, sqrt(8 t0) = 0.948(7) r0 (Luescher 2010)", 0.1676, 0.0012, 0, 0},
      PhysicalScale{"flag2021_2+1", "FLAG 2021, 2+1 flavours", 0.14464, 0.00087, 0.17355, 0.00092},
      PhysicalScale{"flag2021_2+1+1", "FLAG 2021, 2+1+1 flavours", 0.14186, 0.00088, 0.17128, 0.00107}};
  return all;
}

const PhysicalScale& default_scale(std::int64_t tastes) {
  return named("scale", physical_scales(), tastes == 0 ? "quenched" : tastes <= 3 ? "flag2021_2+1" : "flag2021_2+1+1");
}

}  // namespace trellis::app
