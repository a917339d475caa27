// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The program as its users see it: exit codes, and what is printed where.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "trellis/core/config.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::app {
namespace {

struct Outcome {
  int code = -1;
  std::string out, err;
};

class Program : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("trellis_program_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  static std::string data(const std::string& name) { return std::string(TRELLIS_TEST_DATA) + "/" + name; }
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  Outcome trellis(const std::string& arguments) const {
    const auto command = "'" TRELLIS_PROGRAM "' " + arguments + " >'" + at("stdout") + "' 2>'" + at("stderr") + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "stdout"), text_of(folder_ / "stderr")};
  }

  std::filesystem::path folder_;
};

TEST_F(Program, VersionAndHelp) {
  const auto version = trellis("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("trellis ", 0), 0U);
  const auto help = trellis("--help");
  EXPECT_EQ(help.code, 0);
  for (const auto* command : {"new", "run", "measure", "reproduce", "inspect", "convert", "verify", "bench", "plan",
                              "tune", "info", "man", "completions"}) {
    EXPECT_NE(help.out.find(std::string("\n  ") + command), std::string::npos) << command;
    const auto own = trellis(std::string(command) + " --help");
    EXPECT_EQ(own.code, 0);
    EXPECT_NE(own.out.find(std::string("Example: trellis ") + command), std::string::npos) << own.out;
  }
}

// As if started by a daemon that closed all three streams, or with output to a full disk.
TEST_F(Program, StandardStreamsThatAreClosedOrFull) {
  const auto input = at("pure.toml");
  std::ofstream(input) << "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nname = \"wilson\"\nbeta = 5.7\n[algorithm]\nkind "
                          "= \"heatbath\"\n[chain]\ntrajectories = 3\n"
                          "[measure]\nevery = 1\n[output]\ndirectory = \""
                       << at("runs") << "\"\nname = \"pure\"\n";
  const auto shell = [&](const std::string& arguments) {
    const int status = std::system(("'" TRELLIS_PROGRAM "' " + arguments).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  ASSERT_EQ(shell("run '" + input + "' <&- >&- 2>&-"), 0);
  const auto table = text_of(at("runs") + "/pure.csv");
  std::filesystem::remove_all(at("runs"));
  ASSERT_EQ(trellis("run '" + input + "'").code, 0);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << table;
  EXPECT_EQ(table.find("trellis"), std::string::npos) << "printed text ended up in the table: " << table;
  for (const auto* command : {"inspect none.ildg", "run none.toml", "inspect"}) {
    EXPECT_EQ(shell(std::string(command) + " 2>/dev/full"), 2) << command << ": the exit code of the error, unread";
  }
  EXPECT_EQ(shell("info >/dev/full 2>'" + at("stderr") + "'"), 1);
  EXPECT_NE(text_of(at("stderr")).find("standard output cannot be written"), std::string::npos);
}

TEST_F(Program, ErrorsDoNotMoveTheTerminal) {
  const auto outcome = trellis("inspect \"$(printf 'a\\033[31mb')\"");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("a\\x1b[31mb"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find('\033'), std::string::npos);
}

TEST_F(Program, MoreThreadsThanAnyMachineHasAreRefused) {
  const int status =
      std::system(("OMP_NUM_THREADS=1000000 '" TRELLIS_PROGRAM "' info >/dev/null 2>'" + at("stderr") + "'").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(text_of(at("stderr")).find("OMP_NUM_THREADS is 1000000; this machine has "), std::string::npos);
}

TEST_F(Program, BenchMachinePrintsUnlessAFileIsNamed) {
  const std::string quick = "bench machine --no-kernels --seconds 0.001 --largest-arrays 1048576";
  const auto printed = trellis(quick);
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_NE(printed.out.find("triad"), std::string::npos) << printed.out;
  EXPECT_EQ(trellis(quick + " --output '" + at("machine.toml") + "'").code, 0);
  EXPECT_NE(text_of(at("machine.toml")).find("triad"), std::string::npos);
}

TEST_F(Program, WrongCommandLines) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "A subcommand is required; see trellis --help"},
      {"inspct x", "unknown subcommand 'inspct'; did you mean 'inspect'?"},
      {"xyzzy", "unknown subcommand 'xyzzy'; known are "},
      {"inspect", "FILE is required; see trellis inspect --help"},
      {"bench dslash --threads", "see trellis bench dslash --help"},
      {"inspect --jsno x", "inspect: unknown option '--jsno'; did you mean '--json'?"},
      {"inspect --size 4,4 x", "--size: found '4,4', expected x,y,z,t"},
      {"convert a b", "b: its extension matches no format"},
      {"convert a b --format openqcd", "--format: found 'openqcd', expected ildg or nersc or milc"},
      {"convert a b.ildg --precision half", "unknown --precision 'half'; known are double, single"},
      {"bench files --precision 16-bit", "unknown --precision '16-bit'; known are double, single"},
      {"convert a.ildg a.ildg b", "not expected: b"},
      {"info x", "not expected: x"},
      {"bench staggered --rsh 1", "unknown option '--rsh'; did you mean '--rhs'?"},
  };
  for (const auto& [arguments, part] : cases) {
    const auto outcome = trellis(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.rfind("trellis: error: ", 0), 0U) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST_F(Program, InspectLooksAtEveryFile) {
  const auto outcome = trellis("inspect " + data("milc/lat.sample.l4444") + " /none " + data("milc/lat.sample.l4448"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("4x4x4x4"), std::string::npos);
  EXPECT_NE(outcome.out.find("4x4x4x8"), std::string::npos);
  EXPECT_NE(outcome.err.find("/none"), std::string::npos);
  const auto json = trellis("inspect --json " + data("milc/lat.sample.l4444") + " /none");
  EXPECT_EQ(json.code, 2);
  const auto list = nlohmann::json::parse(json.out);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["size"], (std::vector<int>{4, 4, 4, 4}));
  EXPECT_NEAR(list[0]["plaquette"].get<double>(), 0.594850158947, 1e-9);
  EXPECT_TRUE(list[1].contains("error"));
}

TEST_F(Program, InspectSaysWhenAFileIsNotSound) {
  auto bytes = text_of(data("milc/lat.sample.l4444"));
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(at("bad"), std::ios::binary) << bytes;
  const auto outcome = trellis("inspect " + at("bad"));
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
}

TEST_F(Program, ConvertsThereAndBack) {
  const auto there = trellis("convert " + data("milc/lat.sample.l4444") + " " + at("a.ildg") + " --precision double");
  EXPECT_EQ(there.code, 0) << there.err;
  EXPECT_NE(there.out.find("double precision"), std::string::npos);
  EXPECT_EQ(trellis("convert " + at("a.ildg") + " " + at("b.nersc")).code, 0);
  EXPECT_EQ(trellis("inspect " + at("a.ildg") + " " + at("b.nersc")).code, 0);
  // A bad input leaves existing output alone.
  const auto before = text_of(at("b.nersc"));
  EXPECT_EQ(trellis("convert /none " + at("b.nersc")).code, 2);
  EXPECT_EQ(text_of(at("b.nersc")), before);
}

TEST_F(Program, BenchStaggered) {
  const auto outcome = trellis("bench staggered --lattice 4,4,4,4 --precision double --rhs 1 2 --seconds 1e-6 --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto kernels = nlohmann::json::parse(outcome.out)["kernels"];
  ASSERT_GE(kernels.size(), 3U);
  EXPECT_EQ(kernels[1]["kernel"], "D_eo");
  EXPECT_EQ(kernels[1]["vectors"], 2);
  EXPECT_GT(kernels[1]["of_mix"].get<double>(), 0);
  const auto groups =
      trellis("bench staggered --lattice 4,4,4,8 --precision double --rhs 8 --seconds 1e-6 --json --groups");
  if (fields_on_host) {
    EXPECT_EQ(groups.code, 2);
    EXPECT_NE(groups.err.find("trellis bench spmd --kernel staggered"), std::string::npos) << groups.err;
  } else {
    EXPECT_EQ(nlohmann::json::parse(groups.out)["groups"][0]["vectors"], 8) << groups.err;
  }
  const auto help = trellis("bench staggered --help");
  EXPECT_NE(help.out.find("Example: trellis bench staggered"), std::string::npos) << help.out;
}

TEST_F(Program, Info) {
  const auto outcome = trellis("info --json");
  EXPECT_EQ(outcome.code, 0);
  const auto facts = nlohmann::json::parse(outcome.out);
  EXPECT_GE(facts["threads"].get<int>(), 1);
  const auto devices = find_devices();
  EXPECT_EQ(facts.contains("cuda"), !devices.runtime.empty());
  if (facts.contains("cuda")) {
    EXPECT_EQ(facts["cuda"]["devices"].size(), devices.found.size());
    EXPECT_EQ(facts["cuda"]["compiled_for"], devices.architectures);
  }
  EXPECT_EQ(trellis("info").code, 0);
}

#if defined(TRELLIS_DEVICE_BACKEND)
TEST_F(Program, SaysThatThereIsNoGpu) {
  const auto why = find_devices().why_none;
  if (why.empty()) GTEST_SKIP() << "there is one";
  const auto info = trellis("info");
  EXPECT_EQ(info.code, 0);
  EXPECT_NE(info.out.find(why), std::string::npos) << info.out;
  EXPECT_EQ(trellis("inspect " + data("milc/lat.sample.l4444")).code, 0);
  EXPECT_EQ(trellis("convert " + data("milc/lat.sample.l4444") + " " + at("a.ildg")).code, 0);
  std::ofstream(at("input.toml")) << fmt::format(
      "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nname = \"symanzik\"\nbeta = 4.0\n[start]\nkind = \"hot\"\n"
      "[algorithm]\nsteps = 5\n[chain]\ntrajectories = 2\nseed = 7\n[output]\ndirectory = \"{}\"\n",
      at("run"));
  const auto run = trellis("run " + at("input.toml"));
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "trellis: error: " + why + "\n");
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}
#endif

}  // namespace
}  // namespace trellis::app
