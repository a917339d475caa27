// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis run`: what it writes, what it refuses.
#include <cmath>

#include "tests/support/run_test.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/io/inspect.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

using test::RunTest;

constexpr const char* kQuarks =
    "\n[[flavours]]\nname = \"l\"\nmass = 0.1\n[measure.cooling]\n[measure.stout]\n[measure.quarks]\n";

class Run : public RunTest {
 protected:
  // The input is refused and nothing is written.
  void expect_refused(const Changes& changes, const std::vector<std::string>& parts) const {
    expect_error(run("new", changes), 2, parts);
    EXPECT_FALSE(exists("new"));
  }
};

TEST_F(Run, Table) {
  const auto outcome = run("a");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // Of nine plaquettes there is an error, of five charges none.
  const auto line = [&](const std::string& what) {
    const auto begin = outcome.out.find("\n  " + what + " ");
    return begin == std::string::npos ? "" : outcome.out.substr(begin, outcome.out.find('\n', begin + 1) - begin);
  };
  EXPECT_NE(line("plaquette").find("tau_int"), std::string::npos) << outcome.out;
  EXPECT_TRUE(line("topological charge").ends_with("not enough measurements for an error")) << outcome.out;
  const auto t = io::read_csv(at("a/c.csv"));
  EXPECT_EQ(
      joined(t.columns, ","),
      "trajectory,tuning,plaquette,plaquette_spatial,plaquette_temporal,rectangle,polyakov_re,polyakov_im,dH,"
      "exp_minus_dH,accepted,dH_kinetic,dS_plaquette,dS_rectangle,force_average_plaquette,force_maximum_plaquette,"
      "force_average_rectangle,force_maximum_rectangle,reversibility_links,reversibility_momenta,"
      "reversibility_energy,topological_charge,energy,energy_spatial,energy_temporal,t0,w0,seconds");
  ASSERT_EQ(t.rows(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const auto v = [&](const char* name) { return t.column(name)[i]; };
    EXPECT_EQ(v("trajectory"), double(i + 1));
    EXPECT_NEAR(v("plaquette"), (v("plaquette_spatial") + v("plaquette_temporal")) / 2, 1e-14);
    EXPECT_EQ(v("exp_minus_dH"), std::exp(-v("dH")));
    EXPECT_NEAR(v("dH"), v("dH_kinetic") + v("dS_plaquette") + v("dS_rectangle"), 1e-9);
    EXPECT_TRUE(i >= 3 || v("accepted") == 1);
    EXPECT_EQ(std::isnan(v("reversibility_links")), i % 4 != 3);
    EXPECT_EQ(std::isnan(v("topological_charge")), i % 2 != 1);
    EXPECT_TRUE(i % 2 != 1 || std::abs(v("energy") - v("energy_spatial") - v("energy_temporal")) < 1e-12);
    EXPECT_GT(v("seconds"), 0);
    for (const std::string term : {"plaquette", "rectangle"}) {
      EXPECT_GT(t.column("force_average_" + term)[i], 0);
      EXPECT_GT(t.column("force_maximum_" + term)[i], t.column("force_average_" + term)[i]);
    }
  }
  // Summary and next steps.
  for (const auto* part :
       {"Finished: all 12 trajectories are done.", "plaquette   ", "acceptance", "<exp(-dH)>", "seconds/trajectory",
        "everything included", "forces ", "all else ", "a/c.csv", "a/c.svg", "a/c.flow.h5", "a/c.checkpoint",
        "a/c.resolved.toml", "a/c.log", "1 thread, 1 lane\n", "Next: " TRELLIS_PROGRAM " analyse a\n",
        TRELLIS_PROGRAM " inspect a/c.000012.ildg", "12/12"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  // The last progress line and the summary agree.
  const auto word_after = [&](const std::string& what, std::size_t from) {
    const auto at = outcome.out.find(what, from) + what.size(), begin = outcome.out.find_first_not_of(' ', at);
    return outcome.out.substr(begin, outcome.out.find_first_of(" \n", begin) - begin);
  };
  const auto progress = outcome.out.find("\n12/12 "), summary = outcome.out.find("Finished: ");
  for (const auto* what : {"plaquette ", "<exp(-dH)> "})
    EXPECT_EQ(word_after(what, progress), word_after(what, summary)) << what << " in " << outcome.out;
  EXPECT_EQ(text("a/c.svg").rfind("<svg", 0) == 0 || text("a/c.svg").rfind("<?xml", 0) == 0, true);
  EXPECT_NE(text("a/c.log").find("finished"), std::string::npos);
}

// Steps far too large for molecular dynamics: thermalisation would accept everything, so the user has to be told.
TEST_F(Run, SaysThatTheIntegrationIsUnstable) {
  const auto outcome = run("a", {{"steps = 5", "steps = 1\ntrajectory_length = 3.0"}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto& where : {outcome.out, text("a/c.log")}) {
    const auto found = where.find("the integration is unstable");
    ASSERT_NE(found, std::string::npos) << where;
    EXPECT_EQ(where.find("the integration is unstable", found + 1), std::string::npos) << "said once: " << where;
  }
  EXPECT_EQ(run("b").out.find("unstable"), std::string::npos);
}

TEST(RunTimes, WhatARunDoesNotHaveIsLeftOut) {
  RunTimes heatbath;
  heatbath.trajectories = 2;
  heatbath.seconds = 4;
  heatbath.profile.links = 3;
  heatbath.measuring = 0.5;
  EXPECT_EQ(times_text(heatbath),
            "  seconds/trajectory   2, everything included\n"
            "                       links 75.0 %, measurements 12.5 %, all else 12.5 %\n");
}

TEST(RunTimes, WaitingForFilesIsAPartOfItsOwn) {
  RunTimes times;
  times.trajectories = 1;
  times.seconds = 4;
  times.profile.force = 2;
  times.writing = 0.2;
  times.waiting = 1;
  EXPECT_NE(times_text(times).find("forces 50.0 %, files 5.0 %, waiting for files 25.0 %, all else 20.0 %\n"),
            std::string::npos)
      << times_text(times);
}

// The run counts its kernels itself, and a profile of the whole program counts them too.
TEST_F(Run, AProfileOfTheProgramCountsTheSameKernels) {
  io::test::write_all(at("p.toml"), input("p"));
  std::vector<std::string> words{"/usr/bin/env", "TRELLIS_PROFILE=1", "TRELLIS_TRACE=trace.json"};
  for (const auto& word : command("p")) words.push_back(word);
  const auto outcome = test::Process(words, here()).wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Kernels; "), std::string::npos) << outcome.out;
  for (const auto* part : {"Trellis profile: ", "[trajectories]", "[measurements]", "[checkpoint]"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  // Every kernel in the run's own table.
  const auto own = text("p/c-kernels.csv");
  int kernels = 0;
  for (auto line = own.find('\n') + 1; line < own.size(); line = own.find('\n', line) + 1) {
    const auto name = own.substr(line, own.find(',', line) - line);
    if (name == "outside kernels") break;
    EXPECT_NE(outcome.err.find("  " + name), std::string::npos) << name << " in " << outcome.err;
    ++kernels;
  }
  EXPECT_GT(kernels, 5);
  EXPECT_TRUE(text("trace.json").starts_with("{\"traceEvents\":["));
}

TEST_F(Run, Configurations) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 5\nsave_precision = \"single\""}}).code, 0);
  ASSERT_EQ(run("b").code, 0);
  EXPECT_FALSE(exists("a/c.000012.ildg"));
  const auto t = io::read_csv(at("b/c.csv"));
  for (const auto* file : {"a/c.000005.ildg", "a/c.000010.ildg", "b/c.000006.ildg", "b/c.000012.ildg"}) {
    const auto found = io::inspect(at(file));
    EXPECT_TRUE(found.sound()) << file << " " << joined(found.problems, "; ");
    const bool single = file[0] == 'a';
    EXPECT_EQ(found.info.precision, single ? Precision::single : Precision::double_);
    EXPECT_EQ(found.info.checksums.size(), 2U);
    ASSERT_TRUE(found.info.plaquette.has_value());
    const auto row = static_cast<std::size_t>(std::stoi(std::string(file).substr(4, 6))) - 1;
    EXPECT_NEAR(found.loops.plaquette, t.column("plaquette")[row], single ? 1e-7 : 1e-14);
  }
  // The file contains what the links depend on, but not the machine that made them.
  const auto bytes = text("b/c.000012.ildg");
  for (const auto* part : {"trellis-input", "beta = 4.0", "seed = 7", "trellis-provenance", "trajectory = 12"})
    EXPECT_NE(bytes.find(part), std::string::npos) << part;
  for (const auto* part : {"threads", "lanes"}) EXPECT_EQ(bytes.find(part), std::string::npos) << part;
}

TEST_F(Run, FlowCurves) {
  ASSERT_EQ(run("a").code, 0);
  const auto file = io::Hdf5File::open(at("a/c.flow.h5"));
  EXPECT_EQ(file.read<std::int64_t>("flow/trajectory"), (std::vector<std::int64_t>{4, 8, 12}));
  const auto times = file.read<double>("flow/time");
  ASSERT_EQ(times.size(), 3U);
  EXPECT_NEAR(times[2], 0.2, 1e-15);
  EXPECT_EQ(file.shape("flow/energy"), (io::Hdf5File::Shape{3, 3}));
  const auto energy = file.read<double>("flow/energy"), plaquette = file.read<double>("flow/plaquette");
  const auto t = io::read_csv(at("a/c.csv"));
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(energy[3 * n], t.column("energy")[4 * n + 3]);
    EXPECT_EQ(plaquette[3 * n], t.column("plaquette")[4 * n + 3]);
    EXPECT_GT(energy[3 * n], energy[3 * n + 1]);
    EXPECT_GT(energy[3 * n + 1], energy[3 * n + 2]);
  }
}

