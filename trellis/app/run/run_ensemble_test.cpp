// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Runs with [ensemble]: each chain is the run that it would be alone, however the job is stopped.
#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/run_test.hpp"
#include "trellis/app/origin/column_text.hpp"
#include "trellis/hmc/tempering/chain_seeds.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

using test::RunTest;

class EnsembleRun : public RunTest {
 protected:
  static Changes ensemble(int chains, Changes more = {}) {
    Changes changes{{"[chain]", fmt::format("[ensemble]\nchains = {}\n[chain]", chains)}};
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
  void expect_chain_alone(const std::string& folder, int chain) {
    const auto alone = fmt::format("alone{}", chain);
    if (!exists(alone)) {
      const Changes own{{"seed = 7", fmt::format("seed = {}", hmc::seed_of_chain(7, std::uint32_t(chain)))},
                        {"name = \"c\"", fmt::format("name = \"c-chain-{}\"", chain)}};
      ASSERT_EQ(run(alone, own).code, 0);
    }
    for (const char* ending : {".000006.ildg", ".000012.ildg", ".checkpoint", ".flow.h5"}) {
      const auto file = fmt::format("/c-chain-{}{}", chain, ending);
      EXPECT_TRUE(text(folder + file) == text(alone + file)) << file;
    }
  }
};

TEST_F(EnsembleRun, ChainsAreThoseThatTheyWouldBeAlone) {
  const auto outcome = run("all", ensemble(3));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("All 3 chains are finished"), std::string::npos) << outcome.out;
  for (const int chain : {0, 1, 2}) expect_chain_alone("all", chain);
  const auto table = io::read_csv(at("all/c-ensemble.csv"));
  ASSERT_EQ(table.rows(), 36U);
  std::set<double> chains, plaquettes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    chains.insert(table.column("chain")[row]);
    plaquettes.insert(table.column("plaquette")[row]);
    EXPECT_EQ(table.column("trajectory")[row], double(row % 12 + 1));
  }
  EXPECT_EQ(chains, (std::set<double>{0, 1, 2}));
  EXPECT_GT(plaquettes.size(), 25U);  // the chains differ
  const auto described =
      nlohmann::json::parse(text("all/c-ensemble.csv-metadata.json"))["tables"][0]["tableSchema"]["columns"];
  const auto csv = text("all/c-ensemble.csv");
  std::string names;
  for (const auto& column : described) {
    names += (names.empty() ? "" : ",") + column["name"].get<std::string>();
    EXPECT_TRUE(is_known_column(column["name"])) << column;
  }
  EXPECT_EQ(names, csv.substr(0, csv.find('\n')));
  EXPECT_EQ(described[1]["datatype"], "integer");
  // One ensemble for those who read it.
  const auto read = test::Process({TRELLIS_PROGRAM, "analyse", "all"}, here()).wait();
  EXPECT_EQ(read.code, 0) << read.err;
  for (const int chain : {0, 1, 2})
    EXPECT_NE(read.out.find(fmt::format("c-chain-{}.csv", chain)), std::string::npos) << read.out;
  EXPECT_EQ(read.out.find("The tree-level", 5), std::string::npos) << read.out;
  const auto report = test::Process({TRELLIS_PROGRAM, "report", "all"}, here()).wait();
  EXPECT_EQ(report.code, 0) << report.err;
}

TEST_F(EnsembleRun, ContinuesAndGrows) {
  // Stopped in the second chain, as a batch system would.
  io::test::write_all(at("all.toml"), input("all", ensemble(2)));
  test::Process process(command("all"), here());
  const auto start = std::chrono::steady_clock::now();
  while (!exists("all/c-chain-1.000006.ildg") && std::chrono::steady_clock::now() - start < std::chrono::seconds(60))
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  process.signal(SIGTERM);
  const auto stopped = process.wait();
  // Before and after the trajectories of a chain nothing is caught, and nothing can be lost.
  EXPECT_TRUE(stopped.code == 143 || stopped.code == 0 || stopped.code == -SIGTERM) << stopped.code << stopped.err;
  const auto again = call("all");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("This run is finished"), std::string::npos) << again.out;
  ASSERT_EQ(run("all", ensemble(3)).code, 0);
  for (const int chain : {0, 1, 2}) expect_chain_alone("all", chain);
  EXPECT_EQ(io::read_csv(at("all/c-ensemble.csv")).rows(), 36U);
}

