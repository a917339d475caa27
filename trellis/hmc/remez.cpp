// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/remez.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/hmc/zolotarev.hpp"

namespace trellis::hmc {

namespace {

// Boost 1.74 computes the limits of a type of numbers when they are first asked for, without a lock. Here they are
// asked for before there are threads.
template <class Number>
bool ask_for_limits() {
  using Limits = std::numeric_limits<Number>;
  const Number limits[]{Limits::epsilon(), Limits::round_error(), (Limits::min)(),    (Limits::max)(),
                        Limits::lowest(),  Limits::denorm_min(),  Limits::infinity(), Limits::quiet_NaN()};
  return limits[0] > 0;
}
template <unsigned digits>
bool ask_for_limits_of_digits() {
  namespace multiprecision = boost::multiprecision;
  using Backend = multiprecision::cpp_bin_float<digits>;
  return ask_for_limits<multiprecision::number<Backend, multiprecision::et_off>>() &&
         ask_for_limits<multiprecision::number<Backend, multiprecision::et_on>>();
}
[[maybe_unused]] const bool limits_are_known = ask_for_limits_of_digits<38>() && ask_for_limits_of_digits<100>();

// Solves A x = b by Gaussian elimination with row pivots; the last element of A's rows is b.
template <class Real>
std::vector<Real> solve(std::vector<std::vector<Real>> rows) {
  const int n = int(rows.size());
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (abs(rows[i][k]) > abs(rows[pivot][k])) pivot = i;
    std::swap(rows[k], rows[pivot]);
    if (rows[k][k] == 0) fail("Remez' algorithm met a singular matrix");
    for (int i = k + 1; i < n; ++i) {
      const Real factor = rows[i][k] / rows[k][k];
      for (int j = k + 1; j <= n; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  std::vector<Real> x(n);
  for (int k = n - 1; k >= 0; --k) {
    x[k] = rows[k][n];
    for (int j = k + 1; j < n; ++j) x[k] -= rows[k][j] * x[j];
    x[k] /= rows[k][k];
  }
  return x;
}

// The phase of f on its cut, in units of -pi, averaged logarithmically over the offsets within the range of the
// interval.
template <class Real>
Real mean_phase(const StieltjesProduct<Real>& f) {
  const auto place = [&](const Real& offset) {
    return log(std::clamp(offset, f.lower, f.upper) / f.lower) / log(f.upper / f.lower);
  };
  Real mean = 0, phase = 0;
  for (std::size_t j = 0; j < f.offsets.size(); ++j) {
    phase -= f.powers[j];
    mean += phase * ((j + 1 < f.offsets.size() ? place(f.offsets[j + 1]) : Real(1)) - place(f.offsets[j]));
  }
  return mean;
}

template <class Real>
class Remez {
 public:
  Remez(const StieltjesProduct<Real>& f, int order) : f_(f), n_(order) { guess(); }

  FactoredRational<Real> run() {
    for (int iteration = 0; iteration < 200; ++iteration) {
      std::vector<Real> deviation = deviations();
      if (largest(deviation) < abs(level_) / 4) {
        find_extrema();
        deviation = deviations();
      }
      const bool last = largest(deviation) <= abs(level_) * Real(1e-12);
      step(deviation);
      if (last) return result();
    }
    fail_input("Remez' algorithm did not converge at order {} for this function on this interval", n_);
  }

 private:
  // Order: pole 0, zero 0, pole 1, zero 1, ...; all as -x.
  void guess() {
    const EllipticFunctions<Real> elliptic(sqrt(Real(f_.lower / f_.upper)));
    const Real phase = std::clamp(mean_phase(f_), Real(0.01), Real(0.99));
    const auto row = [&](const Real& first, const Real& step, int count) {
      std::vector<Jacobi<Real>> points{elliptic(first * elliptic.quarter_period())};
      const Jacobi<Real> by = elliptic(step * elliptic.quarter_period());
      while (int(points.size()) < count) points.push_back(elliptic.sum(points.back(), by));
      return points;
    };
    // Zolotarev's positions for phase 1/2. For phase 0 poles and zeros coincide; for phase 1 the first pole is at 0.
    const Real spacing = 1 / (n_ + 1 - phase);
    if (n_ > 0) {
      const auto poles = row((1 - phase) * spacing, spacing, n_), zeros = row(spacing, spacing, n_);
      for (int i = 0; i < n_; ++i)
        for (const auto& point : {poles[i], zeros[i]})
          roots_.push_back(f_.lower * point.sn * point.sn / (point.cn * point.cn));
    }
    for (const auto& point : row(0, Real(1) / (2 * n_ + 1), 2 * n_ + 1))
      extrema_.push_back(f_.lower / (point.dn * point.dn));
    extrema_.push_back(f_.upper);
  }

  // log(r/f) - (-1)^k level at the k-th point.
  std::vector<Real> deviations() const {
    std::vector<Real> deviation;
    for (std::size_t k = 0; k < extrema_.size(); ++k) {
      const Real& x = extrema_[k];
      Real numerator = 1, denominator = 1;
      for (std::size_t i = 0; i < roots_.size(); i += 2) {
        denominator *= x + roots_[i];
        numerator *= x + roots_[i + 1];
      }
      Real sum = log(Real(numerator / denominator)) + log_constant_ - (k % 2 ? -level_ : level_);
      for (std::size_t j = 0; j < f_.offsets.size(); ++j) sum -= f_.powers[j] * log(Real(x + f_.offsets[j]));
      deviation.push_back(sum);
    }
    return deviation;
  }

  static Real largest(const std::vector<Real>& values) {
    Real most = 0;
    for (const Real& value : values) most = std::max(most, Real(abs(value)));
    return most;
  }

  // First and second derivative of log(r/f) with respect to log x.
  std::pair<Real, Real> slope(const Real& x) const {
    Real first = 0, second = 0;
    const auto add = [&](const Real& power, const Real& offset) {
      const Real w = x / (x + offset);
      first += power * w;
      second += power * w * (1 - w);
    };
    for (std::size_t i = 0; i < roots_.size(); ++i) add(i % 2 ? 1 : -1, roots_[i]);
    for (std::size_t j = 0; j < f_.offsets.size(); ++j) add(-f_.powers[j], f_.offsets[j]);
    return {first, second};
  }

  // Every inner point moves uphill: by Newton steps where the curve bends downwards, elsewhere by a quarter of the
  // distance to its neighbour, and never further than that.
  void find_extrema() {
    const std::vector<Real> old = extrema_;
    for (int k = 1; k <= 2 * n_; ++k) {
      Real& x = extrema_[k];
      const bool maximum = (k % 2 == 0) == (level_ > 0);
      for (int iteration = 0; iteration < 30; ++iteration) {
        const auto [first, second] = slope(x);
        const bool right = (first > 0) == maximum;
        const Real reach = (right ? old[k + 1] - x : x - old[k - 1]) / (4 * x);
        Real move = (second < 0) == maximum ? Real(abs(first / second)) : reach;
        move = std::min(move, reach);
        x *= right ? 1 + move : 1 - move;
        if (move < Real(1e-10) * reach) break;
      }
    }
  }

  // One step of Newton's method, shortened if a pole and a zero would come closer than half their distance.
  void step(const std::vector<Real>& deviation) {
    std::vector<std::vector<Real>> rows;
    for (std::size_t k = 0; k < extrema_.size(); ++k) {
      std::vector<Real> row;
      for (std::size_t i = 0; i < roots_.size(); ++i) {
        const Real w = roots_[i] / (extrema_[k] + roots_[i]);
        row.push_back(i % 2 ? w : Real(-w));
      }
      row.push_back(1);
      row.push_back(k % 2 ? 1 : -1);
      row.push_back(-deviation[k]);
      rows.push_back(std::move(row));
    }
    const std::vector<Real> change = solve(std::move(rows));
    Real fraction = 1;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      fraction = std::min(fraction, Real(1 / (abs(change[i]) + Real(1e-30))));
      if (i == 0) continue;
      const Real gap = (roots_[i] - roots_[i - 1]) / roots_[i], closing = change[i - 1] - change[i];
      if (closing * fraction > gap / 2) fraction = gap / (2 * closing);
    }
    for (std::size_t i = 0; i < roots_.size(); ++i) {  // exp(change), to second order
      const Real half = fraction * change[i] / 2;
      roots_[i] *= (1 + half) / (1 - half);
    }
    log_constant_ += fraction * change[2 * n_];
    level_ += fraction * change[2 * n_ + 1];
  }

  FactoredRational<Real> result() const {
    FactoredRational<Real> r;
    r.error = tanh(Real(abs(level_)));
    r.constant = exp(log_constant_) * sqrt(Real(1 - r.error * r.error));
    for (std::size_t i = 0; i < roots_.size(); ++i) (i % 2 ? r.zeros : r.poles).push_back(roots_[i]);
    r.extrema = extrema_;
    return r;
  }

  const StieltjesProduct<Real>& f_;
  int n_;
  std::vector<Real> roots_, extrema_;
  Real log_constant_ = 0, level_ = 0;
};

}  // namespace

template <class Real>
double expected_error_exponent(const StieltjesProduct<Real>& f, int order) {
  const Real k = sqrt(Real(f.lower / f.upper)), pi = acos(Real(-1));
  const Real ratio =
      EllipticFunctions<Real>(sqrt(Real(1 - k * k))).quarter_period() / EllipticFunctions<Real>(k).quarter_period();
  Real phase = 0, size = 0;
  for (const Real& power : f.powers) {
    phase -= power;
    size = std::max(size, Real(sin(pi * phase)));
  }
  return double(Real(log10(4 * size) - (2 * order + 1) * pi * ratio / log(Real(10))));
}

template <class Real>
FactoredRational<Real> best_approximation(const StieltjesProduct<Real>& f, int order) {
  return Remez<Real>(f, order).run();
}

template double expected_error_exponent(const StieltjesProduct<Multiprecision<38>>&, int);
template FactoredRational<Multiprecision<38>> best_approximation(const StieltjesProduct<Multiprecision<38>>&, int);
template FactoredRational<Multiprecision<100>> best_approximation(const StieltjesProduct<Multiprecision<100>>&, int);

}  // namespace trellis::hmc
