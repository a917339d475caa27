// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// [measure.hadrons] in `trellis measure` and `trellis run`, and the table of effective masses.
#include "trellis/app/results/hadron_measurement.hpp"

#include <cmath>

#include "tests/support/run_test.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/app/results/effective_mass_table.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/random.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::app {
namespace {

class HadronMeasurementTest : public test::RunTest {
 protected:
  static constexpr const char* kHadrons = R"([measure.hadrons]
kappas = [0.1, 0.11]
clover = 1.2
source = "gaussian"
source_positions = [[1, 0, 2, 3]]
sources_in_time = 2
sinks = ["smeared", "point"]
smearing_steps = 2
smearing_levels = 1
max_momentum_squared = 1
channels = ["pion", "tensor_xt", "proton", "proton_negative"]
residual = 1e-9
)";

  test::Outcome measure(const std::string& name, const std::string& files, const Changes& changes = {}) const {
    io::test::write_all(at(name + ".toml"),
                        changed("[configurations]\nfiles = [" + files + "]\n[output]\ndirectory = \"" + name +
                                    "\"\nname = \"c\"\n[machine]\nthreads = 1\nlanes = 1\n" + kHadrons,
                                changes));
    return call(name, "measure");
  }
  io::CsvData masses(const std::string& folder) const {
    return io::read_csv(at(folder + "/c-effective-mass.csv"), {"sink", "channel"});
  }
};

// Through a fixed sink, and with the current fixed instead.
TEST_F(HadronMeasurementTest, ThroughAFixedSink) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 6"}}).code, 0);
  const Changes changes{
      {"kappas = [0.1, 0.11]\n",
       "quarks = [{name = 'l', kappa = 0.1}, {name = 'v', from = 'l', current = 'vector_t', current_time = 1}]\n"
       "combinations = ['l.l', 'v.l']\nfixed_sinks = [{name = 'f', quarks = 'l.l', channel = 'pion', sink_time = 2, "
       "currents = ['scalar', 'vector_t']}, {name = 'n', quarks = 'l.l.l', channel = 'proton', current_on = 3, "
       "projector = 'polarised_z', sink_time = 2, currents = ['axial_z'], max_momentum_squared = 1}]\n"},
      {"sinks = [\"smeared\", \"point\"]", "sinks = [\"point\"]"},
      {"max_momentum_squared = 1\nchannels = [\"pion\", \"tensor_xt\", \"proton\", \"proton_negative\"]",
       "channels = [\"pion\"]"}};
  const auto outcome = measure("m", "\"a/c.*.ildg\"", changes);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = io::read_csv(at("m/c-three-point.csv"), {"fixed_sink", "current"});
  const auto two_point = io::read_csv(at("m/c-hadrons.csv"), {"quarks", "sink"});
  EXPECT_EQ(joined(rows.columns, ","),
            "row,fixed_sink,current,momentum_x,momentum_y,momentum_z,t,three_point_re,three_point_im");
  constexpr std::size_t each = 2 * 4 + 7 * 4;
  ASSERT_EQ(rows.rows() % each, 0U);
  const auto files = rows.rows() / each;
  ASSERT_EQ(two_point.rows(), files * 2 * 4);
  const auto& re = rows.column("three_point_re");
  for (std::size_t n = 0; n < files; ++n) {
    // Of v.l at t = 2, and of vector_t at t = 1.
    const double wanted = two_point.column("pion")[n * 8 + 4 + 2], found = re[n * each + 4 + 1];
    EXPECT_NE(wanted, 0);
    EXPECT_NEAR(found, wanted, 1e-6 * std::abs(wanted) + 1e-12);
    EXPECT_EQ(rows.column("t")[n * each + 4 + 1], 1);
    EXPECT_EQ(rows.column("momentum_x")[n * each + 8 + 4 * 6], 1);  // the last of seven
  }
  // A kill leaves rows beyond the table's last row.
  const auto whole = text("m/c-three-point.csv"), lines = text("m/c.csv");
  io::test::write_all(at("m/c.csv"), lines.substr(0, lines.rfind('\n', lines.size() - 2) + 1));
  ASSERT_EQ(measure("m", "\"a/c.*.ildg\"", changes).code, 0);
  EXPECT_EQ(text("m/c-three-point.csv"), whole);
}