// As `analyse` does, which looks at the folder.
TEST_F(EnsembleRun, FewerChainsThanThereAreLoseNone) {
  const Changes brief{{"trajectories = 12", "trajectories = 4"},
                      {"[measure.flow]\nevery = 4", "[measure.flow]\nevery = 2"}};
  ASSERT_EQ(run("all", ensemble(4, brief)).code, 0);
  const auto before = text("all/c-ensemble.csv");
  for (const auto& [chains, told] : {std::pair(2, "Chains 2 to 3 in all are there, from an input with more chains"),
                                     std::pair(3, "Chain 3 in all is there, from an input with more chains")}) {
    const auto fewer = run("all", ensemble(chains, brief));
    EXPECT_EQ(fewer.code, 0) << fewer.err;
    EXPECT_NE(fewer.out.find(told), std::string::npos) << fewer.out;
    EXPECT_EQ(text("all/c-ensemble.csv"), before);
  }
  EXPECT_EQ(run("all", ensemble(4, brief)).out.find("from an input with more"), std::string::npos);
}

TEST_F(EnsembleRun, AChainIsNotComputedTwice) {
  const Changes brief{{"trajectories = 12", "trajectories = 4"},
                      {"[measure.flow]\nevery = 4", "[measure.flow]\nevery = 2"}};
  ASSERT_EQ(run("all", ensemble(2, brief)).code, 0);
  ASSERT_EQ(run("one", brief).code, 0);
  expect_error(run("all", brief), 2, {"all/c-chain-0.csv is there, from an input with [ensemble]", "put it back"});
  expect_error(run("one", ensemble(2, brief)), 2,
               {"one/c.csv is there, from an input without [ensemble]", "remove it"});
  EXPECT_FALSE(exists("all/c.csv") || exists("one/c-chain-0.csv"));
}

TEST_F(EnsembleRun, KilledAtAnyMoment) {
  const auto changes = ensemble(2, {{"trajectories = 12", "trajectories = 6"}});
  ASSERT_EQ(run("whole", changes).code, 0);
  EXPECT_GT(kill_at_random("killed", changes, 10), 2);
  ASSERT_EQ(call("killed").code, 0);
  for (const char* file : {"c-chain-0.000006.ildg", "c-chain-0.checkpoint", "c-chain-1.000006.ildg",
                           "c-chain-1.checkpoint", "c-chain-1.flow.h5"})
    EXPECT_TRUE(text(std::string("whole/") + file) == text(std::string("killed/") + file)) << file;
  EXPECT_EQ(io::read_csv(at("killed/c-ensemble.csv")).rows(), 12U);
}

TEST_F(EnsembleRun, StopsAsOne) {
  std::filesystem::create_directory(at("all"));
  io::test::write_all(at("all/stop"), "");
  EXPECT_EQ(run("all", ensemble(2)).code, 3);
  EXPECT_FALSE(exists("all/c-chain-0.checkpoint"));
  EXPECT_FALSE(exists("all/c-ensemble.csv"));
  std::filesystem::remove(at("all/stop"));
  EXPECT_EQ(call("all").code, 0);
}

TEST_F(EnsembleRun, WrongNumbersAreRefused) {
  for (const char* chains : {"1", "0", "-3", "2.5", "\"two\""}) {
    expect_error(run("bad", {{"[chain]", fmt::format("[ensemble]\nchains = {}\n[chain]", chains)}}), 2,
                 {"ensemble.chains"});
    EXPECT_FALSE(exists("bad"));
  }
  expect_error(run("bad", {{"[chain]", "[ensemble]\n[chain]"}}), 2, {"ensemble.chains", "missing"});
  expect_error(run("bad", ensemble(2, {{"steps = 5\nreversibility_every = 4", "kind = \"auto\""}})), 2,
               {"ensemble", "auto"});
}

}  // namespace
}  // namespace trellis::app
