// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Runs and measurements with boundaries in time.
#include "tests/support/boundary_run_test.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class RunBoundary : public test::BoundaryRunTest {};

TEST_F(RunBoundary, OpenBitsDoNotDependOnLanesThreadsOrStops) {
  ASSERT_EQ(run("whole", open).code, 0);
  const auto gone = zeros("whole/c.000012.ildg");
  ASSERT_EQ(gone.size(), 64U);
  for (const auto link : gone) EXPECT_TRUE(link >= 4U * 64 * 7 && link % 4 == 3) << link;
  auto wide = with(open, {{"threads = 1", "threads = 2"},
                          {"lanes = 1", fmt::format("lanes = {}", compiled_lane_counts().back())},
                          {"trajectories = 12", "trajectories = 5"}});
  ASSERT_EQ(run("parts", wide).code, 0);
  wide.back().second = "trajectories = 12";
  ASSERT_EQ(run("parts", wide).code, 0);
  expect_same_results("whole", "parts");
  EXPECT_EQ(text("whole/c-slices.csv"), text("parts/c-slices.csv"));
}

TEST_F(RunBoundary, FilesAreMeasuredAsTheRunMeasuredThem) {
  ASSERT_EQ(run("a", open).code, 0);
  io::test::write_all(at("m.toml"), R"([configurations]
files = ["a/c.000012.ildg"]
[measure]
observables = ["topological_charge", "energy"]
[measure.flow]
time_max = 0.2
step = 0.05
slices = true
[output]
directory = "m"
name = "c"
)");
  const auto done = call("m", "measure");
  ASSERT_EQ(done.code, 0) << done.err;
  const auto there = io::read_csv(at("a/c.csv")), here = io::read_csv(at("m/c.csv"), {"file", "content"});
  for (const auto* column : {"plaquette", "plaquette_temporal", "rectangle", "energy", "topological_charge"})
    EXPECT_EQ(here.column(column).back(), there.column(column).back()) << column;
  const auto run_slices = io::read_csv(at("a/c-slices.csv")), slices = io::read_csv(at("m/c-slices.csv"));
  ASSERT_EQ(slices.rows(), 3U * 8);
  ASSERT_EQ(run_slices.rows(), 3U * 3 * 8);
  // Times of multiples of an interval are as they were meant: 3 times 0.1 is 0.30000000000000004.
  io::test::write_all(at("t.toml"),
                      "[configurations]\nfiles = [\"a/c.000012.ildg\"]\n[measure]\n[measure.flow]\ntime_max = 0.4\n"
                      "slices = true\n[output]\ndirectory = \"t\"\nname = \"c\"\n");
  const auto times = call("t", "measure");
  ASSERT_EQ(times.code, 0) << times.err;
  EXPECT_NE(text("t/c-slices.csv").find("\n1,0.3,0,"), std::string::npos) << text("t/c-slices.csv");
  double charge = 0;
  for (std::size_t i = 0; i < 24; ++i) {
    for (const auto* column : {"energy", "energy_plaquette", "topological_charge", "time_slice", "flow_time"})
      EXPECT_EQ(slices.column(column)[i], run_slices.column(column)[48 + i]) << column << " " << i;
    if (i < 8) charge += slices.column("topological_charge")[i];
  }
  EXPECT_NEAR(charge, here.column("topological_charge")[0], 1e-13);
  io::test::write_all(at("p.toml"),
                      "[configurations]\nfiles = [\"a/c.000012.ildg\"]\n[measure]\nobservables = "
                      "[\"polyakov\"]\n");
  const auto refused = call("p", "measure");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("which the observable \"polyakov\" does not know"), std::string::npos) << refused.err;
  EXPECT_FALSE(exists("p-results/p.csv"));
}

