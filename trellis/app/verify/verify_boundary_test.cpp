// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The checks of `trellis verify` with boundaries in time: what is correct passes, and a wrong weight, coefficient or
// slice is found.
#include <cmath>

#include "tests/support/changed_term.hpp"
#include "tests/support/launcher.hpp"
#include "tests/support/run_test.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/naive_boundary.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_loops.hpp"
#include "trellis/app/verify/verify_measurements.hpp"
#include "trellis/app/verify/verify_operators.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::app {
namespace {

using test::wide;

constexpr const char* open_input = R"([lattice]
size = [4, 4, 4, 4]
boundary = "open"
[action]
name = "symanzik"
beta = 3.7
c_G = 1.3
[smearing]
rho = 0.12
levels = 1
[[flavours]]
name = "u"
mass = 0.3
[start]
kind = "hot"
[algorithm]
steps = 2
gauge_steps = 2
[chain]
trajectories = 3
seed = 5
)";

// The same with T = 3, or with T = 4, a slice that is not used, and rectangles that have weights of their own at the
// boundaries.
std::string schroedinger_input(int extent) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  auto text = changed(open_input, "\"open\"",
                      fmt::format("\"schroedinger_functional\"\ntime_extent = {}\nphi = [-1.0, 0.2]\n"
                                  "phi_prime = [-3.0, 1.0]",
                                  extent));
  if (extent == 4)
    return changed(changed(text, "4, 4]", "4, 6]"), "c_G",
                   "boundary_rectangles = \"weighted\"\nc_G_rectangles = 1.4\nc_G");
  return changed(text, "symanzik", "wilson");
}

VerifyCase<wide> case_of(const std::string& input) {
  return verify_case<wide>(parse_run_input(input, "input.toml"), false);
}
const std::vector<VerifyCase<wide>>& sound_cases() {
  static const std::vector<VerifyCase<wide>> cases{case_of(open_input), case_of(schroedinger_input(3)),
                                                   case_of(schroedinger_input(4))};
  return cases;
}

struct BoundaryReport {
  std::string text;
  VerifyReport report{[this](std::string_view line) { text += line; }};
};

template <class Check, class Change>
void expect_found_in(const VerifyCase<wide>& sound, const Check& check, const Change& change) {
  SCOPED_TRACE(gauge::name_of(sound.input.boundary));
  BoundaryReport right, wrong;
  check(sound, right.report);
  EXPECT_EQ(right.report.failed(), 0) << right.text;
  EXPECT_GT(right.report.checks(), 0);
  auto c = sound;
  change(c);
  check(c, wrong.report);
  EXPECT_GT(wrong.report.failed(), 0) << wrong.text;
}

using Term = std::shared_ptr<hmc::Term<double, wide>>;

// The gauge terms of another c_G, and c_G_rectangles in proportion.
hmc::Terms<double, wide> terms_with(const RunInput& input, double c_g, const Lattice& lattice) {
  auto other = input;
  other.boundary.c_g = c_g;
  other.boundary.c_g_rectangles *= c_g / input.boundary.c_g;
  other.quarks.flavours.clear();
  return make_terms<wide>(other, lattice);
}

TEST(VerifyBoundaries, AWrongWeightOfBoundaryLoopsIsFound) {
  for (const auto& sound : sound_cases())
    expect_found_in(sound, check_loops<wide>, [](auto& c) {
      c.accurate_terms = terms_with(c.input, c.input.boundary.c_g * (1 + 1e-10), c.u.lattice());
    });
}

// With squares of plaquettes there.
TEST(VerifyBoundaries, WrongRectanglesAtABoundaryAreFound) {
  auto input = schroedinger_input(4);
  const std::string weights = "boundary_rectangles = \"weighted\"\nc_G_rectangles = 1.4\n";
  input.replace(input.find(weights), weights.size(), "");
  const auto sound = case_of(input);
  auto other = sound.input;
  other.quarks.flavours.clear();
  for (const double weight : {1.0, 1.5}) {
    other.boundary.rectangles = gauge::BoundaryRectangles::weighted;
    other.boundary.c_g_rectangles = weight;
    expect_found_in(sound, check_loops<wide>,
                    [&](auto& c) { c.accurate_terms = make_terms<wide>(other, c.u.lattice()); });
  }
  for (const auto& term : sound.accurate_terms)
    EXPECT_TRUE(check_force(*term, sound.u, 3, sound.input.boundary).passed);
}

