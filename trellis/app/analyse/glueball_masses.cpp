// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/glueball_masses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "trellis/analysis/variational.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

// By level: [configuration][time slice].
using Operators = std::map<int, std::vector<analysis::Series>>;

void read_operators(const ChainResults& chain, const std::string& column, Operators& to) {
  const auto file = chain.folder.glueballs();
  if (!std::filesystem::exists(file)) return;
  const auto data = io::read_csv(file);
  const auto &level = data.column("level"), &slice = data.column("time_slice"), &value = data.column(column);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (!chain.keeps(data.values[0][i])) continue;
    auto& all = to[int(level[i])];
    if (slice[i] == 0) all.emplace_back();
    if (all.empty() || double(all.back().size()) != slice[i])
      fail_input("{}: the time slices of an operator are not in order", file.string());
    all.back().push_back(value[i]);
  }
}

void subtract_average(std::vector<analysis::Series>& all) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& one : all)
    for (const double x : one) sum += x, ++count;
  for (auto& one : all)
    for (double& x : one) x -= sum / double(count);
}

// With boundaries every slice has its own.
void subtract_averages_of_slices(std::vector<analysis::Series>& all) {
  for (std::size_t t = 0; t < all.front().size(); ++t) {
    double sum = 0;
    for (const auto& one : all) sum += one[t];
    for (auto& one : all) one[t] -= sum / double(all.size());
  }
}

// Only slices first to last, of those that exist and whose links are variables.
void keep_slices(std::vector<analysis::Series>& all, int first, int last) {
  for (auto& one : all) one = analysis::Series(one.begin() + first, one.begin() + last + 1);
}

// Of two operators on one configuration.
double correlator(const analysis::Series& a, const analysis::Series& b, std::size_t t, bool periodic) {
  const std::size_t pairs = periodic ? a.size() : a.size() - t;
  double sum = 0;
  for (std::size_t from = 0; from < pairs; ++from) sum += a[from] * b[(from + t) % a.size()];
  return sum / double(pairs);
}

// C_ab(t), averaged over configurations and components, and made symmetric.
analysis::Series matrix(const std::vector<Operators>& components, std::size_t t, bool periodic) {
  analysis::Series c;
  for (const auto& [a, unused] : components.front())
    for (const auto& [b, unused_too] : components.front()) {
      double sum = 0;
      for (const auto& operators : components)
        for (std::size_t n = 0; n < operators.at(a).size(); ++n)
          sum += correlator(operators.at(a)[n], operators.at(b)[n], t, periodic) +
                 correlator(operators.at(b)[n], operators.at(a)[n], t, periodic);
      c.push_back(sum / (2 * double(components.size() * components.front().at(a).size())));
    }
  return c;
}

// [configuration][t] of the combination v of levels.
std::vector<analysis::Series> combined(const std::vector<Operators>& components, const analysis::Series& v,
                                       bool periodic) {
  const auto& like = components.front().begin()->second;
  std::vector<analysis::Series> all(like.size(), analysis::Series(like.front().size()));
  for (const auto& operators : components)
    for (std::size_t n = 0; n < all.size(); ++n) {
      analysis::Series sum(all[n].size());
      auto weight = v.begin();
      for (const auto& [level, of] : operators) {
        for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += *weight * of[n][t];
        ++weight;
      }
      for (std::size_t t = 0; t < sum.size(); ++t)
        all[n][t] += correlator(sum, sum, t, periodic) / double(components.size());
    }
  return all;
}

// The first and the last slice whose operators count.
std::pair<int, int> slices_of(const gauge::Boundary& boundary, int times, const MassParameters& parameters) {
  const int fixed = boundary.kind == gauge::BoundaryKind::schroedinger_functional ? 1 : 0;
  const int distance = std::max(parameters.boundary_distance, fixed);
  const int end = boundary.last_slice(times);
  if (boundary.is_periodic()) return {0, end};
  if (end - 2 * distance < 1)
    fail("fewer than two time slices are {} or more from the boundaries at 0 and {}", distance, end);
  return {distance, end - distance};
}

FittedMass fitted(const Ensemble& ensemble, const std::string& name, const std::vector<std::string>& columns,
                  const MassParameters& parameters) {
  FittedMass mass{.quarks = {}, .sink = {}, .flavours = {}, .channel = name, .fit = {}, .problem = {}};
  const bool periodic = ensemble.chains.front().boundary.is_periodic();
  std::vector<Operators> components;
  for (const auto& column : columns) {
    auto& operators = components.emplace_back();
    for (const auto& chain : ensemble.chains) read_operators(chain, column, operators);
  }
  try {
    const auto& like = components.front().begin()->second;
    for (const auto& operators : components)
      for (const auto& [level, all] : operators) {
        if (all.size() != like.size()) fail("operators of some configurations are missing");
        for (const auto& one : all)
          if (one.size() != like.front().size()) fail("configurations have different numbers of time slices");
      }
    mass.configurations = std::int64_t(like.size());
    const auto [first, last] = slices_of(ensemble.chains.front().boundary, int(like.front().size()), parameters);
    for (auto& operators : components)
      for (auto& [level, all] : operators)
        if (periodic) {
          subtract_average(all);
        } else {
          keep_slices(all, first, last);
          subtract_averages_of_slices(all);
        }
    const auto v = analysis::lowest_state(int(components.front().size()), matrix(components, 0, periodic),
                                          matrix(components, 1, periodic));
    auto correlators = combined(components, v, periodic);
    if (periodic)
      fit_mass(std::move(correlators), parameters.model.value_or(analysis::CorrelatorModel::cosh), false, parameters,
               mass);
    else
      fit_mass_without_period(std::move(correlators), last + 1 - first, false, parameters, mass);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    mass.problem = error.what();
  }
  return mass;
}

}  // namespace

std::vector<FittedMass> glueball_masses(const Ensemble& ensemble, const MassParameters& parameters) {
  const bool any = std::ranges::any_of(ensemble.chains, [](const auto& chain) {
    const auto file = chain.folder.glueballs();
    if (!std::filesystem::exists(file)) return false;
    const auto data = io::read_csv(file);
    return std::ranges::any_of(data.values[0], [&](double number) { return chain.keeps(number); });
  });
  if (!any) return {};
  // Tables of earlier versions have no pseudoscalar.
  const bool pseudoscalar = std::ranges::all_of(ensemble.chains, [](const auto& chain) {
    const auto file = chain.folder.glueballs();
    if (!std::filesystem::exists(file)) return true;
    const auto columns = io::read_csv(file).columns;
    return std::ranges::find(columns, "pseudoscalar_glueball") != columns.end();
  });
  std::vector<FittedMass> masses{fitted(ensemble, "glueball 0++", {"scalar"}, parameters),
                                 fitted(ensemble, "glueball 2++", {"tensor_1", "tensor_2"}, parameters)};
  if (pseudoscalar) masses.push_back(fitted(ensemble, "glueball 0-+", {"pseudoscalar_glueball"}, parameters));
  return masses;
}

}  // namespace trellis::app
