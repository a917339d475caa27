// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_quarks.hpp"

#include <gtest/gtest.h>

#include "tests/support/message_of.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

using Words = std::vector<std::string>;

const std::string kGauge = R"([lattice]
size = [2, 4, 6, 8]
[chain]
trajectories = 20
[action]
name = "symanzik"
beta = 3.75
)";

const std::string kTwo = kGauge + "[[flavours]]\nname = \"l\"\nmass = 0.1\n[[flavours]]\nname = \"s\"\nmass = 1\n";

const std::string kEverythingOfQuarks = kGauge + R"([smearing]
rho = 0.1
levels = 3
[background]
ex = 1
ey = -2
ez = 3
bx = 4
by = 0.5
bz = -6.0
[boundary]
time = "periodic"
[[flavours]]
name = "u"
mass = 0.01
tastes = 5
charge = 2
imaginary_mu = 0.25
pseudofermions = 2
split_masses = [0.05, 1]
[[flavours]]
name = "d"
mass = 0.02
charge = -4
[rational]
heatbath_error = 1e-14
molecular_dynamics_error = 1e-6
metropolis_error = 1e-13
largest_eigenvalue = 8
[solver]
heatbath_residual = 1e-13
molecular_dynamics_residual = 1e-6
metropolis_residual = 1e-12
heatbath_precision = "mixed"
molecular_dynamics_precision = "single"
metropolis_precision = "mixed"
max_iterations = 100
[algorithm]
trajectory_length = 0.5
[[algorithm.levels]]
steps = 3
terms = ["u_1", "d"]
[[algorithm.levels]]
integrator = "leapfrog"
steps = 2
terms = ["u_3", "u_2"]
[[algorithm.levels]]
steps = 4
terms = ["gauge"]
[measure]
every = 2
[measure.cooling]
every = 4
steps = 40
interval = 8
[measure.stout]
every = 6
rho = 0.05
steps = 9
interval = 3
[measure.quarks]
every = 8
observables = ["susceptibilities", "quark_number", "magnetisation", "condensate"]
noise_vectors = 7
residual = 1e-8
flavours = ["d"]
)";

