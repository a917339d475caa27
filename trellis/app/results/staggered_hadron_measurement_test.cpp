// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// [measure.staggered_hadrons] in `trellis measure` and `trellis run`.
#include "trellis/app/results/staggered_hadron_measurement.hpp"

#include <cmath>

#include "tests/support/run_test.hpp"
#include "trellis/app/results/staggered_mass_table.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::app {
namespace {

class StaggeredHadronMeasurementTest : public test::RunTest {
 protected:
  static constexpr const char* kFlavours = R"([smearing]
rho = 0.1
levels = 1
[[flavours]]
name = "l"
mass = 0.2
[[flavours]]
name = "s"
mass = 0.5
)";
  static constexpr const char* kHadrons = R"([measure.staggered_hadrons]
source_positions = [[1, 0, 2, 3]]
sources_in_time = 2
max_momentum_squared = 1
channels = ["pion", "rho_axial", "nucleon"]
residual = 1e-9
)";

  test::Outcome measure(const std::string& name, const std::string& files, const Changes& changes = {}) const {
    io::test::write_all(at(name + ".toml"),
                        changed("[configurations]\nfiles = [" + files + "]\n[output]\ndirectory = \"" + name +
                                    "\"\nname = \"c\"\n[machine]\nthreads = 1\nlanes = 1\n" + kFlavours + kHadrons,
                                changes));
    return call(name, "measure");
  }
  static std::string sample() { return "\"" TRELLIS_TEST_DATA "/milc/lat.sample.l4448\""; }
};

