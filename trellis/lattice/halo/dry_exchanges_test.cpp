// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/dry_exchanges.hpp"

#include <gtest/gtest.h>

#include "trellis/lattice/fingerprint.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis {
namespace {

TEST(DryExchanges, AreRecorded) {
  const DryRun run;
  const DryExchanges exchanges(run);
  for (const LatticeShape& shape : {LatticeShape{}, LatticeShape{.ghosts = {0, 0, 1, 1}}}) {
    const Lattice lattice({4, 4, 4, 4}, 1, SiteOrder::even_odd, shape);
    EXPECT_FALSE(lattice.has_ghosts());
    const GaugeField<double, 1> u(lattice);
    const ColourVectorField<double, 1> x(lattice, 0, 3);
    const auto first = exchanges.list().size(), calls = run.calls().size();
    u.exchange(Reach::two_steps);
    exchange_vectors(x, Faces::forward);
    over_halo(lattice, 1, x.halo_parts(), [](const TileSet& tiles) { EXPECT_TRUE(tiles.is_all()); });
    ASSERT_EQ(exchanges.list().size(), first + 3);
    const DryExchange &links = exchanges.list()[first], &forward = exchanges.list()[first + 1],
                      &hops = exchanges.list()[first + 2];
    EXPECT_EQ(links.bytes, 72 * 8);
    EXPECT_EQ(links.calls, calls);
    EXPECT_EQ(links.reach, Reach::two_steps);
    EXPECT_FALSE(links.of_parity || links.overlapped);
    EXPECT_EQ(forward.bytes, 3 * 6 * 8);
    EXPECT_EQ(forward.faces, Faces::forward);
    EXPECT_TRUE(forward.of_parity && !forward.overlapped);
    EXPECT_EQ(hops.bytes, 3 * 6 * 8);
    EXPECT_TRUE(hops.of_parity && hops.overlapped);
  }
}

// The links are not read, but code that caches results of them can see that they have changed.
TEST(DryExchanges, FingerprintsOfLinks) {
  const DryRun run;
  const DryExchanges exchanges(run);
  const Lattice lattice({4, 4, 4, 4});
  const GaugeField<double, 1> u(lattice), v(lattice);
  const auto before = fingerprint(u);
  u.exchange(Reach::two_steps);  // a stencil with a longer reach
  EXPECT_EQ(fingerprint(u), before);
  EXPECT_NE(fingerprint(v), before);
  u.exchange(Reach::corners);  // says that they have changed
  EXPECT_NE(fingerprint(u), before);
  EXPECT_EQ(run.calls().back().name, "fingerprint");
  EXPECT_TRUE(run.calls().back().result);
}

}  // namespace
}  // namespace trellis
