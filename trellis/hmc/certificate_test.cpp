// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Bits are flipped in the memory of chains while they run, and certificates must notice. A Listener knows where fields
// are, by the labels of their memory, and when kernels begin, which is when it flips: the program itself has no place
// for this.
#include "trellis/hmc/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tests/support/changed_term.hpp"
#include "tests/support/flip_bit.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/replay.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

constexpr std::uint32_t trajectories = 2;
// So small that nothing is computed twice: what is found is found by fingerprints.
constexpr double only_memory = 1e-300;

// Every kind of operation, two levels, and solves.
const HmcParameters two_levels{0.3, {{minimum_norm_2(), 1, {"quarks"}}, {force_gradient(), 1, {"gauge"}}}};

QuarkAction quark_action(SolverPrecision precision) {
  QuarkAction action;
  action.molecular_dynamics_precision = precision;
  action.smearing = gauge::stout_smearing(0.12, 1);
  action.heatbath_error = action.metropolis_error = action.molecular_dynamics_error = 1e-5;
  action.heatbath_residual = action.metropolis_residual = 1e-8;
  action.molecular_dynamics_residual = 1e-6;
  return action;
}

// In single precision only forces.
template <class T, int W>
Terms<T, W> terms_on(const Lattice& lattice, SolverPrecision precision = SolverPrecision::double_) {
  const QuarkAction action = quark_action(precision);
  static const QuarkTerm quarks = [&] {
    QuarkTerm term{"quarks", 0.5, 0, 0.5, 1, {.imaginary_mu = 0.2}};
    term.functions = std::make_shared<const QuarkFunctions>(quark_functions(action, term));
    return term;
  }();
  auto terms = make_gauge_terms<T, W>({{"gauge", gauge::Action{4.0, -1.0 / 12}}});
  if constexpr (std::is_same_v<T, double>)
    terms.push_back(make_quark_terms<W>(action, {quarks}, lattice)[0]);
  else
    terms.push_back(make_quark_forces<W>(action, {quarks}, lattice)[0]);
  return terms;
}

// When and where a bit is flipped: before a kernel, in the memory with this label.
struct Flip {
  std::string label;
  std::int64_t kernel = -1;  // its number in the chain; -1: none
  std::size_t word = 0;      // modulo their number
  int bit = 0;
  std::size_t copy = 0;  // of several with this label in the order of allocation, modulo their number; 0: the chain's
  bool again = false;    // before all later kernels of the same name too
};

// Numbers the kernels of a chain, and flips.
class Flipper {
 public:
  explicit Flipper(const Flip& flip) : flip_(flip), listening_(listener()) {}

  const std::vector<std::string>& kernels() const { return kernels_; }
  int flips() const { return flips_; }
  void begin() { active_ = true; }
  void end() { active_ = false; }

 private:
  Listener listener() {
    Listener listener;
    listener.allocate = [this](const MemoryEvent& e) {
      if (e.label == flip_.label) memory_.emplace_back(const_cast<void*>(e.data), e.bytes);
    };
    listener.deallocate = [this](const MemoryEvent& e) {
      std::erase_if(memory_, [&](const auto& m) { return m.first == e.data; });
    };
    listener.begin_kernel = [this](const KernelEvent& e) {
      if (!active_) return;
      const auto number = std::int64_t(kernels_.size());
      kernels_.emplace_back(e.kernel.name);
      const bool repeated = flip_.again && flip_.kernel >= 0 && number > flip_.kernel &&
                            kernels_.back() == kernels_[std::size_t(flip_.kernel)];
      if ((number == flip_.kernel || repeated) && !memory_.empty()) flip();
    };
    return listener;
  }

  void flip() {
    ++flips_;
    const auto& [data, bytes] = memory_[flip_.copy % memory_.size()];
    test::flip_bit(data, Index(flip_.word % (bytes / 8)), flip_.bit);
  }

  Flip flip_;
  bool active_ = false;
  int flips_ = 0;
  std::vector<std::pair<void*, std::size_t>> memory_;
  std::vector<std::string> kernels_;
  Listening listening_;
};

struct Chain {
  double fraction = only_memory;  // 0: not certified
  Flip flip = {};
  double length = 0.3;  // of trajectories; long ones are rejected
  std::uint64_t seed = 5;
  SolverPrecision precision = SolverPrecision::double_;
  bool in_single = false;  // molecular dynamics
  int start_bit = -1;      // of a number of the start, which is flipped before the first trajectory
};

