// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis solve` against MILC's own sources and solutions (tests/data/ORIGIN.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numeric>
#include <tuple>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/program.hpp"
#include "trellis/app/solve/save_links.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/dirac/staggered/phase_conventions.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;
using io::test::contains, io::test::error_of;

const fs::path data = fs::path(TRELLIS_TEST_DATA) / "milc";

// Fat and long links of lat.sample.l8 as MILC keeps them: Asqtad with u0 = 0.502, antiperiodic in time.
class Solve : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new io::TemporaryFolder;
    const auto u = io::load_gauge_field<double, 1>(data / "lat.sample.l8");
    const auto smeared = gauge::smeared_links<1>({"asqtad", {{"u0", 0.502}}}, u.lattice());
    const auto& fat = smeared->smear(u);
    const auto& long_links = smeared->long_links()->three_steps;
    const auto write = [&](const char* name, const GaugeField<double, 1>& links, int steps, bool signs) {
      const auto size = u.lattice().size();
      const auto sign = [size, steps](const Coordinate& x, int mu) { return dirac::milc_sign(size, x, mu, steps); };
      io::write_fields(
          folder->path() / name, {.precision = signs ? Precision::single : Precision::double_},
          {io::matrices_to_write(links, "<trellis/>", signs ? io::MatrixFactor(sign) : io::MatrixFactor())});
    };
    write("fat", fat, 1, true);
    write("long", long_links, 3, true);
    write("plain_fat", fat, 1, false);
    write("plain_long", long_links, 3, false);
  }
  static void TearDownTestSuite() { delete folder; }
  static fs::path at(const char* name) { return folder->path() / name; }

  static SolveInput input() {
    SolveInput input;
    input.fat = at("fat");
    input.long_links = at("long");
    input.source = data / "ksvector.src.sample.l8";
    input.mass = 0.1;
    return input;
  }

  static inline io::TemporaryFolder* folder = nullptr;
};

TEST_F(Solve, SolutionsThatMilcPublishesAreOnes) {
  auto check = input();
  check.check = data / "ksvector.ans.Minv.sample.l8";
  const auto m = solve_fields(check).vectors;
  ASSERT_EQ(m.size(), 1U);
  EXPECT_LT(m[0].residual, 1e-7);
  EXPECT_NEAR(m[0].fitting_mass, 0.1, 1e-8);
  check.matrix = measure::StaggeredMatrix::normal;
  check.check = data / "ksvector.ans.MdaggerMinv.sample.l8";
  const auto normal = solve_fields(check).vectors;
  EXPECT_LT(normal[0].residual, 1e-7);
}

TEST_F(Solve, TheMassTellsWhenItIsWrong) {
  auto check = input();
  check.mass = 0.05;
  check.check = data / "ksvector.ans.Minv.sample.l8";
  const auto v = solve_fields(check).vectors.at(0);
  EXPECT_GT(v.residual, 1e-3);
  EXPECT_NEAR(v.fitting_mass, 0.1, 1e-8);
}

// |x - y| / |y| of two files of one colour vector a site.
double distance(const fs::path& x, const fs::path& y) {
  const auto read = [](const fs::path& path) {
    const io::FieldReader reader(path);
    const Coordinate size = reader.info().size;
    std::vector<double> all(std::size_t(size[0] * size[1] * size[2] * size[3]) * 6);
    reader.read(0, {size, {}, size}, [&](std::int64_t site, std::span<const double> numbers) {
      std::ranges::copy(numbers, all.begin() + site * 6);
    });
    return all;
  };
  const auto a = read(x), b = read(y);
  double difference = 0, norm = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    difference += (a[n] - b[n]) * (a[n] - b[n]);
    norm += b[n] * b[n];
  }
  return std::sqrt(difference / norm);
}

