// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/link_files.hpp"

#include "trellis/app/results/configuration_file.hpp"
#include "trellis/core/base/precision.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {

double link_file_bytes_per_site(const RunInput& input) {
  const bool also_single =
      input.chain.save_every > 0 && precision_named(input.chain.save_precision) == Precision::single;
  return 72.0 * (arithmetic_bytes(Precision::double_) + (also_single ? arithmetic_bytes(Precision::single) : 0));
}

template <int W>
std::shared_ptr<const io::PackedLinks> LinkFiles<W>::taken(const GaugeField<double, W>& u, std::uint32_t trajectory,
                                                           Precision precision) {
  if (trajectory != trajectory_) finish();  // from here on nobody else has the links of earlier trajectories
  trajectory_ = trajectory;
  auto& taken = precision == Precision::single ? single_ : double_;
  if (taken.links && taken.trajectory == trajectory) return taken.links;
  auto used_before = taken.links ? std::move(taken.links->pieces) : std::vector<io::PackedLinks::Piece>();
  taken.links.reset();
  taken = {trajectory,
           std::make_shared<io::PackedLinks>(io::pack_links(io::link_source(u), precision, std::move(used_before)))};
  return taken.links;
}

template <int W>
void LinkFiles<W>::save_configuration(const std::filesystem::path& file, const RunInput& input,
                                      std::uint32_t trajectory, const GaugeField<double, W>& u,
                                      const std::function<void()>& when_there) {
  const auto parameters = configuration_parameters(input, trajectory, u);
  io::start_ildg(files_, file, parameters, taken(u, trajectory, parameters.precision), when_there);
}

template <int W>
void LinkFiles<W>::save_chain(const std::filesystem::path& file, const SavedChain& chain,
                              const GaugeField<double, W>& u, const std::function<void()>& before_it_is_replaced) {
  start_chain_file(files_, file, taken(u, chain.completed, Precision::double_), chain,
                   [before_it_is_replaced](const std::filesystem::path&) { before_it_is_replaced(); });
}

#define TRELLIS_INSTANTIATE(W) template class LinkFiles<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