// Smoothings, Wilson loops and glueballs of a run, in parts and with other lanes, and of its files.
TEST_F(RunBoundary, LoopsAndSmoothingsOfARunAndItsFiles) {
  const std::string keys =
      "[measure.wilson_loops]\ndistance = 2\ntime = 2\nboundary_distance = 1\nape_levels = [0, 2]\ntime_links = "
      "\"hyp\"\n[measure.glueballs]\nape_levels = [0, 3]\n[measure.cooling]\nsteps = 4\ninterval = 2\n"
      "[measure.stout]\nsteps = 2\ninterval = 2\n[measure.ape]\nsteps = 2\ninterval = 2\n[measure.hyp]\nsteps = "
      "2\ninterval = 2\n";
  for (const bool is_open : {true, false}) {
    const auto changes = with(is_open ? open : functional, {{"[output]", keys + "[output]"}});
    const std::string whole = is_open ? "ow" : "fw", parts = is_open ? "op" : "fp", files = is_open ? "om" : "fm";
    const auto done = run(whole, changes);
    ASSERT_EQ(done.code, 0) << done.err;
    auto wide = with(changes, {{"lanes = 1", fmt::format("lanes = {}", compiled_lane_counts().back())},
                               {"trajectories = 12", "trajectories = 6"}});
    ASSERT_EQ(run(parts, wide).code, 0);
    wide.back().second = "trajectories = 12";
    ASSERT_EQ(run(parts, wide).code, 0);
    for (const auto* table : {"wilson-loops", "glueballs", "cooling", "stout", "ape", "hyp"})
      EXPECT_TRUE(text(fmt::format("{}/c-{}.csv", whole, table)) == text(fmt::format("{}/c-{}.csv", parts, table)))
          << table;

    const std::string boundary = is_open ? "" : "boundary = \"schroedinger_functional\"\ntime_extent = 4\n";
    io::test::write_all(at(files + ".toml"), "[configurations]\nfiles = [\"" + whole + "/c.000012.ildg\"]\n" +
                                                 boundary + keys + "[output]\ndirectory = \"" + files +
                                                 "\"\nname = \"c\"\n");
    const auto measured = call(files, "measure");
    ASSERT_EQ(measured.code, 0) << measured.err;
    EXPECT_EQ(text(files + "/c.resolved.toml").find("boundary = \"open\"") != std::string::npos, is_open);
    for (const auto& [table, column] : {std::pair{"wilson-loops", "wilson_loop"},
                                        {"glueballs", "scalar"},
                                        {"glueballs", "pseudoscalar_glueball"},
                                        {"cooling", "topological_charge"},
                                        {"stout", "topological_charge"},
                                        {"ape", "plaquette"},
                                        {"hyp", "plaquette"}}) {
      const auto read = [&](const std::string& folder) {
        const auto file = at(fmt::format("{}/c-{}.csv", folder, table));
        return (std::string(table) == "wilson-loops" ? io::read_csv(file, {"direction"}) : io::read_csv(file))
            .column(column);
      };
      const auto there = read(whole), here = read(files);
      ASSERT_GT(here.size(), 1U);
      EXPECT_EQ(here, std::vector(there.end() - std::ptrdiff_t(here.size()), there.end())) << table;
      EXPECT_NE(here[1], 0) << table;
    }
    // Smoother from step to step.
    const auto plaquettes = io::read_csv(at(files + "/c-cooling.csv")).column("plaquette");
    for (std::size_t k = 1; k < plaquettes.size(); ++k) EXPECT_GT(plaquettes[k], plaquettes[k - 1]);
    const auto outcome = test::Process({TRELLIS_PROGRAM, "analyse", whole, "--model", "cosh"}, here()).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("with boundaries in time the model has to be exponential or staggered_exponential"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("Binder"), std::string::npos) << outcome.out;
  }
}