TEST_F(Solve, SolutionsAreThoseOfMilc) {
  for (const auto& [matrix, answer] :
       {std::pair(measure::StaggeredMatrix::m, "ksvector.ans.Minv.sample.l8"),
        std::pair(measure::StaggeredMatrix::normal, "ksvector.ans.MdaggerMinv.sample.l8")})
    for (const auto precision : {Precision::single, Precision::double_}) {
      auto solve = input();
      solve.matrix = matrix;
      solve.solution = at("x");
      solve.precision = precision;
      const auto v = solve_fields(solve).vectors.at(0);
      EXPECT_LE(v.residual, 1e-10);
      EXPECT_GT(v.iterations, 20);
      EXPECT_LT(distance(at("x"), data / answer), 1e-6);
      auto check = input();
      check.matrix = matrix;
      check.check = at("x");
      EXPECT_LT(solve_fields(check).vectors.at(0).residual, precision == Precision::single ? 1e-6 : 1e-10);
    }
}

// In our convention links have no signs, and M = m + D / 2: its solution belongs to a vector with other signs, but for
// a source on one site the sum of |x|^2 on each site is that of MILC's, times 4.
// As it was tuned, with the same bits.
TEST_F(Solve, RunsAsWasTuned) {
  const char* const own = std::getenv("TRELLIS_TUNING_CACHE");
  const std::string before = own != nullptr ? own : "";
  ::setenv("TRELLIS_TUNING_CACHE", at("tuning.json").c_str(), 1);
  auto solve = input();
  solve.solution = at("x");
  solve.precision = Precision::double_;
  const auto usual = solve_fields(solve);
  ASSERT_EQ(usual.kernels.size(), 1U);
  EXPECT_TRUE(contains(usual.kernels[0], "fat and long links, 1 vector")) << usual.kernels[0];
  EXPECT_TRUE(contains(usual.kernels[0], "by default")) << usual.kernels[0];
  const Coordinate size{8, 8, 8, 8};
  const int lanes = Lattice::best_lanes(size, 8);
  tuning::KernelTuning how{.settings = dirac::staggered_settings, .threads = 1, .seconds = 1, .untuned_seconds = 1.5};
  how.shape.lane_grid = tuning::lane_grids(size, lanes).back();
  how.shape.column = {1, 2};
  how.settings.ahead = {2, 5, 0};
  const tuning::TuningCase what{.kernel = tuning::TunedKernel::staggered,
                                .size = size,
                                .lanes = lanes,
                                .threads = concurrency(),
                                .quark_links = dirac::LinkKind::fat_and_long};
  tuning::TuningCache().store(what, how);
  solve.solution = at("x_tuned");
  const auto tuned = solve_fields(solve);
  EXPECT_TRUE(contains(tuned.kernels[0], "as tuned, 50 % faster")) << tuned.kernels[0];
  EXPECT_EQ(distance(at("x"), at("x_tuned")), 0);
  EXPECT_EQ(tuned.vectors.at(0).iterations, usual.vectors.at(0).iterations);
  if (own != nullptr)
    ::setenv("TRELLIS_TUNING_CACHE", before.c_str(), 1);
  else
    ::unsetenv("TRELLIS_TUNING_CACHE");
}

TEST_F(Solve, BothConventionsHaveTheSameSolutionUpToSigns) {
  const Lattice lattice({8, 8, 8, 8});
  const io::FieldParts<double, 6, 1> b{ParityField<double, 6, 1>(lattice, 0), ParityField<double, 6, 1>(lattice, 1)};
  b[1].set({1, 0, 2, 4}, std::array<double, 6>{1, 0, 0, 2, 0, 0});
  io::write_fields(at("point"), {}, {io::vectors_to_write(b)});
  auto milc = input(), ours = input();
  milc.source = ours.source = at("point");
  milc.solution = at("x_milc");
  ours.solution = at("x_ours");
  ours.convention = LinkConvention::trellis;
  ours.fat = at("plain_fat");
  ours.long_links = at("plain_long");
  solve_fields(milc);
  solve_fields(ours);
  const auto squares = [&](const char* name) {
    std::vector<double> all(4096);
    io::FieldReader(at(name)).read(0, {lattice.size(), {}, lattice.size()},
                                   [&](std::int64_t site, std::span<const double> numbers) {
                                     for (const double number : numbers) all[std::size_t(site)] += number * number;
                                   });
    return all;
  };
  const auto x = squares("x_milc"), y = squares("x_ours");
  // Links of the first were rounded to single precision.
  for (std::size_t site = 0; site < x.size(); ++site) ASSERT_NEAR(4 * x[site], y[site], 1e-5 * y[site] + 1e-9) << site;
  ours.antiperiodic_time = false;
  solve_fields(ours);
  const auto periodic = squares("x_ours");
  EXPECT_GT(std::abs(periodic[0] / y[0] - 1), 1e-3);
}