struct Outcome {
  std::uint64_t links = 0;
  std::vector<double> numbers;  // dH, and whether it was accepted
  CertificateCounts counts;
  std::vector<std::string> told, kernels;
  int flips = 0;
  bool same_chain(const Outcome& other) const { return links == other.links && numbers == other.numbers; }
};

// The links are checked after every trajectory, as before a checkpoint. failed: gets the message of an Error.
Outcome run(const Chain& chain, std::string* failed = nullptr) {
  Outcome outcome;
  Flipper flipper(chain.flip);
  const Lattice lattice({4, 4, 4, 4}, wide), other = rearranged(lattice);
  const GaugeField<double, wide> u(lattice, "chain");
  gauge::hot_start({chain.seed, 0, gauge::hot_start_purpose}, u);
  gauge::reunitarise(u);
  HmcParameters parameters = two_levels;
  parameters.length = chain.length;
  std::shared_ptr<const SinglePrecisionDynamics<wide>> single;
  auto terms = terms_on<double, wide>(lattice, chain.precision);
  if (chain.in_single)
    single = single_precision_dynamics<wide>(
        parameters, lattice, []<int WS>(const Lattice& there) { return terms_on<float, WS>(there); },
        chain.fraction > 0);
  HybridMonteCarlo<double, wide> hmc(parameters, std::move(terms), lattice, single);
  std::shared_ptr<Certificate<double, wide>> certificate;
  if (chain.fraction > 0) {
    certificate = std::make_shared<Certificate<double, wide>>(
        chain.fraction,
        make_replay<wide, wide>(parameters, terms_on<double, wide>(other, chain.precision), lattice, other,
                                chain.in_single),
        [&](const std::string& text) { outcome.told.push_back(text); });
    hmc.certify(certificate);
    certificate->keep_at_rest(u);
  }
  if (chain.start_bit >= 0) test::flip_bit(u.view().data(), 1234, chain.start_bit);
  flipper.begin();
  try {
    for (std::uint32_t n = 0; n < trajectories; ++n) {
      const auto record = hmc({.seed = chain.seed, .trajectory = n}, u);
      outcome.numbers.insert(outcome.numbers.end(), {record.dH, double(record.accepted)});
      if (certificate) certificate->check_at_rest(u, "before the checkpoint");
    }
  } catch (const Error& error) {
    if (failed == nullptr) throw;
    *failed = error.what();
  }
  flipper.end();
  outcome.links = fingerprint(u);
  if (certificate) outcome.counts = certificate->counts();
  outcome.flips = flipper.flips();
  outcome.kernels = flipper.kernels();
  return outcome;
}

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Before these kernels nothing is at rest: checks themselves, and what comes after the last one of a trajectory.
const std::vector<std::string> never{"fingerprint",    "trellis::deep_copy", "reunitarise",
                                     "convert fields", "convert vectors",    "draw momenta"};
// On a GPU what changes the momenta between their check and their new fingerprint; names are those of other forces too.
const std::vector<std::string> changes_momenta{
    "gauge force with rectangles", "gauge force", "add waiting forces", "stout force",
    "add force of stout links",    "plaquettes",  "staggered force",    "stout staples",
    "stout exponentials",          "stout links", "zero momenta"};

struct Resting {
  std::string label;
  std::vector<std::string> changes;
};
// On a host fingerprints are followed while kernels write, and all moments count.
std::vector<std::string> on_device(std::vector<std::string> kernels) {
  return fields_on_host ? std::vector<std::string>() : std::move(kernels);
}
const std::vector<Resting> resting{{"chain", on_device({"update links"})},
                                   {"momenta", on_device(changes_momenta)},
                                   {"links before", {}},
                                   {"momenta before", {}}};

// Numbers of kernels of the undisturbed chain before which this field is at rest.
std::vector<std::int64_t> moments_at_rest(const std::vector<std::string>& kernels, const Resting& field) {
  const auto first = std::find(kernels.begin(), kernels.end(), "draw momenta") - kernels.begin();
  std::vector<std::int64_t> numbers;
  for (auto n = first; n < std::ssize(kernels); ++n)
    if (const auto& name = kernels[std::size_t(n)]; !is_one_of(name, never) && !is_one_of(name, field.changes))
      numbers.push_back(n);
  return numbers;
}

// The same for fields of molecular dynamics in single precision: after they were rounded, before they return.
const std::vector<Resting> resting_in_single{{"links in single precision", on_device({"update links"})},
                                             {"momenta in single precision", on_device(changes_momenta)},
                                             {"phi in single precision", {}}};