TEST_F(HadronMeasurementTest, FromNoise) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 6"}}).code, 0);
  const Changes changes{{"source = \"gaussian\"", "source = \"z4_wall\"\nnoise_vectors = 3"},
                        {"sinks = [\"smeared\", \"point\"]\nsmearing_steps = 2\nsmearing_levels = 1\n", ""},
                        {"channels = [\"pion\", \"tensor_xt\", \"proton\", \"proton_negative\"]",
                         "channels = [\"pion\", \"tensor_xt\"]"}};
  const auto outcome = measure("m", "\"a/c.*.ildg\"", changes);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = io::read_csv(at("m/c-hadrons.csv"), {"sink"});
  EXPECT_EQ(joined(rows.columns, ","),
            "row,kappa,sink,momentum_squared,t,pion,tensor_xt,pion_noise_error,tensor_xt_noise_error");
  const auto file = io::Hdf5File::open(at("m/c.hadrons.h5"));
  const auto files = file.shape("hadrons/row")[0];
  ASSERT_EQ(file.shape("hadrons/kappa_0.1/point/pion"), (io::Hdf5File::Shape{files, 6, 7, 4, 2}));
  const auto values = file.read<double>("hadrons/kappa_0.1/point/pion");
  for (std::size_t t = 0; t < 4; ++t) {
    // At rest: three vectors at each of two times.
    double mean = 0, variance = 0;
    for (std::size_t time = 0; time < 2; ++time) {
      double own = 0, square = 0;
      const auto value = [&](std::size_t n) { return values[2 * ((time * 3 + n) * 28 + t)]; };
      for (std::size_t n = 0; n < 3; ++n) own += value(n) / 3;
      for (std::size_t n = 0; n < 3; ++n) square += (value(n) - own) * (value(n) - own) / 6;
      mean += own / 2;
      variance += square / 4;
    }
    EXPECT_GT(variance, 0);
    EXPECT_NEAR(rows.column("pion")[t], mean, 1e-12 * std::abs(mean));
    EXPECT_NEAR(rows.column("pion_noise_error")[t], std::sqrt(variance), 1e-6 * std::sqrt(variance));
  }
  // The vectors belong to the row of the file.
  const auto again = measure("n", "\"a/c.*.ildg\"", changes);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(text("n/c-hadrons.csv"), text("m/c-hadrons.csv"));
}

