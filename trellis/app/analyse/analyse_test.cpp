// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/run_test.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class Analyse : public test::RunTest {
 protected:
  // Runs a heatbath chain in the folder `name`.
  void chain(const std::string& name, int seed, const std::string& more = "", const std::string& beta = "5.6",
             int extent = 2, const std::string& of_chain = "") const {
    const auto x = std::to_string(extent);
    io::test::write_all(at(name + ".toml"),
                        "[lattice]\nsize = [" + x + ", " + x + ", " + x + ", 8]\n[action]\nbeta = " + beta +
                            "\n[algorithm]\nkind = \"heatbath\"\n[chain]\ntrajectories = 60\nthermalisation = 10\n" +
                            of_chain + "seed = " + std::to_string(seed) +
                            "\n[machine]\nthreads = 1\n[output]\ndirectory = \"" + name + "\"\nname = \"c\"\n" + more);
    ASSERT_EQ(call(name).code, 0);
  }
  test::Outcome analyse(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {TRELLIS_PROGRAM, "analyse"});
    return test::Process(arguments, here()).wait();
  }
  nlohmann::json json_of(std::vector<std::string> arguments) const {
    arguments.push_back("--json");
    const auto outcome = analyse(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    return nlohmann::json::parse(outcome.out);
  }
  static nlohmann::json find(const nlohmann::json& ensemble, const std::string& name) {
    for (const auto& q : ensemble["quantities"])
      if (q["name"] == name) return q;
    ADD_FAILURE() << name;
    return {};
  }
  analysis::Series column(const std::string& chain, const std::string& name, double cut) const {
    const auto table = io::read_csv(at(chain) / "c.csv");
    analysis::Series kept;
    for (std::size_t i = 0; i < table.rows(); ++i)
      if (table.column("trajectory")[i] > cut && !std::isnan(table.column(name)[i]))
        kept.push_back(table.column(name)[i]);
    return kept;
  }
};

TEST_F(Analyse, AveragesReplicaOfAnEnsembleAndNoOthers) {
  const std::string every = "[measure]\nevery = 2\nobservables = [\"topological_charge\"]\n";
  chain("a", 1, every);
  chain("b", 2, every);
  chain("other", 1, "", "5.7");
  const auto found = json_of({"a", "other", "b/c.csv"});
  ASSERT_EQ(found.size(), 2U);
  ASSERT_EQ(found[0]["chains"].size(), 2U);
  const auto expected =
      analysis::gamma_method(analysis::Chains{column("a", "plaquette", 10), column("b", "plaquette", 10)});
  const auto plaquette = find(found[0], "plaquette");
  EXPECT_EQ(plaquette["mean"], expected.mean);
  EXPECT_EQ(plaquette["error"], expected.error);
  EXPECT_EQ(plaquette["measurements"], 100);
  EXPECT_EQ(plaquette["tau_int_trajectories"], expected.tau_int);
  // Measured every second trajectory: tau_int is in trajectories.
  const auto measured = find(found[0], "topological_charge");
  EXPECT_EQ(measured["spacing"], 2);
  EXPECT_EQ(measured["measurements"], 50);
  EXPECT_EQ(measured["tau_int_trajectories"],
            2 * analysis::gamma_method(
                    analysis::Chains{column("a", "topological_charge", 10), column("b", "topological_charge", 10)})
                    .tau_int);
  const auto charge = column("a", "topological_charge", 10), of_b = column("b", "topological_charge", 10);
  double square = 0;
  for (const auto& series : {charge, of_b})
    for (const double q : series) square += q * q / 50 / 64;
  EXPECT_NEAR(find(found[0], "topological_charge^2 / V")["mean"], square, 1e-12 * square);
  EXPECT_EQ(find(found[1], "plaquette")["measurements"], 50);
  EXPECT_EQ(find(json_of({"other", "--cut", "30"})[0], "plaquette")["measurements"], 30);
}

