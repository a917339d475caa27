// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include <cstdlib>

#include "tests/support/ghost_paths.hpp"
#include "tests/support/grids.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/site_map.hpp"

namespace trellis {
namespace {

// f(lattice) on all grids, with all lane counts of T that fit. f is a lambda with [&] even if it captures nothing: one
// with [] would convert to a function pointer, and nvcc warns that the pointer's type does not depend on W.
template <class T = double, class F>
void on_lattices(const Coordinate& size, const F& f) {
  for (const auto& grid : testing::grids_of(size)) {
    SCOPED_TRACE(to_string(grid.extents()));
    for (const int lanes : compiled_lane_counts<T>()) {
      if (!Lattice::divides(grid.local(size), lanes)) continue;
      with_lanes<T>(lanes, [&]<int W>() { f.template operator()<W>(Lattice(size, W, SiteOrder::even_odd, {}, grid)); });
    }
  }
}

template <int W>
std::array<double, 2> some_sums(const Lattice& lattice) {
  using D = lanes_t<double, W>;
  const TileSites sites = lattice.tile_sites();
  return sum_over_tiles<D, 2>(
      "sum", lattice, TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        const LaneSites own = sites(tile);
        D term(0.0);
        for (const int l : own_lanes<D>()) set_lane(term, l, 1.0 / (1.0 + double(own[l] * own[l])));
        sums[0].add(term);
        sums[1].add(D(1e-30) * term);
      });
}

TEST(RanksHalo, GhostsOfLinksHoldTheLinksOfTheirSites) {
  on_lattices({4, 4, 4, 8},
              [&]<int W>(const Lattice& lattice) { testing::expect_ghosts_of_links<double, W>(lattice); });
}

TEST(RanksHalo, GhostsOfVectorsAreThereBeforeStencilsReadThem) {
  on_lattices({4, 8, 4, 8},
              [&]<int W>(const Lattice& lattice) { testing::expect_ghosts_of_vectors<double, W>(lattice, 3); });
  on_lattices<float>({4, 8, 4, 8}, [&]<int W>(const Lattice& lattice) {
    testing::expect_ghosts_of_vectors<float, W>(lattice, 1);
    testing::expect_ghosts_of_vectors<Fixed16, W>(lattice, 2);
  });
}

TEST(RanksHalo, SumsAreThoseOfAllRanks) {
  const Coordinate size{4, 4, 4, 8};
  const auto alone = some_sums<1>(Lattice(size));
  on_lattices(size, [&]<int W>(const Lattice& lattice) { EXPECT_EQ(some_sums<W>(lattice), alone); });
}

TEST(RanksHalo, ConvertedFieldsHaveTheirGhosts) {
  const Coordinate size{4, 4, 4, 8};
  on_lattices(size, [&]<int W>(const Lattice& lattice) {
    if constexpr (W > 1) return;
    const auto u = testing::named_links<double, W>(lattice);
    const GaugeField<float, W> v(lattice);
    convert_links(SiteMap(lattice, lattice), u, v);
    const int steps[] = {3, 6};
    testing::expect_path(v, steps);
  });
}

TEST(RanksHalo, LatticesThatDoNotDivideAreRefused) {
  const auto world = comm::Communicator::world();
  if (world.size() == 1) return;
  const comm::ProcessGrid grid(world, {world.size(), 1, 1, 1});
  EXPECT_THROW(Lattice({2, 2, 2, 2}, 1, SiteOrder::even_odd, {}, grid), InputError);
}

TEST(RanksHalo, TransportsAreKnownByName) {
  const auto world = comm::Communicator::world();
  EXPECT_EQ(choose_transport(world) == Transport::none, world.size() == 1);
  const char* const given = std::getenv("TRELLIS_TRANSPORT");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("TRELLIS_TRANSPORT", "pigeons", 1);
  EXPECT_THROW(choose_transport(world), InputError);
  ::setenv("TRELLIS_TRANSPORT", before.c_str(), 1);
}

}  // namespace
}  // namespace trellis
