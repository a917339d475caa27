// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/integrator_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trellis/core/error.hpp"
#include "trellis/hmc/tuning/shadow_hamiltonian.hpp"

namespace trellis::hmc {

namespace {

// The terms of the action on each level, by number.
using TermNumbers = std::vector<std::vector<std::size_t>>;

TermNumbers terms_of_levels(const IntegratorModel& model, const HmcParameters& parameters) {
  TermNumbers result;
  for (const Level& level : parameters.levels) {
    result.emplace_back();
    for (const std::string& name : level.terms) {
      const auto found = std::find(model.terms.begin(), model.terms.end(), name);
      if (found == model.terms.end()) fail_input("the action has no term '{}'", name);
      result.back().push_back(std::size_t(found - model.terms.begin()));
    }
  }
  return result;
}

double delta(const ShadowCoefficients& shadow, const TermNumbers& terms, const PoissonBrackets& brackets) {
  double sum = 0;
  for (std::size_t a = 0; a < terms.size(); ++a)
    for (const std::size_t k : terms[a]) {
      sum += shadow.hessian[a] * brackets.hessian[k];
      for (std::size_t b = 0; b < terms.size(); ++b)
        for (const std::size_t j : terms[b]) sum += shadow.gram[a][b] * brackets.gram[k][j];
    }
  return sum;
}

// <(value(start) - value(end))^2> for trajectories of this length.
template <class F>
double mean_square_change(const IntegratorModel& model, double length, const F& value) {
  std::vector<double> starts, ends;
  for (const ObservedTrajectory& one : model.observed) {
    starts.push_back(value(one.start));
    ends.push_back(value(one.end));
  }
  const std::size_t count = starts.size();
  double observed = 0, in_proportion = 0, independent = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double square = std::pow(starts[i] - ends[i], 2) / double(count);
    observed += square;
    in_proportion += square * std::pow(std::max(1.0, length / model.observed[i].length), 2);
    for (std::size_t j = 0; j < count; ++j)
      if (i != j) independent += std::pow(starts[i] - ends[j], 2) / double(count * (count - 1));
  }
  return count > 1 ? std::min(in_proportion, std::max(observed, independent)) : in_proportion;
}

// The longest step of each level, and the longest drift of that step.
struct StepsAndDrifts {
  std::vector<double> steps, drifts;
};
StepsAndDrifts steps_of(const HmcParameters& parameters) {
  StepsAndDrifts result;
  double length = parameters.length;
  for (const Level& level : parameters.levels) {
    result.steps.push_back(length / level.steps);
    double drift = 0;
    for (const Step& step : level.scheme.steps)
      if (step.kind == Step::Kind::drift) drift = std::max(drift, std::abs(step.coefficient));
    length = result.steps.back() * drift;
    result.drifts.push_back(length);
  }
  return result;
}

// The fourth order's variance for kappa = 1, by level.
std::vector<double> fourth_orders(const IntegratorModel& model, const HmcParameters& parameters,
                                  const TermNumbers& terms) {
  const std::vector<double> steps = steps_of(parameters).steps;
  std::vector<double> result;
  for (std::size_t a = 0; a < terms.size(); ++a) {
    double sum = 0;
    for (const std::size_t k : terms[a]) {
      const double change =
          mean_square_change(model, parameters.length, [k](const PoissonBrackets& at) { return at.hessian[k]; });
      const double amplitude = integrator_by_name(parameters.levels[a].scheme.name).fourth_order *
                               std::pow(steps[a], 4) * std::pow(model.frequency(k), 2) / 2;
      sum += amplitude * amplitude * change;
    }
    result.push_back(sum);
  }
  return result;
}

double seconds_of(const IntegratorModel& model, const Plan& plan, const TermNumbers& terms) {
  double seconds = model.fixed_seconds;
  for (std::size_t a = 0; a < terms.size(); ++a) {
    double force = 0;
    std::map<int, double> groups;
    for (const std::size_t k : terms[a]) {
      force += model.costs.own[k];
      if (model.costs.group_of[k] >= 0) groups[model.costs.group_of[k]] = model.costs.group[k];
    }
    for (const auto& [group, once] : groups) force += once;
    seconds += force * force_evaluations(plan, int(a));
  }
  return seconds + model.drift_seconds * link_updates(plan);
}

}  // namespace

