// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/reweighting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "trellis/analysis/fit.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// log sum_i exp(x_i)
double log_sum(std::span<const double> x) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const double one : x) sum += std::exp(one - largest);
  return largest + std::log(sum);
}

// What the equations for the free energies need: all measurements of s, with the statistical weight 1 / g of each.
struct Pooled {
  const Series& couplings;
  const Series& counts;
  Series action, weight;

  // log of (N_j / g_j) exp(f_j - beta_j s)
  double log_term(std::size_t j, const Series& f, double s) const {
    return std::log(counts[j]) + f[j] - couplings[j] * s;
  }
  // The function that the free energies minimise: sum_n log D(s_n) / g - sum_j (N_j / g_j) f_j.
  double value(const Series& f) const {
    double sum = 0;
    Series terms(f.size());
    for (std::size_t n = 0; n < action.size(); ++n) {
      for (std::size_t j = 0; j < f.size(); ++j) terms[j] = log_term(j, f, action[n]);
      sum += weight[n] * log_sum(terms);
    }
    for (std::size_t j = 0; j < f.size(); ++j) sum -= counts[j] * f[j];
    return sum;
  }
  // Its derivatives with respect to all free energies but the first.
  void derivatives(const Series& f, Series& gradient, Series& curvature) const {
    const std::size_t m = f.size() - 1;
    gradient.assign(m, 0);
    curvature.assign(m * m, 0);
    Series p(f.size());
    for (std::size_t n = 0; n < action.size(); ++n) {
      for (std::size_t j = 0; j < f.size(); ++j) p[j] = log_term(j, f, action[n]);
      const double denominator = log_sum(p);
      for (double& x : p) x = std::exp(x - denominator);
      for (std::size_t j = 0; j < m; ++j) {
        gradient[j] += weight[n] * p[j + 1];
        curvature[j * m + j] += weight[n] * p[j + 1];
        for (std::size_t k = 0; k < m; ++k) curvature[j * m + k] -= weight[n] * p[j + 1] * p[k + 1];
      }
    }
    for (std::size_t j = 0; j < m; ++j) gradient[j] -= counts[j + 1];
  }
};

Series solved(const Pooled& pooled, Series f) {
  Series gradient, curvature;
  double value = pooled.value(f);
  constexpr int most = 200;
  for (int step = 0; step < most; ++step) {
    pooled.derivatives(f, gradient, curvature);
    const auto move = Covariance(int(gradient.size()), curvature).solved(gradient);
    // Twice what a parabola promises; a standard deviation of f would be 1.
    const double gain = std::inner_product(move.begin(), move.end(), gradient.begin(), 0.0);
    if (gain < 1e-16) return f;
    for (double part = 1;; part /= 2) {
      Series next = f;
      for (std::size_t j = 0; j < move.size(); ++j) next[j + 1] -= part * move[j];
      const double there = pooled.value(next);
      if (there < value) {
        f = std::move(next);
        value = there;
        break;
      }
      if (part < 1e-6) return f;  // the minimum, to rounding
    }
  }
  fail("reweighting: the free energies of {} couplings were not found in {} steps", f.size(), most);
}

// See Reweighting::overlap(); of the runs at couplings i and i + 1.
double overlap_of(const Pooled& pooled, const Series& f, std::size_t i, std::span<const std::size_t> run_of) {
  double sum = 0;
  for (std::size_t n = 0; n < pooled.action.size(); ++n) {
    if (run_of[n] != i && run_of[n] != i + 1) continue;
    const double s = pooled.action[n];
    const double p = 1 / (1 + std::exp(pooled.log_term(i + 1, f, s) - pooled.log_term(i, f, s)));
    sum += pooled.weight[n] * p * (1 - p);
  }
  const double a = pooled.counts[i], b = pooled.counts[i + 1];
  return (a + b) / (a * b) * sum;
}

}  // namespace