TEST(VerifyBoundaries, AForceOfAnotherWeightIsFound) {
  for (const auto& sound : sound_cases()) {
    const auto& boundary = sound.input.boundary;
    const auto others = terms_with(sound.input, boundary.c_g * (1 + 1e-6), sound.u.lattice());
    for (std::size_t k = 0; k < others.size(); ++k) {
      const auto term = std::make_shared<test::ChangedTerm<wide>>(sound.accurate_terms[k]);
      EXPECT_TRUE(check_force(*term, sound.u, 3, boundary).passed) << term->name();
      term->force = [other = others[k]](const auto& u, double step, const auto& p) { other->add_force(u, step, p); };
      EXPECT_FALSE(check_force(*term, sound.u, 3, boundary).passed) << term->name();
    }
  }
}

// A force that moves links which a boundary takes from the variables, by itself and in a trajectory.
TEST(VerifyBoundaries, AForceOnFixedLinksIsFound) {
  for (const auto& sound : sound_cases()) {
    const auto& boundary = sound.input.boundary;
    const auto term = std::make_shared<test::ChangedTerm<wide>>(sound.terms.front());
    term->force = [original = sound.terms.front(), boundary](const auto& u, double step, const auto& p) {
      original->add_force(u, step, p);
      const Coordinate x{1, 2, 3, boundary.last_slice(u.lattice().size())};
      const std::array<double, 8> more{1e-9};
      p.set(x, 3, more);
    };
    EXPECT_TRUE(check_fixed_links(*sound.terms.front(), sound.u, 3, boundary).passed);
    EXPECT_FALSE(check_fixed_links(*term, sound.u, 3, boundary).passed);
  }
  // Links that are zero stay zero whatever drives them; those of a Schroedinger functional move.
  expect_found_in(sound_cases()[1], check_bits<wide>, [](auto& c) {
    const auto term = std::make_shared<test::ChangedTerm<wide>>(c.terms.front());
    term->force = [original = c.terms.front()](const auto& u, double step, const auto& p) {
      original->add_force(u, step, p);
      p.set({1, 2, 3, 0}, 0, std::array<double, 8>{0.1});
    };
    c.terms.front() = term;
  });
}

TEST(VerifyBoundaries, WrongSlicesOfLoopsAreFound) {
  for (const auto& c : sound_cases()) {
    SCOPED_TRACE(gauge::name_of(c.input.boundary));
    const auto& right = c.input.boundary;
    auto wrong = right;
    if (right.kind == gauge::BoundaryKind::open)
      wrong.kind = gauge::BoundaryKind::periodic;
    else
      --wrong.extent;
    const auto naive = naive_links(c.u);
    const auto averages = naive_averages(naive, right);
    EXPECT_TRUE(compare_averages(right, c.u, averages).passed);
    EXPECT_FALSE(compare_averages(wrong, c.u, averages).passed);
    const auto slices = naive_slices(naive, right);
    EXPECT_TRUE(compare_slices(gauge::slice_observables(right, c.u), slices, 64).passed);
    EXPECT_FALSE(compare_slices(gauge::slice_observables(wrong, c.u), slices, 64).passed);
    const auto weights = c.input.action.weights();
    const auto relaxed = [&](const gauge::Boundary& boundary) {
      const auto v = c.u.clone();
      gauge::overrelaxation_sweep(weights, v, boundary);
      return compare_overrelaxation(v, c.u, weights, right).passed;
    };
    auto weight = right;
    weight.c_g *= 1 + 1e-6;
    EXPECT_TRUE(relaxed(right));
    EXPECT_FALSE(relaxed(weight));
    EXPECT_FALSE(compare_overrelaxation(c.u, c.u, weights, right).passed);
  }
}

TEST(VerifyBoundaries, AFlowWithoutTheBoundaryIsFound) {
  for (const auto& c : sound_cases()) {
    SCOPED_TRACE(gauge::name_of(c.input.boundary));
    const auto thin = naive_links(c.u);
    const auto flowed = [&](const gauge::Boundary& boundary) {
      const auto v = c.u.clone();
      gauge::flow({.step = 0.01, .time_max = 0.01, .measure_every = 0.01, .boundary = boundary}, v);
      return compare_flow_step(v, thin, 0, 0.01, c.input.boundary).passed;
    };
    EXPECT_TRUE(flowed(c.input.boundary));
    EXPECT_FALSE(flowed({}));
    EXPECT_FALSE(compare_flow_step(c.u, thin, 0, 0.01, c.input.boundary).passed);
  }
}