TEST(QuarkInput, DefaultsAreExplicitInTheResolvedInput) {
  const auto text = write_toml(parse_run_input(kTwo + "[measure.quarks]\n", "in.toml").resolved);
  for (const auto* part : {R"(
[[flavours]]
name = "l"
mass = 0.1
tastes = 1
charge = 0.0
imaginary_mu = 0.0
pseudofermions = 1
split_masses = []

[[flavours]]
name = "s"
mass = 1.0
tastes = 1
charge = 0.0
imaginary_mu = 0.0
pseudofermions = 1
split_masses = []

[smearing]
rho = 0.15
levels = 0

[background]
ex = 0.0
ey = 0.0
ez = 0.0
bx = 0.0
by = 0.0
bz = 0.0

[boundary]
time = "antiperiodic"
)",
                           R"(
integrator = "2mn"
steps = 10
lambda = 0.1931833275037836
gauge_steps = 5

[rational]
heatbath_error = 1e-12
molecular_dynamics_error = 1e-07
metropolis_error = 1e-12
largest_eigenvalue = 16.0

[solver]
heatbath_residual = 1e-11
molecular_dynamics_residual = 1e-07
metropolis_residual = 1e-11
molecular_dynamics_precision = "double"
max_iterations = 50000
)",
                           R"(
[measure.quarks]
every = 1
observables = ["condensate"]
noise_vectors = 4
residual = 1e-10
flavours = ["l", "s"]
)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST(QuarkInput, EveryKeyArrives) {
  const auto input = parse_run_input(kEverythingOfQuarks, "in.toml");
  const auto& q = input.quarks;
  EXPECT_EQ(q.smearing.values.at("rho"), 0.1);
  EXPECT_EQ(q.smearing.values.at("levels"), 3);
  EXPECT_EQ(q.background.flux, (std::array<double, 6>{1, -2, 3, 4, 0.5, -6}));
  EXPECT_EQ(q.background.quanta(2), (std::array<std::int64_t, 6>{2, -4, 6, 8, 1, -12}));
  EXPECT_EQ(q.background.quanta(-4), (std::array<std::int64_t, 6>{-4, 8, -12, -16, -2, 24}));
  EXPECT_EQ(q.boundary, TimeBoundary::periodic);
  ASSERT_EQ(q.flavours.size(), 2U);
  const auto &u = q.flavours[0], &d = q.flavours[1];
  EXPECT_EQ(u.name, "u");
  EXPECT_EQ(u.mass, 0.01);
  EXPECT_EQ(u.tastes, 5);
  EXPECT_EQ(u.charge, 2);
  EXPECT_EQ(u.imaginary_mu, 0.25);
  EXPECT_EQ(u.pseudofermions, 2);
  EXPECT_EQ(u.split_masses, (std::vector<double>{0.05, 1}));
  EXPECT_EQ(d.name, "d");
  EXPECT_EQ(d.mass, 0.02);
  EXPECT_EQ(d.charge, -4);
  EXPECT_EQ(input.rational.heatbath_error, 1e-14);
  EXPECT_EQ(input.rational.molecular_dynamics_error, 1e-6);
  EXPECT_EQ(input.rational.metropolis_error, 1e-13);
  EXPECT_EQ(input.rational.largest_eigenvalue, 8);
  EXPECT_EQ(input.solver.heatbath_residual, 1e-13);
  EXPECT_EQ(input.solver.molecular_dynamics_residual, 1e-6);
  EXPECT_EQ(input.solver.metropolis_residual, 1e-12);
  EXPECT_EQ(input.solver.heatbath_precision, "mixed");
  EXPECT_EQ(input.solver.molecular_dynamics_precision, "single");
  EXPECT_EQ(input.solver.metropolis_precision, "mixed");
  EXPECT_EQ(input.solver.max_iterations, 100);
  const auto& m = input.measure;
  ASSERT_TRUE(m.quarks);
  const auto &cooling = m.smoothings.at("cooling"), &stout = m.smoothings.at("stout");
  EXPECT_EQ(cooling.every, 4);
  EXPECT_EQ(cooling.steps, 40);
  EXPECT_EQ(cooling.interval, 8);
  EXPECT_EQ(stout.every, 6);
  EXPECT_EQ(stout.weight, 0.05);
  EXPECT_EQ(stout.steps, 9);
  EXPECT_EQ(stout.interval, 3);
  EXPECT_EQ(m.quarks->every, 8);
  EXPECT_EQ(m.quarks->observables, (Words{"susceptibilities", "quark_number", "magnetisation", "condensate"}));
  EXPECT_EQ(m.quarks->noise_vectors, 7);
  EXPECT_EQ(m.quarks->residual, 1e-8);
  EXPECT_EQ(m.quarks->flavours, (Words{"d"}));
}

TEST(QuarkInput, TermsAndTheirLevels) {
  const auto all = parse_run_input(kEverythingOfQuarks, "in.toml");
  EXPECT_EQ(all.terms(), (Words{"plaquette", "rectangle", "u_1", "u_2", "u_3", "d"}));
  ASSERT_EQ(all.algorithm.levels.size(), 3U);
  EXPECT_EQ(all.algorithm.levels[0].terms, (Words{"u_1", "d"}));
  EXPECT_EQ(all.algorithm.levels[1].terms, (Words{"u_3", "u_2"}));
  EXPECT_EQ(all.algorithm.levels[2].terms, (Words{"plaquette", "rectangle"}));
  EXPECT_NE(write_toml(all.resolved).find("terms = [\"plaquette\", \"rectangle\"]"), std::string::npos);

  const auto two = parse_run_input(kTwo + "[algorithm]\nsteps = 7\nintegrator = \"leapfrog\"\n", "in.toml").algorithm;
  ASSERT_EQ(two.levels.size(), 2U);
  EXPECT_EQ(two.levels[0].terms, (Words{"l", "s"}));
  EXPECT_EQ(two.levels[0].steps, 7);
  EXPECT_EQ(two.levels[1].terms, (Words{"plaquette", "rectangle"}));
  EXPECT_EQ(two.levels[1].steps, 5);
  EXPECT_EQ(two.levels[1].integrator, "leapfrog");

  const std::string levels = "[[algorithm.levels]]\nterms = ['s']\n[[algorithm.levels]]\nterms = ['l', 'gauge']\n";
  const auto mixed = parse_run_input(kTwo + levels, "in.toml").algorithm.levels;
  EXPECT_EQ(mixed[1].terms, (Words{"l", "plaquette", "rectangle"}));
  const auto words = parse_run_input(kTwo + "[[algorithm.levels]]\nterms = ['gauge', 'quarks']\n", "in.toml");
  EXPECT_EQ(words.algorithm.levels[0].terms, (Words{"plaquette", "rectangle", "l", "s"}));
  EXPECT_NE(write_toml(words.resolved).find(R"(terms = ["plaquette", "rectangle", "l", "s"])"), std::string::npos);
  // Without quarks too.
  const auto gauge = parse_run_input(kGauge + "[[algorithm.levels]]\nterms = ['gauge']\n", "in.toml");
  EXPECT_EQ(gauge.algorithm.levels[0].terms, gauge.terms());
}