IntegratorModel::Learnt IntegratorModel::known_of(const std::string& scheme) const {
  // Before anything is known: as if this kappa had been found twice.
  constexpr double guess = 3, weight = 2;
  const auto found = learnt.find(scheme);
  const Learnt known = found == learnt.end() ? Learnt{} : found->second;
  return {weight * guess * guess + known.squares, weight + known.trajectories};
}

double IntegratorModel::kappa_of(const std::string& scheme) const {
  const Learnt known = known_of(scheme);
  return std::sqrt(known.squares / known.trajectories);
}

double IntegratorModel::frequency(std::size_t term) const {
  double rate = 0, curvature = 0;
  for (const ObservedTrajectory& one : observed) {
    rate += one.start.rate[term] + one.end.rate[term];
    curvature += std::abs(one.start.hessian[term]) + std::abs(one.end.hessian[term]);
  }
  return curvature > 0 ? std::sqrt(rate / curvature) : 0;
}

double predicted_acceptance(double variance) { return std::erfc(std::sqrt(variance / 8)); }

double predicted_dH(const IntegratorModel& model, const HmcParameters& parameters, const ObservedTrajectory& observed) {
  const auto terms = terms_of_levels(model, parameters);
  const auto shadow =
      shadow_coefficients(make_plan(parameters.levels, parameters.length), int(parameters.levels.size()));
  return delta(shadow, terms, observed.start) - delta(shadow, terms, observed.end);
}

Prediction predict(const IntegratorModel& model, const HmcParameters& parameters) {
  if (model.observed.empty()) fail_input("nothing is known about an integrator: no trajectory was observed");
  const auto terms = terms_of_levels(model, parameters);
  const Plan plan = make_plan(parameters.levels, parameters.length);
  const auto shadow = shadow_coefficients(plan, int(parameters.levels.size()));
  Prediction result;
  result.variance =
      mean_square_change(model, parameters.length, [&](const PoissonBrackets& at) { return delta(shadow, terms, at); });
  // The mean of n squares of normal numbers has a relative variance of 2 / n.
  double squared_error = 2 / double(model.observed.size()) * result.variance * result.variance;
  const auto fourth = fourth_orders(model, parameters, terms);
  for (std::size_t a = 0; a < fourth.size(); ++a) {
    const IntegratorModel::Learnt known = model.known_of(parameters.levels[a].scheme.name);
    const double part = known.squares / known.trajectories * fourth[a];
    result.fourth_order += part;
    squared_error += 2 / known.trajectories * part * part;
  }
  result.variance += result.fourth_order;
  result.standard_error = std::sqrt(squared_error);
  result.acceptance = predicted_acceptance(result.variance);
  result.seconds = seconds_of(model, plan, terms);
  result.cost = result.seconds / (result.acceptance * parameters.length);
  result.cautious_cost =
      result.seconds / (predicted_acceptance(result.variance + result.standard_error) * parameters.length);
  return result;
}

void learn(IntegratorModel& model, const HmcParameters& parameters, const std::vector<ObservedTrajectory>& observed) {
  if (observed.empty()) return;
  const double count = double(observed.size());
  double square = 0;
  for (const ObservedTrajectory& one : observed)
    square += std::pow(one.dH - predicted_dH(model, parameters, one), 2) / count;
  std::map<std::string, double> without_kappa, expected;
  const auto fourth = fourth_orders(model, parameters, terms_of_levels(model, parameters));
  double all = 0;
  for (std::size_t a = 0; a < fourth.size(); ++a) {
    const std::string& scheme = parameters.levels[a].scheme.name;
    const double kappa = model.kappa_of(scheme);
    without_kappa[scheme] += fourth[a];
    expected[scheme] += kappa * kappa * fourth[a];
    all += kappa * kappa * fourth[a];
  }
  if (!(all > 0)) return;
  for (const auto& [scheme, part] : expected) {
    // A scheme that contributes nothing is not heard of.
    const double share = part / all, kappa2 = share * square / without_kappa[scheme];
    IntegratorModel::Learnt& learnt = model.learnt[scheme];
    learnt.squares += share * count * kappa2;
    learnt.trajectories += share * count;
  }
}