TEST_F(Run, TheResolvedInputIsAnInput) {
  ASSERT_EQ(run("a").code, 0);
  const auto resolved = text("a/c.resolved.toml");
  io::test::write_all(at("again.toml"), changed(resolved, {{"directory = \"a\"", "directory = \"again\""}}));
  ASSERT_EQ(call("again").code, 0);
  expect_same_results("a", "again");
}

TEST_F(Run, AFinishedRunSaysSoAndChangesNothing) {
  ASSERT_EQ(run("a").code, 0);
  const auto before = everything("a");
  for (const auto* trajectories : {"trajectories = 12", "trajectories = 9"}) {
    const auto outcome = run("a", {{"trajectories = 12", trajectories}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("This run is finished: 12 trajectories are done"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("a/c.csv"), std::string::npos);
    EXPECT_EQ(everything("a"), before);
  }
}

TEST_F(Run, WhatMayChangeMayChange) {
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 4"}}).code, 0);
  const auto outcome = run("a", {{"checkpoint_every = 2", "checkpoint_every = 5\ntime_budget_minutes = 60"},
                                 {"save_every = 6", "save_every = 3\nsave_precision = \"single\""},
                                 {"reversibility_every = 4", "reversibility_every = 0"},
                                 {"every = 2", "every = 1"},
                                 {"threads = 1", "threads = 2"}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Continuing after trajectory 4 of 12"), std::string::npos) << outcome.out;
}

TEST_F(Run, OtherChangesAreRefused) {
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 4"}}).code, 0);
  const auto before = everything("a");
  const std::vector<std::pair<Changes, std::vector<std::string>>> cases{
      {{{"beta = 4.0", "beta = 4.1"}}, {"action.beta = 4.0", "now says 4.1"}},
      {{{"\"symanzik\"", "\"iwasaki\""}}, {"action.name = \"symanzik\"", "now says \"iwasaki\""}},
      {{{"[4, 4, 4, 4]", "[4, 4, 4, 8]"}}, {"lattice.size = [4, 4, 4, 4]", "now says [4, 4, 4, 8]"}},
      {{{"\"hot\"", "\"cold\""}}, {"start.kind = \"hot\""}},
      {{{"seed = 7", "seed = 8"}}, {"chain.seed = 7", "now says 8"}},
      {{{"steps = 5", "steps = 5\ntrajectory_length = 2.0"}}, {"trajectory_length = 1.0"}},
      {{{"thermalisation = 3", "thermalisation = 2"}}, {"chain.thermalisation = 3"}},
      {{{", \"energy\"", ""}}, {"measure.observables = "}},
      {{{"time_max = 0.2", "time_max = 0.3"}}, {"measure.flow.time_max = 0.2"}},
      {{{"[measure.flow]\nevery = 4\ntime_max = 0.2\nstep = 0.05\n", ""}}, {"measure.flow.", "now says absent"}},
  };
  for (const auto& [changes, parts] : cases) {
    expect_error(run("a", changes), 2, parts);
    expect_error(run("a", changes), 2, {"a/c.checkpoint: the run there was made with "});
    EXPECT_EQ(everything("a"), before);
  }
}

TEST_F(Run, HowTrajectoriesAreComputedMayChangeAndIsSaid) {
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 4"}}).code, 0);
  const auto outcome = run("a", {{"steps = 5", "steps = 6\nintegrator = \"4mn5fv\""}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto log = text("a/c.log");
  for (const auto* said : {"algorithm.steps = 6 (was 5)", "integrator = \"4mn5fv\" (was \"2mn\")"}) {
    EXPECT_NE(outcome.out.find(said), std::string::npos) << outcome.out;
    EXPECT_NE(log.find(said), std::string::npos) << log;
  }
  EXPECT_NE(outcome.out.find("from trajectory 5 on: algorithm."), std::string::npos) << outcome.out;
  const auto again =
      run("a", {{"steps = 5", "steps = 6\nintegrator = \"4mn5fv\""}, {"trajectories = 12", "trajectories = 14"}});
  EXPECT_EQ(again.out.find("(was "), std::string::npos) << "said once: " << again.out;
}

TEST_F(Run, MeasurementsMayBeAdded) {
  const std::string flow = "[measure.flow]\nevery = 4\ntime_max = 0.2\nstep = 0.05\n";
  const Changes more{{"[output]", "[measure.cooling]\n[output]"}};
  ASSERT_EQ(run("whole", more).code, 0);
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 5"}, {", \"energy\"", ""}, {flow, ""}}).code, 0);
  // Stopped before any checkpoint knows of the new tables.
  auto partly = more;
  partly.insert(partly.end(),
                {{"trajectories = 12", "trajectories = 7"}, {"checkpoint_every = 2", "checkpoint_every = 9"}});
  const auto outcome = run("a", partly);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto* said : {"measured from trajectory 6 on: measure.cooling.steps = 50", "measure.observables = "})
    EXPECT_NE(outcome.out.find(said), std::string::npos) << outcome.out;
  std::filesystem::rename(at("a/c.previous.checkpoint"), at("a/c.checkpoint"));
  ASSERT_EQ(run("a", more).code, 0);
  const auto all = io::read_csv(at("whole/c.csv")), now = io::read_csv(at("a/c.csv"));
  ASSERT_EQ(now.columns, all.columns);
  for (const auto* column : {"plaquette", "energy", "charge_cooling"})
    for (const std::size_t row : {7U, 11U}) EXPECT_EQ(now.column(column)[row], all.column(column)[row]) << column;
  EXPECT_TRUE(std::isnan(now.column("energy")[3]));
  EXPECT_EQ(io::Hdf5File::open(at("a/c.flow.h5")).read<std::int64_t>("flow/trajectory"),
            (std::vector<std::int64_t>{8, 12}));
  EXPECT_EQ(io::read_csv(at("a/c-cooling.csv")).column("trajectory").front(), 6);
  EXPECT_EQ(io::read_csv(at("a/c-cooling.csv")).rows(), 6U * 4);
  EXPECT_EQ(text("a/c.000012.ildg").size() > 0, true);
}

TEST_F(Run, FreeKeysAreKeys) {
  io::test::write_all(at("a.toml"), input("a"));
  auto keys = flatten(read_run_input(at("a.toml")).resolved);
  const auto of_quarks = flatten(
      parse_run_input(
          input("a") + kQuarks +
              "[measure.hadrons]\nkappas = "
              "[0.1]\npropagators = \"p\"\n[measure.wilson_loops]\ndistance = 2\ntime = 2\n"
              "[measure.glueballs]\n[measure.staggered_hadrons]\n[measure.ape]\n[measure.hyp]\n[chain.stop_when]\n"
              "observable = \"plaquette\"\nerror_below = 1\n",
          "b.toml")
          .resolved);
  keys.insert(keys.end(), of_quarks.begin(), of_quarks.end());
  keys.emplace_back("algorithm.levels", "");     // instead of steps
  keys.emplace_back("algorithm.precision", "");  // if it is not double
  keys.emplace_back("chain.stop_file", "");      // if it is not in the folder of results
  auto may_change = free_keys();
  may_change.insert(may_change.end(), tuning_keys().begin(), tuning_keys().end());
  for (const auto& free : may_change)
    EXPECT_TRUE(std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
      return key.first == free || key.first.starts_with(free + ".") || key.first.starts_with(free + "[");
    })) << free;
}

