// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A scalar observable as a contributor would add it, for additions.cmake.
#include "trellis/gauge/loops.hpp"
#include "trellis/measure/observable.hpp"

namespace trellis::measure {

Observable scratch_observable() {
  return observable({.name = "scratch",
                     .what = "spatial and temporal plaquette once more",
                     .columns = {{"scratch", "scratch, spatial"}, {"scratch_temporal"}}},
                    [](const auto& configuration) {
                      const auto plaquette = gauge::plaquette(configuration.links());
                      return std::vector{plaquette.spatial, plaquette.temporal};
                    });
}

}  // namespace trellis::measure
