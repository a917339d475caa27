// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis verify` passes what is correct, on the examples as a user calls it, and fails what is wrong: a fault is
// planted for each group of its checks.
#include <cmath>

#include "tests/support/changed_term.hpp"
#include "tests/support/run_test.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_loops.hpp"
#include "trellis/app/verify/verify_operators.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::app {
namespace {

using test::wide;

// 4 x 4 x 4 x 2, so that it is fast; every feature of the quark action.
constexpr const char* kInput = R"([lattice]
size = [4, 4, 4, 2]
[action]
name = "symanzik"
beta = 3.7
[smearing]
rho = 0.12
levels = 1
[background]
bz = 3
[[flavours]]
name = "u"
mass = 0.3
tastes = 1
charge = 2
imaginary_mu = 0.25
space_angles_over_pi = [0.3, -0.2, 0.0]
[start]
kind = "hot"
[algorithm]
steps = 2
gauge_steps = 2
[chain]
trajectories = 3
seed = 5
)";

struct Report {
  std::string text;
  VerifyReport report{[this](std::string_view line) { text += line; }};
};

const VerifyCase<wide>& sound_case() {
  static const auto c = verify_case<wide>(parse_run_input(kInput, "input.toml"), false);
  return c;
}

// The case with a change that must make the check fail; without it, the check passes.
template <class Check, class Change>
void expect_fault_found(const Check& check, const Change& change) {
  Report sound, wrong;
  check(sound_case(), sound.report);
  EXPECT_EQ(sound.report.failed(), 0) << sound.text;
  EXPECT_GT(sound.report.checks(), 0);
  auto c = sound_case();
  change(c);
  check(c, wrong.report);
  EXPECT_GT(wrong.report.failed(), 0) << wrong.text;
  EXPECT_NE(wrong.text.find("FAIL"), std::string::npos);
}

using Term = std::shared_ptr<hmc::Term<double, wide>>;

void scale_force(Term& term, double factor) {
  term = test::with_scaled_force(term, [factor] { return factor; });
}

TEST(VerifyReport, CountsAndPrints) {
  Report r;
  r.report.check("good", [] { return at_most(1e-9, 1e-7); });
  r.report.check("told", [] { return for_information("0.3"); });
  EXPECT_EQ(r.report.checks(), 1);
  r.report.check("large", [] { return at_most(1e-6, 1e-7); });
  r.report.check("no number", [] { return at_most(std::nan(""), 1e-7); });
  r.report.check("low", [] { return at_least(1.2, 1.5); });
  r.report.check("no order", [] { return at_least(std::nan(""), 1.5); });
  r.report.check("bits", [] { return same_bits(false); });
  r.report.check("thrown", []() -> Outcome { fail("the reason"); });
  EXPECT_EQ(r.report.checks(), 7);
  EXPECT_EQ(r.report.failed(), 6);
  for (const auto* part :
       {"pass  good", "info  told", "FAIL  large", "1.0e-06", "<= 1.0e-07", "FAIL  thrown", "the reason"})
    EXPECT_NE(r.text.find(part), std::string::npos) << part << " in " << r.text;
}

TEST(VerifyReport, TheReasonIsPrintedBelowTheLine) {
  Report r;
  r.report.check("fails", [] { return with_note(at_most(1, 0), "the reason"); });
  r.report.check("passes", [] { return with_note(at_most(0, 1), "no reason"); });
  EXPECT_NE(r.text.find("\n        the reason\n"), std::string::npos) << r.text;
  EXPECT_EQ(r.text.find("no reason"), std::string::npos) << r.text;
}

