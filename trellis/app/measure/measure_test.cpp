// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis measure`: it reproduces the numbers of `trellis run` from its files; what it refuses; how it continues.
#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

#include "tests/support/run_test.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/io/loops.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

using test::RunTest;

class Measure : public RunTest {
 protected:
  static std::string measure_input(const std::string& files, const Changes& changes = {}) {
    return changed(R"([configurations]
files = [)" + files + R"(]
[measure]
observables = ["polyakov", "topological_charge", "energy"]
[measure.flow]
time_max = 0.2
step = 0.05
[output]
directory = "m"
name = "c"
[machine]
threads = 1
)",
                   changes);
  }
  test::Outcome measure(const std::string& files, const Changes& changes = {}) const {
    io::test::write_all(at("m.toml"), measure_input(files, changes));
    return call("m", "measure");
  }
};

TEST_F(Measure, TheNumbersOfTheRun) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 4"}}).code, 0);
  const auto outcome = measure("\"a/c.*.ildg\"");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto of_run = io::read_csv(at("a/c.csv")), m = io::read_csv(at("m/c.csv"), {"file", "content"});
  EXPECT_EQ(io::read_csv_texts(at("m/c.csv"), "file"),
            (std::vector<std::string>{"a/c.000004.ildg", "a/c.000008.ildg", "a/c.000012.ildg"}));
  for (const auto* column : {"plaquette", "plaquette_spatial", "plaquette_temporal", "rectangle", "polyakov_re",
                             "polyakov_im", "topological_charge", "energy", "energy_spatial", "energy_temporal"})
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(m.column(column)[i], of_run.column(column)[4 * i + 3]) << column;
  const auto run_flow = io::Hdf5File::open(at("a/c.flow.h5")), flow = io::Hdf5File::open(at("m/c.flow.h5"));
  EXPECT_EQ(flow.read<std::int64_t>("flow/row"), (std::vector<std::int64_t>{1, 2, 3}));
  for (const auto* array : {"flow/time", "flow/energy", "flow/topological_charge", "flow/energy_plaquette"})
    EXPECT_EQ(flow.read<double>(array), run_flow.read<double>(array)) << array;
  for (const auto* part : {"Finished: 3 files measured.", "plaquette ", "of 3 files", "m/c.csv", "m/c.flow.h5"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
}

TEST_F(Measure, GoesOnAndTakesMoreFiles) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 3"}}).code, 0);
  ASSERT_EQ(measure("\"a/c.*.ildg\"").code, 0);
  const auto whole = table("m");
  const auto curves = text("m/c.flow.h5");
  std::filesystem::remove_all(at("m"));
  ASSERT_EQ(measure("\"a/c.000003.ildg\"").code, 0);
  // As if killed between writing a curve and its row.
  const auto rows = text("m/c.csv");
  ASSERT_EQ(measure("\"a/c.00000[36].ildg\"").code, 0);
  io::test::write_all(at("m/c.csv"), rows + "2,a/c.0000");
  const auto outcome = measure("\"a/c.*.ildg\"");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("1 of them are already in m/c.csv"), std::string::npos) << outcome.out;
  EXPECT_EQ(table("m"), whole);
  EXPECT_TRUE(text("m/c.flow.h5") == curves);
  // Nothing left to do.
  const auto before = everything("m");
  EXPECT_EQ(measure("\"a/c.*.ildg\"").code, 0);
  EXPECT_EQ(everything("m"), before);
}