std::vector<std::int64_t> moments_at_rest_in_single(const std::vector<std::string>& kernels, const Resting& field) {
  std::vector<std::int64_t> numbers;
  int conversions = 0;  // groups of them in this trajectory: to single precision, and back
  bool converting = false;
  for (std::int64_t n = 0; n < std::ssize(kernels); ++n) {
    const auto& name = kernels[std::size_t(n)];
    if (name == "round momenta") conversions = 0;
    const bool converts = name == "convert fields" || name == "convert vectors";
    if (converts && !converting) ++conversions;
    converting = converts || (converting && is_one_of(name, never));
    if (conversions == 1 && !is_one_of(name, never) && !is_one_of(name, field.changes)) numbers.push_back(n);
  }
  return numbers;
}

Flip random_flip(std::mt19937_64& engine, const std::string& label, const std::vector<std::int64_t>& moments) {
  return {label, moments[engine() % moments.size()], std::size_t(engine()), int(engine() % 64)};
}

constexpr double rejected_length = 4;

// Flips in memory at rest: all are found, by fingerprints alone, and the chain has its own bits in spite of them.
void expect_all_found_at_rest(int flips) {
  for (const double length : {0.3, rejected_length}) {
    const auto undisturbed = run({.length = length});
    EXPECT_EQ(undisturbed.counts.found, 0);
    EXPECT_EQ(undisturbed.told, std::vector<std::string>());
    EXPECT_EQ(undisturbed.numbers.at(1), length == rejected_length ? 0 : 1);
    std::mt19937_64 engine(20261);
    for (int n = 0; n < flips / 2; ++n) {
      const auto& field = resting[std::size_t(n) % resting.size()];
      const auto flip = random_flip(engine, field.label, moments_at_rest(undisturbed.kernels, field));
      SCOPED_TRACE(fmt::format("{} length {} kernel {} ({}) bit {}", field.label, length, flip.kernel,
                               undisturbed.kernels[std::size_t(flip.kernel)], flip.bit));
      const auto disturbed = run({.flip = flip, .length = length});
      EXPECT_EQ(disturbed.flips, 1);
      EXPECT_GE(disturbed.counts.found, 1);
      EXPECT_TRUE(disturbed.same_chain(undisturbed));
    }
  }
}

// Flips in any memory at any time, with every operation repeated: the chain has its own bits in spite of them, and
// those without effect may go unnoticed.
void expect_all_found_in_arithmetic(int flips, bool in_single = false) {
  const auto undisturbed = run({.fraction = 1, .in_single = in_single});
  EXPECT_EQ(undisturbed.counts.found, 0);
  std::vector<std::string> labels{"poles",        "derivative by smeared links",
                                  "force",        "chain",
                                  "momenta",      "displaced links",
                                  "xi",           "phi",
                                  "chi",          "momenta before",
                                  "links before", "stout links",
                                  "packed links"};
  if (in_single)
    labels.insert(labels.end(), {"links in single precision", "momenta in single precision", "phi in single precision",
                                 "replayed links in single precision"});
  const auto first = std::find(undisturbed.kernels.begin(), undisturbed.kernels.end(), "draw momenta");
  std::vector<std::int64_t> moments;
  for (auto n = first - undisturbed.kernels.begin(); n < std::ssize(undisturbed.kernels); ++n) moments.push_back(n);
  std::mt19937_64 engine(20262);
  int found = 0;
  for (int n = 0; n < flips; ++n) {
    Flip flip = random_flip(engine, labels[std::size_t(n) % labels.size()], moments);
    flip.copy = std::size_t(engine());
    SCOPED_TRACE(fmt::format("{} kernel {} ({}) bit {} copy {}", flip.label, flip.kernel,
                             undisturbed.kernels[std::size_t(flip.kernel)], flip.bit, flip.copy % 2));
    const auto disturbed = run({.fraction = 1, .flip = flip, .in_single = in_single});
    EXPECT_TRUE(disturbed.same_chain(undisturbed));
    EXPECT_EQ(disturbed.told.empty(), disturbed.counts.found == 0);
    found += disturbed.counts.found > 0 ? 1 : 0;
  }
  std::printf("found %d of %d flips at any time in any memory; the others had no effect\n", found, flips);
  EXPECT_GT(found, flips / 4);
}

// The first kernel that reads the "derivative by smeared links".
constexpr const char* reads_derivative = "stout exponentials";

