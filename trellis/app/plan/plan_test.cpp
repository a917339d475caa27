// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis plan and trellis bench machine as their users see them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/quark_inputs.hpp"
#include "trellis/core/device/devices.hpp"

namespace trellis::app {
namespace {

using test::Outcome, test::nested, test::two_flavours, test::symanzik;

class PlanProgram : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("trellis_plan_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("in.toml", symanzik + two_flavours + nested);
    write("m.toml",
          "[node]\nname = \"n\"\ndevices = 2\n[device]\nname = \"d\"\nmemory_bytes = 5e7\ntriad = [1e10]\n"
          "single_flops = 2e11\ndouble_flops = 1e11\n[links]\ninside_latency = 1e-7\ninside_bandwidth = 1e10\n"
          "latency = 1e-6\nbandwidth = 1e9\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  Outcome trellis(const std::string& arguments) const {
    const auto command = "cd '" + folder_.string() + "' && '" TRELLIS_PROGRAM "' " + arguments + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(at("stdout")), text_of(at("stderr"))};
  }
  nlohmann::json plan(const std::string& options) const {
    const auto outcome = trellis("plan in.toml --machine m.toml --json " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }

  std::filesystem::path folder_;
};

TEST_F(PlanProgram, SaysWhatARunNeeds) {
  const auto outcome = trellis("plan in.toml --machine m.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"Plan of hybrid Monte Carlo", "an upper bound", "molecular dynamics", "node-hours",
                           "Memory per device", "staggered operator", "4 configurations", "What this assumes"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 132U) << line;
}

TEST_F(PlanProgram, SaysWhichAlgorithmItIsOfWhereThatIsChosen) {
  const std::string automatic = symanzik + two_flavours + "[algorithm]\nkind = \"auto\"\ntuning_trajectories = 20\n";
  write("in.toml", automatic);
  const auto before = trellis("plan in.toml --machine m.toml");
  EXPECT_EQ(before.code, 0) << before.err;
  for (const char* part :
       {"Algorithm: not chosen yet", "l_1, l_2, s: 2mn (lambda 0.1932), 6 steps", "up to 20 further"})
    EXPECT_NE(before.out.find(part), std::string::npos) << part << "\n" << before.out;
  std::istringstream lines(before.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 132U) << line;
  EXPECT_NE(plan("--devices 1")["algorithm"].get<std::string>().find("not chosen yet"), std::string::npos);
  // What was chosen for the chain that is there.
  std::filesystem::create_directory(at("in-results"));
  write("in-results/in.resolved.toml",
        symanzik + two_flavours +
            "[algorithm]\n[[algorithm.levels]]\nsteps = 3\nterms = [\"quarks\"]\n[[algorithm.levels]]\nsteps = "
            "7\nterms = [\"gauge\"]\n");
  const auto after = trellis("plan in.toml --machine m.toml");
  EXPECT_EQ(after.code, 0) << after.err;
  EXPECT_NE(after.out.find("that chosen for the chain in in-results"), std::string::npos) << after.out;
  EXPECT_NE(after.out.find("3 steps; plaquette, rectangle: 2mn (lambda 0.1932), 7 steps"), std::string::npos)
      << after.out;
  EXPECT_EQ(after.out.find("not chosen yet"), std::string::npos) << after.out;
  write("in.toml", symanzik + two_flavours + nested);
  EXPECT_EQ(trellis("plan in.toml --machine m.toml").out.find("Algorithm:"), std::string::npos);
}

// A GPU whose messages to other machines pass through a slow host.
TEST_F(PlanProgram, SaysWhyMoreDevicesAreSlowerAndWhichKeyIsTheReason) {
  const std::string machine =
      "[node]\nname = \"n\"\ndevices = 2\n[device]\nname = \"d\"\nmemory_bytes = 5e9\ntriad = [1e10]\n"
      "single_flops = 2e11\ndouble_flops = 1e11\nlaunch_seconds = 1e-9\nwait_seconds = 3e-9\nhost_bandwidth = {}\n"
      "[links]\ninside_latency = 1e-9\ninside_bandwidth = 1e12\nlatency = 1e-9\nbandwidth = 1e12\n";
  const auto with_host = [&](const std::string& bandwidth) {
    auto text = machine;
    write("m.toml", text.replace(text.find("{}"), 2, bandwidth));
    return plan("--devices 1,2,4");
  };
  const auto slow = with_host("1e7");
  ASSERT_EQ(slow["slower"].size(), 1U) << slow["slower"];
  EXPECT_EQ(slow["slower"][0]["devices"], 4);
  EXPECT_EQ(slow["slower"][0]["than"], 2);
  EXPECT_EQ(slow["slower"][0]["because_of"], "messages");
  EXPECT_EQ(slow["slower"][0]["key"], "device.host_bandwidth");
  // With the key changed, the plan is what it said.
  const auto fast = with_host("0.0");
  EXPECT_TRUE(fast["slower"].empty()) << fast["slower"];
  EXPECT_EQ(fast["devices"][2]["trajectory"]["seconds"], slow["slower"][0]["seconds_with_key"]);
  with_host("1e7");
  const auto text = trellis("plan in.toml --machine m.toml --devices 1,2,4").out;
  EXPECT_NE(text.find("4 devices are slower than 2 ("), std::string::npos) << text;
  EXPECT_NE(text.find("The key is device.host_bandwidth: with 0"), std::string::npos) << text;
}

TEST_F(PlanProgram, LikelyTimesAreThoseOfFewerIterations) {
  const auto bound = plan("--devices 1");
  const auto [third, half] = std::pair{bound["devices"][0]["likely_seconds"][0].get<double>(),
                                       bound["devices"][0]["likely_seconds"][1].get<double>()};
  EXPECT_LT(third, half);
  EXPECT_LT(half, bound["devices"][0]["trajectory"]["seconds"].get<double>());
  EXPECT_NE(trellis("plan in.toml --machine m.toml").out.find("Likely, with a third to a half of it"),
            std::string::npos);
  // Iterations that are known leave nothing to guess.
  EXPECT_FALSE(plan("--devices 1 --iterations 100")["devices"][0].contains("likely_seconds"));
}

TEST_F(PlanProgram, TheShippedMachinesArePlanned) {
  for (const auto& file : std::filesystem::directory_iterator(TRELLIS_EXAMPLES "/machines"))
    EXPECT_EQ(trellis("plan in.toml --machine '" + file.path().string() + "' --devices 1,2").code, 0) << file.path();
  const auto wrong = trellis("plan " TRELLIS_EXAMPLES "/hadrons.toml --machine m.toml");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("this is an input of `trellis measure`"), std::string::npos) << wrong.err;
}

TEST_F(PlanProgram, NumbersAreConsistent) {
  const auto json = plan("--devices 1,2,4,8");
  ASSERT_EQ(json["devices"].size(), 4U);
  for (const auto& entry : json["devices"]) {
    double memory = 0, seconds = 0;
    for (const auto& [label, bytes] : entry["memory"].items()) memory += bytes.get<double>();
    for (const auto& kernel : entry["kernels"]) seconds += kernel["seconds"].get<double>();
    EXPECT_NEAR(entry["memory_bytes"].get<double>(), memory, 1);
    const auto& trajectory = entry["trajectory"];
    EXPECT_NEAR(trajectory["seconds"].get<double>(), seconds, 1e-9 * seconds);
    EXPECT_NEAR(entry["node_hours"].get<double>(),
                entry["nodes"].get<int>() * trajectory["seconds"].get<double>() * 40 / 3600, 1e-9);
    for (int mu = 0; mu < 4; ++mu)
      EXPECT_EQ(entry["grid"][mu].get<int>() * entry["block"][mu].get<int>(), mu == 3 ? 8 : 4);
    EXPECT_EQ(entry["nodes"].get<int>(), (entry["devices"].get<int>() + 1) / 2);
  }
  EXPECT_EQ(json["devices"][0]["sent_bytes"].get<double>(), 0);
  EXPECT_GT(json["devices"][1]["sent_bytes"].get<double>(), 0);
  EXPECT_EQ(json["disk"]["configurations"], 4);
  EXPECT_EQ(json["disk"]["configuration_bytes"], 512 * 576);
}

TEST_F(PlanProgram, IterationsThatAreKnown) {
  const auto iterations = [](const nlohmann::json& json, const std::string& term) {
    double sum = 0, solves = 0;
    for (const auto& solve : json["solves"])
      if (solve["term"] == term) {
        sum += solve["solves"].get<double>() * solve["iterations"].get<double>();
        solves += solve["solves"].get<double>();
      }
    return std::pair{sum, solves};
  };
  const auto bound = plan("--devices 1");
  const auto one = plan("--devices 1 --iterations 50");
  for (const char* term : {"l_1", "l_2", "s"}) {
    const auto [sum, solves] = iterations(one, term);
    EXPECT_NEAR(sum, 50 * solves, 1e-6);
  }
  EXPECT_LT(one["devices"][0]["trajectory"]["seconds"], bound["devices"][0]["trajectory"]["seconds"]);
  const auto some = plan("--devices 1 --iterations l_1=70 s=20");
  EXPECT_NEAR(iterations(some, "l_1").first, 70 * iterations(some, "l_1").second, 1e-6);
  EXPECT_EQ(iterations(some, "l_2"), iterations(bound, "l_2"));
  write("run.csv", "trajectory,iterations_l_1,iterations_l_2,iterations_s\n1,500,200,100\n2,700,,140\n");
  const auto table = plan("--devices 1 --table run.csv");
  EXPECT_NEAR(iterations(table, "l_1").first, 600, 1e-6);
  EXPECT_NEAR(iterations(table, "l_2").first, 200, 1e-6);
  EXPECT_NEAR(iterations(table, "s").first, 120, 1e-6);
}

TEST_F(PlanProgram, KernelsOfARun) {
  write("run-kernels.csv",
        "kernel,precision,calls,seconds,share,gbytes_per_second,of_bandwidth,gflops_per_second,of_peak\n"
        "staggered operator,double,10,1,0.5,5,0.25,1,0.01\noutside kernels,,,0.1,0.1,,,,\n");
  const auto of = [](const nlohmann::json& json, const char* name) {
    for (const auto& kernel : json["devices"][0]["kernels"])
      if (kernel["kernel"] == name) return kernel["computing"].get<double>();
    return 0.0;
  };
  const auto before = plan("--devices 1"), after = plan("--devices 1 --kernels run-kernels.csv");
  EXPECT_NEAR(of(after, "staggered operator"), 2 * of(before, "staggered operator"), 1e-9);
  EXPECT_EQ(of(after, "update links"), of(before, "update links"));
}

TEST_F(PlanProgram, ByItself) {
  const auto all = plan("");
  int before = 0;
  for (const auto& entry : all["devices"]) {
    EXPECT_GT(entry["devices"].get<int>(), before);
    before = entry["devices"].get<int>();
  }
  EXPECT_EQ(before, 32);  // 2 x 2 x 2 x 4 blocks of 2^4 sites
  write("alone.toml",
        "[node]\nname = \"n\"\n[device]\nname = \"d\"\nmemory_bytes = 1e5\ntriad = [1e10]\nsingle_flops = 2e11\n"
        "double_flops = 1e11\n");
  const auto outcome = trellis("plan in.toml --machine alone.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("does not fit"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("do not say what messages between 2 devices cost"), std::string::npos) << outcome.out;
}

TEST_F(PlanProgram, WhatIsWrong) {
  write("pure.toml", symanzik);
  write("files.toml", "[configurations]\nfiles = [\"a\"]\n");
  write("other.csv", "trajectory,iterations_x\n1,5\n");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"plan", "INPUT is required"},
      {"plan in.toml", "--machine is required"},
      {"plan in.toml --machine none.toml", "none.toml: there is no such file"},
      {"plan none.toml --machine m.toml", "none.toml: there is no such file"},
      {"plan in.toml --machine in.toml", "node: missing"},
      {"plan files.toml --machine m.toml", "this is an input of `trellis measure`, not of `trellis run`"},
      {"plan in.toml --machine m.toml --devices 3", "does not divide over 3 ranks; 1, 2, 4, 8"},
      {"plan in.toml --machine m.toml --devices 5000", "found 5000, expected numbers from 1 to 4096"},
      {"plan in.toml --machine m.toml --iterations many", "found 'many', expected a number"},
      {"plan in.toml --machine m.toml --iterations l1=5", "'l1' is no term of quarks; did you mean 'l_1'?"},
      {"plan in.toml --machine m.toml --iterations 5 --table other.csv", "not both"},
      {"plan in.toml --machine m.toml --table other.csv", "other.csv: has no column 'iterations_l_1'"},
      {"plan pure.toml --machine m.toml --iterations 5", "there are no quarks"},
      {"plan in.toml --machine m.toml --devices 1,2 --show 4", "there is no plan for that many devices"},
      {"plan in.toml --mahcine m.toml", "unknown option '--mahcine'; did you mean '--machine'?"},
  };
  for (const auto& [arguments, part] : cases) {
    const auto outcome = trellis(arguments);
    EXPECT_NE(outcome.code, 0) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << arguments << "\n" << outcome.err;
  }
}

TEST_F(PlanProgram, OfThisMachine) {
  try {
    require_device();
  } catch (const std::exception& error) {
    GTEST_SKIP() << error.what();
  }
  const auto wrong = trellis("bench machine --output no/such/folder.toml");
  EXPECT_EQ(wrong.code, 2) << wrong.err;
  const auto measured =
      trellis("bench machine --seconds 1e-6 --lattice 4,4,4,4 --largest-arrays 4e6 --output here.toml");
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_NE(text_of(at("here.toml")).find("mpirun"), std::string::npos);
  const auto outcome = trellis("plan in.toml --machine here.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace trellis::app