// Staggered quarks in the action, hadrons of both kinds and condensates; what the run measures is what is measured on
// its files, and a run in parts gives the bits of one in a piece.
TEST_F(RunBoundary, QuarksInTheActionAndMeasured) {
  const std::string hadrons =
      "[measure.hadrons]\nkappas = [0.11]\nclover = 1.2\nc_F = 0.9\nsource_positions = [[1, 0, 2, 2]]\nchannels = "
      "[\"pion\", \"proton\"]\n[measure.staggered_hadrons]\nsource_positions = [[1, 0, 2, 1]]\nchannels = [\"pion\", "
      "\"rho_tensor\"]\n[measure.quarks]\nnoise_vectors = 2\n";
  const std::string smearing = "[smearing]\nlevels = 1\n";
  for (const bool is_open : {true, false}) {
    const auto changes = with(is_open ? open : functional, {{"[start]", flavour + smearing + "[start]"},
                                                            {"[measure.flow]", hadrons + "[measure.flow]"},
                                                            {"trajectories = 12", "trajectories = 6"}});
    const std::string whole = is_open ? "ow" : "fw", parts = is_open ? "op" : "fp", files = is_open ? "om" : "fm";
    const auto done = run(whole, changes);
    ASSERT_EQ(done.code, 0) << done.err;
    auto wide = with(changes, {{"lanes = 1", fmt::format("lanes = {}", compiled_lane_counts().back())},
                               {"trajectories = 6", "trajectories = 4"}});
    ASSERT_EQ(run(parts, wide).code, 0);
    wide.back().second = "trajectories = 6";
    ASSERT_EQ(run(parts, wide).code, 0);
    expect_same_results(whole, parts, {"c.000006.ildg", "c.checkpoint", "c.flow.h5"});

    const std::string boundary = is_open ? "" : "boundary = \"schroedinger_functional\"\ntime_extent = 4\n";
    io::test::write_all(at(files + ".toml"), "[configurations]\nfiles = [\"" + whole + "/c.000006.ildg\"]\n" +
                                                 boundary + flavour + smearing + hadrons + "[output]\ndirectory = \"" +
                                                 files + "\"\nname = \"c\"\n");
    const auto measured = call(files, "measure");
    ASSERT_EQ(measured.code, 0) << measured.err;
    EXPECT_EQ(text(files + "/c.resolved.toml").find("boundary = \"open\"") != std::string::npos, is_open);
    // Correlators from point sources have no noise; slices without quarks have none.
    const auto there = io::read_csv(at(whole + "/c-hadrons.csv"), {"sink"}),
               here = io::read_csv(at(files + "/c-hadrons.csv"), {"sink"});
    const std::size_t slices = is_open ? 8 : 6, last = there.rows() - slices;
    for (std::size_t t = 0; t < slices; ++t) {
      const auto pion = here.column("pion")[t];
      EXPECT_EQ(pion, there.column("pion")[last + t]) << t;
      EXPECT_EQ(here.column("proton")[t], there.column("proton")[last + t]) << t;
      const auto slice = (2 + t) % slices;
      EXPECT_EQ(pion == 0, slice == 0 || slice > (is_open ? 6U : 3U)) << t;
    }
    const auto staggered_there = io::read_csv(at(whole + "/c-staggered-hadrons.csv"), {"flavours"}),
               staggered_here = io::read_csv(at(files + "/c-staggered-hadrons.csv"), {"flavours"});
    for (std::size_t t = 0; t < slices; ++t)
      EXPECT_EQ(staggered_here.column("pion")[t], staggered_there.column("pion")[staggered_there.rows() - slices + t]);
    // Masses between times that follow the source: none is folded.
    const auto masses = io::read_csv(at(whole + "/c-effective-mass.csv"), {"sink", "channel"});
    EXPECT_EQ(masses.rows(), 2 * (is_open ? 4U : 1U));
  }
  // Said wrongly.
  io::test::write_all(at("w.toml"),
                      "[configurations]\nfiles = [\"ow/c.000006.ildg\"]\nboundary = \"periodic\"\n"
                      "[measure]\nobservables = [\"energy\"]\n");
  const auto wrong = call("w", "measure");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("configurations.boundary says periodic"), std::string::npos) << wrong.err;
}