// A limit follows the input until a line could no longer fail.
TEST(VerifyLimits, WhatIsTooLooseIsNamed) {
  const auto limit = [](double found, double residual) {
    const std::vector<Inaccuracy> from{{"a", 1e-9, 1}, {"b", residual, 20}};
    return at_most(found, 1e-10, from, 0.01);
  };
  EXPECT_TRUE(limit(1.9e-5, 1e-6).passed);
  EXPECT_FALSE(limit(2.1e-5, 1e-6).passed);
  EXPECT_EQ(limit(2.1e-5, 1e-6).note, "");
  const auto loose = limit(0, 0.1);  // nothing is found, and still nothing is shown
  EXPECT_FALSE(loose.passed);
  EXPECT_EQ(loose.required, "<= 1.0e-02");
  EXPECT_EQ(loose.note, "b = 0.1 is too loose to check this; use <= 0.0002");
  EXPECT_TRUE(limit(1e-5, 0.0002).passed);
  EXPECT_TRUE(at_most(1e-11, 1e-10, {}, 0.01).passed);
  EXPECT_FALSE(at_most(1e-9, 1e-10, {}, 0.01).passed);
}

// Accuracies that a limit leaves no room for are named where they can be the reason, and only there.
TEST(VerifyLimits, WhatElseIsTooLooseIsNamed) {
  const std::vector<Inaccuracy> from{{"a", 1e-9, 1}}, others{{"c", 1e-9, 1}, {"d", 0.1, 2}},
      single{{"e", 1e-6, 2, "single"}};
  const auto note = [&](double found, const auto& of) { return at_most(found, 1e-7, from, 0.01, of).note; };
  EXPECT_TRUE(at_most(1e-8, 1e-7, from, 0.01, others).passed);
  EXPECT_EQ(note(1e-8, others), "");
  EXPECT_FALSE(at_most(0.1, 1e-7, from, 0.01, others).passed);
  EXPECT_EQ(note(0.1, others), "d = 0.1 is too loose to check this; use <= 2e-08");
  EXPECT_EQ(note(0.3, others), "") << "more than it explains";
  EXPECT_EQ(note(std::nan(""), others), "");
  EXPECT_EQ(note(1e-6, single), "e = \"single\" is too loose to check this; use \"double\"");
}

// What a sloppy solver and a wrong program would show, at the default accuracies and at worse ones.
TEST(VerifyLimits, OfAccuracies) {
  auto input = parse_run_input(kInput, "input.toml");
  const auto term = quark_terms(input.quarks).at(0);
  EXPECT_TRUE(check_force_accuracy(3e-7, input, term).passed);
  EXPECT_FALSE(check_force_accuracy(1e-3, input, term).passed);
  EXPECT_TRUE(check_heatbath_energy(1e-12, input, term, 128).passed);
  EXPECT_FALSE(check_heatbath_energy(1e-8, input, term, 128).passed);
  EXPECT_TRUE(check_reversibility_of_links(1e-8, input, 0).passed);
  EXPECT_FALSE(check_reversibility_of_links(1e-4, input, 0).passed);
  EXPECT_TRUE(check_reversibility_of_energy(1e-7, input, 128, 0).passed);
  EXPECT_FALSE(check_reversibility_of_energy(1e-3, input, 128, 0).passed);
  EXPECT_NE(check_reversibility_of_energy(1e-3, input, 128, 2000).note.find("unstable"), std::string::npos);
  input.solver.molecular_dynamics_residual = input.solver.metropolis_residual = 0.1;
  for (const auto& outcome :
       {check_force_accuracy(0, input, term), check_heatbath_energy(0, input, term, 128),
        check_reversibility_of_links(0, input, 0), check_reversibility_of_energy(0, input, 128, 0)}) {
    EXPECT_FALSE(outcome.passed);
    EXPECT_NE(outcome.note.find("_residual = 0.1 is too loose to check this; use <= "), std::string::npos)
        << outcome.note;
  }
  // Gauge terms alone are exact to rounding.
  input.quarks.flavours.clear();
  EXPECT_TRUE(check_reversibility_of_links(1e-14, input, 0).passed);
  EXPECT_FALSE(check_reversibility_of_links(1e-10, input, 0).passed);
}

TEST(VerifyForces, AWrongForceIsFound) {
  const auto& c = sound_case();
  ASSERT_EQ(c.accurate_terms.size(), 3U);
  for (auto term : c.accurate_terms) {
    EXPECT_TRUE(check_force(*term, c.u, 3).passed) << term->name();
    scale_force(term, 1 + 1e-7);
    EXPECT_FALSE(check_force(*term, c.u, 3).passed) << term->name();
  }
}

