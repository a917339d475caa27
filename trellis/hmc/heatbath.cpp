// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/heatbath.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::hmc {

template <class T, int W>
Algorithm<T, W> heatbath(const gauge::HeatbathParameters& parameters) {
  return [parameters](const TrajectoryRequest& request, const GaugeField<T, W>& u, const BetweenSteps<T, W>&) {
    const Stopwatch watch;
    const RandomStream stream{request.seed, request.trajectory, gauge::heatbath_purpose};
    TrajectoryRecord record;
    record.trajectory = request.trajectory;
    timed(record.profile.links, [&] { gauge::heatbath_update(parameters, stream, u); });
    timed(record.profile.copies, [&] { gauge::reunitarise(u); });
    record.profile.total = watch.seconds();
    return record;
  };
}

#define TRELLIS_INSTANTIATE(W) \
  template Algorithm<double, W> heatbath<double, W>(const gauge::HeatbathParameters& parameters);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
