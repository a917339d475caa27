// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/trajectory_notes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "trellis/app/run/run_report.hpp"
#include "trellis/gauge/smearing/improved/hisq_links.hpp"

namespace trellis::app {

TrajectoryNotes::TrajectoryNotes(double sites) : sites_(sites) {}

void TrajectoryNotes::begin() { filtered_before_ = gauge::filtered_hisq_links(); }

void TrajectoryNotes::look(const hmc::TrajectoryRecord& record, std::uint32_t number, const Tell& tell) {
  const double all = gauge::filtered_hisq_links(), here = all - std::exchange(filtered_before_, all);
  filtered_ += here;
  filtered_trajectories_ += here > 0 ? 1 : 0;
  tell_of_rounding(record, number, tell);
  tell_of_instability(record, number, tell);
}

std::string TrajectoryNotes::filter_text() const { return force_filter_text(filtered_, filtered_trajectories_); }

// Reported once: a chain that meets this meets it again and again.
void TrajectoryNotes::tell_of_rounding(const hmc::TrajectoryRecord& record, std::uint32_t number, const Tell& tell) {
  for (const auto& term : record.terms) {
    if (!fallbacks_told_ && term.solver && term.solver->fallbacks > 0) {
      fallbacks_told_ = true;
      const auto text = fmt::format(
          "note: trajectory {}: {} of {} solves of term '{}' do not converge with links in 16 bits; they were done "
          "again without, now and from here on where needed",
          number, term.solver->fallbacks, term.solver->solves, term.name);
      tell(text);
    }
    if (rounding_told_ || !term.solver || term.solver->rounded == 0) continue;
    rounding_told_ = true;
    const auto text = fmt::format(
        "note: trajectory {}: a solve of term '{}' ends with residual {:.2g}; rounding allows no "
        "smaller one, so it is accepted, now and from here on",
        number, term.name, term.solver->rounded);
    tell(text);
  }
}

// Reported once. Thermalisation accepts every trajectory, so such a chain would wander about without ever reaching
// equilibrium. The kinetic energy is 16 V on average; errors of a stable integrator are far below that.
void TrajectoryNotes::tell_of_instability(const hmc::TrajectoryRecord& record, std::uint32_t number, const Tell& tell) {
  const double kinetic = 16 * sites_;
  if (instability_told_ || !(std::abs(record.dH) > 0.1 * kinetic)) return;
  instability_told_ = true;
  const auto text = fmt::format(
      "warning: trajectory {}: dH = {:.2g}, while the kinetic energy is {:.2g}: the integration is unstable. Take "
      "smaller steps: more of them, or a smaller trajectory_length, in [algorithm]",
      number, record.dH, kinetic);
  tell(text);
}

}  // namespace trellis::app
