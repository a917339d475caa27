// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Slabs on all ranks of a job against the whole mesh on each: the same bits of the system and of products, the same
// solution to rounding.
#include <gtest/gtest.h>

#include <cmath>

#include "examples/minife/problem.hpp"
#include "examples/minife/slab.hpp"
#include "examples/minife/system.hpp"
#include "trellis/core/error.hpp"

namespace examples::minife {
namespace {

template <class Matrix>
class MiniFERanks : public testing::Test {};
using Matrices = testing::Types<EllMatrix<trellis::LayoutRight>, EllMatrix<trellis::LayoutLeft>, CsrMatrix>;
TYPED_TEST_SUITE(MiniFERanks, Matrices);

// f(row here, row of the whole mesh) for the rows of this rank.
template <class F>
void for_each_own_row(const Slab& slab, const F& f) {
  for (Index i = slab.own.first; i < slab.own.end; ++i) f(i, i + slab.mesh.below * slab.mesh.plane());
}

template <class Matrix>
void expect_that_of_one_rank(const Mesh& whole) {
  const ManufacturedHeat heat;
  const auto alone = make_system<Matrix>(whole, heat);
  const Slab slab = make_slab(whole, trellis::comm::Communicator::world());
  const auto part = make_system<Matrix>(slab.mesh, heat);
  const SlabMatrix<Matrix> matrix(part.matrix, slab);
  std::uint64_t rows = std::uint64_t(matrix.rows());
  slab.ranks.sum("rows", {&rows, 1});
  EXPECT_EQ(rows, std::uint64_t(whole.nodes()));

  // On a GPU this reads memory of the host's copies.
  const auto host = [](const Vector& v) { return trellis::create_mirror_view_and_copy(v); };
  const auto load = host(part.load), load_alone = host(alone.load);
  for_each_own_row(slab, [&](Index i, Index there) { ASSERT_EQ(load(i), load_alone(there)) << there; });

  // x of one rank, its own rows here; ghost planes must come from the neighbours.
  const Vector x("x", slab.mesh.nodes()), y("y", slab.mesh.nodes());
  const Vector x_alone("x", whole.nodes()), y_alone("y", whole.nodes());
  const Index offset = slab.mesh.below * slab.mesh.plane();
  trellis::parallel_for("x", whole.nodes(), TRELLIS_LAMBDA(Index i) { x_alone(i) = std::sin(double(i)); });
  trellis::parallel_for(
      "x", trellis::RangePolicy<>(slab.own.first, slab.own.end),
      TRELLIS_LAMBDA(Index i) { x(i) = std::sin(double(i + offset)); });
  multiply(alone.matrix, x_alone, y_alone);
  for (int round = 0; round < 2; ++round) {
    multiply(matrix, x, y);
    const auto product = host(y), product_alone = host(y_alone);
    for_each_own_row(slab, [&](Index i, Index there) { ASSERT_EQ(product(i), product_alone(there)) << there; });
  }
  EXPECT_NEAR(dot(matrix, x, y), dot(x_alone, y_alone), 1e-12 * dot(x_alone, x_alone));

  const auto solve = [](const auto& a, const auto& system, const Vector& u) {
    trellis::deep_copy(u, system.start);
    return conjugate_gradient(a, system.load, u, Workspace(u.extent(0)), 500, 1e-12);
  };
  const auto found = solve(matrix, part, x), expected = solve(alone.matrix, alone, x_alone);
  EXPECT_LE(found.recursive, 1e-12 * found.first);
  EXPECT_NEAR(found.actual, found.recursive, 1e-12 * found.first);
  EXPECT_NEAR(found.first, expected.first, 1e-13 * expected.first);
  EXPECT_LE(std::abs(found.iterations - expected.iterations), 1);
  const auto u = host(x), u_alone = host(x_alone);
  for_each_own_row(slab, [&](Index i, Index there) { ASSERT_NEAR(u(i), u_alone(there), 1e-10) << there; });
}

TYPED_TEST(MiniFERanks, HaveTheSystemAndTheSolutionOfOne) {
  expect_that_of_one_rank<TypeParam>({6, 5, 15, 0.1});
  expect_that_of_one_rank<TypeParam>({5, 4, 9, 0.05});  // on eight ranks some have a single plane
}

TEST(MiniFESlabs, RefuseMoreRanksThanPlanes) {
  const auto world = trellis::comm::Communicator::world();
  const Mesh thin{4, 4, 1, 0};
  if (world.size() > 2)
    EXPECT_THROW(make_slab(thin, world), trellis::InputError);
  else
    EXPECT_EQ(make_slab(thin, world).own.count(), 2 / world.size() * thin.plane());
}

}  // namespace
}  // namespace examples::minife