TEST(QuarkInput, ResolvedInputResolvesToItself) {
  for (const auto& text : {kTwo, kEverythingOfQuarks}) {
    const auto once = write_toml(parse_run_input(text, "in.toml").resolved);
    EXPECT_EQ(write_toml(parse_run_input(once, "somewhere/else.resolved.toml").resolved), once);
    for (const auto& [key, value] : flatten(parse_toml(text, "in.toml"))) {
      EXPECT_NE(once.find(key.substr(key.rfind('.') + 1) + " = "), std::string::npos) << key;
    }
  }
}

TEST(QuarkInput, ResolvedInputOfPureGaugeHasNothingOfQuarks) {
  const auto text = write_toml(parse_run_input(kGauge, "in.toml").resolved);
  for (const auto* word : {"flavours", "smearing", "background", "boundary", "rational", "solver", "gauge_steps"})
    EXPECT_EQ(text.find(word), std::string::npos) << word;
}

struct QuarkChange {
  std::string line, instead;
  std::string key;      // named by the message
  std::string message;  // a part of it
};

void expect_messages(const std::string& original, const std::vector<QuarkChange>& changes) {
  for (const auto& [line, instead, key, part] : changes) {
    auto text = original;
    const auto at = text.find(line);
    ASSERT_NE(at, std::string::npos) << line;
    text.replace(at, line.size(), instead);
    const auto message = test::message_of<InputError>([&] { parse_run_input(text, "in.toml"); });
    EXPECT_EQ(message.rfind("in.toml", 0), 0U) << instead << "\n" << message;
    EXPECT_NE(message.find(" " + key + ": "), std::string::npos) << instead << "\n" << message;
    EXPECT_NE(message.find(part), std::string::npos) << instead << "\n" << message;
  }
}

