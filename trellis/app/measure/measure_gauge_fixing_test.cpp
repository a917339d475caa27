// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis measure` with [gauge_fixing]: what it reaches, saves and refuses, and which links hadrons see.
#include "tests/support/run_test.hpp"
#include "trellis/app/origin/configuration_origin.hpp"
#include "trellis/app/origin/recorded_gauge.hpp"
#include "trellis/io/convert.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/tables/csv_table.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {
namespace {

class MeasureGaugeFixing : public test::RunTest {
 protected:
  void SetUp() override {
    for (const auto* name : {"lat.1", "lat.2"})
      std::filesystem::copy(fmt::format("{}/milc/lat.sample.l4444", TRELLIS_TEST_DATA), at(name));
  }
  test::Outcome measure(const std::string& name, const std::string& files, const std::string& tables) const {
    io::test::write_all(at(name + ".toml"), "[configurations]\nfiles = [" + files + "]\n" + tables +
                                                "[output]\ndirectory = \"" + name +
                                                "\"\nname = \"c\"\n[machine]\nthreads = 1\nlanes = 1\n");
    return call(name, "measure");
  }
  io::CsvData table_of(const std::string& name) const { return io::read_csv(at(name + "/c.csv"), {"file", "content"}); }
  static std::string fixing(const std::string& more) { return "[gauge_fixing]\ngauge = \"coulomb\"\n" + more; }
  static std::string hadrons(const std::string& source) {
    return "[measure.hadrons]\nkappas = [0.12]\nchannels = [\"pion\", \"proton\"]\nresidual = 1e-12\nsource = \"" +
           source + "\"\n";
  }
  std::vector<double> pion(const std::string& name) const {
    return io::read_csv(at(name + "/c-hadrons.csv"), {"sink"}).column("pion");
  }
};

TEST_F(MeasureGaugeFixing, ReachesWhatWasAskedForAndSavesIt) {
  const auto outcome = measure("m", "\"lat.*\"", fixing("residual = 1e-16\nsave = true\n"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto* part : {"gauge_functional", "largest theta", "m/c-coulomb-*.ildg  (links in coulomb gauge)"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  const auto t = table_of("m");
  for (const std::size_t row : {0, 1}) {
    EXPECT_LE(t.column("gauge_residual")[row], 1.01e-16);
    EXPECT_GT(t.column("gauge_residual")[row], 0);
    EXPECT_GT(t.column("gauge_iterations")[row], 10);
    EXPECT_GT(t.column("gauge_functional")[row], 0.7);
  }
  // What was saved has the same loops, and nothing is left to do.
  const auto again = measure("n", "\"m/c-coulomb-lat.[12].ildg\"", fixing("residual = 1.1e-16\n"));
  ASSERT_EQ(again.code, 0) << again.err;
  const auto fixed = table_of("n");
  for (const std::size_t row : {0, 1}) {
    EXPECT_EQ(fixed.column("gauge_iterations")[row], 0);
    EXPECT_NEAR(fixed.column("gauge_functional")[row], t.column("gauge_functional")[row], 1e-15);
    for (const auto* column : {"plaquette", "plaquette_spatial", "plaquette_temporal", "rectangle"})
      EXPECT_NEAR(fixed.column(column)[row], t.column(column)[row], 1e-14) << column;
  }
  const auto bytes = text("m/c-coulomb-lat.1.ildg");
  for (const auto* part : {"gauge = coulomb\n", "transformed from lat.1\n", "gauge_iterations = ", "MILC version 5"})
    EXPECT_NE(bytes.find(part), std::string::npos) << part;
  // The same bytes again after a kill between saving and the table's row.
  const auto whole = everything("m");
  const auto lines = text("m/c.csv");
  io::test::write_all(at("m/c.csv"), lines.substr(0, lines.rfind('\n', lines.size() - 2) + 1));
  ASSERT_EQ(measure("m", "\"lat.*\"", fixing("residual = 1e-16\nsave = true\n")).code, 0);
  for (const auto& [name, before] : whole)
    EXPECT_TRUE(name == "c.csv" || text("m/" + name) == before) << name << " differs";
}

// Point sources see only what is gauge invariant, to the rounding of the file, which is in single precision; wall
// sources see the transformed links.
TEST_F(MeasureGaugeFixing, HadronsAreMeasuredInTheGauge) {
  ASSERT_EQ(measure("p", "\"lat.1\"", hadrons("point")).code, 0);
  ASSERT_EQ(measure("q", "\"lat.1\"", hadrons("point") + fixing("")).code, 0);
  const auto plain = pion("p"), in_gauge = pion("q");
  ASSERT_EQ(plain.size(), 4U);
  for (std::size_t t = 0; t < 4; ++t) EXPECT_NEAR(in_gauge[t] / plain[t], 1, 1e-7) << t;

  const auto warned = measure("v", "\"lat.1\"", hadrons("wall"));
  EXPECT_EQ(warned.code, 0);
  EXPECT_NE(warned.err.find("a wall source on links without gauge fixing gives mostly noise; a table [gauge_fixing]"),
            std::string::npos)
      << warned.err;
  const auto fixed = measure("w", "\"lat.1\"", hadrons("wall") + fixing("save = true\n"));
  ASSERT_EQ(fixed.code, 0) << fixed.err;
  EXPECT_EQ(fixed.err.find("wall"), std::string::npos) << fixed.err;
  const auto recorded = measure("x", "\"w/c-coulomb-lat.1.ildg\"", hadrons("wall"));
  ASSERT_EQ(recorded.code, 0);
  EXPECT_EQ(recorded.err.find("wall"), std::string::npos) << recorded.err;
  EXPECT_EQ(pion("x"), pion("w"));
  EXPECT_GT(std::abs(pion("v")[1] / pion("w")[1] - 1), 0.1);
}

TEST_F(MeasureGaugeFixing, OnlyFilesThatRecordNoGaugeAreWarnedOf) {
  ASSERT_EQ(measure("m", "\"lat.1\"", fixing("save = true\n")).code, 0);
  const auto saved = at("m/c-coulomb-lat.1.ildg");
  EXPECT_EQ(recorded_gauge(saved), "coulomb");
  EXPECT_EQ(recorded_gauge(at("lat.1")), std::nullopt);
  EXPECT_EQ(recorded_gauge(at("none")), std::nullopt);
  io::ConvertOptions options{.format = "milc", .precision = Precision::single, .origin = configuration_origin(saved)};
  io::convert(saved, at("fixed.milc"), options);
  EXPECT_EQ(recorded_gauge(at("fixed.milc")), "coulomb");
  io::convert(at("fixed.milc"), at("fixed.ildg"));
  EXPECT_EQ(recorded_gauge(at("fixed.ildg")), "coulomb");
  // As MILC says it.
  const auto header = io::GaugeReader(at("lat.2")).info().header;
  const auto info = [&](const std::string& gauge) {
    io::test::write_all(at("lat.2.info"), fmt::format("time_stamp = \"{}\"\ngauge.fix.description = \"{}\"\n",
                                                      *io::find_key(header, "time_stamp"), gauge));
    return recorded_gauge(at("lat.2"));
  };
  EXPECT_EQ(info("Temporal axial"), std::nullopt);
  EXPECT_EQ(info("Coulomb"), "coulomb");
  const auto some = measure("s", "\"lat.1\", \"lat.2\", \"fixed.milc\"", hadrons("wall"));
  EXPECT_NE(some.err.find("lat.1 does not record any"), std::string::npos) << some.err;
}

TEST_F(MeasureGaugeFixing, SaysWhatIsWrong) {
  expect_error(measure("m", "\"lat.1\"", fixing("max_iterations = 3\n")), 1,
               {"lat.1: gauge fixing: 3 iterations left a residual of", "gauge_fixing.max_iterations"});
  expect_error(measure("n", "\"lat.1\"", fixing("overrelaxation = 2.0\n")), 2, {"overrelaxation", "1.99"});
  expect_error(measure("n", "\"lat.1\"", "[gauge_fixing]\ngauge = \"colomb\"\n"), 2, {"gauge", "coulomb"});
  expect_error(measure("n", "\"lat.1\"", "[gauge_fixing]\n"), 2, {"gauge", "missing"});
  expect_error(measure("n", "\"lat.1\"", fixing("gage = 1\n")), 2, {"gage"});
  EXPECT_FALSE(exists("n"));
  std::filesystem::create_directory(at("other"));
  std::filesystem::copy(at("lat.1"), at("other/lat.1"));
  expect_error(measure("n", "\"lat.1\", \"other/lat.1\"", fixing("save = true\n")), 2,
               {"lat.1 and other/lat.1 would both be saved as n/c-coulomb-lat.1.ildg"});
  ASSERT_EQ(measure("o", "\"lat.1\"", fixing("")).code, 0);
  expect_error(measure("o", "\"lat.*\"", fixing("residual = 1e-10\n")), 2, {"gauge_fixing.residual"});
}

}  // namespace
}  // namespace trellis::app
