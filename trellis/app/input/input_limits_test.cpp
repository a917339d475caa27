// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Absurdly large inputs: a clear error that names the key, immediately.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/message_of.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

const std::string kSmallGauge = "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 6\n";
const std::string kChain = "[chain]\ntrajectories = 20\n";

std::string run_message(const std::string& more, const std::string& chain = kChain) {
  return test::message_of<InputError>([&] { parse_run_input(kSmallGauge + chain + more, "in.toml"); });
}

// Each with a part of its message, which is short and appears soon.
void expect_messages(const Pairs& cases) {
  for (const auto& [more, part] : cases) {
    const auto begin = std::chrono::steady_clock::now();
    const auto message = run_message(more);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << part;
    EXPECT_NE(message.find(part), std::string::npos) << message.substr(0, 1000) << "\n" << part;
    EXPECT_LT(message.size(), 700U) << message.substr(0, 1000);
  }
}

std::string many(std::size_t count, const std::function<std::string(std::size_t)>& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text(i);
  return all;
}

TEST(InputLimits, NamesThatNoFileCanHave) {
  const std::string control = "contains a control character";
  const auto long_name = std::string(300, 'x'), longer = std::string(5000, 'x');
  expect_messages({
      {"[output]\nname = \"" + long_name + "\"", "output.name: found \"xxx"},
      {"[output]\nname = \"" + longer + "\"", "of 5000 bytes, expected a name of at most 255"},
      {"[output]\nname = \"" + std::string(221, 'x') + "\"", "of 221 bytes, expected at most 220: it begins the names"},
      {"[output]\nname = \"a\\u0000b\"", "output.name: " + control},
      {"[output]\nname = \"a\\nb\"", "output.name: " + control},
      {"[output]\nname = \"/" + longer + "\"", "output.name: found \"/xxx"},
      {"[output]\ndirectory = \"a/" + long_name + "/b\"", "output.directory: found \"xxx"},
      {"[output]\ndirectory = \"" + many(2500, [](auto) { return "a/"; }) + "\"", "output.directory: has 5000 bytes"},
      {"[output]\ndirectory = \"a\\u001b[2Jb\"", "output.directory: " + control},
      {"[start]\nkind = \"file\"\nfile = \"a\\u0000b\"", "start.file: " + control},
      {"[start]\nkind = \"file\"\nfile = \"" + longer + "\"", "start.file: found \"xxx"},
      {"[[flavours]]\nname = \"a\\u0000b\"\nmass = 1", "flavours[0].name: found \"a"},
      {"[[flavours]]\nname = \"" + std::string(61, 'x') + "\"\nmass = 1", "of 61 letters, expected at most 60"},
      {"[[flavours]]\nname = \"" + std::string(100000, 'X') + "\"\nmass = 1", "expected lower-case letters"},
      {"[machine]\nsite_order = \"" + longer + "\"", "machine.site_order: found \"xxx"},
      {"[measure]\nobservables = [\"" + longer + "\"]", "measure.observables: found \"xxx"},
  });
  EXPECT_NE(run_message("stop_file = \"a\\u0007\"").find("chain.stop_file: " + control), std::string::npos);
  EXPECT_EQ(run_message("[output]\nname = \"" + std::string(220, 'x') + "\""), "accepted");
  EXPECT_EQ(run_message("[[flavours]]\nname = \"" + std::string(60, 'x') + "\"\nmass = 1"), "accepted");
}

