// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tests of improved staggered links, of one level or two, have in common. make: a template that returns a
// smearing, make.operator()<T, W>(lattice).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "reference/numerical_derivative.hpp"
#include "tests/support/linear_function.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::test {

// Of a linear function of fat links, links of three steps, and those that these are made of.
struct LinkDerivatives {
  reference::GaugeConfiguration by_fat, by_far, by_one_step;
  LinkDerivatives(const Coordinate& size, std::uint64_t seed)
      : by_fat(random_matrices(size, seed)),
        by_far(random_matrices(size, seed + 1)),
        by_one_step(random_matrices(size, seed + 2)) {}
};

template <class T, int W>
AlgebraField<T, W> force_of(const gauge::SmearedLinks<T, W>& links, const LinkDerivatives& by,
                            const GaugeField<T, W>& u) {
  links.smear(u);
  const AlgebraField<T, W> p(u.lattice());
  const auto by_fat = from_reference<T, W>(by.by_fat);
  if (links.long_links() != nullptr)
    links.add_force_with_long(by_fat, {from_reference<T, W>(by.by_far), from_reference<T, W>(by.by_one_step)}, 1.0, p);
  else
    links.add_force(by_fat, 1.0, p);
  return p;
}

// Of generator k, relative to the largest component: fourth-order differences, with one step of Richardson
// extrapolation.
inline void expect_minus_derivative(const AlgebraField<double, 1>& force,
                                    const std::function<double(const reference::GaugeConfiguration&)>& f,
                                    const reference::GaugeConfiguration& c, int mu, int k, double step, double limit,
                                    const std::string& what) {
  const Coordinate x = force.lattice().coordinate(force.lattice().volume() / 3 + mu);
  const auto found = force.at(x, mu);
  double scale = 0;
  for (const double v : found) scale = std::max(scale, std::abs(v));
  const double coarse = reference::numerical_derivative(f, c, x, mu, k, 2 * step),
               fine = reference::numerical_derivative(f, c, x, mu, k, step);
  EXPECT_NEAR(found[std::size_t(k)], -(16 * fine - coarse) / 15, limit * scale) << what << " " << mu << " " << k;
}

template <class Make>
void expect_single_precision_near(const reference::GaugeConfiguration& c, const LinkDerivatives& by, const Make& make,
                                  double limit) {
  const auto u = from_reference<double, 1>(c);
  const auto v = from_reference<float, 1>(c);
  const auto expected = force_of(make.template operator()<double, 1>(u.lattice()), by, u);
  const auto found = force_of(make.template operator()<float, 1>(v.lattice()), by, v);
  for (std::int64_t n = 0; n < expected.lattice().volume(); n += 17)
    for (std::size_t k = 0; k < 8; ++k) {
      const Coordinate x = expected.lattice().coordinate(n);
      EXPECT_NEAR(found.at(x, 2)[k], expected.at(x, 2)[k], limit);
    }
}

// Of links and forces, for every lane count and several numbers of threads.
template <class T, class Make>
void expect_same_bits(const reference::GaugeConfiguration& c, const LinkDerivatives& by, const Make& make) {
  const int threads_before = concurrency();
  set_thread_count(1);
  const auto one = from_reference<T, 1>(c);
  const auto alone = make.template operator()<T, 1>(one.lattice());
  const auto fat = to_reference(alone.smear(one)), far = to_reference(alone.long_links()->three_steps);
  const auto expected = force_of(alone, by, one);
  for (const int threads : {1, 3})
    for_each_lane_count(c.size, [&]<int W>() {
      set_thread_count(threads);
      const auto u = from_reference<T, W>(c);
      const auto links = make.template operator()<T, W>(u.lattice());
      EXPECT_EQ(to_reference(links.smear(u)).links, fat.links) << W << " lanes, " << threads << " threads";
      EXPECT_EQ(to_reference(links.long_links()->three_steps).links, far.links) << W << " lanes";
      const auto p = force_of(links, by, u);
      for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
        for (int mu = 0; mu < 4; ++mu) {
          const Coordinate x = u.lattice().coordinate(n);
          ASSERT_EQ(p.at(x, mu), expected.at(x, mu)) << W << " lanes, " << threads << " threads";
        }
    });
  set_thread_count(threads_before);
}

}  // namespace trellis::test