// The Goldstone pion's Ward identity: the sum of |G|^2 over all sites is Re tr G(x0, x0) / m, in our convention.
TEST_F(Solve, APointMakesAPropagator) {
  auto solve = input();
  solve.convention = LinkConvention::trellis;
  solve.fat = at("plain_fat");
  solve.long_links = at("plain_long");
  solve.source.clear();
  solve.point = Coordinate{1, 2, 3, 7};
  solve.solution = at("propagator");
  EXPECT_EQ(solve_fields(solve).vectors.size(), 3U);
  const io::FieldReader reader(at("propagator"));
  ASSERT_EQ(reader.info().fields.size(), 3U);
  const std::int64_t origin = 1 + 8 * (2 + 8 * (3 + 8 * 7));
  std::vector<double> squares(4096);
  double trace = 0;
  for (std::size_t colour = 0; colour < 3; ++colour)
    reader.read(colour, {{8, 8, 8, 8}, {}, {8, 8, 8, 8}}, [&](std::int64_t site, std::span<const double> numbers) {
      for (const double number : numbers) squares[std::size_t(site)] += number * number;
      if (site == origin) trace += numbers[2 * colour];
    });
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  EXPECT_NEAR(solve.mass * sum / trace, 1, 1e-8);
  auto check = solve;
  check.solution.clear();
  check.check = at("propagator");
  for (const auto& v : solve_fields(check).vectors) EXPECT_LT(v.residual, 1e-10);
  check.point = Coordinate{1, 2, 3, 6};
  EXPECT_GT(solve_fields(check).vectors[0].residual, 0.1);
  check.point = Coordinate{1, 2, 3, 8};
  EXPECT_TRUE(contains(error_of([&] { solve_fields(check); }), "is not on the 8x8x8x8 lattice"));
}

// The numbers of a file on 8^4 with one field, so many for each site.
std::vector<double> numbers_of(const fs::path& file, std::size_t of_site) {
  std::vector<double> all(4096 * of_site);
  io::FieldReader(file).read(0, {{8, 8, 8, 8}, {}, {8, 8, 8, 8}}, [&](std::int64_t site, std::span<const double> of) {
    std::ranges::copy(of, all.begin() + site * std::int64_t(of_site));
  });
  return all;
}

// |M x - b| / |b| in MILC's convention by plain loops over the numbers of the files, on 8^4.
double naive_residual(const fs::path& fat, const fs::path& three_steps, double mass, const fs::path& x,
                      const fs::path& b) {
  using Number = std::complex<double>;
  const auto F = numbers_of(fat, 72), L = numbers_of(three_steps, 72), psi = numbers_of(x, 6),
             source = numbers_of(b, 6);
  const auto at = [](const std::vector<double>& all, std::size_t n) { return Number(all[2 * n], all[2 * n + 1]); };
  double rest = 0, norm = 0;
  for (std::size_t site = 0; site < 4096; ++site)
    for (std::size_t i = 0; i < 3; ++i) {
      Number sum = 2 * mass * at(psi, 3 * site + i);
      for (std::size_t mu = 0; mu < 4; ++mu)
        for (const auto& [links, steps] : {std::pair{&F, 1}, {&L, 3}}) {
          const std::size_t stride = std::size_t(1) << 3 * mu, own = site / stride % 8;
          const auto moved = [&](std::size_t by) { return site - own * stride + (own + by) % 8 * stride; };
          const auto ahead = moved(std::size_t(steps)), behind = moved(std::size_t(8 - steps));
          for (std::size_t j = 0; j < 3; ++j)
            sum += at(*links, (4 * site + mu) * 9 + 3 * i + j) * at(psi, 3 * ahead + j) -
                   std::conj(at(*links, (4 * behind + mu) * 9 + 3 * j + i)) * at(psi, 3 * behind + j);
        }
      rest += std::norm(sum - at(source, 3 * site + i));
      norm += std::norm(at(source, 3 * site + i));
    }
  return std::sqrt(rest / norm);
}

