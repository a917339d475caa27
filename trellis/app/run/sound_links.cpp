// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/sound_links.hpp"

#include <cmath>

#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/loops.hpp"

namespace trellis::app {

namespace {
// Plaquettes in space on the boundaries count a half. openQCD divides the sum of all that exist by 6 V, as if those
// that are missing were 0.
template <int W>
double weighted_plaquette(const gauge::Boundary& boundary, const GaugeField<double, W>& u) {
  double sum = 0;  // 2 sum (3 - Re tr P) / V_3
  for (const auto& slice : gauge::slice_observables(boundary, u)) sum += slice.energy_plaquette;
  return 1 - sum / (6 * 6.0 * boundary.last_slice(u.lattice().size()));
}
}  // namespace

template <int W>
void read_sound_links(const io::GaugeReader& reader, const std::filesystem::path& file, const DamagePolicy& policy,
                      const GaugeField<double, W>& u, const gauge::Boundary& boundary) {
  const auto report = io::read_links(reader, file, u);
  auto info = reader.info();
  if (report.single_numbers) io::allow_single_precision(info);
  if (!info.plaquette) return;
  const double found = gauge::plaquette(boundary, u).average;
  const auto agrees = [&](double plaquette) {
    return std::abs(plaquette - info.plaquette->value) <= info.plaquette->tolerance;
  };
  if (agrees(found)) return;
  if (!boundary.is_periodic() && (agrees(gauge::plaquette(u).average) || agrees(weighted_plaquette(boundary, u))))
    return;
  const auto message =
      fmt::format("{}: the links have the plaquette {:.12f}, the header says {} ({}), which is {:.12f}", file.string(),
                  reader.is_completed() ? gauge::plaquette(u).average : found, info.plaquette->text,
                  info.plaquette->key, info.plaquette->value);
  if (info.checksums.empty() && !policy.accept) {
    std::string notes;
    for (const auto& note : info.notes) notes += "; " + note;
    fail_input("{}{}; `accept_damage = true` in {} accepts it anyway", message, notes, policy.section);
  }
  log_warning(
      "{}; {}", message,
      info.checksums.empty() ? "accepted, because the input says accept_damage" : "the checksums of the links agree");
}

#define TRELLIS_INSTANTIATE(W)                                                                                 \
  template void read_sound_links<W>(const io::GaugeReader&, const std::filesystem::path&, const DamagePolicy&, \
                                    const GaugeField<double, W>&, const gauge::Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