TEST(InputLimits, NumbersWithoutSense) {
  expect_messages({
      {"[measure.flow]\ntolerance = 1e-15", "measure.flow.tolerance: found 1e-15, expected 0, or 1e-13 to 1"},
      {"[measure.flow]\ntime_interval = 1e-12",
       "measure.flow.time_interval: found 1e-12, which makes 4e+12 points up to time_max = 4; expected at most 1e+06"},
      {"[measure.flow]\nstep = 1e-300", "measure.flow.step: found 1e-300, which makes 4e+300 steps"},
      {"[[flavours]]\nname = \"l\"\nmass = 1e-9",
       "flavours[0].mass: found the number 1e-09, expected a number of at "
       "least 1e-06 and at most 1000"},
      {"[rational]\nlargest_eigenvalue = 1e-300\n[[flavours]]\nname = \"l\"\nmass = 1",
       "rational.largest_eigenvalue: found the number 1e-300, expected a number of at least 0.01 and at most 16"},
  });
  EXPECT_NE(test::message_of<InputError>([] {
              parse_run_input("[lattice]\nsize = [512, 512, 512, 32]\n[action]\nbeta = 6\n" + kChain, "in.toml");
            }).find("start at least 2 ranks"),
            std::string::npos);
}

TEST(InputLimits, TooMuchOfEverything) {
  const auto flavour = [](std::size_t i) { return "[[flavours]]\nname = \"l" + std::to_string(i) + "\"\nmass = 1\n"; };
  expect_messages({
      {many(100000, flavour), "flavours: found 100000, expected at most 1000"},
      {std::string(3000000, 'k') + " = 1", "kkk...: unknown key"},
      {"[lattices]\n" + std::string(3000000, 'k') + " = 1", "lattices: unknown key"},
      {"[start]\nkind = \"" + std::string(3000000, 'k') + "\"", "start.kind: found the string \"kkk"},
      {many(100000, [](auto i) { return "k" + std::to_string(i) + " = 1\n"; }), "(unknown keys in all: 100000)"},
      {"a = " + std::string(200000, '['), "this is not TOML"},
      {"a = " + many(200000, [](auto) { return "{a="; }), "this is not TOML"},
      {many(200000, [](auto) { return "a."; }) + "a = 1", "in.toml:7: a key of more than 16 parts"},
      {"[" + many(200000, [](auto) { return "\"a\"."; }) + "a]", "a key of more than 16 parts"},
      {"a = {" + many(200000, [](auto) { return "a . "; }) + "a = 1}", "a key of more than 16 parts"},
  });
  EXPECT_EQ(run_message("[output]\nname = \"many.dots.in.a.name.are.no.key.with.many.parts.as.one.can.see.here.too\""),
            "accepted");
  EXPECT_EQ(run_message("# it. is. a. comment. with. many. dots. as. some. are. that. nobody. likes. so. it. is. ok"),
            "accepted");
}

TEST(InputLimits, FilesThatAreNoInput) {
  const io::test::TempFolder folder;
  const auto reading = [&](const std::string& text) {
    const auto file = io::test::write_all(folder / "in.toml", text);
    return test::message_of<InputError>([&] { read_run_input(file); });
  };
  const auto file = (folder / "in.toml").string();
  for (const std::string nothing : {"", "\n \t\r\n"})
    EXPECT_EQ(reading(nothing), file + ": is empty; expected a TOML file, as those in examples/ are");
  EXPECT_EQ(reading(std::string((4 << 20) + 1, '#')), file + ": has more than 4 MiB; expected a TOML file");
  EXPECT_EQ(test::message_of<InputError>([] { read_run_input("/dev/zero"); }),
            "/dev/zero: has more than 4 MiB; expected a TOML file");
  EXPECT_EQ(reading(kSmallGauge + kChain), "accepted");
}

// An unknown key says more than a missing one.
TEST(InputLimits, UnknownKeysComeFirst) {
  expect_messages({{"[[flavours]]\nname = \"l\"\nkappa = 0.12", "flavours[0].kappa: unknown key; known are"},
                   {"[[flavours]]\nnames = \"l\"\nmass = 1", "flavours[0].names: unknown key; did you mean 'name'?"}});
  EXPECT_NE(test::message_of<InputError>([] {
              parse_measure_input("[configurations]\nfiles = [\"x\"]\n[measure.wuppertal]\nsteps = 3\n", "in.toml");
            }).find("measure.wuppertal: unknown key; known are"),
            std::string::npos);
}

}  // namespace
}  // namespace trellis::app