// As with smeared links that are hard to project: the force of sin(2 dS) / 2 is that of S, but its fifth derivative,
// which is 16 times as large or more, alone would fail the check.
TEST(VerifyForces, AnEnergyOfShortWavelengthsIsNoFault) {
  const auto& c = sound_case();
  const auto original = c.accurate_terms[0];
  const auto term = std::make_shared<test::ChangedTerm<wide>>(original);
  term->energy = [original](const auto& after, const auto& before) {
    return std::sin(2 * original->difference(after, before)) / 2;
  };
  EXPECT_TRUE(check_force(*term, c.u, 3).passed);
  term->force = [original](const auto& u, double step, const auto& p) { original->add_force(u, step * (1 + 1e-7), p); };
  EXPECT_FALSE(check_force(*term, c.u, 3).passed);
}

TEST(VerifyDefect, ItsActionIsThatOfWeightedLinks) {
  auto c = sound_case();
  Report without, with, small;
  check_defect(c, without.report);
  EXPECT_EQ(without.text, "");
  TemperingInput tempering;
  tempering.couplings = {1, 0.6, 0};
  tempering.length = 2;
  tempering.direction = 1;
  c.input.tempering = c.accurate.tempering = tempering;
  check_defect(c, with.report);
  EXPECT_EQ(with.report.failed(), 0) << with.text;
  EXPECT_EQ(with.report.checks(), 6) << with.text;
  for (const char* line :
       {"with coupling 0.6, over", "force of 'rectangle' with coupling 0 ", "their sweeps and swaps are not checked"})
    EXPECT_NE(with.text.find(line), std::string::npos) << line << with.text;
  const auto defect = coupled_defect<wide>(c.input, c.u.lattice());
  defect->coupling = 0.5;
  const auto terms = make_terms<wide>(c.input, c.u.lattice(), {}, {}, defect);
  const auto v = displaced(c.u, {}, 5);
  const auto compared = [&](double coupling, int length) {
    return compare_energies_with_defect(terms, v, c.u, c.input.action.weights(), {1, length}, coupling).passed;
  };
  EXPECT_TRUE(compared(0.5, 2));
  EXPECT_FALSE(compared(0.6, 2));
  EXPECT_FALSE(compared(0.5, 1));
  c.input.tempering->length = c.accurate.tempering->length = 5;
  check_defect(c, small.report);
  EXPECT_EQ(small.report.checks() + small.report.failed(), 0);
  EXPECT_NE(small.text.find("does not fit this lattice"), std::string::npos) << small.text;
}

TEST(VerifyForces, MolecularDynamicsFarFromExact) {
  expect_fault_found(check_forces<wide>, [](auto& c) { scale_force(c.terms.back(), 1.001); });
}

TEST(VerifyRational, AnApproximationThatIsWorseThanItClaims) {
  const std::vector<hmc::PowerFactor> f{{0, -0.25}};
  auto r = hmc::rational_approximation(f, 0.09, 16.09, 1e-9);
  EXPECT_TRUE(check_approximation(r, f, 1e-9).passed);
  EXPECT_FALSE(check_approximation(r, f, 1e-10).passed);
  r.residues.front() *= 1 + 1e-8;
  EXPECT_FALSE(check_approximation(r, f, 1e-9).passed);
}

TEST(VerifyRational, AnEnergyThatIsNotThatOfTheHeatbath) {
  expect_fault_found(check_rational_approximations<wide>, [](auto& c) {
    const auto changed = std::make_shared<test::ChangedTerm<wide>>(c.terms.back());
    changed->energy = [original = c.terms.back()](const auto& a, const auto& b) {
      return original->difference(a, b) + 1e-6;
    };
    c.terms.back() = changed;
  });
}

// Links of which one is turned by an angle.
GaugeField<double, wide> with_turned_link(const GaugeField<double, wide>& u, double angle) {
  auto links = naive_links(u);
  const auto turn = std::polar(1.0, angle);
  for (auto& element : links(5, 1)[0]) element *= turn;
  for (auto& element : links(5, 1)[1]) element *= std::conj(turn);
  return gauge_field<wide>(links, u.lattice());
}