// Noise walls between open boundaries, and fixed sinks on spatially smeared links of a Schroedinger functional, in runs
// in one piece and in parts, and measured from files.
TEST_F(RunBoundary, HadronsFromNoiseAndThroughFixedSinks) {
  const std::string noise =
      "[measure.hadrons]\nkappas = [0.11]\nclover = 1.2\nc_F = 0.9\nsource = \"z4_wall\"\nnoise_vectors = 2\n"
      "source_positions = [[0, 0, 0, 2], [0, 0, 0, 3]]\nmomenta = [[0, 0, 0], [0, 1, 0]]\nchannels = [\"pion\", "
      "\"axial_t\"]\n";
  const auto through_sinks = [](int time) {
    return fmt::format(
        "[measure.hadrons]\nquarks = [{{name = 'l', kappa = 0.11}}, {{name = 'v', from = 'l', current = 'vector_t', "
        "current_time = 1}}]\ncombinations = ['l.l', 'v.l']\nchannels = ['pion']\nstout_levels = 2\n"
        "stout_directions = 'spatial'\nclover = 1.2\nsource_positions = [[1, 0, 2, 1]]\n"
        "fixed_sinks = [{{name = 'f', quarks = 'l.l', channel = 'pion', sink_time = {}, currents = ['vector_t']}}]\n",
        time);
  };
  for (const bool is_open : {true, false}) {
    const auto hadrons = is_open ? noise : through_sinks(2);
    const auto changes = with(is_open ? open : functional, {{"[measure.flow]", hadrons + "[measure.flow]"},
                                                            {"[measure.hadrons]", "[measure.hadrons]\nevery = 6"}});
    const std::string whole = is_open ? "ow" : "fw", parts = is_open ? "op" : "fp", files = is_open ? "om" : "fm";
    const auto done = run(whole, changes);
    ASSERT_EQ(done.code, 0) << done.err;
    auto wide = with(changes, {{"lanes = 1", fmt::format("lanes = {}", compiled_lane_counts().back())},
                               {"trajectories = 12", "trajectories = 5"}});
    ASSERT_EQ(run(parts, wide).code, 0);
    wide.back().second = "trajectories = 12";
    ASSERT_EQ(run(parts, wide).code, 0);
    expect_same_results(whole, parts, {"c-hadrons.csv", "c-effective-mass.csv", "c.000012.ildg", "c.checkpoint"});

    const std::string boundary = is_open ? "" : "boundary = \"schroedinger_functional\"\ntime_extent = 4\n";
    io::test::write_all(at(files + ".toml"), "[configurations]\nfiles = [\"" + whole + "/c.*.ildg\"]\n" + boundary +
                                                 hadrons + "[output]\ndirectory = \"" + files + "\"\nname = \"c\"\n");
    const auto measured = call(files, "measure");
    ASSERT_EQ(measured.code, 0) << measured.err;
    const auto there = io::read_csv(at(whole + "/c-hadrons.csv"), {"sink", "quarks"}),
               found = io::read_csv(at(files + "/c-hadrons.csv"), {"sink", "quarks"});
    if (is_open) {
      // Zero, without an error, where both sources have no quarks; from noise of two vectors, an error elsewhere.
      for (const auto* table : {&there, &found})
        for (std::size_t k = 0; k < table->rows(); ++k) {
          const auto t = table->column("t")[k];
          EXPECT_EQ(table->column("pion")[k] == 0, t == 5) << t;
          EXPECT_EQ(table->column("pion_noise_error")[k] > 0, t != 5) << t;
        }
      // Both sources have quarks at t = 0 to 3.
      EXPECT_EQ(io::read_csv(at(whole + "/c-effective-mass.csv"), {"sink", "channel"}).rows(), 2U * 2 * 3);
    } else {
      // Links of a file are the run's: the last one's numbers are its own.
      EXPECT_EQ(text(whole + "/c-three-point.csv"), text(parts + "/c-three-point.csv"));
      const auto run_points = io::read_csv(at(whole + "/c-three-point.csv"), {"fixed_sink", "current"}),
                 points = io::read_csv(at(files + "/c-three-point.csv"), {"fixed_sink", "current"});
      const std::size_t times = 6, files_measured = 2;
      ASSERT_EQ(points.rows(), files_measured * times);
      const auto& re = points.column("three_point_re");
      for (std::size_t t = 0; t < times; ++t) {
        EXPECT_EQ(re[times + t], run_points.column("three_point_re")[run_points.rows() - times + t]);
        EXPECT_EQ(re[t] == 0, t >= 3) << t;  // the slices 1 to 3
      }
      // The current at t = 1 is that of v.l, whose sink is at all times.
      EXPECT_NEAR(re[1], found.column("pion")[times + 2], 1e-8 * std::abs(re[1]));
    }
    const auto analysed = test::Process({TRELLIS_PROGRAM, "analyse", whole, files, "--cut", "0"}, here()).wait();
    EXPECT_EQ(analysed.code, 0) << analysed.err;
    EXPECT_NE(analysed.out.find("pion"), std::string::npos) << analysed.out;
  }
  // Before work starts: where there are no quarks.
  const auto refused = [&](const Changes& kind, const std::string& hadrons, const std::string& message) {
    const auto outcome = run("bad", with(kind, {{"[measure.flow]", hadrons + "[measure.flow]"}}));
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_FALSE(exists("bad/c.csv"));
  };
  refused(open, changed(noise, {{"[0, 0, 0, 3]", "[0, 0, 0, 7]"}}), "a source at t = 7");
  refused(functional, through_sinks(3), "the fixed sink f is at t = 4 if the source is at 1");
  refused(open, through_sinks(6), "the fixed sink f is at t = 7 if the source is at 1");
  refused(functional, through_sinks(5), "the fixed sink f is at t = 6 if the source is at 1");
}