Reweighting::Reweighting(const std::vector<ReweightingRun>& runs) {
  std::map<double, std::vector<const ReweightingRun*>> by_coupling;
  for (const auto& run : runs) {
    if (run.action.empty()) fail("reweighting: a run at the coupling {} has no measurements", run.coupling);
    by_coupling[run.coupling].push_back(&run);
  }
  if (by_coupling.empty()) fail("reweighting: there are no runs");
  Series action, weight, means;
  std::vector<std::size_t> run_of;
  for (const auto& [coupling, replica] : by_coupling) {
    double count = 0, sum = 0, measurements = 0;
    for (const auto* run : replica) {
      const double g = std::max(2 * run->tau_int, 1.0);
      count += double(run->action.size()) / g;
      for (const double s : run->action) {
        action.push_back(s);
        weight.push_back(1 / g);
        run_of.push_back(couplings_.size());
        sum += s;
      }
      measurements += double(run->action.size());
    }
    couplings_.push_back(coupling);
    counts_.push_back(count);
    means.push_back(sum / measurements);
  }
  // s is large; differences from a common origin keep the rounding errors small.
  origin_ = means.front();
  for (double& s : action) s -= origin_;
  // df / dbeta = <s>: the trapezoidal rule is a good start.
  Series f(1, 0.0);
  for (std::size_t i = 1; i < couplings_.size(); ++i)
    f.push_back(f.back() + (couplings_[i] - couplings_[i - 1]) * (0.5 * (means[i] + means[i - 1]) - origin_));
  const Pooled pooled{couplings_, counts_, std::move(action), std::move(weight)};
  const auto require_overlap = [&](const Series& at) {
    overlap_ = 1;
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      const double pair = overlap_of(pooled, at, i, run_of);
      overlap_ = std::min(overlap_, pair);
      if (!(pair >= least_overlap))
        fail("reweighting: the runs at {} and {} overlap by {:.1g}, less than {}: a run in between is needed",
             couplings_[i], couplings_[i + 1], pair, least_overlap);
    }
  };
  // Without overlap there are no free energies to be found; the start is good enough to tell.
  if (f.size() > 1) {
    for (std::size_t i = 0; i + 1 < f.size(); ++i)
      if (!(overlap_of(pooled, f, i, run_of) > 1e-6)) require_overlap(f);
    f = solved(pooled, std::move(f));
    require_overlap(f);
  }
  free_energies_ = std::move(f);
}

Series Reweighting::free_energies() const {
  Series f = free_energies_;
  for (std::size_t j = 0; j < f.size(); ++j) f[j] += (couplings_[j] - couplings_[0]) * origin_;
  return f;
}

double Reweighting::log_density(double action) const {
  Series terms(couplings_.size());
  for (std::size_t j = 0; j < terms.size(); ++j)
    terms[j] = std::log(counts_[j]) + free_energies_[j] - couplings_[j] * (action - origin_);
  return log_sum(terms);
}

ReweightedAverages::ReweightedAverages(const Reweighting& reweighting, std::vector<ReweightedSeries> runs)
    : runs_(std::move(runs)) {
  std::size_t measurements = 0;
  for (const auto& run : runs_) {
    measurements += run.action.size();
    if (run.observables.size() != runs_.front().observables.size()) fail("reweighting: runs of different observables");
    for (const Series& one : run.observables)
      if (one.size() != run.action.size())
        fail("reweighting: {} values of an observable and {} of the action", one.size(), run.action.size());
    auto& logs = log_weights_.emplace_back();
    for (const double s : run.action) logs.push_back(std::log(run.weight) - reweighting.log_density(s));
  }
  if (measurements == 0) fail("reweighting: there are no measurements");
}

ReweightedMeans ReweightedAverages::operator()(double coupling) const {
  std::vector<Series> weights = log_weights_;
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (std::size_t n = 0; n < weights[r].size(); ++n) {
      weights[r][n] -= coupling * runs_[r].action[n];
      largest = std::max(largest, weights[r][n]);
    }
  ReweightedMeans out{.means = Series(runs_.front().observables.size(), 0.0)};
  double sum = 0, squares = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r)
    for (std::size_t n = 0; n < weights[r].size(); ++n) {
      const double w = std::exp(weights[r][n] - largest);
      sum += w;
      squares += w * w * std::max(2 * runs_[r].tau_int, 1.0);
      for (std::size_t a = 0; a < out.means.size(); ++a) out.means[a] += w * runs_[r].observables[a][n];
    }
  for (double& mean : out.means) mean /= sum;
  out.effective_count = sum * sum / squares;
  return out;
}

}  // namespace trellis::analysis
