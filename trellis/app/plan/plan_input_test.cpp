// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Plans compared with real runs: kernels, calls, bytes and flops of a trajectory, and the memory it takes.
#include "trellis/app/plan/plan_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "tests/support/quark_inputs.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::app {
namespace {

using test::nested, test::two_flavours, test::symanzik;

// The peak memory.
class MemoryListener {
 public:
  MemoryListener() : listening_(listener()) {}
  double most() const { return most_; }

 private:
  Listener listener() {
    Listener listener;
    listener.allocate = [this](const MemoryEvent& event) { most_ = std::max(most_, now_ += double(event.bytes)); };
    listener.deallocate = [this](const MemoryEvent& event) { now_ -= double(event.bytes); };
    return listener;
  }
  double now_ = 0, most_ = 0;
  Listening listening_;
};

struct Totals {
  double calls = 0, bytes = 0, flops = 0;
};
using Kernels = std::map<std::pair<std::string, bool>, Totals>;

struct Real {
  Kernels kernels;
  std::map<std::string, double> iterations;
  double memory = 0;
};

// One trajectory, after one that allocated the work space.
Real run(const RunInput& input, int lanes, const LatticeShape& shape = {}) {
  Real real;
  const MemoryListener memory;
  with_lanes(lanes, [&]<int W>() {
    const Lattice lattice(input.size, W, SiteOrder::even_odd, shape);
    const auto links = start_links<W>(input, lattice);
    const auto certificate = make_certificate<W>(input, lattice, computed_quark_terms(input), {});
    const auto algorithm =
        make_algorithm<W>(input, lattice, make_terms<W>(input, lattice), computed_quark_terms(input), certificate);
    for (std::uint32_t number = 0; number < 2; ++number) {
      KernelProfile profile;
      const hmc::TrajectoryRecord record = [&] {
        const ActiveProfile active(profile);
        return algorithm({.seed = 1, .trajectory = number, .accept_always = true}, links, {});
      }();
      for (const auto& term : record.terms)
        if (term.solver) real.iterations[term.name] = double(term.solver->iterations);
      real.kernels.clear();
      for (const auto& kernel : profile.kernels())
        real.kernels[{kernel.name, kernel.single}] = {double(kernel.calls), kernel.bytes, kernel.flops};
    }
  });
  real.memory = memory.most();
  return real;
}

Real run(const RunInput& input) { return run(input, Lattice::best_lanes(input.size, 8)); }

double sites(const RunInput& input) {
  double sites = 1;
  for (const int extent : input.size) sites *= extent;
  return sites;
}

Kernels counted(const RunInput& input, const std::vector<bench::SolveWork>& solves) {
  Kernels kernels;
  for (const auto& work : PlanInput(input).trajectory(solves).kernels) {
    Totals& totals = kernels[{work.name, work.single}];
    totals.calls += work.calls;
    totals.bytes += work.calls * work.bytes * sites(input);
    totals.flops += work.calls * work.flops * sites(input);
  }
  return kernels;
}

// Measurements for each row of the table, which run() leaves out.
bool is_measurement(const std::string& name) {
  return name == "plaquette" || name == "rectangle" || name == "Polyakov loop";
}

// Quantities that scale with iterations: the number of Lanczos steps, of passes over the shifts, of live shifts, and
// what is copied and allocated besides fields differ a little. GPUs run iterations in groups, and those past the last
// one do nothing. How the iterations of a term divide between solves in different precisions is not known either.
bool is_estimate(const std::string& name, bool precisions_differ) {
  if ((!fields_on_host || precisions_differ) && (name == "next direction" || name == "shifted residual")) return true;
  for (const char* other : {"staggered hops", "staggered operator", "multi-shift update", "Lanczos residual", "scale",
                            "trellis::allocate", "trellis::deep_copy"})
    if (name == other) return true;
  return false;
}

class PlanOfInput : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      require_device();
    } catch (const std::exception& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

TEST_P(PlanOfInput, CountsWhatRuns) {
  const auto input = parse_run_input(GetParam(), "in.toml");
  const Real real = run(input);
  auto solves = PlanInput(input).solves();
  for (const auto& [term, iterations] : real.iterations) {
    EXPECT_LT(iterations, bench::iterations_of(solves, term)) << term;  // an upper bound
    bench::set_iterations(solves, term, iterations);
  }
  const bool precisions_differ = std::any_of(
      solves.begin(), solves.end(), [&](const auto& one) { return one.precision != solves.front().precision; });
  const auto plan = counted(input, solves);
  Totals all;
  for (const auto& [name, totals] : real.kernels) {
    all.bytes += totals.bytes;
    all.flops += totals.flops;
  }
  for (const auto& [kernel, totals] : real.kernels) {
    const auto& name = kernel.first;
    const auto found = plan.find(kernel);
    if (found == plan.end()) {
      EXPECT_LT(totals.bytes, 0.01 * all.bytes) << name << " is not in the plan";
    } else if (is_estimate(name, precisions_differ)) {
      EXPECT_NEAR(found->second.bytes, totals.bytes, 0.12 * totals.bytes + 0.02 * all.bytes) << name;
      EXPECT_NEAR(found->second.flops, totals.flops, 0.12 * totals.flops + 0.02 * all.flops) << name;
    } else {
      EXPECT_NEAR(found->second.calls, totals.calls, 1e-9 * totals.calls) << name;
      EXPECT_NEAR(found->second.bytes, totals.bytes, 1e-9 * totals.bytes) << name;
      EXPECT_NEAR(found->second.flops, totals.flops, 1e-9 * totals.flops) << name;
    }
  }
  // Nothing is planned that does not run, except for the table's measurements, and copies that GPUs do without.
  for (const auto& [kernel, totals] : plan) {
    if (!fields_on_host && kernel.first == "trellis::deep_copy") continue;
    if (is_measurement(kernel.first)) continue;
    EXPECT_TRUE(real.kernels.contains(kernel) || totals.bytes < 0.01 * all.bytes) << kernel.first;
  }
}

TEST_P(PlanOfInput, TakesTheMemoryThatItSays) {
  const auto input = parse_run_input(GetParam(), "in.toml");
  const PlanInput plan(input);
  const bench::GhostCount none(input.size, {1, 1, 1, 1});
  double memory = 0;
  for (const auto& field : plan.trajectory(plan.solves()).fields) memory += field.on_rank(sites(input), none);
  const double real = run(input).memory;
  const double rooms = fields_on_host ? 0 : 1e6;  // for a GPU's sums, independent of the lattice
  EXPECT_NEAR(memory, real, 0.01 * real + rooms);
}

// What a lattice that is its own neighbour in t packs. (Packing within a heatbath sweep is part of the sweep.)
TEST_P(PlanOfInput, SendsWhatItSays) {
  const auto input = parse_run_input(GetParam(), "in.toml");
  if (input.algorithm.kind == AlgorithmKind::heatbath || !has_lane_count<double>(1)) GTEST_SKIP();
  const Real real = run(input, 1, {.ghosts = {0, 0, 0, 1}});
  const PlanInput plan(input);
  auto solves = plan.solves();
  for (const auto& [term, iterations] : real.iterations) bench::set_iterations(solves, term, iterations);
  const bench::GhostCount ghosts(input.size, {1, 1, 1, 2});
  double sent = 0;
  for (const auto& work : plan.trajectory(solves).kernels)
    for (const auto& halo : work.halos)
      if (!is_measurement(work.name)) sent += work.calls * halo.exchanges * halo.bytes * ghosts.sites(halo);
  const double packed = real.kernels.at({"pack halo", false}).bytes / 2;  // read and written
  EXPECT_NEAR(sent, packed, (solves.empty() ? 1e-9 : 0.02) * packed);
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, PlanOfInput,
    testing::Values(
        symanzik + two_flavours + nested + "[start]\nkind = \"hot\"\n",
        symanzik + two_flavours + "[algorithm]\nintegrator = \"force_gradient\"\nsteps = 1\ngauge_steps = 2\n",
        symanzik + "[[flavours]]\nname = \"l\"\nmass = 0.2\npseudofermions = 2\n[algorithm]\nsteps = 2\n",
        symanzik + "[algorithm]\nsteps = 3\nintegrator = \"4mn5fv\"\n", symanzik + "[algorithm]\nkind = \"heatbath\"\n",
        symanzik + "[algorithm]\nintegrator = \"force_gradient\"\nsteps = 3\nprecision = \"single\"\n",
        symanzik + two_flavours +
            "[algorithm]\nsteps = 2\nprecision = \"single\"\n[solver]\nmolecular_dynamics_residual = 1e-4\n",
        symanzik + "[algorithm]\nsteps = 2\ncertify = 1.0\n",
        symanzik + "[algorithm]\nintegrator = \"force_gradient\"\nsteps = 2\ncertify = 1.0\nprecision = \"single\"\n",
        symanzik + two_flavours + "[algorithm]\nintegrator = \"force_gradient\"\nsteps = 1\ncertify = 1.0\n"));

// The choice of an algorithm keeps moved links, a force and those of all terms (here two) beside the chain's fields,
// and tries determinants that are split, which have more terms.
TEST(PlanOfChoice, CountsItsFields) {
  const auto bytes = [](const std::string& text) {
    const auto input = parse_run_input(text, "in.toml");
    double sum = 0;
    for (const auto& field : PlanInput(input).trajectory(PlanInput(input).solves()).fields) sum += field.bytes;
    return sum;
  };
  const double links = 576, momenta = 256;  // bytes per site
  const std::string automatic = "[algorithm]\nkind = \"auto\"\n";
  EXPECT_NEAR(bytes(symanzik + automatic), bytes(symanzik) + links + 3 * momenta, 0.01 * bytes(symanzik));
  const std::string light = "[[flavours]]\nname = \"l\"\nmass = 0.005\n";
  EXPECT_GT(bytes(symanzik + light + automatic), bytes(symanzik + light) + links + 4 * momenta);
}

// Whatever part of a trajectory is replayed needs all memory, and its kernels count with that part.
TEST(PlanOfCertificate, CountsReplaysOnAverage) {
  const auto planned = [](const std::string& certify) {
    const auto input = parse_run_input(symanzik + "[algorithm]\nsteps = 2\n" + certify, "in.toml");
    auto trajectory = PlanInput(input).trajectory({});
    double conversions = 0, bytes = 0;
    for (const auto& work : trajectory.kernels)
      if (work.name == "convert fields") conversions += work.calls;
    for (const auto& field : trajectory.fields) bytes += field.bytes;
    return std::pair(conversions, bytes);
  };
  const auto none = planned(""), some = planned("certify = 0.125\n"), all = planned("certify = 1\n");
  EXPECT_EQ(none.first, 0);
  EXPECT_GT(all.first, 10);
  EXPECT_NEAR(some.first, all.first / 8, 1e-9);
  EXPECT_EQ(some.second, all.second);
  EXPECT_GT(some.second, 1.9 * none.second);
}

// Beside the links, with any number of vectors at once.
TEST(PlanOfMeasurements, CountsTheirMemory) {
  const auto input = parse_run_input(
      "[lattice]\nsize = [8, 8, 8, 8]\n[action]\nbeta = 6\n[chain]\ntrajectories = 1\n[smearing]\nkind = \"hisq\"\n"
      "[[flavours]]\nname = \"l\"\nmass = 0.2\n[measure.quarks]\nnoise_vectors = 32\n",
      "in.toml");
  const PlanInput plan(input);
  EXPECT_EQ(PlanInput(parse_run_input(symanzik + "[algorithm]\nsteps = 2\n", "in.toml")).measuring_bytes(1), 0);
  for (const int together : {1, 3, 32}) {
    const double planned = plan.measuring_bytes(together) * sites(input);
    const MemoryListener memory;
    const int lanes = Lattice::best_lanes(input.size, 8);
    with_lanes(lanes, [&]<int W>() {
      const Lattice lattice(input.size, W, SiteOrder::even_odd, {.vector_reach = 3});
      auto job = *quark_job(input.measure, input.quarks);
      job.selection.noise_vectors = job.selection.batch = together;
      measure::measure_quarks<W>(job.selection, job.flavours, job.smearing, 1, 1, start_links<W>(input, lattice));
    });
    EXPECT_NEAR(memory.most(), planned, 0.02 * planned) << together;
  }
  // Smearing takes more than some vectors do, whose fields on all sites have 48 bytes each.
  EXPECT_EQ(plan.measuring_bytes(4), plan.measuring_bytes(1));
  EXPECT_GT(plan.measuring_bytes(32), plan.measuring_bytes(1) + 8 * 48);
  EXPECT_LT(plan.measuring_bytes(1), plan.chain_bytes());
}

// Beside what the chain keeps: flow, smoothings, loops, and observables that are not in every row.
TEST(PlanOfMeasurements, CountsTheMemoryOfObservablesOfLinks) {
  double without = 0;
  for (const char* keys :
       {"", "[measure.flow]\ntime_max = 0.1\n",
        "[measure.flow]\ntime_max = 0.1\ntolerance = 1e-4\naction = \"symanzik\"\n",
        "[measure.cooling]\nsteps = 3\ninterval = 3\n", "[measure.stout]\nsteps = 3\ninterval = 3\n",
        "[measure.hyp]\nsteps = 2\ninterval = 2\n",
        "[measure.wilson_loops]\nape_levels = [0, 2, 3]\ndirections = [\"100\", \"210\"]\ndistance = 2\ntime = 2\n",
        "[measure.glueballs]\nape_levels = [0, 1, 2]\n",
        "[measure]\nobservables = [\"topological_charge\", \"energy\"]\n"}) {
    const auto input = parse_run_input(
        std::string(
            "[lattice]\nsize = [8, 8, 8, 8]\n[action]\nbeta = 6\n[start]\nkind = \"hot\"\n[chain]\ntrajectories = 1\n"
            "[algorithm]\nsteps = 1\n") +
            keys,
        "in.toml");
    const PlanInput plan(input);
    const bench::GhostCount none(input.size, {1, 1, 1, 1});
    double planned = 0;
    for (const auto& field : plan.trajectory(plan.solves()).fields) planned += field.on_rank(sites(input), none);
    const MemoryListener memory;
    with_lanes(Lattice::best_lanes(input.size, 8), [&]<int W>() {
      const Lattice lattice(input.size, W);
      const auto links = start_links<W>(input, lattice);
      const auto algorithm = make_algorithm<W>(input, lattice, make_terms<W>(input, lattice));
      for (std::uint32_t number = 0; number < 2; ++number) {
        algorithm({.seed = 1, .trajectory = number, .accept_always = true}, links, {});
        measure::measure_gauge(gauge_selection(columns_of(input), input.measure, [](std::int64_t) { return true; }),
                               links, input.boundary);
      }
    });
    EXPECT_NEAR(planned, memory.most(), 0.02 * memory.most()) << keys;
    if (without == 0) {
      without = planned;
    } else if (std::string_view(keys).find("observables") == std::string_view::npos) {
      EXPECT_GT(planned, without) << keys;
    }
  }
}

// Beside the links, by all solvers and in all precisions, of quarks with names and with noise.
TEST(PlanOfMeasurements, CountsTheMemoryOfWilsonHadrons) {
  for (const char* hadrons :
       {"kappas = [0.12]\n", "kappas = [0.12]\nsolver = \"gcr\"\nprecision = \"mixed\"\n",
        "kappas = [0.12]\nsolver = \"cg\"\n",
        "kappas = [0.11, 0.12]\nsolver = \"cg\"\nprecision = \"16-bit\"\nclover = 1.2\nsinks = [\"point\", "
        "\"smeared\"]\nsource = \"gaussian\"\nsmearing_alpha = 0.1\nsmearing_steps = 2\nstout_levels = 1\n",
        "kappas = [0.12]\nsource = \"z4_wall\"\nchannels = [\"pion\"]\nmax_momentum_squared = 1\n",
        "channels = [\"pion\", \"proton\"]\n[[measure.hadrons.quarks]]\nname = \"l\"\nkappa = 0.12\n"
        "[[measure.hadrons.quarks]]\nname = \"s\"\nkappa = 0.11\n"}) {
    const auto input = parse_run_input(
        std::string("[lattice]\nsize = [8, 8, 8, 8]\n[action]\nbeta = 6\n[start]\nkind = \"hot\"\n[chain]\n"
                    "trajectories = 1\n[algorithm]\nsteps = 2\n[measure.hadrons]\nresidual = 0.01\n") +
            hadrons,
        "in.toml");
    const double planned = PlanInput(input).measuring_bytes(1) * sites(input);
    const MemoryListener memory;
    with_lanes(Lattice::best_lanes(input.size, 8), [&]<int W>() {
      const Lattice lattice(input.size, W);
      measure::measure_hadrons<W>(hadron_job(input.measure)->selection, start_links<W>(input, lattice));
    });
    // At most: not every solve ends with all the smaller fields that a plan counts.
    EXPECT_GT(planned, 0.98 * memory.most()) << hadrons;
    EXPECT_LT(planned, 1.25 * memory.most()) << hadrons << planned / memory.most();
  }
}

// Sources, times and boundaries need not be on the small lattice of the dry run.
TEST(PlanOfMeasurements, OfWilsonHadronsAreTheSameOnLargerLattices) {
  const auto bytes = [](const std::string& lattice, const std::string& source, const std::string& more) {
    const auto input = parse_run_input("[lattice]\n" + lattice +
                                           "[action]\nbeta = 6\n[chain]\ntrajectories = 1\n[algorithm]\nsteps = 2\n"
                                           "[measure.hadrons]\nsource_positions = [" +
                                           source + "]\n" + more,
                                       "in.toml");
    return PlanInput(input).measuring_bytes(1);
  };
  const std::string of_quarks =
                        "channels = [\"proton\"]\ncombinations = [\"l.l.l\", "
                        "\"l.l.c\"]\n[[measure.hadrons.quarks]]\nname = \"l\"\nkappa = "
                        "0.12\n[[measure.hadrons.quarks]]\nname = \"c\"\nfrom = \"l\"\ncurrent = \"vector_t\"\n",
                    sink =
                        "[[measure.hadrons.fixed_sinks]]\nname = \"f\"\nchannel = \"proton\"\nquarks = \"l.l.l\"\n"
                        "currents = [\"vector_t\"]\nsink_time = ";
  const std::string small = "size = [8, 8, 8, 8]\n", large = "size = [16, 12, 8, 24]\n";
  const double three_point = bytes(small, "[1, 2, 3, 4]", of_quarks + "current_time = 3\n" + sink + "5\n");
  EXPECT_GT(three_point, bytes(small, "[1, 2, 3, 4]", of_quarks));
  EXPECT_EQ(three_point, bytes(large, "[13, 11, 3, 22]", of_quarks + "current_time = 13\n" + sink + "15\n"));
  const std::string clover = "kappas = [0.12]\nclover = 1.5\nstout_levels = 1\n", open = "boundary = \"open\"\n",
                    functional =
                        "boundary = \"schroedinger_functional\"\nphi = [0.1, 0.0]\nphi_prime = [0.0, 0.2]\n"
                        "time_extent = ";
  EXPECT_EQ(bytes(small + open, "[1, 2, 3, 4]", clover), bytes(large + open, "[13, 11, 3, 20]", clover));
  EXPECT_EQ(bytes(small + functional + "7\n", "[1, 2, 3, 4]", clover),
            bytes(large + functional + "23\n", "[13, 11, 3, 20]", clover));
}

// The small lattices of a dry run are shorter than T.
TEST(PlanOfMeasurements, SchroedingerFunctionalsAsLongAsTheyAre) {
  const auto bytes = [](int time, int size) {
    const auto text = fmt::format(
        "[lattice]\nsize = [4, 4, 4, {}]\nboundary = \"schroedinger_functional\"\ntime_extent = {}\n"
        "phi = [0.1, 0.0]\nphi_prime = [0.0, 0.2]\n[action]\nname = \"symanzik\"\nbeta = 4.0\n"
        "[topological_potential]\nform = \"quadratic\"\nstrength = 1.0\nstout_levels = 1\n"
        "[chain]\ntrajectories = 2\n[measure]\nobservables = [\"eta_derivative\", \"energy\", \"parallelogram\"]\n"
        "[measure.flow]\nslices = true\n[measure.glueballs]\n[measure.wilson_loops]\ndistance = 2\ntime = 2\n",
        size, time);
    const auto input = parse_run_input(text, "in.toml");
    const PlanInput plan(input);
    double sum = 0;
    for (const auto& field : plan.trajectory({}).fields) sum += field.bytes;
    return sum;
  };
  EXPECT_EQ(bytes(7, 8), bytes(63, 64));
  EXPECT_EQ(bytes(7, 8), bytes(10, 12));
}

TEST(PlanOfPrecision, IterationsInSingle) {
  // [in double, in single]
  const auto applications = [](const std::string& solver) {
    const auto input = parse_run_input(symanzik + two_flavours + "[solver]\n" + solver, "in.toml");
    const PlanInput plan(input);
    std::array<double, 2> calls{};
    for (const auto& work : plan.trajectory(plan.solves()).kernels)
      if (work.name == "staggered operator") calls[work.single ? 1 : 0] += work.calls;
    return calls;
  };
  const std::string forces = "molecular_dynamics_precision = \"mixed\"\nmolecular_dynamics_residual = 1e-5\n";
  const auto some = applications(forces), all = applications(forces + R"(heatbath_precision = "mixed"
heatbath_residual = 1e-6
metropolis_precision = "mixed"
metropolis_residual = 1e-5
)");
  EXPECT_GT(some[1], some[0]);
  EXPECT_GT(some[0], 0);
  EXPECT_GT(all[1], some[1]);
  EXPECT_LT(all[0], 0.8 * some[0]);  // the heatbath of l_2 and s is in double precision in any case
}

}  // namespace
}  // namespace trellis::app
