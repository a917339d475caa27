// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/gauge_field_io.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"

namespace trellis::io {
namespace {

const std::filesystem::path data = TRELLIS_TEST_DATA;

TEST(GaugeFieldIo, LinksStandWhereTheFileSaysForAnyLaneCount) {
  const auto path = data / "milc/lat.sample.l4448";
  const LoadedLinks raw = load_links(path);
  for (const int lanes : compiled_lane_counts()) {
    if (!Lattice::divides(raw.info.size, lanes)) continue;
    with_lanes(lanes, [&]<int W>() {
      const auto u = load_gauge_field<double, W>(path);
      for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
        for (int mu = 0; mu < 4; ++mu) {
          const auto link = u.link(u.lattice().coordinate(n), mu);
          for (int k = 0; k < 18; ++k) ASSERT_EQ(link[k], raw.links[72 * n + 18 * mu + k]) << W << " " << n;
        }
    });
  }
}

TEST(GaugeFieldIo, WhatIsWrittenIsReadBack) {
  const auto u = load_gauge_field<double, test::wide>(data / "milc/lat.sample.l4444");
  const auto path = std::filesystem::temp_directory_path() / fmt::format("trellis-field-{}.ildg", getpid());
  IldgParameters parameters;
  parameters.size = u.lattice().size();
  write_ildg(path, parameters, link_source(u));
  const auto v = load_gauge_field<double, 1>(path);
  std::filesystem::remove(path);
  for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
    for (int mu = 0; mu < 4; ++mu)
      ASSERT_EQ(u.link(u.lattice().coordinate(n), mu), v.link(v.lattice().coordinate(n), mu));
}

TEST(GaugeFieldIo, AFileOfAnotherSizeIsRefused) {
  const auto path = data / "milc/lat.sample.l4444";
  const GaugeReader reader(path);
  const GaugeField<double, 1> u(Lattice({4, 4, 4, 8}));
  EXPECT_THROW(read_links(reader, path, u), InputError);
}

}  // namespace
}  // namespace trellis::io