// Links in single precision are in U(3) times a number to 1e-7 only: the iterations' operator, which makes their third
// rows from the other two, would leave 1e-8.
TEST_F(Solve, ResidualsAreThoseOfTheLinksInTheFiles) {
  auto solve = input();
  solve.mass = 0.02;
  solve.solution = at("exact");
  const auto found = solve_fields(solve).vectors.at(0);
  const auto naive = naive_residual(solve.fat, solve.long_links, solve.mass, solve.solution, solve.source);
  EXPECT_LE(naive, 1e-10);
  EXPECT_NEAR(found.residual, naive, 1e-14);
  auto check = input();
  check.mass = solve.mass;
  check.check = at("exact");
  EXPECT_NEAR(solve_fields(check).vectors.at(0).residual, naive, 1e-14);
  // The same of M^dagger M, whose operator applies M twice.
  solve.matrix = check.matrix = measure::StaggeredMatrix::normal;
  EXPECT_LE(solve_fields(solve).vectors.at(0).residual, 1e-10);
  EXPECT_LE(solve_fields(check).vectors.at(0).residual, 1e-10);
}

// Links that the program writes are those that this test makes, and have the same solutions.
TEST_F(Solve, LinksOfAConfigurationAreWritten) {
  SaveLinksInput save{.configuration = data / "lat.sample.l8",
                      .smearing = parse_smearing("asqtad,u0=0.502"),
                      .fat = at("own_fat"),
                      .long_links = at("own_long")};
  save_links(save);
  auto check = input();
  check.fat = save.fat;
  check.long_links = save.long_links;
  check.check = data / "ksvector.ans.Minv.sample.l8";
  const auto found = solve_fields(check).vectors.at(0);
  EXPECT_LT(found.residual, 1e-7);
  EXPECT_NEAR(found.fitting_mass, 0.1, 1e-8);
  // Without signs: the same bits as those of a double precision file that was made in memory.
  save.convention = LinkConvention::trellis;
  save_links(save);
  const auto numbers = [](const fs::path& file) { return numbers_of(file, 72); };
  const auto fat = numbers(save.fat), three_steps = numbers(save.long_links);
  EXPECT_EQ(fat, numbers(at("plain_fat")));
  EXPECT_EQ(three_steps, numbers(at("plain_long")));
  // The charm's: X + epsilon / 8 U and (1 + epsilon) L.
  save.naik_epsilon = -0.2;
  save_links(save);
  const auto charm_fat = numbers(save.fat), charm_long = numbers(save.long_links);
  const auto thin = io::load_gauge_field<double, 1>(save.configuration);
  for (std::size_t n = 0; n < charm_long.size(); ++n) ASSERT_NEAR(charm_long[n], 0.8 * three_steps[n], 1e-15);
  for (const std::int64_t site : {std::int64_t(0), std::int64_t(777)})
    for (int mu = 0; mu < 4; ++mu) {
      const auto link = thin.link(Lattice({8, 8, 8, 8}).coordinate(site), mu);
      for (std::size_t k = 0; k < 18; ++k) {
        const auto n = std::size_t(site) * 72 + std::size_t(mu) * 18 + k;
        EXPECT_NEAR(charm_fat[n] - fat[n], -0.025 * link[k], 1e-14);
      }
    }
  for (const auto& [text, message] :
       std::vector<std::pair<std::string, std::string>>{{"hisk", "--smearing: "},
                                                        {"asqtad,u0", "expected KEY=VALUE"},
                                                        {"asqtad,u0=x", "expected a number"},
                                                        {"asqtad,u1=1", "--smearing: "},
                                                        {"asqtad,u0=2", "--smearing: "}})
    EXPECT_TRUE(contains(error_of([&, t = text] { parse_smearing(t); }), message)) << text;
  save.smearing = parse_smearing("fat7");
  EXPECT_TRUE(contains(error_of([&] { save_links(save); }), "has no links of three steps"));
  save.long_links.clear();
  EXPECT_TRUE(contains(error_of([&] { save_links(save); }), "there is no Naik term"));
}

