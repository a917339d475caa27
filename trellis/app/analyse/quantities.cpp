// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "trellis/analysis/bootstrap.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/results/measured_column.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

using analysis::Chains, analysis::FunctionOfMeans, analysis::Series;

// What subtracts products of averages says nothing of a single measurement: a susceptibility would be 0.
constexpr std::int64_t least_for_fluctuations = 2;

// One column, from all chains.
struct Measured {
  Chains values;
  std::vector<std::vector<double>> numbers;
  std::int64_t count() const {
    std::size_t sum = 0;
    for (const auto& chain : values) sum += chain.size();
    return std::int64_t(sum);
  }
};

Measured measured(const Ensemble& ensemble, const std::string& column) {
  Measured m;
  for (const auto& chain : ensemble.chains) {
    auto found = chain.column(column);
    m.values.push_back(std::move(found.values));
    m.numbers.push_back(std::move(found.numbers));
  }
  return m;
}

// f applied to the number of each configuration.
template <class F>
Chains mapped(const Chains& a, const F& f) {
  Chains result = a;
  for (auto& chain : result)
    for (double& x : chain) x = f(x);
  return result;
}

Chains halves(const Chains& all, bool second) {
  Chains result;
  for (const Series& chain : all) {
    const auto middle = std::ptrdiff_t(chain.size() / 2);
    result.emplace_back(second ? chain.begin() + middle : chain.begin(), second ? chain.end() : chain.begin() + middle);
  }
  return result;
}

analysis::MeanEstimate estimate(const std::vector<Chains>& series, const FunctionOfMeans& f, double s) {
  return f ? analysis::gamma_method(f, series, s) : analysis::gamma_method(series.front(), s);
}

Quantity make(std::string name, std::vector<Chains> series, const FunctionOfMeans& f,
              const std::vector<std::vector<double>>& numbers, double s) {
  Quantity q{.name = std::move(name),
             .estimate = estimate(series, f, s),
             .spacing = spacing_of(numbers),
             .drift = std::nan(""),
             .series = {},
             .function = f,
             .numbers = numbers};
  if (q.estimate.count >= 16) {
    std::vector<Chains> first, second;
    for (const Chains& one : series) {
      first.push_back(halves(one, false));
      second.push_back(halves(one, true));
    }
    const auto a = estimate(first, q.function, s), b = estimate(second, q.function, s);
    const double error = std::hypot(a.error, b.error);
    if (std::isfinite(a.mean) && std::isfinite(b.mean)) q.drift = error > 0 ? (b.mean - a.mean) / error : 0;
  }
  q.series = std::move(series);
  return q;
}

bool begins_with_one_of(const std::string& name, std::initializer_list<const char*> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](const char* b) { return name.starts_with(b); });
}

bool tells_of_the_algorithm(const std::string& column) {
  return begins_with_one_of(
      column, {"dH_", "dS_", "accepted_replica_", "swap_difference_", "swapped_", "walker_", "force_", "iterations_",
               "largest_eigenvalue_", "reversibility_", "seconds", "hadron_iterations", "hadron_residual",
               "staggered_hadron_", "gauge_iterations", "gauge_residual"});
}

void add_polyakov(const Ensemble& ensemble, double s, std::vector<Quantity>& out) {
  const auto re = measured(ensemble, "polyakov_re"), im = measured(ensemble, "polyakov_im");
  if (re.count() == 0) return;
  // With boundaries in time no loop goes around the lattice.
  if (std::ranges::any_of(ensemble.chains, [](const auto& chain) { return !chain.boundary.is_periodic(); })) return;
  Chains modulus = re.values;
  for (std::size_t r = 0; r < modulus.size(); ++r)
    for (std::size_t i = 0; i < modulus[r].size(); ++i) modulus[r][i] = std::hypot(re.values[r][i], im.values[r][i]);
  out.push_back(make(
      "arg <polyakov>", {re.values, im.values}, [](std::span<const double> m) { return std::atan2(m[1], m[0]); },
      re.numbers, s));
  const auto power = [&](int n) { return mapped(modulus, [n](double x) { return std::pow(x, n); }); };
  out.push_back(make("|polyakov|", {modulus}, {}, re.numbers, s));
  if (!ensemble.size() || re.count() < least_for_fluctuations) return;
  const auto& size = *ensemble.size();
  const double volume = double(size[0]) * size[1] * size[2];
  out.push_back(make(
      "polyakov susceptibility", {modulus, power(2)},
      [volume](std::span<const double> m) { return volume * (m[1] - m[0] * m[0]); }, re.numbers, s));
  out.back().peaks = true;
  out.push_back(make(
      "polyakov Binder cumulant", {power(2), power(4)},
      [](std::span<const double> m) { return 1 - m[1] / (3 * m[0] * m[0]); }, re.numbers, s));
}

