// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/reconsider.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/app/results/measured_column.hpp"

namespace trellis::app {

std::optional<double> poor_acceptance(const RunInput& input, const io::CsvData& table, std::int64_t completed) {
  const auto end = input.chain.thermalisation;
  if (completed != end || end <= input.start.trajectory) return {};
  constexpr std::size_t least = 10;
  const double from = double(end) - 0.5 * double(end - input.start.trajectory);
  const auto dH = measured_column(table, "trajectory", "dH",
                                  [&](double trajectory) { return trajectory > from && trajectory <= double(end); });
  if (dH.values.size() < least) return {};
  double accepted = 0;
  for (const double one : dH.values) accepted += std::isfinite(one) ? std::min(1.0, std::exp(-one)) : 0;
  accepted /= double(dH.values.size());
  return accepted < too_rarely_accepted ? std::optional(accepted) : std::nullopt;
}

}  // namespace trellis::app