// Single flips in a force: a certificate finds its fraction of those that have an effect.
void expect_sampled_rate(int flips) {
  const double fraction = 0.3;
  std::mt19937_64 engine(20263);
  std::int64_t found = 0, missed = 0, operations = 0;
  for (int n = 0; n < flips; ++n) {
    const auto seed = std::uint64_t(n / 6 + 1);
    static std::map<std::uint64_t, Outcome> undisturbed;
    auto& expected = undisturbed[seed];
    if (expected.kernels.empty()) expected = run({.fraction = fraction, .seed = seed});
    std::vector<std::int64_t> moments;
    for (std::size_t k = 0; k < expected.kernels.size(); ++k)
      if (expected.kernels[k] == reads_derivative) moments.push_back(std::int64_t(k));
    Flip flip = random_flip(engine, "derivative by smeared links", moments);
    flip.bit = 45 + flip.bit % 7;  // of the significand, and large enough to matter
    const auto disturbed = run({.fraction = fraction, .flip = flip, .seed = seed});
    operations += disturbed.counts.operations;
    if (disturbed.counts.found > 0) {
      ++found;
      EXPECT_TRUE(disturbed.same_chain(expected));
    } else if (!disturbed.same_chain(expected)) {
      ++missed;
    }
  }
  const double all = double(found + missed), rate = double(found) / all;
  std::printf("found %.3f of %.0f flips in a force, with fraction %.1f\n", rate, all, fraction);
  EXPECT_GT(all, flips / 3);
  EXPECT_NEAR(rate, fraction, 4 * std::sqrt(fraction * (1 - fraction) / all));
  EXPECT_GT(operations, 0);
}

TEST(Certificate, LinksOfTheStartAreAtRestToo) {
  const auto undisturbed = run({});
  for (const int bit : {0, 44, 63}) {
    const auto disturbed = run({.start_bit = bit});
    EXPECT_EQ(disturbed.counts.found, 1);
    ASSERT_EQ(disturbed.told.size(), 1U);
    EXPECT_EQ(disturbed.told[0].find("before trajectory 1: a bit of the links has changed"), 0U) << disturbed.told[0];
    EXPECT_TRUE(disturbed.same_chain(undisturbed));
  }
  EXPECT_FALSE(run({.fraction = 0, .start_bit = 44}).same_chain(run({.fraction = 0})));
}

TEST(Certificate, ChangesNoBit) {
  const auto expected = run({.fraction = 0});
  for (const double fraction : {only_memory, 0.5, 1.0}) {
    const auto certified = run({.fraction = fraction});
    EXPECT_TRUE(certified.same_chain(expected)) << fraction;
    EXPECT_EQ(certified.counts.found, 0);
    EXPECT_EQ(certified.told, std::vector<std::string>());
    EXPECT_GT(certified.counts.fingerprints, 0);
    // In each trajectory those of the plan, and drawing, energies and projection.
    const auto plan = make_plan(two_levels.levels, two_levels.length);
    const auto all = std::int64_t(trajectories * (plan.size() + 3));
    EXPECT_TRUE(fraction < 1 ? certified.counts.operations < all : certified.counts.operations == all);
    EXPECT_EQ(certified.counts.operations > 0, fraction != only_memory);
    EXPECT_TRUE(run({.fraction = fraction, .length = rejected_length})
                    .same_chain(run({.fraction = 0, .length = rejected_length})));
  }
}

TEST(Certificate, ChangesNoBitOfDynamicsInSinglePrecision) {
  const auto expected = run({.fraction = 0, .in_single = true});
  EXPECT_FALSE(expected.same_chain(run({.fraction = 0})));
  for (const double fraction : {only_memory, 1.0}) {
    const auto certified = run({.fraction = fraction, .in_single = true});
    EXPECT_TRUE(certified.same_chain(expected)) << fraction;
    EXPECT_EQ(certified.counts.found, 0);
    EXPECT_EQ(certified.told, std::vector<std::string>());
    // In each trajectory those of the plan, and drawing, energies and projection; links and momenta when they are
    // rounded and when they return, and the projection then.
    const auto plan = make_plan(two_levels.levels, two_levels.length);
    EXPECT_EQ(certified.counts.operations, fraction < 1 ? 0 : std::int64_t(trajectories * (plan.size() + 3 + 5)));
  }
}

