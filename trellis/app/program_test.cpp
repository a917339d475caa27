// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The program as its users see it: exit codes, and what is printed where.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/support/program.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::app {
namespace {

using test::Outcome;

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

TEST_F(Program, HelpListsAllObservables) {
  for (const auto* command : {"measure", "run"})
    for (const auto* name :
         {"polyakov", "topological_charge", "energy", "parallelogram", "eta_derivative", "plaquette", "rectangle"})
      EXPECT_NE(trellis(fmt::format("{} --help", command)).out.find(fmt::format("\n  {} ", name)), std::string::npos)
          << command << " " << name;
}

TEST_F(Program, VersionAndHelp) {
  const auto version = trellis("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("trellis ", 0), 0U);
  const auto help = trellis("--help");
  EXPECT_EQ(help.code, 0);
  for (const auto* command : {"new", "run", "measure", "reproduce", "inspect", "convert", "verify", "bench", "plan",
                              "tune", "rational", "info", "man", "completions"}) {
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

// A reader that goes away is no failure of a run; of a command whose output is all that it does, it is.
TEST_F(Program, ARunWhoseReaderGoesAwaySucceeds) {
  const auto input = at("pure.toml");
  std::ofstream(input) << "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 5.7\n[algorithm]\nkind = \"heatbath\"\n"
                          "[chain]\ntrajectories = 3\n[output]\ndirectory = \""
                       << at("runs") << "\"\nname = \"pure\"\n";
  const auto code_of = [&](const std::string& arguments, const std::string& reader) {
    const auto line = "trap '' PIPE; ( sleep 0.2; '" TRELLIS_PROGRAM "' " + arguments + " 2>'" + at("stderr") +
                      "'; echo $? >'" + at("code") + "' ) " + reader;
    EXPECT_EQ(std::system(line.c_str()), 0);
    return text_of(at("code"));
  };
  EXPECT_EQ(code_of("run '" + input + "'", "| true"), "0\n");
  EXPECT_EQ(text_of(at("stderr")), "");
  EXPECT_EQ(code_of("info", "| true"), "1\n");
  std::filesystem::remove_all(at("runs"));
  EXPECT_EQ(code_of("run '" + input + "'", ">/dev/full"), "1\n");
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

// The published error of M. A. Clark and A. D. Kennedy's example.
TEST_F(Program, RationalApproximations) {
  const std::string fourth_root = "rational --power=-1/4 --interval 4e-7,1 ";
  const auto text = trellis(fourth_root + "--order 19");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("largest relative error 7.8960e-10;"), std::string::npos) << text.out;
  const auto json = nlohmann::json::parse(trellis(fourth_root + "--error 7.9e-10 --digits 30 --json").out);
  EXPECT_EQ(json["order"], 19);
  const auto value = [](const nlohmann::json& r, double x) {
    double sum = r["constant"];
    for (std::size_t i = 0; i < r["poles"].size(); ++i) sum += double(r["residues"][i]) / (x + double(r["poles"][i]));
    return sum;
  };
  for (const double x : {4e-7, 1e-4, 0.3, 1.0}) {
    EXPECT_LT(std::abs(value(json["r"], x) * std::pow(x, 0.25) - 1), 7.9e-10) << x;
    EXPECT_LT(std::abs(value(json["inverse"], x) * std::pow(x, -0.25) - 1), 7.9e-10) << x;
  }
  EXPECT_EQ(std::stod(json["digits"]["poles"][0].get<std::string>()), json["r"]["poles"][0].get<double>());
  // Errors below those of double precision, for numbers with more digits.
  const auto fine =
      nlohmann::json::parse(trellis("rational --power=-1/4 --interval 0.01,1 --error 1e-20 --digits 40 --json").out);
  EXPECT_LE(fine["levelled_error"].get<double>(), 1e-20);
  EXPECT_GT(fine["levelled_error"].get<double>(), 1e-23);
  // A ratio of two masses, in two ways.
  const auto ratio = trellis("rational --power=-1/4 --ratio 0.01 --interval 1e-4,5 --order 8 --json");
  EXPECT_EQ(ratio.code, 0) << ratio.err;
  EXPECT_EQ(ratio.out, trellis("rational --factor 0:-1/4 --factor 0.01:0.25 --interval 1e-4,5 --order 8 --json").out);
  EXPECT_NEAR(value(nlohmann::json::parse(ratio.out)["r"], 0.02), std::pow(0.02 / 0.03, -0.25), 1e-7);
  for (const auto& [arguments, part] : std::vector<std::pair<std::string, std::string>>{
           {"--interval 1,2 --order 3", "which function?"},
           {"--power 1/0 --interval 1,2 --order 3", "divides by 0"},
           {"--power x --interval 1,2 --order 3", "--power: found 'x'"},
           {"--power=-1/4 --interval 1 --order 3", "--interval: found '1'"},
           {"--power=-1/4 --interval 2,1 --order 3", "[2, 1] is not a valid interval"},
           {"--power=-1/4 --interval 1,2", "found neither"},
           {"--power=-1/4 --interval 1,2 --order 3 --error 1e-3", "not both"},
           {"--power=-1/4 --interval 1,2 --order 41", "[0, 40]"},
           {"--power=-1/4 --interval 1,2 --order 3 --digits 50", "--digits: found 50"},
           {"--power=-1 --interval 1,2 --order 3", "rational itself"},
           {"--power=-1/4 --interval 0.01,1 --error 1e-20",
            "in double precision are exact to; --digits 40 prints more"},
           {"--power=-1/4 --interval 0.01,1 --error 1e-20 --digits 18", "what numbers of 18 digits are exact to"},
           {"--power=-1/4 --interval 4e-7,1 --error 1e-20 --digits 40", "order 40 reaches"},
           {"--ratio 0.1 --interval 1,2 --order 3", "--ratio: needs --power"},
           {"--factor 0.1 --interval 1,2 --order 3", "--factor: found '0.1'"}}) {
    const auto outcome = trellis("rational " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
}

TEST_F(Program, BenchFilesTakesThePrecisionOfTheFormat) {
  for (const auto& [format, precision] : {std::pair{"milc", "single"}, {"openqcd", "double"}, {"nersc", "double"}}) {
    const auto outcome = trellis(std::string("bench files --lattice 4,4,4,4 --rounds 1 --format ") + format);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(std::string(precision) + " precision"), std::string::npos) << outcome.out;
  }
}

TEST_F(Program, BenchFilesLeavesNothingWhenInterrupted) {
  const auto folder = at("interrupted");
  std::filesystem::create_directory(folder);
  test::Process program({TRELLIS_PROGRAM, "bench", "files", "--lattice", "4,4,4,4", "--rounds", "1000000"},
                        {.folder = folder});
  const auto is_empty = [&] { return std::filesystem::is_empty(folder); };
  for (int n = 0; n < 1000 && is_empty() && !program.has_ended(); ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(is_empty());
  program.signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.code, 128 + SIGINT) << outcome.err;
  EXPECT_TRUE(is_empty());
}

// Even if it is killed and can do nothing.
TEST_F(Program, WhatABenchmarkStartsEndsWithIt) {
  const auto script = at("other.sh"), number = at("process");
  std::ofstream(script) << "#!/bin/sh\necho $$ > '" << number << ".new'\nmv '" << number << ".new' '" << number
                        << "'\nexec sleep 300\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto wait_until = [](const auto& condition) {
    for (int n = 0; n < 1000 && !condition(); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
  };
  test::Process program({TRELLIS_PROGRAM, "bench", "dslash", "--lattice", "4,4,4,4", "--against", script}, {});
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(number); }));
  const auto process = text_of(number).substr(0, text_of(number).find('\n'));
  // Gone, or dead with nobody to ask how it ended.
  const auto has_ended = [&] {
    std::ifstream status("/proc/" + process + "/stat");
    std::string id, name, state;
    return !(status >> id >> name >> state) || state == "Z";
  };
  EXPECT_FALSE(has_ended());
  program.signal(SIGKILL);
  program.wait();
  EXPECT_TRUE(wait_until(has_ended));
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
      {"convert a b --format bridge", "--format: found 'bridge', expected ildg or nersc or milc or openqcd"},
      {"convert a b.ildg --precision half", "unknown --precision 'half'; known are double, single"},
      {"bench --lattice 512,512,512,512", "bench: --lattice: fields of 512x512x512x512 take 2.2e+05 GB of memory, but"},
      {"bench staggered --lattice 512,512,512,512", "bench staggered: --lattice: fields of 512x512x512x512 take"},
      {"bench dslash --lattice 512,512,512,512", "bench dslash: --lattice: fields of 512x512x512x512 take"},
      {"bench scaling --strong 512x512x512x512", "bench scaling: --strong: fields of 512x512x512x512 take"},
      {"bench scaling --weak 512x512x512x512", "bench scaling: --weak: fields of 512x512x512x512 take"},
      {"bench files --lattice 512,512,512,512", "bench files: --lattice: fields of 512x512x512x512 take"},
      {"bench machine --lattice 512,512,512,512", "bench machine: --lattice: fields of 512x512x512x512 take"},
      {"tune --lattice 512,512,512,512", "tune: --lattice: fields of 512x512x512x512 take"},
      {"bench files --format nesrc", "unknown --format 'nesrc'; did you mean 'nersc'?"},
      {"bench --precision singel", "bench: --precision: found 'singel'; did you mean 'single'?"},
      {"bench staggered --precision half", "bench staggered: --precision: found 'half'; known are double, single"},
      {"bench files --format bridge-text", "unknown --format 'bridge-text'; known are ildg, nersc, milc, openqcd"},
      {"bench files --precision 16-bit", "unknown --precision '16-bit'; known are double, single"},
      {"bench files --format milc --precision double", "files of the format MILC are in single precision"},
      {"convert a.ildg a.ildg b", "found 3 files, expected IN and OUT; --folder"},
      {"convert a.ildg b.ildg --folder c", "--folder: needs --format"},
      {"info x", "not expected: x"},
      {"bench dslash --lattice 8,8,8", "--lattice: found '8,8,8', expected x,y,z,t"},
      {"bench staggered --lattice 8,8,8", "--lattice: found '8,8,8'"},
      {"bench files --lattice 8,8,8", "--lattice: found '8,8,8'"},
      {"tune --lattice 8,8,8", "--lattice: found '8,8,8'"},
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

TEST_F(Program, InspectPrintsALineForEachFile) {
  const auto outcome =
      trellis("inspect --brief " + data("milc/lat.sample.l4444") + " /none " + data("milc/lat.sample.l4448"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2) << outcome.out;
  EXPECT_NE(outcome.out.find("milc  4x4x4x8  single  plaquette 0.569055724369  rectangle 0.350194842726  Polyakov "
                             "0.00076656 +0.00055879 i  sound\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(trellis("inspect --brief --json " + data("milc/lat.sample.l4444")).code, 2);
}

TEST_F(Program, InspectSaysHowARunMadeAFile) {
  std::ofstream(at("i.toml")) << "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nname = \"wilson\"\nbeta = 5.25\n"
                                 "[[flavours]]\nname = \"up\"\nmass = 0.75\n[chain]\ntrajectories = 2\nseed = 11\n"
                                 "save_every = 1\n[output]\ndirectory = \""
                              << at("runs") << "\"\nname = \"i\"\n";
  const auto ran = trellis("run " + at("i.toml"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto outcome = trellis("inspect " + at("runs") + "/i.000002.ildg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string part : {"program = trellis ", "trajectory = 2", "seed = 11", "action.beta = 5.25",
                                 "flavours[0].name = \"up\"", "flavours[0].mass = 0.75"})
    EXPECT_NE(outcome.out.find("  made by      " + part), std::string::npos) << part << " in " << outcome.out;
  const auto json = trellis("inspect --json " + at("runs") + "/i.000001.ildg");
  const auto origin = nlohmann::json::parse(json.out)[0]["origin"];
  EXPECT_EQ(origin["trajectory"], "1");
  EXPECT_EQ(origin["action.beta"], "5.25");
  const auto brief = trellis("inspect --brief " + at("runs") + "/i.00000[12].ildg");
  EXPECT_NE(brief.out.find("  trajectory 1  sound\n"), std::string::npos) << brief.out;
  EXPECT_NE(brief.out.find("  trajectory 2  sound\n"), std::string::npos) << brief.out;
  // A converted file keeps that, and says more.
  for (const auto& [from, to, precision] : {std::tuple{at("runs") + "/i.000002.ildg", at("single.ildg"), "single"},
                                            {at("single.ildg"), at("again.ildg"), "double"}}) {
    const auto converted = trellis("convert " + from + " " + to + " --precision " + precision);
    ASSERT_EQ(converted.code, 0) << converted.err;
    const auto seen = trellis("inspect " + to);
    for (const std::string part :
         {"program = trellis ", "trajectory = 2", "seed = 11", "action.beta = 5.25", "flavours[0].mass = 0.75",
          "converted_from = i.000002.ildg", "converted_by = trellis", "precision = single"})
      EXPECT_NE(seen.out.find("  made by      " + part), std::string::npos) << part << " in " << seen.out;
    // Not the headers of the files that were read.
    EXPECT_EQ(seen.out.find("  made by      scidac"), std::string::npos) << seen.out;
  }
  EXPECT_NE(trellis("inspect " + at("again.ildg")).out.find("converted_from = single.ildg"), std::string::npos);
}

TEST_F(Program, InspectSaysWhatWasAppended) {
  std::filesystem::copy_file(data("milc/lat.sample.l4448.scidac"), at("more"));
  std::ofstream(at("more"), std::ios::app | std::ios::binary) << "some text";
  const auto outcome = trellis("inspect " + at("more"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("9 bytes after record"), std::string::npos) << outcome.err;
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

TEST_F(Program, NamesMayHaveLettersBeyondAscii) {
  const std::string name = "fü\u4e2d.ildg";
  ASSERT_EQ(trellis("convert " + data("milc/lat.sample.l4444") + " '" + at(name) + "'").code, 0);
  const auto milc = trellis("convert '" + at(name) + "' " + at("b.milc"));
  EXPECT_EQ(milc.code, 0) << milc.err;
  EXPECT_NE(text_of(at("b.milc.info")).find("converted from f??.ildg"), std::string::npos)
      << text_of(at("b.milc.info"));
  for (const auto* how : {"", "--brief ", "--json "}) {
    const auto inspected = trellis(std::string("inspect ") + how + "'" + at(name) + "'");
    EXPECT_NE(inspected.out.find(name), std::string::npos) << inspected.out;
  }
}

TEST_F(Program, ConvertSaysWhatIsNoFileOfItsKinds) {
  std::filesystem::create_directory(at("columns"));
  for (const auto* name : {"spin1", "spin0"}) std::ofstream(at("columns") + "/" + name) << "x";
  std::ofstream(at("damaged.h5"), std::ios::binary) << "\x89HDF\r\n\x1a\n and no more";
  for (const auto& [file, message] :
       {std::pair{at("columns"), "is a folder, expected a regular file, such as " + at("columns") + "/spin0"},
        {at("damaged.h5"), std::string("not a gauge configuration, but damaged HDF5 (cannot open as HDF5: ")}}) {
    for (const auto& command : {"convert " + file + " " + at("new.h5") + " --format ildg", "inspect " + file}) {
      const auto outcome = trellis(command);
      EXPECT_EQ(outcome.code, 2) << command;
      EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    }
  }
}

TEST_F(Program, ConvertsManyFilesIntoAFolder) {
  const auto a = data("milc/lat.sample.l4444"), b = data("milc/lat.sample.l4448.scidac");
  std::ofstream(at("broken")) << "no configuration";
  const auto outcome = trellis("convert " + a + " " + at("broken") + " " + b + " --format nersc --folder " + at("new"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("broken: not a gauge configuration"), std::string::npos) << outcome.err;
  for (const auto* part :
       {"1/3 ", "new/lat.sample.l4444.nersc: NERSC", "3/3 ", "new/lat.sample.l4448.nersc: NERSC", "checksums nersc "})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
  EXPECT_EQ(trellis("inspect " + at("new") + "/lat.sample.l4444.nersc " + at("new") + "/lat.sample.l4448.nersc").code,
            0);
  EXPECT_FALSE(std::filesystem::exists(at("new/broken.nersc")));
  const auto lacking = trellis("convert " + at("none") + " " + a + " --format milc --folder " + at("more"));
  EXPECT_EQ(lacking.code, 2);
  EXPECT_NE(lacking.err.find("none"), std::string::npos) << lacking.err;
  EXPECT_TRUE(std::filesystem::exists(at("more/lat.sample.l4444.milc"))) << lacking.out;
  // The .info beside a MILC file is no configuration of its own.
  const auto both = trellis("inspect --brief " + at("more") + "/*");
  EXPECT_EQ(both.code, 0) << both.err;
  // Two names that would become one are refused before anything is written.
  const auto twice =
      trellis("convert " + b + " " + data("milc/lat.sample.l4448") + " --format ildg --folder " + at("one"));
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find("would both become"), std::string::npos) << twice.err;
  EXPECT_FALSE(std::filesystem::exists(at("one")));
}

TEST_F(Program, BenchHasColumns) {
  const auto outcome = trellis("bench --lattice 4,4,4,4 --precision double --seconds 1e-6");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::size_t column = 0;  // where GB/s end
  int kernels = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("kernel ")) {
      column = line.find("GB/s") + 4;
    } else if (column > 0 && line.find('%') != std::string::npos && !line.starts_with("The ")) {
      ++kernels;
      EXPECT_EQ(line.substr(column, 3).find_first_not_of(' '), std::string::npos) << line;
      EXPECT_TRUE(std::isdigit(line[column - 1])) << line;
    }
  }
  EXPECT_EQ(kernels, 6) << outcome.out;
}

TEST_F(Program, BenchStaggered) {
  const auto outcome = trellis("bench staggered --lattice 4,4,4,4 --precision double --rhs 1 2 --seconds 1e-6 --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto kernels = nlohmann::json::parse(outcome.out)["kernels"];
  const auto expect_both = [&](const std::string& name) {
    std::vector<int> vectors;
    for (const auto& kernel : kernels)
      if (kernel["kernel"] == name) {
        vectors.push_back(kernel["vectors"].get<int>());
        EXPECT_GT(kernel["of_mix"].get<double>(), 0) << name;
      }
    EXPECT_EQ(vectors, (std::vector<int>{1, 2})) << name;
  };
  expect_both("D_eo");
  expect_both("D_eo HISQ");
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