TEST_F(HadronMeasurementTest, OfFiles) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 4"}}).code, 0);
  const auto outcome = measure("m", "\"a/c.*.ildg\"");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto t = io::read_csv(at("m/c.csv"), {"file", "content"}), rows = io::read_csv(at("m/c-hadrons.csv"), {"sink"});
  EXPECT_EQ(joined(t.columns, ","),
            "row,file,content,size_x,size_y,size_z,size_t,plaquette,plaquette_spatial,plaquette_temporal,rectangle,"
            "hadron_iterations,hadron_residual,"
            "seconds");
  EXPECT_EQ(joined(rows.columns, ","), "row,kappa,sink,momentum_squared,t,pion,tensor_xt,proton,proton_negative");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LE(t.column("hadron_residual")[i], 1e-9);
    EXPECT_GT(t.column("hadron_iterations")[i], 4);
  }
  // The rows of the table are averages of the arrays.
  const auto file = io::Hdf5File::open(at("m/c.hadrons.h5"));
  EXPECT_EQ(file.read<std::int64_t>("hadrons/row"), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(file.read<std::int64_t>("hadrons/sources"), (std::vector<std::int64_t>{1, 0, 2, 3, 1, 0, 2, 1}));
  EXPECT_EQ(file.shape("hadrons/momenta"), (io::Hdf5File::Shape{7, 3}));
  EXPECT_EQ(file.children("hadrons/kappa_0.11/smeared"),
            (std::vector<std::string>{"pion", "proton", "proton_negative", "tensor_xt"}));
  ASSERT_EQ(rows.rows(), 3U * 2 * 2 * 2 * 4);
  const auto sinks = io::read_csv_texts(at("m/c-hadrons.csv"), "sink");
  for (const auto* channel : {"pion", "tensor_xt", "proton", "proton_negative"}) {
    std::size_t row = 0;
    for (std::size_t configuration = 0; configuration < 3; ++configuration)
      for (const auto* kappa : {"0.1", "0.11"})
        for (const auto* sink : {"smeared", "point"}) {
          const auto name = fmt::format("hadrons/kappa_{}/{}/{}", kappa, sink, channel);
          ASSERT_EQ(file.shape(name), (io::Hdf5File::Shape{3, 2, 7, 4, 2}));
          const auto values = file.read<double>(name);
          for (const std::size_t squared : {0, 1})
            for (std::size_t time = 0; time < 4; ++time, ++row) {
              double sum = 0;
              for (const std::size_t source : {0, 1})
                for (std::size_t p = squared; p < (squared == 0 ? 1U : 7U); ++p)
                  sum += values[2 * (((configuration * 2 + source) * 7 + p) * 4 + time)];
              const double mean = sum / (squared == 0 ? 2 : 12);
              EXPECT_NEAR(rows.column(channel)[row], mean, 1e-13 * std::abs(mean) + 1e-18);
              EXPECT_EQ(rows.column("row")[row], double(configuration + 1));
              EXPECT_EQ(rows.column("momentum_squared")[row], double(squared));
              EXPECT_EQ(rows.column("t")[row], double(time));
              EXPECT_EQ(sinks[row], sink);
            }
        }
  }
  // Two masses for each channel, kappa, sink and n^2: t = 0 and 1 out of 4.
  EXPECT_EQ(masses("m").rows(), 2U * 4 * 2 * 2 * 2);
  const auto& residuals = t.column("hadron_residual");
  const auto largest =
      fmt::format("  largest residual     {:.1e} ", *std::max_element(residuals.begin(), residuals.end()));
  EXPECT_NE(outcome.out.find(largest), std::string::npos) << largest << " in " << outcome.out;
  EXPECT_EQ(outcome.out.find("hadron_residual"), std::string::npos) << outcome.out;
  for (const auto* part : {"Effective masses between t and t + 1, kappa = 0.1, smeared sink:", "pion",
                           "m/c-hadrons.csv", "m/c.hadrons.h5", "m/c-effective-mass.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;

  // A kill leaves rows and arrays beyond the table's last row: they are recomputed identically.
  const auto whole = everything("m");
  const auto lines = text("m/c.csv");
  io::test::write_all(at("m/c.csv"), lines.substr(0, lines.rfind('\n', lines.size() - 2) + 1));
  ASSERT_EQ(measure("m", "\"a/c.*.ildg\"").code, 0);
  for (const auto& [name, bytes] : whole)
    EXPECT_TRUE(name == "c.csv" || text("m/" + name) == bytes) << name << " differs";
  expect_error(measure("m", "\"a/c.*.ildg\"", {{"clover = 1.2", "clover = 1"}}), 2, {"measure.hadrons.clover"});
}

// Hadrons of quarks with names: the same arrays and rows as those of a kappa, and more; also in analyse and report.
TEST_F(HadronMeasurementTest, OfQuarksWithNames) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 4"}}).code, 0);
  const Changes named{
      {"kappas = [0.1, 0.11]\nclover = 1.2",
       "quarks = [{name = \"l\", kappa = 0.11, clover = 1.2}, {name = \"s\", kappa = 0.1, clover = 1.1}, "
       "{name = \"l_v\", from = \"l\", current = \"vector_t\", current_time = 1}]\n"
       "combinations = [\"l.l\", \"l.s\", \"s.s\", \"l.l.l\", \"l.l.s\", \"s.s.l\", \"s.s.s\", \"l_v.l\"]"},
      {"\"pion\", \"tensor_xt\", \"proton\", \"proton_negative\"", "\"pion\", \"proton\", \"lambda\", \"decuplet\""},
      {"max_momentum_squared = 1", "momenta = [[0, 0, 0]]"}};
  const auto outcome = measure("m", "\"a/c.*.ildg\"", named);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = io::read_csv(at("m/c-hadrons.csv"), {"quarks", "sink"});
  EXPECT_EQ(joined(rows.columns, ","), "row,quarks,sink,momentum_squared,t,pion,proton,lambda,decuplet");
  // l.l, l.s, s.s, l.l.l, l.l.s, s.s.l, s.s.s, l_v.l with two sinks and four times each.
  ASSERT_EQ(rows.rows(), 3U * 8 * 2 * 4);
  const auto quarks = io::read_csv_texts(at("m/c-hadrons.csv"), "quarks");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const bool meson = quarks[i].size() == 3 || quarks[i] == "l_v.l",
               same = quarks[i] == "l.l.l" || quarks[i] == "s.s.s";
    EXPECT_EQ(std::isnan(rows.column("pion")[i]), !meson) << i;
    EXPECT_EQ(std::isnan(rows.column("proton")[i]), meson) << i;
    EXPECT_EQ(std::isnan(rows.column("lambda")[i]), meson || same) << i;
    EXPECT_EQ(std::isnan(rows.column("decuplet")[i]), meson) << i;
  }
  const auto file = io::Hdf5File::open(at("m/c.hadrons.h5"));
  EXPECT_EQ(file.children("hadrons/l.l.s/smeared"), (std::vector<std::string>{"decuplet", "lambda", "proton"}));
  EXPECT_EQ(file.shape("hadrons/l.s/point/pion"), (io::Hdf5File::Shape{3, 2, 1, 4, 2}));
  EXPECT_EQ(file.attribute("hadrons/l.s/point/pion", "quarks"), io::Hdf5File::Attribute(std::string("l.s")));
  // Those of the quark l are those of its kappa.
  ASSERT_EQ(measure("k", "\"a/c.*.ildg\"", {{"kappas = [0.1, 0.11]", "kappas = [0.11]"}, named[2]}).code, 0);
  const auto other = io::Hdf5File::open(at("k/c.hadrons.h5"));
  for (const auto* sink : {"smeared", "point"})
    EXPECT_EQ(file.read<double>(fmt::format("hadrons/l.l/{}/pion", sink)),
              other.read<double>(fmt::format("hadrons/kappa_0.11/{}/pion", sink)));
  const auto all = io::read_csv(at("m/c-effective-mass.csv"), {"quarks", "sink", "channel"});
  EXPECT_EQ(all.rows(), (3U + 4 + 2 + 4) * 2 * 2);
  EXPECT_NE(outcome.out.find("quarks l.s, smeared sink"), std::string::npos) << outcome.out;

  const auto trellis = [&](const std::vector<std::string>& words) {
    std::vector<std::string> command{TRELLIS_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    return test::Process(command, here()).wait();
  };
  const auto analysed = trellis({"analyse", "m", "--json"});
  EXPECT_EQ(analysed.code, 0) << analysed.err;
  EXPECT_NE(analysed.out.find("\"quarks\": \"l.l.s\""), std::string::npos) << analysed.out;
  // A three-point function has no mass.
  EXPECT_EQ(file.shape("hadrons/l_v.l/point/pion"), (io::Hdf5File::Shape{3, 2, 1, 4, 2}));
  EXPECT_EQ(analysed.out.find("l_v"), std::string::npos) << analysed.out;
  EXPECT_EQ(outcome.out.find("l_v"), std::string::npos) << outcome.out;
  EXPECT_NE(trellis({"analyse", "m"}).out.find("lambda (s.s.l, smeared)"), std::string::npos);
  EXPECT_EQ(trellis({"report", "m"}).code, 0);

  // A damaged table goes back to its last intact row, whose numbers are known.
  const auto whole = everything("m");
  const auto lines = text("m/c.csv");
  io::test::write_all(at("m/c.csv"), lines.substr(0, lines.rfind('\n', lines.size() - 2) + 1));
  ASSERT_EQ(measure("m", "\"a/c.*.ildg\"", named).code, 0);
  for (const auto& [name, bytes] : whole)
    EXPECT_TRUE(name == "c.csv" || text("m/" + name) == bytes) << name << " differs";
}

TEST_F(HadronMeasurementTest, SolversAndPrecisionsAgree) {
  const std::string file = "\"" TRELLIS_TEST_DATA "/milc/lat.sample.l4448\"";
  const auto changes = [](const std::string& solver, const std::string& precision) {
    return Changes{
        {"residual = 1e-9", "residual = 1e-12\nsolver = \"" + solver + "\"\nprecision = \"" + precision + "\""},
        {"kappas = [0.1, 0.11]", "kappas = [0.12]"},
        {"sources_in_time = 2", "sources_in_time = 1"}};
  };
  ASSERT_EQ(measure("first", file, changes("bicgstab", "double")).code, 0);
  const auto first = io::read_csv(at("first/c-hadrons.csv"), {"sink"});
  for (const auto& [solver, precision] : {std::pair{"cg", "mixed"}, {"gcr", "16-bit"}}) {
    const auto outcome = measure(solver, file, changes(solver, precision));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = io::read_csv(at(fmt::format("{}/c-hadrons.csv", solver)), {"sink"});
    ASSERT_EQ(found.rows(), first.rows());
    for (std::size_t i = 0; i < first.rows(); ++i)
      EXPECT_NEAR(found.column("pion")[i] / first.column("pion")[i], 1, 1e-8) << solver << " " << i;
  }
}

TEST_F(HadronMeasurementTest, OnTheFlyAndStopped) {
  const auto hadrons = [&](const std::string& name, const std::string& trajectories) {
    const Changes changes{{"trajectories = 12", "trajectories = " + trajectories},
                          {"steps = 5", "steps = 2"},
                          {"thermalisation = 3", "thermalisation = 1"},
                          {"every = 4\ntime_max", "every = 2\ntime_max"}};
    io::test::write_all(at(name + ".toml"), input(name, changes) + kHadrons);
    return call(name);
  };
  const auto outcome = hadrons("a", "4");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(hadrons("b", "2").code, 0);
  ASSERT_EQ(hadrons("b", "4").code, 0);
  expect_same_results("a", "b", {"c-hadrons.csv", "c.hadrons.h5", "c-effective-mass.csv", "c.checkpoint"});
  EXPECT_EQ(io::Hdf5File::open(at("a/c.hadrons.h5")).read<std::int64_t>("hadrons/trajectory"),
            (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(masses("a").column("configurations")[0], 2);
  EXPECT_TRUE(std::isnan(io::read_csv(at("a/c.csv")).column("hadron_iterations")[0]));
  for (const auto* part : {"Effective masses", "a/c-hadrons.csv", "a/c.hadrons.h5", "a/c-effective-mass.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
}

TEST_F(HadronMeasurementTest, WhatCannotBeIsRefused) {
  const std::string data = TRELLIS_TEST_DATA "/milc/lat.sample.", file = "\"" + data + "l4448\"";
  const auto refused = [&](const Changes& changes, const std::vector<std::string>& parts) {
    expect_error(measure("m", file, changes), 2, parts);
    EXPECT_FALSE(exists("m"));
  };
  refused({{"clover =", "clovr ="}}, {"unknown key", "did you mean", "clover"});
  refused({{"kappas = [0.1, 0.11]", "kappas = [0.1, 0.1]"}}, {"measure.hadrons.kappas", "twice"});
  refused({{"kappas = [0.1, 0.11]", "kappas = [1.5]"}}, {"measure.hadrons.kappas", "1.5"});
  refused({{"kappas = [0.1, 0.11]\n", ""}}, {"measure.hadrons.kappas", "missing"});
  refused({{"[[1, 0, 2, 3]]", "[1, 0, 2, 3]"}}, {"source_positions", "array of arrays of 4 integers"});
  refused({{"[[1, 0, 2, 3]]", "[[1, 4, 2, 3]]"}}, {"the source (1, 4, 2, 3) is not on the lattice 4x4x4x8"});
  refused({{"sources_in_time = 2", "sources_in_time = 3"}}, {"divisor of the 8 time slices"});
  refused({{"\"tensor_xt\"", "\"tensor_tx\""}}, {"channels", "did you mean \"tensor_xt\"?"});
  refused({{"max_momentum_squared = 1", "momenta = [[0, 0, 3]]"}}, {"momentum (0, 0, 3)"});
  refused({{"max_momentum_squared = 1", "max_momentum_squared = 1\nmomenta = [[0, 0, 0]]"}}, {"momenta: not allowed"});
  refused({{"residual = 1e-9", "residual = 1e-9\nboundary_angle_over_pi = [0, 1]"}}, {"expected four"});
  refused(
      {{"source = \"gaussian\"", "source = \"point\""}, {"sinks = [\"smeared\", \"point\"]", "sinks = [\"point\"]"}},
      {"smearing_steps: not allowed without"});
  expect_error(measure("m", file + ", \"" + data + "l4444\"", {{"source_positions", "#"}}), 2,
               {"l4444", "hadrons need a single size"});
  EXPECT_FALSE(exists("m"));
  expect_error(measure("m", file, {{"residual = 1e-9", "max_iterations = 2"}}), 1, {"hadrons at kappa = 0.1"});
}

// Masses and errors from a table built with known masses.
TEST(EffectiveMassTable, OfKnownSeries) {
  io::TemporaryFolder folder;
  HadronJob job;
  job.selection.kappas = {0.1};
  job.selection.channels = {"pion", "proton"};
  constexpr int extent = 8, configurations = 50;
  std::vector<std::vector<double>> pions(extent);
  {
    std::vector<std::vector<io::CsvCell>> table;
    const RandomStream stream{5};
    const auto noise = [&](int n, int t) { return 2 * stream.uniform(std::uint64_t(n), std::uint32_t(t))[0] - 1; };
    for (int n = 1; n <= configurations; ++n) {
      // Fluctuations common to C(t) at all times leave the mass unchanged; the rest changes it a little.
      const double common = 1 + 0.3 * noise(n, extent);
      for (int t = 0; t < extent; ++t) {
        const double own = 1 + 0.01 * noise(n, t);
        const double pion = common * own * std::cosh(0.6 * (t - 4)), proton = common * own * std::exp(-1.1 * t);
        table.push_back({std::int64_t{n}, 0.1, std::string("point"), std::int64_t{0}, std::int64_t{t}, pion, proton});
        if (n > 10) pions[std::size_t(t)].push_back(pion);
      }
    }
    io::CsvTable(folder.path() / "t.csv", job.table_columns("row")).append_rows(table);
  }
  const auto rows = effective_masses(job, folder.path() / "t.csv", 10);
  ASSERT_EQ(rows.size(), 8U);
  for (const auto& r : rows) {
    EXPECT_EQ(r.configurations, configurations - 10);
    EXPECT_GT(r.correlator_error, 0);
    EXPECT_LT(r.correlator_error, 0.3 * r.correlator);
    const double wanted = r.channel == "pion" ? 0.6 : 1.1;
    EXPECT_NEAR(r.mass, wanted, 0.02);
    EXPECT_NEAR(r.mass, wanted, 5 * r.mass_error);
    EXPECT_LT(r.mass_error, 0.01);  // far below the errors of C(t) without correlations
  }
  // The Gamma method for the mass as a function of four means, for the pion at t = 1.
  const std::vector<std::vector<double>> means{pions[1], pions[7], pions[2], pions[6]};
  const auto direct =
      analysis::gamma_method([](std::span<const double> m) { return std::log((m[0] + m[1]) / (m[2] + m[3])); }, means);
  EXPECT_NEAR(rows[1].mass_error / (direct.error / (3 * std::tanh(0.6 * 3) - 2 * std::tanh(0.6 * 2))), 1, 0.02);
  const auto csv = effective_mass_csv(job, rows);
  EXPECT_NE(csv.find("0.1,point,0,pion,0,40,"), std::string::npos) << csv;
  EXPECT_NE(effective_mass_text(job, rows).find("kappa = 0.1, point sink"), std::string::npos);
  EXPECT_TRUE(effective_masses(job, folder.path() / "t.csv", 50).empty());
}

}  // namespace
}  // namespace trellis::app
