// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis reproduce`: configurations and results are computed again from what they say of themselves.
#include <stdlib.h>

#include "tests/support/launcher.hpp"
#include "tests/support/run_test.hpp"
#include "trellis/app/reproduce/compare_results.hpp"
#include "trellis/io/convert.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

class Reproduce : public test::RunTest {
 protected:
  void SetUp() override { ::setenv("OMP_NUM_THREADS", "1", 1); }
  test::Outcome reproduce(const std::vector<std::string>& words) const {
    std::vector<std::string> command{TRELLIS_PROGRAM, "reproduce"};
    command.insert(command.end(), words.begin(), words.end());
    return test::Process(command, here()).wait();
  }
  // Two trajectories with these tables in their input, and in m the last one measured with them and `more`.
  void run_and_measure(const std::string& tables, const std::string& more = "") const {
    ASSERT_EQ(run("whole", {{"trajectories = 12", "trajectories = 2"},
                            {"thermalisation = 3", "thermalisation = 0"},
                            {"save_every = 6", "save_every = 2"},
                            {"[machine]", tables + "[machine]"}})
                  .code,
              0);
    io::test::write_all(at("m.toml"), "[configurations]\nfiles = [\"whole/c.000002.ildg\"]\n" + tables + more +
                                          "[output]\ndirectory = \"m\"\n");
    ASSERT_EQ(call("m", "measure").code, 0);
  }
  static void expect_says(const test::Outcome& outcome, int code, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    for (const auto& part : parts)
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  }
  const Changes often_ = {{"save_every = 6", "save_every = 3"},
                          {"[measure.flow]", "[measure.cooling]\nevery = 4\nsteps = 4\ninterval = 2\n[measure.flow]"}};
};

TEST_F(Reproduce, AConfigurationFromTheStateBeforeIt) {
  ASSERT_EQ(run("whole", often_).code, 0);
  const auto before = everything("whole");
  expect_says(reproduce({"whole/c.000009.ildg"}), 0,
              {"made by trellis ", "trajectories 7 to 9, from whole/c.000006.ildg", "whole/c.000009.ildg",
               "the same bits, 3 trajectories", "Reproduced: "});
  expect_says(reproduce({"whole/c.000003.ildg"}), 0, {"trajectories 1 to 3, from the start", "Reproduced: "});
  // Alone, it still has its input.
  fs::create_directory(at("alone"));
  fs::copy_file(at("whole/c.000009.ildg"), at("alone/x.ildg"));
  expect_says(reproduce({"alone/x.ildg"}), 0, {"trajectories 1 to 9, from the start", "Reproduced: "});
  expect_says(reproduce({"alone/x.ildg", "--from", "whole"}), 0, {"from whole/c.000006.ildg", "Reproduced: "});
  expect_says(reproduce({"whole/c.checkpoint"}), 0,
              {"trajectories 11 to 12, from whole/c.previous.checkpoint", "Reproduced: "});
  EXPECT_EQ(everything("whole"), before) << "something was written beside the results";
}

TEST_F(Reproduce, InSinglePrecision) {
  ASSERT_EQ(run("whole", {{"save_every = 6", "save_every = 6\nsave_precision = \"single\""}}).code, 0);
  expect_says(reproduce({"whole/c.000012.ildg", "--from", "start"}), 0, {"the same bits, 1 trajectory"});
  expect_error(reproduce({"whole/c.checkpoint", "--from", "whole/c.000006.ildg"}), 2, {"is in single precision"});
  // Converted back to double precision, links stay those of the chain in single precision.
  for (const auto* name : {"c.000006.ildg", "c.000012.ildg"})
    io::convert(at(fmt::format("whole/{}", name)), at(name), {.precision = Precision::double_});
  const auto again = reproduce({"c.000012.ildg"});
  expect_says(again, 0, {"from the start", "the same bits, 1 trajectory"});
  expect_error(reproduce({"whole/c.checkpoint", "--from", "c.000006.ildg"}), 2, {"was in single precision"});
  auto bytes = text("c.000012.ildg");
  bytes[bytes.find("ildg-binary-data") + 128 + 8 * 18 * 4 * 3 + 1] ^= 1;
  io::test::write_all(at("changed.ildg"), bytes);
  const auto links = compare_links(at("changed.ildg"), at("whole/c.000012.ildg"), 12);
  ASSERT_TRUE(links.first);
  EXPECT_EQ(links.first->what, "record ildg-binary-data: first in the link at site (3, 0, 0, 0), direction x");
  EXPECT_FALSE(compare_links(at("c.000012.ildg"), at("whole/c.000012.ildg"), 12).first);
}

