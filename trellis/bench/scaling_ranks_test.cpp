// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/grids.hpp"
#include "trellis/bench/machine/crew.hpp"
#include "trellis/bench/scaling.hpp"
#include "trellis/core/profile/profile.hpp"

namespace trellis::bench {
namespace {

class ScalingOfRanks : public ::testing::Test {
 protected:
  const comm::Communicator ranks = comm::Communicator::world();
  const int size = ranks.size();
};

TEST_F(ScalingOfRanks, OthersWaitForACrew) {
  for (int count = 1; count <= size; ++count) {
    Crew crew(ranks, count);
    EXPECT_EQ(crew.works(), ranks.rank() < count);
    int done = 0;
    for (int n = 0; n < 3; ++n)
      crew.work([&] {
        crew.ranks().barrier("a crew at work");
        ++done;
      });
    EXPECT_EQ(done, crew.works() ? 3 : 0);
  }
}

TEST_F(ScalingOfRanks, OthersAreToldThatTheWorkGoesOn) {
  for (int count = 1; count <= size; ++count) {
    Crew crew(ranks, count, {});
    int done = 0;
    for (int n = 0; n < 3; ++n)
      crew.work([&] {
        for (int part = 0; part < 5; ++part) {
          crew.still_at_work();
          ++done;
        }
      });
    EXPECT_EQ(done, crew.works() ? 15 : 0);
    ranks.barrier("all have left");
  }
}

TEST_F(ScalingOfRanks, WiresAreMeasured) {
  const auto wires = measure_wires(ranks, size == 1 ? std::vector{1} : std::vector{1, size});
  EXPECT_EQ(wires[0].transport, "none");
  EXPECT_FALSE(wires[0].links.inside || wires[0].links.across);
  if (size == 1) return;
  EXPECT_NE(wires[1].transport, "none");
  EXPECT_GT(wires[1].sum_seconds, 0);
  ASSERT_TRUE(wires[1].links.inside);
  EXPECT_GT(wires[1].links.inside->latency, 0);
  EXPECT_GT(wires[1].links.inside->bandwidth, 1e6);
}

// Bytes that packing moves, relative to those that are sent.
double moved(const std::string& kernel) {
  if (kernel == "pack halo" || kernel == "pack links") return 2;
  return kernel == "pack half spinors" ? 3 : 0;
}

// Compared with what the packing kernels declare, on every grid.
TEST_F(ScalingOfRanks, SentIsWhatHalosSend) {
  const Coordinate lattice{8, 8, 8, 8};
  for (const auto& grid : trellis::testing::some_grids_of(lattice))
    for (const Precision precision : {Precision::double_, Precision::single})
      for (int kernel = 0; kernel < 6; ++kernel) {
        const auto what =
            scaling_kernel(ScaledKernel(kernel), precision, Lattice(lattice, 1, SiteOrder::even_odd, {}, grid));
        KernelProfile profile;
        {
          const ActiveProfile active(profile);
          what.run();
          fence();
        }
        double bytes = 0;
        for (const auto& one : profile.kernels())
          if (moved(one.name) > 0) bytes += one.bytes / moved(one.name) / what.applications;
        EXPECT_NEAR(bytes, sent_in(what.halos, grid.local(lattice), grid.extents()).bytes, 1e-9 * bytes)
            << name_of(ScaledKernel(kernel)) << " " << to_string(grid.extents());
      }
}

TEST_F(ScalingOfRanks, FiguresAreSound) {
  std::vector<int> counts{1};
  if (size > 1) counts.push_back(size);
  const auto wires = measure_wires(ranks, counts);
  for (const bool strong : {true, false})
    for (int kernel = 0; kernel < 6; ++kernel) {
      ScalingSeries series{.kernel = ScaledKernel(kernel),
                           .precision = (kernel % 2 == 1) == strong ? Precision::single : Precision::double_,
                           .strong = strong};
      series.size = strong ? Coordinate{8, 8, 8, 16} : Coordinate{4, 4, 4, 8};
      series.ranks = counts;
      const auto figures = measure_scaling(ranks, series, wires, {1, 1e-6});
      SCOPED_TRACE(name_of(series.kernel));
      ASSERT_GE(figures.size(), counts.size());
      EXPECT_EQ(figures[0].ranks, 1);
      EXPECT_EQ(figures[0].efficiency, 1);
      EXPECT_EQ(figures[0].sent.bytes, 0);
      for (const auto& f : figures) {
        EXPECT_GT(f.seconds, 0);
        EXPECT_GT(f.efficiency, 0);
        EXPECT_EQ(f.model(), std::max(f.messages, f.compute) + f.sums);
        EXPECT_GE(f.model(), f.compute);
        if (f.lattice == figures[0].lattice) {
          EXPECT_EQ(f.flops, figures[0].flops);
          EXPECT_EQ(f.bytes, figures[0].bytes);
        }
      }
      const auto& last = figures.back();
      EXPECT_EQ(last.ranks, size);
      EXPECT_EQ(last.lattice, series.lattice_of(size));
      if (size == 1) continue;
      EXPECT_GT(last.sent.bytes, 0);
      if (ranks.is_first()) {
        EXPECT_GT(last.messages, 0);
        EXPECT_DOUBLE_EQ(last.messages, exchange_seconds(wires.back(), last.sent));
      }
    }
}

}  // namespace
}  // namespace trellis::bench