TEST(QuarkInput, WrongValuesAreNamed) {
  expect_messages(
      kEverythingOfQuarks,
      {
          {"rho = 0.1\n", "rho = 0.6\n", "smearing.rho", "at most 0.5"},
          {"rho = 0.1\n", "rho = -0.1\n", "smearing.rho", "found the number -0.1"},
          {"levels = 3", "levels = 11", "smearing.levels", "from 0 to 10"},
          {"imaginary_mu = 0.25", "naik_epsilon = 0.1", "flavours[0].naik_epsilon", "there is no Naik term"},
          {"imaginary_mu = 0.25", "naik_epsilon = 1.5", "flavours[0].naik_epsilon", "at most 1"},
          {"imaginary_mu = 0.25", "space_angles_over_pi = [0.1, 0.2]", "flavours[0].space_angles_over_pi",
           "found 2 numbers, expected three: x, y, z"},
          {"imaginary_mu = 0.25", "space_angles_over_pi = [0.1, 0.2, 2.5]", "flavours[0].space_angles_over_pi",
           "at most 2"},
          {"[smearing]", "[smearing]\nkind = 'hisk'", "smearing.kind", "did you mean \"hisq\"?"},
          {"[smearing]", "[smearing]\nkind = 'p4'", "smearing.kind",
           "improved staggered quarks are those of \"hisq\", \"asqtad\", \"naik\", \"fat7\""},
          {"levels = 3", "level = 3", "smearing.level", "did you mean 'levels'?"},
          {"time = \"periodic\"", "time = \"open\"", "boundary.time", "\"antiperiodic\", \"periodic\""},
          // Quantised for both charges, 2 and -4: in halves.
          {"bz = -6.0", "bz = 0.3", "background.bz",
           "non-quantised flux: found 0.3; times the charge 2 of \"u\" it is 0.6, not an integer; the nearest "
           "quantised values are 0 and 0.5"},
          {"ex = 1", "ex = -0.75", "background.ex", "the nearest quantised values are -1 and -0.5"},
          {"ey = -2", "ey = -0.25", "background.ey", "the nearest quantised values are -0.5 and 0"},
          {"by = 0.5", "by = 0.25", "background.by", "times the charge 2 of \"u\" it is 0.5"},
          {"charge = -4", "charge = -0.5", "background.ex", "nearest quantised values are 0 and 2"},
          {"charge = -4", "charge = -0.5", "background.ex", "times the charge -0.5 of \"d\" it is -0.5"},
          {"bz = -6.0", "bz = nan", "background.bz", "found the number nan"},
          {"bz = -6.0", "bt = 1", "background.bt", "unknown key"},
          {"name = \"u\"", "name = \"U\"", "flavours[0].name", "expected lower-case letters, digits and _"},
          {"name = \"u\"", "name = \"\"", "flavours[0].name", "expected lower-case letters"},
          {"name = \"u\"", "name = \"d\"", "flavours[1].name", "\"d\" is already the name of flavours[0]"},
          {"name = \"d\"", "name = \"u_2\"", "flavours[1].name",
           "\"u_2\" is already the name of flavours[0] or of one"},
          {"name = \"u\"", "name = \"plaquette\"", "flavours[0].name", "already means something else"},
          {"name = \"u\"", "name = \"quarks\"", "flavours[0].name", "already means something else"},
          {"name = \"u\"", "", "flavours[0].name", "missing"},
          {"mass = 0.01", "mass = 0", "flavours[0].mass", "a number of at least 1e-06"},
          {"mass = 0.01", "mass = -0.01", "flavours[0].mass", "found the number -0.01"},
          {"mass = 0.01", "", "flavours[0].mass", "missing"},
          {"tastes = 5", "tastes = 0", "flavours[0].tastes", "from 1 to 64"},
          {"tastes = 5", "tastes = 0.5", "flavours[0].tastes", "found the number 0.5"},
          {"tastes = 5", "tastes = 9", "flavours[0].pseudofermions",
           "with 2 of them 9 tastes make the exponent 1.125, but that of a rooted determinant is at most 1; at "
           "least 3 are needed"},
          {"pseudofermions = 2", "", "flavours[0].pseudofermions", "the exponent 1.25"},
          {"pseudofermions = 2", "pseudofermions = 17", "flavours[0].pseudofermions", "from 1 to 16"},
          {"imaginary_mu = 0.25", "imaginary_mu = \"x\"", "flavours[0].imaginary_mu", "found the string"},
          {"[0.05, 1]", "[0.05, 0.05]", "flavours[0].split_masses", "found 0.05 after 0.05, expected masses that"},
          {"[0.05, 1]", "[0.01, 1]", "flavours[0].split_masses", "increase from mass = 0.01"},
          {"[0.05, 1]", "[-1]", "flavours[0].split_masses", "found the integer -1 in the array"},
          {"[0.05, 1]", "0.05", "flavours[0].split_masses", "found the number 0.05, expected an array of numbers"},
          {"heatbath_error = 1e-14", "heatbath_error = 1e-16", "rational.heatbath_error", "at least 1e-15"},
          {"metropolis_error = 1e-13", "metropolis_error = 0.1", "rational.metropolis_error", "at most 0.01"},
          {"largest_eigenvalue = 8", "largest_eigenvalue = 17", "rational.largest_eigenvalue", "at most 16"},
          {"largest_eigenvalue = 8", "largest_eigenvalue = 0", "rational.largest_eigenvalue", "at least 0.01"},
          {"heatbath_residual = 1e-13", "heatbath_residual = 0.2", "solver.heatbath_residual", "at most 0.1"},
          {"precision = \"single\"", "precision = \"half\"", "solver.molecular_dynamics_precision", "\"mixed\""},
          {"heatbath_precision = \"mixed\"", "heatbath_precision = \"half\"", "solver.heatbath_precision", "\"half\""},
          {"metropolis_precision = \"mixed\"", "metropolis_precision = \"16-bit\"", "solver.metropolis_precision",
           "\"16-bit\""},
          {"metropolis_precision = \"mixed\"", "metropolis_precision = 1", "solver.metropolis_precision",
           "found the integer 1"},
          {"max_iterations = 100", "max_iterations = 0", "solver.max_iterations", "from 1"},
          {"trajectory_length = 0.5", "gauge_steps = 3", "algorithm.gauge_steps", "together with [[algorithm.levels]]"},
          {"[\"u_3\", \"u_2\"]", "[\"u_3\"]", "algorithm.levels", "no level has the term \"u_2\""},
          {"[\"u_3\", \"u_2\"]", "[\"u\"]", "algorithm.levels[1].terms", "found \"u\" in the array"},
          {"[\"u_3\", \"u_2\"]", "[\"quarks\"]", "algorithm.levels[1].terms", "\"u_1\" is already in levels[0]"},
          {"[\"gauge\"]", "[\"gauge\", \"plaquette\"]", "algorithm.levels[2].terms", "\"plaquette\" is listed twice"},
          {"[measure.cooling]\nevery = 4", "[measure.cooling]\nevery = 3", "measure.cooling.every", "a multiple of"},
          {"interval = 8", "interval = 7", "measure.cooling.interval", "found 7, expected a divisor of steps = 40"},
          {"interval = 8", "rho = 0.1", "measure.cooling.rho", "it belongs to [measure.stout]"},
          {"rho = 0.05", "rho = 0", "measure.stout.rho", "above 0"},
          {"interval = 8", "interval = 8\n[measure.ape]\nalpha = 1.5", "measure.ape.alpha", "at most 1"},
          {"interval = 8", "interval = 8\n[measure.hyp]\nalpha = 0.5", "measure.hyp.alpha",
           "it belongs to [measure.ape]"},
          {"\"quark_number\"", "\"density\"", "measure.quarks.observables", "found \"density\""},
          {"noise_vectors = 7", "noise_vectors = 0", "measure.quarks.noise_vectors", "from 1 to 10000"},
          {"noise_vectors = 7", "noise_vectors = 1", "measure.quarks.noise_vectors", "expected at least 2"},
          {"flavours = [\"d\"]", "flavours = [\"s\"]", "measure.quarks.flavours", "expected some of \"u\", \"d\""},
      });
}

