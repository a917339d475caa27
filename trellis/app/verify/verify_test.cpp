// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis verify` passes what is right, on the examples as the user calls it, and fails what is wrong: a fault is
// planted in each group of its checks.
#include <cmath>

#include "tests/support/changed_term.hpp"
#include "tests/support/run_test.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"

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

// The case with a change, which must make the check fail; without it, it passes.
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

TEST(VerifyForces, AWrongForceIsFound) {
  const auto& c = sound_case();
  ASSERT_EQ(c.accurate_terms.size(), 3U);
  for (auto term : c.accurate_terms) {
    EXPECT_TRUE(check_force(*term, c.u, 3).passed) << term->name();
    scale_force(term, 1 + 1e-6);
    EXPECT_FALSE(check_force(*term, c.u, 3).passed) << term->name();
  }
}

TEST(VerifyForces, MolecularDynamicsFarFromExact) {
  expect_fault_found(check_forces<wide>, [](auto& c) { scale_force(c.terms.back(), 1.001); });
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
  for (const auto* name : {"quenched", "dynamical"}) {
    const auto outcome = verify({std::string(TRELLIS_EXAMPLES) + "/" + name + ".toml", "--size", "4,4,4,2"});
    expect_passes(outcome);
    EXPECT_NE(outcome.out.find("Lattice: 4x4x4x2 in place of 8x8x8x"), std::string::npos) << outcome.out;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Verify, OtherAlgorithmsPass) {
  const auto quenched = [](const std::string& algorithm) {
    return "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 5.7\n[chain]\ntrajectories = 1\n[algorithm]\n" + algorithm;
  };
  for (const auto* algorithm : {"kind = \"heatbath\"\n", "integrator = \"4mn5fv\"\nsteps = 4\n",
                                "integrator = \"force_gradient\"\nsteps = 6\n", "integrator = \"leapfrog\"\n"}) {
    SCOPED_TRACE(algorithm);
    io::test::write_all(at("v.toml"), quenched(algorithm));
    expect_passes(verify({"v.toml"}));
  }
  expect_passes(verify_text({{"[chain]",
                              "[solver]\nmolecular_dynamics_precision = \"single\"\n"
                              "molecular_dynamics_residual = 1e-5\n[chain]"}}));
}

TEST_F(Verify, LargeLatticesShrink) {
  io::test::write_all(at("v.toml"),
                      "[lattice]\nsize = [32, 4, 4, 64]\n[action]\nbeta = 6\n[chain]\ntrajectories = 1\n");
  const auto outcome = verify({"v.toml"});
  expect_passes(outcome);
  EXPECT_NE(outcome.out.find("Lattice: 8x4x4x8 in place of 32x4x4x64"), std::string::npos) << outcome.out;
}

// The spectrum ends where the input says that it does not.
TEST_F(Verify, AFaultMakesTheProgramFail) {
  const auto outcome = verify_text({{"[chain]", "[rational]\nlargest_eigenvalue = 0.5\n[chain]"}});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("FAIL  force of 'u'"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("raise rational.largest_eigenvalue"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("checks FAILED"), std::string::npos) << outcome.out;
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