TEST(VerifyBoundaries, WrongOperatorsAreFound) {
  for (const auto& c : sound_cases()) {
    SCOPED_TRACE(gauge::name_of(c.input.boundary));
    const auto& right = c.input.boundary;
    auto wrong = right;
    if (right.kind == gauge::BoundaryKind::open)
      wrong = {.kind = gauge::BoundaryKind::schroedinger_functional, .extent = 3};
    else
      wrong = {.kind = gauge::BoundaryKind::open};
    const auto thin = naive_links(c.u);
    const auto stout = [&](const gauge::Boundary& boundary) {
      gauge::SmearingParameters smearing = c.input.quarks.smearing;
      const auto naive = naive_smearing_of<wide>(thin, smearing, c.u.lattice());
      smearing.boundary = boundary;
      const auto links = gauge::smeared_links<wide>(smearing, c.u.lattice());
      return compare_smeared(links->smear(c.u), naive.fat, smearing).passed;
    };
    EXPECT_TRUE(stout(right));
    // Smearing as if lattices were periodic leaves links that do not exist at zero, too.
    EXPECT_EQ(stout({}), right.kind == gauge::BoundaryKind::open);

    const auto psi = random_naive_field<3>(thin.volume(), 5);
    const auto& flavour = c.input.quarks.flavours[0];
    const auto expected = naive_staggered({thin}, c.input.quarks, flavour, psi);
    const auto staggered = [&](const gauge::Boundary& boundary) {
      auto phases = phases_of(c.input.quarks, flavour);
      phases.boundary = boundary;
      const dirac::StaggeredOperator<double, wide> d(dirac::StaggeredLinks<double, wide>(c.u), phases, flavour.mass);
      return compare_staggered(d, psi, expected, c.input.quarks.smearing).passed;
    };
    EXPECT_TRUE(staggered(right));
    EXPECT_FALSE(staggered(wrong));

    dirac::WilsonParameters quark{.kappa = 0.11, .clover = 1.2, .boundary = right, .c_f = 0.9};
    const NaiveWilson naive(thin, quark);
    const auto wilson = [&] {
      return compare_wilson(dirac::WilsonOperator<double, wide>(c.u, quark), naive, 5, gauge::stout_smearing(0.1, 0))
          .passed;
    };
    EXPECT_TRUE(wilson());
    quark.c_f *= 1 + 1e-10;
    EXPECT_FALSE(wilson());
    quark.c_f = 0.9;
    quark.boundary = {.kind = gauge::BoundaryKind::schroedinger_functional, .extent = 2};
    EXPECT_FALSE(wilson());
  }
}

TEST(VerifyBoundaries, ACorrelatorWhereThereAreNoQuarks) {
  const NaiveCorrelator naive{{1.0, 0.0}, {1.0, 0.0}};
  EXPECT_EQ(correlator_difference(std::vector<std::complex<double>>{1.0, 0.0}, naive), 0);
  EXPECT_GT(correlator_difference(std::vector<std::complex<double>>{1.0, 1e-30}, naive), 1);
}

TEST(VerifyBoundaries, ExactTracesAreThoseOfSitesWithQuarks) {
  for (const auto& sound : {sound_cases()[0], sound_cases()[2]}) {
    const auto input = resized(sound.input, {2, 2, 2, sound.input.size[3]});
    const auto u = naive_links(verify_links<1>(input, Lattice(input.size, 1)));
    const auto& flavour = input.quarks.flavours[0];
    const auto condensate = [&](const QuarkInput& quarks) {
      return exact_quark_traces({u}, quarks, flavour, 1, {}).traces.condensate.real();
    };
    auto other = input.quarks;
    other.lattice_boundary = {.kind = gauge::BoundaryKind::schroedinger_functional, .extent = 3};
    EXPECT_GT(condensate(input.quarks), 0);
    EXPECT_GT(std::abs(condensate(input.quarks) - condensate(other)), 1e-3);
  }
}