// 16 bounds -D_eo D_oe on links in SU(3) only.
TEST(QuarkInput, LargerEigenvaluesOnImprovedLinks) {
  for (const auto* kind : {"asqtad", "naik", "hisq", "fat7"}) {
    std::string text = kEverythingOfQuarks;
    const auto replace = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    replace("rho = 0.1\n", fmt::format("kind = \"{}\"\n", kind));
    replace("levels = 3", "");
    replace("largest_eigenvalue = 8", "largest_eigenvalue = 150");
    EXPECT_EQ(parse_run_input(text, "in.toml").rational.largest_eigenvalue, 150) << kind;
  }
}

TEST(QuarkInput, WhatDoesNotFitTogether) {
  expect_messages(
      kTwo,
      {
          {"[action]", "[algorithm]\nkind = \"heatbath\"\n[action]", "algorithm.kind", "a heatbath has no quarks"},
          {"[action]", "[background]\nbz = 1\n[action]", "background.bz", "no flavour has a charge that feels it"},
          {"[action]", "[measure.quarks]\nobservables = []\n[action]", "measure.quarks.observables", "is empty"},
      });
  expect_messages(kTwo, {{"[[flavours]]\nname = \"l\"\nmass = 0.1\n[[flavours]]", "[[flavors]]", "flavors",
                          "unknown key; did you mean 'flavours'?"}});
  for (const auto* table : {"smearing", "background", "boundary", "rational", "solver", "measure.quarks"})
    expect_messages(
        kGauge, {{"[action]", "[" + std::string(table) + "]\n[action]", table, "not allowed without [[flavours]]"}});
  expect_messages(kGauge, {{"[action]", "[algorithm]\ngauge_steps = 5\n[action]", "algorithm.gauge_steps",
                            "not allowed without [[flavours]]"},
                           {"[action]", "[[algorithm.levels]]\nterms = ['quarks']\n[action]",
                            "algorithm.levels[0].terms", "the action has no quarks"}});
  EXPECT_EQ(parse_run_input(kTwo + "[measure.quarks]\nflavours = []\n", "in.toml").measure.quarks->flavours,
            (Words{"l", "s"}));
}

