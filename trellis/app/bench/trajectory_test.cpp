// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench trajectory as its users see it: on one rank, and on two if there is a launcher.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "tests/support/launcher.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/program.hpp"
#include "trellis/app/bench/trajectory_parts.hpp"
#include "trellis/app/bench/trajectory_times.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

using nlohmann::json;

constexpr const char* quarks = R"([lattice]
size = [4, 4, 4, 4]
[action]
name = "symanzik"
beta = 3.6
[smearing]
rho = 0.15
levels = 2
[[flavours]]
name = "l"
mass = 0.2
tastes = 2
[start]
kind = "hot"
[algorithm]
kind = "hmc"
trajectory_length = 0.2
steps = 2
gauge_steps = 2
[chain]
trajectories = 2
seed = 7
)";

class Trajectories : public ::testing::Test {
 protected:
  // Words are separated by single spaces.
  test::Outcome trellis(const std::string& words, int ranks = 1) const {
    std::vector<std::string> command;
    if (ranks > 1) command = test::launcher(ranks);
    command.emplace_back(TRELLIS_PROGRAM);
    std::istringstream stream(words);
    for (std::string word; stream >> word;) command.push_back(word);
    return test::Process(command, {.folder = folder_.path()}).wait();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  json result() const { return json::parse(std::ifstream(folder_ / "t.json")); }
  bool is_picture(const char* name) const {
    pugi::xml_document picture;
    return picture.load_file((folder_ / name).c_str());
  }

  io::TemporaryFolder folder_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

double sum_of_parts(const json& figure) {
  double sum = 0;
  for (const auto& [name, seconds] : figure["parts"].items()) sum += seconds.get<double>();
  return sum;
}

TEST_F(Trajectories, OneRankSaysThatItIsAlone) {
  write("in.toml", quarks);
  const auto outcome = trellis("bench trajectory in.toml --trajectories 2 --json t.json --svg t.svg");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("one rank only"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("strong scaling, 4x4x4x4"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("weak scaling"), std::string::npos) << outcome.out;
  const auto figures = result()["figures"];
  ASSERT_EQ(figures.size(), 1U);
  const auto& one = figures[0];
  EXPECT_EQ(one["ranks"], 1);
  EXPECT_EQ(one["efficiency"], 1);
  EXPECT_EQ(one["seconds_of_each"].size(), 2U);
  EXPECT_GT(one["iterations"], 0);
  EXPECT_GT(one["gflops"], 0);
  for (const auto* part : {"solvers", "gauge force", "smearing", "fermion force", "links", "other kernels"})
    EXPECT_GT(one["parts"][part], 0) << part;
  EXPECT_EQ(one["parts"]["messages"], 0);
  const double mean = (one["seconds_of_each"][0].get<double>() + one["seconds_of_each"][1].get<double>()) / 2;
  EXPECT_NEAR(sum_of_parts(one), mean, 1e-9 * mean);
  EXPECT_TRUE(is_picture("t.svg"));
  // Panels have titles of their own, and the only efficiency is on an axis from 0.
  pugi::xml_document picture;
  picture.load_file((folder_ / "t.svg").c_str());
  std::multiset<std::string> titles, texts;
  for (const auto& text : picture.document_element().children("text"))
    (text.attribute("class").value() == std::string("panel text") ? titles : texts).insert(text.text().get());
  EXPECT_EQ(titles.size(), 4U);
  for (const auto& title : titles) EXPECT_EQ(titles.count(title), 1U) << title;
  for (const auto* tick : {"0", "40", "100"}) EXPECT_GE(texts.count(tick), 1U) << tick;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "in-results"));
}

TEST_F(Trajectories, SayThatReplicasAreNotTimed) {
  write("in.toml", std::string(quarks) + "[tempering]\nlength = 2\nreplicas = 3\n");
  const auto outcome = trellis("bench trajectory in.toml --warm-up 0 --trajectories 1");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("only the periodic replica is timed: a trajectory of the run has one of each of its 3"),
            std::string::npos)
      << outcome.out;
}