TEST_F(Analyse, FindsScalesAndMasses) {
  chain("a", 3,
        "[measure]\nevery = 5\n[measure.flow]\ntime_max = 2.0\n[measure.hadrons]\nkappas = [0.11]\nresidual = 1e-5\n",
        "5.6", 4);
  const auto found = json_of({"a"})[0];
  const double t0 = find(found, "t0 / a^2")["mean"];
  EXPECT_GT(t0, 0);
  // sqrt(t0) in fm for the quenched theory, divided by sqrt(t0) on the lattice.
  EXPECT_NEAR(found["lattice_spacing_fm"]["value"], 0.1676 / std::sqrt(t0), 1e-12);
  EXPECT_EQ(found["lattice_spacing_fm"]["from"], "t0");
  bool pion = false;
  for (const auto& mass : found["masses"]) {
    pion = pion || (mass["channel"] == "pion" && mass.contains("mass"));
    if (!mass.contains("ranges")) continue;
    double weights = 0;
    for (const auto& range : mass["ranges"]) weights += double(range["weight"]);
    EXPECT_NEAR(weights, 1, 1e-12);
  }
  EXPECT_TRUE(pion);
  EXPECT_NE(analyse({"a", "--bins", "100000"}).out.find("no fit: 100000 bins of "), std::string::npos);
  // Six trajectories, of which the Gamma method gives an error.
  const auto few = analyse({"a", "--cut", "54", "--compare"}).out;
  EXPECT_NE(few.find(" jackknife, "), std::string::npos) << few;
  EXPECT_EQ(few.find("nan"), std::string::npos) << few;
  const auto outcome = analyse({"a", "--plot", "curves.svg"});
  EXPECT_EQ(outcome.code, 0);
  for (const auto* part : {"m_pi L = ", "MeV", "t0 / a^2", "few", "the data do not follow"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  EXPECT_NE(text("curves.svg").find("tau_int(W)"), std::string::npos);
}

TEST_F(Analyse, SaysThatAFlowIsTooShortForItsScales) {
  chain("a", 3, "[measure]\nevery = 20\n[measure.flow]\ntime_max = 0.1\ntime_interval = 0.05\n");
  const std::string line = "no t0 and w0: the flow ends before";
  EXPECT_NE(analyse({"a"}).out.find(line), std::string::npos);
  // Not of curves that are left out: the last one is at 60.
  EXPECT_EQ(analyse({"a", "--cut", "60"}).out.find(line), std::string::npos);
}

// From a single run: sum P exp(-(beta - 5.6) s) / sum exp(-(beta - 5.6) s), s = 6 V (1 - P) for the Wilson action.
TEST_F(Analyse, ReweightsARunToOtherCouplings) {
  chain("a", 7);
  const auto found = json_of({"a", "--reweight", "5.5,5.7,5"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1]["reweighted"], "The Wilson action, 2x2x2x8");
  EXPECT_EQ(found[1]["betas"], nlohmann::json({5.6}));
  const auto plaquettes = column("a", "plaquette", 10);
  const auto points = find(found[1], "plaquette")["points"];
  ASSERT_EQ(points.size(), 5U);
  for (const auto& point : points) {
    double sum = 0, weights = 0;
    for (const double p : plaquettes) {
      const double w = std::exp(-(double(point["beta"]) - 5.6) * 6 * 64 * (1 - p));
      weights += w;
      sum += w * p;
    }
    EXPECT_NEAR(point["mean"], sum / weights, 1e-9) << point["beta"];
    EXPECT_GT(point["error"], 0);
  }
  EXPECT_LT(points[0]["effective_measurements"], points[2]["effective_measurements"]);
  EXPECT_LT(points[0]["mean"], points[4]["mean"]);
  for (const auto& q : found[1]["quantities"])  // those of the run are of its own beta
    for (const auto* name : {"acceptance", "dH", "exp(-dH)"}) EXPECT_NE(q["name"], name);
}

TEST_F(Analyse, ReweightsRunsThatDifferOnlyInBeta) {
  const std::string every = "[measure]\nevery = 2\nobservables = [\"topological_charge\"]\n";
  chain("a", 1, every);
  chain("b", 2, every, "5.7");
  chain("larger", 2, "", "5.7", 4);
  chain("far", 2, "", "9");
  auto found = json_of({"a", "b", "larger", "--reweight", "5.6,5.7,3", "--compare"});
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[3]["betas"], nlohmann::json({5.6, 5.7}));
  EXPECT_EQ(found[4]["betas"], nlohmann::json({5.7}));
  EXPECT_GT(found[3]["overlap"], 0.3);
  EXPECT_GT(find(found[0], "plaquette")["jackknife_error"], 0);
  EXPECT_GT(find(found[0], "plaquette")["bootstrap_error"], 0);
  const auto points = find(found[3], "plaquette")["points"];
  for (const int run : {0, 1}) {
    const auto direct = find(found[std::size_t(run)], "plaquette");
    const auto& point = points[std::size_t(2 * run)];
    EXPECT_NEAR(point["mean"], direct["mean"], 4 * double(direct["error"]));
    EXPECT_LT(point["error"], 1.5 * double(direct["error"]));
    EXPECT_GT(point["effective_measurements"], direct["effective_measurements"]);
  }
  // Measured on every second trajectory only.
  EXPECT_EQ(find(found[3], "topological_charge^2 / V")["points"].size(), 3U);

  const auto outcome = analyse({"a", "far", "--reweight", "5.6,5.7", "--plot", "p.svg"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("the runs at 5.6 and 9 overlap by"), std::string::npos) << outcome.out;
  EXPECT_EQ(analyse({"a", "b", "--reweight", "5.6,5.7", "--plot", "q.svg"}).code, 0);
  EXPECT_NE(text("q-reweighted.svg").find("Reweighted: The Wilson action, 2x2x2x8"), std::string::npos);
}

// One that was measured only near the end does not take the others along.
TEST_F(Analyse, ReweightsWhatHasMeasurementsInSeveralBins) {
  chain("a", 1, "[measure]\nevery = 59\nobservables = [\"topological_charge\"]\n");
  const auto found = json_of({"a", "--reweight", "5.6,5.7,3"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(find(found[1], "plaquette")["points"].size(), 3U);
  for (const auto& q : found[1]["quantities"]) EXPECT_NE(q["name"], "topological_charge");
  const auto& too_few = found[1]["too_few"];
  EXPECT_NE(std::find(too_few.begin(), too_few.end(), "topological_charge"), too_few.end()) << found[1];
  const auto outcome = analyse({"a", "--reweight", "5.6,5.7,3"});
  EXPECT_NE(outcome.out.find("topological_charge: too few measurements"), std::string::npos) << outcome.out;
}

// Pions by a cosh, the others with a partner; a pair of flavours has no nucleon.
TEST_F(Analyse, FitsStaggeredHadrons) {
  chain("a", 5, "", "5.6", 4, "save_every = 5\n");
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"a/c.*.ildg\"]\n[[flavours]]\nname = \"l\"\nmass = 0.3\n"
                      "[[flavours]]\nname = \"s\"\nmass = 0.6\n[measure.staggered_hadrons]\nresidual = 1e-6\n"
                      "channels = [\"pion\", \"rho_tensor\", \"nucleon\"]\nsources_in_time = 2\n"
                      "[output]\ndirectory = \"m\"\nname = \"c\"\n[machine]\nthreads = 1\n");
  ASSERT_EQ(call("m", "measure").code, 0);
  const auto found = json_of({"m", "--first", "0"})[0];
  std::map<std::string, nlohmann::json> masses;
  for (const auto& mass : found["masses"])
    masses[std::string(mass["flavours"]) + " " + std::string(mass["channel"])] = mass;
  EXPECT_EQ(masses.size(), 8U);
  ASSERT_TRUE(masses["l pion"].contains("mass"));
  EXPECT_FALSE(masses["l pion"].contains("partner"));
  // Heavier quarks make heavier pions, and the kaon lies between.
  EXPECT_LT(double(masses["l pion"]["mass"]), double(masses["l.s pion"]["mass"]));
  EXPECT_LT(double(masses["l.s pion"]["mass"]), double(masses["s pion"]["mass"]));
  for (const auto* name : {"l rho_tensor", "s nucleon"})
    if (masses[name].contains("mass")) {
      EXPECT_TRUE(masses[name].contains("partner")) << name;
    } else {
      EXPECT_NE(std::string(masses[name]["problem"]), "") << name;
    }
  const auto outcome = analyse({"m"});
  EXPECT_NE(outcome.out.find("pion (l.s)"), std::string::npos) << outcome.out;
  for (const auto& results : {std::vector<std::string>{"m"}, {"a", "m"}}) {
    auto arguments = results;
    arguments.insert(arguments.end(), {"--reweight", "5.5,5.7"});
    expect_error(analyse(arguments), 2, {"--reweight: m/c.csv: holds measurements of files"});
  }
}

// With boundaries in time: exponentials, at all times that follow the sources, also with a partner that oscillates.
TEST_F(Analyse, FitsHadronsBetweenBoundaries) {
  io::test::write_all(
      at("a.toml"),
      "[lattice]\nsize = [4, 4, 4, 8]\nboundary = \"open\"\n[action]\nbeta = 5.6\n[algorithm]\nkind = \"heatbath\"\n"
      "[chain]\ntrajectories = 60\nthermalisation = 10\nsave_every = 5\nseed = 6\n[measure]\nevery = 5\n"
      "[measure.hadrons]\nkappas = [0.11]\nresidual = 1e-5\nsource = \"z2_wall\"\nnoise_vectors = 2\n"
      "source_positions = [[0, 0, 0, 1]]\n[machine]\nthreads = 1\n[output]\ndirectory = \"a\"\nname = \"c\"\n");
  ASSERT_EQ(call("a").code, 0);
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"a/c.*.ildg\"]\n[[flavours]]\nname = \"l\"\nmass = 0.3\n"
                      "[measure.staggered_hadrons]\nresidual = 1e-6\nsource_positions = [[0, 0, 0, 1]]\n"
                      "channels = [\"pion\", \"rho_tensor\", \"nucleon\"]\n[output]\ndirectory = \"m\"\nname = \"c\"\n"
                      "[machine]\nthreads = 1\n");
  ASSERT_EQ(call("m", "measure").code, 0);
  const auto last_of = [](const nlohmann::json& mass) {
    int last = 0;
    for (const auto& range : mass["ranges"]) last = std::max(last, int(range["last"]));
    return last;
  };
  for (const auto* folder : {"a", "m"})
    for (const auto& mass : json_of({folder})[0]["masses"]) {
      const std::string channel = mass["channel"];
      if (!mass.contains("mass")) {
        // Too noisy, perhaps, but the model knows it.
        EXPECT_NE(channel, "pion") << mass;
        EXPECT_EQ(std::string(mass["problem"]).find("boundaries"), std::string::npos) << mass;
        continue;
      }
      EXPECT_EQ(mass.contains("partner"), std::string(folder) == "m" && channel != "pion") << mass;
      if (channel == "pion") {
        EXPECT_EQ(last_of(mass), folder == std::string("a") ? 5 : 6) << mass;
      }
    }
  EXPECT_EQ(json_of({"a", "--last", "3"})[0]["masses"][0]["ranges"].back()["last"], 3);
  EXPECT_EQ(json_of({"a", "--model", "cosh"})[0]["masses"][0]["problem"],
            "with boundaries in time the model has to be exponential or staggered_exponential");
}

TEST_F(Analyse, MatrixElements) {
  io::test::write_all(at("a.toml"),
                      "[lattice]\nsize = [4, 4, 4, 12]\n[action]\nbeta = 6.5\n[algorithm]\nkind = "
                      "\"heatbath\"\n[chain]\ntrajectories = 60\n"
                      "thermalisation = 10\nsave_every = 5\nseed = 4\n[machine]\nthreads = 1\n[output]\ndirectory = "
                      "\"a\"\nname = \"c\"\n");
  ASSERT_EQ(call("a").code, 0);
  const auto fixed_sink = [](const std::string& name, const std::string& hadron, int time,
                             const std::string& more = "") {
    return fmt::format(
        "[[measure.hadrons.fixed_sinks]]\nname = \"{}\"\n{}\nsink_time = {}\ncurrents = [\"vector_t\"]\n{}", name,
        hadron, time, more);
  };
  const std::string pion = "quarks = \"l.l\"\nchannel = \"pion\"", proton = "quarks = \"l.l.l\"\nchannel = \"proton\"";
  io::test::write_all(at("m.toml"),
                      R"([configurations]
files = ["a/c.*.ildg"]
[measure.hadrons]
residual = 1e-6
channels = ["pion", "proton"]
combinations = ["l.l", "l.s", "l.l.l"]
max_momentum_squared = 1
[[measure.hadrons.quarks]]
name = "l"
kappa = 0.11
[[measure.hadrons.quarks]]
name = "s"
kappa = 0.1
)" + fixed_sink("early", pion, 3, "momenta = [[0, 0, 0], [1, 0, 0]]\n") +
                          fixed_sink("late", pion, 4) +
                          fixed_sink("strange", "quarks = \"s.l\"\nchannel = \"pion\"", 4, "to = \"l\"\n") +
                          fixed_sink("down", proton, 4, "current_on = 3\n") + fixed_sink("up", proton, 4) +
                          fixed_sink("unknown", "quarks = \"s.s\"\nchannel = \"pion\"", 4) +
                          "[output]\ndirectory = \"m\"\nname = \"c\"\n[machine]\nthreads = 1\n");
  ASSERT_EQ(call("m", "measure").code, 0);
  const auto all = json_of({"m"})[0];
  const auto& elements = all["matrix_elements"];
  EXPECT_EQ(elements.size(), 14U);
  const auto element = [&](const std::string& sink, int momentum = 0) -> nlohmann::json {
    for (const auto& e : elements)
      if (e["fixed_sink"] == sink && e["part"] == "real" && e["momentum"][0] == momentum) return e;
    ADD_FAILURE() << sink;
    return {};
  };
  // Averages of the tables.
  const auto hadrons = io::read_csv(at("m/c-hadrons.csv"), {"sink", "quarks"}),
             three = io::read_csv(at("m/c-three-point.csv"), {"fixed_sink", "current"});
  const auto hadron_quarks = io::read_csv_texts(at("m/c-hadrons.csv"), "quarks"),
             sinks = io::read_csv_texts(at("m/c-three-point.csv"), "fixed_sink");
  const auto c2 = [&](const std::string& of, const std::string& channel, int n2, int t) {
    double sum = 0;
    for (std::size_t i = 0; i < hadrons.rows(); ++i)
      if (hadron_quarks[i] == of && hadrons.column("momentum_squared")[i] == n2 && hadrons.column("t")[i] == t)
        sum += hadrons.column(channel)[i];
    return sum;
  };
  const auto c3 = [&](const std::string& of, int n, int t) {
    double sum = 0;
    for (std::size_t i = 0; i < three.rows(); ++i)
      if (sinks[i] == of && three.column("momentum_x")[i] == n && three.column("t")[i] == t)
        sum += three.column("three_point_re")[i];
    return sum;
  };
  const auto ratio = [&](const nlohmann::json& e, int tau) {
    EXPECT_EQ(e["ratios"][std::size_t(tau - 1)]["tau"], tau);
    return double(e["ratios"][std::size_t(tau - 1)]["value"]);
  };
  for (int tau = 1; tau < 4; ++tau) {
    EXPECT_NEAR(ratio(element("late"), tau), c3("late", 0, tau) / c2("l.l", "pion", 0, 4), 1e-12);
    EXPECT_NEAR(ratio(element("up"), tau), c3("up", 0, tau) / c2("l.l.l", "proton", 0, 4), 1e-12);
    // From a kaon, or its antiparticle, to a pion.
    EXPECT_NEAR(ratio(element("strange"), tau),
                c3("strange", 0, tau) / c2("l.l", "pion", 0, 4) *
                    std::sqrt(c2("l.s", "pion", 0, 4 - tau) * c2("l.l", "pion", 0, tau) * c2("l.l", "pion", 0, 4) /
                              (c2("l.l", "pion", 0, 4 - tau) * c2("l.s", "pion", 0, tau) * c2("l.s", "pion", 0, 4))),
                1e-12);
  }
  // A pion that had momentum comes to rest.
  for (int tau = 1; tau < 3; ++tau)
    EXPECT_NEAR(ratio(element("early", 1), tau),
                c3("early", 1, tau) / c2("l.l", "pion", 0, 3) *
                    std::sqrt(c2("l.l", "pion", 1, 3 - tau) * c2("l.l", "pion", 0, tau) * c2("l.l", "pion", 0, 3) /
                              (c2("l.l", "pion", 0, 3 - tau) * c2("l.l", "pion", 1, tau) * c2("l.l", "pion", 1, 3))),
                1e-12);
  EXPECT_EQ(element("late")["hadron"], "pion (l.l)");
  EXPECT_EQ(element("strange")["hadron"], "pion (s.l) to pion (l.l)");
  // Two up quarks have twice the charge of one down quark, and that of a pion is near it.
  const double down = element("down")["plateau"]["value"], up = element("up")["plateau"]["value"];
  EXPECT_NEAR(up / down, 2, 0.05);
  EXPECT_NEAR(element("late")["plateau"]["value"], down, 0.1 * down);
  EXPECT_EQ(element("unknown")["problem"],
            "there is no two-point function of the pion (s.s) with a point sink at n^2 = 0");
  ASSERT_EQ(all["summed_ratios"].size(), 2U);  // real and imaginary parts
  const auto& sums = all["summed_ratios"][0];
  EXPECT_EQ(sums["fixed_sinks"], (nlohmann::json{"early", "late"}));
  double rise = 0;  // of the sums of ratios, with no correction of their bias
  for (int tau = 1; tau < 4; ++tau) rise += ratio(element("late"), tau);
  for (int tau = 1; tau < 3; ++tau) rise -= ratio(element("early"), tau);
  EXPECT_GT(double(sums["slope_error"]), 0);
  EXPECT_NEAR(sums["slope"], rise, double(sums["slope_error"]));
  const auto text = analyse({"m"}).out;
  for (const char* line :
       {"matrix element", "  late: vector_t ", "  early: vector_t, q 1 0 0 ", "  early+late: vector_t ",
        "  unknown: vector_t            no plateau: there is no two-point function"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  ASSERT_EQ(test::Process({TRELLIS_PROGRAM, "report", "m"}, here()).wait().code, 0);
  EXPECT_NE(this->text("m/c.html").find("Matrix elements of local, bare currents"), std::string::npos);
}

TEST_F(Analyse, RefusesWhatIsNoResult) {
  chain("a", 4);
  std::filesystem::create_directory(at("empty"));
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{"nothing"}, "nothing: there is no such file or folder"},
      {{"empty"}, "empty: no results are in this folder"},
      {{"a", "a/c.csv"}, "given twice"},
      {{"a.toml"}, "not a table of results"},
      {{"a", "--cut", "60"}, "nothing is left beyond trajectory 60"},
      {{"a", "--cut", "-1"}, "--cut is -1"},
      {{"a", "--first", "-1"}, "--first is -1"},
      {{"a", "--last", "-1"}, "--last is -1"},
      {{"a", "--bins", "1"}, "--bins is 1"},
      {{"a", "--shrinkage", "-0.5"}, "--shrinkage is -0.5"},
      {{"a", "--plot", "none/p.svg"}, "there is no folder"},
      {{"a", "--scale", "flag"}, "unknown scale 'flag'"},
      {{"a", "--model", "line"}, "unknown model 'line'"},
      {{"a", "--s", "0"}, "--s is 0"},
      {{"a", "--shrinkage", "2"}, "--shrinkage is 2"},
      {{"a", "--reweight", "5.7,5.6"}, "--reweight is '5.7,5.6'"},
      {{"a", "--reweight", "5.6"}, "--reweight is '5.6'"},
      {{"a", "--reweight", "5.6,5.7,3,4"}, "--reweight is"},
      {{"a", "--reweight", "5.6,5.7 3"}, "--reweight is"},
      {{"a", "--reweight", "5.6,inf"}, "--reweight is"},
      {{}, "RESULTS is required"}};
  for (const auto& [arguments, message] : wrong) {
    const auto outcome = analyse(arguments);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << message << " in " << outcome.err;
  }
}

// Thermalisation is counted from the beginning of the chain, not from where this part of it starts.
TEST_F(Analyse, KeepsAllOfAChainThatGoesOnFromAFile) {
  chain("a", 5, "", "5.6", 2, "save_every = 60\n");
  io::test::write_all(at("b.toml"), changed(text("a.toml"), {{"trajectories = 60", "trajectories = 80"},
                                                             {"[chain]",
                                                              "[start]\nkind = \"file\"\nfile = \"a/c.000060.ildg\"\n"
                                                              "trajectory = 60\n[chain]"},
                                                             {"directory = \"a\"", "directory = \"b\""}}));
  ASSERT_EQ(call("b").code, 0);
  EXPECT_EQ(find(json_of({"b"})[0], "plaquette")["measurements"], 20);
}

// A trajectory that went wrong; the other columns have their averages.
TEST_F(Analyse, SaysWhereANumberIsInfinite) {
  chain("a", 4);
  const auto table = io::read_csv_texts(at("a/c.csv"));
  auto lines = fmt::format("{},own\n", fmt::join(table.columns, ","));
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    lines += fmt::format("{},{}\n", fmt::join(table.rows[row], ","), row == 29 ? "inf" : std::to_string(row % 7));
  io::test::write_all(at("a/c.csv"), lines);
  const auto out = analyse({"a"}).out;
  EXPECT_NE(out.find("inf in 30"), std::string::npos) << out;
  EXPECT_EQ(out.find("nan"), std::string::npos) << out;
}

TEST_F(Analyse, KnowsNoFluctuationsOfOneMeasurement) {
  chain("a", 4);
  const auto lines = text("a/c.csv");
  const auto rows = [&](int n) {
    std::size_t end = 0;
    for (int line = 0; line <= n; ++line) end = lines.find('\n', end) + 1;
    io::test::write_all(at("a/c.csv"), lines.substr(0, end));
    return analyse({"a", "--cut", "0"}).out;
  };
  for (const auto* fluctuation : {"polyakov susceptibility", "polyakov Binder cumulant"}) {
    const auto one = rows(1), two = rows(2);
    EXPECT_EQ(one.find(fluctuation), std::string::npos) << one;
    EXPECT_NE(two.find(fluctuation), std::string::npos) << two;
  }
}

TEST_F(Analyse, RefusesDamagedResults) {
  chain("a", 6);
  const auto input = text("a/c.resolved.toml"), table = text("a/c.csv");
  io::test::write_all(at("a/c.resolved.toml"), changed(input, {{"beta = 5.6", "beta = 5.7"}}));
  auto outcome = analyse({"a"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("a/c.resolved.toml: is damaged, or was edited"), std::string::npos) << outcome.err;
  io::test::write_all(at("a/c.resolved.toml"), input);
  auto wrong = table;
  wrong[wrong.find("\n20,") + 6] ^= 1;
  io::test::write_all(at("a/c.csv"), wrong);
  outcome = analyse({"a"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("a/c.csv:21"), std::string::npos) << outcome.err;
}

TEST_F(Analyse, CostsOfRunsOfOneEnsemble) {
  chain("a", 1);
  chain("b", 2);
  chain("other", 1, "", "5.7");
  const auto found = json_of({"a", "b", "--cost", "plaquette"});
  EXPECT_EQ(found["cost_of"], "plaquette");
  ASSERT_EQ(found["runs"].size(), 2U);
  const std::vector<std::string> names{"a", "b"};
  for (std::size_t n = 0; n < 2; ++n) {
    const auto& run = found["runs"][n];
    EXPECT_EQ(run["run"], names[n]);
    const auto expected = analysis::gamma_method(column(names[n], "plaquette", 10));
    EXPECT_EQ(run["mean"].get<double>(), expected.mean);
    EXPECT_EQ(run["tau_int_trajectories"].get<double>(), expected.tau_int);
    auto seconds = column(names[n], "seconds", 10);
    std::sort(seconds.begin(), seconds.end());
    ASSERT_EQ(seconds.size(), 50U);
    const double median = (seconds[24] + seconds[25]) / 2;
    EXPECT_DOUBLE_EQ(run["seconds_per_trajectory"].get<double>(), median);
    EXPECT_DOUBLE_EQ(run["tau_int_seconds"].get<double>(), expected.tau_int * median);
    EXPECT_DOUBLE_EQ(run["gain"].get<double>(),
                     found["runs"][0]["tau_int_seconds"].get<double>() / run["tau_int_seconds"].get<double>());
  }
  const auto text = analyse({"a", "b", "--cost", "plaquette"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("first / this"), std::string::npos) << text.out;
  expect_error(analyse({"a", "--cost", "plaquett"}), 2, {"--cost plaquett", "plaquette_spatial"});
  expect_error(analyse({"a", "a", "--cost", "plaquette"}), 2, {"twice"});
  expect_error(analyse({"a", "other", "--cost", "plaquette"}), 2, {"other", "the same lattice, action"});
  expect_error(analyse({"a", "b", "--cost", "plaquette", "--reweight", "5.5,5.6"}), 2, {"--reweight"});
}

}  // namespace
}  // namespace trellis::app
