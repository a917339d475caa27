// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/eigenvalue_measurement.hpp"

#include <algorithm>

#include "trellis/app/results/quark_measurement.hpp"

namespace trellis::app {

std::optional<EigenvalueJob> eigenvalue_job(const MeasureSection& section, const QuarkInput& quarks) {
  if (!section.eigenvalues) return std::nullopt;
  const auto& input = *section.eigenvalues;
  EigenvalueJob job{.selection = {.count = static_cast<int>(input.count), .tolerance = input.tolerance},
                    .flavours = {},
                    .smearing = quarks.smearing};
  job.flavours = measured_flavours(quarks, input.flavours);
  return job;
}

std::vector<std::string> EigenvalueJob::columns() const {
  std::vector<std::string> names;
  for (const auto& flavour : flavours) names.push_back("lowest_eigenvalue_" + flavour.name);
  return names;
}

std::vector<io::CsvCell> EigenvalueJob::cells(const std::optional<EigenvalueMeasurement>& m) const {
  std::vector<io::CsvCell> cells(flavours.size());
  if (m) std::ranges::transform(*m, cells.begin(), [](const auto& flavour) { return flavour.values.front(); });
  return cells;
}

std::vector<std::string> EigenvalueJob::table_columns(const std::string& number) {
  return {number, "flavour", "eigenvalue_number", "eigenvalue", "residual"};
}

std::vector<std::vector<io::CsvCell>> EigenvalueJob::table_rows(std::int64_t number, const EigenvalueMeasurement& m) {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& flavour : m)
    for (std::size_t k = 0; k < flavour.values.size(); ++k)
      rows.push_back({number, flavour.name, static_cast<std::int64_t>(k + 1), flavour.values[k], flavour.residuals[k]});
  return rows;
}

}  // namespace trellis::app