void add_charge(const Ensemble& ensemble, const std::string& column, double s, std::vector<Quantity>& out) {
  if (!ensemble.size()) return;
  const auto q = measured(ensemble, column);
  const auto& size = *ensemble.size();
  const double volume = double(size[0]) * size[1] * size[2] * size[3];
  out.push_back(
      make(column + "^2 / V", {mapped(q.values, [volume](double x) { return x * x / volume; })}, {}, q.numbers, s));
}

// Those that are more than the average of a column, which is there already.
void add_quarks(const Ensemble& ensemble, double s, std::vector<Quantity>& out) {
  const auto& job = ensemble.chains.front().quarks;
  if (!job || !ensemble.size()) return;
  for (const auto& quantity : quark_quantities(*job, *ensemble.size())) {
    if (quantity.columns.size() < 2) continue;
    std::vector<Chains> series;
    std::vector<std::vector<double>> numbers;
    for (const auto& column : quantity.columns) {
      auto m = measured(ensemble, column);
      if (m.count() < least_for_fluctuations) break;
      series.push_back(std::move(m.values));
      numbers = std::move(m.numbers);
    }
    if (series.size() < quantity.columns.size()) continue;
    out.push_back(make(quantity.name, std::move(series), quantity.function, numbers, s));
    out.back().peaks = quantity.peaks;
  }
}

// The point where the mean of the curves crosses the target, not the mean of the points where each curve does.
void add_flow_scales(const Ensemble& ensemble, double s, std::vector<Quantity>& out) {
  std::vector<gauge::FlowPoint> points;
  std::vector<Chains> energies;
  std::vector<std::vector<double>> numbers(ensemble.chains.size());
  for (std::size_t r = 0; r < ensemble.chains.size(); ++r) {
    const auto& chain = ensemble.chains[r];
    if (!std::filesystem::exists(chain.folder.flow())) continue;
    const FlowFile file(chain.folder.flow(), chain.number, {});
    for (const auto& [number, curve] : file.curves()) {
      if (!chain.keeps(double(number))) continue;
      if (points.empty()) {
        points = curve;
        energies.assign(points.size(), Chains(ensemble.chains.size()));
      }
      if (curve.size() != points.size() || curve.back().time != points.back().time)
        fail_input("{}: other flow times than those of the chains before", chain.folder.flow().string());
      for (std::size_t k = 0; k < points.size(); ++k) energies[k][r].push_back(curve[k].energy_clover);
      numbers[r].push_back(double(number));
    }
  }
  if (points.empty()) return;
  const auto scale = [points](auto of) {
    return [points, of](std::span<const double> means) {
      auto mean = points;
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k].energy_clover = means[k];
      return of(mean).value_or(std::nan(""));
    };
  };
  const auto t0 = scale([](const auto& curve) { return gauge::flow_scale_t0(curve); });
  const auto w0 = scale([](const auto& curve) { return gauge::flow_scale_w0(curve); });
  Series means;
  for (const Chains& energy : energies) means.push_back(analysis::gamma_method(energy, s).mean);
  if (std::isfinite(t0(means))) out.push_back(make("t0 / a^2", energies, t0, numbers, s));
  if (std::isfinite(w0(means))) out.push_back(make("w0 / a", energies, w0, numbers, s));
}

// The weights exp(V) of all measurements, divided by the largest, by [chain] and number.
std::vector<std::map<double, double>> weights_without_potential(const Measured& potential) {
  double most = -HUGE_VAL;
  for (const auto& chain : potential.values)
    for (const double v : chain) most = std::max(most, v);
  std::vector<std::map<double, double>> weights;
  for (std::size_t r = 0; r < potential.values.size(); ++r) {
    auto& of_chain = weights.emplace_back();
    for (std::size_t i = 0; i < potential.values[r].size(); ++i)
      of_chain[potential.numbers[r][i]] = std::exp(potential.values[r][i] - most);
  }
  return weights;
}