// det(0.1)^(1/2) det(1)^(1/4) = [det(0.1) / det(1)]^(1/2) det(1)^(3/4)
TEST(QuarkInput, TheLastFactorJoinsAnotherFlavour) {
  const auto joined = kGauge +
                      "[[flavours]]\nname = \"l\"\nmass = 0.1\ntastes = 2\nsplit_masses = [1]\njoins = \"s\"\n" +
                      "[[flavours]]\nname = \"s\"\nmass = 1\n";
  const auto quarks = parse_run_input(joined, "t").quarks;
  EXPECT_EQ(quarks.terms(), (Words{"l_1", "s"}));
  const auto terms = quark_terms(quarks);
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].power, 0.5);
  EXPECT_EQ(terms[0].heavier_mass, 1);
  EXPECT_EQ(terms[1].power, 0.75);
  EXPECT_EQ(terms[1].heavier_mass, 0);
  expect_messages(
      joined,
      {{"joins = \"s\"", "joins = \"x\"", "flavours[0].joins", "expected the name of another flavour"},
       {"joins = \"s\"", "joins = \"l\"", "flavours[0].joins", "expected the name of another flavour"},
       {"split_masses = [1]", "split_masses = [0.5]", "flavours[0].joins", "the last of split_masses"},
       {"split_masses = [1]\n", "", "flavours[0].joins", "the last of split_masses"},
       {"mass = 1\n", "mass = 1\nsplit_masses = [2]\n", "flavours[0].joins", "itself split"},
       {"mass = 1\n", "mass = 1\nimaginary_mu = 0.5\n", "flavours[0].joins",
        "another charge, imaginary_mu, naik_epsilon or space_angles_over_pi"},
       {"mass = 1\n", "mass = 1\ntastes = 3\n", "flavours[0].joins", "the exponent 1.25"},
       {"tastes = 2\n", "tastes = 2\npseudofermions = 2\n", "flavours[0].joins", "another number of pseudofermions"}});
}

TEST(QuarkInput, FluxOfThirds) {
  // 1/3 is not a double; a value that is an integer up to rounding counts as one.
  const auto input = parse_run_input(
      kGauge + "[background]\nbz = 3\n[[flavours]]\nname = 'u'\nmass = 1\ncharge = 0.3333333333333333\n", "in.toml");
  EXPECT_EQ(input.quarks.background.quanta(input.quarks.flavours[0].charge),
            (std::array<std::int64_t, 6>{0, 0, 0, 0, 0, 1}));
}

TEST(QuarkInput, OfMeasure) {
  const std::string files = "[configurations]\nfiles = ['x']\n[measure]\n";
  const std::string quarks = "[measure.quarks]\n[smearing]\nlevels = 2\n[[flavours]]\nname = 'l'\nmass = 0.1\n";
  const auto input = parse_measure_input(files + quarks + "tastes = 8\n", "in.toml");
  EXPECT_EQ(input.quarks.smearing.values.at("levels"), 2);
  EXPECT_EQ(input.quarks.flavours.at(0).tastes, 8);
  EXPECT_EQ(input.measure.quarks->flavours, (Words{"l"}));
  const auto once = write_toml(input.resolved);
  EXPECT_EQ(once.find("pseudofermions"), std::string::npos);
  EXPECT_EQ(write_toml(parse_measure_input(once, "in.toml").resolved), once);
  EXPECT_NO_THROW(parse_measure_input(files + quarks + "pseudofermions = 2\nsplit_masses = [0.2]\n", "in.toml"));
  EXPECT_NO_THROW(parse_measure_input(files + "[measure.cooling]\n", "in.toml"));

  const std::vector<std::pair<std::string, std::string>> wrong{
      {files + "[measure.quarks]\n", "measure.quarks: not allowed without [[flavours]]"},
      {files + "observables = ['energy']\n" + quarks.substr(quarks.find("[smearing]")),
       "flavours: they are not used by any measurement; expected a table [measure.quarks], "
       "[measure.eigenvalues] or [measure.staggered_hadrons]"},
      {files + "observables = ['energy']\n[smearing]\n", "smearing: not allowed without [[flavours]]"},
      {files + "[measure.stout]\nevery = 2\n", "measure.stout.every: not allowed here"},
      {files + "[[flavours]]\nname = 'l'\nmass = 0.1\n[smearing]\nkind = 'hyp'\ndimensions = 5\n[measure.quarks]\n",
       "smearing.dimensions: found the integer 5"},
      {files + "[[flavours]]\nname = 'l'\nmass = 0.1\n[smearing]\nkind = 'ape'\nrho = 0.1\n[measure.quarks]\n",
       "smearing.rho: unknown key"},
      {files + quarks + "[solver]\n", "solver: unknown key"},
      {files,
       "or a table [measure.flow], [measure.cooling], [measure.stout], [measure.ape], [measure.hyp], "
       "[measure.wilson_loops], [measure.glueballs], [measure.quarks], [measure.eigenvalues], [measure.hadrons] or "
       "[measure.staggered_hadrons], or [gauge_fixing]"},
  };
  for (const auto& [text, part] : wrong) {
    const auto message = test::message_of<InputError>([&, t = text] { parse_measure_input(t, "in.toml"); });
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
  }
}