class VerifyWithBoundaries : public test::RunTest {
 protected:
  void expect_passes(const std::string& text, const std::vector<std::string>& parts) {
    io::test::write_all(at("v.toml"), text);
    const auto outcome = verify({"v.toml"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out.find("FAIL"), std::string::npos) << outcome.out;
    for (const auto& part : parts)
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  }
  test::Outcome verify(const std::vector<std::string>& arguments, std::vector<std::string> words = {}) const {
    words.insert(words.end(), {TRELLIS_PROGRAM, "verify"});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return test::Process(words, here()).wait();
  }
};

// Each rank has its own part of the boundaries. What is compared are links, not their ghosts.
TEST_F(VerifyWithBoundaries, OnSeveralRanks) {
  if (std::string_view(TRELLIS_LAUNCHER).empty()) GTEST_SKIP() << "this build has no MPI, or no mpirun";
  ::setenv("OMP_NUM_THREADS", "1", 1);
  io::test::write_all(at("v.toml"),
                      "[lattice]\nsize = [4, 4, 4, 4]\nboundary = \"open\"\n[action]\nbeta = 6\nc_G = 1.2\n"
                      "[algorithm]\nkind = \"heatbath\"\n[chain]\ntrajectories = 1\n");
  const auto outcome = verify({"v.toml", "--ranks", "1x1x1x2"}, test::launcher(2));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("2 ranks 1x1x1x2"), std::string::npos) << outcome.out;
}

constexpr const char* measured_between_boundaries = R"([measure]
[measure.flow]
slices = true
[measure.quarks]
[measure.staggered_hadrons]
channels = ["pion", "rho_tensor", "nucleon"]
source_positions = [[0, 0, 0, 1]]
[measure.hadrons]
kappas = [0.11]
clover = 1.2
c_F = 0.9
stout_levels = 1
source_positions = [[1, 2, 3, 1]]
channels = ["pion", "proton"]
)";

TEST_F(VerifyWithBoundaries, RunsAndTheirMeasurementsPass) {
  const std::vector<std::string> parts{"on links that are no variables", "links that are no variables, after both",
                                       "S after a random step",          "the same of each time slice",
                                       "D psi of flavour 'u'",           "M psi at kappa = 0.11",
                                       "correlators at kappa",           "'nucleon' of u",
                                       "the first with 1 SIMD lane"};
  expect_passes(std::string(open_input) + measured_between_boundaries, parts);
  const auto fixed = [](int extent) {
    auto text = schroedinger_input(extent) + measured_between_boundaries;
    return text.replace(text.find("[measure]"), 9, "[measure]\nobservables = [\"eta_derivative\"]");
  };
  expect_passes(fixed(4), {"4x4x4x6, Schroedinger functional of extent 4", "dS/d eta"});
  // Lattices shrink before the end of time, whether a slice is left over or not.
  for (const auto& [extent, slices, fits] : {std::tuple{11, 12, 7}, {14, 16, 6}})
    expect_passes(fmt::format("[lattice]\nsize = [4, 4, 4, {}]\nboundary = \"schroedinger_functional\"\n"
                              "time_extent = {}\nphi = [-1.0, 0.2]\nphi_prime = [-3.0, 1.0]\n[action]\nbeta = 6\n"
                              "[algorithm]\nkind = \"heatbath\"\n[chain]\ntrajectories = 1\n",
                              slices, extent),
                  {fmt::format("functional of extent {}", fits), "overrelaxation sweep"});
}

TEST_F(VerifyWithBoundaries, FilesPassAndWhatDoesNotFitIsAnError) {
  const auto files = [](const std::string& keys, const std::string& more) {
    return "[configurations]\nfiles = [\"none\"]\n" + keys + "[measure.flow]\n[measure.hadrons]\nkappas = [0.12]\n" +
           more;
  };
  expect_passes(files("size = [4, 4, 2, 4]\nboundary = \"open\"\n", "source = \"wall\"\n"), {"boundary in t: open"});
  expect_passes(files("size = [4, 4, 2, 4]\n", "c_F = 1.1\n"), {"boundary in t: open"});
  expect_passes(files("size = [4, 4, 2, 6]\nboundary = \"schroedinger_functional\"\ntime_extent = 4\n", ""),
                {"functional of extent 4"});
  io::test::write_all(at("v.toml"), files("boundary = \"open\"\n", ""));
  expect_error(verify({"v.toml", "--size", "4,4,4,2"}), 2, {"at least 4 are needed"});
  io::test::write_all(at("v.toml"), schroedinger_input(4));
  expect_error(verify({"v.toml", "--size", "4,4,4,2"}), 2, {"Schroedinger functional of extent 0"});
}

}  // namespace
}  // namespace trellis::app
