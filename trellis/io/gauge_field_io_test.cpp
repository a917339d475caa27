// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/gauge_field_io.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/inspect.hpp"

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
  const auto u = load_gauge_field<double, trellis::test::wide>(data / "milc/lat.sample.l4444");
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

// In every format: observables would take the links for periodic ones.
TEST(GaugeFieldIo, AnOpenBoundaryIsRefusedBeforeTheLinksAreRead) {
  const test::TempFolder folder;
  const Coordinate size{4, 2, 6, 8};
  const auto links = test::random_links(size, 10);
  for (std::size_t mu = 0; mu < 4; ++mu) {
    auto open = links;
    for (std::int64_t n = 0; n < volume(size).value(); ++n) {
      std::int64_t ahead = n;
      for (std::size_t nu = 0; nu < mu; ++nu) ahead /= size[nu];
      if (ahead % size[mu] == size[mu] - 1) std::fill_n(open.begin() + n * 72 + std::ptrdiff_t(mu) * 18, 18, 0.0);
    }
    const double plaquette = measure_loops(size, source_of(open)).plaquette;
    const auto big = ByteOrder::big;
    const std::vector<std::filesystem::path> files{
        test::write_all(folder / "qcd", test::openqcd_file(size, open, 3 * plaquette, ByteOrder::little)),
        test::write_all(folder / "milc", test::milc_file(size, open, big)),
        test::write_all(folder / "ildg",
                        test::lime_file({{"ildg-format", test::ildg_format_xml(size, 64)},
                                         {"ildg-binary-data", test::link_bytes_of(open, Precision::double_, big)}}))};
    for (const auto& file : files) {
      std::array<bool, 4> expected{};
      expected[mu] = true;
      EXPECT_EQ(GaugeReader(file).seems_open(), expected) << file;
      const auto refused = test::error_of([&] { load_gauge_field<double, 1>(file); });
      EXPECT_TRUE(test::contains(refused, fmt::format("the boundary in {} is open", "xyzt"[mu]))) << refused;
      const auto seen = inspect(file);
      EXPECT_TRUE(seen.sound()) << file;
      EXPECT_EQ(seen.boundary[mu], "open (links are zero)");
      EXPECT_TRUE(
          test::contains(to_line(seen), fmt::format("  boundary {}: open (links are zero)  sound\n", "xyzt"[mu])))
          << to_line(seen);
    }
  }
  EXPECT_EQ(
      GaugeReader(test::write_all(folder / "qcd", test::openqcd_file(size, links, 0, ByteOrder::little))).seems_open(),
      (std::array<bool, 4>{}));
}

}  // namespace
}  // namespace trellis::io