// What was written into the files is compared with the options.
TEST_F(Solve, RecordsOfLinksAreCompared) {
  SaveLinksInput save{.configuration = data / "lat.sample.l4444",
                      .smearing = parse_smearing("asqtad,u0=0.86"),
                      .fat = at("r_fat"),
                      .long_links = at("r_long")};
  save_links(save);
  save.smearing = parse_smearing("hisq");
  save.naik_epsilon = -0.2;
  save.convention = LinkConvention::trellis;
  save.fat = at("h_fat");
  save.long_links = at("h_long");
  save_links(save);
  const auto warned = [&](const char* fat, const char* long_links, const std::string& convention) {
    return test::Process({TRELLIS_PROGRAM, "solve", "--fat", fat, "--long", long_links, "--convention", convention,
                          "--mass", "0.5", "--point", "0,0,0,0", "--max-iterations", "2000", "--solution", "rx"},
                         {.folder = folder->path()})
        .wait()
        .err;
  };
  EXPECT_EQ(warned("r_fat", "r_long", "milc"), "");
  EXPECT_EQ(warned("h_fat", "h_long", "trellis"), "");
  for (const auto& [err, parts] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {warned("r_fat", "r_long", "trellis"),
            {"r_fat: its record says \"signs of MILC", "r_long: its record says", "--convention trellis"}},
           {warned("r_long", "r_fat", "milc"),
            {"r_long: its record says that it has links of three steps, but --fat", "r_fat: its record", "but --long"}},
           {warned("r_fat", "h_long", "milc"),
            {"r_fat and h_long do not belong together: the smearing", "the naik_epsilon of the one is \"0\"",
             "h_long: its record says \"no signs\", but --convention milc"}}})
    for (const auto& part : parts) EXPECT_TRUE(contains(err, part)) << part << "\n" << err;
}

TEST_F(Solve, WhatDoesNotFitIsRefused) {
  auto wrong = input();
  wrong.mass = 0;
  EXPECT_TRUE(contains(error_of([&] { solve_fields(wrong); }), "--mass: found 0"));
  wrong = input();
  wrong.source = at("fat");
  EXPECT_TRUE(contains(error_of([&] { solve_fields(wrong); }), "expected at most 32 colour vectors a site"));
  wrong = input();
  wrong.fat = wrong.source;
  EXPECT_TRUE(contains(error_of([&] { solve_fields(wrong); }), "expected a field of 4 colour matrices a site"));
  wrong = input();
  wrong.long_links = data / "lat.sample.l4444.scidac";
  EXPECT_TRUE(contains(error_of([&] { solve_fields(wrong); }), "the lattice is 4x4x4x4, but that of"));
  wrong = input();
  wrong.inverse.max_iterations = 3;
  wrong.solution = at("never");
  EXPECT_TRUE(contains(error_of([&] { solve_fields(wrong); }), "after 3 iterations"));
  EXPECT_FALSE(fs::exists(at("never")));
}

TEST_F(Solve, TheProgramSaysWhetherASolutionIsOne) {
  const auto base = std::vector<std::string>{TRELLIS_PROGRAM, "solve",
                                             "--fat",         at("fat").string(),
                                             "--long",        at("long").string(),
                                             "--source",      (data / "ksvector.src.sample.l8").string()};
  const auto run = [&](std::vector<std::string> more) {
    auto words = base;
    words.insert(words.end(), more.begin(), more.end());
    return test::Process(words, {.folder = folder->path()}).wait();
  };
  const auto answer = (data / "ksvector.ans.Minv.sample.l8").string();
  const auto good = run({"--mass", "0.1", "--check", answer});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(contains(good.out, "smallest for m = 0.1000")) << good.out;
  const auto bad = run({"--mass", "0.1", "--equation", "MdaggerM", "--check", answer});
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.out, "is NOT a solution")) << bad.out;
  const auto configuration = (data / "lat.sample.l8").string();
  const auto saved = test::Process({TRELLIS_PROGRAM, "solve", "--links", configuration, "--smearing", "asqtad,u0=0.502",
                                    "--save-fat", "f", "--save-long", "l", "--mass", "0.1", "--source",
                                    (data / "ksvector.src.sample.l8").string(), "--check", answer},
                                   {.folder = folder->path()})
                         .wait();
  EXPECT_EQ(saved.code, 0) << saved.err;
  EXPECT_TRUE(contains(saved.out, "l: links of three steps, asqtad")) << saved.out;
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--mass", "0.1"}, "expected --solution FILE"},
           {{"--check", answer}, "expected --mass"},
           {{"--save-fat", "x"}, "--save-fat: only with --links"},
           {{"--links", configuration, "--save-fat", "x"}, "--fat and --long cannot be given"},
           {{"--mass", "0.1", "--check", answer, "--solution", "x"}, "not both"},
           {{"--mass", "0.1", "--solution", "nowhere/x"}, "--solution nowhere/x: there is no folder"},
           {{"--mass", "0.1", "--solution", "."}, "--solution .: is a folder"},
           {{"--mass", "-1", "--check", answer}, "expected a number above 0"},
           {{"--mass", "0.1", "--check", answer, "--boundary", "periodic"}, "only with --convention trellis"},
           {{"--mass", "0.1", "--check", answer, "--equation", "D"}, "--equation"}}) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
  }
}

