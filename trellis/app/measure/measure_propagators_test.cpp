// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis measure` with propagators in files: what is kept is contracted again without solving, with the same bits.
#include "tests/support/run_test.hpp"
#include "trellis/io/fields/field_reader.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

class MeasurePropagators : public test::RunTest {
 protected:
  void SetUp() override { fs::copy(fmt::format("{}/milc/lat.sample.l4444", TRELLIS_TEST_DATA), at("lat.1")); }
  test::Outcome measure(const std::string& name, const std::string& hadrons) const {
    io::test::write_all(at(name + ".toml"),
                        "[configurations]\nfiles = [\"lat.1\"]\n[measure.hadrons]\nkappas = [0.11, 0.12]\n"
                        "source_positions = [[0, 0, 0, 0], [1, 2, 3, 1]]\npropagators = \"kept/here\"\n" +
                            hadrons + "[output]\ndirectory = \"" + name + "\"\nname = \"c\"\n[machine]\nthreads = 1\n");
    return call(name, "measure");
  }
  double iterations(const std::string& name) const {
    return io::read_csv(at(name + "/c.csv"), {"file", "content"}).column("hadron_iterations").at(0);
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(at("kept/here"))) files.push_back(entry.path());
    return files;
  }
};

TEST_F(MeasurePropagators, WhatIsKeptIsNotSolvedForAgain) {
  const auto first = measure("a", "channels = [\"pion\", \"proton\"]\n");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_GT(iterations("a"), 10);
  ASSERT_EQ(kept().size(), 4U);
  const auto again = measure("b", "channels = [\"pion\", \"proton\"]\n");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(iterations("b"), 0);
  EXPECT_EQ(io::test::read_all(at("a/c-hadrons.csv")), io::test::read_all(at("b/c-hadrons.csv")));
  // Other channels of the same propagators; another source is solved for.
  EXPECT_EQ(measure("c", "channels = [\"rho\", \"axial_t\"]\n").code, 0);
  EXPECT_EQ(iterations("c"), 0);
  EXPECT_EQ(measure("d", "sources_in_time = 2\n").code, 0);
  EXPECT_GT(iterations("d"), 10);
  EXPECT_EQ(kept().size(), 8U);
}

// Propagators have the name of their configuration, without its folder.
TEST_F(MeasurePropagators, ConfigurationsOfOneNameAreRefused) {
  fs::create_directories(at("other"));
  const auto of_both = [&] {
    io::test::write_all(at("a.toml"),
                        "[configurations]\nfiles = [\"lat.1\", \"other/lat.1\"]\n[measure.hadrons]\n"
                        "kappas = [0.11]\npropagators = \"kept/here\"\n[machine]\nthreads = 1\n");
  };
  fs::copy(fmt::format("{}/milc/lat.sample.l4444", TRELLIS_TEST_DATA), at("other/lat.1"));
  of_both();
  const auto copies = call("a", "measure");  // share theirs
  EXPECT_EQ(copies.code, 0) << copies.err;
  fs::remove_all(at("a-results"));
  fs::remove_all(at("kept"));
  ASSERT_EQ(run("chain", {{"trajectories = 12", "trajectories = 6"}}).code, 0);
  fs::copy_file(at("chain/c.000006.ildg"), at("other/lat.1"), fs::copy_options::overwrite_existing);
  for (const bool check : {true, false}) {
    std::vector<std::string> words{TRELLIS_PROGRAM, "measure", "a.toml"};
    if (check) words.emplace_back("--check");
    expect_error(test::Process(words, here()).wait(), 2,
                 {"measure.hadrons.propagators: lat.1 and other/lat.1 are different configurations of one name"});
  }
  EXPECT_FALSE(exists("a-results") || exists("kept"));
}

TEST_F(MeasurePropagators, InHdf5TheyGiveTheSameCorrelators) {
  const auto scidac = measure("m", "");
  ASSERT_EQ(scidac.code, 0) << scidac.err;
  for (const auto& file : kept()) fs::remove(file);
  const auto hdf5 = measure("a", "propagators_format = \"hdf5\"\n");
  ASSERT_EQ(hdf5.code, 0) << hdf5.err;
  ASSERT_EQ(kept().size(), 4U);
  for (const auto& file : kept()) {
    EXPECT_EQ(file.extension(), ".h5");
    const auto looked = test::Process({TRELLIS_PROGRAM, "inspect", file.string()}, here()).wait();
    EXPECT_EQ(looked.code, 0) << looked.err;
    EXPECT_TRUE(io::test::contains(looked.out, "HDF5: fields")) << looked.out;
    EXPECT_TRUE(io::test::contains(looked.out, "verdict      sound")) << looked.out;
  }
  // Read whatever the format that new ones would have.
  ASSERT_EQ(measure("b", "").code, 0);
  EXPECT_EQ(iterations("b"), 0);
  EXPECT_EQ(kept().size(), 4U);
  for (const char* name : {"a", "b"})
    EXPECT_EQ(io::test::read_all(at("m/c-hadrons.csv")), io::test::read_all(at(std::string(name) + "/c-hadrons.csv")));
}