// Of every quantity f(<a>, <b>, ...) also f(<a w> / <w>, <b w> / <w>, ...), w = exp(V): its value without the potential
// of the topological charge. <w>^2 / <w^2> is the fraction of the measurements that have a weight.
void add_without_potential(const Ensemble& ensemble, double s, std::vector<Quantity>& out) {
  const auto potential = measured(ensemble, "topological_potential");
  if (potential.count() == 0) return;
  const auto weights = weights_without_potential(potential);
  const auto of_numbers = [&](const std::vector<std::vector<double>>& numbers) -> std::optional<Chains> {
    Chains found;
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      auto& chain = found.emplace_back();
      for (const double number : numbers[r]) {
        const auto weight = weights[r].find(number);
        if (weight == weights[r].end()) return std::nullopt;
        chain.push_back(weight->second);
      }
    }
    return found;
  };
  const auto count = out.size();
  for (std::size_t k = 0; k < count; ++k) {
    const auto& q = out[k];
    if (tells_of_the_chain(q.name) || q.name == "topological_potential") continue;
    const auto of = of_numbers(q.numbers);
    if (!of) continue;
    auto series = q.series;
    for (auto& one : series)
      for (std::size_t r = 0; r < one.size(); ++r)
        for (std::size_t i = 0; i < one[r].size(); ++i) one[r][i] *= (*of)[r][i];
    series.push_back(*of);
    const auto f = [of_means = q.function](std::span<const double> m) {
      Series means(m.begin(), m.end() - 1);
      for (double& mean : means) mean /= m.back();
      return of_means ? of_means(means) : means[0];
    };
    auto without = make(q.name + ", V = 0", std::move(series), f, q.numbers, s);
    without.peaks = q.peaks;
    out.push_back(std::move(without));
  }
  if (auto of = of_numbers(potential.numbers)) {
    auto squares = mapped(*of, [](double w) { return w * w; });
    out.push_back(make(
        "fraction with weight, V = 0", {std::move(*of), std::move(squares)},
        [](std::span<const double> m) { return m[0] * m[0] / m[1]; }, potential.numbers, s));
  }
}

}  // namespace

bool tells_of_the_chain(const std::string& quantity) {
  return tells_of_the_algorithm(quantity) || quantity == "dH" || quantity == "exp(-dH)" || quantity == "acceptance";
}

double Quantity::effective_count() const { return double(estimate.count) / std::max(2 * estimate.tau_int, 1.0); }

Quantity::OtherErrors Quantity::other_errors() const {
  if (!(estimate.error > 0)) return {estimate.error, estimate.error};  // a constant, or too few
  std::vector<Series> joined;
  for (const Chains& one : series) {
    auto& all = joined.emplace_back();
    for (const Series& chain : one) all.insert(all.end(), chain.begin(), chain.end());
  }
  const auto f = function ? function : [](std::span<const double> means) { return means[0]; };
  const auto bins = analysis::jackknife_bins({&estimate, 1});
  const double factor = std::sqrt(bins.variance_factor);
  return {factor * analysis::jackknife(f, joined, bins.count).error,
          factor * analysis::bootstrap(f, joined, bins.count).error};
}

std::vector<std::string> Quantity::doubts() const {
  std::vector<std::string> found;
  if (estimate.error == 0) return found;  // a constant
  for (const auto& observable : series)
    for (std::size_t chain = 0; chain < observable.size() && chain < numbers.size(); ++chain)
      for (std::size_t i = 0; i < observable[chain].size(); ++i)
        if (!std::isfinite(observable[chain][i]))
          return {fmt::format("{} in {}", observable[chain][i], numbers[chain][i])};
  if (const auto lack = analysis::lack_of_measurements(estimate); !lack.empty()) return {lack};
  if (!(effective_count() >= 20)) found.emplace_back("few");
  if (std::abs(drift) > 3) found.emplace_back("drifts");
  if (estimate.consistency < 1e-3) found.emplace_back("chains differ");
  if (!spacing.even) found.emplace_back("uneven");
  return found;
}

bool has_flow(const Ensemble& ensemble) {
  return std::ranges::any_of(ensemble.chains, [](const auto& chain) {
    if (!std::filesystem::exists(chain.folder.flow())) return false;
    const FlowFile file(chain.folder.flow(), chain.number, {});
    return std::ranges::any_of(file.curves(), [&](const auto& curve) { return chain.keeps(double(curve.first)); });
  });
}

std::vector<Quantity> quantities(const Ensemble& ensemble, const QuantityParameters& parameters) {
  std::vector<Quantity> out;
  // All columns found in any of the chains.
  std::vector<std::string> columns;
  for (const auto& chain : ensemble.chains)
    for (const auto& name : chain.table.columns)
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  for (const auto& column : columns) {
    if (column == "trajectory" || column == "row" || column == "file" || column == "content" || column == "tuning" ||
        column == "t0" || column == "w0" || std::ranges::count(size_columns, column) > 0)
      continue;
    if (!parameters.all && tells_of_the_algorithm(column)) continue;
    const auto m = measured(ensemble, column);
    if (m.count() == 0) continue;
    const auto name = column == "accepted" ? "acceptance" : column == "exp_minus_dH" ? "exp(-dH)" : column;
    out.push_back(make(name, {m.values}, {}, m.numbers, parameters.s));
    if (column == "polyakov_im") add_polyakov(ensemble, parameters.s, out);
    if (column == "topological_charge" || column == "topological_potential_charge" || column.starts_with("charge_"))
      add_charge(ensemble, column, parameters.s, out);
  }
  add_quarks(ensemble, parameters.s, out);
  add_flow_scales(ensemble, parameters.s, out);
  add_without_potential(ensemble, parameters.s, out);
  return out;
}

}  // namespace trellis::app
