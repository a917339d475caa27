// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/rational.hpp"

#include <algorithm>
#include <cmath>
#include <ios>
#include <optional>

#include "trellis/core/error.hpp"
#include "trellis/hmc/remez.hpp"

namespace trellis::hmc {

namespace {

constexpr int largest_order = 40;
constexpr int most_digits = 40;       // of the 100 that are computed with
constexpr int parts = 8;              // subdivisions between two extrema, at which rounding is examined
constexpr double zero_power = 1e-13;  // 0.3 - 0.2 - 0.1 is meant to be 0

// f with ascending, distinct offsets and non-zero powers.
std::vector<PowerFactor> merged(std::vector<PowerFactor> f) {
  for (const PowerFactor& factor : f)
    if (!(factor.offset >= 0) || !std::isfinite(factor.offset) || !std::isfinite(factor.power))
      fail_input("a factor (y + {})^{}: the offset must not be negative, and both finite", factor.offset, factor.power);
  std::sort(f.begin(), f.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  std::vector<PowerFactor> different;
  for (const PowerFactor& factor : f)
    if (!different.empty() && different.back().offset == factor.offset)
      different.back().power += factor.power;
    else
      different.push_back(factor);
  std::erase_if(different, [](const auto& factor) { return std::abs(factor.power) < zero_power; });
  return different;
}

void require_interval(const std::vector<PowerFactor>& f, double lower, double upper) {
  if (!(lower < upper) || !std::isfinite(lower) || !std::isfinite(upper))
    fail_input("[{}, {}] is not a valid interval for an approximation", lower, upper);
  if (lower < 0 || (lower == 0 && !f.empty() && f.front().offset == 0))
    fail_input("the interval [{}, {}] of a rational approximation must begin above 0, where the function is singular",
               lower, upper);
}

// Of r in partial fractions, for each of its poles.
template <class Real>
std::vector<Real> residues_of(const FactoredRational<Real>& r) {
  std::vector<Real> residues;
  for (std::size_t i = 0; i < r.poles.size(); ++i) {
    Real residue = r.constant;
    for (const Real& zero : r.zeros) residue *= zero - r.poles[i];
    for (std::size_t k = 0; k < r.poles.size(); ++k)
      if (k != i) residue /= r.poles[k] - r.poles[i];
    residues.push_back(residue);
  }
  return residues;
}

// Partial fractions, rounded to double; and how far they deviate from r at these points.
template <class Real>
RationalApproximation rounded(const FactoredRational<Real>& r, double lower, double upper) {
  RationalApproximation sum;
  sum.lower = lower;
  sum.upper = upper;
  sum.constant = r.zeros.size() == r.poles.size() ? double(r.constant) : 0;
  for (const Real& residue : residues_of(r)) sum.residues.push_back(double(residue));
  for (const Real& pole : r.poles) sum.poles.push_back(double(pole));
  Real rounding = 0;
  const auto visit = [&](const Real& place) {
    const double y = std::clamp(double(place), lower, upper);
    Real exact = r.constant;
    for (const Real& zero : r.zeros) exact *= y + zero;
    for (const Real& pole : r.poles) exact /= y + pole;
    rounding = std::max(rounding, Real(abs(Real(sum(y) / exact - 1))));
  };
  for (std::size_t k = 0; k < r.extrema.size(); ++k) {
    visit(r.extrema[k]);
    for (int part = 1; k > 0 && part < parts; ++part)
      visit(r.extrema[k - 1] + (r.extrema[k] - r.extrema[k - 1]) * part / parts);
  }
  sum.error = double(Real(r.error + rounding));
  return sum;
}

// f, if it has the form of r.
std::optional<RationalApproximation> exact(const std::vector<PowerFactor>& f, double lower, double upper) {
  FactoredRational<Multiprecision<38>> r{1, {}, {}, {}, 0};
  for (const PowerFactor& factor : f) {
    if (factor.power != std::round(factor.power) || factor.power < -1) return {};
    if (factor.power > largest_order) return {};
    auto& roots = factor.power < 0 ? r.poles : r.zeros;
    roots.insert(roots.end(), std::size_t(std::abs(factor.power)), factor.offset);
  }
  if (r.zeros.size() > r.poles.size()) return {};
  r.extrema = {lower, upper};
  RationalApproximation form = rounded(r, lower, upper);
  if (form.error < 1e-15) form.error = 0;
  return form;
}

// f as a Stieltjes function of x, by maps that preserve the best approximation: f or 1/f, and a Moebius map of its cut
// to the negative axis. x = y + nearest, or (y + nearest)/(y + farthest) if the powers cancel and the cut is finite.
template <class Real>
class OnNegativeAxis {
 public:
  OnNegativeAxis(const std::vector<PowerFactor>& f, double lower, double upper)
      : lower_(lower), upper_(upper), nearest_(f.front().offset), farthest_(f.back().offset) {
    double sum = 0, least = 0, most = 0;
    bool whole = true;
    for (const PowerFactor& factor : f) {
      sum += factor.power;
      least = std::min(least, sum);
      most = std::max(most, sum);
      whole = whole && std::abs(sum - std::round(sum)) < zero_power;
    }
    inverse_ = most > -least;
    if (most - least > 1 + zero_power || std::min(most, -least) > zero_power || whole)
      fail_input(
          "no rational approximation: the powers of (y + offset), summed from the smallest offset on, reach from {} to "
          "{}; all must lie in [-1, 0] or all in [0, 1], and not all be integer",
          least, most);
    finite_ = std::abs(sum) < zero_power;
    const int sign = inverse_ ? -1 : 1;
    Real rest = 0;
    for (std::size_t j = 0; j < f.size(); ++j) {
      const Real offset = f[j].offset, power = sign * f[j].power;
      if (finite_ && j + 1 == f.size()) {  // exactly cancels the others
        scale_ *= exp(Real(-rest * log(Real(farthest_ - nearest_))));
        break;
      }
      rest += power;
      product_.offsets.push_back(finite_ ? Real((offset - nearest_) / (farthest_ - offset)) : Real(offset - nearest_));
      product_.powers.push_back(power);
      if (finite_) scale_ *= exp(Real(power * log(Real(farthest_ - offset))));
    }
    product_.lower = to_x(lower_);
    product_.upper = to_x(upper_);
  }

  const StieltjesProduct<Real>& product() const { return product_; }

  FactoredRational<Real> in_y(FactoredRational<Real> r) const {
    r.constant *= scale_;
    for (auto* roots : {&r.zeros, &r.poles})
      for (Real& root : *roots) {
        if (!finite_) {
          root += nearest_;
          continue;
        }
        if (roots == &r.zeros)
          r.constant *= 1 + root;
        else
          r.constant /= 1 + root;
        root = (nearest_ + root * farthest_) / (1 + root);
      }
    for (Real& x : r.extrema) x = finite_ ? Real((farthest_ * x - nearest_) / (1 - x)) : Real(x - nearest_);
    if (!inverse_) return r;
    r.constant = (1 - r.error * r.error) / r.constant;  // levels 1/(1 +- E) again
    std::swap(r.zeros, r.poles);
    return r;
  }

 private:
  Real to_x(const Real& y) const { return finite_ ? Real((y + nearest_) / (y + farthest_)) : Real(y + nearest_); }

  Real lower_, upper_, nearest_, farthest_, scale_ = 1;
  bool inverse_, finite_;
  StieltjesProduct<Real> product_;
};

double expected_exponent(const std::vector<PowerFactor>& f, double lower, double upper, int order) {
  return expected_error_exponent(OnNegativeAxis<Multiprecision<38>>(f, lower, upper).product(), order);
}

struct Approximation {
  RationalApproximation rounded;
  double levelled_error;
};

template <class Real>
RationalInFull in_full(const std::vector<PowerFactor>& f, double lower, double upper, int order, int digits) {
  const OnNegativeAxis<Real> problem(f, lower, upper);
  const auto best = best_approximation(problem.product(), order);
  const auto r = problem.in_y(best);
  FactoredRational<Real> inverse = r;
  std::swap(inverse.zeros, inverse.poles);
  inverse.constant = 1 / r.constant;
  inverse.error = r.error / (1 - r.error);
  const auto text = [&](const Real& number) { return number.str(digits - 1, std::ios_base::scientific); };
  const auto texts = [&](const std::vector<Real>& numbers) {
    std::vector<std::string> all;
    for (const Real& number : numbers) all.push_back(text(number));
    return all;
  };
  return {rounded(r, lower, upper), rounded(inverse, lower, upper), double(r.error),
          text(r.constant),         text(inverse.constant),         texts(r.zeros),
          texts(r.poles),           texts(residues_of(r)),          texts(residues_of(inverse))};
}

template <class Real>
Approximation approximation(const std::vector<PowerFactor>& f, double lower, double upper, int order) {
  const OnNegativeAxis<Real> problem(f, lower, upper);
  const auto best = best_approximation(problem.product(), order);
  return {rounded(problem.in_y(best), lower, upper), double(best.error)};
}

// log10 of the expected error. Throws InputError if that is beyond the most digits that are computed with.
double reachable_exponent(const std::vector<PowerFactor>& f, double lower, double upper, int order) {
  const double exponent = expected_exponent(f, lower, upper, order);
  if (!(exponent > -75))
    fail_input("a rational approximation of order {} on [{}, {}] would have an error of 1e{:.0f}; choose a lower order",
               order, lower, upper, exponent);
  return exponent;
}

// With as many digits as the error needs.
Approximation approximation(const std::vector<PowerFactor>& f, double lower, double upper, int order) {
  return reachable_exponent(f, lower, upper, order) > -18 ? approximation<Multiprecision<38>>(f, lower, upper, order)
                                                          : approximation<Multiprecision<100>>(f, lower, upper, order);
}

void require_order(int order) {
  if (order < 0 || order > largest_order)
    fail_input("a rational approximation of order {}; the order must lie in [0, {}]", order, largest_order);
}

std::vector<PowerFactor> checked(const std::vector<PowerFactor>& f, double lower, double upper, double error) {
  if (!(error > 0)) fail_input("a rational approximation with the error {}; it must be positive", error);
  std::vector<PowerFactor> factors = merged(f);
  require_interval(factors, lower, upper);
  return factors;
}

// The best approximation of the smallest order whose error_of() is at most `error`, looked for from the order where
// that is expected: errors fall by a constant factor per order. stop: throws if no larger order will do.
template <class ErrorOf, class Stop>
Approximation smallest(const std::vector<PowerFactor>& f, double lower, double upper, double error, double expected,
                       const ErrorOf& error_of, const Stop& stop) {
  const double first = expected_exponent(f, lower, upper, 0);
  const double rate = first - expected_exponent(f, lower, upper, 1);
  int order = std::clamp(int(std::ceil((first - std::log10(expected)) / rate)), 0, largest_order);
  Approximation best = approximation(f, lower, upper, order);
  while (error_of(best) > error) {
    stop(best);
    best = approximation(f, lower, upper, ++order);
  }
  while (order > 0) {
    Approximation smaller = approximation(f, lower, upper, order - 1);
    if (error_of(smaller) > error) break;
    best = std::move(smaller);
    --order;
  }
  return best;
}

}  // namespace

double RationalApproximation::operator()(double y) const {
  double sum = constant;
  for (std::size_t i = 0; i < poles.size(); ++i) sum += residues[i] / (y + poles[i]);
  return sum;
}

RationalApproximation remez(const std::vector<PowerFactor>& f, double lower, double upper, int order) {
  const std::vector<PowerFactor> factors = merged(f);
  require_interval(factors, lower, upper);
  require_order(order);
  if (const auto form = exact(factors, lower, upper)) {
    if (form->order() <= order) return *form;
    fail_input("the function is rational, of order {}; an approximation of order {} was requested", form->order(),
               order);
  }
  return approximation(factors, lower, upper, order).rounded;
}

RationalInFull remez_in_full(const std::vector<PowerFactor>& f, double lower, double upper, int order, int digits) {
  const std::vector<PowerFactor> factors = merged(f);
  require_interval(factors, lower, upper);
  require_order(order);
  if (digits < 2 || digits > most_digits) fail_input("{} digits; from 2 to {} are possible", digits, most_digits);
  if (exact(factors, lower, upper)) fail_input("the function is rational itself, so it needs no approximation");
  reachable_exponent(factors, lower, upper, order);
  return in_full<Multiprecision<100>>(factors, lower, upper, order, digits);
}

RationalApproximation rational_approximation(const std::vector<PowerFactor>& f, double lower, double upper,
                                             double error) {
  const std::vector<PowerFactor> factors = checked(f, lower, upper, error);
  if (const auto form = exact(factors, lower, upper)) return *form;
  return smallest(
             factors, lower, upper, error, std::max(error, 1e-17),
             [](const Approximation& one) { return one.rounded.error; },
             [&](const Approximation& one) {
               if (one.rounded.order() == largest_order || one.levelled_error < error / 10)
                 fail_input(
                     "no rational approximation on [{}, {}] has the error {}: order {} reaches {:.2e}, of which {:.2e} "
                     "is rounding to double",
                     lower, upper, error, one.rounded.order(), one.rounded.error,
                     one.rounded.error - one.levelled_error);
             })
      .rounded;
}

int order_of_error(const std::vector<PowerFactor>& f, double lower, double upper, double error) {
  const std::vector<PowerFactor> factors = checked(f, lower, upper, error);
  if (const auto form = exact(factors, lower, upper)) return form->order();
  return smallest(
             factors, lower, upper, error, error, [](const Approximation& one) { return one.levelled_error; },
             [&](const Approximation& one) {
               if (one.rounded.order() == largest_order)
                 fail_input("no rational approximation on [{}, {}] has the error {}: order {} reaches {:.2e}", lower,
                            upper, error, largest_order, one.levelled_error);
             })
      .rounded.order();
}

}  // namespace trellis::hmc