TEST_F(StaggeredHadronMeasurementTest, OfFiles) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 4"}}).code, 0);
  const auto outcome = measure("m", "\"a/c.*.ildg\"");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto t = io::read_csv(at("m/c.csv"), {"file", "content"});
  const auto rows = io::read_csv(at("m/c-staggered-hadrons.csv"), {"flavours"});
  EXPECT_EQ(joined(rows.columns, ","), "row,flavours,momentum_squared,t,pion,rho_axial,nucleon");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LE(t.column("staggered_hadron_residual")[i], 1e-9);
    EXPECT_LT(t.column("staggered_hadron_ward")[i], 1e-7);
    EXPECT_GT(t.column("staggered_hadron_iterations")[i], 4);
  }
  // The rows of the table are averages of the arrays.
  const auto file = io::Hdf5File::open(at("m/c.staggered-hadrons.h5"));
  EXPECT_EQ(file.read<std::int64_t>("staggered_hadrons/row"), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(file.read<std::int64_t>("staggered_hadrons/sources"), (std::vector<std::int64_t>{1, 0, 2, 3, 1, 0, 2, 1}));
  EXPECT_EQ(file.children("staggered_hadrons/l.s"), (std::vector<std::string>{"pion", "rho_axial"}));
  const auto flavours = io::read_csv_texts(at("m/c-staggered-hadrons.csv"), "flavours");
  ASSERT_EQ(rows.rows(), 3U * 3 * 2 * 4);
  for (const std::string channel : {"pion", "rho_axial", "nucleon"}) {
    std::size_t row = 0;
    for (std::size_t configuration = 0; configuration < 3; ++configuration)
      for (const std::string pair : {"l", "l.s", "s"}) {
        if (pair == "l.s" && channel == "nucleon") {
          for (int k = 0; k < 8; ++k) EXPECT_TRUE(std::isnan(rows.column(channel)[row++]));
          continue;
        }
        const auto name = "staggered_hadrons/" + pair + "/" + channel;
        ASSERT_EQ(file.shape(name), (io::Hdf5File::Shape{3, 2, 7, 4, 2}));
        const auto values = file.read<double>(name);
        for (const std::size_t squared : {0, 1})
          for (std::size_t time = 0; time < 4; ++time, ++row) {
            double sum = 0;
            for (const std::size_t source : {0, 1})
              for (std::size_t p = squared; p < (squared == 0 ? 1U : 7U); ++p)
                sum += values[2 * (((configuration * 2 + source) * 7 + p) * 4 + time)];
            EXPECT_NEAR(rows.column(channel)[row], sum / (squared == 0 ? 2 : 12), 1e-13 * std::abs(values[0]));
            EXPECT_EQ(rows.column("t")[row], double(time));
            EXPECT_EQ(flavours[row], pair);
          }
      }
  }
  // t = 0 and 1 of pions, no time for the others on four slices.
  const auto masses = io::read_csv(at("m/c-staggered-effective-mass.csv"), {"flavours", "channel"});
  EXPECT_EQ(masses.rows(), 3U * 2 * 2);
  for (const auto* part : {"Effective masses between t and t + 1 of l.s:", "largest residual", "Ward identity within",
                           "m/c-staggered-hadrons.csv", "m/c.staggered-hadrons.h5", "m/c-staggered-effective-mass.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  EXPECT_EQ(outcome.err.find("gauge"), std::string::npos) << outcome.err;

  // A kill leaves rows and arrays beyond the table's last row: they are recomputed identically.
  const auto whole = everything("m");
  const auto lines = text("m/c.csv");
  io::test::write_all(at("m/c.csv"), lines.substr(0, lines.rfind('\n', lines.size() - 2) + 1));
  ASSERT_EQ(measure("m", "\"a/c.*.ildg\"").code, 0);
  for (const auto& [name, bytes] : whole)
    EXPECT_TRUE(name == "c.csv" || text("m/" + name) == bytes) << name << " differs";
  expect_error(measure("m", "\"a/c.*.ildg\"", {{"mass = 0.5", "mass = 0.6"}}), 2, {"flavours"});
}

TEST_F(StaggeredHadronMeasurementTest, BesideThoseOfWilsonQuarks) {
  const auto outcome =
      measure("m", sample(),
              {{"[measure.staggered_hadrons]", "[measure.hadrons]\nkappas = [0.11]\n[measure.staggered_hadrons]"}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto* of : {"of 1 file, of Wilson quarks\n", "of 1 file, of staggered quarks\n"})
    EXPECT_NE(outcome.out.find(of), std::string::npos) << of << " in " << outcome.out;
}

TEST_F(StaggeredHadronMeasurementTest, OnTheFlyAndStopped) {
  const auto hadrons = [&](const std::string& name, const std::string& trajectories) {
    const Changes changes{{"trajectories = 12", "trajectories = " + trajectories},
                          {"steps = 5", "steps = 2"},
                          {"thermalisation = 3", "thermalisation = 1"},
                          {"every = 4\ntime_max", "every = 2\ntime_max"}};
    io::test::write_all(at(name + ".toml"), input(name, changes) + "[[flavours]]\nname = \"s\"\nmass = 1.0\n" +
                                                "[measure.staggered_hadrons]\nsource = \"z4_wall\"\n"
                                                "noise_vectors = 2\nflavours = [\"s\"]\n");
    return call(name);
  };
  const auto outcome = hadrons("a", "4");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(hadrons("b", "2").code, 0);
  ASSERT_EQ(hadrons("b", "4").code, 0);
  expect_same_results(
      "a", "b",
      {"c-staggered-hadrons.csv", "c.staggered-hadrons.h5", "c-staggered-effective-mass.csv", "c.checkpoint"});
  EXPECT_EQ(io::Hdf5File::open(at("a/c.staggered-hadrons.h5")).read<std::int64_t>("staggered_hadrons/trajectory"),
            (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(io::Hdf5File::open(at("a/c.staggered-hadrons.h5")).children("staggered_hadrons/s"),
            (std::vector<std::string>{"pion"}));
  for (const auto* part : {"Effective masses", "a/c-staggered-hadrons.csv", "a/c-staggered-effective-mass.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
}

TEST_F(StaggeredHadronMeasurementTest, WallsAreWarnedOf) {
  const auto outcome = measure("m", sample(), {{"max_momentum_squared = 1\n", "source = \"corner_wall\"\n"}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(
                "measure.staggered_hadrons.source = \"corner_wall\": a wall source on links without gauge fixing"),
            std::string::npos)
      << outcome.err;
}

TEST_F(StaggeredHadronMeasurementTest, WhatCannotBeIsRefused) {
  const std::string data = TRELLIS_TEST_DATA "/milc/lat.sample.";
  const auto refused = [&](const Changes& changes, const std::vector<std::string>& parts) {
    expect_error(measure("m", sample(), changes), 2, parts);
    EXPECT_FALSE(exists("m"));
  };
  refused({{"residual =", "residul ="}}, {"unknown key", "did you mean", "residual"});
  refused({{"residual = 1e-9", "flavours = [\"u\"]"}}, {"measure.staggered_hadrons.flavours", "\"u\""});
  refused({{"residual = 1e-9", "noise_vectors = 2"}}, {"noise_vectors", "not allowed without noise"});
  refused({{"max_momentum_squared = 1", "source = \"z2_wall\""}}, {"the nucleon", "noise"});
  refused({{"max_momentum_squared = 1", "source = \"even_wall\""}}, {"even wall", "rho_axial"});
  refused({{"residual = 1e-9", "source = \"corner_wall\""}}, {"needs a point source"});
  refused({{"\"rho_axial\"", "\"rho_axal\""}}, {"channels", "did you mean \"rho_axial\"?"});
  refused({{"[[1, 0, 2, 3]]", "[[1, 4, 2, 3]]"}}, {"the source (1, 4, 2, 3) is not on the lattice 4x4x4x8"});
  refused({{"sources_in_time = 2", "sources_in_time = 3"}}, {"divisor of the 8 time slices"});
  expect_error(measure("m", sample() + ", \"" + data + "l4444\"", {{"source_positions", "#"}}), 2,
               {"l4444", "hadrons need a single size"});
  EXPECT_FALSE(exists("m"));
  expect_error(measure("m", sample(), {{"residual = 1e-9", "max_iterations = 2"}}), 1, {"staggered hadrons of l"});
}

// The masses of a table that was built with known ones, and an oscillating partner a tenth as strong.
TEST(StaggeredMassTable, OfKnownSeries) {
  io::TemporaryFolder folder;
  const RunFolder results{folder.path(), "c"};
  StaggeredHadronJob job;
  job.flavours = {{.name = "l", .mass = 0.1}};
  job.selection.channels = {"pion", "rho_tensor", "nucleon"};
  constexpr int extent = 32;
  std::vector<std::vector<io::CsvCell>> table;
  for (std::int64_t n = 1; n <= 5; ++n)
    for (int t = 0; t < extent; ++t) {
      const double sign = t % 2 == 0 ? 1 : -1, a = 1 + 0.1 * double(n);
      table.push_back({n, std::string("l"), std::int64_t{0}, std::int64_t{t}, a * std::cosh(0.3 * (t - 16)),
                       a * (std::cosh(0.5 * (t - 16)) + 0.1 * sign * std::cosh(0.6 * (t - 16))),
                       a * (std::exp(-0.7 * t) - sign * std::exp(-0.7 * (extent - t)))});
    }
  io::CsvTable(results.staggered_hadrons(), job.table_columns("row")).append_rows(table);
  const auto text = write_staggered_masses(job, results, 2);
  EXPECT_NE(text.find("of l:"), std::string::npos) << text;
  const auto masses = io::read_csv(results.staggered_masses(), {"flavours", "channel"});
  ASSERT_EQ(masses.rows(), 16U + 14 + 14);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(masses.column("effective_mass")[i], 0.3, 1e-10) << i;
  // The partner is suppressed by tanh^2(m'/2) = 0.08, so it changes the mass by at most 2 x 0.1 x 0.09.
  for (std::size_t i = 17; i < 30; ++i) EXPECT_NEAR(masses.column("effective_mass")[i], 0.5, 0.08) << i;
  for (std::size_t i = 31; i < 40; ++i) EXPECT_NEAR(masses.column("effective_mass")[i], 0.7, 1e-3) << i;
  EXPECT_EQ(masses.column("configurations")[0], 3);
  EXPECT_EQ(write_staggered_masses(job, results, 5), "");
}

}  // namespace
}  // namespace trellis::app