TEST_F(Run, BadStartFiles) {
  const auto start = [](const std::string& file) {
    return Changes{{"kind = \"hot\"", "kind = \"file\"\nfile = \"" + file + "\""}};
  };
  expect_refused(start("none"), {"none"});
  const auto good = io::test::read_all(TRELLIS_TEST_DATA "/milc/lat.sample.l4444");
  io::test::write_all(at("short"), good.substr(0, good.size() - 100));
  expect_refused(start("short"), {"short", "truncated"});
  auto flipped = good;
  flipped[flipped.size() / 2] ^= 1;
  io::test::write_all(at("flipped"), flipped);
  expect_refused(start("flipped"), {"flipped", "checksum"});
  expect_refused(start(TRELLIS_TEST_DATA "/milc/lat.sample.l4448"), {"l4448", "4x4x4x8", "4x4x4x4"});

  // Formats without a checksum: links outside SU(3), and a header with a plaquette other than the links'.
  const Coordinate size{4, 4, 4, 4};
  auto links = io::test::random_links(size, 3);
  const auto plaquette = io::measure_loops(size, io::source_of(links)).plaquette;
  io::test::write_all(at("qcd"), io::test::openqcd_file(size, links, 3 * plaquette, io::ByteOrder::little));
  const auto outcome = run("good", start("qcd"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  io::test::write_all(at("claim"), io::test::openqcd_file(size, links, 3 * plaquette + 1e-6, io::ByteOrder::little));
  expect_refused(start("claim"),
                 {"claim: the links have the plaquette", "the header says", "`accept_damage = true` in [start]"});
  const auto taken = run("taken", {{"kind = \"hot\"", "kind = \"file\"\nfile = \"claim\"\naccept_damage = true"}});
  EXPECT_EQ(taken.code, 0) << taken.err;
  EXPECT_NE(taken.err.find("accepted, because the input says accept_damage"), std::string::npos) << taken.err;
  // Stored together with everything derived from it.
  EXPECT_NE(io::test::read_all(at("taken/c.checkpoint")).find("accept_damage = true"), std::string::npos);
  EXPECT_EQ(run("taken", {{"kind = \"hot\"", "kind = \"file\"\nfile = \"claim\"\naccept_damage = true"}}).code, 0);
  expect_refused({{"kind = \"hot\"", "kind = \"hot\"\naccept_damage = true"}}, {"start.accept_damage", "not allowed"});
  links[1000] += 0.01;
  io::test::write_all(at("su3"), io::test::openqcd_file(size, links, 3 * plaquette, io::ByteOrder::little));
  expect_refused(start("su3"), {"su3"});
}

TEST_F(Run, StartsFromAFileOfAnotherProgram) {
  const auto outcome =
      run("a", {{"kind = \"hot\"", "kind = \"file\"\nfile = \"" TRELLIS_TEST_DATA "/milc/lat.sample.l4444\""}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Start: plaquette 0.59485015"), std::string::npos) << outcome.out;
}

TEST_F(Run, FoldersThatCannotBeWritten) {
  const auto directory = [](const std::string& name) {
    return Changes{{"directory = \"new\"", "directory = \"" + name + "\""}};
  };
  io::test::write_all(at("file"), "");
  expect_refused(directory("file"), {"output.directory: file", "not a folder"});
  expect_refused(directory("file/below"), {"output.directory: file/below", "not a folder"});
  expect_refused(directory("/proc/none/here"), {"output.directory: ", "/proc/none/here"});
  if (::geteuid() == 0) return;  // root may write anywhere
  std::filesystem::create_directory(at("closed"));
  std::filesystem::permissions(at("closed"), std::filesystem::perms{0555});
  expect_refused(directory("closed"), {"output.directory: closed", "Permission denied"});
  expect_refused(directory("closed/below"), {"output.directory: closed/below", "Permission denied"});
}

TEST_F(Run, OneAtATime) {
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 4"}}).code, 0);
  const auto before = everything("a");
  {
    const FolderLock lock(at("a/c.lock"));
    expect_error(run("a"), 2, {"a/c.lock is locked: another process is working on the same output"});
  }
  EXPECT_EQ(everything("a"), before);
  // What a killed process leaves behind is not a lock.
  io::test::write_all(at("a/c.lock"), "");
  EXPECT_EQ(run("a").code, 0);
}

// One checkpoint is damaged, and the previous one is gone. repair_test.cpp covers the case where it exists.
TEST_F(Run, DamagedFolders) {
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 4"}}).code, 0);
  const auto checkpoint = text("a/c.checkpoint"), table = text("a/c.csv");
  std::filesystem::remove(at("a/c.previous.checkpoint"));
  const auto flip = [&](const std::string& near) {
    auto bytes = checkpoint;
    bytes[bytes.find(near) + near.size()] ^= 1;
    io::test::write_all(at("a/c.checkpoint"), bytes);
  };
  const auto expect_refused_again = [&](std::vector<std::string> parts) {
    parts.insert(parts.end(), {"Nothing was changed", "repair a"});
    expect_error(run("a"), 1, parts);
  };
  flip("completed = ");
  expect_refused_again({"a/c.checkpoint: LIME records", "damaged"});
  flip("beta = ");
  expect_refused_again({"a/c.checkpoint: LIME records", "damaged"});
  flip("ildg-binary-data" + std::string(400, '\0').substr(0, 112));
  expect_refused_again({"a/c.checkpoint"});
  io::test::write_all(at("a/c.checkpoint"), checkpoint.substr(0, 100000));
  expect_refused_again({"a/c.checkpoint", "truncated"});
  io::test::write_all(at("a/c.checkpoint"), io::test::read_all(TRELLIS_TEST_DATA "/milc/lat.sample.l4444.ildg"));
  expect_refused_again({"a/c.checkpoint: is not a file of a run"});

  io::test::write_all(at("a/c.checkpoint"), checkpoint);
  io::test::write_all(at("a/c.csv"), table.substr(0, table.rfind("\n4,") + 1));
  expect_refused_again({"a/c.csv: has 3 rows, but had 4"});
  io::test::write_all(at("a/c.csv"), table);
  std::filesystem::remove(at("a/c.checkpoint"));
  expect_error(run("a"), 2, {"a/c.csv: there is a table of a run, but no checkpoint c.checkpoint", "trellis repair a"});
  EXPECT_EQ(text("a/c.csv"), table);
}

}  // namespace
}  // namespace trellis::app