TEST(QuarkInput, AutomaticAccuracyFollowsTheVolume) {
  const auto solver = [](const std::string& size, const std::string& keys) {
    const auto input = parse_run_input("[lattice]\nsize = " + size +
                                           "\n[action]\nbeta = 3.75\n[chain]\ntrajectories = 5\n[[flavours]]\nname = "
                                           "\"l\"\nmass = 0.1\n[algorithm]\nkind = \"auto\"\n[solver]\n" +
                                           keys,
                                       "in.toml");
    return input.solver;
  };
  const auto small = solver("[16, 16, 16, 16]", ""), large = solver("[32, 32, 32, 64]", "");
  EXPECT_EQ(small.heatbath_precision, "mixed");
  EXPECT_EQ(small.metropolis_precision, "mixed");
  EXPECT_EQ(small.molecular_dynamics_precision, "16-bit");
  EXPECT_EQ(small.heatbath_residual, 1e-6);
  EXPECT_EQ(small.molecular_dynamics_residual, 1e-4);
  EXPECT_EQ(small.metropolis_residual, 1e-5);
  EXPECT_EQ(large.heatbath_precision, "mixed");
  EXPECT_EQ(large.metropolis_precision, "mixed");
  EXPECT_LT(large.heatbath_residual, small.heatbath_residual);
  EXPECT_LT(large.metropolis_residual, small.metropolis_residual);
  EXPECT_NEAR(large.molecular_dynamics_residual, 1e-4 / std::sqrt(32), 1e-12);
  EXPECT_EQ(solver("[16, 16, 16, 16]", "heatbath_precision = \"double\"").heatbath_precision, "double");
}