TEST(VerifyOperators, WrongSmearing) {
  const auto& c = sound_case();
  const auto& smearing = c.input.quarks.smearing;
  const auto fat = gauge::smeared_links<wide>(smearing, c.u.lattice());
  const auto expected = naive_smearing_of<wide>(naive_links(c.u), smearing, c.u.lattice()).fat;
  EXPECT_TRUE(compare_smeared(fat->smear(c.u), expected, smearing).passed);
  EXPECT_FALSE(compare_smeared(with_turned_link(fat->smear(c.u), 1e-12), expected, smearing).passed);
}

// None is compared with itself, and a link that is wrong in the eleventh digit is seen.
TEST(VerifyOperators, EverySmearingHasItsOwnLoops) {
  const auto& u = sound_case().u;
  const auto thin = naive_links(u);
  std::vector<gauge::SmearingParameters> all{{"stout", {{"levels", 2}}},
                                             {"asqtad", {{"u0", 0.9}}},
                                             {"ape", {{"dimensions", 3}, {"levels", 2}}},
                                             {"hyp", {{"dimensions", 3}}}};
  for (const auto& kind : gauge::smearings()) all.push_back({kind.name, {}});
  for (const auto& parameters : all) {
    const auto smearing = gauge::complete(parameters);
    const auto what = gauge::describe(smearing);
    const auto naive = naive_smearing(thin, smearing);
    ASSERT_TRUE(naive) << what;
    const auto smeared = gauge::smeared_links<wide>(smearing, u.lattice());
    const auto& fat = smeared->smear(u);
    EXPECT_TRUE(compare_smeared(fat, naive->fat, smearing).passed) << what;
    EXPECT_FALSE(compare_smeared(with_turned_link(fat, 1e-11), naive->fat, smearing).passed) << what;
    ASSERT_EQ(smeared->long_links() != nullptr, naive->three_steps.has_value()) << what;
    if (!naive->three_steps) continue;
    EXPECT_TRUE(compare_smeared(smeared->long_links()->three_steps, *naive->three_steps, smearing).passed) << what;
    EXPECT_TRUE(compare_smeared(smeared->long_links()->one_step, *naive->one_step, smearing).passed) << what;
  }
  EXPECT_FALSE(naive_smearing(thin, {"of our own", {}}));
}

TEST(VerifyOperators, AWrongOperator) {
  const auto& c = sound_case();
  const auto& quarks = c.input.quarks;
  const auto links = naive_links(c.u);
  const auto psi = random_naive_field<3>(links.volume(), 5);
  auto flavour = quarks.flavours[0];
  const auto expected = naive_staggered({links}, quarks, flavour, psi);
  const dirac::StaggeredLinks<double, wide> packed(c.u);
  const auto operator_of = [&](const FlavourInput& f) {
    return dirac::StaggeredOperator<double, wide>(packed, phases_of(quarks, f), f.mass);
  };
  const auto sound = operator_of(flavour);
  flavour.imaginary_mu += 1e-9;
  const auto wrong = operator_of(flavour);
  EXPECT_TRUE(compare_staggered(sound, psi, expected, quarks.smearing).passed);
  EXPECT_FALSE(compare_staggered(wrong, psi, expected, quarks.smearing).passed);
  flavour.imaginary_mu += 1e-2;
  const auto far = operator_of(flavour);
  const auto even = full_field<wide>(psi, c.u.lattice()).part[0];
  EXPECT_TRUE(compare_spectra(sound, sound, 5).passed);
  EXPECT_FALSE(compare_spectra(far, sound, 5).passed);
  EXPECT_TRUE(compare_inverses(sound, even, sound, even).passed);
  EXPECT_FALSE(compare_inverses(far, even, sound, even).passed);
}