TEST_F(Reproduce, AWholeFolderAndPartsOfIt) {
  ASSERT_EQ(run("whole", often_).code, 0);
  expect_says(reproduce({"whole"}), 0,
              {"trajectories 1 to 12, from the start", "whole/c-cooling.csv", "whole/c.flow.h5", "whole/c.000003.ildg",
               "the same bits, 12 trajectories", "Reproduced: "});
  expect_says(reproduce({"whole/c.flow.h5", "--from", "whole", "--to", "8"}), 0,
              {"trajectories 7 to 8, from whole/c.000006.ildg", "the same bits, 1 trajectory"});
  // The file alone carries its input as well.
  fs::create_directory(at("alone"));
  fs::copy_file(at("whole/c.flow.h5"), at("alone/x.flow.h5"));
  expect_says(reproduce({"alone/x.flow.h5"}), 0, {"trajectories 1 to 12", "the same bits, 3 trajectories"});
  const auto dry = reproduce({"whole", "--dry-run"});
  expect_says(dry, 0, {"They took "});
  EXPECT_EQ(dry.out.find("the same bits"), std::string::npos) << dry.out;
}

// Results of another number of steps in the folder of this run.
TEST_F(Reproduce, TheFirstDifferenceIsNamed) {
  ASSERT_EQ(run("whole", often_).code, 0);
  auto changes = often_;
  changes.emplace_back("trajectories = 12", "trajectories = 6");
  ASSERT_EQ(run("other", changes).code, 0);
  changes.back().second = "trajectories = 12";
  changes.emplace_back("steps = 5", "steps = 6");  // from here on
  ASSERT_EQ(run("other", changes).code, 0);
  fs::copy_file(at("other/c.csv"), at("whole/c.csv"), fs::copy_options::overwrite_existing);
  const auto outcome = reproduce({"whole/c.csv"});
  expect_says(outcome, 1,
              {"Not reproduced: the first difference is in trajectory 7, whole/c.csv: ", " is '", "', was '"});
  // Its own folder knows that keys were changed.
  expect_says(reproduce({"other", "--dry-run"}), 0, {"keys that change bits were changed after trajectory 6"});
  expect_says(reproduce({"other", "--from", "other/c.000006.ildg"}), 0, {"Reproduced: "});

  const auto links = compare_links(at("whole/c.000006.ildg"), at("whole/c.000009.ildg"), 6);
  ASSERT_TRUE(links.first);
  EXPECT_EQ(links.first->number, 6);
  EXPECT_EQ(links.first->what, "record ildg-binary-data: first in the link at site (0, 0, 0, 0), direction x");
  const auto curves = compare_arrays(at("whole/c.flow.h5"), at("other/c.flow.h5"), "trajectory", 1, 12);
  ASSERT_TRUE(curves.first);
  EXPECT_EQ(curves.first->number, 8);
  EXPECT_EQ(curves.compared, 1);
}

// The way back of a check counts in a table's iterations and eigenvalues, and a configuration is reproduced without it.
TEST_F(Reproduce, WhereReversibilityWasChecked) {
  const Changes quarks{{"trajectories = 12", "trajectories = 4"},
                       {"save_every = 6", "save_every = 4"},
                       {"[machine]", "[[flavours]]\nname = \"l\"\nmass = 0.5\n[machine]"}};
  ASSERT_EQ(run("whole", quarks).code, 0);
  ASSERT_NE(text("whole/c.resolved.toml").find("reversibility_every = 4"), std::string::npos);
  expect_says(reproduce({"whole/c.000004.ildg"}), 0,
              {"from whole/c.previous.checkpoint", "the same bits, 2 trajectories", "Reproduced: "});
  expect_says(reproduce({"whole"}), 0, {"the same bits, 4 trajectories", "Reproduced: "});
  // Other columns of such a trajectory are compared, and all columns of the others.
  auto without = quarks;
  without.emplace_back("reversibility_every = 4", "reversibility_every = 0");
  ASSERT_EQ(run("without", without).code, 0);
  EXPECT_FALSE(compare_tables(at("whole/c.csv"), at("without/c.csv"), 1, 4).first);
  without.emplace_back("seed = 7", "seed = 8");
  ASSERT_EQ(run("other", without).code, 0);
  EXPECT_TRUE(compare_tables(at("whole/c.csv"), at("other/c.csv"), 4, 4).first);
  without = quarks;
  without.emplace_back("[machine]", "[solver]\nheatbath_residual = 1e-10\n[machine]");
  without.emplace_back("reversibility_every = 4", "reversibility_every = 0");
  ASSERT_EQ(run("looser", without).code, 0);
  const auto looser = compare_tables(at("whole/c.csv"), at("looser/c.csv"), 1, 4);
  ASSERT_TRUE(looser.first);
  EXPECT_EQ(looser.first->number, 1);
}

