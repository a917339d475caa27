// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/field.hpp"

#include <gtest/gtest.h>

#include "tests/support/message_of.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis {
namespace {

TEST(Fields, EmptyOnesHaveNoLattice) {
  const GaugeField<double, 1> u;
  const AlgebraField<double, 1> p;
  const ParityField<double, 6, 1> x;
  const std::string why = " without a lattice: it was made without arguments and is empty";
  EXPECT_EQ(test::message_of([&] { u.lattice(); }), "a gauge field" + why);
  EXPECT_EQ(test::message_of([&] { u.access(); }), "a gauge field" + why);
  EXPECT_EQ(test::message_of([&] { u.clone(); }), "a gauge field" + why);
  EXPECT_EQ(test::message_of([&] { u.link({0, 0, 0, 0}, 0); }), "a gauge field" + why);
  EXPECT_EQ(test::message_of([&] { bytes_of(u); }), "a gauge field" + why);
  EXPECT_EQ(test::message_of([&] { p.clone(); }), "a field of momenta" + why);
  EXPECT_EQ(test::message_of([&] { x.like(); }), "a field of vectors" + why);
}

TEST(Fields, LinksThatAreNotThereAreErrors) {
  const GaugeField<double, 1> u(Lattice({4, 4, 4, 8}));
  const std::array<double, 18> link{};
  EXPECT_EQ(test::message_of([&] { u.set_link({0, 0, 0, 8}, 0, link); }),
            "site (0, 0, 0, 8) is not on the 4x4x4x8 lattice");
  EXPECT_EQ(test::message_of([&] { u.link({0, -1, 0, 0}, 0); }), "site (0, -1, 0, 0) is not on the 4x4x4x8 lattice");
  EXPECT_EQ(test::message_of([&] { u.set_link({0, 0, 0, 0}, 4, link); }), "direction 4 of a link; there are 0 to 3");
  EXPECT_EQ(test::message_of([&] { AlgebraField<double, 1>(u.lattice()).at({0, 0, 0, 0}, -1); }),
            "direction -1 of a link; there are 0 to 3");
}

}  // namespace
}  // namespace trellis
