// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/static_potential.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/analysis/fit.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// Means of all loops, or those of a jackknife sample: [distance * times + t - 1].
struct Means {
  Series mean;
  std::vector<Series> samples;
  std::size_t times = 0;

  double potential(const Series& of, std::size_t distance, std::size_t t) const {
    return log_mass(of[distance * times + t], of[distance * times + t + 1]);
  }
};

double quark_potential(double r, std::span<const double> p) { return p[0] - p[1] / r + p[2] * r; }

double sommer_scale(std::span<const double> p) { return std::sqrt((1.65 - p[1]) / p[2]); }

// The distances that can be fitted at this time.
std::vector<std::size_t> fitted_distances(const Series& distances, const PotentialAtTime& at,
                                          const PotentialParameters& parameters) {
  const auto from = [&](double first) {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < distances.size(); ++k)
      if (distances[k] > first - 1e-9 && (parameters.last == 0 || distances[k] < parameters.last + 1e-9) &&
          std::isfinite(at.errors[k]) && at.errors[k] > 0)
        found.push_back(k);
    return found;
  };
  if (parameters.first > 0) return from(parameters.first);
  const auto without_neighbours = from(std::sqrt(2.0));
  return without_neighbours.size() >= 4 ? without_neighbours : from(0);
}

PotentialFit fit_potential(const Series& distances, const Means& means, const PotentialAtTime& at,
                           const PotentialParameters& parameters, double& shrinkage) {
  const auto chosen = fitted_distances(distances, at, parameters);
  constexpr std::size_t least = 3;
  if (chosen.size() < least)
    fail("{} distances have a signal, which is too few to fit {} parameters", chosen.size(), least);
  const auto t = std::size_t(at.time - 1);
  const auto of = [&](const Series& all) {
    Series v;
    for (const auto k : chosen) v.push_back(means.potential(all, k, t));
    return v;
  };
  Series r;
  for (const auto k : chosen) r.push_back(distances[k]);
  std::vector<Series> samples;
  for (const auto& sample : means.samples) samples.push_back(of(sample));
  shrinkage = least_shrinkage(std::ssize(samples), std::ssize(r));
  const auto [best, fitted_samples] =
      jackknife_fit(quark_potential, r, of(means.mean), samples, shrinkage, std::vector<Series>{{0.5, 0.3, 0.1}});
  PotentialFit found{.constant = best.parameters[0],
                     .constant_error = best.errors[0],
                     .alpha = best.parameters[1],
                     .alpha_error = best.errors[1],
                     .sigma = best.parameters[2],
                     .sigma_error = best.errors[2],
                     .r0 = sommer_scale(best.parameters),
                     .chi2 = best.chi2,
                     .probability = best.probability,
                     .degrees = best.degrees,
                     .first = r.front(),
                     .last = r.back(),
                     .samples = {}};
  for (const auto& one : fitted_samples) found.samples.push_back(sommer_scale(one));
  found.r0_error = jackknife_error(found.samples);
  return found;
}

bool agree(const PotentialFit& a, const PotentialFit& b) {
  Series differences;
  for (std::size_t k = 0; k < a.samples.size(); ++k) differences.push_back(a.samples[k] - b.samples[k]);
  return std::abs(a.r0 - b.r0) <= jackknife_error(differences);
}

}  // namespace

const PotentialAtTime* StaticPotential::at_time(int time) const {
  const auto found = std::ranges::find(times, time, &PotentialAtTime::time);
  return found == times.end() ? nullptr : &*found;
}

StaticPotential static_potential(std::vector<LoopsAtDistance> loops, const PotentialParameters& parameters) {
  if (loops.empty()) fail("there are no Wilson loops");
  std::ranges::sort(loops, {}, &LoopsAtDistance::distance);
  const auto configurations = std::int64_t(loops[0].loops.size());
  if (configurations < fewest_for_error)
    fail("{} not enough for an error of a potential; expected at least {}",
         plural(std::int64_t(configurations), "configuration", "is", "are"), fewest_for_error);
  Means means{.mean = {}, .samples = {}, .times = loops[0].loops[0].size()};
  if (means.times < 2) fail("Wilson loops of one time have no potential; expected at least two times");
  std::vector<Series> series;
  std::vector<MeanEstimate> estimates;
  StaticPotential result;
  for (const auto& at : loops) {
    result.distances.push_back(at.distance);
    if (std::int64_t(at.loops.size()) != configurations)
      fail("{} configurations have loops at distance {}, but {} at {}", at.loops.size(), at.distance, configurations,
           loops[0].distance);
    for (std::size_t t = 0; t < means.times; ++t) {
      auto& one = series.emplace_back();
      for (const auto& configuration : at.loops) {
        if (configuration.size() != means.times)
          fail("loops at distance {} have {} times, others {}", at.distance, configuration.size(), means.times);
        one.push_back(configuration[t]);
      }
      estimates.push_back(gamma_method(one));
      means.mean.push_back(estimates.back().mean);
    }
  }
  const Bins bins = jackknife_bins(estimates, parameters.bins);
  result.bins = bins.count;
  means.samples = leave_one_out(series, bins.count);
  widen(means.samples, bins.variance_factor);

  for (std::size_t t = 0; t + 1 < means.times; ++t) {
    PotentialAtTime at{.time = int(t + 1), .potential = {}, .errors = {}, .fit = {}, .problem = {}};
    for (std::size_t k = 0; k < loops.size(); ++k) {
      Series samples;
      for (const auto& sample : means.samples) samples.push_back(means.potential(sample, k, t));
      at.potential.push_back(means.potential(means.mean, k, t));
      at.errors.push_back(jackknife_error(samples));
    }
    try {
      at.fit = fit_potential(result.distances, means, at, parameters, result.shrinkage);
    } catch (const Error& error) {
      at.problem = error.what();
    }
    result.times.push_back(std::move(at));
  }
  for (std::size_t k = 0; k + 1 < result.times.size() && !result.chosen; ++k)
    if (const auto &one = result.times[k].fit, &next = result.times[k + 1].fit; one && next && agree(*one, *next))
      result.chosen = int(k);
  return result;
}

}  // namespace trellis::analysis
