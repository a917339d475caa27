// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/trajectory_table.hpp"

#include <limits>

namespace trellis::app {
namespace {

template <class T>
void extend(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

TrajectoryColumns::TrajectoryColumns(const RunInput& input)
    : observables_(columns_of(input.measure, input.quarks)), hmc_(input.algorithm.kind == AlgorithmKind::hmc) {
  observables_.polyakov = true;
  names_ = {"trajectory"};
  extend(names_, observables_.loops());
  if (hmc_) {
    extend(names_, {"dH", "exp_minus_dH", "accepted", "dH_kinetic"});
    for (const auto& term : input.terms()) names_.push_back("dS_" + term);
    extend(names_, {"reversibility_links", "reversibility_momenta", "reversibility_energy"});
  }
  extend(names_, observables_.others());
  names_.emplace_back("seconds");
}

std::vector<io::CsvCell> TrajectoryColumns::row(const hmc::TrajectoryRecord& record, const Measurement& m) const {
  std::vector<io::CsvCell> cells{std::int64_t{record.trajectory} + 1};
  extend(cells, observables_.loops(m.gauge));
  if (hmc_) {
    extend(cells, {record.dH, record.exp_minus_dH, record.accepted, record.kinetic_difference});
    for (const auto& term : record.terms) cells.emplace_back(term.difference);
    if (const auto& back = record.reversibility) {
      extend(cells, {back->links, back->momenta, back->energy});
    } else {
      extend(cells, {{}, {}, {}});
    }
  }
  extend(cells, observables_.others(m));
  cells.emplace_back(record.profile.total);
  return cells;
}

void append_row(io::CsvData& table, const std::vector<io::CsvCell>& row) {
  for (std::size_t c = 0; c < row.size(); ++c) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (const auto* flag = std::get_if<bool>(&row[c])) value = *flag ? 1 : 0;
    if (const auto* integer = std::get_if<std::int64_t>(&row[c])) value = double(*integer);
    if (const auto* real = std::get_if<double>(&row[c])) value = *real;
    table.values[c].push_back(value);
  }
}

}  // namespace trellis::app
