// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Real files from other programs: their plaquettes, link traces, checksums and header claims.
#include "trellis/io/gauge_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::io {
namespace {

using namespace test;

struct RealFile {
  const char* name;
  const char* format;
  Coordinate size;
  Precision precision;
  ByteOrder order;
  double plaquette, spatial, temporal, link_trace;
  std::size_t checksums;
  std::vector<std::string> claims;  // header numbers that must agree to their last digit
  bool size_given = false;
};

const std::vector<RealFile>& shipped() {
  using enum ByteOrder;
  constexpr auto f32 = Precision::single;
  constexpr auto f64 = Precision::double_;
  static const std::vector<RealFile> files{
      {"pyquda/weak_field.lime",
       "ildg",
       {4, 4, 4, 8},
       f64,
       big,
       0.994804132267,
       0.9947985783,
       0.9948096862,
       0.3794493487,
       2,
       {}},
      {"milc/lat.sample.l4448",
       "milc",
       {4, 4, 4, 8},
       f32,
       big,
       0.569055724369,
       0.5745827603,
       0.5635286885,
       0.0692165901,
       2,
       {}},
      {"milc/lat.sample.l4448.scidac",
       "ildg",
       {4, 4, 4, 8},
       f32,
       big,
       0.569055724369,
       0.5745827603,
       0.5635286885,
       0.0692165901,
       2,
       {}},
      {"milc/lat.sample.l4444",
       "milc",
       {4, 4, 4, 4},
       f32,
       little,
       0.594850158947,
       0.5982250520,
       0.5914752659,
       0.6467587374,
       2,
       {}},
      {"milc/lat.sample.l4444.ildg",
       "ildg",
       {4, 4, 4, 4},
       f32,
       big,
       0.594850158947,
       0.5982250520,
       0.5914752659,
       0.6467587374,
       2,
       {}},
      {"milc/lat.sample.l4444.scidac",
       "ildg",
       {4, 4, 4, 4},
       f32,
       big,
       0.594850158947,
       0.5982250520,
       0.5914752659,
       0.6467587374,
       2,
       {}},
      {"atb/nersc.l8t4b3360",
       "nersc",
       {8, 8, 8, 4},
       f64,
       big,
       0.503866446950,
       0.5025245976,
       0.5052082963,
       0.0054060839,
       1,
       {"PLAQUETTE", "LINK_TRACE"}},
      {"qcdm/testconf.txt",
       "bridge-text",
       {4, 4, 4, 4},
       f64,
       native_order,
       0.587818337847,
       0.5893489198,
       0.5862877559,
       0.0263592456,
       0,
       {},
       true},
      {"lqjl/HMC_L04040404_beta5.7_quenched_su3.ildg",
       "ildg",
       {4, 4, 4, 4},
       f64,
       big,
       0.568215750149,
       0.5676511150,
       0.5687803853,
       0.0018331580,
       0,
       {},
       true},
  };
  return files;
}

// Files that are not shipped; tested if the variable TRELLIS_SHARED_DATA names their folder.
const std::vector<RealFile>& not_shipped() {
  static const std::vector<RealFile> files{
      {"cl2qcd/conf.00200",
       "ildg",
       {4, 4, 4, 4},
       Precision::double_,
       ByteOrder::big,
       0.571077111695,
       0.5706798849,
       0.5714743385,
       -0.0047031551,
       2,
       {"xlf-info plaquette"}},
      {"hirep/openQCD_qcd1_pb_L8T8_b6.0_c1.234_k0.13_r0_id4n1",
       "openqcd",
       {8, 8, 8, 8},
       Precision::double_,
       ByteOrder::little,
       0.001669681144,
       -0.0001136704,
       0.0034530327,
       -0.0000221621,
       0,
       {"plaquette"}},
      {"milc/lat.sample.l8888",
       "milc",
       {8, 8, 8, 8},
       Precision::single,
       ByteOrder::little,
       0.593560240433,
       0.5930007182,
       0.5941197627,
       -0.0006456386,
       2,
       {"gauge.ssplaq", "gauge.stplaq", "gauge.nersc_linktr"}},
  };
  return files;
}

void check(const std::filesystem::path& folder, const RealFile& f) {
  SCOPED_TRACE(f.name);
  ReadOptions options;
  if (f.size_given) options.size = f.size;
  const auto r = inspect(folder / f.name, options);
  EXPECT_EQ(r.info.format, f.format);
  EXPECT_EQ(r.info.size, f.size);
  EXPECT_EQ(r.info.precision, f.precision);
  EXPECT_EQ(r.info.byte_order, f.order);
  EXPECT_EQ(r.info.rows, 3);
  EXPECT_NEAR(r.loops.plaquette, f.plaquette, 1e-12);
  EXPECT_NEAR(r.loops.plaquette_spatial, f.spatial, 1e-10);
  EXPECT_NEAR(r.loops.plaquette_temporal, f.temporal, 1e-10);
  EXPECT_NEAR(r.loops.link_trace, f.link_trace, 1e-10);
  EXPECT_EQ(r.report.checksums.size(), f.checksums);
  EXPECT_TRUE(r.report.checksums_agree());
  EXPECT_LT(r.report.max_unitarity_violation, f.precision == Precision::single ? 1e-6 : 1e-11);
  EXPECT_LT(r.report.max_det_violation, f.precision == Precision::single ? 1e-6 : 1e-11);
  EXPECT_GT(r.report.max_unitarity_violation, 0);
  EXPECT_TRUE(r.sound()) << to_text(r);
  for (const auto& boundary : r.boundary) EXPECT_EQ(boundary, "periodic");
  for (const auto& claim : f.claims) {
    bool found = false;
    for (const auto& c : r.comparisons) {
      if (!contains(c.what, "(" + claim + ")")) continue;
      found = true;
      EXPECT_TRUE(c.agrees) << c.what << " " << c.claimed << " " << c.recomputed;
    }
    EXPECT_TRUE(found) << claim;
  }
  // Strict reading accepts it too.
  EXPECT_EQ(error_of([&] { load_links(folder / f.name, options); }), "");
}

// Computed by an independent program.
TEST(RealGaugeFiles, RectanglesAndPolyakovLoops) {
  struct Known {
    const char* name;
    double rectangle;
    std::complex<double> polyakov;
    std::optional<Coordinate> size = {};
  };
  for (const auto& known :
       std::vector<Known>{{"pyquda/weak_field.lime", 0.992174395935, {0.87876950, -0.00991386}},
                          {"milc/lat.sample.l4448", 0.350194842726, {0.00076656, 0.00055879}},
                          {"milc/lat.sample.l4444.ildg", 0.399122847047, {0.43123036, -0.00081776}},
                          {"qcdm/testconf.txt", 0.371464710684, {0.17517487, -0.05046950}, Coordinate{4, 4, 4, 4}}}) {
    const auto loops = inspect(std::filesystem::path(TRELLIS_TEST_DATA) / known.name, {.size = known.size}).large_loops;
    EXPECT_NEAR(loops.rectangle, known.rectangle, 1e-12) << known.name;
    EXPECT_LT(std::abs(loops.polyakov - known.polyakov), 1e-8) << known.name;
  }
}

TEST(RealGaugeFiles, ShippedOnesGiveTheKnownNumbers) {
  for (const auto& f : shipped()) check(TRELLIS_TEST_DATA, f);
}

TEST(RealGaugeFiles, OtherOnesGiveTheKnownNumbersWhereTheyAre) {
  const char* folder = std::getenv("TRELLIS_SHARED_DATA");
  if (folder == nullptr) GTEST_SKIP() << "TRELLIS_SHARED_DATA is not set";
  for (const auto& f : not_shipped()) check(folder, f);
}

TEST(RealGaugeFiles, TheSameFieldInThreeFormatsHasTheSameBits) {
  const std::filesystem::path folder = std::filesystem::path(TRELLIS_TEST_DATA) / "milc";
  const auto milc = load_links(folder / "lat.sample.l4444").links;
  EXPECT_EQ(milc, load_links(folder / "lat.sample.l4444.ildg").links);
  EXPECT_EQ(milc, load_links(folder / "lat.sample.l4444.scidac").links);
  EXPECT_EQ(load_links(folder / "lat.sample.l4448").links, load_links(folder / "lat.sample.l4448.scidac").links);
}

TEST(RealGaugeFiles, HeadersAreReported) {
  const std::filesystem::path folder = TRELLIS_TEST_DATA;
  const auto info = GaugeReader(folder / "milc/lat.sample.l4444.ildg").info();
  ASSERT_EQ(info.records.size(), 8U);
  EXPECT_EQ(info.records[6].type, "ildg-binary-data");
  EXPECT_EQ(info.records[6].length, 73728U);
  EXPECT_TRUE(info.records[0].message_begin);
  EXPECT_FALSE(info.records[0].message_end);
  EXPECT_TRUE(info.records[7].message_end);
  const std::pair<std::string, std::string> lfn{"ildg-data-lfn", "lfn://USQCD/MILC/test/lat.sample.l4444"};
  EXPECT_NE(std::find(info.header.begin(), info.header.end(), lfn), info.header.end());
  const auto nersc = GaugeReader(folder / "atb/nersc.l8t4b3360").info();
  EXPECT_EQ(nersc.plaquette->text, "0.5038664469");
  EXPECT_NEAR(nersc.plaquette->tolerance, 5e-11, 1e-12);
  EXPECT_EQ(nersc.checksums.at(0).value, 0xb379560aU);
}

TEST(RealGaugeFiles, EachLinkComesExactlyOnce) {
  for (const auto& f : shipped()) {
    ReadOptions options;
    if (f.size_given) options.size = f.size;
    std::vector<int> seen(static_cast<std::size_t>(volume(f.size).value()) * 4);
    GaugeReader(std::filesystem::path(TRELLIS_TEST_DATA) / f.name, options).read([&](std::span<const Link> batch) {
      for (const auto& link : batch)
        ++seen.at(static_cast<std::size_t>(link.site) * 4 + static_cast<unsigned>(link.mu));
    });
    for (const int n : seen) ASSERT_EQ(n, 1) << f.name;
  }
}

}  // namespace
}  // namespace trellis::io