TEST(VerifyOperators, LoopsThatAreNotInvariant) {
  const auto& c = sound_case();
  const gauge::Action action{c.input.action.beta, c.input.action.c1};
  EXPECT_TRUE(compare_plaquettes(c.u, c.u).passed);
  EXPECT_TRUE(compare_actions(action, c.u, c.u).passed);
  const auto v = with_turned_link(c.u, 1e-9);
  EXPECT_FALSE(compare_plaquettes(v, c.u).passed);
  EXPECT_FALSE(compare_actions(action, v, c.u).passed);
}

TEST(VerifyOperators, AForceThatIsNotCovariant) {
  expect_fault_found(check_operators<wide>, [](auto& c) {
    auto& term = c.accurate_terms.front();
    const auto changed = std::make_shared<test::ChangedTerm<wide>>(term);
    changed->force = [original = term](const auto& u, double step, const auto& p) {
      original->add_force(u, step, p);
      gauge::add_force(gauge::LoopWeights{u.link({0, 0, 0, 0}, 0)[0], 0}, u, step, p);
    };
    term = changed;
  });
}

TEST(VerifyIntegrators, AForceThatDoesNotBelongToTheEnergy) {
  expect_fault_found(check_integrators<wide>, [](auto& c) { scale_force(c.accurate_terms.front(), 1.1); });
}

TEST(VerifyBits, AForceThatRemembers) {
  expect_fault_found(check_bits<wide>, [](auto& c) {
    c.terms.front() = test::with_scaled_force(c.terms.front(), [calls = 0]() mutable { return 1 + 1e-6 * ++calls; });
  });
}