TEST_F(Reproduce, Measurements) {
  ASSERT_EQ(run("whole", often_).code, 0);
  io::test::write_all(
      at("m.toml"),
      "[configurations]\nfiles = [\"whole/c.*.ildg\"]\n[[flavours]]\nname = \"l\"\nmass = 0.2\n[measure]\n"
      "observables = [\"energy\"]\n[measure.flow]\ntime_max = 0.1\nstep = 0.05\n"
      "[measure.quarks]\nnoise_vectors = 1\n[measure.staggered_hadrons]\n[output]\ndirectory = \"m\"\n");
  ASSERT_EQ(call("m", "measure").code, 0);
  expect_says(reproduce({"m"}), 0,
              {"4 files", "m/m-quarks.csv", "m/m-staggered-hadrons.csv", "m/m.flow.h5", "m/m.staggered-hadrons.h5",
               "the same bits, 4 rows", "Reproduced: "});
  fs::copy_file(at("whole/c.000006.ildg"), at("whole/c.000009.ildg"), fs::copy_options::overwrite_existing);
  expect_error(reproduce({"m"}), 2, {"whole/c.000009.ildg: is not the file that was measured"});
  fs::remove(at("whole/c.000009.ildg"));
  expect_error(reproduce({"m/m.csv"}), 2, {"whole/c.000009.ildg: was measured, but is not there"});
  expect_error(reproduce({"m", "--from", "start"}), 2, {"--from: "});
}

// Tables of quarks with names have texts in columns that others do not have.
TEST_F(Reproduce, QuarksWithNames) {
  const std::string hadrons =
      "[measure.hadrons]\nchannels = [\"pion\"]\nquarks = [{name = \"l\", kappa = 0.11}, {name = \"s\", kappa = 0.1}]\n"
      "fixed_sinks = [{name = \"f\", quarks = \"l.s\", channel = \"pion\", sink_time = 2, currents = "
      "[\"vector_t\"]}]\n";
  run_and_measure(hadrons);
  expect_says(reproduce({"whole"}), 0, {"whole/c-hadrons.csv", "whole/c-three-point.csv", "Reproduced: "});
  expect_says(reproduce({"m"}), 0, {"m/m-hadrons.csv", "m/m-three-point.csv", "the same bits, 1 row"});
}

// The folder of the original results is neither read nor written.
TEST_F(Reproduce, KeptPropagators) {
  const std::string hadrons = "[measure.hadrons]\nchannels = [\"pion\"]\nkappas = [0.11]\npropagators = \"kept\"\n";
  run_and_measure(hadrons, "propagators_format = \"hdf5\"\n");
  const auto before = everything("kept");
  expect_says(reproduce({"m"}), 0, {"propagators are computed again, not read from \"kept\"", "Reproduced: "});
  EXPECT_EQ(everything("kept"), before);
  // Results that were contracted from these files.
  fs::remove_all(at("m"));
  ASSERT_EQ(call("m", "measure").code, 0);
  expect_says(reproduce({"m"}), 0, {"the same bits, 1 row", "Reproduced: "});
  fs::remove_all(at("kept"));
  expect_says(reproduce({"whole"}), 0, {"the same bits, 2 trajectories", "Reproduced: "});
  EXPECT_FALSE(fs::exists(at("kept")));
}

// Formats that do not state the lattice.
TEST_F(Reproduce, MeasurementsOfFilesWithoutASize) {
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"" TRELLIS_TEST_DATA
                      "/qcdm/testconf.txt\"]\nsize = [4, 4, 4, 4]\n[measure]\nobservables = [\"plaquette\"]\n"
                      "[output]\ndirectory = \"m\"\n");
  ASSERT_EQ(call("m", "measure").code, 0);
  expect_says(reproduce({"m"}), 0, {"the same bits, 1 row", "Reproduced: "});
}

TEST_F(Reproduce, OnOtherNumbersOfRanks) {
  auto command = test::launcher(2);
  if (command.empty()) GTEST_SKIP() << "no launcher";
  ASSERT_EQ(run("whole", often_).code, 0);
  for (const auto* word : {TRELLIS_PROGRAM, "reproduce", "whole", "--from", "whole/c.000009.ildg"})
    command.emplace_back(word);
  expect_says(test::Process(command, here()).wait(), 0, {"trajectories 10 to 12", "Reproduced: "});
}

TEST_F(Reproduce, WhatCannotBe) {
  expect_error(reproduce({"none"}), 2, {"none: there is no such file"});
  io::test::write_all(at("x.txt"), "text");
  expect_error(reproduce({"x.txt"}), 2, {"x.txt: there is no NAME.resolved.toml of a run or a measurement beside it"});
  const auto foreign = std::string(TRELLIS_TEST_DATA) + "/milc/lat.sample.l4444.ildg";
  expect_error(reproduce({foreign}), 2, {"was not written by a run of trellis"});
  io::convert(foreign, at("x.nersc"), {.format = "nersc"});
  expect_error(reproduce({"x.nersc"}), 2,
               {"x.nersc: there is no NAME", "the file itself does not say how it was made"});
  ASSERT_EQ(run("whole", {{"trajectories = 12", "trajectories = 6"}}).code, 0);
  expect_error(reproduce({"whole/c.000006.ildg", "--from", foreign}), 1, {"trellis-input"});
  expect_error(reproduce({"whole/c.000006.ildg", "--from", "whole/c.checkpoint"}), 2,
               {"is from trajectory 6, not before trajectory 6"});
  expect_error(reproduce({"whole/c.000006.ildg", "--scratch", "none"}), 2, {"--scratch: none is not a folder"});
}

}  // namespace
}  // namespace trellis::app