// A file is identified by its content: another one under the same name is refused, the same one under another path is
// recognised.
TEST_F(Measure, AFileIsKnownByItsContent) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 3"}}).code, 0);
  ASSERT_EQ(measure("\"a/c.00000*.ildg\"").code, 0);
  const auto before = everything("m");
  std::filesystem::rename(at("a"), at("moved"));
  const auto moved = measure("\"moved/c.00000*.ildg\"");
  EXPECT_EQ(moved.code, 0) << moved.err;
  EXPECT_NE(moved.out.find("3 of them are already in m/c.csv"), std::string::npos) << moved.out;
  EXPECT_EQ(everything("m").size(), before.size());
  EXPECT_EQ(io::read_csv_texts(at("m/c.csv"), "file").size(), 3U);
  std::filesystem::rename(at("moved"), at("a"));
  std::filesystem::rename(at("a/c.000009.ildg"), at("a/c.000006.ildg"));
  expect_error(measure("\"a/c.00000*.ildg\""), 2, {"a/c.000006.ildg: is not the file", "output.name"});
  // A copy cannot be told from the result of a rejected trajectory, but is reported.
  std::filesystem::rename(at("a/c.000006.ildg"), at("a/c.000009.ildg"));
  std::filesystem::copy(at("a/c.000009.ildg"), at("a/copy.ildg"));
  const auto copied = measure("\"a/c.000003.ildg\", \"a/copy.ildg\"");
  EXPECT_NE(copied.out.find("note: 1 of the files have the same content as another one"), std::string::npos)
      << copied.out;
  // Formats without a checksum.
  const Coordinate size{4, 4, 4, 4};
  const auto put = [&](int seed) {
    const auto links = io::test::random_links(size, static_cast<unsigned>(seed));
    const auto plaquette = io::measure_loops(size, io::source_of(links)).plaquette;
    io::test::write_all(at("qcd"), io::test::openqcd_file(size, links, 3 * plaquette, io::ByteOrder::little));
  };
  const Changes elsewhere{{"directory = \"m\"", "directory = \"n\""}};
  put(3);
  ASSERT_EQ(measure("\"qcd\"", elsewhere).code, 0);
  EXPECT_EQ(measure("\"qcd\"", elsewhere).code, 0);
  put(4);
  expect_error(measure("\"qcd\"", elsewhere), 2, {"qcd: is not the file"});
}

TEST_F(Measure, ALostTableIsRefused) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 3"}}).code, 0);
  ASSERT_EQ(measure("\"a/c.*.ildg\"").code, 0);
  const auto curves = text("m/c.flow.h5"), table = text("m/c.csv");
  const auto plaquettes = [&] { return io::read_csv(at("m/c.csv"), {"file", "content"}).column("plaquette"); };
  const auto expected = plaquettes();
  std::filesystem::remove(at("m/c.csv"));
  expect_error(measure("\"a/c.000003.ildg\""), 1, {"m/c.csv: has 0 rows, but m/c.flow.h5 has those of 4", "repair m"});
  EXPECT_FALSE(exists("m/c.csv"));
  EXPECT_TRUE(text("m/c.flow.h5") == curves);
  for (const bool is_empty : {false, true}) {
    if (is_empty) io::test::write_all(at("m/c.csv"), table.substr(0, table.find('\n') + 1));
    const auto repaired = test::Process({TRELLIS_PROGRAM, "repair", "m"}, here()).wait();
    EXPECT_NE(repaired.out.find("Rows are kept up to row 0"), std::string::npos) << repaired.out;
    EXPECT_EQ(measure("\"a/c.*.ildg\"").code, 0);
    EXPECT_EQ(plaquettes(), expected);
  }
}

TEST_F(Measure, DamagedResultsAreRefusedAndRepaired) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 3"}}).code, 0);
  ASSERT_EQ(measure("\"a/c.*.ildg\"").code, 0);
  const auto whole = table("m");
  const auto curves = text("m/c.flow.h5");
  auto csv = text("m/c.csv");
  csv[csv.find("\n2,") + 40] ^= 1;
  for (const bool of_table : {true, false}) {
    if (of_table)
      io::test::write_all(at("m/c.csv"), csv);
    else
      std::filesystem::remove(at("m/c.flow.h5"));
    expect_error(measure("\"a/c.*.ildg\""), 1, {of_table ? "m/c.csv:3" : "m/c.flow.h5", "trellis repair m"});
    const auto repaired = test::Process({TRELLIS_PROGRAM, "repair", "m"}, here()).wait();
    ASSERT_EQ(repaired.code, 0) << repaired.err;
    const auto outcome = measure("\"a/c.*.ildg\"");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(table("m"), whole);
    EXPECT_TRUE(text("m/c.flow.h5") == curves);
  }
}