class Verify : public test::RunTest {
 protected:
  test::Outcome verify(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{TRELLIS_PROGRAM, "verify"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return test::Process(words, here()).wait();
  }
  test::Outcome verify_text(const Changes& changes) const {
    io::test::write_all(at("v.toml"), changed(kInput, changes));
    return verify({"v.toml"});
  }
  void expect_passes(const test::Outcome& outcome) const {
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find(" checks passed"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("FAIL"), std::string::npos) << outcome.out;
  }
};

TEST_F(Verify, TheExamplesPassAndNothingIsWritten) {
  for (const auto* name : {"quenched", "dynamical", "scaling"}) {
    const auto outcome = verify({std::string(TRELLIS_EXAMPLES) + "/" + name + ".toml", "--size", "4,4,4,2"});
    expect_passes(outcome);
    EXPECT_NE(outcome.out.find("Lattice: 4x4x4x2 instead of "), std::string::npos) << outcome.out;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Verify, OtherAlgorithmsPass) {
  const auto quenched = [](const std::string& algorithm) {
    return "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 5.7\n[chain]\ntrajectories = 1\n[algorithm]\n" + algorithm;
  };
  for (const auto* algorithm :
       {"kind = \"heatbath\"\n", "integrator = \"4mn5fv\"\nsteps = 4\n", "integrator = \"force_gradient\"\nsteps = 6\n",
        "integrator = \"leapfrog\"\n", "steps = 6\nprecision = \"single\"\n"}) {
    SCOPED_TRACE(algorithm);
    io::test::write_all(at("v.toml"), quenched(algorithm));
    expect_passes(verify({"v.toml"}));
  }
  io::test::write_all(at("v.toml"),
                      "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nname = \"one_loop_symanzik\"\nbeta = 6.5\nu0 = 0.86\n"
                      "hisq_flavours = 4\n[chain]\ntrajectories = 1\n[algorithm]\nsteps = 6\n");
  expect_passes(verify({"v.toml"}));
  expect_passes(verify_text({{"[chain]",
                              "[solver]\nmolecular_dynamics_precision = \"single\"\n"
                              "molecular_dynamics_residual = 1e-5\n[chain]"}}));
}

// Everything that is measured, in a run and of files, and what is too loose for it.
TEST_F(Verify, MeasurementsPass) {
  const std::string measured = R"([measure]
[measure.flow]
action = "symanzik"
[measure.quarks]
observables = ["susceptibilities", "magnetisation"]
[measure.staggered_hadrons]
channels = ["pion", "pion_scalar", "rho_tensor", "rho_axial", "nucleon", "pion_i5"]
source_positions = [[1, 2, 3, 1]]
momenta = [[0, 0, 0], [1, 0, 0]]
[measure.hadrons]
kappas = [0.11]
clover = 1.2
spatial_hopping = 0.8
boundary_angle_over_pi = [0.3, 0.0, -0.2, 1.0]
stout_levels = 1
source = "gaussian"
smearing_steps = 3
sinks = ["point", "smeared"]
source_positions = [[1, 2, 3, 1]]
momenta = [[0, 0, 0], [1, 0, 0]]
channels = ["mesons", "rho", "proton", "proton_negative"]
)";
  const auto outcome = verify_text({{"[start]", measured + "[start]"}});
  expect_passes(outcome);
  for (const auto* part : {"links after a step of 0.01", "M psi at kappa = 0.11", "smeared sink", "Ward identity",
                           "'nucleon' of u", "'u': largest difference over the condensate"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  // A wall, and files that need not be there.
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"none\"]\nsize = [4, 4, 2, 4]\n[measure.flow]\n[measure.hadrons]\n"
                      "kappas = [0.12]\nsource = \"wall\"\n");
  const auto files = verify({"m.toml"});
  expect_passes(files);
  EXPECT_NE(files.out.find("measurements, on"), std::string::npos) << files.out;
  EXPECT_EQ(files.out.find("Forces"), std::string::npos) << files.out;
  // Other programs' conventions of smearing.
  io::test::write_all(at("width.toml"),
                      "[configurations]\nfiles = [\"none\"]\nsize = [4, 4, 2, 4]\n[measure.hadrons]\nkappas = [0.12]\n"
                      "source = \"gaussian\"\nsmearing_width = 1.2\nsmearing_steps = 4\nstout_levels = 2\n"
                      "stout_directions = \"spatial\"\npropagators = \"kept\"\n");
  expect_passes(verify({"width.toml"}));
  EXPECT_FALSE(exists("kept"));
  // Links of the table of smearings.
  for (const auto* keys :
       {"kind = \"ape\"\nalpha = 0.6\nlevels = 2\n", "kind = \"hyp\"\n", "kind = \"hyp\"\ndimensions = 3\n"}) {
    io::test::write_all(
        at("smeared.toml"),
        "[configurations]\nfiles = [\"none\"]\nsize = [4, 4, 2, 4]\n[measure.hadrons]\nkappas = [0.12]\n"
        "clover = 1.1\n[measure.hadrons.smearing]\n" +
            std::string(keys));
    expect_passes(verify({"smeared.toml"}));
  }
  // Noise, and three-point functions.
  io::test::write_all(at("noise.toml"),
                      "[configurations]\nfiles = [\"none\"]\nsize = [4, 4, 2, 4]\n[measure.hadrons]\nkappas = [0.12]\n"
                      "source = \"z4_wall\"\nnoise_spacing = [4, 1, 1]\nchannels = [\"pion\", \"rho\"]\n"
                      "momenta = [[0, 0, 0], [1, 0, 0]]\n");
  const auto noise = verify({"noise.toml"});
  expect_passes(noise);
  EXPECT_NE(noise.out.find("mesons at kappa = 0.12"), std::string::npos) << noise.out;
  io::test::write_all(at("sinks.toml"),
                      "[configurations]\nfiles = [\"none\"]\nsize = [4, 4, 2, 4]\n[measure.hadrons]\n"
                      "[[measure.hadrons.quarks]]\nname = \"l\"\nkappa = 0.12\n[[measure.hadrons.fixed_sinks]]\n"
                      "name = \"d\"\nquarks = \"l.l.l\"\nchannel = \"proton\"\ncurrent_on = 3\nsink_time = 10\n"
                      "momenta = [[0, 0, 0], [1, 0, 0]]\n");
  const auto sinks = verify({"sinks.toml"});
  expect_passes(sinks);
  EXPECT_NE(sinks.out.find("fixed sink 'd'"), std::string::npos) << sinks.out;
  io::test::write_all(at("loose.toml"),
                      "[configurations]\nfiles = [\"none\"]\nsize = [4, 4, 2, 4]\n[measure.hadrons]\n"
                      "kappas = [0.12]\nresidual = 0.1\n");
  const auto loose = verify({"loose.toml"});
  EXPECT_EQ(loose.code, 1) << loose.out << loose.err;
  EXPECT_NE(loose.out.find("measure.hadrons.residual = 0.1 is too loose to check this"), std::string::npos)
      << loose.out;
}

TEST_F(Verify, LargeLatticesShrink) {
  io::test::write_all(at("v.toml"),
                      "[lattice]\nsize = [32, 4, 4, 64]\n[action]\nbeta = 6\n[chain]\ntrajectories = 1\n");
  const auto outcome = verify({"v.toml"});
  expect_passes(outcome);
  EXPECT_NE(outcome.out.find("Lattice: 8x4x4x8 instead of 32x4x4x64"), std::string::npos) << outcome.out;
}

// The spectrum extends beyond what the input states.
TEST_F(Verify, AFaultMakesTheProgramFail) {
  const auto outcome = verify_text({{"[chain]", "[rational]\nlargest_eigenvalue = 0.5\n[chain]"}});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("FAIL  force of 'u'"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("raise rational.largest_eigenvalue"), std::string::npos) << outcome.out;
  const auto line = outcome.out.find("FAIL  'u': largest eigenvalue of -D_eo D_oe");
  ASSERT_NE(line, std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("<= 0.500", line), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("checks FAILED"), std::string::npos) << outcome.out;
}

TEST_F(Verify, AForceThatIsFilteredIsBlamedOnTheFilter) {
  const auto outcome = verify_text({{"rho = 0.12\nlevels = 1", "kind = \"hisq\"\nforce_filter = 1.0"}});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  const auto line = outcome.out.find("FAIL  force of 'u'");
  ASSERT_NE(line, std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("smearing.force_filter = 1 acted and is the cause", line), std::string::npos)
      << outcome.out;
}

// It used to pass, with 1.7e-01 <= 1.0e+02.
TEST_F(Verify, SloppyInputsDoNotPass) {
  const auto outcome = verify_text({{"[chain]", "[solver]\nmolecular_dynamics_residual = 0.1\n[chain]"}});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("FAIL  force of 'u' in molecular dynamics"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("solver.molecular_dynamics_residual = 0.1 is too loose to check this; use <= 0.0005"),
            std::string::npos)
      << outcome.out;
}

// Whatever a check depends on is named below its line, also keys that are not those of its limit.
TEST_F(Verify, WhatIsTooLooseIsNamedForEachLine) {
  const auto expect_named = [&](const std::string& line, const std::string& table, const std::string& key) {
    const auto outcome = verify_text({{"[chain]", "[" + table + "]\n" + key + "\n[chain]"}});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    const auto failed = outcome.out.find("FAIL  " + line);
    ASSERT_NE(failed, std::string::npos) << outcome.out;
    const auto note = outcome.out.find('\n', failed) + 1;
    EXPECT_EQ(outcome.out.substr(note).find(table + "." + key + " is too loose to check this; use <= "),
              outcome.out.find_first_not_of(' ', note) - note)
        << outcome.out;
  };
  const std::string force = "force of 'u' in molecular dynamics", energy = "reversibility: change of the energy";
  for (const auto& line : {force, energy}) {
    expect_named(line, "solver", "heatbath_residual = 0.1");
    expect_named(line, "rational", "heatbath_error = 0.01");
  }
  expect_named(energy, "solver", "metropolis_residual = 0.1");
  expect_named(energy, "rational", "metropolis_error = 0.01");
}

TEST_F(Verify, WrongInputs) {
  io::test::write_all(at("v.toml"), kInput);
  expect_error(verify({"none.toml"}), 2, {"none.toml"});
  expect_error(verify({"v.toml", "--size", "4,4"}), 2, {"--size"});
  expect_error(verify({"v.toml", "--size", "3,4,4,4"}), 2, {"3"});
  EXPECT_FALSE(exists("v-results"));
}

}  // namespace
}  // namespace trellis::app
