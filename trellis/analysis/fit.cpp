// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/fit.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// Replaces a symmetric matrix by its lower Cholesky factor; false if it is not positive definite to rounding.
bool cholesky(int n, Series& a) {
  const auto at = [&](int i, int j) -> double& { return a[std::size_t(i * n + j)]; };
  for (int j = 0; j < n; ++j) {
    const double diagonal = at(j, j);
    double rest = diagonal;
    for (int k = 0; k < j; ++k) rest -= at(j, k) * at(j, k);
    if (!(rest > 1e-14 * diagonal)) return false;
    at(j, j) = std::sqrt(rest);
    for (int i = j + 1; i < n; ++i) {
      double sum = at(i, j);
      for (int k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = sum / at(j, j);
    }
  }
  return true;
}

void solve_lower(int n, const Series& l, Series& v) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) v[std::size_t(i)] -= l[std::size_t(i * n + k)] * v[std::size_t(k)];
    v[std::size_t(i)] /= l[std::size_t(i * n + i)];
  }
}

void solve_upper(int n, const Series& l, Series& v) {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) v[std::size_t(i)] -= l[std::size_t(k * n + i)] * v[std::size_t(k)];
    v[std::size_t(i)] /= l[std::size_t(i * n + i)];
  }
}

double square(const Series& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

// d f(x_i, p) / d p_k
Series derivatives(const Model& model, std::span<const double> x, const Series& p, std::size_t k) {
  const double h = 1e-5 * std::max(std::abs(p[k]), 1e-8);
  Series up = p, down = p;
  up[k] += h;
  down[k] -= h;
  Series d(x.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = (model(x[i], up) - model(x[i], down)) / (2 * h);
  return d;
}

// Residuals and derivatives of the model, transformed so that the errors are independent and equal to 1.
struct Whitened {
  const Model& model;
  std::span<const double> x, y;
  const Covariance& covariance;

  Series residuals(const Series& p) const {
    Series r(y.begin(), y.end());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= model(x[i], p);
    return covariance.whitened(r);
  }
  Series slope(const Series& p, std::size_t k) const { return covariance.whitened(derivatives(model, x, p, k)); }
};

// The covariance of means that jackknife samples give, and those of the other bins when one is left out.
class JackknifeCovariance {
 public:
  JackknifeCovariance(std::span<const Series> samples, double shrinkage)
      : samples_(samples), points_(samples[0].size()), shrinkage_(shrinkage), mean_(points_) {
    const double b = double(samples.size());
    for (const Series& s : samples)
      for (std::size_t i = 0; i < points_; ++i) mean_[i] += s[i] / b;
    sum_.resize(points_ * points_);
    for (const Series& s : samples) add((b - 1) / b, s, sum_);
  }
  Covariance of_all() const { return {int(points_), shrunk(sum_)}; }
  // Up to a constant.
  Covariance without(std::size_t bin) const {
    Series rest = sum_;
    add(-1, samples_[bin], rest);
    return {int(points_), shrunk(std::move(rest))};
  }

 private:
  void add(double factor, const Series& sample, Series& to) const {
    for (std::size_t i = 0; i < points_; ++i)
      for (std::size_t j = 0; j < points_; ++j)
        to[i * points_ + j] += factor * (sample[i] - mean_[i]) * (sample[j] - mean_[j]);
  }
  Series shrunk(Series elements) const {
    for (std::size_t i = 0; i < points_; ++i)
      for (std::size_t j = 0; j < points_; ++j)
        if (i != j) elements[i * points_ + j] *= 1 - shrinkage_;
    return elements;
  }

  std::span<const Series> samples_;
  std::size_t points_;
  double shrinkage_;
  Series mean_, sum_;
};

double scalar_product(const Series& a, const Series& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The best values of parameters in which the model is linear, with the others as they are; the start itself if the data
// do not determine them.
Series with_best(const Whitened& problem, Series start, std::span<const std::size_t> linear) {
  const int n = int(linear.size());
  std::vector<Series> slopes;
  for (const std::size_t k : linear) slopes.push_back(problem.slope(start, k));
  const Series residuals = problem.residuals(start);
  Series curvature, step;
  for (const Series& a : slopes) {
    step.push_back(scalar_product(a, residuals));
    for (const Series& b : slopes) curvature.push_back(scalar_product(a, b));
  }
  if (!cholesky(n, curvature)) return start;
  solve_lower(n, curvature, step);
  solve_upper(n, curvature, step);
  for (int k = 0; k < n; ++k) start[linear[std::size_t(k)]] += step[std::size_t(k)];
  return start;
}

Fit best_fit(const Model& model, std::span<const double> x, std::span<const double> y, const Covariance& covariance,
             std::span<const Series> starts, std::span<const std::size_t> linear) {
  if (starts.empty()) fail("fit: there is no start");
  std::optional<Fit> best;
  for (const Series& start : starts) try {
      Fit found = fit(model, x, y, covariance, with_best({model, x, y, covariance}, start, linear));
      if (!best || found.chi2 < best->chi2) best = std::move(found);
    } catch (const Error&) {
      if (&start == &starts.back() && !best) throw;
    }
  return *best;
}

// How parameters respond to a change of the data, with these derivatives of the model.
Series response(const std::vector<Series>& derivatives, const Covariance& covariance, const Series& change) {
  const int n = int(derivatives.size());
  std::vector<Series> slopes;
  for (const Series& d : derivatives) slopes.push_back(covariance.whitened(d));
  const Series whitened = covariance.whitened(change);
  Series curvature, step;
  for (const Series& a : slopes) {
    step.push_back(scalar_product(a, whitened));
    for (const Series& b : slopes) curvature.push_back(scalar_product(a, b));
  }
  if (!cholesky(n, curvature)) fail("fit: the data do not determine all {} parameters", n);
  solve_lower(n, curvature, step);
  solve_upper(n, curvature, step);
  return step;
}

// See JackknifeFit.
void account_for_estimate(Fit& of, std::size_t bins, double shrinkage) {
  if (of.degrees < 1) return;
  const double b = double(bins), d = of.degrees, used = d * (1 - shrinkage) * (1 - shrinkage),
               left = std::max(b - used, 1.0);
  const boost::math::fisher_f distribution(d, left);
  of.probability = boost::math::cdf(boost::math::complement(distribution, of.chi2 * left / (d * (b - 1))));
  if (shrinkage == 0 && b - 2 - d > 0) of.chi2 *= (b - 2 - d) / (b - 1);
}

}  // namespace

double chi_square_probability(double chi2, int degrees) {
  return degrees > 0 ? boost::math::gamma_q(0.5 * degrees, 0.5 * chi2) : 1;
}

Covariance::Covariance(int size, Series elements) : size_(size), factor_(std::move(elements)) {
  if (size < 1 || factor_.size() != std::size_t(size) * std::size_t(size))
    fail("covariance: {} elements for {} points", factor_.size(), size);
  if (!cholesky(size_, factor_))
    fail("the covariance of {} points is singular: too few samples, or points that do not vary independently", size);
}

Series Covariance::whitened(std::span<const double> v) const {
  Series result(v.begin(), v.end());
  solve_lower(size_, factor_, result);
  return result;
}

Series Covariance::solved(std::span<const double> v) const {
  Series result = whitened(v);
  solve_upper(size_, factor_, result);
  return result;
}

double least_shrinkage(std::int64_t bins, std::int64_t points) {
  return bins <= points ? 1 : std::clamp(1 - 0.5 * double(bins) / double(points), 0.0, 1.0);
}

Covariance jackknife_covariance(std::span<const Series> samples, double shrinkage) {
  if (samples.size() < 2) fail("covariance: {}; expected at least 2", plural(std::int64_t(samples.size()), "sample"));
  const std::size_t points = samples[0].size();
  if (samples.size() <= points && !(shrinkage > 0))
    fail("{} samples are too few for the covariance of {} points", samples.size(), points);
  return JackknifeCovariance(samples, shrinkage).of_all();
}

Fit fit(const Model& model, std::span<const double> x, std::span<const double> y, const Covariance& covariance,
        Series start) {
  const int n = int(start.size());
  if (x.size() != y.size() || covariance.size() != int(x.size()) || int(x.size()) < n || n == 0)
    fail("fit: {} x, {} y, a covariance of {} points and {} parameters do not fit", x.size(), y.size(),
         covariance.size(), n);
  const Whitened problem{model, x, y, covariance};
  Fit result{.parameters = std::move(start), .errors = {}};
  Series residuals = problem.residuals(result.parameters);
  result.chi2 = square(residuals);
  double damping = 1e-3;
  constexpr int most = 500;
  Series curvature;
  for (bool done = false; !done;) {
    if (++result.iterations > most || !std::isfinite(result.chi2)) fail("fit: no minimum in {} iterations", most);
    // Normal equations: curvature * step = gradient.
    std::vector<Series> slopes;
    for (int k = 0; k < n; ++k) slopes.push_back(problem.slope(result.parameters, std::size_t(k)));
    curvature.assign(std::size_t(n * n), 0);
    Series gradient(std::size_t(n), 0.0);
    for (int k = 0; k < n; ++k)
      for (std::size_t i = 0; i < residuals.size(); ++i) {
        gradient[std::size_t(k)] += slopes[std::size_t(k)][i] * residuals[i];
        for (int l = 0; l < n; ++l)
          curvature[std::size_t(k * n + l)] += slopes[std::size_t(k)][i] * slopes[std::size_t(l)][i];
      }
    const auto solved = [&](double damped) {
      Series factor = curvature, step = gradient;
      for (int k = 0; k < n; ++k) factor[std::size_t(k * n + k)] *= 1 + damped;
      if (!cholesky(n, factor)) fail("fit: the data do not determine all {} parameters", n);
      solve_lower(n, factor, step);
      solve_upper(n, factor, step);
      return step;
    };
    // What a whole step promises, compared with chi^2, or with a standard deviation. A damped step promises little even
    // far from the minimum.
    const Series whole = solved(0);
    const double promised = scalar_product(whole, gradient) / std::max(result.chi2, 1e-3);
    for (;;) {
      const Series step = solved(damping);
      Series next = result.parameters;
      for (int k = 0; k < n; ++k) next[std::size_t(k)] += step[std::size_t(k)];
      Series there = problem.residuals(next);
      const double chi2 = square(there);
      if (std::isfinite(chi2) && chi2 <= result.chi2) {
        // The rounding of derivatives may go on promising a little.
        done = promised <= 1e-12 || (promised <= 1e-6 && result.chi2 - chi2 <= 1e-12 * std::max(chi2, 1e-3));
        result.parameters = std::move(next);
        residuals = std::move(there);
        result.chi2 = chi2;
        damping = std::max(damping / 10, 1e-12);
        break;
      }
      damping *= 10;
      if (damping > 1e12) {  // no step lowers chi^2: this is the minimum, to rounding
        if (promised > 1e-6) fail("fit: no step lowers chi^2, but this is no minimum");
        done = true;
        break;
      }
    }
  }
  result.degrees = int(x.size()) - n;
  result.probability = chi_square_probability(result.chi2, result.degrees);
  if (!cholesky(n, curvature)) fail("fit: the data do not determine all {} parameters", n);
  for (int k = 0; k < n; ++k) {
    Series unit(std::size_t(n), 0.0);
    unit[std::size_t(k)] = 1;
    solve_lower(n, curvature, unit);
    result.errors.push_back(std::sqrt(square(unit)));
  }
  return result;
}

JackknifeFit jackknife_fit(const Model& model, std::span<const double> x, std::span<const double> means,
                           std::span<const Series> samples, double shrinkage, std::span<const Series> starts,
                           std::span<const std::size_t> linear) {
  if (std::size(samples) < 3 || (shrinkage == 0 && samples.size() < means.size() + 2))
    fail("{} bins are too few for the covariance of {} points", samples.size(), means.size());
  const JackknifeCovariance covariance(samples, shrinkage);
  JackknifeFit found{.best = best_fit(model, x, means, covariance.of_all(), starts, linear), .samples = {}};
  Fit& best = found.best;
  account_for_estimate(best, samples.size(), shrinkage);
  std::vector<Series> slopes, by_parameter(best.parameters.size());
  for (std::size_t k = 0; k < by_parameter.size(); ++k) slopes.push_back(derivatives(model, x, best.parameters, k));
  for (std::size_t b = 0; b < samples.size(); ++b) {
    Series change = samples[b];
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= means[i];
    Series parameters = response(slopes, covariance.without(b), change);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      parameters[k] += best.parameters[k];
      by_parameter[k].push_back(parameters[k]);
    }
    found.samples.push_back(std::move(parameters));
  }
  for (std::size_t k = 0; k < by_parameter.size(); ++k) best.errors[k] = jackknife_error(by_parameter[k]);
  return found;
}

}  // namespace trellis::analysis