TEST(Certificate, AgreesInSinglePrecisionToo) {
  for (const auto precision : {SolverPrecision::single, SolverPrecision::mixed}) {
    const auto expected = run({.fraction = 0, .precision = precision});
    const auto certified = run({.fraction = 1, .precision = precision});
    EXPECT_TRUE(certified.same_chain(expected));
    EXPECT_EQ(certified.told, std::vector<std::string>());
  }
}

// Likewise in molecular dynamics in single precision.
void expect_all_found_at_rest_in_single(int flips) {
  const auto undisturbed = run({.in_single = true});
  EXPECT_EQ(undisturbed.counts.found, 0);
  EXPECT_EQ(undisturbed.told, std::vector<std::string>());
  std::mt19937_64 engine(20264);
  for (int n = 0; n < flips; ++n) {
    const auto& field = resting_in_single[std::size_t(n) % resting_in_single.size()];
    const auto flip = random_flip(engine, field.label, moments_at_rest_in_single(undisturbed.kernels, field));
    SCOPED_TRACE(fmt::format("{} kernel {} ({}) bit {}", field.label, flip.kernel,
                             undisturbed.kernels[std::size_t(flip.kernel)], flip.bit));
    const auto disturbed = run({.flip = flip, .in_single = true});
    EXPECT_EQ(disturbed.flips, 1);
    EXPECT_GE(disturbed.counts.found, 1);
    EXPECT_TRUE(disturbed.same_chain(undisturbed));
  }
}

TEST(Certificate, FindsEveryFlipInMemoryAtRest) { expect_all_found_at_rest(40); }
TEST(Certificate, FindsEveryFlipInRepeatedArithmetic) { expect_all_found_in_arithmetic(44); }
TEST(Certificate, FindsItsFractionOfFlipsInOneForce) { expect_sampled_rate(24); }
TEST(Certificate, FindsEveryFlipAtRestInSinglePrecision) { expect_all_found_at_rest_in_single(24); }
TEST(Certificate, FindsEveryFlipInRepeatedArithmeticInSinglePrecision) { expect_all_found_in_arithmetic(68, true); }
TEST(NightlyCertificate, FindsEveryFlipAtRestInSinglePrecision) { expect_all_found_at_rest_in_single(300); }
TEST(NightlyCertificate, FindsEveryFlipInRepeatedArithmeticInSinglePrecision) {
  expect_all_found_in_arithmetic(300, true);
}
TEST(NightlyCertificate, FindsEveryFlipInMemoryAtRest) { expect_all_found_at_rest(600); }
TEST(NightlyCertificate, FindsEveryFlipInRepeatedArithmetic) { expect_all_found_in_arithmetic(400); }
TEST(NightlyCertificate, FindsItsFractionOfFlipsInOneForce) { expect_sampled_rate(400); }

// An error that comes back with the repetition ends the trajectory, and the links are those of its start.
TEST(Certificate, EndsATrajectoryThatFailsTwice) {
  const auto undisturbed = run({.fraction = 1});
  const auto at = std::find(undisturbed.kernels.begin(), undisturbed.kernels.end(), reads_derivative);
  std::string failed;
  const auto disturbed =
      run({.fraction = 1, .flip = {"derivative by smeared links", at - undisturbed.kernels.begin(), 100, 50, 0, true}},
          &failed);
  EXPECT_NE(failed.find("and before that, trajectory 1: operation"), std::string::npos) << failed;
  EXPECT_NE(failed.find("by the force of quarks"), std::string::npos) << failed;
  EXPECT_NE(failed.find("the momenta differ, on rank 0 of 1"), std::string::npos) << failed;
  EXPECT_EQ(disturbed.counts.found, 2);
  EXPECT_EQ(disturbed.told.size(), 2u);
  const GaugeField<double, wide> start(Lattice({4, 4, 4, 4}, wide));
  gauge::hot_start({5, 0, gauge::hot_start_purpose}, start);
  gauge::reunitarise(start);
  EXPECT_EQ(disturbed.links, fingerprint(start));
}