void trust(IntegratorModel& model, const HmcParameters& parameters, double mean_square_dH) {
  constexpr double least = 1.5, most = 10;
  const double growth = std::clamp(std::pow(mean_square_dH, -1.0 / 8), least, most);
  model.longest_drifts.resize(model.terms.size(), 0);
  const auto terms = terms_of_levels(model, parameters);
  const auto drifts = steps_of(parameters).drifts;
  for (std::size_t a = 0; a < terms.size(); ++a)
    for (const std::size_t k : terms[a])
      model.longest_drifts[k] = std::max(model.longest_drifts[k], growth * drifts[a]);
}

namespace {

// Levels of consecutive terms, outermost first: bit i of `cuts` puts a boundary after term i.
std::vector<std::vector<std::string>> cut(const std::vector<std::string>& ordered, unsigned cuts) {
  std::vector<std::vector<std::string>> levels(1);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    levels.back().push_back(ordered[i]);
    if (i + 1 < ordered.size() && (cuts >> i & 1U) != 0) levels.emplace_back();
  }
  return levels;
}

// The terms in the order of their forces, the weakest first.
std::vector<std::string> by_force(const IntegratorModel& model) {
  std::vector<double> force(model.terms.size(), 0);
  for (const ObservedTrajectory& one : model.observed)
    for (std::size_t k = 0; k < force.size(); ++k) force[k] += one.start.gram[k][k];
  std::vector<std::size_t> order(force.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return force[a] != force[b] ? force[a] < force[b] : a < b; });
  std::vector<std::string> names;
  for (const std::size_t k : order) names.push_back(model.terms[k]);
  return names;
}

struct Scored {
  HmcParameters parameters;
  double cost = std::numeric_limits<double>::infinity();
};