TEST(QuarkInput, PrecisionOfMolecularDynamics) {
  const auto parsed = [](const std::string& algorithm, const std::string& solver) {
    return parse_run_input(
        "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 3.75\n[chain]\ntrajectories = 5\n"
        "[[flavours]]\nname = \"l\"\nmass = 0.1\n[algorithm]\n" +
            algorithm + "[solver]\n" + solver,
        "in.toml");
  };
  const std::string single = "precision = \"single\"\n";
  EXPECT_EQ(parsed("", "").algorithm.precision, "double");
  EXPECT_EQ(parsed("", "").solver.molecular_dynamics_precision, "double");
  EXPECT_EQ(write_toml(parsed("", "").resolved).find("\nprecision ="), std::string::npos) << "as in earlier versions";
  const auto one = parsed(single, "");
  EXPECT_EQ(one.algorithm.precision, "single");
  EXPECT_EQ(one.solver.molecular_dynamics_precision, "single");
  EXPECT_EQ(one.solver.molecular_dynamics_residual, 1e-6);
  EXPECT_EQ(one.solver.metropolis_precision, "double");
  EXPECT_EQ(write_toml(parse_run_input(write_toml(one.resolved), "again").resolved), write_toml(one.resolved));
  EXPECT_EQ(parsed(single + "kind = \"auto\"\n", "").solver.molecular_dynamics_precision, "16-bit");
  EXPECT_EQ(parsed(single + "kind = \"auto\"\n", "").solver.heatbath_precision, "mixed");
  EXPECT_EQ(parsed(single, "molecular_dynamics_residual = 1e-8\n").solver.molecular_dynamics_residual, 1e-8);
  // Where only solves are in single precision, too.
  const std::string solves = "molecular_dynamics_precision = \"single\"\n";
  const auto forces = parsed("", solves);
  EXPECT_EQ(forces.solver.molecular_dynamics_residual, 1e-6);
  EXPECT_EQ(write_toml(parse_run_input(write_toml(forces.resolved), "again").resolved), write_toml(forces.resolved));
  EXPECT_EQ(parsed("", solves + "molecular_dynamics_residual = 1e-7\n").solver.molecular_dynamics_residual, 1e-7);
  EXPECT_EQ(parsed("kind = \"auto\"\n", solves).solver.molecular_dynamics_residual, 1e-4);
  EXPECT_EQ(parsed(single + "certify = 0.5\n", "").algorithm.certify, 0.5);
  const auto message =
      test::message_of<InputError>([&] { parsed(single, "molecular_dynamics_precision = \"mixed\"\n"); });
  for (const char* part :
       {"solver.molecular_dynamics_precision", "found \"mixed\"", "algorithm.precision = \"single\""})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Examples, CanBeRead) {
  const std::filesystem::path examples = TRELLIS_EXAMPLES;
  const auto physical = read_run_input(examples / "physical_point.toml");
  EXPECT_EQ(physical.terms(), (Words{"plaquette", "rectangle", "l_1", "l_2", "s"}));
  EXPECT_EQ(physical.algorithm.levels.size(), 3U);
  EXPECT_EQ(physical.quarks.smearing.values.at("levels"), 2);
  const auto scaling = read_run_input(examples / "scaling.toml");
  EXPECT_EQ(scaling.size, (Coordinate{32, 32, 32, 48}));
  EXPECT_EQ(scaling.action.beta, 3.36);
  EXPECT_EQ(scaling.quarks.flavours.front().mass, 0.0015);
  EXPECT_EQ(scaling.terms(), (Words{"plaquette", "rectangle", "l_1", "l_2", "s"}));
  const auto hisq = read_run_input(examples / "hisq.toml");
  EXPECT_EQ(hisq.terms(), (Words{"plaquette", "rectangle", "parallelogram", "l_1", "s", "c"}));
  EXPECT_EQ(hisq.quarks.tastes_of_term(hisq.quarks.flavours[1]), 3);
  EXPECT_EQ(hisq.quarks.flavours[2].naik_epsilon, -0.2);
  const auto nersc = read_run_input(examples / "nersc_medium.toml");
  EXPECT_EQ(nersc.size, (Coordinate{36, 36, 36, 72}));
  EXPECT_EQ(nersc.terms(), hisq.terms());
  const auto self_tuned = read_run_input(examples / "self_tuned.toml");
  EXPECT_TRUE(self_tuned.algorithm.automatic);
  EXPECT_EQ(self_tuned.terms(), (Words{"plaquette", "rectangle", "l", "s"}));
  const auto tempering = read_run_input(examples / "tempering.toml");
  ASSERT_TRUE(tempering.tempering);
  EXPECT_EQ(tempering.tempering->couplings.front(), 1);
  EXPECT_EQ(tempering.tempering->couplings.back(), 0);
  const auto dynamical = read_run_input(examples / "dynamical.toml");
  EXPECT_EQ(dynamical.terms(), (Words{"plaquette", "rectangle", "l", "s"}));
  const auto background = read_run_input(examples / "background.toml");
  EXPECT_EQ(background.terms(), (Words{"plaquette", "rectangle", "u", "d", "s"}));
  EXPECT_TRUE(background.measure.quarks);
  EXPECT_TRUE(read_run_input(examples / "quenched.toml").quarks.flavours.empty());
  EXPECT_TRUE(read_measure_input(examples / "flow.toml").measure.flow);
  EXPECT_TRUE(read_measure_input(examples / "hadrons.toml").measure.hadrons);
  const auto staggered = read_measure_input(examples / "staggered_hadrons.toml");
  EXPECT_TRUE(staggered.measure.staggered_hadrons);
  EXPECT_EQ(staggered.quarks.smearing.values, dynamical.quarks.smearing.values);
}

}  // namespace
}  // namespace trellis::app