// Any other Error of a trajectory is repeated once, and passes through if it returns.
TEST(Certificate, RepeatsATrajectoryAfterAnError) {
  const Lattice lattice({4, 4, 4, 4}, wide);
  const HmcParameters parameters{0.3, {{leapfrog(), 2, {"gauge"}}}};
  for (const int errors : {0, 1, 2}) {
    const auto term = std::make_shared<test::ChangedTerm<wide>>(terms_on<double, wide>(lattice)[0]);
    int calls = 0;
    term->energy = [&](const auto&, const auto&) { return ++calls <= errors ? std::nan("") : 0; };
    HybridMonteCarlo<double, wide> hmc(parameters, {term}, lattice);
    std::vector<std::string> told;
    const Lattice other = rearranged(lattice);
    hmc.certify(std::make_shared<Certificate<double, wide>>(
        only_memory, make_replay<wide, wide>(parameters, {terms_on<double, wide>(other)[0]}, lattice, other),
        [&](const std::string& text) { told.push_back(text); }));
    const auto u = GaugeField<double, wide>::unit(lattice);
    const auto before = fingerprint(u);
    if (errors < 2) {
      EXPECT_FALSE(std::isnan(hmc({.seed = 1, .accept_always = true}, u).dH));
      EXPECT_NE(fingerprint(u), before);
    } else {
      EXPECT_THROW(hmc({.seed = 1, .accept_always = true}, u), Error);
      EXPECT_EQ(fingerprint(u), before);
    }
    EXPECT_EQ(calls, std::min(errors + 1, 2));
    EXPECT_EQ(told.size(), errors == 0 ? 0u : errors == 1 ? 2u : 1u);
  }
}

// Between trajectories there are copies, of which one may be damaged.
TEST(Certificate, SetsLinksRightBetweenTrajectories) {
  const Lattice lattice({4, 4, 4, 4}, wide), other = rearranged(lattice);
  const auto make = [&](std::vector<std::string>& told) {
    return std::make_shared<Certificate<double, wide>>(
        only_memory, make_replay<wide, wide>(two_levels, terms_on<double, wide>(other), lattice, other),
        [&](const std::string& text) { told.push_back(text); });
  };
  const auto flip = [](const GaugeField<double, wide>& u) { test::flip_bit(u.view().data(), 777, 0); };
  std::vector<std::string> told;
  HybridMonteCarlo<double, wide> hmc(two_levels, terms_on<double, wide>(lattice), lattice);
  const auto certificate = make(told);
  hmc.certify(certificate);
  const auto u = GaugeField<double, wide>::unit(lattice);
  hmc({.seed = 1, .trajectory = 0, .accept_always = true}, u);
  const auto expected = fingerprint(u);
  flip(u);
  certificate->check_at_rest(u, "before the checkpoint");
  EXPECT_EQ(fingerprint(u), expected);
  ASSERT_EQ(told.size(), 1u);
  // Between these: on a GPU, which.
  EXPECT_TRUE(told[0].starts_with("before the checkpoint: a bit of the links has changed in memory, on rank 0 of 1"))
      << told[0];
  EXPECT_TRUE(told[0].ends_with("; they are set right from a copy")) << told[0];
  flip(u);
  const auto v = u.clone();
  flip(v);
  hmc({.seed = 1, .trajectory = 1, .accept_always = true}, u);
  EXPECT_EQ(told.size(), 2u);
  std::vector<std::string> nothing;
  HybridMonteCarlo<double, wide> once_more(two_levels, terms_on<double, wide>(lattice), lattice);
  once_more.certify(make(nothing));
  once_more({.seed = 1, .trajectory = 1, .accept_always = true}, v);
  EXPECT_EQ(fingerprint(v), fingerprint(u));
  EXPECT_EQ(nothing, std::vector<std::string>());
  // No copy is left.
  flip(u);
  flip(hmc.fields().links_before);
  EXPECT_THROW(certificate->check_at_rest(u, "before the checkpoint"), Error);
}

TEST(Certificate, RearrangedLatticesDifferInEveryTileAndLane) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, {8, 8, 8, 4}, {12, 8, 4, 4}}) {
    const Lattice lattice(size, wide), other = rearranged(lattice);
    EXPECT_EQ(other.lanes(), lattice.lanes());
    EXPECT_TRUE(wide == 1 || other.lane_grid() != lattice.lane_grid());
    std::int64_t moved = 0;
    for (std::int64_t n = 0; n < lattice.volume(); ++n)
      moved += lattice.index(lattice.coordinate(n)) != other.index(lattice.coordinate(n)) ? 1 : 0;
    EXPECT_GT(double(moved), 0.8 * double(lattice.volume()));
  }
  EXPECT_NO_THROW(rearranged(Lattice({2, 2, 2, 2})));
}

TEST(Certificate, RefusesAnImpossibleFraction) {
  for (const double fraction : {-0.1, 0.0, 1.1, std::nan("")})
    EXPECT_THROW((Certificate<double, wide>(fraction, nullptr, {})), InputError);
}

}  // namespace
}  // namespace trellis::hmc
