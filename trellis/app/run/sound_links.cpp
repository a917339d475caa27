// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/sound_links.hpp"

#include <cmath>

#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loops.hpp"

namespace trellis::app {

template <int W>
void read_sound_links(const io::GaugeReader& reader, const std::filesystem::path& file, const DamagePolicy& policy,
                      const GaugeField<double, W>& u) {
  const auto report = io::read_links(reader, file, u);
  auto info = reader.info();
  if (report.single_numbers) io::allow_single_precision(info);
  if (!info.plaquette) return;
  const double found = gauge::plaquette(u).average;
  if (std::abs(found - info.plaquette->value) <= info.plaquette->tolerance) return;
  const auto message =
      fmt::format("{}: the links have the plaquette {:.12f}, the header says {} ({}), which is {:.12f}", file.string(),
                  found, info.plaquette->text, info.plaquette->key, info.plaquette->value);
  if (info.checksums.empty() && !policy.accept)
    fail_input("{}; `accept_damage = true` in {} accepts it anyway", message, policy.section);
  log_warning(
      "{}; {}", message,
      info.checksums.empty() ? "accepted, because the input says accept_damage" : "the checksums of the links agree");
}

#define TRELLIS_INSTANTIATE(W)                                                                                 \
  template void read_sound_links<W>(const io::GaugeReader&, const std::filesystem::path&, const DamagePolicy&, \
                                    const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
