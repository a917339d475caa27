// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/configuration_file.hpp"

#include <fmt/format.h>

#include "trellis/app/command.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/precision.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {
namespace {

// A copy with every number as a single-precision file would hold it.
template <int W>
GaugeField<double, W> rounded(const GaugeField<double, W>& u) {
  const auto v = u.clone();
  const auto host = create_mirror_view_and_copy(HostSpace{}, v.view());
  double* const numbers = host.data();
  for (Index n = 0; n < host.size(); ++n) numbers[n] = double(float(numbers[n]));
  if constexpr (!fields_on_host) deep_copy(v.view(), host);
  return v;
}

}  // namespace

template <int W>
GaugeField<double, W> as_saved(const RunInput& input, const GaugeField<double, W>& u) {
  return precision_named(input.chain.save_precision) == Precision::single ? rounded(u) : u;
}

template <int W>
io::IldgParameters configuration_parameters(const RunInput& input, std::uint32_t trajectory,
                                            const GaugeField<double, W>& u) {
  const Precision precision = precision_named(input.chain.save_precision);
  const auto links = as_saved(input, u);
  io::IldgParameters p;
  p.size = input.size;
  p.precision = precision;
  p.plaquette = gauge::plaquette(links).average;
  p.link_trace = gauge::link_trace(links);
  p.lfn = fmt::format("lfn://trellis/{}.{:06}", input.output.name, trajectory);
  p.input = write_toml(physics_of(input.resolved));
  p.provenance = fmt::format("program = {}\nalgorithm = {}\nseed = {}\ntrajectory = {}\n", version_text(),
                             describe(input), input.chain.seed, trajectory);
  return p;
}

template <int W>
void write_configuration(const std::filesystem::path& file, const RunInput& input, std::uint32_t trajectory,
                         const GaugeField<double, W>& u) {
  io::write_ildg(file, configuration_parameters(input, trajectory, u), io::link_source(u));
}

#define TRELLIS_INSTANTIATE(W)                                                                       \
  template io::IldgParameters configuration_parameters<W>(const RunInput&, std::uint32_t,            \
                                                          const GaugeField<double, W>&);             \
  template GaugeField<double, W> as_saved<W>(const RunInput&, const GaugeField<double, W>&);         \
  template void write_configuration<W>(const std::filesystem::path&, const RunInput&, std::uint32_t, \
                                       const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
