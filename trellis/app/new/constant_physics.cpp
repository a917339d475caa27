// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/new/constant_physics.hpp"

#include <array>
#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

struct Row {
  double beta, spacing, strange;
};
constexpr std::array<Row, 5> kRows{{{3.750, 0.1249, 0.0503},
                                    {3.850, 0.0989, 0.0394},
                                    {3.938, 0.0824, 0.0330},
                                    {4.020, 0.0707, 0.0281},
                                    {4.140, 0.0572, 0.0224}}};

constexpr double first_beta = 5.7, last_beta = 6.92, r0 = 0.5;

// `t`: from 0 at row n to 1 at the next.
PhysicalPoint between(std::size_t n, double t) {
  const auto mix = [&](double a, double b) { return std::exp((1 - t) * std::log(a) + t * std::log(b)); };
  PhysicalPoint point;
  point.beta = (1 - t) * kRows[n].beta + t * kRows[n + 1].beta;
  point.spacing = mix(kRows[n].spacing, kRows[n + 1].spacing);
  point.strange = mix(kRows[n].strange, kRows[n + 1].strange);
  point.light = point.strange / mass_ratio;
  return point;
}

}  // namespace

PhysicalPoint physical_point_at_spacing(double fm) {
  for (std::size_t n = 0; n + 1 < kRows.size(); ++n)
    if (fm <= kRows[n].spacing && fm >= kRows[n + 1].spacing)
      return between(n, std::log(fm / kRows[n].spacing) / std::log(kRows[n + 1].spacing / kRows[n].spacing));
  fail_input("--spacing: found {}, expected {} to {} fm, where the line of constant physics was published", fm,
             kRows.back().spacing, kRows.front().spacing);
}

PhysicalPoint physical_point_at_beta(double beta) {
  for (std::size_t n = 0; n + 1 < kRows.size(); ++n)
    if (beta >= kRows[n].beta && beta <= kRows[n + 1].beta)
      return between(n, (beta - kRows[n].beta) / (kRows[n + 1].beta - kRows[n].beta));
  fail_input("--beta: found {}, expected {} to {}, where the line of constant physics was published", beta,
             kRows.front().beta, kRows.back().beta);
}

PhysicalPoint with_pion(PhysicalPoint point, double mev) {
  if (!(mev >= physical_pion && mev <= heaviest_pion))
    fail_input(
        "--pion-mass: found {}, expected {} to {} MeV: from the physical one to where m_pi^2 is still nearly "
        "proportional to the quark mass",
        mev, physical_pion, heaviest_pion);
  point.light *= mev * mev / (physical_pion * physical_pion);
  return point;
}

double quenched_spacing(double beta) {
  if (!(beta >= first_beta && beta <= last_beta))
    fail_input("--beta: found {}, expected {} to {}, where r0 / a was published", beta, first_beta, last_beta);
  const double x = beta - 6;
  return r0 * std::exp(-1.6804 + x * (-1.7331 + x * (0.7849 - x * 0.4428)));
}

double quenched_beta(double fm) {
  double low = first_beta, high = last_beta;
  if (!(fm <= quenched_spacing(low) && fm >= quenched_spacing(high)))
    fail_input("--spacing: found {}, expected {:.4f} to {:.4f} fm, where r0 / a was published", fm,
               quenched_spacing(high), quenched_spacing(low));
  // The spacing falls with beta.
  for (int k = 0; k < 60; ++k) (quenched_spacing((low + high) / 2) > fm ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

}  // namespace trellis::app