// A potential of the charge on stout links, in parts and with other lanes.
TEST_F(RunBoundary, TopologicalPotential) {
  for (const bool is_open : {true, false}) {
    const auto changes =
        with(is_open ? open : functional,
             {{"[start]", "[topological_potential]\nform = \"quadratic\"\nstrength = 20\nstout_levels = 2\n[start]"},
              {"[output]", "[measure.stout]\nsteps = 2\ninterval = 2\n[output]"}});
    const std::string whole = is_open ? "ow" : "fw", parts = is_open ? "op" : "fp";
    const auto done = run(whole, changes);
    ASSERT_EQ(done.code, 0) << done.err;
    auto wide = with(changes, {{"lanes = 1", fmt::format("lanes = {}", compiled_lane_counts().back())},
                               {"trajectories = 12", "trajectories = 5"}});
    ASSERT_EQ(run(parts, wide).code, 0);
    wide.back().second = "trajectories = 12";
    ASSERT_EQ(run(parts, wide).code, 0);
    expect_same_results(whole, parts);
    const auto table = io::read_csv(at(whole + "/c.csv"));
    const double charge = table.column("topological_potential_charge").back();
    EXPECT_NE(charge, 0);
    EXPECT_EQ(table.column("charge_stout").back(), charge);
    EXPECT_EQ(table.column("topological_potential").back(), 20 * charge * charge);
    EXPECT_LT(std::abs(table.column("dH").back()), 1);
  }
}

TEST_F(RunBoundary, SchroedingerFunctionalByBothAlgorithms) {
  const Changes eta{{"\"energy\"", "\"eta_derivative\""}};
  const Changes weighted{{"c_G = 1.1", "c_G = 1.1\nboundary_rectangles = \"weighted\""}};
  const std::vector<Changes> all{functional, with(functional, heatbath), functional_with_rectangles,
                                 with(with(functional_with_rectangles, heatbath), weighted)};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto changes = with(all[n], eta);
    const std::string whole = fmt::format("w{}", n), parts = fmt::format("p{}", n);
    const auto done = run(whole, changes);
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(io::read_csv(at(whole + "/c.csv")).column("eta_derivative").back(), 0);
    EXPECT_EQ(zeros(whole + "/c.000012.ildg").size(), 0U);
    auto wide = with(changes, {{"lanes = 1", fmt::format("lanes = {}", compiled_lane_counts().back())},
                               {"trajectories = 12", "trajectories = 5"}});
    ASSERT_EQ(run(parts, wide).code, 0);
    wide.back().second = "trajectories = 12";
    ASSERT_EQ(run(parts, wide).code, 0);
    expect_same_results(whole, parts);
  }
}

