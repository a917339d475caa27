// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/poisson_brackets.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "trellis/core/base/median.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::hmc {

namespace {

// So small that its square does not matter, and so large that residuals of solves do not: predictions of dH from these
// brackets are held against dH in integrator_model_test.cpp.
constexpr double small_drift = 0.01;

double median_or_zero(const std::vector<double>& values) { return values.empty() ? 0 : median(values); }

}  // namespace

template <class T, int W>
BracketMeter<T, W>::BracketMeter(Terms<T, W> terms, const Lattice& lattice)
    : terms_(std::move(terms)),
      moved_force_(lattice, "force"),
      moved_(lattice, "moved links"),
      own_seconds_(terms_.size()),
      group_seconds_(terms_.size()) {
  for (std::size_t k = 0; k < terms_.size(); ++k) forces_.emplace_back(lattice, "force");
}

template <class T, int W>
void BracketMeter<T, W>::call_between_forces() const {
  if (between_forces_) between_forces_();
}

template <class T, int W>
void BracketMeter<T, W>::force(std::size_t number, const GaugeField<T, W>& u, const AlgebraField<T, W>& out) {
  call_between_forces();
  Term<T, W>& term = *terms_[number];
  set_zero(out);
  double own = 0, shared = 0;
  if (ForceGroup<T, W>* const group = term.group()) {
    timed(own, [&] {
      group->clear();
      term.contribute(u);
    });
    timed(shared, [&] { group->add_force(u, 1, out); });
  } else {
    timed(own, [&] { term.add_force(u, 1, out); });
  }
  own_seconds_[number].push_back(own);
  group_seconds_[number].push_back(shared);
}

template <class T, int W>
PoissonBrackets BracketMeter<T, W>::measure(const GaugeField<T, W>& u, const AlgebraField<T, W>& p) {
  const std::size_t count = terms_.size();
  PoissonBrackets result{std::vector<double>(count, 0), std::vector<double>(count, 0),
                         std::vector<std::vector<double>>(count, std::vector<double>(count, 0))};
  displace_links(small_drift, p, u, moved_);
  for (std::size_t k = 0; k < count; ++k) force(k, moved_, forces_[k]);
  displace_links(-small_drift, p, u, moved_);
  const double links = 4 * double(u.lattice().volume());
  for (std::size_t k = 0; k < count; ++k) {
    force(k, moved_, moved_force_);
    result.hessian[k] = -(inner_product(p, forces_[k]) - inner_product(p, moved_force_)) / (2 * small_drift);
    const double change = distance(forces_[k], moved_force_).root_mean_square / (2 * small_drift);
    result.rate[k] = links * change * change;
  }
  for (std::size_t k = 0; k < count; ++k) {
    force(k, u, forces_[k]);
    for (std::size_t j = 0; j <= k; ++j) result.gram[j][k] = result.gram[k][j] = inner_product(forces_[j], forces_[k]);
  }
  return result;
}

template <class T, int W>
std::vector<double> BracketMeter<T, W>::fastest(const GaugeField<T, W>& u, const AlgebraField<T, W>& p) {
  constexpr int iterations = 3;
  const double size = std::sqrt(inner_product(p, p));
  const AlgebraField<T, W>& direction = forces_.front();
  std::vector<double> result;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    double most = 0;
    direction.copy_from(p);
    for (int n = 0; n < iterations; ++n) {
      const double now = std::sqrt(inner_product(direction, direction));
      if (!(now > 0)) break;
      const double drift = small_drift * size / now;
      set_zero(moved_force_);
      for (const double sign : {1.0, -1.0}) {
        call_between_forces();
        displace_links(sign * drift, direction, u, moved_);
        terms_[k]->add_force(moved_, sign / (2 * drift), moved_force_);
      }
      direction.copy_from(moved_force_);
      most = std::max(most, std::sqrt(inner_product(direction, direction)) / now);
    }
    result.push_back(std::sqrt(most));
  }
  return result;
}

template <class T, int W>
ForceCosts BracketMeter<T, W>::costs() const {
  ForceCosts costs;
  std::vector<const ForceGroup<T, W>*> groups;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    costs.own.push_back(median_or_zero(own_seconds_[k]));
    costs.group.push_back(median_or_zero(group_seconds_[k]));
    const ForceGroup<T, W>* const group = terms_[k]->group();
    const auto found = std::find(groups.begin(), groups.end(), group);
    costs.group_of.push_back(group ? int(found - groups.begin()) : -1);
    if (group && found == groups.end()) groups.push_back(group);
  }
  return costs;
}

#define TRELLIS_INSTANTIATE(W) template class BracketMeter<double, W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
