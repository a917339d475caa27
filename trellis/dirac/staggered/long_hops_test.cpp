// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/long_hops.hpp"

#include <gtest/gtest.h>

#include "reference/staggered.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/naik_links.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"

namespace trellis::dirac {
namespace {

using test::from_reference;

// Hops of one step with packed links and long ones from the field are the naive sum for any matrices. With packed long
// links the third rows are those of the other two.
TEST(LongHops, AreThoseOfAnyMatrices) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{4, 2, 6, 8}})
    for (const LinkPhases& phases : {LinkPhases{}, LinkPhases{.imaginary_mu = 0.37, .quanta = {1, -2, 0, 3, 1, -1}}}) {
      test::NaikLinks u(size);
      for (auto& link : u.three_steps.links) link[7] += 1e-7;
      const auto theta = test::reference_phases(phases, size);
      test::for_each_lane_count(size, [&]<int W>() {
        const auto fat = from_reference<double, W>(u.fat), long_links = from_reference<double, W>(u.three_steps);
        const Lattice& lattice = fat.lattice();
        const StaggeredLinks<double, W> links(lattice, LinkKind::fat_and_long);
        links.pack(fat, long_links);
        const StaggeredOperator<double, W> packed(links, phases, 0.1);
        const auto coefficient = staggered_coefficient(phases, size);
        const HopTable<double, W> one_step(lattice, coefficient), all(lattice, coefficient, naik_neighbours);
        for (const int parity : {0, 1}) {
          const ColourVectorField<double, W> in(lattice, parity, 2), out(lattice, 1 - parity, 2),
              restored = out.clone();
          for (int n = 0; n < 2; ++n) from_reference(reference::random_field(size, 100 + n), in, n);
          apply_hops(links, one_step, in, out);
          add_long_hops(long_links, all, in, out);
          packed.hop(in, restored);
          for (int n = 0; n < 2; ++n) {
            const auto psi = test::restricted(reference::random_field(size, 100 + n), size, parity);
            const auto expected = test::naive_naik_d(u, theta, psi);
            const auto distance = [&](const auto& field) {
              double most = 0;
              for (const auto& v : test::to_reference(field, n) - expected)
                for (const auto& c : v) most = std::max(most, std::abs(c));
              return most;
            };
            EXPECT_LT(distance(out), 2e-14) << W;
            EXPECT_GT(distance(restored), 1e-8) << W;
          }
        }
      });
    }
}

TEST(LongHops, WhatDoesNotFitIsRefused) {
  const Lattice lattice({4, 4, 4, 4}), other({4, 4, 4, 8});
  const GaugeField<double, 1> u(lattice);
  const ColourVectorField<double, 1> even(lattice, 0), odd(lattice, 1), elsewhere(other, 1);
  const auto coefficient = staggered_coefficient({}, lattice.size());
  const HopTable<double, 1> near(lattice, coefficient), all(lattice, coefficient, naik_neighbours);
  EXPECT_EQ(test::message_of([&] { add_long_hops(u, near, even, odd); }),
            "long hops: coefficients of 8 hops; there must be 16");
  EXPECT_EQ(test::message_of([&] { add_long_hops(u, all, even, even); }),
            "long hops: parities 0 and 0, counts 1 and 1 do not fit");
  EXPECT_EQ(test::message_of([&] { add_long_hops(u, all, even, elsewhere); }),
            "long hops: vectors and links are on different lattices");
}

}  // namespace
}  // namespace trellis::dirac
