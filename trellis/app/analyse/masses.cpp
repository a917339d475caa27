// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/masses.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/app/analyse/correlator_rows.hpp"
#include "trellis/app/analyse/hadron_jobs.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/hadrons.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

namespace trellis::app {
namespace {

using WilsonQuarks = std::tuple<double, std::string, std::string>;  // kappa or names, sink

// Combinations whose correlators are three-point functions.
std::set<std::string> quarks_with_currents(const ChainResults& chain) {
  std::set<std::string> names;
  if (const auto job = jobs_of(chain).wilson)
    for (const auto& block : job->blocks())
      if (block.has_current) names.insert(block.quarks);
  return names;
}

void read_wilson(const ChainResults& chain, Correlators<WilsonQuarks>& to) {
  const auto file = chain.folder.hadrons();
  if (!std::filesystem::exists(file)) return;
  const auto data = io::read_csv(file, {"sink", "quarks"});
  const auto sinks = io::read_csv_texts(file, "sink");
  const auto& squared = data.column("momentum_squared");
  const bool named = data.has("quarks");
  const auto currents = named ? quarks_with_currents(chain) : std::set<std::string>{};
  const auto names = named ? io::read_csv_texts(file, "quarks") : std::vector<std::string>(data.rows());
  const auto kappas = named ? std::vector<double>(data.rows()) : data.column("kappa");
  read_correlators(
      chain, file, data, measure::channels_of_quarks(),
      [&](std::size_t i) {
        return squared[i] == 0 ? std::optional<WilsonQuarks>({kappas[i], names[i], sinks[i]}) : std::nullopt;
      },
      to);
  std::erase_if(to, [&](const auto& entry) { return currents.contains(std::get<1>(entry.first.first)); });
}

void read_staggered(const ChainResults& chain, Correlators<std::string>& to) {
  const auto file = chain.folder.staggered_hadrons();
  if (!std::filesystem::exists(file)) return;
  const auto data = io::read_csv(file, {"flavours"});
  const auto flavours = io::read_csv_texts(file, "flavours");
  const auto& squared = data.column("momentum_squared");
  read_correlators(
      chain, file, data, measure::staggered_hadron_names(),
      [&](std::size_t i) { return squared[i] == 0 ? std::optional(flavours[i]) : std::nullopt; }, to);
}

analysis::CorrelatorModel staggered_model(const std::string& channel) {
  using analysis::CorrelatorModel;
  if (measure::is_staggered_nucleon(channel)) return CorrelatorModel::staggered_baryon;
  return measure::has_oscillating_partner(channel) ? CorrelatorModel::staggered_meson : CorrelatorModel::cosh;
}

}  // namespace

void fit_mass(std::vector<analysis::Series> all, analysis::CorrelatorModel model, bool antiperiodic,
              const MassParameters& parameters, FittedMass& mass) {
  using analysis::CorrelatorModel;
  mass.configurations = std::int64_t(all.size());
  const int extent = int(all.front().size());
  if (analysis::goes_around(model))
    for (auto& c : all)
      c = model == CorrelatorModel::staggered_baryon ? analysis::alternately_folded(c, antiperiodic)
                                                     : analysis::folded(c);
  try {
    mass.fit = analysis::fit_correlator(all, {.model = model,
                                              .extent = extent,
                                              .antiperiodic = antiperiodic,
                                              .first = parameters.first,
                                              .last = parameters.last,
                                              .bins = parameters.bins,
                                              .shrinkage = parameters.shrinkage});
  } catch (const Error& error) {
    mass.problem = error.what();
  }
}

void fit_mass_without_period(std::vector<analysis::Series> all, int times, bool oscillates, MassParameters parameters,
                             FittedMass& mass) {
  using analysis::CorrelatorModel;
  const auto model =
      parameters.model.value_or(oscillates ? CorrelatorModel::staggered_exponential : CorrelatorModel::exponential);
  if (analysis::goes_around(model)) {
    mass.configurations = std::int64_t(all.size());
    mass.problem = "with boundaries in time the model has to be exponential or staggered_exponential";
    return;
  }
  for (auto& c : all) c.resize(std::size_t(std::max(times, 1)));
  if (parameters.last == 0) parameters.last = std::max(times - 1, 1);
  fit_mass(std::move(all), model, true, parameters, mass);
}

std::vector<FittedMass> fitted_masses(const Ensemble& ensemble, const MassParameters& parameters) {
  using analysis::CorrelatorModel;
  Correlators<WilsonQuarks> wilson;
  Correlators<std::string> staggered;
  for (const auto& chain : ensemble.chains) {
    read_wilson(chain, wilson);
    read_staggered(chain, staggered);
  }
  const HadronJobs jobs = wilson.empty() && staggered.empty() ? HadronJobs{} : jobs_of(ensemble.chains.front());
  std::vector<FittedMass> masses;
  for (const auto& [place, all] : wilson) {
    const auto& [quarks, channel] = place;
    const auto& [kappa, names, sink] = quarks;
    FittedMass mass{
        .kappa = kappa, .quarks = names, .sink = sink, .flavours = {}, .channel = channel, .fit = {}, .problem = {}};
    const auto usual = measure::is_baryon(channel) ? CorrelatorModel::exponential : CorrelatorModel::cosh;
    if (jobs.wilson && !jobs.wilson->is_periodic())
      fit_mass_without_period(all, jobs.wilson->times_after_sources(int(all.front().size())), false, parameters, mass);
    else
      fit_mass(all, parameters.model.value_or(usual), true, parameters, mass);
    masses.push_back(std::move(mass));
  }
  for (const auto& [place, all] : staggered) {
    FittedMass mass{
        .quarks = {}, .sink = {}, .flavours = place.first, .channel = place.second, .fit = {}, .problem = {}};
    if (jobs.staggered && !jobs.staggered->is_periodic())
      fit_mass_without_period(all, jobs.staggered->times_after_sources(int(all.front().size())),
                              measure::has_oscillating_partner(place.second), parameters, mass);
    else
      fit_mass(all, parameters.model.value_or(staggered_model(place.second)), ensemble.chains.front().antiperiodic_time,
               parameters, mass);
    masses.push_back(std::move(mass));
  }
  return masses;
}

}  // namespace trellis::app