TEST_F(Measure, CtrlC) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 3"}}).code, 0);
  const Changes slow{{"step = 0.05", "step = 0.0005"}};
  ASSERT_EQ(measure("\"a/c.*.ildg\"", slow).code, 0);
  const auto whole = table("m");
  const auto curves = text("m/c.flow.h5");
  std::filesystem::remove_all(at("m"));
  test::Process process(command("m", "measure"), here());
  while (!exists("m/c.csv") || io::read_csv(at("m/c.csv"), {"file", "content"}).rows() == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  process.signal(SIGINT);
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.out.find("The same command continues from here: " TRELLIS_PROGRAM " measure m.toml"),
            std::string::npos);
  ASSERT_EQ(call("m", "measure").code, 0);
  EXPECT_EQ(table("m"), whole);
  EXPECT_TRUE(text("m/c.flow.h5") == curves);
}

TEST_F(Measure, FilesOfAllKindsAndSizes) {
  const std::string data = TRELLIS_TEST_DATA;
  const auto outcome =
      measure(fmt::format("\"{0}/milc/lat.sample.l4444*\", \"{0}/milc/lat.sample.l4448\", "
                          "\"{0}/atb/nersc.l8t4b3360\", \"{0}/pyquda/weak_field.lime\"",
                          data));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto plaquette = io::read_csv(at("m/c.csv"), {"file", "content"}).column("plaquette");
  ASSERT_EQ(plaquette.size(), 6U);
  const double expected[] = {0.594850158947, 0.594850158947, 0.594850158947,
                             0.569055724369, 0.503866446950, 0.994804132267};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(plaquette[i], expected[i], 1e-11) << i;
  // Averages are of one lattice each, here and in `trellis analyse`.
  for (const auto* part : {"4x4x4x4:\n", "3 of 3 files", "2 of 2 files", "0.503866         1 of 1 file\n",
                           "  (not enough measurements for an error)\n"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  const auto analysis = test::Process({TRELLIS_PROGRAM, "analyse", "m"}, here()).wait();
  EXPECT_EQ(analysis.code, 0) << analysis.err;
  for (const auto* part : {"Files measured in m, 4x4x4x4", "3 of 6 files", "Files measured in m, 4x4x4x8"})
    EXPECT_NE(analysis.out.find(part), std::string::npos) << part << " in " << analysis.out;
}

// The table says which lattice each file had. Tables of earlier versions do not, nor are their rows lost by that.
TEST_F(Measure, LatticesAreKnownWhenTheFilesAreGone) {
  const std::string data = TRELLIS_TEST_DATA;
  for (const auto* name : {"lat.sample.l4444", "lat.sample.l4448"})
    std::filesystem::copy_file(data + "/milc/" + name, at(name));
  const std::string both = "\"lat.sample.l4444\", \"lat.sample.l4448\"";
  ASSERT_EQ(measure(both).code, 0);
  const auto analysed = [&] { return test::Process({TRELLIS_PROGRAM, "analyse", "m"}, here()).wait(); };
  const auto expect_titles = [](const test::Outcome& outcome, const std::vector<const char*>& titles) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const auto* title : titles)
      EXPECT_NE(outcome.out.find(fmt::format("Files measured in m, {}", title)), std::string::npos) << outcome.out;
  };
  // As an earlier version wrote it.
  const auto without_sizes = [](const std::string& row) {
    std::string kept;
    for (std::size_t cell = 0, begin = 0; begin < row.size(); ++cell) {
      const auto end = std::min(row.find(',', begin), row.size());
      if ((cell < 3 || cell > 6) && end < row.size())
        kept += (kept.empty() ? "" : ",") + row.substr(begin, end - begin);
      begin = end + 1;
    }
    return kept + "\n";
  };
  std::string old;
  std::istringstream rows(text("m/c.csv"));
  for (std::string row; std::getline(rows, row);) old += without_sizes(row);
  EXPECT_TRUE(old.starts_with("row,file,content,plaquette,")) << old;

  const auto rename_all = [&](const std::string& from, const std::string& to) {
    for (const auto* name : {"lat.sample.l4444", "lat.sample.l4448"})
      std::filesystem::rename(at(name + from), at(name + to));
  };
  rename_all("", ".gone");
  const auto known = analysed();
  expect_titles(known, {"4x4x4x4", "4x4x4x8"});
  EXPECT_EQ(known.err, "");

  io::test::write_all(at("m/c.csv"), old);
  const auto unknown = analysed();
  expect_titles(unknown, {"of unknown size"});
  EXPECT_NE(unknown.err.find("m/c.csv: the lattice of 2 files is not known"), std::string::npos) << unknown.err;
  // Another file of that name is not the one that was measured.
  std::filesystem::copy_file(at("lat.sample.l4448.gone"), at("lat.sample.l4444"));
  expect_titles(analysed(), {"of unknown size"});
  EXPECT_EQ(analysed().out.find("4x4x4x8"), std::string::npos);
  rename_all(".gone", "");
  expect_titles(analysed(), {"4x4x4x4", "4x4x4x8"});

  const auto looked = test::Process({TRELLIS_PROGRAM, "repair", "m", "--dry-run"}, here()).wait();
  EXPECT_EQ(looked.code, 0) << looked.out << looked.err;
  const auto more = measure("\"lat.sample.l4444\", \"lat.sample.l4448\", \"" + data + "/atb/nersc.l8t4b3360\"");
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.out.find("2 of them are already in m/c.csv"), std::string::npos) << more.out;
  const auto table = io::read_csv(at("m/c.csv"), {"file", "content"});
  ASSERT_EQ(table.rows(), 3U);
  EXPECT_TRUE(std::isnan(table.column("size_t")[1]));
  EXPECT_EQ(table.column("size_x")[2], 8);
  EXPECT_EQ(table.column("size_t")[2], 4);
}

