// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Hops of one to three steps on every process grid of the test's ranks: kernels run while messages are in flight, and
// after they have arrived.
#include <stdlib.h>

#include <cstdlib>

#include "tests/support/grids.hpp"
#include "tests/support/pattern_hops.hpp"
#include "trellis/core/simd/with_lanes.hpp"

namespace trellis {
namespace {

bool reaches_past_neighbours(const comm::ProcessGrid& grid, const Coordinate& size, int reach) {
  const Coordinate local = grid.local(size);
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (grid.extents()[mu] > 1 && local[mu] < reach) return true;
  return false;
}

template <class F>
void on_lattices(const Coordinate& size, int reach, const F& f) {
  for (const auto& grid : testing::grids_of(size)) {
    SCOPED_TRACE(to_string(grid.extents()));
    if (reaches_past_neighbours(grid, size, reach)) {
      EXPECT_THROW(Lattice(size, 1, SiteOrder::even_odd, {.vector_reach = reach}, grid), InputError);
      continue;
    }
    for (const int lanes : compiled_lane_counts<double>())
      if (Lattice::divides(grid.local(size), lanes))
        with_lanes(lanes, [&]<int W>() {
          f.template operator()<W>(Lattice(size, W, SiteOrder::even_odd, {.vector_reach = reach}, grid));
        });
  }
}

class RanksHops : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const char* const given = std::getenv("TRELLIS_OVERLAP")) before_ = given;
    ::setenv("TRELLIS_OVERLAP", GetParam(), 1);
  }
  void TearDown() override { ::setenv("TRELLIS_OVERLAP", before_.c_str(), 1); }

 private:
  std::string before_;
};
INSTANTIATE_TEST_SUITE_P(Overlap, RanksHops, ::testing::Values("0", "1"),
                         [](const auto& test) { return test.param[0] == '1' ? "Overlapped" : "OneAfterTheOther"; });

TEST_P(RanksHops, BringTheNumbersOfTheirSites) {
  for (const int reach : {1, 2, 3})
    on_lattices({4, 8, 4, 8}, reach, [&]<int W>(const Lattice& lattice) { testing::expect_patterns<W>(lattice); });
}

TEST_P(RanksHops, OfThinRanksBringTheNumbersOfTheirSites) {
  for (const int reach : {1, 2, 3})
    on_lattices({2, 2, 4, 16}, reach, [&]<int W>(const Lattice& lattice) { testing::expect_patterns<W>(lattice); });
}

TEST_P(RanksHops, LinksHaveTheirGhostsOnLatticesOfDeepOnes) {
  on_lattices({4, 4, 4, 8}, 2, [&]<int W>(const Lattice& lattice) {
    testing::expect_ghosts_of_links<double, W>(lattice);
    const int twice[] = {3, 3};
    const auto u = testing::named_links<double, W>(lattice);
    if (lattice.has_ghosts()) {
      EXPECT_THROW(u.exchange(Reach::three_steps), Error);
    }
    u.exchange();
    testing::expect_path(u, twice);
  });
  on_lattices({4, 4, 4, 8}, 3, [&]<int W>(const Lattice& lattice) {
    testing::expect_ghosts_of_links<double, W>(lattice);
    const auto u = testing::named_links<double, W>(lattice);
    u.exchange(Reach::three_steps);
    for (int step = 0; step < 8; ++step) {
      const int path[] = {step, step, step};
      testing::expect_path(u, path);
    }
  });
}

}  // namespace
}  // namespace trellis