// Changes steps and lambda of one level at a time as long as that makes it cheaper.
Scored descend(const IntegratorModel& model, const IntegratorSearch& search, HmcParameters start) {
  Scored best{std::move(start)};
  const auto terms = terms_of_levels(model, best.parameters);
  std::vector<double> frequencies;  // the highest of each level
  for (const auto& level : terms) {
    frequencies.push_back(0);
    for (const std::size_t k : level) frequencies.back() = std::max(frequencies.back(), model.frequency(k));
  }
  // The longest steps and drifts, by level.
  StepsAndDrifts longest;
  for (std::size_t a = 0; a < terms.size(); ++a) {
    longest.steps.push_back(frequencies[a] > 0 ? search.longest_step / frequencies[a] : best.parameters.length);
    longest.drifts.push_back(best.parameters.length);
    if (!model.longest_drifts.empty())
      for (const std::size_t k : terms[a]) longest.drifts[a] = std::min(longest.drifts[a], model.longest_drifts[k]);
  }
  // The fastest modes of a level are at most as fast as those of all its terms together.
  std::vector<double> fastest(terms.size(), 0);
  if (!model.fastest.empty())
    for (std::size_t a = 0; a < terms.size(); ++a)
      for (const std::size_t k : terms[a]) fastest[a] = std::hypot(fastest[a], model.fastest[k]);
  const auto stable_step = [&](const HmcParameters& parameters, std::size_t a) {
    constexpr double safe = 0.75;
    return fastest[a] > 0 ? safe * stability_limit(parameters.levels[a].scheme) / fastest[a] : parameters.length;
  };
  for (std::size_t a = 0; a < terms.size(); ++a)
    longest.steps[a] = std::min(longest.steps[a], stable_step(best.parameters, a));
  const auto is_short = [&](const HmcParameters& parameters) {
    const StepsAndDrifts these = steps_of(parameters);
    for (std::size_t a = 0; a < terms.size(); ++a)
      if (these.steps[a] > stable_step(parameters, a) * (1 + 1e-9)) return false;
    for (std::size_t a = 0; a < terms.size(); ++a)
      if (these.steps[a] > longest.steps[a] * (1 + 1e-9) || these.drifts[a] > longest.drifts[a] * (1 + 1e-9))
        return false;
    return true;
  };
  // Short steps to begin with.
  for (std::size_t a = 0; a < terms.size(); ++a) {
    Level& level = best.parameters.levels[a];
    const StepsAndDrifts these = steps_of(best.parameters);
    const double too_long = std::max(these.steps[a] / longest.steps[a], these.drifts[a] / longest.drifts[a]);
    level.steps = std::clamp(int(std::ceil(level.steps * too_long)), 1, search.most_steps);
  }
  if (!is_short(best.parameters)) return best;
  best.cost = predict(model, best.parameters).cautious_cost;
  const auto attempt = [&](const HmcParameters& other) {
    if (!is_short(other)) return false;
    const double cost = predict(model, other).cautious_cost;
    if (!(cost < best.cost * (1 - 1e-9))) return false;
    best = {other, cost};
    return true;
  };
  for (bool better = true; better;) {
    better = false;
    for (std::size_t a = 0; a < best.parameters.levels.size(); ++a) {
      for (const int change : {1, -1, 3, -3}) {
        HmcParameters other = best.parameters;
        Level& level = other.levels[a];
        level.steps = std::clamp(level.steps + change, 1, search.most_steps);
        if (level.steps != best.parameters.levels[a].steps) better = attempt(other) || better;
      }
      // Fewer steps here with more of the next level, and the other way round.
      if (a + 1 < best.parameters.levels.size())
        for (const int change : {1, -1}) {
          HmcParameters other = best.parameters;
          other.levels[a].steps += change;
          if (other.levels[a].steps < 1 || other.levels[a].steps > search.most_steps) continue;
          const double ratio = double(best.parameters.levels[a].steps) / other.levels[a].steps;
          Level& next = other.levels[a + 1];
          next.steps = std::clamp(int(std::lround(next.steps * ratio)), 1, search.most_steps);
          better = attempt(other) || better;
        }
      if (best.parameters.levels[a].scheme.name == "2mn")
        for (const double lambda : {1.0 / 6, 0.175, 0.185, minimum_norm_lambda, 0.2, 0.21}) {
          HmcParameters other = best.parameters;
          other.levels[a].scheme = minimum_norm_2(lambda);
          better = attempt(other) || better;
        }
    }
  }
  return best;
}

}  // namespace

std::vector<double> lengths_to_try(const IntegratorSearch& search) {
  std::vector<double> lengths{search.length};
  while (lengths.back() < search.longest_length)
    lengths.push_back(std::min(search.longest_length, lengths.back() * std::sqrt(2.0)));
  return lengths;
}

HmcParameters cheapest_integrator(const IntegratorModel& model, const IntegratorSearch& search) {
  const auto ordered = by_force(model);
  const auto lengths = lengths_to_try(search);
  Scored best;
  for (unsigned cuts = 0; cuts < 1U << (ordered.size() - 1); ++cuts) {
    const auto levels = cut(ordered, cuts);
    if (levels.size() > search.most_levels) continue;
    // All integrators on all levels, counted in base n.
    const std::size_t n = search.integrators.size();
    std::size_t combinations = 1;
    for (std::size_t a = 0; a < levels.size(); ++a) combinations *= n;
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      HmcParameters start{search.length, {}};
      std::size_t digits = combination;
      for (const auto& terms : levels) {
        const Integrator& integrator = integrator_by_name(search.integrators[digits % n]);
        digits /= n;
        start.levels.push_back({integrator.make(integrator.lambda), 3, terms});
      }
      for (const double length : lengths) {
        start.length = length;
        const Scored found = descend(model, search, start);
        if (found.cost < best.cost) best = found;
      }
    }
  }
  return best.parameters;
}

}  // namespace trellis::hmc