TEST_F(Measure, AFileWhoseSizeTheInputStates) {
  const std::string file = "\"" TRELLIS_TEST_DATA "/qcdm/testconf.txt\"";
  for (int n = 0; n < 2; ++n) {  // the second time there is nothing left to do
    const auto outcome = measure(file, {{"[measure]\n", "size = [4, 4, 4, 4]\n[measure]\n"}});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  const auto table = io::read_csv(at("m/c.csv"), {"file", "content"});
  ASSERT_EQ(table.rows(), 1U);
  EXPECT_NEAR(table.column("plaquette")[0], 0.587818337847, 1e-11);
  std::filesystem::remove_all(at("m"));
  expect_error(measure(file), 2, {"add --size 4,4,4,4", "size = [4, 4, 4, 4] to an input's [configurations]"});
  EXPECT_FALSE(exists("m"));
}

TEST_F(Measure, ErrorsBeginWithTheNameOfTheFile) {
  ASSERT_EQ(run("a").code, 0);
  for (const std::string section : {"[measure.hadrons]\nkappas = [0.12]\nmax_iterations = 2\n",
                                    "[[flavours]]\nname = \"l\"\nmass = 0.1\n[measure.staggered_hadrons]\n"
                                    "max_iterations = 2\n"}) {
    expect_error(measure("\"a/c.000012.ildg\"", {{"[output]", section + "[output]"}}), 1,
                 {"error: a/c.000012.ildg: ", "2 iterations"});
    std::filesystem::remove_all(at("m"));
  }
}

TEST_F(Measure, BadFiles) {
  const auto good = io::test::read_all(TRELLIS_TEST_DATA "/milc/lat.sample.l4444");
  io::test::write_all(at("lat.1"), good);
  io::test::write_all(at("lat.2"), good.substr(0, good.size() - 1));
  expect_error(measure("\"lat.*\""), 2, {"lat.2", "truncated"});
  EXPECT_FALSE(exists("m"));
  expect_error(measure("\"none.*\""), 2, {"none.*: no file matches"});
  io::test::write_all(at("lat.2"), "what is this");
  expect_error(measure("\"lat.*\""), 2, {"lat.2"});
  EXPECT_FALSE(exists("m"));

  auto flipped = good;
  flipped[flipped.size() / 2] ^= 1;
  io::test::write_all(at("lat.2"), flipped);
  expect_error(measure("\"lat.*\""), 1, {"lat.2", "checksum", "(1 file measured before it: m/c.csv)"});
  EXPECT_EQ(io::read_csv_texts(at("m/c.csv"), "file"), std::vector<std::string>{"lat.1"});
  io::test::write_all(at("lat.2"), good);
  EXPECT_EQ(measure("\"lat.*\"").code, 0);
  EXPECT_EQ(io::read_csv_texts(at("m/c.csv"), "file"), (std::vector<std::string>{"lat.1", "lat.2"}));
}

// Which file has the lattice, and where the input asks for what does not fit it.
TEST_F(Measure, WhatDoesNotFitALatticeIsRefusedBeforeAnyFileIsMeasured) {
  const std::string data = TRELLIS_TEST_DATA;
  const auto files = fmt::format("\"{0}/atb/nersc.l8t4b3360\", \"{0}/milc/lat.sample.l4444\"", data);
  expect_error(measure(files, {{"[output]", "[measure.wilson_loops]\ndistance = 3\ntime = 2\n[output]"}}), 2,
               {"m.toml:9:12: measure.wilson_loops.distance: " + data +
                "/milc/lat.sample.l4444: Wilson loops: 3 steps "
                "along 100 are more than half of the lattice 4x4x4x4"});
  EXPECT_FALSE(exists("m"));
  std::vector<std::string> words{TRELLIS_PROGRAM, "measure", "m.toml", "--check"};
  expect_error(test::Process(words, here()).wait(), 2, {"m.toml:9:12: measure.wilson_loops.distance: "});
}

TEST_F(Measure, AFileThatClaimsAnotherPlaquette) {
  const Coordinate size{4, 4, 4, 4};
  const auto links = io::test::random_links(size, 3);
  const auto plaquette = io::measure_loops(size, io::source_of(links)).plaquette;
  io::test::write_all(at("claim"), io::test::openqcd_file(size, links, 3 * plaquette + 1e-6, io::ByteOrder::little));
  expect_error(measure("\"claim\""), 1, {"claim: the links have", "`accept_damage = true` in [configurations]"});
  const auto taken = measure("\"claim\"", {{"[measure]\n", "accept_damage = true\n[measure]\n"}});
  EXPECT_EQ(taken.code, 0) << taken.err;
  EXPECT_NE(taken.err.find("accepted, because the input says accept_damage"), std::string::npos) << taken.err;
  EXPECT_NE(text("m/c.resolved.toml").find("accept_damage = true"), std::string::npos);
}

TEST_F(Measure, AnOpenBoundaryIsRefusedBeforeAnyFileIsMeasured) {
  const Coordinate size{4, 4, 4, 4};
  auto links = io::test::random_links(size, 3);
  const auto write = [&](const char* name) {
    const double plaquette = io::measure_loops(size, io::source_of(links)).plaquette;
    io::test::write_all(at(name), io::test::openqcd_file(size, links, 3 * plaquette, io::ByteOrder::little));
  };
  write("closed");
  for (std::size_t site = 192; site < 256; ++site) std::fill_n(links.begin() + std::ptrdiff_t(site * 72 + 54), 18, 0.0);
  write("open");
  expect_error(measure("\"closed\", \"open\""), 2, {"open: the boundary in t is open"});
  EXPECT_FALSE(exists("m/c.csv"));
  expect_error(run("a", {{"\"hot\"", "\"file\"\nfile = \"open\""}}), 2, {"open: the boundary in t is open"});
  EXPECT_FALSE(exists("a/c.csv"));
}

TEST_F(Measure, PlaquetteAndRectangleAlone) {
  const std::string file = "\"" TRELLIS_TEST_DATA "/milc/lat.sample.l4444\"";
  const auto done =
      measure(file, {{"[\"polyakov\", \"topological_charge\", \"energy\"]", "[\"rectangle\", \"plaquette\"]"},
                     {"[measure.flow]\ntime_max = 0.2\nstep = 0.05\n", ""}});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto table = io::read_csv(at("m/c.csv"), {"file", "content"});
  EXPECT_NEAR(table.column("plaquette")[0], 0.594850158947, 1e-12);
  EXPECT_NEAR(table.column("rectangle")[0], 0.399122847047, 1e-12);
  EXPECT_FALSE(table.has("polyakov_re"));
}

TEST_F(Measure, ChangesAreRefused) {
  const std::string file = "\"" TRELLIS_TEST_DATA "/milc/lat.sample.l4444\"";
  ASSERT_EQ(measure(file).code, 0);
  const auto before = everything("m");
  expect_error(measure(file, {{"step = 0.05", "step = 0.1"}}), 2, {"measure.flow.step = 0.05", "now says 0.1"});
  expect_error(measure(file, {{"\"polyakov\", ", ""}}), 2, {"measure.observables"});
  EXPECT_EQ(everything("m"), before);
}

}  // namespace
}  // namespace trellis::app