// Free quarks that are light and periodic have large solutions, whose rounding leaves more than the usual limit.
TEST_F(Solve, SolutionsInSinglePrecisionAreOnes) {
  const auto unit = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
  io::IldgParameters parameters;
  parameters.size = unit.lattice().size();
  io::write_ildg(at("unit.ildg"), parameters, io::link_source(unit));
  save_links({.configuration = at("unit.ildg"),
              .smearing = parse_smearing("asqtad,u0=1"),
              .convention = LinkConvention::trellis,
              .fat = at("unit_fat"),
              .long_links = at("unit_long")});
  const auto run = [](std::vector<std::string> more) {
    std::vector<std::string> words{TRELLIS_PROGRAM, "solve",   "--fat",        "unit_fat", "--long",     "unit_long",
                                   "--point",       "0,0,0,0", "--convention", "trellis",  "--boundary", "periodic"};
    words.insert(words.end(), more.begin(), more.end());
    return test::Process(words, {.folder = folder->path()}).wait();
  };
  const auto solved = run({"--mass", "0.001", "--solution", "light", "--precision", "single"});
  EXPECT_EQ(solved.code, 0) << solved.err;
  const auto own = run({"--mass", "0.001", "--check", "light"});
  EXPECT_EQ(own.code, 0) << own.out;
  EXPECT_TRUE(contains(own.out, "light: is a solution to 2.")) << own.out;
  EXPECT_EQ(run({"--mass", "0.001", "--check", "light", "--residual", "1e-6"}).code, 1);
  EXPECT_EQ(run({"--mass", "0.00101", "--check", "light"}).code, 1);
}

TEST_F(Solve, NoFileIsReplacedThatIsReadOrWritten) {
  const io::TemporaryFolder here;
  for (const auto& [name, from] :
       {std::pair{"configuration", data / "lat.sample.l8"}, {"fat", at("fat")}, {"b", data / "ksvector.src.sample.l8"}})
    fs::copy_file(from, here / name);
  fs::create_symlink("b", here / "link");
  const std::vector<std::string> links{"--links", "configuration", "--smearing", "asqtad,u0=0.502"},
      solve{"--fat", "fat", "--source", "b", "--mass", "0.1"};
  for (const auto& [base, words, message] :
       std::vector<std::tuple<std::vector<std::string>, std::vector<std::string>, std::string>>{
           {links,
            {"--save-fat", "./configuration", "--save-long", "l"},
            "--save-fat: ./configuration would replace the file of --links"},
           {links,
            {"--save-fat", "same", "--save-long", here / "same"},
            "--save-long: " + (here / "same").string() + " is also the file of --save-fat"},
           {solve, {"--solution", "fat"}, "--solution: fat would replace the file of --fat"},
           {solve, {"--solution", "link"}, "--solution: link would replace the file of --source"}}) {
    std::vector<std::string> command{TRELLIS_PROGRAM, "solve"};
    command.insert(command.end(), base.begin(), base.end());
    command.insert(command.end(), words.begin(), words.end());
    const auto outcome = test::Process(command, {.folder = here.path()}).wait();
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(here / "same"));
  EXPECT_EQ(io::test::read_all(here / "b"), io::test::read_all(data / "ksvector.src.sample.l8"));
  EXPECT_EQ(io::test::read_all(here / "fat"), io::test::read_all(at("fat")));
}

}  // namespace
}  // namespace trellis::app
