// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Man pages and completions, --version and TRELLIS_ISA, as shells and users see them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/support/program.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

using test::Outcome;
using test::Process;

Outcome shell(const std::string& line) {
  return Process({"/bin/bash", "-c", line}, {.folder = std::filesystem::temp_directory_path()}).wait();
}
Outcome program(const std::string& words) { return shell("'" TRELLIS_PROGRAM "' " + words); }
bool has(const std::string& tool) { return shell("command -v " + tool).code == 0; }

TEST(Pages, EachOptionOfEachCommandIsInItsManPage) {
  int options = 0;
  for (const std::string command :
       {"", "run", "measure", "report", "inspect", "convert", "verify", "bench", "bench dslash", "bench scaling",
        "bench trajectory", "bench compare", "plan", "tune", "info", "man", "completions"}) {
    const auto page = program("man " + command), help = program(command + " --help");
    ASSERT_EQ(page.code, 0) << page.err;
    EXPECT_EQ(page.out.rfind(".TH TRELLIS", 0), 0U);
    EXPECT_NE(page.out.find("\n.SH NAME\ntrellis"), std::string::npos);
    const std::regex option("--[a-z][-a-z]*");
    for (std::sregex_iterator at(help.out.begin(), help.out.end(), option), end; at != end; ++at, ++options) {
      const auto name = std::regex_replace(at->str(), std::regex("-"), "\\-");
      EXPECT_NE(page.out.find(name), std::string::npos) << command << " " << at->str();
    }
  }
  EXPECT_GT(options, 50);
}

TEST(Pages, RoffFindsNothingWrong) {
  if (!has("groff")) GTEST_SKIP() << "no groff here";
  const io::TemporaryFolder folder;
  const auto path = folder.path().string();
  ASSERT_EQ(program("man --directory " + path).code, 0);
  const auto checked = shell("cd " + path + " && ls *.1 | wc -l && groff -ww -man -Tutf8 *.1 >/dev/null");
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.err, "");
  EXPECT_GE(std::stoi(checked.out), 17);
}

TEST(Pages, WrongWords) {
  const auto command = program("man bench dslsh");
  EXPECT_EQ(command.code, 2);
  EXPECT_NE(command.err.find("did you mean 'trellis bench dslash'?"), std::string::npos) << command.err;
  const auto other = program("completions tcsh");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("bash, zsh and fish"), std::string::npos) << other.err;
}

TEST(Pages, BashCompletes) {
  // What bash does on Tab: the words so far, the last one unfinished.
  const auto completed = [](const std::string& words) {
    return shell("eval \"$('" TRELLIS_PROGRAM "' completions bash)\"; COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _trellis; echo \"${COMPREPLY[*]}\"")
        .out;
  };
  EXPECT_EQ(completed("trellis b"), "bench\n");
  EXPECT_EQ(completed("trellis bench ds"), "dslash\n");
  EXPECT_EQ(completed("trellis bench dslash --la"), "--lattice --lanes --layout\n");
  EXPECT_EQ(completed("trellis inspect --j"), "--json\n");
  EXPECT_EQ(completed("trellis inspect a.ildg --s"), "--size\n");
  EXPECT_EQ(completed("trellis run ru"), "\n");
}

TEST(Pages, OtherShellsReadTheirCompletions) {
  for (const std::string other : {"bash", "zsh", "fish"}) {
    if (!has(other)) continue;
    const auto checked = shell("'" TRELLIS_PROGRAM "' completions " + other + " | " + other + " -n /dev/stdin");
    EXPECT_EQ(checked.code, 0) << other;
    EXPECT_EQ(checked.err, "") << other;
  }
  if (!has("fish")) return;
  const io::TemporaryFolder folder;
  const auto file = (folder / "t.fish").string();
  const auto completed = shell("'" TRELLIS_PROGRAM "' completions fish >" + file + "; fish -N -c \"source " + file +
                               "; complete -C 'trellis bench dslash --latt'\"");
  EXPECT_EQ(completed.out.rfind("--lattice\t", 0), 0U) << completed.out << completed.err;
}

TEST(Version, NamesCommitBackendCompilerAndInstructionSet) {
  const auto version = program("--version");
  EXPECT_TRUE(std::regex_match(version.out, std::regex("trellis [0-9.]+ \\(commit [^()]+\\), backend \\S+, compiler "
                                                       "(g\\+\\+|clang) [^,]+, \\S+\n")))
      << version.out;
}

TEST(Version, RefusesAnotherInstructionSet) {
  const auto facts = nlohmann::json::parse(program("info --json").out);
  const auto own = facts["isa"]["name"].get<std::string>();
  EXPECT_EQ(shell("TRELLIS_ISA=" + own + " '" TRELLIS_PROGRAM "' info").code, 0);
  EXPECT_EQ(shell("TRELLIS_ISA= '" TRELLIS_PROGRAM "' info").code, 0);
  EXPECT_NE(program("info").out.find("\nisa        " + own), std::string::npos);
  const auto other = shell("TRELLIS_ISA=x86-64-v9 '" TRELLIS_PROGRAM "' info");
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.err,
            "trellis: error: TRELLIS_ISA is 'x86-64-v9', but this program was built for " + own + " alone\n");
}

}  // namespace
}  // namespace trellis::app