// The chain is the one that `trellis run` makes.
TEST_F(Trajectories, AreThoseOfARun) {
  write("in.toml", quarks);
  ASSERT_EQ(trellis("bench trajectory in.toml --warm-up 0 --trajectories 2 --json t.json").code, 0);
  ASSERT_EQ(trellis("run in.toml").code, 0);
  std::ifstream table(folder_ / "in-results" / "in.csv");
  std::string heading, row;
  std::getline(table, heading);
  while (table.peek() != EOF) std::getline(table, row);
  const auto cell = [&](const std::string& name) {
    std::istringstream names(heading), cells(row);
    std::string column, value;
    while (std::getline(names, column, ',') && std::getline(cells, value, ','))
      if (column == name) return std::stod(value);
    return 0.0;
  };
  EXPECT_EQ(cell("trajectory"), 2);
  EXPECT_DOUBLE_EQ(result()["figures"][0]["plaquette"].get<double>(), cell("plaquette"));
  EXPECT_DOUBLE_EQ(result()["figures"][0]["dH"].get<double>(), cell("dH"));
}

// A kernel that is new in solvers, forces or messages must be given its part.
TEST_F(Trajectories, KernelsHaveAPart) {
  const std::set<std::string> others{"trellis::allocate",
                                     "trellis::deep_copy",
                                     "gauge action difference",
                                     "action difference of parallelograms",
                                     "rectangle",
                                     "draw momenta",
                                     "momentum norm",
                                     "plaquette",
                                     "draw pseudofermions",
                                     "reunitarise",
                                     "fingerprint",
                                     "kinetic energy difference",
                                     "links to file",
                                     "pseudofermion energy",
                                     "hot start",
                                     "unit links",
                                     "kinetic energy",
                                     "gauge action",
                                     "zero momenta",
                                     "momentum product",
                                     "largest number",
                                     "links from file",
                                     "Polyakov loop",
                                     "traces of lines"};
  std::string improved = replaced(quarks, "rho = 0.15\nlevels = 2\n", "kind = \"hisq\"\n");
  improved = replaced(improved, "name = \"symanzik\"", "name = \"one_loop_symanzik\"\nu0 = 0.9\nhisq_flavours = 2");
  improved = replaced(improved, "tastes = 2\n", "tastes = 2\nnaik_epsilon = -0.1\n");
  for (const auto& [text, ranks] : {std::pair(std::string(quarks), 1), {quarks, 2}, {improved, 1}}) {
    if (ranks > 1 && test::launcher(2).empty()) continue;
    write("in.toml", text);
    std::filesystem::remove_all(folder_ / "in-results");
    const auto outcome = trellis("run in.toml", ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::ifstream table(folder_ / "in-results" / "in-kernels.csv");
    std::string line;
    std::getline(table, line);
    int kernels = 0;
    while (std::getline(table, line)) {
      const auto name = line.substr(0, line.find(','));
      if (name == "outside kernels") continue;
      ++kernels;
      EXPECT_TRUE(part_of(name) != TrajectoryPart::other_kernels || others.contains(name)) << name;
    }
    EXPECT_GT(kernels, 20);
  }
}

TEST_F(Trajectories, TwoRanksScaleStronglyAndWeakly) {
  if (test::launcher(2).empty()) GTEST_SKIP() << "nothing here starts several processes";
  write("in.toml", quarks);
  const auto outcome = trellis("bench trajectory in.toml --trajectories 1 --threads 1 --json t.json --svg t.svg", 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("weak scaling, 4x4x4x4 a rank"), std::string::npos) << outcome.out;
  const auto figures = result()["figures"];
  ASSERT_EQ(figures.size(), 4U);
  EXPECT_EQ(figures[1]["scaling"], "strong");
  EXPECT_EQ(figures[1]["ranks"], 2);
  EXPECT_EQ(figures[1]["lattice"], "4x4x4x4");
  EXPECT_EQ(figures[1]["plaquette"], figures[0]["plaquette"]);
  EXPECT_EQ(figures[1]["dH"], figures[0]["dH"]);
  EXPECT_EQ(figures[1]["iterations"], figures[0]["iterations"]);
  EXPECT_GE(figures[1]["flops"], figures[0]["flops"]);  // some is done twice, at the surfaces
  EXPECT_GT(figures[1]["parts"]["messages"], 0);
  EXPECT_EQ(figures[2]["scaling"], "weak");
  EXPECT_EQ(figures[2]["seconds"], figures[0]["seconds"]);
  EXPECT_EQ(figures[3]["lattice"], "4x4x4x8");
  EXPECT_EQ(figures[3]["of_a_rank"], "4x4x4x4");
  EXPECT_DOUBLE_EQ(figures[3]["efficiency"].get<double>(),
                   figures[2]["seconds"].get<double>() / figures[3]["seconds"].get<double>());
  EXPECT_DOUBLE_EQ(figures[1]["efficiency"].get<double>(),
                   figures[0]["seconds"].get<double>() / figures[1]["seconds"].get<double>() / 2);
  EXPECT_TRUE(is_picture("t.svg"));
}

TEST_F(Trajectories, WrongOptionsAreNamed) {
  write("in.toml", quarks);
  write("auto.toml", replaced(replaced(quarks, "\"hmc\"", "\"auto\""), "steps = 2\ngauge_steps = 2\n", ""));
  const std::vector<std::pair<std::string, std::string>> cases{
      {"in.toml --ranks 2", "--ranks: found 2, and this job has 1: mpirun -n 2 trellis bench trajectory"},
      {"in.toml --grid 1x1x1x2", "--grid: 1x1x1x2 has 2 ranks; the measured numbers are 1"},
      {"in.toml --trajectories 0", "--trajectories: found 0"},
      {"in.toml --warm-up -1", "--warm-up: found -1"},
      {"in.toml --threads -1", "--threads: found -1"},
      {"in.toml --scaling strnog", "--scaling: found 'strnog'; did you mean 'strong'?"},
      {"in.toml --json none/t.json", "there is no folder"},
      {"in.toml --json in.toml", "--json: in.toml would replace the file of INPUT"},
      {"in.toml --threads 5000", "--threads: found 5000; it must be from 0 to 4096"},
      {"none.toml", "none.toml"},
      {"auto.toml", "no algorithm has been chosen yet"},
  };
  for (const auto& [words, part] : cases) {
    const auto outcome = trellis("bench trajectory " + words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << words << ": " << outcome.err;
  }
}

TEST(TrajectoryCases, AFileHasNoOtherLattice) {
  auto input = parse_run_input(quarks, "in.toml");
  input.start.kind = StartKind::file;
  const auto both = trajectory_cases({}, input, 2);
  ASSERT_EQ(both.cases.size(), 2U);
  EXPECT_TRUE(both.cases[1].strong);
  ASSERT_EQ(both.notes.size(), 1U);
  EXPECT_NE(both.notes[0].find("strong scaling only"), std::string::npos);
  EXPECT_THROW(trajectory_cases({.scaling = {"weak"}}, input, 2), InputError);
  EXPECT_EQ(trajectory_cases({.scaling = {"weak"}}, input, 1).cases.size(), 1U);
}

TEST(TrajectoryCases, LatticesMustDivide) {
  const auto input = parse_run_input(quarks, "in.toml");
  EXPECT_THROW(trajectory_cases({.ranks = {3}}, input, 4), InputError);
  const auto weak = trajectory_cases({.scaling = {"weak"}, .ranks = {3}}, input, 4);
  ASSERT_EQ(weak.cases.size(), 1U);
  EXPECT_EQ(weak.cases[0].input.size, (Coordinate{4, 4, 4, 12}));
  const auto grid = trajectory_cases({.ranks = {2}, .grid = "2x1x1x1"}, input, 2);
  EXPECT_EQ(grid.cases[0].grid, (Coordinate{2, 1, 1, 1}));
  EXPECT_EQ(grid.cases[1].input.size, (Coordinate{8, 4, 4, 4}));
}

// A rank's part is at least as wide as quarks hop; what is not is refused before anything is timed.
TEST(TrajectoryCases, PartsAreAsWideAsQuarksHop) {
  const std::string hisq = replaced(quarks, "rho = 0.15\nlevels = 2", "kind = \"hisq\"");
  const auto message = [&](const std::string& size, const TrajectoryOptions& options) {
    const auto input = parse_run_input(replaced(hisq, "[4, 4, 4, 4]", size), "in.toml");
    return test::message_of<InputError>([&] { trajectory_cases(options, input, 2); });
  };
  EXPECT_NE(message("[4, 4, 4, 4]", {}).find("strong scaling on 2 ranks: lattice 4x4x4x4 does not divide"),
            std::string::npos)
      << message("[4, 4, 4, 4]", {});
  EXPECT_NE(message("[4, 4, 4, 8]", {.grid = "1x1x2x1"}).find("strong scaling on 2 ranks: hops of 3 steps"),
            std::string::npos);
  EXPECT_NE(message("[4, 4, 4, 2]", {.scaling = {"weak"}}).find("weak scaling on 2 ranks: hops of 3 steps"),
            std::string::npos);
  const auto input = parse_run_input(replaced(hisq, "[4, 4, 4, 4]", "[8, 2, 2, 4]"), "in.toml");
  EXPECT_EQ(trajectory_cases({.scaling = {"strong"}}, input, 2).cases.at(1).grid, (Coordinate{2, 1, 1, 1}));
}

TEST(TrajectoryFigures, BitsMayNotDependOnRanks) {
  std::vector<TrajectoryFigure> figures(3);
  figures[0].seconds = 8;
  figures[1].ranks = 2;
  figures[1].seconds = 5;
  figures[2].strong = false;
  figures[2].ranks = 2;
  figures[2].seconds = 10;
  figures[2].plaquette = 0.5;  // of another lattice
  compare(figures);
  EXPECT_DOUBLE_EQ(figures[0].efficiency, 1);
  EXPECT_DOUBLE_EQ(figures[1].efficiency, 0.8);
  EXPECT_DOUBLE_EQ(figures[2].efficiency, 1);
  figures[1].dH = 1e-16;
  EXPECT_THROW(compare(figures), Error);
}

// Links and momenta are converted and compared where there are no solvers, too.
TEST_F(Trajectories, PureGaugeTheoryHasNoSolvers) {
  const std::string gauge =
      "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 6\n[chain]\ntrajectories = 2\n[algorithm]\nsteps = 2\n";
  for (const char* more : {"", "precision = \"single\"\n", "certify = 1.0\n"}) {
    write("gauge.toml", gauge + more);
    const auto outcome = trellis("bench trajectory gauge.toml --trajectories 1 --json t.json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(result()["figures"][0]["parts"]["solvers"], 0) << more;
  }
}

TEST(TrajectoryParts, AreAllOfTheTime) {
  const std::vector<KernelTotals> kernels{{.name = "staggered hops", .seconds = 2},
                                          {.name = "update links", .seconds = 1},
                                          {.name = "wait for halo", .seconds = 0.5},
                                          {.name = "something", .seconds = 0.25}};
  const auto parts = part_seconds(kernels, 5);
  EXPECT_EQ(parts[std::size_t(TrajectoryPart::solvers)], 2);
  EXPECT_EQ(parts[std::size_t(TrajectoryPart::links)], 1);
  EXPECT_EQ(parts[std::size_t(TrajectoryPart::messages)], 0.5);
  EXPECT_EQ(parts[std::size_t(TrajectoryPart::other_kernels)], 0.25);
  EXPECT_EQ(parts[std::size_t(TrajectoryPart::outside_kernels)], 1.25);
}

}  // namespace
}  // namespace trellis::app
