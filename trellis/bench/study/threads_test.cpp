// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Bodies for lanes that are threads, and the kernels that run them in each order: here with one lane, on the host.
#include <gtest/gtest.h>

#include "reference/wilson.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_spinors.hpp"
#include "trellis/bench/study/threads/bodies_definition.hpp"
#include "trellis/bench/study/variant_storage.hpp"

namespace trellis::bench::study {
namespace {

constexpr Coordinate threads_shape{4, 4, 6, 8};

template <SiteLayout Layout, LinkFormat Links>
CompiledBody<double> one_lane() {
  constexpr BodyChoice choice{.layout = Layout, .links = Links};
  return thread_body<double, choice, true>();
}

TEST(StudysThreads, EachOrderAndLayoutAgreesWithTheOracle) {
  const HopWeights weights{.spatial = 0.83, .boundary_angle_over_pi = {0.2, 0.7, -0.5, 1.1}};
  const reference::WilsonMatrix matrix(
      reference::hot_configuration(threads_shape, 51),
      {.spatial_hopping = weights.spatial, .boundary_angle_over_pi = weights.boundary_angle_over_pi});
  const auto psi = reference::random_spinors(threads_shape, 60);
  const GaugeField<double, 1> u(test::from_reference<double, 1>(matrix.links));
  const reference::SpinorField expected_of[2] = {apply_d(matrix, psi), apply_d_adjoint(matrix, psi)};
  for (const auto& body :
       {one_lane<SiteLayout::right, LinkFormat::full>(), one_lane<SiteLayout::left, LinkFormat::full>(),
        one_lane<SiteLayout::tiled, LinkFormat::full>(), one_lane<SiteLayout::left, LinkFormat::two_rows>()}) {
    VariantStorage<double> storage(body, Lattice(threads_shape, 1, SiteOrder::even_odd, {.column = {2, 3}}),
                                   u.lattice());
    storage.place(WilsonLinks<double, 1>(u, body.choice.links, weights));
    for (const int parity : {0, 1}) {
      SpinorField<double, 1> in(u.lattice(), 1 - parity);
      test::from_reference(psi, in);
      storage.place(in);
      for (const bool adjoint : {false, true}) {
        const auto expected = part(threads_shape, expected_of[adjoint ? 1 : 0], reference::SiteParity(parity));
        for (const Traversal traversal : {Traversal::flat, Traversal::team, Traversal::blocked})
          for (const int size : {1, 2}) {
            auto arguments = storage.arguments(parity);
            arguments.adjoint = adjoint;
            arguments.streaming = size == 2;
            Walk walk = storage.walk();
            walk.traversal = traversal;
            walk.team_size = size - 1;
            walk.block = {size, size, 3, size};
            // Whatever was there is overwritten.
            deep_copy(storage.spinors(parity), 7.0);
            body.launch("study", walk, arguments);
            const auto found = test::to_reference(storage.vectors(parity));
            EXPECT_LT(test::largest(found - expected), 1e-14 * test::largest(expected))
                << "layout " << int(body.choice.layout) << ", order " << int(traversal) << ", adjoint " << adjoint;
          }
      }
    }
  }
}

TEST(StudysThreads, FunctorsSayHowManyBlocksMustFit) {
  const auto body = [](int) {};
  EXPECT_EQ((least_blocks_of<FlatBody<decltype(body), 0>>), 0);
  EXPECT_EQ((least_blocks_of<FlatBody<decltype(body), 8>>), 8);
}

}  // namespace
}  // namespace trellis::bench::study
