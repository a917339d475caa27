// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/machine_description.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::bench {

double MachineDescription::bandwidth(double bytes) const {
  if (triad.empty()) fail("machine '{}': no bandwidth", name);
  const auto above = std::size_t(std::lower_bound(array_bytes.begin(), array_bytes.end(), bytes) - array_bytes.begin());
  if (above == 0) return triad.front();
  if (above == array_bytes.size()) return triad.back();
  const double part = std::log(bytes / array_bytes[above - 1]) / std::log(array_bytes[above] / array_bytes[above - 1]);
  return triad[above - 1] + part * (triad[above] - triad[above - 1]);
}

double MachineDescription::of_floor(const std::string& kernel, bool single) const {
  const auto of = [&](bool precision) {
    return std::find_if(kernels.begin(), kernels.end(),
                        [&](const KernelFraction& k) { return k.kernel == kernel && k.single == precision; });
  };
  // The same kernel in the other precision is a better guess than any other kernel.
  for (const bool precision : {single, !single})
    if (const auto found = of(precision); found != kernels.end()) return found->of_floor;
  return other_kernels;
}

comm::LinkCost MachineDescription::link_cost(int of_devices) const {
  comm::LinkCost cost;
  cost.ranks_on_machine = devices;
  const auto& needed = of_devices > devices ? across : inside;
  if (of_devices > 1 && !needed)
    fail_input("machine '{}': {} devices exchange messages {}, and [links] does not say how fast", name, of_devices,
               of_devices > devices ? "between machines" : "within a machine");
  const auto& near = inside ? inside : across;
  const auto& far = across ? across : inside;
  if (!far) return cost;
  cost.latency = needed->latency;
  cost.bandwidth = far->bandwidth;
  cost.bandwidth_inside = near->bandwidth;
  return cost;
}

}  // namespace trellis::bench