TEST_F(MeasurePropagators, AsOpenqcdSpinorsTheyGiveTheSameCorrelators) {
  const auto scidac = measure("m", "");
  ASSERT_EQ(scidac.code, 0) << scidac.err;
  for (const auto& file : kept()) fs::remove(file);
  const auto openqcd = measure("a", "propagators_format = \"openqcd\"\n");
  ASSERT_EQ(openqcd.code, 0) << openqcd.err;
  ASSERT_EQ(kept().size(), 4U);
  for (const auto& folder : kept()) {
    EXPECT_EQ(folder.extension(), ".openqcd");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 12);
  }
  const auto column = kept().front() / "spin3-colour1";
  const auto looked = test::Process({TRELLIS_PROGRAM, "inspect", column.string()}, here()).wait();
  EXPECT_EQ(looked.code, 0) << looked.err;
  EXPECT_TRUE(io::test::contains(looked.out, "openQCD spinors: fields, 49176 bytes")) << looked.out;
  EXPECT_TRUE(io::test::contains(looked.out, "claim        square norm")) << looked.out;
  EXPECT_TRUE(io::test::contains(looked.out, "verdict      sound")) << looked.out;
  // Read whatever the format that new ones would have.
  ASSERT_EQ(measure("b", "").code, 0);
  EXPECT_EQ(iterations("b"), 0);
  EXPECT_EQ(kept().size(), 4U);
  // Without one of its columns a propagator is not there.
  fs::remove(column);
  ASSERT_EQ(measure("c", "propagators_format = \"openqcd\"\n").code, 0);
  EXPECT_GT(iterations("c"), 10);
  EXPECT_TRUE(fs::exists(column));
  for (const char* name : {"a", "b", "c"})
    EXPECT_EQ(io::test::read_all(at("m/c-hadrons.csv")), io::test::read_all(at(std::string(name) + "/c-hadrons.csv")));
}

TEST_F(MeasurePropagators, AFormatNeedsAFolder) {
  io::test::write_all(at("a.toml"),
                      "[configurations]\nfiles = [\"lat.1\"]\n[measure.hadrons]\nkappas = [0.11]\n"
                      "propagators_format = \"hdf5\"\n[output]\ndirectory = \"a\"\nname = \"c\"\n");
  const auto outcome = call("a", "measure");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(io::test::contains(outcome.err, "propagators_format: needs 'propagators'")) << outcome.err;
}

TEST_F(MeasurePropagators, FilesHoldSourcesAndPropagatorsInPairs) {
  ASSERT_EQ(measure("a", "").code, 0);
  for (const auto& file : kept()) {
    const io::FieldReader reader(file);
    EXPECT_TRUE(io::test::contains(reader.info().text, "USQCD_DiracFermion_Source_Sink_Pairs"));
    EXPECT_TRUE(io::test::contains(reader.info().text, "DeGrand-Rossi basis, kappa 0.1"));
    ASSERT_EQ(reader.info().fields.size(), 24U);
    EXPECT_TRUE(io::test::contains(reader.info().fields[2 * 7 + 1].text, "<spin>2</spin><color>1</color>"));
    for (std::size_t n = 0; n < 24; ++n) {
      const auto report =
          reader.read(n, {{4, 4, 4, 4}, {}, {4, 4, 4, 4}}, [](std::int64_t, std::span<const double>) {});
      EXPECT_EQ(report.zero, n % 2 == 0 ? 255 : 0);
    }
  }
}

TEST_F(MeasurePropagators, AFileOfOtherLinksOrADamagedOneIsRefused) {
  ASSERT_EQ(measure("a", "").code, 0);
  const auto other = measure("b", "stout_levels = 1\n");
  EXPECT_NE(other.code, 0);
  EXPECT_TRUE(io::test::contains(other.err, "is not the propagator on these links")) << other.err;
  for (const auto& file : kept()) {
    auto bytes = io::test::read_all(file);
    bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
    io::test::write_all(file, bytes);
  }
  const auto damaged = measure("c", "");
  EXPECT_NE(damaged.code, 0);
  EXPECT_TRUE(io::test::contains(damaged.err, "the data are damaged")) << damaged.err;
}

}  // namespace
}  // namespace trellis::app