// Files of such a run say that its action has parallelograms.
TEST_F(RunBoundary, OneLoopSymanzik) {
  for (const auto& boundary : {open, functional_with_rectangles}) {
    const bool is_open = boundary.front() == open.front();
    const std::string name = is_open ? "o" : "f";
    const auto done = run(name, with(boundary, one_loop));
    ASSERT_EQ(done.code, 0) << done.err;
    const auto rows = io::read_csv(at(name + "/c.csv"));
    const auto& dH = rows.column("dH");  // large at first, from a hot start
    ASSERT_EQ(dH.size(), 12U);
    for (std::size_t n = 6; n < dH.size(); ++n) EXPECT_LT(std::abs(dH[n]), 1) << name << " " << n;
    if (is_open) continue;
    io::test::write_all(at("m.toml"),
                        "[configurations]\nfiles = [\"f/c.000012.ildg\"]\n[measure]\nobservables = "
                        "[\"eta_derivative\"]\n[output]\ndirectory = \"m\"\nname = \"c\"\n");
    const auto measured = call("m", "measure");
    EXPECT_EQ(measured.code, 2);
    EXPECT_NE(measured.err.find("the action has parallelograms"), std::string::npos) << measured.err;
  }
}

TEST_F(RunBoundary, WhatDoesNotKnowBoundariesIsRefused) {
  const std::vector<std::pair<Changes, std::string>> cases{
      {{{size, size + "\nboundary = \"opne\""}}, "lattice.boundary"},
      {{{"beta = 4.0", "beta = 4.0\nc_G = 1.0"}}, "action.c_G"},
      {{{size, size + "\ntime_extent = 3"}}, "lattice.time_extent"},
      {with(open, {{"c_G = 1.1", "c_G = 0.0"}}), "action.c_G"},
      {with({functional.front(), {"\"energy\"", "\"eta_derivative\""}}, one_loop), "without parallelograms"},
      {with(open, {{"[start]", flavour + "imaginary_mu = 0.1\n[start]"}}), "imaginary_mu"},
      {with(open, {{"[start]", flavour + "charge = 1\n[background]\nex = 1\n[start]"}}), "background.ex"},
      {with(open, {{"[measure.flow]", "[measure.hadrons]\nkappas = [0.1]\n[measure.flow]"}}),
       "hadrons.source_positions: a source at t = 0"},
      {{{"[measure.flow]", "[measure.hadrons]\nkappas = [0.1]\nc_F = 0.9\n[measure.flow]"}}, "measure.hadrons.c_F"},
      {with(open, {{"[measure.flow]", "[measure.wilson_loops]\ndistance = 1\ntime = 8\n[measure.flow]"}}),
       "the largest time is 8; there are 8 time slices"},
      {{{"[measure.flow]", "[measure.wilson_loops]\ndistance = 1\ntime = 1\nboundary_distance = 1\n[measure.flow]"}},
       "wilson_loops.boundary_distance: found 1; the lattice is periodic in time"},
      {with(functional, {{"[start]", flavour + "[smearing]\nkind = \"hisq\"\n[start]"}}), "lattice.boundary"},
      {with(open, {{"\"energy\"", "\"polyakov\""}}), "polyakov"},
      {with(open, {{"\"energy\"", "\"eta_derivative\""}}), "that of a Schroedinger functional"},
      {with(open, {{"slices = true", "integrator = \"euler\"\ntolerance = 0.1"}}), "measure.flow.tolerance"},
      {with(functional_with_rectangles, {{"c_G = 1.1", "c_G_rectangles = 1.5"}}), "action.c_G_rectangles"},
      {with(functional_with_rectangles, heatbath), "boundary_rectangles = \"weighted\""},
      {with(functional, {{"beta = 4.0", "beta = 4.0\nboundary_rectangles = \"orbifold\""}}),
       "action.boundary_rectangles"},
      {with(open, {{"c_G = 1.1", "boundary_rectangles = \"orbifold\""}}), "action.boundary_rectangles"},
      {{{size, size + "\nboundary = \"schroedinger_functional\"\ntime_extent = 4\nphi = [0.0, 0.0]\nphi_prime = [0.0, "
                      "0.0]"}},
       "lattice.size"}};
  for (const auto& [changes, message] : cases) {
    const auto outcome = run("bad", changes);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err << "\n" << message;
    EXPECT_FALSE(exists("bad/c.csv"));
  }
}

}  // namespace
}  // namespace trellis::app
