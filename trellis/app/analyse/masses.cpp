// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/masses.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::app {
namespace {

using Place = std::tuple<double, std::string, std::string>;  // kappa, sink, channel
using Correlators = std::map<Place, std::vector<analysis::Series>>;

void read_correlators(const ChainResults& chain, Correlators& to) {
  const auto file = chain.folder.hadrons();
  if (!std::filesystem::exists(file)) return;
  const auto data = io::read_csv(file, {"sink"});
  const auto sinks = io::read_csv_texts(file, "sink");
  const auto &kappa = data.column("kappa"), &squared = data.column("momentum_squared"), &time = data.column("t");
  for (const auto& channel : measure::hadron_names()) {
    if (!data.has(channel)) continue;
    const auto& values = data.column(channel);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (!chain.keeps(data.values[0][i]) || squared[i] != 0) continue;
      auto& all = to[{kappa[i], sinks[i], channel}];
      if (time[i] == 0) all.emplace_back();
      if (all.empty() || double(all.back().size()) != time[i])
        fail_input("{}: the times of a correlator are not in order", file.string());
      all.back().push_back(values[i]);
    }
  }
}

}  // namespace

const analysis::RangeFit& FittedMass::best_range() const {
  return *std::ranges::max_element(fit->ranges, {}, &analysis::RangeFit::weight);
}

std::vector<FittedMass> fitted_masses(const Ensemble& ensemble, const MassParameters& parameters) {
  using analysis::CorrelatorModel;
  Correlators correlators;
  for (const auto& chain : ensemble.chains) read_correlators(chain, correlators);
  std::vector<FittedMass> masses;
  for (auto& [place, all] : correlators) {
    const auto& [kappa, sink, channel] = place;
    const bool meson = !measure::is_baryon(channel);
    const int extent = int(all.front().size());
    const auto model = parameters.model.value_or(meson ? CorrelatorModel::cosh : CorrelatorModel::exponential);
    if (model != CorrelatorModel::exponential)
      for (auto& c : all) c = analysis::folded(c);
    FittedMass mass{.kappa = kappa,
                    .sink = sink,
                    .channel = channel,
                    .configurations = std::int64_t(all.size()),
                    .fit = {},
                    .problem = {}};
    try {
      mass.fit = analysis::fit_correlator(all, {.model = model,
                                                .extent = extent,
                                                .first = parameters.first,
                                                .last = parameters.last,
                                                .bins = parameters.bins,
                                                .shrinkage = parameters.shrinkage});
    } catch (const Error& error) {
      mass.problem = error.what();
    }
    masses.push_back(std::move(mass));
  }
  return masses;
}

}  // namespace trellis::app
